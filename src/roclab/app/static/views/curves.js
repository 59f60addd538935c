// Curves of every kind: bands, averages over folds, hulls, a part with its area, and who leads where.

import { shownNumber } from "/report/decimal.js";
import { connectLegend } from "/report/legend.js";
import { csvText } from "/report/cutoff_rows.js";
import { checkbox, fill, h, number, select } from "../dom.js";
import { save, savePng, svgText } from "../files.js";
import { legendOf } from "../legend_list.js";
import { LineChart } from "../line_chart.js";
import { tableOf } from "../tables.js";
import { t } from "../text.js";

const KINDS = [
  ["roc", "ROC"], ["troc", "tROC"], ["pr", "Precision-recall"], ["det", "DET"], ["cost", "Cost"], ["lift", "Lift"], ["gain", "Gain"],
  ["calibration", "Calibration"], ["net_benefit", "Decision curve"],
];
const AXES = {
  roc: ["false positive rate (1 − specificity)", "true positive rate (sensitivity)"], troc: ["false positive rate (1 − specificity)", "TPR · (1 − FPR)"],
  pr: ["recall (sensitivity)", "precision (PPV)"], det: ["false positive rate (1 − specificity)", "false negative rate"],
  cost: ["share of the cost that misses could make", "normalised expected cost"], lift: ["share of cases called positive", "lift"],
  gain: ["share of cases called positive", "share of positives found"], calibration: ["predicted probability", "observed share"],
  net_benefit: ["threshold probability", "net benefit"],
};
const STEPS = Array.from({ length: 101 }, (_, at) => at / 100);
const PERFECT = { troc: [[0, 0, 1], [0, 1, 0]] };
const CHANCE = { troc: [STEPS, STEPS.map((fpr) => fpr * (1 - fpr))], roc: [[0, 1], [0, 1]], gain: [[0, 1], [0, 1]], calibration: [[0, 1], [0, 1]], cost: [[0, 0.5, 1], [0, 0.5, 0]], lift: [[0, 1], [1, 1]] };
const BANDS = [["none", "none"], ["pointwise", "pointwise"], ["simultaneous", "simultaneous"], ["kolmogorov", "Kolmogorov"]];
const DRAWN = ["simultaneous", "pointwise"]; // bands of resampled curves, by default or where that is asked for
const AVERAGES = [["none", "whole data"], ["each", "every fold"], ["pooled", "pooled"], ["vertical", "vertical"], ["threshold", "by threshold"], ["horizontal", "horizontal"]];

export class CurvesView {
  constructor(host, app) {
    this.app = app;
    this.found = null;
    this.bands = null;
    this.folds = null;
    this.hull = null;
    this.leaders = null;
    this.build(host);
    this.ask();
  }

  get choice() { return this.app.state.curves; }

  choose(changes) {
    this.app.session.set({ curves: changes });
    if (Object.keys(changes).some((one) => ["kind", "walk"].includes(one))) this.bands = null;
    this.controls();
    this.ask();
  }

  build(host) {
    const { app } = this;
    const legend = legendOf(app);
    this.tools = h("div.tools", { id: "curve-tools" });
    this.figure = h("div", { id: "chart" });
    this.busy = h("div", { id: "chart-busy" });
    this.banding = h("div", { id: "band-busy" });
    this.under = h("div", { id: "region" });
    this.aside = h("div", { id: "leaders" });
    this.extra = h("div", { id: "hull" });
    this.mean = h("div", { id: "fold-average" });
    fill(host, h("h2.unseen", {}, t("Curves")), this.tools,
      h("div.with-side", {}, h("figure", {}, this.busy, this.figure, h("figcaption", {}, t("Drag across the chart to choose a part of it."))), h("div", {}, legend, this.exports())),
      this.banding, this.under, this.mean, this.extra, this.aside);
    connectLegend(legend, app.store);
    app.store.listen(() => this.draw());
    app.store.changed("score");
    this.controls();
  }

  controls() {
    const { kind, band, walk, average, averaged, hull, joint, region } = this.choice;
    const { roles } = this.app.state;
    const words = (pairs) => pairs.map(([value, text]) => [value, t(text)]);
    const isRoc = kind === "roc";
    fill(this.tools,
      select(t("Curve"), words(KINDS), kind, (value) => this.choose({ kind: value, region: null }), { id: "kind" }),
      isRoc ? select(t("Band"), words(BANDS), band, (value) => this.choose({ band: value }), { id: "band" }) : null,
      isRoc || kind === "troc" ? select(t("Ties"), words([["expected", "slanted"], ["optimistic", "stairs, best case"], ["pessimistic", "stairs, worst case"]]), walk, (value) => this.choose({ walk: value }), { id: "walk" }) : null,
      isRoc && roles.fold ? select(t("Folds"), words(AVERAGES), average, (value) => this.choose({ average: value }), { id: "average" }) : null,
      isRoc && roles.fold && average !== "none" && roles.score.length > 1 ? select(t("of"), roles.score.map((one) => [one, one]), averaged ?? roles.score[0], (value) => this.choose({ averaged: value }), { id: "averaged" }) : null,
      isRoc ? checkbox(t("hull of each"), hull, (value) => this.choose({ hull: value }), { id: "each-hull" }) : null,
      isRoc && roles.score.length > 1 ? checkbox(t("joint hull"), joint, (value) => this.choose({ joint: value }), { id: "joint-hull" }) : null,
      isRoc ? this.regionField(region) : null,
      isRoc && DRAWN.includes(band) ? this.app.form("band", () => { this.bands = null; this.ask(); }) : null,
      isRoc && region ? this.app.form("region", () => this.ask()) : null);
  }

