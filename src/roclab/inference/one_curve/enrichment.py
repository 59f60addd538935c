r"""Enrichment: how many more positives stand among the first cases of a ranked list than in a random choice.

The enrichment factor of the first share χ is the true positive rate there over χ, useless 1, and at most
:math:`\min(1/\chi, 1/\pi)` with π the share of positives. The place of the list's end on the ROC curve is where it
crosses :math:`\pi t + (1 - \pi) f = \chi`; its interval is that of ``crossing``, at the class sizes of the data. Tied
scores at the end of the list are taken in part, as chance would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from roclab._core.checks import check_fraction, check_level
from roclab._core.text import format_number, text_table
from roclab.areas.early_recognition import BEDROC_ALPHA, bedroc_of, check_alpha
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.early_influence import influence_of_bedroc
from roclab.inference.one_curve.crossing import FallingLine, crossing_of
from roclab.options.uncertainty import Resampling
from roclab.results import AreaEstimate, Interval, Result, Sample

__all__ = ["Enrichment", "EnrichmentFactor", "bedroc_area", "enrichment_factors"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrichmentFactor:
    """Positives among the first share of the list, against a random choice."""

    fraction: float
    tpr: float  # the share of all positives that is found there
    factor: float
    interval: Interval
    largest: float  # of a perfect order


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrichment(Result):
    """Early recognition of one score: enrichment factors, RIE and BEDROC."""

    factors: tuple[EnrichmentFactor, ...]
    bedroc: AreaEstimate
    rie: float
    alpha: float
    sample: Sample

    def rows(self) -> list[dict[str, Any]]:
        """One row per share of the list."""
        return [
            {
                "first": factor.fraction,
                "tpr": factor.tpr,
                "enrichment": factor.factor,
                "low": factor.interval.low,
                "high": factor.interval.high,
                "level": factor.interval.level,
                "largest": factor.largest,
            }
            for factor in self.factors
        ]

    def __str__(self) -> str:
        first = self.factors[0]
        summary = (
            f"the first {100 * first.fraction:g}% of the list hold {100 * first.tpr:.3g}% of the positives: "
            f"{first.factor:.3g} times as many as a random choice ({100 * first.interval.level:g}% {first.interval})"
        )
        weighed = (
            f"BEDROC {float(self.bedroc):.4f} ({self.bedroc.interval}), RIE {format_number(self.rie)}, "
            f"alpha {self.alpha:g}"
        )
        rows = [{name: value for name, value in row.items() if name != "level"} for row in self.rows()]
        method = f"{first.interval.method}; {self.sample.describe()}"
        return "\n".join([summary, weighed, "", text_table(rows), "", method])


def bedroc_area(alpha: float = BEDROC_ALPHA) -> Area:
    """BEDROC with any weight of the first places, as an area with its influence."""
    alpha = check_alpha(alpha)
    return Area(
        quantity="BEDROC",
        method=f"bedroc, alpha {alpha:g}",
        estimate=bedroc_of(alpha),
        bounds=(0.0, 1.0),
        influence=influence_of_bedroc(alpha),
    )


def enrichment_factors(
    tally: Tally,
    fractions: Sequence[float],
    *,
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> tuple[EnrichmentFactor, ...]:
    """Enrichment of each first share of the list with its interval.

    >>> import numpy as np
    >>> tally = Tally.from_counts(np.array([3, 2, 1]), np.array([4, 1, 0]), np.array([1, 4, 90]))
    >>> [round(one.factor, 3) for one in enrichment_factors(tally, [0.05, 0.1])]
    [16.0, 10.0]
    """
    check_level(level)
    if not fractions:
        raise InputError("fractions", "must hold at least one share of the list", Words("none"), "write 0.01 for 1%")
    curve = roc_curve(tally)
    prevalence = tally.n_pos / (tally.n_pos + tally.n_neg)
    factors = []
    for value in fractions:
        fraction = check_fraction(value, "fractions", way_out="write 0.01 for the first 1%", open_ends=True)
        line = _end_of_list(fraction, prevalence)
        crossing = crossing_of(curve, tally, line, level=level, resampling=resampling, rng=rng)
        high, low, here = (_height(line, place) for place in (crossing.low, crossing.high, crossing.place))
        ends = Interval(low=low / fraction, high=high / fraction, level=level, method=crossing.method)
        largest = min(1 / fraction, 1 / prevalence)
        factors.append(
            EnrichmentFactor(fraction=fraction, tpr=here, factor=here / fraction, interval=ends, largest=largest)
        )
    return tuple(factors)


def _end_of_list(fraction: float, prevalence: float) -> FallingLine:
    """All points of ROC space at which this share of the cases is called."""
    most, least = min(1.0, fraction / prevalence), max(0.0, (fraction - (1 - prevalence)) / prevalence)
    none, all_ = max(0.0, (fraction - prevalence) / (1 - prevalence)), min(1.0, fraction / (1 - prevalence))
    return FallingLine(fpr=(none, all_), tpr=(most, least))


def _height(line: FallingLine, place: float) -> float:
    high, low = line.tpr
    return high + place * (low - high)
