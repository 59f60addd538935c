"""Different cases, groups, several tests, clusters: against packages and definitions."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import chi2, norm, studentized_range

from roclab.inference.rates.clustered_pairs import (
    clustered_tango,
    discordant_correlation,
    durkalski_test,
    eliasziw_donner_test,
    obuchowski_limits,
    obuchowski_test,
    paired_effect,
    yang_test,
)
from roclab.inference.rates.cochran import cochran_q
from roclab.inference.rates.gaps import equal_rates_test, group_gap, range_deviate
from roclab.inference.rates.independent import (
    agresti_caffo_limits,
    fisher_p,
    miettinen_nurminen_limits,
    miettinen_nurminen_statistic,
)
from tests.inference.rates.oracle_files import cases_of

Z = float(norm.ppf(0.975))


@pytest.mark.parametrize("case", cases_of("rates_independent"), ids=lambda case: case["id"])
def test_different_cases_oracle(case):
    at = tuple(case["inputs"][name] for name in ("x1", "n1", "x2", "n2"))
    expected, close = case["expected"], {"abs": case["tolerance_abs"]}
    assert miettinen_nurminen_limits(*at, Z) == pytest.approx(expected["miettinen_nurminen"], **close)
    assert agresti_caffo_limits(*at, Z) == pytest.approx(expected["agresti_caffo"], **close)
    assert fisher_p(*at) == pytest.approx(expected["fisher_p"], **close)
    assert fisher_p(*at, mid=True) == pytest.approx(expected["fisher_midp"], **close)
    below, above = (
        float(norm.sf(way * miettinen_nurminen_statistic(*at, null))) for way, null in ((1, -0.1), (-1, 0.1))
    )
    assert below == pytest.approx(expected["noninferiority_score_p"], **close)
    assert max(below, above) == pytest.approx(expected["tost_score_p"], **close)
    _, _, p = equal_rates_test([at[0], at[2]], [at[1], at[3]])
    assert p == pytest.approx(expected["chi2_p"], **close)


def brute_miettinen(x1, n1, x2, n2, null):
    def lost(two):
        parts = [(x1, two + null), (n1 - x1, 1 - two - null), (x2, two), (n2 - x2, 1 - two)]
        return -sum(count * math.log(max(share, 1e-300)) for count, share in parts if count)

    low, high = max(0.0, -null), min(1.0, 1 - null)
    two = minimize_scalar(lost, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
    two = min([two, low, high], key=lost)
    one = two + null
    variance = (one * (1 - one) / n1 + two * (1 - two) / n2) * (n1 + n2) / (n1 + n2 - 1)
    return (x1 / n1 - x2 / n2 - null) / math.sqrt(variance) if variance > 1e-8 else math.nan


@given(
    counts=st.tuples(st.integers(1, 12), st.integers(1, 12)).flatmap(
        lambda n: st.tuples(st.integers(0, n[0]), st.just(n[0]), st.integers(0, n[1]), st.just(n[1]))
    ),
    null=st.sampled_from([-0.5, -0.1, 0.0, 0.07, 0.4]),
)
def test_miettinen_nurminen_property_equals_its_likelihood(counts, null):
    wanted = brute_miettinen(*counts, null)
    if not math.isnan(wanted):
        assert miettinen_nurminen_statistic(*counts, null) == pytest.approx(wanted, rel=1e-4, abs=1e-4)
    low, high = miettinen_nurminen_limits(*counts, Z)
    assert -1 <= low <= counts[0] / counts[1] - counts[2] / counts[3] <= high <= 1


@pytest.mark.parametrize("case", cases_of("group_gaps"), ids=lambda case: case["id"])
def test_gaps_oracle(case):
    hits, cases = (np.array(case["inputs"][name], dtype=float) for name in ("successes", "cases"))
    found, expected, close = group_gap(hits / cases, cases), case["expected"], {"abs": case["tolerance_abs"]}
    assert range_deviate(len(hits), 0.95) == pytest.approx(expected["critical"], **close)
    assert found.gap == pytest.approx(expected["largest_gap"], **close)
    assert found.limits == pytest.approx(expected["interval"], **close)
    for (i, j, difference, limits), wanted in zip(found.pairs, expected["pairs"], strict=True):
        assert (i, j, difference, *limits) == pytest.approx(tuple(wanted), **close)
    statistic, df, p = equal_rates_test(hits, cases)
    assert (statistic, df, p) == pytest.approx((expected["chi2"], len(hits) - 1, expected["p"]), **close)


@pytest.mark.parametrize(("groups", "level"), [(2, 0.9), (5, 0.95), (10, 0.95**0.5)])
def test_the_range_of_normal_values_has_scipys_quantiles(groups, level):
    assert range_deviate(groups, level) == pytest.approx(
        studentized_range.ppf(level, groups, np.inf) / 2**0.5, rel=1e-6
    )


def test_equal_rates_have_a_gap_from_0_on_and_the_order_of_groups_does_not_matter():
    found = group_gap(np.array([0.8, 0.8]), np.array([40.0, 40.0]))
    assert (found.gap, found.limits[0]) == (0.0, 0.0)
    one = group_gap(np.array([0.9, 0.75, 0.6]), np.array([50.0, 40.0, 30.0]))
    two = group_gap(np.array([0.6, 0.9, 0.75]), np.array([30.0, 50.0, 40.0]))
    assert one.limits == pytest.approx(two.limits)


@pytest.mark.slow
@pytest.mark.parametrize(("rates", "n"), [((0.85, 0.85, 0.85), 40), ((0.7, 0.7, 0.8, 0.8), 60)])
def test_the_largest_gap_is_covered_by_simulation(rates, n):
    rng, true, kept = np.random.default_rng(4), max(rates) - min(rates), 0
    for _ in range(600):
        low, high = group_gap(rng.binomial(n, rates) / n, np.full(len(rates), float(n))).limits
        kept += low <= true <= high
    assert kept / 600 > 0.93  # .95 less three Monte-Carlo errors


@pytest.mark.parametrize("case", cases_of("cochran_q"), ids=lambda case: case["id"])
def test_cochran_oracle(case):
    calls = np.array(case["inputs"]["calls"], dtype=bool)
    patterns, cases = np.unique(calls, axis=0, return_counts=True)
    found, expected = cochran_q(patterns, cases.astype(float)), case["expected"]
    assert (found.statistic, found.p_value) == pytest.approx((expected["Q"], expected["p"]), abs=case["tolerance_abs"])
    assert found.distribution == f"chi-squared, {expected['df']} df"


def test_cochran_of_two_tests_is_mcnemar_and_none_without_disagreement_definition():
    patterns = np.array([[1, 1], [1, 0], [0, 1], [0, 0]], dtype=bool)
    found = cochran_q(patterns, np.array([319.0, 78, 22, 32]))
    assert found.statistic == pytest.approx(31.36)
    assert found.p_value == pytest.approx(chi2.sf(31.36, 1))
    alike = cochran_q(patterns[[0, 3]], np.array([4.0, 4.0]))
    assert alike.p_value.reason == "all tests call every case alike"


@pytest.mark.parametrize("case", cases_of("clustered_pairs"), ids=lambda case: case["id"])
def test_clustered_pairs_oracle(case):
    table, expected = np.array(case["inputs"]["table"], dtype=float), case["expected"]
    close = {"abs": case["tolerance_abs"]}
    assert paired_effect(table) == pytest.approx(expected["design_effect"], **close)
    assert clustered_tango(table) == pytest.approx(expected["rao_scott_tango_t"], **close)
    assert obuchowski_limits(table) == pytest.approx(expected["obuchowski_t"], **close)
    for name, test in (("obuchowski", obuchowski_test), ("durkalski", durkalski_test), ("yang", yang_test),
                       ("eliasziw", eliasziw_donner_test)):  # fmt: skip
        wanted = expected["tests"][name]
        assert test(table) == pytest.approx((wanted["statistic"], wanted["p"]), **close)


def mean_squares_case_by_case(table):
    """Mean squares of four indicators of every pair, summed, without any formula of counts."""
    between = within = 0.0
    sizes = table.sum(axis=1)
    for kind in range(4):
        pairs = [[1.0] * int(row[kind]) + [0.0] * int(row.sum() - row[kind]) for row in table]
        grand = sum(map(sum, pairs)) / sum(map(len, pairs))
        between += sum(len(one) * (sum(one) / len(one) - grand) ** 2 for one in pairs) / len(table)
        within += sum((value - sum(one) / len(one)) ** 2 for one in pairs for value in one)
    return between, within / (sizes.sum() - len(table))


TABLES = st.lists(st.tuples(*[st.integers(0, 3)] * 4).filter(any), min_size=2, max_size=8).map(
    lambda rows: np.array(rows, dtype=float)
)


@given(table=TABLES)
def test_eliasziw_and_donner_definition(table):
    sizes, discordant = table.sum(axis=1), table[:, 1] + table[:, 2]
    statistic, p = eliasziw_donner_test(table)
    assert p == pytest.approx(chi2.sf(statistic, 1))
    assume(discordant.sum() > 0)
    plain = (table[:, 1].sum() - table[:, 2].sum()) ** 2 / discordant.sum()
    alike = 0.0
    if sizes.max() > 1:
        between, within = mean_squares_case_by_case(table)
        typical = sizes.mean() - np.var(sizes, ddof=1) / (len(sizes) * sizes.mean())
        rho = (between - within) / (between + (typical - 1) * within)
        if rho > 0:
            odds = rho / (1 - rho) if rho < 1 else math.inf
            alike = 1 / (1 + discordant.sum() / sizes.sum() / odds)
    assert discordant_correlation(table) == pytest.approx(alike, abs=1e-9)
    # a discordant pair drawn at random has so many in its cluster
    around = sum(s * s for s in discordant) / sum(discordant)
    assert statistic == pytest.approx(plain / (1 + (around - 1) * alike))


@given(table=TABLES)
def test_yang_definition(table):
    k, apart, sizes = len(table), table[:, 1] - table[:, 2], table.sum(axis=1)
    share = sum(apart) / sum(sizes)
    variance = sum(d * d + (d - m * share) ** 2 for d, m in zip(apart, sizes, strict=True)) / 2 * k / (k - 1)
    wanted = sum(apart) ** 2 / variance if variance > 1e-12 else 0.0
    assert yang_test(table)[0] == pytest.approx(wanted)


def test_no_discordant_pair_speaks_for_neither_test():
    assert eliasziw_donner_test(np.array([[3.0, 0, 0, 1], [2, 0, 0, 0]])) == (0.0, 1.0)


def test_clusters_of_one_case_have_mcnemars_statistic_definition():
    table = np.array([[0, 1, 0, 0]] * 9 + [[0, 0, 1, 0]] * 4 + [[1, 0, 0, 0]] * 5, float)
    assert eliasziw_donner_test(table)[0] == pytest.approx(25 / 13)


def test_clusters_of_one_case_are_worth_their_cases_definition():
    cells = [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]
    table = np.array([cell for cell, times in zip(cells, (30, 9, 4, 7), strict=True) for _ in range(times)], float)
    assert paired_effect(table) == pytest.approx(len(table) / (len(table) - 1))


def test_fisher_counts_all_tables_that_are_no_likelier_definition():
    x1, n1, x2, n2 = 3, 8, 6, 9
    chance = {k: math.comb(n1, k) * math.comb(n2, x1 + x2 - k) for k in range(n1 + 1) if 0 <= x1 + x2 - k <= n2}
    every = sum(chance.values())
    assert fisher_p(x1, n1, x2, n2) == pytest.approx(sum(c for c in chance.values() if c <= chance[x1]) / every)
    alike = sum(c for c in chance.values() if c == chance[x1])
    assert fisher_p(x1, n1, x2, n2) - fisher_p(x1, n1, x2, n2, mid=True) == pytest.approx(alike / every / 2)


@pytest.mark.slow
def test_miettinen_nurminen_covers_by_enumeration():
    n1, n2 = 15, 25
    limits = {(x, y): miettinen_nurminen_limits(x, n1, y, n2, Z) for x, y in product(range(n1 + 1), range(n2 + 1))}
    for one, two in ((0.9, 0.8), (0.5, 0.5), (0.7, 0.3)):
        kept = sum(
            math.comb(n1, x) * one**x * (1 - one) ** (n1 - x) * math.comb(n2, y) * two**y * (1 - two) ** (n2 - y)
            for (x, y), (low, high) in limits.items()
            if low <= one - two <= high
        )
        assert kept > 0.93
