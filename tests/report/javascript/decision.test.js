import {
  cheapest, costPosition, equalCostSlope, expectedCost, matrixAt, metricsOf, predictiveValues, vertexAtValue,
} from "/static/decision.js";
import { close, equal, test } from "/tests/check.js";

// Positives 4, 3, 1 and negatives 3, 2, 1, 0: vertices at ∞, 4, 3, 2, 1, 0.
const SCORE = {
  thresholds: [Infinity, 4, 3, 2, 1, 0], tp: [0, 1, 2, 2, 3, 3], fp: [0, 0, 1, 2, 3, 4], nPos: 3, nNeg: 4,
  hull: [0, 1, 2, 4, 5], direction: "higher",
};
const EVEN = { prevalence: 0.5, costFp: 1, costFn: 1 };

test("the matrix at a vertex counts who is called positive", () => {
  equal(matrixAt(SCORE, 2), { tp: 2, fp: 1, fn: 1, tn: 3, threshold: 3 });
  equal(matrixAt(SCORE, 0), { tp: 0, fp: 0, fn: 3, tn: 4, threshold: Infinity });
});

test("metrics follow their definitions", () => {
  const found = metricsOf({ tp: 2, fp: 1, fn: 1, tn: 3 });
  close(found.tpr, 2 / 3);
  close(found.tnr, 3 / 4);
  close(found.fpr, 1 / 4);
  close(found.ppv, 2 / 3);
  close(found.npv, 3 / 4);
  close(found.accuracy, 5 / 7);
  close(found.f1, 4 / 6);
  close(found.youden_j, 5 / 12);
  close(found.lr_plus, 8 / 3);
  close(found.lr_minus, 4 / 9);
});

test("a ratio without a denominator is null, a likelihood ratio may be infinite", () => {
  const none = metricsOf({ tp: 0, fp: 0, fn: 3, tn: 4 });
  equal([none.ppv, none.lr_plus], [null, null]);
  equal(metricsOf({ tp: 2, fp: 0, fn: 1, tn: 4 }).lr_plus, Infinity);
  equal(metricsOf({ tp: 3, fp: 4, fn: 0, tn: 0 }).npv, null);
});

test("predictive values at the share of positives in the data are those of the matrix", () => {
  const found = metricsOf({ tp: 2, fp: 1, fn: 1, tn: 3 });
  const there = predictiveValues(found, 3 / 7);
  close(there.ppv, found.ppv);
  close(there.npv, found.npv);
  close(predictiveValues({ tpr: 0.9, fpr: 0.1 }, 0.01).ppv, 0.009 / 0.108);
  equal(predictiveValues({ tpr: 0, fpr: 0 }, 0.3).ppv, null);
});

test("slope, cost and position of given conditions", () => {
  const rare = { prevalence: 0.1, costFp: 1, costFn: 5 };
  close(equalCostSlope(rare), 0.9 / 0.5);
  close(expectedCost({ tpr: 0.8, fpr: 0.2 }, rare), 0.1 * 5 * 0.2 + 0.9 * 0.2);
  close(costPosition(rare), 0.5 / 1.4);
  close(equalCostSlope(EVEN), 1);
});

test("the cheapest vertex has the lowest cost of all, and of equals the fewest false positives", () => {
  for (const prevalence of [0.02, 0.2, 0.5, 0.8, 0.98]) {
    const conditions = { prevalence, costFp: 1, costFn: 2 };
    const cost = (at) => expectedCost(metricsOf(matrixAt(SCORE, at)), conditions);
    const best = cheapest(SCORE, conditions);
    for (let at = 0; at < SCORE.thresholds.length; at++) equal(cost(best) <= cost(at) + 1e-12, true);
  }
  const tied = { ...SCORE, tp: [0, 1, 2, 3], fp: [0, 1, 2, 3], thresholds: [Infinity, 3, 2, 1], nPos: 3, nNeg: 3,
    hull: [0, 1, 2, 3] };
  equal(cheapest(tied, EVEN), 0);
});

test("the vertex of a value calls the same cases positive", () => {
  for (const [value, wanted] of [[9, 0], [4, 1], [3.5, 1], [3, 2], [1.5, 3], [0, 5], [-7, 5]]) {
    equal(vertexAtValue(SCORE, value), wanted);
  }
  const lower = { ...SCORE, thresholds: [-Infinity, 0, 1, 2, 3, 4], direction: "lower" };
  for (const [value, wanted] of [[-1, 0], [0, 1], [0.5, 1], [2, 3], [99, 5]]) equal(vertexAtValue(lower, value), wanted);
});
