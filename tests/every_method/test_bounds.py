"""No area leaves its range by rounding, whatever the weights; perfect data have exactly the perfect AUC."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.areas.methods import METHODS
from roclab.areas.partial import partial_area
from roclab.compat import sklearn as compat
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError
from tests.strategies import ranges

REAL = [name for name, row in METHODS.items() if not row.whole_cases_only]
KINDS = ("uniform", "inverse", "one decimal", "exponential")


@st.composite
def weighted(draw, perfect=None):
    """Labels, scores and real weights of 4 to 60 cases, separated without an error or not."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n = draw(st.integers(4, 60))
    kind = draw(st.sampled_from(KINDS))
    separated = draw(st.booleans()) if perfect is None else perfect
    label = np.arange(n) < draw(st.integers(1, n - 1))
    score = np.round(rng.normal(size=n), 1)
    if separated:
        score = np.where(label, 10 + np.abs(score), -np.abs(score))
    weight = {
        "uniform": lambda: rng.uniform(0.01, 5, n),
        "inverse": lambda: 1 / rng.uniform(0.05, 0.95, n),
        "one decimal": lambda: rng.integers(1, 50, n) / 10,
        "exponential": lambda: rng.exponential(size=n) + 1e-6,
    }[kind]()
    order = rng.permutation(n)
    return label[order], score[order], weight[order] + 1e-9  # never whole, which would be counts


@pytest.mark.parametrize("name", REAL)
@given(data=weighted())
def test_areas_property_stay_in_their_range(name, data):
    label, score, weight = data
    method = METHODS[name]
    found = method.estimate(Tally.from_labels(label, score, weight=weight))
    largest = 1.0 if method.perfect is None else float(method.perfect)
    assert (-1.0 if name == "gini" else 0.0) <= found <= largest


@given(data=weighted(perfect=True))
def test_separated_classes_property_have_the_area_one_and_its_reverse_zero(data):
    label, score, weight = data
    for turned, known in ((score, 1.0), (-score, 0.0)):
        tally = Tally.from_labels(label, turned, weight=weight)
        assert METHODS["empirical"].estimate(tally) == known
        assert METHODS["hull"].estimate(tally) == max(known, 0.5)


@given(data=weighted(), region=ranges(), other=ranges())
def test_partial_areas_property_stay_in_their_region(data, region, other):
    label, score, weight = data
    curve = roc_curve(Tally.from_labels(label, score, weight=weight))
    for asked in ({"fpr": region}, {"tpr": region}, {"fpr": region, "tpr": other}):
        part = partial_area(curve, **asked)
        assert 0.0 <= part.area <= part.largest
        assert part.standardised("width") <= 1.0
        mcclish = part.standardised("mcclish")
        assert math.isnan(mcclish) or mcclish <= 1.0


@given(data=weighted())
def test_areas_of_scikit_learn_property_stay_in_their_range(data):
    label, score, weight = data
    assert 0.0 <= compat.roc_auc_score(label, score, sample_weight=weight) <= 1.0
    assert 0.0 <= compat.average_precision_score(label, score, sample_weight=weight) <= 1.0


@given(data=weighted(perfect=True))
def test_no_verb_property_refuses_weights_of_separated_classes(data):
    label, score, weight = data
    table = {"y": label.astype(int), "a": score, "b": 2 * score, "w": weight}
    asked = {"label": "y", "sample_weight": "w"}
    for interval in ("auto", "logit", "exact", "plain"):
        found = rl.auc(table, score="a", interval=interval, **asked)
        assert found.area == 1.0
        assert found.interval.high == 1.0
    assert rl.auc(table, score="a", direction="lower", **asked).area == 0.0
    assert str(rl.roc(table, score="a", **asked))
    assert rl.roc(table, score="a", **asked).auc().area == 1.0
    assert [one.area for one in rl.screen(table, score=["a", "b"], **asked).markers] == [1.0, 1.0]
    both = rl.compare(table, score=["a", "b"], **asked)
    assert all(one.area == 1.0 for one in both.areas)
    assert all(not one.standard_error > 0 for one in both.areas)


def test_the_example_of_the_report_is_answered():
    y, s = [1] * 5 + [0] * 5, [1.86, 1.83, 1.14, 1.53, 1.26, 0.49, 0.55, 0.11, 0.86, 0.28]
    found = rl.auc(y, s, sample_weight=[2.3, 0.4, 0.1, 1.1, 1.8, 4.6, 4.5, 2.5, 2.3, 3.4])
    assert found.area == 1.0
    assert "all pairs of cases are placed alike" in found.standard_error.reason
    assert 0.4 < found.interval.low < 1


@pytest.mark.parametrize("weights", [[1e-201] * 4, [1.5, 1e-150, 1.5, 1.5], [5e-324, 1.5, 1.5, 1.5]])
def test_weights_whose_products_vanish_get_a_sentence(weights):
    with pytest.raises(InputError, match=r"sample_weight must be 0 or at least 1e-100, got .* at position"):
        rl.auc([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=weights)


def test_weights_of_zero_and_just_heavy_enough_are_taken():
    assert rl.auc([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1.5e-100, 2.5e-100, 1.5e-100, 0]).area == 0.5
