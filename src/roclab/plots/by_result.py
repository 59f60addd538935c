"""``result.plot(…)``: which function draws a result of which type, and where.

Types are known by their names, because figures import no numeric room.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from roclab.analysis.multiclass import average_curves, class_curves
from roclab.analysis.roc import Roc
from roclab.errors import InputError, Words
from roclab.plots.average import draw_average
from roclab.plots.calibration import draw_calibration, draw_group_calibrations
from roclab.plots.cdf import draw_cdf
from roclab.plots.clusters import draw_matched, draw_objective, draw_penalty
from roclab.plots.combination import draw_combination
from roclab.plots.comparison import draw_comparison
from roclab.plots.cost import draw_cost
from roclab.plots.decision import draw_decision
from roclab.plots.densities import draw_densities
from roclab.plots.det import draw_det
from roclab.plots.dominance import draw_crossings, draw_pareto
from roclab.plots.forest import draw_differences, draw_forest
from roclab.plots.gain import draw_gain, draw_lift
from roclab.plots.hull import draw_hull
from roclab.plots.iso import draw_iso
from roclab.plots.lc_index import draw_lc_index
from roclab.plots.likelihood import draw_likelihood_ratios
from roclab.plots.metrics import draw_metrics
from roclab.plots.model_based import draw_model_based
from roclab.plots.model_tree import draw_model_tree
from roclab.plots.multiclass import draw_class_pairs, draw_multiclass
from roclab.plots.nomogram import draw_nomogram
from roclab.plots.over_time import (
    curves_by_name,
    draw_areas_over_time,
    draw_differences_over_time,
    draw_incidence,
    draw_states_over_time,
)
from roclab.plots.picture import Picture
from roclab.plots.placed import Draw, check_looks, plotted
from roclab.plots.plan import draw_plan
from roclab.plots.precision_recall import draw_precision_recall
from roclab.plots.predictive import draw_fagan, draw_predictive_values
from roclab.plots.rates import (
    draw_gaps,
    draw_group_rates,
    draw_rate_differences,
    draw_rate_ratios,
    draw_rates,
)
from roclab.plots.readers import draw_components, draw_reader_plan, draw_readers
from roclab.plots.risk_coverage import draw_risk_coverage
from roclab.plots.roc import draw_roc, draw_rocs
from roclab.plots.smooth import draw_smooth
from roclab.plots.stability import draw_stability
from roclab.plots.study import draw_study
from roclab.plots.troc import draw_troc

__all__ = ["plot_result", "plot_roc", "plot_rocs"]


@dataclass(frozen=True, slots=True)
class _Way:
    """How a type is drawn: the function, what of the result it takes, and further options."""

    draw: Draw
    of: Callable[[Any], Any] = lambda result: result
    style: Callable[[Any], Mapping[str, Any]] = lambda _: {}


def _multiclass(areas: Any) -> dict[str, Any]:
    if areas._source is None:
        raise InputError(
            "", "the curves of these classes are not known any more", way_out="draw kind='pairs' or kind='forest'"
        )
    return {"curves": class_curves(areas._source), "averages": average_curves(areas._source)}


def _curve_of_cutoff(found: Any) -> Any:
    if found._tally is None:
        raise InputError(
            "", "the curve of this cut-off is not known any more", way_out="ask for the cut-off again, or use pickle"
        )
    return Roc(tally=found._tally).curve


def _best_cutoff(found: Any) -> dict[str, Any]:
    many = len(found.optima)
    ties = [f" ({at + 1} of {many})" if many > 1 else "" for at in range(many)]
    names = [f"{found.cutoff.criterion}{tie}" for tie in ties]
    roc = Roc(tally=found._tally)
    marks = dict(zip(names, found.optima, strict=True))
    return {"area": roc.auc(), "label": found._tally.sample.score, "operating_points": marks}


def _curves_of_groups(found: Any) -> dict[str, Any]:
    kinds = {type(result).__name__ for result in found.results.values()}
    if kinds not in ({"Roc"}, {"HorizonRoc"}):
        raise InputError(
            "", "curves of groups are drawn together", Words(f"results of type {' and '.join(sorted(kinds))}"),
            "plot each group's own, found[group].plot()",
        )  # fmt: skip
    return {group: curve.curve for group, curve in found.items()}


def _areas_of_groups(found: Any) -> dict[str, Any]:
    return {"areas": {group: curve.auc() for group, curve in found.items()}}


def _fitted(found: Any) -> dict[str, Any]:
    optima = found.cutoff.optima
    marks = {f"{found.cutoff.criterion}{f' ({at + 1})' * (len(optima) > 1)}": one for at, one in enumerate(optima)}
    return {"area": found.area, "label": "fitted probability", "operating_points": marks}


def _areas_at_horizons(found: Any) -> dict[str, Any]:
    return {"areas": {name: one.area for name, one in found.named().items()}}


def _cutoff_at_horizon(found: Any) -> dict[str, Any]:
    label = f"{found.area.sample.score} at {found.area.at:g}"
    return {"area": found.area, "label": label, "operating_points": {found.cutoff.criterion: found.cutoff.best}}


def _areas_of_groups_over_time(found: Any) -> list[Any]:
    several = len({area.at for areas in found.areas.values() for area in areas}) > 1
    return [
        replace(area, sample=replace(area.sample, score=f"{group}{f' at {area.at:g}' if several else ''}"))
        for group, areas in found.areas.items() for area in areas
    ]  # fmt: skip


# Every type, and its figures by kind; the first is drawn unless another is asked for.
_WAYS: dict[str, dict[str, _Way]] = {
    "RocCurve": {"roc": _Way(draw_roc)},
    "TrocCurve": {"troc": _Way(draw_troc)},
    "PrecisionRecallCurve": {"precision_recall": _Way(draw_precision_recall)},
    "DetCurve": {"det": _Way(draw_det)},
    "CostCurve": {"cost": _Way(draw_cost)},
    "GainCurve": {"gain": _Way(draw_gain), "lift": _Way(draw_lift)},
    "SmoothFit": {"smooth": _Way(draw_smooth)},
    "ClassDensities": {"densities": _Way(draw_densities)},
    "AverageCurve": {"average": _Way(draw_average)},
    "Calibration": {"calibration": _Way(draw_calibration)},
    "GroupCalibrations": {"calibrations": _Way(draw_group_calibrations)},
    "Recalibration": {"calibration": _Way(draw_calibration, of=lambda found: found.calibration)},
    "LogisticAnalysis": {"roc": _Way(draw_roc, of=lambda found: found.roc.curve, style=_fitted)},
    "FittedModels": {
        "roc": _Way(
            draw_rocs,
            of=lambda found: {name: one.roc.curve for name, one in found.models.items()},
            style=lambda found: {"areas": {name: one.area for name, one in found.models.items()}},
        ),
        "differences": _Way(draw_differences, of=lambda found: found.comparison),
    },
    "DecisionCurve": {"decision": _Way(draw_decision)},
    "Comparison": {
        "differences": _Way(draw_differences),
        "comparison": _Way(draw_comparison),
        "forest": _Way(draw_forest, of=lambda found: found.areas),
    },
    "RateComparison": {
        "differences": _Way(draw_rate_differences),
        "ratios": _Way(draw_rate_ratios),
        "rates": _Way(draw_rates, of=lambda found: found.rates),
    },
    "RateGaps": {"gaps": _Way(draw_gaps), "rates": _Way(draw_group_rates)},
    "AreaTable": {"forest": _Way(draw_forest, of=lambda found: found.estimates)},
    "AreasOverTime": {
        "area": _Way(draw_areas_over_time),
        "unknown": _Way(draw_states_over_time),
        "forest": _Way(draw_forest, of=lambda found: found.areas),
    },
    "ComparisonsOverTime": {"differences": _Way(draw_differences_over_time)},
    "HorizonRoc": {"roc": _Way(draw_roc, of=lambda found: found.curve)},
    "RocsOverTime": {"roc": _Way(draw_rocs, of=curves_by_name, style=_areas_at_horizons)},
    "HorizonCutoff": {"roc": _Way(draw_roc, of=lambda found: found.curve, style=_cutoff_at_horizon)},
    "HorizonCalibration": {"calibration": _Way(draw_calibration)},
    "IncidenceByGroup": {"incidence": _Way(draw_incidence)},
    "GroupsOverTime": {"forest": _Way(draw_forest, of=_areas_of_groups_over_time)},
    "GroupAreas": {"forest": _Way(draw_forest)},
    "Screening": {"forest": _Way(draw_forest, of=lambda found: found.markers)},
    "MulticlassAreas": {
        "multiclass": _Way(draw_multiclass, style=_multiclass),
        "pairs": _Way(draw_class_pairs),
        "forest": _Way(draw_forest, of=lambda found: (*found.classes.values(), *found.averages.values())),
    },
    "ByGroup": {"roc": _Way(draw_rocs, of=_curves_of_groups, style=_areas_of_groups)},
    "BestCutoff": {"roc": _Way(draw_roc, of=_curve_of_cutoff, style=_best_cutoff)},
    "CutoffBootstrap": {"stability": _Way(draw_stability)},
    "ModelBasedCurve": {"model_based": _Way(draw_model_based)},
    "RiskCoverage": {"risk_coverage": _Way(draw_risk_coverage)},
    "Coordinates": {"metrics": _Way(draw_metrics)},
    "IntervalRatios": {"likelihood": _Way(draw_likelihood_ratios)},
    "PredictiveValues": {"predictive": _Way(draw_predictive_values), "fagan": _Way(draw_fagan)},
    "HullTable": {"hull": _Way(draw_hull)},
    "Dominance": {"crossings": _Way(draw_crossings)},
    "ParetoFront": {"pareto": _Way(draw_pareto)},
    "LcIndices": {"lc": _Way(draw_lc_index, of=lambda found: found.pairs)},
    "LcIndex": {"lc": _Way(draw_lc_index, of=lambda found: (found,))},
    "IsoLines": {"iso": _Way(draw_iso, of=lambda found: found.lines, style=lambda found: {"tangent": found.tangent})},
    "Combination": {"combination": _Way(draw_combination, of=lambda found: (found,))},
    "CombinedCalls": {
        "combination": _Way(
            draw_combination, of=lambda found: (found.combination,), style=lambda found: {"names": found.classifiers}
        )
    },
    "CdfBand": {"cdf": _Way(draw_cdf)},
    "ModelTree": {"model_tree": _Way(draw_model_tree)},
    "Nomogram": {"nomogram": _Way(draw_nomogram)},
    "StudyResult": {"study": _Way(draw_study)},
    "PenaltySurface": {"penalty": _Way(draw_penalty)},
    "MatchedClusters": {"matched": _Way(draw_matched)},
    "RobustClusters": {"objective": _Way(draw_objective, of=lambda found: {"clusters": found})},
    "Plan": {"plan": _Way(draw_plan)},
    "ReaderPlan": {"reader_plan": _Way(draw_reader_plan)},
    "ReaderCurves": {"readers": _Way(draw_readers)},
    "VarianceComponents": {"components": _Way(draw_components)},
}


def plot_result(result: Any, to: Any = None, /, *, kind: str | None = None, **looks: Any) -> Picture:
    """Draw a result by its type; see ``Pictured.plot``."""
    ways = next((_WAYS[one.__name__] for one in type(result).__mro__ if one.__name__ in _WAYS), None)
    if ways is None:
        raise InputError("", f"a {type(result).__name__} has no figure of its own", way_out="plot what it was made of")
    chosen = next(iter(ways)) if kind is None else kind
    if chosen not in ways:
        raise InputError("kind", f"must be one of {', '.join(map(repr, ways))} for this result", kind)
    way = ways[chosen]
    check_looks(way.draw, chosen, looks)
    return plotted(way.draw, chosen, way.of(result), to, (result,), {**way.style(result), **looks})


def plot_roc(roc: Roc, to: Any = None, /, **looks: Any) -> Picture:
    """Draw one curve; see ``Roc.plot``."""
    check_looks(draw_roc, "roc", looks)
    area = looks.get("area")
    return plotted(draw_roc, "roc", roc.curve, to, (roc.curve if area is None else area,), looks)


def plot_rocs(rocs: Mapping[str, Roc], to: Any = None, /, *, level: float = 0.95, **looks: Any) -> Picture:
    """Draw several curves with their areas."""
    counted = {name: one.auc(level=level) for name, one in rocs.items() if one.tally is not None}
    areas = counted if len(counted) == len(rocs) else None
    check_looks(draw_rocs, "roc", looks)
    numbers: Any = tuple((areas or {}).values()) or tuple(curve.curve for curve in rocs.values())
    curves = {name: one.curve for name, one in rocs.items()}
    return plotted(draw_rocs, "roc", curves, to, numbers, {"areas": areas, **looks})
