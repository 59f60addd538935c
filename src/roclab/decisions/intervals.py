"""Every metric of a confusion matrix with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import check_level
from roclab._core.plain import plain
from roclab._core.text import text_table
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.data.subjects import rows_needed
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.formulas import post_test_probability
from roclab.decisions.metrics import METRICS, Counts4, f_beta
from roclab.decisions.subject_calls import effect_on
from roclab.errors import InputError, Words
from roclab.inference.one_area.bootstrap import run_bootstrap
from roclab.inference.one_curve.proportions import (
    difference_interval,
    f1_interval,
    proportion_interval,
)
from roclab.inference.one_curve.ratios import likelihood_ratio_interval, odds_ratio_interval
from roclab.names import ProportionInterval, RatioInterval
from roclab.options.uncertainty import Resampling, refuse_keyed, resampling_of
from roclab.results import Interval, Result

# Fixed by the class sizes, or never below 0, where resampling only adds: percentiles would miss no association at all.
_NO_PERCENTILES = ("majority_rate", "skew", "mutual_information", "chi_squared")

__all__ = ["MetricIntervals", "interval_of_counts", "interval_of_metric", "metric_intervals"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricIntervals(Result):
    """A confusion matrix, its metrics, and the interval of each metric where one is known."""

    matrix: ConfusionMatrix
    metrics: dict[str, float]
    intervals: dict[str, Interval]
    level: float

    def _noting(self, *notes: str) -> MetricIntervals:
        """The notes of the matrix, with further ones."""
        return replace(self, matrix=self.matrix._noting(*notes))

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

    def summary_row(self) -> dict[str, Any]:
        """Counts, and sensitivity and specificity with their limits, in one row."""
        counts = {name: getattr(self.matrix, name) for name in ("tp", "fp", "fn", "tn")}
        row: dict[str, Any] = dict(counts)
        for word, metric in (("sensitivity", "tpr"), ("specificity", "tnr"), ("ppv", "ppv"), ("npv", "npv")):
            row[word] = self.metrics[metric]
            if metric in self.intervals:
                row[f"{word} {100 * self.level:g}% interval"] = str(self.intervals[metric])
        return row

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

    Where subjects have several cases the same formulas take the counts divided by the metric's design effect, and t in
    place of the normal distribution (``inference/one_curve/design_effects.py``); resampling then draws subjects.
    """
    check_level(level)
    formulas = _formulas(interval, ratio_interval)
    table = _by_subject(matrix)
    intervals = {name: _interval_of(matrix, table, name, formula, level) for name, formula in formulas.items()}
    metrics = dict(matrix.metrics(prevalence=prevalence))
    if prevalence is not None:
        intervals["ppv_at_prevalence"] = _predictive(intervals["lr_plus"], prevalence, positive=True)
        intervals["npv_at_prevalence"] = _predictive(intervals["lr_minus"], prevalence, positive=False)
    if beta is not None:
        metrics[f"f_beta({beta:g})"] = matrix.f_beta(beta)
    if resampling is not None or rng is not None:
        intervals = {name: one for name, one in intervals.items() if name not in _RESAMPLED}
        _add_bootstrap(intervals, matrix, level, resampling, rng, beta)
        intervals |= {
            name: _interval_of(matrix, table, name, formulas[name], level)
            for name in _RESAMPLED
            if name not in intervals
        }
    return MetricIntervals(matrix=matrix, metrics=metrics, intervals=intervals, level=level)


_Formula = Callable[[float, float, float, float, float], Interval]  # of TP, FP, FN, TN and a level
_RESAMPLED = ("youden_j", "f1", "jaccard")  # percentiles take the place of their formulas where they were asked for


