r"""Are predicted risks right in every group, and equally wrong in all?

Each group has its own calibration: observed over expected, intercept, slope, smooth errors, all with their intervals.
Between groups, with the logit x of a risk, two score tests ask whether they need calibration lines of their own. With
the common line fitted to all cases, :math:`U_g` the derivative of the log likelihood of group g there and :math:`I_g`
its information,

.. math:: \chi^2 = \sum_g U_g^\top I_g^{-1} U_g

with 2 (G - 1) degrees of freedom for intercept and slope, and with G - 1 for the intercept alone where the slope is
held at 1. They need no fit within a group, so that few events in one of them are no obstacle. A third test asks whether
all groups are right, the sum of their score tests of intercept 0 and slope 1. Where the common slope is far from 1, the
second test finds differences that the first, which fits the slope, does not: risks that say too much are wrong by more
in a group whose risks are higher.

References
----------
Cox DR. Two further applications of a model for binary regression. Biometrika 1958;45:562-565.
Miller ME, Langefeld CD, Tierney WM, Hui SL, McDonald CJ. Validation of probabilistic predictions. Med Decis Making
1993;13:49-58.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import chdtrc, expit, logit

from roclab._core.text import format_number, text_table
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.data.tally import Tally
from roclab.decisions.calibration import Calibration, calibration
from roclab.decisions.calibration_curve import fit_logistic, joint_calibration_test
from roclab.inference.one_curve.proportions import proportion_interval
from roclab.results import Interval, TestResult
from roclab.results.pictured import Pictured

__all__ = ["GroupCalibrations", "calibrations_of"]

_FEWEST = 2  # groups that can be told apart


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupCalibrations(Pictured):
    """The calibration of every group, and whether the groups differ in it."""

    by: str
    calibrations: Mapping[str, Calibration]
    ratios: Mapping[str, Interval]  # limits of observed over expected
    tests: tuple[TestResult, ...]  # one line for all; one intercept for all; all groups right
    level: float

    def __getitem__(self, group: str) -> Calibration:
        return self.calibrations[str(group)]

    def rows(self) -> list[dict[str, Any]]:
        """One row per group."""
        percent = f"{100 * self.level:g}%"
        rows = []
        for name, one in self.calibrations.items():
            row: dict[str, Any] = {
                self.by: name, "cases": one.sample.n_pos + one.sample.n_neg, "positive": one.sample.n_pos,
                "predicted": one.predicted, "observed": one.observed,
            }  # fmt: skip
            line, errors = one.line, one.errors
            for title, value, limits in (
                ("O/E", one.observed / one.predicted if one.predicted > 0 else math.inf, self.ratios[name]),
                ("intercept", line.intercept, line.intercept_interval),
                ("slope", line.slope, line.slope_interval),
                ("ICI", errors.ici, errors.ici_interval),
            ):
                row |= {title: value}
                if limits.method != "none" or title != "ICI":
                    row |= {f"{title} {percent} low": limits.low, f"{title} {percent} high": limits.high}
            rows.append({**row, "Brier": one.brier})
        return rows

    def __str__(self) -> str:
        percent = f"{100 * self.level:g}%"
        shown = []
        for row in self.rows():
            short = {name: row[name] for name in (self.by, "cases", "positive", "predicted", "observed")}
            for title in ("O/E", "intercept", "slope", "ICI"):
                low, high = (row.get(f"{title} {percent} {end}") for end in ("low", "high"))
                known = low is not None and low == low
                limits = f" ({format_number(low)} to {format_number(high)})" if known else ""
                short[title] = format_number(row[title]) + limits
            shown.append(short)
        tests = [
            f"{test.hypothesis}: {test.distribution}, statistic {format_number(test.statistic)}, "
            f"p {format_number(test.p_value)}"
            + (f" ({test.p_value.reason})" if isinstance(test.p_value, Undefined) else "")
            for test in self.tests
        ]
        return "\n".join([text_table(shown), "", *tests, f"with limits of {percent}; {self.tests[0].method}"])


def calibrations_of(by: str, tallies: Mapping[str, Tally], *, level: float = 0.95, **asked: Any) -> GroupCalibrations:
    """Calibrations of groups and the tests between them; ``asked`` as in ``calibration``."""
    found = {name: calibration(tally, level=level, **asked) for name, tally in tallies.items()}
    return GroupCalibrations(
        by=by, calibrations=found, ratios={name: _ratio(tallies[name], one, level) for name, one in found.items()},
        tests=(*_between(tallies), _all_right(tallies)), level=level,
    )  # fmt: skip


def _ratio(tally: Tally, one: Calibration, level: float) -> Interval:
    """Wilson's limits of the observed share over the expected one."""
    why = "importance weights are no counts of cases" if tally.weighted else "subjects have several cases"
    if tally.weighted or tally.subjects is not None or tally.sample.subjects or one.predicted <= 0:
        missing = Undefined(why if one.predicted > 0 else "no case is expected")
        return Interval(low=missing, high=missing, level=level, method="none")
    share = proportion_interval(float(tally.n_pos), float(tally.n_pos + tally.n_neg), level=level)
    return Interval(low=share.low / one.predicted, high=share.high / one.predicted, level=level,
                    method=f"{share.method} over the mean prediction")  # fmt: skip


