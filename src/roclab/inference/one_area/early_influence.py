r"""Influence of single cases on BEDROC, for fixed class sizes.

A case that is called moves all later ones one place down. With :math:`x_g` the share of all cases up to a group g,
:math:`h_g` the mean weight of its places and :math:`a_g` its share of the positives, the sum :math:`\sum_g a_g h_g` has
the derivative :math:`h_j + \pi D_j` by the share of the positives at score j and :math:`(1 - \pi) D_j` by that of the
negatives, with π = P / (P + N) and

.. math:: D_j = a_j \frac{\partial h_j}{\partial x_j} - \alpha \sum_{g > j} a_g h_g .

BEDROC is a linear function of that sum as long as the class sizes stay.
"""

from __future__ import annotations

import math

import numpy as np

from roclab.areas.early_recognition import bedroc_range, check_alpha, mean_weights
from roclab.data.tally import Tally
from roclab.inference.one_area.influence import Influence, InfluenceOf

__all__ = ["influence_of_bedroc"]

_NARROW = 1e-4  # a group whose weights differ less takes the first terms of a series, which loses no digits


def influence_of_bedroc(alpha: float) -> InfluenceOf:
    """Influence on BEDROC with this weight of the first places, O(n)."""
    alpha = check_alpha(alpha)

    def influence(tally: Tally) -> Influence:
        total = tally.n_pos + tally.n_neg
        size = (tally.pos + tally.neg) / total
        weight = mean_weights(tally, alpha)
        end = np.exp(-alpha * np.cumsum(size))
        width = alpha * size
        narrow = width < _NARROW
        start = np.exp(-alpha * (np.cumsum(size) - size))
        by_end = np.where(
            narrow,
            -alpha * start * (0.5 - width / 3 + width**2 / 8),
            np.divide(end - weight, size, out=np.zeros_like(size), where=~narrow),
        )
        share = tally.pos / tally.n_pos
        later = np.cumsum((share * weight)[::-1])[::-1] - share * weight
        moved = share * by_end - alpha * later
        prevalence = tally.n_pos / total
        low, high = bedroc_range(tally, alpha)
        factor = alpha / -math.expm1(-alpha) / (high - low)
        return Influence(factor * (weight + prevalence * moved), factor * (1 - prevalence) * moved)

    return influence
