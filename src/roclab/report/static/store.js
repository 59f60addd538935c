// One operating point, one score, one set of conditions: whoever draws is told when they change.

import { inDecimal, shownNumber } from "./decimal.js";
import { matrixAt, metricsOf } from "./decision.js";
import { formatThreshold } from "./numbers.js";
import { word } from "./words.js";

export class Store {
  constructor({ scores, conditions, active, deviate = null, percent = "" }) {
    this.scores = scores.map(prepared);
    this.conditions = { ...conditions };
    this.score = this.scores[active];
    this.at = this.score.start;
    this.deviate = deviate; // of the confidence level; null where cases cannot be counted
    this.percent = percent;
    this.hidden = new Set(); // names of scores whose curves are not shown
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
    this.hidden.delete(name);
    this.at = this.score.start;
    this.changed("score");
  }

  // Hide a curve or show it again. One always stays, and the operating point lies on one that is seen.
  toggle(name) {
    if (this.hidden.delete(name)) {
      this.changed("score");
      return;
    }
    const others = this.scores.filter((one) => one.name !== name && !this.hidden.has(one.name));
    if (others.length === 0) return;
    this.hidden.add(name);
    if (this.score.name === name) this.choose(others[0].name);
    else this.changed("score");
  }

  get seen() { return this.scores.filter((one) => !this.hidden.has(one.name)); }

  assume(changes) {
    Object.assign(this.conditions, changes);
    this.changed("conditions");
  }

  inWords() {
    const { tpr, tnr } = metricsOf(matrixAt(this.score, this.at));
    const sign = word(this.score.direction === "lower" ? "at most" : "at least");
    const threshold = inDecimal(formatThreshold(this.score.thresholds[this.at]));
    const rates = `${word("sensitivity")} ${shownNumber(tpr)}, ${word("specificity")} ${shownNumber(tnr)}`;
    return `${this.score.name} ${sign} ${threshold}: ${rates}`;
  }
}

function prepared(score, place) {
  const infinite = { inf: Infinity, "-inf": -Infinity };
  const thresholds = score.thresholds.map((value) => (value === null ? NaN : infinite[value] ?? value));
  const beyond = score.direction === "lower" ? -Infinity : Infinity; // where a threshold that no score reaches is drawn
  return {
    ...score,
    place,
    thresholds,
    places: thresholds.map((value) => (Number.isNaN(value) ? beyond : value)),
    tpr: score.tp.map((tp) => tp / score.nPos),
    fpr: score.fp.map((fp) => fp / score.nNeg),
  };
}
