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

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Floats, Ints
from roclab.data.cases import Cases
from roclab.data.remote import RemoteCases
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.covariance import AreaCovariance, influence_of_cases
from roclab.inference.one_area.area import Area
from roclab.inference.welch import stratum_of

__all__ = ["cluster_sums", "covariance_of_clusters"]


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
    subject, subjects = _subjects(cases)
    weight = _weights(cases)
    n_pos, n_neg = float(weight[cases.label].sum()), float(weight[~cases.label].sum())
    areas: list[float] = []
    sums = []
    for name in cases.names:
        _, value, influence = influence_of_cases(cases, name, area)
        areas.append(value)
        sums.append(cluster_sums(cases, influence))
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
    width = area.bounds[1] - area.bounds[0]
    strata = tuple(
        stratum_of([column * np.sqrt(held / (held - 1)) / n for column in sums.T], held, width=width, share=share)
        for sums, held, n, share in zip((u, v), (with_pos, with_neg), (n_pos, n_neg), area.shares, strict=True)
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
    )


def cluster_sums(cases: Cases, influence: Floats) -> tuple[Floats, Floats]:
    """Sum over each subject's positives, and over its negatives, of the influence centred within the class."""
    subject, subjects = _subjects(cases)
    weight = _weights(cases)
    out = []
    for side in (cases.label, ~cases.label):
        mean = np.sum(weight[side] * influence[side]) / weight[side].sum()
        centred = weight[side] * (influence[side] - mean)
        out.append(np.bincount(subject[side], weights=centred, minlength=subjects).astype(np.float64))
    return out[0], out[1]


def _subjects(cases: Cases) -> tuple[Ints, int]:
    """Number of every case's subject, and how many subjects there are."""
    ids = np.asarray(cases.ids)
    # Numbers are their own names; sorting them as text takes ten times as long.
    _, subject = np.unique(ids if ids.dtype.kind in "iu" else ids.astype(str), return_inverse=True)
    return subject, int(subject.max()) + 1


def _weights(cases: Cases) -> Floats:
    return np.ones(len(cases)) if cases.weight is None else cases.weight.astype(np.float64)


def _sum_of_products(one: Floats, two: Floats) -> Floats:
    total: Floats = np.sum(one[:, :, None] * two[:, None, :], axis=0)
    return total
