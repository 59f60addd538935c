"""The classifier between two classifiers: a coin decides which of them to ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_fraction
from roclab._core.text import text_table
from roclab._core.types import Bools
from roclab.errors import InputError, Words, named
from roclab.options.verb import public
from roclab.results import Result

__all__ = ["CoinFlip", "Point", "interpolate"]

Point = tuple[float, float]  # (fpr, tpr)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoinFlip(Result):
    """Use ``second`` with probability ``share``, else ``first``: any point on the line between both is reached."""

    first: Point
    second: Point
    share: float
    fpr: float
    tpr: float

    def call(self, first: Bools, second: Bools, rng: Any = None) -> Bools:
        """Calls of the interpolated classifier from those of the two; ``rng`` flips the coins."""
        flips = np.random.default_rng(rng).random(len(first)) <= self.share
        return np.where(flips, second, first).astype(np.bool_)

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [{"fpr": self.fpr, "tpr": self.tpr, "share of second": self.share}]

    def __str__(self) -> str:
        first, second = (f"({fpr:g}, {tpr:g})" for fpr, tpr in (self.first, self.second))
        asked = f"ask the second classifier {second} with probability {self.share:.4f}, else the first {first}"
        return f"{text_table(self.rows())}\n\n{asked}"


def check_point(point: Any, name: str) -> Point:
    """A pair (fpr, tpr) of rates."""
    try:
        fpr, tpr = (float(value) for value in point)
    except (TypeError, ValueError):
        raise InputError(name, "must be a pair (fpr, tpr)", point, f"write {named(name, (0.1, 0.7))}") from None
    check_fraction(fpr, f"fpr of {name}", way_out="rates are fractions, write 0.1 for 10%")
    check_fraction(tpr, f"tpr of {name}", way_out="rates are fractions, write 0.7 for 70%")
    return fpr, tpr


@public()
def interpolate(first: Point, second: Point, *, fpr: float) -> CoinFlip:
    r"""The classifier with a given false positive rate between two others [1]_.

    .. math:: k = \frac{f - f_1}{f_2 - f_1}

    is the probability with which the second is asked.

    References
    ----------
    .. [1] Provost F, Fawcett T. Robust classification for imprecise environments. Machine Learning 2001;42:203-231,
       section 3.

    Examples
    --------
    >>> between = interpolate((0.1, 0.5), (0.4, 0.8), fpr=0.3)
    >>> round(between.share, 4), round(between.tpr, 4)
    (0.6667, 0.7)
    """
    a, b = check_point(first, "first"), check_point(second, "second")
    if a[0] == b[0]:
        raise InputError(
            "", "two classifiers with the same false positive rate have none between them", Words(f"{a[0]:g} for both")
        )
    low, high = sorted((a[0], b[0]))
    if not low <= fpr <= high:
        raise InputError(
            "fpr",
            f"must lie between those of the two classifiers, {low:g} and {high:g}",
            fpr,
            "choose other classifiers for it",
        )
    share = (fpr - a[0]) / (b[0] - a[0])
    return CoinFlip(first=a, second=b, share=share, fpr=float(fpr), tpr=a[1] + share * (b[1] - a[1]))
