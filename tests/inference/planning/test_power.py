"""Planning: published numbers, symmetry, round trips and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

import roclab as rl
from roclab.errors import InputError
from roclab.inference.planning.power import area_variance_times_positives
from roclab.names import PLAN_VARIANCES


def test_one_area_published_by_proc():
    """power.roc.test of pROC on aSAH: power, sizes and detectable area."""
    s100b = 0.7313685637
    assert rl.planning.plan_one_area(area=s100b, n_pos=41, n_neg=72).power == pytest.approx(0.9904832528, abs=5e-10)
    plan = rl.planning.plan_one_area(area=s100b, power=0.9, ratio=72 / 41)
    assert (plan.n_pos, plan.n_neg) == pytest.approx((23.5598674, 41.37342567), abs=5e-7)
    assert rl.planning.plan_one_area(area=0.8, power=0.9).n_pos == pytest.approx(16.6191992, abs=5e-8)
    one_sided = rl.planning.plan_one_area(area=0.7, power=0.9, alternative="one-sided")
    assert one_sided.n_pos == pytest.approx(32.65396524, abs=5e-8)
    # pROC's root finder stops at 1e-5.
    assert rl.planning.plan_one_area(n_pos=41, n_neg=72, power=0.95).area == pytest.approx(0.6961054392, abs=1e-5)


@pytest.mark.parametrize(
    ("a", "b", "n_pos", "n_neg", "truth"),
    [(1.5, 1, 100, 100, 6.5e-4), (1.5, 0.5, 200, 50, 3.1e-4), (1.5, 2, 50, 200, 9.1e-4)],
)
def test_binormal_variance_published_truth(a, b, n_pos, n_neg, truth):
    """Simulated variances; forgetting the covariance term gives 9.6e-4, 9.4e-4 and 2.2e-3."""
    area = float(ndtr(a / math.sqrt(1 + b * b)))
    got = area_variance_times_positives(area, ratio=n_neg / n_pos, variance="binormal", n_pos=n_pos, b=b) / n_pos
    assert got == pytest.approx(truth, rel=0.03)


@given(
    one=st.floats(0.55, 0.95),
    two=st.floats(0.55, 0.95),
    r=st.floats(0, 0.8),
    ratio=st.floats(0.3, 3),
    variance=st.sampled_from(PLAN_VARIANCES),
)
def test_two_areas_property_symmetric_in_its_arguments(one, two, r, ratio, variance):
    assume(abs(one - two) >= 0.01)
    there = rl.planning.plan_two_areas(area=one, other=two, correlation=r, power=0.8, ratio=ratio, variance=variance)
    back = rl.planning.plan_two_areas(area=two, other=one, correlation=r, power=0.8, ratio=ratio, variance=variance)
    assert there.n_pos == pytest.approx(back.n_pos, rel=1e-12)


@given(area=st.floats(0.6, 0.95), null=st.floats(0.3, 0.55), power=st.floats(0.5, 0.99), ratio=st.floats(0.3, 3),
       variance=st.sampled_from(PLAN_VARIANCES))  # fmt: skip
def test_one_area_property_round_trip(area, null, power, ratio, variance):
    """The size planned for a power has that power, and detects that area."""
    plan = rl.planning.plan_one_area(area=area, null=null, power=power, ratio=ratio, variance=variance)
    assume(plan.n_pos > 1.01)  # otherwise the smallest study there is already has the power
    sizes = {"n_pos": plan.n_pos, "n_neg": plan.n_pos * ratio}
    assert rl.planning.plan_one_area(area=area, null=null, variance=variance, **sizes).power == pytest.approx(
        power, abs=1e-6
    )
    found = rl.planning.plan_one_area(null=null, power=power, variance=variance, **sizes).area
    assert found == pytest.approx(area, abs=1e-4)


def test_more_correlated_areas_need_fewer_cases():
    sizes = [rl.planning.plan_two_areas(area=0.85, other=0.78, correlation=r, power=0.8).n_pos for r in (0, 0.3, 0.6)]
    assert sizes == sorted(sizes, reverse=True)


def test_non_inferiority_is_one_sided_and_shrinks_with_the_margin():
    narrow = rl.planning.plan_two_areas(area=0.8, other=0.8, correlation=0.5, margin=0.03, power=0.8)
    wide = rl.planning.plan_two_areas(area=0.8, other=0.8, correlation=0.5, margin=0.06, power=0.8)
    assert "one-sided at 2.5%" in str(narrow)
    eager = rl.planning.plan_two_areas(
        area=0.8, other=0.8, correlation=0.5, margin=0.03, power=0.8, alternative="one-sided"
    )
    assert "one-sided at 5%" in str(eager)
    assert eager.n_pos < narrow.n_pos
    assert narrow.n_pos == pytest.approx(4 * wide.n_pos, rel=1e-9)


def test_whole_cases_are_rounded_up():
    plan = rl.planning.plan_one_area(area=0.8, power=0.9)
    assert (plan.cases_pos, plan.cases_neg) == (17, 17)
    assert "17 positive and 17 negative cases" in str(plan)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"area": 0.8}, "a plan needs two of area, class sizes and power"),
        ({"area": 0.8, "power": 0.9, "n_pos": 10, "n_neg": 10}, "leave out exactly one"),
        ({"area": 0.8, "n_pos": 10}, "n_pos and n_neg belong together"),
        ({"area": 1.2, "power": 0.9}, "area must lie strictly between 0 and 1, got 1.2"),
        ({"area": 0.8, "power": 1.0}, "power must lie strictly between 0 and 1, got 1.0"),
        ({"area": 0.8, "power": 0.04}, "power must exceed 0.05, the chance of a false alarm"),
        ({"area": 0.5, "power": 0.9}, "there is no difference to see between 0.5 and 0.5"),
        ({"area": 0.8, "power": 0.9, "ratio": 0}, "ratio must be a finite number above 0, got 0"),
        ({"power": 0.999, "n_pos": 2, "n_neg": 2}, "even an area of 1 is not seen"),
        ({"area": 0.8, "power": 0.9, "variance": "exact"}, "variance must be one of 'obuchowski'"),
    ],
)
def test_power_error_messages(options, message):
    with pytest.raises(InputError, match=message):
        rl.planning.plan_one_area(**options)


def test_two_areas_error_messages():
    with pytest.raises(InputError, match="correlation must lie strictly between -1 and 1, got 1"):
        rl.planning.plan_two_areas(area=0.8, other=0.7, correlation=1, power=0.8)
    with pytest.raises(InputError, match="margin must be a finite number above 0, got -0.1"):
        rl.planning.plan_two_areas(area=0.8, other=0.7, margin=-0.1, power=0.8)


@pytest.mark.slow
def test_planned_power_of_one_area_by_simulation():
    """Binormal scores, Wald test on DeLong's error, 1500 samples: Monte-Carlo error 1%."""
    plan = rl.planning.plan_one_area(area=0.75, null=0.6, power=0.8, variance="binormal")
    rng = np.random.default_rng(8)
    shift = math.sqrt(2) * float(ndtri(0.75))
    rejected = 0
    runs = 1500
    for _ in range(runs):
        roc = rl.Roc.from_samples(rng.normal(shift, 1, plan.cases_pos), rng.normal(0, 1, plan.cases_neg))
        rejected += roc.test(null=0.6, test="wald").p_value < 0.05
    assert rejected / runs == pytest.approx(0.8, abs=0.05)


@pytest.mark.slow
def test_planned_power_of_two_areas_by_simulation():
    """Paired binormal scores with the correlation of areas their scores imply; 800 samples, error 1.4%."""
    from roclab.inference.one_area.hanley_mcneil import correlation_of_areas

    one, two, rho = 0.85, 0.75, 0.5
    r = correlation_of_areas((one + two) / 2, rho)
    plan = rl.planning.plan_two_areas(area=one, other=two, correlation=r, power=0.8, variance="binormal")
    rng = np.random.default_rng(9)
    label = np.repeat([True, False], [plan.cases_pos, plan.cases_neg])
    shifts = np.sqrt(2) * ndtri([one, two])
    rejected = 0
    runs = 800
    for _ in range(runs):
        common = rng.normal(size=(label.size, 1))
        noise = math.sqrt(rho) * common + math.sqrt(1 - rho) * rng.normal(size=(label.size, 2))
        scores = noise + label[:, None] * shifts
        pair = rl.compare(label, {"a": scores[:, 0], "b": scores[:, 1]}).pairs[0]
        rejected += pair.p_value < 0.05
    assert rejected / runs == pytest.approx(0.8, abs=0.06)
