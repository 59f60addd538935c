"""What cut-offs are worth on cases that did not choose them: the mean over bootstrap samples of the cases left out.

A cut-off chosen on the same cases looks too good on them: over 20 binormal designs of 15 + 15 to 100 + 100 cases the
apparent Youden index was .098 too high in the mean. Cut-offs chosen in bootstrap samples and judged on the cases that
these left out had a mean bias of -.009 and the smallest error (root mean square .102); ten-fold cross-validation, five
times, had less bias (-.003) and more error (.120), leaving out one case at a time more of both (.024, .135).

References
----------
Efron B. Estimating the error rate of a prediction rule: improvement on cross-validation. J Am Stat Assoc
1983;78:316-331.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.text import format_number
from roclab._core.types import Floats, Ints
from roclab._core.undefined import Undefined
from roclab.data.tally import Tally
from roclab.decisions.coordinates import Coordinates, criterion_values, threshold_values
from roclab.decisions.cutoff_replicate import fixed_prevalence
from roclab.decisions.cutoffs import choose_criterion, optimal_rows
from roclab.decisions.requirements import requirements
from roclab.errors import InputError
from roclab.inference.one_area.bootstrap import run_bootstrap, tally_draws
from roclab.inference.one_area.subject_draws import SubjectDraws, resampled
from roclab.names import ThresholdRule
from roclab.options.criterion import CriterionOptions
from roclab.options.uncertainty import Resampling, resampling_of
from roclab.results import Result

__all__ = ["LeftOut", "cutoff_left_out", "rates_left_out", "smooth_left_out"]

REPLICATES, SEED = 200, 0  # of what is printed without being asked: the same cases have the same answer
MOST_SCORES = 20_000  # distinct ones; with more the optimism is small and samples take long
MOST_CASES = 200_000  # of any scores: 200 samples of a million take seconds, and no optimism is left to see
_FEWEST = 20  # samples that say something

Choose = Callable[[Coordinates], Sequence[int]]  # the rows that a sample takes
Thresholds = Callable[[Tally], Sequence[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut(Result):
    """Rates of cut-offs that are chosen the same way, on cases left out of the choice."""

    sensitivity: float
    specificity: float
    samples: int  # that chose a cut-off and left out cases of both classes
    method: str

    @property
    def youden_j(self) -> float:
        """Sensitivity plus specificity less 1."""
        return self.sensitivity + self.specificity - 1

    @property
    def known(self) -> bool:
        """Whether there is anything to show."""
        return not math.isnan(self.sensitivity)

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "sensitivity": self.sensitivity,
                "specificity": self.specificity,
                "youden_j": self.youden_j,
                "samples": self.samples,
                "method": self.method,
            }
        ]

    def rates(self) -> str:
        """Both rates in words."""
        return f"sensitivity {format_number(self.sensitivity)}, specificity {format_number(self.specificity)}"

    def __str__(self) -> str:
        if not self.known:
            why = getattr(self.sensitivity, "reason", "")
            return f"on cases left out: unknown ({why})"
        return f"on cases left out: {self.rates()}\n({self.method})"


def cutoff_left_out(tally: Tally, asked: CriterionOptions, drawn: Resampling | None = None, rng: Any = SEED) -> LeftOut:
    """Rates of the best cut-off by a criterion, as ``find_cutoff`` looks for it."""
    bounds = [] if asked.require is None else requirements(asked.require)
    criterion = choose_criterion(asked.criterion, bounds, asked.goal)
    conditions = fixed_prevalence(tally, asked)

    def choose(table: Coordinates) -> Sequence[int]:
        values = criterion_values(table, criterion, conditions)
        return [int(optimal_rows(table, criterion, values, bounds)[0])]

    return rates_left_out(tally, choose, asked.rule, drawn=drawn, rng=rng)[0]


def rates_left_out(
    tally: Tally,
    choose: Choose,
    rule: ThresholdRule = "observed",
    *,
    many: int = 1,
    drawn: Resampling | None = None,
    rng: Any = SEED,
) -> tuple[LeftOut, ...]:
    """Rates of the rows of the table of coordinates that are chosen in every sample."""

    def thresholds(scores: Floats, pos: Ints, neg: Ints) -> Sequence[float]:
        table = Coordinates(
            thresholds=tally.shown(threshold_values(scores, rule)),
            tp=np.concatenate([[0.0], np.cumsum(pos)]),
            fp=np.concatenate([[0.0], np.cumsum(neg)]),
            scores=scores,
            rule=rule,
            sample=tally.sample,
        )
        return [float(table.thresholds[row]) for row in choose(table)]

    return _judged(tally, thresholds, many, resampling_of(drawn or REPLICATES), rng)


def smooth_left_out(tally: Tally, choose: Callable[[Tally], float], drawn: Resampling, rng: Any) -> LeftOut:
    """Rates of a cut-off of smoothed data, smoothed anew in every sample."""

    def thresholds(scores: Floats, pos: Ints, neg: Ints) -> Sequence[float]:
        place = np.searchsorted(-tally.score, -scores)
        counts = [np.zeros(tally.score.size, np.int64) for _ in range(2)]
        for out, held in zip(counts, (pos, neg), strict=True):
            out[place] = held
        return [choose(resampled(tally, *counts))]

    return _judged(tally, thresholds, 1, drawn, rng)[0]


def _judged(
    tally: Tally, thresholds: Callable[[Floats, Ints, Ints], Sequence[float]], many: int, drawn: Resampling, rng: Any
) -> tuple[LeftOut, ...]:
    why = _no_samples(tally)
    if why:
        return (_unknown(why),) * many
    draws = tally_draws(tally, drawn.scheme)

    def one(generator: np.random.Generator) -> Floats:
        inside, left = draws.bags(generator)
        out = np.full(2 * many, np.nan)
        if left is None:
            return out
        held = np.flatnonzero(inside[0] + inside[1])
        try:
            cuts = thresholds(tally.score[held], inside[0][held], inside[1][held])
        except (InputError, IndexError):
            return out  # nothing keeps the bounds, or nothing can be smoothed in this sample
        for at, cut in enumerate(cuts):
            called = tally.score >= (cut if tally.sample.direction == "higher" else -cut)
            out[2 * at : 2 * at + 2] = left[0][called].sum() / left[0].sum(), left[1][~called].sum() / left[1].sum()
        return out

    found = run_bootstrap(one, 2 * many, resampling=drawn, rng=rng)
    kept = found.replicates[~np.isnan(found.replicates).any(axis=1)]
    if len(kept) < min(_FEWEST, drawn.replicates):
        return (_unknown(f"{len(kept)} of {drawn.replicates} samples have such a cut-off"),) * many
    scheme = draws.scheme if isinstance(draws, SubjectDraws) else drawn.scheme
    words = f"out of bag, {scheme}, {len(kept)} bootstrap samples, seed {found.seed}"
    means = kept.mean(axis=0)
    return tuple(
        LeftOut(sensitivity=float(means[2 * at]), specificity=float(means[2 * at + 1]), samples=len(kept), method=words)
        for at in range(many)
    )


def _no_samples(tally: Tally) -> str:
    if tally.weighted:
        return "importance weights cannot be drawn"
    if tally.top is not None:
        return "scores were joined where they were counted"
    if tally.sample.subjects and tally.subjects is None:
        return "the subjects are not at hand"
    if tally.score.size > MOST_SCORES:
        return f"more than {MOST_SCORES:,} different scores; ask the bootstrap"
    if tally.sample.n_pos + tally.sample.n_neg > MOST_CASES:
        return f"more than {MOST_CASES:,} cases, whose cut-offs are hardly optimistic; ask the bootstrap"
    return ""


def _unknown(reason: str) -> LeftOut:
    why = Undefined(reason)
    return LeftOut(sensitivity=why, specificity=why, samples=0, method="none")
