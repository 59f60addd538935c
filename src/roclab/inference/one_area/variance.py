"""Variance of an area from the influence of its cases (DeLong's formula, for any area)."""

from __future__ import annotations

import math

import numpy as np

from roclab._core.types import Counts, Floats
from roclab._core.undefined import Undefined
from roclab.data.tally import Tally
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.influence import Influence
from roclab.inference.welch import EstimatedVariance, corrected_area_variance

__all__ = ["corrected_variance", "area_variance", "centred", "effective_sizes", "variance_parts"]


def area_variance(tally: Tally, influence: Influence) -> float:
    r"""Variance :math:`s^2(\varphi^+)/P + s^2(\varphi^-)/N`, O(n).

    Counts and frequency weights use the usual denominators P - 1 and N - 1. Importance weights w use the sandwich
    form :math:`\sum w^2 (\varphi - \bar\varphi)^2 / (\sum w)^2`, scaled by n/(n - 1) with the effective size
    :math:`n = (\sum w)^2 / \sum w^2`, so that equal weights give the unweighted variance. Undefined when a class
    has (effectively) one case.

    >>> from roclab.inference.one_area.influence import influence_of_auc
    >>> x, y = [0.89, 0.80, 0.80, 0.63, 0.33], [0.80, 0.33, 0.10, 0.10, 0.10]
    >>> tally = Tally.from_samples(np.array(x), np.array(y))
    >>> round(area_variance(tally, influence_of_auc(tally)), 10)
    0.0162
    """
    pos, neg = variance_parts(tally, influence)
    if math.isnan(pos) or math.isnan(neg):
        short = "positive" if math.isnan(pos) else "negative"
        return Undefined(f"there is only one {short} case, so its spread cannot be seen")
    return pos + neg


def variance_parts(tally: Tally, influence: Influence) -> tuple[float, float]:
    """What the positives and the negatives add to the variance; NaN where a class has (effectively) one case."""
    pos = _mean_variance(influence.pos, tally.pos, tally.pos_squares)
    neg = _mean_variance(influence.neg, tally.neg, tally.neg_squares)
    return (math.nan if pos is None else pos), (math.nan if neg is None else neg)


def corrected_variance(tally: Tally, area: Area) -> EstimatedVariance:
    """Variance, small-sample correction and degrees of freedom (see ``welch``) of the default interval, O(n)."""
    assert area.influence is not None
    sizes, influence = effective_sizes(tally), area.influence(tally)
    classes = []
    rows = ((influence.pos, tally.pos, tally.pos_squares), (influence.neg, tally.neg, tally.neg_squares))
    for (values, weight, squares), size in zip(rows, sizes, strict=True):
        held = weight > 0
        share = weight[held] / weight.sum()
        apart = centred(values[held], weight[held])
        spread = share / weight.sum() if squares is None else squares[held] / float(weight.sum()) ** 2
        column = apart * np.sqrt(spread * size / (size - 1)) if size > 1 else np.full(apart.size, math.nan)
        classes.append((column, weight[held].astype(np.float64) if squares is None else None))
    widths = area.correction_widths(tally)
    return corrected_area_variance(classes, sizes, widths=widths, shares=area.shares)


def _mean_variance(values: Floats, weight: Counts, squares: Floats | None) -> float | None:
    """Estimated variance of the weighted mean of the values; None for a single case."""
    total: float = weight.sum().item()
    effective: float = total if squares is None else total**2 / squares.sum().item()
    if effective <= 1:
        return None
    apart = centred(values, weight)
    np.square(apart, out=apart)
    spread = float(np.sum((weight if squares is None else squares) * apart))
    if squares is None:
        return spread / (total * (total - 1))
    return spread / total**2 * effective / (effective - 1)


def centred(values: Floats, weight: Counts) -> Floats:
    """Values less their weighted mean, exactly 0 where all that have weight are equal.

    A mean of products with real weights misses a constant by its last bit, and a perfect area would seem to have a
    standard error of 1e-17; differences from one of the values are 0 then.

    >>> centred(np.array([1.0, 1.0, 1.0]), np.array([0.1, 0.7, 0.3])).tolist()
    [0.0, 0.0, 0.0]
    """
    apart: Floats = values - values[np.argmax(weight > 0)]
    # Plain sums, not np.dot: BLAS may split a long product over threads and change the last digits.
    apart -= float(np.sum(weight * apart)) / weight.sum()
    return apart


def effective_sizes(tally: Tally) -> tuple[float, float]:
    """Effective numbers of positives and negatives: the counts, or (sum w)² / sum w² for importance weights."""
    if tally.pos_squares is None or tally.neg_squares is None:
        return tally.n_pos, tally.n_neg
    return (
        tally.n_pos**2 / float(tally.pos_squares.sum()),
        tally.n_neg**2 / float(tally.neg_squares.sum()),
    )
