r"""A confidence band of the precision-recall curve.

At a recall r precision is :math:`r / (r + c f)`, a falling function of the false positive rate f at which the ROC curve
reaches the recall, with c = N / P negatives per positive. So limits of f at a recall, which are those of the ROC curve
read from its other axis (``bands`` of the mirrored curve), become limits of precision, and hold as often as they do.

The class sizes are taken as they are, as for the average precision: another prevalence is another curve, which ``skew``
gives. Precision at recall 0 does not exist, so the band begins at its first step.

The precision at one threshold is another matter: there recall varies too, and its interval is that of a proportion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_positive
from roclab._core.text import text_table
from roclab._core.types import Floats, frozen
from roclab.data.tally import Tally
from roclab.errors import InputError, named
from roclab.inference.one_curve.bands import roc_band
from roclab.names import BandKind
from roclab.options.uncertainty import Resampling
from roclab.results import Result

__all__ = ["PrecisionBand", "precision_band"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrecisionBand(Result):
    """Lower and upper limits of precision over recall, at one prevalence."""

    recall: Floats
    precision: Floats
    low: Floats
    high: Floats
    level: float
    kind: str
    method: str
    prevalence: float

    def __post_init__(self) -> None:
        for array in (self.recall, self.precision, self.low, self.high):
            frozen(array)

    def __str__(self) -> str:
        summary = f"{self.kind} band, level {self.level:g}: {self.method}, at a prevalence of {self.prevalence:.4g}"
        return f"{text_table(self.rows())}\n\n{summary}"

    def rows(self) -> list[dict[str, Any]]:
        """One row per recall."""
        columns = {"recall": self.recall, "precision": self.precision, "low": self.low, "high": self.high}
        return [
            dict(zip(columns, values, strict=True))
            for values in zip(*(c.tolist() for c in columns.values()), strict=True)
        ]


def precision_band(
    tally: Tally,
    *,
    kind: BandKind = "pointwise",
    level: float = 0.95,
    points: int = 101,
    skew: float | None = None,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> PrecisionBand:
    """Limits of precision at each recall but 0; kinds as in ``roc_band``, without the one by thresholds.

    Parameters
    ----------
    skew : float, optional
        Negatives per positive in place of N / P of the data.
    """
    if kind == "thresholds":
        raise InputError(
            "kind", "'thresholds' has limits of both rates, and none of precision", kind,
            f"use {named('kind', 'pointwise')}, or metrics(threshold) for the precision at one threshold",
        )  # fmt: skip
    facing = tally.mirrored()  # its curve is the specificity over 1 - recall
    band = roc_band(facing, kind=kind, level=level, points=points, resampling=resampling, rng=rng)
    ratio = tally.n_neg / tally.n_pos if skew is None else skew
    ratio = check_positive(ratio, "skew", way_out="it is the number of negatives per positive")
    recall = (1 - band.fpr)[::-1][1:]

    def precision(specificity: Floats) -> Floats:
        false = ratio * (1 - np.clip(specificity, 0, 1))[::-1][1:]
        return np.asarray(recall / (recall + false))

    return PrecisionBand(
        recall=recall,
        precision=precision(band.tpr),
        low=precision(band.low),
        high=precision(band.high),
        level=level,
        kind=kind,
        method=band.method,
        prevalence=1 / (1 + ratio),
    )
