// Names of the library in words: criteria, models, samplings. What is not here is said as it is, without underscores.

import { t } from "./text.js";

const CRITERIA = {
  youden: ["Youden's index", "largest sensitivity + specificity"], closest_to_corner: ["Nearest corner", "closest to a perfect test"], cost: ["Lowest cost", "at this prevalence and these costs"],
  se_equals_sp: ["Sensitivity = specificity", "both errors equally frequent"], minimax: ["Minimax", "the greater of both costs is least"], f_beta: ["F-measure", "precision and sensitivity together"],
  max_min_se_sp: ["Best of the worse", "the smaller of sensitivity and specificity is largest"], product: ["Largest product", "sensitivity × specificity"], ppv_equals_npv: ["PPV = NPV", "both predictive values equal"],
  max_min_ppv_npv: ["Best of the worse predictive value", ""], product_ppv_npv: ["Largest product of predictive values", "PPV × NPV"], closest_to_predictive_corner: ["Nearest perfect predictive values", ""], min_p: ["Smallest p-value", "of the χ² test"],
  neyman_pearson: ["Neyman–Pearson", "most sensitive within a false positive rate"], prevalence_matching: ["Prevalence matching", "as many positives as there are"], break_even: ["Break-even", "precision = sensitivity"], weighted_kappa: ["Weighted kappa", "agreement beyond chance"],
  weighted_corner: ["Weighted corner", ""], observed_prevalence: ["Observed prevalence", "the share of positives as the cut-off"], mean_score: ["Mean score", ""], f_alpha: ["F-alpha", ""], bayes: ["Bayes' threshold", "of a probability"], target: ["Target", ""],
};
const MODELS = {
  logistic: "Logistic regression", nearest_mean: "Nearest mean", ldc: "Linear discriminant analysis", fisher: "Fisher's discriminant", qdc: "Quadratic discriminant analysis", parzen: "Parzen windows", rbf: "Radial basis functions", naive_bayes: "Naive Bayes",
  knn: "k nearest neighbours", tree: "Classification tree", mlp: "Neural network", random_forest: "Random forest", gradient_boosting: "Gradient boosting", svm: "Support vector machine", majority: "Majority class",
};
const METRICS = {
  sensitivity: "sensitivity", specificity: "specificity", ppv: "PPV", npv: "NPV", accuracy: "accuracy", lr_plus: "LR+", lr_minus: "LR−", net_benefit: "net benefit", tpr: "sensitivity", tnr: "specificity", fpr: "false positive rate", fnr: "false negative rate",
  fdr: "false discovery rate", for: "false omission rate", error_rate: "error rate", majority_rate: "majority rate", balanced_accuracy: "balanced accuracy", f1: "F1", jaccard: "Jaccard", youden_j: "Youden's J", markedness: "markedness", mcc: "Matthews correlation", kappa: "Cohen's kappa",
  dor: "diagnostic odds ratio", lift: "lift", mutual_information: "mutual information", chi_squared: "chi-squared", skew: "negatives per positive", detection_rate: "classified as positive", rejection_rate: "classified as negative",
};
const GAPS = {
  equal_opportunity: ["Equal opportunity", "sensitivity"], predictive_equality: ["Predictive equality", "false positive rate"], equalized_odds: ["Equalized odds", "the larger of both"], demographic_parity: ["Demographic parity", "classified as positive"], predictive_parity: ["Predictive parity", "PPV"],
};
const SAMPLINGS = { k_fold: "Cross-validation", splits: "Repeated random splits", leave_one_out: "Leave one out", bootstrap: "Bootstrap", train: "On the training cases" };

const plain = (name) => String(name).replaceAll("_", " ");
export const criterionWords = (name) => (CRITERIA[name] ?? [plain(name), ""]).map((one) => (one ? t(one) : ""));
export const modelWords = (name) => t(MODELS[name] ?? plain(name));
export const samplingWords = (name) => t(SAMPLINGS[name] ?? plain(name));
export const metricWords = (name) => t(METRICS[name] ?? plain(name));
export const gapWords = (name) => (GAPS[name] ?? [plain(name), ""]).map((one) => (one ? t(one) : ""));
export const NAMED_CRITERIA = CRITERIA;
