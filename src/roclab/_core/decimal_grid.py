"""Scores with few decimals as whole numbers: 0.8713 is step 8713 of a grid of 1/10000.

Models and laboratories round, so that a million scores often take some thousand values. Such scores need no sort: their
steps are counted. A score belongs to the grid of :math:`d` decimals if it is the double nearest to :math:`k / 10^d` for
a whole number k, which is what rounding to d decimals, and reading d decimals from a file, makes of it. Division rounds
correctly, so the test ``k / 10**d == score`` is exact: nothing is rounded here, and near-ties stay apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.types import Array, Floats, Ints

__all__ = ["DecimalGrid", "decimal_grid"]

_FROM = 1 << 11  # below this a sort takes no time
_MOST_DECIMALS = 6
_CROWDED = 4  # scores to a place, from which on counting beats sorting
_LOOKED_AT = 64  # scores that say which grid may be the one
_STRIDE = 0x9E3779B1
_EXACT = 2.0**53


class DecimalGrid(NamedTuple):
    """Where every score stands on the grid, counted from the highest score down."""

    place: Ints
    top: float  # the step of the highest score
    size: int  # places there are, with scores or without
    power: float

    def scores(self, place: Ints) -> Floats:
        """The scores at some places."""
        found = np.asarray((self.top - place) / self.power, np.float64)
        found += 0.0  # -0.0 and 0.0 are one score
        return found


def decimal_grid(score: Array) -> DecimalGrid | None:
    """The grid that all scores lie on; None if there is none with several scores to a place. O(n).

    >>> grid = decimal_grid(np.tile([0.25, 0.5, 0.125], 1000))
    >>> grid.place[:3].tolist(), grid.scores(np.array([0, 375])).tolist()
    ([250, 0, 375], [0.5, 0.125])
    """
    if score.dtype != np.float64 or score.size < _FROM:
        return None
    looked_at = score[np.arange(_LOOKED_AT) * _STRIDE % score.size]  # all over: data may repeat with any period
    powers = (10.0**decimals for decimals in range(_MOST_DECIMALS + 1))
    power = next((one for one in powers if _lies_on(looked_at, one)), None)
    if power is None:
        return None
    low, high = (float(np.rint(end * power)) for end in (score.min(), score.max()))
    if not (low >= -_EXACT and high <= _EXACT and high - low < score.size / _CROWDED):
        return None
    place = np.empty(score.size, np.int64)
    for part in blocks(score.size):
        step = np.rint(score[part] * power)
        if not (step / power == score[part]).all():
            return None
        np.subtract(high, step, out=place[part], casting="unsafe")
    return DecimalGrid(place, high, int(high - low) + 1, power)


def _lies_on(score: Array, power: float) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):  # infinities lie on no grid
        step = np.rint(score * power)
        return bool((np.abs(step) <= _EXACT).all() and (step / power == score).all())
