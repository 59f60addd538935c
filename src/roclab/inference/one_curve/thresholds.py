"""The threshold that gives a wanted rate, and how well the data know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.polyline import SAME
from roclab.curves.roc import rates, roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.inference.one_area.bootstrap import (
    Resampling,
    bootstrap_interval,
    resampling_of,
    run_bootstrap,
    tally_draws,
)
from roclab.results import Interval, Result, Sample

__all__ = ["ThresholdEstimate", "threshold_interval"]


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
    if (fpr is None) == (tpr is None):
        raise InputError("", "give exactly one of fpr and tpr", way_out="the threshold is then found for it")
    asked = float(rates(fpr if fpr is not None else tpr, "fpr" if fpr is not None else "tpr")[0])

    def threshold(one: Tally) -> float:
        curve = roc_curve(one)
        if fpr is not None:
            at = int(np.searchsorted(curve.fpr, asked + SAME, side="right")) - 1
        else:
            at = int(np.searchsorted(curve.tpr, asked - SAME, side="left"))
        # +inf, where nothing is positive, is no score; the highest score stands in for it.
        return float(np.asarray(curve.thresholds)[max(at, 1)])

    resampling = resampling_of(resampling)
    draws = tally_draws(tally, resampling.scheme)
    sampled = run_bootstrap(
        lambda generator: threshold(draws.tally_once(generator)), None, resampling=resampling, rng=rng
    )
    value = threshold(tally)
    return ThresholdEstimate(
        rate="fpr" if fpr is not None else "tpr",
        asked=asked,
        threshold=value,
        interval=bootstrap_interval(sampled.replicates, value, level=level, name=sampled.describe()),
        sample=tally.sample,
    )
