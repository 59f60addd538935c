"""The table of a bench: pooled areas with intervals that respect the design, means of splits, metrics of the calls."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.undefined import Undefined
from roclab.analysis.auc import area_asked
from roclab.analysis.bench.comparison import area_keywords
from roclab.analysis.bench.tables import BenchRow, BenchTable
from roclab.analysis.reporting.content import BenchPart
from roclab.benching.detectors import MAJORITY
from roclab.benching.measures import CALL_MEASURES, MEASURES, measures_of_calls, probability_losses
from roclab.benching.scores import few_values
from roclab.data.cases import Cases
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.comparison.resampled import METHOD
from roclab.many_classes.averages import multiclass_areas
from roclab.options.region import Region
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import AreaEstimate, Interval

if TYPE_CHECKING:
    from roclab.analysis.bench.result import Bench

__all__ = ["bench_table", "report_part"]

_MATRICES = 4  # of the best models, in a report
_OUT_OF_BAG, _APPARENT = 0.632, 0.368  # weights of Efron's rule


def bench_table(bench: Bench) -> BenchTable:
    """Every model, the best area first; O(k n log n) for k models and n test cases."""
    quantities = ["AUC", "tAUC", *(["partial AUC"] if bench.fpr is not None else [])]
    pooled: dict[str, dict[str, AreaEstimate]] = {}
    if not bench.multiclass and bench.complete:
        cases = bench.scores
        for quantity in quantities:
            words = area_keywords(bench, quantity)
            asked = area_asked(words.get("estimator"), Region.of(words))
            pooled[quantity] = areas_of(cases, asked, AreaUncertainty(level=bench.level))
    rows = [_row(bench, model, quantities, pooled) for model in bench.pieces]
    rows.sort(
        key=lambda row: (row.baseline, isinstance(row.auc, Undefined), -float(row.auc) if row.auc == row.auc else 0.0)
    )
    return BenchTable(
        models=tuple(rows),
        words=bench.describe(),
        interval_words=_words(bench),
        level=bench.level,
        notes=(*bench.notes, *_failures(bench)),
    )


def report_part(bench: Bench) -> BenchPart:
    """What a report says about the bench."""
    table = bench.table()
    areas, calls = table.halves()
    best = [model.model for model in table.models if not model.baseline and model.model not in bench.failures][
        :_MATRICES
    ]
    several = len(bench.balances) > 1 and "none" in bench.balances
    return BenchPart(
        words=(*table.words.split("\n"), *table.interval_words.split("\n")),
        areas=tuple(areas),
        calls=tuple(calls),
        hull=tuple(bench.hull().rows()) if len(bench.complete) > 1 else (),
        matrices={name: tuple(bench.matrix(name).rows()) for name in best},
        experiments=tuple(bench.experiments().rows()) if several else (),
        notes=table.all_notes(),
    )


def _row(bench: Bench, model: str, quantities: list[str], pooled: dict[str, dict[str, AreaEstimate]]) -> BenchRow:
    pieces = bench.pieces[model]
    tested = [pieces[at] for at, _ in bench.tested]
    shown = [name for name in MEASURES if name in quantities or name not in ("tAUC", "partial AUC")]
    means = {name: bench.mean(model, name) for name in shown}
    measures = _pooled_measures(bench, model)
    areas = {quantity: pooled.get(quantity, {}).get(model) for quantity in quantities}
    value, interval = _area(bench, model, areas["AUC"])
    if bench.design.sampling == "bootstrap" and model not in bench.failures:
        apparent = bench.split_measures[model][-1]
        measures = {name: _mixed(means[name].mean, apparent[name]) for name in shown if name != "AUC"}
        areas = dict.fromkeys(areas)
    elif model in bench.complete and not bench.multiclass:
        measures |= {name: one.area for name, one in areas.items() if one is not None and name != "AUC"}
    else:
        measures |= {name: means[name].mean for name in quantities if name != "AUC"}
    notes = []
    if not bench.is_baseline(model) and model not in bench.failures and not bench.multiclass:
        remark = few_values(bench.joined(model, "score"))
        notes += [remark] if remark else []
    return BenchRow(
        model=model,
        areas=areas,
        means=means,
        measures=measures,
        fit_seconds=_mean_seconds([one.fit_seconds for one in tested]),
        score_seconds=_mean_seconds([one.score_seconds for one in tested]),
        auc=value,
        interval=interval,
        baseline=bench.is_baseline(model),
        notes=tuple(notes),
    )


def _mean_seconds(values: list[float]) -> float:
    mean = float(np.mean(values))
    return Undefined("the models were trained elsewhere") if np.isnan(mean) else mean


def _mixed(out_of_bag: float, apparent: float) -> float:
    for one in (out_of_bag, apparent):
        if isinstance(one, Undefined):
            return one
    return _OUT_OF_BAG * out_of_bag + _APPARENT * apparent


def _pooled_measures(bench: Bench, model: str) -> dict[str, float]:
    """Metrics of all calls together, and losses of all probabilities."""
    if model in bench.failures:
        fold, why = next(iter(bench.failures[model].items()))
        reason = Undefined(f"failed in {fold}: {why}")
        return dict.fromkeys((*CALL_MEASURES, "log loss", "Brier"), reason)
    task, actual = bench.data.task, bench.data.task.codes[bench.where]
    lacks = any(bench.pieces[model][at].probability is None for at, _ in bench.tested)
    probability = None if lacks else bench.joined(model, "probability")
    return {
        **measures_of_calls(task, bench.joined(model, "called"), actual),
        **probability_losses(task, probability, actual),
    }


def _area(bench: Bench, model: str, pooled: AreaEstimate | None) -> tuple[float, Interval]:
    """The AUC to compare by, and its interval."""
    mean = bench.mean(model)
    if bench.is_baseline(model):
        blank = Undefined(f"{MAJORITY} gives every case the same score, so its area is 0.5 by definition")
        return mean.mean, Interval(low=blank, high=blank, level=bench.level, method="none")
    if bench.design.sampling == "bootstrap" and model not in bench.failures:
        return _by_632(bench, model, mean.mean)
    if pooled is not None:
        return pooled.area, pooled.interval
    if bench.multiclass and model not in bench.failures and not _again(bench):
        average = multiclass_areas(bench.class_scores(model), level=bench.level).averages["macro"]
        return average.area, average.interval
    return mean.mean, mean.interval


def _again(bench: Bench) -> bool:
    return np.unique(bench.where).size < bench.where.size


def _by_632(bench: Bench, model: str, out_of_bag: float) -> tuple[float, Interval]:
    """Efron's rule; the interval is that of the apparent area, moved by what the rule takes from it."""
    apparent = bench.split_measures[model][-1]["AUC"]
    value = _mixed(out_of_bag, apparent)
    method = "apparent DeLong interval, moved by the optimism"
    if bench.multiclass:
        blank = Undefined("the .632 rule has an interval for two classes")
        return value, Interval(low=blank, high=blank, level=bench.level, method=method)
    split = bench.design.splits[-1]
    cases = Cases(
        label=bench.data.task.codes[split.test] == bench.data.task.positive,
        scores={model: bench.pieces[model][-1].score},
        direction={model: "higher"},
        ids=None if bench.data.ids is None else bench.data.ids[split.test],
    )
    found = areas_of(cases, area_asked(), AreaUncertainty(level=bench.level))[model].interval
    moved: dict[str, Any] = {
        "low": max(0.0, found.low + value - apparent),
        "high": min(1.0, found.high + value - apparent),
        "method": method,
    }
    return value, replace(found, **moved)


def _words(bench: Bench) -> str:
    """What the intervals are, and what they leave out."""
    given = "it takes the fitted models as given"
    if bench.design.sampling == "bootstrap":
        text = ".632 rule: 0.368 of the apparent and 0.632 of the out-of-bag value; interval: the apparent one, moved"
    elif bench.multiclass:
        text = f"AUC: mean over the classes against the rest; interval by influence functions or {METHOD}"
    elif bench.scores_are_clustered():
        text = f"AUC: all test cases together; interval by subject, since cases are tested several times; {given}"
    else:
        text = f"AUC: all test cases together, with the score interval; {given}"
    if not bench.design.honest:
        text += "; the models were tested on the cases they were fitted to"
    times = "fit s and score s are means of a split"
    return f"{text}\nmetrics at the model's own calls; {times}; {MAJORITY} calls every case by the larger class"


def _failures(bench: Bench) -> list[str]:
    return [
        f"{model} failed in {len(why)} of {len(bench.design)} splits, {', '.join(list(why)[:5])}: "
        f"{next(iter(why.values()))}"
        for model, why in bench.failures.items()
    ]
