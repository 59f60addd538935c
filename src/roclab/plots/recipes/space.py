"""Recipes of ROC space: hull, Pareto front, who leads where, combinations of classifiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roclab.analysis.hull import best_classifier, hull
from roclab.analysis.points import dominance, pareto_front
from roclab.errors import InputError
from roclab.plots.dominance import draw_crossings, draw_pareto
from roclab.plots.hull import draw_hull
from roclab.plots.recipes.request import Drawn, Request, axes_for, rocs_of

__all__ = ["RECIPES"]


def _curves(request: Request) -> dict[str, Any]:
    return {name: one.curve for name, one in rocs_of(request).items()}


def _draw_hull(request: Request) -> Drawn:
    shown, found = _curves(request), dict(rocs_of(request))
    table = hull(found)
    scenarios = {}
    for name, values in (request.scenarios or {}).items():
        if len(values) != 3:
            raise InputError(
                "scenarios", "must give prevalence, cost of a false positive and of a false negative", values,
                "write {'screening': (0.01, 1, 50)}",
            )  # fmt: skip
        prevalence, cost_fp, cost_fn = values
        scenarios[name] = best_classifier(found, prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn)
    ax = draw_hull(table, axes_for(request), curves=shown, scenarios=scenarios, percent=request.percent)
    return ax, (table, *scenarios.values())


def _draw_pareto(request: Request) -> Drawn:
    found = pareto_front(dict(rocs_of(request)))
    return draw_pareto(found, axes_for(request), curves=_curves(request), percent=request.percent), (found,)


def _draw_crossings(request: Request) -> Drawn:
    found = dominance(dict(rocs_of(request)))
    return draw_crossings(found, axes_for(request), curves=_curves(request), percent=request.percent), (found,)


RECIPES: dict[str, Callable[[Request], Drawn]] = {
    "hull": _draw_hull,
    "pareto": _draw_pareto,
    "crossings": _draw_crossings,
}
