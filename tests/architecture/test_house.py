"""The house itself: public names, lazy imports, rooms and tests that belong together."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import roclab as rl
from tests.public import public, public_names

ROOT = Path(__file__).parents[2]

PUBLIC = """
PublishedArea Resampling Roc __version__ auc average bench bench_of_scores build_report classifiers compare
compare_curves compare_groups compare_multiclass compare_predictions compare_published concordance confusion
curve_of_densities cutoff cutoff_stability cutoff_table datasets doctor errors explore exponential_curve grey_zone
hull imaging logistic merge multiclass multiclass_confusion multilabel names net_benefit planning plots ranks
read_cases read_classes read_columns read_points read_samples readers recalibrate results roc screen selective
shift_prevalence smooth_cutoff studies tally ties update_model write_report
"""
INSIDE_MODULES = {
    "classifiers": """best_classifier chain combine compare_classifier_costs dominance h_measures hull_contribution
        hull_ranges hybrid interpolate iso_lines lc_index pareto_front""",
    "planning": "plan_area_width plan_from_pilot plan_one_area plan_rate_widths plan_two_areas plan_validation",
    "ranks": "cdf_band kolmogorov kruskal_wallis mann_whitney smirnov smirnov_of_groups",
    "readers": "mrmc sample_size simulate",
    "studies": "read_design reproduce run_study table_design",
}


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_public_names_are_pinned():
    assert rl.__all__ == sorted(PUBLIC.split())
    assert dir(rl) == rl.__all__
    assert len(rl.__all__) <= 60
    for module, names in INSIDE_MODULES.items():
        assert dir(getattr(rl, module)) == sorted(names.split())
    assert all(one is not None for one in public_names().values())
    with pytest.raises(AttributeError, match="no attribute 'aucc'; did you mean 'auc'"):
        _ = rl.aucc


@pytest.mark.parametrize(
    "name",
    [
        "roc_auc_score", "roc_curve", "delong_test", "roc_test", "ci_auc", "coords", "confusion_matrix",
        "precision_recall_curve", "calibration_curve", "brier_score", "decision_curve", "optimal_cutpoint",
        "sample_size", "mrmc", "Comparison", "segment", "area_table",
    ],
)  # fmt: skip
def test_established_names_say_what_to_write(name):
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'; (write|it is) rl\."):
        getattr(rl, name)


def test_what_an_established_name_says_exists():
    """Every rl.x.y( that a hint names can be called."""
    from roclab._elsewhere import _WORDS

    for words in _WORDS.values():
        for path in re.findall(r"rl\.([a-z_.]+)\(", words):
            one = rl
            for part in path.split("."):
                one = getattr(one, part)
            assert callable(one), path


# Helpers of public classes that no user holds in hands.
INSIDE = {"AfrocCurve", "Cell", "CellResult", "Condition", "Counts4", "Ranking", "ReproductionRow", "StagePart"}


def returned_classes(name):
    """Classes of the house that a public function returns, or a method of a public class."""
    one = public(name)
    functions = [one] if inspect.isfunction(one) else []
    if inspect.isclass(one):
        functions = [member for word, member in inspect.getmembers(one, inspect.isfunction) if word[0] != "_"]
    for function in map(inspect.unwrap, functions):
        for word in re.findall(r"\w+", str(inspect.signature(function).return_annotation)):
            kind = function.__globals__.get(word)
            if inspect.isclass(kind) and kind.__module__.startswith("roclab."):
                yield word


def test_what_is_returned_is_public():
    every = public_names()
    returned = {(name, word) for name in every for word in returned_classes(name)}
    assert len(returned) > 100
    assert {pair for pair in returned if pair[1] not in {*every, *INSIDE}} == set()


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
    for name, one in public_names().items():
        assert one.__doc__, name


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
