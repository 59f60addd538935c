"""Recipes of curves: each score's own, smooth ones, averages, many classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from matplotlib.axes import Axes

from roclab._core.checks import check_choice
from roclab.analysis.area_table import AreaTable, area_table
from roclab.analysis.average import average
from roclab.analysis.data import read_classes
from roclab.analysis.iso import iso_lines
from roclab.analysis.multiclass import average_curves, class_curves, multiclass
from roclab.analysis.roc import Roc, rocs
from roclab.errors import InputError, Words, named
from roclab.names import (
    CURVE_AVERAGES,
    SPREADS_SHOWN,
    WALKS,
    AverageKind,
    BandKind,
    IsoMetric,
    SmoothModel,
    SpreadShown,
    Standard,
    Walk,
)
from roclab.options.region import Range
from roclab.options.uncertainty import Resampling
from roclab.plots.average import draw_average
from roclab.plots.cost import draw_cost
from roclab.plots.det import draw_det
from roclab.plots.gain import draw_gain, draw_lift
from roclab.plots.iso import draw_iso
from roclab.plots.legend import many_curves, one_legend
from roclab.plots.multiclass import draw_multiclass
from roclab.plots.precision_recall import draw_precision_recall
from roclab.plots.recipes.source import Drawn, Source, areas_of, axes_for, by_name, new_names, one_roc, rocs_of
from roclab.plots.roc import draw_roc, draw_rocs
from roclab.plots.smooth import draw_smooth
from roclab.plots.troc import draw_troc
from roclab.results import AreaEstimate, Result

__all__ = ["RECIPES"]


def _draw_roc(
    source: Source,
    *,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standardize: Standard | None = None,
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    band: BandKind | None = None,
    ties: Walk | None = None,
    staircase: bool = False,
    labels: int | bool | None = None,
    at_threshold: Sequence[float] = (),
    cutoff: str | None = None,
    mirror: bool = False,
    percent: bool = False,
) -> Drawn:
    drawn: dict[str, Any] = {"level": level, "resampling": resampling, "rng": rng}
    walk = check_choice(ties or "expected", "ties", WALKS)
    crossed: Any = None if walk == "expected" else walk
    if crossed is not None and (fpr is not None or tpr is not None):
        raise InputError("ties", "has no part in partial areas, which are those of the expected curve", ties,
                         "leave one of them out")  # fmt: skip
    asked = {"fpr": fpr, "tpr": tpr, "standardize": standardize, **drawn}
    areas = areas_of(source, crossed, **asked)
    options: dict[str, Any] = {"percent": percent, "staircase": staircase}
    options |= {"shade_fpr": fpr, "shade_tpr": tpr, "mirror": mirror}
    found = rocs_of(source)
    curves = {name: one.curve if crossed is None else one.walked(crossed) for name, one in found.items()}
    each: dict[str, dict[str, Any]] = {name: {} for name in found}
    numbers: list[Result] = [areas]
    if mirror:
        # A whole area is that of its mirror image, with its error and interval; a part is another part there.
        whole = fpr is None and tpr is None
        images = by_name(areas) if whole else _mirrored_areas(found, None, **asked)
        each = {name: {"mirror_area": image} for name, image in images.items()}
        numbers.append(_as_images(images))
    points = {name for name, one in found.items() if one.curve.thresholds is None}
    if labels is True:
        if points != set(found):
            raise InputError("labels", "writes the coordinates of ready-made points", Words("scores"),
                             f"write {named('labels', 6)} for six thresholds")  # fmt: skip
        options["labels"] = True
    if len(found) > 1 and at_threshold and len(at_threshold) != len(found):
        raise InputError(
            "at_threshold", f"must be one for each of the {len(found)} scores", Words(f"{len(at_threshold)}"),
            "give them in the order of the scores, or name one score",
        )  # fmt: skip
    options["thresholds"] = None if isinstance(labels, bool) else labels
    for at, (name, one) in enumerate(found.items()):
        given = at_threshold if len(found) == 1 else at_threshold[at : at + 1]
        marks, boxes = _marks(one, given, cutoff, level, whose="" if len(found) == 1 else f"{name}, ")
        each[name] |= {"operating_points": marks, "boxes": boxes}
        numbers += marks.values()
    if band is not None:
        if crossed is not None:
            raise InputError("ties", f"has no part in {named('band')}, which is that of the expected curve", ties,
                             "leave one of them out")  # fmt: skip
        if len(found) > _MOST_BANDS:
            raise InputError("band", f"is drawn for at most {_MOST_BANDS} curves", Words(f"{len(found)}"), "name fewer")
        options["bands"] = {name: one.band(kind=band, **drawn) for name, one in found.items()}
    ax = axes_for(source)
    draw_rocs(curves, ax, areas=by_name(areas), each=each, **options)
    return ax, tuple(numbers)


_MOST_BANDS = 12  # more of them hide each other


def _mirrored_areas(found: Mapping[str, Roc], estimator: Any, **asked: Any) -> dict[str, AreaEstimate]:
    """Areas of the mirror images, by the names of their curves."""
    given = {name: value for name, value in asked.items() if value is not None}
    return by_name(area_table({name: one.mirrored() for name, one in found.items()}, estimator=estimator, **given))


def _as_images(areas: Mapping[str, AreaEstimate]) -> AreaTable:
    """The areas as numbers of the figure, named as the legend names them."""
    named_so = {name: replace(one.sample, score=f"{name}, mirror image") for name, one in areas.items()}
    return AreaTable(estimates=tuple(replace(one, sample=named_so[name]) for name, one in areas.items()))


def _marks(
    one: Roc, given: Sequence[float], cutoff: str | None, level: float, *, whose: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    names = ["chosen"] if len(given) == 1 else [f"chosen {number + 1}" for number in range(len(given))]
    names = [f"{whose}{name}" for name in names]
    marks: dict[str, Any] = {name: one.at(threshold=value) for name, value in zip(names, given, strict=True)}
    # A box holds for thresholds chosen before the data were seen, so a cut-off found in them has none.
    boxes = {name: one.rectangle(value, level=level) for name, value in zip(names, given, strict=True)}
    if cutoff is not None:
        marks |= {f"{whose}{cutoff}": one.cutoff(cutoff).optima[0]}
    return marks, boxes


def _draw_troc(
    source: Source,
    *,
    mirror: bool = False,
    percent: bool = False,
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> Drawn:
    drawn: dict[str, Any] = {"level": level, "resampling": resampling, "rng": rng}
    areas = areas_of(source, "tauc", **drawn)
    curves = rocs_of(source)
    images = _mirrored_areas(curves, "tauc", **drawn) if mirror else {}
    ax = axes_for(source)
    with many_curves(ax, len(curves)):
        for name, one in curves.items():
            style: dict[str, Any] = {"area": areas[name], "mirror": mirror, "mirror_area": images.get(name)}
            draw_troc(one.troc(), ax, label=name, percent=percent, **style)
    return ax, (areas, _as_images(images)) if images else (areas,)


def _draw_pr(
    source: Source,
    *,
    band: BandKind | None = None,
    prevalence: float | None = None,
    percent: bool = False,
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> Drawn:
    drawn: dict[str, Any] = {"level": level, "resampling": resampling, "rng": rng}
    areas = areas_of(source, "average_precision", **drawn)
    share = prevalence
    skew = None if share is None else (1 - share) / share
    curves = rocs_of(source)
    if band is not None and len(curves) > _MOST_BANDS:
        raise InputError("band", f"is drawn for at most {_MOST_BANDS} curves", Words(f"{len(curves)}"), "name fewer")
    ax = axes_for(source)
    with many_curves(ax, len(curves)):
        for name, one in curves.items():
            shown = areas[name] if share is None else None  # the area is that of the data's own prevalence
            curve = one.precision_recall(skew=skew)
            limits = None if band is None else one.precision_band(kind=band, skew=skew, **drawn)
            draw_precision_recall(curve, ax, area=shown, label=name, percent=percent, band=limits)
    return ax, (areas,) if share is None else ()


def _each_curve(
    source: Source, curve: Callable[[Roc], Any], function: Callable[..., Axes], *, ratio: float = 1.0, **looks: Any
) -> Drawn:
    """A figure with one curve per score and no areas."""
    curves = rocs_of(source)
    ax = axes_for(source, ratio=ratio)
    with many_curves(ax, len(curves)):
        for name, one in curves.items():
            function(curve(one), ax, label=name, **looks)
    return ax, ()


def _draw_det(source: Source) -> Drawn:
    return _each_curve(source, lambda one: one.det(), draw_det)


def _draw_gain(source: Source, *, prevalence: float | None = None, percent: bool = False) -> Drawn:
    return _each_curve(source, lambda one: one.gain(prevalence=prevalence), draw_gain, percent=percent)


def _draw_lift(source: Source, *, prevalence: float | None = None, percent: bool = False) -> Drawn:
    return _each_curve(source, lambda one: one.gain(prevalence=prevalence), draw_lift, ratio=0.75, percent=percent)


def _draw_cost(source: Source) -> Drawn:
    curves = rocs_of(source)
    ax = axes_for(source, ratio=0.75)
    with many_curves(ax, len(curves)):
        for name, one in curves.items():
            draw_cost(one.cost(), ax, label=name, lines=len(curves) == 1)  # those of several would hide each other
    return ax, ()


def _draw_iso(
    source: Source,
    *,
    prevalence: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    benefit_tp: float | None = None,
    benefit_tn: float | None = None,
    iso: IsoMetric | None = None,
    troc_space: bool = False,
    percent: bool = False,
) -> Drawn:
    name, one = one_roc(source)
    family = iso_lines(
        one,
        iso or "accuracy",
        prevalence=prevalence,
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        benefit_tp=benefit_tp,
        benefit_tn=benefit_tn,
    )
    options: dict[str, Any] = {"space": "troc" if troc_space else "roc", "percent": percent}
    ax = draw_iso(family.lines, axes_for(source), curve=one.curve, tangent=family.tangent, label=name, **options)
    return ax, (*family.lines, *(() if family.tangent is None else (family.tangent,)))


def _draw_smooth(
    source: Source, *, level: float = 0.95, estimator: Sequence[SmoothModel] = (), percent: bool = False
) -> Drawn:
    name, one = one_roc(source)
    models: Sequence[SmoothModel] = tuple(estimator) or ("binormal",)
    ax = axes_for(source)
    empirical = one.auc(level=level)
    quiet: dict[str, Any] = {"color": "#9A9A9A", "linestyle": "-", "percent": percent}
    fits = [one.smooth(model) for model in models]
    with one_legend(ax):
        draw_roc(one.curve, ax, area=empirical, label=name, **quiet)
        for fit in fits:
            draw_smooth(fit, ax, percent=percent)
    return ax, (empirical, *(fit for fit in fits if isinstance(fit, Result)))


def _draw_average(
    source: Source,
    *,
    level: float = 0.95,
    how: AverageKind | None = None,
    spread_as: SpreadShown | None = None,
    percent: bool = False,
) -> Drawn:
    if source.folds is None:
        raise InputError(
            "", f"{named('figure', 'average')} needs folds", Words("none"), f"name their column with {named('folds')}"
        )
    check_choice(how or "vertical", "how", CURVE_AVERAGES)
    check_choice(spread_as or "bars", "spread_as", SPREADS_SHOWN)
    found: Any = average(source.data, how=how or "vertical", level=level)
    shown = {name: one.curve for name, one in rocs(source.data).items()}
    options: dict[str, Any] = {"percent": percent, "spread_as": spread_as or "bars"}
    return draw_average(found, axes_for(source), curves=shown, **options), (found,)


def _draw_multiclass(source: Source, *, level: float = 0.95, percent: bool = False) -> Drawn:
    allowed = ("scores", "label", "score", "missing", "sheet", "delimiter", "decimal", "header_row", "na")
    asked = {name: source.keywords[name] for name in allowed if source.keywords.get(name) is not None}
    found = read_classes(source.data, **asked)
    if source.names is not None:
        new = new_names(found.classes, source.names)
        found = replace(found, classes=tuple(new[name] for name in found.classes))
    areas = multiclass(found, level=level)
    ax = axes_for(source)
    draw_multiclass(areas, ax, curves=class_curves(found), averages=average_curves(found), percent=percent)
    return ax, (areas,)


RECIPES: dict[str, Callable[..., Drawn]] = {
    "roc": _draw_roc,
    "troc": _draw_troc,
    "pr": _draw_pr,
    "det": _draw_det,
    "cost": _draw_cost,
    "gain": _draw_gain,
    "lift": _draw_lift,
    "iso": _draw_iso,
    "smooth": _draw_smooth,
    "average": _draw_average,
    "multiclass": _draw_multiclass,
}
