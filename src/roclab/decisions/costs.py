"""Expected cost under stated conditions, and two cost curves side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.polyline import trapezoids
from roclab._core.text import format_number
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.curves.cost import CostCurve
from roclab.curves.hull import RocHull
from roclab.curves.roc import RocCurve, rates
from roclab.decisions.iso_performance import tangent_points
from roclab.decisions.stakes import Stakes
from roclab.errors import InputError
from roclab.results import Result

__all__ = ["CostComparison", "LowestCost", "Region", "compare_costs", "expected_cost", "lowest_cost", "signed_regions"]


def expected_cost(
    fpr: Any,
    tpr: Any,
    *,
    prevalence: float,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    benefit_tp: float = 0.0,
    benefit_tn: float = 0.0,
    normalised: bool = False,
) -> Floats:
    r"""Expected cost per case at points of ROC space, less the expected benefit.

    .. math:: \pi\, (c_{FN} (1 - TPR) - b_{TP} TPR) + (1 - \pi)\, (c_{FP} FPR - b_{TN} (1 - FPR))

    With ``normalised`` it is what is lost against a perfect score, divided by the largest such loss
    :math:`\pi (c_{FN} + b_{TP}) + (1 - \pi) (c_{FP} + b_{TN})`: the height of a cost curve.

    >>> round(float(expected_cost(0.9, 1.0, prevalence=0.3, cost_fp=1, cost_fn=5)), 12)
    0.63
    """
    stakes = Stakes(
        prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn, benefit_tp=benefit_tp, benefit_tn=benefit_tn
    )
    f, t = rates(fpr, "fpr").reshape(np.shape(fpr)), rates(tpr, "tpr").reshape(np.shape(tpr))
    cost = stakes.cost(f, t)
    return (cost + stakes.gain) / stakes.largest_regret if normalised else cost


@dataclass(frozen=True, slots=True, kw_only=True)
class LowestCost(Result):
    """The cheapest point of a curve under stated conditions."""

    cost: float  # expected cost per case, less the expected benefit
    normalised: float  # what is lost against a perfect score, as a share of the largest possible loss
    without_score: float  # cost of always giving the cheaper answer
    saved: float  # by the score, per case
    fpr: float
    tpr: float
    threshold: float | None
    slope: float
    prevalence: float
    cost_fp: float
    cost_fn: float
    benefit_tp: float = 0.0
    benefit_tn: float = 0.0

    @property
    def relative(self) -> float:
        """The cost over that without the score: 1 where the score saves nothing, minDCF in speaker recognition.

        Without benefits it is the smallest normalised detection cost of the NIST evaluations, with the prevalence as
        the prior of a target. It is the best of the same cases: a threshold fixed beforehand will cost more.
        """
        if self.without_score <= 0:
            return Undefined("the cheaper constant answer costs nothing")
        return self.cost / self.without_score

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "prevalence": self.prevalence,
                "cost fp": self.cost_fp,
                "cost fn": self.cost_fn,
                **{
                    name.replace("_", " "): value
                    for name in ("benefit_tp", "benefit_tn")
                    if (value := getattr(self, name))
                },
                "slope": self.slope,
                "threshold": self.threshold,
                "fpr": self.fpr,
                "tpr": self.tpr,
                "cost": self.cost,
                "without the score": self.without_score,
                "saved": self.saved,
                "relative": self.relative,
            }
        ]


def lowest_cost(
    curve: RocCurve | RocHull,
    *,
    prevalence: float,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    benefit_tp: float = 0.0,
    benefit_tn: float = 0.0,
) -> LowestCost:
    """The lowest expected cost of a curve, and the threshold that reaches it; of equals the lowest FPR; O(n).

    >>> from roclab.curves.roc import curve_from_points
    >>> found = lowest_cost(curve_from_points([0.1, 0.5], [0.5, 0.8]), prevalence=0.5)
    >>> found.fpr, round(found.cost, 12), round(found.saved, 12)
    (0.1, 0.3, 0.2)
    """
    stakes = Stakes(
        prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn, benefit_tp=benefit_tp, benefit_tn=benefit_tn
    )
    touch = tangent_points(curve, stakes.slope)
    fpr, tpr = float(touch.fpr[0]), float(touch.tpr[0])
    cost = float(stakes.cost(fpr, tpr))
    return LowestCost(
        cost=cost,
        normalised=(cost + stakes.gain) / stakes.largest_regret,
        without_score=stakes.trivial,
        saved=stakes.trivial - cost,
        fpr=fpr,
        tpr=tpr,
        threshold=None if touch.thresholds is None else float(touch.thresholds[0]),
        slope=stakes.slope,
        prevalence=stakes.prevalence,
        cost_fp=stakes.cost_fp,
        cost_fn=stakes.cost_fn,
        benefit_tp=stakes.benefit_tp,
        benefit_tn=stakes.benefit_tn,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A stretch of conditions and who is cheaper there; None where both cost the same."""

    low: float
    high: float
    better: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CostComparison(Result):
    """Two cost curves: where each is cheaper, and their mean cost over all conditions."""

    first: str
    second: str
    regions: tuple[Region, ...]  # of x, the share of the positives in prior times cost
    mean_cost_first: float
    mean_cost_second: float

    @property
    def difference(self) -> float:
        """Mean cost of the first less that of the second, all conditions alike."""
        return self.mean_cost_first - self.mean_cost_second

    def rows(self) -> list[dict[str, Any]]:
        """One row per region."""
        return [
            {"from": region.low, "to": region.high, "cheaper": "equal" if region.better is None else region.better}
            for region in self.regions
        ]

    def __str__(self) -> str:
        table = Result.__str__(self)
        means = f"{format_number(self.mean_cost_first)} and {format_number(self.mean_cost_second)}"
        return f"{table}\n\nmean cost of {self.first} and {self.second} over all conditions: {means}"


