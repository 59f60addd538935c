"""One area from cases: where the rows matter, not only their tally."""

from __future__ import annotations

from dataclasses import replace

from roclab._core.label_sort import counts_in_order
from roclab.areas.empirical import auc_of_arrays
from roclab.data.cases import Cases
from roclab.data.remote import RemoteCases
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.delong import area_and_parts
from roclab.inference.one_area.estimate import bare_estimate, estimate_area, estimate_from_error
from roclab.names import BOOTSTRAP_INTERVALS, CLUSTERED_VARIANCES, ERROR_INTERVALS, Side
from roclab.options.uncertainty import USUAL, AreaUncertainty
from roclab.results import AreaEstimate

__all__ = ["areas_of", "estimate_area_of_cases"]


def areas_of(cases: Cases, area: Area, asked: AreaUncertainty = USUAL) -> dict[str, AreaEstimate]:
    """The area of every score of the cases: the one road behind areas, comparisons, screening, figures and reports."""
    clustered, interval, variance = cases.clustered, asked.interval, asked.variance
    if clustered and variance is None and interval is not None:
        variance = "clustered_bootstrap" if interval in BOOTSTRAP_INTERVALS else "clustered"
        asked = replace(asked, variance=variance)
    if clustered and variance is not None and variance not in CLUSTERED_VARIANCES:
        raise InputError(
            "ids",
            "join the cases of one subject",
            Words(f"{named('variance', variance)}, which takes every case for itself"),
            f"use {named('variance', 'clustered')} or 'clustered_bootstrap', or leave out {named('ids')}",
        )
    if isinstance(cases, RemoteCases) and variance not in CLUSTERED_VARIANCES:
        found: dict[str, AreaEstimate] = cases.areas(area, asked)
        return found
    return {name: estimate_area_of_cases(cases, name, area, asked) for name in cases.scores}


def estimate_area_of_cases(cases: Cases, name: str, area: Area, asked: AreaUncertainty = USUAL) -> AreaEstimate:
    """Estimate the area of one score of the cases.

    As ``estimate_area``, and two ways that need to know which cases belong to the same subject (``ids``):
    ``variance="clustered"`` is Obuchowski's (``clustered_area``), ``variance="clustered_bootstrap"`` resamples whole
    subjects and goes with every interval; both refer standard errors to t with K - 1 degrees of freedom.
    """
    level, interval, variance, side = asked.level, asked.interval, asked.variance, asked.side
    if area.is_auc and cases.weight is None and variance in (None, "delong") and not cases.remembers:
        if interval is None and variance is None:
            return bare_estimate(area, auc_of_arrays(cases.label, cases.oriented(name)), cases.sample(name), level)
        if interval in ERROR_INTERVALS:
            return _delong_estimate(cases, name, area, level=level, interval=interval, side=side)
    if variance not in CLUSTERED_VARIANCES:
        return estimate_area(cases.tally(name), area, asked)
    # Only where cases belong together, because it brings all that compares scores.
    from roclab.inference.clustered_area import area_of_subjects

    return area_of_subjects(cases, name, area, asked)


def _delong_estimate(cases: Cases, name: str, area: Area, *, level: float, interval: str, side: Side) -> AreaEstimate:
    """The default estimate straight from the order of the cases: their scores never need to be unpacked."""
    sample = cases.sample(name)
    pos, neg = counts_in_order(cases.label, cases.oriented(name))
    value, parts = area_and_parts(pos, neg, n_pos=sample.n_pos, n_neg=sample.n_neg)
    return estimate_from_error(
        area, value, parts.standard_error, "DeLong", sample=sample, level=level, interval=interval, side=side,
        parts=parts,
    )  # fmt: skip
