"""The threshold that gives a wanted rate, and how well the data know it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.polyline import SAME
from roclab._core.types import Floats
from roclab.curves.roc import rates, roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.inference.one_area.bootstrap import bootstrap_interval, run_bootstrap, tally_draws
from roclab.options.uncertainty import Resampling, resampling_of
from roclab.results import Interval, Result, Sample

__all__ = ["ThresholdEstimate", "threshold_interval", "threshold_intervals"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdEstimate(Result):
    """A threshold with its interval."""

    rate: str  # "fpr" or "tpr"
    asked: float
    threshold: float
    interval: Interval
    sample: Sample

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        percent = f"{100 * self.interval.level:g}%"
        return [
            {
                self.rate: self.asked,
                "threshold": self.threshold,
                f"{percent} low": self.interval.low,
                f"{percent} high": self.interval.high,
                "interval": self.interval.method,
            }
        ]


def threshold_interval(
    tally: Tally,
    *,
    fpr: float | None = None,
    tpr: float | None = None,
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> ThresholdEstimate:
    """The threshold that gives a false (or true) positive rate, with its bootstrap percentile interval.

    The threshold is the lowest observed score whose false positive rate does not exceed ``fpr``, or the highest one
    whose true positive rate reaches ``tpr``.
    """
    return threshold_intervals(tally, fpr=fpr, tpr=tpr, level=level, resampling=resampling, rng=rng)[0]


def threshold_intervals(
    tally: Tally,
    *,
    fpr: Any = None,
    tpr: Any = None,
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> list[ThresholdEstimate]:
    """The same for one or many rates, from the same resampled cases."""
    if (fpr is None) == (tpr is None):
        raise InputError("", "give exactly one of fpr and tpr", way_out="the threshold is then found for it")
    name = "tpr" if fpr is None else "fpr"
    asked = rates(tpr if fpr is None else fpr, name)

    def thresholds(one: Tally) -> Floats:
        curve = roc_curve(one)
        if fpr is not None:
            at = np.searchsorted(curve.fpr, asked + SAME, side="right") - 1
        else:
            at = np.searchsorted(curve.tpr, asked - SAME, side="left")
        # +inf, where nothing is positive, is no score; the highest score stands in for it.
        found: Floats = np.asarray(curve.thresholds)[np.maximum(at, 1)]
        return found

    resampling = resampling_of(resampling)
    draws = tally_draws(tally, resampling.scheme)
    sampled = run_bootstrap(
        lambda generator: thresholds(draws.tally_once(generator)), asked.size, resampling=resampling, rng=rng
    )
    sampled = replace(sampled, scheme=draws.scheme)
    return [
        ThresholdEstimate(
            rate=name,
            asked=float(rate),
            threshold=float(value),
            interval=bootstrap_interval(column, float(value), level=level, name=sampled.describe()),
            sample=tally.sample,
        )
        for rate, value, column in zip(asked, thresholds(tally), sampled.replicates.T, strict=True)
    ]
