"""The tables of names hold exactly what the rooms that do the work know."""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

import pytest

import roclab as rl
from roclab import names
from roclab.areas.methods import METHODS
from roclab.areas.partial import STANDARDS
from roclab.benching.catalogue import CATALOGUE
from roclab.decisions.calibration import BINNINGS
from roclab.decisions.coordinates import THRESHOLD_RULES
from roclab.decisions.criteria import CRITERIA
from roclab.inference.one_curve.proportions import proportion_interval
from roclab.many_classes.result import AVERAGES
from roclab.plots.canvas import WIDTHS
from roclab.plots.recipes import RECIPES
from roclab.rank_tests.mann_whitney import mann_whitney
from roclab.smooth.methods import SMOOTH_METHODS
from roclab.studies.catalogue import TITLES
from roclab.studies.designs import ESTIMATOR_NAMES

Y = [1, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0]
S = [0.9, 0.3, 0.8, 0.4, 0.35, 0.2, 0.7, 0.6, 0.65, 0.1, 0.5, 0.45]
OTHER = [0.8, 0.2, 0.3, 0.4, 0.75, 0.5, 0.6, 0.9, 0.35, 0.15, 0.7, 0.1]
DRAWS = {"resampling": rl.Resampling(replicates=20), "rng": 1}


@pytest.mark.parametrize(
    ("offered", "known"),
    [
        (names.ESTIMATORS, (*METHODS, *SMOOTH_METHODS)),
        (names.EMPIRICAL_AREAS, METHODS),
        (names.SMOOTH_MODELS, SMOOTH_METHODS),
        (names.STANDARDS, STANDARDS),
        (names.CLASS_AVERAGES, AVERAGES),
        (names.CRITERIA, CRITERIA),
        (names.THRESHOLD_RULES, THRESHOLD_RULES),
        (names.BINNINGS, BINNINGS),
        (names.FIGURES, RECIPES),
        (names.FIGURE_SIZES, WIDTHS),
        (names.STUDY_ESTIMATORS, ESTIMATOR_NAMES),
        (names.SOURCE_TEXTS, TITLES),
        (names.BENCH_CLASSIFIERS, CATALOGUE),
    ],
)
def test_tables_are_those_of_the_rooms(offered, known):
    assert sorted(offered) == sorted(known)
    assert len(set(offered)) == len(offered)


def test_every_table_is_spelt_out_in_its_type():
    types = {get_args(value) for value in vars(names).values() if get_args(value)}
    tables = {name: value for name, value in vars(names).items() if name.isupper() and isinstance(value, tuple)}
    # unions of tables, and parts of one
    joined = {
        "CURVE_AVERAGES",
        "ESTIMATORS",
        "VARIANCES",
        "AREA_INTERVALS",
        "ERROR_INTERVALS",
        "PLAIN_CRITERIA",
        "RATE_TESTS",
    }
    assert {name for name, value in tables.items() if value not in types} <= joined


@pytest.mark.parametrize(
    ("offered", "ask"),
    [
        (names.AREA_INTERVALS, lambda one: rl.auc(Y, S, interval=one, **DRAWS)),
        (names.TALLY_VARIANCES, lambda one: rl.auc(Y, S, variance=one, **DRAWS)),
        (names.SIDES, lambda one: rl.auc(Y, S, side=one)),
        (names.AREA_TESTS, lambda one: rl.roc(Y, S).test(test=one)),
        (names.ALTERNATIVES, lambda one: rl.roc(Y, S).test(alternative=one)),
        (names.SCHEMES, lambda one: rl.Resampling(scheme=one)),
        (names.BANDS, lambda one: rl.roc(Y, S).band(kind=one, **DRAWS)),
        (names.PROPORTION_INTERVALS, lambda one: proportion_interval(3, 10, level=0.9, method=one)),
        (names.WALKS, lambda one: rl.roc(Y, S, ties=one)),
        (names.CURVES, lambda one: rl.roc(Y, S).named_curve(one)),
        (names.CURVE_STATISTICS, lambda one: rl.compare_curves(Y, {"a": S, "b": OTHER}, statistic=one, resampling=9)),
        (names.ADJUSTMENTS, lambda one: rl.compare(Y, {"a": S, "b": OTHER}, adjust=one)),
        (names.CLAIMS, lambda one: rl.compare(Y, {"a": S, "b": OTHER}, margin=0.1, claim=one)),
        (names.AVERAGES, lambda one: rl.average([rl.roc(Y, S), rl.roc(Y, OTHER)], how=one)),
        (names.SPREADS, lambda one: rl.average([rl.roc(Y, S), rl.roc(Y, OTHER)], spread=one)),
        (names.CUTOFF_SMOOTHERS, lambda one: rl.smooth_cutoff(Y, S, smoother=one)),
        (names.OPERATIONS, lambda one: rl.classifiers.combine([(0.1, 0.5), (0.2, 0.7)], operation=one)),
        (names.PENALTIES, lambda one: rl.logistic(Y, {"s": OTHER}, penalty=one)),
        (names.PLAIN_CRITERIA, lambda one: rl.cutoff(Y, S, criterion=one)),
        (names.ASKED_SIDES, lambda one: rl.screen(Y, {"s": S}, direction=one)),
        (names.RANK_P_VALUES, lambda one: mann_whitney([1, 2], [2, 3], method=one)),
        (names.PLAN_VARIANCES, lambda one: rl.planning.plan_one_area(area=0.8, power=0.8, variance=one)),
        (names.DIRECTIONS, lambda one: rl.auc(Y, S, direction=one)),
        (names.MISSING, lambda one: rl.auc(Y, S, missing=one)),
        (names.READER_INFERENCES, lambda one: rl.readers.mrmc("readings", inference=one)),
        (names.READER_METHODS, lambda one: rl.readers.mrmc("readings", method=one)),
        (names.READER_COVARIANCES, lambda one: rl.readers.mrmc("readings", covariance=one, **DRAWS)),
        (names.READER_RATES, lambda one: rl.readers.mrmc("readings", estimator=one, threshold=50)),
        (names.RANDOM_EFFECTS, lambda one: rl.readers.mrmc("readings", random=one)),
        (names.READER_FIGURES, lambda one: rl.readers.mrmc("readings").plot(one)),
        (names.TYPICAL_READERS, lambda one: rl.readers.sample_size(one, auc=0.8, difference=0.05)),
        (names.WEIGHT_MEANINGS, lambda one: rl.auc(Y, S, sample_weight=[2] * len(Y), weights=one)),
    ],
)
def test_every_name_is_answered_and_no_other(offered, ask):
    for one in offered:
        assert ask(one) is not None
    with pytest.raises(rl.errors.InputError):
        ask("no such name")


def test_names_cost_nothing():
    code = "import sys, roclab.names\nsys.exit(bool({'numpy', 'scipy', 'narwhals'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
