"""Words and values that users of other programs try: they work where they mean the same, else they are answered."""

from __future__ import annotations

import pytest

import roclab as rl
from roclab.errors import InputError, UnknownKeywordError

Y = [1, 1, 0, 1, 0, 0, 1, 0] * 5
S = [at * 7 % 11 + 3 * label for at, label in enumerate(Y)]
SUBJECT = [at // 2 for at in range(40)]
DRAWN = {"interval": "percentile", "rng": 1}


@pytest.mark.parametrize(
    ("other", "ours"),
    [
        ({"cluster": SUBJECT}, {"ids": SUBJECT}),
        ({"subject": SUBJECT}, {"ids": SUBJECT}),
        ({"confidence": 0.9}, {"level": 0.9}),
        ({"conf_level": 0.9}, {"level": 0.9}),
        ({"n_boot": 50, **DRAWN}, {"resampling": 50, **DRAWN}),
        ({"n_bootstraps": 50, **DRAWN}, {"resampling": 50, **DRAWN}),
        ({"replicates": 50, **DRAWN}, {"resampling": 50, **DRAWN}),
        ({"bootstrap": 50, **DRAWN}, {"resampling": 50, **DRAWN}),
        ({"interval": "percentile", "resampling": 50, "random_state": 1}, {"resampling": 50, **DRAWN}),
        ({"metric": "tauc"}, {"estimator": "tauc"}),
        ({"estimator": "ap"}, {"estimator": "average_precision"}),
        ({"direction": "<"}, {"direction": "higher"}),
        ({"direction": ">"}, {"direction": "lower"}),
        ({"fpr": (0, 0.5), "standard": "mcclish"}, {"fpr": (0, 0.5), "standardize": "mcclish"}),
    ],
    ids=str,
)
def test_words_that_mean_the_same_give_the_same(other, ours):
    assert rl.auc(Y, S, **other).to_dict() == rl.auc(Y, S, **ours).to_dict()


def test_groups_and_adjustments_by_other_words():
    ward = [at % 2 for at in range(40)]
    assert rl.auc(Y, S, stratify=ward).rows() == rl.auc(Y, S, by=ward).rows()
    both = {"a": S, "b": S[::-1], "c": S[5:] + S[:5]}
    assert rl.compare(Y, both, adjust="bh").to_dict() == rl.compare(Y, both, adjust="fdr").to_dict()
    assert rl.roc(Y, S, walk="optimistic").rows() == rl.roc(Y, S, ties="optimistic").rows()


@pytest.mark.parametrize(
    ("word", "value", "said"),
    [
        ("alpha", 0.05, "level=0.95"),
        ("method", "delong", "variance="),
        ("na_rm", True, "missing='drop'"),
        ("levels", [0, 1], "pos_label="),
        ("groups", SUBJECT, "ids="),
    ],
)
def test_words_that_mean_something_else_are_answered(word, value, said):
    with pytest.raises(UnknownKeywordError, match=f"has no argument '{word}'; .*{said}"):
        rl.auc(Y, S, **{word: value})


def test_values_of_the_wrong_kind_say_what_to_write():
    with pytest.raises(InputError, match=r"fpr must be a pair .* got 0.1; write fpr=\(0, 0.1\)"):
        rl.auc(Y, S, fpr=0.1)
    with pytest.raises(InputError, match="name the column of weights with sample_weight"):
        rl.auc(Y, S, sample_weight=[1.0] * 40, weights="w")
    published = rl.PublishedArea(name="a", area=0.8, standard_error=0.1)
    with pytest.raises(InputError, match="resampling must be a Resampling or a whole number, got .* PublishedArea"):
        rl.auc(Y, S, resampling=published)


def test_a_word_of_its_own_is_not_translated():
    """Wald's interval of a rate has this name here; of an area it is other programs' word for the plain one."""
    labels, scores = [1, 1, 0, 1, 0, 0], [5, 4, 3, 2, 2, 1]
    assert rl.auc(labels, scores, interval="wald").interval == rl.auc(labels, scores, interval="plain").interval
    matrix = rl.confusion(labels, scores, threshold=3)
    assert matrix.with_intervals(interval="wald").intervals["tpr"].method == "Wald"
    assert rl.cutoff(labels, scores, interval="wald").metrics.intervals["tpr"].method == "Wald"
