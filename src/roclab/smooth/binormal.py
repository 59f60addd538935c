"""The binormal curve by maximum likelihood, for ratings (Dorfman-Alf) and continuous scores (LABROC4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.special import chdtrc, log_ndtr, ndtr, ndtri

from roclab._core.checks import check_choice
from roclab._core.types import Array, Counts, Floats, frozen
from roclab._core.undefined import Undefined
from roclab.curves.roc import rates
from roclab.errors import InputError
from roclab.smooth.categories import Categories, Degenerate, categories_of, degenerate_shape
from roclab.smooth.model import SmoothPoint, require_whole_cases
from roclab.smooth.normal import LOG_SQRT_2PI, Normal
from roclab.smooth.two_classes import TwoClassFit
from roclab.tally import Tally

__all__ = ["BinormalFit", "GoodnessOfFit", "fit_binormal"]

LEAST_EXPECTED = 5.0
MOST_GROUPS = 12  # of the goodness-of-fit test; with many small groups, cut where a run ends, it rejects far too often
MOST_ITERATIONS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodnessOfFit:
    """Pearson's chi-squared over categories, neighbours joined until at least 5 cases of each class are expected.

    Beyond 12 categories neighbours are first joined into 12 groups of about equal size. Where categories were joined,
    a and b are fitted again to the joined table: with those of the finer table the statistic would exceed its
    chi-squared law (Chernoff and Lehmann 1954, doi:10.1214/aoms/1177728726).
    """

    statistic: float
    df: int
    p_value: float
    categories: int


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
    goodness_of_fit: GoodnessOfFit
    categories: int
    _degenerate: Degenerate | None = None

    def __post_init__(self) -> None:
        for array in (self.cutpoints, self.category_starts, self.covariance):
            frozen(array)

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
                f"the binormal curve is not determined: {self._degenerate.reason}; use the empirical curve."
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

    def _in_user_units(self, t: float) -> float:
        return t if math.isinf(t) else Undefined("the binormal model fits ranks and has no score scale")

    def _refuse_degenerate(self) -> None:
        if self._degenerate is not None:
            raise InputError(f"a degenerate binormal curve has no slope: {self._degenerate.reason}; use another model.")


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
            "score must be finite for the binormal curve, got infinite scores; "
            "replace them by numbers beyond all others, which changes nothing here."
        )
    data = categories_of(tally, merge_runs=categories == "runs")
    starts = tally.shown(data.lowest[1:] + 0.0)
    found = degenerate_shape(data)
    if found is not None:
        return _degenerate_fit(tally, data, found, starts)
    state = _maximise(data)
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
        goodness_of_fit=_goodness(data, a, b, state.c),
        categories=data.count,
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
        goodness_of_fit=GoodnessOfFit(statistic=why, df=0, p_value=why, categories=data.count),
        categories=data.count,
        _pos=Normal(mean=0.0, sd=1.0),
        _neg=Normal(mean=0.0, sd=1.0),
        _degenerate=found,
    )


# -- the likelihood ----------------------------------------------------------------------------------


class _Slices(NamedTuple):
    """Log-probability of each category and its derivatives with respect to the ends of the category."""

    log_chance: Floats
    upper: Floats  # phi(upper end) / chance
    lower: Floats  # phi(lower end) / chance


def _slices(ends: Floats) -> _Slices:
    """Categories of a standard normal between -inf, the ends and +inf, in logarithms throughout.

    Two ends in the same tail are taken as a difference of small tail areas; two ends closer than a thousandth as the
    midpoint density times the gap, 1 + gap² (m² - 1) / 24, whose next term is below rounding.
    """
    low, high = np.concatenate([[-np.inf], ends]), np.concatenate([ends, [np.inf]])
    right = low + high > 0  # -inf + c and c + inf are fine; there is never -inf + inf with ends present
    near, far = np.where(right, -low, high), np.where(right, -high, low)  # both in the left tail now: far < near
    log_near, log_far = log_ndtr(near), log_ndtr(far)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_chance = log_near + np.log(-np.expm1(np.minimum(log_far - log_near, 0.0)))
        gap, middle = high - low, (high + low) / 2
        close = gap * (1 + np.abs(middle)) < 1e-3
        thin = np.log(gap) - 0.5 * middle**2 - LOG_SQRT_2PI + np.log1p(gap**2 * (middle**2 - 1) / 24)
        log_chance = np.where(close, thin, log_chance)
        upper, lower = (np.exp(-0.5 * end**2 - LOG_SQRT_2PI - log_chance) for end in (high, low))
    return _Slices(log_chance, upper, lower)


class _State(NamedTuple):
    a: float
    log_b: float
    c: Floats
    height: float
    information: Floats  # observed, of (a, log b) with the cut-points eliminated
    iterations: int
    converged: bool


def _height(data: Categories, a: float, log_b: float, c: Floats) -> tuple[float, _Slices, _Slices]:
    pos, neg = _slices(math.exp(log_b) * c - a), _slices(c)
    height = 0.0
    for counts, slices in ((data.pos, pos), (data.neg, neg)):
        held = counts > 0
        height += float(np.dot(counts[held], slices.log_chance[held]))
    return height, pos, neg


def _start(data: Categories) -> tuple[float, float, Floats]:
    """Normal scores of pooled mid-ranks: each class is about normal on that scale."""
    both = data.pos + data.neg
    total = both.sum()
    reached = np.cumsum(both)
    middle, cuts = ndtri((reached - both / 2) / total), ndtri(reached[:-1] / total)
    means, sds = [], []
    for counts in (data.pos, data.neg):
        size = counts.sum()
        means.append(float(np.dot(counts, middle)) / size)
        sds.append(math.sqrt(max(float(np.dot(counts, (middle - means[-1]) ** 2)) / size, 1e-2)))
    return (means[0] - means[1]) / sds[0], math.log(sds[1] / sds[0]), (cuts - means[1]) / sds[1]


def _maximise(data: Categories) -> _State:
    """Newton's method with the tridiagonal block of the cut-points eliminated, and a line search."""
    from scipy.linalg import solveh_banded

    a, log_b, c = _start(data)
    height, pos, neg = _height(data, a, log_b, c)
    total = float(data.pos.sum() + data.neg.sum())
    for iteration in range(1, MOST_ITERATIONS + 1):
        gradient_c, gradient, diagonal, beside, border, corner = _derivatives(data, a, math.exp(log_b), c, pos, neg)
        banded = np.zeros((2, c.size))  # minus the Hessian, upper form
        banded[0, 1:], banded[1] = -beside, -diagonal
        solved = solveh_banded(banded, np.column_stack([gradient_c, border]), check_finite=False)
        free_c, through = solved[:, 0], solved[:, 1:]
        rest = -(corner + border.T @ through)  # minus the Hessian of (a, log b) with c at its best
        slope = gradient + border.T @ free_c
        step = _definite(rest, total) @ slope
        step_c = free_c + through @ step
        rise = float(gradient @ step + gradient_c @ step_c)
        if rise < 1e-17 * (1 + abs(height)):
            return _State(a, log_b, c, height, rest, iteration, True)
        size = _longest_step(c, step_c, step)
        for _ in range(60):
            trial = (a + size * step[0], log_b + size * step[1], c + size * step_c)
            if np.all(np.diff(trial[2]) > 0):
                reached, trial_pos, trial_neg = _height(data, *trial)
                if reached > height + 1e-4 * size * rise or (rise < 1e-6 and reached >= height - 1e-10 * abs(height)):
                    break
            size /= 2
        else:
            return _State(a, log_b, c, height, rest, iteration, rise < 1e-6)
        (a, log_b, c), height, pos, neg = trial, reached, trial_pos, trial_neg
    return _State(a, log_b, c, height, rest, MOST_ITERATIONS, False)


