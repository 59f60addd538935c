"""All pairwise differences of areas as a matrix."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from roclab.plots.matrix import draw_matrix
from roclab.plots.theme import NEW_AXES, themed_with
from roclab.plots.words import number

if TYPE_CHECKING:
    from roclab.inference.comparison.compare import Comparison

__all__ = ["draw_comparison"]


@themed_with(ratio=0.9)
def draw_comparison(comparison: Comparison, ax: Axes = NEW_AXES) -> Axes:
    """Each cell holds the area of its row minus that of its column and the adjusted p-value.

    The areas themselves stand on the diagonal. Purple is a row that is better, orange one that is worse; the sign says
    the same in a grey print.
    """
    names = [str(area.sample.score) for area in comparison.areas]
    size = len(names)
    values = np.zeros((size, size))
    text = {(at, at): f"{comparison.quantity}\n{number(float(one))}" for at, one in enumerate(comparison.areas)}
    for pair in comparison.pairs:
        first, second = names.index(pair.first), names.index(pair.second)
        p = "" if math.isnan(pair.p_adjusted) else f"\np {number(pair.p_adjusted)}"
        for row, column, sign in ((first, second, 1.0), (second, first, -1.0)):
            values[row, column] = sign * pair.difference
            text[row, column] = f"{_signed(values[row, column])}{p}"
    reach = float(np.abs(values).max()) or 1.0
    draw_matrix(ax, names, values, lambda row, column: text[row, column], low=-reach, high=reach, colours="PuOr")
    ax.set_ylabel(f"{comparison.quantity} of")
    ax.set_xlabel("minus that of")
    return ax


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{number(abs(value))}"
