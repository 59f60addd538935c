"""The figures of ``roclab plot`` by name: what each asks the library for, and which function draws it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from roclab import plots
from roclab._core.text import text_table, without_shared
from roclab.analysis import AreaTable, Roc, average, compare, multiclass, roc
from roclab.cli.plot import Request
from roclab.curves.roc import roc_curve
from roclab.data.cases import Cases
from roclab.decisions.hull_table import hull_table
from roclab.decisions.iso_performance import IsoLine, equal_cost_slope, iso_line, skew_of_prevalence, tangent_points
from roclab.decisions.net_benefit import decision_curve
from roclab.errors import InputError, Words
from roclab.inference.areas_of_cases import estimate_area_of_cases
from roclab.inference.one_area.estimate import Area, area_of_method
from roclab.inference.one_curve.bands import joint_rectangle
from roclab.plots.figure import WIDTHS, Size, new_axes
from roclab.plots.roc import MOST_NAMED
from roclab.results import AreaEstimate, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FIGURES", "Picture", "draw"]

Drawn: TypeAlias = "tuple[Axes, tuple[Result, ...]]"
_SHORT = 20  # rows of a table that is printed beside the figure


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture(Result):
    """A figure that was written, and the results that it shows."""

    figure: str
    file: str
    width_mm: float
    height_mm: float
    numbers: tuple[Result, ...]

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the results."""
        return [row for one in self.numbers for row in one.rows()]

    def __str__(self) -> str:
        tables: dict[tuple[str, ...], list[Any]] = {}
        for row in self.rows():
            tables.setdefault(tuple(row), []).append(row)
        parts = []
        for rows in tables.values():
            if len(rows) <= _SHORT:
                shown, below = without_shared(rows, ["method", "interval"])
                parts += [text_table(shown), *below, ""]
            else:
                parts += [f"{len(rows)} rows of numbers, which --csv prints", ""]
        return "\n".join([*parts, f"wrote {self.file}, {self.width_mm:g} x {self.height_mm:g} mm"])


def draw(request: Request) -> Drawn:
    """The axes of the figure asked for, and the results on them."""
    return FIGURES[request.figure](request)


# -- what is read ------------------------------------------------------------------------------------


def _cases(request: Request) -> Cases:
    return request.data.read(request.file)


def _rocs(request: Request) -> dict[str, Roc]:
    cases = _cases(request)
    out = {}
    for name in cases.names:
        tally = cases.tally(name)
        out[name] = Roc(curve=roc_curve(tally), tally=tally)
    return out


def _areas(cases: Cases, request: Request, what: Area, **options: Any) -> dict[str, AreaEstimate]:
    with request.draws.shown() as resampling:
        asked: dict[str, Any] = {"level": request.level, "resampling": resampling, "rng": request.draws.seed}
        asked |= options
        return {name: estimate_area_of_cases(cases, name, what, **asked) for name in cases.names}


def _one(request: Request) -> tuple[str, Roc]:
    if len(request.data.score) > 1:
        raise InputError(
            "",
            f"--figure {request.figure} shows one score",
            Words(f"{' and '.join(request.data.score)}"),
            "draw one figure for each",
        )
    return next(iter(_rocs(request).items()))


def _axes(request: Request, *, ratio: float = 1.0, below: int = 0) -> Axes:
    size: Size = request.size
    if size == "double" and ratio == 1.0:
        ratio = 0.75  # a square of two columns fills a page
    few = below if 4 < below <= MOST_NAMED else 0  # of more curves the legend tells the range only
    return new_axes(size, ratio=ratio, lines_below=few)


# -- curves ------------------------------------------------------------------------------------------


def _draw_roc(request: Request) -> Drawn:
    cases = _cases(request)
    areas = _areas(cases, request, request.region.area(None, "--figure"))
    options: dict[str, Any] = {"percent": request.percent, "staircase": request.staircase}
    options |= {"shade_fpr": request.region.fpr, "shade_tpr": request.region.tpr}
    found = {name: roc(_single(cases, name)) for name in cases.names}
    numbers: list[Result] = [AreaTable(estimates=tuple(areas.values()))]
    if len(found) == 1:
        one = next(iter(found.values()))
        marks, boxes = _marks(one, request)
        options |= {"operating_points": marks, "boxes": boxes, "thresholds": request.labels}
        if request.band is not None:
            kind: Any = request.band
            with request.draws.shown() as resampling:
                rng = request.draws.seed
                options["band"] = one.band(kind=kind, level=request.level, resampling=resampling, rng=rng)
        numbers += marks.values()
    elif request.band or request.labels or request.at_threshold or request.cutoff:
        raise InputError(
            "",
            "--band, --labels, --at-threshold and --cutoff are drawn on one curve",
            Words("several scores"),
            "name one",
        )
    entries = len(found) + len(options.get("operating_points", ())) + (request.band is not None)
    ax = _axes(request, below=entries)
    plots.draw_rocs({name: one.curve for name, one in found.items()}, ax, areas=areas, **options)
    return ax, tuple(numbers)


