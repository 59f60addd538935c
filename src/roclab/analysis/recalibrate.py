"""Which probability does a score mean? Recalibration, honest by folds, and its use on new cases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.text import text_table
from roclab._core.types import Floats, frozen
from roclab.analysis.auc import parts_by_fold
from roclab.data.columns import score_column
from roclab.data.read import read_cases
from roclab.data.remote import RemoteCases
from roclab.data.tally import Tally
from roclab.data.verbs import verb
from roclab.decisions.calibration import Calibration, calibration
from roclab.errors import InputError, Words, named
from roclab.models.recalibration import RecalibrationFit, fit_recalibration
from roclab.names import RECALIBRATIONS, RecalibrationMethod
from roclab.options.data import DataKeywords
from roclab.results import Sample
from roclab.results.pictured import Pictured

__all__ = ["Recalibration", "recalibrate"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recalibration(Pictured):
    """A map from scores to probabilities, and how well calibrated it makes the cases."""

    method: str
    probabilities: Floats  # of the cases in their order; with folds, from a map that did not see their fold
    out_of_fold: bool
    calibration: Calibration  # of these probabilities
    sample: Sample
    _fit: RecalibrationFit  # on all cases
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frozen(self.probabilities)

    def apply(self, scores: Any) -> Floats:
        """Probabilities of new cases, by the map of all cases."""
        values = score_column(scores, "scores").values.astype(np.float64)
        if np.isnan(values).any():
            raise InputError("scores", "must be numbers", Words("NaN"), "leave out cases without a score")
        return self._fit.probabilities(values if self.sample.direction == "higher" else -values)

    def rows(self) -> list[dict[str, Any]]:
        """What was fitted: the coefficients of the sigmoid, or the corners of the staircase."""
        return [dict(row) for row in self._fit.rows()]

    def __str__(self) -> str:
        return "\n".join([text_table(self.rows()), "", str(self.calibration), *self.notes])


@verb()
def recalibrate(
    y_true: Any,
    y_score: Any = None,
    *,
    method: RecalibrationMethod = "platt",
    bins: int = 10,
    level: float = 0.95,
    **data: Unpack[DataKeywords],
) -> Recalibration:
    """Turn a score into probabilities by Platt's sigmoid or an isotonic staircase.

    Parameters
    ----------
    y_true, y_score : arrays, or a table, as in :func:`auc`
        With ``folds`` the probabilities of every fold come from a map fitted to the others, which keeps them honest;
        without, from the map of the same cases, which flatters them.
    method : "platt" or "isotonic"
    bins, level
        Of the calibration that is shown.

    Examples
    --------
    >>> import roclab as rl
    >>> found = rl.recalibrate([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6], method="isotonic")
    >>> found.apply([0, 3.5, 9]).tolist()
    [0.0, 0.5, 1.0]
    """
    check_choice(method, "method", RECALIBRATIONS)
    cases = read_cases(y_true, y_score, **data)
    name = cases.only_name()
    if isinstance(cases, RemoteCases):
        return _of_counts(cases, name, method, bins, level)
    score = np.asarray(cases.oriented(name), dtype=np.float64)
    whole = fit_recalibration(cases.tally(name), method)
    found = whole.probabilities(score)
    note = "The probabilities are those of the cases that made the map, which flatters them; folds keep them honest."
    if cases.folds is not None:
        parts_by_fold(cases)  # each must hold both classes
        for fold in np.unique(cases.folds.astype(str)):
            held = cases.folds.astype(str) == fold
            if held.all():
                raise InputError("folds", "must be at least two", Words("one"), "leave them out")
            found[held] = fit_recalibration(cases.only(~held).tally(name), method).probabilities(score[held])
        note = "The probabilities of every fold come from a map that was fitted to the other folds."
    found = np.clip(found, 0.0, 1.0)
    judged = Tally.from_labels(cases.label, found, weight=cases.weight)
    if cases.clustered:
        alike = replace(cases, scores={name: found}, direction={name: "higher"}, folds=None)
        judged = alike.tally(name)
    return Recalibration(
        method=method,
        probabilities=found,
        out_of_fold=cases.folds is not None,
        calibration=calibration(judged, bins=bins, level=level),
        sample=cases.sample(name),
        _fit=whole,
        notes=(note,),
    )


def _of_counts(cases: RemoteCases, name: str, method: RecalibrationMethod, bins: int, level: float) -> Recalibration:
    """The map from the counts of rows that stay where they are, and the calibration that it gives those counts."""
    if cases.folds is not None:
        raise InputError("folds", "need the rows in memory for maps of the other folds", Words("counts"),
                         f"leave them out, or fetch the rows with {named('engine', 'memory')}")  # fmt: skip
    tally = cases.tally(name)
    whole = fit_recalibration(tally, method)
    found = np.clip(whole.probabilities(tally.score), 0.0, 1.0)
    judged = Tally.from_counts(found, tally.pos, tally.neg)
    return Recalibration(
        method=method, probabilities=np.empty(0), out_of_fold=False,
        calibration=calibration(judged, bins=bins, level=level), sample=cases.sample(name), _fit=whole,
        notes=(
            "The map is judged by the cases that made it, which flatters it; probabilities of single cases come from "
            "apply(…).", *tally.joined_notes(),
        ),
    )  # fmt: skip
