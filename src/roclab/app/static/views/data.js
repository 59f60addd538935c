// Data: open a table, look through it, and say what its columns are.

import * as api from "../api.js";
import { cellText, tableOf } from "../tables.js";
import { checkbox, h, number, refill, select } from "../dom.js";
import { t } from "../text.js";

// The parts that are known of the data sets that come with roclab.
const PRESETS = {
  example: { label: "outcome", positive: "deteriorated", score: ["procalcitonin", "lactate", "concern"] },
  wines: { label: "oak", positive: "1", score: ["p_oak"] },
  readings: { label: "truth", positive: "1", score: ["rating"], id: "case" },
};
const EXAMPLES = { example: "Patients: who deteriorates?", wines: "Wines: three grapes, predicted probabilities", readings: "Readers: ratings of the same images" };
const ROLES = [["", "–"], ["label", "label"], ["score", "score"], ["weight", "weight"], ["fold", "fold"], ["id", "subject"], ["by", "group"]];

export class DataView {
  constructor(host, app) {
    this.host = host;
    this.app = app;
    this.draw();
  }

  presetOf(called) { return PRESETS[called] ?? {}; }

  draw() {
    const { data } = this.app;
    refill(this.host, h("h2", {}, t("Data")), this.openers(), data === null ? null : this.columns(), data === null ? null : this.preview());
  }

  // -- opening ---------------------------------------------------------------------------------------------

