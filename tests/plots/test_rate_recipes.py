"""Figures by name of rates at thresholds, gaps, risk and coverage, and the model-based curve: numbers and refusals."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.plots import draw_model_based, figure

DATA = {"label": "outcome", "pos_label": "deteriorated"}
BOTH = {**DATA, "score": ["procalcitonin", "lactate"]}
ONE = {**DATA, "score": "lactate"}


def test_figures_show_what_the_verbs_say():
    shown = figure("rates", "example", **BOTH, at_threshold=[1.5, 2], metric=["ppv"])
    known = rl.compare("example", **BOTH, threshold=[1.5, 2], metrics=["ppv"])
    assert [one.to_dict() for one in shown.numbers[0].pairs] == [one.to_dict() for one in known.pairs]
    gaps = figure("gaps", "example", **ONE, by="ward", at_threshold=[2], level=0.9).numbers[0]
    assert gaps.to_dict() == rl.confusion("example", **ONE, threshold=2, by="ward").gaps(level=0.9).to_dict()
    sure = figure("risk_coverage", "example", **ONE, at_threshold=[2]).numbers[0]
    assert sure.to_dict() == rl.selective("example", **ONE, threshold=2).to_dict()


@pytest.mark.parametrize(
    ("name", "asked", "sentence"),
    [
        ("rates", BOTH, "at_threshold must be fixed beforehand, one for every score; write at_threshold=0.5"),
        (
            "rates",
            {**ONE, "by": "ward", "at_threshold": [2]},
            "by has no part in figure='rates', which compares scores",
        ),
        ("gaps", {**ONE, "at_threshold": [2]}, "by must name the groups of figure='gaps', got none; write by='site'"),
        ("gaps", {**ONE, "by": "ward"}, "at_threshold must be fixed beforehand, one; write"),
        ("gaps", {**ONE, "by": "ward", "at_threshold": [1, 2]}, "at_threshold must be fixed beforehand, one, got 2"),
        ("risk_coverage", {**ONE, "at_threshold": [1, 2]}, "at_threshold must be fixed beforehand, one at most, got 2"),
        ("model_based", ONE, "the model-based curve needs predicted probabilities between 0 and 1"),
    ],
)
def test_refusals_say_what_to_write(name, asked, sentence):
    with pytest.raises(InputError) as error:
        figure(name, "example", **asked)
    assert sentence in str(error.value)


def test_both_curves_are_drawn_with_the_test_between_them():
    found = rl.roc([1, 1, 0, 0], [0.8, 0.4, 0.6, 0.2]).model_based(resampling=200, rng=1)
    ax = draw_model_based(found)
    observed, model = (np.column_stack(line.get_data()).tolist() for line in ax.lines[1:3])
    assert observed == [[0, 0], [0, 0.5], [0.5, 0.5], [0.5, 1], [1, 1]]
    assert model == np.column_stack([found.curve.fpr, found.curve.tpr]).tolist()
    words = [text.get_text() for text in ax.figure.legends[0].texts] if ax.figure.legends else [
        text.get_text() for text in ax.get_legend().texts
    ]  # fmt: skip
    assert words[0] == "observed, AUC 0.7500"
    assert words[1] == "if the probabilities were right, 0.8125"
    assert words[2].startswith("joint test of mean and curve: p ")
    assert str(type(found).from_json(found.to_json())) == str(found)