def _single(cases: Cases, name: str) -> Cases:
    return replace(cases, scores={name: cases.scores[name]}, direction={name: cases.direction[name]})


def _marks(one: Roc, request: Request) -> tuple[dict[str, Any], dict[str, Any]]:
    given = request.at_threshold
    names = ["chosen"] if len(given) == 1 else [f"chosen {number + 1}" for number in range(len(given))]
    marks: dict[str, Any] = {name: one.at(threshold=value) for name, value in zip(names, given, strict=True)}
    if request.cutoff is not None:
        marks |= {request.cutoff: one.cutoff(request.cutoff).optima[0]}
    boxes = {}
    for name in marks:
        m = marks[name].matrix
        if name != request.cutoff:  # the box holds for thresholds chosen before the data were seen
            boxes[name] = joint_rectangle(tp=m.tp, n_pos=m.tp + m.fn, fp=m.fp, n_neg=m.fp + m.tn, level=request.level)
    return marks, boxes


def _draw_troc(request: Request) -> Drawn:
    cases = _cases(request)
    areas = _areas(cases, request, area_of_method("tauc"))
    ax = _axes(request, below=max(5, len(areas) + 2))
    for name, one in _rocs(request).items():
        plots.draw_troc(one.troc(), ax, area=areas[name], label=name, percent=request.percent)
    return ax, tuple(areas.values())


def _draw_pr(request: Request) -> Drawn:
    cases = _cases(request)
    what = area_of_method("average_precision")
    weighted = cases.weights == "importance"  # no bootstrap: the influence gives the interval
    areas = _areas(cases, request, what, interval="logit" if weighted else "percentile")
    share = request.costs.prevalence
    skew = None if share is None else skew_of_prevalence(share)
    ax = _axes(request, below=len(areas) + 1)
    for name, one in _rocs(request).items():
        shown = areas[name] if share is None else None  # the area is that of the data's own prevalence
        curve = one.precision_recall(skew=skew)
        plots.draw_precision_recall(curve, ax, area=shown, label=name, percent=request.percent)
    return ax, tuple(areas.values()) if share is None else ()


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
        plots.draw_cost(one.cost(), ax, label=name, lines=len(found) == 1)  # those of several would hide each other
    return ax, ()


def _draw_hull(request: Request) -> Drawn:
    curves = {name: one.curve for name, one in _rocs(request).items()}
    table = hull_table(curves)
    ax = _axes(request, below=len(curves))
    return plots.draw_hull(table, ax, curves=curves, percent=request.percent), (table,)


def _draw_iso(request: Request) -> Drawn:
    name, one = _one(request)
    assert one.tally is not None
    metric: Any = request.iso or "accuracy"
    prevalence = request.costs.prevalence or one.tally.n_pos / (one.tally.n_pos + one.tally.n_neg)
    conditions = {"prevalence": prevalence} if metric in ("accuracy", "precision", "f_measure", "cost") else {}
    costs = {key: value for key, value in request.costs.given.items() if key != "prevalence"}
    if metric == "cost":
        conditions |= costs
    elif costs:
        raise InputError("", "costs matter for --iso cost only", Words(f"them for {metric}"), "leave them out")
    low = (0.05, 0.1, 0.2, 0.3, 0.4)
    values = {"lr_plus": (1.0, 2.0, 3.0, 5.0, 10.0), "cost": low, "lr_minus": low, "neyman_pearson": low}
    lines: list[IsoLine] = [
        iso_line(metric, value, **conditions) for value in values.get(metric, (0.5, 0.6, 0.7, 0.8, 0.9))
    ]
    tangent = None
    if metric in ("accuracy", "cost", "youden"):  # all lines have one slope, so one of them touches the curve
        slope = 1.0 if metric == "youden" else equal_cost_slope(prevalence=prevalence, **costs)
        tangent = tangent_points(one.curve, slope)
    options: dict[str, Any] = {"space": "troc" if request.troc_space else "roc", "percent": request.percent}
    ax = plots.draw_iso(lines, _axes(request), curve=one.curve, tangent=tangent, label=name, **options)
    return ax, (*lines, *(() if tangent is None else (tangent,)))


def _draw_smooth(request: Request) -> Drawn:
    name, one = _one(request)
    methods = request.method or ("binormal",)
    ax = _axes(request, below=1 + len(methods))
    empirical = one.auc(level=request.level)
    quiet: dict[str, Any] = {"color": "#9A9A9A", "linestyle": "-", "percent": request.percent}
    plots.draw_roc(one.curve, ax, area=empirical, label=name, **quiet)
    fits = [one.smooth(method) for method in methods]
    for fit in fits:
        plots.draw_smooth(fit, ax, percent=request.percent)
    return ax, (empirical, *(fit for fit in fits if isinstance(fit, Result)))


def _draw_average(request: Request) -> Drawn:
    if request.data.fold is None:
        raise InputError("", "--figure average needs folds", Words("none"), "name their column with --fold")
    cases = request.data.read_one(request.file)
    found = average(cases, level=request.level)
    curves = {name: roc(part).curve for name, part in cases.by_fold().items()}
    return plots.draw_average(found, _axes(request), curves=curves, percent=request.percent), (found,)


