"""Whose probabilities are better? Brier scores and net benefits on the same cases, with intervals and differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from roclab._core.checks import check_level
from roclab._core.types import Floats
from roclab.analysis.support import folding_of, prepared
from roclab.data.read import read_cases
from roclab.data.verbs import verb
from roclab.decisions.paired_losses import PredictionComparison, compare_predictions_of
from roclab.decisions.reclassification import reclassified
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.clustered import subject_numbers
from roclab.options.folds import FoldedKeywords
from roclab.options.follow_up import FollowUpKeywords, FollowUpOptions, apart, is_survival

__all__ = ["compare_predictions"]


class PredictionKeywords(FollowUpKeywords, FoldedKeywords, total=False):
    """Predicted probabilities of a class, or risks of an event by a horizon."""


@verb(PredictionKeywords)
def compare_predictions(
    y_true: Any,
    y_score: Any = None,
    *,
    probabilities: Sequence[float] = (),
    reclassification: Sequence[float] | None = None,
    level: float = 0.95,
    **asked: Unpack[PredictionKeywords],
) -> PredictionComparison:
    """Brier scores of predicted probabilities, and their net benefits, alone and pair by pair.

    Parameters
    ----------
    y_true, y_score : arrays, or a table, as in :func:`compare`
        Scores must be predicted probabilities of the positive class. With ``time``, ``event`` and ``at`` they are
        predicted risks of the event by that horizon, and are judged by the Brier score, the index of prediction
        accuracy (IPA) and the net benefit, beside the null model and treating everybody.
    probabilities : sequence of float
        Threshold probabilities at which net benefits are compared too.
    reclassification : sequence of float, optional
        Bounds of risk categories, or an empty list for none: adds the net reclassification improvement and the
        integrated discrimination improvement of the first score over each other one, with what they cannot tell.
    level : float
        Confidence level. Where ``ids`` give subjects several cases, intervals count subjects, by t.

    Examples
    --------
    >>> import roclab as rl
    >>> found = rl.compare_predictions([1, 1, 0, 0], {"a": [0.9, 0.6, 0.4, 0.1], "b": [0.6, 0.5, 0.5, 0.4]})
    >>> [round(one.value, 4) for one in found.single], round(found.pairs[0].value, 4)
    ([0.085, 0.205], -0.12)
    """
    check_level(level)
    at = np.atleast_1d(np.asarray(probabilities, dtype=np.float64))
    if not np.all((at > 0) & (at < 1)):
        raise InputError(
            "probabilities", "must lie strictly between 0 and 1", Words(f"{at.min():g} to {at.max():g}"), "write 0.2"
        )
    if FollowUpOptions.of(asked).given or is_survival(y_true):
        return _over_time(y_true, y_score, asked, at, reclassification, level)
    fold_average, data = folding_of(
        {name: value for name, value in asked.items() if name not in FollowUpOptions.__dataclass_fields__}
    )
    cases = prepared("compare_predictions", read_cases(y_true, y_score, **data), fold_average)
    if cases.weights == "importance":
        raise InputError("sample_weight", "has no form here for importance weights",
                         way_out="leave it out, or give whole weights")  # fmt: skip
    cases = cases.repeated()
    for name, score in cases.scores.items():
        if cases.direction[name] == "lower":
            raise InputError(
                name, "must be a probability of the positive class", Words(named("direction", "lower")), "use 1 - score"
            )
        if not 0 <= float(score.min()) <= float(score.max()) <= 1:
            raise InputError(
                name,
                "must hold predicted probabilities between 0 and 1",
                Words(f"{float(score.min()):g} to {float(score.max()):g}"),
                "fit a model that predicts them first",
            )
    predictions = {name: score.astype(np.float64) for name, score in cases.scores.items()}
    words = cases.sample(cases.names[0]).without_name().describe()
    subject = subject_numbers(cases) if cases.clustered else None
    found = compare_predictions_of(
        cases.label, predictions, probabilities=at, level=level, cases=words, subject=subject
    )
    if reclassification is None:
        return found
    if subject is not None:
        raise InputError("reclassification", "has errors that take every case for itself",
                         Words("several cases of a subject"), f"leave out {named('ids')}")  # fmt: skip
    first, *others = predictions
    if not others:
        raise InputError("reclassification", "compares two predictions or more", Words(first), "name another one")
    moved = tuple(
        reclassified(cases.label, (first, predictions[first]), (name, predictions[name]), reclassification, level)
        for name in others
    )
    return replace(found, reclassification=moved)


def _over_time(
    y_true: Any, y_score: Any, asked: Mapping[str, Any], at: Floats, reclassification: Any, level: float
) -> PredictionComparison:
    from roclab.analysis.follow_up.predictions import predictions_over_time

    rest, data = apart(asked)
    for name, value in {**rest, "reclassification": reclassification}.items():
        if value is not None:
            shown = value if isinstance(value, str) else Words("a value")
            raise InputError(name, "has no part in predicted risks over time", shown, "leave it out")
    return predictions_over_time(y_true, y_score, data, probabilities=at, level=level)
