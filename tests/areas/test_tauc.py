"""The unbiased tAUC and the family of weights (1 - FPR)^k; tAUC itself is in the tests of every method."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.areas.empirical import auc as empirical_auc
from roclab.areas.tauc import early_area, tauc, tauc_unbiased
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError


def brute_unbiased(pos, neg):
    """All triples of a positive and two different negatives, ties broken in all orders."""
    total, count = 0.0, 0
    for x in pos:
        for k, z in enumerate(neg):
            for j, y in enumerate(neg):
                if j == k:
                    continue
                count += 1
                if x == z == y:
                    total += 1 / 6
                elif x >= z >= y:
                    total += 1 if x > z > y else 1 / 2
    return total / count


@given(pos=st.lists(st.integers(0, 4), min_size=1, max_size=6), neg=st.lists(st.integers(0, 4), min_size=2, max_size=7))
def test_unbiased_tauc_definition(pos, neg):
    tally = Tally.from_samples(np.array(pos, float), np.array(neg, float))
    assert tauc_unbiased(tally) == pytest.approx(brute_unbiased(pos, neg), abs=1e-12)


def test_unbiased_tauc_identity_and_simulation():
    """5 + 5 normals, truth .3169: plug-in .3293, unbiased .3167 (20 000 samples, error .0008)."""
    rng = np.random.default_rng(4)
    plug_in, unbiased = [], []
    for _ in range(4000):
        tally = Tally.from_samples(rng.normal(1, 1, 5), rng.normal(0, 1, 5))
        plug_in.append(tauc(roc_curve(tally)))
        unbiased.append(tauc_unbiased(tally))
        if len(unbiased) < 50:
            area = empirical_auc(tally)
            assert unbiased[-1] == pytest.approx((5 * plug_in[-1] - area / 2) / 4, abs=1e-12)
    assert np.mean(unbiased) == pytest.approx(0.3169, abs=0.006)
    assert np.mean(plug_in) - np.mean(unbiased) == pytest.approx(0.0126, abs=0.002)


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 2.0, 3.7])
def test_weight_family_definition_and_limits(power):
    tally = Tally.from_samples(np.array([3.0, 2.0, 2.0, 5.0]), np.array([1.0, 2.0, 3.0, 0.0, 4.0]))
    curve = roc_curve(tally)
    f = np.linspace(0, 1, 400_001)
    middle = (f[1:] + f[:-1]) / 2
    expected = np.mean(np.interp(middle, curve.fpr, curve.tpr) * (1 - middle) ** power)
    assert early_area(curve, power) == pytest.approx(expected, abs=1e-5)
    perfect, chance = curve_from_points([0], [1]), curve_from_points([0.5], [0.5])
    assert early_area(perfect, power) == pytest.approx(1 / (power + 1))
    assert early_area(chance, power) == pytest.approx(1 / ((power + 1) * (power + 2)))
    if power == 0:
        assert early_area(curve, power) == pytest.approx(empirical_auc(tally))
    if power == 1:
        assert early_area(curve, power) == pytest.approx(tauc(curve))


def test_weight_family_errors():
    with pytest.raises(InputError, match="power must be at least 0"):
        early_area(curve_from_points([0.5], [0.5]), -1)
