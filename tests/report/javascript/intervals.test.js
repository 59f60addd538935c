import { differenceInterval, f1Interval, intervalsOf, ratioInterval, wilson } from "/static/intervals.js";
import { close, equal, test } from "/tests/check.js";

const Z = 1.959963984540054; // of 95%

test("Wilson's interval has the ends of the textbooks, and exact ones at none and all", () => {
  const [low, high] = wilson(26, 40, Z);
  close(low, 0.4951, 5e-5);
  close(high, 0.7787, 5e-5);
  equal(wilson(0, 10, Z)[0], 0);
  close(wilson(0, 10, Z)[1], 0.2775, 5e-5);
  equal(wilson(10, 10, Z)[1], 1);
  equal(wilson(0, 0, Z), null);
});

test("a ratio of proportions is open where a count is zero", () => {
  const [low, high] = ratioInterval(26, 41, 14, 72, Z);
  close(low, 1.958027, 5e-7);
  close(high, 5.543027, 5e-7);
  close(ratioInterval(20, 20, 0, 20, Z)[0], 6.206355, 5e-7);
  close(ratioInterval(1, 1, 1, 1, Z)[0] * ratioInterval(1, 1, 1, 1, Z)[1], 1, 1e-12);
  equal(ratioInterval(0, 5, 3, 9, Z)[0], 0);
  equal(ratioInterval(4, 5, 0, 9, Z)[1], Infinity);
  equal(ratioInterval(0, 5, 0, 9, Z), null);
});

test("a difference has the ends that Newcombe printed, F1 those of Jaccard's share", () => {
  const [low, high] = differenceInterval(56, 70, 48, 80, Z);
  close(low, 0.0524, 5e-5);
  close(high, 0.3339, 5e-5);
  equal(differenceInterval(1, 2, 0, 0, Z), null);
  const share = wilson(45, 80, Z);
  close(f1Interval(45, 30, 5, Z)[0], (2 * share[0]) / (1 + share[0]));
  equal(f1Interval(0, 0, 0, Z), null);
});

test("predictive values at a prevalence lie on the side their likelihood ratio says", () => {
  const matrix = { tp: 26, fp: 14, fn: 15, tn: 58 };
  const found = intervalsOf(matrix, Z, 0.1);
  const share = (ratio) => (ratio * 0.1) / (ratio * 0.1 + 0.9);
  close(found.ppv_there[0], share(found.lr_plus[0]));
  close(found.ppv_there[1], share(found.lr_plus[1]));
  close(found.npv_there[0], 1 - share(found.lr_minus[1]));
  equal(intervalsOf({ tp: 4, fp: 0, fn: 1, tn: 9 }, Z, 0.1).ppv_there[1], 1);
});

test("without a deviate there are no intervals", () => {
  equal(intervalsOf({ tp: 2, fp: 1, fn: 1, tn: 3 }, null, 0.5), {});
});
