import { formatCount, formatNumber, formatThreshold, logTicks, niceTicks } from "/static/numbers.js";
import { equal, test } from "/tests/check.js";

test("numbers near one have fixed decimals, others an exponent", () => {
  equal([0.82367886, 41, 0, 1, -0.5].map((value) => formatNumber(value)), ["0.8237", "41.0000", "0.0000", "1.0000", "-0.5000"]);
  equal([2.5e-7, 1e-4, 9.99e-5, 12345678, 1e21].map((value) => formatNumber(value)),
    ["2.5e-07", "0.0001", "1e-04", "1.234568e+07", "1e+21"]);
  equal(formatNumber(0.5, 2), "0.50");
});

test("what is no number is a word", () => {
  equal([null, NaN, Infinity, -Infinity].map((value) => formatNumber(value)), ["undefined", "undefined", "inf", "-inf"]);
});

test("halves go to the even digit, as the library rounds them", () => {
  equal([0.03125, 0.09375, -0.03125, 0.40625].map((value) => formatNumber(value)), ["0.0312", "0.0938", "-0.0312", "0.4062"]);
  equal([1.5, 2.5, 3.5].map((value) => formatNumber(value, 0)), ["2", "2", "4"]);
  equal(formatNumber(0.00015), "0.0001"); // a little below the half in binary
});

test("counts are whole, weights are not", () => {
  equal([3, 0, 2.5].map(formatCount), ["3", "0", "2.5000"]);
});

test("thresholds have six digits and signs of infinity", () => {
  equal([1.05, 0.1234567, 1234567, Infinity, -Infinity].map(formatThreshold), ["1.05", "0.123457", "1234570", "+∞", "−∞"]);
});

test("ticks are round and lie inside", () => {
  equal(niceTicks(0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  equal(niceTicks(0.3, 0.7, 4), [0.3, 0.4, 0.5, 0.6, 0.7]);
  equal(niceTicks(-3, 12), [0, 5, 10]);
  equal(niceTicks(2, 2), [2]);
  equal(niceTicks(0, 2.5e-323), [0]); // too fine for a power of ten
  equal(niceTicks(1e16, 1e16 + 2).length, 5); // where adding 1 changes nothing
});

test("ticks of a logarithmic axis are powers of ten, and their doubles and fives where those are few", () => {
  equal(logTicks(1, 100), [1, 2, 5, 10, 20, 50, 100]);
  equal(logTicks(1e-3, 1e3), [0.001, 0.01, 0.1, 1, 10, 100, 1000]);
});
