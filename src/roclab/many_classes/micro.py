"""The micro average: one area over all (case, class) entries together."""

from __future__ import annotations

import math

import numpy as np

from roclab._core.types import Bools, Floats
from roclab.data.arrays import cases_from_arrays
from roclab.inference.comparison.clustered import covariance_of_clusters
from roclab.inference.one_area.area import area_of_method
from roclab.inference.one_area.intervals import area_interval
from roclab.many_classes.influence import group_area
from roclab.many_classes.result import NamedArea

__all__ = ["micro_area"]


def micro_area(truth: Bools, scores: Floats, *, level: float, weight: Floats | None = None) -> NamedArea:
    """AUC of all entries of an n x k table; the k entries of a case belong together, so cases are clusters."""
    cases, entries = truth.shape
    if weight is not None:
        return _weighted(truth, scores, weight, level)
    flat = cases_from_arrays(truth.ravel(), scores.ravel(), ids=np.repeat(np.arange(cases), entries))
    covariance = covariance_of_clusters(flat, area_of_method("empirical"))
    area, se = float(covariance.areas[0]), math.sqrt(max(float(covariance.matrix[0, 0]), 0.0))
    interval = area_interval(area, se, level=level, pairs=float(cases), name="clustered")
    return NamedArea(name="micro", area=area, standard_error=se, interval=interval)


def _weighted(truth: Bools, scores: Floats, weight: Floats, level: float) -> NamedArea:
    """With importance weights: the influences of the entries of a case, summed, and their squares over all cases."""
    cases, entries = truth.shape
    everyone = np.ones(truth.size, np.bool_)
    found = group_area(scores.ravel(), truth.ravel(), everyone, np.repeat(weight, entries))
    se = math.sqrt(float(np.sum(found.influence.reshape(cases, entries).sum(axis=1) ** 2)))
    interval = area_interval(found.area, se, level=level, pairs=float(cases), name="clustered")
    return NamedArea(name="micro", area=found.area, standard_error=se, interval=interval)
