"""Which points nobody beats, who leads at which false positive rates, and where curves cross."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes

from roclab.errors import InputError, Words
from roclab.plots.axes import BACKING
from roclab.plots.legend import MOST_NAMED, add_legend, many_curves, one_legend
from roclab.plots.roc import draw_roc, roc_axes
from roclab.plots.theme import COLOURS, GREY, INK, MARKS, NEW_AXES, PALE, Look, plain_text, text_size, themed

if TYPE_CHECKING:
    from roclab.curves.roc import RocCurve
    from roclab.decisions.dominance import Dominance, ParetoFront

__all__ = ["draw_crossings", "draw_pareto", "draw_paretos"]

MOST_CROSSED = 12  # curves whose crossings are told apart
MOST_RINGS = 30  # crossings with a ring; more are dots
_STRIP = 0.045  # height of the strip that names the leader, as a share of the axes


@themed
def draw_pareto(
    front: ParetoFront,
    ax: Axes = NEW_AXES,
    *,
    curves: Mapping[str, RocCurve] | None = None,
    percent: bool = False,
    chance: bool = True,
) -> Axes:
    """The points that no other beats, joined by steps, above the points that others beat.

    Parameters
    ----------
    front : ParetoFront
        From ``rl.classifiers.pareto_front``.
    curves : mapping of names to RocCurve, optional
        All points of the classifiers, small and pale where they are beaten.
    """
    roc_axes(ax, percent=percent, chance=chance)
    for name, curve in (curves or {}).items():
        faint: Look = {"marker": ".", "markersize": 2.5, "linestyle": "none", "color": PALE, "zorder": 2}
        ax.plot(curve.fpr[1:-1], curve.tpr[1:-1], label=f"_{name}", **faint)
    x = [0.0, *(point.fpr for point in front.points), 1.0]
    y = [0.0, *(point.tpr for point in front.points), 1.0]
    step: Look = {"drawstyle": "steps-post", "color": GREY, "linewidth": 0.8, "linestyle": "-", "zorder": 2.5}
    ax.plot(x, y, label="_front", **step)
    names = list(front.beaten)
    if len(names) > MOST_NAMED:
        on_front = {point.classifier for point in front.points}
        names = [name for name in names if name in on_front][:MOST_NAMED]
    for at, name in enumerate(names):
        own = [point for point in front.points if point.classifier == name]
        words = f"{plain_text(name)}: {len(own)} on the front, {front.beaten[name]} beaten"
        mark: Look = {"marker": MARKS[at % len(MARKS)], "markersize": 4, "markeredgecolor": "white"}
        mark |= {"color": COLOURS[at % len(COLOURS)], "markeredgewidth": 0.5, "linestyle": "none", "zorder": 4}
        ax.plot([one.fpr for one in own], [one.tpr for one in own], label=words, **mark)
    add_legend(ax)
    return ax


@themed
def draw_paretos(
    fronts: Mapping[str, ParetoFront],
    ax: Axes = NEW_AXES,
    *,
    curves: Mapping[str, RocCurve] | None = None,
    percent: bool = False,
    chance: bool = True,
) -> Axes:
    """Fronts of several sets of classifiers in one figure, each with steps, marks and an entry of its own.

    Parameters
    ----------
    fronts : mapping of names to ParetoFront
        From ``rl.classifiers.pareto_front``, by the names of the sets.
    curves : as in :func:`draw_pareto`
    """
    roc_axes(ax, percent=percent, chance=chance)
    for name, curve in (curves or {}).items():
        faint: Look = {"marker": ".", "markersize": 2.5, "linestyle": "none", "color": PALE, "zorder": 2}
        ax.plot(curve.fpr[1:-1], curve.tpr[1:-1], label=f"_{name}", **faint)
    with many_curves(ax, len(fronts)):
        for at, (name, front) in enumerate(fronts.items()):
            x = [0.0, *(point.fpr for point in front.points), 1.0]
            y = [0.0, *(point.tpr for point in front.points), 1.0]
            words = f"{plain_text(name)}: {len(front.points)} on the front, {sum(front.beaten.values())} beaten"
            mark: Look = {"marker": MARKS[at % len(MARKS)], "markersize": 3.8, "markevery": slice(1, -1)}
            ax.plot(x, y, drawstyle="steps-post", linewidth=1.0, label=words, zorder=3, **mark)
        add_legend(ax)
    return ax


@themed
def draw_crossings(
    found: Dominance,
    ax: Axes = NEW_AXES,
    *,
    curves: Mapping[str, RocCurve],
    percent: bool = False,
    chance: bool = True,
    **options: Any,
) -> Axes:
    """Curves, the points where they change places, and a strip along the bottom in the colour of who leads.

    Parameters
    ----------
    found : Dominance
        From ``rl.classifiers.dominance``.
    curves : mapping of names to RocCurve
        The curves that were compared.
    options
        As in :func:`~roclab.plots.roc.draw_roc`.
    """
    if len(curves) > MOST_CROSSED:
        raise InputError(
            "curves", f"must be at most {MOST_CROSSED} to be told apart", Words(f"{len(curves)}"), "name fewer"
        )
    with one_legend(ax):
        strips: dict[str, Look] = {}  # hatched where another curve has the colour already
        for name, curve in curves.items():
            draw_roc(curve, ax, label=name, percent=percent, chance=chance, **options)
            colour = next(line for line in reversed(ax.get_lines()) if line.get_gid() is None).get_color()
            taken = any(one["facecolor"] == colour for one in strips.values())
            strips[name] = {"facecolor": colour, "hatch": "////" if taken else None}
        # The step from one leader to the next is drawn once for each pair, so the same place may come twice.
        places = sorted({(one.fpr, one.tpr) for some in found.crossings.values() for one in some})
        if places:
            ring: Look = {
                "marker": "o",
                "markersize": 6 if len(places) <= MOST_RINGS else 2.5,
                "markerfacecolor": "none",
                "markeredgecolor": INK,
            }
            words = f"{len(places)} {'crossing' if len(places) == 1 else 'crossings'}"
            x, y = zip(*places, strict=True)
            ax.plot(x, y, linestyle="none", label=words, zorder=5, **ring)
        for one in found.leads:
            leader: Look = {"facecolor": PALE} if len(one.leaders) > 1 else strips[one.leaders[0]]
            strip: Look = {"edgecolor": "white", "linewidth": 0.3, "zorder": 1, "gid": "lead"} | leader
            ax.axvspan(one.low, one.high, 0.0, _STRIP, **strip)
            if one.high - one.low > 0.12:
                who = plain_text(one.leaders[0], 14) if len(one.leaders) == 1 else "equal"
                look: Look = {"ha": "center", "va": "bottom", "fontsize": text_size(ax) - 0.5, "zorder": 5}
                middle = (one.low + one.high) / 2
                ax.text(middle, 0.045, who, color=INK, bbox=BACKING, **look)
        add_legend(ax, corner="below")  # the strip takes the lower corners
    return ax
