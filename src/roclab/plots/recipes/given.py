"""Recipes of formulas: what is drawn from parameters alone."""

from __future__ import annotations

from collections.abc import Callable

from roclab.analysis.given_curves import exponential_family, penalty_surface
from roclab.errors import InputError, named
from roclab.plots.clusters import draw_penalty
from roclab.plots.legend import many_curves
from roclab.plots.recipes.source import Drawn, Source, axes_for, new_names
from roclab.plots.smooth import draw_smooth

__all__ = ["RECIPES"]


def _draw_exponential(source: Source, *, percent: bool = False) -> Drawn:
    _check_alone(source)
    curves = exponential_family(source.data)
    if source.names is not None:
        new = new_names(list(curves), source.names)
        curves = {new[name]: one for name, one in curves.items()}
    ax = axes_for(source)
    with many_curves(ax, len(curves)):
        for name, one in curves.items():
            draw_smooth(one, ax, label=name, percent=percent)
    return ax, tuple(curves.values())


def _draw_penalty(source: Source) -> Drawn:
    _check_alone(source)
    if isinstance(source.data, bool | str) or not hasattr(source.data, "__float__"):
        rule = f"{named('figure', 'penalty')} is drawn from the exponent of the memberships"
        raise InputError("", rule, source.data, "write figure('penalty', 2)")
    found = penalty_surface(float(source.data))
    return draw_penalty(found, axes_for(source)), (found,)


def _check_alone(source: Source) -> None:
    """Refuse the keywords of data, of which there are none."""
    for name, value in source.keywords.items():
        if value is not None:
            word = "y_score" if name == "scores" else name
            raise InputError(
                word, f"has no part in {named('figure', source.figure)}, which needs no data", way_out="leave it out"
            )


RECIPES: dict[str, Callable[..., Drawn]] = {"exponential": _draw_exponential, "penalty": _draw_penalty}
