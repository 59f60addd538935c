"""One rate of two tests on the same cases: difference, ratio, their limits at any deviate, and the test of equality.

Counts are divided by design effects where cases come in clusters or carry importance weights, and Student's t takes the
place of the normal distribution where clusters were counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from roclab._core.types import Bools, Floats
from roclab._core.undefined import Undefined
from roclab.decisions.joint_calls import JointCalls
from roclab.inference.rates.benefit import net_benefit_difference
from roclab.inference.rates.clustered_pairs import CLUSTERED_TESTS
from roclab.inference.rates.likelihood import likelihood_ratios_compared
from roclab.inference.rates.mcnemar import mcnemar_p
from roclab.inference.rates.mover import mover_difference, wilson
from roclab.inference.rates.paired import (
    Pair,
    PairedCounts,
    falling_zero,
    tang_statistic,
    tango_statistic,
)
from roclab.inference.rates.paired_others import DIFFERENCE_TITLES, RATIO_TITLES, paired_difference, paired_ratio
from roclab.inference.rates.predictive import PairedTables, PredictivePair, negative_values, positive_values
from roclab.names import RateInterval, RateMetric, RateTest

__all__ = ["PAIRED", "Limits", "RatePair", "among", "deviate_at", "influence_of", "pair_of", "values_of"]

_FARTHEST = 38.0  # deviates beyond it have no probability in double precision
Limits = Callable[[float], Pair]
PAIRED: tuple[RateMetric, ...] = ("sensitivity", "specificity", "accuracy")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatePair:
    """Estimates, limits at any deviate, and the test of equality."""

    difference: float
    limits: Limits
    method: str
    ratio: float
    ratio_limits: Limits
    ratio_method: str
    statistic: float  # signed, at no difference
    test: str
    df: float
    at: Callable[[float], float]  # the deviate at a difference
    ratio_at: Callable[[float], float]
    p_value: float | None = None  # two-sided, where it is not that of the statistic
    midp: float | None = None
    counts: PairedCounts | None = None


def deviate_at(limits: Limits, found: float, null: float) -> float:
    """The signed deviate at which a limit meets ``null``: the test that belongs to limits of any kind.

    >>> round(deviate_at(lambda z: (0.3 - 0.1 * z, 0.3 + 0.1 * z), 0.3, 0.0), 6)
    3.0
    """
    if math.isnan(found):
        return found
    if found == null:
        return 0.0
    if found > null:
        return falling_zero(lambda z: limits(z)[0] - null, 1e-12, _FARTHEST)
    return -falling_zero(lambda z: null - limits(z)[1], 1e-12, _FARTHEST)


def among(joint: JointCalls, metric: RateMetric, at: int) -> Bools:
    """Cells in the denominator of a metric."""
    called = joint.patterns[:, at]
    if metric in ("sensitivity", "specificity"):
        return joint.positive if metric == "sensitivity" else ~joint.positive
    if metric in ("ppv", "npv"):
        return called if metric == "ppv" else ~called
    return np.ones(called.size, bool)


def values_of(joint: JointCalls, metric: RateMetric, odds: float = 0.0) -> list[float]:
    """The metric of every test."""
    found = []
    for at in range(len(joint.names)):
        matrix = joint.matrix(at)
        if metric == "net_benefit":
            found.append((matrix.tp - odds * matrix.fp) / (joint.n_pos + joint.n_neg))
        else:
            found.append(matrix.metrics()[_METRIC.get(metric, metric)])
    return found


_METRIC = {"sensitivity": "tpr", "specificity": "tnr"}


def influence_of(joint: JointCalls, metric: RateMetric, odds: float = 0.0) -> Floats:
    """Influence of a case in every cell on the metric of every test, cells x tests; of the logarithm of a ratio."""
    return np.stack([_influence(joint, metric, at, odds) for at in range(len(joint.names))], axis=1)


def _influence(joint: JointCalls, metric: RateMetric, at: int, odds: float) -> Floats:
    called, positive, weight = joint.patterns[:, at], joint.positive, joint.weight
    if metric in ("lr_plus", "lr_minus"):
        calls = called if metric == "lr_plus" else ~called
        return _log_share(calls, positive, weight) - _log_share(calls, ~positive, weight)
    if metric == "net_benefit":
        worth = np.where(called, np.where(positive, 1.0, -odds), 0.0)
        total = weight.sum()
        return np.asarray((worth - weight @ worth / total) / total)
    inside = among(joint, metric, at)
    right = called if metric == "sensitivity" else ~called if metric == "specificity" else called == positive
    total = weight[inside].sum()
    if total <= 0:
        return np.zeros(weight.size)
    value = weight[inside & right].sum() / total
    return np.where(inside, (right - value) / total, 0.0)


def _log_share(calls: Bools, inside: Bools, weight: Floats) -> Floats:
    hits = weight[calls & inside].sum()
    if hits <= 0:
        return np.zeros(weight.size)
    return np.where(inside, calls / hits - 1 / weight[inside].sum(), 0.0)


def pair_of(
    joint: JointCalls,
    metric: RateMetric,
    first: int,
    second: int,
    *,
    odds: float = 0.0,
    interval: RateInterval = "tango",
    test: RateTest = "score",
) -> RatePair:
    """What is known of one metric of two tests."""
    tables = joint.tables(first, second)
    if metric in PAIRED:
        return _paired(joint, tables, metric, first, second, interval, test)
    if metric in ("ppv", "npv"):
        return _predictive(joint, tables, metric, first, second)
    if metric == "net_benefit":
        return _benefit(joint, tables, first, second, odds)
    return _likelihood(joint, tables, metric, first, second)


def _df(joint: JointCalls, inside: Bools) -> float:
    return math.inf if joint.cluster is None else float(max(joint.clusters(inside) - 1, 1))


def _paired(
    joint: JointCalls, tables: PairedTables, metric: RateMetric, first: int, second: int, interval: RateInterval,
    test: RateTest,
) -> RatePair:  # fmt: skip
    ill, well = tables
    counts = {
        "sensitivity": ill,
        "specificity": well.exchanged(),
        "accuracy": PairedCounts(ill.both + well.neither, ill.first + well.second, ill.second + well.first,
                                 ill.neither + well.both),
    }[metric]  # fmt: skip
    inside = among(joint, metric, first)
    if counts.n <= 0:
        return _nothing(f"{metric} has no cases here", DIFFERENCE_TITLES[interval])
    apart = _influence(joint, metric, first, odds=0.0) - _influence(joint, metric, second, odds=0.0)
    effect = joint.effect(apart, inside)
    worth = counts if effect == 1 else counts.divided(effect)
    one, two = counts.rates
    single = joint.cluster is None and not joint.importance
    statistic, named, p = tango_statistic(worth), "score, of counts over their design effect", None
    if single:
        named = _OF_SINGLE_CASES[test]
        p = mcnemar_p(counts, test) if test in ("midp", "exact", "corrected") else None
    elif test in CLUSTERED_TESTS:
        named, judged = CLUSTERED_TESTS[test]
        squared, p = judged(joint.paired_table(first, second, inside, _right(joint, metric)))
        statistic = math.copysign(math.sqrt(squared), one - two)
    return RatePair(
        difference=one - two,
        limits=lambda z: paired_difference(worth, z, interval),
        method=DIFFERENCE_TITLES[interval] + _effect_words(joint, inside),
        ratio=_ratio(one, two),
        ratio_limits=lambda z: paired_ratio(worth, z, interval),
        ratio_method=RATIO_TITLES[interval],
        statistic=statistic,
        test=named,
        df=_df(joint, inside),
        at=lambda null: tango_statistic(worth, null) if interval == "tango" else deviate_at(
            lambda z: paired_difference(worth, z, interval), one - two, null),
        ratio_at=lambda null: tang_statistic(worth, null) if interval == "tango" else deviate_at(
            lambda z: paired_ratio(worth, z, interval), _ratio(one, two), null),
        p_value=p,
        midp=mcnemar_p(counts, "midp") if single else None,
        counts=counts,
    )  # fmt: skip


_OF_SINGLE_CASES = {
    "score": "McNemar", "midp": "McNemar mid-p", "exact": "McNemar exact", "corrected": "McNemar corrected"
}  # fmt: skip


def _right(joint: JointCalls, metric: RateMetric) -> Bools:
    """Whether every test is right about the cases of every cell, cells x tests."""
    if metric == "accuracy":
        return np.asarray(joint.patterns == joint.positive[:, None])
    return joint.patterns if metric == "sensitivity" else ~joint.patterns


def _ratio(one: float, two: float) -> float:
    if math.isnan(one) or math.isnan(two):
        return Undefined("a rate is undefined")
    if two == 0:
        return Undefined("the ratio is 0/0") if one == 0 else math.inf
    return one / two


def _effect_words(joint: JointCalls, inside: Bools) -> str:
    if joint.cluster is not None:
        return f", counts over their design effect, t of {joint.clusters(inside)} subjects"
    return ", counts over their design effect (Kish)" if joint.importance else ""


def _nothing(reason: str, method: str) -> RatePair:
    why = Undefined(reason)
    return RatePair(
        difference=why, limits=lambda z: (why, why), method=method, ratio=why, ratio_limits=lambda z: (why, why),
        ratio_method=method, statistic=why, test="none", df=math.inf, at=lambda null: why, ratio_at=lambda null: why,
    )  # fmt: skip


def _predictive(joint: JointCalls, tables: PairedTables, metric: RateMetric, first: int, second: int) -> RatePair:
    found = positive_values(tables) if metric == "ppv" else negative_values(tables)
    title = "MOVER of Wilson, correlation from influences"
    one, two = found.values
    if math.isnan(one) or math.isnan(two):
        lacking = joint.names[first if math.isnan(one) else second]
        return _nothing(f"no case was called {'positive' if metric == 'ppv' else 'negative'} by {lacking}", title)
    single = joint.cluster is None and not joint.importance
    inside = among(joint, metric, first) | among(joint, metric, second)
    if not single:
        influence = influence_of(joint, metric)[:, [first, second]]
        effects = tuple(
            joint.effect(influence[:, at], among(joint, metric, whose)) for at, whose in enumerate((first, second))
        )
        spread = joint.covariance(influence)
        below = math.sqrt(float(spread[0, 0] * spread[1, 1]))
        r = float(spread[0, 1]) / below if below > 0 else 0.0
        found = PredictivePair(found.right_both, found.wrong_both, found.right, found.called,
                               (effects[0], effects[1]), min(max(r, -1.0), 1.0))  # fmt: skip

    def limits(z: float) -> Pair:
        return found.limits(z)

    def ratio_limits(z: float) -> Pair:
        logs = [
            tuple(math.log(end) if end > 0 else -math.inf for end in wilson(value, n / effect, z))
            for value, n, effect in zip((one, two), found.called, found.effects, strict=True)
        ]
        if one == 0 or two == 0:
            why = Undefined("a predictive value of 0 has no logarithm")
            return why, why
        low, high = mover_difference(math.log(one), logs[0], math.log(two), logs[1], found.correlation)  # type: ignore[arg-type]
        return math.exp(low), math.exp(high)

    statistic, p, test = deviate_at(limits, one - two, 0.0), None, "from the limits"
    if single:
        squared, p = found.test()
        statistic = squared if math.isnan(squared) else math.copysign(math.sqrt(squared), one - two)
        test = "weighted generalized score (Kosinski 2013)"
    return RatePair(
        difference=one - two,
        limits=limits,
        method=title + _effect_words(joint, inside),
        ratio=_ratio(one, two),
        ratio_limits=ratio_limits,
        ratio_method=f"{title}, of logarithms",
        statistic=statistic,
        test=test,
        df=_df(joint, inside),
        at=lambda null: deviate_at(limits, one - two, null),
        ratio_at=lambda null: deviate_at(ratio_limits, _ratio(one, two), null),
        p_value=p,
    )


def _class_effects(joint: JointCalls, influence: Floats) -> Pair:
    """Design effects of a difference of influences in either class."""
    parts = [joint.effect(np.where(side, influence, 0.0), side) for side in (joint.positive, ~joint.positive)]
    return parts[0], parts[1]


def _class_df(joint: JointCalls) -> float:
    return min(_df(joint, joint.positive), _df(joint, ~joint.positive))


def _benefit(joint: JointCalls, tables: PairedTables, first: int, second: int, odds: float) -> RatePair:
    apart = joint.patterns[:, first].astype(float) - joint.patterns[:, second]
    total = float(joint.weight.sum())
    whole = np.ones(apart.size, bool)
    effects = []
    for side in (joint.positive, ~joint.positive):  # each a share of all cases
        share = np.where(side, apart, 0.0)
        effects.append(joint.effect((share - joint.weight @ share / total) / total, whole))

    def limits(z: float) -> Pair:
        return net_benefit_difference(tables, odds, z, effects=(effects[0], effects[1]))[1]

    found = net_benefit_difference(tables, odds, 1.0)[0]
    why = Undefined("net benefits may be negative and have no ratio")
    return RatePair(
        difference=found, limits=limits, method="MOVER of Tango" + _effect_words(joint, whole), ratio=why,
        ratio_limits=lambda z: (why, why), ratio_method="none", statistic=deviate_at(limits, found, 0.0),
        test="from the limits", df=_df(joint, whole), at=lambda null: deviate_at(limits, found, null),
        ratio_at=lambda null: why,
    )  # fmt: skip


def _likelihood(joint: JointCalls, tables: PairedTables, metric: RateMetric, first: int, second: int) -> RatePair:
    influence = influence_of(joint, metric)
    effects = _class_effects(joint, influence[:, first] - influence[:, second])
    positive = metric == "lr_plus"
    ratio = likelihood_ratios_compared(tables, 1.0, positive=positive)[0]

    def ratio_limits(z: float) -> Pair:
        return likelihood_ratios_compared(tables, z, positive=positive, effects=effects)[1]

    why = Undefined("likelihood ratios are compared by their ratio")
    statistic = deviate_at(ratio_limits, ratio, 1.0)
    return RatePair(
        difference=why, limits=lambda z: (why, why), method="ratio only", ratio=ratio, ratio_limits=ratio_limits,
        ratio_method="MOVER of two Tang" + _effect_words(joint, np.ones(joint.weight.size, bool)),
        statistic=statistic, test="from the limits", df=_class_df(joint), at=lambda null: why,
        ratio_at=lambda null: deviate_at(ratio_limits, ratio, null),
    )  # fmt: skip
