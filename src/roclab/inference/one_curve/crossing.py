r"""Where a ROC curve crosses a falling line, with an interval.

Several measures are such places: the equal error rate on the line from the upper left to the lower right, and the hits
among the first share χ of a ranked list on the line :math:`\pi t + (1 - \pi) f = \chi`. Which threshold leads there is
not known beforehand, and the interval has to allow for that. So the question is turned round: a point (f, h) of the
line is kept as long as its height lies within the limits of the curve at the false positive rate f, those of
``pointwise_limits``. They hold at every rate fixed in advance, also where the true curve crosses, and so does the
interval; it needs neither a density nor a slope.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.types import Floats
from roclab.curves.roc import RocCurve
from roclab.data.tally import Tally, subjects_at_hand
from roclab.inference.one_area.bootstrap import run_bootstrap_rows, tally_draws
from roclab.inference.one_area.variance import effective_sizes
from roclab.inference.one_curve.curve_draws import curve_draws
from roclab.inference.one_curve.pointwise_limits import pointwise_limits
from roclab.options.uncertainty import Resampling, resampling_of

__all__ = ["Crossing", "FallingLine", "crossing_of", "place_of"]

_READ = 1001  # rates at which resampled curves are read
_ROUNDS, _PARTS = 6, 64  # each round narrows the place of a limit to 1/64


@dataclass(frozen=True, slots=True)
class FallingLine:
    """A line from an upper left to a lower right point of ROC space; its places run from 0 to 1."""

    fpr: tuple[float, float]
    tpr: tuple[float, float]

    def rates(self, place: Floats) -> tuple[Floats, Floats]:
        """False and true positive rates at places of the line."""
        (f0, f1), (t0, t1) = self.fpr, self.tpr
        return f0 + place * (f1 - f0), t0 + place * (t1 - t0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """The place on the line where the curve crosses it, and its limits."""

    place: float
    low: float
    high: float
    method: str


def place_of(fpr: Floats, tpr: Floats, line: FallingLine) -> float:
    """Where a rising curve meets the line: both rates rise along it, so that there is one place."""
    (f0, f1), (t0, t1) = line.fpr, line.tpr
    side = (fpr - f0) * (t0 - t1) + (tpr - t0) * (f1 - f0)  # below 0 on the side of (0, 0)
    after = int(np.argmax(side >= 0))
    if after == 0:
        f, t = fpr[0], tpr[0]
    else:
        share = -side[after - 1] / (side[after] - side[after - 1])
        f = fpr[after - 1] + share * (fpr[after] - fpr[after - 1])
        t = tpr[after - 1] + share * (tpr[after] - tpr[after - 1])
    wide, tall = f1 - f0, t0 - t1
    return float(min(max((f - f0) / wide if wide >= tall else (t0 - t) / tall, 0.0), 1.0))


def crossing_of(
    curve: RocCurve,
    tally: Tally,
    line: FallingLine,
    *,
    level: float,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> Crossing:
    """The crossing with its limits; with ``resampling`` or ``rng``, and for subjects, by percentiles."""
    place = place_of(curve.fpr, curve.tpr, line)
    if resampling is None and rng is None and subjects_at_hand(tally) is None:
        low, high = _inverted(curve, tally, line, place, level)
        return Crossing(place=place, low=low, high=high, method="score limits of the curve, inverted")
    drawn = resampling_of(resampling)
    draws = tally_draws(tally, drawn.scheme)
    grid = np.linspace(*line.fpr, _READ)
    sampled = run_bootstrap_rows(curve_draws(draws, grid), grid.size, resampling=drawn, rng=rng)
    sampled = replace(sampled, scheme=draws.scheme)
    each = [place_of(grid, heights, line) for heights in sampled.replicates]
    low, high = (float(end) for end in np.quantile(each, [(1 - level) / 2, (1 + level) / 2]))
    return Crossing(place=place, low=low, high=high, method=f"{sampled.describe()}, percentile")


def _inverted(curve: RocCurve, tally: Tally, line: FallingLine, place: float, level: float) -> tuple[float, float]:
    """The outermost places whose heights lie within the limits of the curve."""
    n_pos, n_neg = effective_sizes(tally)

    def end(outer: float) -> float:
        """Seen from outside: a grid is laid between the last place that is refused and the first that is kept."""
        inner = place
        for _ in range(_ROUNDS):
            places = np.linspace(outer, inner, _PARTS + 1)
            f, h = line.rates(places)
            low, high = pointwise_limits(curve.fpr, curve.tpr, f, n_pos=n_pos, n_neg=n_neg, level=level)
            kept = (low <= h) & (h <= high)
            first = int(np.argmax(kept)) if kept.any() else places.size - 1
            if first == 0:
                return float(places[0])
            outer, inner = float(places[first - 1]), float(places[first])
        return inner

    return end(0.0), end(1.0)
