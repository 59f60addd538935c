"""Pooling: one curve from all cases together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from roclab.areas.empirical import auc
from roclab.averaging.result import AverageCurve, summary_of_areas
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally

__all__ = ["pooled_average"]


def pooled_average(tallies: Sequence[Tally], *, names: Sequence[str], level: float = 0.95) -> AverageCurve:
    """The curve of the merged tallies; scores must be comparable between the parts. O(n log n)."""
    whole = reduce(Tally.merge, tallies)
    curve = roc_curve(whole)
    areas, mean, sd = summary_of_areas([roc_curve(tally) for tally in tallies])
    return AverageCurve(
        how="pooled",
        fpr=curve.fpr,
        tpr=curve.tpr,
        tpr_spread=None,
        fpr_spread=None,
        thresholds=curve.thresholds,
        areas=areas,
        names=tuple(names),
        area_of_average=auc(whole),
        mean_of_areas=mean,
        sd_of_areas=sd,
        level=level,
        spread="none",
        notes=("Pooling assumes that scores mean the same in all parts.",),
    )
