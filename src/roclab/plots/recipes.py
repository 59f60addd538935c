"""The recipe of every figure: what it asks the question layer for, and which function draws it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from roclab.analysis.auc import AreaTable, area_table
from roclab.analysis.average import average
from roclab.analysis.compare import compare
from roclab.analysis.costs import net_benefit
from roclab.analysis.data import Cases, Range, read_classes
from roclab.analysis.group_areas import Comparison, differences_of_groups, with_groups_as_scores
from roclab.analysis.hull import hull
from roclab.analysis.iso import iso_lines
from roclab.analysis.multiclass import class_curves, multiclass
from roclab.analysis.roc import Roc, rocs
from roclab.errors import InputError, Words, named
from roclab.names import (
    AreaInterval,
    BandKind,
    DistributionKind,
    Estimator,
    FigureName,
    FigureSize,
    IsoMetric,
    SmoothModel,
    Standard,
)
from roclab.plots.average import draw_average
from roclab.plots.calibration import draw_calibration
from roclab.plots.canvas import WIDTHS, new_axes
from roclab.plots.comparison import draw_comparison
from roclab.plots.cost import draw_cost
from roclab.plots.decision import draw_decision
from roclab.plots.det import draw_det
from roclab.plots.distribution import draw_distribution
from roclab.plots.forest import draw_differences, draw_forest
from roclab.plots.gain import draw_gain, draw_lift
from roclab.plots.hull import draw_hull
from roclab.plots.iso import draw_iso
from roclab.plots.metrics import draw_metrics
from roclab.plots.multiclass import draw_multiclass
from roclab.plots.precision_recall import draw_precision_recall
from roclab.plots.roc import MOST_NAMED, draw_roc, draw_rocs
from roclab.plots.smooth import draw_smooth
from roclab.plots.stability import draw_stability
from roclab.plots.trade_off import draw_trade_off
from roclab.plots.troc import draw_troc
from roclab.results import AreaEstimate, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from roclab.analysis.auc import Resampling

__all__ = ["RECIPES", "Request"]

Drawn: TypeAlias = "tuple[Axes, tuple[Result, ...]]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is to be drawn, and how."""

    figure: FigureName
    data: Any
    keywords: Any
    fpr: Range | None
    tpr: Range | None
    standard: Standard | None
    prevalence: float | None
    cost_fp: float | None
    cost_fn: float | None
    level: float
    resampling: Resampling | int | None
    rng: Any
    band: BandKind | None
    staircase: bool
    labels: int | None
    at_threshold: tuple[float, ...]
    cutoff: str | None
    kind: DistributionKind | None
    log: bool
    bins: int | None
    metric: tuple[str, ...]
    x: str | None
    y: str | None
    alpha: float | None
    beta: float | None
    iso: IsoMetric | None
    troc_space: bool
    estimator: tuple[SmoothModel, ...]
    percent: bool
    size: FigureSize

    @property
    def folds(self) -> Any:
        """The folds, if the data have any."""
        return self.data.folds if isinstance(self.data, Cases) else self.keywords.get("folds")


# -- what is read ------------------------------------------------------------------------------------


def _rocs(request: Request) -> dict[str, Roc]:
    return request.data if isinstance(request.data, dict) else rocs(request.data)


def _areas(
    request: Request, estimator: Estimator | None = None, *, region: bool = False, interval: AreaInterval = "auto"
) -> AreaTable:
    part: dict[str, Any] = {"fpr": request.fpr, "tpr": request.tpr, "standard": request.standard} if region else {}
    return with_groups_as_scores(
        area_table(
            request.data,
            estimator=estimator,
            level=request.level,
            interval=interval,
            resampling=request.resampling,
            rng=request.rng,
            **part,
        )
    )


def _by_name(areas: AreaTable) -> dict[str, AreaEstimate]:
    return {str(one.sample.score): one for one in areas}


def _comparison(request: Request) -> Comparison:
    """Of scores on the same cases, or of groups with one score."""
    if request.data.groups is None:
        return compare(request.data, level=request.level, fpr=request.fpr, tpr=request.tpr)
    found = differences_of_groups(request.data, level=request.level, fpr=request.fpr, tpr=request.tpr)
    if found is None:
        raise InputError("by", "must make two to twelve groups with both classes for this figure", Words("others"))
    return found


def _one(request: Request) -> tuple[str, Roc]:
    if request.data.groups is not None:
        raise InputError(
            "by", f"has no part in {named('figure', request.figure)}, which shows one curve", way_out="leave it out"
        )
    if len(request.data.names) > 1:
        raise InputError(
            "score",
            f"must name one score for {named('figure', request.figure)}",
            Words(" and ".join(request.data.names)),
            "draw one figure for each",
        )
    return next(iter(_rocs(request).items()))


def _axes(request: Request, *, ratio: float = 1.0, below: int = 0) -> Axes:
    if request.size == "double" and ratio == 1.0:
        ratio = 0.75  # a square of two columns fills a page
    few = below if 4 < below <= MOST_NAMED else 0  # of more curves the legend tells the range only
    return new_axes(request.size, ratio=ratio, lines_below=few)


