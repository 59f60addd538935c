r"""The mean of the areas of folds, with its uncertainty.

A model is often judged by cross-validation: every fold is scored by a model that has not seen it, so that scores of
different folds need not be comparable, and the areas of the folds are averaged. Given the models, folds are
independent samples, and

.. math:: \bar A = \frac1V \sum_v A_v, \qquad \operatorname{Var} \bar A = \frac1{V^2} \sum_v
          \Bigl[ \frac{s^2(V_{10,v})}{P_v} + \frac{s^2(V_{01,v})}{N_v} \Bigr],

the influence-function variance of LeDell and colleagues with the usual denominators. It takes the models as given: it
does not hold what another choice of folds would change.

References
----------
LeDell E, Petersen M, van der Laan M. Computationally efficient confidence intervals for cross-validated area under the
ROC curve estimates. Electron J Stat 2015;9:1583-1607. doi:10.1214/15-EJS1035
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from roclab._core.undefined import Undefined
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.compare import estimate_of
from roclab.inference.comparison.fold_differences import covariance_of_folds
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.delong import DelongParts, delong_parts
from roclab.inference.one_area.estimate import estimate_from_error, variance_title
from roclab.inference.one_area.score import score_test
from roclab.inference.one_area.variance import area_variance, effective_sizes
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import AreaEstimate

__all__ = ["can_be_averaged", "mean_fold_area", "mean_fold_deviate"]

_LISTED = 10  # areas of so many folds are written out


def mean_fold_area(whole: Cases, folds: Mapping[str | None, Cases], area: Area, asked: AreaUncertainty) -> AreaEstimate:
    """The mean of the areas of all folds; every fold counts the same, whatever its size."""
    if area.influence is None:
        raise InputError(
            "folds",
            f"are averaged for areas whose influence is known, and {area.method!r} has none",
            way_out=f"use {named('fold_average', 'pooled')}",
        )
    name = whole.only_name()
    tallies = [part.tally(name) for part in folds.values()]
    values = [area.estimate(tally) for tally in tallies]
    value, count = float(np.mean(values)), len(values)
    each = ", ".join(f"{fold} {one:.4f}" for fold, one in zip(folds, values, strict=True))
    listed = f" ({each})" if count <= _LISTED else f", {min(values):.4f} to {max(values):.4f}"
    note = f"Mean of {count} fold areas{listed}; the interval takes their models as given."
    if whole.clustered:
        known = covariance_of_folds(whole, folds, area)
        clustered = math.sqrt(max(float(known.matrix[0, 0]), 0.0))
        found = estimate_of(known, 0, clustered, None, asked.level, asked.interval or "auto", asked.side)
        return replace(found, method=f"{found.method}, mean of {count} folds", notes=(*found.notes, note))
    parts = _mean_parts(tallies, values, area) if area.of_auc else None
    if not can_be_averaged(tallies, area):
        raise InputError(
            "folds",
            "are averaged for areas that were counted exactly, the AUC and Gini",
            Words(f"{area.quantity} of scores that an engine counted in cells"),
            f"use {named('fold_average', 'pooled')}, or fetch the rows with {named('engine', 'memory')}",
        )
    variances = [_variance(tally, area) for tally in tallies]
    lacking = [at for at, one in zip(folds, variances, strict=True) if isinstance(one, Undefined)]
    se: float = math.sqrt(sum(variances)) / count
    if lacking:
        se, parts = Undefined(f"fold {lacking[0]} has only one case of a class"), None
    found = estimate_from_error(
        area,
        value,
        se,
        f"{variance_title(area)} within folds",
        sample=whole.sample(name),
        level=asked.level,
        interval=asked.interval or "auto",
        side=asked.side,
        parts=parts,
    )
    return replace(found, method=f"{found.method}, mean of {count} folds", notes=(*found.notes, note))


def can_be_averaged(tallies: Sequence[Tally], area: Area) -> bool:
    """Whether no area is known with a numerical error only, as that of scores which an engine joined in cells."""
    return all(tally.top is None or (area.of_auc and tally.known is not None) for tally in tallies)


def _variance(tally: Tally, area: Area) -> float:
    """Of one fold; of what an engine has counted before it joined scores."""
    assert area.influence is not None
    if tally.known is None:
        return area_variance(tally, area.influence(tally))
    parts = DelongParts(*tally.known.parts, tally.n_pos, tally.n_neg)
    return parts.variance * (area.bounds[1] - area.bounds[0]) ** 2


def _mean_parts(tallies: Sequence[Tally], values: Sequence[float], area: Area) -> DelongParts:
    """What both classes add to the variance of a mean of AUCs."""
    each = [delong_parts(tally, area.auc_of(one)) for tally, one in zip(tallies, values, strict=True)]
    sizes = np.sum([effective_sizes(tally) for tally in tallies], axis=0)
    count = len(each)
    return DelongParts(
        sum(one.pos for one in each) / count**2, sum(one.neg for one in each) / count**2, *map(float, sizes)
    )


def mean_fold_deviate(whole: Cases, folds: Mapping[str | None, Cases], area: Area, *, null: float) -> float:
    """Normal deviate of the mean of fold AUCs against a null value, by the variance of its score interval."""
    tallies = [part.tally(whole.only_name()) for part in folds.values()]
    values = [area.estimate(tally) for tally in tallies]
    mean = float(np.mean([area.auc_of(value) for value in values]))
    return score_test(_mean_parts(tallies, values, area).score_variance(mean), null=null)
