"""Recipes of curves: each score's own, smooth ones, averages, many classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from matplotlib.axes import Axes

from roclab._core.checks import check_choice
from roclab.analysis.average import average
from roclab.analysis.data import read_classes
from roclab.analysis.iso import iso_lines
from roclab.analysis.multiclass import average_curves, class_curves, multiclass
from roclab.analysis.roc import Roc, rocs
from roclab.errors import InputError, Words, named
from roclab.names import CURVE_AVERAGES, SPREADS_SHOWN, SmoothModel
from roclab.plots.average import draw_average
from roclab.plots.cost import draw_cost
from roclab.plots.det import draw_det
from roclab.plots.gain import draw_gain, draw_lift
from roclab.plots.iso import draw_iso
from roclab.plots.legend import MOST_NAMED, many_curves, one_legend
from roclab.plots.multiclass import draw_multiclass
from roclab.plots.precision_recall import draw_precision_recall
from roclab.plots.recipes.request import Drawn, Request, areas_of, axes_for, by_name, new_names, one_roc, rocs_of
from roclab.plots.roc import draw_roc, draw_rocs
from roclab.plots.smooth import draw_smooth
from roclab.plots.troc import draw_troc
from roclab.results import Result

__all__ = ["RECIPES"]


def _draw_roc(request: Request) -> Drawn:
    areas = areas_of(request, region=True)
    options: dict[str, Any] = {"percent": request.percent, "staircase": request.staircase}
    options |= {"shade_fpr": request.fpr, "shade_tpr": request.tpr, "mirror": request.mirror}
    found = rocs_of(request)
    numbers: list[Result] = [areas]
    points = {name for name, one in found.items() if one.curve.thresholds is None}
    if request.labels is True:
        if points != set(found):
            raise InputError("labels", "writes the coordinates of ready-made points", Words("scores"),
                             f"write {named('labels', 6)} for six thresholds")  # fmt: skip
        options["labels"] = True
    if len(found) == 1:
        one = next(iter(found.values()))
        marks, boxes = _marks(one, request)
        options |= {"operating_points": marks, "boxes": boxes}
        options["thresholds"] = None if isinstance(request.labels, bool) else request.labels
        numbers += marks.values()
    elif request.labels not in (None, True) or request.at_threshold or request.cutoff:
        raise InputError(
            "score",
            f"must name one score for {named('labels')}, {named('at_threshold')} and {named('cutoff')}, which are "
            "drawn on one curve",
            Words("several"),
            "name one",
        )
    if request.band is not None:
        if len(found) > MOST_NAMED:
            raise InputError("band", f"is drawn for at most {MOST_NAMED} curves", Words(f"{len(found)}"), "name fewer")
        drawn: dict[str, Any] = {"level": request.level, "resampling": request.resampling, "rng": request.rng}
        options["bands"] = {name: one.band(kind=request.band, **drawn) for name, one in found.items()}
    ax = axes_for(request)
    draw_rocs({name: one.curve for name, one in found.items()}, ax, areas=by_name(areas), **options)
    return ax, tuple(numbers)


def _marks(one: Roc, request: Request) -> tuple[dict[str, Any], dict[str, Any]]:
    given = request.at_threshold
    names = ["chosen"] if len(given) == 1 else [f"chosen {number + 1}" for number in range(len(given))]
    marks: dict[str, Any] = {name: one.at(threshold=value) for name, value in zip(names, given, strict=True)}
    # A box holds for thresholds chosen before the data were seen, so a cut-off found in them has none.
    boxes = {name: one.rectangle(value, level=request.level) for name, value in zip(names, given, strict=True)}
    if request.cutoff is not None:
        marks |= {request.cutoff: one.cutoff(request.cutoff).optima[0]}
    return marks, boxes


def _draw_troc(request: Request) -> Drawn:
    areas = areas_of(request, "tauc")
    found = rocs_of(request)
    ax = axes_for(request)
    with many_curves(ax, len(found)):
        for name, one in found.items():
            draw_troc(one.troc(), ax, area=areas[name], label=name, percent=request.percent, mirror=request.mirror)
    return ax, (areas,)


def _draw_pr(request: Request) -> Drawn:
    areas = areas_of(request, "average_precision")
    share = request.prevalence
    skew = None if share is None else (1 - share) / share
    found = rocs_of(request)
    ax = axes_for(request)
    with many_curves(ax, len(found)):
        for name, one in found.items():
            shown = areas[name] if share is None else None  # the area is that of the data's own prevalence
            curve = one.precision_recall(skew=skew)
            draw_precision_recall(curve, ax, area=shown, label=name, percent=request.percent)
    return ax, (areas,) if share is None else ()


def _draw_each(
    curve: Callable[[Roc, Request], Any], function: Callable[..., Axes], *, ratio: float = 1.0
) -> Callable[[Request], Drawn]:
    """A figure with one curve per score and no areas."""

    def drawn(request: Request) -> Drawn:
        found = rocs_of(request)
        ax = axes_for(request, ratio=ratio)
        options = {"percent": True} if request.percent else {}
        with many_curves(ax, len(found)):
            for name, one in found.items():
                function(curve(one, request), ax, label=name, **options)
        return ax, ()

    return drawn


def _draw_cost(request: Request) -> Drawn:
    found = rocs_of(request)
    ax = axes_for(request, ratio=0.75)
    with many_curves(ax, len(found)):
        for name, one in found.items():
            draw_cost(one.cost(), ax, label=name, lines=len(found) == 1)  # those of several would hide each other
    return ax, ()


def _draw_iso(request: Request) -> Drawn:
    name, one = one_roc(request)
    family = iso_lines(
        one,
        request.iso or "accuracy",
        prevalence=request.prevalence,
        cost_fp=request.cost_fp,
        cost_fn=request.cost_fn,
    )
    options: dict[str, Any] = {"space": "troc" if request.troc_space else "roc", "percent": request.percent}
    ax = draw_iso(family.lines, axes_for(request), curve=one.curve, tangent=family.tangent, label=name, **options)
    return ax, (*family.lines, *(() if family.tangent is None else (family.tangent,)))


def _draw_smooth(request: Request) -> Drawn:
    name, one = one_roc(request)
    models: tuple[SmoothModel, ...] = request.estimator or ("binormal",)
    ax = axes_for(request)
    empirical = one.auc(level=request.level)
    quiet: dict[str, Any] = {"color": "#9A9A9A", "linestyle": "-", "percent": request.percent}
    fits = [one.smooth(model) for model in models]
    with one_legend(ax):
        draw_roc(one.curve, ax, area=empirical, label=name, **quiet)
        for fit in fits:
            draw_smooth(fit, ax, percent=request.percent)
    return ax, (empirical, *(fit for fit in fits if isinstance(fit, Result)))


def _draw_average(request: Request) -> Drawn:
    if request.folds is None:
        raise InputError(
            "", f"{named('figure', 'average')} needs folds", Words("none"), f"name their column with {named('folds')}"
        )
    check_choice(request.how or "vertical", "how", CURVE_AVERAGES)
    check_choice(request.spread_as or "bars", "spread_as", SPREADS_SHOWN)
    how: Any = request.how or "vertical"
    found: Any = average(request.data, how=how, level=request.level)
    shown = {name: one.curve for name, one in rocs(request.data).items()}
    options: dict[str, Any] = {"percent": request.percent, "spread_as": request.spread_as or "bars"}
    return draw_average(found, axes_for(request), curves=shown, **options), (found,)


def _draw_multiclass(request: Request) -> Drawn:
    allowed = ("scores", "label", "score", "missing", "sheet", "delimiter", "decimal", "header_row", "na")
    asked = {name: request.keywords[name] for name in allowed if request.keywords.get(name) is not None}
    found = read_classes(request.data, **asked)
    if request.names is not None:
        new = new_names(found.classes, request.names)
        found = replace(found, classes=tuple(new[name] for name in found.classes))
    areas = multiclass(found, level=request.level)
    ax = axes_for(request)
    draw_multiclass(areas, ax, curves=class_curves(found), averages=average_curves(found), percent=request.percent)
    return ax, (areas,)


RECIPES: dict[str, Callable[[Request], Drawn]] = {
    "roc": _draw_roc,
    "troc": _draw_troc,
    "pr": _draw_pr,
    "det": _draw_each(lambda one, _: one.det(), draw_det),
    "cost": _draw_cost,
    "gain": _draw_each(lambda one, r: one.gain(prevalence=r.prevalence), draw_gain),
    "lift": _draw_each(lambda one, r: one.gain(prevalence=r.prevalence), draw_lift, ratio=0.75),
    "iso": _draw_iso,
    "smooth": _draw_smooth,
    "average": _draw_average,
    "multiclass": _draw_multiclass,
}
