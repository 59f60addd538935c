// Readers: does the modality matter, for other readers and other cases too? Table in; areas, differences and curves out.

import { intervalRow, scaleOf, scaleRow } from "../charts/intervals.js";
import { dashOf, keyLine, lineChart } from "../charts/lines.js";
import { decimalsOf, pWords, short, withRange } from "../digits.js";
import { fill, h, select } from "../dom.js";
import { button, folded, lead, panel } from "../parts.js";
import { rowsOf, tableOf } from "../tables.js";
import { inLanguage, t } from "../text.js";
import { trailOf } from "./data.js";

const PARTS = [["reader", /^(reader|rater|readerid|observer)/i], ["modality", /^(modality|treatment|method|modalityid)/i], ["case", /^(case|image|patient|caseid|subject|id)/i], ["label", /^(truth|label|outcome|gold|disease)/i], ["rating", /^(rating|score|confidence)/i]];
const NAMES = { reader: "Reader", modality: "Modality", case: "Case", label: "Truth", rating: "Rating" };
const RANDOM = [["both", "other readers and other cases"], ["readers", "other readers, these cases"], ["cases", "these readers, other cases"]];

export class ReadersView {
  constructor(host, app) {
    this.app = app;
    this.host = host;
    if (app.data === null) { this.empty(); return; }
    const names = app.data.columns.map((one) => one.name);
    const known = app.chosen("readers");
    this.parts = Object.fromEntries(PARTS.map(([part, like]) => [part, names.includes(known[part]) ? known[part] : names.find((one) => like.test(one)) ?? null]));
    this.random = known.random ?? "both";
    this.build();
    if (this.complete) this.ask();
  }

  get complete() { return ["reader", "case", "label", "rating"].every((part) => this.parts[part]); }

  empty() {
    fill(this.host, lead(t("Do modalities differ, for other readers and other cases too?"), t("A table with one row per rating: reader, modality, case, truth and rating.")),
      h("div.row", {}, button(t("Try the example"), () => this.app.frame.opening.example("readings"), { kind: "main", id: "readers-example" }), button(t("Open data"), () => this.app.open("start"))));
  }

  build() {
    const { app } = this;
    const columns = app.data.columns.map((one) => [one.name, one.name]);
    const keep = () => { app.session.set({ options: { readers: { ...this.parts, random: this.random } } }, { quiet: true }); app.frame.steps(); if (this.complete) this.ask(); };
    this.lead = h("div", { id: "answer" }, lead(t("Do modalities differ, for other readers and other cases too?"), t("Say which column is what.")));
    this.result = h("div", { id: "readers-work" });
    this.shown = h("div.view", { id: "readers-shown" });
    fill(this.host, trailOf(app), this.lead, this.result, this.shown, h("details.panel", { open: !this.complete, id: "reader-parts" }, h("summary", {}, t("Which column is what")), h("div.fields", {},
      PARTS.map(([part]) => select(t(NAMES[part]), [["", part === "modality" ? t("one modality") : "–"], ...columns], this.parts[part] ?? "", (value) => { this.parts[part] = value || null; keep(); }, { id: `readers-${part}` })),
      select(t("It is to hold for"), RANDOM.map(([one, words]) => [one, t(words)]), this.random, (value) => { this.random = value; keep(); }, { id: "readers-random" }))));
  }

  ask() {
    const { app } = this;
    const { label, ...columns } = this.parts;
    const { positive, negative, label: chosen } = app.state.roles;
    const options = { ...Object.fromEntries(Object.entries(columns).filter(([, one]) => one)), labelled_by: label, random: this.random, level: app.state.level };
    fill(this.shown);
    app.work(this.result, "readers", options, (answer) => this.show(answer), { roles: { label, ...(chosen === label ? { positive, negative } : {}) } });
  }

