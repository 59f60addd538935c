"""The Kruskal-Wallis test: oracles, scipy, and two groups as a Mann-Whitney test."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from roclab.rank_tests.kruskal_wallis import kruskal_wallis
from roclab.rank_tests.mann_whitney import mann_whitney
from tests.conftest import oracle
from tests.strategies import SCORES


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
    # Near 0 p falls with the root of H, so a rounding of 1e-14 in H is one of 1e-7 in p.
    assert got.p_value == pytest.approx(want.pvalue, abs=1e-6)


def test_kruskal_wallis_of_equal_values_has_no_p_value():
    assert "ranks do not vary" in kruskal_wallis([[2, 2], [2], [2, 2, 2]]).p_value.reason


@given(x=SCORES, y=SCORES)
def test_kruskal_wallis_property_of_two_groups_is_the_square_of_z(x, y):
    assume(len({*x, *y}) > 1)
    z = mann_whitney(x, y).z_tie_corrected
    assert kruskal_wallis([x, y]).h_tie_corrected == pytest.approx(z**2, abs=1e-9)
