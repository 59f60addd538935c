"""Figures of DCE-MRI: the data space of a model, curves over cases, learning curves, and the chapter's three panels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from roclab.analysis.dce.montage import DceMontage
from roclab.errors import InputError, Words
from roclab.plots.canvas import axes_beside, new_figure
from roclab.plots.dce_montage import draw_dce_montage
from roclab.plots.legend import add_legend
from roclab.plots.overlay import mark_edges
from roclab.plots.picture import Picture, picture_of
from roclab.plots.placed import check_looks, place_of, plotted
from roclab.plots.roc import roc_axes
from roclab.plots.theme import (
    COLOURS,
    DASHES,
    GREY,
    NEW_AXES,
    Look,
    plain_text,
    theme_of,
    themed,
    themed_with,
)

if TYPE_CHECKING:
    from roclab.analysis.dce.evaluation import DceEvaluation
    from roclab.analysis.dce.figure import CurveGroup, DceFigure
    from roclab.analysis.dce.learning import DceLearningCurve
    from roclab.imaging.dce.model import DataPlane, DceModel

__all__ = [
    "draw_case_curves",
    "draw_data_space",
    "draw_dce_figure",
    "draw_learning_curve",
    "draw_signal_curves",
    "plot_case_curves",
    "plot_data_space",
    "plot_learning_curve",
    "plot_panels",
]

_LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)


def plot_data_space(model: DceModel, to: Any = None, /, **looks: Any) -> Picture:
    """The plane of a model's data space."""
    check_looks(draw_data_space, "dce_data_space", looks)
    return plotted(draw_data_space, "dce_data_space", model.plane(), to, (model,), looks)


def plot_case_curves(found: DceEvaluation, to: Any = None, /, **looks: Any) -> Picture:
    """Curves of every image, averaged over cases: whole, and up to the largest rate of the partial areas.

    On axes of the caller only the whole curves.
    """
    check_looks(draw_case_curves, "dce_curves", looks)
    ax, path = place_of(to)
    if ax is not None:
        return plotted(draw_case_curves, "dce_curves", found, ax, (found,), looks)
    left, right = axes_beside("double", ratio=0.5)
    draw_case_curves(found, left, **looks)
    draw_case_curves(found, right, most=max(found.fpr), **looks)
    return picture_of("dce_curves", left, (found,)).saved(path)


def plot_learning_curve(found: DceLearningCurve, to: Any = None, /, **looks: Any) -> Picture:
    """A measure by number of training cases."""
    check_looks(draw_learning_curve, "dce_learning_curve", looks)
    return plotted(draw_learning_curve, "dce_learning_curve", found, to, (found,), looks)


def plot_panels(found: DceFigure | DceMontage, to: Any = None, /) -> Picture:
    """A figure of several panels, which is drawn on a figure of its own."""
    ax, path = place_of(to)
    if ax is not None:
        raise InputError("plot", "has panels of its own and needs no axes", Words("axes"), "leave them out")
    drawn = draw_dce_montage(found) if isinstance(found, DceMontage) else draw_dce_figure(found)
    name = "dce_montage" if isinstance(found, DceMontage) else "dce_figure"
    return picture_of(name, drawn.axes[0], (found,)).saved(path)


@themed
def draw_data_space(plane: DataPlane, ax: Axes = NEW_AXES) -> Axes:
    """Training points on the plane, and lines of equal confidence; the line of one half is the decision."""
    ax.contourf(plane.x, plane.y, plane.confidence, levels=np.linspace(0, 1, 21), cmap="Greys", alpha=0.55, zorder=0.5)
    dots: Look = {"s": 4, "linewidths": 0, "alpha": 0.6}
    ax.scatter(*plane.negatives.T, color=COLOURS[0], label="outside of the label", zorder=2, **dots)
    ax.scatter(*plane.positives.T, color=COLOURS[3], marker="D", label="inside", zorder=2.1, **dots)
    lines = ax.contour(plane.x, plane.y, plane.confidence, levels=_LEVELS, colors="black", zorder=3,
                       linewidths=[1.4 if level == 0.5 else 0.5 for level in _LEVELS])  # fmt: skip
    ax.clabel(lines, fmt="%g", fontsize=5.5)
    ax.set_xlim(plane.x[0], plane.x[-1])
    ax.set_ylim(plane.y[0], plane.y[-1])
    ax.set_xlabel(plane.names[0].capitalize())
    ax.set_ylabel(plane.names[1].capitalize())
    ax.legend(loc="lower right", fontsize="small", borderpad=0.3, handletextpad=0.2, framealpha=0.9)
    return ax


