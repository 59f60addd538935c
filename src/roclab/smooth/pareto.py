"""The Pareto curve: heavy-tailed positive scores in both classes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import hyp2f1

from roclab._core.checks import check_positive
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.curves.roc import rates
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.results import Sample
from roclab.smooth.model import FiniteScores, SmoothFit, SmoothPoint, check_slope, finite_scores, hanley_mcneil
from roclab.smooth.quadrature import integrate_unit

__all__ = ["ParetoFit", "fit_pareto", "pareto_area", "pareto_curve", "pareto_slope", "pareto_tpr"]


def pareto_tpr(fpr: Any, k1: float, k2: float, theta2: float) -> Floats:
    r"""The Pareto curve :math:`TPR = [1 + \theta_2 (f^{-1/k_1} - 1)]^{-k_2}`.

    Behind it: negatives exceed t with chance :math:`(1 + t)^{-k_1}`, positives with :math:`(1 + \theta_2 t)^{-k_2}`.

    >>> pareto_tpr([0.05, 0.2], 3.0, 1.5, 0.5).round(6).tolist()
    [0.395102, 0.634011]
    """
    f = rates(fpr, "fpr")
    _check(k1, k2, theta2)
    with np.errstate(divide="ignore"):
        return np.asarray(np.exp(-k2 * _log_growth(np.log(f), k1, theta2)))


def pareto_slope(fpr: Any, k1: float, k2: float, theta2: float) -> Floats:
    r"""Its slope :math:`\frac{k_2\theta_2}{k_1} f^{-1/k_1 - 1} [1 + \theta_2 (f^{-1/k_1} - 1)]^{-k_2 - 1}`.

    At 0 the value next to the end is given.

    >>> pareto_slope([0.25], 2.0, 2.0, 1.0).round(12).tolist()
    [1.0]
    """
    f = rates(fpr, "fpr")
    _check(k1, k2, theta2)
    return _slope(np.log(np.maximum(f, 1e-300)), k1, k2, theta2)


def pareto_area(k1: float, k2: float, theta2: float) -> float:
    r"""Area :math:`\frac{k_1}{k_1 + k_2}\, {}_2F_1(k_2, 1; k_1 + k_2 + 1; 1 - \theta_2)` under the Pareto curve [1]_.

    Notes
    -----
    Gauss's function is replaced by an integral of the curve where it leaves its range (large parameters).

    References
    ----------
    .. [1] Campbell G, Ratnaparkhi MV. An application of Lomax distributions in ROC curve analysis. Commun Stat Theory
       Methods 1993;22:1681-1697. doi:10.1080/03610929308831110

    Examples
    --------
    >>> round(pareto_area(3.0, 1.5, 0.5), 6), pareto_area(3.0, 1.0, 1.0)
    (0.780675, 0.75)
    """
    _check(k1, k2, theta2)
    if theta2 <= 2 and max(k1, k2) <= 100:
        return float(k1 / (k1 + k2) * hyp2f1(k2, 1.0, k1 + k2 + 1, 1 - theta2))
    return integrate_unit(lambda f, g: np.exp(-k2 * _log_growth(_log_rate(f, g), k1, theta2))).value


def _log_rate(f: Floats, g: Floats) -> Floats:
    return np.where(f < 0.5, np.log(f), np.log1p(-np.minimum(g, 0.5)))


def _check(k1: float, k2: float, theta2: float) -> None:
    for value, name in ((k1, "k1"), (k2, "k2"), (theta2, "theta2")):
        check_positive(value, name, way_out="shapes and scales of Pareto distributions are positive")


def _log_growth(log_f: Floats, k1: float, theta2: float) -> Floats:
    """log[1 + theta2 (e^L - 1)] with L = -log(f) / k1, without overflow."""
    L = -log_f / k1
    return np.asarray(L + np.log1p((1 - theta2) * np.expm1(-L)))


def _slope(log_f: Floats, k1: float, k2: float, theta2: float) -> Floats:
    log_slope = math.log(k2 * theta2 / k1) - (1 / k1 + 1) * log_f - (k2 + 1) * _log_growth(log_f, k1, theta2)
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(log_slope))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ParetoFit(SmoothFit):
    """The Pareto curve with its parameters."""

    k1: float  # shape of the negatives
    k2: float  # shape of the positives
    theta2: float  # scale of the negatives over that of the positives

    def parameters(self) -> dict[str, Any]:
        """Shapes and the ratio of scales."""
        return {"k1": self.k1, "k2": self.k2, "theta2": self.theta2}

    def tpr(self, fpr: Any) -> Floats:
        """True positive rate at each false positive rate."""
        return pareto_tpr(fpr, self.k1, self.k2, self.theta2)

    def slope(self, fpr: Any) -> Floats:
        """Slope at each false positive rate."""
        return pareto_slope(fpr, self.k1, self.k2, self.theta2)

    def optimal_point(self, slope: float) -> SmoothPoint:
        """The point where tpr - slope * fpr is largest: a search over rates on the logit scale, then bisection."""
        check_slope(slope)
        u = np.linspace(-690, 36, 1453)
        f = 1 / (1 + np.exp(-u))
        gains = np.concatenate([[0.0], self.tpr(f) - slope * f, [1 - slope]])
        best = int(np.argmax(gains))
        low, high = u[max(best - 2, 0)], u[min(best, u.size - 1)]
        for _ in range(100):
            middle = (low + high) / 2
            above = self.slope(1 / (1 + math.exp(-middle)))[0] > slope
            low, high = (middle, high) if above else (low, middle)
        rate = 1 / (1 + math.exp(-(low + high) / 2))
        if self.tpr(rate)[0] - slope * rate < gains[best]:
            rate = float(np.concatenate([[0.0], f, [1.0]])[best])
        return SmoothPoint(
            fpr=rate,
            tpr=float(self.tpr(rate)[0]),
            slope=slope,
            threshold=Undefined("the Pareto curve is described by its rates"),
        )


def pareto_curve(
    k1: float,
    k2: float,
    theta2: float,
    *,
    n_pos: float | None = None,
    n_neg: float | None = None,
    sample: Sample | None = None,
) -> ParetoFit:
    """The Pareto curve of given parameters, with Hanley and McNeil's standard error where class sizes are given.

    >>> curve = pareto_curve(3.0, 1.0, 1.0, n_pos=50, n_neg=50)
    >>> curve.area, round(curve.standard_error, 4)
    (0.75, 0.0488)
    """
    area = pareto_area(k1, k2, theta2)
    error: float = Undefined("the class sizes are not known; give n_pos and n_neg")
    if n_pos is not None and n_neg is not None:
        check_positive(n_pos, "n_pos", way_out="give the number of positive cases")
        check_positive(n_neg, "n_neg", way_out="give the number of negative cases")
        error = hanley_mcneil(area, n_pos, n_neg)
    return ParetoFit(
        method="pareto",
        area=area,
        standard_error=error,
        standard_error_method="none" if isinstance(error, Undefined) else "Hanley-McNeil 1982",
        sample=sample,
        k1=k1,
        k2=k2,
        theta2=theta2,
    )


def fit_pareto(tally: Tally) -> ParetoFit:
    r"""The Pareto curve of highest likelihood: a Lomax distribution for each class.

    Density of one class :math:`\frac k\sigma (1 + t/\sigma)^{-k-1}`, t > 0. Given :math:`\sigma` the best shape is
    :math:`k = n / \sum\log(1 + t/\sigma)`; the scale is searched on a logarithmic grid, then by Brent's method, O(n)
    per value. Then :math:`\theta_2 = \sigma_- / \sigma_+`.

    Notes
    -----
    Scores must not be negative. Scores with lighter tails than any Pareto (coefficient of variation below 1) have no
    maximum: the scale runs to its bound, the curve is the limit of exponential scores, ``converged`` is False and a
    note says so. Standard error by Hanley and McNeil's formula (1982).

    Examples
    --------
    Quantiles of Pareto scores with shape 2, the positives on three times the scale:

    >>> y = ((np.arange(2000) + 0.5) / 2000) ** -0.5 - 1
    >>> fit = fit_pareto(Tally.from_samples(3 * y, y))
    >>> round(fit.k1, 1), round(fit.theta2, 3), round(fit.area, 2), round(pareto_area(2, 2, 1 / 3), 2)
    (2.0, 0.333, 0.71, 0.71)
    """
    pos, neg = finite_scores(tally, model="Pareto")
    if tally.sample.direction != "higher":
        raise InputError(
            "direction",
            "must be 'higher' for the Pareto curve",
            Words("'lower'"),
            "give 1 / score, which turns the order round",
        )
    fits = [_fit_lomax(side, name) for side, name in ((pos, "positives"), (neg, "negatives"))]
    (k2, scale2, calls2, ok2), (k1, scale1, calls1, ok1) = fits
    found = pareto_curve(k1, k2, scale1 / scale2, n_pos=tally.n_pos, n_neg=tally.n_neg, sample=tally.sample)
    notes = tuple(
        f"The scores of the {name} have no heavier tail than exponential ones; their Pareto fit is at its bound."
        for name, ok in (("positives", ok2), ("negatives", ok1))
        if not ok
    )
    return ParetoFit(
        method="pareto",
        area=found.area,
        standard_error=found.standard_error,
        standard_error_method=found.standard_error_method,
        sample=tally.sample,
        converged=ok1 and ok2,
        iterations=calls1 + calls2,
        notes=notes,
        k1=k1,
        k2=k2,
        theta2=found.theta2,
    )


def _fit_lomax(scores: FiniteScores, name: str) -> tuple[float, float, int, bool]:
    """Shape, scale, evaluations, and whether the maximum is inside."""
    from scipy.optimize import minimize_scalar

    if scores.values[0] < 0:
        raise InputError(
            "score",
            "must not be negative for the Pareto curve",
            Words(f"{scores.values[0]:g} among the {name}"),
            "shift the scores or use another model",
        )
    if scores.values.size < 2:
        raise InputError(
            "",
            "the Pareto curve needs at least 2 distinct scores in each class",
            Words(f"one score ({scores.values[0]:g}) for all {name}"),
            "use the empirical area",
        )
    unit = scores.mean
    t, n = scores.values / unit, scores.size

    def shape(log_scale: float) -> float:
        return n / float(scores.counts @ np.log1p(t * math.exp(-log_scale)))

    def minus_height(log_scale: float) -> float:
        k = shape(log_scale)
        return -(n * math.log(k) - n * log_scale - n * (k + 1) / k)

    grid = np.linspace(-12.0, 12.0, 49)
    depths = np.array([minus_height(float(value)) for value in grid])
    best = int(np.argmin(depths))
    if best in (0, grid.size - 1):
        return shape(grid[best]), unit * math.exp(grid[best]), grid.size, False
    minimum = minimize_scalar(
        minus_height, bounds=(grid[best - 1], grid[best + 1]), method="bounded", options={"xatol": 1e-10}
    )
    log_scale = float(minimum.x)
    return shape(log_scale), unit * math.exp(log_scale), grid.size + int(minimum.nfev), True
