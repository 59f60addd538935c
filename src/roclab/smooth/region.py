"""What a part of a smooth curve is worth: partial areas, and how far both classes overlap."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from roclab._core.types import Floats
from roclab.errors import InputError, named
from roclab.smooth.binormal import BinormalFit
from roclab.smooth.model import SmoothRoc
from roclab.smooth.quadrature import integrate_unit

__all__ = ["fpr_at", "overlap_of", "smooth_partial_area"]

Range = tuple[float, float]


def smooth_partial_area(fit: SmoothRoc, *, fpr: Range | None = None, tpr: Range | None = None) -> float:
    r"""Area under a smooth curve over a range of false positive rates, or of true ones.

    .. math:: \int_{f_1}^{f_2} TPR(f)\,df, \qquad \int_{s_1}^{s_2} (1 - FPR(s))\,ds

    By the double-exponential rule on the range, which bears curves that start upright; the second is the area of the
    rectangle between both rates less what lies above the curve there.

    >>> from roclab.smooth.binormal import fit_binormal
    >>> from roclab.data.tally import Tally
    >>> ratings = Tally.from_counts(np.arange(1.0, 6.0), np.array([3, 2, 2, 11, 33]), np.array([33, 6, 6, 11, 2]))
    >>> round(smooth_partial_area(fit_binormal(ratings), fpr=(0, 0.15)), 5)
    0.10521
    """
    if fpr is not None and tpr is not None:
        raise InputError(
            "fpr", f"or {named('tpr')} bounds a part of a smooth curve, not both", way_out="leave one of them out"
        )
    if fpr is not None:
        low, high = fpr
        width = high - low
        return width * integrate_unit(lambda u, _: fit.tpr(np.clip(low + width * u, 0.0, 1.0))).value
    assert tpr is not None
    low, high = tpr
    width = high - low
    return width * integrate_unit(lambda u, _: 1 - fpr_at(fit, low + width * u), tolerance=1e-8).value


def fpr_at(fit: SmoothRoc, tpr: Floats) -> Floats:
    """False positive rates at which a rising curve reaches true positive rates, by bisection on the probit scale."""
    if isinstance(fit, BinormalFit) and fit.status != "degenerate":
        return np.asarray(ndtr((ndtri(np.clip(tpr, 0.0, 1.0)) - fit.a) / fit.b))
    low, high = np.zeros(tpr.shape), np.ones(tpr.shape)
    for _ in range(60):
        middle = (low + high) / 2
        reached = fit.tpr(middle) >= tpr
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return high


def overlap_of(fit: SmoothRoc) -> float:
    r"""Overlap coefficient: the area under the lower of both densities, 1 for the same distribution, 0 for separation.

    .. math:: OVL = \int \min(f_+, f_-) = \int_0^1 \min(1, TPR'(f))\,df

    From the slope of the curve alone, so that it does not depend on the scale of the score.

    >>> from roclab.smooth.normal import fit_normal
    >>> from roclab.data.tally import Tally
    >>> shifted = Tally.from_samples(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0]))  # normals one sd apart
    >>> round(overlap_of(fit_normal(shifted)), 4)
    0.6171
    """
    with np.errstate(all="ignore"):
        found = integrate_unit(lambda f, _: np.minimum(1.0, np.nan_to_num(fit.slope(f), nan=0.0))).value
    return min(max(found, 0.0), 1.0)
