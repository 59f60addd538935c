r"""A logistic model as a nomogram: each feature gives points, and their sum is read as a probability.

The log odds are linear, :math:`b_0 + \sum_j b_j x_j`. The feature whose range moves them furthest gets 100 points over
that range, the others in proportion; a feature with a negative coefficient gives its points at its lower end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Floats
from roclab.errors import InputError, Words
from roclab.results.pictured import Pictured

__all__ = ["Nomogram", "NomogramScale", "nomogram_of"]

_MOST = 100.0  # points of the widest scale


@dataclass(frozen=True, slots=True, kw_only=True)
class NomogramScale:
    """One feature: its coefficient, the range of its values, and the points at both ends."""

    feature: str
    coefficient: float
    low: float
    high: float
    points_low: float
    points_high: float

    def points(self, value: float) -> float:
        """Points of a value."""
        if self.high == self.low:
            return 0.0
        return self.points_low + (value - self.low) / (self.high - self.low) * (self.points_high - self.points_low)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nomogram(Pictured):
    """Scales of all features, and how the sum of points becomes a probability."""

    model: str
    positive: str
    scales: tuple[NomogramScale, ...]  # the widest first
    log_odds_at_zero: float  # of no points at all
    log_odds_per_point: float
    notes: tuple[str, ...]

    @property
    def most(self) -> float:
        """The largest sum of points."""
        return sum(max(one.points_low, one.points_high) for one in self.scales)

    def probability(self, points: float) -> float:
        """The probability of the positive class at a sum of points."""
        return float(1 / (1 + np.exp(-(self.log_odds_at_zero + points * self.log_odds_per_point))))

    def points_of(self, probability: float) -> float:
        """The sum of points at a probability."""
        return float((np.log(probability / (1 - probability)) - self.log_odds_at_zero) / self.log_odds_per_point)

    def rows(self) -> list[dict[str, Any]]:
        """One row per feature, the one that matters most first."""
        return [
            {"feature": one.feature, "coefficient": one.coefficient, "low": one.low, "high": one.high,
             "points at low": one.points_low, "points at high": one.points_high}
            for one in self.scales
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Scales and the probability."""
        return {
            "model": self.model, "positive": self.positive, "scales": self.rows(), "most": self.most,
            "log_odds_at_zero": self.log_odds_at_zero, "log_odds_per_point": self.log_odds_per_point,
            "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        shares = "  ".join(
            f"{points:.0f}: {100 * self.probability(points):.1f}%" for points in np.linspace(0, self.most, 6)
        )
        words = f"probability of {self.positive} by the sum of points\n{shares}"
        return "\n".join([self.text_table(), "", words, *self.notes])

    def text_table(self) -> str:
        """The scales as text."""
        from roclab._core.text import text_table

        return text_table(self.rows())


def nomogram_of(
    coefficients: Floats, intercept: float, values: Floats, names: Sequence[str], *, model: str, positive: str,
    notes: Sequence[str] = (),
) -> Nomogram:  # fmt: skip
    """The nomogram of log odds that are linear in the columns of ``values``, over the middle 95% of these.

    A single far value would take a whole scale for itself; values beyond an end have more points than it, or fewer.
    """
    low, high = np.quantile(values, [0.025, 0.975], axis=0)
    alike = low == high  # a word that few cases have
    low, high = np.where(alike, values.min(axis=0), low), np.where(alike, values.max(axis=0), high)
    reach = np.abs(coefficients) * (high - low)
    if not np.isfinite(reach).all() or reach.max() == 0:
        raise InputError("model", "must depend on a feature to be drawn", Words("coefficients that are all 0"))
    unit = reach.max() / _MOST
    scales = []
    for at, name in enumerate(names):
        gain = reach[at] / unit
        ends = (0.0, float(gain)) if coefficients[at] >= 0 else (float(gain), 0.0)
        scales.append(
            NomogramScale(feature=name, coefficient=float(coefficients[at]), low=float(low[at]), high=float(high[at]),
                          points_low=ends[0], points_high=ends[1])
        )  # fmt: skip
    least = np.where(coefficients >= 0, low, high)  # where a feature gives no points
    return Nomogram(
        model=model,
        positive=positive,
        scales=tuple(sorted(scales, key=lambda one: -max(one.points_low, one.points_high))),
        log_odds_at_zero=float(intercept + coefficients @ least),
        log_odds_per_point=float(unit),
        notes=tuple(notes),
    )
