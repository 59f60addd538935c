// The operating point: one cut-off on every panel, its matrix, its metrics, its costs, and the rows behind each cell.

import { connectLegend } from "/report/legend.js";
import { CostPanel, DistributionPanel, MetricsPanel, PrecisionRecallPanel, RocPanel } from "/report/panels.js";
import { readOut } from "/report/readout.js";
import { cheapest, expectedCost, matrixAt, metricsOf } from "/report/decision.js";
import { formatNumber } from "/report/numbers.js";
import { inDecimal } from "/report/decimal.js";
import { fill, h, select, typedNumber } from "../dom.js";
import { explained } from "../explain.js";
import { legendOf } from "../legend_list.js";
import { tableOf } from "../tables.js";
import { t } from "../text.js";

const PANELS = { roc: RocPanel, distribution: DistributionPanel, metrics: MetricsPanel, precision: PrecisionRecallPanel, cost: CostPanel };
const METRICS = [
  ["tpr", "sensitivity"], ["tnr", "specificity"], ["youden_j", "Youden's J"], ["accuracy", "accuracy"], ["ppv", "PPV in these data"],
  ["npv", "NPV in these data"], ["ppv_there", "PPV at the prevalence"], ["npv_there", "NPV at the prevalence"], ["f1", "F1"], ["lr_plus", "LR+"],
  ["lr_minus", "LR−"], ["slope", "slope of equal cost"], ["cost", "expected cost per case"], ["cost_best", "lowest expected cost"],
  ["threshold_best", "cut-off with lowest cost"],
];
const STRIP = [["tpr", "sensitivity"], ["tnr", "specificity"], ["ppv_there", "PPV at prev."], ["npv_there", "NPV at prev."]];

const logit = (p) => Math.log10(p / (1 - p));
const expit = (v) => 1 / (1 + 10 ** -v);

export class PointView {
  constructor(host, app) {
    this.app = app;
    this.store = app.store;
    this.cells = "counts";
    this.build(host);
  }

  build(host) {
    const { app, store } = this;
    const { positive, negative } = app.overview;
    const figure = (name, caption) => h("figure", {}, h("div", { dataset: { panel: name } }), h("figcaption", {}, caption));
    const key = (kind, text) => [h(`span.key.${kind}`), `${text} `];
    const legend = legendOf(app);
    this.list = h("div", { id: "cell-rows" });
    this.winner = h("p", { id: "winner" });
    fill(host, h("h2.unseen", {}, t("Operating point")),
      h("div.first", {},
        h("figure.roc", {}, h("div", { dataset: { panel: "roc" } }), h("figcaption", {}, t("Drag the point on any panel, or focus it and use the arrow keys. Thin dashes: convex hull; long dashes: line of equal cost; ◇: where it touches."))),
        legend, this.controls(), this.numbers(positive, negative)),
      h("div.panels", {},
        figure("distribution", [h("b", {}, t("Scores.")), " ", key("class1", positive), key("class0", negative)]),
        figure("metrics", [h("b", {}, t("Rates by cut-off.")), " ", key("tpr", t("sensitivity")), key("tnr", t("specificity")), key("ppv", "PPV"), key("npv", "NPV")]),
        figure("precision", h("b", {}, t("Precision and recall at the prevalence chosen."))),
        figure("cost", h("b", {}, t("Cost: the lowest reachable at every mix of prevalence and costs.")))),
      this.list, this.strip());
    const panels = [...host.querySelectorAll("[data-panel]")].map((one) => new PANELS[one.dataset.panel](one, store));
    connectLegend(legend, store);
    store.listen((what) => panels.forEach((panel) => panel.update(what)));
    store.listen(() => { readOut(store); this.shares(); this.leader(); });
    store.changed("score");
  }

  controls() {
    const { store } = this;
    const names = store.scores.map((one) => [one.name, one.name]);
    const pick = select(t("Score"), names, store.score.name, (value) => store.choose(value), { id: "score" });
    store.listen(() => { pick.querySelector("select").value = store.score.name; });
    return h("div.controls", {}, pick,
      this.slider("prevalence", t("Prevalence"), -4, 4, { to: logit, from: expit }, (v) => v > 0 && v < 1),
      this.slider("costFp", t("Cost of a false positive"), -3, 3, { to: Math.log10, from: (v) => 10 ** v }, (v) => v > 0 && v < Infinity),
      this.slider("costFn", t("Cost of a false negative"), -3, 3, { to: Math.log10, from: (v) => 10 ** v }, (v) => v > 0 && v < Infinity),
      h("div.jumps", {}, `${t("Go to")} `, [["youden", "Youden"], ["closest_to_corner", t("nearest corner")], ["cost", t("lowest cost")]].map(([jump, text]) => h("button", {
        type: "button", dataset: { jump }, onclick: () => store.move(jump === "cost" ? cheapest(store.score, store.conditions) : store.score.jumps[jump]),
      }, text))), this.winner);
  }

