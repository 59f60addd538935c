"""A score and its mirror image on the same cases: the paired variance of their areas."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.data.tally import Tally
from roclab.inference.comparison.mirrored import covariance_with_mirror
from roclab.inference.one_area.area import area_of_method, area_of_region

RNG = np.random.default_rng(6)
Y = np.repeat([1, 0], [25, 40])
S = np.round(RNG.normal(size=65) + Y * (1 + RNG.exponential(size=65)), 1)


@pytest.mark.parametrize(
    ("options", "area"),
    [({"estimator": "tauc"}, area_of_method("tauc")), ({"fpr": (0.0, 0.3)}, area_of_region(fpr=(0, 0.3)))],
    ids=["tauc", "region"],
)
def test_covariance_definition(options, area):
    """Every case gets a little more weight; both areas are counted anew, the image's with labels and scores turned."""
    bump, weigh = 1e-6, {"weights": "importance", "interval": None}

    def both(weight):
        return np.array([
            float(rl.auc(Y, S, **options, sample_weight=weight, **weigh)),
            float(rl.auc(1 - Y, -S, **options, sample_weight=weight, **weigh)),
        ])  # fmt: skip

    here = both(np.ones(65))
    want = np.zeros((2, 2))
    for one_class in (Y == 1, Y == 0):
        n, moved = one_class.sum(), []
        for at in np.flatnonzero(one_class):
            weight = np.where(one_class, 1 - bump, 1.0)
            weight[at] += bump * n
            moved.append((both(weight) - here) / bump)
        want += np.cov(np.array(moved).T) / n
    found = covariance_with_mirror(Tally.from_samples(S[Y == 1], S[Y == 0]), area, names=("it", "image"))
    np.testing.assert_allclose(found.areas, here, atol=1e-12)
    # Differences of areas over bumps of 1e-6 are known to about 1e-4 of the influences.
    np.testing.assert_allclose(found.matrix, want, rtol=2e-3, atol=1e-9)


def test_ties_test_the_mirror_image_on_the_same_cases():
    found = rl.ties(Y, S, mirror=True)
    (tie,) = found.ties
    assert (tie.kind, tie.difference, found.paired) == ("mirrored curves", 0.0, True)
    assert tie.interval.low.reason == "a mirror image has the same AUC by definition"
    tauc = {one.score: one.tauc for one in found.ranking}
    assert tie.tauc_interval.low < tauc["score"] - tauc["mirror image"] < tie.tauc_interval.high
    text = str(found)
    assert "same cases" in text
    assert "AUC: no interval, a mirror image has the same AUC by definition" in text
    by_subject = rl.ties(Y, S, mirror=True, ids=np.arange(65) // 2).ties[0]
    assert by_subject.tauc_interval.low.reason == "subjects with several cases have no variance for a mirror image"


def test_a_skewed_curve_is_told_from_its_image():
    """Positives that spread three times as much rise early: with 400 cases a class tAUC knows it."""
    rng = np.random.default_rng(2)
    label = np.repeat([1, 0], 400)
    score = np.where(label, 2.0 + 3 * rng.normal(size=800), rng.normal(size=800))
    (tie,) = rl.ties(label, score, mirror=True).ties
    assert tie.tauc_interval.low > 0
    assert tie.verdict(tie.by_tauc, tie.tauc_interval) == "score"
    turned = rl.ties(1 - label, -score, mirror=True).ties[0]
    assert turned.tauc_interval.high == pytest.approx(-tie.tauc_interval.low)
    weighted = rl.ties(label, score, mirror=True, sample_weight=np.full(800, 2.0), weights="importance").ties[0]
    assert tuple(weighted.tauc_interval) == pytest.approx(tuple(tie.tauc_interval))