  show(answer) {
    const pairs = rowsOf(answer.pairs);
    const place = (name) => answer.modalities.indexOf(name);
    const level = `${100 * this.app.state.level} %`;
    fill(this.lead, this.sentence(answer, pairs));
    const of = (reader, modality) => answer.areas.find((one) => one.reader === reader && one.modality === modality);
    const scale = scaleOf([...answer.areas, ...answer.means].flatMap((one) => [one.area, one.low, one.high]), { most: 1 });
    const gap = answer.modalities.length === 2;
    const line = (name, cells, strong) => h("tr", {}, h("th", { scope: "row" }, strong ? h("b", {}, name) : name), h("td.plotcol.full", {}, intervalRow(scale, cells.filter(Boolean).map((one, at) => ({ value: one.area, low: one.low, high: one.high, colour: place(one.modality) % 10, y: `${((at + 1) * 100) / (cells.length + 1)}%`, round: !strong })), { label: cells.filter(Boolean).map((one) => `${one.modality} ${short(one.area)}`).join(", ") })),
      cells.map((one, at) => h("td.num", { dataset: { name: answer.modalities[at], exact: one?.area } }, one ? short(one.area) : "–")), gap ? h("td.num", { dataset: { name: t("difference") } }, cells.every(Boolean) ? h("b", {}, short(cells[0].area - cells[1].area)) : "–") : null);
    const table = h("table.stack", { id: "reader-areas" }, h("thead", {}, h("tr", {}, [t("Reader"), t("{name} ({level} interval)", { name: answer.quantity, level }), ...answer.modalities, ...(gap ? [t("difference")] : [])].map((one, at) => h("th", { scope: "col", class: at > 1 ? "num" : null }, one)))),
      h("tbody", {}, answer.readers.map((reader) => line(reader, answer.modalities.map((one) => of(reader, one)))), line(t("All readers"), answer.modalities.map((one, at) => answer.means[at] && { ...answer.means[at], modality: one }), true),
        h("tr.scale", {}, h("td.hide"), h("td.plotcol.full", {}, scaleRow(scale)), answer.modalities.map(() => h("td.hide")), gap ? h("td.hide") : null)));
    const chart = lineChart(() => ({
      titles: [t("1 − specificity"), t("Sensitivity")], chance: [[0, 1], [0, 1]], label: t("Mean curves"), max: 620,
      lines: [...answer.curves.map((one, at) => ({ name: one.name, value: short(answer.means[at]?.area), colour: at % 10, dash: dashOf(at), place: at, pts: one.x.map((x, i) => ({ x, y: one.y[i] })) })),
        ...answer.each.map((one) => ({ colour: place(one.modality) % 10, kind: "series thin dim", pts: one.x.map((x, i) => ({ x, y: one.y[i] })) }))],
    }), { read: (value, found) => h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, `${t("1 − specificity")} ${short(value)}`), h("th.num", {}, t("Sensitivity")))), h("tbody", {}, found.map(([one, point]) => h("tr", {}, h("td", {}, keyLine(one.colour, one.dash), " ", one.name), h("td.num", {}, short(point.y)))))) });
    fill(this.shown, h("div.cols.half.late.stretch", {}, panel(t("Areas by reader"), h("span.quiet", {}, answer.modalities.map((one, at) => [keyLine(at % 10), ` ${one} `])), table, h("p.note", {}, answer.words.map(inLanguage).join("; "))),
      panel(t("Mean curves"), null, chart, h("p.note", {}, t("Thin: each reader. Point at the figure to read values.")))),
    answer.pairs.rows.length ? panel(t("Differences"), null, tableOf(answer.pairs, { name: "differences of modalities" })) : null, folded(t("Variance components"), false, tableOf(answer.components, { name: "components" }), tableOf(answer.equality, { name: "equality" })));
  }

  sentence(answer, pairs) {
    const { level } = this.app.state;
    const sub = t("{readers} readers, {cases} cases ({pos} positive).", { readers: answer.readers.length, cases: answer.n_pos + answer.n_neg, pos: answer.n_pos });
    if (pairs.length === 0) {
      const [one] = answer.means;
      return lead(t("Mean over readers: {area}", { area: withRange(one.area, one.low, one.high) }), sub);
    }
    const [one] = pairs;
    const [low, high] = ["low", "high"].map((end) => one[Object.keys(one).find((name) => name.endsWith(` ${end}`))]);
    const turned = one.difference < 0;
    const [better, worse] = turned ? [one.second, one.first] : [one.first, one.second];
    const gap = turned ? withRange(-one.difference, -high, -low) : withRange(one.difference, low, high);
    const p = one["adjusted p"] ?? one.p;
    const close = decimalsOf(one.difference, low, high) === 3 && Math.abs(p - (1 - level)) < 0.02 ? ` ${t("The interval only just leaves out zero.")}` : "";
    return p < 1 - level ? lead(t("{first} reads better than {second} by {gap}, {p}", { first: better, second: worse, gap, p: pWords(p) }), `${sub}${close}`)
      : lead(t("{first} and {second} are not told apart", { first: better, second: worse }), `${t("The difference is {gap}, {p}.", { gap, p: pWords(p) })} ${sub}`);
  }
}
