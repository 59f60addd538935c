"""Which area is meant: by the name of an estimator, or of a region of the curve."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from roclab._core.checks import check_choice
from roclab.areas.cells import excess_inside
from roclab.areas.early_recognition import BEDROC_ALPHA
from roclab.areas.methods import METHODS, area_method
from roclab.areas.partial import PartialArea, partial_area
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.inference.one_area.early_influence import influence_of_bedroc
from roclab.inference.one_area.influence import (
    Influence,
    InfluenceOf,
    influence_of_ap,
    influence_of_auc,
    influence_of_tauc,
    partial_influence,
)
from roclab.names import (
    SMOOTH_MODELS,
    Standard,
)
from roclab.options.region import Range
from roclab.smooth.model import SmoothRoc

__all__ = ["Area", "area_of_method", "area_of_region"]

_PRECISION = ("AP", "AUPRC")


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """What is estimated: a functional of the tally, its bounds, and the influence of single cases if known."""

    quantity: str
    method: str
    estimate: Callable[[Tally], float]
    bounds: tuple[float, float]
    influence: InfluenceOf | None
    fit: Callable[[Tally], SmoothRoc] | None = None  # a smooth curve, which brings its own standard error
    region: tuple[Range | None, Range | None] | None = None  # ranges of the rates, where it is a part of the curve

    @property
    def is_auc(self) -> bool:
        """True for the plain empirical AUC, which has more formulas than any other area."""
        return self.method == "empirical"

    @property
    def of_auc(self) -> bool:
        """True for the AUC and for Gini, which is 2 AUC - 1: their intervals follow from each other."""
        return self.method in ("empirical", "gini")

    def correction_widths(self, tally: Tally, *, moved: float = 0.0) -> tuple[float, float]:
        r"""The range that one case of either class can move: that of the bounds, for all areas but one.

        The average precision starts at the prevalence, so that its range is :math:`w = N / (P + N)`; but a negative
        above all positives moves it by :math:`R = \frac{N}{P} \sum_g \alpha_g T_g / (T_g + c F_g)^2`, the largest
        influence, which few negatives show and which exceeds w by a factor of ln P. What lies between 0 and R with a
        mean of w has a mean square of w R at most: the square of the width for negatives. ``moved`` is added to R, for
        bounds of what is counted in cells.
        """
        low, high = self.bounds
        if self.quantity not in _PRECISION:
            return high - low, high - low
        width = (high - low) * tally.n_neg / (tally.n_pos + tally.n_neg)
        reach = 0.0 if self.influence is None else float(np.max(np.abs(self.influence(tally).neg))) + moved
        return width, math.sqrt(width * max(width, reach))

    @property
    def shares(self) -> tuple[float, float]:
        """The shares of positives and negatives that it rests on: all, but for a part of the curve.

        A range from l to u of a rate rests on the cases from the nearer end of the curve up to its farther end,
        min(u, 1 - l): where it begins and ends is known from these.
        """
        fpr, tpr = self.region or (None, None)
        pos, neg = (1.0 if ends is None else min(ends[1], 1 - ends[0]) for ends in (tpr, fpr))
        return pos, neg

    def pairs(self, n_pos: float, n_neg: float) -> float:
        """Independent pairs that an area on its bound rests on: the cases of its region of the smaller class."""
        return max(min(n * share for n, share in zip((n_pos, n_neg), self.shares, strict=True)), 1.0)

    def auc_of(self, value: float) -> float:
        """The AUC behind a value of this area."""
        return (value + 1) / 2 if self.method == "gini" else value

    def of_area(self, auc: float) -> float:
        """The value of this area for an AUC."""
        return 2 * auc - 1 if self.method == "gini" else auc


@cache
def area_of_method(name: str) -> Area:
    """The area of a name: empirical, with its influence where that is known in closed form, or of a smooth curve.

    >>> area_of_method("box_cox").quantity
    'AUC'
    """
    if name in SMOOTH_MODELS:
        from roclab.smooth.methods import SMOOTH_METHODS  # a room of models, opened when one is asked for

        fit = SMOOTH_METHODS[name].fit
        return Area(
            quantity="AUC",
            method=name,
            estimate=lambda tally: fit(tally).area,
            bounds=(0.0, 1.0),
            influence=None,
            fit=fit,
        )
    check_choice(name, "estimator", (*METHODS, *SMOOTH_MODELS))
    row = area_method(name)
    low, high = (-1.0, 1.0) if name == "gini" else (0.0, 1.0)
    if row.perfect is not None and name != "gini":
        high = float(row.perfect)
    return Area(
        quantity=row.quantity,
        method=name,
        estimate=row.estimate,
        bounds=(low, high),
        influence=_INFLUENCE.get(name),
    )


def _influence_of_gini(tally: Tally) -> Influence:
    pos, neg = influence_of_auc(tally)
    return Influence(2 * pos, 2 * neg)


_INFLUENCE: dict[str, InfluenceOf] = {
    "empirical": influence_of_auc,
    "gini": _influence_of_gini,
    "tauc": influence_of_tauc,
    "average_precision": influence_of_ap,
    "bedroc": influence_of_bedroc(BEDROC_ALPHA),
}


def area_of_region(*, fpr: Range | None = None, tpr: Range | None = None, standardize: Standard = "none") -> Area:
    """The partial area of a region, raw or standardised; standardising is linear, so influences scale with it."""

    def estimate(tally: Tally) -> float:
        part = partial_area(roc_curve(tally), fpr=fpr, tpr=tpr)
        if tally.known is not None:
            part = replace(part, area=part.area + excess_inside(tally, fpr, tpr))
        return part.standardised(standardize)

    raw = partial_influence(fpr=fpr, tpr=tpr)
    shape = _shape_of_region(fpr, tpr)
    worst = PartialArea(area=0.0, chance=shape.chance, largest=shape.largest, fpr=fpr, tpr=tpr)
    best = PartialArea(area=shape.largest, chance=shape.chance, largest=shape.largest, fpr=fpr, tpr=tpr)
    low, high = worst.standardised(standardize), best.standardised(standardize)
    factor = (high - low) / shape.largest

    def influence(tally: Tally) -> Influence:
        pos, neg = raw(tally)
        return Influence(factor * pos, factor * neg)

    return Area(
        quantity="partial AUC" if standardize == "none" else f"partial AUC ({standardize})",
        method=f"empirical, {_region_words(fpr, tpr)}",
        estimate=estimate,
        bounds=(low, high),
        influence=influence,
        region=(fpr, tpr),
    )


def _shape_of_region(fpr: Range | None, tpr: Range | None) -> PartialArea:
    """Chance and largest value of a region, which do not depend on the data: taken from the diagonal."""
    return partial_area(curve_from_points([0.0], [0.0]), fpr=fpr, tpr=tpr)


def _region_words(fpr: Range | None, tpr: Range | None) -> str:
    ranges = {"FPR": fpr, "TPR": tpr}
    return " and ".join(f"{name} {ends[0]:g} to {ends[1]:g}" for name, ends in ranges.items() if ends is not None)
