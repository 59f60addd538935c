r"""Dorfman, Berbaum and Metz: a three-way analysis of variance of jackknife pseudovalues.

The pseudovalue of case k in modality i and reader j is :math:`Y_{ijk} = n A_{ij} - (n - 1) A_{ij(k)}`, shifted so that
its mean is the area. With modalities fixed and readers and cases random

.. math:: F = \frac{MS(T)}{MS(TR) + \max(MS(TC) - MS(TRC), 0)}, \qquad
          \nu = \frac{[\cdot]^2}{MS(TR)^2 / ((t - 1)(r - 1))},

which is Obuchowski and Rockette's F with jackknife covariances, number by number [1]_: dividing by n turns these mean
squares into those of the areas, and :math:`MS(TC) - MS(TRC)` into :math:`r (\mathrm{Cov}_2 - \mathrm{Cov}_3)`.

References
----------
.. [1] Hillis SL, Obuchowski NA, Schartz KM, Berbaum KS. A comparison of the Dorfman-Berbaum-Metz and
   Obuchowski-Rockette methods for ROC data. Stat Med 2005;24:1579-1607. doi:10.1002/sim.2024
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from roclab._core.types import Floats
from roclab.inference.one_area.area import Area
from roclab.options.uncertainty import Resampling
from roclab.reading_studies.covariance import left_out
from roclab.reading_studies.readings import Readings

__all__ = ["PseudovalueTable", "pseudovalue_table", "pseudovalues"]

_AXES = {"modality": 0, "reader": 1, "case": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class PseudovalueTable:
    """Mean squares of the pseudovalues by source, with their degrees of freedom."""

    mean_squares: dict[str, float]
    df: dict[str, float]
    cases: int


def pseudovalues(readings: Readings, area: Area, values: Floats, drawn: Resampling | None = None) -> Floats:
    """Normalised pseudovalues, modalities x readers x cases (or subjects) that the area rests on."""
    rows = left_out(readings, area, values, drawn)
    rows = rows[:, ~np.isnan(rows).all(axis=0)]  # negatives have no pseudovalue of a sensitivity
    n = rows.shape[1]
    raw = n * values[:, None] - (n - 1) * rows
    normalised: Floats = raw + (values - raw.mean(axis=1))[:, None]
    return normalised.reshape(len(readings.modalities), len(readings.readers), n)


def pseudovalue_table(pseudo: Floats) -> PseudovalueTable:
    """Three-way analysis of variance with one value in each place, O(t r n)."""
    sizes = pseudo.shape
    squares: dict[str, float] = {}
    df: dict[str, float] = {}
    for order in (1, 2, 3):
        for names in combinations(_AXES, order):
            axes = [_AXES[name] for name in names]
            effect = _effect(pseudo, axes)
            free = float(np.prod([sizes[axis] - 1 for axis in axes]))
            others = float(np.prod([size for axis, size in enumerate(sizes) if axis not in axes]))
            source = " x ".join(names)
            df[source] = free
            squares[source] = others * float(np.sum(effect**2)) / free if free else np.nan
    return PseudovalueTable(mean_squares=squares, df=df, cases=sizes[2])


def _effect(pseudo: Floats, axes: list[int]) -> Floats:
    """Means over the other axes, less all effects of lower order."""
    out: Floats = pseudo.mean(axis=tuple(axis for axis in range(3) if axis not in axes), keepdims=True)
    for axis in axes:
        out = out - out.mean(axis=axis, keepdims=True)
    return out
