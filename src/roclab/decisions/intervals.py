"""Every metric of a confusion matrix with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from roclab._core.checks import check_level
from roclab._core.plain import plain
from roclab._core.text import text_table
from roclab.decisions.confusion import ConfusionMatrix
from roclab.inference.one_curve.proportions import likelihood_ratio_interval, odds_ratio_interval, proportion_interval
from roclab.names import ProportionInterval
from roclab.results import Interval, Result

__all__ = ["MetricIntervals", "metric_intervals"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricIntervals(Result):
    """Metrics of one confusion matrix, each with an interval where one is known."""

    matrix: ConfusionMatrix
    intervals: dict[str, Interval]
    level: float

    def to_dict(self) -> dict[str, Any]:
        """The matrix with its metrics, and the interval of each."""
        out: dict[str, Any] = plain({"matrix": self.matrix.to_dict(), "intervals": self.intervals, "level": self.level})
        return out

    def __str__(self) -> str:
        return f"{self.matrix.table_text()}\n\n{text_table(self.rows())}"

    def rows(self) -> list[dict[str, Any]]:
        """One row per metric."""
        percent = f"{100 * self.level:g}%"
        out = []
        for name, value in self.matrix.metrics().items():
            interval = self.intervals.get(name)
            row: dict[str, Any] = {"metric": name, "value": value}
            row[f"{percent} low"] = None if interval is None else interval.low
            row[f"{percent} high"] = None if interval is None else interval.high
            row["method"] = "" if interval is None else interval.method
            out.append(row)
        return out


def metric_intervals(
    matrix: ConfusionMatrix, *, level: float = 0.95, method: ProportionInterval = "wilson"
) -> MetricIntervals:
    """Intervals of all proportions, of both likelihood ratios and of the odds ratio at a fixed threshold.

    They hold for a threshold chosen beforehand; one chosen on the same data looks better than it is.
    """
    check_level(level)
    tp, fp, fn, tn = matrix.tp, matrix.fp, matrix.fn, matrix.tn
    n_pos, n_neg = tp + fn, fp + tn
    total = n_pos + n_neg
    proportions = {
        "tpr": (tp, n_pos),
        "tnr": (tn, n_neg),
        "fpr": (fp, n_neg),
        "fnr": (fn, n_pos),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "accuracy": (tp + tn, total),
        "error_rate": (fp + fn, total),
        "prevalence": (n_pos, total),
        "detection_rate": (tp + fp, total),
    }
    intervals = {name: proportion_interval(k, n, level=level, method=method) for name, (k, n) in proportions.items()}
    intervals["lr_plus"] = likelihood_ratio_interval(tp, n_pos, fp, n_neg, level=level)
    intervals["lr_minus"] = likelihood_ratio_interval(fn, n_pos, tn, n_neg, level=level)
    intervals["dor"] = odds_ratio_interval(tp, fp, fn, tn, level=level)
    return MetricIntervals(matrix=matrix, intervals=intervals, level=level)
