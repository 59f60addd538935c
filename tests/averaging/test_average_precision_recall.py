"""Averaged precision-recall curves by their definition."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl

RNG = np.random.default_rng(4)
FOLD = np.arange(90) % 3
Y = RNG.random(90) < 0.4
S = (RNG.normal(size=90) + Y).round(1)


def test_average_definition_mean_of_the_folds():
    found = rl.average(Y, S, folds=FOLD, how="precision_recall", points=10)
    curves = [rl.roc(Y[fold == FOLD], S[fold == FOLD]).precision_recall() for fold in range(3)]
    every = np.array([[curve.at(i / 10)[0] for i in range(11)] for curve in curves])
    assert found.precision == pytest.approx(every.mean(axis=0))
    assert found.spread.sd == pytest.approx(every.std(axis=0, ddof=1))
    assert found.areas == pytest.approx([curve.area() for curve in curves])
    assert found.mean_of_areas == pytest.approx(np.mean(found.areas))
    assert found.prevalence == pytest.approx(np.mean([Y[fold == FOLD].mean() for fold in range(3)]))
    assert found.rows()[5]["recall"] == 0.5
    assert "precision-recall curves" in str(found)


def test_one_curve_has_no_spread():
    found = rl.average([rl.roc(Y, S)], how="precision_recall", points=4)
    assert np.isnan(found.sd_of_areas)
    assert found.precision == pytest.approx(rl.roc(Y, S).precision_recall().at(np.arange(5) / 4))
