"""Concordance: of two cases, does the one with the higher score have the event first?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from roclab._core.checks import check_choice, check_positive
from roclab._core.text import text_table
from roclab.analysis.follow_up.read import Followed, read_followed
from roclab.data.verbs import verb
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.contrasts import Difference, contrast
from roclab.inference.concordance import Concordance, harrell, uno
from roclab.inference.follow_up_areas import covariance_of_influences
from roclab.inference.one_area.intervals import area_interval
from roclab.names import CONCORDANCES, ConcordanceKind
from roclab.options.data import DataKeywords
from roclab.options.follow_up import FollowUpKeywords, FollowUpOptions, apart
from roclab.options.uncertainty import Level, LevelKeywords
from roclab.results import AreaEstimate, Result, Sample

__all__ = ["Concordances", "concordance"]


class ConcordanceKeywords(LevelKeywords, FollowUpKeywords, DataKeywords, total=False):
    """Cases that were followed."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Concordances(Result):
    """Concordance of every score, and the differences of all pairs."""

    estimates: tuple[AreaEstimate, ...]
    pairs: tuple[Difference, ...]
    notes: tuple[str, ...] = ()

    def __getitem__(self, score: str) -> AreaEstimate:
        for estimate in self.estimates:
            if estimate.sample.score == score:
                return estimate
        raise KeyError(score)

    def rows(self) -> list[dict[str, Any]]:
        """One row for every score."""
        return [
            {
                "score": estimate.sample.score, "concordance": estimate.area, "std. error": estimate.standard_error,
                f"{100 * estimate.interval.level:g}% low": estimate.interval.low,
                f"{100 * estimate.interval.level:g}% high": estimate.interval.high,
                "events": estimate.sample.n_pos, "others": estimate.sample.n_neg,
            }
            for estimate in self.estimates
        ]  # fmt: skip

    def __str__(self) -> str:
        first = self.estimates[0]
        tables = [self.rows(), [row for pair in self.pairs for row in pair.rows()]]
        lines = [line for rows in tables if rows for line in (text_table(rows), "")]
        return "\n".join([*lines, f"{first.quantity}, {first.method}; {first.interval.method}", *self.notes])


@verb(ConcordanceKeywords)
def concordance(
    y_true: Any,
    y_score: Any = None,
    *,
    estimator: ConcordanceKind = "uno",
    tau: float | None = None,
    **asked: Unpack[ConcordanceKeywords],
) -> Concordances:
    """Of two cases, does the one with the higher score have the event first? O(n log n).

    Parameters
    ----------
    y_true, y_score : arrays, or a table
        A table with ``time=``, ``event=`` and ``score=``; or scores with ``time`` and ``event`` as arrays; or a
        structured array of events and times, as scikit-survival has it, with scores.
    estimator : "uno" or "harrell"
        Uno's weighs cases by the chance to be followed so long and does not depend on how many are lost; Harrell's
        counts the pairs that can be compared.
    tau : float, optional
        Events beyond it do not count; Uno's needs it, because beyond it hardly anyone is followed.

    Examples
    --------
    >>> import roclab as rl
    >>> found = rl.concordance([5.0, 4, 3, 2, 1], time=[1, 2, 3, 4, 5], event=[1, 1, 0, 1, 0], estimator="harrell")
    >>> found["score"].area
    1.0
    """
    check_choice(estimator, "estimator", CONCORDANCES)
    if tau is not None:
        tau = check_positive(tau, "tau", way_out="in the unit of the times")
    rest, data = apart(asked)
    options = FollowUpOptions.of(data)
    for name in ("at", "controls"):
        if getattr(options, name) is not None:
            raise InputError(name, "has no part in the concordance", getattr(options, name), "write tau= for its end")
    if estimator == "harrell" and options.censoring is not None:
        raise InputError(
            "censoring", "has no part in Harrell's concordance, which has no weights", Words("a model"), "leave it out"
        )
    followed = read_followed(y_true, y_score, data, options, verb="concordance()")
    if estimator == "uno" and tau is None:
        raise _no_tau(followed)
    found = {name: _of(followed, name, estimator, tau) for name in followed.scores}
    return _answer(followed, found, estimator, tau, Level.of(rest).level)


def _no_tau(followed: Followed) -> InputError:
    """Uno's needs an end; where most of the events are may help to choose it."""
    events = followed.follow_up.time[followed.follow_up.event == 1]
    known = f"; 90% of the events are by {float(np.quantile(events, 0.9)):g}" if events.size else ""
    return InputError(
        "tau", "must be given for Uno's concordance", Words("none"),
        f"beyond it hardly anyone is followed{known}; or use {named('estimator', 'harrell')}",
    )  # fmt: skip


def _of(followed: Followed, name: str, estimator: str, tau: float | None) -> Concordance:
    follow_up, score = followed.follow_up.of_cause(), followed.scores[name]
    if estimator == "uno" and tau is not None:
        one = uno(follow_up, score, tau=tau)
    else:
        one = harrell(follow_up, score, tau=tau)
    if one is None:
        raise InputError(
            "event", "must have happened to a case that another one outlived", Words("no such pair"),
            "check cause= and tau=",
        )  # fmt: skip
    return one


def _answer(
    followed: Followed, found: dict[str, Concordance], estimator: str, tau: float | None, level: float
) -> Concordances:
    matrix = covariance_of_influences([one.influence for one in found.values()], followed.subjects)
    subjects = followed.subjects
    df = math.inf if subjects is None else float(subjects.max())
    by = followed.follow_up.event == 1
    events = float(np.count_nonzero(by if tau is None else by & (followed.follow_up.time <= tau)))
    estimates = []
    for at, (name, one) in enumerate(found.items()):
        error = one.standard_error if subjects is None else math.sqrt(float(matrix[at, at]))
        estimates.append(AreaEstimate(
            quantity=f"{estimator.capitalize()}'s C", area=one.value, standard_error=error,
            interval=area_interval(one.value, error, level=level, scale="logit", name="influence", df=df, pairs=events),
            method="all events" if tau is None else f"events up to {tau:g}", sample=_sample(followed, name),
        ))  # fmt: skip
    names, values = list(found), np.array([one.value for one in found.values()])
    pairs = []
    for first, second in combinations(range(len(names)), 2):
        weights = np.zeros(len(names))
        weights[first], weights[second] = 1, -1
        pairs.append(contrast(
            values, matrix, weights, names=(names[first], names[second]), level=level, alternative="two-sided",
            method="influence",
        ))  # fmt: skip
    model = followed.follow_up.model
    about = () if model is None else (f"W{str(model)[1:]}.",)
    notes = (
        about
        if not followed.others
        else (
            *about,
            f"Other events ({', '.join(followed.others)}) end the follow-up as a loss does.",
        )
    )
    return Concordances(estimates=tuple(estimates), pairs=tuple(pairs), notes=notes)


def _sample(followed: Followed, name: str) -> Sample:
    events = int(np.count_nonzero(followed.follow_up.event == 1))
    return Sample(
        n_pos=events, n_neg=len(followed.follow_up) - events, positive=f"event {followed.cause}",
        negative="no such event", direction=followed.directions[name], dropped=followed.dropped, score=name,
        subjects=0 if followed.subjects is None else int(followed.subjects.max()) + 1,
    )  # fmt: skip
