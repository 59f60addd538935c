"""The mean of fold areas: definition, the published variance, what is said and refused."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError


def sample(seed=0, folds=5, each=24):
    rng = np.random.default_rng(seed)
    fold = np.repeat(np.arange(folds), each)
    label = np.tile([1, 0, 0, 1], folds * each // 4)
    return label, np.round(rng.normal(size=label.size) + label + 3.0 * fold, 1), fold


def test_mean_of_folds_definition_and_published_variance():
    """LeDell 2015: mean over folds of the mean squared influence, over n; here with n - 1 in every class of a fold."""
    label, score, fold = sample()
    found = rl.auc(label, score, folds=fold)
    areas, squares = [], []
    for at in np.unique(fold):
        pos, neg = score[(fold == at) & (label == 1)], score[(fold == at) & (label == 0)]
        kernel = np.sign(pos[:, None] - neg[None, :]) / 2 + 0.5
        areas.append(kernel.mean())
        influence = np.r_[2 * (kernel.mean(axis=1) - areas[-1]), 2 * (kernel.mean(axis=0) - areas[-1])]
        squares.append(np.mean(influence**2))
    assert found.area == pytest.approx(np.mean(areas))
    assert found.standard_error == pytest.approx(np.sqrt(np.mean(squares) / label.size * 12 / 11))
    assert found.interval.low < found.area < found.interval.high
    assert found.method == "empirical, mean of 5 folds"
    assert "Mean of 5 fold areas" in str(found)


def test_one_fold_is_no_fold():
    label, score, fold = sample(1, folds=1, each=40)
    alone, folded = rl.auc(label, score), rl.auc(label, score, folds=fold)
    assert (folded.area, folded.standard_error) == pytest.approx((alone.area, alone.standard_error))
    assert tuple(folded.interval) == pytest.approx(tuple(alone.interval))


def test_pooled_folds_are_ranked_together_and_said_to_be():
    label, score, fold = sample()
    pooled = rl.auc(label, score, folds=fold, fold_average="pooled")
    assert pooled.area == rl.auc(label, score).area
    assert "5 folds pooled" in str(pooled)
    assert pooled.area < rl.auc(label, score, folds=fold).area, "scores of different folds are not comparable here"


@pytest.mark.parametrize("options", [{"estimator": "average_precision"}, {"fpr": (0, 0.3)}, {"estimator": "gini"}])
def test_other_areas_are_averaged_too(options):
    label, score, fold = sample()
    parts = [rl.auc(label[fold == at], score[fold == at], **options) for at in np.unique(fold)]
    found = rl.auc(label, score, folds=fold, **options)
    assert found.area == pytest.approx(np.mean([one.area for one in parts]))
    assert found.standard_error == pytest.approx(np.sqrt(sum(one.standard_error**2 for one in parts)) / 5)


def test_what_a_mean_of_folds_cannot_answer():
    label, score, fold = sample()
    with pytest.raises(InputError, match="interval of a mean of fold areas comes from a standard error, got 'bca'"):
        rl.auc(label, score, folds=fold, interval="bca")
    with pytest.raises(InputError, match="variance of a mean of fold areas is 'delong', got 'bootstrap'"):
        rl.auc(label, score, folds=fold, variance="bootstrap")
    with pytest.raises(InputError, match="fold_average needs folds, got none"):
        rl.auc(label, score, fold_average="mean")
    with pytest.raises(InputError, match="fold_average must be one of 'mean', 'pooled', got 'median'"):
        rl.auc(label, score, folds=fold, fold_average="median")
    with pytest.raises(InputError, match="averaged for areas whose influence is known, and 'hull' has none"):
        rl.auc(label, score, folds=fold, estimator="hull")
