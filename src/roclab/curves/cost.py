"""The cost curve: expected cost of every threshold over all class priors and costs at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Floats, frozen
from roclab.curves.hull import RocHull, hull_of_curve
from roclab.curves.points import CurvePoints, Drawable
from roclab.curves.roc import RocCurve, rates

__all__ = ["CostCurve", "cost_curve"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CostCurve(Drawable):
    r"""One line per ROC vertex and their lower envelope [1]_.

    With x the share of the positives in prior times cost,
    :math:`x = p\,c_{FN} / (p\,c_{FN} + (1-p)\,c_{FP})`, the normalised expected cost of a vertex is
    :math:`fnr\,x + fpr\,(1 - x)`: a straight line from (0, fpr) to (1, fnr). At equal costs x is the prevalence.

    References
    ----------
    .. [1] Drummond C, Holte RC. Cost curves. Machine Learning 2006;65:95-130. doi:10.1007/s10994-006-8199-5
    """

    x: Floats  # corners of the lower envelope
    y: Floats
    roc: RocCurve
    hull: RocHull

    def __post_init__(self) -> None:
        frozen(self.x)
        frozen(self.y)

    @property
    def at_zero(self) -> Floats:
        """Height of each vertex's line at x = 0: its false positive rate."""
        return self.roc.fpr

    @property
    def at_one(self) -> Floats:
        """Height of each vertex's line at x = 1: its false negative rate."""
        miss: Floats = 1 - self.roc.tpr
        return miss

    def at(self, x: Any) -> Floats:
        """Lowest normalised expected cost at each x, over all thresholds."""
        return np.interp(rates(x, "x"), self.x, self.y)

    def trivial_at(self, x: Any) -> Floats:
        """Cost of always answering the cheaper class."""
        share = rates(x, "x")
        return np.minimum(share, 1 - share)

    def points(self) -> CurvePoints:
        """Corners of the lower envelope with the threshold that is best to their right."""
        thresholds = None
        if self.hull.thresholds is not None:
            thresholds = np.append(self.hull.thresholds, self.hull.thresholds[-1])
        return CurvePoints(x=self.x, y=self.y, thresholds=thresholds, x_name="probability cost", y_name="cost")


def cost_curve(roc: RocCurve, hull: RocHull | None = None) -> CostCurve:
    """Lines and lower envelope of a ROC curve; the envelope comes from the hull, O(n log h).

    >>> from roclab.curves.roc import curve_from_points
    >>> curve = cost_curve(curve_from_points([0.1, 0.5], [0.5, 0.8]))
    >>> curve.at([0.25, 0.5, 0.75]).round(4).tolist()
    [0.2, 0.3, 0.25]
    """
    hull = hull_of_curve(roc) if hull is None else hull
    # Two neighbouring hull vertices cost the same where x / (1 - x) equals run over rise between them; with
    # hull slope s that is x = 1 / (1 + s), ascending as slopes fall.
    run, rise = np.diff(hull.fpr), np.diff(hull.tpr)
    corners = run / (run + rise)
    x = np.concatenate([[0.0], corners, [1.0]])
    fpr = np.append(hull.fpr, hull.fpr[-1])
    fnr = 1 - np.append(hull.tpr, hull.tpr[-1])
    return CostCurve(x=x, y=fnr * x + fpr * (1 - x), roc=roc, hull=hull)
