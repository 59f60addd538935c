"""Names that users choose from: one table for the library, the command line, completion and forms.

Plain words only. Nothing here imports NumPy, so that ``--help`` and a form cost nothing; the rooms that do the work
read their names from here, and a test holds each table against what its room really knows.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

# -- data ------------------------------------------------------------------------------------------

Direction: TypeAlias = Literal["higher", "lower"]
AskedSide: TypeAlias = Literal["higher", "lower", "auto"]
Weighting: TypeAlias = Literal["none", "frequency", "importance"]
WeightMeaning: TypeAlias = Literal["frequency", "importance"]
Missing: TypeAlias = Literal["error", "drop"]
# Where rows are counted: "auto" by their number, "memory", "duckdb" (embedded), "native" (the engine they are on).
Engine: TypeAlias = Literal["auto", "memory", "duckdb", "native"]

DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
ASKED_SIDES: tuple[AskedSide, ...] = get_args(AskedSide)
WEIGHT_MEANINGS: tuple[WeightMeaning, ...] = get_args(WeightMeaning)
MISSING: tuple[Missing, ...] = get_args(Missing)
ENGINES: tuple[Engine, ...] = get_args(Engine)

# -- areas -----------------------------------------------------------------------------------------

EmpiricalArea: TypeAlias = Literal[
    "empirical",
    "optimistic",
    "pessimistic",
    "gini",
    "hull",
    "tauc",
    "tauc_unbiased",
    "tauc2",
    "t2auc",
    "t2auc_as_published",
    "tauc_indicator",
    "tauc_half_ties",
    "average_precision",
    "pr_integral",
    "pr_davis_goadrich",
    "pr_trapezoid",
    "bedroc",
]
SmoothModel: TypeAlias = Literal[
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
    "log_concave_smoothed",
    "exponential",
    "pareto",
    "fitted_normal",
    "fitted_lognormal",
    "fitted_gamma",
    "fitted_exponential",
    "fitted_weibull",
    "fitted_logistic",
    "fitted_t",
    "fitted_cauchy",
    "fitted_beta",
]
Estimator: TypeAlias = EmpiricalArea | SmoothModel
Standard: TypeAlias = Literal["none", "width", "jiang", "mcclish"]

# The letters of the literature on estimators of the AUC (Faraggi and Reiser 2002), understood wherever one is named.
ESTIMATOR_LETTERS: dict[str, Estimator] = {
    "MW": "empirical",
    "N": "normal",
    "NT": "box_cox",
    "K1": "kernel_k1",
    "K1T": "kernel_k1_box_cox",
    "K2": "kernel_k2",
    "K2T": "kernel_k2_box_cox",
    "RC": "binormal",
}

EMPIRICAL_AREAS: tuple[EmpiricalArea, ...] = get_args(EmpiricalArea)
SMOOTH_MODELS: tuple[SmoothModel, ...] = get_args(SmoothModel)
ESTIMATORS: tuple[Estimator, ...] = (*EMPIRICAL_AREAS, *SMOOTH_MODELS)
STANDARDS: tuple[Standard, ...] = get_args(Standard)

# -- uncertainty -----------------------------------------------------------------------------------

TallyVariance: TypeAlias = Literal["delong", "hanley_mcneil", "empirical_q", "bamber", "bootstrap"]
ClusteredVariance: TypeAlias = Literal["clustered", "clustered_bootstrap"]
Variance: TypeAlias = TallyVariance | ClusteredVariance
PairedVariance: TypeAlias = Literal["delong", "bootstrap", "clustered", "clustered_bootstrap", "hanley_mcneil"]
Scale: TypeAlias = Literal["logit", "plain", "clipped", "exact", "binomial"]
BootstrapInterval: TypeAlias = Literal["percentile", "bca"]
AreaInterval: TypeAlias = Literal["auto", "score"] | Scale | BootstrapInterval
Side: TypeAlias = Literal["two-sided", "lower", "upper"]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
AreaTest: TypeAlias = Literal["score", "wald", "logit", "null", "tie_corrected", "gaidyshev", "hanley_mcneil"]
ProportionInterval: TypeAlias = Literal["exact", "wilson", "agresti_coull", "jeffreys", "wald"]
RatioInterval: TypeAlias = Literal["score", "log"]
RateInterval: TypeAlias = Literal["tango", "newcombe", "bonett_price", "agresti_min", "wald"]
SingleRateTest: TypeAlias = Literal["score", "midp", "exact", "corrected"]
SubjectRateTest: TypeAlias = Literal["eliasziw_donner", "obuchowski", "durkalski", "yang"]  # of several cases each
RateTest: TypeAlias = SingleRateTest | SubjectRateTest
RateMetric: TypeAlias = Literal[
    "sensitivity", "specificity", "ppv", "npv", "lr_plus", "lr_minus", "accuracy", "net_benefit"
]
GapName: TypeAlias = Literal[
    "equal_opportunity", "predictive_equality", "equalized_odds", "demographic_parity", "predictive_parity"
]
Scheme: TypeAlias = Literal["stratified", "plain", "poisson"]
RateCorrection: TypeAlias = Literal["loglinear", "none"]  # of rates of 0 and 1, which have no deviate
FoldAverage: TypeAlias = Literal["mean", "pooled"]
BandKind: TypeAlias = Literal["pointwise", "simultaneous", "kolmogorov", "thresholds"]
Program: TypeAlias = Literal[
    "pROC", "SPSS", "SAS", "Stata", "MedCalc", "scikit-learn", "riskRegression", "timeROC"
]  # fmt: skip

TALLY_VARIANCES: tuple[TallyVariance, ...] = get_args(TallyVariance)
CLUSTERED_VARIANCES: tuple[ClusteredVariance, ...] = get_args(ClusteredVariance)
VARIANCES: tuple[Variance, ...] = (*TALLY_VARIANCES, *CLUSTERED_VARIANCES)
PAIRED_VARIANCES: tuple[PairedVariance, ...] = get_args(PairedVariance)
SCALES: tuple[Scale, ...] = get_args(Scale)
BOOTSTRAP_INTERVALS: tuple[BootstrapInterval, ...] = get_args(BootstrapInterval)
AREA_INTERVALS: tuple[AreaInterval, ...] = ("auto", "score", *SCALES, *BOOTSTRAP_INTERVALS)
ERROR_INTERVALS: tuple[AreaInterval, ...] = ("auto", "score", *SCALES)  # those that need no resampling
SIDES: tuple[Side, ...] = get_args(Side)
PROGRAMS: tuple[Program, ...] = get_args(Program)
ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)
AREA_TESTS: tuple[AreaTest, ...] = get_args(AreaTest)
PROPORTION_INTERVALS: tuple[ProportionInterval, ...] = get_args(ProportionInterval)
RATIO_INTERVALS: tuple[RatioInterval, ...] = get_args(RatioInterval)
RATE_INTERVALS: tuple[RateInterval, ...] = get_args(RateInterval)
SUBJECT_RATE_TESTS: tuple[SubjectRateTest, ...] = get_args(SubjectRateTest)
RATE_TESTS: tuple[RateTest, ...] = (*get_args(SingleRateTest), *SUBJECT_RATE_TESTS)
RATE_METRICS: tuple[RateMetric, ...] = get_args(RateMetric)
GAPS: tuple[GapName, ...] = get_args(GapName)
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
RATE_CORRECTIONS: tuple[RateCorrection, ...] = get_args(RateCorrection)
FOLD_AVERAGES: tuple[FoldAverage, ...] = get_args(FoldAverage)
BANDS: tuple[BandKind, ...] = get_args(BandKind)

# -- comparison and planning -----------------------------------------------------------------------

Pairing: TypeAlias = Literal["paired", "unpaired", "mixed"]
Adjustment: TypeAlias = Literal["holm", "bonferroni", "fdr", "none"]
CurveStatistic: TypeAlias = Literal["errors", "areas"]
ScoreCorrelation: TypeAlias = Literal["pearson", "kendall"]
CorrelationTable: TypeAlias = Literal["table50", "actual"]
Claim: TypeAlias = Literal["non-inferiority", "equivalence"]
ComparisonTest: TypeAlias = Literal["score", "t", "normal", "t_proc"]
PlanSides: TypeAlias = Literal["two-sided", "one-sided"]
PlanVariance: TypeAlias = Literal["obuchowski", "hanley_mcneil", "binormal"]
ClassAverage: TypeAlias = Literal["macro", "weighted", "micro", "hand_till", "pairs_weighted"]

PAIRINGS: tuple[Pairing, ...] = get_args(Pairing)
ADJUSTMENTS: tuple[Adjustment, ...] = get_args(Adjustment)
CURVE_STATISTICS: tuple[CurveStatistic, ...] = get_args(CurveStatistic)
SCORE_CORRELATIONS: tuple[ScoreCorrelation, ...] = get_args(ScoreCorrelation)
CORRELATION_TABLES: tuple[CorrelationTable, ...] = get_args(CorrelationTable)
CLAIMS: tuple[Claim, ...] = get_args(Claim)
COMPARISON_TESTS: tuple[ComparisonTest, ...] = get_args(ComparisonTest)
PLAN_SIDES: tuple[PlanSides, ...] = get_args(PlanSides)
PLAN_VARIANCES: tuple[PlanVariance, ...] = get_args(PlanVariance)
CLASS_AVERAGES: tuple[ClassAverage, ...] = get_args(ClassAverage)

# -- reader studies --------------------------------------------------------------------------------

ReaderMethod: TypeAlias = Literal["or", "dbm"]
ReaderCovariance: TypeAlias = Literal["delong", "jackknife", "jackknife_all", "bootstrap", "unbiased"]
ReaderDesign: TypeAlias = Literal["factorial", "nested_readers", "nested_cases", "split_plot"]
RandomEffects: TypeAlias = Literal["both", "readers", "cases"]
ReaderInference: TypeAlias = Literal["hillis", "score", "calibrated"]
ReaderRate: TypeAlias = Literal["sensitivity", "specificity"]
ReaderFigure: TypeAlias = Literal["readers", "reader_forest", "interaction", "components"]
TypicalReaders: TypeAlias = Literal[
    "low_reader_low_case", "low_reader_high_case", "high_reader_low_case", "high_reader_high_case"
]

READER_METHODS: tuple[ReaderMethod, ...] = get_args(ReaderMethod)
READER_COVARIANCES: tuple[ReaderCovariance, ...] = get_args(ReaderCovariance)
READER_DESIGNS: tuple[ReaderDesign, ...] = get_args(ReaderDesign)
READER_INFERENCES: tuple[ReaderInference, ...] = get_args(ReaderInference)
RANDOM_EFFECTS: tuple[RandomEffects, ...] = get_args(RandomEffects)
READER_FIGURES: tuple[ReaderFigure, ...] = get_args(ReaderFigure)
READER_RATES: tuple[ReaderRate, ...] = get_args(ReaderRate)
TYPICAL_READERS: tuple[TypicalReaders, ...] = get_args(TypicalReaders)

# -- ranks -----------------------------------------------------------------------------------------

MarkerOrder: TypeAlias = Literal["area", "file"]
RankTest: TypeAlias = Literal["mann-whitney", "kruskal-wallis", "smirnov", "smirnov-groups", "kolmogorov", "band"]
RankPValue: TypeAlias = Literal["auto", "exact", "normal", "uncorrected", "continuity"]

MARKER_ORDERS: tuple[MarkerOrder, ...] = get_args(MarkerOrder)
RANK_TESTS: tuple[RankTest, ...] = get_args(RankTest)
RANK_P_VALUES: tuple[RankPValue, ...] = get_args(RankPValue)

# -- curves and decisions --------------------------------------------------------------------------

Walk: TypeAlias = Literal["expected", "optimistic", "pessimistic"]
CurveName: TypeAlias = Literal["roc", "troc", "pr", "det", "cost", "gain", "lift", "hull"]
AverageKind: TypeAlias = Literal[
    "vertical", "horizontal", "diagonal", "threshold", "threshold_as_published", "pooled", "precision_recall"
]
SpreadKind: TypeAlias = Literal["t", "corrected", "normal", "binomial"]
FrocFigure: TypeAlias = Literal["AFROC", "AFROC1", "wAFROC", "wAFROC1"]
MarkFigure: TypeAlias = Literal["AFROC", "AFROC1", "wAFROC", "wAFROC1", "highest_rating"]
ThresholdRule: TypeAlias = Literal["observed", "midpoints", "spss"]
CutoffSmoother: TypeAlias = Literal["kernel", "normal", "loess", "spline", "gam", "bootstrap"]
Interpolation: TypeAlias = Literal["step", "davis_goadrich", "integral"]
Goal: TypeAlias = Literal["max", "min"]
ChainOrder: TypeAlias = Literal["gain", "hull", "cost"]
Operation: TypeAlias = Literal["and", "or"]
Binning: TypeAlias = Literal["width", "count"]
RecalibrationMethod: TypeAlias = Literal["platt", "isotonic"]
Penalty: TypeAlias = Literal["none", "firth"]
IsoMetric: TypeAlias = Literal[
    "accuracy", "precision", "f_measure", "cost", "youden", "lr_plus", "lr_minus", "neyman_pearson"
]
CriterionName: TypeAlias = Literal[
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
    "f_alpha",
    "break_even",
    "weighted_kappa",
    "weighted_corner",
    "observed_prevalence",
    "mean_score",
    "bayes",
    "target",
]

WALKS: tuple[Walk, ...] = get_args(Walk)
CURVES: tuple[CurveName, ...] = get_args(CurveName)
AVERAGES: tuple[AverageKind, ...] = get_args(AverageKind)
CURVE_AVERAGES: tuple[AverageKind, ...] = tuple(kind for kind in AVERAGES if kind != "precision_recall")
SPREADS: tuple[SpreadKind, ...] = get_args(SpreadKind)
FROC_FIGURES: tuple[FrocFigure, ...] = get_args(FrocFigure)
MARK_FIGURES: tuple[MarkFigure, ...] = get_args(MarkFigure)
THRESHOLD_RULES: tuple[ThresholdRule, ...] = get_args(ThresholdRule)
CUTOFF_SMOOTHERS: tuple[CutoffSmoother, ...] = get_args(CutoffSmoother)
INTERPOLATIONS: tuple[Interpolation, ...] = get_args(Interpolation)
ALL_NEGATIVE, ALL_POSITIVE = "AllNeg", "AllPos"  # the rules at both ends of every hull
GOALS: tuple[Goal, ...] = get_args(Goal)
CHAIN_ORDERS: tuple[ChainOrder, ...] = get_args(ChainOrder)
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
BINNINGS: tuple[Binning, ...] = get_args(Binning)
RECALIBRATIONS: tuple[RecalibrationMethod, ...] = get_args(RecalibrationMethod)
PENALTIES: tuple[Penalty, ...] = get_args(Penalty)
ISO_METRICS: tuple[IsoMetric, ...] = get_args(IsoMetric)
CRITERIA: tuple[CriterionName, ...] = get_args(CriterionName)
# Criteria that need no conditions: what a figure can mark by name alone.
PLAIN_CRITERIA: tuple[str, ...] = tuple(
    name for name in CRITERIA if name not in ("f_beta", "f_alpha", "neyman_pearson", "target")
)

# -- the bench of classifiers ----------------------------------------------------------------------

BenchClassifier: TypeAlias = Literal[
    "logistic",
    "nearest_mean",
    "ldc",
    "fisher",
    "qdc",
    "parzen",
    "rbf",
    "naive_bayes",
    "knn",
    "tree",
    "mlp",
    "random_forest",
    "gradient_boosting",
    "svm",
]
BenchSettings: TypeAlias = Literal["modern", "published"]
NegativeReduction: TypeAlias = Literal["fcm", "random"]
FixedRule: TypeAlias = Literal["mean", "product", "max", "min", "median", "vote"]

BENCH_CLASSIFIERS: tuple[BenchClassifier, ...] = get_args(BenchClassifier)
BENCH_SETTINGS: tuple[BenchSettings, ...] = get_args(BenchSettings)
NEGATIVE_REDUCTIONS: tuple[NegativeReduction, ...] = get_args(NegativeReduction)
FIXED_RULES: tuple[FixedRule, ...] = get_args(FixedRule)

BenchSampling: TypeAlias = Literal["k_fold", "splits", "leave_one_out", "bootstrap", "train", "test"]
BenchBalance: TypeAlias = Literal["none", "fcm", "random"]
BenchComparison: TypeAlias = Literal["delong", "resampled_t", "bootstrap"]
MatrixShare: TypeAlias = Literal["rows", "columns"]
BenchFigure: TypeAlias = Literal[
    "roc",
    "troc",
    "precision_recall",
    "det",
    "cost",
    "distribution",
    "comparison",
    "differences",
    "forest",
    "hull",
    "hulls",
    "folds",
    "inside",
]

BENCH_SAMPLINGS: tuple[BenchSampling, ...] = get_args(BenchSampling)
BENCH_BALANCES: tuple[BenchBalance, ...] = get_args(BenchBalance)
BENCH_COMPARISONS: tuple[BenchComparison, ...] = get_args(BenchComparison)
MATRIX_SHARES: tuple[MatrixShare, ...] = get_args(MatrixShare)
BENCH_FIGURES: tuple[BenchFigure, ...] = get_args(BenchFigure)

# -- clustering of images --------------------------------------------------------------------------

ClusterUpdate: TypeAlias = Literal["auto", "synchronous", "coloured"]
ClusterStart: TypeAlias = Literal["histogram", "random"]
ClusterPreset: TypeAlias = Literal["modern", "thesis"]
PixelMethod: TypeAlias = Literal["rfcm", "fcm"]

CLUSTER_PRESETS: tuple[ClusterPreset, ...] = get_args(ClusterPreset)
PIXEL_METHODS: tuple[PixelMethod, ...] = get_args(PixelMethod)
CLUSTER_UPDATES: tuple[ClusterUpdate, ...] = get_args(ClusterUpdate)
CLUSTER_STARTS: tuple[ClusterStart, ...] = get_args(ClusterStart)

# -- images ----------------------------------------------------------------------------------------

NodulePlace: TypeAlias = Literal["solitary", "juxtavascular", "juxtapleural"]
NoduleTexture: TypeAlias = Literal["solid", "part-solid", "ground-glass", "calcified"]
CandidateMethod: TypeAlias = Literal["dots", "threshold", "rfcm"]
CadClassifier: TypeAlias = Literal["boosting", "logistic"]
CadCombination: TypeAlias = Literal["none", "mean", "logistic"]
PhantomKind: TypeAlias = Literal["chest", "breast"]
LungProgram: TypeAlias = Literal["lungmask", "lungmask-lobes", "totalsegmentator", "totalsegmentator-v1"]
MarkProgram: TypeAlias = Literal["luna16", "monai", "nndetection"]
WorldAxes: TypeAlias = Literal["LPS", "RAS"]

NODULE_PLACES: tuple[NodulePlace, ...] = get_args(NodulePlace)
NODULE_TEXTURES: tuple[NoduleTexture, ...] = get_args(NoduleTexture)
PHANTOM_KINDS: tuple[PhantomKind, ...] = get_args(PhantomKind)
CANDIDATE_METHODS: tuple[CandidateMethod, ...] = get_args(CandidateMethod)
LUNG_PROGRAMS: tuple[LungProgram, ...] = get_args(LungProgram)
MARK_PROGRAMS: tuple[MarkProgram, ...] = get_args(MarkProgram)
WORLD_AXES: tuple[WorldAxes, ...] = get_args(WorldAxes)
CAD_CLASSIFIERS: tuple[CadClassifier, ...] = get_args(CadClassifier)
CAD_COMBINATIONS: tuple[CadCombination, ...] = get_args(CadCombination)

# -- DCE-MRI ---------------------------------------------------------------------------------------

DceProtocol: TypeAlias = Literal["reference", "external"]
LesionKind: TypeAlias = Literal["benign", "malignant"]
CurveTransformation: TypeAlias = Literal["relative", "unit_norm", "pca"]
CurveClassifier: TypeAlias = Literal["mlp", "logistic"]
LabelKind: TypeAlias = Literal["exact", "dilated", "shifted"]
SubtractionName: TypeAlias = Literal["early", "late", "late_early", "wash_out", "maximum"]
SubtractionScale: TypeAlias = Literal["relative", "absolute"]
ConcordanceKind: TypeAlias = Literal["uno", "harrell"]
Controls: TypeAlias = Literal["not a case", "event-free"]
DceRegistration: TypeAlias = Literal["translation", "bspline", "demons"]
# What makes images that are written as DICOM.
Modality: TypeAlias = Literal["CT", "MR"]
Anterior: TypeAlias = Literal["y-", "y+", "x-", "x+", "z-", "z+"]

DCE_PROTOCOLS: tuple[DceProtocol, ...] = get_args(DceProtocol)
LESION_KINDS: tuple[LesionKind, ...] = get_args(LesionKind)
CURVE_TRANSFORMATIONS: tuple[CurveTransformation, ...] = get_args(CurveTransformation)
CURVE_CLASSIFIERS: tuple[CurveClassifier, ...] = get_args(CurveClassifier)
LABEL_KINDS: tuple[LabelKind, ...] = get_args(LabelKind)
SUBTRACTIONS: tuple[SubtractionName, ...] = get_args(SubtractionName)
SUBTRACTION_SCALES: tuple[SubtractionScale, ...] = get_args(SubtractionScale)
CONCORDANCES: tuple[ConcordanceKind, ...] = get_args(ConcordanceKind)
CONTROLS: tuple[Controls, ...] = get_args(Controls)
DCE_REGISTRATIONS: tuple[DceRegistration, ...] = get_args(DceRegistration)
MODALITIES: tuple[Modality, ...] = get_args(Modality)
ANTERIORS: tuple[Anterior, ...] = get_args(Anterior)

# -- reports and figures ---------------------------------------------------------------------------

Section: TypeAlias = Literal[
    "data", "areas", "comparison", "curves", "cutoffs", "promise", "rates", "distributions", "calibration", "subgroups",
    "folds", "bench", "readers", "stage", "model", "methods", "time",
]  # fmt: skip
FigureName: TypeAlias = Literal[
    "roc", "troc", "pr", "det", "cost", "gain", "lift", "hull", "pareto", "crossings", "combination", "lc", "iso",
    "smooth", "average", "distribution", "box_cox", "likelihood", "predictive", "fagan", "walk", "metrics",
    "stability", "calibration", "decision", "forest", "comparison", "differences", "rates", "gaps", "risk_coverage",
    "model_based", "multiclass", "cdf", "design", "exponential", "penalty", "readers", "reader_forest", "interaction",
    "components",
]  # fmt: skip
DistributionKind: TypeAlias = Literal["histogram", "density", "dots"]
FigureSize: TypeAlias = Literal["single", "double"]
Language: TypeAlias = Literal["en", "it", "el", "sl", "ru"]
SpreadShown: TypeAlias = Literal["bars", "band", "boxes"]
StudyEstimator: TypeAlias = Literal["MW", "N", "NT", "K1", "K1T", "K2", "K2T", "RC"]
SourceText: TypeAlias = Literal["italian", "slovenian", "russian", "english", "greek", "formulas"]

SECTIONS: tuple[Section, ...] = get_args(Section)
FIGURES: tuple[FigureName, ...] = get_args(FigureName)
DISTRIBUTIONS: tuple[DistributionKind, ...] = get_args(DistributionKind)
FIGURE_SIZES: tuple[FigureSize, ...] = get_args(FigureSize)
LANGUAGES: tuple[Language, ...] = get_args(Language)
SPREADS_SHOWN: tuple[SpreadShown, ...] = get_args(SpreadShown)
STUDY_ESTIMATORS: tuple[StudyEstimator, ...] = get_args(StudyEstimator)
SOURCE_TEXTS: tuple[SourceText, ...] = get_args(SourceText)
