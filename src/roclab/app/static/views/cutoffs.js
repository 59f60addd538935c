// Cut-offs: every criterion side by side, requirements, a grey zone, all coordinates, and code to take along.

import { CutoffTable } from "/report/cutoff_table.js";
import { fill, h, number, select } from "../dom.js";
import { copyText, save } from "../files.js";
import { tableOf } from "../tables.js";
import { t } from "../text.js";

const METRICS = [["tpr", "sensitivity"], ["tnr", "specificity"], ["ppv", "PPV"], ["npv", "NPV"], ["accuracy", "accuracy"], ["lr_plus", "LR+"]];

export class CutoffsView {
  constructor(host, app) {
    this.app = app;
    this.build(host);
    this.ask();
  }

  get score() { return this.app.store.score.name; }

  build(host) {
    const { app } = this;
    const { store } = app;
    const { require, zone } = app.state.cutoffs;
    this.criteria = h("div", { id: "criteria" });
    this.required = h("div", { id: "required" });
    this.zone = h("div", { id: "zone" });
    this.stable = h("div", { id: "stable" });
    this.snippets = h("div", { id: "snippets" });
    const bound = { ...require };
    const edges = { ...zone };
    const details = h("details", { id: "all-cutoffs", open: true }, h("summary", {}, t("Every cut-off, with counts, rates and intervals")),
      h("div.tools", {}, h("button", { type: "button", dataset: { copy: "" } }, t("Copy for a spreadsheet")), h("button", { type: "button", dataset: { save: "" } }, t("Save as CSV")), h("span", { dataset: { says: "" }, role: "status" })),
      h("div.scroll.tall", { tabindex: 0, role: "region", "aria-label": t("Every cut-off") }, h("table", {}, h("thead", {}, h("tr")), h("tbody"))),
      h("button", { type: "button", dataset: { more: "" }, hidden: true }));
    const pick = select(t("Score"), store.scores.map((one) => [one.name, one.name]), store.score.name, (value) => { store.choose(value); this.ask(); }, { id: "cutoff-score" });
    fill(host, h("h2", {}, t("Where to cut?")), pick, app.form("cutoffs", () => this.ask()), this.criteria,
      h("p.quiet", {}, t("These cut-offs were chosen on the same cases that judge them: on new cases expect somewhat lower rates.")),
      h("button", { type: "button", id: "stability", onclick: () => this.stability() }, t("How sure is Youden's cut-off? (bootstrap)")), app.form("stability", () => this.stability()), this.stable,
      h("h3", {}, t("A requirement")),
      h("form.inline", { onsubmit: (event) => { event.preventDefault(); app.session.set({ cutoffs: { require: bound } }); this.requirement(); } },
        select(t("keep"), METRICS.map(([value, text]) => [value, t(text)]), bound.metric, (value) => { bound.metric = value; }, { id: "require-metric" }),
        number("≥", bound.bound, (value) => { bound.bound = value; }, { id: "require-bound", step: 0.01 }), h("button", { type: "submit", id: "require" }, t("Find"))), app.form("requirement", () => this.requirement()), this.required,
      h("h3", {}, t("A grey zone: rule out below one cut-off, rule in from another")),
      h("form.inline", { onsubmit: (event) => { event.preventDefault(); app.session.set({ cutoffs: { zone: edges } }); this.greyZone(); } },
        number(t("sensitivity of ruling out ≥"), edges.out, (value) => { edges.out = value; }, { id: "rule-out", step: 0.01 }),
        number(t("specificity of ruling in ≥"), edges.in, (value) => { edges.in = value; }, { id: "rule-in", step: 0.01 }), h("button", { type: "submit", id: "grey" }, t("Find"))), this.zone,
      details, this.snippets);
    new CutoffTable(details, store);
    store.listen(() => this.takeAlong());
    store.changed("score");
  }

