"""Recipes of scores and thresholds: distributions, metrics, calibration, what a cut-off does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roclab.analysis.costs import net_benefit
from roclab.analysis.distribution import box_cox_scores
from roclab.analysis.rank_test import cdf_band, kolmogorov
from roclab.analysis.study import TABLES, Design, read_design, table_design
from roclab.errors import InputError, Words, named
from roclab.plots.calibration import draw_calibration
from roclab.plots.canvas import axes_beside
from roclab.plots.cdf import draw_cdf
from roclab.plots.decision import draw_decision
from roclab.plots.densities import draw_densities, draw_design
from roclab.plots.distribution import draw_distribution
from roclab.plots.legend import many_curves, one_legend
from roclab.plots.likelihood import draw_likelihood_ratios
from roclab.plots.metrics import draw_metrics
from roclab.plots.recipes.request import Drawn, Request, axes_for, one_roc, rocs_of
from roclab.plots.stability import draw_stability
from roclab.plots.trade_off import draw_trade_off
from roclab.plots.walk import draw_walk
from roclab.results import Result

__all__ = ["RECIPES"]


def _draw_distribution(request: Request) -> Drawn:
    _, one = one_roc(request)
    assert one.tally is not None
    cutoff = None if request.cutoff is None else one.cutoff(request.cutoff)
    kind: Any = request.kind or "histogram"
    fits = [one.smooth(model) for model in request.estimator]
    found = [fit.densities().of_logarithms() if request.log else fit.densities() for fit in fits]
    if fits and kind != "histogram":
        raise InputError("estimator", f"is drawn over {named('kind', 'histogram')}", Words(kind), "leave one out")
    if any(densities.scale == "latent" for densities in found):
        raise InputError(
            "estimator", "must have the scale of the scores", Words("binormal, which fits ranks"), "use 'normal'"
        )
    ax = axes_for(request, ratio=1.0 if kind == "dots" else 0.7)
    shown: dict[str, Any] = {"bins": request.bins, "log": request.log, "heights": "density" if fits else "share"}
    with one_legend(ax):
        draw_distribution(one.tally, ax, kind=kind, point=None if cutoff is None else cutoff.optima[0], **shown)
        for number, (densities, model) in enumerate(zip(found, request.estimator, strict=True)):
            draw_densities(densities, ax, label=model.replace("_", " "), number=number)
    numbers = (*(() if cutoff is None else (cutoff,)), *(fit for fit in fits if isinstance(fit, Result)))
    return ax, numbers


def _draw_box_cox(request: Request) -> Drawn:
    _, one = one_roc(request)
    assert one.tally is not None
    found = box_cox_scores(one.tally)
    left, right = axes_beside(request.size, ratio=1.25 if request.size == "single" else 0.42)
    draw_distribution(one.tally, left, bins=request.bins, heights="density")
    with one_legend(right):
        draw_distribution(found.tally, right, bins=request.bins, heights="density")
        draw_densities(found.densities, right, label="normal")
    return left, (found.fit,)


def _draw_likelihood(request: Request) -> Drawn:
    _, one = one_roc(request)
    found = one.likelihood_ratios(request.at_threshold or None, bins=request.bins, level=request.level)
    return draw_likelihood_ratios(found, axes_for(request, ratio=0.75)), (found,)


def _draw_walk(request: Request) -> Drawn:
    _, one = one_roc(request)
    assert one.tally is not None
    return draw_walk(one.tally, axes_for(request)), (one.auc(level=request.level),)


def _draw_cdf(request: Request) -> Drawn:
    allowed = ("score", "missing", "sheet", "delimiter", "decimal", "header_row", "na")
    apart = ("label", "pos_label", "neg_label", "sample_weight", "ids", "folds", "by")
    others = [name for name in apart if request.keywords.get(name) is not None]
    if others:
        raise InputError(
            others[0], f"has no part in {named('figure', 'cdf')}, which shows one sample", way_out="leave it out"
        )
    asked = {name: request.keywords[name] for name in allowed if request.keywords.get(name) is not None}
    names = asked.pop("score", None)
    if isinstance(names, (list, tuple)):
        if len(names) != 1:
            raise InputError("score", f"must name one score for {named('figure', 'cdf')}", Words(" and ".join(names)))
        names = names[0]
    if names is not None:
        asked["score"] = names
    band = cdf_band(request.data, level=request.level, **asked)
    test: Any = None
    if request.cdf is not None or request.support is not None or request.probabilities is not None:
        theory: dict[str, Any] = {
            "cdf": request.cdf,
            "support": request.support,
            "probabilities": request.probabilities,
        }
        test = kolmogorov(request.data, level=request.level, **theory, **asked)
    ax = draw_cdf(band, axes_for(request, ratio=0.8), cdf=request.cdf, test=test, label=names)
    return ax, (band,) if test is None else (test, band)


def _draw_design(request: Request) -> Drawn:
    design = request.data
    if isinstance(design, str):
        design = table_design(design) if design in TABLES else read_design(design)
    if not isinstance(design, Design) or request.keywords.get("scores") is not None:
        raise InputError(
            "", f"{named('figure', 'design')} shows a simulation design, not cases", Words(type(design).__name__),
            f"name one of {', '.join(TABLES)}, or the file of your own",
        )  # fmt: skip
    return draw_design(design, axes_for(request, ratio=0.7)), ()


def _draw_metrics(request: Request) -> Drawn:
    _, one = one_roc(request)
    cutoff = None if request.cutoff is None else one.cutoff(request.cutoff)
    metrics = request.metric or ("sensitivity", "specificity", "accuracy")
    table = one.coordinates()
    at = None if cutoff is None else cutoff.threshold
    every = ("prevalence", "cost_fp", "cost_fn", "alpha", "beta")
    given = {name: getattr(request, name) for name in every if getattr(request, name) is not None}
    if request.x is not None or request.y is not None:
        if request.x is None or request.y is None or request.metric:
            raise InputError("x", f"and {named('y')} are drawn against each other", Words("one of them"), "give both")
        ax = axes_for(request, ratio=0.8)
        draw_trade_off(table, ax, x=request.x, y=request.y, conditions=given, cutoff=at, log=request.log)
        shown = table.table(columns=list(dict.fromkeys([request.x, request.y])), conditions=given)
        return ax, (shown,) if cutoff is None else (cutoff, shown)
    ax = axes_for(request, ratio=0.75)
    draw_metrics(table, ax, metrics=metrics, conditions=given, cutoff=at, log=request.log)
    return ax, () if cutoff is None else (cutoff,)


def _draw_stability(request: Request) -> Drawn:
    _, one = one_roc(request)
    drawn: dict[str, Any] = {"level": request.level, "resampling": request.resampling, "rng": request.rng}
    found = one.cutoff_stability(request.cutoff or "youden", **drawn)
    return draw_stability(found, axes_for(request, ratio=0.7), log=request.log), (found,)


def _draw_calibration(request: Request) -> Drawn:
    found = {
        name: one.calibration(bins=request.bins or 10, level=request.level) for name, one in rocs_of(request).items()
    }
    ax = axes_for(request)
    with many_curves(ax, len(found)):
        for at, (name, one) in enumerate(found.items()):
            draw_calibration(one, ax, label=name, counts=at == 0, percent=request.percent)
    return ax, tuple(found.values())


def _draw_decision(request: Request) -> Drawn:
    curves = dict(rocs_of(request))
    found = net_benefit(curves, prevalence=request.prevalence)
    ax = axes_for(request, ratio=0.75)
    with many_curves(ax, len(curves)):
        draw_decision(found, ax, percent=request.percent)
    return ax, (found,)


RECIPES: dict[str, Callable[[Request], Drawn]] = {
    "distribution": _draw_distribution,
    "box_cox": _draw_box_cox,
    "likelihood": _draw_likelihood,
    "walk": _draw_walk,
    "cdf": _draw_cdf,
    "design": _draw_design,
    "metrics": _draw_metrics,
    "stability": _draw_stability,
    "calibration": _draw_calibration,
    "decision": _draw_decision,
}
