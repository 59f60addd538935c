"""Every metric of a confusion matrix with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from roclab._core.checks import check_level
from roclab._core.plain import plain
from roclab._core.text import text_table
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.metrics import METRICS
from roclab.inference.one_curve.proportions import likelihood_ratio_interval, odds_ratio_interval, proportion_interval
from roclab.names import ProportionInterval
from roclab.results import Interval, Result

__all__ = ["MetricIntervals", "metric_intervals"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricIntervals(Result):
    """A confusion matrix, its metrics, and the interval of each metric where one is known."""

    matrix: ConfusionMatrix
    metrics: dict[str, float]
    intervals: dict[str, Interval]
    level: float

    def to_dict(self) -> dict[str, Any]:
        """The matrix with its metrics, and the interval of each."""
        parts = {
            "matrix": self.matrix.to_dict(),
            "metrics": self.metrics,
            "intervals": self.intervals,
            "level": self.level,
        }
        out: dict[str, Any] = plain(parts)
        return out

    def tables(self) -> str:
        """The matrix, and the metrics below it."""
        metrics = [{**_also_called(row["metric"]), **row} for row in self.rows()[4:]]
        return f"{self.matrix.table_text()}\n\n{text_table(metrics)}"

    def __str__(self) -> str:
        matrix, sample = self.matrix, self.matrix.sample
        below = []
        if matrix.threshold is not None and sample is not None:
            below = ["", sample.describe(), "The intervals hold for a threshold chosen before these data were seen."]
        return "\n".join([self.tables(), *below])

    def rows(self) -> list[dict[str, Any]]:
        """The four counts, then one row per metric."""
        percent = f"{100 * self.level:g}%"
        out: list[dict[str, Any]] = [
            {"metric": name, "value": getattr(self.matrix, name)} for name in ("tp", "fp", "fn", "tn")
        ]
        for name, value in self.metrics.items():
            row: dict[str, Any] = {"metric": name, "value": value}
            interval = self.intervals.get(name)
            if interval is not None:
                row |= {f"{percent} low": interval.low, f"{percent} high": interval.high, "method": interval.method}
            out.append(row)
        return out


def _also_called(metric: str) -> dict[str, str]:
    known = METRICS.get(metric)
    return {"metric": metric, "also called": known.synonyms[0] if known is not None else ""}


def metric_intervals(
    matrix: ConfusionMatrix,
    *,
    level: float = 0.95,
    interval: ProportionInterval = "wilson",
    prevalence: float | None = None,
    beta: float | None = None,
) -> MetricIntervals:
    r"""All metrics of a matrix with intervals of the proportions, the likelihood ratios and the odds ratio.

    They hold for a threshold chosen beforehand; one chosen on the same data looks better than it is.

    With ``prevalence`` the predictive values at that prevalence π are added. Their odds are the likelihood ratio times
    the prior odds, :math:`\frac{PPV}{1 - PPV} = LR_+ \frac{\pi}{1 - \pi}` and
    :math:`\frac{1 - NPV}{NPV} = LR_- \frac{\pi}{1 - \pi}`, and so are the ends of their intervals. ``beta`` adds the
    F-measure in which recall weighs so many times as much.
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
        "fdr": (fp, tp + fp),
        "for": (fn, tn + fn),
        "accuracy": (tp + tn, total),
        "error_rate": (fp + fn, total),
        "prevalence": (n_pos, total),
        "detection_rate": (tp + fp, total),
        "rejection_rate": (tn + fn, total),
    }
    intervals = {name: proportion_interval(k, n, level=level, method=interval) for name, (k, n) in proportions.items()}
    intervals["lr_plus"] = likelihood_ratio_interval(tp, n_pos, fp, n_neg, level=level)
    intervals["lr_minus"] = likelihood_ratio_interval(fn, n_pos, tn, n_neg, level=level)
    intervals["dor"] = odds_ratio_interval(tp, fp, fn, tn, level=level)
    metrics = dict(matrix.metrics(prevalence=prevalence))
    if prevalence is not None:
        intervals["ppv_at_prevalence"] = _predictive(intervals["lr_plus"], prevalence, positive=True)
        intervals["npv_at_prevalence"] = _predictive(intervals["lr_minus"], prevalence, positive=False)
    if beta is not None:
        metrics[f"f_beta({beta:g})"] = matrix.f_beta(beta)
    return MetricIntervals(matrix=matrix, metrics=metrics, intervals=intervals, level=level)


def _predictive(ratio: Interval, prevalence: float, *, positive: bool) -> Interval:
    """Interval of a predictive value from that of its likelihood ratio; the prevalence is taken as known."""
    ends = [ratio.low, ratio.high] if positive else [ratio.high, ratio.low]
    found = [_share(end * prevalence, 1 - prevalence) for end in ends]
    low, high = found if positive else [1 - share for share in found]
    return Interval(low=low, high=high, level=ratio.level, method=f"from the LR, {ratio.method}")


def _share(one: float, other: float) -> float:
    return 1.0 if math.isinf(one) else one / (one + other)
