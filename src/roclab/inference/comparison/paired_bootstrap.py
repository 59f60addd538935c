"""Bootstrap of several scores at once: the same resampled cases for all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Array, Floats, Ints
from roclab._core.undefined import Undefined
from roclab.areas.empirical import auc, doubled_wins
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.contrasts import Difference
from roclab.inference.one_area.bootstrap import Bootstrap, bootstrap_interval, run_bootstrap
from roclab.inference.p_values import p_of_z
from roclab.names import ALTERNATIVES, Alternative
from roclab.options.uncertainty import Resampling, refuse_keyed, resampling_of

__all__ = ["CaseDraws", "bootstrap_cases", "bootstrap_difference"]

Statistic = Callable[[Tally], float]


def bootstrap_cases(
    cases: Cases,
    estimate: Statistic,
    *,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    clustered: bool = False,
    grouped: bool = False,
) -> Bootstrap:
    """Replicates of an area of every score, one column each, O(k n) a replicate without sorting.

    Cases are put into an order of their own first, so that the result does not depend on the order of the rows.
    With ``clustered`` whole subjects (ids) are drawn instead of single cases. With ``grouped`` rows that stand for many
    cases are not written out: how often they are drawn is multinomial, which is the same distribution.
    """
    resampling = resampling_of(resampling)
    draws = CaseDraws.of(cases, resampling.scheme, clustered=clustered, grouped=grouped)
    scheme = "clustered" if clustered else resampling.scheme
    sampled = run_bootstrap(lambda rng: draws.areas(rng, estimate), len(draws.tallies), resampling=resampling, rng=rng)
    return replace(sampled, scheme=scheme)


def bootstrap_difference(
    replicates: Any, value: float, *, first: str, second: str, level: float, alternative: Alternative, name: str
) -> Difference:
    """A difference with a normal test on the bootstrap's standard error and a percentile interval."""
    check_choice(alternative, "alternative", ALTERNATIVES)
    se = float(np.std(replicates, ddof=1))
    z: float
    if se > 1e-12:
        z = value / se
        p = p_of_z(z, alternative)
    else:
        z = p = Undefined("the difference is the same in every bootstrap sample")
    return Difference(
        first=first,
        second=second,
        difference=value,
        standard_error=se,
        interval=bootstrap_interval(replicates, value, level=level, name=name),
        statistic=z,
        p_value=p,
        p_adjusted=p,
        alternative=alternative,
        hypothesis=f"{first} - {second} = 0",
    )


@dataclass(frozen=True, slots=True)
class CaseDraws:
    """Cases in a fixed order, positives first, with the place of each among the distinct scores of each score."""

    tallies: tuple[Tally, ...]
    places: tuple[Ints, ...]
    n_pos: int
    scheme: str
    clusters: Ints | None  # cluster number of every case
    n_clusters: int
    weight: Ints | None = None  # cases that each row stands for, where rows are not written out

    @classmethod
    def of(cls, cases: Cases, scheme: str, *, clustered: bool = False, grouped: bool = False) -> CaseDraws:
        """Order the cases and find their places once, before all replicates."""
        refuse_keyed(scheme)
        if clustered and cases.ids is None:
            raise InputError(
                "", "clustered resampling draws whole subjects and needs ids", Words("none"), f"give {named('ids')}"
            )
        weight = cases.weight if grouped else None
        if weight is None:
            cases = cases.repeated()
        keys: list[Array] = [cases.oriented(name).astype(np.float64) for name in reversed(cases.names)]
        if clustered:
            keys.insert(0, np.unique(np.asarray(cases.ids).astype(str), return_inverse=True)[1])
        order = np.lexsort([*keys, ~cases.label])
        cases = cases.only(order)
        rankings = [cases.ranking(name) for name in cases.names]
        tallies = tuple(ranking.tally for ranking in rankings)
        places = tuple(ranking.places for ranking in rankings)
        clusters, count = None, 0
        if clustered:
            _, clusters = np.unique(np.asarray(cases.ids).astype(str), return_inverse=True)
            count = int(clusters.max()) + 1
        ordered = None if weight is None else weight[order].astype(np.int64)
        return cls(tallies, places, int(cases.label.sum()), scheme, clusters, count, ordered)

    def multiplicities(self, rng: np.random.Generator) -> Ints:
        """How often each case is drawn; both classes are always present."""
        total = self.places[0].size
        for _ in range(1000):
            if self.weight is not None:
                sides = (
                    [slice(0, self.n_pos), slice(self.n_pos, total)] if self.scheme == "stratified" else [slice(None)]
                )
                parts = [self.weight[side] for side in sides]
                times = np.concatenate([rng.multinomial(int(one.sum()), one / one.sum()) for one in parts])
            elif self.clusters is not None:
                drawn = rng.integers(0, self.n_clusters, self.n_clusters)
                times = np.bincount(drawn, minlength=self.n_clusters)[self.clusters]
            elif self.scheme == "stratified":
                pos = rng.integers(0, self.n_pos, self.n_pos)
                neg = rng.integers(self.n_pos, total, total - self.n_pos)
                return np.bincount(np.concatenate([pos, neg]), minlength=total)
            else:
                times = np.bincount(rng.integers(0, total, total), minlength=total)
            if times[: self.n_pos].any() and times[self.n_pos :].any():
                return times
        raise InputError(
            "", "resampling keeps drawing one class only, because a class is too small", way_out="use stratified draws"
        )

    def areas(self, rng: np.random.Generator, estimate: Statistic) -> Floats:
        """The area of every score on one resampled set of cases."""
        times = self.multiplicities(rng)
        n_pos = int(times[: self.n_pos].sum())
        n_neg = int(times[self.n_pos :].sum())
        out = np.empty(len(self.tallies))
        for at, (tally, place) in enumerate(zip(self.tallies, self.places, strict=True)):
            pos = _counts(place[: self.n_pos], times[: self.n_pos], tally.score.size)
            neg = _counts(place[self.n_pos :], times[self.n_pos :], tally.score.size)
            if estimate is auc:
                out[at] = doubled_wins(pos, neg) / (2 * n_pos * n_neg)
            else:
                kept = np.flatnonzero(pos + neg)
                sample = replace(tally.sample, n_pos=n_pos, n_neg=n_neg, subjects=0)
                out[at] = estimate(Tally(score=tally.score[kept], pos=pos[kept], neg=neg[kept], sample=sample))
        return out


def _counts(place: Ints, times: Ints, size: int) -> Ints:
    return np.bincount(place, weights=times, minlength=size).astype(np.int64)
