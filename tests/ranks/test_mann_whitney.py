"""The Mann-Whitney test: oracles, enumeration, scipy and a published example."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from roclab.ranks.mann_whitney import mann_whitney
from tests.conftest import oracle
from tests.strategies import TWO_OR_MORE


@pytest.mark.parametrize("name", ["wmw_no_ties", "wmw_ties", "wmw_all_tied"])
def test_mann_whitney_oracle(name):
    case = oracle(name)
    x, y, want = case["inputs"]["x"], case["inputs"]["y"], case["expected"]
    got = mann_whitney(x, y)
    close = lambda value: pytest.approx(value, abs=case["tolerance_abs"])  # noqa: E731
    assert (got.rank_sum1, got.rank_sum2, got.u1, got.u2) == (want["R1"], want["R2"], want["U1"], want["U2"])
    assert got.area == close(want["auc"])
    assert got.z == close(want["z_doc"])
    for ours, key in ((got.z_tie_corrected, "z_tie_corrected"), (got.z_continuity, "z_cc")):
        if want[key] is None:
            assert "ranks do not vary" in ours.reason
        else:
            assert ours == close(want[key])
    assert mann_whitney(x, y, method="uncorrected").p_value == close(want["p_doc"])
    assert got.method == "exact"
    assert got.p_value == close(want["exact_p_two_sided"])
    assert mann_whitney(x, y, alternative="less").p_value == close(want["exact_p_less"])
    assert mann_whitney(x, y, alternative="greater").p_value == close(want["exact_p_greater"])
    if want["p_tie_corrected"] is not None:
        assert mann_whitney(x, y, method="normal").p_value == close(want["p_tie_corrected"])
        assert mann_whitney(x, y, method="continuity").p_value == close(want["p_cc"])


@given(x=st.lists(st.integers(0, 4), min_size=1, max_size=5), y=st.lists(st.integers(0, 4), min_size=1, max_size=5))
def test_exact_p_property_equals_enumeration(x, y):
    """Every choice of which values belong to the first sample, written out."""
    pooled = np.array([*x, *y], float)
    wins = lambda a, b: sum((p > q) + (p == q) / 2 for p in a for q in b)  # noqa: E731
    observed = wins(x, y)
    every = []
    for chosen in combinations(range(pooled.size), len(x)):
        inside = np.isin(np.arange(pooled.size), chosen)
        every.append(wins(pooled[inside], pooled[~inside]))
    every = np.array(every)
    less, greater = np.mean(every <= observed), np.mean(every >= observed)
    assert mann_whitney(x, y, alternative="less").p_value == pytest.approx(less)
    assert mann_whitney(x, y, alternative="greater").p_value == pytest.approx(greater)
    assert mann_whitney(x, y).p_value == pytest.approx(min(1, 2 * min(less, greater)))


@given(x=TWO_OR_MORE, y=TWO_OR_MORE)
def test_mann_whitney_property_against_scipy(x, y):
    from scipy.stats import mannwhitneyu

    assume(len({*x, *y}) > 1)
    for method, options in (("normal", {"use_continuity": False}), ("continuity", {"use_continuity": True})):
        want = mannwhitneyu(x, y, method="asymptotic", **options).pvalue
        assert mann_whitney(x, y, method=method).p_value == pytest.approx(min(want, 1.0), abs=1e-12)


def test_exact_without_ties_oracle_by_scipy_at_the_limit():
    from scipy.stats import mannwhitneyu

    rng = np.random.default_rng(1)
    x, y = rng.normal(0.4, 1, 27), rng.normal(size=33)
    assert mann_whitney(x, y).p_value == pytest.approx(mannwhitneyu(x, y, method="exact").pvalue, rel=1e-10)
    assert mann_whitney(rng.normal(size=61), [0.0]).method == "normal"


def test_mason_graham_exact_p_published(published_table):
    """Mason and Graham 2002: area .875 without ties, exact one-sided p .0070."""
    table = published_table("mason_graham_2002.csv")
    event = table["event"].astype(int) == 1
    p = table["p_noties"].astype(float)
    assert round(mann_whitney(p[event], p[~event], alternative="greater").p_value, 4) == 0.0070
