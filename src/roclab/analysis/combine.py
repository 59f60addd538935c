"""What do classifiers reach together? Points between two of them, AND and OR."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from roclab._core.checks import check_choice, check_level
from roclab._core.text import format_number, text_table
from roclab.analysis.calls import calls_of
from roclab.analysis.support import folding_of
from roclab.combining.boolean import Combination, combine_points, measure_calls
from roclab.combining.interpolate import CoinFlip, interpolate
from roclab.data.table import FileTable
from roclab.data.verbs import verb
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.costs import expected_cost
from roclab.decisions.intervals import metric_intervals
from roclab.decisions.iso_performance import equal_cost_slope
from roclab.errors import InputError, Words
from roclab.names import OPERATIONS, Operation
from roclab.options.criterion import check_priced
from roclab.options.folds import FoldedKeywords
from roclab.results.pictured import Pictured

__all__ = ["CombinedCalls", "CoinFlip", "combine", "interpolate", "measured_in_words"]


# -- results ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinedCalls(Pictured):
    """AND or OR of classifiers: its points, bounds, and where data were given, what it does to them.

    ``cost_cap`` is the most that the bounds allow it to cost under the stated conditions.
    """

    combination: Combination
    operation: str
    classifiers: tuple[str, ...]
    singles: Mapping[str, tuple[float, float]]  # (fpr, tpr) of each classifier on the data
    level: float
    cost_cap: float | None = None
    conditions: Mapping[str, float] | None = None
    cases: str = ""  # who was analysed

    @property
    def _costs(self) -> dict[str, Any]:
        return dict(self.conditions or {})

    @property
    def actual(self) -> ConfusionMatrix | None:
        """The measured matrix, if there were data."""
        return self.combination.actual

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the combination, with the cost of each point if costs were given."""
        if self.conditions is None:
            return self.combination.rows()
        out = []
        for row in self.combination.rows():
            point = row["what"] in ("measured", "if independent")
            cost = expected_cost(row["fpr"], row["tpr"], **self._costs) if point else None
            out.append({**row, "cost": None if cost is None else float(cost)})
        return [*out, {"what": "cost at most", "cost": self.cost_cap}]

    def __str__(self) -> str:
        lines = [text_table(self.rows()), "", f" {self.operation.upper()} ".join(self.classifiers)]
        if self.actual is not None:
            points = [{"classifier": name, "fpr": fpr, "tpr": tpr} for name, (fpr, tpr) in self.singles.items()]
            lines += [measured_in_words(self.actual, self.level), "", text_table(points), "", self.cases]
        return "\n".join(lines)


def measured_in_words(matrix: ConfusionMatrix, level: float) -> str:
    """Sensitivity and specificity of a measured rule, with their intervals."""
    metrics = metric_intervals(matrix, level=level)
    words = [
        f"{title} {format_number(metrics.metrics[name])} ({100 * level:g}%: {metrics.intervals[name]})"
        for title, name in (("sensitivity", "tpr"), ("specificity", "tnr"))
    ]
    return f"measured: {', '.join(words)}"


# -- questions -------------------------------------------------------------------------------------


@verb(FoldedKeywords)
def combine(
    classifiers: Any,
    y_pred: Any = None,
    *,
    operation: Operation,
    predicted: Sequence[str] = (),
    thresholds: Sequence[float] = (),
    prevalence: float | None = None,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    level: float = 0.95,
    **asked: Unpack[FoldedKeywords],
) -> CombinedCalls:
    """AND or OR of classifiers: what it reaches, and, on data, what it really does.

    Parameters
    ----------
    classifiers, y_pred : points, or data
        A mapping of names to (fpr, tpr) points, or a sequence of points: the result is shown for independent errors and
        between its bounds. Or labels and a mapping of names to predictions; or a data frame, mapping or file with
        ``label=``, columns of predictions as ``predicted=[…]`` and scores with a threshold each, ``score=[…]`` and
        ``thresholds=[…]``: then the combination is measured.
    operation : "and" or "or"
    prevalence, cost_fp, cost_fn : float, optional
        Adds the expected cost of each point, and the most that the bounds allow.
    level : float
        Confidence level of the measured rates; where ``ids`` give subjects several cases, these count subjects.

    Examples
    --------
    >>> import roclab as rl
    >>> found = rl.classifiers.combine({"c1": (0.2, 0.8), "c2": (0.4, 0.6)}, operation="or")
    >>> found.combination.independent
    (0.52, 0.92)
    """
    fold_average, data = folding_of(asked)
    check_level(level)
    check_choice(operation, "operation", OPERATIONS)
    about_data = y_pred is not None or predicted or thresholds or isinstance(classifiers, FileTable | str | os.PathLike)
    if not about_data and data.get("label") is None:
        for name in ("ids", "folds"):
            if data.get(name) is not None:
                raise InputError(name, "has no part in points, which have no cases", way_out="leave it out")
        if level != 0.95:
            raise InputError("level", "has no part in points, which have no cases", level, "leave it out")
        points = _points(classifiers)
        found, names, singles, words = combine_points(list(points.values()), operation=operation), tuple(points), {}, ""
    else:
        calls = calls_of("combine", classifiers, y_pred, list(predicted), list(thresholds), data, fold_average)
        found = measure_calls(calls.label, calls.calls, operation=operation, ids=calls.ids)
        names, singles, words = tuple(calls.calls), calls.points(), calls.words
    check_priced(prevalence, cost_fp, cost_fn)
    costs = None
    if prevalence is not None:
        costs = {"prevalence": prevalence, "cost_fp": cost_fp, "cost_fn": cost_fn}
        equal_cost_slope(**costs)  # says what is out of range
    return CombinedCalls(
        combination=found,
        operation=operation,
        classifiers=names,
        singles=singles,
        level=level,
        cost_cap=None if costs is None else found.cost_cap(**costs),
        conditions=costs,
        cases=words,
    )


def _points(classifiers: Any) -> dict[str, tuple[float, float]]:
    try:
        if isinstance(classifiers, Mapping):
            return {str(name): (float(fpr), float(tpr)) for name, (fpr, tpr) in classifiers.items()}
        return {f"({fpr:g},{tpr:g})": (float(fpr), float(tpr)) for fpr, tpr in classifiers}
    except (TypeError, ValueError):
        raise InputError(
            "classifiers",
            "must be (fpr, tpr) points, or data with labels",
            Words(type(classifiers).__name__),
            "write {'a': (0.2, 0.8), 'b': (0.4, 0.6)} for instance",
        ) from None
