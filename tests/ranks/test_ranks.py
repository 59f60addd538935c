"""Rank and Kolmogorov tests: oracles, enumeration, scipy and errors."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from roclab.errors import InputError
from roclab.ranks.discrete import discrete_kolmogorov, one_sided_level
from roclab.ranks.kolmogorov import cdf_band, kolmogorov, smirnov
from roclab.ranks.kruskal_wallis import kruskal_wallis
from roclab.ranks.mann_whitney import mann_whitney
from tests.conftest import oracle
from tests.strategies import SCORES, TWO_OR_MORE


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


@pytest.mark.parametrize("name", ["kruskal_a", "kruskal_two_groups"])
def test_kruskal_wallis_oracle(name):
    case = oracle(name)
    got, want = kruskal_wallis(case["inputs"]["groups"]), case["expected"]
    close = lambda value: pytest.approx(value, abs=1e-9)  # noqa: E731
    assert got.between == close(want["ss_bg"])
    assert got.h == close(want["H"])
    assert got.h_tie_corrected == close(want["H_tie_corrected"])
    assert got.tie_correction == close(want["tie_correction"])
    assert (got.p_uncorrected, got.p_value, got.df) == (close(want["p"]), close(want["p_tie_corrected"]), want["df"])


@given(groups=st.lists(SCORES, min_size=2, max_size=4))
def test_kruskal_wallis_property_against_scipy(groups):
    from scipy.stats import kruskal

    assume(len({value for group in groups for value in group}) > 1)
    want = kruskal(*groups)
    got = kruskal_wallis({str(at): group for at, group in enumerate(groups)})
    assert got.h_tie_corrected == pytest.approx(want.statistic, abs=1e-9)
    assert got.p_value == pytest.approx(want.pvalue, abs=1e-9)


def test_kruskal_wallis_of_equal_values_has_no_p_value():
    assert "ranks do not vary" in kruskal_wallis([[2, 2], [2], [2, 2, 2]]).p_value.reason


@given(x=SCORES, y=SCORES)
def test_kruskal_wallis_property_of_two_groups_is_the_square_of_z(x, y):
    assume(len({*x, *y}) > 1)
    z = mann_whitney(x, y).z_tie_corrected
    assert kruskal_wallis([x, y]).h_tie_corrected == pytest.approx(z**2, abs=1e-9)


def test_kolmogorov_oracle():
    case = oracle("kolmogorov_uniform10")
    got, want = kolmogorov(case["inputs"]["x"], lambda x: x), case["expected"]
    for value, key in (
        (got.t, "T"),
        (got.t_plus, "T_plus"),
        (got.t_minus, "T_minus"),
        (got.p_value, "p_two_sided_exact"),
        (got.p_plus, "p_plus_exact"),
        (got.p_minus, "p_minus_exact"),
        (got.critical, "crit_two_sided_05"),
        (got.critical_one_sided, "crit_one_sided_05"),
    ):
        assert value == pytest.approx(want[key], abs=1e-9), key


def test_discrete_kolmogorov_oracle():
    case = oracle("kolmogorov_discrete_uniform5")
    inputs, want = case["inputs"], case["expected"]
    got = discrete_kolmogorov(inputs["sample"], inputs["support"], inputs["probs"])
    # Differences of rounded shares: their last bit is the order of subtraction.
    assert (got.t, got.t_plus, got.t_minus) == pytest.approx((want["T"], want["T_plus"], want["T_minus"]), abs=1e-15)
    assert got.p_minus == pytest.approx(want["p_minus_at_T"], abs=1e-12)
    assert got.p_two_sided == pytest.approx(want["p_two_sided_doc"], abs=1e-12)
    levels = [Fraction(k, 5) for k in range(6)]
    assert float(one_sided_level(Fraction(2, 5), 10, levels, side="plus")) == pytest.approx(
        want["p_plus_at_T"], abs=1e-12
    )


@pytest.mark.parametrize("probabilities", [["1/2", "1/4", "1/4"], ["1/3", "1/3", "1/3"], [0.7, 0.2, 0.1]])
def test_discrete_levels_definition_by_enumeration(probabilities):
    """All samples of four values from three points, with their chances."""
    chances = [Fraction(str(p)) for p in probabilities]
    n, points = 4, [1, 2, 3]
    levels = [Fraction(0)]
    for p in chances:
        levels.append(levels[-1] + p)
    for t in (Fraction(1, 8), Fraction(1, 4), Fraction(2, 5), Fraction(3, 5)):
        totals = {"plus": Fraction(0), "minus": Fraction(0)}
        for sample in product(points, repeat=n):
            weight = Fraction(1)
            for value in sample:
                weight *= chances[value - 1]
            seen = [Fraction(sum(value <= p for value in sample), n) for p in points]
            if max(level - s for level, s in zip(levels[1:], seen, strict=True)) >= t:
                totals["plus"] += weight
            if max(s - level for level, s in zip(levels[1:], seen, strict=True)) >= t:
                totals["minus"] += weight
        for side, total in totals.items():
            assert one_sided_level(t, n, levels, side=side) == total, (t, side)


def test_discrete_level_of_a_fine_grid_approaches_the_continuous_one():
    from scipy.stats import ksone

    levels = [Fraction(k, 400) for k in range(401)]
    exact = float(one_sided_level(Fraction(3, 10), 12, levels, side="plus"))
    assert exact == pytest.approx(ksone.sf(0.3, 12), rel=0.03)


def test_cdf_band_oracle():
    case = oracle("cdf_band20")
    got, want = cdf_band(case["inputs"]["x"], level=case["inputs"]["level"]), case["expected"]
    assert got.width == pytest.approx(want["w_exact"], abs=1e-6)
    np.testing.assert_allclose(got.x, want["x"])
    for ours, key in ((got.s, "S"), (got.high, "U"), (got.low, "L")):
        np.testing.assert_allclose(ours, want[key], atol=1e-6)


def test_cdf_band_coverage_by_simulation():
    """A 90% band holds the uniform distribution function in 90% of 800 samples (two standard errors 2.1%)."""
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(800):
        band = cdf_band(rng.random(15), level=0.9)
        before = np.concatenate([[0.0], band.s[:-1]])
        hits += np.all(band.s - band.x <= band.width) and np.all(band.x - before <= band.width)
    assert hits / 800 == pytest.approx(0.9, abs=0.025)


def test_smirnov_oracle_by_scipy():
    from scipy.stats import ks_2samp

    rng = np.random.default_rng(4)
    x, y = rng.normal(size=20), rng.normal(0.5, 1, 25)
    got = smirnov(x, y)
    assert got.statistic == pytest.approx(ks_2samp(x, y).statistic, abs=1e-15)  # the same difference, rounded elsewhere
    assert got.p_value == pytest.approx(ks_2samp(x, y, method="exact").pvalue)
    assert got.method == "exact"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mann_whitney([], [1]), "first must hold at least one value"),
        (lambda: mann_whitney([1, float("nan")], [1]), "first must not be missing, got 1 gap in 2 values"),
        (lambda: mann_whitney([1], ["a"]), "second must be numeric"),
        (lambda: kruskal_wallis([[1, 2]]), "groups must hold at least two samples, got 1"),
        (lambda: kruskal_wallis([[1, 2], []]), "group 2 must hold at least one value"),
        (lambda: kolmogorov([0.5], lambda x: 2 * x + 1), "cdf must return a rising value between 0 and 1"),
        (lambda: discrete_kolmogorov([7], [1, 2], ["1/2", "1/2"]), "sample must lie in the support, got 7"),
        (lambda: discrete_kolmogorov([1], [1, 2], ["1/2", "1/3"]), "probabilities must add up to 1, got 0.8333333333"),
        (lambda: discrete_kolmogorov([1], [1, 2], ["1/2", "x"]), "probabilities must be numbers or fractions"),
        (lambda: discrete_kolmogorov([1], [1, 1], ["1/2", "1/2"]), "support must hold distinct values"),
    ],
)
def test_rank_error_messages(call, message):
    with pytest.raises(InputError, match=message):
        call()
