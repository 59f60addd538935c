// Two lists of values, one of each class: a table that every view can analyse.

import * as api from "../../api.js";
import { fill, h, typedNumber } from "../../dom.js";
import { button } from "../../parts.js";
import { t } from "../../text.js";

export function build(view) {
  const lists = { positive: h("textarea", { id: "list-positive", rows: 6, spellcheck: "false" }), negative: h("textarea", { id: "list-negative", rows: 6, spellcheck: "false" }) };
  const run = async () => {
    const rows = [];
    for (const [name, box] of Object.entries(lists)) {
      const { values, wrong } = valuesOf(box.value);
      if (wrong !== null || values.length === 0) {
        const words = wrong === null ? t("Write the values of {name} cases.", { name: t(name) }) : t("“{text}” is no number; separate values by spaces, lines or semicolons.", { text: wrong });
        fill(view.answer, h("p.error", { role: "alert" }, words));
        box.focus();
        return;
      }
      rows.push(...values.map((value) => `${name},${value}`));
    }
    try {
      const data = await api.openText(`class,value\n${rows.join("\n")}\n`, "two lists.csv");
      view.app.take({ ...data, made: true }, { label: "class", positive: "positive", score: ["value"] }, { view: "curves", confirmed: true });
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      fill(view.answer, h("p.error", { role: "alert" }, error.message));
    }
  };
  return h("div.cols", {}, h("div.cols.half", {}, h("label.field", {}, h("span", {}, t("Values of positive cases")), lists.positive), h("label.field", {}, h("span", {}, t("Values of negative cases")), lists.negative)),
    h("p.note", {}, t("Larger values are taken to mean positive; turn them round among the columns if they do not.")),
    h("div.row", {}, button(t("Analyse these values"), run, { kind: "main", id: "run-lists" })));
}

// Numbers as people paste them; a comma is a decimal sign unless a space follows it.
export function valuesOf(text) {
  const parts = text.replace(/,(?=\s)/g, " ").split(/[\s;]+/).filter(Boolean);
  const values = parts.map((one) => typedNumber(one));
  const wrong = values.findIndex((one) => Number.isNaN(one));
  return { values, wrong: wrong < 0 ? null : parts[wrong] };
}
