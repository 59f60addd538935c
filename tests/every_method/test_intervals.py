"""Every kind of interval of every empirical area, on data small enough to go wrong."""

from __future__ import annotations

import math
import warnings

import pytest

import roclab as rl
from roclab._core.undefined import Undefined
from roclab.errors import InputError, RoclabWarning
from roclab.names import AREA_INTERVALS, EMPIRICAL_AREAS

# Positives and negatives, tied wherever they can be.
DATA = {
    "tied": ([5, 4, 4, 3, 2, 2, 1], [4, 3, 2, 2, 1, 1, 0, 0]),
    "two and two": ([2, 1], [1, 0]),
    "one positive": ([2], [3, 2, 1, 1]),
    "one negative": ([3, 2, 2], [2]),
    "one of each": ([1], [1]),
    "separated": ([3, 3, 2], [1, 1, 0, 0]),
    "reversed": ([0, 0, 1], [2, 2, 3]),
    "constant": ([1, 1, 1], [1, 1, 1, 1]),
}
# Not lower: repeated cases raise some areas, such as "tauc_indicator", and the middle half of the replicates may then
# lie above the area itself. That is the percentile method, not a fault.
LEVELS = (0.8, 0.95, 0.99)
LOWEST = {"gini": -1.0}
# Complete separation has the integral of the weight alone: of 1 - f, (1 - f)² or √(1 - f) over f from 0 to 1.
HIGHEST = {"tauc": 1 / 2, "tauc_unbiased": 1 / 2, "tauc2": 1 / 3, "t2auc": 2 / 3, "t2auc_as_published": 2 / 3}
ROUNDING = 1e-12  # of numbers of order 1


def asked(data, area, kind, level):
    """The estimate; the same replicates at every level."""
    pos, neg = DATA[data]
    label = [1] * len(pos) + [0] * len(neg)
    few = rl.Resampling(replicates=20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RoclabWarning)  # so few replicates are worth one
        return rl.auc(label, pos + neg, estimator=area, interval=kind, level=level, rng=3, resampling=few)


EVERY = [(kind, area) for kind in AREA_INTERVALS for area in EMPIRICAL_AREAS]
HAVE = {"score": ("empirical", "gini"), "binomial": ("empirical",)}
REFUSED = [(kind, area) for kind, area in EVERY if area not in HAVE.get(kind, EMPIRICAL_AREAS)]


@pytest.mark.parametrize(("kind", "area"), REFUSED)
@pytest.mark.parametrize("data", DATA)
def test_interval_that_an_area_has_not_is_refused(data, kind, area):
    with pytest.raises(InputError, match="'score' exists for the AUC and Gini|'binomial' is an interval of the AUC"):
        asked(data, area, kind, 0.95)


@pytest.mark.parametrize(("kind", "area"), [pair for pair in EVERY if pair not in REFUSED])
@pytest.mark.parametrize("data", DATA)
def test_interval_property_holds_the_area_and_widens_with_the_level(data, kind, area):
    narrower = None
    for level in LEVELS:
        found = asked(data, area, kind, level)
        low, high = found.interval.low, found.interval.high
        for value in (found.standard_error, low, high):
            assert isinstance(value, Undefined) or not math.isnan(value), "a NaN says why"
        assert not math.isnan(found.area)
        if isinstance(low, Undefined):
            assert data.startswith("one "), "of two cases in each class every interval exists"
            assert isinstance(high, Undefined)
            assert "only one" in low.reason
            continue
        assert low - ROUNDING <= found.area <= high + ROUNDING
        if kind != "plain":  # which is as it comes, possibly beyond the bounds
            assert LOWEST.get(area, 0.0) - ROUNDING <= low
            assert high <= HIGHEST.get(area, 1.0) + ROUNDING
        if narrower is not None:
            assert low <= narrower[0] + ROUNDING
            assert high >= narrower[1] - ROUNDING
        narrower = low, high
