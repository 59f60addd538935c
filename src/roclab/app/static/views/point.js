// The operating point: what happens to cases at this threshold? One point on the curve, among the values, and in the square.

import { cheapest, equalCostSlope, expectedCost, matrixAt, metricsOf, vertexAtValue } from "/report/decision.js";
import { CostPanel, MetricsPanel, PrecisionRecallPanel } from "/report/panels.js";
import { dashOf, lineChart } from "../charts/lines.js";
import { flagText, histogram } from "../charts/histogram.js";
import { counted, measured, range, share, shares, short } from "../digits.js";
import { fill, h, select, svg, typedNumber } from "../dom.js";
import { explained } from "../explain.js";
import { folded, panel, small, swatch } from "../parts.js";
import { numbersAt, signOf } from "../point_numbers.js";
import { square } from "../square.js";
import { showRows } from "../rows_drawer.js";
import { t } from "../text.js";
import { trailOf } from "./data.js";

const LARGE = [["tpr", "Sensitivity"], ["tnr", "Specificity"], ["ppv_there", "Positive predictive value"], ["npv_there", "Negative predictive value"]];
const FACTS = [
  ["accuracy", "accuracy"], ["youden_j", "Youden's J"], ["f1", "F1"], ["lr_plus", "LR+"], ["lr_minus", "LR−"], ["ppv", "PPV in these data"], ["npv", "NPV in these data"],
  ["slope", "slope of equal cost"], ["cost", "expected cost per case"], ["cost_best", "lowest expected cost"], ["threshold_best", "cut-off with lowest cost"],
];
const SHARES = ["tpr", "tnr", "ppv_there", "npv_there"];
const WORDS = { tp: "found", fp: "false alarms", fn: "missed", tn: "rightly cleared" };
const logit = (p) => Math.log10(p / (1 - p));
const expit = (value) => 1 / (1 + 10 ** -value);

export class PointView {
  constructor(host, app) {
    this.app = app;
    this.store = app.store;
    this.nodes = new Map();
    this.build(host);
    this.store.listen((what) => this.paint(what));
    this.paint("score");
    app.frame.code.over = () => this.codeNow();
  }

  build(host) {
    const { app, store } = this;
    const { positive, negative } = app.overview;
    const names = store.scores.map((one) => [one.name, `${one.name} (AUC ${short(app.areas.find((area) => area.name === one.name)?.area)})`]);
    this.title = h("h1", { id: "answer" });
    this.sub = h("p.sub");
    this.pick = select(t("Score"), names, store.score.name, (value) => store.choose(value), { id: "score" });
    this.square = square({ positive, negative, press: (cell) => this.rows(cell) });
    this.winner = h("p.note", { id: "winner" });
    this.chart = this.roc();
    this.bars = this.values();
    const metric = (key, name) => h("div", {}, h("dt", {}, t(name)), h("dd.n", { dataset: { value: key } }), h("dd.ci", { dataset: { interval: key } }), h("dd.ci", { dataset: { of: key } }));
    this.more = h("div.panels", {});
    fill(host, trailOf(app), h("div.row.apart", {}, h("div.lead", {}, this.title, this.sub), h("div.noprint", {}, this.pick)),
      h("dl.metrics", {}, LARGE.map(([key, name]) => metric(key, name))),
      h("div.cols.half.keep.stretch", {},
        h("section.panel.tight", { "aria-label": t("ROC curve"), dataset: { panel: "roc" } }, h("div.head", {}, h("h2", {}, t("On the ROC curve")), h("span.quiet", {}, t("Drag the point"))), this.chart),
        h("section.panel.tight", { "aria-label": t("Distribution"), dataset: { panel: "distribution" } }, h("div.head", {}, h("h2", {}, t("Among the cases")), h("span.quiet", {}, swatch("right", t("right")), swatch("wrong", t("wrong")))), this.bars,
          h("div.row.tools", {}, h("span.quiet", {}, t("Go to")), this.jumps()))),
      h("div.cols.half.stretch", {}, panel(t("Decisions at this threshold"), h("span.quiet", {}, t("Press a field to see its cases")), this.square.node),
        panel(t("Where it will be used"), null, h("div.controls", {}, this.slider("prevalence", t("Prevalence"), -4, 4, { to: logit, from: expit }, (v) => v > 0 && v < 1, t("5, 5 % or 0.05")),
          this.slider("costFp", t("Cost of a false alarm"), -3, 3, { to: Math.log10, from: (v) => 10 ** v }, (v) => v > 0 && v < Infinity), this.slider("costFn", t("Cost of a missed case"), -3, 3, { to: Math.log10, from: (v) => 10 ** v }, (v) => v > 0 && v < Infinity)), this.winner,
        h("p.note", {}, store.deviate === null ? t("No intervals here: cases of one subject belong together, or weights are no counts.") : t("Intervals hold for a threshold that was chosen before these data were seen.")))),
      h("details.panel", { id: "all-measures" }, h("summary", {}, t("All measures")), h("dl.facts", {}, FACTS.map(([key, name]) => h("div", {}, h("dt", {}, explained(key, t(name))), h("dd", {}, h("span", { dataset: { value: key } }), h("span.ci", { dataset: { interval: key } })))))),
      this.figures());
    for (const node of host.querySelectorAll("[data-value]")) this.nodes.set(node, node.dataset.value);
    this.host = host;
  }

