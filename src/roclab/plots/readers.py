"""Reader studies: curves with their averages, forest by reader, interaction of readers and modalities, variances."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab._core.checks import check_choice, in_full
from roclab._core.figure_file import check_figure_place, is_figure_file
from roclab.errors import InputError, Words
from roclab.names import READER_FIGURES, FigureSize, ReaderFigure
from roclab.plots.axes import BACKING, drawn_points, reference_line
from roclab.plots.canvas import WIDTHS, new_axes
from roclab.plots.forest import draw_estimates
from roclab.plots.legend import add_legend
from roclab.plots.picture import Picture, picture_of
from roclab.plots.roc import roc_axes
from roclab.plots.theme import (
    COLOURS,
    DASHES,
    GREY,
    INK,
    MARKS,
    NEW_AXES,
    Look,
    plain_text,
    rows_ratio,
    text_size,
    themed,
    themed_with,
)
from roclab.plots.words import number

if TYPE_CHECKING:
    from roclab.analysis.readers import ReaderCurves, ReaderStudy, VarianceComponents
    from roclab.analysis.readers_size import ReaderPlan

__all__ = [
    "draw_components",
    "draw_interaction",
    "draw_reader_forest",
    "draw_reader_plan",
    "draw_readers",
    "plot_readers",
]


@themed
def draw_readers(found: ReaderCurves, ax: Axes = NEW_AXES, *, percent: bool = False, chance: bool = True) -> Axes:
    """The curve of every reader, thin, and the average of each modality, thick.

    Parameters
    ----------
    found : ReaderCurves
        From ``study.curves()``; the diagonal average has the mean of the areas as its own.
    """
    roc_axes(ax, percent=percent, chance=chance)
    for at, (modality, curves) in enumerate(found.curves.items()):
        look: Look = {"color": COLOURS[at % len(COLOURS)], "linestyle": DASHES[at % len(DASHES)]}
        for curve in curves.values():
            points = drawn_points(curve.points())
            ax.plot(points.x, points.y, linewidth=0.5, alpha=0.55, label="_reader", zorder=2, **look)
        average = found.averages[modality]
        readers = f"{len(curves)} readers" if len(curves) > 1 else "1 reader"
        words = f"{plain_text(modality, 24)}, {readers}, mean {found.quantity} {number(average.mean_of_areas)}"
        ax.plot(average.fpr, average.tpr, linewidth=1.8, label=words, zorder=3, **look)
    ax.plot([], [], color=GREY, linewidth=0.5, linestyle="-", label=f"thin: single readers; thick: {found.how} average")
    if found.quantity != "AUC":  # of marks: lesions against the highest false mark of a case
        ax.set_xlabel("Cases with a false mark")
        ax.set_ylabel("Lesions marked")
    add_legend(ax)
    return ax


@themed_with(ratio=lambda study: rows_ratio(len(study.areas) + len(study.modalities)), size="double")
def draw_reader_forest(study: ReaderStudy, ax: Axes = NEW_AXES, **points: Any) -> Axes:
    """Every reader in every modality with an interval from the cases, and the mean of each modality below them."""
    rows: list[tuple[str, float, Any]] = []
    means = []
    for modality, mean in zip(study.modalities, study.means, strict=True):
        word = f"{plain_text(modality, 16)}: " if len(study.modalities) > 1 else ""
        own = [area for area in study.areas if area.modality == modality]
        rows += [(f"{word}{plain_text(one.reader, 20)}", float(one.area), one.interval) for one in own]
        means.append(len(rows))
        rows.append((f"{word}mean", float(mean.area), mean.interval))
    title = study.quantity if len(study.quantity) < 6 else study.quantity.capitalize()
    # Chance is worth its place in the figure where somebody comes near it.
    null = 0.5 if study.quantity == "AUC" and min(row[2].low for row in rows) < 0.6 else None
    draw_estimates(rows, ax, null=null, title=f"{title} by reader", **points)
    mark: Look = {"marker": "D", "markersize": 5, "color": COLOURS[3], "linestyle": "none", "zorder": 3.5}
    ax.plot([rows[at][1] for at in means], means, label="_means", **mark)
    for at in means[:-1]:
        ax.axhline(at + 0.5, color="#E4E4E4", linewidth=0.6, zorder=0.5)
    ax.set_xlim(right=min(ax.get_xlim()[1], 1.0))
    return ax


@themed_with(ratio=0.8)
def draw_interaction(study: ReaderStudy, ax: Axes = NEW_AXES) -> Axes:
    """One line per reader over the modalities, and the line of their means: parallel lines are no interaction."""
    if len(study.modalities) < 2:
        raise InputError("study", "must have two modalities for this figure", Words("one"), "draw the forest instead")
    places = {name: at for at, name in enumerate(study.modalities)}
    for at, reader in enumerate(study.readers):
        own = sorted((places[area.modality], float(area.area)) for area in study.areas if area.reader == reader)
        look: Look = {"marker": MARKS[at % len(MARKS)], "markersize": 3.4, "linewidth": 0.8}
        x, y = zip(*own, strict=True)
        ax.plot(x, y, label=plain_text(reader, 24), zorder=3, **look)
    values = [float(mean.area) for mean in study.means]
    low, high = ([getattr(mean.interval, end) for mean in study.means] for end in ("low", "high"))
    beside = np.arange(len(values)) + 0.08
    ax.vlines(beside, low, high, color=INK, linewidth=1.1, zorder=3.5)
    words = f"mean, {100 * study.level:g}% interval"
    ax.plot(beside, values, color=INK, marker="D", markersize=4.5, linewidth=1.6, linestyle="-", label=words, zorder=4)
    ax.set_xticks(range(len(values)), [plain_text(modality, 18) for modality in study.modalities])
    ax.set_xlim(-0.35, len(values) - 0.65)
    ax.set_ylabel(study.quantity if len(study.quantity) < 6 else study.quantity.capitalize())
    add_legend(ax, corner="below")
    return ax


@themed_with(ratio=0.62)
def draw_components(components: VarianceComponents, ax: Axes = NEW_AXES) -> Axes:
    """Variances of readers and of errors, and the covariances of errors with their correlations, as bars."""
    rows = [row for row in components.rows() if not math.isnan(row["variance"])]
    values = np.array([1e4 * row["variance"] for row in rows])
    height = np.arange(len(rows))
    colours = [COLOURS[0] if row["correlation"] is None else COLOURS[4] for row in rows]
    ax.barh(height, values, color=colours, height=0.62, zorder=2)
    reference_line(ax, [0, 0], [-0.6, len(rows) - 0.4], tag="zero", linewidth=0.6, linestyle="-")
    ax.set_yticks(height, [row["component"].replace(" (", "\n(") for row in rows])
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    right = ax.get_yaxis_transform()
    for at, row in enumerate(rows):
        share = "" if row["correlation"] is None else f"  r {row['correlation']:.2f}"
        words = f"{values[at]:.2f}{share}".replace("-", "−")
        ax.text(1.02, at, words, transform=right, va="center", fontsize=text_size(ax), color=INK)
    ax.set_xlabel(f"Variance × 10 000 ({in_full(components.n_pos)} + {in_full(components.n_neg)} cases)")
    return ax


@themed_with(ratio=0.8)
def draw_reader_plan(plan: ReaderPlan, ax: Axes = NEW_AXES) -> Axes:
    """Lines of equal power over numbers of readers and cases, and the fewest cases for the power asked for."""
    readers = sorted({one.readers for one in plan.grid})
    cases = sorted({one.cases for one in plan.grid})
    if len(readers) < 2 or len(cases) < 2:
        raise InputError("plan", "must hold two numbers of readers and two of cases", Words("fewer"), "ask for a grid")
    power = np.array([[plan.power_at(reader, two) for reader in readers] for two in cases])
    levels = [one for one in (0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95) if power.min() < one < power.max()]
    if levels:
        drawn = ax.contour(readers, cases, power, levels=levels, colors=COLOURS[0], linewidths=0.8, zorder=2)
        found = ax.clabel(drawn, fontsize=text_size(ax), fmt=lambda one: f"{one:g}")
        for text in found or ():
            text.set_bbox(BACKING)
    own = [(one.readers, one.cases) for one in plan.smallest if one.cases <= cases[-1]]
    if own:
        look: Look = {"marker": "D", "markersize": 3.2, "linestyle": "none", "color": COLOURS[3], "zorder": 3}
        ax.plot(*zip(*own, strict=True), label=f"fewest cases for a power of {plan.power:g}", **look)
        add_legend(ax, corner="below")
    ax.set_xlabel("Readers")
    ax.set_ylabel("Cases")
    ax.set_xlim(readers[0], readers[-1] + 0.3)
    ax.set_ylim(cases[0], cases[-1])
    return ax


def plot_readers(study: ReaderStudy, figure: Any, *, size: FigureSize = "single") -> Picture:
    """A figure of a reader study by its name, on new axes; or the curves as a file."""
    if is_figure_file(figure):
        check_figure_place(figure, name="plot")
        return plot_readers(study, "readers", size=size).saved(figure)
    ax, numbers = drawn_by_name(study, figure, size)
    return picture_of(figure, ax, numbers)


def drawn_by_name(study: ReaderStudy, figure: ReaderFigure, size: FigureSize) -> tuple[Axes, tuple[Any, ...]]:
    """The axes of a figure, and the results that it shows."""
    check_choice(figure, "figure", READER_FIGURES)
    if figure == "readers":
        return draw_readers(study.curves(), new_axes(size, ratio=1.0 if size == "single" else 0.75)), (study,)
    if figure == "reader_forest":
        rows = len(study.areas) + len(study.modalities)
        return draw_reader_forest(study, new_axes(size, ratio=(18 + 6 * rows) / WIDTHS[size])), (study,)
    if figure == "interaction":
        return draw_interaction(study, new_axes(size, ratio=0.8 if size == "single" else 0.5)), (study,)
    ax = new_axes(size, ratio=0.62 if size == "single" else 0.35)
    return draw_components(study.components, ax), (study.components,)
