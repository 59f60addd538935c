// The FROC curve of a detector with a point that is dragged, and what a threshold means in one scan.

import { Chart } from "./chart.js";
import { word } from "./words.js";

const LOWEST = 0.05; // false positives per scan at the left end of the axis
const CURVE_TICKS = [0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];

// The place on a curve of falling thresholds: the last point whose threshold is still reached, or -1 above all of them.
export function placeOf(thresholds, threshold) {
  let low = 0;
  let high = thresholds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (thresholds[middle] >= threshold) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// What a threshold means in the scan: several marks in one nodule find it once; of regions each is a case.
export function countAt(marks, threshold, nodules) {
  const shown = marks.filter((one) => one.probability >= threshold);
  const found = new Set(shown.filter((one) => one.hit > 0).map((one) => one.hit)).size;
  const wrong = shown.filter((one) => one.hit === 0).length;
  const others = marks.filter((one) => one.hit === 0).length;
  return {
    marks: shown.length, found, lost: nodules - found, wrong,
    square: { tp: shown.length - wrong, fp: wrong, fn: marks.length - others - (shown.length - wrong), tn: others - wrong },
  };
}

export class FrocPanel {
  constructor(host, curve, onMove) {
    this.curve = curve;
    this.chart = new Chart(host, { title: word("FROC curve"), xLabel: word("false positives per scan"), yLabel: word("sensitivity") });
    const last = Math.max(curve.rate[curve.rate.length - 1], 1);
    const ticks = CURVE_TICKS.filter((one) => one <= last);
    this.chart.range([LOWEST, last], [0, 1], { logX: true, xTicks: ticks.map((one) => [one, String(one)]) });
    const inside = curve.rate.map((one) => Math.max(one, LOWEST));
    const [xs, ys] = [[], []];
    inside.forEach((x, at) => {
      if (at > 0) { xs.push(x); ys.push(curve.sensitivity[at - 1]); }
      xs.push(x);
      ys.push(curve.sensitivity[at]);
    });
    this.chart.line(xs, ys, { class: "curve" });
    this.chart.handle("circle", {
      label: word("Operating point"),
      onMove: (x, y) => onMove(this.nearest(x, y)),
      onKey: (step) => onMove(Math.min(Math.max(this.at + step, 0), curve.rate.length - 1)),
    });
    this.at = 0;
  }

  // The vertex nearest to the pointer on the screen.
  nearest(x, y) {
    const [px, py] = [this.chart.px(this.chart.within(x)), this.chart.py(y)];
    let best = 0;
    let least = Infinity;
    this.curve.rate.forEach((rate, at) => {
      const apart = (this.chart.px(Math.max(rate, LOWEST)) - px) ** 2 + (this.chart.py(this.curve.sensitivity[at]) - py) ** 2;
      if (apart < least) { least = apart; best = at; }
    });
    return best;
  }

  show(at, text) {
    this.at = Math.max(at, 0);
    const [rate, found] = at < 0 ? [LOWEST, 0] : [this.curve.rate[at], this.curve.sensitivity[at]];
    this.chart.place(Math.max(rate, LOWEST), found);
    this.chart.describe(this.at, this.curve.rate.length - 1, text);
  }
}
