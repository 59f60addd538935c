"""Cochran's Q of small groups, whose spreads are drawn towards their mean, against a definition group by group."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chi2

from roclab.inference.one_area.grouped import areas_by_group
from roclab.inference.one_area.heterogeneity import heterogeneity_of_groups
from tests.twins import brute_auc, psi

EXTRA = 30  # cases that the docstring promises the mean spread to count for
GROUP = st.tuples(st.lists(st.integers(0, 4), max_size=6), st.lists(st.integers(0, 4), max_size=6))


def spread(components):
    """Sample variance; None of one case, which shows none."""
    if len(components) < 2:
        return None
    mean = sum(components) / len(components)
    return sum((one - mean) ** 2 for one in components) / (len(components) - 1)


def spreads_of(components):
    return [spread(each) for each in components]


def drawn(spreads, sizes):
    """Each spread averaged with that of all groups: by degrees of freedom, and as if of 30 more cases."""
    seen = [(s, n - 1) for s, n in zip(spreads, sizes, strict=True) if s is not None]
    freedom = sum(df for _, df in seen)
    common = sum(s * df for s, df in seen) / freedom if freedom else Fraction(0)
    out = []
    for s, n in zip(spreads, sizes, strict=True):
        df = 0 if s is None else n - 1
        out.append(((0 if s is None else s * df) + EXTRA * common) / (df + EXTRA))
    return out


def brute_q(groups):
    """Common area, Q and its degrees of freedom from groups of (positives, negatives), in exact fractions."""
    groups = [(pos, neg) for pos, neg in groups if pos and neg]
    areas = [brute_auc(pos, neg) for pos, neg in groups]
    v10 = [[sum(psi(x, y) for y in neg) / len(neg) for x in pos] for pos, neg in groups]
    v01 = [[sum(psi(x, y) for x in pos) / len(pos) for y in neg] for pos, neg in groups]
    n_pos, n_neg = [len(pos) for pos, _ in groups], [len(neg) for _, neg in groups]
    of_pos, of_neg = drawn(spreads_of(v10), n_pos), drawn(spreads_of(v01), n_neg)
    variances = [a / p + b / n for a, p, b, n in zip(of_pos, n_pos, of_neg, n_neg, strict=True)]
    if not all(variances):
        return None
    weights = [1 / variance for variance in variances]
    common = sum(w * a for w, a in zip(weights, areas, strict=True)) / sum(weights)
    return common, sum(w * (a - common) ** 2 for w, a in zip(weights, areas, strict=True)), len(groups) - 1


def asked(groups):
    rows = [(label, s, at) for at, (pos, neg) in enumerate(groups) for label, of in ((1, pos), (0, neg)) for s in of]
    label, score, group = (np.array(column) for column in zip(*rows, strict=True))
    return heterogeneity_of_groups(areas_by_group(label == 1, score.astype(float), group, len(groups)))


def check(groups, wanted):
    common, q, df = (float(one) for one in wanted)
    found = asked(groups)
    # Sums of a few dozen numbers of order 1, divided by variances of at least 1e-3: 1e-9 is far above rounding.
    assert found.estimate == pytest.approx(common, rel=1e-9)
    assert found.statistic == pytest.approx(q, rel=1e-9, abs=1e-9)
    assert found.p_value == pytest.approx(chi2.sf(q, df), abs=1e-9)
    assert found.distribution == f"chi-squared, {df:g} df"
    assert found.notes == ()


def test_cochran_q_definition_of_small_groups():
    """Of unequal sizes: one that separates its classes, one with a single positive, one without negatives."""
    groups = [
        ([3, 4, 4, 2], [0, 1, 1]),
        ([1, 2, 2, 3, 0], [1, 2, 0, 0, 3, 2, 1]),
        ([2], [2, 1, 3, 0]),
        ([1, 2], []),
        ([0, 1, 4, 4, 3, 3], [2, 2, 1]),
    ]
    check(groups, brute_q(groups))


@given(groups=st.lists(GROUP, min_size=2, max_size=4))
def test_cochran_q_property_of_small_groups_equals_its_definition(groups):
    assume(sum(bool(pos and neg) for pos, neg in groups) >= 2)
    wanted = brute_q(groups)
    assume(wanted is not None)  # every group separates its classes: the plain test answers, which is tested on its own
    check(groups, wanted)
