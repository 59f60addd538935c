"""Bootstrap of any area: resample counts, never rows, and never sort again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import check_level, check_written_out
from roclab._core.normal import normal_tail, probit
from roclab._core.types import Array, Counts, Floats, Ints, frozen
from roclab._core.undefined import Undefined
from roclab._core.work import repeat, repeat_rows
from roclab.areas.empirical import auc
from roclab.data.tally import Tally, subjects_at_hand
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.influence import Influence
from roclab.inference.one_area.subject_draws import SubjectDraws, resampled
from roclab.names import BOOTSTRAP_INTERVALS, Side
from roclab.options.uncertainty import Resampling, refuse_keyed, resampling_of
from roclab.results import Interval

__all__ = [
    "BOOTSTRAP_INTERVALS",
    "Bootstrap",
    "Resampling",
    "bootstrap_area",
    "bootstrap_interval",
    "run_bootstrap",
    "run_bootstrap_rows",
    "tally_draws",
]

_ROOM = 2**31  # bytes that replicates may take


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bootstrap:
    """Replicates of one or several statistics: one row per bootstrap sample."""

    replicates: Floats
    scheme: str
    seed: str

    def __post_init__(self) -> None:
        frozen(self.replicates)

    @property
    def standard_error(self) -> float:
        """Standard deviation of the replicates."""
        return float(np.std(self.replicates, ddof=1))

    def describe(self) -> str:
        """Scheme, number and seed."""
        return f"bootstrap ({self.scheme}, {self.replicates.shape[0]} replicates, seed {self.seed})"


def bootstrap_area(
    tally: Tally,
    estimate: Callable[[Tally], float],
    *,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> Bootstrap:
    """Bootstrap replicates of an area of one score.

    Each replicate draws how often every case counts, adds that up over the distinct scores, and evaluates the
    area: O(n) a replicate, no sort, memory independent of the number of replicates. The AUC has a faster path.
    """
    resampling = resampling_of(resampling)
    draw = tally_draws(tally, resampling.scheme)
    one = draw.auc if estimate is auc else draw.statistic(estimate)
    return replace(run_bootstrap(one, None, resampling=resampling, rng=rng), scheme=draw.scheme)


def run_bootstrap(
    one: Callable[[np.random.Generator], Any], width: int | None, *, resampling: Resampling, rng: Any
) -> Bootstrap:
    """Run ``one`` for every replicate, in chunks with generators of their own, on any number of threads.

    ``one`` returns a number (``width`` None) or ``width`` of them, which become the columns of the replicates.
    """
    out = _room_for(resampling.replicates, width)
    seed = repeat(one, out, rng=rng, workers=resampling.workers, progress=resampling.progress)
    return Bootstrap(replicates=out, scheme=resampling.scheme, seed=seed)


def run_bootstrap_rows(
    many: Callable[[np.random.Generator, int], Floats], width: int, *, resampling: Resampling, rng: Any
) -> Bootstrap:
    """The same with ``many(generator, count)``, which draws a chunk of replicates at once."""
    out = _room_for(resampling.replicates, width)
    seed = repeat_rows(many, out, rng=rng, workers=resampling.workers, progress=resampling.progress)
    return Bootstrap(replicates=out, scheme=resampling.scheme, seed=seed)


def _room_for(replicates: int, width: int | None) -> Floats:
    if 8 * replicates * (width or 1) > _ROOM:
        raise InputError(
            "replicates",
            f"must leave room in memory, at most {_ROOM // 2**20} MiB",
            Words(f"{replicates:,} of {width or 1:,} numbers each"),
            "ask for fewer of them, or for fewer points",
        )
    return np.empty(replicates if width is None else (replicates, width))


def tally_draws(tally: Tally, scheme: str) -> TallyDraws | SubjectDraws:
    """Prepare a tally for resampling: O(n), once for all replicates; subjects are drawn whole where they are known."""
    refuse_keyed(scheme)
    if tally.weighted:
        raise InputError(
            "",
            "the bootstrap resamples whole cases and has no form for importance weights in a tally",
            way_out=f"use the default standard error, or {named('weights', 'frequency')} for whole numbers",
        )
    check_written_out(tally.n_pos + tally.n_neg, way_out="use the default variance")
    if subjects_at_hand(tally) is not None:
        return SubjectDraws.of(tally)
    where = np.arange(tally.score.size)
    reached = np.cumsum(tally.pos)
    return TallyDraws(
        tally=tally,
        scheme=scheme,
        pos=np.repeat(where, tally.pos),
        neg=np.repeat(where, tally.neg),
        above=np.repeat(reached - tally.pos, tally.neg),
        reached=np.repeat(reached, tally.neg),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TallyDraws:
    """Where each case stands among the distinct scores, and how many positives each negative has above it."""

    tally: Tally
    scheme: str
    pos: Ints  # place of every positive case, descending score
    neg: Ints  # place of every negative case
    above: Ints  # positives above each negative
    reached: Ints  # positives above it or at its score

    def sizes(self, rng: np.random.Generator) -> tuple[int, int]:
        """How many positives and negatives to draw."""
        n_pos, n_neg = self.pos.size, self.neg.size
        if self.scheme == "stratified":
            return n_pos, n_neg
        total = n_pos + n_neg
        for _ in range(1000):
            drawn = int(rng.binomial(total, n_pos / total))
            if 0 < drawn < total:
                return drawn, total - drawn
        raise InputError(
            "",
            "plain resampling keeps drawing one class only, because a class is too small",
            way_out=f"use {named('scheme', 'stratified')}",
        )

    def counts(self, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Resampled positives and negatives at each distinct score."""
        size = self.tally.score.size
        drawn_pos, drawn_neg = self.sizes(rng)
        if 4 * size < self.pos.size + self.neg.size:  # many ties: drawing the counts costs less than drawing the cases
            pos_of = rng.multinomial(drawn_pos, self.tally.pos / self.pos.size)
            return pos_of, rng.multinomial(drawn_neg, self.tally.neg / self.neg.size)
        pos = self.pos[rng.integers(0, self.pos.size, drawn_pos)]
        neg = self.neg[rng.integers(0, self.neg.size, drawn_neg)]
        return np.bincount(pos, minlength=size), np.bincount(neg, minlength=size)

    def bags(self, rng: np.random.Generator) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints] | None]:
        """Positives and negatives at each distinct score in the sample, and of the cases that were not drawn."""
        drawn_pos, drawn_neg = self.sizes(rng)
        pos = np.bincount(rng.integers(0, self.pos.size, drawn_pos), minlength=self.pos.size)
        neg = np.bincount(rng.integers(0, self.neg.size, drawn_neg), minlength=self.neg.size)
        left = None if pos.all() or neg.all() else self._at_scores(pos == 0, neg == 0)
        return self._at_scores(pos, neg), left

    def _at_scores(self, pos: Array, neg: Array) -> tuple[Ints, Ints]:
        size = self.tally.score.size
        return (
            np.bincount(self.pos, weights=pos, minlength=size).astype(np.int64),
            np.bincount(self.neg, weights=neg, minlength=size).astype(np.int64),
        )

    def auc(self, rng: np.random.Generator) -> float:
        """The AUC of one resampled set: a running total of the drawn positives, read at the drawn negatives."""
        drawn_pos, drawn_neg = self.sizes(rng)
        times = np.bincount(rng.integers(0, self.pos.size, drawn_pos), minlength=self.pos.size)
        total = np.empty(self.pos.size + 1, np.int64)
        total[0] = 0
        np.cumsum(times, out=total[1:])
        negatives = rng.integers(0, self.neg.size, drawn_neg)
        won = int(total[self.above[negatives]].sum())
        tied_too = won if self.tally.untied else int(total[self.reached[negatives]].sum())
        return (won + tied_too) / (2 * drawn_pos * drawn_neg)

    def tally_once(self, rng: np.random.Generator) -> Tally:
        """The tally of one resampled set of cases."""
        return resampled(self.tally, *self.counts(rng))

    def statistic(self, estimate: Callable[[Tally], float]) -> Callable[[np.random.Generator], float]:
        """Any area of one resampled set of cases."""
        return lambda rng: estimate(self.tally_once(rng))