  regionField(region) {
    const [low, high] = region ?? [0, 1];
    const set = (at) => (value) => {
      const next = [low, high];
      next[at] = value ?? at;
      this.choose({ region: next[0] >= next[1] || (next[0] === 0 && next[1] === 1) ? null : next });
    };
    return h("span.inline", {}, number(t("FPR from"), low, set(0), { id: "fpr-from", min: 0, max: 1, step: 0.01 }), number(t("to"), high, set(1), { id: "fpr-to", min: 0, max: 1, step: 0.01 }),
      region ? h("button.small", { type: "button", id: "whole", onclick: () => this.choose({ region: null }) }, t("Whole curve")) : null);
  }

  exports() {
    const name = () => `${this.choice.kind} ${this.app.data.called}`;
    return h("div.tools", { id: "exports" },
      h("button.small", { type: "button", id: "save-svg", onclick: () => save(`${name()}.svg`, svgText(this.chart.chart.svg), "image/svg+xml") }, "SVG"),
      h("button.small", { type: "button", id: "save-png", onclick: () => savePng(this.chart.chart.svg, `${name()}.png`) }, "PNG"),
      h("button.small", { type: "button", id: "save-csv", onclick: () => save(`${name()}.csv`, csvText(this.cells()), "text/csv;charset=utf-8") }, "CSV"));
  }

  cells() {
    const rows = [["curve", "threshold", this.found.x_name, this.found.y_name]];
    for (const one of this.found.lines) one.x.forEach((x, at) => rows.push([one.name, one.thresholds?.[at] ?? "", x, one.y[at]].map(String)));
    return rows;
  }

  ask() {
    const { kind, walk } = this.choice;
    const { app } = this;
    const key = `${kind} ${walk} ${app.asked}`;
    if (this.askedKind !== key) {
      this.askedKind = key;
      this.pending = true;
      app.work(this.busy, "curve", { kind, ties: walk, ...(kind === "net_benefit" ? app.conditions : {}) }, (answer) => {
        this.pending = false;
        this.found = answer;
        this.frame();
        this.rest();
      }, undefined, () => this.refused());
      return;
    }
    if (!this.pending) this.rest(); // else the curve brings the rest with it
  }

  // No figure of another question stands under the title of one that has no answer.
  refused() {
    this.pending = false;
    this.found = null;
    this.chart = null;
    for (const place of [this.figure, this.under, this.aside, this.mean, this.extra]) fill(place);
  }

  // What else was asked of the ROC curve.
  rest() {
    const { kind, band, average, averaged, joint, region } = this.choice;
    const { app } = this;
    const { level } = app.state;
    if (this.found === null) return; // it was refused, and says so
    this.draw();
    fill(this.under);
    fill(this.aside);
    fill(this.mean);
    fill(this.extra);
    if (kind !== "roc") return;
    if (band !== "none" && this.bands?.kind !== band) {
      app.work(this.banding, "band", { kind: band, level, ...(DRAWN.includes(band) ? app.chosen("band") : {}) }, (answer) => { this.bands = { kind: band, found: answer.bands }; this.draw(); });
    }
    if (average !== "none" && app.state.roles.fold) {
      const score = averaged ?? app.state.roles.score[0];
      app.work(this.mean, "average", { how: average, score, level }, (answer) => {
        this.folds = { ...answer, score };
        this.mean.append(tableOf(answer.table, { name: "average" }) ?? "");
        this.draw();
      });
    } else this.folds = null;
    this.hull = joint ? this.hull : null;
    if (joint) {
      app.work(this.extra, "hull", {}, (answer) => {
        this.hull = answer;
        this.extra.append(h("h3", {}, t("Joint hull: who is best for which slope of equal cost")), tableOf(answer.ranges, { name: "hull ranges" }));
        this.draw();
      });
    }
    if (region) {
      app.work(this.under, "region", { fpr: region, level, ...app.chosen("region") }, (answer) => {
        const [low, high] = region;
        this.under.append(h("h3", {}, t("Area between the false positive rates {low} and {high}", { low, high })), tableOf(answer.table, { name: "partial areas" }));
      });
    }
    if (app.state.roles.score.length > 1) {
      app.work(this.aside, "leaders", {}, (answer) => {
        this.leaders = answer;
        this.aside.append(h("h3", {}, t("Who leads where")), tableOf(answer.table, { name: "leaders" }), h("ul", {}, answer.words.map((one) => h("li", {}, one))));
        this.draw();
      });
    }
  }

