"""Every metric of a confusion matrix with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_level
from roclab._core.plain import plain
from roclab._core.text import text_table
from roclab._core.types import Floats
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.metrics import METRICS, Counts4, f_beta
from roclab.errors import InputError, Words
from roclab.inference.one_area.bootstrap import run_bootstrap
from roclab.inference.one_curve.proportions import (
    difference_interval,
    f1_interval,
    proportion_interval,
)
from roclab.inference.one_curve.ratios import likelihood_ratio_interval, odds_ratio_interval
from roclab.names import ProportionInterval, RatioInterval
from roclab.options.uncertainty import Resampling, resampling_of
from roclab.results import Interval, Result

# Fixed by the class sizes, or never below 0, where resampling only adds: percentiles would miss no association at all.
_NO_PERCENTILES = ("majority_rate", "skew", "mutual_information", "chi_squared")

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
    ratio_interval: RatioInterval = "score",
    prevalence: float | None = None,
    beta: float | None = None,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> MetricIntervals:
    r"""All metrics of a matrix with intervals of the proportions, the ratios, Youden's J and F1.

    They hold for a threshold chosen beforehand; one chosen on the same data looks better than it is.

    ``ratio_interval`` is Koopman's "score" interval of likelihood ratios, which holds with few cases, or Simel's "log".
    With ``prevalence`` the predictive values at that prevalence π are added. Their odds are the likelihood ratio times
    the prior odds, :math:`\frac{PPV}{1 - PPV} = LR_+ \frac{\pi}{1 - \pi}` and
    :math:`\frac{1 - NPV}{NPV} = LR_- \frac{\pi}{1 - \pi}`, and so are the ends of their intervals. ``beta`` adds the
    F-measure in which recall weighs so many times as much. With ``resampling`` or ``rng`` the other metrics, and
    Youden's J, F1 and Jaccard's index in place of their formulas, get percentile intervals of resampled matrices: at a
    fixed threshold a stratified bootstrap draws two binomial numbers.
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
    intervals["lr_plus"] = likelihood_ratio_interval(tp, n_pos, fp, n_neg, level=level, method=ratio_interval)
    intervals["lr_minus"] = likelihood_ratio_interval(fn, n_pos, tn, n_neg, level=level, method=ratio_interval)
    intervals["dor"] = odds_ratio_interval(tp, fp, fn, tn, level=level)
    metrics = dict(matrix.metrics(prevalence=prevalence))
    if prevalence is not None:
        intervals["ppv_at_prevalence"] = _predictive(intervals["lr_plus"], prevalence, positive=True)
        intervals["npv_at_prevalence"] = _predictive(intervals["lr_minus"], prevalence, positive=False)
    if beta is not None:
        metrics[f"f_beta({beta:g})"] = matrix.f_beta(beta)
    if resampling is not None or rng is not None:
        _add_bootstrap(intervals, matrix, level, resampling, rng, beta)
    asked: Any = {"level": level, "method": interval}
    formulas = {
        "youden_j": difference_interval(tp, n_pos, fp, n_neg, **asked),
        "f1": f1_interval(tp, fp, fn, **asked),
        "jaccard": proportion_interval(tp, tp + fp + fn, **asked),
    }
    intervals = intervals | {name: found for name, found in formulas.items() if name not in intervals}
    return MetricIntervals(matrix=matrix, metrics=metrics, intervals=intervals, level=level)


def _add_bootstrap(
    intervals: dict[str, Interval],
    matrix: ConfusionMatrix,
    level: float,
    resampling: Resampling | int | None,
    rng: Any,
    beta: float | None,
) -> None:
    """Percentile intervals of the metrics that have none yet."""
    asked = resampling_of(resampling)
    tp, fp, fn, tn = (float(getattr(matrix, name)) for name in ("tp", "fp", "fn", "tn"))
    if any(value != int(value) for value in (tp, fp, fn, tn)):
        raise InputError("resampling", "draws whole cases", Words("weights or fractions"), "leave it out")
    n_pos, n_neg = int(tp + fn), int(fp + tn)

    def draw(generator: np.random.Generator) -> Floats:
        pos, neg = n_pos, n_neg
        if asked.scheme == "plain":
            pos = int(generator.binomial(n_pos + n_neg, n_pos / (n_pos + n_neg)))
            neg = n_pos + n_neg - pos
        hits = generator.binomial(pos, tp / n_pos if n_pos else 0.0)
        alarms = generator.binomial(neg, fp / n_neg if n_neg else 0.0)
        return np.array([hits, alarms, pos - hits, neg - alarms], dtype=np.float64)

    sampled = run_bootstrap(draw, 4, resampling=asked, rng=rng)
    counts = Counts4.of(*sampled.replicates.T)
    formulas = {name: row.compute for name, row in METRICS.items()}
    if beta is not None:
        formulas[f"f_beta({beta:g})"] = lambda c: f_beta(c, beta)
    for name, compute in formulas.items():
        values = np.sort(compute(counts))
        values = values[~np.isnan(values)]
        if name in intervals or name in _NO_PERCENTILES or values.size < 2:
            continue
        tail = (1 - level) / 2
        low, high = (values[max(math.ceil(share * values.size) - 1, 0)] for share in (tail, 1 - tail))
        intervals[name] = Interval(low=float(low), high=float(high), level=level, method=sampled.describe())


def _predictive(ratio: Interval, prevalence: float, *, positive: bool) -> Interval:
    """Interval of a predictive value from that of its likelihood ratio; the prevalence is taken as known."""
    ends = [ratio.low, ratio.high] if positive else [ratio.high, ratio.low]
    found = [_share(end * prevalence, 1 - prevalence) for end in ends]
    low, high = found if positive else [1 - share for share in found]
    return Interval(low=low, high=high, level=ratio.level, method=f"from the LR, {ratio.method}")


def _share(one: float, other: float) -> float:
    return 1.0 if math.isinf(one) else one / (one + other)
