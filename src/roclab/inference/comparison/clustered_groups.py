r"""Areas of groups whose subjects have several cases, also where a subject has cases in several groups.

Within a group the variance is Obuchowski's (``clustered``). Between groups g and h the subjects that both have add

.. math:: \operatorname{Cov}(A_g, A_h) = \frac{K}{K - 1} \sum_i (u_{ig} + v_{ig}) (u_{ih} + v_{ih})

with :math:`u_{ig}` the sum over subject i's positives of group g of their centred influence over P, and :math:`v_{ig}`
over its negatives over N: 0 where no subject is in both.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from roclab._core.types import Array, Floats
from roclab.data.cases import Cases
from roclab.data.subjects import numbered
from roclab.inference.comparison.clustered import cluster_sums, covariance_of_clusters
from roclab.inference.comparison.covariance import AreaCovariance, influence_of_cases
from roclab.inference.one_area.area import Area
from roclab.inference.welch import Stratum, stratum_of

__all__ = ["covariance_of_clustered_groups", "share_subjects"]


def share_subjects(groups: Mapping[str, Cases]) -> bool:
    """Whether a subject has several cases, in one group or in different ones."""
    every = [_names(part) for part in groups.values() if part.ids is not None]
    return any(part.clustered for part in groups.values()) or (
        len(every) > 0 and np.unique(np.concatenate(every)).size < sum(one.size for one in every)
    )


def covariance_of_clustered_groups(groups: Mapping[str, Cases], area: Area) -> AreaCovariance:
    """Covariance of the areas of groups with one score each, where the same id is the same subject; O(n log n)."""
    each = [covariance_of_clusters(part, area) for part in groups.values()]
    every = np.unique(np.concatenate([_names(part) for part in groups.values()]))
    k, count = len(each), int(every.size)
    sums = np.zeros((count, k))
    strata: list[Stratum] = []
    width = area.bounds[1] - area.bounds[0]
    for at, (part, one) in enumerate(zip(groups.values(), each, strict=True)):
        sides = _added(part, area)
        sums[np.searchsorted(every, _subject_names(part)), at] = sides[0] + sides[1]
        for column, stratum in zip(sides, one.strata, strict=True):
            own: list[Floats | None] = [None] * k
            own[at] = column * np.sqrt(stratum.size / (stratum.size - 1))
            strata.append(stratum_of(own, stratum.size, width=width, share=stratum.share))
    matrix = count / (count - 1) * np.sum(sums[:, :, None] * sums[:, None, :], axis=0)
    for at, one in enumerate(each):
        matrix[at, at] = one.matrix[0, 0]
    return AreaCovariance(
        names=tuple(groups),
        areas=np.array([float(one.areas[0]) for one in each]),
        matrix=matrix,
        area=area,
        samples=tuple(one.samples[0] for one in each),
        pairing="unpaired",
        method=f"Obuchowski 1997, {count} clusters",
        strata=tuple(strata),
        units=count,
    )


def _names(cases: Cases) -> Array:
    """Id of every case, as text."""
    assert cases.ids is not None
    return cases.ids.astype(str)


def _subject_names(cases: Cases) -> Array:
    assert cases.ids is not None
    return numbered(cases.ids)[0].astype(str)


def _added(cases: Cases, area: Area) -> tuple[Floats, Floats]:
    """What every subject's positives and negatives add to the area of a group, in the order of its sorted ids."""
    _, _, influence = influence_of_cases(cases, cases.only_name(), area)
    pos, neg = cluster_sums(cases, influence)
    weight = np.ones(len(cases)) if cases.weight is None else cases.weight.astype(np.float64)
    return pos / float(weight[cases.label].sum()), neg / float(weight[~cases.label].sum())
