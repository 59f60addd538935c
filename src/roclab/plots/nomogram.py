"""A logistic model as a nomogram: scales of features, points, and the probability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from roclab._core.svg import nice_ticks
from roclab.plots.theme import GREY, INK, NEW_AXES, plain_text, text_size, themed_with, width_in_points

if TYPE_CHECKING:
    from roclab.benching.nomogram import Nomogram, NomogramScale

__all__ = ["draw_nomogram"]

_SHARES = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999)


@themed_with(ratio=0.7)
def draw_nomogram(found: Nomogram, ax: Axes = NEW_AXES, *, most: int = 12) -> Axes:
    """Read the points of each value on the first scale, add them up, and read the probability below the sum.

    Parameters
    ----------
    found : Nomogram
        From ``bench.inside("logistic")``.
    most : int
        Features that are drawn, those with the widest scales.
    """
    scales = found.scales[:most]
    size = text_size(ax)
    letter = 0.5 * size * 1.2 / width_in_points(ax)  # on the scale
    rows = [("Points", [(point, f"{point:g}") for point in nice_ticks(0, 100, 10)], 100.0)]
    for one in scales:
        rows.append((one.feature, _marks(one), 100.0))
    total = found.most
    rows.append(("Sum of points", [(point, f"{point:g}") for point in nice_ticks(0, total, 8)], total))
    reached = [(found.points_of(share), f"{100 * share:g}%") for share in _SHARES]
    rows.append((f"Probability of {found.positive}", [one for one in reached if 0 <= one[0] <= total], total))
    for place, (name, marks, whole) in enumerate(rows):
        _scale(ax, -float(place), plain_text(name), marks, whole, (size, letter))
    left_out = len(found.scales) - len(scales)
    if left_out:
        ax.text(0.0, -len(rows) + 0.1, f"{left_out} more features move it less", fontsize=size, color=GREY)
    ax.set_xlim(-0.45, 1.04)
    ax.set_ylim(-len(rows) + 0.2, 0.7)
    ax.set_xticks([0, 1], labels=["", ""])
    ax.set_yticks([0, -1], labels=["", ""])
    ax.axis("off")
    return ax


def _marks(one: NomogramScale) -> list[tuple[float, str]]:
    """Values of a feature where they lie: no and yes of a word, few round ones on a short scale."""
    if " is " in one.feature and (one.low, one.high) == (0.0, 1.0):
        return [(one.points_low, "no"), (one.points_high, "yes")]
    reach = abs(one.points_high - one.points_low)
    values = nice_ticks(one.low, one.high, max(2, round(reach / 14))) if one.high > one.low else [one.low]
    ends = [one.low, one.high] if len(values) < 2 else values
    return [(one.points(value), f"{value:.4g}") for value in ends]


def _scale(
    ax: Axes, y: float, name: str, marks: Sequence[tuple[float, str]], whole: float, text: tuple[float, float]
) -> None:
    """A line with its marks; a mark whose text would lie on another one has none."""
    size, letter = text
    ax.text(-0.03, y, name if len(name) <= 30 else f"{name[:29]}…", ha="right", va="center", fontsize=size)
    if not marks:
        return
    at = np.array([point / whole for point, _ in marks])
    ax.plot([at.min(), at.max()], [y, y], color=INK, linewidth=0.8, linestyle="-", gid="scale")
    free = -np.inf
    for across, (_, words) in sorted(zip(at.tolist(), marks, strict=True)):
        ax.plot([across, across], [y, y - 0.1], color=INK, linewidth=0.6, linestyle="-", gid="mark")
        half = letter * (len(words) + 1) / 2
        if across - half < free:
            continue
        ax.text(across, y + 0.1, words, ha="center", va="bottom", fontsize=0.85 * size)
        free = across + half
