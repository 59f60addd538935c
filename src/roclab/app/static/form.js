// Forms of options: fields as the server describes them, from the same groups that Python and the command line have.

import { checkbox, h, number, select } from "./dom.js";
import { inLanguage, t } from "./text.js";
import { choiceWords } from "./words_of_values.js";

const spoken = (word) => t(String(word).replaceAll("_", " "));

// What a field is and what its values mean, for those who rest on it.
function meaning({ about, values }) {
  const lines = values.map(([names, words]) => `${names.map(choiceWords).join(", ")}: ${inLanguage(words)}`);
  return [inLanguage(about), ...lines].join("\n");
}

// Two numbers of a range; empty unless both are there.
function range(field, value, changed, id) {
  const ends = [...(value ?? [null, null])];
  const set = (at) => (one) => { ends[at] = one; changed(ends.includes(null) ? null : ends); };
  return h("span.pair", {}, number(`${spoken(field.label)} ${t("from")}`, ends[0], set(0), { id, step: 0.01 }), number(t("to"), ends[1], set(1), { id: `${id}-high`, step: 0.01 }));
}

function text(field, value, changed, id) {
  const box = h("input", {
    type: "text", id, value: value ?? "", placeholder: field.kind === "named" ? t("name = number") : "", list: field.choices?.length ? `${id}-names` : null,
    onchange: () => changed(box.value.trim() === "" ? null : box.value.trim()),
  });
  return h("label.field", {}, h("span", {}, spoken(field.label)), box, field.choices?.length ? h("datalist", { id: `${id}-names` }, field.choices.map((one) => h("option", { value: one }))) : null);
}

function fieldOf(field, value, changed, id) {
  const name = spoken(field.label);
  if (field.kind === "choice") {
    const usual = field.default === null ? [["", t("as usual")]] : [];
    return select(name, [...usual, ...field.choices.map((one) => [one, choiceWords(one)])], value ?? field.default ?? "", (chosen) => changed(chosen === (field.default ?? "") ? null : chosen), { id });
  }
  if (field.kind === "flag") return checkbox(name, value ?? field.default, (chosen) => changed(chosen === field.default ? null : chosen), { id });
  if (field.kind === "number" || field.kind === "count") return number(name, value ?? field.default, changed, { id, step: field.kind === "count" ? 1 : "any" });
  return field.kind === "range" ? range(field, value, changed, id) : text(field, value, changed, id);
}

// The form of a question: `values` are what was chosen so far, changed(name, value) hears what is chosen now; null is the default again.
export function optionForm(question, fields, values, changed, skip = []) {
  const shown = fields.filter((one) => !skip.includes(one.name));
  const made = (one) => {
    const field = fieldOf(one, values[one.name], (value) => changed(one.name, value), `${question}-${one.name.replaceAll("_", "-")}`);
    field.title = meaning(one.words);
    return field;
  };
  const more = shown.filter((one) => !one.first);
  const open = more.some((one) => values[one.name] !== undefined && values[one.name] !== null);
  return h("div.options", {}, h("div.fields", {}, shown.filter((one) => one.first).map(made)),
    more.length ? h("details.plain-details", { open, id: `${question}-options` }, h("summary", {}, t("More options")), h("div.fields", {}, more.map(made))) : null);
}
