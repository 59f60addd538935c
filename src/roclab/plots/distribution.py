"""Scores of both classes: histogram, density, or one dot per case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from matplotlib.axes import Axes

from roclab._core.checks import check_choice, in_full, plural
from roclab.analysis.distribution import class_densities, histogram, score_distribution
from roclab.errors import InputError, Words, named
from roclab.names import DISTRIBUTIONS, DistributionKind
from roclab.plots.axes import BACKING
from roclab.plots.legend import add_legend
from roclab.plots.roc import HasRates
from roclab.plots.score_axis import check_drawable, draw_cutoff, score_axis
from roclab.plots.theme import COLOURS, GREY, INK, NEW_AXES, Look, plain_text, text_size, themed_with
from roclab.plots.words import number

if TYPE_CHECKING:
    from roclab.data.tally import Tally

__all__ = ["draw_distribution"]

MOST_DOTS = 5000
MOST_ROWS = 80  # distinct scores with a row of dots each; more share rows
_LOOKS: tuple[dict[str, Any], ...] = (  # negatives, positives: colour, hatch and dashes each suffice alone
    {"colour": COLOURS[0], "hatch": None, "dashes": "-", "alpha": 0.30, "mark": "o"},
    {"colour": COLOURS[3], "hatch": "////", "dashes": (0, (4, 1.5)), "alpha": 0.22, "mark": "^"},
)


@themed_with(ratio=0.75)
def draw_distribution(
    tally: Tally,
    ax: Axes = NEW_AXES,
    *,
    kind: DistributionKind = "histogram",
    bins: int | None = None,
    cutoff: float | None = None,
    point: HasRates | None = None,
    heights: Literal["share", "density"] = "share",
    log: bool = False,
) -> Axes:
    """How the scores of the positives and of the negatives are distributed.

    Parameters
    ----------
    tally : Tally
        ``Roc.tally``.
    kind : "histogram", "density" or "dots"
        Share of each class per bin; kernel density (K1); or one dot per case in two columns (a dot diagram).
    bins : int, optional
        Bins of the histogram; by default as ``curves.distribution.score_distribution`` chooses them.
    cutoff : float, optional
        A threshold to mark.
    point : operating point, optional
        What ``Roc.at`` or ``Roc.cutoff`` find: marked as a threshold, with sensitivity and specificity beside the dots.
    heights : "share" or "density"
        Of histogram bars: share of the class, or density, over which fitted densities can be drawn. Bins that differ
        in width, those of ratings with gaps, are drawn as densities, so that areas are shares.
    log : bool
        A logarithmic axis of scores, which then must be above 0.

    Notes
    -----
    Infinite scores have no place on the axis: they are left out, and a line says how many.
    """
    check_choice(kind, "kind", DISTRIBUTIONS)
    shown = tally.shown(tally.score)
    check_drawable(shown)
    finite = np.isfinite(shown)
    if not finite.any():
        raise InputError(
            "score", "must have finite values to be drawn", Words("infinite ones only"), "check the column"
        )
    if log and not np.all(shown[finite] > 0):
        raise InputError(
            "log",
            "needs scores above 0",
            Words(f"{shown[finite].min():g} as the smallest"),
            "leave it out for this score",
        )
    sample = tally.sample
    words = (
        f"{plain_text(sample.negative)} (n = {in_full(sample.n_neg)})",
        f"{plain_text(sample.positive)} (n = {in_full(sample.n_pos)})",
    )
    upright = kind == "dots"
    if point is not None:
        cutoff = point.threshold
    if kind == "histogram":
        _draw_histogram(tally, ax, words, bins, log, heights == "density")
    elif kind == "density":
        _draw_densities(tally, ax, words, log)
    else:
        _draw_dots(tally, ax, words)
    score_axis(ax, sample, log=log, upright=upright)
    if not upright:
        ax.set_ylim(0, 1.3 * ax.get_ylim()[1])  # room for the legend
    if cutoff is not None:
        draw_cutoff(ax, cutoff, upright=upright)
    if point is not None and upright:
        _write_rates(point, ax, lower=sample.direction == "lower")
    lost = float((tally.pos + tally.neg)[~finite].sum())
    if lost:
        note: Look = {"va": "bottom", "fontsize": text_size(ax), "color": GREY, "transform": ax.transAxes}
        ax.text(0.01, 1.0, f"{plural(lost, 'infinite score')} not shown", **note)
    add_legend(ax, corner="upper left" if upright else "upper right")
    return ax


def _write_rates(point: HasRates, ax: Axes, *, lower: bool) -> None:
    """Sensitivity on the side of the cut-off where positives are called, specificity on the other, beside the dots."""
    for words, called in ((f"Sp {number(1 - point.fpr)}", False), (f"Se {number(point.tpr)}", True)):
        above = called != lower
        place: Look = {"xytext": (0, 3 if above else -3), "textcoords": "offset points"}
        place |= {"ha": "right" if called else "left"}
        place |= {"va": "bottom" if above else "top", "fontsize": text_size(ax), "bbox": BACKING, "zorder": 6}
        ax.annotate(words, (1.53 if called else -0.53, float(point.threshold or 0.0)), color=INK, **place)


def _draw_histogram(
    tally: Tally, ax: Axes, words: tuple[str, str], bins: int | None, log: bool, densities: bool
) -> None:
    found = histogram(tally, bins=bins, log=log)
    edges = found.edges
    wide = np.diff(np.log(edges) if log else edges)
    if not densities:
        # Areas must be shares of the class: where bins differ in width, as those of a few ratings may, so must heights.
        alike = bool(np.allclose(wide, wide[0], rtol=1e-6))
        wide = np.ones_like(wide) if alike else wide
        densities = not alike
    totals = (tally.n_neg * wide, tally.n_pos * wide)
    for counts, total, name, look in zip((found.neg, found.pos), totals, words, _LOOKS, strict=True):
        colour = look["colour"]
        face: Look = {"facecolor": colour, "edgecolor": colour, "alpha": look["alpha"], "hatch": look["hatch"]}
        ax.stairs(counts / total, edges, fill=True, linewidth=0, label=name, zorder=2, **face)
        ax.stairs(counts / total, edges, color=colour, linewidth=1.0, linestyle=look["dashes"], zorder=3)
    density = "Density of the logarithm" if log else "Density"
    ax.set_ylabel(density if densities else "Share of the class")


def _draw_densities(tally: Tally, ax: Axes, words: tuple[str, str], log: bool) -> None:
    found = class_densities(tally, log=log)
    for name, look, height in zip(words, _LOOKS, (found.neg, found.pos), strict=True):
        ax.fill_between(found.x, height, color=look["colour"], alpha=look["alpha"] * 0.6, linewidth=0, zorder=2)
        ax.plot(found.x, height, color=look["colour"], linestyle=look["dashes"], label=name, zorder=3)
    ax.set_ylabel("Density of the logarithm" if log else "Density")


def _draw_dots(tally: Tally, ax: Axes, words: tuple[str, str]) -> None:
    """Dots of one row lie side by side around the middle of their column, as many as there are cases."""
    if tally.weighted:
        raise InputError(
            "", "a dot is one case", Words("importance weights"), f"draw {named('kind', 'histogram')} instead"
        )
    if max(tally.n_pos, tally.n_neg) > MOST_DOTS:
        raise InputError(
            "",
            f"dots show at most {MOST_DOTS:,} cases of a class",
            Words(f"{max(tally.n_pos, tally.n_neg):,}"),
            f"draw {named('kind', 'density')} instead",
        )
    shape = score_distribution(tally)
    medians = [one.quartiles[1] for one in (shape.classes[1], shape.classes[0])]
    finite = np.isfinite(tally.score)
    values = tally.shown(tally.score)[finite]
    rows = np.arange(values.size)
    if values.size > MOST_ROWS:
        rows = np.clip(np.searchsorted(shape.edges, values, side="right") - 1, 0, shape.edges.size - 2)
    for column, (counts, look) in enumerate(zip((tally.neg, tally.pos), _LOOKS, strict=True)):
        each = np.repeat(np.arange(values.size), counts[finite])
        each = each[np.lexsort((values[each], rows[each]))]
        row = rows[each]
        sizes = np.bincount(row, minlength=rows.max(initial=0) + 1)
        rank = np.arange(row.size) - (np.cumsum(sizes) - sizes)[row]
        step = min(0.045, 0.9 / max(int(sizes.max()), 1))
        # From the middle outwards, right and left in turn; a row of an even number is moved by half a dot.
        side = np.where(rank % 2 == 1, 1, -1) * ((rank + 1) // 2) - np.where(sizes[row] % 2 == 0, 0.5, 0.0)
        face: Look = {"markersize": min(2.6, 60 * step), "markerfacecolor": "none", "markeredgecolor": look["colour"]}
        ax.plot(column + step * side, values[each], look["mark"], markeredgewidth=0.6, label="_dots", zorder=3, **face)
        bar: Look = {"color": INK, "linewidth": 1.0, "linestyle": "-", "label": "median" if column == 0 else "_median"}
        if np.isfinite(medians[column]):
            ax.plot([column - 0.32, column + 0.32], [medians[column]] * 2, zorder=4, **bar)
    ax.set_xticks([0, 1], list(words))
    ax.set_xlim(-0.55, 1.55)
