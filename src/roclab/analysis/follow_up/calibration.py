"""Do predicted risks of the event by a horizon come true? Observed over expected, groups, line, smooth curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import chdtrc

from roclab._core.checks import check_level, check_points
from roclab._core.text import format_number, text_table
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.analysis.follow_up.areas import method_of
from roclab.analysis.follow_up.predictions import risks_of
from roclab.analysis.follow_up.read import Followed
from roclab.decisions.calibration import CalibrationBin
from roclab.decisions.calibration_curve import CalibrationCurve
from roclab.decisions.horizon_calibration import (
    Coefficients,
    fitted_curve,
    fitted_line,
    observed_of_group,
    observed_over_expected,
)
from roclab.errors import InputError, Words
from roclab.inference.follow_up_areas import Horizon, covariance_of_influences
from roclab.inference.follow_up_rates import rate_limits
from roclab.inference.follow_up_risks import brier_of
from roclab.inference.one_area.intervals import deviate
from roclab.results import Interval, RateEstimate, Sample, TestResult
from roclab.results.pictured import Pictured

__all__ = ["HorizonCalibration", "calibration_at"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HorizonCalibration(Pictured):
    """Predicted risks beside what happened by the horizon."""

    at: float
    bins: tuple[CalibrationBin, ...]  # groups of about equal numbers of cases, by rising risk
    predicted: float  # mean risk
    observed: float  # incidence
    ratio: RateEstimate  # observed over expected
    intercept: RateEstimate  # of the line with slope 1
    slope: RateEstimate
    joint_test: TestResult  # that intercept and slope are 0 and 1
    brier: float
    level: float
    sample: Sample
    curve: CalibrationCurve | None = None
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row per group."""
        percent = f"{100 * self.level:g}%"
        return [
            {
                "above": one.low, "up to": one.high, "cases": one.cases, "predicted": one.predicted,
                "observed": one.observed, f"{percent} low": one.interval.low, f"{percent} high": one.interval.high,
            }
            for one in self.bins
        ]  # fmt: skip

    def __str__(self) -> str:
        percent = f"{100 * self.level:g}%"
        lines = [
            f"{one.quantity} {format_number(one.rate)} ({percent} interval {one.interval})"
            for one in (self.ratio, self.intercept, self.slope)
        ]
        test = self.joint_test
        lines.append(
            f"{test.hypothesis}: {test.distribution}, statistic {format_number(test.statistic)}, "
            f"p {format_number(test.p_value)}"
        )
        if self.curve is not None:
            inside = (self.curve.joint_low <= self.curve.predicted) & (self.curve.predicted <= self.curve.joint_high)
            where = "everywhere" if inside.all() else "not everywhere"
            lines += [f"the simultaneous {percent} band holds the diagonal {where}; {self.curve.method}"]
            lines += self.curve.notes
        large = f"mean risk {format_number(self.predicted)}, incidence by {self.at:g} {format_number(self.observed)}"
        return "\n".join([text_table(self.rows()), "", large, *lines, *self.notes])


def calibration_at(
    followed: Followed, horizon: Horizon, sample: Sample, *, bins: int = 5, level: float = 0.95, band: bool = False
) -> HorizonCalibration:
    """Predicted risks of the event by the horizon, held against the incidence.

    Parameters
    ----------
    bins : int
        Groups of about equal numbers of cases; equal risks share one.
    level : float
        Confidence level; at each group alone.
    band : bool
        Ask for the smooth curve with its bands.
    """
    check_points(bins, "bins", least=1, way_out="5 is usual")
    check_level(level)
    if followed.others and sample.negative.startswith("event-free"):
        raise InputError("controls", "must be 'not a case' for predicted risks", Words("event-free"), "leave it out")
    risks_of(followed)
    risk = followed.scores[str(sample.score)]
    follow_up, subjects = followed.follow_up, followed.subjects
    z = deviate(level, df=math.inf if subjects is None else float(subjects.max()))
    method = method_of(followed)

    def error_of(influence: Floats) -> float:
        return math.sqrt(float(covariance_of_influences([influence], subjects)[0, 0]))

    value, influence = observed_over_expected(follow_up, horizon, risk)
    spread = error_of(influence)
    ratio = RateEstimate(
        quantity="observed over expected", rate=value, standard_error=value * spread, method=method, sample=sample,
        interval=Interval(low=value * math.exp(-z * spread), high=value * math.exp(z * spread), level=level,
                          method="influence, log"),
    )  # fmt: skip
    intercept, slope, test = _line(fitted_line(follow_up, horizon, risk), followed, sample, level, z)
    found, notes = _groups(followed, horizon, risk, bins, level)
    return HorizonCalibration(
        at=horizon.at, bins=found, predicted=float(follow_up.weights @ risk) / float(follow_up.weights.sum()),
        observed=horizon.incidence, ratio=ratio, intercept=intercept, slope=slope, joint_test=test,
        brier=brier_of(follow_up, horizon, risk).value, level=level, sample=sample,
        curve=fitted_curve(follow_up, horizon, risk, level=level, subjects=subjects) if band else None, notes=notes,
    )  # fmt: skip


