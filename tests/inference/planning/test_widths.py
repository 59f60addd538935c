"""Cases for the width of an interval: by counting up, by other formulas, and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.inference.planning.widths import expected_width
from roclab.planning import plan_area_width, plan_rate_widths


def wilson_width(k, n, z=1.959963984540054):
    """Written out once more."""
    p = k / n
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    return min(centre + half, 1.0) - max(centre - half, 0.0)


def mean_width(p, n):
    return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) * wilson_width(k, n) for k in range(n + 1))


@pytest.mark.parametrize(("rate", "width"), [(0.9, 0.2), (0.97, 0.15), (0.5, 0.3)])
def test_the_smallest_number_by_counting_up(rate, width):
    n = next(n for n in range(1, 500) if mean_width(rate, n) <= width)
    assert plan_rate_widths(sensitivity=rate, width=width).cases_pos == n
    assert expected_width(rate, n) == pytest.approx(mean_width(rate, n), abs=1e-12)


def test_large_samples_need_what_the_textbook_says():
    """Wald's z² p (1 - p) / (w / 2)²: 1.96² · .9 · .1 / .01² = 3458 cases."""
    assert plan_rate_widths(specificity=0.9, width=0.02).cases_neg == pytest.approx(3458, rel=5e-3)


def test_one_sample_holds_both_classes():
    plan = plan_rate_widths(sensitivity=0.9, specificity=0.8, width=0.1, prevalence=0.2)
    assert plan.total == max(math.ceil(plan.cases_pos / 0.2), math.ceil(plan.cases_neg / 0.8))
    assert "will vary" in str(plan)
    assert plan_rate_widths(sensitivity=0.9, width=0.1, interval="exact").cases_pos > plan.cases_pos


@pytest.mark.parametrize("ratio", [1.0, 3.0])
def test_areas_are_as_wide_as_planned(ratio):
    plan = plan_area_width(area=0.8, width=0.12, ratio=ratio, variance="binormal")
    rng, shift = np.random.default_rng(1), math.sqrt(2) * 0.8416212
    widths = []
    for _ in range(60):
        roc = rl.Roc.from_samples(rng.normal(shift, 1, plan.cases_pos), rng.normal(0, 1, plan.cases_neg))
        low, high = roc.auc(interval="logit").interval
        widths.append(high - low)
    assert np.mean(widths) == pytest.approx(0.12, rel=0.05)
    assert plan.widths["AUC"] <= 0.12 < plan_area_width(area=0.8, width=0.1201, ratio=ratio).width


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"width": 0.1}, "neither"),
        ({"sensitivity": 1.0, "width": 0.1}, "sensitivity"),
        ({"sensitivity": 90, "width": 0.1}, "sensitivity"),
        ({"sensitivity": 0.9, "width": 0}, "width"),
        ({"sensitivity": 0.9, "width": 1e-5}, "more than 10 000 000 cases"),
        ({"sensitivity": 0.9, "width": 0.1, "prevalence": 0}, "prevalence"),
        ({"sensitivity": 0.9, "width": 0.1, "interval": "other"}, "interval"),
    ],
)
def test_impossible_plans_are_refused(asked, said):
    with pytest.raises(InputError, match=said):
        plan_rate_widths(**asked)


def test_areas_refuse_too():
    with pytest.raises(InputError, match="ratio"):
        plan_area_width(area=0.8, width=0.1, ratio=0)
    with pytest.raises(InputError, match="area"):
        plan_area_width(area=1.0, width=0.1)
