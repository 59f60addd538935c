"""Does a difference between scores differ between groups? Against scipy's Welch tests, and by simulation."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
from scipy.stats import f_oneway, ttest_ind

import roclab as rl
from roclab.inference.comparison.interaction import welch_anova
from roclab.inference.welch import EstimatedVariance


def samples(sizes, seed):
    rng = np.random.default_rng(seed)
    return [rng.normal(at, 1 + at, size) for at, size in enumerate(sizes)]


def spreads(parts):
    return [EstimatedVariance(part.var(ddof=1) / part.size, part.size - 1) for part in parts]


def test_two_groups_are_welch_t():
    parts = samples((8, 15), 1)
    want = ttest_ind(*parts, equal_var=False)
    statistic, df, p_value, _ = welch_anova([part.mean() for part in parts], spreads(parts))
    assert statistic == pytest.approx(want.statistic**2)
    assert df == pytest.approx(want.df)
    assert p_value == pytest.approx(want.pvalue)


@pytest.mark.skipif("equal_var" not in inspect.signature(f_oneway).parameters, reason="scipy before 1.16 has none")
def test_three_groups_are_welch_anova():
    parts = samples((8, 15, 30), 2)
    want = f_oneway(*parts, equal_var=False)
    statistic, _, p_value, _ = welch_anova([part.mean() for part in parts], spreads(parts))
    assert statistic == pytest.approx(want.statistic)
    assert p_value == pytest.approx(want.pvalue)


def cases(rng, sizes, gap):
    """Two scores with a common part; in the last group the second is worse by ``gap``."""
    y, a, b, ward = [], [], [], []
    for at, (n_pos, n_neg) in enumerate(sizes):
        label = np.repeat([1, 0], [n_pos, n_neg])
        common = rng.normal(size=label.size)
        last = gap if at == len(sizes) - 1 else 0.0
        y.append(label)
        a.append(1.2 * label + common + rng.normal(size=label.size))
        b.append((1.2 - last) * label + common + rng.normal(size=label.size))
        ward.append(np.full(label.size, f"ward {at + 1}"))
    return np.concatenate(y), {"a": np.concatenate(a), "b": np.concatenate(b)}, np.concatenate(ward)


def test_a_difference_in_one_group_is_seen():
    y, scores, ward = cases(np.random.default_rng(3), [(80, 80), (80, 80), (80, 80)], 1.2)
    found = rl.compare(y, scores, by=ward)
    (test,) = found.tests
    assert test.p_value < 0.01
    assert str(found).startswith("Is the difference a - b the same in all groups? F(2, ")
    restored = rl.results.ByGroup.from_json(found.to_json())
    assert restored.tests[0].p_value == test.p_value
    assert found.each(lambda one: one.pair("a", "b")).tests == ()


def test_large_groups_are_cochran_q():
    y, scores, ward = cases(np.random.default_rng(4), [(4000, 4000)] * 3, 0.05)
    found = rl.compare(y, scores, by=ward)
    pairs = [one.pair("a", "b") for one in found.results.values()]
    d, w = np.array([one.difference for one in pairs]), np.array([one.standard_error**-2 for one in pairs])
    q = float(np.sum(w * (d - np.average(d, weights=w)) ** 2))
    assert found.tests[0].statistic * 2 == pytest.approx(q, rel=1e-2)


def test_groups_without_a_test():
    y, scores, ward = cases(np.random.default_rng(5), [(20, 20), (20, 20)], 0.0)
    same = rl.compare(y, {"a": scores["a"], "b": scores["a"]}, by=ward).tests[0]
    assert same.p_value == pytest.approx(1) or math.isnan(same.p_value)
    assert rl.compare(y, scores, by=["all"] * y.size).tests == ()
    ids = np.arange(y.size) // 2
    assert "different ones" in rl.compare(y, scores, by=ward, ids=ids).tests[0].notes[0]


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[(20, 20)] * 2, [(15, 40)] * 4])
def test_equal_groups_are_not_accused(sizes):
    rng = np.random.default_rng(6)
    rejected = sum(_p(rng, sizes) < 0.05 for _ in range(400))
    assert rejected / 400 < 0.085


def _p(rng, sizes):
    y, scores, ward = cases(rng, sizes, 0.0)
    return rl.compare(y, scores, by=ward).tests[0].p_value
