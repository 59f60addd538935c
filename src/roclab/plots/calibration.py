"""Reliability diagrams: predicted probabilities against what happened."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab.errors import InputError
from roclab.plots.axes import reference_line, square_axes
from roclab.plots.forest import draw_estimates
from roclab.plots.legend import add_legend
from roclab.plots.theme import COLOURS, NEW_AXES, PALE, Look, plain_text, rows_ratio, themed, themed_with
from roclab.plots.words import number

if TYPE_CHECKING:
    from roclab.decisions.calibration import Calibration
    from roclab.decisions.group_calibration import GroupCalibrations

__all__ = ["draw_calibration", "draw_group_calibrations"]

_TALLEST = 0.12  # of the bars of cases along the bottom


@themed
def draw_calibration(
    result: Calibration,
    ax: Axes = NEW_AXES,
    *,
    intervals: bool = True,
    counts: bool = True,
    diagonal: bool = True,
    percent: bool = False,
    label: str | None = None,
    **line: Any,
) -> Axes:
    """Share of positives in each bin against the mean prediction, with the diagonal of perfect calibration.

    Parameters
    ----------
    result : Calibration
    intervals : bool
        The interval of each share.
    counts : bool
        Bars along the bottom in proportion to the cases of each bin.
    diagonal : bool
        The line of perfect calibration.
    percent, label, line
        As in :func:`~roclab.plots.roc.draw_roc`.
    """
    square_axes(ax, "Predicted probability", "Observed share of positives", percent=percent)
    if diagonal:
        reference_line(ax, [0, 1], [0, 1], tag="perfect")
    x = np.array([one.predicted for one in result.bins])
    y = np.array([one.observed for one in result.bins])
    brier = f"Brier {number(result.brier)}"
    words = brier if label is None else f"{plain_text(label)}, {brier}"
    (drawn,) = ax.plot(x, y, label=words, **Look(marker="o", markersize=3.5, zorder=3) | line)
    low = np.array([one.interval.low for one in result.bins], dtype=float)
    high = np.array([one.interval.high for one in result.bins], dtype=float)
    if intervals and not np.isnan(low).any():
        ax.vlines(x, low, high, color=drawn.get_color(), linewidth=0.7, zorder=2.5)
    if result.curve is not None:
        smooth, colour = result.curve, COLOURS[3]
        ax.plot(
            smooth.predicted,
            smooth.observed,
            color=colour,
            linewidth=1.3,
            linestyle="-",
            zorder=3.2,
            label="smooth curve",
        )
        percent_word = f"{100 * smooth.level:g}% band"
        ax.fill_between(smooth.predicted, smooth.low, smooth.high, color=colour, alpha=0.25, linewidth=0, zorder=1.6,
                        label=f"{percent_word}, pointwise")  # fmt: skip
        ax.fill_between(smooth.predicted, smooth.joint_low, smooth.joint_high, color=colour, alpha=0.12, linewidth=0,
                        zorder=1.5, label=f"{percent_word}, simultaneous")  # fmt: skip
    if counts:
        cases = np.array([one.cases for one in result.bins], dtype=float)
        low_edge = np.array([one.low for one in result.bins])
        width = np.array([one.high for one in result.bins]) - low_edge
        # Height times width is the number of cases, so that bins of unequal width compare fairly.
        density = np.divide(cases, width, out=np.zeros_like(cases), where=width > 0)
        tall = _TALLEST * density / density.max() if density.max() > 0 else density
        ax.bar(low_edge, tall, width, align="edge", color=PALE, edgecolor="white", linewidth=0.4, zorder=1)
    add_legend(ax, corner="below")
    return ax


@themed_with(ratio=lambda found: rows_ratio(2 * len(found.calibrations)), size="double")
def draw_group_calibrations(found: GroupCalibrations, ax: Axes = NEW_AXES, **points: Any) -> Axes:
    """Observed over expected events and the calibration slope of every group with their limits; right ones are 1."""
    ratios = [
        (f"O/E, {plain_text(name, 20)}", one.observed / one.predicted, found.ratios[name])
        for name, one in found.calibrations.items()
        if one.predicted > 0 and not math.isnan(found.ratios[name].low)
    ]
    slopes = [
        (f"slope, {plain_text(name, 20)}", one.line.slope, one.line.slope_interval)
        for name, one in found.calibrations.items()
        if not math.isnan(one.line.slope) and not math.isnan(one.line.slope_interval.low)
    ]
    if not ratios and not slopes:
        raise InputError("", "no group has a ratio or a slope with limits to draw", way_out="print the table")
    return draw_estimates([*ratios, *slopes], ax, null=1.0, title="Observed over expected, and slope", **points)
