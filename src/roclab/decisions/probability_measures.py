"""Measures of predicted probabilities beside their bins: losses and the calibration line."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.areas.empirical import auc
from roclab.data.subjects import Subjects
from roclab.data.tally import Tally, subjects_at_hand
from roclab.inference.one_area.intervals import deviate
from roclab.inference.subject_sums import error_of_mean, sandwich
from roclab.results import Interval

__all__ = ["CalibrationLine", "Losses", "calibration_line", "losses"]

WINDOW = 100  # cases of ROCR's sliding calibration error
MOST_CASES = 10**8  # that are written out one by one


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """What predictions cost on average, by several rules."""

    brier: float
    brier_interval: Interval
    rmse: float  # root of the Brier score
    cross_entropy: float  # mean of -ln(probability given to what happened); infinite after a certain mistake
    sar: float  # (accuracy at 0.5 + AUC + 1 - rmse) / 3
    sar_largest: float  # the same at the cut-off of the highest accuracy
    sliding_error: float  # mean of |predicted - observed| over windows of 100 cases in the order of the predictions


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationLine:
    """Log odds of the outcome as a line of the predicted log odds: slope 1 and intercept 0 are perfect."""

    intercept: float  # with the slope held at 1: above 0 the predictions are too low on the whole
    intercept_interval: Interval
    slope: float  # below 1 the predictions are too extreme
    slope_interval: Interval


def losses(tally: Tally, level: float) -> Losses:
    """Brier score with the interval of a mean, cross-entropy, SAR and the sliding error; O(n)."""
    p, pos, neg = _columns(tally)
    total = float((pos + neg).sum())
    brier = float(np.sum(pos * (1 - p) ** 2 + neg * p**2)) / total
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.where(pos > 0, pos * np.log(p), 0.0) - np.where(neg > 0, neg * np.log1p(-p), 0.0)
    right = np.concatenate([[0.0], np.cumsum(neg - pos)]) + pos.sum()  # correct calls with the cut-off at each place
    half = int(np.searchsorted(p, 0.5, side="left"))
    rmse, area = math.sqrt(brier), auc(tally)
    return Losses(
        brier=brier,
        brier_interval=_mean_interval(p, pos, neg, brier, level, weighted=tally.weighted)
        if (subjects := subjects_at_hand(tally)) is None
        else _of_subjects(subjects, brier, level),
        rmse=rmse,
        cross_entropy=float(entropy.sum()) / total,
        sar=(float(right[half]) / total + area + 1 - rmse) / 3,
        sar_largest=(float(right.max()) / total + area + 1 - rmse) / 3,
        sliding_error=_sliding(p, pos, neg, weighted=tally.weighted),
    )


def _columns(tally: Tally) -> tuple[Floats, Floats, Floats]:
    """Distinct predictions, ascending, with the positives and negatives at each."""
    return tally.score[::-1], tally.pos[::-1].astype(np.float64), tally.neg[::-1].astype(np.float64)


def _mean_interval(p: Floats, pos: Floats, neg: Floats, mean: float, level: float, *, weighted: bool) -> Interval:
    total = float((pos + neg).sum())
    if weighted or total < 2:
        missing = Undefined("importance weights are no counts of cases" if weighted else "one case has no spread")
        return Interval(low=missing, high=missing, level=level, method="none")
    spread = float(np.sum(pos * ((1 - p) ** 2 - mean) ** 2 + neg * (p**2 - mean) ** 2)) / (total - 1)
    half = deviate(level) * math.sqrt(spread / total)
    return Interval(low=max(mean - half, 0.0), high=min(mean + half, 1.0), level=level, method="normal, of a mean")


def _of_subjects(subjects: Subjects, brier: float, level: float) -> Interval:
    """Interval of the Brier score where subjects have several cases."""
    loss = (subjects.score - subjects.label) ** 2
    error = error_of_mean(loss, subjects.number, len(subjects), weight=subjects.weights())
    method = f"t, of a mean over {len(subjects)} subjects"
    if isinstance(error, Undefined):
        return Interval(low=error, high=error, level=level, method=method)
    half = deviate(level, df=len(subjects) - 1) * error
    return Interval(low=max(brier - half, 0.0), high=min(brier + half, 1.0), level=level, method=method)


def _sliding(p: Floats, pos: Floats, neg: Floats, *, weighted: bool) -> float:
    """Mean over all windows of cases; equal predictions share their outcomes, so that row order does not matter."""
    cases = pos + neg
    if weighted or cases.sum() < WINDOW:
        return Undefined("importance weights are no cases" if weighted else f"there are fewer than {WINDOW} cases")
    if cases.sum() > MOST_CASES:
        return Undefined("there are too many cases to walk over one by one")
    each = np.repeat(p - pos / cases, cases.astype(np.int64))
    sums = np.concatenate([[0.0], np.cumsum(each)])
    return float(np.mean(np.abs(sums[WINDOW:] - sums[:-WINDOW]))) / WINDOW


def calibration_line(tally: Tally, level: float) -> CalibrationLine:
    r"""Calibration intercept and slope with Wald intervals, by Newton's method on the distinct predictions [1]_.

    The slope b of :math:`\operatorname{logit} \Pr(y) = a + b \operatorname{logit} p`, and the intercept a with b = 1.
    Undefined where a prediction of 0 or 1 was wrong, or where the predictions separate the classes. Where K subjects
    have several cases, standard errors are sandwiches of their sums, with t on K - 1 degrees of freedom.

    References
    ----------
    .. [1] Cox DR. Two further applications of a model for binary regression. Biometrika 1958;45:562-565.
    """
    p, pos, neg = _columns(tally)
    if (p[0] <= 0 and pos[0] > 0) or (p[-1] >= 1 and neg[-1] > 0):
        return _no_line("a prediction of 0 or 1 was wrong, and has no finite log odds", level)
    # Right ones weigh next to nothing: the nearest number inside stands for them.
    x = np.asarray(logit(np.clip(p, np.nextafter(0.0, 1.0), np.nextafter(1.0, 0.0))))
    large = _newton(np.ones((x.size, 1)), x, pos, neg)
    if p.size < 2:
        line = None
    else:
        line = _newton(np.column_stack([np.ones(x.size), x]), np.zeros(x.size), pos, neg)
    missing = Undefined("the predictions separate the classes, or are all equal")
    nothing = Interval(low=missing, high=missing, level=level, method="none")
    subjects = subjects_at_hand(tally)
    z = deviate(level, df=math.inf if subjects is None else max(len(subjects) - 1, 1))
    method = "Wald" if subjects is None else f"sandwich of {len(subjects)} subjects, t"
    if subjects is not None:
        large, line = _robust(large, subjects, slope=False), _robust(line, subjects, slope=True)

    def wald(value: float, error: float) -> Interval:
        if tally.weighted and subjects is None:
            why = Undefined("importance weights are no counts of cases")
            return Interval(low=why, high=why, level=level, method="none")
        return Interval(low=value - z * error, high=value + z * error, level=level, method=method)

    return CalibrationLine(
        intercept=missing if large is None else large[0][0],
        intercept_interval=nothing if large is None else wald(large[0][0], large[1][0]),
        slope=missing if line is None else line[0][1],
        slope_interval=nothing if line is None else wald(line[0][1], line[1][1]),
    )


def _robust(
    fit: tuple[list[float], list[float]] | None, subjects: Subjects, *, slope: bool
) -> tuple[list[float], list[float]] | None:
    """The same coefficients with standard errors from the sums of subjects."""
    if fit is None:
        return None
    x = np.asarray(logit(np.clip(subjects.score, np.nextafter(0.0, 1.0), np.nextafter(1.0, 0.0))))
    design = np.column_stack([np.ones(x.size), x]) if slope else np.ones((x.size, 1))
    offset = np.zeros(x.size) if slope else x
    chance, weight = expit(offset + design @ np.array(fit[0])), subjects.weights()
    information = design.T @ (design * (weight * chance * (1 - chance))[:, None])
    scores = design * (weight * (subjects.label - chance))[:, None]
    square = np.diag(sandwich(np.linalg.inv(information), scores, subjects.number, len(subjects)))
    return fit[0], np.sqrt(np.maximum(square, 0.0)).tolist()


def _no_line(reason: str, level: float) -> CalibrationLine:
    missing = Undefined(reason)
    nothing = Interval(low=missing, high=missing, level=level, method="none")
    return CalibrationLine(intercept=missing, intercept_interval=nothing, slope=missing, slope_interval=nothing)


def _newton(design: Floats, offset: Floats, pos: Floats, neg: Floats) -> tuple[list[float], list[float]] | None:
    """Coefficients and standard errors of a logistic regression of counts; None where there is no maximum."""
    beta, cases = np.zeros(design.shape[1]), pos + neg
    for _ in range(60):
        chance = expit(offset + design @ beta)
        information = design.T @ (design * (cases * chance * (1 - chance))[:, None])
        try:
            step = np.linalg.solve(information, design.T @ (pos - cases * chance))
            square = np.diag(np.linalg.inv(information))
        except np.linalg.LinAlgError:
            return None
        if not np.all(np.isfinite(step)) or not np.all(square > 0):
            return None
        beta = beta + np.clip(step, -2, 2)
        if np.max(np.abs(step)) < 1e-11 * (1 + np.max(np.abs(beta))):
            return beta.tolist(), np.sqrt(square).tolist()
        if np.max(np.abs(beta)) > 1e3:
            return None
    return None
