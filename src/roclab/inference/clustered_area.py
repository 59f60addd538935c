"""One area of subjects with several cases: its estimates, and the test that agrees with its interval."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from roclab._core.checks import check_choice
from roclab.data.cases import Cases
from roclab.data.remote import RemoteCases
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.clustered import cluster_sums, covariance_of_clusters, subject_numbers
from roclab.inference.comparison.compare import estimate_of
from roclab.inference.comparison.covariance import AreaCovariance, influence_of_cases
from roclab.inference.comparison.paired_bootstrap import bootstrap_cases
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.area_tests import against, estimate_test
from roclab.inference.one_area.bootstrap import acceleration_of, bootstrap_interval
from roclab.inference.one_area.estimate import estimate_from_error
from roclab.inference.one_area.score import score_test
from roclab.inference.welch import EstimatedVariance
from roclab.names import BOOTSTRAP_INTERVALS, Alternative, AreaTest, Side
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import AreaEstimate, TestResult

__all__ = ["area_of_subjects", "clustered_area_test", "clustered_estimate"]


def clustered_estimate(cases: Cases, area: Area, *, level: float, interval: str, side: Side) -> AreaEstimate:
    """The area of the only score by Obuchowski's variance, O(n log n).

    By default AUC and Gini have a score interval on effective class sizes, referred to t with K - 1 degrees of freedom
    for K subjects (``one_area.design_effect``); other areas t on the logit scale, with at most as many.
    """
    known = _known(cases, area)
    se = math.sqrt(max(float(known.matrix[0, 0]), 0.0))
    return estimate_of(known, 0, se, None, level, interval, side)  # type: ignore[arg-type]


def area_of_subjects(cases: Cases, name: str, area: Area, asked: AreaUncertainty) -> AreaEstimate:
    """One score's area by subjects: ``variance="clustered"`` or ``"clustered_bootstrap"`` of ``asked``."""
    level, interval, variance, side = asked.level, asked.interval, asked.variance, asked.side
    if interval is None:
        raise InputError(
            "",
            f"{named('interval', None)} asks for the bare area",
            Words("a standard error as well"),
            "leave one of them out",
        )
    one = cases.select(name)
    if variance == "clustered":
        if interval in BOOTSTRAP_INTERVALS:
            raise InputError(
                "",
                f"{named('interval', interval)} comes from the bootstrap",
                way_out=f"use {named('variance', 'clustered_bootstrap')}",
            )
        return clustered_estimate(one, area, level=level, interval=interval, side=side)
    if isinstance(cases, RemoteCases):
        raise InputError(
            "variance", "that resamples subjects needs their rows in memory", variance,
            f"use {named('variance', 'clustered')}, or fetch the rows with {named('engine', 'memory')}",
        )  # fmt: skip
    sampled = bootstrap_cases(one, area.estimate, resampling=asked.how, rng=asked.rng, clustered=True)
    replicates = sampled.replicates[:, 0]
    value, se = area.estimate(cases.tally(name)), float(np.std(replicates, ddof=1))
    method = sampled.describe()
    sample = cases.sample(name)
    found = estimate_from_error(
        area,
        value,
        se,
        method,
        sample=sample,
        level=level,
        interval="plain" if interval in BOOTSTRAP_INTERVALS else interval,
        side=side,
        df=subject_numbers(one)[1] - 1,
    )
    if interval in BOOTSTRAP_INTERVALS:
        acceleration = _cluster_acceleration(one, name, area) if interval == "bca" else None
        ends = bootstrap_interval(replicates, value, level=level, side=side, acceleration=acceleration, name=method)
        found = replace(found, interval=ends)
    return found


def clustered_area_test(
    cases: Cases,
    area: Area,
    *,
    null: float = 0.5,
    test: AreaTest | None = None,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Is the area of the only score different from a null value? By t with K - 1 degrees of freedom for K subjects.

    The default agrees with the default interval: the score test of AUC and Gini, t on the logit scale elsewhere.
    "logit" and "wald" are known for every area; tests that count cases, each for itself, have no place here.
    """
    known = _known(cases, area)
    df = known.units - 1
    if test not in (None, "score", "logit", "wald"):
        raise InputError(
            "test", "must be one of 'score', 'logit', 'wald' where subjects have several cases", test,
            f"leave it out, or leave out {named('ids')}",
        )  # fmt: skip
    if test == "score" and not area.of_auc:
        raise InputError("test", "'score' is for AUC and Gini", Words(area.quantity), "use 'logit'")
    if area.of_auc and test in (None, "score"):
        assert known.parts is not None
        low, high = area.bounds
        if not low < null < high:
            raise InputError("null", f"must lie strictly between {low:g} and {high:g} for {area.quantity}", null)
        value = float(known.areas[0])
        variance = known.parts[0].score_variance(area.auc_of(value))
        t = score_test(variance, null=area.auc_of(null))
        return against(area.quantity, null, t, estimate=value, alternative=alternative, method="score t", df=df)
    check_choice(test or "logit", "test", ("logit", "wald"))
    scale: Literal["plain", "logit"] = "plain" if test == "wald" else "logit"
    estimated = EstimatedVariance(float(known.matrix[0, 0]), df)
    if test is None and known.variances is not None:
        estimated = known.variances[0]
    estimate = clustered_estimate(cases, area, level=0.95, interval="auto", side="two-sided")
    return estimate_test(estimate, area, null=null, scale=scale, alternative=alternative, estimated=estimated)


def _known(cases: Cases, area: Area) -> AreaCovariance:
    if area.influence is None:
        raise InputError(
            "variance",
            f"of {area.quantity} by {area.method!r} has no formula where subjects have several cases",
            Words(f"{named('ids')} that join some"),
            f"use {named('variance', 'clustered_bootstrap')}, or another {named('estimator')}",
        )
    return covariance_of_clusters(cases.select(cases.only_name()), area)


def _cluster_acceleration(cases: Cases, name: str, area: Area) -> float:
    """Efron's acceleration with whole subjects left out."""
    _, _, influence = influence_of_cases(cases, name, area)
    pos, neg = cluster_sums(cases, influence)
    sums = -(pos / float(np.sum(cases.label)) + neg / float(np.sum(~cases.label)))
    return acceleration_of(sums, np.ones(sums.size))