def _longest_step(c: Floats, step_c: Floats, step: Floats) -> float:
    """At most one unit in (a, log b), and no cut-point more than nine tenths of the way to its neighbour."""
    size = min(1.0, 1.0 / max(float(np.max(np.abs(step))), 1e-300))
    closing = -np.diff(step_c)
    meets = closing > 0
    if meets.any():
        size = min(size, 0.9 * float(np.min(np.diff(c)[meets] / closing[meets])))
    return size


def _definite(matrix: Floats, total: float) -> Floats:
    """Inverse of a symmetric 2 x 2 matrix with its eigenvalues made positive."""
    values, vectors = np.linalg.eigh(matrix)
    values = np.maximum(np.abs(values), 1e-8 * total)
    return np.asarray((vectors / values) @ vectors.T)


def _derivatives(
    data: Categories, a: float, b: float, c: Floats, pos: _Slices, neg: _Slices
) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:
    """Gradient for c and (a, log b); Hessian as diagonal, off-diagonal, border and corner."""
    gradient_neg, diagonal_neg, beside_neg = _by_ends(data.neg, neg, c)
    gradient_u, diagonal_u, beside_u = _by_ends(data.pos, pos, b * c - a)
    gradient_c = gradient_neg + b * gradient_u
    diagonal, beside = diagonal_neg + b * b * diagonal_u, beside_neg + b * b * beside_u
    # u_k = b c_k - a: du/da = -1, du/dlog b = b c.
    along = np.column_stack([np.full(c.size, -1.0), b * c])
    gradient = along.T @ gradient_u
    curved = diagonal_u[:, None] * along
    curved[:-1] += beside_u[:, None] * along[1:]
    curved[1:] += beside_u[:, None] * along[:-1]
    border = b * curved
    border[:, 1] += b * gradient_u
    corner = along.T @ curved
    corner[1, 1] += float(np.dot(gradient_u, b * c))
    return gradient_c, gradient, diagonal, beside, border, corner


