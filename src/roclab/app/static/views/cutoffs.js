// Cut-offs: where to cut, and how sure is that place? Four ways first, a grey zone, a requirement, and the rule to take along.

import { CutoffTable } from "/report/cutoff_table.js";
import { flagText, histogram } from "../charts/histogram.js";
import { counted, measured, share, shares, short } from "../digits.js";
import { fill, h, number, select } from "../dom.js";
import { copyText, save } from "../files.js";
import { copied, folded, panel, small } from "../parts.js";
import { signOf } from "../point_numbers.js";
import { rowsOf, tableOf } from "../tables.js";
import { refusalInLanguage, t } from "../text.js";
import { criterionWords } from "../words_of_names.js";
import { trailOf } from "./data.js";

const METRICS = [["tpr", "sensitivity"], ["tnr", "specificity"], ["ppv", "PPV"], ["npv", "NPV"], ["accuracy", "accuracy"], ["lr_plus", "LR+"]];
const FIRST = ["youden", "closest_to_corner", "cost", "se_equals_sp"]; // the others are unfolded

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
    this.title = h("h1", { id: "answer" }, t("Where to cut?"));
    this.sub = h("p.sub");
    this.criteria = h("div", { id: "criteria" });
    this.required = h("div", { id: "required" });
    this.zone = h("div", { id: "zone" });
    this.stable = h("div", { id: "stable" });
    this.snippets = h("div", { id: "snippets" });
    this.zoneTitle = h("h2", {}, t("A grey zone: rule out below one cut-off, rule in from another"));
    const bound = { ...require };
    const edges = { ...zone };
    const details = h("details.panel", { id: "all-cutoffs" }, h("summary", {}, t("Every cut-off, with counts, rates and intervals")),
      h("div.row.tools", {}, h("button.btn.small", { type: "button", dataset: { copy: "" } }, t("Copy for a spreadsheet")), h("button.btn.small", { type: "button", dataset: { save: "" } }, t("Save as CSV")), h("span", { dataset: { says: "" }, role: "status" })),
      h("div.scroll.tall", { tabindex: 0, role: "region", "aria-label": t("Every cut-off") }, h("table", {}, h("thead", {}, h("tr")), h("tbody"))),
      h("button.btn.small", { type: "button", dataset: { more: "" }, hidden: true }));
    const pick = select(t("Score"), store.scores.map((one) => [one.name, one.name]), store.score.name, (value) => { store.choose(value); this.ask(); }, { id: "cutoff-score" });
    const asked = (change, find) => { app.session.set({ cutoffs: change }, { quiet: true }); app.frame.steps(); find(); };
    fill(host, trailOf(app), h("div.row.apart", {}, h("div.lead", {}, this.title, this.sub), pick),
      panel(t("Ways to choose"), null, this.criteria, h("p.note", {}, t("These cut-offs were chosen on the same cases that judge them: on new cases expect somewhat lower rates.")), h("details.plain-details", {}, h("summary", {}, t("More options")), app.form("cutoffs", () => this.ask()))),
      panel(t("How sure is Youden's cut-off?"), small(t("Find out (bootstrap)"), () => this.stability(), { id: "stability" }), this.stable, h("details.plain-details", {}, h("summary", {}, t("More options")), app.form("stability", () => this.stability()))),
      h("section.panel", { "aria-label": t("A grey zone: rule out below one cut-off, rule in from another") }, h("div.head", {}, this.zoneTitle, h("form.row", { onsubmit: (event) => { event.preventDefault(); asked({ zone: { ...edges } }, () => this.greyZone()); } },
        number(t("sensitivity of ruling out ≥"), edges.out, (value) => { edges.out = value; }, { id: "rule-out", min: 0, max: 1, share: true }),
        number(t("specificity of ruling in ≥"), edges.in, (value) => { edges.in = value; }, { id: "rule-in", min: 0, max: 1, share: true }), h("button.btn", { type: "submit", id: "grey" }, t("Find")))), this.zone),
      panel(t("A requirement"), h("form.row", { onsubmit: (event) => { event.preventDefault(); asked({ require: { ...bound } }, () => this.requirement()); } },
        select(t("keep"), METRICS.map(([value, text]) => [value, t(text)]), bound.metric, (value) => { bound.metric = value; }, { id: "require-metric" }),
        number("≥", bound.bound, (value) => { bound.bound = value; }, { id: "require-bound" }), number(t("sure in new cases"), bound.confidence ?? null, (value) => { bound.confidence = value; }, { id: "require-confidence", min: 1e-6, max: 1 - 1e-9, share: true, hint: t("empty: in these cases only") }), h("button.btn", { type: "submit", id: "require" }, t("Find"))), this.required, h("details.plain-details", {}, h("summary", {}, t("More options")), app.form("requirement", () => this.requirement()))),
      details, folded(t("Export the rule"), false, this.snippets));
    new CutoffTable(details, store);
    store.listen((what) => { if (what !== "conditions") this.takeAlong(); });
    this.takeAlong();
  }

  ask() {
    const { app } = this;
    app.work(this.criteria, "cutoffs", { score: this.score, ...app.conditions, ...app.chosen("cutoffs") }, (answer) => {
      const rows = rowsOf(answer.table);
      this.sentence(rows);
      const found = rows.filter((one) => FIRST.includes(one.criterion));
      const rest = { ...answer.table, rows: answer.table.rows.filter((row) => !FIRST.includes(row[0])) };
      this.criteria.append(this.ways(found), this.outside(answer.left_out, "Youden's index on cases left out of the choice: sensitivity {se}, specificity {sp}."), h("details.plain-details", { id: "more-criteria" }, h("summary", {}, t("{n} more criteria", { n: rest.rows.length })), tableOf(this.inWords(rest), { name: `cut-offs ${this.score}`, pick: (row) => this.go(row[1]) })));
      if (answer.refused.length) this.criteria.append(h("details.plain-details", {}, h("summary", {}, t("Criteria that have no answer here")), h("ul.notes", {}, answer.refused.map((one) => h("li", {}, `${criterionWords(one.criterion)[0]}: ${refusalInLanguage(one.error, one.parts)}`)))));
    });
    fill(this.required);
    fill(this.stable);
    this.greyZone();
  }

  inWords(table) { return { ...table, rows: table.rows.map(([name, ...rest]) => [criterionWords(name)[0], ...rest]) }; }

  sentence(rows) {
    const best = rows.find((one) => one.criterion === "youden");
    if (!best) return;
    this.title.textContent = t("Cut {name} at {value}", { name: this.score, value: measured(best["cut-off"]) });
    const same = rows.filter((one) => FIRST.includes(one.criterion) && one["cut-off"] === best["cut-off"] && one.criterion !== "youden").map((one) => criterionWords(one.criterion)[0]);
    const other = rows.find((one) => one.criterion === "cost" && one["cut-off"] !== best["cut-off"]);
    this.sub.textContent = [same.length ? t("Youden's index and {names} choose it.", { names: same.join(", ") }) : t("Youden's index chooses it."), other ? t("The lowest cost lies at {value}.", { value: measured(other["cut-off"]) }) : ""].join(" ");
  }

  ways(rows) {
    const rate = (one, name) => [h("b", {}, share(one[name])), h("span.ci", {}, one[`${name} low`] === undefined ? "" : ` (${shares(one[`${name} low`], one[`${name} high`])})`)];
    return h("table.stack.roomy.wide", {}, h("thead", {}, h("tr", {}, ["Criterion", "Cut-off", "Sensitivity", "Specificity", "Take"].map((one, at) => h("th", { scope: "col", class: at ? "num" : null }, at === 4 ? h("span.unseen", {}, t(one)) : t(one))))),
      h("tbody", {}, rows.map((one) => {
        const [words, under] = criterionWords(one.criterion);
        return h("tr", { dataset: { criterion: one.criterion } }, h("th", { scope: "row" }, words, under ? h("div.quiet", {}, under) : null), h("td.num", { dataset: { exact: one["cut-off"] } }, h("b", {}, `${signOf(this.app.store.score)} ${measured(one["cut-off"])}`)),
          h("td.num.full", { dataset: { name: t("sensitivity"), exact: one.sensitivity } }, rate(one, "sensitivity")), h("td.num.full", { dataset: { name: t("specificity"), exact: one.specificity } }, rate(one, "specificity")),
          h("td.num.act", {}, small(t("Take"), () => this.go(one["cut-off"]), { "aria-label": t("Take {value} to the operating point", { value: measured(one["cut-off"]) }) })));
      })));
  }

  // What cut-offs chosen the same way do to cases that did not choose them.
  outside(found, words) {
    return found ? h("p.note", { dataset: { leftOut: "" } }, t(words, { se: share(found.sensitivity), sp: share(found.specificity) })) : "";
  }

  go(threshold) {
    const { store } = this.app;
    const wanted = { inf: Infinity, "-inf": -Infinity }[threshold] ?? threshold;
    const at = store.score.thresholds.findIndex((value) => value === wanted);
    if (at >= 0) {
      store.move(at);
      this.app.keepPoint();
    }
    this.app.open("point");
  }

  // The bound in these cases, or promised for new ones.
  requirement() {
    const { metric, bound, confidence } = this.app.state.cutoffs.require;
    if (confidence) { this.promise({ [metric]: bound }, confidence); return; }
    this.app.work(this.required, "requirement", { score: this.score, require: { [metric]: bound }, ...this.app.chosen("requirement") }, (answer) => this.required.append(tableOf(answer.table, { name: "requirement", pick: (row) => this.go(row[answer.table.columns.indexOf("cut-off")]), spoken: (value, column) => (column === "criterion" ? criterionSaid(value) : null) }), this.outside(answer.left_out, "On cases left out of the choice: sensitivity {se}, specificity {sp}.")));
  }

  promise(require, confidence) {
    const { app } = this;
    app.work(this.required, "promise", { score: this.score, require, confidence }, (answer) => {
      const sign = signOf(app.store.score);
      const { sensitivity, specificity } = answer.rates;
      const rate = (one) => (one.low === null ? share(one.value) : `${share(one.value)} (${shares(one.low, one.high)})`);
      this.required.append(h("p.big-answer", { dataset: { exact: answer.threshold } }, t("{sign} {value} keeps the bound in new cases with {confidence} confidence", { sign, value: measured(answer.threshold), confidence: `${Number((100 * answer.confidence).toPrecision(6))} %` })),
        h("p.note", {}, t("So do all cut-offs from {low} to {high}. In these cases: sensitivity {se}, specificity {sp}.", { low: measured(answer.low), high: measured(answer.high), se: rate(sensitivity), sp: rate(specificity) })),
        small(t("Take"), () => this.go(answer.threshold), { id: "take-promise" }), h("details.plain-details", {}, h("summary", {}, t("All numbers")), tableOf(answer.promises, { name: "promise" })));
    });
  }

  greyZone() {
    const { app } = this;
    const { out, in: rulingIn } = app.state.cutoffs.zone;
    app.work(this.zone, "grey_zone", { score: this.score, rule_out: { tpr: out }, rule_in: { tnr: rulingIn } }, (answer) => {
      const [below, above] = rowsOf(answer.cuts);
      const parts = Object.fromEntries(rowsOf(answer.table).map((one) => [one.answer, one]));
      const { score } = app.store;
      const { positive } = app.overview;
      const cuts = [below["cut-off"], above["cut-off"]].map((one) => ({ inf: Infinity, "-inf": -Infinity }[one] ?? one));
      const [low, high] = cuts.map(measured);
      const sign = score.direction === "lower" ? [t("above"), t("up to")] : [t("below"), t("from")];
      this.zoneTitle.textContent = t("Grey zone: rule out {below} {low}, rule in {from} {high}", { below: sign[0], low, from: sign[1], high });
      const { edges, pos, neg, log } = score.distribution;
      const figure = histogram(() => ({
        edges, log, pos: pos.map((k) => k / score.nPos), neg: neg.map((k) => k / score.nNeg), lower: score.direction === "lower", cuts: score.direction === "lower" ? [...cuts].reverse() : cuts,
        flagged: (score.direction === "lower" ? [...cuts].reverse() : cuts).map((one, at) => flagText(["<", "≥"][score.direction === "lower" ? 1 - at : at], one)),
        words: { pos: `${positive} (${counted(score.nPos)})`, neg: `${app.overview.negative} (${counted(score.nNeg)})`, axis: log ? t("{name}, log scale", { name: score.name }) : score.name }, label: t("Values of both classes with the grey zone"),
      }), { height: 290, ratio: 0.24 });
      const zone = (kind, words, part) => h(`div${kind}`, {}, h("span.quiet", {}, words), h("b", {}, t("{n} cases, {share}", { n: counted(part.pos + part.neg), share: share(part.share) })), h("span", {}, `${t("{n} of them {name}", { n: counted(part.pos), name: positive })} · LR ${short(part.lr)}`));
      const of = (name) => { const one = parts[name]; return { pos: one[`actual ${positive}`], neg: one[`actual ${app.overview.negative}`], share: one.share, lr: one["likelihood ratio"] }; };
      if (parts.negative && parts.undecided && parts.positive) this.zone.append(figure, h("div.zones", {}, zone(".out", `${t("Rule out")}, ${sign[0]} ${low}`, of("negative")), zone("", t("Undecided"), of("undecided")), zone(".in", `${t("Rule in")}, ${sign[1]} ${high}`, of("positive"))));
      this.zone.append(h("details.plain-details", {}, h("summary", {}, t("All numbers")), tableOf(answer.cuts, { name: "grey zone cut-offs" }), tableOf(answer.table, { name: "grey zone" })));
    });
  }

  stability() {
    this.app.work(this.stable, "stability", { score: this.score, ...this.app.chosen("stability") }, (answer) => {
      const [cut] = rowsOf(answer.cut);
      this.stable.append(h("p.big-answer", {}, t("{criterion}: {value}, the data leave {range} open ({level} interval).", { criterion: criterionWords(cut.criterion)[0], value: measured(cut["cut-off"]), range: `${measured(cut.low)}–${measured(cut.high)}`, level: `${100 * cut.level} %` })), tableOf(answer.cut, { name: "cut-off with its interval", spoken: (value, column) => (column === "criterion" ? criterionWords(value)[0] : null) }), tableOf(answer.table, { name: "stability" }));
    });
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
    fill(this.snippets, Object.entries(texts).map(([name, text]) => h("section.cols", {}, h("div.row.apart", {}, h("h3", {}, name),
      small(t("Copy"), () => copyText(text).then(copied, () => save("rule.txt", text, "text/plain")), { "aria-label": `${t("Copy")}: ${name}`, sign: "copy" })), h("pre", { tabindex: 0, "aria-label": name }, text))));
  }
}

const criterionSaid = (text) => String(text).replace(/^\w+/, (name) => criterionWords(name)[0]);
const identifier = (name) => name.replace(/[^\p{L}\p{N}_]+/gu, "_").replace(/^(?=\d)/, "_");