# -- curves ------------------------------------------------------------------------------------------


def _draw_roc(request: Request) -> Drawn:
    areas = _areas(request, region=True)
    options: dict[str, Any] = {"percent": request.percent, "staircase": request.staircase}
    options |= {"shade_fpr": request.fpr, "shade_tpr": request.tpr}
    found = _rocs(request)
    numbers: list[Result] = [areas]
    if len(found) == 1:
        one = next(iter(found.values()))
        marks, boxes = _marks(one, request)
        options |= {"operating_points": marks, "boxes": boxes, "thresholds": request.labels}
        if request.band is not None:
            options["band"] = one.band(
                kind=request.band, level=request.level, resampling=request.resampling, rng=request.rng
            )
        numbers += marks.values()
    elif request.band or request.labels or request.at_threshold or request.cutoff:
        raise InputError(
            "score",
            f"must name one score for {named('band')}, {named('labels')}, {named('at_threshold')} and "
            f"{named('cutoff')}, which are drawn on one curve",
            Words("several"),
            "name one",
        )
    entries = len(found) + len(options.get("operating_points", ())) + (request.band is not None)
    ax = _axes(request, below=entries)
    draw_rocs({name: one.curve for name, one in found.items()}, ax, areas=_by_name(areas), **options)
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
    areas = _areas(request, "tauc")
    ax = _axes(request, below=max(5, len(areas) + 2))
    for name, one in _rocs(request).items():
        draw_troc(one.troc(), ax, area=areas[name], label=name, percent=request.percent)
    return ax, (areas,)


def _draw_pr(request: Request) -> Drawn:
    areas = _areas(request, "average_precision")
    share = request.prevalence
    skew = None if share is None else (1 - share) / share
    ax = _axes(request, below=len(areas) + 1)
    for name, one in _rocs(request).items():
        shown = areas[name] if share is None else None  # the area is that of the data's own prevalence
        curve = one.precision_recall(skew=skew)
        draw_precision_recall(curve, ax, area=shown, label=name, percent=request.percent)
    return ax, (areas,) if share is None else ()


def _draw_each(
    curve: Callable[[Roc, Request], Any], function: Callable[..., Axes], *, ratio: float = 1.0, entries: int = 0
) -> Callable[[Request], Drawn]:
    """A figure with one curve per score and no areas."""

    def drawn(request: Request) -> Drawn:
        found = _rocs(request)
        ax = _axes(request, ratio=ratio, below=len(found) + entries)
        options = {"percent": True} if request.percent else {}
        for name, one in found.items():
            function(curve(one, request), ax, label=name, **options)
        return ax, ()

    return drawn


def _draw_cost(request: Request) -> Drawn:
    found = _rocs(request)
    ax = _axes(request, ratio=0.75, below=len(found) + 1)
    for name, one in found.items():
        draw_cost(one.cost(), ax, label=name, lines=len(found) == 1)  # those of several would hide each other
    return ax, ()


def _draw_hull(request: Request) -> Drawn:
    shown = {name: one.curve for name, one in _rocs(request).items()}
    table = hull(dict(_rocs(request)))
    ax = _axes(request, below=len(shown))
    return draw_hull(table, ax, curves=shown, percent=request.percent), (table,)


def _draw_iso(request: Request) -> Drawn:
    name, one = _one(request)
    family = iso_lines(
        one,
        request.iso or "accuracy",
        prevalence=request.prevalence,
        cost_fp=request.cost_fp,
        cost_fn=request.cost_fn,
    )
    options: dict[str, Any] = {"space": "troc" if request.troc_space else "roc", "percent": request.percent}
    ax = draw_iso(family.lines, _axes(request), curve=one.curve, tangent=family.tangent, label=name, **options)
    return ax, (*family.lines, *(() if family.tangent is None else (family.tangent,)))


def _draw_smooth(request: Request) -> Drawn:
    name, one = _one(request)
    models: tuple[SmoothModel, ...] = request.estimator or ("binormal",)
    ax = _axes(request, below=1 + len(models))
    empirical = one.auc(level=request.level)
    quiet: dict[str, Any] = {"color": "#9A9A9A", "linestyle": "-", "percent": request.percent}
    draw_roc(one.curve, ax, area=empirical, label=name, **quiet)
    fits = [one.smooth(model) for model in models]
    for fit in fits:
        draw_smooth(fit, ax, percent=request.percent)
    return ax, (empirical, *(fit for fit in fits if isinstance(fit, Result)))


def _draw_average(request: Request) -> Drawn:
    if request.folds is None:
        raise InputError(
            "", f"{named('figure', 'average')} needs folds", Words("none"), f"name their column with {named('folds')}"
        )
    found = average(request.data, level=request.level)
    shown = {name: one.curve for name, one in rocs(request.data).items()}
    return draw_average(found, _axes(request), curves=shown, percent=request.percent), (found,)


# -- scores and decisions ----------------------------------------------------------------------------


