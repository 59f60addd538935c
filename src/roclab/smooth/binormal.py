"""The binormal curve by maximum likelihood, for ratings (Dorfman-Alf) and continuous scores (LABROC4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import ndtr

from roclab._core.checks import check_choice
from roclab._core.plain import plain
from roclab._core.types import Floats, frozen
from roclab._core.undefined import Undefined
from roclab.curves.roc import rates
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.smooth.binormal_goodness import GoodnessOfFit, goodness_of_fit
from roclab.smooth.binormal_likelihood import maximise
from roclab.smooth.categories import Categories, Degenerate, categories_of, degenerate_shape
from roclab.smooth.model import SmoothPoint, require_whole_cases
from roclab.smooth.normal import LOG_SQRT_2PI, Normal
from roclab.smooth.two_classes import TwoClassFit

__all__ = ["BinormalFit", "fit_binormal"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BinormalFit(TwoClassFit):
    """The binormal curve TPR = Φ(a + b Φ⁻¹(FPR))."""

    status: Literal["fitted", "degenerate", "not converged"]
    a: float
    b: float
    cutpoints: Floats  # on the scale where the negatives are standard normal
    category_starts: Floats  # smallest score of each category but the first, in the user's units
    covariance: Floats  # 2 x 2, of (a, b)
    log_likelihood: float
    categories: int
    _data: Categories
    _degenerate: Degenerate | None = None

    def __post_init__(self) -> None:
        for array in (self.cutpoints, self.category_starts, self.covariance):
            frozen(array)

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Pearson's test of the fit; it fits joined categories anew, so it costs about as much as the fit itself."""
        if self._degenerate is not None:
            why = Undefined(f"the data are degenerate: {self._degenerate.reason}")
            return GoodnessOfFit(statistic=why, df=0, p_value=why, categories=self.categories)
        return goodness_of_fit(self._data, self.a, self.b, self.cutpoints)

    def to_dict(self) -> dict[str, Any]:
        """Every field, and the goodness of fit."""
        return {**TwoClassFit.to_dict(self), "goodness_of_fit": plain(self.goodness_of_fit)}

    def parameters(self) -> dict[str, Any]:
        """Intercept and slope on normal deviates, with their standard errors, and the likelihood."""
        return {
            "a": self.a,
            "b": self.b,
            "se(a)": math.sqrt(self.covariance[0, 0]),
            "se(b)": math.sqrt(self.covariance[1, 1]),
            "log-likelihood": self.log_likelihood,
            "categories": self.categories,
            "status": self.status,
        }

    def tpr(self, fpr: Any) -> Floats:
        """True positive rate at each false positive rate."""
        if self._degenerate is None:
            return TwoClassFit.tpr(self, fpr)
        f = rates(fpr, "fpr")
        if self._degenerate.shape == "unknown":
            raise InputError(
                "",
                f"the binormal curve is not determined: {self._degenerate.reason}",
                way_out="use the empirical curve",
            )
        if self._degenerate.shape == "level":
            return np.where(f == 1, 1.0, self.area)
        return np.where(f >= 1 - self.area, 1.0, 0.0)

    def slope(self, fpr: Any) -> Floats:
        """Slope at each false positive rate."""
        self._refuse_degenerate()
        return TwoClassFit.slope(self, fpr)

    def optimal_point(self, slope: float) -> SmoothPoint:
        """The point where tpr - slope * fpr is largest; its threshold is on the latent scale and so undefined."""
        self._refuse_degenerate()
        return TwoClassFit.optimal_point(self, slope)

    @property
    def _scale(self) -> Literal["score", "latent"]:
        return "latent"

    def _on_score_axis(self, t: Floats) -> tuple[Floats, Floats]:
        self._refuse_degenerate()
        return t, np.ones(t.shape)

    def _in_user_units(self, t: float) -> float:
        return t if math.isinf(t) else Undefined("the binormal model fits ranks and has no score scale")

    def _refuse_degenerate(self) -> None:
        if self._degenerate is not None:
            raise InputError(
                "", f"a degenerate binormal curve has no slope: {self._degenerate.reason}", way_out="use another model"
            )


