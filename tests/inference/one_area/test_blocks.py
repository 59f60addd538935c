"""DeLong's variance of data longer than one block: every block takes up where the one before it ended."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from roclab._core.blocks import blocks
from roclab.data.tally import Tally
from roclab.inference.one_area import delong
from tests.strategies import TWO_OR_MORE
from tests.twins import brute_auc, psi


@pytest.fixture
def short_blocks(monkeypatch):
    """Blocks of two distinct scores, so that the seven scores of the strategies fill four of them."""
    monkeypatch.setattr(delong, "blocks", lambda length: blocks(length, size=2))


def brute_parts(pos, neg):
    """Variance of the structural components over the number of cases, pair by pair in exact fractions."""
    area = brute_auc(pos, neg)
    v10 = [sum(psi(x, y) for y in neg) / len(neg) for x in pos]
    v01 = [sum(psi(x, y) for x in pos) / len(pos) for y in neg]
    return [sum((v - area) ** 2 for v in each) / Fraction(len(each) * (len(each) - 1)) for each in (v10, v01)]


def check(pos, neg):
    tally = Tally.from_samples(np.array(pos, float), np.array(neg, float))
    found = delong.delong_parts(tally, float(brute_auc(pos, neg)))
    # A few dozen sums of numbers below 1: rounding stays far below 1e-13.
    assert (found.pos, found.neg) == pytest.approx([float(part) for part in brute_parts(pos, neg)], abs=1e-13)


def test_spreads_definition_of_four_blocks_with_ties(short_blocks):
    pos, neg = [6, 6, 5, 4, 4, 3, 2, 2, 0, 6, 1], [6, 5, 5, 4, 3, 3, 2, 1, 1, 0, 0, 0, 4]
    assert len(list(delong.blocks(len({*pos, *neg})))) == 4
    check(pos, neg)


# The fixture is the same for every example: nothing has to be set up again between them.
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pos=TWO_OR_MORE, neg=TWO_OR_MORE)
def test_spreads_property_of_short_blocks_equal_their_definition(short_blocks, pos, neg):
    check(pos, neg)
