// Values of options in words: estimators of areas, kinds of intervals, tests, errors, programs. What is not here is said as it is, without underscores.

import { t } from "./text.js";

const ESTIMATORS = {
  empirical: "empirical", optimistic: "empirical, ties in favour", pessimistic: "empirical, ties against", gini: "Gini", hull: "convex hull",
  tauc: "tAUC", tauc_unbiased: "tAUC, unbiased", tauc_indicator: "tAUC, indicator", tauc_half_ties: "tAUC, ties count half", tauc2: "tAUC²", t2auc: "t²AUC", t2auc_as_published: "t²AUC, as published",
  pr_integral: "precision–recall", pr_davis_goadrich: "precision–recall, Davis and Goadrich", pr_trapezoid: "precision–recall, trapezoids", average_precision: "average precision", bedroc: "BEDROC",
  normal: "normal", box_cox: "Box–Cox", binormal: "binormal", log_concave: "log-concave", log_concave_smoothed: "log-concave, smoothed", exponential: "exponential", pareto: "Pareto",
  kernel_k1: "kernel K1", kernel_k2: "kernel K2", kernel_k2opt: "kernel K2opt", kernel_k1_box_cox: "kernel K1 after Box–Cox", kernel_k2_box_cox: "kernel K2 after Box–Cox", kernel_k2opt_box_cox: "kernel K2opt after Box–Cox",
  fitted_normal: "fitted normal", fitted_lognormal: "fitted lognormal", fitted_gamma: "fitted gamma", fitted_exponential: "fitted exponential", fitted_weibull: "fitted Weibull", fitted_logistic: "fitted logistic", fitted_t: "fitted t", fitted_cauchy: "fitted Cauchy", fitted_beta: "fitted beta",
};
const CHOICES = {
  auto: "automatic", score: "score test", delong: "DeLong", hanley_mcneil: "Hanley and McNeil", bamber: "Bamber", empirical_q: "empirical Q", bootstrap: "bootstrap", clustered: "by subject", clustered_bootstrap: "bootstrap of subjects",
  clipped: "cut at 0 and 1", exact: "exact", binomial: "binomial", logit: "logit", percentile: "percentile", bca: "BCa", wald: "Wald", normal: "normal", t: "Welch's t", t_proc: "t as in pROC", tie_corrected: "corrected for ties", gaidyshev: "Gaidyshev",
  holm: "Holm", bonferroni: "Bonferroni", fdr: "false discovery rate", width: "by the width", jiang: "Jiang", mcclish: "McClish", pearson: "Pearson", kendall: "Kendall", table50: "table of 50 + 50", actual: "actual numbers",
  tango: "Tango", newcombe: "Newcombe", bonett_price: "Bonett and Price", agresti_min: "Agresti and Min", midp: "mid-p", corrected: "corrected", eliasziw_donner: "Eliasziw and Donner", obuchowski: "Obuchowski", durkalski: "Durkalski", yang: "Yang",
  upper: "upper bound", lower: "lower bound", observed: "scores of cases", midpoints: "midpoints", spss: "as in SPSS", max: "largest", min: "smallest",
};

const plain = (name) => String(name).replaceAll("_", " ");
export const estimatorWords = (name) => t(ESTIMATORS[name] ?? plain(name));
export const choiceWords = (name) => t(CHOICES[name] ?? plain(name));
