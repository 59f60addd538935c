r"""Rates of different cases against each other: one test in several groups, at one threshold.

Differences have the score limits of Miettinen and Nurminen, ratios Koopman's; Fisher's mid-p stands beside the p-value
of the score test. Likelihood ratios and net benefits, which are made of two classes, have MOVER limits of their own
limits in each group. Where cases come in clusters or carry importance weights, counts are divided by design effects.

References
----------
Miettinen O, Nurminen M. Comparative analysis of two rates. Stat Med 1985;4:213-226.
Koopman PAR. Confidence intervals for the ratio of two binomial proportions. Biometrics 1984;40:513-517.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from roclab._core.normal import normal_tail
from roclab._core.undefined import Undefined
from roclab.decisions.joint_calls import JointCalls
from roclab.decisions.rate_comparison import RateQuestions, check_margin, claims_of, difference_of, rates_of
from roclab.decisions.rate_pairs import Limits, RatePair, among, deviate_at, influence_of, values_of
from roclab.decisions.rate_results import RateClaim, RateComparison, RateDifference
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.comparison.simultaneous import family_words, pairs_of
from roclab.inference.one_area.intervals import deviate
from roclab.inference.one_curve.ratios import koopman_limits
from roclab.inference.rates.benefit import net_benefit_limits
from roclab.inference.rates.gaps import equal_rates_test, range_deviate, range_tail
from roclab.inference.rates.independent import fisher_p, miettinen_nurminen_limits, miettinen_nurminen_statistic
from roclab.inference.rates.mover import mover_difference
from roclab.inference.rates.paired import Pair
from roclab.names import RateMetric
from roclab.results import TestResult

__all__ = ["compare_groups_of_calls", "group_counts"]

_PROPORTIONS = ("sensitivity", "specificity", "accuracy", "ppv", "npv")


def compare_groups_of_calls(
    groups: Mapping[str, JointCalls], asked: RateQuestions, *, thresholds: Mapping[str, float], cases: str,
    notes: Sequence[str] = (),
) -> RateComparison:  # fmt: skip
    """Everything about one test in several groups."""
    _check(groups, asked)
    names = tuple(groups)
    places = pairs_of(names, asked.pairs.control)
    level = asked.pairs.level
    rates, found, equality, known = [], [], [], {}
    for metric in asked.metrics:
        for name, joint in groups.items():
            (one,) = rates_of(joint, metric, level=level, odds=asked.odds)
            rates.append(replace(one, test=name))
        for i, j in places:
            known[metric, i, j] = _pair(groups[names[i]], groups[names[j]], metric, asked.odds)
        each = level
        if asked.pairs.simultaneous and len(places) > 1:
            each = 1 - 2 * normal_tail(_joint_deviate(len(names), len(places), asked.pairs.control, level))
        differences = [
            difference_of(metric, (names[i], names[j]), known[metric, i, j], each, level, asked.pairs.alternative)
            for i, j in places
        ]
        fixed = adjusted([one.p_value for one in differences], asked.pairs.adjust)
        if asked.pairs.simultaneous and len(places) > 1:
            fixed = _joint_p_values(differences, len(names), asked.pairs.control)
        found += [replace(one, p_adjusted=q) for one, q in zip(differences, fixed, strict=True)]
        if len(names) > 2 and metric in _PROPORTIONS:
            equality.append(_equality(groups, metric))
    claims: tuple[RateClaim, ...] = ()
    if asked.margin is not None or asked.ratio_margin is not None:
        sides = places if asked.pairs.control is not None else [(0, at) for at in range(1, len(names))]
        pairs = [
            (metric, (names[i], names[j]), known.get((metric, i, j)) or _pair(groups[names[i]], groups[names[j]],
                                                                               metric, asked.odds))
            for metric in asked.metrics
            for i, j in sides
        ]  # fmt: skip
        claims = claims_of(pairs, asked)
    return RateComparison(
        names=names,
        metrics=asked.metrics,
        rates=tuple(rates),
        pairs=tuple(found),
        equality=tuple(equality),
        claims=claims,
        thresholds=dict(thresholds),
        probability=asked.probability,
        pairing="different cases" + (", threshold fixed beforehand" if thresholds else ""),
        adjustment=family_words(asked.pairs),
        level=level,
        cases=cases,
        notes=tuple(notes),
    )


def _check(groups: Mapping[str, JointCalls], asked: RateQuestions) -> None:
    if len(groups) < 2:
        raise InputError("groups", "must be two or more to compare", Words(", ".join(groups)), "name another one")
    if asked.interval != "tango":
        raise InputError("interval", "of that name is for tests on the same cases", asked.interval,
                         "leave it out: groups have Miettinen and Nurminen's")  # fmt: skip
    if asked.test != "score":
        raise InputError("test", "of groups is 'score'; Fisher's mid-p stands beside it", asked.test, "leave it out")
    if asked.pairs.simultaneous and asked.pairs.alternative != "two-sided":
        raise InputError("alternative", f"must be 'two-sided' beside {named('simultaneous')}", asked.pairs.alternative,
                         "leave one of them out")  # fmt: skip
    check_margin(asked)


def _joint_deviate(groups: int, pairs: int, control: str | None, level: float) -> float:
    """Tukey's for all pairs, Bonferroni's where all are compared with one."""
    return range_deviate(groups, level) if control is None else deviate(1 - (1 - level) / pairs)


def _joint_p_values(pairs: Sequence[RateDifference], groups: int, control: str | None) -> list[float]:
    """The same for p-values."""
    p = [one.p_value for one in pairs]
    if control is not None:
        return adjusted(p, "bonferroni")
    from scipy.special import ndtri

    return [q if math.isnan(q) else max(range_tail(groups, -float(ndtri(q / 2))), q) for q in p]


def group_counts(joint: JointCalls, metric: RateMetric) -> tuple[float, float, float]:
    """What a proportion rests on: cases right, cases, and how many clusters (infinite where each case is its own).

    Counts are effective ones where cases come in clusters or carry importance weights.
    """
    inside = among(joint, metric, 0)
    n = float(joint.weight[inside].sum())
    value = values_of(joint, metric)[0]
    effect = joint.effect(influence_of(joint, metric)[:, 0], inside)
    clusters = math.inf if joint.cluster is None else float(joint.clusters(inside))
    if n <= 0 or math.isnan(value):
        return 0.0, 0.0, clusters
    x = value * n if effect != 1 else round(value * n, 9)
    return x / effect, n / effect, clusters


def _pair(one: JointCalls, two: JointCalls, metric: RateMetric, odds: float) -> RatePair:
    if metric in _PROPORTIONS:
        return _proportions(one, two, metric)
    return _likelihoods(one, two, metric) if metric in ("lr_plus", "lr_minus") else _benefits(one, two, odds)


def _proportions(one: JointCalls, two: JointCalls, metric: RateMetric) -> RatePair:
    (x1, n1, k1), (x2, n2, k2) = group_counts(one, metric), group_counts(two, metric)
    title = "Miettinen and Nurminen 1985, score"
    if n1 == 0 or n2 == 0:
        return _nothing(Undefined("a group has no case for it"), title)

    def limits(z: float) -> Pair:
        return miettinen_nurminen_limits(x1, n1, x2, n2, z)

    def ratio_limits(z: float) -> Pair:
        return koopman_limits(x1, n1, x2, n2, z)

    clustered = not math.isinf(k1)
    whole = all(float(number).is_integer() for number in (x1, n1, x2, n2)) and not clustered
    ratio = x1 * n2 / (x2 * n1) if x2 > 0 else Undefined("the ratio is 0/0") if x1 == 0 else math.inf
    more = "" if whole else ", counts over their design effect" + (", t" if clustered else "")
    return RatePair(
        difference=x1 / n1 - x2 / n2, limits=limits, method=title + more, ratio=ratio, ratio_limits=ratio_limits,
        ratio_method="Koopman 1984, score" + more, statistic=miettinen_nurminen_statistic(x1, n1, x2, n2),
        test="score (Miettinen and Nurminen)", df=max(k1 + k2 - 2, 1.0) if clustered else math.inf,
        at=lambda null: miettinen_nurminen_statistic(x1, n1, x2, n2, null),
        ratio_at=lambda null: deviate_at(ratio_limits, ratio, null),
        midp=fisher_p(x1, n1, x2, n2, mid=True) if whole else None,
    )  # fmt: skip


def _nothing(why: Undefined, title: str) -> RatePair:
    return RatePair(
        difference=why, limits=lambda z: (why, why), method=title, ratio=why, ratio_limits=lambda z: (why, why),
        ratio_method=title, statistic=why, test="none", df=math.inf, at=lambda null: why, ratio_at=lambda null: why,
    )  # fmt: skip


def _likelihoods(one: JointCalls, two: JointCalls, metric: RateMetric) -> RatePair:
    values, parts, clusters = [], [], 0.0
    positive = metric == "lr_plus"
    for joint in (one, two):
        (hits, n_pos, k_pos), (rest, n_neg, k_neg) = (
            group_counts(joint, "sensitivity"),
            group_counts(joint, "specificity"),
        )
        x, y = (hits, n_neg - rest) if positive else (n_pos - hits, rest)
        if x <= 0 or y <= 0:
            return _nothing(Undefined("a rate in it is 0, so that a likelihood ratio is 0, infinite or 0/0"), "ratio")
        values.append(math.log(x / n_pos) - math.log(y / n_neg))
        parts.append((x, n_pos, y, n_neg))
        clusters += min(k_pos, k_neg)

    def ratio_limits(z: float) -> Pair:
        ends = [tuple(map(math.log, koopman_limits(*part, z))) for part in parts]
        low, high = mover_difference(values[0], ends[0], values[1], ends[1])  # type: ignore[arg-type]
        return math.exp(low), math.exp(high)

    ratio = math.exp(values[0] - values[1])
    why = Undefined("likelihood ratios are compared by their ratio")
    return RatePair(
        difference=why, limits=lambda z: (why, why), method="ratio only", ratio=ratio, ratio_limits=ratio_limits,
        ratio_method="MOVER of two Koopman", statistic=deviate_at(ratio_limits, ratio, 1.0), test="from the limits",
        df=max(clusters - 2, 1.0), at=lambda null: why,
        ratio_at=lambda null: deviate_at(ratio_limits, ratio, null),
    )  # fmt: skip


def _benefits(one: JointCalls, two: JointCalls, odds: float) -> RatePair:
    known, clusters = [], 0.0
    for joint in (one, two):
        whole = np.ones(joint.weight.size, bool)
        effect = joint.effect(influence_of(joint, "net_benefit", odds)[:, 0], whole)
        matrix, n = joint.matrix(0), joint.n_pos + joint.n_neg
        known.append((values_of(joint, "net_benefit", odds)[0], matrix.tp, matrix.fp, n, effect))
        clusters += math.inf if joint.cluster is None else joint.clusters(whole)

    def limits(z: float) -> Pair:
        ends = [net_benefit_limits(tp, fp, n, odds, z, effect=effect) for _, tp, fp, n, effect in known]
        return mover_difference(known[0][0], ends[0], known[1][0], ends[1])

    found, why = known[0][0] - known[1][0], Undefined("net benefits may be negative and have no ratio")
    ratio: Limits = lambda z: (why, why)  # noqa: E731 - a value that stays undefined at any deviate
    return RatePair(
        difference=found, limits=limits, method="MOVER of Wilson", ratio=why, ratio_limits=ratio, ratio_method="none",
        statistic=deviate_at(limits, found, 0.0), test="from the limits", df=max(clusters - 2, 1.0),
        at=lambda null: deviate_at(limits, found, null), ratio_at=lambda null: why,
    )  # fmt: skip


def _equality(groups: Mapping[str, JointCalls], metric: RateMetric) -> TestResult:
    counts = [group_counts(joint, metric)[:2] for joint in groups.values()]
    known = [one for one in counts if one[1] > 0]
    statistic, df, p = equal_rates_test([x for x, _ in known], [n for _, n in known])
    return TestResult(
        name="Pearson's chi-squared",
        hypothesis=f"{metric} is the same in all groups",
        statistic=statistic,
        distribution=f"chi-squared, {df} df",
        p_value=p,
        method="Pearson",
    )
