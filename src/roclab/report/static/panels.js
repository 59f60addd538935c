// The panels of the explorer. Each draws what stands still once per score, and moves the rest with the operating point.

import { Chart, svgElement } from "./chart.js";
import { inDecimal } from "./decimal.js";
import { cheapest, costPosition, equalCostSlope, matrixAt, metricsOf, predictiveValues, vertexAtValue } from "./decision.js";
import { formatThreshold } from "./numbers.js";
import { word } from "./words.js";

// Colour and dashes of a score, and by what the legend finds its curve.
const ink = ({ colour }) => `var(--c${colour})`;
const inked = (score) => ({ stroke: ink(score), "stroke-dasharray": score.dash || "none", "data-curve": score.place });
const unit = [0, 1];
const tickText = (value) => inDecimal(formatThreshold(value));
const tickTexts = () => ({ xText: tickText, yText: tickText });

class Panel {
  constructor(host, store, options) {
    this.store = store;
    this.chart = new Chart(host, options);
    const keep = (step) => store.step(this.turned() ? -step : step);
    this.chart.handle(options.handle, { onMove: (x, y) => store.move(this.nearest(x, y)), onKey: keep, label: options.title });
  }

  turned() { return false; } // do arrow keys run against the order of the vertices?
  get score() { return this.store.score; }

  update(what) {
    if (what !== "point") this.draw();
    this.movePoint();
    const { at, score } = this.store;
    this.chart.describe(at, score.thresholds.length - 1, this.store.inWords());
  }
}

export class RocPanel extends Panel {
  constructor(host, store) {
    super(host, store, {
      title: word("Operating point on the ROC curve"), handle: "circle", height: 440,
      xLabel: word("false positive rate (1 − specificity)"), yLabel: word("true positive rate (sensitivity)"),
    });
  }

  draw() {
    const { chart, score, store } = this;
    chart.range(unit, unit, tickTexts());
    chart.clear(chart.back, chart.data);
    if (score.band) chart.area(score.band.fpr, score.band.low, score.band.high, { fill: ink(score), class: "band" });
    chart.line(unit, unit, { class: "chance" }, chart.back);
    for (const other of store.seen) {
      if (other !== score) chart.line(other.fpr, other.tpr, { ...inked(other), class: "curve other" }, chart.back);
    }
    const hull = score.hull;
    chart.line(hull.map((i) => score.fpr[i]), hull.map((i) => score.tpr[i]), { stroke: ink(score), class: "hull" });
    chart.line(score.fpr, score.tpr, { ...inked(score), class: "curve" });
    const best = cheapest(score, store.conditions);
    const slope = equalCostSlope(store.conditions);
    const [f, t] = [score.fpr[best], score.tpr[best]];
    const far = Math.min(2, 2 / slope); // long enough to leave the square on both sides
    chart.line([f - far, f + far], [t - far * slope, t + far * slope], { class: "iso" });
    const [x, y] = [chart.px(f), chart.py(t)];
    chart.data.append(svgElement("path", { d: `M${x} ${y - 7}l7 7l-7 7l-7 -7z`, class: "tangent", "data-at": best }));
  }

  movePoint() { this.chart.place(this.score.fpr[this.store.at], this.score.tpr[this.store.at]); }

  nearest(x, y) {
    const { fpr, tpr } = this.score;
    return closest(fpr.length, (i) => (fpr[i] - x) ** 2 + (tpr[i] - y) ** 2);
  }
}

export class PrecisionRecallPanel extends Panel {
  constructor(host, store) {
    super(host, store, {
      title: word("Operating point on the precision-recall curve"), handle: "circle",
      xLabel: word("recall (sensitivity)"), yLabel: word("precision (PPV)"),
    });
  }

  draw() {
    const { chart, score, store } = this;
    const { prevalence } = store.conditions;
    chart.range(unit, unit, tickTexts());
    const precision = (one) => one.tpr.map((tpr, i) => predictiveValues({ tpr, fpr: one.fpr[i] }, prevalence).ppv);
    chart.clear(chart.back, chart.data);
    chart.line(unit, [prevalence, prevalence], { class: "chance" }, chart.back);
    for (const other of store.seen) {
      if (other !== score) chart.line(other.tpr, precision(other), { ...inked(other), class: "curve other" }, chart.back);
    }
    this.precision = precision(score);
    chart.line(score.tpr, this.precision, { ...inked(score), class: "curve" });
  }

  movePoint() {
    const { at } = this.store;
    const shown = this.precision[at] ?? this.precision.find((value) => value !== null);
    this.chart.place(this.score.tpr[at], shown);
  }

  nearest(x, y) {
    const { tpr } = this.score;
    return closest(tpr.length, (i) => (this.precision[i] === null ? Infinity : (tpr[i] - x) ** 2 + (this.precision[i] - y) ** 2));
  }
}

// Panels over the score itself: higher values lie to the right, whichever side means positive.
class ValuePanel extends Panel {
  turned() { return this.score.direction !== "lower"; } // to the right, fewer cases reach the threshold
  nearest(x) { return vertexAtValue(this.score, x); }
  movePoint() { this.chart.place(this.score.places[this.store.at], null); }

