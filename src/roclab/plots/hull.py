"""The joint convex hull of several classifiers, each segment named by the classifier that is best there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes

from roclab.names import ALL_NEGATIVE, ALL_POSITIVE
from roclab.plots.axes import BACKING, drawn_points
from roclab.plots.legend import MOST_NAMED, add_legend
from roclab.plots.roc import roc_axes
from roclab.plots.theme import DASHES, GREY, INK, MARKS, NEW_AXES, PALE, Look, plain_text, text_size, themed

if TYPE_CHECKING:
    from roclab.analysis.hull import BestClassifier
    from roclab.curves.roc import RocCurve
    from roclab.decisions.hull_table import HullTable

__all__ = ["draw_hull", "draw_hulls"]


@themed
def draw_hull(
    table: HullTable,
    ax: Axes = NEW_AXES,
    *,
    curves: Mapping[str, RocCurve] | None = None,
    percent: bool = False,
    slopes: bool = True,
    scenarios: Mapping[str, BestClassifier] | None = None,
    chance: bool = True,
) -> Axes:
    """The hull, its vertices marked by classifier, and the slopes for which each classifier is the best.

    Parameters
    ----------
    table : HullTable
        From ``decisions.hull_table.hull_table`` or ``rl.hull``.
    curves : mapping of names to RocCurve, optional
        The curves under the hull.
    slopes : bool
        Write the range of slopes of each classifier into the legend.
    scenarios : mapping of names to BestClassifier, optional
        What ``rl.classifiers.best_classifier`` finds under different prevalences and costs: the line of equal cost of
        each touches the hull in its best point.

    Of more than 30 classifiers only those that are best somewhere are named.
    """
    roc_axes(ax, percent=percent, chance=chance)
    hull = table.hull
    ax.fill_between(hull.fpr, hull.tpr, color=PALE, alpha=0.25, linewidth=0, zorder=1)
    ax.plot(hull.fpr, hull.tpr, color=PALE, linewidth=3.2, linestyle="-", label="_hull", zorder=2)
    colours: dict[str, Any] = {}
    named = set(table.classifiers)
    if len(named) > MOST_NAMED:
        named = {one.classifier for one in table.ranges}
    for name in table.classifiers:
        if name not in named:
            continue
        (line,) = ax.plot([], [])  # the next colour and dashes, also for points without a curve
        colours[name] = line.get_color()
        if curves is not None and name in curves:  # the line itself, because its dashes cannot be read back
            points = drawn_points(curves[name].points())
            line.set_data(points.x, points.y)
            line.set(label=_words(table, name, slopes), linewidth=1.0, zorder=3)
        else:
            line.remove()
    _draw_others(table, ax, curves or {}, named)
    for at, name in enumerate(name for name in table.classifiers if name in named):
        own: Sequence[Any] = [vertex for vertex in table.vertices if vertex.classifier == name]
        if not own:
            if curves is not None and name in curves:
                continue
            own = table.points_of(name)  # never best, and still one of the classifiers
        edge: Look = {"markeredgecolor": "white", "markeredgewidth": 0.5}
        mark: Look = {"marker": MARKS[at % len(MARKS)], "markersize": 4.2, "linestyle": "none"}
        entry = f"_{name}" if curves is not None and name in curves else _words(table, name, slopes)
        x, y = [one.fpr for one in own], [one.tpr for one in own]
        ax.plot(x, y, color=colours[name], label=entry, zorder=4, **edge, **mark)
    for one in table.vertices:
        if one.classifier in (ALL_NEGATIVE, ALL_POSITIVE) and one.max_slope > one.min_slope:
            _write(ax, one.classifier, one.fpr, one.tpr)
    for at, (name, best) in enumerate((scenarios or {}).items()):
        _draw_scenario(best, ax, plain_text(name), at)
    add_legend(ax)
    return ax


@themed
def draw_hulls(
    hulls: Mapping[str, HullTable],
    ax: Axes = NEW_AXES,
    *,
    percent: bool = False,
    curves: bool = True,
    chance: bool = True,
) -> Axes:
    """Convex hulls of several sets of classifiers, such as detectors, combiners, and both together.

    A set that holds all others is the widest line, below them; the curves themselves are thin and grey.
    """
    roc_axes(ax, percent=percent, chance=chance)
    members = {name: set(table.classifiers) for name, table in hulls.items()}
    whole = [name for name, own in members.items() if all(own > other for key, other in members.items() if key != name)]
    if curves:
        every = {name: curve for table in hulls.values() for name, curve in table.curves.items()}
        for curve in every.values():
            points = drawn_points(curve.points())
            ax.plot(points.x, points.y, color=GREY, linewidth=0.4, alpha=0.5, linestyle="-", zorder=2)
    for name, table in hulls.items():
        hull = table.hull
        look: Look = {"zorder": 3}
        if name in whole and len(hulls) > 1:
            look = {"color": PALE, "linewidth": 4.0, "linestyle": "-", "zorder": 2.5}
        ax.plot(hull.fpr, hull.tpr, label=f"{plain_text(name)}: area {table.area:.4f}", **look)
    add_legend(ax)
    return ax


def _draw_others(table: HullTable, ax: Axes, curves: Mapping[str, RocCurve], named: set[str]) -> None:
    others = [name for name in table.classifiers if name not in named]
    for at, name in enumerate(others):
        entry = f"{len(others)} others: never best" if at == 0 else f"_{name}"
        look: Look = {"color": GREY, "linewidth": 0.4, "alpha": 0.6, "linestyle": "-", "zorder": 2.2}
        if name in curves:
            points = drawn_points(curves[name].points())
            ax.plot(points.x, points.y, label=entry, **look)
        else:
            own = table.points_of(name)
            look |= {"marker": ".", "linestyle": "none"}
            ax.plot([one.fpr for one in own], [one.tpr for one in own], label=entry, **look)


def _draw_scenario(best: BestClassifier, ax: Axes, name: str, at: int) -> None:
    """The line of equal cost through the best point, as long as it is in the square."""
    point, slope = best.best[0], best.slope
    left = max(0.0, point.fpr - point.tpr / slope)
    right = min(1.0, point.fpr + (1 - point.tpr) / slope)
    ends = [left, right] if right > left else [left, left]
    heights = [point.tpr + slope * (x - point.fpr) for x in ends]
    look: Look = {"color": INK, "linewidth": 0.8, "linestyle": DASHES[1 + at % (len(DASHES) - 1)], "zorder": 3.6}
    who = " or ".join(plain_text(one, 24) for one in dict.fromkeys(vertex.classifier for vertex in best.best))
    ax.plot(ends, heights, label=f"{name}: slope {slope:.3g}, {who}", **look)
    ring: Look = {"marker": "o", "markersize": 7, "markerfacecolor": "none", "markeredgecolor": INK, "zorder": 4.5}
    ax.plot([point.fpr], [point.tpr], linestyle="none", label=f"_{name}", **ring)


def _words(table: HullTable, name: str, slopes: bool) -> str:
    ranges = [f"{one.min_slope:.3g} to {one.max_slope:.3g}" for one in table.ranges if one.classifier == name]
    if not slopes:
        return plain_text(name)
    return f"{plain_text(name)}: " + (f"best for slopes {', '.join(ranges)}" if ranges else "never best")


def _write(ax: Axes, words: str, fpr: float, tpr: float) -> None:
    corner = fpr < 0.5
    place: Look = {"xytext": (5, 3) if corner else (-5, -4), "textcoords": "offset points"}
    align: Look = {"ha": "left" if corner else "right", "va": "bottom" if corner else "top"}
    ax.annotate(words, (fpr, tpr), fontsize=text_size(ax) - 0.5, color=INK, bbox=BACKING, zorder=5, **place, **align)
