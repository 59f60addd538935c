"""One area from cases: where the rows matter, not only their tally."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from roclab._core.checks import check_choice
from roclab.cases import Cases
from roclab.errors import InputError
from roclab.inference.bootstrap import BOOTSTRAP_INTERVALS, Resampling, acceleration_of, bootstrap_interval
from roclab.inference.clustered import cluster_sums, covariance_of_clusters
from roclab.inference.covariance import influence_of_cases
from roclab.inference.intervals import Scale, Side, area_interval
from roclab.inference.one_area import INTERVALS, Area, area_notes, estimate_area
from roclab.inference.paired_bootstrap import bootstrap_cases
from roclab.results import AreaEstimate

__all__ = ["estimate_area_of_cases"]


def estimate_area_of_cases(
    cases: Cases,
    name: str,
    area: Area,
    *,
    level: float = 0.95,
    interval: str | None = "logit",
    standard_error: Any = None,
    side: Side = "two-sided",
    resampling: Resampling | None = None,
    rng: Any = None,
) -> AreaEstimate:
    """Estimate the area of one score of the cases.

    As ``estimate_area``, and two ways that need to know which cases belong to the same subject (``ids``):
    ``standard_error="clustered"`` is Obuchowski's, ``standard_error="clustered_bootstrap"`` resamples whole subjects
    and goes with every interval.
    """
    if standard_error not in ("clustered", "clustered_bootstrap"):
        tally = cases.tally(name)
        return estimate_area(
            tally,
            area,
            level=level,
            interval=interval,
            standard_error=standard_error,
            side=side,
            resampling=resampling,
            rng=rng,
        )
    if interval is None:
        raise InputError("interval=None asks for the bare area, got a standard error as well; leave one of them out.")
    check_choice(interval, "interval", INTERVALS)
    one = replace(cases, scores={name: cases.scores[name]}, direction={name: cases.direction[name]})
    if standard_error == "clustered":
        if interval in BOOTSTRAP_INTERVALS:
            raise InputError(
                f"interval={interval!r} comes from the bootstrap; use standard_error='clustered_bootstrap'."
            )
        covariance = covariance_of_clusters(one, area)
        value, se, method = float(covariance.areas[0]), math.sqrt(float(covariance.matrix[0, 0])), covariance.method
        replicates = None
    else:
        sampled = bootstrap_cases(one, area.estimate, resampling=resampling, rng=rng, clustered=True)
        replicates = sampled.replicates[:, 0]
        value, se = area.estimate(cases.tally(name)), float(np.std(replicates, ddof=1))
        method = sampled.describe()
    sample = cases.sample(name)
    if interval in BOOTSTRAP_INTERVALS and replicates is not None:
        acceleration = _cluster_acceleration(one, name, area) if interval == "bca" else None
        found = bootstrap_interval(replicates, value, level=level, side=side, acceleration=acceleration, name=method)
    else:
        scale: Scale = interval  # type: ignore[assignment]
        found = area_interval(
            value,
            se,
            level=level,
            scale=scale,
            side=side,
            bounds=area.bounds,
            pairs=min(sample.n_pos, sample.n_neg),
            name=method,
        )
    return AreaEstimate(
        quantity=area.quantity,
        area=value,
        standard_error=se,
        interval=found,
        method=area.method,
        sample=sample,
        notes=area_notes(area, value, sample),
    )


def _cluster_acceleration(cases: Cases, name: str, area: Area) -> float:
    """Efron's acceleration with whole subjects left out."""
    _, _, influence = influence_of_cases(cases, name, area)
    pos, neg = cluster_sums(cases, influence)
    sums = -(pos / float(np.sum(cases.label)) + neg / float(np.sum(~cases.label)))
    return acceleration_of(sums, np.ones(sums.size))
