"""Calibration: do predicted probabilities come true? Reliability bins and the Brier score with its parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_level, check_points
from roclab._core.text import format_number, text_table
from roclab._core.types import Bools, Floats, Ints
from roclab._core.undefined import Undefined
from roclab.data.subjects import Subjects
from roclab.data.tally import Tally, subjects_at_hand
from roclab.decisions.calibration_curve import CalibrationCurve, calibration_curve, joint_calibration_test
from roclab.decisions.confusion import confusion_of_calls
from roclab.decisions.intervals import interval_of_metric
from roclab.decisions.probability_measures import CalibrationLine, Losses, calibration_line, losses
from roclab.decisions.smooth_errors import SmoothErrors, smooth_errors
from roclab.errors import InputError, Words, named
from roclab.inference.one_curve.proportions import proportion_interval
from roclab.names import Binning, ProportionInterval
from roclab.options.uncertainty import Resampling
from roclab.results import Interval, Sample, TestResult
from roclab.results.pictured import Pictured

__all__ = ["BINNINGS", "Binning", "Calibration", "CalibrationBin", "calibration", "check_probabilities"]

BINNINGS = ("width", "count")


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """Cases with predictions above ``low`` and up to ``high``: what was predicted for them, and what happened."""

    low: float
    high: float
    cases: float  # number, or total weight
    positives: float
    predicted: float  # mean probability
    observed: float  # share of positives
    interval: Interval  # of the share


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration(Pictured):
    """Reliability bins and the Brier score, ``reliability - resolution + uncertainty + within_bins``."""

    bins: tuple[CalibrationBin, ...]  # only those that hold cases, by rising probability
    brier: float  # mean squared distance between probability and outcome
    reliability: float  # mean squared distance between the bins' predicted and observed shares; 0 is perfect
    resolution: float  # how far the bins' observed shares lie from the prevalence; more is better
    uncertainty: float  # prevalence (1 - prevalence): the Brier score of predicting the prevalence for all
    within_bins: float  # what differing predictions within a bin add; 0 where each bin holds one prediction
    predicted: float  # mean probability over all cases
    observed: float  # prevalence
    losses: Losses  # Brier score with its interval, cross-entropy, SAR, sliding error
    line: CalibrationLine  # calibration intercept and slope with their intervals
    errors: SmoothErrors  # ICI, E50, E90, Emax, with intervals if asked for
    binning: str
    level: float
    sample: Sample
    curve: CalibrationCurve | None = None  # smooth, with its bands, where one was asked for
    joint_test: TestResult | None = None  # that intercept and slope are 0 and 1
    notes: tuple[str, ...] = ()

    @property
    def in_the_large(self) -> float:
        """Mean prediction minus prevalence: above 0 the predictions are too high on the whole."""
        return self.predicted - self.observed

    @property
    def skill(self) -> float:
        """Brier skill score, 1 - brier / uncertainty: 1 is perfect, 0 as good as predicting the prevalence."""
        return 1 - self.brier / self.uncertainty

    @property
    def expected_error(self) -> float:
        """Expected calibration error: mean distance between the bins' predicted and observed shares."""
        total = sum(one.cases for one in self.bins)
        return sum(one.cases * abs(one.predicted - one.observed) for one in self.bins) / total

    def rows(self) -> list[dict[str, Any]]:
        """One row per bin."""
        percent = f"{100 * self.level:g}%"
        return [
            {
                "above": one.low,
                "up to": one.high,
                "cases": one.cases,
                "predicted": one.predicted,
                "observed": one.observed,
                f"{percent} low": one.interval.low,
                f"{percent} high": one.interval.high,
            }
            for one in self.bins
        ]

    def __str__(self) -> str:
        parts = {
            "reliability": self.reliability,
            "resolution": self.resolution,
            "uncertainty": self.uncertainty,
            "within bins": self.within_bins,
        }
        words = ", ".join(f"{name} {_without_noise(value)}" for name, value in parts.items())
        large = f"mean prediction {format_number(self.predicted)}, prevalence {format_number(self.observed)}"
        sentences = [
            f"Brier score {format_number(self.brier)} (skill {format_number(self.skill)}): {words}",
            f"calibration in the large {_without_noise(self.in_the_large)}: {large}",
            f"expected calibration error {_without_noise(self.expected_error)}",
            *self._further(),
            *self._of_curve(),
        ]
        return "\n".join([text_table(self.rows()), "", *sentences, self.sample.describe(), *self.notes])

    def _of_curve(self) -> list[str]:
        said = []
        if self.joint_test is not None:
            test = self.joint_test
            words = f"{test.distribution}, statistic {format_number(test.statistic)}, p {format_number(test.p_value)}"
            why = f" ({test.p_value.reason})" if isinstance(test.p_value, Undefined) else ""
            said.append(f"intercept 0 and slope 1 together: {test.method}, {words}{why}")
        if self.curve is not None:
            inside = (self.curve.joint_low <= self.curve.predicted) & (self.curve.predicted <= self.curve.joint_high)
            where = "everywhere" if inside.all() else "not everywhere"
            percent = f"{100 * self.curve.level:g}%"
            said += [f"the simultaneous {percent} band holds the diagonal {where}; {self.curve.method}"]
            said += self.curve.notes
        return said

    def _further(self) -> list[str]:
        loss, line, gap, percent = self.losses, self.line, self.errors, f"{100 * self.level:g}%"
        shown = {
            "Brier score": (loss.brier, loss.brier_interval),
            "calibration intercept": (line.intercept, line.intercept_interval),
            "calibration slope": (line.slope, line.slope_interval),
        }
        words = [f"{name} {_without_noise(value)} ({percent} interval {ends})" for name, (value, ends) in shown.items()]
        curve = {
            "ICI": (gap.ici, gap.ici_interval), "E50": (gap.e50, gap.e50_interval),
            "E90": (gap.e90, gap.e90_interval), "Emax": (gap.emax, gap.emax_interval),
        }  # fmt: skip
        shares = [
            f"{name} {format_number(value)}" + ("" if ends.method == "none" else f" ({percent} interval {ends})")
            for name, (value, ends) in curve.items()
        ]
        drawn = [] if gap.ici_interval.method == "none" else [f"its intervals: {gap.ici_interval.method}"]
        return [
            *words,
            f"smooth calibration curve: {', '.join(shares)}",
            *drawn,
            f"cross-entropy {format_number(loss.cross_entropy)}, RMSE {format_number(loss.rmse)}, "
            f"SAR {format_number(loss.sar)}, sliding calibration error {format_number(loss.sliding_error)}",
        ]


