"""Comparisons by the bootstrap: of any area and of rates at a fixed point, on the same cases or on different ones.

Scores of the same cases are resampled together, so that replicates keep their correlation; groups that share no case
are resampled apart, each with a generator of its own, and row b of one meets row b of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from roclab._core.types import Floats
from roclab._core.work import spawn_generators
from roclab.data.cases import Cases
from roclab.data.remote import RemoteCases
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.inference.comparison.compare import Comparison, distribution_words, estimate_of, undefined_notes
from roclab.inference.comparison.contrasts import Difference, equality_test
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.comparison.keyed_bootstrap import bootstrap_by_key
from roclab.inference.comparison.paired_bootstrap import bootstrap_cases, bootstrap_difference
from roclab.inference.comparison.simultaneous import family_words, pairs_compared
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.bootstrap import Bootstrap, bootstrap_area, bootstrap_interval
from roclab.inference.one_curve.fixed_rate import rate_estimate, rate_replicates, rate_statistic
from roclab.names import Pairing
from roclab.options.comparison import AreaComparison
from roclab.options.uncertainty import Resampling
from roclab.results import AreaEstimate, RateEstimate, Sample

__all__ = [
    "compare_by_bootstrap",
    "compare_groups_by_bootstrap",
    "compare_groups_at_rate",
    "compare_at_rate",
]


def compare_by_bootstrap(cases: Cases, area: Area, asked: AreaComparison, *, clustered: bool = False) -> Comparison:
    """All pairs from paired bootstrap replicates: for any area, also those without a variance formula.

    Tests are normal with the bootstrap's standard errors, intervals are percentiles of the replicates, and the global
    test uses their covariance matrix.
    """
    _two(cases.names)
    if asked.how.scheme == "poisson":
        sampled = bootstrap_by_key(cases, area, asked.how, asked.rng)
    else:
        sampled = bootstrap_cases(cases, area.estimate, resampling=asked.how, rng=asked.rng, clustered=clustered)
    tallies = {name: cases.tally(name) for name in cases.names}
    return _areas_compared(sampled, tallies, area, asked, pairing="paired")


def compare_groups_by_bootstrap(groups: Mapping[str, Cases], area: Area, asked: AreaComparison) -> Comparison:
    """The same for one score of groups that share no case, each resampled for itself."""
    tallies = _tallies(groups)

    def draw(tally: Tally, how: Resampling, own: Any) -> Bootstrap:
        return bootstrap_area(tally, area.estimate, resampling=how, rng=own)

    sampled = _resampled_apart(tallies, draw, asked)
    return _areas_compared(sampled, tallies, area, asked, pairing="unpaired")


def compare_at_rate(cases: Cases, asked: AreaComparison) -> Comparison:
    """Sensitivities at a specificity (or the reverse) of all scores, compared by the paired bootstrap."""
    _two(cases.names)
    statistic = rate_statistic(specificity=asked.at_specificity, sensitivity=asked.at_sensitivity)
    grouped = isinstance(cases, RemoteCases)
    if isinstance(cases, RemoteCases):
        cases = cases.about_rate(statistic.at, mirrored=statistic.mirrored)
    sampled = bootstrap_cases(cases, statistic.value, resampling=asked.how, rng=asked.rng, grouped=grouped)
    tallies = {name: cases.tally(name) for name in cases.names}
    single = [
        rate_estimate(tally, statistic, _column(sampled, at), level=asked.level)
        for at, tally in enumerate(tallies.values())
    ]
    return _rates_compared(sampled, single, asked, pairing="paired")


def compare_groups_at_rate(groups: Mapping[str, Cases], asked: AreaComparison) -> Comparison:
    """The same for one score of groups that share no case."""
    tallies = _tallies(groups)
    statistic = rate_statistic(specificity=asked.at_specificity, sensitivity=asked.at_sensitivity)

    def draw(tally: Tally, how: Resampling, own: Any) -> Bootstrap:
        return rate_replicates(tally, [statistic], resampling=how, rng=own)

    sampled = _resampled_apart(tallies, draw, asked)
    single = [
        rate_estimate(tally, statistic, _column(sampled, at), level=asked.level)
        for at, tally in enumerate(tallies.values())
    ]
    return _rates_compared(sampled, single, asked, pairing="unpaired")


def _two(names: Sequence[str]) -> None:
    if len(names) < 2:
        raise InputError("", "a comparison needs at least two scores", Words("1"), "name another score to compare with")


def _tallies(groups: Mapping[str, Cases]) -> dict[str, Tally]:
    """The tally of each group, called by the name of the group."""
    _two(list(groups))
    out = {}
    for name, cases in groups.items():
        tally = cases.tally(cases.only_name())
        out[name] = replace(tally, sample=replace(tally.sample, score=name))
    return out


def _resampled_apart(
    tallies: Mapping[str, Tally], draw: Callable[[Tally, Resampling, Any], Bootstrap], asked: AreaComparison
) -> Bootstrap:
    """Replicates of every group, one column each, independent of each other."""
    generators, seed = spawn_generators(asked.rng, len(tallies))
    columns = [draw(tally, asked.how, own).replicates for tally, own in zip(tallies.values(), generators, strict=True)]
    return Bootstrap(replicates=np.column_stack(columns), scheme=asked.how.scheme, seed=seed)


def _column(sampled: Bootstrap, at: int) -> Bootstrap:
    return replace(sampled, replicates=sampled.replicates[:, at].copy())


def _areas_compared(
    sampled: Bootstrap,
    tallies: Mapping[str, Tally],
    area: Area,
    asked: AreaComparison,
    *,
    pairing: Pairing,
) -> Comparison:
    covariance = AreaCovariance(
        names=tuple(tallies),
        areas=np.array([area.estimate(tally) for tally in tallies.values()]),
        matrix=_covariance(sampled.replicates, pairing),
        area=area,
        samples=tuple(tally.sample for tally in tallies.values()),
        pairing=pairing,
        method=sampled.describe(),
    )
    single = [
        estimate_of(
            covariance,
            at,
            float(np.std(column, ddof=1)),
            bootstrap_interval(column, float(covariance.areas[at]), level=asked.level, name=covariance.method),
            asked.level,
        )
        for at, column in enumerate(sampled.replicates.T)
    ]
    return _compared(sampled, single, area.quantity, covariance, asked)


def _rates_compared(
    sampled: Bootstrap,
    single: Sequence[RateEstimate],
    asked: AreaComparison,
    *,
    pairing: Pairing,
) -> Comparison:
    quantity = single[0].quantity
    samples: list[Sample] = [one.sample for one in single]
    covariance = AreaCovariance(
        names=tuple(str(sample.score) for sample in samples),
        areas=np.array([one.rate for one in single]),
        matrix=_covariance(sampled.replicates, pairing),
        area=None,
        samples=tuple(samples),
        pairing=pairing,
        method=f"{quantity}, {sampled.describe()}",
    )
    return _compared(sampled, single, quantity, covariance, asked)


def _covariance(replicates: Floats, pairing: Pairing) -> Floats:
    """Covariance matrix of the replicates; between groups that share no case it is 0, whatever chance says."""
    matrix: Floats = np.cov(replicates, rowvar=False)
    return matrix if pairing == "paired" else np.diag(np.diag(matrix))


def _compared(
    sampled: Bootstrap,
    single: Sequence[AreaEstimate] | Sequence[RateEstimate],
    quantity: str,
    covariance: AreaCovariance,
    asked: AreaComparison,
) -> Comparison:
    values, replicates = covariance.areas, sampled.replicates

    def difference(i: int, j: int, level: float) -> Difference:
        return bootstrap_difference(
            replicates[:, i] - replicates[:, j],
            float(values[i] - values[j]),
            first=covariance.names[i],
            second=covariance.names[j],
            level=level,
            alternative=asked.alternative,
            name=covariance.method,
        )

    pairs = pairs_compared(covariance.names, asked, difference, covariance.matrix)
    return Comparison(
        quantity=quantity,
        areas=tuple(single),
        covariance=covariance.matrix,
        pairs=pairs,
        equality=equality_test(values, covariance.matrix),
        pairing=covariance.pairing,
        method=covariance.method,
        adjustment=family_words(asked),
        level=asked.level,
        distribution=distribution_words(covariance, "normal"),
        notes=undefined_notes(pairs),
        _known=covariance,
    )
