r"""Net benefit at a threshold probability, and its difference between two rules on the same cases.

With odds :math:`w = p/(1 - p)` the net benefit is TP/N - w FP/N. Its limits, and those of a difference, put together
Wilson's or Tango's limits of the two parts (MOVER), a combination of this package's own: it covers .938 or more in
designs where the mean of the cases with a normal deviate, the usual interval, falls to .51.

References
----------
Vickers AJ, Elkin EB. Decision curve analysis: a novel method for evaluating prediction models.
Med Decis Making 2006;26:565-574.
"""

from __future__ import annotations

import math

from roclab.inference.rates.mover import mover_difference, wilson
from roclab.inference.rates.paired import Pair, PairedCounts, tango_limits
from roclab.inference.rates.predictive import PairedTables

__all__ = ["net_benefit_difference", "net_benefit_limits"]


def net_benefit_limits(tp: float, fp: float, n: float, odds: float, z: float, *, effect: float = 1.0) -> Pair:
    r"""Limits of one net benefit; TP and FP are cells of one multinomial, :math:`r = -\sqrt{AB/((1-A)(1-B))}`.

    >>> [round(end, 4) for end in net_benefit_limits(20, 55, 80, 0.05 / 0.95, 1.959964)]
    [0.1277, 0.3236]
    """
    a, b = tp / n, fp / n
    r = -math.sqrt(a * b / ((1 - a) * (1 - b))) if a < 1 and b < 1 else -1.0 if a * b > 0 else 0.0
    (low, high), (least, most) = wilson(a, n / effect, z), wilson(b, n / effect, z)
    return mover_difference(a, (low, high), odds * b, (odds * least, odds * most), max(r, -1.0))


def net_benefit_difference(
    tables: PairedTables, odds: float, z: float, *, effects: Pair = (1.0, 1.0)
) -> tuple[float, Pair]:
    """First minus second, and its limits: Tango's of the discordant positives and negatives, each among all cases.

    >>> tables = PairedTables(PairedCounts(319, 78, 22, 32), PairedCounts(31, 53, 22, 155))
    >>> found, (low, high) = net_benefit_difference(tables, 0.25, 1.959964)
    >>> round(found, 5), round(low, 5), round(high, 5)
    (0.06777, 0.04073, 0.09646)
    """
    n = tables.diseased.n + tables.healthy.n
    parts = []
    for counts, effect in zip(tables, effects, strict=True):
        among = PairedCounts(0.0, counts.first, counts.second, n - counts.first - counts.second)
        parts.append((among.difference, tango_limits(among.divided(effect), z)))
    (a, of_a), (b, of_b) = parts
    limits = mover_difference(a, of_a, odds * b, (odds * of_b[0], odds * of_b[1]))
    return a - odds * b, limits