def _groups(
    followed: Followed, horizon: Horizon, risk: Floats, bins: int, level: float
) -> tuple[tuple[CalibrationBin, ...], tuple[str, ...]]:
    """The incidence in each group of risk."""
    _, place, many = np.unique(risk, return_inverse=True, return_counts=True)
    middle = np.cumsum(many) - many / 2
    number = np.minimum(bins * middle / risk.size, bins - 1).astype(np.intp)[place]
    found: list[CalibrationBin] = []
    notes = []
    weight = followed.follow_up.weights
    for at in range(bins):
        rows = number == at
        if not rows.any():
            continue
        low = found[-1].high if found else 0.0
        measure = observed_of_group(followed.follow_up, horizon, rows)
        if measure is None:
            why = Undefined("the last of the group are lost before the horizon")
            observed: float = why
            interval = Interval(low=why, high=why, level=level, method="none")
            notes.append(f"Group {at + 1}: {why.reason}.")
        else:
            observed, interval = measure.value, rate_limits(measure, level=level, subjects=followed.subjects)
        cases = int(np.count_nonzero(rows))
        found.append(CalibrationBin(
            low=low, high=float(risk[rows].max()), cases=cases, positives=cases * observed if measure else observed,
            predicted=float(weight[rows] @ risk[rows]) / float(weight[rows].sum()), observed=observed,
            interval=interval,
        ))  # fmt: skip
    how = "in each group" if followed.follow_up.model is None or followed.follow_up.strata else "of Cox's model"
    estimate = "Aalen and Johansen" if followed.others else "Kaplan and Meier"
    words = f"Incidences by {estimate} {how}" if how == "in each group" else "Incidences by the weights of Cox's model"
    return tuple(found), (f"{words}; {found[0].interval.method}.", *notes)


def _line(
    fitted: tuple[Coefficients, Coefficients] | Undefined, followed: Followed, sample: Sample, level: float, z: float
) -> tuple[RateEstimate, RateEstimate, TestResult]:
    hypothesis = "risks are right: intercept 0 and slope 1"
    if isinstance(fitted, Undefined):
        nothing = Interval(low=fitted, high=fitted, level=level, method="none")
        one, two = (
            RateEstimate(quantity=words, rate=fitted, standard_error=fitted, interval=nothing, method="none",
                         sample=sample) for words in ("calibration intercept", "calibration slope")
        )  # fmt: skip
        return one, two, TestResult(name="calibration, intercept and slope", hypothesis=hypothesis, statistic=fitted,
                                    distribution="chi-squared, 2 df", p_value=fitted)  # fmt: skip
    large, both = fitted

    def estimate(words: str, value: float, influence: Floats) -> RateEstimate:
        error = math.sqrt(float(covariance_of_influences([influence], followed.subjects)[0, 0]))
        return RateEstimate(
            quantity=words, rate=value, standard_error=error, method="weighted logistic regression", sample=sample,
            interval=Interval(low=value - z * error, high=value + z * error, level=level, method="influence, normal"),
        )  # fmt: skip

    away = both.values - np.array([0.0, 1.0])
    matrix = covariance_of_influences(list(both.influence), followed.subjects)
    statistic = float(away @ np.linalg.solve(matrix, away))
    test = TestResult(
        name="calibration, intercept and slope", hypothesis=hypothesis, statistic=statistic,
        distribution="chi-squared, 2 df", p_value=float(chdtrc(2, statistic)), method="Wald, influence",
    )  # fmt: skip
    return (
        estimate("calibration intercept", float(large.values[0]), large.influence[0]),
        estimate("calibration slope", float(both.values[1]), both.influence[1]), test,
    )  # fmt: skip
