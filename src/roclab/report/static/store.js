// One operating point, one score, one set of conditions: whoever draws is told when they change.

import { matrixAt, metricsOf } from "./decision.js";
import { formatNumber, formatThreshold } from "./numbers.js";

export class Store {
  constructor({ scores, conditions, active }) {
    this.scores = scores.map(prepared);
    this.conditions = { ...conditions };
    this.score = this.scores[active];
    this.at = this.score.start;
    this.listeners = [];
    this.pending = null;
  }

  // Listeners hear "score", "conditions" or "point", at most once per frame.
  listen(listener) { this.listeners.push(listener); }

  changed(what) {
    const order = ["point", "conditions", "score"];
    if (this.pending === null) requestAnimationFrame(() => this.flush());
    if (order.indexOf(what) > order.indexOf(this.pending)) this.pending = what;
  }

  flush() {
    const what = this.pending;
    this.pending = null;
    for (const listener of this.listeners) listener(what);
  }

  move(at) {
    const last = this.score.thresholds.length - 1;
    const next = Math.min(Math.max(at, 0), last);
    if (next === this.at) return;
    this.at = next;
    this.changed("point");
  }

  step(count) { this.move(this.at + count); }

  choose(name) {
    this.score = this.scores.find((one) => one.name === name);
    this.at = this.score.start;
    this.changed("score");
  }

  assume(changes) {
    Object.assign(this.conditions, changes);
    this.changed("conditions");
  }

  inWords() {
    const { tpr, tnr } = metricsOf(matrixAt(this.score, this.at));
    const sign = this.score.direction === "lower" ? "at most" : "at least";
    const threshold = formatThreshold(this.score.thresholds[this.at]);
    return `${this.score.name} ${sign} ${threshold}: sensitivity ${formatNumber(tpr)}, specificity ${formatNumber(tnr)}`;
  }
}

function prepared(score, place) {
  const infinite = { inf: Infinity, "-inf": -Infinity };
  return {
    ...score,
    place,
    thresholds: score.thresholds.map((value) => infinite[value] ?? value),
    tpr: score.tp.map((tp) => tp / score.nPos),
    fpr: score.fp.map((fp) => fp / score.nNeg),
  };
}