def fit_binormal(tally: Tally, *, categories: Literal["runs", "ratings"] = "runs") -> BinormalFit:
    r"""The binormal ROC curve of highest likelihood: RC [1]_ [2]_ [3]_.

    .. math:: TPR = \Phi(a + b\,\Phi^{-1}(FPR)), \qquad A = \Phi\left(\frac{a}{\sqrt{1 + b^2}}\right)

    Cut-points :math:`c_1 < \dots < c_{I-1}` divide a latent normal scale into I categories; a negative falls at or
    below :math:`c_k` with chance :math:`\Phi(c_k)`, a positive with :math:`\Phi(b c_k - a)`. All of a, b and c
    maximise

    .. math:: \ell = \sum_k neg_k \log[\Phi(c_k) - \Phi(c_{k-1})] + pos_k \log[\Phi(b c_k - a) - \Phi(b c_{k-1} - a)].

    Parameters
    ----------
    tally : Tally
    categories : "runs" or "ratings"
        "runs" joins neighbouring scores of one class, which leaves a and b as they are and suits continuous scores;
        "ratings" keeps every distinct score as a category.

    Returns
    -------
    BinormalFit
        ``status`` is "degenerate", with an explanation and the limiting area, where no maximum exists.

    Notes
    -----
    Newton's method from the normal scores of pooled mid-ranks. The Hessian is tridiagonal in c with two borders for a
    and log b: one banded solution per step, O(I). It is concave in c; its 2 x 2 rest for (a, log b) is made so.
    Covariance from the observed information, standard error of the area by the delta method. Only the order of the
    scores matters. ±inf scores are an error as for every smooth curve of this room.

    References
    ----------
    .. [1] Dorfman DD, Alf E. J Math Psych 1969;6:487-496. doi:10.1016/0022-2496(69)90019-4
    .. [2] Metz CE, Herman BA, Shen JH. Stat Med 1998;17:1033-1053.
    .. [3] Hanley JA, McNeil BJ. Radiology 1982;143:29-36, table 1: a 1.657, b 0.713, area 0.911.

    Examples
    --------
    The CT ratings of [3]_:

    >>> rating = np.arange(1.0, 6.0)
    >>> fit = fit_binormal(Tally.from_counts(rating, np.array([3, 2, 2, 11, 33]), np.array([33, 6, 6, 11, 2])))
    >>> round(fit.a, 3), round(fit.b, 3), round(fit.area, 4), round(fit.standard_error, 4)
    (1.657, 0.713, 0.9113, 0.0295)
    """
    check_choice(categories, "categories", ("runs", "ratings"))
    require_whole_cases(tally, model="binormal")
    if not np.all(np.isfinite(tally.score)):
        raise InputError(
            "score",
            "must be finite for the binormal curve",
            Words("infinite scores"),
            "replace them by numbers beyond all others, which changes nothing here",
        )
    data = categories_of(tally, merge_runs=categories == "runs")
    starts = tally.shown(data.lowest[1:] + 0.0)
    found = degenerate_shape(data)
    if found is not None:
        return _degenerate_fit(tally, data, found, starts)
    state = maximise(data)
    a, b = float(state.a), math.exp(state.log_b)
    covariance = _covariance(state.information, b)
    root = math.sqrt(1 + b * b)
    gradient = np.array([1 / root, -a * b / root**3]) * math.exp(-0.5 * (a / root) ** 2 - LOG_SQRT_2PI)
    variance = float(gradient @ covariance @ gradient)
    notes = (
        ()
        if state.converged
        else (
            f"Newton's method stopped after {state.iterations} steps before the gradient vanished; "
            "treat a and b as rough.",
        )
    )
    return BinormalFit(
        method="binormal",
        area=float(ndtr(a / root)),
        standard_error=math.sqrt(variance) if variance >= 0 else Undefined("the information is not positive definite"),
        standard_error_method="delta method from the observed information",
        sample=tally.sample,
        converged=state.converged,
        iterations=state.iterations,
        notes=notes,
        status="fitted" if state.converged else "not converged",
        a=a,
        b=b,
        cutpoints=state.c,
        category_starts=starts,
        covariance=covariance,
        log_likelihood=state.height,
        categories=data.count,
        _data=data,
        _pos=Normal(mean=a / b, sd=1 / b),
        _neg=Normal(mean=0.0, sd=1.0),
    )


def _degenerate_fit(tally: Tally, data: Categories, found: Degenerate, starts: Floats) -> BinormalFit:
    why = Undefined(f"the data are degenerate: {found.reason}")
    note = (
        f"Degenerate data: {found.reason}. The area is "
        + ("the empirical one" if found.shape == "unknown" else "the limit of the likelihood")
        + "; use the empirical or a kernel curve, or finer ratings or more cases."
    )
    saturated = sum(
        float(np.dot(counts[counts > 0], np.log(counts[counts > 0] / counts.sum()))) for counts in (data.pos, data.neg)
    )
    return BinormalFit(
        method="binormal",
        area=found.area,
        standard_error=why,
        standard_error_method="none",
        sample=tally.sample,
        converged=False,
        notes=(note,),
        status="degenerate",
        a=why,
        b=why,
        cutpoints=np.empty(0),
        category_starts=starts,
        covariance=np.full((2, 2), np.nan),
        log_likelihood=saturated,
        categories=data.count,
        _data=data,
        _pos=Normal(mean=0.0, sd=1.0),
        _neg=Normal(mean=0.0, sd=1.0),
        _degenerate=found,
    )


def _covariance(information: Floats, b: float) -> Floats:
    """Covariance of (a, b) from the information of (a, log b); NaN away from a maximum."""
    if np.linalg.eigvalsh(information)[0] <= 0:
        return np.full((2, 2), np.nan)
    scale = np.array([1.0, b])
    return np.asarray(np.linalg.inv(information) * np.outer(scale, scale))
