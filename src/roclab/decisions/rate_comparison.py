"""Rates of several tests on the same cases: all of them with intervals, all pairs, all at once, and claims."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from roclab._core.undefined import Undefined
from roclab.decisions.intervals import interval_of_counts
from roclab.decisions.joint_calls import JointCalls
from roclab.decisions.rate_pairs import PAIRED, RatePair, among, influence_of, pair_of, values_of
from roclab.decisions.rate_results import RateClaim, RateComparison, RateDifference, RateOfTest
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.margins import alpha_of, matching_level
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.comparison.simultaneous import JointPairs, family_words, pairs_of
from roclab.inference.one_area.intervals import deviate
from roclab.inference.p_values import p_of_z
from roclab.inference.rates.benefit import net_benefit_limits
from roclab.inference.rates.cochran import cochran_q
from roclab.names import SUBJECT_RATE_TESTS, Claim, RateInterval, RateMetric, RateTest
from roclab.options.comparison import Pairs
from roclab.results import Interval, TestResult

__all__ = ["RateQuestions", "check_margin", "claims_of", "compare_joint_calls", "difference_of", "rates_of"]

_METRIC = {"sensitivity": "tpr", "specificity": "tnr"}
FEWEST_SUBJECTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class RateQuestions:
    """What is asked of the rates."""

    metrics: tuple[RateMetric, ...]
    pairs: Pairs
    odds: float = 0.0
    probability: float | None = None
    interval: RateInterval = "tango"
    test: RateTest = "score"
    margin: float | None = None
    ratio_margin: float | None = None
    claim: Claim = "non-inferiority"


def compare_joint_calls(
    joint: JointCalls, asked: RateQuestions, *, thresholds: Mapping[str, float], cases: str, notes: Sequence[str] = ()
) -> RateComparison:
    """Everything about the rates of k tests, from the patterns of their calls; O(cells k²) after counting."""
    _check(joint, asked)
    places = pairs_of(joint.names, asked.pairs.control)
    rates, found, more = [], [], list(notes)
    for metric in asked.metrics:
        rates += rates_of(joint, metric, level=asked.pairs.level, odds=asked.odds)
        known = [
            pair_of(joint, metric, i, j, odds=asked.odds, interval=asked.interval, test=asked.test) for i, j in places
        ]
        found += _differences(joint, metric, places, known, asked)
        more += _notes(joint, metric, places, known, asked.pairs.level)
    equality: list[TestResult] = []
    if len(joint.names) > 2 and joint.cluster is None and not joint.importance:
        counted = [one for one in asked.metrics if one in PAIRED and joint.weight[among(joint, one, 0)].sum() > 0]
        equality = [_cochran(joint, metric) for metric in counted]
    return RateComparison(
        names=joint.names,
        metrics=asked.metrics,
        rates=tuple(rates),
        pairs=tuple(found),
        equality=tuple(equality),
        claims=_claims(joint, asked),
        thresholds=dict(thresholds),
        probability=asked.probability,
        pairing="the same cases, thresholds fixed beforehand" if thresholds else "the same cases",
        adjustment=family_words(asked.pairs),
        level=asked.pairs.level,
        cases=cases,
        notes=(*more, *(note for test in equality for note in test.notes)),
    )


def _check(joint: JointCalls, asked: RateQuestions) -> None:
    if len(joint.names) < 2:
        raise InputError("score", "and predictions must be two or more to compare", Words(joint.names[0]),
                         "name another one")  # fmt: skip
    if joint.cluster is not None:
        count = joint.clusters(np.ones(joint.weight.size, bool))
        if count < FEWEST_SUBJECTS:
            raise InputError("ids", "must join the cases of five subjects or more", Words(f"{count}"),
                             "report the subjects one by one")  # fmt: skip
    special = asked.test != "score"
    of_subjects = asked.test in SUBJECT_RATE_TESTS
    if special and not of_subjects and (joint.cluster is not None or joint.importance):
        raise InputError("test", "of single cases has no form for subjects with several cases or importance weights",
                         asked.test, "leave it out")  # fmt: skip
    if of_subjects and joint.cluster is None:
        raise InputError("test", "is one of subjects with several cases", asked.test,
                         f"name them by {named('ids')}, or leave it out")  # fmt: skip
    for name, value, usual in (("test", asked.test, "score"), ("interval", asked.interval, "tango")):
        if value != usual and not set(asked.metrics) & set(PAIRED):
            raise InputError(name, f"is that of {', '.join(PAIRED)}", value,
                             "leave it out, or name one of them in metrics")  # fmt: skip
    if special and asked.pairs.alternative != "two-sided":
        raise InputError("alternative", f"must be 'two-sided' beside {named('test', asked.test)}",
                         asked.pairs.alternative, "leave one of them out")  # fmt: skip
    check_margin(asked)


def check_margin(asked: RateQuestions) -> None:
    """Margins of differences belong to metrics that have some, and those of ratios too."""
    if asked.margin is not None and asked.ratio_margin is not None:
        raise InputError("margin", f"and {named('ratio_margin')} are different questions", Words("both"),
                         "ask one at a time")  # fmt: skip
    if asked.margin is not None and asked.margin >= 1:
        raise InputError("margin", "must lie strictly between 0 and 1", asked.margin, "write 0.05")
    without: tuple[str, ...] = ()
    if asked.margin is not None or asked.ratio_margin is not None:
        without = ("lr_plus", "lr_minus") if asked.margin is not None else ("lr_minus", "net_benefit")
    lacking = [one for one in asked.metrics if one in without]
    if lacking:
        name, kind = ("margin", "difference") if asked.margin is not None else ("ratio_margin", "ratio")
        raise InputError(name, f"is that of a {kind} in which more is better", Words(lacking[0]), "leave that rate out")
    if asked.claim == "equivalence" and asked.ratio_margin is not None:
        raise InputError("claim", "of a ratio is 'non-inferiority'", asked.claim, f"use {named('margin', 0.05)}")


def rates_of(joint: JointCalls, metric: RateMetric, *, level: float, odds: float = 0.0) -> list[RateOfTest]:
    """A metric of every test with its interval, that of ``ConfusionMatrix.with_intervals`` where it has one."""
    values = values_of(joint, metric, odds)
    influence = influence_of(joint, metric, odds)
    out = []
    for at, (name, value) in enumerate(zip(joint.names, values, strict=True)):
        matrix = joint.matrix(at)
        if metric == "net_benefit":
            whole = np.ones(joint.weight.size, bool)
            effect = joint.effect(influence[:, at], whole)
            df = math.inf if joint.cluster is None else joint.clusters(whole) - 1
            low, high = net_benefit_limits(
                matrix.tp, matrix.fp, joint.n_pos + joint.n_neg, odds, deviate(level, df=df), effect=effect
            )
            limits = Interval(low=low, high=high, level=level, method="MOVER of Wilson")
        else:
            table = None if joint.cluster is None else joint.table(at)
            worth = joint.effect(influence[:, at], among(joint, metric, at)) if joint.importance else 1.0
            limits = interval_of_counts(matrix, table, _METRIC.get(metric, metric), level=level, effect=worth)
        out.append(RateOfTest(test=name, metric=metric, value=value, interval=limits))
    return out


def _cochran(joint: JointCalls, metric: RateMetric) -> TestResult:
    inside = among(joint, metric, 0)
    right = joint.patterns if metric == "sensitivity" else ~joint.patterns
    if metric == "accuracy":
        right = joint.patterns == joint.positive[:, None]
    return cochran_q(right[inside], joint.weight[inside], quantity={"sensitivity": "sensitivities",
                     "specificity": "specificities", "accuracy": "accuracies"}[metric])  # fmt: skip


def _differences(
    joint: JointCalls,
    metric: RateMetric,
    places: Sequence[tuple[int, int]],
    known: Sequence[RatePair],
    asked: RateQuestions,
) -> list[RateDifference]:
    level, way = asked.pairs.level, asked.pairs.alternative
    found = [
        difference_of(metric, (joint.names[i], joint.names[j]), one, level, level, way)
        for (i, j), one in zip(places, known, strict=True)
    ]
    if not asked.pairs.simultaneous:
        fixed = adjusted([one.p_value for one in found], asked.pairs.adjust)
        return [replace(one, p_adjusted=p) for one, p in zip(found, fixed, strict=True)]
    family = JointPairs(np.asarray(joint.covariance(influence_of(joint, metric, asked.odds))), places)
    each = family.level_of_each(level)
    fixed = family.p_values([one.p_value for one in found], two_sided=way == "two-sided")
    return [
        replace(difference_of(metric, (joint.names[i], joint.names[j]), one, each, level, way), p_adjusted=p)
        for (i, j), one, p in zip(places, known, fixed, strict=True)
    ]


def difference_of(
    metric: str, names: tuple[str, str], one: RatePair, each: float, level: float, alternative: str
) -> RateDifference:
    """A pair with limits at the level ``each``, which hold at ``level`` where all pairs are looked at together."""
    z = deviate(each, df=one.df)
    said = ", simultaneous" if each != level else ""
    (low, high), (least, most) = one.limits(z), one.ratio_limits(z)
    p = p_of_z(one.statistic, alternative, one.df)
    if one.p_value is not None and alternative == "two-sided":
        p = one.p_value
    return RateDifference(
        metric=metric,
        first=names[0],
        second=names[1],
        difference=one.difference,
        interval=Interval(low=low, high=high, level=level, method=one.method + said),
        ratio=one.ratio,
        ratio_interval=Interval(low=least, high=most, level=level, method=one.ratio_method + said),
        statistic=one.statistic,
        p_value=p,
        p_adjusted=p,
        alternative=alternative,
        test=one.test,
        midp=one.midp if alternative == "two-sided" else None,
        counts=None if one.counts is None else (*one.counts,),
        df=one.df,
    )


def _claims(joint: JointCalls, asked: RateQuestions) -> tuple[RateClaim, ...]:
    if asked.margin is None and asked.ratio_margin is None:
        return ()
    places = [(0, at) for at in range(1, len(joint.names))]
    if asked.pairs.control is not None:
        places = pairs_of(joint.names, asked.pairs.control)
    known = [
        (metric, (joint.names[i], joint.names[j]), pair_of(joint, metric, i, j, odds=asked.odds,
                                                           interval=asked.interval))
        for metric in asked.metrics
        for i, j in places
    ]  # fmt: skip
    return claims_of(known, asked)


def claims_of(known: Sequence[tuple[str, tuple[str, str], RatePair]], asked: RateQuestions) -> tuple[RateClaim, ...]:
    """Claims about pairs, adjusted over all of them."""
    level = asked.pairs.level
    alpha = alpha_of(asked.claim, level)
    matching = matching_level(asked.claim, level)
    found = []
    for metric, (first, second), one in known:
        z = deviate(matching, df=one.df)
        if asked.margin is not None:
            statistic, scale, margin = one.at(-asked.margin), "difference", asked.margin
            estimate, ends, method = one.difference, one.limits(z), one.method
        else:
            assert asked.ratio_margin is not None
            statistic, scale, margin = one.ratio_at(asked.ratio_margin), "ratio", asked.ratio_margin
            estimate, ends, method = one.ratio, one.ratio_limits(z), one.ratio_method
        p = p_of_z(statistic, "greater", one.df)
        if asked.claim == "equivalence":
            above = one.at(margin)
            if p_of_z(above, "less", one.df) > p:
                statistic, p = above, p_of_z(above, "less", one.df)
        found.append(RateClaim(
            metric=metric, claim=asked.claim, first=first, second=second, scale=scale, margin=margin,
            estimate=estimate, interval=Interval(low=ends[0], high=ends[1], level=matching, method=method),
            statistic=statistic, p_value=p, p_adjusted=p, alpha=alpha, shown=bool(p < alpha),
        ))  # fmt: skip
    fixed = adjusted([one.p_value for one in found], asked.pairs.adjust)
    return tuple(replace(one, p_adjusted=p, shown=bool(p < alpha)) for one, p in zip(found, fixed, strict=True))


def _notes(
    joint: JointCalls, metric: RateMetric, places: Sequence[tuple[int, int]], known: Sequence[RatePair], level: float
) -> list[str]:
    said = []
    kind = {"sensitivity": "positives", "specificity": "negatives", "accuracy": "cases"}
    for (i, j), one in zip(places, known, strict=True):
        names = f"{joint.names[i]} and {joint.names[j]}"
        if one.counts is not None and one.counts.first == one.counts.second == 0:
            said.append(
                f"{metric}: {names} agree on all {one.counts.n:g} {kind[metric]}; p = 1, the interval comes from n "
                "alone."
            )
        elif isinstance(one.difference, Undefined) and isinstance(one.ratio, Undefined):
            said.append(f"{metric}: {names}: {one.ratio.reason}.")
        elif one.p_value is not None:
            low, high = one.limits(deviate(level, df=one.df))
            if (low <= 0 <= high) != (one.p_value >= 1 - level):
                said.append(
                    f"{metric}: {names}: limits and test are of different kinds and disagree whether the values "
                    "differ; read it as undecided."
                )
    return said
