// Numbers as people write them: two digits in sentences and tables, all of them on demand.

import { inDecimal } from "/report/decimal.js";
import { formatCount, formatNumber } from "/report/numbers.js";

const KEY = "roclab digits";
let all = false;

export const allDigits = () => all;

export function showAllDigits(on) {
  all = on;
  try {
    window.localStorage.setItem(KEY, on ? "all" : "few");
  } catch { /* a browser that keeps nothing shows few */ }
}

export function loadDigits() {
  try {
    all = window.localStorage.getItem(KEY) === "all";
  } catch { /* see above */ }
}

const minus = (text) => text.replace(/^-/, "−");
const there = (value) => typeof value === "number" && !Number.isNaN(value);
const infinite = (value) => ({ inf: "∞", "-inf": "−∞" })[value] ?? (value === Infinity ? "∞" : value === -Infinity ? "−∞" : null);

// With so many decimals; small values keep two digits that say something.
export function short(value, decimals = 2) {
  const beyond = infinite(value);
  if (beyond) return beyond;
  if (!there(value)) return "–";
  if (all) return minus(inDecimal(formatNumber(value, 6)));
  const size = Math.abs(value);
  if (size >= 1e7) return minus(inDecimal(formatNumber(value)));
  if (size >= 100) return minus(inDecimal(String(Number(value.toPrecision(4)))));
  if (value !== 0 && size < 0.5 * 10 ** -decimals) return minus(inDecimal(String(Number(value.toPrecision(1)))));
  return minus(inDecimal(value.toFixed(decimals)));
}

// Digits for a value between its ends: one more where two would hide the side of a limit, such as 0.
export function decimalsOf(value, low, high) {
  const ends = [value, low, high].filter(there);
  return ends.some((one) => one !== 0 && Math.abs(one) < 0.095) && Math.max(...ends.map(Math.abs)) < 1 ? 3 : 2;
}

export function range(low, high, decimals = 2) {
  const [one, two] = [short(low, decimals), short(high, decimals)];
  return low < 0 || high < 0 ? `${one} – ${two}` : `${one}\u2060–\u2060${two}`;
}

export function withRange(value, low, high) {
  const decimals = decimalsOf(value, low, high) === 3 && low !== undefined && (low <= 0 || Math.abs(value) < 0.095) ? 3 : 2;
  return there(low) || infinite(low) ? `${short(value, decimals)} (${range(low, high, decimals)})` : short(value, decimals);
}

export const share = (value, decimals = 0) => (there(value) ? `${inDecimal((100 * value).toFixed(all ? Math.max(decimals, 2) : decimals))}\u00a0%` : "–");
export const shares = (low, high) => `${share(low).replace("\u00a0%", "")}\u2060–\u2060${share(high)}`;

// Of a p-value: "< 0.001", and four digits near one half of a tenth.
export function pValue(p) {
  if (!there(p)) return "–";
  if (all) return inDecimal(formatNumber(p, 6));
  if (p < 0.001) return `< ${inDecimal("0.001")}`;
  return inDecimal(p.toFixed(p > 0.045 && p < 0.055 ? 4 : p < 0.01 ? 3 : 2));
}

export const pWords = (p) => `p\u00a0${pValue(p).startsWith("<") ? pValue(p) : `= ${pValue(p)}`}`;

// A threshold or a value of a score: three digits that say something.
export function measured(value) {
  const beyond = infinite(value);
  if (beyond) return beyond;
  if (!there(value)) return "–";
  return minus(inDecimal(String(Number(value.toPrecision(all ? 12 : 4)))));
}

export const counted = (value) => inDecimal(formatCount(value));
