"""Very few, very close, very large and infinite scores: an answer or a sentence, no warning and no crash."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import roclab as rl
from roclab import names
from roclab.errors import InputError, RoclabError, RoclabWarning
from tests.twins import brute_auc

CLOSE = [1.0, 1 + 2.3e-16, 1 + 4.5e-16, 1.0, 1 + 2.3e-16, 1 + 4.5e-16]
LARGE = [1e308, -1e308, 1.7e308, -1.7e308, 5e307, 0.0]
TINY = [5e-324, 1e-323, 1.5e-323, 5e-324, 2e-323, 3e-323]
BEYOND = [2.0**60, 2.0**61, -(2.0**60), 3 * 2.0**60, 0.0, 2.0**59]
INFINITE = [math.inf, -math.inf, 1.0, 2.0, 3.0, 2.5]
EVERY = {"close": CLOSE, "large": LARGE, "tiny": TINY, "beyond 2**53": BEYOND, "infinite": INFINITE}
LABEL = [1, 1, 1, 0, 0, 0]


@pytest.fixture(autouse=True)
def loud():
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", RoclabWarning)
        yield


def answered(ask):
    """Whether there is an answer; a sentence of ours is none, and anything else fails."""
    try:
        ask()
    except RoclabError as error:
        said = str(error)
    else:
        return True
    assert "\n" not in said
    return False


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("model", names.SMOOTH_MODELS)
def test_smooth_curves(kind, model):
    answered(lambda: str(rl.roc(LABEL, EVERY[kind]).smooth(model)))


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("criterion", names.CRITERIA)
def test_cutoffs(kind, criterion):
    answered(lambda: rl.cutoff(LABEL, EVERY[kind], criterion=criterion))


@pytest.mark.parametrize("kind", EVERY)
def test_other_verbs(kind):
    y, s = np.array(LABEL), np.array(EVERY[kind])
    assert rl.auc(y, s).area == pytest.approx(brute_auc(s[y == 1], s[y == 0]))
    for ask in (
        lambda: rl.recalibrate(y, s),
        lambda: rl.logistic(y, {"s": s}),
        lambda: rl.grey_zone(y, s),
        lambda: rl.compare(y, {"a": s, "b": s[::-1]}, estimator="average_precision"),
        lambda: rl.roc(y, s).threshold_interval(sensitivity=0.5, rng=1),
        lambda: rl.build_report({"y": y, "s": s}, label="y", score="s", band=False).to_html(),
    ):
        answered(lambda ask=ask: str(ask()))


def test_the_mean_score_of_large_scores_is_found_and_of_infinite_ones_refused():
    assert rl.cutoff(LABEL, LARGE, criterion="mean_score").threshold == 0.0  # the mean is 8.3e306
    with pytest.raises(InputError, match="'mean_score' needs finite scores"):
        rl.cutoff(LABEL, INFINITE, criterion="mean_score")


def test_rectangles_of_weighted_cases_have_no_coverage_and_say_why():
    box = rl.roc([1, 0, 1, 0], [2, 1, 3, 4], sample_weight=[0.33, 0.5, 0.4, 0.2]).rectangle(2)
    assert "real weights" in box.actual_level.reason
    assert rl.roc(LABEL, [6, 5, 3, 4, 2, 1]).rectangle(3.5).actual_level > 0.9


def test_average_precision_passes_over_cases_without_weight():
    y, s, w = [1, 0, 1, 0, 1, 0], [9, 8, 5, 4, 3, 2], [0, 0, 1.5, 2.5, 0.5, 1.5]
    asked = {"estimator": "average_precision"}
    found = rl.auc(y, s, sample_weight=w, **asked)
    known = rl.auc(y[2:], s[2:], sample_weight=w[2:], **asked)
    assert (found.area, found.standard_error) == pytest.approx((known.area, known.standard_error))
    pair = rl.compare(y, {"a": s, "b": s[::-1]}, sample_weight=w, **asked).pairs[0]
    assert pair.standard_error > 0


def test_boxes_cox_of_scores_that_swallow_the_shift_are_refused():
    with pytest.raises(
        InputError, match="shift_eps must lift the smallest score above 0, got .*, lost beside 1.15292e"
    ):
        rl.roc(LABEL, BEYOND).smooth("box_cox")


@pytest.mark.parametrize("model", ["fitted_gamma", "fitted_weibull", "fitted_lognormal"])
def test_scores_that_differ_by_rounding_have_no_shape(model):
    with pytest.raises(InputError, match="needs scores that differ by more than rounding in each class"):
        rl.roc(LABEL, CLOSE).smooth(model)


@pytest.mark.parametrize("model", ["normal", "fitted_logistic", "fitted_t"])
def test_scores_whose_squares_vanish_have_no_variance(model):
    with pytest.raises(InputError, match="score must differ by more than 1e-150"):
        rl.roc(LABEL, [0.0, 1e-200, 2e-200, 1.0, 2.0, 3.0]).smooth(model)


def test_one_constant_score_in_each_class_has_a_smirnov_level():
    assert rl.ranks.smirnov([1, 0], [2.0, 2.0]).p_value == 1.0


def test_exact_smirnov_levels_near_one_stay_exact():
    """SciPy gives up on this sample and takes the limit."""
    s = [0.24968687, -0.50704094, -1.61241307, -0.25929384, -1.62244862, 0.47444828, -0.37944753, -0.88391999,
         0.42778598, -0.56356888]  # fmt: skip
    found = rl.ranks.smirnov([0, 1, 0, 1, 1, 0, 0, 1, 1, 0], s)
    assert (found.method, found.p_value) == ("exact", pytest.approx(1.0))


def test_empty_zones_and_undefined_degrees_of_freedom_say_why():
    zones = rl.grey_zone([1, 1, 0, 0], [4, 3, 2, 1]).zones
    assert "no case lies in this zone" in next(one for one in zones if one.pos + one.neg == 0).likelihood_ratio.reason
    pair = rl.compare([1, 0, 0], {"a": [3, 1, 2], "b": [1, 2, 3]}, test="t", estimator="tauc").pairs[0]
    assert pair.df == pair.df or "one case" in pair.df.reason
