"""The recipe of every figure: what it asks the question layer for, and which function draws it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from roclab.plots.recipes import areas, curves, given, rates, readers, scores, space
from roclab.plots.recipes.source import Drawn, Names, Source, renamed

__all__ = ["RECIPES", "Names", "Source", "renamed"]

RECIPES: Mapping[str, Callable[..., Drawn]] = {
    **curves.RECIPES,
    **space.RECIPES,
    **scores.RECIPES,
    **areas.RECIPES,
    **rates.RECIPES,
    **readers.RECIPES,
    **given.RECIPES,
}
