"""Recipes of ROC space: hull, Pareto front, who leads where, combinations of classifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from roclab.analysis.combine import combine, interpolate
from roclab.analysis.costs import lc_index
from roclab.analysis.hull import best_classifier, hull
from roclab.analysis.points import dominance, pareto_front
from roclab.errors import InputError, Words, named
from roclab.names import OPERATIONS
from roclab.plots.combination import draw_combination
from roclab.plots.dominance import draw_crossings, draw_pareto, draw_paretos
from roclab.plots.hull import draw_hull, draw_hulls
from roclab.plots.lc_index import draw_lc_index
from roclab.plots.recipes.source import Drawn, Source, axes_for, new_names, rocs_of
from roclab.results import Several

__all__ = ["RECIPES"]


def _curves(source: Source) -> dict[str, Any]:
    return {name: one.curve for name, one in rocs_of(source).items()}


Sets: TypeAlias = Mapping[str, Sequence[str]] | str


def _sets_of(found: Mapping[str, Any], sets: Sets) -> dict[str, dict[str, Any]]:
    """The classifiers of every set, by the names of the sets."""
    if sets == "each":
        return {name: {name: one} for name, one in found.items()}
    if not isinstance(sets, Mapping) or not sets:
        raise InputError("sets", "must map names to classifiers, or be 'each'", sets, "write {'early': ['a', 'b']}")
    chosen: dict[str, dict[str, Any]] = {}
    for title, members in sets.items():
        names = [members] if isinstance(members, str) else list(members)
        unknown = [name for name in names if name not in found]
        if unknown or not names:
            raise InputError("sets", f"must be made of {', '.join(found)}", Words(f"{unknown or 'none'} in {title!r}"))
        chosen[str(title)] = {name: found[name] for name in names}
    return chosen


def _draw_hull(
    source: Source,
    *,
    scenarios: Mapping[str, Sequence[float]] | None = None,
    sets: Sets | None = None,
    percent: bool = False,
) -> Drawn:
    shown, found = _curves(source), dict(rocs_of(source))
    if sets is not None:
        if scenarios:
            raise InputError("scenarios", "touch the joint hull, and there are several", Words("both"), "leave one out")
        tables = {name: hull(members) for name, members in _sets_of(found, sets).items()}
        return draw_hulls(tables, axes_for(source), percent=percent), (Several(results=tables),)
    table = hull(found)
    found_in = {}
    for name, values in (scenarios or {}).items():
        if len(values) != 3:
            raise InputError(
                "scenarios", "must give prevalence, cost of a false positive and of a false negative", values,
                "write {'screening': (0.01, 1, 50)}",
            )  # fmt: skip
        prevalence, cost_fp, cost_fn = values
        found_in[name] = best_classifier(found, prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn)
    ax = draw_hull(table, axes_for(source), curves=shown, scenarios=found_in, percent=percent)
    return ax, (table, *found_in.values())


def _draw_pareto(source: Source, *, sets: Sets | None = None, percent: bool = False) -> Drawn:
    if sets is not None:
        fronts = {name: pareto_front(members) for name, members in _sets_of(dict(rocs_of(source)), sets).items()}
        ax = draw_paretos(fronts, axes_for(source), curves=_curves(source), percent=percent)
        return ax, (Several(results=fronts),)
    found = pareto_front(dict(rocs_of(source)))
    return draw_pareto(found, axes_for(source), curves=_curves(source), percent=percent), (found,)


def _draw_crossings(source: Source, *, percent: bool = False) -> Drawn:
    found = dominance(dict(rocs_of(source)))
    return draw_crossings(found, axes_for(source), curves=_curves(source), percent=percent), (found,)


def _draw_lc(
    source: Source, *, prevalence: float | None = None, shares: tuple[float, float, float] | None = None
) -> Drawn:
    if shares is None or prevalence is None:
        raise InputError(
            "shares", f"and {named('prevalence')} say which costs are plausible", Words("none"),
            "give smallest, likeliest and largest share of a false positive in both costs",
        )  # fmt: skip
    indices = lc_index(dict(rocs_of(source)), prevalence=prevalence, shares=shares)
    ratio = 0.42 + 0.14 * len(indices.pairs)
    return draw_lc_index(indices.pairs, axes_for(source, ratio=ratio)), (indices,)


def _draw_combination(
    source: Source, *, at_threshold: Sequence[float] = (), at_fpr: float | None = None, percent: bool = False
) -> Drawn:
    data, keywords = source.data, dict(source.keywords)
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
        cuts = list(at_threshold)
        found = [combine(data, operation=operation, thresholds=cuts, **asked) for operation in OPERATIONS]
        names = list(found[0].classifiers)
    if source.names is not None:
        names = list(new_names(names, source.names).values())
    between = None
    if at_fpr is not None:
        both = found[0].combination.points
        if len(both) != 2:
            raise InputError("at_fpr", "lies between two classifiers", Words(f"{len(both)}"), "name two")
        between = interpolate(both[0], both[1], fpr=at_fpr)
    drawn = [one.combination for one in found]
    ax = draw_combination(drawn, axes_for(source), names=names, between=between, percent=percent)
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


RECIPES: dict[str, Callable[..., Drawn]] = {
    "hull": _draw_hull,
    "pareto": _draw_pareto,
    "crossings": _draw_crossings,
    "lc": _draw_lc,
    "combination": _draw_combination,
}
