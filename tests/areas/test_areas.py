"""Areas against their definitions, and the identities between them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab._core.blocks import BLOCK
from roclab.areas.empirical import (
    auc,
    auc_of_arrays,
    losses_by_position,
    optimistic_auc,
    pessimistic_auc,
    trapezoid,
)
from roclab.areas.methods import METHODS, area_method
from roclab.areas.partial import partial_area
from roclab.areas.tauc import tauc, tauc_half_ties, tauc_indicator
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError
from tests import twins
from tests.strategies import SCORES, labelled, ranges


def of(pos, neg):
    return Tally.from_samples(np.array(pos, float), np.array(neg, float))


@given(pos=SCORES, neg=SCORES)
def test_auc_property_equals_its_definition(pos, neg):
    assert auc(of(pos, neg)) == pytest.approx(float(twins.brute_auc(pos, neg)), rel=1e-14)


@pytest.mark.parametrize("kind", [np.bool_, np.uint8, np.int64])
@pytest.mark.parametrize("size", [2, 5, 100, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
def test_losses_by_position_definition(size, kind):
    """Sums of whole numbers, exactly, in one block and over several; also where a block holds one class."""
    random = np.random.default_rng(size).random(size) < 0.3
    for label in (random, np.arange(size) < size // 2, np.arange(size) >= size // 2):
        lost = [int(place) - k for k, place in enumerate(np.flatnonzero(label))]
        found = losses_by_position(label.astype(kind))
        assert found[:2] == (int(label.sum()), int((~label).sum()))
        sums = sum(lost), sum(u * u for u in lost), sum(k * u for k, u in enumerate(lost))
        assert found[2:] == sums
        assert all(type(number) is int for number in found)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
@given(data=labelled(max_size=40))
def test_auc_of_arrays_property_is_the_tally_auc(dtype, data):
    label, score = data
    for values in (score, score + np.arange(score.size) / 64, score - 3):  # ties, no ties, both signs
        values = values.astype(dtype)
        assert auc_of_arrays(label, values) == auc(Tally.from_labels(label, values))
    extreme = np.where(label, np.inf, -np.inf)
    assert auc_of_arrays(label, extreme) == 1


@given(pos=SCORES, neg=SCORES)
def test_trapezoid_property_equals_mann_whitney(pos, neg):
    tally = of(pos, neg)
    assert trapezoid(roc_curve(tally)) == pytest.approx(auc(tally), abs=1e-14)


@given(pos=SCORES, neg=SCORES)
def test_walks_property_bound_the_area_by_half_the_tied_pairs(pos, neg):
    tally = of(pos, neg)
    tied = sum(x == y for x in pos for y in neg) / (len(pos) * len(neg))
    assert optimistic_auc(tally) - pessimistic_auc(tally) == pytest.approx(tied, abs=1e-14)
    assert trapezoid(roc_curve(tally, ties="optimistic")) == pytest.approx(optimistic_auc(tally), abs=1e-14)
    assert trapezoid(roc_curve(tally, ties="pessimistic")) == pytest.approx(pessimistic_auc(tally), abs=1e-14)


@given(pos=SCORES, neg=SCORES)
def test_tauc_property_equals_its_definition(pos, neg):
    assert tauc(roc_curve(of(pos, neg))) == pytest.approx(float(twins.brute_tauc(pos, neg)), abs=1e-14)


@given(pos=SCORES, neg=SCORES)
def test_tauc_property_identities(pos, neg):
    tally = of(pos, neg)
    area, t = auc(tally), tauc(roc_curve(tally))
    assert 0 <= t <= 0.5 + 1e-15
    assert tauc(roc_curve(tally.reversed())) == pytest.approx(0.5 - area + t, abs=1e-14)
    excess = float(np.sum(tally.pos * tally.neg**2)) / (12 * tally.n_pos * tally.n_neg**2)
    assert tauc_half_ties(tally) == pytest.approx(t + excess, abs=1e-14)


@given(st.permutations(range(12)), st.integers(1, 11))
def test_tauc_indicator_property_exceeds_tauc_by_auc_over_2n_without_ties(order, n_pos):
    tally = of(order[:n_pos], order[n_pos:])
    want = tauc(roc_curve(tally)) + auc(tally) / (2 * tally.n_neg)
    assert tauc_indicator(tally) == pytest.approx(want, abs=1e-14)


def test_tauc_indicator_definition():
    pos, neg = [3, 5, 5, 2], [1, 5, 2, 2, 0]
    triples = sum((x > z) * (z >= y) for x in pos for z in neg for y in neg)
    assert tauc_indicator(of(pos, neg)) == pytest.approx(triples / (len(pos) * len(neg) ** 2))


@given(pos=SCORES, neg=SCORES, cut=ranges())
def test_partial_property_equals_its_definition(pos, neg, cut):
    from fractions import Fraction

    low, high = (Fraction(value).limit_denominator(100) for value in cut)
    got = partial_area(roc_curve(of(pos, neg)), fpr=(float(low), float(high))).area
    assert got == pytest.approx(float(twins.brute_partial(pos, neg, low, high)), abs=1e-12)


@given(pos=SCORES, neg=SCORES, inner=st.lists(st.floats(0.01, 0.99), max_size=4))
def test_partial_property_pieces_add_up_to_the_whole(pos, neg, inner):
    tally = of(pos, neg)
    curve = roc_curve(tally)
    cuts = sorted({0.0, *inner, 1.0})
    for axis in ("fpr", "tpr"):
        pieces = [partial_area(curve, **{axis: pair}).area for pair in itertools.pairwise(cuts)]
        assert sum(pieces) == pytest.approx(auc(tally), abs=1e-12)


@given(pos=SCORES, neg=SCORES, cut=ranges())
def test_partial_tpr_property_is_the_mirrored_fpr_range(pos, neg, cut):
    tally = of(pos, neg)
    low, high = cut
    mirrored = partial_area(roc_curve(tally.mirrored()), fpr=(1 - high, 1 - low)).area
    assert partial_area(roc_curve(tally), tpr=cut).area == pytest.approx(mirrored, abs=1e-12)


@given(pos=SCORES, neg=SCORES, fpr=ranges(), tpr=ranges())
def test_two_way_definition_by_a_fine_grid(pos, neg, fpr, tpr):
    curve = roc_curve(of(pos, neg))
    n = 4000
    middle = fpr[0] + (np.arange(n) + 0.5) / n * (fpr[1] - fpr[0])
    height = np.clip(curve.at(middle), *tpr) - tpr[0]
    want = float(height.mean()) * (fpr[1] - fpr[0])
    # Midpoint rule: wrong by at most one cell at each of at most 14 jumps.
    assert partial_area(curve, fpr=fpr, tpr=tpr).area == pytest.approx(want, abs=15 / n)


@given(pos=SCORES, neg=SCORES, fpr=ranges(), cut=st.sampled_from([0.2, 0.5, 0.7]))
def test_two_way_property_levels_add_up(pos, neg, fpr, cut):
    curve = roc_curve(of(pos, neg))
    lower = partial_area(curve, fpr=fpr, tpr=(0, cut)).area
    upper = partial_area(curve, fpr=fpr, tpr=(cut, 1)).area
    assert lower + upper == pytest.approx(partial_area(curve, fpr=fpr).area, abs=1e-12)


@given(pos=SCORES, neg=SCORES)
def test_average_precision_property_equals_its_definition(pos, neg):
    got = METHODS["average_precision"].estimate(of(pos, neg))
    assert got == pytest.approx(float(twins.brute_average_precision(pos, neg)), rel=1e-12)


@given(labelled())
def test_precision_recall_integral_definition_by_a_fine_grid(data):
    label, score = data
    from roclab.areas.precision_recall import pr_area_integral
    from roclab.curves.precision_recall import precision_recall_curve

    curve = precision_recall_curve(roc_curve(Tally.from_labels(label, score)))
    n = 20_000
    heights = curve.at((np.arange(n) + 0.5) / n, "integral")
    assert pr_area_integral(curve) == pytest.approx(float(heights.mean()), abs=2e-3)


def test_areas_published_by_prroc_on_asah(asah):
    """PRROC's two areas, R package hmeasure's hull area (aSAH, all printed digits)."""
    want = {
        "s100b": (0.6868631284, 0.6869142247, 0.7638888889),
        "wfns": (0.7087640999, 0.7089875201, 0.8263888889),
        "ndka": (0.4760086867, 0.4754883132, 0.6521002710),
    }
    for name, values in want.items():
        tally = Tally.from_labels(asah["y"], asah[name])
        got = [METHODS[m].estimate(tally) for m in ("pr_integral", "pr_davis_goadrich", "hull")]
        np.testing.assert_allclose(got, values, atol=5e-11)


def test_partial_areas_published_by_proc_on_asah(asah):
    """pROC 1.18 partial areas and their McClish values; NA below the diagonal is a number here."""
    want = [
        ("s100b", {"fpr": (0, 0.1)}, 0.03275745257, 0.6460918557),
        ("wfns", {"fpr": (0, 0.1)}, 0.03344173442, 0.6496933390),
        ("ndka", {"fpr": (0, 0.1)}, 0.01070460705, 0.5300242476),
        ("s100b", {"tpr": (0.9, 1)}, 0.01376355014, 0.5461239481),
        ("wfns", {"tpr": (0.9, 1)}, 0.04009993225, 0.6847364855),
        ("s100b", {"fpr": (0.1, 0.2)}, 0.04783197832, 0.6931292842),
        ("wfns", {"fpr": (0, 0.2)}, 0.09327913279, 0.7035531466),
    ]
    for name, region, raw, mcclish in want:
        part = partial_area(roc_curve(Tally.from_labels(asah["y"], asah[name])), **region)
        assert part.area == pytest.approx(raw, abs=5e-12)
        assert part.standardised("mcclish") == pytest.approx(mcclish, abs=5e-11)
    below = partial_area(roc_curve(Tally.from_labels(asah["y"], asah["ndka"])), tpr=(0.9, 1))
    assert below.area == pytest.approx(0.00379403794, abs=5e-12)
    assert below.standardised("mcclish") < 0.5


@pytest.mark.parametrize(
    ("region", "message"),
    [
        ({}, "a partial area needs a range"),
        ({"fpr": (0.2, 0.1)}, r"fpr must satisfy 0 <= low < high <= 1, got \(0.2, 0.1\)"),
        ({"tpr": (0.5, 1.5)}, "tpr must satisfy"),
        ({"fpr": 0.1}, r"fpr must be a pair \(low, high\), got 0.1"),
    ],
)
def test_partial_error_messages(region, message):
    with pytest.raises(InputError, match=message):
        partial_area(curve_from_points([0.5], [0.5]), **region)


def test_unknown_method_error_lists_the_names():
    with pytest.raises(InputError, match=r"method must be one of 17 words, got 'empirica'; did you mean 'empirical'"):
        area_method("empirica")
