"""Smooth curves as areas: the same numbers as their fits, with every interval."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.options.uncertainty import Resampling
from roclab.smooth.methods import SMOOTH_METHODS


@pytest.fixture(scope="module")
def roc():
    rng = np.random.default_rng(1)
    return rl.Roc.from_samples(np.exp(rng.normal(1, 0.5, 40)), np.exp(rng.normal(0.4, 0.4, 50)))


@pytest.mark.parametrize("name", SMOOTH_METHODS)
def test_area_is_that_of_the_fit(name, roc):
    if name == "fitted_beta":  # of scores between 0 and 1
        tally = roc.tally
        roc = rl.Roc.from_samples(*(np.repeat(tally.score / 20, counts) for counts in (tally.pos, tally.neg)))
    fit = roc.smooth(name)
    estimate = roc.auc(name)
    assert estimate.area == fit.area
    assert estimate.method == name
    assert estimate.standard_error == pytest.approx(fit.standard_error, nan_ok=True)
    assert fit.standard_error_method in estimate.interval.method
    assert estimate.interval.low < estimate.area < estimate.interval.high


def test_bootstrap_agrees_with_the_model_error(roc):
    few = Resampling(replicates=200)
    for name in ("normal", "box_cox", "kernel_k1"):
        closed = roc.auc(name).standard_error
        sampled = roc.auc(name, variance="bootstrap", resampling=few, rng=1).standard_error
        assert sampled == pytest.approx(closed, rel=0.3), name
    percentile = roc.auc("normal", interval="percentile", resampling=few, rng=1).interval
    assert percentile.low < roc.auc("normal").area < percentile.high


def test_other_errors_are_refused(roc):
    with pytest.raises(InputError, match="exists for the empirical AUC only, got AUC \\(normal\\)"):
        roc.auc("normal", variance="bamber")
    with pytest.raises(InputError, match="did you mean 'binormal'"):
        roc.auc("binorma")