def _by_ends(counts: Counts, slices: _Slices, ends: Floats) -> tuple[Floats, Floats, Floats]:
    """Gradient, diagonal and off-diagonal of the Hessian of one class with respect to its own ends.

    With p = phi(u)/D at the upper and q = phi(v)/D at the lower end of a category of chance D, log D has the second
    derivatives -u p - p², v q - q² and p q.
    """
    above, below = counts[1:], counts[:-1]  # the categories over and under each end
    p, q = slices.upper[:-1], slices.lower[1:]
    gradient = below * p - above * q
    diagonal = below * (-ends * p - p * p) + above * (ends * q - q * q)
    inner = counts[1:-1]
    return gradient, diagonal, inner * slices.upper[1:-1] * slices.lower[1:-1]


# -- what follows from the fit -----------------------------------------------------------------------


def _covariance(information: Floats, b: float) -> Floats:
    """Covariance of (a, b) from the information of (a, log b); NaN away from a maximum."""
    if np.linalg.eigvalsh(information)[0] <= 0:
        return np.full((2, 2), np.nan)
    scale = np.array([1.0, b])
    return np.asarray(np.linalg.inv(information) * np.outer(scale, scale))


def _goodness(data: Categories, a: float, b: float, c: Floats) -> GoodnessOfFit:
    """Pearson's chi-squared of observed against expected counts, with I - 3 degrees of freedom."""
    table = np.array([data.pos, data.neg, *_expected(data, a, b, c)], dtype=np.float64)
    joined: list[Array] = []
    running = np.zeros(4)
    least_cases = float(table[:2].sum()) / MOST_GROUPS if data.count > MOST_GROUPS else 0.0
    for column in table.T:
        running = running + column
        if min(running[2], running[3]) >= LEAST_EXPECTED and running[0] + running[1] >= least_cases:
            joined.append(running)
            running = np.zeros(4)
    if joined:
        joined[-1] = joined[-1] + running
    df = len(joined) - 3
    if df < 1:
        why = Undefined(f"{len(joined)} categories with enough expected cases leave no degree of freedom")
        return GoodnessOfFit(statistic=why, df=0, p_value=why, categories=len(joined))
    counts = np.array(joined)[:, :2]
    wanted = np.array(joined)[:, 2:]
    if len(joined) < data.count:
        coarse = Categories(pos=counts[:, 0], neg=counts[:, 1], lowest=np.empty(0))
        if degenerate_shape(coarse) is not None:
            why = Undefined("the joined categories are degenerate")
            return GoodnessOfFit(statistic=why, df=0, p_value=why, categories=len(joined))
        again = _maximise(coarse)
        wanted = np.column_stack(_expected(coarse, again.a, math.exp(again.log_b), again.c))
    statistic = float(np.sum((counts - wanted) ** 2 / wanted))
    return GoodnessOfFit(statistic=statistic, df=df, p_value=float(chdtrc(df, statistic)), categories=len(joined))


def _expected(data: Categories, a: float, b: float, c: Floats) -> list[Floats]:
    """Expected counts of the positives and of the negatives per category."""
    return [counts.sum() * np.exp(_slices(ends).log_chance) for counts, ends in ((data.pos, b * c - a), (data.neg, c))]