def compare_costs(
    first: CostCurve, second: CostCurve, *, names: tuple[str, str] = ("first", "second")
) -> CostComparison:
    r"""Where each of two classifiers is cheaper, exactly, and the area under both lower envelopes.

    Conditions are :math:`x = \pi c_{FN} / (\pi c_{FN} + (1-\pi) c_{FP})`; both lowest costs are broken lines in x, so
    the places where they cross follow from straight lines. The mean over x in [0, 1] is the area under the envelope;
    that of ignoring the score is 1/4. O(h) for h corners.

    >>> from roclab.curves.cost import cost_curve
    >>> from roclab.curves.roc import curve_from_points
    >>> early, late = (cost_curve(curve_from_points([f], [t])) for f, t in ((0.0, 0.5), (0.5, 1.0)))
    >>> print(compare_costs(early, late, names=("early", "late")))
      from      to  cheaper
    0.0000  0.5000  early
    0.5000  1.0000  late
    <BLANKLINE>
    mean cost of early and late over all conditions: 0.1667 and 0.1667
    """
    if len(set(names)) != 2:
        raise InputError("names", "must be two different names", names, "name the classifiers")
    x = np.union1d(first.x, second.x)
    one, two = first.at(x), second.at(x)
    regions = tuple(
        Region(low=low, high=high, better=None if sign == 0 else names[0] if sign > 0 else names[1])
        for low, high, sign in signed_regions(x, two - one)
    )
    return CostComparison(
        first=names[0],
        second=names[1],
        regions=regions,
        mean_cost_first=_area(first.x, first.y),
        mean_cost_second=_area(second.x, second.y),
    )


def _area(x: Floats, y: Floats) -> float:
    return trapezoids(x, y)


def signed_regions(x: Floats, y: Floats, *, tolerance: float = 1e-12) -> list[tuple[float, float, int]]:
    """Maximal stretches on which a broken line is above, on or below zero; crossings are exact.

    >>> signed_regions(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 0.0, 1.0, -1.0]))
    [(0.0, 1.0, 0), (1.0, 2.5, 1), (2.5, 3.0, -1)]
    """
    heights = np.where(np.abs(y) <= tolerance, 0.0, y)
    pieces: list[tuple[float, float, int]] = []

    def add(low: float, high: float, sign: float) -> None:
        if not high > low:
            return
        if pieces and pieces[-1][2] == sign:
            low = pieces.pop()[0]
        pieces.append((float(low), float(high), int(sign)))

    for left, right, a, b in zip(x[:-1], x[1:], heights[:-1], heights[1:], strict=True):
        if a * b < 0:
            crossing = left + (right - left) * a / (a - b)
            add(left, crossing, np.sign(a))
            add(crossing, right, np.sign(b))
        else:
            add(left, right, np.sign(a + b))
    return pieces
