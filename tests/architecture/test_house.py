"""The house itself: public names, lazy imports, rooms and tests that belong together."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import roclab as rl

ROOT = Path(__file__).parents[2]

PUBLIC = """
AreaEstimate AreaTable AverageCurve AveragePrecisionRecall BalanceExperiments Band Bench BenchChoice BenchMatrix
BenchTable BestClassifier BestCutoff BetaChoice BreastMask BreastPhantom ByGroup CadStage CadStages Calibration
Candidates Cases CdfBand CellCases ChestPhantom ClassDensities ClassScores CoinFlip Columns CombinedCalls Comparison
Confidence ConfusionMatrix ConoverStep CoordinateTable Coordinates CostComparisons CostCurve CountedArea Crossing
CurveComparison CurvePoints Cutoff CutoffBootstrap CutoffResult CutoffTable DataPlane DceCase DceEvaluation DceFigure
DceLearningCurve DceModel DceMontage DceRegions DceSeries DecisionCurve DetCurve Detector Difference DiscreteKolmogorov
Dominance FittedHybrid FoldTable Froc FrocComparison FrontPoint FuzzyClusters GainCurve GivenCurve GreyZone GroupAreas
HMeasure HMeasures HullChange HullRange HullRanges HullTable HullVertex HullVertices HybridPoint ImageMeasure Interval
IntervalRatios Kolmogorov KruskalWallis LcIndices Lead LeaveOneOut LogisticAnalysis Lungs MannWhitney MarginTest
MatchedClusters MetricIntervals MotionCheck MulticlassAreas MulticlassConfusion NumericalError OperatingPoint
OperatingPoints Optimism ParetoFront PenaltySurface Plan PortableTally PrecisionRecallCurve PrecisionRecallSummary
PredictedCalls PredictionComparison PublishedArea RateEstimate ReaderArea ReaderCurves ReaderPlan ReaderPlanCell
ReaderStudy Readings Recalibration Rectangle Report Resampling RobustClusters Roc RocCurve RocHull RocPoint RoeMetz
Sample ScoreReport ScoredCases Screening Selected Several Smirnov SmirnovOfGroups SmoothCutoff SmoothPoint SmoothRoc
SplitMean Tally TestResult ThresholdEstimate TieAnalysis TrocCurve Undefined VarianceComponents Volume __version__
area_table auc average bench bench_of_scores best_classifier build_report cad_stages cdf_band chain choose_beta combine
compare compare_classifier_costs compare_curves compare_groups compare_multiclass compare_predictions compare_published
confusion curve_of_densities cutoff cutoff_stability cutoff_table cutoffs datasets dce_apply dce_cases dce_evaluate
dce_figure dce_learning_curve dce_leave_one_out dce_mask dce_montage dce_motion dce_series dce_subtraction dce_train
dominance errors froc fuzzy_cmeans grey_zone h_measures hull hull_ranges hybrid interpolate kolmogorov kruskal_wallis
lc_index logistic mann_whitney match_clusters merge multiclass multiclass_confusion multilabel names net_benefit nodules
pareto_front penalty_surface phantom phantom_breast phantom_chest plan_from_pilot plan_one_area plan_two_areas plots
read_cases read_classes read_columns read_dce_model read_points read_volume readers readers_size recalibrate
robust_cmeans roc rocs screen segment segment_lungs simulate_readers smirnov smirnov_of_groups smooth_cutoff tally ties
what_joins write_dce_model write_dicom write_report write_volume
"""


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_public_names_are_pinned():
    assert rl.__all__ == sorted(PUBLIC.split())
    assert dir(rl) == rl.__all__
    for name in rl.__all__:
        assert getattr(rl, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'aucc'"):
        _ = rl.aucc


# Helpers of public classes that no user holds in hands.
INSIDE = {"AfrocCurve", "Counts4", "Ranking", "StagePart"}


def returned_classes(name):
    """Classes of the house that a public function returns, or a method of a public class."""
    one = getattr(rl, name)
    functions = [one] if inspect.isfunction(one) else []
    if inspect.isclass(one):
        functions = [member for word, member in inspect.getmembers(one, inspect.isfunction) if word[0] != "_"]
    for function in map(inspect.unwrap, functions):
        for word in re.findall(r"\w+", str(inspect.signature(function).return_annotation)):
            kind = function.__globals__.get(word)
            if inspect.isclass(kind) and kind.__module__.startswith("roclab."):
                yield word


def test_what_is_returned_is_public():
    returned = {(name, word) for name in rl.__all__ for word in returned_classes(name)}
    assert len(returned) > 100
    assert {pair for pair in returned if pair[1] not in {*rl.__all__, *INSIDE}} == set()


def test_import_brings_no_optional_or_slow_library():
    code = "import sys, roclab; print(*sorted(m.split('.')[0] for m in sys.modules))"
    loaded = set(run(code).split())
    slow = {"numpy", "scipy", "pandas", "polars", "pyarrow", "sklearn", "narwhals", "matplotlib", "click"}
    assert not loaded & slow


def test_an_analysis_of_arrays_brings_no_optional_library():
    code = "import sys, roclab as rl; rl.auc([0, 1, 1, 0], [1, 2, 3, 4]); print(*sorted(sys.modules))"
    loaded = set(run(code).split())
    assert not loaded & {"pandas", "polars", "pyarrow", "sklearn", "narwhals", "matplotlib", "click", "scipy"}


def test_no_room_grows_beyond_one_idea():
    long = {p.name: n for p in (ROOT / "src").rglob("*.py") if (n := len(p.read_text().splitlines())) > 480}
    assert not long, f"split these files: {long}"


def test_every_public_function_says_what_it_is():
    for name in rl.__all__:
        if name != "__version__":
            assert getattr(rl, name).__doc__, name


def test_nothing_is_left_open_in_the_source():
    for path in (ROOT / "src").rglob("*.py"):
        text = path.read_text()
        for mark in ("TO" + "DO", "FIX" + "ME", "XX" + "X"):
            assert mark not in text, path


def test_threads_are_started_in_one_place():
    """Elsewhere they would not hear Ctrl-C, and Python would wait for them before it ends."""
    source = ROOT / "src" / "roclab"
    starting = ("concurrent.futures", "multiprocessing", "threading.Thread", "asyncio")
    found = {
        str(path.relative_to(source)): mark
        for path in source.rglob("*.py")
        for mark in starting
        if mark in "".join(line for line in path.read_text().splitlines() if "#" not in line)
    }
    assert found == {"_core/work/threads.py": "threading.Thread"}
