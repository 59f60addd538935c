"""Batches of samples against the library's estimates, one sample at a time: the library is the definition."""

from __future__ import annotations

import numpy as np
import pytest

from roclab.studies import batch
from roclab.studies.designs import ESTIMATOR_NAMES, SEVEN, TABLES
from roclab.studies.estimators import LIBRARY_NAMES, estimate_all, estimate_one

# The library finds lambda by Brent's method on the likelihood, which is flat at its top: about 1e-8 in lambda, less in
# the area. Without a transform only rounding differs.
TOLERANCE = {name: 1e-8 if name.endswith("T") else 1e-13 for name in SEVEN}


def held_to_the_library(pos, neg):
    found = estimate_all(SEVEN, pos, neg)
    for name, estimates in found.items():
        for at, (x, y) in enumerate(zip(pos, neg, strict=True)):
            area, converged = estimate_one(name, x, y)
            assert converged == estimates.converged[at], (name, at)
            if np.isnan(area):
                assert np.isnan(estimates.area[at]), (name, at)
            else:
                assert estimates.area[at] == pytest.approx(area, abs=TOLERANCE[name]), (name, at)


@pytest.mark.parametrize("table", [name for name in TABLES if name != "X"])
def test_batches_definition_by_the_library(table):
    rng = np.random.default_rng(5)
    for cell in TABLES[table].cells():
        samples = 8 if cell.n_pos == 20 else 3
        held_to_the_library(
            cell.condition.positive.draw(rng, (samples, cell.n_pos)),
            cell.condition.negative.draw(rng, (samples, cell.n_neg)),
        )


def test_batches_with_ties_and_unequal_classes():
    rng = np.random.default_rng(6)
    held_to_the_library(rng.integers(1, 6, (12, 9)).astype(float), rng.integers(0, 5, (12, 14)).astype(float))


def test_batches_without_spread():
    """A constant class, two constant classes, and quartiles that coincide."""
    spread, constant = np.array([1.0, 2.0, 4.0, 3.0]), np.full(4, 2.0)
    mostly = np.array([2.0, 2.0, 2.0, 7.0])
    pos = np.array([spread, constant, constant, mostly, mostly])
    neg = np.array([constant, spread, constant, mostly - 1, spread])
    held_to_the_library(pos, neg)


def test_lambda_at_its_bound_is_counted_as_not_converged():
    rng = np.random.default_rng(9)
    pos, neg = 60 - np.exp(rng.normal(size=(1, 30))), 59 - np.exp(rng.normal(size=(1, 30)))
    found = estimate_all(["NT"], pos, neg)["NT"]
    area, converged = estimate_one("NT", pos[0], neg[0])
    assert not converged
    assert not found.converged[0]
    assert found.area[0] == pytest.approx(area, abs=1e-8)


def test_large_samples_go_one_by_one(monkeypatch):
    rng = np.random.default_rng(7)
    pos, neg = rng.normal(1, 1, (2, 40)), rng.normal(0, 1, (2, 40))
    small = estimate_all(SEVEN, pos, neg)
    monkeypatch.setattr(batch, "PAIRS", 100)
    assert not batch.fitting(40, 40)
    for name, estimates in estimate_all(SEVEN, pos, neg).items():
        assert estimates.area == pytest.approx(small[name].area, abs=TOLERANCE[name])


def test_blocks_do_not_change_results(monkeypatch):
    rng = np.random.default_rng(8)
    pos, neg = rng.normal(1, 1, (7, 10)), rng.normal(0, 1, (7, 12))
    whole = estimate_all(SEVEN, pos, neg)
    monkeypatch.setattr(batch, "PAIRS", 150)
    for name, estimates in estimate_all(SEVEN, pos, neg).items():
        assert estimates.area == pytest.approx(whole[name].area, abs=1e-14)


def test_binormal_reports_degenerate_samples():
    found = estimate_all(["RC"], np.array([[3.0, 4.0]]), np.array([[1.0, 2.0]]))["RC"]
    assert found.area[0] == 1
    assert not found.converged[0]


def test_every_estimator_has_a_library_name():
    assert tuple(LIBRARY_NAMES) == ESTIMATOR_NAMES
