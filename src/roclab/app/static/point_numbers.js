// Every number at the operating point, with its interval: those of the report, for the page.

import { cheapest, equalCostSlope, expectedCost, matrixAt, metricsOf, predictiveValues } from "/report/decision.js";
import { intervalsOf } from "/report/intervals.js";

export function numbersAt(store) {
  const { score, at, conditions } = store;
  const matrix = matrixAt(score, at);
  const metrics = metricsOf(matrix);
  const there = predictiveValues(metrics, conditions.prevalence);
  const best = cheapest(score, conditions);
  const intervals = store.deviate === null ? {} : intervalsOf(matrix, store.deviate, conditions.prevalence);
  return {
    intervals,
    values: {
      ...matrix, ...metrics, ppv_there: there.ppv, npv_there: there.npv, slope: equalCostSlope(conditions), cost: expectedCost(metrics, conditions),
      cost_best: expectedCost(metricsOf(matrixAt(score, best)), conditions), threshold_best: score.thresholds[best],
    },
  };
}

export const signOf = (score) => (score.direction === "lower" ? "≤" : "≥");
