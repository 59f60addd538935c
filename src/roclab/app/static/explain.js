// What each number means, in a sentence, with its formula.

import { h } from "./dom.js";
import { t } from "./text.js";

const MEANINGS = {
  tpr: ["Of the cases that are positive, the share that is classified as positive.", "TP / (TP + FN)"],
  tnr: ["Of the cases that are negative, the share that is classified as negative.", "TN / (TN + FP)"],
  youden_j: ["How much better than a coin: sensitivity and specificity together.", "Se + Sp − 1"],
  accuracy: ["The share of all cases that is classified rightly; it depends on how common the positive class is.", "(TP + TN) / (TP + FP + FN + TN)"],
  ppv: ["Of the cases classified as positive here, the share that is positive.", "TP / (TP + FP)"],
  npv: ["Of the cases classified as negative here, the share that is negative.", "TN / (TN + FN)"],
  ppv_there: ["The same where the positive class is as common as you said.", "Se·π / (Se·π + (1 − Sp)(1 − π))"],
  npv_there: ["The same where the positive class is as common as you said.", "Sp(1 − π) / (Sp(1 − π) + (1 − Se)π)"],
  f1: ["Precision and sensitivity in one number; true negatives do not count.", "2TP / (2TP + FP + FN)"],
  lr_plus: ["How many times more often positives are classified as positive than negatives are.", "Se / (1 − Sp)"],
  lr_minus: ["How many times more often positives are classified as negative than negatives are.", "(1 − Se) / Sp"],
  slope: ["Points on a line of this slope cost the same, given prevalence and costs.", "(1 − π)·C(FP) / (π·C(FN))"],
  cost: ["What a case costs on average at this cut-off.", "π·C(FN)(1 − Se) + (1 − π)·C(FP)(1 − Sp)"],
  cost_best: ["The least that any cut-off of this score can cost.", "min over cut-offs"],
  threshold_best: ["The cut-off with that least cost: where the line of equal cost touches the hull.", "argmin over cut-offs"],
  auc: ["The chance that a positive case has the higher score than a negative one, ties counting half.", "P(X₊ > X₋) + ½P(X₊ = X₋)"],
};

// A name with a question mark that opens its meaning below.
export function explained(key, name) {
  const meaning = MEANINGS[key];
  if (!meaning) return [name];
  const text = h("span.meaning", { hidden: true, id: `meaning-${key}` }, `${t(meaning[0])} `, h("code", {}, meaning[1]));
  const mark = h("button.what", {
    type: "button", "aria-expanded": "false", "aria-controls": `meaning-${key}`, "aria-label": `${t("What is this?")} ${name}`,
    onclick: () => {
      text.hidden = !text.hidden;
      mark.setAttribute("aria-expanded", String(!text.hidden));
    },
  }, "?");
  return [name, " ", mark, text];
}