def _without_noise(value: float) -> str:
    """Differences of means of probabilities: below 1e-12 nothing but rounding is left, which differs by processor."""
    return format_number(0.0 if abs(value) < 1e-12 else value)  # undefined values stay so: no comparison holds for them


def calibration(
    tally: Tally,
    *,
    bins: int = 10,
    binning: Binning = "width",
    level: float = 0.95,
    method: ProportionInterval = "wilson",
    resampling: Resampling | int | None = None,
    rng: Any = None,
    band: bool = False,
) -> Calibration:
    r"""Compare predicted probabilities with what happened.

    With the :math:`n_k` cases of bin k, their mean prediction :math:`\bar p_k` and share of positives
    :math:`\bar y_k`, prevalence :math:`\pi` and n cases in all [1]_,

    .. math:: \text{Brier} = \frac1n\sum_i (p_i - y_i)^2
              = \underbrace{\tfrac1n\sum_k n_k (\bar p_k - \bar y_k)^2}_{\text{reliability}}
              - \underbrace{\tfrac1n\sum_k n_k (\bar y_k - \pi)^2}_{\text{resolution}}
              + \underbrace{\pi(1-\pi)}_{\text{uncertainty}} + \text{within bins}

    The last part, twofold in [2]_, comes from predictions that differ within a bin.

    Parameters
    ----------
    tally : Tally
        Scores must be predicted probabilities of the positive class, in [0, 1].
    bins : int
        Number of bins; empty ones are left out.
    binning : "width" or "count"
        Bins of equal width, closed on the right, or of about equal numbers of cases. Equal predictions always share a
        bin, the one that the middle of their ranks falls into.
    level, method
        Interval of the observed share (``inference.proportions``); it counts cases, so importance weights have none.
    resampling, rng
        Ask for bootstrap intervals of ICI, E50, E90 and Emax (``decisions.smooth_errors``), O(400 n) a replicate;
        without ``resampling`` they are undefined, and nothing is drawn.
    band : bool
        Ask for the smooth curve with its bands and the joint test (``decisions.calibration_curve``).

    References
    ----------
    .. [1] Murphy AH. A new vector partition of the probability score. J Appl Meteorol 1973;12:595-600.
    .. [2] Stephenson DB, Coelho CAS, Jolliffe IT. Two extra components in the Brier score decomposition. Weather
       Forecast 2008;23:752-757. doi:10.1175/2007WAF2006116.1

    Examples
    --------
    Of two cases at 0.2 none is positive, of two at 0.7 one is: Brier (0.04 + 0.04 + 0.09 + 0.49) / 4.

    >>> found = calibration(Tally.from_samples(np.array([0.7]), np.array([0.2, 0.2, 0.7])), bins=2)
    >>> round(found.brier, 4), round(found.reliability, 4), round(found.resolution, 4), found.uncertainty
    (0.165, 0.04, 0.0625, 0.1875)
    """
    check_points(bins, "bins", least=1, way_out="10 is usual")
    check_choice(binning, "binning", BINNINGS)
    check_level(level)
    check_probabilities(tally)
    subjects = subjects_at_hand(tally)
    p, pos = tally.score[::-1], tally.pos[::-1].astype(np.float64)
    cases = pos + tally.neg[::-1]
    total, prevalence = float(cases.sum()), tally.n_pos / (tally.n_pos + tally.n_neg)
    place = _places(p, cases, bins, binning)
    n = np.bincount(place, cases, minlength=bins)
    held = np.flatnonzero(n > 0)
    predicted = np.bincount(place, cases * p, minlength=bins)[held] / n[held]
    positives = np.bincount(place, pos, minlength=bins)[held]
    observed = positives / n[held]
    brier = float(np.sum(pos * (1 - p) ** 2 + (cases - pos) * p**2)) / total
    reliability = float(np.sum(n[held] * (predicted - observed) ** 2)) / total
    resolution = float(np.sum(n[held] * (observed - prevalence) ** 2)) / total
    uncertainty = prevalence * (1 - prevalence)
    found: list[CalibrationBin] = []
    for row, at in enumerate(held.tolist()):
        if binning == "width":
            low, high = at / bins, (at + 1) / bins
        else:  # from the largest prediction of the bin before it
            low = found[-1].high if found else 0.0
            high = float(p[place == at].max())
        share = Interval(low=_NO_COUNT, high=_NO_COUNT, level=level, method="none")
        if subjects is not None:
            share = _share_of_subjects(subjects, p, place == at, level, method)
        elif not tally.weighted:
            share = proportion_interval(float(positives[row]), float(n[at]), level=level, method=method)
        found.append(
            CalibrationBin(
                low=low,
                high=high,
                cases=n[at].item() if tally.weighted else int(n[at]),
                positives=positives[row].item() if tally.weighted else int(positives[row]),
                predicted=float(predicted[row]),
                observed=float(observed[row]),
                interval=share,
            )
        )
    return Calibration(
        bins=tuple(found),
        brier=brier,
        reliability=reliability,
        resolution=resolution,
        uncertainty=uncertainty,
        within_bins=brier - (reliability - resolution + uncertainty),
        predicted=float(np.sum(cases * p)) / total,
        observed=prevalence,
        losses=losses(tally, level),
        line=calibration_line(tally, level),
        errors=smooth_errors(tally, level, resampling=resampling, rng=rng),
        binning=binning,
        level=level,
        sample=tally.sample,
        curve=calibration_curve(tally, level) if band else None,
        joint_test=joint_calibration_test(tally) if band else None,
        notes=tally.joined_notes(),
    )


