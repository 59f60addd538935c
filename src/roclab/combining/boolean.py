"""AND and OR of classifiers: where they can end up, where they would if independent, and where they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Array, Bools
from roclab.combining.interpolate import Point, check_point
from roclab.decisions.confusion import ConfusionMatrix, confusion_of_calls
from roclab.errors import InputError, Words
from roclab.names import Operation
from roclab.results.pictured import Pictured

__all__ = ["Combination", "Operation", "combine_points", "measure_calls"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination(Pictured):
    """A boolean combination of classifiers.

    ``independent`` holds if the classifiers err independently within each class; ``fpr_bounds`` and ``tpr_bounds``
    hold whatever their dependence (Fréchet). Independence is rare: measure the combination (``actual``).
    """

    operation: str
    points: tuple[Point, ...]
    independent: Point
    fpr_bounds: Point
    tpr_bounds: Point
    actual: ConfusionMatrix | None = None

    @property
    def fpr_cap(self) -> float:
        """The most false positives there can be: for OR the sum of the single rates, for AND the smallest of them."""
        return self.fpr_bounds[1]

    def cost_cap(self, *, prevalence: float, cost_fp: float = 1.0, cost_fn: float = 1.0) -> float:
        """Expected cost in the worst case that the bounds allow."""
        return (1 - prevalence) * cost_fp * self.fpr_bounds[1] + prevalence * cost_fn * (1 - self.tpr_bounds[0])

    def rows(self) -> list[dict[str, Any]]:
        """One row per way of looking at the combination."""
        out = [
            {"what": "if independent", "fpr": self.independent[0], "tpr": self.independent[1]},
            {"what": "at least", "fpr": self.fpr_bounds[0], "tpr": self.tpr_bounds[0]},
            {"what": "at most", "fpr": self.fpr_bounds[1], "tpr": self.tpr_bounds[1]},
        ]
        if self.actual is not None:
            metrics = self.actual.metrics()
            out.insert(0, {"what": "measured", "fpr": metrics["fpr"], "tpr": metrics["tpr"]})
        return out


def combine_points(
    points: Sequence[Point], *, operation: Operation, actual: ConfusionMatrix | None = None
) -> Combination:
    r"""AND or OR of two or more classifiers given by their points.

    For rates :math:`p_i` of one class: AND is :math:`\prod p_i` if independent, between
    :math:`\max(0, \sum p_i - k + 1)` and :math:`\min p_i` in any case; OR is :math:`1 - \prod (1 - p_i)`, between
    :math:`\max p_i` and :math:`\min(1, \sum p_i)`.

    >>> both = combine_points([(0.2, 0.8), (0.4, 0.6)], operation="and")
    >>> [round(rate, 2) for rate in both.independent], [round(rate, 2) for rate in both.tpr_bounds]
    ([0.08, 0.48], [0.4, 0.6])
    """
    check_choice(operation, "operation", ("and", "or"))
    checked = [check_point(point, f"point {at + 1}") for at, point in enumerate(points)]
    if len(checked) < 2:
        raise InputError(
            "", "a combination needs at least two classifiers", Words(f"{len(checked)}"), "name another one"
        )
    rates = np.array(checked).T
    bounds = [_and_bounds(side) if operation == "and" else _or_bounds(side) for side in rates]
    free = [float(np.prod(side)) if operation == "and" else float(1 - np.prod(1 - side)) for side in rates]
    return Combination(
        operation=operation,
        points=tuple(checked),
        independent=(free[0], free[1]),
        fpr_bounds=bounds[0],
        tpr_bounds=bounds[1],
        actual=actual,
    )


def _and_bounds(rates: Array) -> Point:
    return max(0.0, float(rates.sum() - rates.size + 1)), float(rates.min())


def _or_bounds(rates: Array) -> Point:
    return float(rates.max()), min(1.0, float(rates.sum()))


def measure_calls(
    label: Bools, calls: Mapping[str, Bools], *, operation: Operation, ids: Array | None = None
) -> Combination:
    """The combination as it behaves on data: points of the single classifiers, bounds, and the measured matrix."""
    check_choice(operation, "operation", ("and", "or"))
    if len(calls) < 2:
        raise InputError("", "a combination needs at least two classifiers", Words(f"{len(calls)}"), "name another one")
    points = []
    for called in calls.values():
        metrics = confusion_of_calls(label, called).metrics()
        points.append((metrics["fpr"], metrics["tpr"]))
    every = np.vstack(list(calls.values()))
    combined = np.asarray(every.all(axis=0) if operation == "and" else every.any(axis=0))
    return combine_points(points, operation=operation, actual=confusion_of_calls(label, combined, ids=ids))
