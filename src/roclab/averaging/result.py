"""What every way of averaging returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, plural
from roclab._core.text import format_number, text_table
from roclab._core.thinning import thinned_table
from roclab._core.types import Floats, frozen
from roclab._core.undefined import Undefined
from roclab.areas.empirical import trapezoid
from roclab.curves.roc import RocCurve
from roclab.errors import InputError, named
from roclab.inference.mean_of_splits import reach_of_mean
from roclab.inference.one_area.intervals import deviate
from roclab.names import SPREADS, SpreadKind
from roclab.results.pictured import Pictured

__all__ = ["AverageCurve", "Spread", "limit_words", "mean_and_spread", "summary_of_areas"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spread:
    """Mean over the curves, standard deviation (ddof 1) and confidence limits at each point."""

    mean: Floats
    sd: Floats
    low: Floats
    high: Floats
    values: Floats = field(repr=False)  # one row per curve: what a box plot is drawn from

    def __post_init__(self) -> None:
        for array in (self.mean, self.sd, self.low, self.high, self.values):
            frozen(array)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AverageCurve(Pictured):
    """An averaged ROC curve with its spread in one or two directions.

    ``area_of_average`` is the area under the averaged curve, ``mean_of_areas`` the mean of the single areas: two
    numbers that papers do not always keep apart, and that differ.
    """

    how: str
    fpr: Floats
    tpr: Floats
    tpr_spread: Spread | None  # none for the pooled curve
    fpr_spread: Spread | None  # threshold averaging only
    thresholds: Floats | None
    areas: tuple[float, ...]
    names: tuple[str, ...]
    area_of_average: float
    mean_of_areas: float
    sd_of_areas: float
    level: float
    spread: str
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for array in (self.fpr, self.tpr, self.thresholds):
            if array is not None:
                frozen(array)

    def rows(self) -> list[dict[str, Any]]:
        """One row per point of the averaged curve."""
        columns: dict[str, Any] = {"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}
        for name, spread in (("fpr", self.fpr_spread), ("tpr", self.tpr_spread)):
            if spread is not None:
                columns |= {f"{name} sd": spread.sd, f"{name} low": spread.low, f"{name} high": spread.high}
        shown = {name: values.tolist() for name, values in columns.items() if values is not None}
        return [dict(zip(shown, values, strict=True)) for values in zip(*shown.values(), strict=True)]

    def __str__(self) -> str:
        areas = f"mean of the areas {format_number(self.mean_of_areas)} (sd {format_number(self.sd_of_areas)})"
        head = (
            f"{self.how.replace('_', ' ')} average of {plural(len(self.areas), 'curve')}: "
            f"area of the average {format_number(self.area_of_average)}, {areas}"
        )
        singles = text_table([{"curve": n, "AUC": a} for n, a in zip(self.names, self.areas, strict=True)])
        spread = self.tpr_spread or self.fpr_spread
        limits = ["", f"low and high: {100 * self.level:g}% limits {limit_words(self.spread)}"] if spread else []
        return "\n".join([head, *self.notes, "", singles, "", *thinned_table(self.rows()), *limits])


_LIMITS = {
    "t": "by t from the spread between curves",
    "corrected": "by t from the spread between folds, with Nadeau and Bengio's correction",
    "normal": "by the normal distribution from the spread between curves",
    "binomial": "of a proportion of all cases",
}


def limit_words(spread: str) -> str:
    """What the limits of an average rest on."""
    return _LIMITS[spread]


def mean_and_spread(values: Floats, *, level: float, kind: SpreadKind = "t", cases: float | None = None) -> Spread:
    r"""Mean over the rows, with limits clipped to [0, 1].

    "t": mean :math:`\pm t_{k-1}\,sd/\sqrt k` over the k curves. "corrected": the same for folds of one
    cross-validation, whose training parts overlap (``inference/mean_of_splits.py``). "normal": mean
    :math:`\pm z\,sd/\sqrt k`, as Fawcett and most programs have it. "binomial": mean
    :math:`\pm z \sqrt{p (1 - p) / n}` with n the cases of all curves together.
    """
    check_choice(kind, "spread", SPREADS)
    k = values.shape[0]
    mean = values.mean(axis=0)
    sd = values.std(axis=0, ddof=1) if k > 1 else np.full(values.shape[1], np.nan)
    if kind == "normal":
        half = deviate(level) * sd / np.sqrt(k)
    elif kind in ("t", "corrected"):
        overlap = 1 / (k - 1) if kind == "corrected" and k > 1 else 0.0
        half = reach_of_mean(k, level=level, test_to_train=overlap) * sd
    else:
        if cases is None:
            raise InputError(
                "",
                (f"{named('spread', 'binomial')} needs the number of cases, and ready-made points have none"),
                way_out="use 't'",
            )
        half = deviate(level) * np.sqrt(mean * (1 - mean) / cases)
    return Spread(mean=mean, sd=sd, low=np.clip(mean - half, 0, 1), high=np.clip(mean + half, 0, 1), values=values)


def summary_of_areas(curves: Sequence[RocCurve]) -> tuple[tuple[float, ...], float, float]:
    """Area of every curve, their mean and standard deviation."""
    areas = tuple(trapezoid(curve) for curve in curves)
    sd: float = Undefined("one curve has no spread") if len(areas) < 2 else float(np.std(areas, ddof=1))
    return areas, float(np.mean(areas)), sd
