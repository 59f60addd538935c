"""The confusion matrix, at a threshold or of hard predictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.text import format_number, text_table
from roclab._core.types import Bools, Counts
from roclab.data.tally import Tally
from roclab.decisions.metrics import Counts4, all_metrics, f_beta, predictive_values
from roclab.errors import InputError, Words
from roclab.names import ProportionInterval
from roclab.results import Result, Sample

if TYPE_CHECKING:
    from roclab.decisions.intervals import MetricIntervals

__all__ = ["ConfusionMatrix", "confusion_at", "confusion_of_calls"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfusionMatrix(Result):
    """Counts (or total weights) of the four outcomes.

    >>> matrix = ConfusionMatrix(tp=3, fp=1, fn=2, tn=4)
    >>> matrix.metrics()["tpr"], round(matrix.metrics()["mcc"], 4)
    (0.6, 0.4082)
    """

    tp: float
    fp: float
    fn: float
    tn: float
    threshold: float | None = None
    sample: Sample | None = None

    def __post_init__(self) -> None:
        for name in ("tp", "fp", "fn", "tn"):
            value = getattr(self, name)
            if isinstance(value, int | float) and 0 <= value < np.inf:
                continue
            if not (np.isreal(value) and np.isfinite(value) and value >= 0):
                raise InputError(name, "must be a finite count >= 0", value, "count the cases again")

    def metrics(self, *, prevalence: float | None = None) -> Mapping[str, float]:
        """Every metric by name; with ``prevalence`` the predictive values at that prevalence beside them."""
        values = dict(all_metrics(tp=self.tp, fp=self.fp, fn=self.fn, tn=self.tn))
        if prevalence is not None:
            values["ppv_at_prevalence"], values["npv_at_prevalence"] = predictive_values(
                tpr=values["tpr"], fpr=values["fpr"], prevalence=prevalence
            )
        return values

    def with_intervals(
        self,
        *,
        level: float = 0.95,
        interval: ProportionInterval = "wilson",
        prevalence: float | None = None,
        beta: float | None = None,
    ) -> MetricIntervals:
        """Every metric with its interval; ``prevalence`` and ``beta`` add some of their own."""
        from roclab.decisions.intervals import metric_intervals

        return metric_intervals(self, level=level, interval=interval, prevalence=prevalence, beta=beta)

    def f_beta(self, beta: float) -> float:
        """F-measure in which recall weighs ``beta`` times as much as precision."""
        return float(f_beta(Counts4.of(self.tp, self.fp, self.fn, self.tn), beta))

    def to_dict(self) -> dict[str, Any]:
        """Counts, metrics and circumstances."""
        from roclab._core.plain import plain

        out: dict[str, Any] = plain(
            {
                "tp": self.tp,
                "fp": self.fp,
                "fn": self.fn,
                "tn": self.tn,
                "threshold": self.threshold,
                "metrics": self.metrics(),
                "sample": self.sample,
            }
        )
        return out

    def rows(self) -> list[dict[str, Any]]:
        """One row per metric, after the four counts."""
        counts = [{"metric": name.upper(), "value": getattr(self, name)} for name in ("tp", "fp", "fn", "tn")]
        return counts + [{"metric": name, "value": value} for name, value in self.metrics().items()]

    def table_text(self) -> str:
        """The 2 x 2 table, and the rule that made it."""
        positive = self.sample.positive if self.sample else "positive"
        negative = self.sample.negative if self.sample else "negative"
        table = text_table(
            [
                {"": f"called {positive}", f"actual {positive}": self.tp, f"actual {negative}": self.fp},
                {"": f"called {negative}", f"actual {positive}": self.fn, f"actual {negative}": self.tn},
            ]
        )
        rule = ""
        if self.threshold is not None:
            side = "<=" if self.sample and self.sample.direction == "lower" else ">="
            rule = f"called {positive} when score {side} {format_number(self.threshold)}\n"
        return rule + table

    def __str__(self) -> str:
        metrics = text_table([{"metric": name, "value": value} for name, value in self.metrics().items()])
        return f"{self.table_text()}\n\n{metrics}"


def confusion_at(tally: Tally, threshold: float) -> ConfusionMatrix:
    """The matrix when cases that reach the threshold are called positive: O(log n) and one sum over half of them.

    ``threshold`` is in the user's units; it need not be an observed score and may be infinite.

    >>> tally = Tally.from_samples(np.array([3.0, 2.0]), np.array([2.0, 1.0]))
    >>> matrix = confusion_at(tally, 2.0)
    >>> matrix.tp, matrix.fp, matrix.fn, matrix.tn
    (2, 1, 0, 1)
    """
    if np.isnan(threshold):
        raise InputError("threshold", "must be a number", Words("NaN"), "give a score or +inf to call nothing positive")
    oriented = threshold if tally.sample.direction == "higher" else -threshold
    reached = tally.score.size - int(np.searchsorted(tally.score[::-1], oriented, side="left"))
    tp, fp = _first(tally.pos, reached, tally.n_pos), _first(tally.neg, reached, tally.n_neg)
    return ConfusionMatrix(
        tp=tp,
        fp=fp,
        fn=max(tally.n_pos - tp, 0),  # sums of real weights may pass their total by a rounding error
        tn=max(tally.n_neg - fp, 0),
        threshold=float(threshold),
        sample=tally.sample,
    )


def _first(counts: Counts, reached: int, total: float) -> float:
    """Sum of the first counts; of whole counts the shorter side is added up."""
    if counts.dtype.kind != "f" and reached > counts.size // 2:
        rest: float = counts[reached:].sum().item()
        return total - rest
    first: float = counts[:reached].sum().item()
    return first


def confusion_of_calls(
    label: Bools, called: Bools, *, weight: Any = None, sample: Sample | None = None
) -> ConfusionMatrix:
    """The matrix of hard predictions."""
    cell = label * 2 + called
    counts = np.bincount(cell, weights=weight, minlength=4)
    tn, fp, fn, tp = (value.item() for value in counts)
    return ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn, sample=sample)
