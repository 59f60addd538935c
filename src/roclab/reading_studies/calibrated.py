r"""The score test calibrated by simulation: its p-value among those of studies drawn as if modalities were equal.

The p-value of the score test is nearly uniform where modalities are equal, but not quite: with few readers and few
cases it rejects less than it may. Here it is ranked instead of believed. Roe and Metz's model is fitted to the study
under the hypothesis that all modalities are equal (see ``null_studies``), B studies of the same size are drawn from it,
each is tested as the study was, and with p the p-value of the study and :math:`p_b` theirs,

.. math:: p^* = \frac{1 + \#\{b : p_b \le p\}}{B + 1} .

This is a parametric bootstrap test [1]_, of a statistic that hardly depends on what is unknown, so that it matters
little that the model is only estimated; and because the study is counted among those drawn, p* is never 0.

**Interval.** p* lies below :math:`\alpha` = 1 - level exactly when p lies below the k-th smallest of the :math:`p_b`,
with k + 1 the least whole number that is not below :math:`\alpha (B + 1)`. That one takes the place of :math:`\alpha`
in the interval of the score test, which therefore leaves out 0 exactly when the test rejects. Margins follow from the
interval: as if the p-values of a test of another difference were distributed as those of equality are.

**Pairs and sides.** Pairs of three modalities or more have p-values among those of all pairs, which are alike under the
hypothesis, and half of a two-sided p-value belongs to either side.

**Not drawn.** Studies without any spread have no p-value and are left out; where so few are left that none could
reject, the answer is undefined and says why. Ties are not drawn either, and tied ratings are answered all the same: the
areas count them as ever. Gaps, subjects, other designs, other areas and other covariances are refused.

The cost is that of B studies, O(B t r n log n): a fifth of a second for 2000 of five readers and 80 cases.

References
----------
.. [1] Davison AC, Hinkley DV. Bootstrap methods and their application. Cambridge University Press 1997, chapter 4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import in_full
from roclab._core.types import Floats, frozen
from roclab._core.undefined import Undefined
from roclab._core.work import leave_if_stopped, repeat_rows
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.contrasts import Difference
from roclab.inference.comparison.margins import MarginTest
from roclab.inference.one_area.area import Area
from roclab.names import RandomEffects, ReaderCovariance, ReaderMethod
from roclab.options.uncertainty import Resampling
from roclab.reading_studies.null_studies import Moments, NullModels, fit_null, score_tests, simulate_null
from roclab.reading_studies.readings import Readings
from roclab.reading_studies.score import ScoreAnalysis
from roclab.results import TestResult

__all__ = ["Calibration", "calibrate", "check_calibrated", "moments_of", "why_not_calibrated"]

_AT_ONCE = 2**18  # ratings: what a processor keeps at hand
_SAME = 1 + 1e-9  # p-values this near are one: sums in another order differ in their last digits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """p-values of the score test in studies drawn from the model fitted under the hypothesis, sorted.

    >>> drawn = np.array([0.02, 0.03, 0.08, 0.2, 0.3, 0.5, 0.6, 0.7, 0.9])
    >>> found = Calibration(equality=drawn, pairs=drawn, replicates=9, seed="1")
    >>> found.ranked(0.01), found.ranked(0.05)  # the study is one of ten: the smallest, and the third
    (0.1, 0.3)
    >>> round(found.least_p(0.8), 6)  # 0.1 is below 20%, 0.2 is not
    0.02
    """

    equality: Floats
    pairs: Floats
    replicates: int
    seed: str

    def __post_init__(self) -> None:
        frozen(self.equality)
        frozen(self.pairs)

    def describe(self) -> str:
        """What was drawn, and from which seed."""
        left = self.replicates - self.equality.size
        without = f"; {in_full(left, comma=True)} of them had no spread and were left out" if left else ""
        return (
            f"Differences are judged by {in_full(self.replicates, comma=True)} studies simulated from Roe and Metz's "
            f"model, fitted to this one with equal modalities (seed {self.seed}){without}."
        )

    def tested(self, test: TestResult, level: float) -> TestResult:
        """The F test with its p-value among those drawn."""
        few = self._too_few(level)
        return replace(
            test,
            p_value=_rank(self.equality, test.p_value) if few is None else few,
            distribution=f"F of {in_full(self.replicates, comma=True)} simulated studies",
            method=f"{test.method}, calibrated",
        )

    def compared(self, pair: Difference) -> Difference:
        """A difference by the score test, whose interval is that of ``least_p``, with its p-value among those drawn."""
        if not pair.standard_error > 0:
            return pair
        method = f"{pair.interval.method}, calibrated"
        few = self._too_few(pair.interval.level)
        interval = replace(pair.interval, method=method)
        if few is not None:
            return replace(pair, p_value=few, p_adjusted=few, interval=replace(interval, low=few, high=few))
        p = self.ranked(pair.p_value, pair.alternative)
        return replace(pair, p_value=p, p_adjusted=p, interval=interval)

    def claimed(self, claim: MarginTest) -> MarginTest:
        """A claim by the score test, with its p-value among those drawn; shown where the interval lies inside."""
        if not claim.standard_error > 0:
            return claim
        few = self._too_few(claim.interval.level)
        if few is not None:
            return replace(claim, p_value=few, p_adjusted=few, shown=False)
        p = self.ranked(claim.p_value, "greater")
        return replace(claim, p_value=p, p_adjusted=p, shown=bool(p < claim.alpha))

    def ranked(self, p: float, alternative: str = "two-sided") -> float:
        """The share of drawn p-values of pairs, and of the one given, that are not above it."""
        if alternative == "two-sided":
            return _rank(self.pairs, p)
        return _rank(self.pairs, 2 * p) / 2 if p <= 0.5 else 1 - _rank(self.pairs, 2 * (1 - p)) / 2

    def least_p(self, level: float) -> float | None:
        """The p-value of the score test from which on a difference is not rejected; None where none could be."""
        place = _place(level, self.pairs.size)
        if place < 0:
            return None
        return min(float(self.pairs[place]) / _SAME, 1 - 1e-9)  # 1 would be an interval of nothing

    def _too_few(self, level: float) -> Undefined | None:
        if _place(level, self.equality.size) >= 0:
            return None
        return Undefined(f"of {self.replicates} simulated studies only {self.equality.size} have a spread to test")


def _rank(drawn: Floats, p: float) -> float:
    return (1 + int(np.searchsorted(drawn, p * _SAME, side="right"))) / (drawn.size + 1)


def _place(level: float, count: int) -> int:
    """Among sorted p-values, of the one below which the rank is below 1 - level; below 0 where no rank is."""
    # Rounded, because 1 - 0.95 is not 0.05: whole numbers must stay whole.
    return math.ceil(round((1 - level) * (count + 1), 9)) - 2


def why_not_calibrated(
    readings: Readings, area: Area, method: ReaderMethod, covariance: ReaderCovariance | None, random: RandomEffects
) -> str | None:
    """What a study has that simulated ones have not; None where it is one of them."""
    if not readings.several:
        return "one modality"
    if readings.design != "factorial":
        return f"a {readings.design.replace('_', ' ')} design"
    if not readings.complete:
        return "gaps"
    if readings.subject is not None:
        return "subjects with several cases"
    if not area.is_auc or area.method != "empirical":
        return f"the {area.method} area" if area.quantity == "AUC" else area.quantity
    if method != "or":
        return f"method {method!r}"
    if covariance not in (None, "delong"):
        return f"covariance {covariance!r}"
    return None if random == "both" else f"random {random!r}"


def check_calibrated(
    readings: Readings, area: Area, method: ReaderMethod, covariance: ReaderCovariance | None, random: RandomEffects,
    *, replicates: int, level: float,
) -> None:  # fmt: skip
    """Only what the simulated studies are is calibrated by them, and enough must be drawn to reject."""
    got = why_not_calibrated(readings, area, method, covariance, random)
    if got is not None:
        raise InputError(
            "inference",
            "'calibrated' simulates empirical areas with DeLong's covariances, of random readers who read every case "
            "in each of several modalities",
            Words(got),
            f"use {named('inference', 'score')}",
        )
    if _place(level, replicates) < 0:
        raise InputError(
            "resampling",
            f"must draw {math.floor(round(1 / (1 - level), 6))} studies or more to reject at level {level:g}",
            replicates,
            "2000 is usual, 10000 for final results",
        )


def moments_of(score: ScoreAnalysis) -> Moments:
    """What a model is fitted to, from the analysis of one study."""
    squares, errors = score.squares, score.errors
    found = {
        "mean": float(squares.means.mean()),
        "error": squares.error,
        "reader": squares.reader,
        "variance": errors.variance,
        "cov1": errors.same_reader,
        "cov2": errors.same_modality,
        "cov3": errors.different,
    }
    return Moments(**{name: np.array([value]) for name, value in found.items()})


def calibrate(readings: Readings, score: ScoreAnalysis, *, resampling: Resampling, rng: Any) -> Calibration:
    """Draw studies from the model fitted under equality and test each."""
    t, r = len(readings.modalities), len(readings.readers)
    sizes = {"modalities": t, "n_pos": int(readings.label.sum()), "n_neg": int((~readings.label).sum())}
    model = fit_null(moments_of(score), **sizes)
    step = max(_AT_ONCE // readings.rating.size, 1)

    def many(generator: np.random.Generator, count: int) -> Floats:
        parts = []
        for start in range(0, count, step):
            leave_if_stopped()
            parts.append(_tested(model.repeated(min(step, count - start)), r, sizes, generator))
        return np.concatenate(parts)

    out = np.empty((resampling.replicates, 1 + t * (t - 1) // 2))
    seed = repeat_rows(many, out, rng=rng, workers=resampling.workers, progress=resampling.progress)
    out = out[~np.isnan(out[:, 0])]
    return Calibration(
        equality=np.sort(out[:, 0]), pairs=np.sort(out[:, 1:].ravel()), replicates=resampling.replicates, seed=seed
    )


def _tested(models: NullModels, readers: int, sizes: dict[str, int], generator: np.random.Generator) -> Floats:
    tests = score_tests(simulate_null(models, readers=readers, generator=generator, **sizes), sizes["n_pos"])
    return np.column_stack([tests.equality, tests.pairs])
