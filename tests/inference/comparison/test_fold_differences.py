"""Comparisons within folds, averaged: against definitions written out pair by pair, and by invariances."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

import roclab as rl
from roclab.errors import InputError


def scored(seed=1, n=120, folds=3, subjects=None):
    """Labels, two scores whose folds have scales of their own, folds, and subjects."""
    rng = np.random.default_rng(seed)
    fold = np.arange(n) % folds
    y = rng.random(n) < 0.45
    ids = np.arange(n) if subjects is None else rng.integers(0, subjects, n)
    effect = rng.normal(size=n)[ids]
    a = y + effect + rng.normal(size=n) + 3 * fold
    b = 0.5 * y + effect + rng.normal(size=n) - 2 * fold
    return y, {"a": np.round(a, 1), "b": np.round(b, 1)}, fold, ids


def components(y, s):
    """Every case's share of won pairs, a tie one half, pair by pair."""
    out = np.empty(y.size)
    for at in range(y.size):
        others = s[y != y[at]]
        won = (s[at] > others) if y[at] else (others > s[at])
        out[at] = np.mean(won + (s[at] == others) / 2)
    return out


def slow_means(y, scores, fold):
    """Means over folds of areas, and their covariance by DeLong's sums within every fold."""
    names, count = list(scores), np.unique(fold).size
    areas, matrix = np.zeros(len(names)), np.zeros((len(names), len(names)))
    for one in np.unique(fold):
        rows = fold == one
        parts = [components(y[rows], scores[name][rows]) for name in names]
        areas += [part[y[rows]].mean() / count for part in parts]
        for side in (y[rows], ~y[rows]):
            matrix += np.cov([part[side] for part in parts]) / side.sum() / count**2
    return areas, matrix


@pytest.mark.parametrize("seed", range(3))
def test_means_of_differences_definition(seed):
    y, scores, fold, _ = scored(seed)
    areas, matrix = slow_means(y, scores, fold)
    found = rl.compare(y, scores, folds=fold)
    np.testing.assert_allclose([one.area for one in found.areas], areas, atol=1e-12)
    np.testing.assert_allclose(found.covariance, matrix, atol=1e-12)
    pair = rl.compare(y, scores, folds=fold, test="normal").pairs[0]
    se = math.sqrt(matrix[0, 0] + matrix[1, 1] - 2 * matrix[0, 1])
    assert pair.difference == pytest.approx(areas[0] - areas[1])
    assert pair.standard_error == pytest.approx(se, rel=1e-9)
    assert pair.p_value == pytest.approx(2 * norm.sf(abs(areas[0] - areas[1]) / se), rel=1e-9)


def test_single_means_are_those_of_auc():
    y, scores, fold, _ = scored(2)
    found = rl.compare(y, scores, folds=fold)
    for one in found.areas:
        alone = rl.auc(y, scores[one.sample.score], folds=fold)
        assert one.area == pytest.approx(alone.area, rel=1e-12)
        assert one.standard_error == pytest.approx(alone.standard_error, rel=1e-9)


def test_one_fold_is_the_comparison_itself_property():
    y, scores, _, _ = scored(3)
    one = rl.compare(y, scores, folds=np.zeros(y.size, int), test="t").pairs[0]
    plain = rl.compare(y, scores, test="t").pairs[0]
    assert (one.difference, one.statistic, one.df) == pytest.approx((plain.difference, plain.statistic, plain.df))


def test_scales_of_folds_do_not_matter_property():
    """What pooling would spoil: another monotone scale in every fold."""
    y, scores, fold, _ = scored(4)
    other = {name: np.where(fold == 1, 100 * s, s - 50) for name, s in scores.items()}
    np.testing.assert_allclose(
        rl.compare(y, scores, folds=fold).covariance, rl.compare(y, other, folds=fold).covariance, atol=1e-14
    )
    pooled, changed = (rl.compare(y, one, folds=fold, fold_average="pooled") for one in (scores, other))
    assert pooled.pairs[0].difference != pytest.approx(changed.pairs[0].difference)


def slow_clustered(y, scores, fold, ids):
    """Obuchowski's sums of what every subject adds to the mean over folds, whichever folds its cases are in."""
    names, count = list(scores), np.unique(fold).size
    added = np.zeros((y.size, len(names)))
    for one in np.unique(fold):
        rows = np.flatnonzero(fold == one)
        for column, name in enumerate(names):
            part = components(y[rows], scores[name][rows])
            for side in (y[rows], ~y[rows]):
                added[rows[side], column] = (part[side] - part[side].mean()) / side.sum() / count
    u, v = (np.array([added[side & (ids == one)].sum(axis=0) for one in np.unique(ids)]) for side in (y, ~y))
    total, *held = np.unique(ids).size, np.unique(ids[y]).size, np.unique(ids[~y]).size
    cross = total / (total - 1) * u.T @ v
    return held[0] / (held[0] - 1) * u.T @ u + held[1] / (held[1] - 1) * v.T @ v + cross + cross.T


@pytest.mark.parametrize("seed", range(3))
def test_subjects_in_several_folds_definition(seed):
    y, scores, fold, ids = scored(seed, subjects=35)
    found = rl.compare(y, scores, folds=fold, ids=ids)
    np.testing.assert_allclose(found.covariance, slow_clustered(y, scores, fold, ids), atol=1e-12)
    assert found.pairs[0].df <= np.unique(ids).size - 1
    alone = rl.auc(y, scores["a"], folds=fold, ids=ids)
    assert alone.standard_error == pytest.approx(math.sqrt(found.covariance[0, 0]), rel=1e-9)
    assert tuple(alone.interval) == pytest.approx(tuple(found.areas[0].interval))


def test_subjects_of_one_case_each_are_no_clusters_property():
    y, scores, fold, _ = scored(5)
    order = np.random.default_rng(1).permutation(y.size)
    plain = rl.compare(y, scores, folds=fold)
    again = rl.compare(y[order], {n: s[order] for n, s in scores.items()}, folds=fold[order], ids=order)
    np.testing.assert_allclose(plain.covariance, again.covariance, atol=1e-14)
    assert plain.method == again.method


def test_what_has_no_mean_over_folds_says_so():
    y, scores, fold, _ = scored(1)
    with pytest.raises(InputError, match="at_specificity has no mean over folds, got folds; .*fold_average='pooled'"):
        rl.compare(y, scores, folds=fold, at_specificity=0.9)
    with pytest.raises(InputError, match="variance of a mean over folds is 'delong'"):
        rl.compare(y, scores, folds=fold, variance="bootstrap")
    with pytest.raises(InputError, match="test 'score' exchanges scores of one set of cases"):
        rl.compare(y, scores, folds=fold, test="score")
    with pytest.raises(InputError, match="needs folds"):
        rl.compare(y, scores, fold_average="mean")
    found = rl.compare(y, scores, folds=fold)
    assert "Means over 3 folds of areas and differences within folds" in found.notes[-1]
    assert found.margin("a", "b", margin=0.5).shown