  frame() {
    const [xLabel, yLabel] = AXES[this.found.kind].map((one) => t(one));
    this.chart = new LineChart(this.figure, {
      title: `${t(KINDS.find(([one]) => one === this.found.kind)[1])}: ${xLabel}, ${yLabel}`, xLabel, yLabel,
      onRegion: this.found.kind === "roc" ? (region) => this.choose({ region }) : null,
    });
    this.named();
  }

  // The numbers beside the curves are the areas of those curves that are drawn.
  named() {
    for (const one of this.found.lines) {
      const place = this.app.store.scores.find((score) => score.name === one.name)?.place;
      const text = document.querySelector(`#legend [data-legend="${place}"] .auc`);
      if (!text || !["roc", "troc"].includes(this.found.kind)) continue;
      const limits = one.area?.low === undefined ? "" : ` (${shownNumber(one.area.low)}–${shownNumber(one.area.high)})`;
      text.textContent = one.area ? `${one.area.name} ${shownNumber(one.area.value)}${limits}` : "";
    }
  }

  draw() {
    if (!this.found || !this.chart) return;
    const { app } = this;
    const { kind } = this.found;
    const { region, hull, average } = this.choice;
    const inkOf = (name) => app.store.scores.find((one) => one.name === name) ?? { colour: 7, dash: "4 3", place: -1 };
    const seen = (name) => !app.store.hidden.has(name);
    const folded = kind === "roc" && this.folds !== null && average !== "none";
    const lines = folded ? this.foldLines(inkOf) : this.found.lines.filter((one) => seen(one.name)).map((one) => ({ ...one, ...inkOf(one.name), x: one.px ?? one.x, y: one.py ?? one.y }));
    if (kind === "roc" && hull && !folded) {
      for (const one of app.store.seen) lines.push({ x: one.hull.map((at) => one.fpr[at]), y: one.hull.map((at) => one.tpr[at]), colour: one.colour, kind: "hull" });
    }
    if (kind === "roc" && this.hull) {
      const { columns, rows } = this.hull.vertices;
      const [x, y] = ["fpr", "tpr"].map((name) => rows.map((row) => row[columns.indexOf(name)]));
      lines.push({ x, y, colour: 2, kind: "joint-hull" });
    }
    const bands = kind === "roc" && this.bands && this.choice.band === this.bands.kind && !folded ? this.bands.found.filter((one) => seen(one.name)).map((one) => ({ ...one, colour: inkOf(one.name).colour })) : [];
    if (PERFECT[kind]) lines.push({ x: PERFECT[kind][0], y: PERFECT[kind][1], colour: 7, kind: "perfect" });
    this.chart.draw({ lines, bands, ...this.ranges(kind, lines, region), chance: this.chanceOf(kind), marks: this.marks(kind, folded), scale: this.found.scale ?? null });
  }

  foldLines(inkOf) {
    const { colour } = inkOf(this.folds.score);
    const each = this.folds.folds.map((one) => ({ ...one, colour, kind: "curve other" }));
    return this.folds.mean ? [...each, { ...this.folds.mean, colour, kind: "curve" }] : each;
  }

  ranges(kind, lines, region) {
    if (this.found.scale) return { x: this.found.scale.range, y: this.found.scale.range };
    if (kind === "roc" && region) {
      const inside = lines.flatMap((one) => one.y.filter((_, at) => one.x[at] >= region[0] && one.x[at] <= region[1]));
      return { x: region, y: [Math.max(0, Math.min(...inside, 1) - 0.02), Math.min(1, Math.max(...inside, 0) + 0.02)] };
    }
    if (kind === "cost") return { x: [0, 1], y: [0, 0.5] };
    if (kind === "lift" || kind === "net_benefit") {
      const values = lines.flatMap((one) => one.y).filter((one) => typeof one === "number");
      const low = kind === "lift" ? 0 : Math.max(Math.min(...values, 0), -0.1);
      return { x: [0, 1], y: [low, Math.max(...values, 0.01) * 1.05] };
    }
    return { x: [0, 1], y: [0, 1] };
  }

  chanceOf(kind) {
    if (kind === "pr") {
      const { nPos, nNeg } = this.app.store.scores[0];
      const share = nPos / (nPos + nNeg);
      return [[0, 1], [share, share]];
    }
    return CHANCE[kind] ?? null;
  }

  // The operating point, and where curves cross.
  marks(kind, folded) {
    const { store } = this.app;
    if (folded) return [];
    const line = this.found.lines.find((one) => one.name === store.score.name);
    const at = line?.thresholds ? line.thresholds.findIndex((value) => value === store.score.thresholds[store.at]) : -1;
    const point = at >= 0 ? [{ x: (line.px ?? line.x)[at], y: (line.py ?? line.y)[at], title: store.inWords() }] : [];
    const crossings = kind === "roc" && this.leaders ? this.leaders.crossings.map((one) => ({ x: one.fpr, y: one.tpr, shape: "diamond", title: `${one.first} × ${one.second}` })) : [];
    return [...crossings, ...point];
  }
}
