// Every cut-off of a score with its counts, rates and intervals: as rows to sort, and as text for spreadsheets.

import { matrixAt, metricsOf, predictiveValues } from "./decision.js";
import { intervalsOf } from "./intervals.js";

export const COLUMNS = [
  ["threshold", "cut-off"], ["tp", "TP"], ["fp", "FP"], ["fn", "FN"], ["tn", "TN"], ["tpr", "sensitivity"],
  ["tnr", "specificity"], ["ppv", "PPV in these data"], ["npv", "NPV in these data"], ["ppv_there", "PPV at the prevalence"],
  ["npv_there", "NPV at the prevalence"], ["accuracy", "accuracy"], ["lr_plus", "LR+"], ["lr_minus", "LR−"],
  ["youden_j", "Youden's J"], ["f1", "F1"],
];
const WITH_INTERVAL = [
  "tpr", "tnr", "ppv", "npv", "ppv_there", "npv_there", "accuracy", "lr_plus", "lr_minus", "youden_j", "f1",
];

export function cutoffRows(score, { prevalence }, z) {
  return score.thresholds.map((_, at) => {
    const matrix = matrixAt(score, at);
    const metrics = metricsOf(matrix);
    const there = predictiveValues(metrics, prevalence);
    return {
      at,
      values: { ...matrix, ...metrics, ppv_there: there.ppv, npv_there: there.npv },
      intervals: intervalsOf(matrix, z, prevalence),
    };
  });
}

// By one column; undefined values stand last both ways, and equals keep the order of the curve.
export function sortedRows(rows, key, descending) {
  const turn = descending ? -1 : 1;
  const known = (row) => row.values[key] !== null && !Number.isNaN(row.values[key]);
  return [...rows].sort((a, b) => {
    if (!known(a) || !known(b)) return known(b) - known(a) || a.at - b.at;
    const [one, two] = [a.values[key], b.values[key]];
    return one === two ? a.at - b.at : turn * (one < two ? -1 : 1);
  });
}

// All digits, one column for each end of an interval; undefined is empty.
export function cutoffCells(rows, percent, intervals) {
  const heads = COLUMNS.flatMap(([key, name]) => (
    intervals && WITH_INTERVAL.includes(key) ? [name, `${name} ${percent} low`, `${name} ${percent} high`] : [name]
  ));
  const plain = (value) => (value === null || value === undefined || Number.isNaN(value) ? "" : infinite(value));
  const body = rows.map(({ values, intervals: ends }) => COLUMNS.flatMap(([key]) => (
    intervals && WITH_INTERVAL.includes(key) ? [values[key], ...(ends[key] ?? [null, null])] : [values[key]]
  )).map(plain));
  return [heads, ...body];
}

function infinite(value) {
  if (value === Infinity) return "inf";
  return value === -Infinity ? "-inf" : String(value);
}

export function csvText(cells) {
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return cells.map((line) => line.map((text) => quoted(inert(text))).join(",")).join("\n") + "\n";
}

// For the clipboard, in the reader's decimal sign: spreadsheets read what is pasted by their own locale.
export function tsvText(cells, sign) {
  const [heads, ...body] = cells.map((line) => line.map(inert));
  const turned = (text) => (sign === "," ? text.replace(".", ",") : text);
  return [heads, ...body.map((line) => line.map(turned))].map((line) => line.join("\t")).join("\n") + "\n";
}

// A cell that a spreadsheet does not run: text that begins as a formula gets an apostrophe; numbers are none.
export function inert(text) {
  const formula = /^[=+\-@\t\r\n]./s.test(text) && Number.isNaN(Number(text)) && !/^[+-](inf|∞)$/i.test(text);
  return formula ? `'${text}` : text;
}