@themed
def draw_signal_curves(times: Any, curves: dict[str, CurveGroup], ax: Axes = NEW_AXES) -> Axes:
    """Median curves with their quartiles."""
    for at, (name, one) in enumerate(curves.items()):
        colour = (COLOURS[3], COLOURS[0], GREY)[at % 3]
        ax.fill_between(times, one.low, one.high, color=colour, alpha=0.18, linewidth=0)
        words = f"{plain_text(name)}, {one.voxels:,} voxels"
        ax.plot(times, one.middle, color=colour, linestyle=DASHES[at % 3], marker="o", markersize=2.4, label=words)
    ax.set_xlabel("Seconds after arrival")
    ax.set_ylabel("Relative enhancement")
    ax.set_xlim(0, float(times[-1]) * 1.02)
    low = min(0.0, *(float(curve.low.min()) for curve in curves.values()))
    high = max(float(curve.high.max()) for curve in curves.values())
    ax.set_ylim(1.05 * low, high + (0.08 + 0.11 * len(curves)) * (high - low))  # room for the legend
    ax.legend(loc="upper left", fontsize="small", frameon=False, borderaxespad=0.2)
    return ax


@themed
def draw_case_curves(
    found: DceEvaluation, ax: Axes = NEW_AXES, *, how: str = "vertical", images: Any = None, most: float | None = None
) -> Axes:
    """One averaged curve for every image, with its area and the interval over cases.

    With ``most`` only false positive rates up to it, and partial areas in the legend, if that is one of them.
    """
    roc_axes(ax)
    quantity = f"pAUC FPR<={most:g}" if most in found.fpr else "AUC"
    for name in found.names if images is None else images:
        one, curve = found.measure(name, quantity), found.average(name, how, **({"points": 400} if most else {}))
        low, high = one.interval
        ends = "" if np.isnan(low) else f" ({low:.3f} to {high:.3f})"
        x, y = (np.concatenate([[0.0], side, [1.0]]) for side in (curve.fpr, curve.tpr))
        ax.plot(x, y, label=f"{plain_text(name.replace('_', '-'))}, {one.value:.3f}{ends}", zorder=3)
    if most is not None:
        ax.set_aspect("auto")
        ax.set_xlim(-0.005 * most, most)
        ax.xaxis.set_major_locator(FixedLocator(list(np.linspace(0, most, 4))))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda rate, _: f"{rate:g}"))
    ax.set_title(quantity.replace("<=", " ≤ ") + ", intervals by case", loc="left")
    add_legend(ax)
    return ax


@themed_with(ratio=0.8)
def draw_learning_curve(found: DceLearningCurve, ax: Axes = NEW_AXES) -> Axes:
    """The mean over sets of training cases, its spread between sets, and the interval of the first set over cases."""
    cases = np.array([point.cases for point in found.points], dtype=float)
    value = np.array([point.value for point in found.points])
    spread = np.array([point.spread for point in found.points])
    ends = np.array([[point.measure.interval.low, point.measure.interval.high] for point in found.points], dtype=float)
    ax.set_xscale("log")
    ax.fill_between(cases, ends[:, 0], ends[:, 1], color=COLOURS[0], alpha=0.15, linewidth=0,
                    label="interval of the first set, by case")  # fmt: skip
    ax.errorbar(cases, value, yerr=spread, color=COLOURS[0], marker="o", markersize=3, capsize=2, linewidth=1.2,
                label="mean over sets, ± sd between sets")  # fmt: skip
    ax.xaxis.set_major_locator(FixedLocator(list(cases)))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:g}"))
    ax.set_xlabel("Training cases")
    ax.set_ylabel(f"{found.quantity} on {found.test_cases} test cases")
    add_legend(ax)
    return ax


def draw_dce_figure(found: DceFigure) -> Figure:
    """The chapter's figure: signal curves, the data space with the decision function, and the confidence volume."""
    figure = new_figure(7.4, 2.6)
    with theme_of(figure):
        left, middle, right = figure.subplots(1, 3, width_ratios=[1, 1, 1.05])
    draw_signal_curves(found.times, dict(found.curves), left)
    draw_data_space(found.plane, middle)
    with theme_of(figure):
        top = float(np.quantile(found.baseline, 0.995))
        mark_edges(right, found.edges)
        right.imshow(found.baseline, cmap="gray", vmin=0, vmax=top, aspect=found.aspect)
        clear = np.ma.masked_less(found.confidence, 0.1)
        seen = right.imshow(clear, cmap="inferno", vmin=0, vmax=1, alpha=0.85, aspect=found.aspect)
        if found.lesions is not None and found.lesions.any():
            right.contour(found.lesions, [0.5], colors=["#22b8cf"], linewidths=0.9)
        right.set_xticks([])
        right.set_yticks([])
        right.set_xlabel(f"Slice {found.slice}; outline: lesion" if found.lesions is not None
                         else f"Slice {found.slice}")  # fmt: skip
        bar = figure.colorbar(seen, ax=right, shrink=0.8, pad=0.02)
        bar.set_label("Confidence")
        for letter, ax in zip("abc", (left, middle, right), strict=True):
            ax.set_title(letter, loc="left", fontweight="bold")
    return figure
