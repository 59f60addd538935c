// The numbers at the operating point, each with its interval, and the conditions in words for print.

import { inDecimal, shownNumber } from "./decimal.js";
import { cheapest, equalCostSlope, expectedCost, matrixAt, metricsOf, predictiveValues } from "./decision.js";
import { intervalsOf } from "./intervals.js";
import { formatCount, formatThreshold } from "./numbers.js";

export function readOut(store, root = document) {
  const { score, at, conditions } = store;
  const matrix = matrixAt(score, at);
  const metrics = metricsOf(matrix);
  const there = predictiveValues(metrics, conditions.prevalence);
  const best = cheapest(score, conditions);
  const values = {
    ...matrix, ...metrics,
    ppv_there: there.ppv, npv_there: there.npv,
    slope: equalCostSlope(conditions),
    cost: expectedCost(metrics, conditions),
    cost_best: expectedCost(metricsOf(matrixAt(score, best)), conditions),
    threshold_best: score.thresholds[best],
  };
  const intervals = intervalsOf(matrix, store.deviate, conditions.prevalence);
  for (const node of root.querySelectorAll("[data-value], [data-also]")) {
    const name = node.dataset.value ?? node.dataset.also;
    node.dataset.exact = values[name];
    node.textContent = valueText(name, values[name]);
  }
  for (const node of root.querySelectorAll("[data-interval]")) {
    const ends = intervals[node.dataset.interval] ?? null;
    node.dataset.exact = JSON.stringify(ends, (_, value) => (value === Infinity ? "inf" : value));
    node.textContent = ends === null ? "" : `${shownNumber(ends[0])}–${shownNumber(ends[1])}`;
  }
  for (const node of root.querySelectorAll("[data-share]")) node.textContent = shareText(values[node.dataset.share]);
  for (const node of root.querySelectorAll("[data-shares]")) {
    const ends = intervals[node.dataset.shares] ?? null;
    node.textContent = ends === null ? "" : `${shareText(ends[0]).replace(/\u00a0%$/, "")}–${shareText(ends[1])}`;
  }
  const ofClass = { tp: score.nPos, fn: score.nPos, fp: score.nNeg, tn: score.nNeg };
  for (const node of root.querySelectorAll("[data-part]")) node.textContent = shareText(matrix[node.dataset.part] / ofClass[node.dataset.part]);
  for (const node of root.querySelectorAll("[data-condition]")) {
    node.textContent = inDecimal(String(Number(conditions[node.dataset.condition].toPrecision(6))));
  }
  const sign = score.direction === "lower" ? "≤" : "≥";
  for (const node of root.querySelectorAll("[data-sign]")) node.textContent = sign;
  for (const node of root.querySelectorAll("[data-score]")) node.textContent = score.name;
}

// Per cent as it is said; a share below one has a digit more, so that it is not shown as none or all.
function shareText(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const digits = (value > 0 && value < 0.01) || (value > 0.99 && value < 1) ? 1 : 0;
  return `${inDecimal((100 * value).toFixed(digits))}\u00a0%`;
}

function valueText(name, value) {
  if (name.startsWith("threshold")) return inDecimal(formatThreshold(value));
  return ["tp", "fp", "fn", "tn"].includes(name) ? inDecimal(formatCount(value)) : shownNumber(value);
}
