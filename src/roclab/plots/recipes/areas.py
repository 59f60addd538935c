"""Recipes of areas: forest plots and comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roclab.analysis.area_table import area_table
from roclab.analysis.compare import compare
from roclab.analysis.group_areas import Comparison, differences_of_groups
from roclab.errors import InputError, Words
from roclab.plots.canvas import WIDTHS
from roclab.plots.comparison import draw_comparison
from roclab.plots.forest import draw_differences, draw_forest
from roclab.plots.recipes.request import Drawn, Request, areas_of, axes_for

__all__ = ["RECIPES"]


def _comparison(request: Request) -> Comparison:
    """Of scores on the same cases, or of groups with one score."""
    if request.data.groups is None:
        return compare(request.data, level=request.level, fpr=request.fpr, tpr=request.tpr)
    found = differences_of_groups(request.data, level=request.level, fpr=request.fpr, tpr=request.tpr)
    if found is None:
        raise InputError("by", "must make two to twelve groups with both classes for this figure", Words("others"))
    return found


def _draw_forest(request: Request) -> Drawn:
    null = None if request.fpr is not None or request.tpr is not None else 0.5
    if request.data.groups is not None:
        part: dict[str, Any] = {"fpr": request.fpr, "tpr": request.tpr, "standard": request.standard}
        drawn: dict[str, Any] = {"resampling": request.resampling, "rng": request.rng}
        groups: Any = area_table(request.data, level=request.level, **part, **drawn)
        ax = axes_for(request, ratio=_rows_ratio(request, len(groups) + 1))
        return draw_forest(groups, ax, null=null), (groups,)
    areas = areas_of(request, region=True)
    ax = axes_for(request, ratio=_rows_ratio(request, len(areas)))
    return draw_forest(areas.estimates, ax, null=null), (areas,)


def _draw_comparison(request: Request) -> Drawn:
    found = _comparison(request)
    return draw_comparison(found, axes_for(request, ratio=0.9 if request.size == "single" else 0.6)), (found,)


def _draw_differences(request: Request) -> Drawn:
    found = _comparison(request)
    return draw_differences(found, axes_for(request, ratio=_rows_ratio(request, len(found.pairs)))), (found,)


def _rows_ratio(request: Request, rows: int) -> float:
    """Height per width of a figure with so many rows of text."""
    return (18 + 6 * rows) / WIDTHS[request.size]


RECIPES: dict[str, Callable[[Request], Drawn]] = {
    "forest": _draw_forest,
    "comparison": _draw_comparison,
    "differences": _draw_differences,
}
