// Four counts, as of a published table: every rate with its interval, and predictive values at another prevalence.

import { h, number } from "../../dom.js";
import { share, shares } from "../../digits.js";
import { button, inWords } from "../../parts.js";
import { rowsOf, tableOf } from "../../tables.js";
import { t } from "../../text.js";
import { metricWords } from "../../words_of_names.js";

const CELLS = [["tp", "positive and classified as positive"], ["fp", "negative, classified as positive"], ["fn", "positive, classified as negative"], ["tn", "negative and classified as negative"]];
const LARGE = [["tpr", "Sensitivity"], ["tnr", "Specificity"], ["ppv", "Positive predictive value"], ["npv", "Negative predictive value"]];

export function build(view) {
  const asked = { tp: 45, fp: 10, fn: 5, tn: 90 };
  let prevalence = null;
  const run = () => view.run("counts", { counts: asked, level: view.app.state.level, ...(prevalence === null ? {} : { prevalence }) }, {}, (answer) => show(view, answer));
  return h("div.cols", {}, h("div.fields", {}, CELLS.map(([name, words]) => number(t(words), asked[name], (value) => { asked[name] = value; }, { id: `count-${name}`, min: 0, step: 1 })),
    number(t("prevalence elsewhere"), null, (value) => { prevalence = value; }, { id: "count-prevalence", min: 0, max: 1, share: true, hint: t("5, 5 % or 0.05") })),
  h("div.row", {}, button(t("Show the rates"), run, { kind: "main", id: "run-counts" })));
}

function show(view, answer) {
  const rows = rowsOf(answer.table);
  const ends = answer.table.columns.filter((one) => / (low|high)$/.test(one));
  const of = (name) => rows.find((one) => one.metric === name);
  const { tp, fp, fn, tn } = answer.matrix;
  const [pos, neg] = [tp + fn, fp + tn];
  const cell = (kind, count, all, words) => h(`div.cell.${kind}`, {}, h("b", {}, count), h("span", {}, t(words)), h("span", {}, all > 0 ? share(count / all) : "–"));
  view.add(h("dl.metrics", {}, LARGE.map(([name, words]) => { const one = of(name); return h("div", {}, h("dt", {}, t(words)), h("dd.n", { dataset: { value: name, exact: one?.value } }, share(one?.value)), h("dd.ci", {}, one && one[ends[0]] !== null ? shares(one[ends[0]], one[ends[1]]) : "")); })),
    h("div.square", {}, h("span"), h("span.h.top", {}, t("positive")), h("span.h.top", {}, t("negative")), h("span.sum", {}, t("all")), h("span.h", {}, t("classified as {name}", { name: t("positive") })), cell("right", tp, pos, "found"), cell("wrong", fp, neg, "false alarms"), h("span.sum", {}, tp + fp),
      h("span.h", {}, t("classified as {name}", { name: t("negative") })), cell("wrong", fn, pos, "missed"), cell("right", tn, neg, "rightly cleared"), h("span.sum", {}, fn + tn), h("span.h.below", {}, t("all")), h("span.sum.below", {}, pos), h("span.sum.below", {}, neg), h("span.sum.below", {}, pos + neg)),
    tableOf(answer.table, { name: "rates", most: 40, spoken: (value, column) => (column === "metric" ? metricWords(value) : null) }), inWords(answer));
}
