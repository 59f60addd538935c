"""Fuzzy clustering as scikit-learn estimators: its own checks, images with neighbours, masks, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

import roclab as rl
from roclab.compat.clusters import FuzzyCMeans, RobustFuzzyCMeans
from roclab.errors import InputError


def stripes(sigma=40.0, seed=0):
    truth = np.repeat(np.arange(3), 20)[None].repeat(40, axis=0)
    return truth, 100.0 * truth + np.random.default_rng(seed).normal(size=truth.shape) * sigma


@pytest.mark.filterwarnings("ignore::roclab.errors.RoclabWarning")
@pytest.mark.parametrize("kind", [FuzzyCMeans, RobustFuzzyCMeans])
def test_check_estimator_is_green(kind):
    results = check_estimator(kind(), on_skip=None)
    assert len(results) > 40
    assert all(result["status"] in ("passed", "skipped") for result in results)


def test_an_image_is_clustered_with_its_neighbours():
    truth, image = stripes()
    model = RobustFuzzyCMeans(3, init=[[0.0], [100.0], [200.0]], fixed_centers=True)
    labels = model.fit_predict(image[..., None])
    assert labels.shape == truth.shape
    assert np.mean(labels != truth) < 0.03
    assert model.memberships_.shape == (*truth.shape, 3)
    assert model.memberships_.sum(axis=-1) == pytest.approx(np.ones(truth.shape), abs=1e-5)
    assert model.cluster_centers_.ravel().tolist() == [0, 100, 200]
    found = rl.imaging.robust_cmeans(image, 3, centres=[[0], [100], [200]], fixed_centres=True)
    assert (found.labels == labels).all()
    assert model.beta_ == found.beta


def test_predict_uses_what_was_learnt_and_the_neighbours_of_the_new_image():
    truth, image = stripes()
    _, other = stripes(seed=9)
    model = RobustFuzzyCMeans(3).fit(image[..., None])
    said = model.predict(other[..., None])
    assert np.mean(said != truth) < 0.08
    alone = np.abs(other[..., None] - model.cluster_centers_.ravel()).argmin(axis=-1)
    assert np.mean(said != truth) < 0.5 * np.mean(alone != truth)
    assert (model.predict_memberships(other[..., None]).argmax(axis=-1) == said).all()


def test_a_mask_leaves_pixels_out():
    _, image = stripes()
    mask = np.zeros(image.shape, bool)
    mask[:, 5:] = True
    broken = np.where(mask, image, np.nan)
    model = RobustFuzzyCMeans(2).fit(broken[..., None], mask=mask)
    assert (model.labels_[~mask] == -1).all()
    assert (model.labels_[mask] >= 0).all()


def test_cases_are_clustered_as_the_verb_does():
    x = np.random.default_rng(3).normal(size=(60, 2)) + np.repeat([[0, 0], [6, 6]], 30, axis=0)
    model = clone(FuzzyCMeans(2, init=[[0, 0], [6, 6]])).fit(x)
    found = rl.imaging.fuzzy_cmeans(x, 2, start=[[0, 0], [6, 6]])
    assert model.cluster_centers_ == pytest.approx(found.centres)
    assert model.predict_memberships(x[:5]) == pytest.approx(found.memberships(x[:5]))
    assert (model.predict(x) == model.labels_).all()
    assert model.converged_
    assert model.objective_[0] > model.objective_[-1]


def test_a_table_has_no_neighbours_and_channels_must_agree():
    with pytest.raises(InputError, match=r"X must be an image .* got a table of shape \(6, 2\)"):
        RobustFuzzyCMeans(2, beta=5.0).fit(np.arange(12.0).reshape(6, 2))
    model = RobustFuzzyCMeans(2).fit(np.arange(36.0).reshape(6, 6, 1))
    with pytest.raises(InputError, match="1 channel along its last axis"):
        model.predict(np.zeros((6, 6, 2)))
