"""Names that may be chosen on the command line.

The library knows them too, but asking it would import NumPy for ``--help``; a test compares both lists.
"""

from __future__ import annotations

AREA_METHODS = (
    "empirical",
    "optimistic",
    "pessimistic",
    "gini",
    "hull",
    "tauc",
    "t2auc",
    "t2auc_as_published",
    "tauc_indicator",
    "tauc_half_ties",
    "average_precision",
    "pr_integral",
    "pr_davis_goadrich",
    "pr_trapezoid",
)
SMOOTH = (
    "normal",
    "box_cox",
    "kernel_k1",
    "kernel_k2",
    "kernel_k2opt",
    "kernel_k1_box_cox",
    "kernel_k2_box_cox",
    "kernel_k2opt_box_cox",
    "binormal",
    "log_concave",
    "exponential",
    "pareto",
    "fitted_normal",
    "fitted_lognormal",
    "fitted_gamma",
    "fitted_exponential",
    "fitted_weibull",
    "fitted_logistic",
    "fitted_t",
)
STANDARDS = ("none", "width", "jiang", "mcclish")
INTERVALS = ("logit", "plain", "clipped", "exact", "percentile", "bca")
STANDARD_ERRORS = ("delong", "hanley_mcneil", "empirical_q", "bamber", "bootstrap")
SIDES = ("two-sided", "lower", "upper")
ALTERNATIVES = ("two-sided", "greater", "less")
AREA_TESTS = ("wald", "logit", "null", "tie_corrected", "gaidyshev", "hanley_mcneil")
PROPORTIONS = ("exact", "wilson", "agresti_coull", "jeffreys", "wald")
SCHEMES = ("stratified", "plain")
WALKS = ("expected", "optimistic", "pessimistic")
BANDS = ("pointwise", "simultaneous", "kolmogorov", "thresholds")
ADJUSTMENTS = ("holm", "bonferroni", "fdr", "none")
PAIRINGS = ("paired", "unpaired", "mixed")
VARIANCES = ("obuchowski", "hanley_mcneil", "binormal")
CLASS_AVERAGES = ("macro", "weighted", "micro", "hand_till", "pairs_weighted")
THRESHOLD_RULES = ("observed", "midpoints", "spss")
CRITERIA = (
    "youden",
    "closest_to_corner",
    "cost",
    "minimax",
    "f_beta",
    "se_equals_sp",
    "max_min_se_sp",
    "product",
    "ppv_equals_npv",
    "max_min_ppv_npv",
    "product_ppv_npv",
    "closest_to_predictive_corner",
    "min_p",
    "neyman_pearson",
    "prevalence_matching",
    "target",
)
SECTIONS = ("data", "areas", "comparison", "curves", "cutoffs", "distributions", "folds", "methods")
# Criteria that need no conditions: what a figure can mark by name alone.
PLAIN_CRITERIA = tuple(name for name in CRITERIA if name not in ("f_beta", "neyman_pearson", "target"))
FIGURES = (
    "roc",
    "troc",
    "pr",
    "det",
    "cost",
    "gain",
    "lift",
    "hull",
    "iso",
    "smooth",
    "average",
    "distribution",
    "metrics",
    "calibration",
    "decision",
    "forest",
    "comparison",
    "differences",
    "multiclass",
)
DISTRIBUTIONS = ("histogram", "density", "dots")
ISO_METRICS = ("accuracy", "precision", "f_measure", "cost", "youden", "lr_plus", "lr_minus", "neyman_pearson")
FIGURE_SIZES = ("single", "double")