def _share_of_subjects(
    subjects: Subjects, p: Floats, inside: Bools, level: float, method: ProportionInterval
) -> Interval:
    """Interval of the observed share of a bin, by the predictions in it, where subjects have several cases."""
    called = inside[np.searchsorted(p, subjects.score)]
    ids = subjects.names[subjects.number]
    matrix = confusion_of_calls(subjects.label, called, weight=subjects.weight, ids=ids)
    return interval_of_metric(matrix, "ppv", level=level, interval=method)


_NO_COUNT = Undefined("importance weights are no counts of cases")


def _places(p: Floats, cases: Floats, bins: int, binning: str) -> Ints:
    """The bin of each distinct prediction, ascending."""
    if binning == "width":
        edges = np.arange(1, bins) / bins
        return np.searchsorted(edges, p, side="left")
    middle = np.cumsum(cases) - cases / 2
    places: Ints = np.minimum(bins * middle / cases.sum(), bins - 1).astype(np.int64)
    return places


def check_probabilities(tally: Tally, what: str = "calibration") -> None:
    """Refuse scores that are no probabilities of the positive class."""
    if tally.sample.direction != "higher":
        raise InputError(
            what,
            "needs probabilities of the positive class",
            Words(f"{named('direction', 'lower')}"),
            "use 1 - score",
        )
    for score in (float(tally.score[0]), float(tally.score[-1])):
        if not 0 <= score <= 1:
            raise InputError(
                what,
                "needs predicted probabilities between 0 and 1",
                Words(f"the score {score:g}"),
                "fit a model that predicts them first",
            )