# -- scores and decisions ----------------------------------------------------------------------------


def _draw_distribution(request: Request) -> Drawn:
    _, one = _one(request)
    assert one.tally is not None
    cutoff = None if request.cutoff is None else one.cutoff(request.cutoff)
    kind: Any = request.kind or "histogram"
    ax = _axes(request, ratio=1.0 if kind == "dots" else 0.7)
    at = None if cutoff is None else cutoff.threshold
    plots.draw_distribution(one.tally, ax, kind=kind, bins=request.bins, cutoff=at, log=request.log)
    return ax, () if cutoff is None else (cutoff,)


def _draw_metrics(request: Request) -> Drawn:
    _, one = _one(request)
    cutoff = None if request.cutoff is None else one.cutoff(request.cutoff)
    metrics = request.metric or ("sensitivity", "specificity", "accuracy")
    table = one.coordinates()
    ax = _axes(request, ratio=0.75, below=len(metrics) + (cutoff is not None))
    at = None if cutoff is None else cutoff.threshold
    plots.draw_metrics(table, ax, metrics=metrics, cutoff=at, log=request.log)
    return ax, () if cutoff is None else (cutoff,)


def _draw_calibration(request: Request) -> Drawn:
    found = {
        name: one.calibration(bins=request.bins or 10, level=request.level) for name, one in _rocs(request).items()
    }
    ax = _axes(request, below=5)
    for at, (name, one) in enumerate(found.items()):
        plots.draw_calibration(one, ax, label=name, counts=at == 0, percent=request.percent)
    return ax, tuple(found.values())


def _draw_decision(request: Request) -> Drawn:
    tallies = {name: one.tally for name, one in _rocs(request).items() if one.tally is not None}
    found = decision_curve(tallies, prevalence=request.costs.prevalence)
    ax = _axes(request, ratio=0.75, below=len(tallies) + 2)
    return plots.draw_decision(found, ax, percent=request.percent), (found,)


# -- areas -------------------------------------------------------------------------------------------


def _draw_forest(request: Request) -> Drawn:
    cases = _cases(request)
    areas = _areas(cases, request, request.region.area(None, "--figure"))
    null = None if request.region.given else 0.5
    ax = _axes(request, ratio=_rows_ratio(request, len(areas)))
    return plots.draw_forest(areas.values(), ax, null=null), (AreaTable(estimates=tuple(areas.values())),)


def _draw_comparison(request: Request) -> Drawn:
    found = compare(_cases(request), level=request.level, fpr=request.region.fpr, tpr=request.region.tpr)
    return plots.draw_comparison(found, _axes(request, ratio=0.9 if request.size == "single" else 0.6)), (found,)


def _draw_differences(request: Request) -> Drawn:
    found = compare(_cases(request), level=request.level, fpr=request.region.fpr, tpr=request.region.tpr)
    return plots.draw_differences(found, _axes(request, ratio=_rows_ratio(request, len(found.pairs)))), (found,)


def _rows_ratio(request: Request, rows: int) -> float:
    """Height per width of a figure with so many rows of text."""
    return (18 + 6 * rows) / WIDTHS[request.size]


def _draw_multiclass(request: Request) -> Drawn:
    data = request.data
    data.named(request.file, label=data.label, score=data.score)
    assert data.label is not None
    columns, _ = data.complete(data.columns(request.file, data.label, *data.score, numeric=data.score))
    truth = np.asarray([str(value) for value in columns[data.label].tolist()])
    present = sorted(set(truth.tolist()))
    classes = list(data.score) if set(data.score) == set(present) else present
    table = np.column_stack([columns[name] for name in data.score])
    found = multiclass(truth, table, labels=classes, level=request.level)
    curves = {name: roc(truth == name, table[:, at]).curve for at, name in enumerate(classes)}
    ax = _axes(request, below=len(classes) + 1)
    return plots.draw_multiclass(found, ax, curves=curves, percent=request.percent), (found,)


FIGURES: Mapping[str, Callable[[Request], Drawn]] = {
    "roc": _draw_roc,
    "troc": _draw_troc,
    "pr": _draw_pr,
    "det": _draw_each(lambda one, _: one.det(), plots.draw_det),
    "cost": _draw_cost,
    "gain": _draw_each(lambda one, r: one.gain(prevalence=r.costs.prevalence), plots.draw_gain, entries=2),
    "lift": _draw_each(lambda one, r: one.gain(prevalence=r.costs.prevalence), plots.draw_lift, ratio=0.75, entries=2),
    "hull": _draw_hull,
    "iso": _draw_iso,
    "smooth": _draw_smooth,
    "average": _draw_average,
    "distribution": _draw_distribution,
    "metrics": _draw_metrics,
    "calibration": _draw_calibration,
    "decision": _draw_decision,
    "forest": _draw_forest,
    "comparison": _draw_comparison,
    "differences": _draw_differences,
    "multiclass": _draw_multiclass,
}