def _draw_distribution(request: Request) -> Drawn:
    _, one = _one(request)
    assert one.tally is not None
    cutoff = None if request.cutoff is None else one.cutoff(request.cutoff)
    kind: Any = request.kind or "histogram"
    ax = _axes(request, ratio=1.0 if kind == "dots" else 0.7)
    at = None if cutoff is None else cutoff.threshold
    draw_distribution(one.tally, ax, kind=kind, bins=request.bins, cutoff=at, log=request.log)
    return ax, () if cutoff is None else (cutoff,)


def _draw_metrics(request: Request) -> Drawn:
    _, one = _one(request)
    cutoff = None if request.cutoff is None else one.cutoff(request.cutoff)
    metrics = request.metric or ("sensitivity", "specificity", "accuracy")
    table = one.coordinates()
    at = None if cutoff is None else cutoff.threshold
    every = ("prevalence", "cost_fp", "cost_fn", "alpha", "beta")
    given = {name: getattr(request, name) for name in every if getattr(request, name) is not None}
    if request.x is not None or request.y is not None:
        if request.x is None or request.y is None or request.metric:
            raise InputError("x", f"and {named('y')} are drawn against each other", Words("one of them"), "give both")
        ax = _axes(request, ratio=0.8)
        draw_trade_off(table, ax, x=request.x, y=request.y, conditions=given, cutoff=at, log=request.log)
        shown = table.table(columns=list(dict.fromkeys([request.x, request.y])), conditions=given)
        return ax, (shown,) if cutoff is None else (cutoff, shown)
    ax = _axes(request, ratio=0.75, below=len(metrics) + (cutoff is not None))
    draw_metrics(table, ax, metrics=metrics, conditions=given, cutoff=at, log=request.log)
    return ax, () if cutoff is None else (cutoff,)


def _draw_stability(request: Request) -> Drawn:
    _, one = _one(request)
    drawn: dict[str, Any] = {"level": request.level, "resampling": request.resampling, "rng": request.rng}
    found = one.cutoff_stability(request.cutoff or "youden", **drawn)
    return draw_stability(found, _axes(request, ratio=0.7, below=5), log=request.log), (found,)


def _draw_calibration(request: Request) -> Drawn:
    found = {
        name: one.calibration(bins=request.bins or 10, level=request.level) for name, one in _rocs(request).items()
    }
    ax = _axes(request, below=5)
    for at, (name, one) in enumerate(found.items()):
        draw_calibration(one, ax, label=name, counts=at == 0, percent=request.percent)
    return ax, tuple(found.values())


def _draw_decision(request: Request) -> Drawn:
    curves = dict(_rocs(request))
    found = net_benefit(curves, prevalence=request.prevalence)
    ax = _axes(request, ratio=0.75, below=len(curves) + 2)
    return draw_decision(found, ax, percent=request.percent), (found,)


# -- areas -------------------------------------------------------------------------------------------


def _draw_forest(request: Request) -> Drawn:
    areas = _areas(request, region=True)
    null = None if request.fpr is not None or request.tpr is not None else 0.5
    ax = _axes(request, ratio=_rows_ratio(request, len(areas)))
    return draw_forest(areas.estimates, ax, null=null), (areas,)


def _draw_comparison(request: Request) -> Drawn:
    found = _comparison(request)
    return draw_comparison(found, _axes(request, ratio=0.9 if request.size == "single" else 0.6)), (found,)


def _draw_differences(request: Request) -> Drawn:
    found = _comparison(request)
    return draw_differences(found, _axes(request, ratio=_rows_ratio(request, len(found.pairs)))), (found,)


def _rows_ratio(request: Request, rows: int) -> float:
    """Height per width of a figure with so many rows of text."""
    return (18 + 6 * rows) / WIDTHS[request.size]


def _draw_multiclass(request: Request) -> Drawn:
    allowed = ("scores", "label", "score", "missing", "sheet", "delimiter", "decimal", "header_row", "na")
    asked = {name: request.keywords[name] for name in allowed if request.keywords.get(name) is not None}
    found = read_classes(request.data, **asked)
    areas = multiclass(found, level=request.level)
    ax = _axes(request, below=len(found.classes) + 1)
    return draw_multiclass(areas, ax, curves=class_curves(found), percent=request.percent), (areas,)


RECIPES: Mapping[str, Callable[[Request], Drawn]] = {
    "roc": _draw_roc,
    "troc": _draw_troc,
    "pr": _draw_pr,
    "det": _draw_each(lambda one, _: one.det(), draw_det),
    "cost": _draw_cost,
    "gain": _draw_each(lambda one, r: one.gain(prevalence=r.prevalence), draw_gain, entries=2),
    "lift": _draw_each(lambda one, r: one.gain(prevalence=r.prevalence), draw_lift, ratio=0.75, entries=2),
    "hull": _draw_hull,
    "iso": _draw_iso,
    "smooth": _draw_smooth,
    "average": _draw_average,
    "distribution": _draw_distribution,
    "metrics": _draw_metrics,
    "stability": _draw_stability,
    "calibration": _draw_calibration,
    "decision": _draw_decision,
    "forest": _draw_forest,
    "comparison": _draw_comparison,
    "differences": _draw_differences,
    "multiclass": _draw_multiclass,
}
