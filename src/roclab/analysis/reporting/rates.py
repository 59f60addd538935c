"""The sections of a report about decisions that are made beforehand: rates at fixed thresholds, and promised bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from roclab.analysis.compare import compare
from roclab.analysis.reporting.content import Cell, DrawnRow, PromisePart, RatePart, with_interval
from roclab.data.cases import Cases
from roclab.data.groups import has_both_classes, parts_by_group, without_groups
from roclab.decisions.confusion import confusion_at
from roclab.decisions.intervals import interval_of_metric
from roclab.decisions.promise import promised_cutoff
from roclab.decisions.rate_gaps import RateGaps, gaps_of
from roclab.decisions.rate_methods import methods_of_rates
from roclab.decisions.rate_results import RateComparison
from roclab.errors import NoPromiseError
from roclab.names import RateMetric
from roclab.options.criterion import Bounds, CriterionOptions
from roclab.options.rates import Thresholds, thresholds_of

__all__ = ["promise_part", "rate_part"]

_COMPARED: tuple[RateMetric, ...] = ("sensitivity", "specificity", "accuracy", "ppv", "npv")
_METRIC = {"sensitivity": "tpr", "specificity": "tnr", "accuracy": "accuracy", "ppv": "ppv", "npv": "npv"}
_SHOWN = {"ppv": "PPV", "npv": "NPV"}


def rate_part(whole: Cases, threshold: Thresholds, *, level: float) -> RatePart:
    """What every score calls positive at its threshold: rates, their differences, and their gaps between groups."""
    cases = without_groups(whole)
    thresholds = thresholds_of(threshold, cases.names)
    at = ", ".join(f"{name} {value:g}" for name, value in thresholds.items())
    words = [f"Thresholds, fixed before these cases were seen: {at}."]
    found: RateComparison | None = None
    if len(cases.names) > 1:
        pooled: dict[str, Any] = {} if cases.folds is None else {"fold_average": "pooled"}
        found = compare(cases, threshold=thresholds, metrics=_COMPARED, level=level, **pooled)
        words += found.notes
    gaps = {} if whole.groups is None else _gaps(whole, thresholds, level, words)
    return RatePart(
        words=tuple(words),
        methods="" if found is None else methods_of_rates(found),
        rates=tuple(_rates_of(cases, thresholds, found, level)),
        differences=() if found is None else tuple(_differences(found)),
        equality=() if found is None else tuple(_equality(found)),
        drawn=() if found is None else _drawn(found),
        gaps={name: tuple(_gap_rows(one)) for name, one in gaps.items()},
        groups={name: tuple(_group_rows(one)) for name, one in gaps.items()},
    )


def _rates_of(
    cases: Cases, thresholds: Mapping[str, float], found: RateComparison | None, level: float
) -> list[dict[str, Cell]]:
    """One row per score: its rates, with limits."""
    rows: list[dict[str, Cell]] = []
    for name in cases.names:
        row: dict[str, Cell] = {"score": name, "threshold": thresholds[name]}
        matrix = confusion_at(cases.tally(name), thresholds[name]) if found is None else None
        for metric in _COMPARED:
            if matrix is None:
                assert found is not None
                one = found.rate(name, metric)
                row[_SHOWN.get(metric, metric)] = with_interval(one.value, one.interval)
            else:
                limits = interval_of_metric(matrix, _METRIC[metric], level=level)
                row[_SHOWN.get(metric, metric)] = with_interval(matrix.metrics()[_METRIC[metric]], limits)
        rows.append(row)
    return rows


def _differences(found: RateComparison) -> list[dict[str, Cell]]:
    several = len(found.names) > 2
    return [
        {
            "rate": _SHOWN.get(one.metric, one.metric),
            "first": one.first,
            "second": one.second,
            "difference": with_interval(one.difference, one.interval),
            "ratio": with_interval(one.ratio, one.ratio_interval),
            "p": one.p_value,
            **({"adjusted p": one.p_adjusted} if several else {}),
        }
        for one in found.pairs
    ]


def _equality(found: RateComparison) -> list[dict[str, Cell]]:
    return [
        {"hypothesis": test.hypothesis, "test": test.name, "statistic": test.statistic, "p": test.p_value}
        for test in found.equality
    ]


def _drawn(found: RateComparison) -> tuple[DrawnRow, ...]:
    """The differences as a forest shows them, by metric."""
    return tuple(
        DrawnRow(
            heading=_SHOWN.get(one.metric, one.metric), name=f"{one.first} − {one.second}", value=one.difference,
            low=one.interval.low, high=one.interval.high,
        )
        for one in found.pairs
        if not math.isnan(one.difference)
    )  # fmt: skip


def _gaps(whole: Cases, thresholds: Mapping[str, float], level: float, words: list[str]) -> dict[str, RateGaps]:
    """How far apart the rates of the groups lie, for every score."""
    parts = {name: part for name, part in parts_by_group(whole).items() if has_both_classes(part)}
    left = [name for name in parts_by_group(whole) if name not in parts]
    if left:
        words.append(f"Left out of the gaps, with cases of one class only: {', '.join(left)}.")
    if len(parts) < 2 or whole.weights == "importance":
        why = "importance weights" if whole.weights == "importance" else "fewer than two groups with both classes"
        words.append(f"There are no gaps between groups: {why}.")
        return {}
    return {
        score: gaps_of(
            whole.grouped_by,
            {name: confusion_at(part.tally(score), thresholds[score]) for name, part in parts.items()},
            level=level,
        )
        for score in whole.names
    }


def _gap_rows(found: RateGaps) -> list[dict[str, Cell]]:
    """One row per gap, in words."""
    return [
        {
            "gap": one.name.replace("_", " "),
            "rate": one.rate,
            "largest difference": with_interval(one.gap, one.interval),
            "highest": one.highest,
            "lowest": one.lowest,
            "chi-squared": one.statistic,
            "df": one.df,
            "p": one.p_value,
        }
        for one in found.gaps
    ]


def _group_rows(found: RateGaps) -> list[dict[str, Cell]]:
    """One row per group: the rates that the gaps are of."""
    rows: dict[str, dict[str, Cell]] = {}
    for one in found.rates:
        row = rows.setdefault(one.test, {found.by: one.test})
        row[_TITLES[one.metric]] = with_interval(one.value, one.interval)
    return list(rows.values())


_TITLES = {"tpr": "sensitivity", "fpr": "false positive rate", "detection_rate": "called positive", "ppv": "PPV"}


def promise_part(cases: Cases, require: Bounds, confidence: float, *, level: float) -> PromisePart:
    """For every score the cut-off whose bounds hold in new cases with the confidence, or why there is none."""
    rows, refused = [], []
    for name in cases.names:
        tally = cases.tally(name)
        try:
            found, promises, (low, high) = promised_cutoff(tally, CriterionOptions(require=require), confidence)
        except NoPromiseError as reason:
            refused.append(f"{name}: {str(reason).rstrip('.')}.")
            continue
        matrix = found.best.matrix
        row: dict[str, Cell] = {
            "score": name,
            "cut-off": _rule(found.best.threshold, tally.sample.direction),
            "promised": ", ".join(one.bound for one in promises),
            "kept with": ", ".join(
                f"{100 * (confidence if math.isnan(one.kept) else one.kept):.4g}%" for one in promises
            ),
            "from": _rule(low, tally.sample.direction),
            "to": _rule(high, tally.sample.direction),
        }
        for metric in ("sensitivity", "specificity"):
            limits = None if tally.weighted else interval_of_metric(matrix, _METRIC[metric], level=level)
            row[metric] = with_interval(matrix.metrics()[_METRIC[metric]], limits)
        rows.append(row)
    return PromisePart(confidence=confidence, rows=tuple(rows), refused=tuple(refused))


def _rule(threshold: float, direction: str) -> str:
    return f"{'≤' if direction == 'lower' else '≥'} {threshold:.6g}"
