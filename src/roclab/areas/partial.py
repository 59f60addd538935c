"""Areas under a part of the ROC curve: a range of false positive rates, of true positive rates, or both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roclab._core.checks import check_choice, check_range
from roclab._core.polyline import bounded, first_reach, integral, value_at
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.curves.roc import RocCurve
from roclab.errors import InputError, Words, named
from roclab.names import Standard
from roclab.options.region import Range

__all__ = ["STANDARDS", "PartialArea", "Standard", "partial_area"]

STANDARDS = ("none", "width", "jiang", "mcclish")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialArea:
    """A raw partial area with the smallest useful and the largest possible value of its region.

    ``chance`` is the area of a useless score in the same region, ``largest`` that of a perfect one.
    """

    area: float
    chance: float
    largest: float
    fpr: Range | None
    tpr: Range | None

    @property
    def two_way(self) -> bool:
        """True when both rates are restricted."""
        return self.fpr is not None and self.tpr is not None

    def standardised(self, standardize: Standard) -> float:
        """The area on a common scale.

        "width" divides by the largest possible area, so that 1 is perfect; for a range of true positive rates
        up to 1 this is the index of Jiang et al. [1]_, hence the synonym "jiang". "mcclish" maps a useless
        score to 1/2 and a perfect one to 1 [2]_; below the chance line it falls under 1/2.

        References
        ----------
        .. [1] Jiang Y, Metz CE, Nishikawa RM. Radiology 1996;201:745-750. doi:10.1148/radiology.201.3.8939225
        .. [2] McClish DK. Analyzing a portion of the ROC curve. Med Decis Making 1989;9:190-195.
           doi:10.1177/0272989X8900900307
        """
        check_choice(standardize, "standardize", STANDARDS)
        if standardize == "none":
            return self.area
        if standardize in ("width", "jiang"):
            return self.area / self.largest
        if self.largest == self.chance:
            return Undefined("the chance line already fills the region, so McClish's scale has no length")
        return (1 + (self.area - self.chance) / (self.largest - self.chance)) / 2


def partial_area(curve: RocCurve, *, fpr: Range | None = None, tpr: Range | None = None) -> PartialArea:
    r"""Partial area of a ROC curve, exact for its broken line, O(n).

    - ``fpr=(f1, f2)``: :math:`\int_{f_1}^{f_2} TPR\,dFPR`.
    - ``tpr=(s1, s2)``: :math:`\int_{s_1}^{s_2} (1 - FPR)\,dTPR`, the area to the right of the curve.
    - both: the area under the curve inside the rectangle, the two-way form [1]_.

    References
    ----------
    .. [1] Yang H, Lu K, Lyu X, Hu F. Two-way partial AUC and its properties. Stat Methods Med Res
       2019;28:184-195. doi:10.1177/0962280217718866

    Examples
    --------
    >>> from roclab.curves.roc import curve_from_points
    >>> part = partial_area(curve_from_points([0.2], [0.6]), fpr=(0, 0.2))
    >>> round(part.area, 3), round(part.standardised("mcclish"), 3)
    (0.06, 0.611)
    """
    if fpr is None and tpr is None:
        raise InputError(
            "",
            "a partial area needs a range",
            Words("none"),
            f"write {named('fpr', (0, 0.1))} or {named('tpr', (0.8, 1))}",
        )
    if fpr is not None and tpr is not None:
        return _two_way(curve, check_range(fpr, "fpr"), check_range(tpr, "tpr"))
    if fpr is not None:
        f1, f2 = check_range(fpr, "fpr")
        return PartialArea(
            area=bounded(integral(curve.fpr, curve.tpr, f1, f2), f2 - f1),
            chance=(f2**2 - f1**2) / 2,
            largest=f2 - f1,
            fpr=(f1, f2),
            tpr=None,
        )
    s1, s2 = check_range(tpr, "tpr") if tpr is not None else (0.0, 1.0)
    mirror = curve.mirrored()
    return PartialArea(
        area=bounded(integral(mirror.fpr, mirror.tpr, 1 - s2, 1 - s1), s2 - s1),
        chance=((1 - s1) ** 2 - (1 - s2) ** 2) / 2,
        largest=s2 - s1,
        fpr=None,
        tpr=(s1, s2),
    )


def _two_way(curve: RocCurve, fpr: Range, tpr: Range) -> PartialArea:
    (f1, f2), (s1, s2) = fpr, tpr
    diagonal = np.array([0.0, 1.0])
    return PartialArea(
        area=bounded(_inside(curve.fpr, curve.tpr, fpr, tpr), (f2 - f1) * (s2 - s1)),
        chance=_inside(diagonal, diagonal, fpr, tpr),
        largest=(f2 - f1) * (s2 - s1),
        fpr=fpr,
        tpr=tpr,
    )


def _inside(x: Floats, y: Floats, fpr: Range, tpr: Range) -> float:
    """Area between the level s1 and the line cut off at s2, for x in the range.

    A rising line crosses each level once: left of the first crossing nothing counts, right of the second the
    full height does.
    """
    (f1, f2), (s1, s2) = fpr, tpr
    if float(value_at(x, y, np.array([f2]))[0]) <= s1:
        return 0.0
    enters, leaves = first_reach(x, y, np.array([s1, s2]))
    start = min(max(enters, f1), f2)
    full = min(max(leaves, start), f2)
    partial = integral(x, y, start, full) - s1 * (full - start) if full > start else 0.0
    return float(partial + (s2 - s1) * (f2 - full))
