r"""Predictive values at any prevalence, from the likelihood ratios of a test.

The odds of the condition after a positive answer are :math:`LR_+` times those before it, after a negative one
:math:`LR_-` times. So one pair of ratios with their intervals tells what an answer means wherever the test is used; the
prevalence itself is taken as known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_fraction
from roclab._core.text import text_table
from roclab._core.types import Floats
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.formulas import post_test_probability
from roclab.decisions.intervals import metric_intervals
from roclab.errors import InputError, Words
from roclab.names import RatioInterval
from roclab.results import Interval
from roclab.results.pictured import Pictured

__all__ = ["PredictiveValues", "predictive_values_of"]

_SHOWN = (0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5)  # prevalences from screening to a specialist's clinic


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictiveValues(Pictured):
    """Likelihood ratios of a test with their intervals, and what they make of a prevalence."""

    lr_plus: float
    lr_plus_interval: Interval
    lr_minus: float
    lr_minus_interval: Interval
    prevalence: float  # the one that is marked
    sensitivity: float
    specificity: float
    notes: tuple[str, ...] = ()

    def ppv(self, prevalence: Any) -> Floats:
        """Chance of the condition after a positive answer."""
        return post_test_probability(self.lr_plus, prevalence)

    def npv(self, prevalence: Any) -> Floats:
        """Chance that the condition is absent after a negative answer."""
        return 1 - post_test_probability(self.lr_minus, prevalence)

    def ppv_limits(self, prevalence: Any) -> tuple[Floats, Floats]:
        """Limits of the PPV, from those of LR+."""
        low, high = (post_test_probability(end, prevalence) for end in self.lr_plus_interval)
        return low, high

    def npv_limits(self, prevalence: Any) -> tuple[Floats, Floats]:
        """Limits of the NPV, from those of LR-."""
        high, low = (1 - post_test_probability(end, prevalence) for end in self.lr_minus_interval)
        return low, high

    def rows(self) -> list[dict[str, Any]]:
        """One row per prevalence: the marked one and some round ones."""
        at = np.unique([*_SHOWN, self.prevalence])
        ppv, npv = self.ppv_limits(at), self.npv_limits(at)
        columns = {
            "prevalence": at, "ppv": self.ppv(at), "ppv low": ppv[0], "ppv high": ppv[1],
            "npv": self.npv(at), "npv low": npv[0], "npv high": npv[1],
        }  # fmt: skip
        return [
            dict(zip(columns, row, strict=True)) for row in zip(*(v.tolist() for v in columns.values()), strict=True)
        ]

    def __str__(self) -> str:
        at = self.prevalence
        ppv, npv = self.ppv_limits(at), self.npv_limits(at)
        sentences = [
            f"of 100 patients with a positive answer {100 * float(self.ppv(at)):.3g} have the condition "
            f"({100 * float(ppv[0]):.3g} to {100 * float(ppv[1]):.3g}), where {100 * at:.4g} of 100 have it",
            f"of 100 patients with a negative answer {100 * float(self.npv(at)):.3g} do not have it "
            f"({100 * float(npv[0]):.3g} to {100 * float(npv[1]):.3g})",
        ]
        ratios = (
            f"LR+ {self.lr_plus:.4g} ({self.lr_plus_interval}), LR- {self.lr_minus:.4g} ({self.lr_minus_interval}), "
            f"level {self.lr_plus_interval.level:g}: {self.lr_plus_interval.method}"
        )
        return "\n".join([*sentences, "", text_table(self.rows()), "", ratios, *self.notes])


def predictive_values_of(
    matrix: ConfusionMatrix,
    prevalence: float | None = None,
    *,
    level: float = 0.95,
    ratio_interval: RatioInterval = "score",
) -> PredictiveValues:
    """Predictive values of a matrix at every prevalence; ``prevalence`` is the one to mark."""
    metrics = metric_intervals(matrix, level=level, ratio_interval=ratio_interval)
    for name, answer in (("lr_plus", "positive"), ("lr_minus", "negative")):
        if math.isnan(metrics.metrics[name]):
            raise InputError(
                "", f"a {answer} answer has no likelihood ratio", Words("no such answer"), "count cases of both answers"
            )
    notes: tuple[str, ...] = ()
    if prevalence is None:
        prevalence = (matrix.tp + matrix.fn) / (matrix.tp + matrix.fn + matrix.fp + matrix.tn)
        notes = ("The prevalence marked is that of these cases; where they were chosen by their class, give another.",)
    at = check_fraction(prevalence, "prevalence", way_out="write 0.05 for 5%", open_ends=True)
    return PredictiveValues(
        lr_plus=metrics.metrics["lr_plus"],
        lr_plus_interval=metrics.intervals["lr_plus"],
        lr_minus=metrics.metrics["lr_minus"],
        lr_minus_interval=metrics.intervals["lr_minus"],
        prevalence=at,
        sensitivity=metrics.metrics["tpr"],
        specificity=metrics.metrics["tnr"],
        notes=notes,
    )
