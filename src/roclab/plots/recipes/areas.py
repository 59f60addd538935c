"""Recipes of areas: forest plots and comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roclab.analysis.area_table import area_table
from roclab.analysis.compare import compare
from roclab.analysis.group_areas import Comparison, differences_of_groups
from roclab.errors import InputError, Words
from roclab.names import Standard
from roclab.options.region import Range
from roclab.options.uncertainty import Resampling
from roclab.plots.canvas import WIDTHS
from roclab.plots.comparison import draw_comparison
from roclab.plots.forest import draw_differences, draw_forest
from roclab.plots.recipes.source import Drawn, Source, areas_of, axes_for
from roclab.plots.theme import rows_ratio

__all__ = ["RECIPES"]


def _comparison(
    source: Source, *, fpr: Range | None = None, tpr: Range | None = None, level: float = 0.95
) -> Comparison:
    """Of scores on the same cases, or of groups with one score."""
    if source.data.groups is None:
        return compare(source.data, level=level, fpr=fpr, tpr=tpr)
    found = differences_of_groups(source.data, level=level, fpr=fpr, tpr=tpr)
    if found is None:
        raise InputError("by", "must make two to twelve groups with both classes for this figure", Words("others"))
    return found


def _draw_forest(
    source: Source,
    *,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standardize: Standard | None = None,
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> Drawn:
    null = None if fpr is not None or tpr is not None else 0.5
    asked: dict[str, Any] = {
        "fpr": fpr,
        "tpr": tpr,
        "standardize": standardize,
        "level": level,
        "resampling": resampling,
    }
    if source.data.groups is not None:
        groups: Any = area_table(source.data, rng=rng, **asked)
        ax = axes_for(source, ratio=rows_ratio(len(groups) + 1, WIDTHS[source.size]))
        return draw_forest(groups, ax, null=null), (groups,)
    areas = areas_of(source, rng=rng, **asked)
    ax = axes_for(source, ratio=rows_ratio(len(areas), WIDTHS[source.size]))
    return draw_forest(areas.estimates, ax, null=null), (areas,)


def _draw_comparison(
    source: Source, *, fpr: Range | None = None, tpr: Range | None = None, level: float = 0.95
) -> Drawn:
    found = _comparison(source, fpr=fpr, tpr=tpr, level=level)
    return draw_comparison(found, axes_for(source, ratio=0.9 if source.size == "single" else 0.6)), (found,)


def _draw_differences(
    source: Source, *, fpr: Range | None = None, tpr: Range | None = None, level: float = 0.95
) -> Drawn:
    found = _comparison(source, fpr=fpr, tpr=tpr, level=level)
    return draw_differences(found, axes_for(source, ratio=rows_ratio(len(found.pairs), WIDTHS[source.size]))), (found,)


RECIPES: dict[str, Callable[..., Drawn]] = {
    "forest": _draw_forest,
    "comparison": _draw_comparison,
    "differences": _draw_differences,
}
