"""Recipes of ROC space: hull, Pareto front, who leads where, combinations of classifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roclab.analysis.combine import combine, interpolate
from roclab.analysis.costs import lc_index
from roclab.analysis.hull import best_classifier, hull
from roclab.analysis.points import dominance, pareto_front
from roclab.errors import InputError, Words, named
from roclab.names import OPERATIONS
from roclab.plots.combination import draw_combination
from roclab.plots.dominance import draw_crossings, draw_pareto
from roclab.plots.hull import draw_hull
from roclab.plots.lc_index import draw_lc_index
from roclab.plots.recipes.request import Drawn, Request, axes_for, new_names, rocs_of

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


def _draw_lc(request: Request) -> Drawn:
    if request.shares is None or request.prevalence is None:
        raise InputError(
            "shares", f"and {named('prevalence')} say which costs are plausible", Words("none"),
            "give smallest, likeliest and largest share of a false positive in both costs",
        )  # fmt: skip
    found = lc_index(dict(rocs_of(request)), prevalence=request.prevalence, shares=request.shares)
    ratio = 0.42 + 0.14 * len(found.pairs)
    return draw_lc_index(found.pairs, axes_for(request, ratio=ratio)), (found,)


def _draw_combination(request: Request) -> Drawn:
    data, keywords = request.data, dict(request.keywords)
    scores = keywords.pop("scores", None)
    asked: dict[str, Any] = {name: value for name, value in keywords.items() if value is not None}
    if scores is None and isinstance(data, Mapping) and not asked:
        points = {str(name): _point(str(name), one) for name, one in data.items()}
        found = [combine(points, operation=operation) for operation in OPERATIONS]
        names = list(points)
    else:
        if scores is not None:  # arrays, as one table with the labels
            data = {"label": data, **(scores if isinstance(scores, Mapping) else {"score": scores})}
            asked |= {"label": "label", "score": [name for name in data if name != "label"]}
        cuts = list(request.at_threshold)
        found = [combine(data, operation=operation, thresholds=cuts, **asked) for operation in OPERATIONS]
        names = list(found[0].classifiers)
    if request.names is not None:
        names = list(new_names(names, request.names).values())
    between = None
    if request.at_fpr is not None:
        both = found[0].combination.points
        if len(both) != 2:
            raise InputError("at_fpr", "lies between two classifiers", Words(f"{len(both)}"), "name two")
        between = interpolate(both[0], both[1], fpr=request.at_fpr)
    drawn = [one.combination for one in found]
    ax = draw_combination(drawn, axes_for(request), names=names, between=between, percent=request.percent)
    return ax, (*found, *(() if between is None else (between,)))


def _point(name: str, one: Any) -> tuple[float, float]:
    """A pair of rates, or the one point of a curve through ready-made points."""
    if not hasattr(one, "curve"):
        fpr, tpr = one
        return float(fpr), float(tpr)
    if len(one.curve) != 3:
        raise InputError(
            "", f"{name} must have one point to be combined", Words(f"{len(one.curve) - 2}"), "choose one of them"
        )
    return float(one.curve.fpr[1]), float(one.curve.tpr[1])


RECIPES: dict[str, Callable[[Request], Drawn]] = {
    "hull": _draw_hull,
    "pareto": _draw_pareto,
    "crossings": _draw_crossings,
    "lc": _draw_lc,
    "combination": _draw_combination,
}
