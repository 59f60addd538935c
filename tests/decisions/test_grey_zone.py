"""Two cut-offs with a grey zone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.data.tally import Tally
from roclab.decisions.grey_zone import grey_zone
from roclab.errors import InputError
from tests.strategies import SCORES


def of(pos, neg):
    return Tally.from_samples(np.array(pos, float), np.array(neg, float))


LEVELS = st.sampled_from([0.25, 0.5, 0.8, 1.0])


@given(pos=SCORES, neg=SCORES, se=LEVELS, sp=LEVELS)
def test_zones_definition(pos, neg, se, sp):
    zone = grey_zone(of(pos, neg), rule_out={"sensitivity": se}, rule_in={"specificity": sp})
    thresholds = [math.inf, *sorted({*pos, *neg}, reverse=True)]
    lower = max(t for t in thresholds if sum(x >= t for x in pos) >= se * len(pos) - 1e-9)
    upper = min(t for t in thresholds if sum(y < t for y in neg) >= sp * len(neg) - 1e-9)
    if lower >= upper:
        assert zone.share == 0
        assert zone.lower == zone.upper
        assert "One cut-off keeps both bounds" in zone.notes[0]
        assert zone.lower.tpr >= se - 1e-9
        assert zone.upper.specificity >= sp - 1e-9
    else:
        assert (zone.lower.threshold, zone.upper.threshold) == (lower, upper)
        inside = [s for s in [*pos, *neg] if lower <= s < upper]
        assert zone.share == pytest.approx(len(inside) / (len(pos) + len(neg)))
    cut_low, cut_high = zone.lower.threshold, zone.upper.threshold
    assert zone.zones[0].pos == sum(x < cut_low for x in pos)
    assert zone.zones[2].neg == sum(y >= cut_high for y in neg)
    assert sum(one.pos for one in zone.zones) == len(pos)
    assert sum(one.neg for one in zone.zones) == len(neg)
    assert sum(one.share for one in zone.zones) == pytest.approx(1)


def test_other_metrics_and_defaults():
    rng = np.random.default_rng(4)
    tally = of(rng.normal(1, 1, 200), rng.normal(0, 1, 300))
    zone = grey_zone(tally)
    assert zone.lower.tpr >= 0.95
    assert zone.upper.specificity >= 0.95
    assert zone.lower.threshold < zone.upper.threshold
    by_value = grey_zone(tally, rule_out={"npv": 0.9}, rule_in={"lr_plus": 5}, rule="midpoints")
    assert by_value.lower.matrix.metrics()["npv"] >= 0.9
    assert by_value.upper.matrix.metrics()["lr_plus"] >= 5
    assert by_value.zones[2].likelihood_ratio == pytest.approx(by_value.upper.matrix.metrics()["lr_plus"])
    text = str(zone)
    assert "rule out below" in text
    assert "undecided" in text
    assert zone.to_dict()["zones"][1]["answer"] == "undecided"


def test_single_cutoff_when_metrics_are_not_monotone():
    """Rule-out and rule-in rows may overlap without a row that keeps both; the rule-out cut-off is then kept."""
    tally = of([10, 7, 6, 4, 3, 2, 1], [9, 8, 5])
    zone = grey_zone(tally, rule_out={"sensitivity": 0.28, "specificity": 0.3}, rule_in={"ppv": 0.65})
    assert zone.share == 0
    assert zone.lower.threshold == zone.upper.threshold == 7


def test_bounds_that_nobody_meets():
    with pytest.raises(InputError, match="no threshold gives ppv >= 0.99; the closest is ppv 0.6667 at threshold 2"):
        grey_zone(of([2, 2, 1], [2, 1, 1]), rule_in={"ppv": 0.99})
