"""Recipes of scores and thresholds: distributions, metrics, calibration, what a cut-off does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from roclab.analysis.costs import net_benefit
from roclab.analysis.distribution import box_cox_scores
from roclab.analysis.rank_test import Cdf, cdf_band, cdf_of, kolmogorov
from roclab.analysis.study import TABLES, Design, read_design, table_design
from roclab.errors import InputError, Words, named
from roclab.names import DistributionKind, SmoothModel
from roclab.options.uncertainty import Resampling
from roclab.plots.calibration import draw_calibration
from roclab.plots.canvas import axes_beside
from roclab.plots.cdf import draw_cdf
from roclab.plots.decision import draw_decision
from roclab.plots.densities import draw_densities, draw_design
from roclab.plots.distribution import draw_distribution
from roclab.plots.legend import many_curves, one_legend
from roclab.plots.likelihood import draw_likelihood_ratios
from roclab.plots.metrics import draw_metrics
from roclab.plots.predictive import draw_fagan, draw_predictive_values
from roclab.plots.recipes.source import Drawn, Source, axes_for, one_roc, rocs_of
from roclab.plots.stability import draw_stability
from roclab.plots.trade_off import draw_trade_off
from roclab.plots.walk import draw_walk
from roclab.results import Result

__all__ = ["RECIPES"]


def _draw_distribution(
    source: Source,
    *,
    cutoff: str | None = None,
    kind: DistributionKind | None = None,
    log: bool = False,
    bins: int | None = None,
    estimator: Sequence[SmoothModel] = (),
) -> Drawn:
    _, one = one_roc(source)
    assert one.tally is not None
    marked = None if cutoff is None else one.cutoff(cutoff)
    kind = kind or "histogram"
    fits = [one.smooth(model) for model in estimator]
    found = [fit.densities().of_logarithms() if log else fit.densities() for fit in fits]
    if fits and kind != "histogram":
        raise InputError("estimator", f"is drawn over {named('kind', 'histogram')}", Words(kind), "leave one out")
    if any(densities.scale == "latent" for densities in found):
        raise InputError(
            "estimator", "must have the scale of the scores", Words("binormal, which fits ranks"), "use 'normal'"
        )
    ax = axes_for(source, ratio=1.0 if kind == "dots" else 0.7)
    shown: dict[str, Any] = {"bins": bins, "log": log, "heights": "density" if fits else "share"}
    with one_legend(ax):
        draw_distribution(one.tally, ax, kind=kind, point=None if marked is None else marked.optima[0], **shown)
        for number, (densities, model) in enumerate(zip(found, estimator, strict=True)):
            draw_densities(densities, ax, label=model.replace("_", " "), number=number)
    numbers = (*(() if marked is None else (marked,)), *(fit for fit in fits if isinstance(fit, Result)))
    return ax, numbers


def _draw_box_cox(source: Source, *, bins: int | None = None) -> Drawn:
    _, one = one_roc(source)
    assert one.tally is not None
    found = box_cox_scores(one.tally)
    left, right = axes_beside(source.size, ratio=1.25 if source.size == "single" else 0.42)
    draw_distribution(one.tally, left, bins=bins, heights="density")
    with one_legend(right):
        draw_distribution(found.tally, right, bins=bins, heights="density")
        draw_densities(found.densities, right, label="normal")
    return left, (found.fit,)


def _draw_likelihood(
    source: Source, *, level: float = 0.95, at_threshold: Sequence[float] = (), bins: int | None = None
) -> Drawn:
    _, one = one_roc(source)
    found = one.likelihood_ratios(list(at_threshold) or None, bins=bins, level=level)
    return draw_likelihood_ratios(found, axes_for(source, ratio=0.75)), (found,)


def _draw_predictive(
    source: Source,
    *,
    at_threshold: Sequence[float] = (),
    prevalence: float | None = None,
    level: float = 0.95,
    percent: bool = False,
) -> Drawn:
    found = _answers_at(source, at_threshold, prevalence, level)
    return draw_predictive_values(found, axes_for(source, ratio=0.85), percent=percent), (found,)


def _draw_fagan(
    source: Source, *, at_threshold: Sequence[float] = (), prevalence: float | None = None, level: float = 0.95
) -> Drawn:
    found = _answers_at(source, at_threshold, prevalence, level)
    return draw_fagan(found, axes_for(source)), (found,)


def _answers_at(source: Source, at_threshold: Sequence[float], prevalence: float | None, level: float) -> Any:
    """Predictive values at the one threshold that was named: a cut-off found in the data would flatter them."""
    _, one = one_roc(source)
    if len(at_threshold) != 1:
        raise InputError(
            "at_threshold", "must name the one threshold of the test", Words(f"{len(at_threshold) or 'none'}"),
            f"write {named('at_threshold', 2.5)} for instance",
        )  # fmt: skip
    return one.confusion(at_threshold[0]).predictive_values(prevalence, level=level)


def _draw_walk(source: Source, *, level: float = 0.95) -> Drawn:
    _, one = one_roc(source)
    assert one.tally is not None
    return draw_walk(one.tally, axes_for(source)), (one.auc(level=level),)


def _draw_cdf(
    source: Source,
    *,
    cdf: Cdf | str | None = None,
    support: Sequence[float] | None = None,
    probabilities: Sequence[Any] | None = None,
    level: float = 0.95,
) -> Drawn:
    allowed = ("score", "missing", "sheet", "delimiter", "decimal", "header_row", "na")
    apart = ("label", "pos_label", "neg_label", "sample_weight", "ids", "folds", "by")
    others = [name for name in apart if source.keywords.get(name) is not None]
    if others:
        raise InputError(
            others[0], f"has no part in {named('figure', 'cdf')}, which shows one sample", way_out="leave it out"
        )
    asked = {name: source.keywords[name] for name in allowed if source.keywords.get(name) is not None}
    names = asked.pop("score", None)
    if isinstance(names, (list, tuple)):
        if len(names) != 1:
            raise InputError("score", f"must name one score for {named('figure', 'cdf')}", Words(" and ".join(names)))
        names = names[0]
    if names is not None:
        asked["score"] = names
    band = cdf_band(source.data, level=level, **asked)
    test: Any = None
    if cdf is not None or support is not None or probabilities is not None:
        theory: dict[str, Any] = {"cdf": cdf, "support": support, "probabilities": probabilities}
        test = kolmogorov(source.data, level=level, **theory, **asked)
    function = cdf_of(cdf)[0] if isinstance(cdf, str) else cdf
    ax = draw_cdf(band, axes_for(source, ratio=0.8), cdf=function, test=test, label=names)
    return ax, (band,) if test is None else (test, band)


def _draw_design(source: Source) -> Drawn:
    design = source.data
    if isinstance(design, str):
        design = table_design(design) if design in TABLES else read_design(design)
    if not isinstance(design, Design) or source.keywords.get("scores") is not None:
        raise InputError(
            "", f"{named('figure', 'design')} shows a simulation design, not cases", Words(type(design).__name__),
            f"name one of {', '.join(TABLES)}, or the file of your own",
        )  # fmt: skip
    return draw_design(design, axes_for(source, ratio=0.7)), ()


def _draw_metrics(
    source: Source,
    *,
    cutoff: str | None = None,
    log: bool = False,
    metric: Sequence[str] = (),
    x: str | None = None,
    y: str | None = None,
    prevalence: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    benefit_tp: float | None = None,
    benefit_tn: float | None = None,
    alpha: float | None = None,
    beta: float | None = None,
) -> Drawn:
    _, one = one_roc(source)
    marked = None if cutoff is None else one.cutoff(cutoff)
    metrics = tuple(metric) or ("sensitivity", "specificity", "accuracy")
    table = one.coordinates()
    at = None if marked is None else marked.threshold
    every = {"prevalence": prevalence, "cost_fp": cost_fp, "cost_fn": cost_fn, "benefit_tp": benefit_tp,
             "benefit_tn": benefit_tn, "alpha": alpha, "beta": beta}  # fmt: skip
    given = {name: value for name, value in every.items() if value is not None}
    if x is not None or y is not None:
        if x is None or y is None or metric:
            raise InputError("x", f"and {named('y')} are drawn against each other", Words("one of them"), "give both")
        ax = axes_for(source, ratio=0.8)
        draw_trade_off(table, ax, x=x, y=y, conditions=given, cutoff=at, log=log)
        shown = table.table(columns=list(dict.fromkeys([x, y])), conditions=given)
        return ax, (shown,) if marked is None else (marked, shown)
    ax = axes_for(source, ratio=0.75)
    draw_metrics(table, ax, metrics=metrics, conditions=given, cutoff=at, log=log)
    return ax, () if marked is None else (marked,)


def _draw_stability(
    source: Source,
    *,
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    cutoff: str | None = None,
    log: bool = False,
) -> Drawn:
    _, one = one_roc(source)
    drawn: dict[str, Any] = {"level": level, "resampling": resampling, "rng": rng}
    stability = one.cutoff_stability(cutoff or "youden", **drawn)
    return draw_stability(stability, axes_for(source, ratio=0.7), log=log), (stability,)


def _draw_calibration(source: Source, *, level: float = 0.95, bins: int | None = None, percent: bool = False) -> Drawn:
    found = {name: one.calibration(bins=bins or 10, level=level) for name, one in rocs_of(source).items()}
    ax = axes_for(source)
    with many_curves(ax, len(found)):
        for at, (name, one) in enumerate(found.items()):
            draw_calibration(one, ax, label=name, counts=at == 0, percent=percent)
    return ax, tuple(found.values())


def _draw_decision(source: Source, *, prevalence: float | None = None, percent: bool = False) -> Drawn:
    curves = dict(rocs_of(source))
    benefit = net_benefit(curves, prevalence=prevalence)
    ax = axes_for(source, ratio=0.75)
    with many_curves(ax, len(curves)):
        draw_decision(benefit, ax, percent=percent)
    return ax, (benefit,)


RECIPES: dict[str, Callable[..., Drawn]] = {
    "distribution": _draw_distribution,
    "box_cox": _draw_box_cox,
    "likelihood": _draw_likelihood,
    "predictive": _draw_predictive,
    "fagan": _draw_fagan,
    "walk": _draw_walk,
    "cdf": _draw_cdf,
    "design": _draw_design,
    "metrics": _draw_metrics,
    "stability": _draw_stability,
    "calibration": _draw_calibration,
    "decision": _draw_decision,
}