def _between(tallies: Mapping[str, Tally]) -> tuple[TestResult, TestResult]:
    """Score tests that all groups share intercept and slope, and that they share the intercept at a slope of 1."""
    both = ("all groups share calibration intercept and slope", True)
    large = ("all groups share the calibration intercept, the slope held at 1", False)
    return _shared(tallies, *both), _shared(tallies, *large)


def _shared(tallies: Mapping[str, Tally], hypothesis: str, slope: bool) -> TestResult:
    why = _no_test(tallies)
    statistic, df = 0.0, (len(tallies) - 1) * (2 if slope else 1)
    if not why:
        parts = [_columns(tally) for tally in tallies.values()]
        x, pos, cases = (np.concatenate([part[at] for part in parts]) for at in range(3))
        fitted = _line(x, pos, cases) if slope else _intercept(x, pos, cases)
        why = "" if fitted is not None else "the risks separate the classes, or are all equal"
        if fitted is not None:
            for own, events, size in parts:
                design = np.stack([np.ones(own.size), own], axis=1)[:, : 2 if slope else 1]
                chance = expit(fitted[0] + fitted[1] * own)
                gradient = design.T @ (events - size * chance)
                information = (design * (size * chance * (1 - chance))[:, None]).T @ design
                if np.linalg.cond(information) > 1e12:
                    why = "a group has one risk for all of its cases"
                    break
                statistic += float(gradient @ np.linalg.solve(information, gradient))
    return _test("calibration of groups", hypothesis, statistic, df, why)


def _all_right(tallies: Mapping[str, Tally]) -> TestResult:
    """The sum of the score tests of every group."""
    each = [joint_calibration_test(tally) for tally in tallies.values()]
    unknown = next((one.p_value.reason for one in each if isinstance(one.p_value, Undefined)), "")
    total = 0.0 if unknown else sum(one.statistic for one in each)
    return _test("calibration of groups", "risks are right in every group", total, 2 * len(each), unknown)


def _test(name: str, hypothesis: str, statistic: float, df: int, why: str) -> TestResult:
    value = Undefined(why) if why else statistic
    return TestResult(
        name=name, hypothesis=hypothesis, statistic=value, distribution=f"chi-squared, {df} df",
        p_value=value if why else float(chdtrc(df, statistic)), method="score tests (Cox 1958)",
    )  # fmt: skip


def _no_test(tallies: Mapping[str, Tally]) -> str:
    if len(tallies) < _FEWEST:
        return "one group alone"
    for tally in tallies.values():
        if tally.weighted:
            return "importance weights are no counts"
        if tally.subjects is not None or tally.sample.subjects:
            return "the test takes every case for itself, and subjects have several"
        if tally.pos[tally.score <= 0].sum() + tally.neg[tally.score >= 1].sum() > 0:
            return "a prediction of 0 or 1 was wrong"
    return ""


def _columns(tally: Tally) -> tuple[Floats, Floats, Floats]:
    """Logits, events and cases at every distinct risk between 0 and 1."""
    inside = (tally.score > 0) & (tally.score < 1)
    pos = tally.pos[inside].astype(np.float64)
    return np.asarray(logit(tally.score[inside])), pos, pos + tally.neg[inside]


def _line(x: Floats, pos: Floats, cases: Floats) -> tuple[float, float] | None:
    found = fit_logistic(np.stack([np.ones(x.size), x], axis=1), pos, cases)
    return None if found is None else (float(found[0][0]), float(found[0][1]))


def _intercept(x: Floats, pos: Floats, cases: Floats) -> tuple[float, float] | None:
    """The intercept that makes as many events expected as there are, by Newton's steps; the slope is 1."""
    events = float(pos.sum())
    if not 0 < events < float(cases.sum()):
        return None
    at = 0.0
    for _ in range(100):
        chance = expit(at + x)
        step = (events - float(cases @ chance)) / float(cases @ (chance * (1 - chance)))
        at += min(max(step, -2.0), 2.0)  # far from the maximum the curve is flat
        if abs(step) < 1e-12:
            break
    return at, 1.0
