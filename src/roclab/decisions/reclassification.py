r"""Net reclassification and integrated discrimination improvement: what they are, and what they cannot tell.

With the share of positives whose risk moves up less those that move down, and of negatives the reverse,

.. math:: NRI = (u_+ - d_+) + (d_- - u_-), \qquad
          IDI = (\bar p_+ - \bar q_+) - (\bar p_- - \bar q_-)

of new risks p and old ones q; a move is one into another category, or any change (continuous). Standard errors are
Pencina's: of an NRI :math:`\sqrt{(u + d - (u - d)^2)/n}` in either class, of the IDI those of the mean differences.

A useless marker, refitted and judged on the same 100 to 1000 cases, has a continuous NRI of +.157 to +.042 on average,
and its one-sided 2.5% test rejects in 7 to 8%; differences of AUC and of net benefit do not reward it so.

References
----------
Pencina MJ et al. Stat Med 2008;27:157; 2011;30:11. Pepe MS et al. Stat Biosci 2015;7:282. Hilden J, Gerds TA.
Stat Med 2014;33:3405.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.text import text_table
from roclab._core.types import Bools, Floats
from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words
from roclab.inference.one_area.intervals import deviate
from roclab.inference.p_values import p_of_z
from roclab.results import Interval, Result

__all__ = ["WARNING", "Improvement", "Reclassification", "reclassified"]

WARNING = (
    "NRI and IDI reward useless markers that were fitted to the same cases, and badly calibrated risks: judge by the "
    "differences of AUC (compare) and of net benefit (probabilities=)."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvement(Result):
    """One measure of reclassification with Pencina's standard error."""

    quantity: str
    value: float
    standard_error: float
    interval: Interval
    statistic: float
    p_value: float

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        percent = f"{100 * self.interval.level:g}%"
        return [
            {
                "quantity": self.quantity,
                "value": self.value,
                "std. error": self.standard_error,
                f"{percent} low": self.interval.low,
                f"{percent} high": self.interval.high,
                "z": self.statistic,
                "p": self.p_value,
            }
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reclassification(Result):
    """The improvements of one prediction over another, and the warning that belongs to them."""

    new: str
    old: str
    bounds: tuple[float, ...]  # of the categories
    measures: tuple[Improvement, ...]
    notes: tuple[str, ...] = (WARNING,)

    def __getitem__(self, quantity: str) -> Improvement:
        for one in self.measures:
            if one.quantity == quantity:
                return one
        raise InputError("quantity", f"must be one of {', '.join(repr(one.quantity) for one in self.measures)}",
                         quantity)  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        """One row per measure."""
        return [{"new": self.new, "old": self.old, **row} for one in self.measures for row in one.rows()]

    def __str__(self) -> str:
        return "\n".join([text_table(self.rows()), *self.notes])


def reclassified(
    label: Bools, new: tuple[str, Floats], old: tuple[str, Floats], bounds: Sequence[float], level: float = 0.95
) -> Reclassification:
    """NRI by categories and continuous, whole and by class, and IDI; O(n).

    >>> label = np.array([True, True, False, False])
    >>> new, old = np.array([0.9, 0.4, 0.1, 0.3]), np.array([0.6, 0.5, 0.4, 0.3])
    >>> found = reclassified(label, ("new", new), ("old", old), [])
    >>> found["continuous NRI"].value, round(found["IDI"].value, 4)
    (0.5, 0.25)
    """
    cuts = np.asarray(bounds, dtype=np.float64)
    if cuts.ndim != 1 or not np.all((cuts > 0) & (cuts < 1)) or np.any(np.diff(cuts) <= 0):
        raise InputError("reclassification", "must be rising bounds between 0 and 1", Words(f"{list(bounds)}"),
                         "write [0.1, 0.3]")  # fmt: skip
    p, q = new[1], old[1]
    z = deviate(level)
    measures: list[Improvement] = []
    if cuts.size:
        moves = np.sign(np.searchsorted(cuts, p, side="right") - np.searchsorted(cuts, q, side="right"))
        measures += _nri("category", moves, label, z, level)
    measures += _nri("continuous", np.sign(p - q), label, z, level)
    apart = p - q
    parts = [apart[side] for side in (label, ~label)]
    value = float(parts[0].mean() - parts[1].mean())
    error = math.sqrt(sum(float(one.var(ddof=1)) / one.size if one.size > 1 else math.nan for one in parts))
    measures.append(_improvement("IDI", value, error, z, level))
    return Reclassification(new=new[0], old=old[0], bounds=tuple(cuts.tolist()), measures=tuple(measures))


def _nri(kind: str, moves: Floats, label: Bools, z: float, level: float) -> list[Improvement]:
    found = []
    for side, sign in ((label, 1.0), (~label, -1.0)):
        up, down = float(np.mean(moves[side] > 0)), float(np.mean(moves[side] < 0))
        found.append((sign * (up - down), math.sqrt(max(up + down - (up - down) ** 2, 0.0) / side.sum())))
    (of_pos, one), (of_neg, two) = found
    return [
        _improvement(f"{kind} NRI", of_pos + of_neg, math.hypot(one, two), z, level),
        _improvement(f"{kind} NRI of positives", of_pos, one, z, level),
        _improvement(f"{kind} NRI of negatives", of_neg, two, z, level),
    ]


def _improvement(quantity: str, value: float, error: float, z: float, level: float) -> Improvement:
    if not error > 0:
        why = Undefined("nothing moved, or a class has one case")
        nothing = Interval(low=why, high=why, level=level, method="none")
        return Improvement(quantity=quantity, value=value, standard_error=0.0 if error == 0 else why, interval=nothing,
                           statistic=why, p_value=why)  # fmt: skip
    limits = Interval(low=value - z * error, high=value + z * error, level=level, method="Wald, Pencina's error")
    return Improvement(quantity=quantity, value=value, standard_error=error, interval=limits, statistic=value / error,
                       p_value=p_of_z(value / error))  # fmt: skip
