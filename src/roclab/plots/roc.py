"""ROC curves, one or several, with their areas, bands, operating points and thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle as Box

from roclab._core.checks import check_range
from roclab._core.polyline import value_before
from roclab.errors import InputError, Words
from roclab.plots.axes import (
    BACKING,
    draw_mirror,
    drawn_points,
    label_by_specificity,
    reference_line,
    shade_band,
    square_axes,
)
from roclab.plots.legend import MOST_NAMED, add_legend, many_curves
from roclab.plots.theme import INK, MARKS, NEW_AXES, PALE, Look, plain_text, text_size, themed
from roclab.plots.words import HasArea, curve_label, digits_shown, number

if TYPE_CHECKING:
    from roclab._core.types import Floats, Ints
    from roclab.curves.roc import RocCurve
    from roclab.inference.one_curve.bands import Band, Rectangle

__all__ = ["FPR", "TPR", "HasRates", "draw_roc", "draw_rocs", "roc_axes", "spread_evenly"]

FPR, TPR = "False positive rate (1 − specificity)", "True positive rate (sensitivity)"
_ROOM = 0.18  # words need so much of the axes beside their point
MOST_MARKED = 60  # points of a curve that are marked each


class HasRates(Protocol):
    """A place on the curve: OperatingPoint, Cutoff, HullVertex and others."""

    @property
    def fpr(self) -> float:
        """False positive rate."""
        ...

    @property
    def tpr(self) -> float:
        """True positive rate."""
        ...

    @property
    def threshold(self) -> float | None:
        """The threshold that leads there."""
        ...


def roc_axes(ax: Axes, *, percent: bool = False, chance: bool = True, specificity: bool = False) -> None:
    """The unit square of ROC space, with the line of a useless score."""
    square_axes(ax, FPR, TPR, percent=percent)
    if specificity:
        label_by_specificity(ax, percent=percent)
    if chance:
        reference_line(ax, [0, 1], [0, 1], tag="chance")


@themed
def draw_roc(
    curve: RocCurve,
    ax: Axes = NEW_AXES,
    *,
    area: HasArea | None = None,
    band: Band | None = None,
    percent: bool = False,
    staircase: bool = False,
    shade: bool = False,
    shade_fpr: tuple[float, float] | None = None,
    shade_tpr: tuple[float, float] | None = None,
    thresholds: int | Sequence[float] | None = None,
    operating_points: Mapping[str, HasRates] | None = None,
    boxes: Mapping[str, Rectangle] | None = None,
    labels: bool | Sequence[str] = False,
    specificity_axis: bool = False,
    digits: int | None = None,
    chance: bool = True,
    mirror: bool = False,
    mirror_area: HasArea | None = None,
    label: str | None = None,
    **line: Any,
) -> Axes:
    """A ROC curve; one through ready-made points shows its points.

    Parameters
    ----------
    curve : RocCurve
    ax : Axes
        Any axes; curves drawn on the same ones take the next colour and dashes.
    area : AreaEstimate, optional
        Its number and interval go into the legend, with the digits of the tables.
    band : Band, optional
        Confidence band around the curve; a band with limits in both directions is drawn as crosses.
    percent : bool
        Ticks in percent instead of fractions.
    staircase : bool
        Keep every step of the curve, which long curves lose when they are thinned out for drawing. Scores that both
        classes share stay one slanted piece: a step there would draw another area than the one in the legend.
    shade : bool
        Fill the area under the curve; ``shade_fpr`` and ``shade_tpr`` fill the partial area of a range.
    thresholds : int or sequence, optional
        Write so many thresholds along the curve, or these.
    operating_points : mapping of names to points, optional
        What ``Roc.at`` or ``Roc.cutoff`` find; marked, and named in the legend with threshold and both rates.
    boxes : mapping of names to Rectangle, optional
        Joint confidence regions (``inference.bands.joint_rectangle``) of operating points.
    labels : bool or sequence of str
        Write the coordinates of ready-made points beside them, or these names, one per point.
    specificity_axis : bool
        Label the horizontal axis by the specificity, from 1 to 0.
    digits : int, optional
        Decimals of the numbers in the legend; by default those of the tables.
    chance : bool
        The diagonal of a useless score.
    mirror : bool
        Also the mirror image about TPR = 1 - FPR, which has the same area and another tAUC; ``mirror_area`` is the
        area of the image, for the legend (``Roc.mirrored().auc()``).
    label : str, optional
        Name of the curve.
    line
        Further options of the line, as ``Axes.plot`` takes them.
    """
    roc_axes(ax, percent=percent, chance=chance, specificity=specificity_axis)
    points = curve.points() if staircase else drawn_points(curve.points())
    style: Look = {"solid_capstyle": "butt", "zorder": 3} | _marks_of_points(curve, ax) | line
    with digits_shown(digits):
        (drawn,) = ax.plot(points.x, points.y, label=curve_label(label, area), **style)
    colour = drawn.get_color()
    if mirror:
        image = drawn_points(curve.mirrored().points())
        with digits_shown(digits):
            draw_mirror(ax, image.x, image.y, of=drawn, label=label, area=mirror_area)
    if shade:
        ax.fill_between(points.x, points.y, color=colour, alpha=0.12, linewidth=0, zorder=1)
    if shade_fpr is not None or shade_tpr is not None:
        x, low, high = _region(curve, shade_fpr, shade_tpr)
        ax.fill_between(x, low, high, color=colour, alpha=0.22, linewidth=0, zorder=1.2)
    if band is not None:
        _draw_band(band, ax, colour)
    if thresholds is not None:
        _write_thresholds(curve, ax, thresholds, colour)
    if labels:
        _write_points(curve, ax, labels)
    for at, (name, point) in enumerate((operating_points or {}).items()):
        with digits_shown(digits):
            _mark(point, ax, name, MARKS[at % len(MARKS)], colour)
    for rectangle in (boxes or {}).values():
        _draw_box(rectangle, ax, colour)
    add_legend(ax)
    return ax


@themed
def draw_rocs(
    curves: Mapping[str, RocCurve],
    ax: Axes = NEW_AXES,
    *,
    areas: Mapping[str, HasArea] | None = None,
    bands: Mapping[str, Band] | None = None,
    each: Mapping[str, Mapping[str, Any]] | None = None,
    **options: Any,
) -> Axes:
    """Several ROC curves by name, each with its area and band; options as in :func:`draw_roc`.

    ``each`` has further options of single curves by name, such as their operating points. Up to 30 curves differ in
    colour or dashes. More have no legend of their own: they are drawn thin, and one entry counts them.
    """
    own: Mapping[str, Mapping[str, Any]] = each or {}
    if not curves:
        raise InputError("curves", "must hold at least one curve", Words("none"), "give names and curves")
    entry = f"{len(curves)} curves"
    if areas is not None and len(curves) > MOST_NAMED:
        found = [areas[name].area for name in curves]
        with digits_shown(options.get("digits")):
            entry += f", AUC {number(min(found))} to {number(max(found))}"
    with many_curves(ax, len(curves), entry):
        for name, curve in curves.items():
            style: dict[str, Any] = {"area": None if areas is None else areas[name], **own.get(name, {})}
            if bands is not None:
                style["band"] = bands.get(name)
            draw_roc(curve, ax, label=name, **{**options, **style})
    return ax


def _draw_band(band: Band, ax: Axes, colour: Any) -> None:
    level = f"{100 * band.level:g}%"
    if band.fpr_low is None or band.fpr_high is None:
        shade_band(ax, band.fpr, band.low, band.high, colour=colour, words=f"{level} band, {band.kind}")
        return
    some = spread_evenly(band.fpr, band.tpr, 15)
    ends: Look = {"linewidth": 0.6, "color": colour, "alpha": 0.8, "zorder": 2}
    words = f"{level} limits of both rates"
    words = "_band" if any(shown.get_label() == words for shown in ax.collections) else words
    ax.vlines(band.fpr[some], band.low[some], band.high[some], label=words, **ends)
    ax.hlines(band.tpr[some], band.fpr_low[some], band.fpr_high[some], **ends)


def spread_evenly(x: Floats, y: Floats, count: int) -> Ints:
    """Positions of at most ``count`` vertices, evenly along the curve, without its ends."""
    walked = x + y  # rises along a ROC curve from 0 to 2
    found = np.searchsorted(walked, np.linspace(0, 2, count + 2)[1:-1])
    return np.unique(np.clip(found, 0, x.size - 1)).astype(np.int64)


def _region(
    curve: RocCurve, fpr: tuple[float, float] | None, tpr: tuple[float, float] | None
) -> tuple[Floats, Floats, Floats]:
    """The region whose size is the partial area: x, and the heights it lies between."""
    left, right = (0.0, 1.0) if fpr is None else check_range(fpr, "shade_fpr")
    bottom, top = (0.0, 1.0) if tpr is None else check_range(tpr, "shade_tpr")
    inside = (curve.fpr > left) & (curve.fpr < right)
    x = np.concatenate([[left], curve.fpr[inside], [right]])
    y = np.concatenate([curve.at(left), curve.tpr[inside], [value_before(curve.fpr, curve.tpr, right)]])
    for level in (bottom, top):  # the corners where the curve enters and leaves the range
        crossing = float(curve.fpr_at(level)[0])
        if left < crossing < right:
            at = int(np.searchsorted(x, crossing, side="left"))
            x, y = np.insert(x, at, crossing), np.insert(y, at, level)
    return x, np.full_like(x, bottom), np.clip(y, bottom, top)


def _own_points(curve: RocCurve) -> Ints:
    """Positions of the points that were given: all but the corners, which belong to every curve."""
    corner = (curve.fpr == curve.tpr) & ((curve.fpr == 0) | (curve.fpr == 1))
    return np.flatnonzero(~corner)


def _marks_of_points(curve: RocCurve, ax: Axes) -> Look:
    own = _own_points(curve)
    if curve.thresholds is not None or not 0 < own.size <= MOST_MARKED:
        return {}
    taken = sum(str(line.get_marker()) in MARKS for line in ax.get_lines())
    return {"marker": MARKS[taken % len(MARKS)], "markersize": 3.8, "markevery": own.tolist()}


def _write_points(curve: RocCurve, ax: Axes, labels: bool | Sequence[str]) -> None:
    own = _own_points(curve)
    if curve.thresholds is not None:
        raise InputError("labels", "name ready-made points", Words("a curve of scores"), "write thresholds along it")
    words = [f"({x:.3g}, {y:.3g})" for x, y in zip(curve.fpr[own], curve.tpr[own], strict=True)]
    if not isinstance(labels, bool):
        words = [plain_text(label) for label in labels]
        if len(words) != own.size:
            raise InputError("labels", f"must name {own.size} points", Words(f"{len(words)} names"), "name each")
    # Neighbouring curves write on different sides, so that their words do not meet between them.
    above = sum(str(line.get_marker()) in MARKS for line in ax.get_lines()) % 2 == 0
    look: Look = {"textcoords": "offset points", "fontsize": text_size(ax) - 0.5, "bbox": BACKING, "zorder": 5}
    for x, y, word in zip(curve.fpr[own], curve.tpr[own], words, strict=True):
        left = above and x > _ROOM
        edge = not left and x > 1 - _ROOM  # no room to the right
        side: Look = {"ha": "right" if left else "center" if edge else "left", "va": "bottom" if left else "top"}
        ax.annotate(word, (x, y), (-4 if left else 4, 2 if left else -4 if edge else -2), color=INK, **look, **side)


def _write_thresholds(curve: RocCurve, ax: Axes, wanted: int | Sequence[float], colour: Any) -> None:
    if curve.thresholds is None:
        raise InputError(
            "", "thresholds cannot be written on ready-made points, which have none", way_out="leave them out"
        )
    if isinstance(wanted, int):
        rows = spread_evenly(curve.fpr, curve.tpr, wanted)
        rows = rows[(rows > 0) & (rows < len(curve) - 1)]
        rows = rows[~np.isnan(curve.thresholds[rows])]  # corners of tied scores belong to no threshold
    else:
        falling = curve.sample is None or curve.sample.direction == "higher"
        order = -1.0 if falling else 1.0
        # The vertex that decides like a threshold is the last one whose own threshold it does not pass.
        own = np.where(np.isnan(curve.thresholds), -np.inf, order * curve.thresholds)
        rows = np.searchsorted(own, order * np.asarray(wanted, float), side="right") - 1
    # Every other curve writes on its upper side, so that words of neighbours do not meet between them.
    above = sum(line.get_label() == "_thresholds" for line in ax.get_lines()) % 2 == 1
    side: Look = {"xytext": (-4, 1), "ha": "right", "va": "bottom"} if above else {"xytext": (4, -1), "va": "top"}
    ax.plot(curve.fpr[rows], curve.tpr[rows], "o", markersize=2.6, color=colour, label="_thresholds", zorder=3.5)
    values = curve.thresholds[rows] if isinstance(wanted, int) else np.asarray(wanted, float)
    for x, y, value in zip(curve.fpr[rows], curve.tpr[rows], values, strict=True):
        words: Look = {"textcoords": "offset points", "fontsize": text_size(ax) - 0.5} | side
        ax.annotate(f"{value:.4g}", (x, y), color=INK, bbox=BACKING, zorder=5, **words)


def _mark(point: HasRates, ax: Axes, name: str, marker: str, colour: Any) -> None:
    at = "" if point.threshold is None else f" at {point.threshold:.4g}"
    words = f"{plain_text(name)}{at}: Se {number(point.tpr)}, Sp {number(1 - point.fpr)}"
    face: Look = {"markerfacecolor": "white", "markeredgecolor": colour, "markeredgewidth": 1.1, "markersize": 5}
    face["color"] = colour  # or the mark would take that of the next curve
    ax.plot([point.fpr], [point.tpr], marker=marker, linestyle="none", label=words, zorder=4, **face)


def _draw_box(rectangle: Rectangle, ax: Axes, colour: Any) -> None:
    x, y = rectangle.fpr, rectangle.tpr
    style: Look = {"facecolor": (*to_rgb(PALE), 0.3), "edgecolor": colour, "linewidth": 0.7, "zorder": 1.6}
    ax.add_patch(Box((x.low, y.low), x.high - x.low, y.high - y.low, **style))