def influence_acceleration(tally: Tally, influence: Influence) -> float:
    """Efron's acceleration from the influence of the cases, O(n)."""
    values, weights = [], []
    for phi, counts in ((influence.pos, tally.pos), (influence.neg, tally.neg)):
        total = counts.sum()
        mean = np.sum(phi * counts) / total
        values.append((mean - phi) / total)  # leaving a case out moves the area against its influence
        weights.append(counts)
    return acceleration_of(np.concatenate(values), np.concatenate(weights))


def jackknife_acceleration(tally: Tally, estimate: Callable[[Tally], float]) -> float:
    """Efron's acceleration from leaving out each case once; cases with equal score and class share a value.

    O(k n) for k distinct scores: for areas whose influence is not known in closed form.
    """
    values: list[float] = []
    weights: list[int] = []
    for name in ("pos", "neg"):
        counts: Counts = getattr(tally, name)
        if counts.sum() < 2:
            continue
        for at in np.flatnonzero(counts):
            fewer = counts.copy()
            fewer[at] -= 1
            pos, neg = (fewer, tally.neg) if name == "pos" else (tally.pos, fewer)
            values.append(estimate(resampled(tally, pos, neg)))
            weights.append(int(counts[at]))
    return acceleration_of(values, weights)


def acceleration_of(values: Sequence[float] | Floats, weights: Sequence[float] | Counts) -> float:
    """Skewness of jackknife values over 6, the acceleration of BCa."""
    left_out, weight = np.asarray(values), np.asarray(weights, dtype=np.float64)
    centred = float(np.sum(weight * left_out)) / float(weight.sum()) - left_out
    square = float(np.sum(weight * centred**2))
    return 0.0 if square == 0 else float(np.sum(weight * centred**3)) / (6 * square**1.5)


