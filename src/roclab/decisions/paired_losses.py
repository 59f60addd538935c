"""Differences of mean losses of predictions on the same cases: Brier scores and net benefits."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import ndtr, stdtr

from roclab._core.text import text_table
from roclab._core.types import Bools, Floats, Ints
from roclab._core.undefined import Undefined
from roclab.decisions.joint_calls import JointCalls, joint_calls
from roclab.decisions.rate_comparison import rates_of
from roclab.decisions.rate_pairs import pair_of
from roclab.decisions.reclassification import Reclassification
from roclab.inference.one_area.intervals import deviate
from roclab.inference.p_values import p_of_z
from roclab.inference.subject_sums import error_of_mean
from roclab.results import Interval, Result

__all__ = ["LossDifference", "PredictionComparison", "compare_predictions_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LossDifference:
    """A mean over the cases, or the difference of two of them, with its interval."""

    quantity: str  # "Brier score", "net benefit at 0.2"
    first: str
    second: str | None  # None for the mean of the first alone
    value: float
    standard_error: float
    interval: Interval
    p_value: float  # of a difference of 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PredictionComparison(Result):
    """Brier scores and net benefits of predictions on the same cases, alone and against each other."""

    single: tuple[LossDifference, ...]
    pairs: tuple[LossDifference, ...]
    level: float
    cases: str  # who was analysed
    reclassification: tuple[Reclassification, ...] = ()  # of the first over each other one, where it was asked for
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row per mean, then one per difference."""
        return [self._row(one) for one in (*self.single, *self.pairs)]

    def _row(self, one: LossDifference) -> dict[str, Any]:
        percent = f"{100 * self.level:g}%"
        row: dict[str, Any] = {"quantity": one.quantity, "first": one.first, "second": one.second}
        row |= {"value": one.value, "std. error": one.standard_error}
        row |= {f"{percent} low": one.interval.low, f"{percent} high": one.interval.high}
        return row if one.second is None else {**row, "p": one.p_value}

    def __str__(self) -> str:
        alone = [{name: value for name, value in self._row(one).items() if name != "second"} for one in self.single]
        parts = [text_table(alone)]
        if self.pairs:
            parts += ["", "first minus second, on the same cases", text_table([self._row(pair) for pair in self.pairs])]
        of_mean = self.single[0].interval.method
        note = f"A lower Brier score is better, a higher net benefit; intervals of Brier scores: {of_mean}."
        others = dict.fromkeys(one.interval.method for one in (*self.single, *self.pairs) if "MOVER" in
                               one.interval.method)  # fmt: skip
        note += f" Of net benefits: {', '.join(others)}." if others else ""
        moved = [line for one in self.reclassification for line in ("", str(one))]
        return "\n".join([*parts, "", note, self.cases, *self.notes, *moved])


def compare_predictions_of(
    label: Bools,
    predictions: Mapping[str, Floats],
    *,
    probabilities: Floats,
    level: float,
    cases: str,
    subject: tuple[Ints, int] | None = None,
) -> PredictionComparison:
    r"""Every mean and every difference of two, O(k² n m) for k predictions and m threshold probabilities.

    The Brier score is the mean of :math:`(p_i - y_i)^2`, the net benefit at t the mean of
    :math:`1\{p_i \ge t\} (y_i - (1 - y_i)\, t/(1 - t))`. Both are means over the cases, and so are their differences;
    the standard error is that of a mean, which keeps the pairing. Limits of Brier scores come from it, those of net
    benefits from the limits of their two parts. With ``subject``, the number of every case's and how
    many there are, it comes from sums over subjects, with t on K - 1 degrees of freedom
    (``inference/subject_sums.py``).
    """
    losses: dict[str, dict[str, Floats]] = {"Brier score": {}}
    odds = {f"net benefit at {t:g}": (t, t / (1 - t)) for t in probabilities.tolist()}
    for name, p in predictions.items():
        losses["Brier score"][name] = (p - label) ** 2
        for t in probabilities.tolist():
            worth = np.where(label, 1.0, -t / (1 - t))
            losses.setdefault(f"net benefit at {t:g}", {})[name] = np.where(p >= t, worth, 0.0)
    single, pairs = [], []
    for quantity, by_name in losses.items():
        alone = [_mean(quantity, name, None, values, level, subject) for name, values in by_name.items()]
        apart = [
            _mean(quantity, one, two, by_name[one] - by_name[two], level, subject)
            for one, two in combinations(by_name, 2)
        ]
        if quantity in odds:
            joint = joint_calls(
                list(predictions), label, [p >= odds[quantity][0] for p in predictions.values()],
                ids=None if subject is None else subject[0],
            )  # fmt: skip
            alone, apart = _benefits(joint, odds[quantity][1], alone, apart, level)
        single += alone
        pairs += apart
    return PredictionComparison(single=tuple(single), pairs=tuple(pairs), level=level, cases=cases)


def _benefits(
    joint: JointCalls, odds: float, alone: list[LossDifference], apart: list[LossDifference], level: float
) -> tuple[list[LossDifference], list[LossDifference]]:
    """Net benefits with limits from those of their parts (``inference/rates/benefit.py``).

    The mean of cases with a normal deviate covers down to .51 where few cases are treated differently.
    """
    limits = rates_of(joint, "net_benefit", level=level, odds=odds)
    alone = [
        replace(one, interval=found.interval, p_value=Undefined("a net benefit alone is not held against 0"))
        for one, found in zip(alone, limits, strict=True)
    ]
    places = list(combinations(range(len(joint.names)), 2))
    found = []
    for one, (i, j) in zip(apart, places, strict=True):
        pair = pair_of(joint, "net_benefit", i, j, odds=odds)
        low, high = pair.limits(deviate(level, df=pair.df))
        interval = Interval(low=low, high=high, level=level, method=pair.method)
        found.append(replace(one, interval=interval, p_value=p_of_z(pair.statistic, "two-sided", pair.df)))
    return alone, found


def _mean(
    quantity: str, first: str, second: str | None, values: Floats, level: float, subject: tuple[Ints, int] | None
) -> LossDifference:
    mean, df, method = float(values.mean()), math.inf, "normal, of a mean"
    error: float
    p: float
    if subject is not None:
        df, method = float(subject[1] - 1), f"t, of a mean over {subject[1]} subjects"
    if values.size < 2 or df < 1:
        missing = Undefined("one case has no spread" if subject is None else "one subject has no spread")
        nothing = Interval(low=missing, high=missing, level=level, method="none")
        error, interval, p = missing, nothing, missing
    else:
        error = float(values.std(ddof=1)) / math.sqrt(values.size)
        if subject is not None:
            error = error_of_mean(values, *subject)
        half = deviate(level, df=df) * error
        interval = Interval(low=mean - half, high=mean + half, level=level, method=method)
        tail = ndtr if math.isinf(df) else functools.partial(stdtr, df)
        p = float(2 * tail(-abs(mean) / error)) if error > 0 else (1.0 if mean == 0 else 0.0)
    return LossDifference(
        quantity=quantity,
        first=first,
        second=second,
        value=mean,
        standard_error=error,
        interval=interval,
        p_value=p,
    )
