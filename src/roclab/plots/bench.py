"""Figures of a classifier bench: its curves and areas, and the hulls of detectors and combiners in one picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes

from roclab._core.checks import check_choice
from roclab.names import BENCH_FIGURES, BenchFigure
from roclab.plots.axes import drawn_points
from roclab.plots.by_name import Picture, figure, picture_of
from roclab.plots.canvas import new_axes
from roclab.plots.legend import add_legend
from roclab.plots.roc import roc_axes
from roclab.plots.theme import GREY, PALE, Look, plain_text, themed

if TYPE_CHECKING:
    from roclab.analysis.bench.result import Bench
    from roclab.decisions.hull_table import HullTable

__all__ = ["draw_hulls", "plot_bench"]


def plot_bench(bench: Bench, kind: BenchFigure = "roc", **options: Any) -> Picture:
    """Draw a figure of all models.

    "roc", "troc", "precision_recall", "det", "cost", "distribution", "comparison", "differences", "forest" and "hull"
    are the figures of the same name over all out-of-fold scores; "hulls" compares the hulls of the detectors, of their
    combinations, and of both; "folds" averages the curves of the splits of one ``model``, by default the first.
    """
    check_choice(kind, "kind", BENCH_FIGURES)
    if kind == "hulls":
        tables = bench.hulls()
        ax = draw_hulls(tables, new_axes(), **options)
        return picture_of("hulls", ax, tuple(tables.values()))
    if kind == "folds":
        model = bench.known(options.pop("model", bench.models[0]))
        return figure("average", bench.fold_scores(model), **options)
    name: Any = {"precision_recall": "pr"}.get(kind, kind)
    return figure(name, bench.scores, **options)


@themed
def draw_hulls(
    hulls: Mapping[str, HullTable], ax: Axes, *, percent: bool = False, curves: bool = True, chance: bool = True
) -> Axes:
    """Convex hulls of several sets of classifiers, such as detectors, combiners, and both together.

    The hull of all is the widest line, below the others; the curves themselves are thin and grey.
    """
    roc_axes(ax, percent=percent, chance=chance)
    largest = max(hulls, key=lambda name: len(hulls[name].classifiers))
    if curves:
        for curve in hulls[largest].curves.values():
            points = drawn_points(curve.points())
            ax.plot(points.x, points.y, color=GREY, linewidth=0.4, alpha=0.5, linestyle="-", zorder=2)
    for name, table in hulls.items():
        hull = table.hull
        look: Look = {"zorder": 3}
        if name == largest and len(hulls) > 1:
            look = {"color": PALE, "linewidth": 4.0, "linestyle": "-", "zorder": 2.5}
        ax.plot(hull.fpr, hull.tpr, label=f"{plain_text(name)}: area {table.area:.4f}", **look)
    add_legend(ax)
    return ax
