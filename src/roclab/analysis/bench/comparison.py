"""Differences between the models of a bench, and between the balances of its training sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Floats
from roclab.analysis.bench.tables import BalanceExperiments, ExperimentRow
from roclab.analysis.compare import compare
from roclab.benching.detectors import MAJORITY
from roclab.benching.measures import LOSSES, MEASURES
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.compare import Comparison
from roclab.inference.comparison.contrasts import Difference
from roclab.inference.comparison.practical import PracticalComparison, practical_comparison
from roclab.inference.comparison.resampled import compare_over_splits
from roclab.names import BENCH_COMPARISONS, Adjustment, Alternative, BenchComparison

if TYPE_CHECKING:
    from roclab.analysis.bench.result import Bench

__all__ = ["area_keywords", "compare_models_of", "experiments_of", "practical_comparison_of"]

_GIVEN = "It takes the fitted models as given; method='resampled_t' also counts that other cases train other models."


def area_keywords(bench: Bench, quantity: str) -> dict[str, Any]:
    """How the library asks for an area of the table."""
    if quantity == "tAUC":
        return {"estimator": "tauc"}
    if quantity == "partial AUC":
        if bench.fpr is None:
            raise InputError("by", "'partial AUC' needs a range of false positive rates", Words("none"),
                             f"run the bench with {named('fpr', (0, 0.2))}")  # fmt: skip
        return {"fpr": bench.fpr, "standardize": bench.standardize}
    return {}


def compare_models_of(
    bench: Bench,
    models: Sequence[str] | None,
    *,
    by: str,
    method: BenchComparison | None,
    adjust: Adjustment,
    alternative: Alternative,
    resampling: Any,
    rng: Any,
) -> Comparison:
    """All pairs by one measure."""
    check_choice(by, "by", MEASURES)
    areas = ("AUC", "tAUC", "partial AUC")
    if method is None:
        method = "delong" if by in areas and not bench.multiclass else "resampled_t"
    check_choice(method, "method", BENCH_COMPARISONS)
    names = list(bench.complete) if models is None else [bench.known(name) for name in models]
    if len(names) < 2:
        raise InputError("models", "must be two or more to compare", Words(", ".join(names) or "none"))
    if method == "resampled_t":
        return _over_splits(bench, names, by, adjust, alternative)
    if by not in areas or bench.multiclass:
        what = by if by not in areas else "several classes"
        raise InputError(
            "method", f"must be 'resampled_t' for {what}", method,
        )  # fmt: skip
    cases = bench.scores.select(names)
    how: Any = "bootstrap" if method == "bootstrap" else "delong"
    if cases.clustered:
        how = "clustered_bootstrap" if method == "bootstrap" else "clustered"
    comparison: Comparison = compare(
        cases, variance=how, level=bench.level, adjust=adjust, alternative=alternative, resampling=resampling, rng=rng,
        **area_keywords(bench, by),
    )  # fmt: skip
    return replace(comparison, notes=(*comparison.notes, bench.design.words, _GIVEN))


def practical_comparison_of(
    bench: Bench, models: Sequence[str] | None, *, by: str, region: float
) -> PracticalComparison:
    """How probable it is that each model is better than another by more than ``region``."""
    check_choice(by, "by", MEASURES)
    names = list(bench.complete) if models is None else [bench.known(name) for name in models]
    if len(names) < 2:
        raise InputError("models", "must be two or more to compare", Words(", ".join(names) or "none"))
    values, notes = _values_of_splits(bench, names, by, way_out="use more splits")
    return practical_comparison(
        values, quantity=by, region=region, test_to_train=bench.test_to_train, lower_is_better=by in LOSSES, notes=notes
    )


def _values_of_splits(
    bench: Bench, names: Sequence[str], by: str, *, way_out: str
) -> tuple[dict[str, Floats], tuple[str, ...]]:
    """The measure of every model on the splits where all have it."""
    values = {name: bench.split_values(name, by) for name in names}
    known = ~np.logical_or.reduce([np.isnan(value) for value in values.values()])
    if np.count_nonzero(known) < 2:
        raise InputError(
            "by", "needs two splits on which every model has the measure",
            Words(f"{by!r} with {int(np.count_nonzero(known))}"), way_out,
        )  # fmt: skip
    left = int(np.count_nonzero(~known))
    notes = (bench.design.words, *([f"{left} splits without {by} left out"] if left else []))
    return {name: one[known] for name, one in values.items()}, notes


def _over_splits(
    bench: Bench, names: Sequence[str], by: str, adjust: Adjustment, alternative: Alternative
) -> Comparison:
    values, notes = _values_of_splits(bench, names, by, way_out=f"use {named('method', 'delong')}, or more splits")
    return compare_over_splits(
        values,
        quantity=by,
        test_to_train=bench.test_to_train,
        level=bench.level,
        adjust=adjust,
        alternative=alternative,
        notes=notes,
    )


def experiments_of(bench: Bench) -> BalanceExperiments:
    """Areas of every detector under every balance, and the paired differences from the classes as they are."""
    if len(bench.balances) < 2 or "none" not in bench.balances:
        raise InputError(
            "balance", "must hold 'none' and another one for this table", Words(", ".join(bench.balances)),
            f"run the bench with {named('balance', ['none', 'fcm', 'random'])}",
        )  # fmt: skip
    quantities = ["AUC", "tAUC", *(["partial AUC"] if bench.fpr is not None else [])]
    complete = set(bench.complete)
    rows = []
    for one in (detector for detector in bench.detectors if detector.name != MAJORITY):
        names = {balance: bench.model_name(one.name, balance) for balance in bench.balances}
        areas: dict[str, dict[str, float]] = {}
        changes: dict[str, dict[str, Difference | None]] = {}
        for quantity in quantities:
            areas[quantity] = {balance: bench.mean(name, quantity).mean for balance, name in names.items()}
            changes[quantity] = {
                balance: compare_models_of(
                    bench, [name, names["none"]], by=quantity, method=None, adjust="none", alternative="two-sided",
                    resampling=None, rng=None,
                ).pairs[0]
                if {name, names["none"]} <= complete
                else None
                for balance, name in names.items()
                if balance != "none"
            }  # fmt: skip
        rows.append(ExperimentRow(detector=one.name, areas=areas, changes=changes))
    words = (
        f"{bench.describe()}\nmean of the splits under each balance of the training cases; differences from 'none' by "
        "all test cases together"
    )
    return BalanceExperiments(balances=bench.balances, detectors=tuple(rows), level=bench.level, words=words)
