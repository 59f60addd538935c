"""Recipes of scores and thresholds: distributions, metrics, calibration, what a cut-off does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roclab.analysis.costs import net_benefit
from roclab.errors import InputError, Words, named
from roclab.plots.calibration import draw_calibration
from roclab.plots.decision import draw_decision
from roclab.plots.distribution import draw_distribution
from roclab.plots.legend import many_curves
from roclab.plots.metrics import draw_metrics
from roclab.plots.recipes.request import Drawn, Request, axes_for, one_roc, rocs_of
from roclab.plots.stability import draw_stability
from roclab.plots.trade_off import draw_trade_off

__all__ = ["RECIPES"]


def _draw_distribution(request: Request) -> Drawn:
    _, one = one_roc(request)
    assert one.tally is not None
    cutoff = None if request.cutoff is None else one.cutoff(request.cutoff)
    kind: Any = request.kind or "histogram"
    ax = axes_for(request, ratio=1.0 if kind == "dots" else 0.7)
    at = None if cutoff is None else cutoff.threshold
    draw_distribution(one.tally, ax, kind=kind, bins=request.bins, cutoff=at, log=request.log)
    return ax, () if cutoff is None else (cutoff,)


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
    "metrics": _draw_metrics,
    "stability": _draw_stability,
    "calibration": _draw_calibration,
    "decision": _draw_decision,
}