  openers() {
    const { app } = this;
    const file = h("input", { type: "file", id: "file", "aria-label": t("Choose a file"), onchange: () => file.files[0] && this.load(() => api.upload(file.files[0])) });
    const drop = h("div.drop", { id: "drop" }, h("p", {}, t("Drop a file here, or choose one:")), file,
      h("p.quiet", {}, "CSV, TSV, Excel, Parquet, Arrow, .tab, SPSS .sav"));
    drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
    drop.addEventListener("dragleave", () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      const [dropped] = event.dataTransfer.files;
      if (dropped) this.load(() => api.upload(dropped));
    });
    const path = h("input", { type: "text", id: "path", spellcheck: "false", placeholder: "/data/scores.parquet" });
    const pasted = h("textarea", { id: "paste", rows: 4, spellcheck: "false", placeholder: t("Paste cells from a spreadsheet, with their header row") });
    const how = app.data !== null;
    return h("details.openers", { open: !how }, h("summary", {}, how ? t("Open other data") : t("Open data")),
      h("div.grid", {}, drop,
        h("div", {}, h("p", {}, t("Try an example:")), app.desk.examples.map((name) => h("button", {
          type: "button", id: `example-${name}`, onclick: () => this.load(() => api.openPath(name), PRESETS[name]),
        }, t(EXAMPLES[name] ?? name)))),
        h("form", { onsubmit: (event) => { event.preventDefault(); this.load(() => api.openPath(path.value)); } },
          h("label.field", {}, h("span", {}, t("A path on this machine; large files stay where they are")), path),
          h("button", { type: "submit", id: "open-path" }, t("Open"))),
        h("form", { onsubmit: (event) => { event.preventDefault(); this.load(() => api.openText(pasted.value, "pasted.tsv")); } },
          h("label.field", {}, h("span", {}, t("Paste")), pasted), h("button", { type: "submit", id: "open-pasted" }, t("Use what is pasted")))));
  }

  async load(open, roles = {}) {
    this.app.say(t("Reading …"));
    try {
      const data = await open();
      this.app.say(data.notes.join(" "));
      await this.app.opened(data, roles);
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      this.app.say(error.message, "error");
    }
  }

  // -- columns and their parts ------------------------------------------------------------------------------

  roleOf(name) {
    const { roles } = this.app.state;
    if (roles.score.includes(name)) return "score";
    return ["label", "weight", "fold", "id", "by"].find((part) => roles[part] === name) ?? "";
  }

  assign(name, part) {
    const { roles } = this.app.state;
    const next = { score: roles.score.filter((one) => one !== name), direction: { ...roles.direction } };
    for (const one of ["label", "weight", "fold", "id", "by"]) if (roles[one] === name) next[one] = null;
    if (roles.label === name && part !== "label") Object.assign(next, { positive: null, negative: null });
    if (part === "score") next.score.push(name);
    else if (part !== "") next[part] = name;
    if (part !== "score") delete next.direction[name];
    if (part === "label") Object.assign(next, { positive: defaultPositive(this.column(name)), negative: null });
    this.app.session.set({ roles: next });
    document.getElementById(`role-${this.app.data.columns.findIndex((one) => one.name === name)}`)?.focus();
  }

  column(name) { return this.app.data.columns.find((one) => one.name === name); }

  columns() {
    const { app } = this;
    const { data } = app;
    const lines = data.columns.map((one, at) => h("tr", {},
      h("th", { scope: "row" }, one.name),
      h("td", {}, this.roleField(one, at)),
      h("td", {}, this.roleOf(one.name) === "score" ? this.directionField(one) : null),
      h("td", { class: one.missing ? "number warn" : "number" }, cellText(one.missing)),
      h("td", {}, t(one.kind)),
      h("td", {}, valuesOf(one))));
    return h("section", {},
      h("h3", {}, t("{name}: {rows} rows, {columns} columns", { name: data.called, rows: data.rows_read, columns: data.columns.length })),
      data.elsewhere ? h("p.quiet", {}, t("These rows stay where they are and are counted by an engine.")) : null,
      this.codes(), this.reading(),
      h("div.scroll.tall", { tabindex: 0, role: "region", "aria-label": t("Columns") }, h("table", { id: "columns" },
        h("caption", {}, t("Say what the columns are: one label and at least one score.")),
        h("thead", {}, h("tr", {}, ["column", "is", "positive means", "missing", "kind", "values"].map((one) => h("th", { scope: "col" }, t(one))))),
        h("tbody", {}, lines))),
      this.label(), this.gaps(),
      app.overview ? h("p.answer", { id: "headline" }, app.overview.headline) : null,
      app.overview ? h("button.main", { type: "button", id: "to-curves", onclick: () => app.open("curves") }, t("Show the curves")) : null);
  }

  roleField(one, at) {
    return h("select", { id: `role-${at}`, "aria-label": t("What is {name}?", { name: one.name }), onchange: (event) => this.assign(one.name, event.target.value), value: "" },
      ROLES.map(([value, text]) => h("option", { value, selected: value === this.roleOf(one.name) }, t(text))));
  }

  directionField(one) {
    const { session } = this.app;
    const side = this.app.state.roles.direction[one.name] ?? "higher";
    return h("select", {
      "aria-label": t("Which side of {name} means positive?", { name: one.name }),
      onchange: (event) => session.set({ roles: { direction: { ...this.app.state.roles.direction, [one.name]: event.target.value } } }),
    }, ["higher", "lower"].map((value) => h("option", { value, selected: value === side }, t(value))));
  }

  label() {
    const { app } = this;
    const { roles } = app.state;
    if (roles.label === null) return null;
    const column = this.column(roles.label);
    const choose = (changes) => {
      app.typedRule = null;
      app.session.set({ roles: changes });
    };
    const classes = column.values.map(([value, count]) => h("label.check", {},
      h("input", { type: "radio", name: "positive", value, checked: roles.positive === value, onchange: () => choose({ positive: value }) }),
      h("span", {}, `${value} (${count})`)));
    // What is being typed outlives an answer that arrives meanwhile and draws the view anew.
    const typed = app.typedRule?.label === roles.label ? app.typedRule.text : null;
    const rule = h("input", {
      type: "text", id: "rule", size: 10, placeholder: "> 6.5", value: typed ?? (/^[<>≤≥]/.test(roles.positive ?? "") ? roles.positive : ""),
      oninput: () => { app.typedRule = { label: roles.label, text: rule.value }; },
    });
    const useRule = (event) => {
      event.preventDefault();
      choose({ positive: rule.value.trim() || null });
    };
    const others = column.values.filter(([value]) => value !== roles.positive);
    return h("fieldset", { id: "positive" }, h("legend", {}, t("Which class of {name} is positive?", { name: roles.label })),
      classes,
      column.kind === "word" || column.kind === "truth" ? null : h("form.inline", { onsubmit: useRule },
        h("label.field", {}, h("span", {}, t("or a threshold on the number")), rule), h("button", { type: "submit", id: "use-rule" }, t("Use"))),
      others.length > 1 ? select(t("against"), [["", t("all the rest")], ...others.map(([value]) => [value, value])], roles.negative ?? "",
        (value) => choose({ negative: value || null }), { id: "negative" }) : null);
  }

  gaps() {
    const { app } = this;
    const { roles } = app.state;
    const used = [roles.label, ...roles.score, roles.weight, roles.id, roles.fold].filter(Boolean).map((name) => this.column(name));
    if (!used.some((one) => one?.missing > 0) && roles.missing === "error") return null;
    return h("fieldset", {}, h("legend", {}, t("Missing values")), used.filter((one) => one?.missing > 0).map((one) => h("p", {}, `${one.name}: ${one.missing}`)),
      checkbox(t("Leave out cases that lack a value; they are counted in every answer."), roles.missing === "drop",
        (value) => app.session.set({ roles: { missing: value ? "drop" : "error" } }), { id: "drop-missing" }));
  }

  // Numbers that look like codes of missing values: the user says what they are.
  codes() {
    const { app } = this;
    const said = app.answeredCodes ?? new Set();
    const open = app.data.columns.filter((one) => one.code && !said.has(`${app.data.key} ${one.name}`));
    if (open.length === 0) return null;
    const answered = (one) => { app.answeredCodes = said.add(`${app.data.key} ${one.name}`); };
    return h("fieldset.question", { id: "codes" }, h("legend", {}, t("What do these numbers mean?")), open.map((one) => h("p", {},
      t("{code} stands {count} times in {name} and is far from all others.", { code: one.code[0], count: one.code[1], name: one.name }), " ",
      h("button", { type: "button", onclick: () => { answered(one); this.readAnew({ na: [...(app.data.reading.na ?? []), one.code[0]] }); } }, t("A missing value")), " ",
      h("button", { type: "button", onclick: () => { answered(one); this.draw(); } }, t("A measurement")))));
  }

  reading() {
    const { app } = this;
    const { reading } = app.data;
    if (app.data.elsewhere) return null;
    const wanted = { ...reading };
    const set = (name) => (value) => { wanted[name] = value === "" ? null : value; };
    return h("details", {}, h("summary", {}, t("How the file is read")), h("form.inline", { onsubmit: (event) => { event.preventDefault(); this.readAnew(wanted); } },
      select(t("cells are separated by"), [["", t("as found")], [",", ","], [";", ";"], ["\t", t("tab")], ["|", "|"]], reading.delimiter ?? "", set("delimiter")),
      select(t("decimal sign"), [["", t("as found")], [".", "."], [",", ","]], reading.decimal ?? "", set("decimal")),
      number(t("row of the names"), reading.header_row ?? null, set("header_row"), { min: 1, step: 1 }),
      textField(t("sheet"), reading.sheet ?? "", set("sheet")),
      textField(t("codes of missing values"), (reading.na ?? []).join(" "), (value) => { wanted.na = value.split(/[\s]+/).filter(Boolean); }),
      h("button", { type: "submit" }, t("Read again"))));
  }

  async readAnew(reading) {
    const { app } = this;
    try {
      const data = await api.readAnew(app.data.key, { ...app.data.reading, ...reading });
      const { roles } = app.state;
      const there = data.columns.map((one) => one.name);
      app.data = data;
      app.forgetAnswers();
      app.say(data.notes.join(" "));
      const kept = (name) => (there.includes(name) ? name : null);
      app.session.restart({ ...app.state, data: { called: data.called, fingerprint: data.fingerprint, path: data.path, reading: data.reading },
        roles: { ...roles, label: kept(roles.label), score: roles.score.filter(kept), weight: kept(roles.weight), id: kept(roles.id), fold: kept(roles.fold), by: kept(roles.by) } });
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      app.say(error.message, "error");
    }
  }

  preview() {
    const { data } = this.app;
    if (data.head.length === 0) return null;
    const columns = data.columns.map((one) => one.name);
    return h("details", {}, h("summary", {}, t("The first rows")), tableOf({ columns, rows: data.head.map((row) => columns.map((name) => row[name])) }, { name: "rows" }));
  }
}

function textField(label, value, changed) {
  const field = h("input", { type: "text", value, onchange: () => changed(field.value) });
  return h("label.field", {}, h("span", {}, label), field);
}

// 1 and true need no mention; of other classes none is guessed.
function defaultPositive(column) {
  const values = column.values.map(([value]) => value);
  if (values.length !== 2) return null;
  return ["1", "true", "True"].find((one) => values.includes(one)) ?? null;
}

function valuesOf(one) {
  if (one.kind === "unread") return "";
  if (one.values.length > 0 && one.values.length <= 6) return one.values.map(([value, count]) => `${value} (${count})`).join(", ");
  if (one.low !== null) return `${cellText(one.low)} … ${cellText(one.high)}; ${t("{n} distinct", { n: one.distinct })}`;
  return t("{n} distinct", { n: one.distinct });
}
