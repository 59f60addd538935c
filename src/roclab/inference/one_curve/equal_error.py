r"""The equal error rate: where as many positives are missed as negatives are alarmed about.

The rate e is where the ROC curve crosses the line from the upper left to the lower right, :math:`R(e) = 1 - e`; its
interval is that of ``crossing``. On the convex hull the rate is never larger: it is what two thresholds, used by turns,
can reach.

References
----------
Brümmer N, de Villiers E. The BOSARIS toolkit: theory, algorithms and code for surviving the new DCF. arXiv:1304.2865.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_level
from roclab.curves.hull import hull_of_tally
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.inference.one_curve.crossing import FallingLine, crossing_of, place_of
from roclab.options.uncertainty import Resampling
from roclab.results import Interval, Result, Sample

__all__ = ["EqualErrorRate", "equal_error_rate"]

_EQUAL_ERRORS = FallingLine(fpr=(0.0, 1.0), tpr=(1.0, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualErrorRate(Result):
    """The rate at which both errors are equal, its interval, and the threshold nearest to it."""

    rate: float
    interval: Interval
    threshold: float  # the observed one whose two errors differ least
    fpr: float  # at this threshold
    fnr: float
    on_hull: float  # of the convex hull
    sample: Sample

    def __float__(self) -> float:
        return self.rate

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "equal error rate": self.rate,
                "low": self.interval.low,
                "high": self.interval.high,
                "level": self.interval.level,
                "on the hull": self.on_hull,
                "threshold": self.threshold,
                "fpr": self.fpr,
                "fnr": self.fnr,
            }
        ]

    def __str__(self) -> str:
        level = f"{100 * self.interval.level:g}%"
        lines = [
            f"equal error rate {self.rate:.4f} ({level} {self.interval}), on the convex hull {self.on_hull:.4f}",
            f"nearest threshold {self.threshold:.6g}: false positive rate {self.fpr:.4f}, miss rate {self.fnr:.4f}",
            f"{self.interval.method}; {self.sample.describe()}",
        ]
        return "\n".join(lines)


def equal_error_rate(
    tally: Tally,
    *,
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> EqualErrorRate:
    """The equal error rate of a score.

    With ``resampling`` or ``rng``, and for subjects with several cases, the interval takes percentiles.

    >>> found = equal_error_rate(Tally.from_samples(np.array([4.0, 3.0, 1.0]), np.array([2.0, 0.0, -1.0])))
    >>> round(found.rate, 4), found.threshold
    (0.3333, 2.0)
    """
    check_level(level)
    curve = roc_curve(tally)
    assert curve.thresholds is not None
    best = int(np.argmin(np.abs(curve.fpr[1:] - (1 - curve.tpr[1:])))) + 1
    crossing = crossing_of(curve, tally, _EQUAL_ERRORS, level=level, resampling=resampling, rng=rng)
    hull = hull_of_tally(tally, curve)
    return EqualErrorRate(
        rate=crossing.place,
        interval=Interval(low=crossing.low, high=crossing.high, level=level, method=crossing.method),
        threshold=float(curve.thresholds[best]),
        fpr=float(curve.fpr[best]),
        fnr=float(1 - curve.tpr[best]),
        on_hull=place_of(hull.fpr, hull.tpr, _EQUAL_ERRORS),
        sample=tally.sample,
    )
