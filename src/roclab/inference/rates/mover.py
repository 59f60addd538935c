r"""Limits of a difference from the limits of its two parts and their correlation (MOVER).

.. math:: \theta_1 - \theta_2 - \sqrt{(\theta_1 - l_1)^2 + (u_2 - \theta_2)^2 - 2 r (\theta_1 - l_1)(u_2 - \theta_2)}

and the upper limit with the other ends. Without correlation it is square-and-add.

References
----------
Zou GY, Donner A. Construction of confidence limits about effect measures: a general approach.
Stat Med 2008;27:1693-1702.
"""

from __future__ import annotations

import math

from roclab.inference.rates.paired import Pair

__all__ = ["mover_difference", "wilson"]


def mover_difference(one: float, of_one: Pair, two: float, of_two: Pair, correlation: float = 0.0) -> Pair:
    """Limits of ``one`` - ``two`` from the limits of each.

    >>> low, high = mover_difference(0.8, (0.7, 0.9), 0.5, (0.4, 0.6))
    >>> round(low, 4), round(high, 4)
    (0.1586, 0.4414)
    """
    found = one - two
    return (
        found - _joined(one - of_one[0], of_two[1] - two, correlation),
        found + _joined(of_one[1] - one, two - of_two[0], correlation),
    )


def _joined(mine: float, theirs: float, r: float) -> float:
    if math.isinf(mine) or math.isinf(theirs):
        return math.inf
    return math.sqrt(max(mine * mine + theirs * theirs - 2 * r * mine * theirs, 0.0))


def wilson(rate: float, n: float, z: float) -> Pair:
    """Wilson's limits of a proportion of ``n`` cases, which need not be whole, at a deviate.

    >>> [round(end, 4) for end in wilson(0.9, 50, 1.959964)]
    [0.7864, 0.9565]
    """
    square = z * z
    middle = (rate * n + square / 2) / (n + square)
    half = z / (n + square) * math.sqrt(max(n * rate * (1 - rate) + square / 4, 0.0))
    # The exact ends are 0 and 1 there, which rounding must not move.
    return 0.0 if rate <= 0 else max(middle - half, 0.0), 1.0 if rate >= 1 else min(middle + half, 1.0)
