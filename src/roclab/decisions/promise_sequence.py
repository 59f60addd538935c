"""The grid of thresholds along which predictive values are tested, from few calls to many."""

from __future__ import annotations

import numpy as np

from roclab._core.types import Floats, Ints
from roclab.data.tally import Tally
from roclab.decisions.coordinates import Coordinates

__all__ = ["grid_of", "thresholds_shown"]

_POINTS = np.arange(1, 100) / 100


def _thresholds(tally: Tally) -> tuple[Floats, bool]:
    """Oriented thresholds of the grid, descending, and whether they were known beforehand."""
    low, high = float(tally.score[-1]), float(tally.score[0])
    if tally.sample.direction == "higher" and low >= 0 and high <= 1 and high > low:
        return _POINTS[::-1].copy(), True
    cases = np.cumsum(np.asarray(tally.pos, dtype=np.float64) + np.asarray(tally.neg, dtype=np.float64))
    at = np.searchsorted(cases, _POINTS * cases[-1], side="left")
    return np.unique(tally.score[np.minimum(at, tally.score.size - 1)])[::-1], False


def grid_of(tally: Tally) -> tuple[Ints, str]:
    """Rows of the table of coordinates that the grid leads to, from few calls to many, and what to say of it."""
    thresholds, fixed = _thresholds(tally)
    rows = np.unique(np.searchsorted(-tally.score, -thresholds, side="right"))
    if fixed:
        return rows, "Predictive values are tested at thresholds .01 to .99, from few calls to many."
    return rows, "Predictive values are tested at 99 quantiles of the scores, found without their classes."


def thresholds_shown(tally: Tally, table: Coordinates, rows: Ints, *, low: bool) -> dict[int, float]:
    """The threshold of the grid that stands for each row, in the user's units: the highest, or the lowest."""
    thresholds, _ = _thresholds(tally)
    at = np.searchsorted(-tally.score, -thresholds, side="right")
    shown: dict[int, float] = {}
    for row, value in zip(at.tolist(), tally.shown(thresholds).tolist(), strict=True):
        if row not in shown or low:
            shown[row] = float(value)
    return {row: shown[row] for row in rows.tolist() if row < len(table)}
