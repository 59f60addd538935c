"""The Mann-Whitney test: oracles, enumeration, scipy and a published example."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from roclab.rank_tests.mann_whitney import mann_whitney
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


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_continuity_correction_oracle_is_toward_the_tested_side(seed, alternative):
    """SciPy's is R's; small samples lie on either side of the centre, and on it."""
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 9, rng.integers(3, 9)), rng.integers(0, 9, rng.integers(3, 9))
    known = scipy.stats.mannwhitneyu(x, y, alternative=alternative, method="asymptotic", use_continuity=True)
    found = mann_whitney(x, y, alternative=alternative, method="continuity")
    assert found.p_value == pytest.approx(min(known.pvalue, 1.0), rel=1e-12)


def test_continuity_correction_published_by_r_and_scipy():
    """R's wilcox.test(correct = TRUE), which SciPy's tests quote: the side that the data do not point to."""
    x = [210.052110, 110.190630, 307.918612]
    y = [436.08811482466416, 416.37397329768191, 179.96975939463582, 197.8118754228619, 34.038757281225756,
         138.54220550921517, 128.7769351470246, 265.92721427951852, 275.6617533155341, 592.34083395416258,
         448.73177590617018, 300.61495185038905, 187.97508449019588]  # fmt: skip
    found = mann_whitney(x, y, alternative="greater", method="continuity")
    assert (found.u1, found.p_value) == (16.0, pytest.approx(0.7047591913255073, rel=1e-12))


def test_continuity_correction_definition_at_the_centre():
    found = mann_whitney([1, 4], [2, 3], alternative="greater", method="continuity")
    assert found.u1 == 2.0
    assert found.p_value == pytest.approx(0.6507323, abs=5e-8)  # half a step before U, sd sqrt(5/3): not one half
