r"""Ratio of the likelihood ratios of two tests on the same cases: two independent paired ratios, one of each class.

.. math:: \ln rLR_+ = \ln\frac{Se_1}{Se_2} - \ln\frac{FPR_1}{FPR_2}, \qquad
          \ln rLR_- = \ln\frac{FNR_1}{FNR_2} - \ln\frac{Sp_1}{Sp_2}

The classes are independent, so the limits are those of a difference of two logarithms (MOVER) with Tang's score limits
of each paired ratio, a combination of this package's own that covers .942 or more where the log interval falls to .918.
The delta error of the logarithm equals that of Gu and Pepe's regression.

References
----------
Gu W, Pepe MS. Estimating the capacity for improvement in risk prediction with a marker. Biostatistics 2009;10:172-186.
"""

from __future__ import annotations

import math

from roclab._core.undefined import Undefined
from roclab.inference.rates.mover import mover_difference
from roclab.inference.rates.paired import Pair, tang_limits
from roclab.inference.rates.predictive import PairedTables

__all__ = ["likelihood_ratios_compared"]


def likelihood_ratios_compared(
    tables: PairedTables, z: float, *, positive: bool = True, effects: Pair = (1.0, 1.0), log_wald: bool = False
) -> tuple[float, Pair, float]:
    """Ratio of LR+ (or LR-) first over second, its limits, and the delta error of its logarithm.

    ``effects`` are the design effects of the two classes. Undefined where a rate in it is 0.

    >>> from roclab.inference.rates.paired import PairedCounts
    >>> tables = PairedTables(PairedCounts(319, 78, 22, 32), PairedCounts(31, 53, 22, 155))
    >>> ratio, (low, high), _ = likelihood_ratios_compared(tables, 1.959964)
    >>> round(ratio, 5), round(low, 5), round(high, 5)
    (0.73457, 0.56305, 0.95013)
    """
    ill, well = tables
    upper, lower = (ill, well) if positive else (ill.exchanged(), well.exchanged())
    parts = []
    for counts, effect in zip((upper, lower), effects, strict=True):
        one, two = counts.both + counts.first, counts.both + counts.second
        if one <= 0 or two <= 0:
            why = Undefined("a rate in it is 0, so that a likelihood ratio is 0, infinite or 0/0")
            return why, (why, why), why
        variance = (counts.first + counts.second) / (one * two) * effect
        parts.append((math.log(one / two), counts.divided(effect), variance))
    (top, of_top, spread), (bottom, of_bottom, more) = parts
    error = math.sqrt(spread + more)
    log = top - bottom
    if log_wald:
        return math.exp(log), (math.exp(log - z * error), math.exp(log + z * error)), error
    ends = [tuple(map(math.log, tang_limits(counts, z))) for counts in (of_top, of_bottom)]
    low, high = mover_difference(top, ends[0], bottom, ends[1])  # type: ignore[arg-type]
    return math.exp(log), (math.exp(low), math.exp(high)), error
