"""The tROC curve: the probability of calling one positive and one negative case both right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from roclab._core.polyline import filled_curve
from roclab._core.types import Floats
from roclab.curves.points import CurvePoints, Drawable
from roclab.curves.roc import RocCurve, rates

__all__ = ["TrocCurve", "troc_curve"]


_DENSE = 400  # points across the picture


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrocCurve(Drawable):
    r"""Points (fpr, p_cr) with :math:`p_{cr} = tpr\,(1 - fpr)`, parabolas between the vertices.

    A perfect classifier follows 1 - fpr, a useless one fpr (1 - fpr).
    """

    roc: RocCurve

    @property
    def fpr(self) -> Floats:
        """False positive rates of the vertices."""
        return self.roc.fpr

    @property
    def p_correct(self) -> Floats:
        """Probability that one random positive and one random negative are both called right."""
        both: Floats = self.roc.tpr * (1 - self.roc.fpr)
        return both

    def at(self, x: Any) -> Floats:
        """p_cr at each false positive rate; exact, because the ROC curve is linear between vertices."""
        fpr = rates(x, "fpr")
        both: Floats = self.roc.at(fpr) * (1 - fpr)
        return both

    def mirrored(self) -> TrocCurve:
        """The curve with the parts of the classes exchanged: p_cr against the false negative rate."""
        return TrocCurve(roc=self.roc.mirrored())

    def _repr_html_(self) -> str:
        """Drawn as what it is: a parabola between two vertices, not a chord."""
        if self.fpr.size > _DENSE:  # so many vertices leave no room for a chord to be seen
            return self.points()._repr_html_()
        x, y = filled_curve(self.fpr, self.p_correct, self.at)
        return CurvePoints(x=x, y=y, thresholds=None, x_name="fpr", y_name="p_cr")._repr_html_()

    def points(self) -> CurvePoints:
        """All vertices."""
        return CurvePoints(x=self.fpr, y=self.p_correct, thresholds=self.roc.thresholds, x_name="fpr", y_name="p_cr")


def troc_curve(roc: RocCurve) -> TrocCurve:
    """The tROC curve of a ROC curve.

    >>> from roclab.curves.roc import curve_from_points
    >>> troc_curve(curve_from_points([0.2], [0.7])).p_correct.round(2).tolist()
    [0.0, 0.56, 0.0]
    """
    return TrocCurve(roc=roc)