  // -- the two figures that are dragged ------------------------------------------------------------------------

  roc() {
    const { store } = this;
    const figure = () => {
      const ink = (one) => ({ colour: one.colour, dash: dashOf(one.place), place: one.place, pts: one.fpr.map((x, at) => ({ x, y: one.tpr[at] })) });
      const { score } = store;
      const best = cheapest(score, store.conditions);
      const slope = equalCostSlope(store.conditions);
      const far = Math.min(2, 2 / slope); // long enough to leave the square on both sides
      const [x, y] = [score.fpr[best], score.tpr[best]];
      const others = store.seen.filter((one) => one !== score).map((one) => ({ ...ink(one), kind: "series curve dim" }));
      return {
        titles: [t("1 − specificity"), t("Sensitivity")], chance: [[0, 1], [0, 1]], label: t("ROC curve"), max: 620, ratio: 0.92,
        lines: [{ ...ink(score) }, { pts: score.hull.map((at) => ({ x: score.fpr[at], y: score.tpr[at] })), colour: score.colour, kind: "hull" }, { pts: [{ x: x - far, y: y - far * slope }, { x: x + far, y: y + far * slope }], colour: score.colour, kind: "iso" }, ...others],
        marks: [{ x, y, shape: "diamond", title: t("lowest cost") }],
      };
    };
    const grip = svg("g", { class: "point handle", tabindex: 0, role: "slider", "aria-label": t("Operating point on the ROC curve") }, svg("circle", { class: "reach", r: 22 }), svg("circle", { class: "ring", r: 13 }), svg("circle", { class: "core", r: 8 }));
    grip.addEventListener("keydown", (event) => this.key(event));
    const box = lineChart(figure, { over: (root, frame) => {
      root.append(svg("rect", { class: "surface", x: frame.m.l, y: frame.m.t, width: frame.inner, height: frame.tall }), grip);
      this.place = (x, y) => grip.setAttribute("transform", `translate(${frame.X(x).toFixed(1)} ${frame.Y(y).toFixed(1)})`);
      this.nearest = (event) => {
        const bounds = root.getBoundingClientRect();
        const [px, py] = [((event.clientX - bounds.left) * frame.width) / bounds.width, ((event.clientY - bounds.top) * frame.height) / bounds.height];
        const { fpr, tpr } = store.score;
        let [best, least] = [0, Infinity];
        for (let at = 0; at < fpr.length; at++) {
          const far = (frame.X(fpr[at]) - px) ** 2 + (frame.Y(tpr[at]) - py) ** 2;
          if (far < least) [best, least] = [at, far];
        }
        return best;
      };
      this.movePoint();
    } });
    this.grip = grip;
    let held = false;
    box.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      held = true;
      box.setPointerCapture(event.pointerId);
      grip.focus({ preventScroll: true });
      store.move(this.nearest(event));
    });
    box.addEventListener("pointermove", (event) => { if (held) store.move(this.nearest(event)); });
    for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, () => { held = false; });
    return box;
  }

  values() {
    const { store } = this;
    const { positive, negative } = this.app.overview;
    const onMove = { to: (value) => store.move(vertexAtValue(store.score, value)), key: (event) => this.key(event, true) };
    return histogram(() => {
      const { score } = store;
      const { edges, pos, neg, log } = score.distribution;
      const cut = score.thresholds[store.at];
      return {
        edges, log, pos: pos.map((k) => k / score.nPos), neg: neg.map((k) => k / score.nNeg), lower: score.direction === "lower", cuts: [score.places[store.at]], flagged: [flagText(signOf(score), cut)],
        words: { pos: `${positive} (${counted(score.nPos)})`, neg: `${negative} (${counted(score.nNeg)})`, axis: log ? t("{name}, log scale", { name: score.name }) : score.name }, label: t("Values of both classes with the threshold"),
      };
    }, { onMove, ratio: 0.7 });
  }

  // Arrow keys: to the right fewer cases reach the threshold on the axis of values, more on the curve.
  key(event, overValues = false) {
    const turned = overValues && this.store.score.direction !== "lower" ? -1 : 1;
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 20, PageDown: -20, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.store.step(step * turned * (event.shiftKey ? 10 : 1));
  }

  jumps() {
    const { store } = this;
    const go = (name, words, at) => small(words, () => store.move(at()), { dataset: { jump: name } });
    return [go("youden", "Youden", () => store.score.jumps.youden), go("closest_to_corner", t("nearest corner"), () => store.score.jumps.closest_to_corner), go("cost", t("lowest cost"), () => cheapest(store.score, store.conditions)),
      go("sensitive", t("sensitivity ≥ 95 %"), () => store.score.tpr.findIndex((one) => one >= 0.95))];
  }

  movePoint() {
    const { score, at } = this.store;
    this.place?.(score.fpr[at], score.tpr[at]);
    for (const [key, value] of Object.entries({ valuemin: 0, valuemax: score.thresholds.length - 1, valuenow: at, valuetext: this.store.inWords() })) this.grip.setAttribute(`aria-${key}`, value);
  }

  // -- conditions ------------------------------------------------------------------------------------------------

  slider(name, label, min, max, scale, fits, hint = "") {
    const { store } = this;
    const slide = h("input", { type: "range", id: `${name}-range`, min, max, step: 0.01, "aria-label": `${label}, ${t("slider")}` });
    const field = h("input", { type: "text", inputmode: "decimal", id: name, "aria-describedby": `${name}-wrong` });
    const wrong = h("span.wrong-here", { id: `${name}-wrong`, role: "status" });
    const show = () => {
      slide.value = scale.to(store.conditions[name]);
      if (document.activeElement !== field) field.value = measured(Number(store.conditions[name].toPrecision(4)));
    };
    slide.addEventListener("input", () => store.assume({ [name]: Number(scale.from(Number(slide.value)).toPrecision(3)) }));
    field.addEventListener("input", () => {
      const value = typedNumber(field.value, { share: name === "prevalence" });
      field.setAttribute("aria-invalid", String(!fits(value)));
      wrong.textContent = fits(value) ? "" : t(name === "prevalence" ? "Write a share between 0 and 1, or per cent: 0.05, 5, 5 %." : "Write a number above 0.");
      if (fits(value)) store.assume({ [name]: value });
    });
    store.listen(show);
    show();
    return h("div.cols.slider", {}, h("label.field", {}, h("span", {}, label), field, wrong, hint ? h("span.quiet", {}, hint) : null), slide);
  }

  // -- the numbers -----------------------------------------------------------------------------------------------

  paint(what) {
    if (!this.host.isConnected) return;
    const { store } = this;
    const { values, intervals } = numbersAt(store);
    const { positive } = this.app.overview;
    const { score } = store;
    this.title.textContent = t(score.direction === "lower" ? "Up to {name} {value}, classify as {positive}" : "From {name} {value} on, classify as {positive}", { name: score.name, value: measured(values.threshold), positive });
    this.sub.textContent = t("Finds {tp} of {pos} {positive}; {fp} of {neg} {negative} are false alarms.", { tp: counted(values.tp), pos: counted(score.nPos), positive, fp: counted(values.fp), neg: counted(score.nNeg), negative: this.app.overview.negative });
    this.title.dataset.exact = values.threshold;
    this.square.paint(values);
    for (const [node, key] of this.nodes) {
      const value = values[key];
      node.dataset.exact = value;
      if (["tp", "fp", "fn", "tn"].includes(key)) continue;
      node.textContent = SHARES.includes(key) ? share(value) : key === "threshold_best" ? measured(value) : short(value, key.startsWith("cost") ? 3 : 2);
    }
    for (const node of this.host.querySelectorAll("[data-interval]")) {
      const key = node.dataset.interval;
      const ends = intervals[key] ?? null;
      node.dataset.exact = JSON.stringify(ends, (_, value) => (value === Infinity ? "inf" : value));
      node.textContent = ends === null ? "" : SHARES.includes(key) ? shares(ends[0], ends[1]) : ` (${range(ends[0], ends[1])})`;
    }
    const { prevalence } = store.conditions;
    const of = { tpr: t("of {n} {name}", { n: counted(score.nPos), name: positive }), tnr: t("of {n} {name}", { n: counted(score.nNeg), name: this.app.overview.negative }) };
    for (const node of this.host.querySelectorAll("[data-of]")) node.textContent = of[node.dataset.of] ?? t("at {share} prevalence", { share: share(prevalence, (prevalence * 100) % 1 > 1e-9 ? 1 : 0) });
    if (what === "score") this.pick.querySelector("select").value = score.name;
    if (what === "point") { this.movePoint(); this.bars.move?.(); } else { this.chart.repaint(); this.bars.repaint(); this.leader(values); }
    if (what === "point") this.app.frame.drawer.refresh();
  }

  // Which score costs least under these conditions, and how much.
  leader(values) {
    const { store } = this;
    const found = store.seen.map((one) => ({ one, cost: expectedCost(metricsOf(matrixAt(one, cheapest(one, store.conditions))), store.conditions) })).sort((a, b) => a.cost - b.cost);
    const here = t("Lowest cost at these values: {value}, {cost} per case. The dashed line in the figure touches that point.", { value: `${store.score.name} ${signOf(store.score)} ${measured(values.threshold_best)}`, cost: short(values.cost_best, 3) });
    this.winner.textContent = store.seen.length > 1 ? `${here} ${t("Cheapest under these conditions: {name}, {cost} per case.", { name: found[0].one.name, cost: short(found[0].cost, 3) })}` : here;
  }

  figures() {
    const { store } = this;
    const figure = (name, words, Panel) => {
      const place = h("div", { dataset: { panel: name } });
      return { node: h("figure", {}, place, h("figcaption.note", {}, words)), make: () => { const made = new Panel(place, store); store.listen((what) => made.update(what)); made.update("score"); } };
    };
    const key = (kind, text) => [h(`span.key-${kind}`, { "aria-hidden": "true" }, "▬ "), `${text}  `];
    const all = [
      figure("metrics", [t("Rates by cut-off."), " ", key("tpr", t("sensitivity")), key("tnr", t("specificity")), key("ppv", t("PPV")), key("npv", t("NPV"))], MetricsPanel),
      figure("precision", t("Precision and recall at the prevalence chosen."), PrecisionRecallPanel), figure("cost", t("Cost: the lowest reachable at every mix of prevalence and costs."), CostPanel),
    ];
    const details = folded(t("More figures of this point"), false, h("div.panels", {}, all.map((one) => one.node)));
    details.id = "more-figures";
    details.addEventListener("toggle", () => { if (details.open && !details.dataset.made) { details.dataset.made = "yes"; all.forEach((one) => one.make()); } });
    return details;
  }

  codeNow() {
    const { score, at } = this.store;
    const { at_point: code, threshold_place: place } = this.app.overview;
    const threshold = score.thresholds[at];
    const written = Number.isFinite(threshold) ? String(threshold) : threshold > 0 ? "inf" : "-inf";
    const put = (text, value) => (text ?? "").replace(place, value);
    return { command: put(code[score.name]?.command, written), python: put(code[score.name]?.python, Number.isFinite(threshold) ? written : `float("${written}")`) };
  }

  rows(cell) {
    const { score, at } = this.store;
    const threshold = score.thresholds[at];
    const options = { score: score.name, cell, threshold: Number.isFinite(threshold) ? threshold : String(threshold).replace("Infinity", "inf") };
    showRows(this.app, { question: "cell", options, words: t(WORDS[cell]), id: "cell-rows", from: `${score.name} ${signOf(score)} ${measured(threshold)}` });
  }
}
