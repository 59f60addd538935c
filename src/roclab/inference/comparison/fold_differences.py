r"""Differences of areas within folds, averaged over folds.

Every fold is scored by models that have not seen it, so that scores of different folds need not be comparable; those of
one fold are. The areas of k scores are therefore those of every fold, averaged, and given the models their covariance
is

.. math:: \bar A = \frac1V \sum_v A_v, \qquad \operatorname{Cov} \bar A = \frac1{V^2} \sum_v S_v

with :math:`S_v` DeLong's matrix of fold v, the influence-function covariance of LeDell and colleagues with the usual
denominators. Positives and negatives of all folds are independent strata, so that contrasts follow Welch's t
(``inference/welch.py``). It takes the models as given: it does not hold what another choice of folds would change.

Subjects with several cases may have them in several folds. What a case adds to the mean is then its influence in its
own fold over V; summed over a subject's cases of all folds these give, as Obuchowski's sums do within one sample,

.. math:: \operatorname{Cov} \bar A = \frac{K_+}{K_+ - 1} \sum_i u_i u_i^\top + \frac{K_-}{K_- - 1} \sum_i v_i v_i^\top
          + \frac{K}{K - 1} \sum_i (u_i v_i^\top + v_i u_i^\top)

with u over the positives and v over the negatives of subject i, and at most K - 1 degrees of freedom.

References
----------
LeDell E, Petersen M, van der Laan M. Computationally efficient confidence intervals for cross-validated area under the
ROC curve estimates. Electron J Stat 2015;9:1583-1607. doi:10.1214/15-EJS1035
Obuchowski NA. Nonparametric analysis of clustered ROC curve data. Biometrics 1997;53:567-578. doi:10.2307/2533958
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Array, Floats
from roclab.data.cases import Cases
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.clustered import subject_numbers
from roclab.inference.comparison.covariance import (
    AreaCovariance,
    class_rows,
    covariance_of_cases,
    influence_of_cases,
)
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.estimate import variance_title
from roclab.inference.welch import EstimatedVariance, stratum_of

__all__ = ["covariance_of_folds"]


def covariance_of_folds(whole: Cases, folds: Mapping[str | None, Cases], area: Area) -> AreaCovariance:
    """Means over folds of the areas of all scores, with their covariance; O(k n log n)."""
    if area.influence is None:
        raise InputError(
            "folds",
            f"are averaged for areas whose influence is known, and {area.method!r} has none",
            way_out=f"use {named('fold_average', 'pooled')}",
        )
    if whole.clustered:
        return _of_subjects(whole, folds, area)
    count = len(folds)
    each = [covariance_of_cases(part, area, score=False) for part in folds.values()]
    matrix: Floats = np.sum([one.matrix for one in each], axis=0) / count**2
    strata = []
    for one in each:
        for stratum in one.strata:
            # A fold counts 1 / V of itself: so do its part of the variance and its correction, squared.
            scaled = type(stratum)(
                matrix=stratum.matrix / count**2, correction=stratum.correction / count**2, size=stratum.size,
                share=stratum.share,
            )  # fmt: skip
            strata.append(scaled)
    areas = np.mean([one.areas for one in each], axis=0)
    return AreaCovariance(
        names=tuple(whole.names),
        areas=areas,
        matrix=matrix,
        area=area,
        samples=tuple(whole.sample(name) for name in whole.names),
        pairing="paired",
        method=f"{variance_title(area)} within folds, mean of {count} folds",
        variances=_spreads(matrix, each, count),
        strata=tuple(strata),
    )


def _spreads(matrix: Floats, each: list[AreaCovariance], count: int) -> tuple[EstimatedVariance, ...]:
    """Variance of every single mean, with Welch's degrees of freedom over the classes of all folds."""
    found = []
    for at in range(len(matrix)):
        parts = [(float(stratum.matrix[at, at]) / count**2, stratum.df) for fold in each for stratum in fold.strata]
        fewest = sum(part**2 / df for part, df in parts if part > 0)
        found.append(
            EstimatedVariance(float(matrix[at, at]), float(matrix[at, at]) ** 2 / fewest if fewest > 0 else np.inf)
        )
    return tuple(found)


def _of_subjects(whole: Cases, folds: Mapping[str | None, Cases], area: Area) -> AreaCovariance:
    """The same where subjects have several cases, in one fold or in several."""
    if whole.weights == "importance":
        raise InputError(
            "", "clustered data with importance weights have no variance formula here", way_out="use whole weights"
        )
    number, subjects = subject_numbers(whole)
    at_row = {row: at for at, row in enumerate(_rows(whole).tolist())}
    added = np.zeros((len(whole), len(whole.names)))
    areas = np.zeros(len(whole.names))
    for part in folds.values():
        places = np.array([at_row[row] for row in _rows(part).tolist()])
        weight = np.ones(len(part)) if part.weight is None else part.weight.astype(np.float64)
        for column, name in enumerate(part.names):
            _, value, influence = influence_of_cases(part, name, area)
            areas[column] += value / len(folds)
            for side in class_rows(part.label):
                total = float(weight[side].sum())
                centred = influence[side] - float(np.sum(weight[side] * influence[side])) / total
                added[places[side], column] = weight[side] * centred / total / len(folds)
    u, v = (
        np.column_stack([np.bincount(number[rows], weights=one[rows], minlength=subjects) for one in added.T])
        for rows in class_rows(whole.label)
    )
    held = [np.unique(number[rows]).size for rows in class_rows(whole.label)]
    if min(held) < 2:
        raise InputError(
            "", "the clustered variance needs two subjects of each class",
            Words(f"{plural(held[0], 'subject')} with positives and {held[1]} with negatives"), "collect more subjects",
        )  # fmt: skip
    sides = [one * np.sqrt(k / (k - 1)) for one, k in zip((u, v), held, strict=True)]
    crossed = subjects / (subjects - 1) * np.sum(u[:, :, None] * v[:, None, :], axis=0)
    width = area.bounds[1] - area.bounds[0]
    strata = tuple(
        stratum_of(list(one.T), k, width=width, share=share)
        for one, k, share in zip(sides, held, area.shares, strict=True)
    )
    matrix = strata[0].matrix + strata[1].matrix + crossed + crossed.T
    variances = tuple(EstimatedVariance(max(float(matrix[at, at]), 0.0), subjects - 1) for at in range(len(areas)))
    return AreaCovariance(
        names=tuple(whole.names),
        areas=areas,
        matrix=matrix,
        area=area,
        samples=tuple(whole.sample(name) for name in whole.names),
        pairing="paired",
        method=f"Obuchowski within folds, {subjects} clusters, mean of {len(folds)} folds",
        variances=variances,
        strata=strata,
        units=subjects,
    )


def _rows(cases: Cases) -> Array:
    """Position of every case in what was read."""
    return np.arange(len(cases)) if cases.rows is None else cases.rows