  ask() {
    const { app } = this;
    app.work(this.criteria, "cutoffs", { score: this.score, ...app.conditions, ...app.chosen("cutoffs") }, (answer) => {
      this.criteria.append(tableOf(answer.table, { name: `cut-offs ${this.score}`, pick: (row) => this.go(answer.table, row) }), h("p.quiet", {}, t("Press a criterion to move the operating point there.")));
      if (answer.refused.length) this.criteria.append(h("details", {}, h("summary", {}, t("Criteria that have no answer here")), h("ul", {}, answer.refused.map((one) => h("li", {}, one)))));
    });
    fill(this.required);
    fill(this.zone);
    fill(this.stable);
  }

  go(table, row) {
    const threshold = row[table.columns.indexOf("cut-off")];
    const { store } = this.app;
    const wanted = { inf: Infinity, "-inf": -Infinity }[threshold] ?? threshold;
    const at = store.score.thresholds.findIndex((value) => value === wanted);
    if (at >= 0) store.move(at);
    this.app.open("point");
  }

  requirement() {
    const { metric, bound } = this.app.state.cutoffs.require;
    this.app.work(this.required, "requirement", { score: this.score, require: { [metric]: bound }, ...this.app.chosen("requirement") }, (answer) => this.required.append(tableOf(answer.table, { name: "requirement", pick: (row) => this.go(answer.table, row) })));
  }

  greyZone() {
    const { out, in: rulingIn } = this.app.state.cutoffs.zone;
    this.app.work(this.zone, "grey_zone", { score: this.score, rule_out: { tpr: out }, rule_in: { tnr: rulingIn } }, (answer) => this.zone.append(tableOf(answer.cuts, { name: "grey zone cut-offs" }), tableOf(answer.table, { name: "grey zone" })));
  }

  stability() {
    this.app.work(this.stable, "stability", { score: this.score, ...this.app.chosen("stability") }, (answer) => this.stable.append(tableOf(answer.cut, { name: "cut-off with its interval" }), tableOf(answer.table, { name: "stability" })));
  }

  // The rule at the operating point as code, JSON and a scikit-learn snippet.
  takeAlong() {
    const { score, at } = this.app.store;
    const { positive, negative } = this.app.overview;
    const threshold = score.thresholds[at];
    const sign = score.direction === "lower" ? "<=" : ">=";
    const value = Number.isFinite(threshold) ? String(threshold) : `float("${threshold > 0 ? "inf" : "-inf"}")`;
    const quoted = (text) => JSON.stringify(text);
    const texts = {
      Python: `def call(${identifier(score.name)}):\n    return ${quoted(positive)} if ${identifier(score.name)} ${sign} ${value} else ${quoted(negative)}\n`,
      JSON: `${JSON.stringify({ score: score.name, direction: score.direction, threshold: Number.isFinite(threshold) ? threshold : String(threshold), positive, negative }, null, 1)}\n`,
      "scikit-learn": score.direction === "lower"
        ? `predicted = scores <= ${value}\n`
        : `from sklearn.frozen import FrozenEstimator  # scikit-learn 1.6 or later\nfrom sklearn.model_selection import FixedThresholdClassifier\n\ndecide = FixedThresholdClassifier(FrozenEstimator(fitted_model), threshold=${value}, pos_label=${quoted(positive)}, response_method="predict_proba")\n`,
    };
    fill(this.snippets, h("h3", {}, t("Take the rule along")), Object.entries(texts).map(([name, text]) => h("section", {}, h("h4", {}, name, " ",
      h("button.small", { type: "button", "aria-label": `${t("Copy")}: ${name}`, onclick: () => copyText(text).catch(() => save("rule.txt", text, "text/plain")) }, t("Copy"))), h("pre", { tabindex: 0, "aria-label": name }, text))));
  }
}

const identifier = (name) => name.replace(/[^\p{L}\p{N}_]+/gu, "_").replace(/^(?=\d)/, "_");
