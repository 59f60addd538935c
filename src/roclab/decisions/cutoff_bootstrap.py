"""How far a chosen cut-off can be trusted: its bootstrap interval, and what it is worth on cases left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_level
from roclab._core.text import format_number, text_table
from roclab._core.types import Bools, Floats, Ints, frozen
from roclab._core.undefined import Undefined
from roclab.data.tally import Tally
from roclab.decisions.coordinates import Coordinates, threshold_values
from roclab.decisions.criteria import Conditions, Criterion
from roclab.decisions.cutoffs import CutoffResult, choose_criterion, criterion_values, find_cutoff, optimal_rows
from roclab.decisions.metrics import Counts4
from roclab.decisions.requirements import Requirement, requirements
from roclab.errors import InputError, named
from roclab.inference.one_area.bootstrap import Resampling, TallyDraws, resampling_of, run_bootstrap, tally_draws
from roclab.inference.one_area.intervals import deviate
from roclab.names import Goal, ThresholdRule
from roclab.results import Interval, Result

__all__ = ["CutoffBootstrap", "bootstrap_cutoff"]

_LEFT_OUT = 0.632  # share of the cases that a bootstrap sample holds: so far the truth lies from bag to left-out cases
QUANTITIES = ("criterion", "sensitivity", "specificity", "accuracy")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Optimism:
    """A quantity as it looks on the data, in the bootstrap samples, and on the cases they left out."""

    quantity: str
    apparent: float
    in_bag: float  # mean over replicates
    out_of_bag: float  # mean over replicates
    optimism: float  # in bag minus out of bag: how much better the chosen cut-off looks than it is
    corrected: float  # apparent minus optimism


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutoffBootstrap(Result):
    """A cut-off, the spread of the cut-offs that resampled cases choose, and its value on cases left out."""

    cutoff: CutoffResult
    interval: Interval  # of the threshold
    quantities: tuple[Optimism, ...]  # the criterion first
    _replicates: Floats  # columns: threshold, then in-bag and out-of-bag values of the quantities
    method: str
    failed: int  # replicates in which no threshold met the criterion
    youden_j: float  # J at the cut-off, corrected for optimism
    youden_interval: Interval
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frozen(self._replicates)

    @property
    def thresholds(self) -> Floats:
        """The cut-off chosen in each replicate; NaN where there was none."""
        return self._replicates[:, 0]

    @property
    def optimism(self) -> Optimism:
        """Optimism of the criterion itself."""
        return self.quantities[0]

    def to_dict(self) -> dict[str, Any]:
        """Every field as plain Python values."""
        return {**Result.to_dict(self), "cutoff": self.cutoff.to_dict()}

    def rows(self) -> list[dict[str, Any]]:
        """One row per quantity."""
        return [
            {
                "quantity": one.quantity,
                "apparent": one.apparent,
                "in bag": one.in_bag,
                "out of bag": one.out_of_bag,
                "optimism": one.optimism,
                "corrected": one.corrected,
            }
            for one in self.quantities
        ]

    def __str__(self) -> str:
        head = (
            f"{self.cutoff.criterion}: cut-off {self.cutoff.threshold:.10g}, {100 * self.interval.level:g}% interval "
            f"{self.interval.low:.10g} to {self.interval.high:.10g}"
        )
        notes = ["", *self.notes] if self.notes else []
        youden = (
            f"Youden's J {format_number(self.youden_j)} corrected for optimism, "
            f"{100 * self.interval.level:g}% interval {self.youden_interval}"
        )
        return "\n".join([head, self.method, "", text_table(self.rows()), "", youden, *notes])


def bootstrap_cutoff(
    tally: Tally,
    criterion: str | Callable[..., Any] | None = None,
    *,
    rule: ThresholdRule = "observed",
    require: Mapping[str, float] | None = None,
    goal: Goal = "max",
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    **conditions: Any,
) -> CutoffBootstrap:
    """Bootstrap interval of a cut-off and the optimism of its performance; O(n) a replicate.

    Every replicate draws cases with replacement, chooses its own best cut-off on them, and applies it to the cases
    that were not drawn (about 37%). The spread of the chosen cut-offs gives the interval; the difference between
    both performances is the optimism of choosing and judging on the same cases.

    Parameters
    ----------
    tally : Tally
    criterion, rule, require, goal, and conditions such as ``prevalence``
        As in :func:`~roclab.decisions.cutoffs.find_cutoff`. Of tied optima a replicate takes the best one.
    level : float
        Level of the percentile interval of the threshold.
    resampling : Resampling, optional
        Replicates, scheme (stratified by default), workers; the result depends on the seed alone.
    rng : int or numpy Generator, optional

    Notes
    -----
    Youden's J at a cut-off chosen on the same cases is too good. ``youden_j`` takes .632 of the way to its value on the
    cases left out (Efron), and its interval is Agresti and Caffo's for two proportions around that; over six designs of
    15 + 15 to 100 + 100 cases it held the J that the chosen cut-off has in new cases .93 to .98 of the time (250
    samples each), the best J any cut-off has .90 to .96. Of five forms tried on these
    designs it held best, so the figures flatter it.

    Thresholds are ordered, not averaged: the interval ends at thresholds that replicates chose, so +inf ("call nothing
    positive") may be one. The distribution of an optimal cut-off converges slowly (cube-root rate), so that its
    interval is approximate in small samples. Out-of-bag means leave out replicates whose left-out cases lack a class.

    References
    ----------
    Efron B, Tibshirani R. An Introduction to the Bootstrap. Chapman & Hall 1993, chapter 17.
    Agresti A, Caffo B. Simple and effective confidence intervals for proportions and differences of proportions result
    from adding two successes and two failures. Am Stat 2000;54:280-288.
    Thiele C, Hirschfeld G. cutpointr: improved estimation and validation of optimal cutpoints in R. J Stat Softw
    2021;98(11):1-27. doi:10.18637/jss.v098.i11
    """
    check_level(level)
    resampling = resampling_of(resampling)
    found = find_cutoff(tally, criterion, rule=rule, require=require, goal=goal, **conditions)
    bounds = [] if require is None else requirements(require)
    one = _Replicate(
        draws=tally_draws(tally, resampling.scheme),
        criterion=choose_criterion(criterion, bounds, goal),
        conditions=_fixed_prevalence(tally, Conditions(**conditions)),
        bounds=bounds,
        rule=rule,
    )
    sampled = run_bootstrap(one, 1 + 2 * len(QUANTITIES), resampling=resampling, rng=rng)
    chosen = sampled.replicates[~np.isnan(sampled.replicates[:, 0])]
    failed = len(sampled.replicates) - len(chosen)
    if len(chosen) < 2:
        raise InputError(
            "",
            f"the bootstrap found a cut-off in {len(chosen)} of {len(sampled.replicates)} replicates",
            way_out=f"relax {named('require')}",
        )
    tested = int(np.count_nonzero(~np.isnan(chosen[:, 1 + len(QUANTITIES)])))
    notes = []
    if failed:
        notes.append(f"{failed} replicates had no threshold that meets the bounds; they are left out.")
    if tested < len(chosen):
        notes.append(f"{len(chosen) - tested} replicates left out too few cases to test the criterion on.")
    quantities = _quantities(found, chosen)
    youden_j, youden_interval = _youden(found, quantities, level)
    return CutoffBootstrap(
        cutoff=found,
        interval=_percentiles(chosen[:, 0], level, sampled.describe()),
        quantities=quantities,
        youden_j=youden_j,
        youden_interval=youden_interval,
        _replicates=sampled.replicates,
        method=sampled.describe(),
        failed=failed,
        notes=tuple(notes),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Replicate:
    """One bootstrap sample: choose in the bag, judge outside it."""

    draws: TallyDraws
    criterion: Criterion
    conditions: Conditions
    bounds: list[Requirement]
    rule: ThresholdRule

    def __call__(self, rng: np.random.Generator) -> Floats:
        drawn_pos, drawn_neg = self.draws.sizes(rng)
        pos = _times(rng, self.draws.pos.size, drawn_pos)
        neg = _times(rng, self.draws.neg.size, drawn_neg)
        table = self._table(pos, neg)
        out = np.full(1 + 2 * len(QUANTITIES), np.nan)
        try:
            values = criterion_values(table, self.criterion, self.conditions)
            row = int(optimal_rows(table, self.criterion, values, self.bounds)[0])
        except InputError:
            return out  # no threshold of this sample meets the bounds
        out[0] = table.thresholds[row]
        out[1 : 1 + len(QUANTITIES)] = self._judged(table.counts(slice(row, row + 1)))
        left_out = self._left_out(pos == 0, neg == 0, float(table.thresholds[row]))
        if left_out is not None:
            out[1 + len(QUANTITIES) :] = self._judged(left_out)
        return out

    def _table(self, pos: Ints, neg: Ints) -> Coordinates:
        """The coordinates table of the drawn cases; scores that nobody drew leave no row."""
        tally = self.draws.tally
        size = tally.score.size
        at_pos = np.bincount(self.draws.pos, weights=pos, minlength=size)
        at_neg = np.bincount(self.draws.neg, weights=neg, minlength=size)
        kept = np.flatnonzero(at_pos + at_neg)
        scores = tally.score[kept]
        return Coordinates(
            thresholds=tally.shown(threshold_values(scores, self.rule)),
            tp=np.concatenate([[0.0], np.cumsum(at_pos[kept])]),
            fp=np.concatenate([[0.0], np.cumsum(at_neg[kept])]),
            scores=scores,
            rule=self.rule,
            sample=tally.sample,
        )

    def _left_out(self, pos: Bools, neg: Bools, threshold: float) -> Counts4 | None:
        """Counts of the cases that were not drawn, at the chosen threshold; None when a class has none."""
        tally = self.draws.tally
        oriented = threshold if tally.sample.direction == "higher" else -threshold
        reached = tally.score.size - int(np.searchsorted(tally.score[::-1], oriented, side="left"))
        n_pos, n_neg = int(np.count_nonzero(pos)), int(np.count_nonzero(neg))
        if n_pos == 0 or n_neg == 0:
            return None
        tp = np.count_nonzero(pos & (self.draws.pos < reached))
        fp = np.count_nonzero(neg & (self.draws.neg < reached))
        return Counts4.of_calls([tp], [fp], n_pos=n_pos, n_neg=n_neg)

    def _judged(self, c: Counts4) -> Floats:
        with np.errstate(invalid="ignore"):
            value = self.criterion.compute(c, self.conditions)
        return np.array([value[0], (c.tp / c.p)[0], (c.tn / c.n)[0], ((c.tp + c.tn) / c.total)[0]])


def _times(rng: np.random.Generator, cases: int, draws: int) -> Ints:
    """How often each case is drawn."""
    return np.bincount(rng.integers(0, cases, draws), minlength=cases)


def _fixed_prevalence(tally: Tally, conditions: Conditions) -> Conditions:
    """A prevalence left open is that of the whole data, in every replicate and outside it."""
    if conditions.prevalence is not None:
        return conditions
    given = conditions.given()
    return Conditions(**given, prevalence=tally.n_pos / (tally.n_pos + tally.n_neg))


def _percentiles(thresholds: Floats, level: float, name: str) -> Interval:
    """Order statistics: infinite thresholds have no mean, but they have an order."""
    ordered = np.sort(thresholds)
    tail = (1 - level) / 2
    low = ordered[max(math.ceil(tail * ordered.size) - 1, 0)]
    high = ordered[max(math.ceil((1 - tail) * ordered.size) - 1, 0)]
    return Interval(low=float(low), high=float(high), level=level, method=f"{name}, percentile")


def _youden(found: CutoffResult, quantities: Sequence[Optimism], level: float) -> tuple[float, Interval]:
    """J at the chosen cut-off corrected for its optimism, and its interval (see the notes of ``bootstrap_cutoff``)."""
    method = "one added to every count, .632 correction"
    _, sensitivity, specificity, _ = quantities
    apparent = sensitivity.apparent + specificity.apparent - 1
    outside = sensitivity.out_of_bag + specificity.out_of_bag - 1
    if math.isnan(outside):
        why = Undefined("no replicate leaves out cases of both classes")
        return why, Interval(low=why, high=why, level=level, method=method)
    optimism = _LEFT_OUT * (apparent - outside)
    matrix, n_pos, n_neg = found.best.matrix, found.sample.n_pos, found.sample.n_neg
    se, sp = (matrix.tp + 1) / (n_pos + 2), (matrix.tn + 1) / (n_neg + 2)
    half = deviate(level) * math.sqrt(se * (1 - se) / (n_pos + 2) + sp * (1 - sp) / (n_neg + 2))
    centre = se + sp - 1 - optimism
    return apparent - optimism, Interval(
        low=max(centre - half, -1.0), high=min(centre + half, 1.0), level=level, method=method
    )


def _quantities(found: CutoffResult, chosen: Floats) -> tuple[Optimism, ...]:
    best = found.best
    accuracy = (best.matrix.tp + best.matrix.tn) / (found.sample.n_pos + found.sample.n_neg)
    apparent = (found.value, best.tpr, best.specificity, accuracy)
    k = len(QUANTITIES)
    out = []
    for at, name in enumerate(QUANTITIES):
        inside, outside = chosen[:, 1 + at], chosen[:, 1 + k + at]
        both = np.isfinite(inside) & np.isfinite(outside)  # compared on the same replicates
        if both.any():
            means = float(inside[both].mean()), float(outside[both].mean())
            optimism = means[0] - means[1]
            corrected = apparent[at] - optimism
        else:
            missing = Undefined("no replicate has a finite value both in the bag and outside it")
            means, optimism, corrected = (missing, missing), missing, missing
        out.append(
            Optimism(
                quantity=name if at else found.criterion,
                apparent=apparent[at],
                in_bag=means[0],
                out_of_bag=means[1],
                optimism=optimism,
                corrected=corrected,
            )
        )
    return tuple(out)
