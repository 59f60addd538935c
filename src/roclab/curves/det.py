"""The detection error trade-off (DET) curve: misses against false alarms on normal-deviate axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import ndtri

from roclab._core.checks import check_choice
from roclab._core.types import Floats, frozen
from roclab.curves.points import CurvePoints, Drawable
from roclab.curves.roc import RocCurve
from roclab.errors import InputError

__all__ = ["DetCurve", "det_curve"]

Ends = Literal["drop", "clip"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DetCurve(Drawable):
    """False negative rate against false positive rate, for axes on the normal-deviate scale."""

    fpr: Floats
    fnr: Floats
    thresholds: Floats | None
    ends: Ends
    roc: RocCurve

    def __post_init__(self) -> None:
        for array in (self.fpr, self.fnr, self.thresholds):
            if array is not None:
                frozen(array)

    @property
    def x(self) -> Floats:
        """Normal deviates of the false positive rates."""
        deviates: Floats = ndtri(self.fpr)
        return deviates

    @property
    def y(self) -> Floats:
        """Normal deviates of the false negative rates."""
        deviates: Floats = ndtri(self.fnr)
        return deviates

    def at(self, x: Any) -> Floats:
        """False negative rate at each false positive rate: linear between vertices, as the ROC curve is."""
        miss: Floats = 1 - self.roc.at(x)
        return miss

    def points(self) -> CurvePoints:
        """All vertices as rates."""
        return CurvePoints(x=self.fpr, y=self.fnr, thresholds=self.thresholds, x_name="fpr", y_name="fnr")


def det_curve(roc: RocCurve, *, ends: Ends = "drop") -> DetCurve:
    """The DET curve of a ROC curve, O(n) [1]_.

    Rates of 0 and 1 have no finite normal deviate. ``ends="drop"`` leaves those vertices out (a perfect curve
    then has none left); ``ends="clip"`` moves them to 1/(2n) and 1 - 1/(2n), half a case from the edge, which
    needs the class sizes.

    References
    ----------
    .. [1] Martin A et al. The DET curve in assessment of detection task performance. Eurospeech 1997:1895-1898.
    """
    check_choice(ends, "ends", ("drop", "clip"))
    fpr, fnr, thresholds = roc.fpr, 1 - roc.tpr, roc.thresholds
    if ends == "clip":
        if roc.sample is None:
            raise InputError(
                "", "ends='clip' needs the class sizes, and ready-made points have none", way_out="use ends='drop'"
            )
        fpr = np.clip(fpr, *_half_case(roc.sample.n_neg))
        fnr = np.clip(fnr, *_half_case(roc.sample.n_pos))
    inside = (fpr > 0) & (fpr < 1) & (fnr > 0) & (fnr < 1)
    return DetCurve(
        fpr=fpr[inside],
        fnr=fnr[inside],
        thresholds=None if thresholds is None else thresholds[inside],
        ends=ends,
        roc=roc,
    )


def _half_case(size: float) -> tuple[float, float]:
    return 1 / (2 * size), 1 - 1 / (2 * size)
