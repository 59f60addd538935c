"""Bounded answers: every half-width holds, and shrinks when less error is allowed."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import roclab as rl
from roclab.engines.quantising import Binning, half_width, is_monotone
from roclab.engines.scan import Cells
from roclab.results import Undefined

from .test_scan import rows


def binned(label, score, count):
    """Cells of equal numbers of distinct scores, by definition."""
    distinct = np.unique(score)
    ranges = [part for part in np.array_split(distinct, min(count, distinct.size)) if part.size]
    cells = [(part[0], part[-1], *(np.isin(score, part) & side for side in (label, ~label))) for part in ranges]
    return Cells(np.array([one[0] for one in cells]), np.array([one[1] for one in cells]),
                 np.array([one[2].sum() for one in cells]), np.array([one[3].sum() for one in cells]))  # fmt: skip


@given(rows(), st.integers(1, 8))
def test_bounds_property_hold_for_any_cells(data, count):
    label, score = data
    cells = binned(label, score, count)
    assert is_monotone(cells)
    whole = rl.results.PortableTally(
        label="y", positive="1", negative="0", scores={"s": cells}, direction={"s": "higher"}
    )
    estimators = [{}, {"estimator": "gini"}, {"estimator": "tauc"}, {"estimator": "average_precision"},
                  {"estimator": "hull"}, {"fpr": (0.1, 0.6)}, {"tpr": (0.2, 0.9)}, {"fpr": (0, 0.5), "tpr": (0.3, 1)},
                  {"fpr": (0, 0.4), "standardize": "mcclish"}]  # fmt: skip
    for asked in estimators:
        found, known = (rl.auc(*given, interval=None, **asked) for given in ((whole,), (label, score)))
        assert abs(found.area - known.area) <= found.numerical_error.area + 1e-12, asked
    found, known = (rl.auc(*given, interval="plain") for given in ((whole,), (label, score)))
    if found.interval.method == known.interval.method == "DeLong, plain":
        errors = [0.0 if np.isnan(one.standard_error) else one.standard_error for one in (found, known)]  # at 0 and 1
        assert abs(errors[0] - errors[1]) <= found.numerical_error.standard_error + 1e-12


REGIONS = (
    {"fpr": (0.1, 0.6)},
    {"fpr": (0, 0.5)},
    {"tpr": (0.2, 0.9)},
    {"tpr": (0.5, 1), "standardize": "mcclish"},
    {"fpr": (0, 0.5), "tpr": (0.3, 1)},
    {"fpr": (0.25, 1), "tpr": (0.25, 0.75)},
    {"estimator": "tauc"},
    {"estimator": "average_precision"},
)


@given(rows(), st.integers(1, 60), st.sampled_from(["auto", "plain", "logit", "clipped"]))
def test_bounds_property_hold_for_standard_errors_and_limits_of_parts(data, count, interval):
    label, score = data
    assume(min(label.sum(), (~label).sum()) > 1)
    cells = binned(label, score, count)
    whole = rl.results.PortableTally(
        label="y", positive="1", negative="0", scores={"s": cells}, direction={"s": "higher"}
    )
    for asked in REGIONS:
        found, known = (rl.auc(*given, interval=interval, **asked) for given in ((whole,), (label, score)))
        error = found.numerical_error
        assert abs(found.standard_error - known.standard_error) <= error.standard_error + 1e-12, asked
        assert cells.joined.any() or error.exact
        if not isinstance(error.low, Undefined):
            assert abs(found.interval.low - known.interval.low) <= error.low + 1e-12, asked
            assert abs(found.interval.high - known.interval.high) <= error.high + 1e-12, asked


@settings(max_examples=40)
@given(rows(), st.integers(1, 8), st.sampled_from([0.0, 0.2, 0.25, 0.5, 0.75, 0.9, 1.0]))
def test_bounds_property_hold_for_rates(data, count, fixed):
    label, score = data
    cells = binned(label, score, count)
    whole = rl.results.PortableTally(
        label="y", positive="1", negative="0", scores={"s": cells}, direction={"s": "higher"}
    )
    for name, drawn in itertools.product(("specificity", "sensitivity"), ({}, {"resampling": 20, "rng": 1})):
        found, known = (rl.roc(*given).rate_at(**{name: fixed}, **drawn) for given in ((whole,), (label, score)))
        if cells.joined.any():
            error = found.numerical_error
            assert abs(found.rate - known.rate) <= error.rate + 1e-12
            assert "Numerical error of the rate" in found.notes[-1] or "The rate is exact" in found.notes[-1]
            assert isinstance(error.low, Undefined) == bool(drawn)
        else:
            assert found.rate == pytest.approx(known.rate, abs=1e-12)
        if cells.joined.any() and not drawn:
            assert abs(found.interval.low - known.interval.low) <= error.low + 1e-12
            assert abs(found.interval.high - known.interval.high) <= error.high + 1e-12
            assert abs(found.standard_error - known.standard_error) <= error.standard_error + 1e-12


@pytest.mark.parametrize("asked", [{"fpr": (0.1, 0.4)}, {"estimator": "tauc"}, {"estimator": "average_precision"}])
def test_finer_cells_have_smaller_bounds_of_limits(asked):
    rng = np.random.default_rng(6)
    label = rng.random(4000) < 0.3
    score = rng.normal(size=4000) + label
    known = rl.auc(label, score, **asked)
    last = np.inf
    for count in (200, 2000, 20_000):
        cells = binned(label, score, count)
        whole = rl.results.PortableTally(
            label="y", positive="1", negative="0", scores={"s": cells}, direction={"s": "higher"}
        )
        found = rl.auc(whole, **asked)
        errors = found.numerical_error.low, found.numerical_error.high
        assert abs(found.interval.low - known.interval.low) <= errors[0] < last / 4
        assert abs(found.interval.high - known.interval.high) <= errors[1] < last / 4
        last = max(errors)
    assert last < found.standard_error


def test_finer_cells_have_smaller_bounds():
    rng = np.random.default_rng(5)
    label = rng.random(4000) < 0.4
    score = rng.normal(size=4000) + label
    last = np.inf
    for count in (20, 200, 2000):
        cells = binned(label, score, count)
        whole = rl.results.PortableTally(
            label="y", positive="1", negative="0", scores={"s": cells}, direction={"s": "higher"}
        )
        found = rl.auc(whole, fpr=(0.1, 0.4), interval="plain")
        rate = rl.roc(whole).rate_at(specificity=0.8).numerical_error
        assert found.numerical_error.standard_error < min(last, found.standard_error) * 0.5
        assert max(rate.rate, rate.low, rate.high, rate.standard_error) < 4 / count
        last = found.numerical_error.standard_error


@settings(max_examples=15)
@given(rows(), st.sampled_from([1e-1, 1e-3, 1e-9]))
def test_accuracy_property_of_duckdb(tmp_path_factory, data, wanted):
    label, score = data
    path = tmp_path_factory.mktemp("rows") / "x.parquet"
    pl.DataFrame({"y": label, "s": score}).write_parquet(path)
    found, exact = (rl.auc(path, label="y", score="s", engine="duckdb", accuracy=one) for one in (wanted, "exact"))
    known = rl.auc(label, score)
    assert exact.area == known.area
    assert found.numerical_error.area <= wanted
    assert abs(found.area - known.area) <= found.numerical_error.area + 1e-15


def test_comparison_in_cells_says_its_error(table, places):
    asked = {"label": "y", "score": ["fine", "other"]}
    known = rl.compare(table, **asked)
    found = rl.compare(str(places / "one.parquet"), engine="duckdb", accuracy=1e-2, **asked)
    words = found.notes[-1].split()
    area, se = float(words[words.index("most") + 1].rstrip(",")), float(words[-1].rstrip("."))
    assert abs(found.pairs[0].difference - known.pairs[0].difference) <= 1.05 * area  # printed with two digits
    assert abs(found.pairs[0].standard_error - known.pairs[0].standard_error) <= 1.05 * se


def test_skewed_scores_are_binned_on_another_scale(tmp_path):
    rng = np.random.default_rng(2)
    y = rng.random(20_000) < 0.3
    s = (rng.random(20_000) ** np.where(y, 30, 40)).astype(float)
    pl.DataFrame({"y": y, "s": s}).write_parquet(tmp_path / "x.parquet")
    found = rl.auc(tmp_path / "x.parquet", label="y", score="s", engine="duckdb", accuracy=1e-5)
    assert "log" in found.counted
    assert abs(found.area - rl.auc(y, s).area) <= found.numerical_error.area <= 1e-5


def test_the_certificate_sees_an_order_turned_round():
    low, high = np.array([0.0, 1.0]), np.array([1.5, 2.0])
    assert not is_monotone(Cells(low, high, np.array([1, 0]), np.array([0, 1])))
    assert half_width(Cells(low, high, np.array([1, 1]), np.array([1, 1]))) == 0.25
    assert "floor" in Binning(transform="identity", low=0.0, high=1.0, bins=4).sql("v")
