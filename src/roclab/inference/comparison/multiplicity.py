"""Adjusting p-values when several comparisons are made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Floats, Ints
from roclab.names import ADJUSTMENTS, Adjustment

__all__ = ["ADJUSTMENTS", "Adjustment", "adjusted"]


def adjusted(p_values: Sequence[float], how: Adjustment) -> list[float]:
    """Adjusted p-values, in the order given; undefined ones stay undefined and do not count as comparisons.

    "bonferroni" multiplies by the number m of comparisons; "holm" by m, m - 1, … from the smallest p upwards, which
    also controls the chance of any false claim and is never weaker; "fdr" is the false discovery rate of Benjamini
    and Hochberg. O(m log m).

    >>> [round(p, 3) for p in adjusted([0.01, 0.04, 0.03], "holm")]
    [0.03, 0.06, 0.06]
    >>> [round(p, 3) for p in adjusted([0.01, 0.04, 0.03], "fdr")]
    [0.03, 0.04, 0.04]
    """
    check_choice(how, "adjust", ADJUSTMENTS)
    given = np.asarray(p_values, dtype=np.float64)
    known = ~np.isnan(given)
    p = given[known]
    m = p.size
    if how == "none" or m == 0:
        return list(p_values)
    order = np.argsort(p)
    rank = np.arange(m)
    if how == "bonferroni":
        fixed = p * m
    elif how == "holm":
        fixed = _placed(np.maximum.accumulate(p[order] * (m - rank)), order)
    else:
        rising = (p[order] * m / (rank + 1))[::-1]
        fixed = _placed(np.minimum.accumulate(rising)[::-1], order)
    out = list(p_values)
    for at, value in zip(np.flatnonzero(known), np.minimum(fixed, 1.0), strict=True):
        out[at] = float(value)
    return out


def _placed(values: Floats, order: Ints) -> Floats:
    out = np.empty_like(values)
    out[order] = values
    return out
