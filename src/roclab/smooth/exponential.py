"""England's exponential curve, fitted to operating points by least squares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_fraction, check_positive
from roclab._core.polyline import trapezoids
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.curves.roc import RocCurve, curve_from_points, rates, roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.options.verb import public
from roclab.smooth.model import SmoothFit, SmoothPoint, check_slope, hanley_mcneil, require_whole_cases

__all__ = [
    "ExponentialCurve",
    "ExponentialFit",
    "exponential_area",
    "exponential_curve",
    "exponential_slope",
    "exponential_tpr",
    "fit_exponential",
    "fit_exponential_curve",
    "fit_exponential_points",
]

NARROWEST, WIDEST = -12.0, 12.0  # of log E


def exponential_tpr(fpr: Any, E: float, R: float) -> Floats:
    r"""England's curve :math:`TPR = R f^{1/E} + (1 - R)(1 - (1 - f)^E)` [1]_.

    E > 0 sets the area E/(E + 1), R in [0, 1] the asymmetry (some texts print their roles reversed).

    References
    ----------
    .. [1] England WL. An exponential model used for optimal threshold selection on ROC curves. Med Decis Making
       1988;8:120-131, eq. 6. doi:10.1177/0272989X8800800208

    Examples
    --------
    >>> exponential_tpr([0.1, 0.4], 2.0, 1.0).round(6).tolist()
    [0.316228, 0.632456]
    """
    f = rates(fpr, "fpr")
    _check_parameters(E, R)
    return _tpr(f, 1 - f, E, R)


def exponential_slope(fpr: Any, E: float, R: float) -> Floats:
    r"""Its slope :math:`\frac RE f^{1/E - 1} + (1 - R) E (1 - f)^{E - 1}`, infinite where a power of 0 is negative.

    >>> exponential_slope([0.1, 0.8], 2.0, 0.0).round(6).tolist()
    [1.8, 0.4]
    """
    f = rates(fpr, "fpr")
    _check_parameters(E, R)
    return _slope(f, 1 - f, E, R)


def exponential_area(E: float) -> float:
    """Area E / (E + 1), whatever R.

    >>> exponential_area(3.0)
    0.75
    """
    check_positive(E, "E", way_out="E = A / (1 - A) for an area A")
    return E / (E + 1)


def _check_parameters(E: float, R: float) -> None:
    check_positive(E, "E", way_out="E = A / (1 - A) for an area A")
    check_fraction(R, "R", way_out="R mixes the two branches of the model")


def _tpr(f: Floats, g: Floats, E: float, R: float) -> Floats:
    rising, falling = _branches(f, g, E)
    return R * rising + (1 - R) * falling


def _branches(f: Floats, g: Floats, E: float) -> tuple[Floats, Floats]:
    """f^(1/E) and 1 - g^E, g = 1 - f."""
    with np.errstate(divide="ignore"):
        return f ** (1 / E), np.asarray(-np.expm1(E * np.log(g)))


def _slope(f: Floats, g: Floats, E: float, R: float) -> Floats:
    out = np.zeros(f.shape)
    with np.errstate(divide="ignore", over="ignore"):
        if R > 0:
            out += R / E * f ** (1 / E - 1)
        if R < 1:
            out += (1 - R) * E * g ** (E - 1)
    return out


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExponentialCurve(SmoothFit):
    """England's curve for given parameters."""

    E: float
    R: float

    def parameters(self) -> dict[str, Any]:
        """E and R."""
        return {"E": self.E, "R": self.R}

    def tpr(self, fpr: Any) -> Floats:
        """True positive rate at each false positive rate."""
        return exponential_tpr(fpr, self.E, self.R)

    def slope(self, fpr: Any) -> Floats:
        """Slope at each false positive rate."""
        return exponential_slope(fpr, self.E, self.R)

    def optimal_point(self, slope: float) -> SmoothPoint:
        r"""The point where tpr - slope * fpr is largest.

        The slope of equal-cost lines is (1 - prevalence)/prevalence * (B_TN + C_FP)/(B_TP + C_FN), costs as positive
        numbers. For E > 1 the curve is concave and its slope falls to R/E: the point is found by
        bisection; for E <= 1 it is convex and one of the corners is best.
        """
        check_slope(slope)
        f = (
            _falling_root(lambda f, g: float(_slope(f, g, self.E, self.R)[0]), slope)
            if self.E > 1
            else float(slope < 1)
        )
        at = np.array([f])
        return SmoothPoint(
            fpr=f,
            tpr=float(_tpr(at, 1 - at, self.E, self.R)[0]),
            slope=slope,
            threshold=Undefined("the exponential model is one of operating points and has no score"),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExponentialFit(ExponentialCurve):
    """England's curve with the parameters that fit operating points best."""

    sum_of_squares: float
    start: tuple[float, float]  # E and R from the trapezoid area

    def parameters(self) -> dict[str, Any]:
        """E, R and the sum of squared deviations of the true positive rate."""
        return {"E": self.E, "R": self.R, "sum of squares": self.sum_of_squares}


@public()
def exponential_curve(E: float, R: float) -> ExponentialCurve:
    r"""England's curve :math:`TPR = R f^{1/E} + (1 - R)(1 - (1 - f)^E)` for given E and R.

    Parameters
    ----------
    E : float
        Above 0; the area is E / (E + 1), whatever R.
    R : float
        Between 0 and 1: how the curve leans. 1 rises along the axis of true positives, 0 ends along TPR = 1; at 0.5 it
        is nearly symmetric about the other diagonal.

    Returns
    -------
    ExponentialCurve
        ``.area``, ``.tpr(fpr)``, ``.slope(fpr)``, ``.optimal_point(slope)``, as every smooth curve.

    References
    ----------
    England WL. Med Decis Making 1988;8:120-131. doi:10.1177/0272989X8800800208

    Examples
    --------
    >>> curve = exponential_curve(3, 0.5)
    >>> curve.area, curve.tpr([0.1]).round(4).tolist()
    (0.75, [0.3676])
    """
    _check_parameters(E, R)
    return ExponentialCurve(
        method="exponential",
        area=exponential_area(float(E)),
        standard_error=Undefined("E and R are given, so nothing is estimated"),
        standard_error_method="none",
        sample=None,
        E=float(E),
        R=float(R),
    )


def _falling_root(slope_at: Any, slope: float) -> float:
    """The rate where a falling slope passes a value, bisected on the logit scale to keep the digits of small rates."""

    def pair(u: float) -> tuple[Floats, Floats]:
        return np.array([1 / (1 + math.exp(-u))]), np.array([1 / (1 + math.exp(u))])

    low, high = -700.0, 700.0
    if slope_at(*pair(high)) >= slope:
        return 1.0
    if slope_at(*pair(low)) <= slope:
        return 0.0
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if slope_at(*pair(middle)) > slope else (low, middle)
    return float(pair((low + high) / 2)[0][0])


def fit_exponential(tally: Tally) -> ExponentialFit:
    """England's curve through all vertices of the empirical curve; standard error by Hanley and McNeil.

    See :func:`fit_exponential_curve`. The infinite scores of a tally are refused like by every smooth curve.

    >>> tally = Tally.from_samples(np.array([1.0, 2.0, 3.0, 5.0]), np.array([0.0, 1.5, 4.0]))
    >>> round(fit_exponential(tally).area, 3)
    0.638
    """
    require_whole_cases(tally, model="exponential")
    if not np.all(np.isfinite(tally.score)):
        raise InputError(
            "score",
            "must be finite for the exponential curve",
            Words("infinite scores"),
            "fit the points of the empirical curve instead",
        )
    notes: tuple[str, ...] = ()
    if min(tally.n_pos, tally.n_neg) < 2:
        notes = ("A class of one case determines the curve poorly.",)
    return _fit(roc_curve(tally), n_pos=tally.n_pos, n_neg=tally.n_neg, notes=notes)


def fit_exponential_points(
    fpr: Any, tpr: Any, *, n_pos: float | None = None, n_neg: float | None = None
) -> ExponentialFit:
    """England's curve through operating points; (0, 0) and (1, 1) are added.

    >>> fit = fit_exponential_points([0.05, 0.15, 0.3, 0.6], [0.35, 0.55, 0.78, 0.93])
    >>> round(fit.E, 4), round(fit.R, 4)
    (4.2407, 0.4909)
    """
    return fit_exponential_curve(curve_from_points(fpr, tpr), n_pos=n_pos, n_neg=n_neg)


def fit_exponential_curve(curve: RocCurve, *, n_pos: float | None = None, n_neg: float | None = None) -> ExponentialFit:
    r"""England's curve with the least sum of squared deviations of TPR from all vertices [1]_.

    Parameters
    ----------
    curve : RocCurve
    n_pos, n_neg : float, optional
        Class sizes, for Hanley and McNeil's standard error; without them it is undefined.

    Notes
    -----
    Given E the best R is linear least squares, cut off at 0 and 1 (where it often ends). So the search is over log E
    alone: a grid of 97 starts, then Brent's method in the three best valleys, O(vertices) each. An area of 1 makes E
    unbounded and an area of 0 makes it 0: both are errors. On the chance line R is arbitrary and 0.5.

    References
    ----------
    .. [1] England WL. Med Decis Making 1988;8:120-131. doi:10.1177/0272989X8800800208
    """
    return _fit(curve, n_pos=n_pos, n_neg=n_neg, notes=())


def _fit(curve: RocCurve, *, n_pos: float | None, n_neg: float | None, notes: tuple[str, ...]) -> ExponentialFit:
    from scipy.optimize import minimize_scalar

    f, height = curve.fpr, curve.tpr
    g = 1 - f
    trapezoid = trapezoids(f, height)
    if trapezoid in (0.0, 1.0):
        what = "E would be infinite" if trapezoid == 1 else "E would be 0"
        raise InputError(
            "",
            "the exponential curve needs an area strictly between 0 and 1",
            Words(f"{trapezoid:g}, where {what}"),
            "use the empirical area",
        )
    calls = 0

    def best_r(log_e: float) -> tuple[float, float]:
        """R and the sum of squares at one E."""
        nonlocal calls
        calls += 1
        rising, falling = _branches(f, g, math.exp(log_e))
        apart, left = rising - falling, height - falling
        norm = float(apart @ apart)
        R = 0.5 if norm < 1e-24 * f.size else min(max(float(apart @ left) / norm, 0.0), 1.0)
        return R, float(np.sum((left - R * apart) ** 2))

    start = trapezoid / (1 - trapezoid)
    grid = np.unique(np.append(np.linspace(NARROWEST, WIDEST, 97), math.log(start)))
    sums = np.array([best_r(float(value))[1] for value in grid])
    inner = np.arange(1, grid.size - 1)
    valleys = inner[(sums[inner] <= sums[inner - 1]) & (sums[inner] <= sums[inner + 1])]
    valleys = valleys[np.argsort(sums[valleys], kind="stable")][:3]
    candidates = [(float(sums[at]), float(grid[at])) for at in range(grid.size)]
    for at in valleys:
        around = (grid[at - 1], grid[at + 1])
        minimum = minimize_scalar(
            lambda value: best_r(float(value))[1], bounds=around, method="bounded", options={"xatol": 1e-10}
        )
        candidates.append((float(minimum.fun), float(minimum.x)))
    least = min(candidates)[0]
    near = [pair for pair in candidates if pair[0] <= least + 1e-20]  # equal fits: the one nearest to the start
    squares, log_e = min(near, key=lambda pair: abs(pair[1] - math.log(start)))
    E, (R, _) = math.exp(log_e), best_r(log_e)
    at_bound = log_e in (grid[0], grid[-1])
    if np.sum((f > 0) & (f < 1)) < 2:
        notes += ("Fewer than two points lie between the corners, so E and R are not both determined.",)
    if at_bound:
        notes += (f"E is at the bound {E:.3g} of its range; the points determine no exponential curve.",)
    area = E / (E + 1)
    error: float = Undefined("the class sizes are not known; give n_pos and n_neg")
    if n_pos is not None and n_neg is not None:
        check_positive(n_pos, "n_pos", way_out="give the number of positive cases")
        check_positive(n_neg, "n_neg", way_out="give the number of negative cases")
        error = hanley_mcneil(area, n_pos, n_neg)
    return ExponentialFit(
        method="exponential",
        area=area,
        standard_error=error,
        standard_error_method="none" if isinstance(error, Undefined) else "Hanley-McNeil 1982",
        sample=curve.sample,
        converged=not at_bound,
        iterations=calls,
        notes=notes,
        E=E,
        R=R,
        sum_of_squares=squares,
        start=(start, 0.5),
    )
