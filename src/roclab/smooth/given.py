"""The ROC curve between two distributions that are given: a theory, or densities of another program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words
from roclab.options.verb import public
from roclab.smooth.quadrature import integrate_unit
from roclab.smooth.two_classes import ScoreDistribution, TwoClassFit, threshold_at

__all__ = ["GivenCurve", "curve_of_densities"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GivenCurve(TwoClassFit):
    """A curve without data: its area is exact, and has no standard error."""


@dataclass(frozen=True, slots=True)
class _Frozen:
    """A distribution object as scipy.stats has them."""

    of: Any
    has_density: bool = True

    def cdf(self, t: Floats) -> Floats:
        return np.asarray(self.of.cdf(t))

    def sf(self, t: Floats) -> Floats:
        return np.asarray(self.of.sf(t))

    def log_pdf(self, t: Floats) -> Floats:
        return np.asarray(self.of.logpdf(t))

    def ppf(self, q: Floats) -> Floats:
        return np.asarray(self.of.ppf(q))

    def isf(self, q: Floats) -> Floats:
        return np.asarray(self.of.isf(q))

    def grid(self) -> Floats:
        tails = np.array([10.0**-k for k in range(4, 12)])
        return np.unique(
            np.concatenate([self.ppf(np.linspace(0.0005, 0.9995, 1001)), self.isf(tails), self.ppf(tails)])
        )


class _Tabulated:
    """A density given at points, straight between them and 0 outside."""

    has_density = True

    def __init__(self, points: Floats, heights: Floats) -> None:
        steps = np.diff(points) * (heights[1:] + heights[:-1]) / 2
        total = float(steps.sum())
        self._x, self._height = points, heights / total
        self._reached = np.concatenate([[0.0], np.cumsum(steps) / total])

    def cdf(self, t: Floats) -> Floats:
        at = np.clip(np.searchsorted(self._x, t, side="right") - 1, 0, self._x.size - 2)
        run = np.clip(t, self._x[0], self._x[-1]) - self._x[at]
        slope = (self._height[at + 1] - self._height[at]) / (self._x[at + 1] - self._x[at])
        return np.clip(self._reached[at] + run * (self._height[at] + slope * run / 2), 0.0, 1.0)

    def sf(self, t: Floats) -> Floats:
        return 1 - self.cdf(t)

    def log_pdf(self, t: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.interp(t, self._x, self._height, left=0.0, right=0.0)))

    def ppf(self, q: Floats) -> Floats:
        low = np.full(np.shape(q), self._x[0])
        high = np.full(np.shape(q), self._x[-1])
        for _ in range(60):
            middle = (low + high) / 2
            reached = self.cdf(middle) >= q
            low, high = np.where(reached, low, middle), np.where(reached, middle, high)
        return high

    def isf(self, q: Floats) -> Floats:
        return self.ppf(1 - q)

    def grid(self) -> Floats:
        return self._x


@public()
def curve_of_densities(positives: Any, negatives: Any) -> GivenCurve:
    """The ROC curve between the distributions of both classes; higher scores mean positive.

    Parameters
    ----------
    positives, negatives : distribution, or pair of arrays
        A frozen distribution with ``cdf``, ``sf``, ``logpdf``, ``ppf`` and ``isf`` as scipy.stats has them; or points
        and the heights of a density there, as density estimates of other programs come, which need not integrate to 1.

    Returns
    -------
    GivenCurve
        ``.area``, ``.tpr(fpr)``, ``.slope(fpr)``, ``.optimal_point(slope)``, as every smooth curve.

    Examples
    --------
    Two normals one standard deviation apart, area Φ(1/√2):

    >>> from scipy.stats import norm
    >>> curve = curve_of_densities(norm(1, 1), norm(0, 1))
    >>> round(curve.area, 6), curve.tpr([0.1]).round(4).tolist()
    (0.76025, [0.3891])
    """
    pos, neg = _distribution(positives, "positives"), _distribution(negatives, "negatives")
    area = integrate_unit(lambda f, g: pos.sf(threshold_at(neg, f, g))).value
    return GivenCurve(
        method="given densities",
        area=min(max(area, 0.0), 1.0),
        standard_error=Undefined("the densities are given, so nothing is estimated"),
        standard_error_method="none",
        sample=None,
        _pos=pos,
        _neg=neg,
    )


def _distribution(given: Any, name: str) -> ScoreDistribution:
    if all(hasattr(given, method) for method in ("cdf", "sf", "logpdf", "ppf", "isf")):
        return _Frozen(given)
    try:
        points, heights = (np.asarray(one, dtype=np.float64) for one in given)
    except (TypeError, ValueError):
        raise InputError(
            name,
            "must be a distribution with cdf, sf, logpdf, ppf and isf, or a pair of points and heights",
            Words(type(given).__name__),
            "pass scipy.stats.norm(0, 1) for instance",
        ) from None
    if points.ndim != 1 or points.shape != heights.shape or points.size < 2 or not np.all(np.diff(points) > 0):
        raise InputError(
            name, "must have rising points and one height for each", Words(f"{points.shape} and {heights.shape}")
        )
    if not np.all(np.isfinite(heights)) or heights.min() < 0 or heights.max() == 0:
        raise InputError(name, "must have heights of at least 0, not all of them 0", Words("others"))
    return _Tabulated(points, heights)