  span() {
    const { edges } = this.score.distribution;
    this.chart.xTitle.textContent = this.score.name;
    return [edges[0], edges[edges.length - 1]];
  }
}

export class DistributionPanel extends ValuePanel {
  constructor(host, store) {
    super(host, store, { title: word("Cut-off among the scores"), handle: "rule", xLabel: word("score"), yLabel: word("share of the class") });
  }

  draw() {
    const { chart, score } = this;
    const { edges, pos, neg } = score.distribution;
    const bars = [neg.map((k) => k / score.nNeg), pos.map((k) => k / score.nPos)];
    const tallest = Math.max(...bars.flat(), 1e-9);
    chart.range(this.span(), [0, tallest * 1.05], { ...tickTexts(), logX: score.distribution.log });
    chart.clear(chart.back, chart.data);
    bars.forEach((heights, place) => {
      const xs = [edges[0]];
      const ys = [0];
      heights.forEach((height, i) => { xs.push(edges[i], edges[i + 1]); ys.push(height, height); });
      xs.push(edges[edges.length - 1]);
      ys.push(0);
      chart.area(xs, xs.map(() => 0), ys, { class: `bars class${place}` }, chart.data);
      chart.line(xs, ys, { class: `outline class${place}` });
    });
  }
}

export class MetricsPanel extends ValuePanel {
  constructor(host, store) {
    super(host, store, { title: word("Cut-off among the metrics"), handle: "rule", xLabel: word("score"), yLabel: word("rate") });
  }

  draw() {
    const { chart, score, store } = this;
    const { prevalence } = store.conditions;
    chart.range(this.span(), unit, { ...tickTexts(), logX: score.distribution.log });
    chart.clear(chart.back, chart.data);
    const points = score.thresholds.map((_, at) => metricsOf(matrixAt(score, at)));
    const values = points.map((point) => predictiveValues(point, prevalence));
    const at = score.places.map((value) => chart.within(value));
    const lines = {
      tpr: points.map((p) => p.tpr), tnr: points.map((p) => p.tnr),
      ppv: values.map((v) => v.ppv), npv: values.map((v) => v.npv),
    };
    // A vertex holds for every threshold down to the next score, so rates are stairs.
    const xs = at.flatMap((x, i) => (i + 1 < at.length ? [x, at[i + 1]] : [x]));
    for (const [name, ys] of Object.entries(lines)) {
      const stairs = ys.flatMap((y, i) => (i + 1 < ys.length ? [y, y] : [y]));
      chart.line(xs, stairs, { class: `metric ${name}` });
    }
  }
}

export class CostPanel extends Panel {
  constructor(host, store) {
    super(host, store, {
      title: word("Operating point on the cost curve"), handle: "circle",
      xLabel: word("share of the cost that misses could make"), yLabel: word("normalised expected cost"),
    });
    this.top = 0.5;
  }

  draw() {
    const { chart, score, store } = this;
    chart.range(unit, [0, this.top], tickTexts());
    chart.clear(chart.back, chart.data);
    chart.line([0, 0.5, 1], [0, 0.5, 0], { class: "chance" }, chart.back);
    for (const other of store.seen) {
      const active = other === score;
      const [xs, ys] = envelope(other);
      chart.line(xs, ys, { ...inked(other), class: active ? "curve" : "curve other" }, active ? chart.data : chart.back);
    }
    const here = costPosition(store.conditions);
    chart.line([here, here], [0, 1], { class: "iso" });
    this.own = chart.line([0, 1], [0, 0], { stroke: ink(score), class: "hull" });
  }

  movePoint() {
    const { chart, score, store } = this;
    const [fpr, fnr] = [score.fpr[store.at], 1 - score.tpr[store.at]];
    this.own.setAttribute("points", chart.path([0, 1], [fpr, fnr]));
    const here = costPosition(store.conditions);
    const cost = fnr * here + fpr * (1 - here);
    const top = cost > 0.5 ? 1 : 0.5; // only points worse than a coin need the upper half
    if (top !== this.top) {
      this.top = top;
      this.draw();
      this.own.setAttribute("points", chart.path([0, 1], [fpr, fnr]));
    }
    chart.place(here, cost);
  }

  // Dragging sideways asks for the best operating point there.
  nearest(x) {
    const share = Math.min(Math.max(x, 1e-6), 1 - 1e-6);
    return cheapest(this.score, { prevalence: share, costFp: 1, costFn: 1 });
  }
}

// Vertices of the lower envelope of a score's cost lines: each slope of the hull is one place.
function envelope(score) {
  const xs = [0];
  const ys = [0];
  for (let k = 1; k < score.hull.length; k++) {
    const [a, b] = [score.hull[k - 1], score.hull[k]];
    const [run, rise] = [score.fpr[b] - score.fpr[a], score.tpr[b] - score.tpr[a]];
    const x = run / (run + rise);
    xs.push(x);
    ys.push((1 - score.tpr[b]) * x + score.fpr[b] * (1 - x));
  }
  return [[...xs, 1], [...ys, 0]];
}

function closest(count, distance) {
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const here = distance(i);
    if (here < least) {
      least = here;
      best = i;
    }
  }
  return best;
}
