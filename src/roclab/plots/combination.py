"""AND and OR of classifiers, and the classifier between two others: where they can end up in ROC space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from roclab.plots.axes import BACKING
from roclab.plots.legend import add_legend
from roclab.plots.roc import roc_axes
from roclab.plots.theme import COLOURS, INK, MARKS, NEW_AXES, Look, plain_text, text_size, themed
from roclab.plots.words import number

if TYPE_CHECKING:
    from roclab.combining.boolean import Combination
    from roclab.combining.interpolate import CoinFlip

__all__ = ["draw_combination"]

_LOOKS = {"and": (COLOURS[5], "////"), "or": (COLOURS[3], "\\\\\\\\")}


@themed
def draw_combination(
    combinations: Iterable[Combination],
    ax: Axes = NEW_AXES,
    *,
    names: Sequence[str] = (),
    between: CoinFlip | None = None,
    percent: bool = False,
    chance: bool = True,
) -> Axes:
    """The single classifiers, and for AND and OR the rectangle that holds them whatever the dependence (Fréchet).

    Parameters
    ----------
    combinations : Combination, one or more of the same classifiers
        ``rl.classifiers.combine(…).combination``; the point of independent errors and, where it was measured, the
        real one are marked in each rectangle.
    names : sequence of str, optional
        Names of the classifiers.
    between : CoinFlip, optional
        From ``rl.classifiers.interpolate``: the point on the line between two classifiers that a coin reaches.
    """
    roc_axes(ax, percent=percent, chance=chance)
    every = list(combinations)
    points = every[0].points if every else ((between.first, between.second) if between is not None else ())
    shown = [plain_text(name) for name in names] or [f"classifier {at + 1}" for at in range(len(points))]
    for at, ((fpr, tpr), name) in enumerate(zip(points, shown, strict=True)):
        mark: Look = {"marker": MARKS[at % len(MARKS)], "markersize": 5, "linestyle": "none", "zorder": 5}
        ax.plot([fpr], [tpr], color=COLOURS[at % 3], label=f"_{name}", **mark)
        _write(ax, name, fpr, tpr)
    for one in every:
        _draw_bounds(one, ax)
    if between is not None:
        (x0, y0), (x1, y1) = between.first, between.second
        ax.plot([x0, x1], [y0, y1], color=INK, linewidth=0.9, linestyle="-", label="_between", zorder=3)
        words = f"coin at {number(between.fpr)}: TPR {number(between.tpr)}, second with {number(between.share)}"
        ring: Look = {"marker": "o", "markerfacecolor": "white", "markeredgecolor": INK, "markersize": 5}
        ax.plot([between.fpr], [between.tpr], linestyle="none", label=words, zorder=5, **ring)
    add_legend(ax)
    return ax


def _draw_bounds(one: Combination, ax: Axes) -> None:
    colour, hatch = _LOOKS[one.operation]
    (left, right), (bottom, top) = one.fpr_bounds, one.tpr_bounds
    word = one.operation.upper()
    face: Look = {"facecolor": colour, "alpha": 0.18, "linewidth": 0, "zorder": 1.5}
    ax.add_patch(Rectangle((left, bottom), right - left, top - bottom, label=f"{word}: all it can be", **face))
    rim: Look = {"facecolor": "none", "edgecolor": colour, "linewidth": 0.8, "hatch": hatch, "zorder": 1.6}
    ax.add_patch(Rectangle((left, bottom), right - left, top - bottom, label=f"_{word}", **rim))
    fpr, tpr = one.independent
    words = f"{word} if independent: {number(fpr)}, {number(tpr)}"
    mark: Look = {"marker": "x", "markersize": 5, "markeredgewidth": 1.4, "linestyle": "none", "zorder": 4}
    ax.plot([fpr], [tpr], color=colour, label=words, **mark)
    if one.actual is not None:
        rates = one.actual.metrics()
        words = f"{word} measured: {number(rates['fpr'])}, {number(rates['tpr'])}"
        mark |= {"marker": "*", "markersize": 7, "markeredgewidth": 0.5, "markeredgecolor": "white"}
        ax.plot([rates["fpr"]], [rates["tpr"]], color=colour, label=words, **mark)


def _write(ax: Axes, words: str, fpr: float, tpr: float) -> None:
    right = fpr > 0.7
    place: Look = {"xytext": (-5 if right else 5, -3), "textcoords": "offset points", "va": "top"}
    place |= {"ha": "right" if right else "left", "fontsize": text_size(ax), "bbox": BACKING, "zorder": 6}
    ax.annotate(words, (fpr, tpr), color=INK, **place)
