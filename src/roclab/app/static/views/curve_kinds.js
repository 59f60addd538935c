// Kinds of curves: their names, axes, and what chance and perfection look like.

export const KINDS = [
  ["roc", "ROC"], ["pr", "Precision-recall"], ["cost", "Cost"], ["gain", "Gain"], ["troc", "tROC"], ["det", "DET"], ["lift", "Lift"],
  ["calibration", "Calibration"], ["net_benefit", "Decision curve"],
];
export const FIRST = ["roc", "pr", "cost", "gain"]; // the others are unfolded
export const AXES = {
  roc: ["1 − specificity (false positive rate)", "Sensitivity (true positive rate)"], troc: ["1 − specificity (false positive rate)", "TPR · (1 − FPR)"],
  pr: ["recall (sensitivity)", "precision (PPV)"], det: ["1 − specificity (false positive rate)", "false negative rate"],
  cost: ["share of the cost that misses could make", "normalised expected cost"], lift: ["share of cases classified as positive", "lift"],
  gain: ["share of cases classified as positive", "share of positives found"], calibration: ["predicted probability", "observed share"],
  net_benefit: ["threshold probability", "net benefit"],
};
const STEPS = Array.from({ length: 101 }, (_, at) => at / 100);
export const PERFECT = { troc: [[0, 0, 1], [0, 1, 0]] };
export const CHANCE = {
  troc: [STEPS, STEPS.map((fpr) => fpr * (1 - fpr))], roc: [[0, 1], [0, 1]], gain: [[0, 1], [0, 1]], calibration: [[0, 1], [0, 1]], cost: [[0, 0.5, 1], [0, 0.5, 0]], lift: [[0, 1], [1, 1]],
};
export const BANDS = [["none", "none"], ["pointwise", "pointwise"], ["simultaneous", "simultaneous"], ["kolmogorov", "Kolmogorov"]];
export const DRAWN = ["simultaneous", "pointwise"]; // bands of resampled curves, by default or where that is asked for
