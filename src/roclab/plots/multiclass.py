"""Many classes: a curve per class against the rest, and the areas of all pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab.errors import InputError
from roclab.plots.legend import add_legend, one_legend
from roclab.plots.matrix import draw_matrix
from roclab.plots.roc import draw_roc, draw_rocs
from roclab.plots.theme import GREY, NEW_AXES, PALE, Look, themed
from roclab.plots.words import number, number_with_interval

if TYPE_CHECKING:
    from roclab.curves.roc import RocCurve
    from roclab.many_classes.result import MulticlassAreas

__all__ = ["draw_class_pairs", "draw_multiclass"]


_TITLES = {
    "macro": "macro average",
    "weighted": "weighted average",
    "micro": "micro average",
    "hand_till": "Hand and Till's M",
    "pairs_weighted": "weighted pairs",
}


@themed
def draw_multiclass(
    areas: MulticlassAreas,
    ax: Axes = NEW_AXES,
    *,
    curves: Mapping[str, RocCurve],
    averages: Mapping[str, RocCurve] | None = None,
    average: str | None = "macro",
    **options: Any,
) -> Axes:
    """The curve of each class against the rest with its area, and one of the averages in words.

    Parameters
    ----------
    areas : MulticlassAreas
        From ``rl.multiclass``.
    curves : mapping of class names to RocCurve
    averages : mapping of "micro" and "macro" to RocCurve, optional
        Curves of averages, drawn wide behind the others with the area of the average; ``average`` is then left out.
    average : str, optional
        The average that the legend tells in words: "macro", "weighted", "micro", "hand_till" or "pairs_weighted".
    options
        As in :func:`~roclab.plots.roc.draw_roc`.
    """
    unknown = [name for name in curves if name not in areas.classes]
    if unknown:
        raise InputError("curves", f"must be named {', '.join(areas.classes)}", unknown[0])
    with one_legend(ax):
        draw_rocs(curves, ax, areas=areas.classes, **options)
        for at, (name, curve) in enumerate((averages or {}).items()):
            wide: Look = {"color": (GREY, PALE)[at % 2], "linewidth": 2.4, "linestyle": ("-", (0, (2, 1)))[at % 2]}
            named: Any = areas.averages[name]
            draw_roc(curve, ax, area=named, label=_TITLES[name], **options | wide | {"zorder": 2.5, "marker": ""})
    if average is not None and not averages:
        one = areas.averages[average]
        words = f"{_TITLES[average]} {number_with_interval(one.area, one.interval)}"
        ax.plot([], [], linestyle="none", label=words)
        add_legend(ax)
    return ax


@themed
def draw_class_pairs(areas: MulticlassAreas, ax: Axes = NEW_AXES) -> Axes:
    """The n x n matrix of areas: row i and column j tell classes i and j apart by the score of class i."""
    names = list(areas.classes)
    values = np.full((len(names), len(names)), np.nan)
    for pair, one in areas.pairs.items():
        row, column = _places(pair, names)
        values[row, column] = one.area
    draw_matrix(ax, names, values, lambda row, column: number(values[row, column]), low=0.5, high=1.0)
    ax.set_xlabel("against the class")
    ax.set_ylabel("score of the class")
    return ax


def _places(pair: str, names: list[str]) -> tuple[int, int]:
    for row, first in enumerate(names):
        if pair.startswith(f"{first}|") and pair[len(first) + 1 :] in names:
            return row, names.index(pair[len(first) + 1 :])
    raise InputError("pairs", "must be named after two classes", pair)