def bootstrap_interval(
    replicates: Floats,
    value: float,
    *,
    level: float,
    side: Side = "two-sided",
    acceleration: float | None = None,
    name: str = "bootstrap",
) -> Interval:
    """Percentile interval, or BCa when an acceleration is given [1]_.

    References
    ----------
    .. [1] Efron B. Better bootstrap confidence intervals. JASA 1987;82:171-185. doi:10.1080/01621459.1987.10478410
    """
    check_level(level)
    tail = (1 - level) / 2 if side == "two-sided" else 1 - level
    kind = "percentile"
    probabilities = (tail, 1 - tail)
    if acceleration is not None:
        below = (np.mean(replicates < value) + np.mean(replicates <= value)) / 2
        if not 0 < below < 1:
            reason = "all replicates lie on one side of the estimate, so BCa has no bias correction"
            return Interval(low=Undefined(reason), high=Undefined(reason), level=level, method=f"{name}, BCa")
        shift = probit(float(below))
        probabilities = tuple(_bca_probability(probit(p), shift, acceleration) for p in probabilities)  # type: ignore[assignment]
        kind = "BCa"
    low, high = np.quantile(replicates, probabilities)
    if math.isnan(low) or math.isnan(high):
        raise InputError(
            "",
            "the bootstrap met replicates without a value",
            way_out=f"use {named('scheme', 'stratified')} or more cases",
        )
    method = f"{name}, {kind}"
    if side == "lower":
        return Interval(low=float(low), high=math.inf, level=level, method=f"{method}, lower bound")
    if side == "upper":
        return Interval(low=-math.inf, high=float(high), level=level, method=f"{method}, upper bound")
    return Interval(low=float(low), high=float(high), level=level, method=method)


def _bca_probability(z: float, shift: float, acceleration: float) -> float:
    moved = shift + z
    return normal_tail(-shift - moved / (1 - acceleration * moved))
