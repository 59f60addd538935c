// Any figure of the library, drawn as it is printed, with its numbers; saved as SVG or PNG.

import { drawing } from "../../charts/drawn.js";
import { checkbox, fill, h, number, select } from "../../dom.js";
import { button } from "../../parts.js";
import { tableOf } from "../../tables.js";
import { t } from "../../text.js";

const ISO = ["accuracy", "cost", "precision", "f_measure", "youden"];
const ISO_WORDS = { accuracy: "accuracy", cost: "cost", precision: "precision", f_measure: "F-measure", youden: "Youden's index" };
const AVERAGES = ["vertical", "horizontal", "threshold", "pooled"];
const SPREADS = [["band", "band"], ["bars", "bars"], ["boxes", "boxes"]];
const TESTS = ["fagan", "predictive"]; // figures about one test: a score and its threshold

export function build(view) {
  const { app } = view;
  const offered = app.desk.choices.figures;
  const asked = { kind: "roc", score: app.state.roles.score[0], size: "double", iso: "accuracy", troc_space: false, shares: [0.1, 0.3, 0.6], how: "vertical", spread_as: "band" };
  const more = h("div.row.fields-line");
  const scores = app.store.scores.map((one) => [one.name, one.name]);
  const draw = () => {
    const { one } = offered.find((figure) => figure.name === asked.kind);
    fill(more, one && scores.length > 1 ? select(t("Score"), scores, asked.score, (value) => { asked.score = value; }, { id: "figure-score" }) : null,
      asked.kind === "iso" ? [select(t("lines of equal"), ISO.map((name) => [name, t(ISO_WORDS[name])]), asked.iso, (value) => { asked.iso = value; }, { id: "figure-iso" }), checkbox(t("in tROC space"), asked.troc_space, (on) => { asked.troc_space = on; }, { id: "figure-troc" })] : null,
      asked.kind === "average" ? [select(t("average"), AVERAGES.map((name) => [name, t(name)]), asked.how, (value) => { asked.how = value; }, { id: "figure-how" }), select(t("spread"), SPREADS.map(([name, words]) => [name, t(words)]), asked.spread_as, (value) => { asked.spread_as = value; }, { id: "figure-spread" })] : null,
      asked.kind === "lc" ? ["smallest", "likeliest", "largest"].map((name, at) => number(t(`${name} share of a false alarm`), asked.shares[at], (value) => { asked.shares[at] = value; }, { id: `figure-share-${at}`, min: 0, max: 1, share: true })) : null);
  };
  draw();
  return h("div.cols", {}, h("div.row.fields-line", {}, select(t("Figure"), offered.map((one) => [one.name, t(one.words)]), asked.kind, (value) => { asked.kind = value; draw(); }, { id: "figure-kind" }), more,
    select(t("Width"), [["single", "85 mm"], ["double", "180 mm"]], asked.size, (value) => { asked.size = value; }, { id: "figure-size" }),
    button(t("Draw"), () => view.run("figure", options(app, asked), undefined, (answer) => show(view, answer, asked)), { kind: "main", id: "run-figure" })));
}

function options(app, { kind, score, size, iso, troc_space: space, shares, how, spread_as: spread }) {
  const { prevalence } = app.state.place;
  const { score: active, at } = app.store;
  const threshold = active.name === score ? active.thresholds[at] : app.store.scores.find((one) => one.name === score).thresholds[app.store.scores.find((one) => one.name === score).start];
  return {
    kind, score, size, ...(kind === "iso" ? { iso, ...(space ? { troc_space: true } : {}) } : {}), ...(TESTS.includes(kind) && Number.isFinite(threshold) ? { threshold } : {}),
    ...(kind === "average" ? { how, ...(how === "pooled" ? {} : { spread_as: spread }) } : {}),
    ...(kind === "lc" ? { shares, prevalence: prevalence ?? app.store.conditions.prevalence } : prevalence === null ? {} : { prevalence }),
  };
}

function show(view, answer, { kind }) {
  const { words } = view.app.desk.choices.figures.find((one) => one.name === kind);
  view.add(drawing(answer, t(words)), answer.table ? tableOf(answer.table, { name: kind }) : null);
}
