"""Metrics against the threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab.plots.axes import MOST_POINTS
from roclab.plots.legend import add_legend
from roclab.plots.score_axis import check_drawable, draw_cutoff, score_axis
from roclab.plots.theme import NEW_AXES, Look, themed_with

if TYPE_CHECKING:
    from roclab.decisions.coordinates import Coordinates

__all__ = ["draw_metrics"]

_TITLES = {"youden_j": "Youden J", "lr_plus": "LR+", "lr_minus": "LR−"}


@themed_with(ratio=0.75)
def draw_metrics(
    table: Coordinates,
    ax: Axes = NEW_AXES,
    *,
    metrics: Sequence[str] = ("sensitivity", "specificity", "accuracy"),
    conditions: Mapping[str, Any] | None = None,
    cutoff: float | None = None,
    log: bool = False,
    **line: Any,
) -> Axes:
    """Metrics at every threshold, as steps: between two observed scores no decision changes.

    Parameters
    ----------
    table : Coordinates
        From ``Roc.coordinates``.
    metrics : sequence of str
        Names or synonyms of ``decisions.metrics``, and criteria such as "cost".
    conditions : mapping, optional
        What criteria take: prevalence, costs, beta, alpha.
    cutoff : float, optional
        A threshold to mark.
    log : bool
        A logarithmic axis of scores.
    """
    check_drawable(table.thresholds)
    real = np.flatnonzero(np.isfinite(table.thresholds))
    # A value holds from the next score on the negative side up to its own threshold.
    rises = table.sample.direction == "higher"
    order = real[np.argsort(table.thresholds[real], kind="stable")]
    if order.size > MOST_POINTS:
        order = order[np.unique(np.linspace(0, order.size - 1, MOST_POINTS).astype(np.int64))]
    columns = table.columns(metrics, conditions)
    for name in metrics:
        words = _TITLES.get(name, name.upper() if len(name) <= 3 else name.replace("_", " "))
        style: Look = {"drawstyle": "steps-pre" if rises else "steps-post", "zorder": 3} | line
        ax.plot(table.thresholds[order], columns[name][order], label=words, **style)
    score_axis(ax, table.sample, log=log, what="Threshold")
    ax.set_ylabel("Value")
    if cutoff is not None:
        draw_cutoff(ax, cutoff)
    add_legend(ax, corner="best")
    return ax
