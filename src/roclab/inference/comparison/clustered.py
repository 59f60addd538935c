r"""Several cases per subject: variances of areas when cases of one subject are alike.

Obuchowski's estimator adds the structural components within each subject before squaring. With I10 subjects that
have positives, I01 that have negatives and I subjects in all,

.. math:: \operatorname{Cov}(A_a, A_b) = \frac{S_{10}}{P} + \frac{S_{01}}{N} + \frac{S_{11} + S_{11}^\top}{PN},

.. math:: S_{10} = \frac{I_{10}}{(I_{10} - 1) P} \sum_i u_i u_i^\top, \quad
          S_{01} = \frac{I_{01}}{(I_{01} - 1) N} \sum_i v_i v_i^\top, \quad
          S_{11} = \frac{I}{I - 1} \sum_i u_i v_i^\top

with :math:`u_i` the sum over subject i's positives of the centred components of each score, and :math:`v_i` over its
negatives.

References
----------
Obuchowski NA. Nonparametric analysis of clustered ROC curve data. Biometrics 1997;53:567-578. doi:10.2307/2533958
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Floats, Ints
from roclab.data.cases import Cases
from roclab.data.remote import RemoteCases
from roclab.data.subjects import numbered
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.covariance import AreaCovariance, influence_of_cases
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.delong import DelongParts, delong_parts
from roclab.inference.one_area.design_effect import effective_parts
from roclab.inference.welch import EstimatedVariance, corrected_area_variance, stratum_of

__all__ = ["areas_of_effective_size", "cluster_sums", "covariance_of_clusters", "subject_numbers"]


def covariance_of_clusters(cases: Cases, area: Area) -> AreaCovariance:
    """Covariance of the areas of all scores when cases with the same id belong together, O(k n log n)."""
    if isinstance(cases, RemoteCases) and cases.has_subjects:
        counted: AreaCovariance = cases.covariance(area, clustered=True)
        return counted
    if cases.ids is None:
        raise InputError("", "clustered data need the subject of every case", Words("none"), f"give {named('ids')}")
    if cases.weights == "importance":
        raise InputError(
            "", "clustered data with importance weights have no variance formula here", way_out="use whole weights"
        )
    subject, subjects = subject_numbers(cases)
    weight = _weights(cases)
    n_pos, n_neg = float(weight[cases.label].sum()), float(weight[~cases.label].sum())
    areas: list[float] = []
    sums = []
    naive: list[DelongParts] = []
    widths = []
    for name in cases.names:
        tally, value, influence = influence_of_cases(cases, name, area)
        widths.append(area.correction_widths(tally))
        areas.append(value)
        sums.append(cluster_sums(cases, influence))
        if area.of_auc:
            naive.append(delong_parts(tally, area.auc_of(value)))
    u, v = np.column_stack([one for one, _ in sums]), np.column_stack([two for _, two in sums])
    with_pos = np.unique(subject[cases.label]).size
    with_neg = np.unique(subject[~cases.label]).size
    if min(with_pos, with_neg) < 2:
        raise InputError(
            "",
            "the clustered variance needs two subjects of each class",
            Words(f"{plural(with_pos, 'subject')} with positives and {with_neg} with negatives"),
            "collect more subjects",
        )
    s10 = with_pos / ((with_pos - 1) * n_pos) * _sum_of_products(u, u)
    s01 = with_neg / ((with_neg - 1) * n_neg) * _sum_of_products(v, v)
    s11 = subjects / (subjects - 1) * _sum_of_products(u, v)
    matrix = s10 / n_pos + s01 / n_neg + (s11 + s11.T) / (n_pos * n_neg)
    width, held = area.bounds[1] - area.bounds[0], (with_pos, with_neg)
    sides = [one * np.sqrt(k / (k - 1)) / n for one, k, n in zip((u, v), held, (n_pos, n_neg), strict=True)]
    strata = tuple(
        stratum_of(list(one.T), k, width=width, share=share)
        for one, k, share in zip(sides, held, area.shares, strict=True)
    )
    return AreaCovariance(
        names=tuple(cases.names),
        areas=np.array(areas),
        matrix=matrix,
        area=area,
        samples=tuple(cases.sample(name) for name in cases.names),
        pairing="paired",
        method=f"Obuchowski 1997, {subjects} clusters",
        strata=strata,
        units=subjects,
        parts=areas_of_effective_size(area, matrix, naive, held) if area.of_auc else None,
        variances=None if area.of_auc else _careful(area, matrix, sides, held, widths, subjects),
    )


def areas_of_effective_size(
    area: Area, matrix: Floats, naive: Sequence[DelongParts], held: tuple[float, float]
) -> tuple[DelongParts, ...]:
    """What the score interval of every single AUC rests on: its parts with the sizes that the subjects are worth."""
    scale = (area.bounds[1] - area.bounds[0]) ** 2  # of Gini twice the AUC
    return tuple(effective_parts(one, float(matrix[at, at]) / scale, held) for at, one in enumerate(naive))


def _careful(
    area: Area,
    matrix: Floats,
    sides: Sequence[Floats],
    held: tuple[float, float],
    widths: Sequence[tuple[float, float]],
    subjects: int,
) -> tuple[EstimatedVariance, ...]:
    """Variance of every single area with the correction that other areas have, and at most K - 1 degrees of freedom."""
    out = []
    for at in range(len(matrix)):
        classes = [(side[:, at], None) for side in sides]
        own = corrected_area_variance(classes, held, widths=widths[at], shares=area.shares)
        shared = float(matrix[at, at]) - sum(float(np.sum(one**2)) for one, _ in classes)  # of both classes
        out.append(EstimatedVariance(max(own.variance + shared, 0.0), min(own.df, subjects - 1)))
    return tuple(out)


def cluster_sums(cases: Cases, influence: Floats) -> tuple[Floats, Floats]:
    """Sum over each subject's positives, and over its negatives, of the influence centred within the class."""
    subject, subjects = subject_numbers(cases)
    weight = _weights(cases)
    out = []
    for side in (cases.label, ~cases.label):
        mean = np.sum(weight[side] * influence[side]) / weight[side].sum()
        centred = weight[side] * (influence[side] - mean)
        out.append(np.bincount(subject[side], weights=centred, minlength=subjects).astype(np.float64))
    return out[0], out[1]


def subject_numbers(cases: Cases) -> tuple[Ints, int]:
    """Number of every case's subject, and how many subjects there are."""
    assert cases.ids is not None
    names, number = numbered(cases.ids)
    return number, int(names.size)


def _weights(cases: Cases) -> Floats:
    return np.ones(len(cases)) if cases.weight is None else cases.weight.astype(np.float64)


def _sum_of_products(one: Floats, two: Floats) -> Floats:
    total: Floats = np.sum(one[:, :, None] * two[:, None, :], axis=0)
    return total