  slider(name, label, min, max, scale, fits) {
    const { store } = this;
    const range = h("input", { type: "range", id: `${name}-range`, min, max, step: 0.01, "aria-label": `${label}, ${t("slider")}` });
    const field = h("input", { type: "text", inputmode: "decimal", id: name, "aria-label": label, "aria-describedby": `${name}-wrong` });
    const wrong = h("span.wrong-here", { id: `${name}-wrong`, role: "status" });
    const show = () => {
      range.value = scale.to(store.conditions[name]);
      if (document.activeElement !== field) field.value = Number(store.conditions[name].toPrecision(4));
    };
    range.addEventListener("input", () => store.assume({ [name]: Number(scale.from(Number(range.value)).toPrecision(3)) }));
    field.addEventListener("input", () => {
      const value = typedNumber(field.value, { share: name === "prevalence" });
      field.setAttribute("aria-invalid", String(!fits(value)));
      wrong.textContent = fits(value) ? "" : t(name === "prevalence" ? "Write a share between 0 and 1, or per cent: 0.05, 5, 5 %." : "Write a number above 0.");
      if (fits(value)) store.assume({ [name]: value });
    });
    store.listen(show);
    show();
    return h("div.slider", {}, h("span", {}, label), range, field, wrong);
  }

  numbers(positive, negative) {
    const cell = (name) => h("td", { class: ["tp", "tn"].includes(name) ? "right" : null }, h("button.cell", {
      type: "button", dataset: { cell: name }, title: t("List these rows"), onclick: () => this.rows(name),
    }, h("span", { dataset: { value: name } }), h("small", { dataset: { share: name } })));
    const counted = this.store.deviate !== null;
    return h("div.readout", {},
      h("p.rule", {}, `${t("Called")} “${positive}”: `, h("b", {}, h("span", { dataset: { score: "" } }), " ", h("span", { dataset: { sign: "" } }), " ", h("span", { dataset: { value: "threshold" } }))),
      select(t("cells show"), [["counts", t("counts")], ["rows", t("% of the row")], ["columns", t("% of the column")]], this.cells, (value) => { this.cells = value; this.shares(); }, { id: "cells" }),
      h("div.scroll", {}, h("table.matrix", {}, h("thead", {}, h("tr", {}, h("td"), h("th", { scope: "col" }, `${t("is")} ${positive}`), h("th", { scope: "col" }, `${t("is")} ${negative}`))),
        h("tbody", {}, h("tr", {}, h("th", { scope: "row" }, `${t("called")} ${positive}`), cell("tp"), cell("fp")),
          h("tr", {}, h("th", { scope: "row" }, `${t("called")} ${negative}`), cell("fn"), cell("tn"))))),
      h("dl.metrics", {}, METRICS.map(([key, name]) => h("div", {}, h("dt", {}, explained(key, t(name))), h("dd", {}, h("span", { dataset: { value: key } }), " ", counted ? h("small", { dataset: { interval: key } }) : null)))),
      h("p.quiet", {}, counted ? t("Small: intervals for a cut-off fixed beforehand; one chosen on these same cases does somewhat worse on new ones.") : t("No intervals here: cases of one subject belong together, or weights are no counts.")));
  }

  strip() {
    const counted = this.store.deviate !== null;
    return h("div.strip", { "aria-hidden": "true" }, h("b", {}, h("span", { dataset: { score: "" } }), " ", h("span", { dataset: { sign: "" } }), " ", h("span", { dataset: { also: "threshold" } })),
      STRIP.map(([key, name]) => h("span.cell", {}, h("i", {}, t(name)), " ", h("span", { dataset: { also: key } }), " ", counted ? h("small", { dataset: { interval: key } }) : null)));
  }

  shares() {
    const { tp, fp, fn, tn } = matrixAt(this.store.score, this.store.at);
    const totals = { rows: { tp: tp + fp, fp: tp + fp, fn: fn + tn, tn: fn + tn }, columns: { tp: tp + fn, fn: tp + fn, fp: fp + tn, tn: fp + tn } };
    const counts = { tp, fp, fn, tn };
    for (const node of document.querySelectorAll("[data-share]")) {
      const name = node.dataset.share;
      const of = totals[this.cells]?.[name];
      node.textContent = of === undefined ? "" : ` ${of > 0 ? `${inDecimal((100 * counts[name] / of).toFixed(1))}%` : "–"}`;
    }
  }

  // Which score costs least under these conditions, and how much.
  leader() {
    const { store } = this;
    const found = store.seen.map((one) => {
      const at = cheapest(one, store.conditions);
      return { one, cost: expectedCost(metricsOf(matrixAt(one, at)), store.conditions) };
    }).sort((a, b) => a.cost - b.cost);
    const [best] = found;
    this.winner.textContent = store.seen.length > 1 ? t("Cheapest under these conditions: {name}, {cost} per case.", { name: best.one.name, cost: inDecimal(formatNumber(best.cost)) }) : "";
  }

  rows(cell) {
    const { score, at } = this.store;
    const threshold = score.thresholds[at];
    const options = { score: score.name, cell, threshold: Number.isFinite(threshold) ? threshold : String(threshold).replace("Infinity", "inf") };
    this.app.work(this.list, "cell", options, (answer) => {
      const names = { tp: "true positives", fp: "false positives", fn: "false negatives", tn: "true negatives" };
      const caption = `${t(names[cell])}: ${answer.count}`;
      fill(this.list, h("h3", { tabindex: -1 }, caption), tableOf(answer.table, { caption, name: `${names[cell]} ${score.name}` }));
      this.list.scrollIntoView({ block: "nearest" });
    });
  }
}
