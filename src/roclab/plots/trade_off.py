"""Any measure against any other over all thresholds, coloured by the threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LogNorm, Normalize

from roclab.errors import InputError, Words
from roclab.plots.axes import MOST_POINTS
from roclab.plots.score_axis import check_drawable
from roclab.plots.theme import INK, NEW_AXES, Look, plain_text, themed

if TYPE_CHECKING:
    from roclab.decisions.coordinates import Coordinates

__all__ = ["draw_trade_off"]

_TITLES = {"lr_plus": "LR+", "lr_minus": "LR−", "for": "false omission rate (1 − NPV)", "mcc": "MCC"}


@themed
def draw_trade_off(
    table: Coordinates,
    ax: Axes = NEW_AXES,
    *,
    x: str,
    y: str,
    conditions: Mapping[str, Any] | None = None,
    cutoff: float | None = None,
    log: bool = False,
) -> Axes:
    """One measure against another, one point per threshold, joined in the order of the thresholds.

    Parameters
    ----------
    table : Coordinates
        From ``Roc.coordinates``.
    x, y : str
        Metrics by name or synonym, criteria such as "cost", counts, "sum" or "threshold".
    conditions : mapping, optional
        What criteria take: prevalence, costs, beta, alpha.
    cutoff : float, optional
        A threshold to mark.
    log : bool
        A logarithmic scale of colours.
    """
    check_drawable(table.thresholds)
    columns = table.columns(dict.fromkeys([x, y]), conditions)
    real = np.flatnonzero(np.isfinite(columns[x]) & np.isfinite(columns[y]))
    if real.size == 0:
        raise InputError("x", f"and y must be defined together at some threshold, {x} and {y} are not", Words("none"))
    if real.size > MOST_POINTS:
        real = real[np.unique(np.linspace(0, real.size - 1, MOST_POINTS).astype(np.int64))]
    places = np.stack([columns[x][real], columns[y][real]], axis=1)
    finite = table.thresholds[np.isfinite(table.thresholds)]
    shade = np.clip(np.nan_to_num(table.thresholds[real], nan=np.inf), finite.min(), finite.max())
    if log and finite.min() <= 0:
        raise InputError("log", "needs scores above 0", Words(f"{finite.min():g}"), "leave it out")
    norm = (LogNorm if log else Normalize)(float(finite.min()), float(finite.max()))
    segments = np.stack([places[:-1], places[1:]], axis=1)
    line = LineCollection(list(segments), cmap="viridis", norm=norm, linewidths=1.6, zorder=3)
    line.set_array(shade[1:])
    ax.add_collection(line)
    ax.plot(places[:, 0], places[:, 1], linestyle="none", marker="o", markersize=0.01)  # sets the limits of the axes
    bar = ax.figure.colorbar(line, ax=ax, pad=0.02)
    bar.set_label(f"threshold of {plain_text(table.sample.score or 'score')}")
    inside = [tick for tick in bar.get_ticks() if finite.min() <= tick <= finite.max()]
    bar.set_ticks(inside)
    bar.outline.set_linewidth(0.4)
    ax.set_xlabel(_title(x))
    ax.set_ylabel(_title(y))
    if cutoff is not None:
        row = table.row_of(cutoff)
        mark: Look = {"marker": "o", "markersize": 5, "markerfacecolor": "white", "markeredgecolor": INK, "zorder": 4}
        ax.plot([columns[x][row]], [columns[y][row]], linestyle="none", label=f"cut-off {cutoff:.4g}", **mark)
        ax.legend(loc="best", frameon=False)
    return ax


def _title(name: str) -> str:
    return _TITLES.get(name, name.upper() if len(name) <= 3 else name.replace("_", " "))