def _formulas(interval: ProportionInterval, ratio_interval: RatioInterval) -> dict[str, _Formula]:
    """The interval of every metric that has one, from the four counts."""
    shares: dict[str, Callable[[float, float, float, float], tuple[float, float]]] = {
        "tpr": lambda tp, fp, fn, tn: (tp, tp + fn),
        "tnr": lambda tp, fp, fn, tn: (tn, fp + tn),
        "fpr": lambda tp, fp, fn, tn: (fp, fp + tn),
        "fnr": lambda tp, fp, fn, tn: (fn, tp + fn),
        "ppv": lambda tp, fp, fn, tn: (tp, tp + fp),
        "npv": lambda tp, fp, fn, tn: (tn, tn + fn),
        "fdr": lambda tp, fp, fn, tn: (fp, tp + fp),
        "for": lambda tp, fp, fn, tn: (fn, tn + fn),
        "accuracy": lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn),
        "error_rate": lambda tp, fp, fn, tn: (fp + fn, tp + fp + fn + tn),
        "prevalence": lambda tp, fp, fn, tn: (tp + fn, tp + fp + fn + tn),
        "detection_rate": lambda tp, fp, fn, tn: (tp + fp, tp + fp + fn + tn),
        "rejection_rate": lambda tp, fp, fn, tn: (tn + fn, tp + fp + fn + tn),
        "jaccard": lambda tp, fp, fn, tn: (tp, tp + fp + fn),
    }

    def proportion(share: Callable[[float, float, float, float], tuple[float, float]]) -> _Formula:
        return lambda tp, fp, fn, tn, level: proportion_interval(*share(tp, fp, fn, tn), level=level, method=interval)

    return {
        **{name: proportion(share) for name, share in shares.items() if name != "jaccard"},
        "lr_plus": lambda tp, fp, fn, tn, level: likelihood_ratio_interval(
            tp, tp + fn, fp, fp + tn, level=level, method=ratio_interval
        ),
        "lr_minus": lambda tp, fp, fn, tn, level: likelihood_ratio_interval(
            fn, tp + fn, tn, fp + tn, level=level, method=ratio_interval
        ),
        "dor": lambda tp, fp, fn, tn, level: odds_ratio_interval(tp, fp, fn, tn, level=level),
        "youden_j": lambda tp, fp, fn, tn, level: difference_interval(
            tp, tp + fn, fp, fp + tn, level=level, method=interval
        ),
        "f1": lambda tp, fp, fn, tn, level: f1_interval(tp, fp, fn, level=level, method=interval),
        "jaccard": proportion(shares["jaccard"]),
    }


def _by_subject(matrix: ConfusionMatrix) -> Floats | None:
    """Counts of every subject; those of an engine are not known, which is an error where they matter."""
    if matrix.subjects is None and matrix.sample is not None and matrix.sample.subjects:
        raise rows_needed()
    return None if matrix.subjects is None else matrix.subjects.table()


def interval_of_metric(
    matrix: ConfusionMatrix, name: str, *, level: float, interval: ProportionInterval = "wilson"
) -> Interval:
    """The interval of one metric that has a formula."""
    table = _by_subject(matrix)
    return _interval_of(matrix, table, name, _formulas(interval, "score")[name], level)


def interval_of_counts(
    matrix: ConfusionMatrix, table: Floats | None, name: str, *, level: float, effect: float = 1.0
) -> Interval:
    """The interval of one metric from counts, those of every subject where some have several cases; Wilson, Koopman.

    ``effect`` is a design effect of weights, by which the counts are divided.
    """
    worth = matrix
    if effect != 1:
        tp, fp, fn, tn = (count / effect for count in (matrix.tp, matrix.fp, matrix.fn, matrix.tn))
        worth = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    return _interval_of(worth, table, name, _formulas("wilson", "score")[name], level)


def _interval_of(matrix: ConfusionMatrix, table: Floats | None, name: str, formula: _Formula, level: float) -> Interval:
    """The interval of one metric; of subjects with several cases by what their counts, in ``table``, are worth."""
    counts = (matrix.tp, matrix.fp, matrix.fn, matrix.tn)
    if table is None:
        return formula(*counts, level)
    effect = effect_on(table, name, lambda c: METRICS[name].compute(Counts4.of(*np.moveaxis(c, -1, 0))))
    if effect is None:
        why = Undefined("fewer than two subjects have a case in its denominator")
        return Interval(low=why, high=why, level=level, method="none")
    tp, fp, fn, tn = (count / effect.effect for count in counts)
    found = formula(tp, fp, fn, tn, effect.level(level))
    return replace(found, level=level, method=f"{found.method} t, {effect.describe()}")


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

    refuse_keyed(asked.scheme)
    by_subject = None if matrix.subjects is None else matrix.subjects.table()

    def draw(generator: np.random.Generator) -> Floats:
        if by_subject is not None:
            drawn: Floats = by_subject[generator.integers(0, len(by_subject), len(by_subject))].sum(axis=0)
            return drawn
        pos, neg = n_pos, n_neg
        if asked.scheme == "plain":
            pos = int(generator.binomial(n_pos + n_neg, n_pos / (n_pos + n_neg)))
            neg = n_pos + n_neg - pos
        hits = generator.binomial(pos, tp / n_pos if n_pos else 0.0)
        alarms = generator.binomial(neg, fp / n_neg if n_neg else 0.0)
        return np.array([hits, alarms, pos - hits, neg - alarms], dtype=np.float64)

    sampled = run_bootstrap(draw, 4, resampling=asked, rng=rng)
    sampled = sampled if by_subject is None else replace(sampled, scheme="clustered")
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
    found = [float(post_test_probability(end, prevalence)) for end in ends]
    low, high = found if positive else [1 - share for share in found]
    return Interval(low=low, high=high, level=ratio.level, method=f"from the LR, {ratio.method}")
