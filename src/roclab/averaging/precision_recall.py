"""Averaged precision-recall curves: the mean precision at fixed recalls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_points, plural
from roclab._core.text import format_number, text_table
from roclab._core.thinning import thinned_table
from roclab._core.types import Floats, frozen
from roclab._core.undefined import Undefined
from roclab.averaging.result import Spread, limit_words, mean_and_spread
from roclab.curves.precision_recall import PrecisionRecallCurve
from roclab.names import SpreadKind
from roclab.results import Result

__all__ = ["AveragePrecisionRecall", "average_precision_recall"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AveragePrecisionRecall(Result):
    """Mean precision over the curves at each recall, with its spread, and the areas of the single curves."""

    recall: Floats
    precision: Floats
    spread: Spread
    areas: tuple[float, ...]  # exact integrals
    names: tuple[str, ...]
    mean_of_areas: float
    sd_of_areas: float
    prevalence: float  # mean over the curves: precision of a useless score
    level: float
    spread_kind: SpreadKind  # what the limits rest on
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frozen(self.recall)
        frozen(self.precision)

    def rows(self) -> list[dict[str, Any]]:
        """One row per recall."""
        columns = {"recall": self.recall, "precision": self.precision, "precision sd": self.spread.sd}
        columns |= {"precision low": self.spread.low, "precision high": self.spread.high}
        lists = [values.tolist() for values in columns.values()]
        return [dict(zip(columns, values, strict=True)) for values in zip(*lists, strict=True)]

    def __str__(self) -> str:
        head = (
            f"average of {plural(len(self.areas), 'precision-recall curve')}: mean of the areas "
            f"{format_number(self.mean_of_areas)} (sd {format_number(self.sd_of_areas)}), "
            f"of a useless score {format_number(self.prevalence)}"
        )
        singles = text_table([{"curve": n, "area": a} for n, a in zip(self.names, self.areas, strict=True)])
        limits = f"low and high: {100 * self.level:g}% limits {limit_words(self.spread_kind)}"
        return "\n".join([head, "", singles, "", *thinned_table(self.rows()), "", limits, *self.notes])


def average_precision_recall(
    curves: Sequence[PrecisionRecallCurve],
    *,
    names: Sequence[str],
    points: int = 100,
    level: float = 0.95,
    spread: SpreadKind = "t",
) -> AveragePrecisionRecall:
    """Mean of the curves at the recalls i / points, each read along its hyperbolas; O(k points log n)."""
    check_points(points, least=1, way_out="100 gives one point per percent")
    grid = np.arange(points + 1) / points
    found = mean_and_spread(np.array([curve.at(grid) for curve in curves]), level=level, kind=spread)
    areas = tuple(curve.area() for curve in curves)
    sd: float = Undefined("one curve has no spread") if len(areas) < 2 else float(np.std(areas, ddof=1))
    return AveragePrecisionRecall(
        recall=grid,
        precision=found.mean.copy(),
        spread=found,
        spread_kind=spread,
        areas=areas,
        names=tuple(names),
        mean_of_areas=float(np.mean(areas)),
        sd_of_areas=sd,
        prevalence=float(np.mean([curve.prevalence for curve in curves])),
        level=level,
    )
