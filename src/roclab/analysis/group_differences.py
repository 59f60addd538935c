"""Do groups of cases differ in an area? All pairs of them, by the variance that the areas have."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from roclab._core.types import Floats
from roclab.analysis.counted_groups import covariance_of_counts
from roclab.data.cases import Cases
from roclab.data.remote import RemoteCases
from roclab.errors import InputError
from roclab.inference.comparison.clustered_groups import covariance_of_clustered_groups
from roclab.inference.comparison.compare import Comparison, compare_areas
from roclab.inference.comparison.covariance import AreaCovariance, covariance_of_groups
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.estimate import variance_title
from roclab.options.comparison import AreaComparison
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import AreaEstimate, TestResult

__all__ = ["COMPARED", "as_one_question", "differences_between"]

COMPARED = 12  # groups up to which all pairs are compared


def differences_between(
    cases: Cases,
    held: Mapping[str, Cases],
    area: Area,
    value: Floats,
    asked: AreaUncertainty,
    estimates: Mapping[str, AreaEstimate],
) -> Comparison | None:
    """All pairs of up to twelve groups that have an area; None where no variance is known."""
    known = np.flatnonzero(~np.isnan(value)).tolist()
    if not 2 <= len(known) <= COMPARED:
        return None
    names = list(held)
    parts = {names[at]: held[names[at]] for at in known}
    covariance = _covariance(cases, parts, area, asked, estimates)
    if covariance is None:
        return None
    single = None
    if parts.keys() <= estimates.keys():  # with degrees of freedom, or an error, of their own groups
        single = [replace(estimates[name], sample=replace(estimates[name].sample, score=name)) for name in parts]
    return compare_areas(covariance, AreaComparison(level=asked.level), areas=single)


def _covariance(
    cases: Cases,
    parts: Mapping[str, Cases],
    area: Area,
    asked: AreaUncertainty,
    estimates: Mapping[str, AreaEstimate],
) -> AreaCovariance | None:
    other = asked.variance not in (None, "delong", "clustered") or asked.interval in ("percentile", "bca")
    if not cases.clustered and (other or area.influence is None):
        return _of_errors(parts, area, asked, estimates)
    if area.influence is None:
        return None
    if isinstance(cases, RemoteCases):
        return None if cases.clustered else covariance_of_counts(parts, area)
    if not cases.clustered:
        return covariance_of_groups(parts, area, pairing="unpaired")
    try:
        return covariance_of_clustered_groups(parts, area)
    except InputError:  # a group with one subject of a class has no clustered variance
        return None


def _of_errors(
    parts: Mapping[str, Cases], area: Area, asked: AreaUncertainty, estimates: Mapping[str, AreaEstimate]
) -> AreaCovariance | None:
    """Groups that share no case have areas that share no error: the squares of the standard errors add up."""
    found = [estimates[name] for name in parts if name in estimates]
    errors = np.array([float(one.standard_error) for one in found])
    if len(found) < len(parts) or np.isnan(errors).any():
        return None
    closed = area.influence is not None or area.fit is not None
    named = asked.variance or ("bootstrap" if asked.interval in ("percentile", "bca") or not closed else "delong")
    title = "the model's own errors" if named == "delong" and area.fit is not None else variance_title(area, named)
    return AreaCovariance(
        names=tuple(parts),
        areas=np.array([one.area for one in found]),
        matrix=np.diag(errors**2),
        area=area,
        samples=tuple(one.sample for one in found),
        pairing="unpaired",
        method=title,
    )


def as_one_question(heterogeneity: TestResult, differences: Comparison | None) -> TestResult:
    """Of two groups the test of their difference: it asks what a test of all groups asks, and has one p-value."""
    if differences is None or len(differences.pairs) != 1:
        return heterogeneity
    (pair,) = differences.pairs
    return replace(
        heterogeneity,
        name="difference of two groups",
        hypothesis="both groups have the same area",
        statistic=pair.statistic,
        distribution="z" if math.isinf(pair.df) else f"t, {pair.df:.4g} df",
        p_value=pair.p_value,
    )
