"""Kernel curves K1 and K2, on the scores as they are or after a Box-Cox transform."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.curves.roc import RocCurve, rates, roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.smooth.box_cox import SHIFT_EPS, Power, fit_power
from roclab.smooth.gauss_sums import NormalSums
from roclab.smooth.model import FiniteScores, finite_scores, user_sign
from roclab.smooth.two_classes import TwoClassFit

__all__ = [
    "Kernel",
    "KernelFit",
    "PlugIn",
    "bandwidth_k1",
    "fit_kernel",
    "plug_in_bandwidth",
]

BandwidthRule = Literal["k1", "k2", "k2opt"]
RULES = ("k1", "k2", "k2opt")
PHI_0 = 1 / math.sqrt(2 * math.pi)


# -- bandwidths --------------------------------------------------------------------------------------


def _quartile_range(scores: FiniteScores) -> float:
    """x_(ceil(3n/4)) - x_(ceil(n/4)): quantiles of the inverted distribution function (R's type 1)."""
    reached, n = np.cumsum(scores.counts), scores.size
    low, high = (int(np.searchsorted(reached, -(-k * n // 4))) for k in (1, 3))
    return float(scores.values[high] - scores.values[low])


def bandwidth_k1(scores: FiniteScores) -> float:
    r"""Zou's bandwidth :math:`0.9 \min(s, iqr/1.34)\, n^{-1/5}` of one class [1]_; 0 without spread.

    The quartiles are order statistics. Some texts print the exponent -1.5; -1/5 gives their numbers.

    References
    ----------
    .. [1] Zou KH, Hall WJ, Shapiro DE. Stat Med 1997;16:2143-2156.
       doi:10.1002/(SICI)1097-0258(19971015)16:19<2143::AID-SIM655>3.0.CO;2-3
    """
    if scores.size < 2:
        return 0.0
    return 0.9 * min(math.sqrt(scores.variance()), _quartile_range(scores) / 1.34) * math.pow(scores.size, -0.2)


class PlugIn(NamedTuple):
    """The stages of the plug-in bandwidth, for those who check them."""

    psi6: float
    g4: float
    psi4: float
    g2: float
    psi2: float
    h_f: float  # asymptotically optimal for the distribution function


def plug_in_bandwidth(scores: FiniteScores) -> PlugIn | None:
    r"""Two-stage plug-in bandwidth for a distribution function (Wand and Jones 1995); None without spread.

    .. math:: \psi_6 = \frac{-15}{16\sqrt\pi\,\sigma^7},\;
              g_4 = \left[\frac{-6\varphi(0)}{\psi_6 n}\right]^{1/7},\;
              g_2 = \left[\frac{2\varphi(0)}{\hat\psi_4(g_4) n}\right]^{1/5},\;
              h_F = \left[\frac{1}{-\sqrt\pi\, n\, \hat\psi_2(g_2)}\right]^{1/3}

    with :math:`\hat\psi_r(g) = n^{-2} g^{-r-1} \sum_{ij} \varphi^{(r)}((x_i - x_j)/g)`, the diagonal included, and
    :math:`\sigma` = iqr/1.349, or s where that is 0. O(n log n): the double sums are :class:`NormalSums`.
    """
    if scores.size < 2:
        return None
    n = scores.size
    unit = _quartile_range(scores) / 1.349 or math.sqrt(scores.variance())
    if unit == 0:
        return None
    # In units of sigma: no power of the scale can overflow.
    scaled = FiniteScores((scores.values - scores.values[0]) / unit, scores.counts)
    psi6 = -15 / (16 * math.sqrt(math.pi))
    g4 = (-6 * PHI_0 / (psi6 * n)) ** (1 / 7)
    psi4 = _functional(scaled, 4, g4)
    g2 = (2 * PHI_0 / (psi4 * n)) ** (1 / 5)
    psi2 = _functional(scaled, 2, g2)
    h_f = (1 / (math.sqrt(math.pi) * n * -psi2)) ** (1 / 3)
    with np.errstate(over="ignore", under="ignore"):  # of the stages only, on extreme scales; the bandwidth stays right
        back = {order: float(np.float64(unit) ** -order) for order in (3, 5, 7)}
    return PlugIn(
        psi6=psi6 * back[7], g4=g4 * unit, psi4=psi4 * back[5], g2=g2 * unit, psi2=psi2 * back[3], h_f=h_f * unit
    )


def _functional(scores: FiniteScores, order: int, g: float) -> float:
    sums = NormalSums(scores.values, scores.counts, g).at(scores.values, order + 1)
    return float(scores.counts @ sums) / (float(scores.size) ** 2 * g ** (order + 1))


def _bandwidth(scores: FiniteScores, rule: BandwidthRule) -> float:
    if rule == "k1":
        return bandwidth_k1(scores)
    stages = plug_in_bandwidth(scores)
    if stages is None:
        return 0.0
    return stages.h_f if rule == "k2opt" else stages.h_f / math.sqrt(2)


# -- the distribution of one class -------------------------------------------------------------------


class Kernel:
    """A normal kernel estimate of one class; with bandwidth 0 its empirical distribution."""

    __slots__ = ("_above", "_below", "_n", "scores", "width")

    def __init__(self, scores: FiniteScores, width: float, total: float | None = None) -> None:
        self.scores, self.width = scores, width
        self._n: float = scores.size if total is None else total  # weights of nodes need not be counts
        if width > 0:
            self._below = NormalSums(scores.values, scores.counts, width)
            self._above = NormalSums(-scores.values[::-1], scores.counts[::-1], width)

    @property
    def has_density(self) -> bool:
        """False for bandwidth 0."""
        return self.width > 0

    def cdf(self, t: Floats) -> Floats:
        """Chance of at most t; half of a point at t."""
        if self.width > 0:
            return self._clipped(self._below.at(t))
        reached = np.concatenate([[0], np.cumsum(self.scores.counts)])
        sides = [reached[np.searchsorted(self.scores.values, t, side)] for side in ("left", "right")]
        return np.asarray((sides[0] + sides[1]) / (2 * self._n))

    def sf(self, t: Floats) -> Floats:
        """Chance of more than t."""
        return self._clipped(self._above.at(-t)) if self.width > 0 else 1 - self.cdf(t)

    def _clipped(self, sums: Floats) -> Floats:
        return np.clip(sums / self._n, 0.0, 1.0)

    def pdf(self, t: Floats) -> Floats:
        """Density."""
        return np.maximum(self._below.at(t, 1), 0.0) / (self._n * self.width)

    def log_pdf(self, t: Floats) -> Floats:
        """Logarithm of the density."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.pdf(t)))

    def ppf(self, q: Floats) -> Floats:
        """Quantile from below."""
        if self.width == 0:
            reached = np.cumsum(self.scores.counts)
            at = np.searchsorted(reached, np.ceil(q * self._n * (1 - 1e-15)))
            return self.scores.values[np.minimum(at, self.scores.values.size - 1)]
        return self._quantile(q, self.cdf, 1.0)

    def isf(self, q: Floats) -> Floats:
        """Quantile from above."""
        if self.width == 0:
            reached = np.cumsum(self.scores.counts[::-1])
            at = np.searchsorted(reached, np.ceil(q * self._n * (1 - 1e-15)))
            return self.scores.values[::-1][np.minimum(at, self.scores.values.size - 1)]
        return self._quantile(q, self.sf, -1.0)

    def _quantile(self, q: Floats, chance: Any, sign: float) -> Floats:
        """Solve chance(t) = q by Newton's method kept inside a shrinking bracket; q = 0 and 1 are infinite."""
        grid = self.grid()
        table = chance(grid) if sign > 0 else chance(grid)[::-1]
        ordered = grid if sign > 0 else grid[::-1]
        at = np.clip(np.searchsorted(table, q), 1, grid.size - 1)
        low, high = ordered[at - 1], ordered[at]  # chance(low) <= q <= chance(high)
        t = (low + high) / 2
        left = np.flatnonzero((q > 0) & (q < 1))  # still moving
        for step in range(100):
            here, goal = t[left], q[left]
            value = chance(here)
            low[left], high[left] = np.where(value < goal, here, low[left]), np.where(value < goal, high[left], here)
            with np.errstate(divide="ignore", invalid="ignore"):
                moved = here - sign * (value - goal) / self.pdf(here)
            inside = (moved > np.minimum(low, high)[left]) & (moved < np.maximum(low, high)[left])
            if step % 4 == 3:
                inside[:] = False  # now and then halve, where Newton crawls along a flat stretch
            moved = np.where(inside, moved, (low[left] + high[left]) / 2)
            t[left] = moved
            left = left[np.abs(moved - here) > 1e-13 * self.width + 1e-15 * np.abs(here)]
            if left.size == 0:
                break
        t = np.where(q <= 0, -sign * np.inf, t)
        return np.where(q >= 1, sign * np.inf, t)

    def grid(self) -> Floats:
        """Thresholds for a search: quantiles of the scores and steps of the bandwidth around the ends."""
        values = self.scores.values
        picked = values[np.unique(np.linspace(0, values.size - 1, 513).astype(np.int64))]
        steps = self.width * np.linspace(-39, 39, 79)
        evenly = np.linspace(values[0], values[-1], 257)
        return np.unique(np.concatenate([picked, evenly, values[0] + steps, values[-1] + steps]))


# -- the fit -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KernelFit(TwoClassFit):
    """A kernel curve: bandwidths of both classes, on the transformed scale where there is one."""

    rule: str
    bandwidth_pos: float
    bandwidth_neg: float
    error_bound: float  # of the area, given the bandwidths: 0 when all pairs were summed; rounding apart
    power: float | None = None  # Box-Cox lambda, None on the scores as they are
    shift: float = 0.0
    _power: Power | None = None
    _empirical: RocCurve | None = None  # when both bandwidths are 0

    def parameters(self) -> dict[str, Any]:
        """Bandwidths, and the power transform where there is one."""
        out: dict[str, Any] = {"bandwidth pos": self.bandwidth_pos, "bandwidth neg": self.bandwidth_neg}
        return out if self.power is None else {"lambda": self.power, "shift": self.shift} | out

    def tpr(self, fpr: Any) -> Floats:
        """True positive rate at each false positive rate."""
        if self._empirical is not None:
            return self._empirical.at(rates(fpr, "fpr"))
        return TwoClassFit.tpr(self, fpr)

    def _in_user_units(self, t: float) -> float:
        if self._power is None or self.sample is None:
            return TwoClassFit._in_user_units(self, t)
        return self._power.original(t, self.sample)

    def _on_score_axis(self, t: Floats) -> tuple[Floats, Floats]:
        if self._power is None or self.sample is None:
            return TwoClassFit._on_score_axis(self, t)
        return self._power.on_score_axis(t, self.sample)


def fit_kernel(
    tally: Tally,
    *,
    rule: BandwidthRule = "k1",
    bandwidths: tuple[float, float] | None = None,
    box_cox: bool = False,
    shift_eps: float = SHIFT_EPS,
    power: float | None = None,
) -> KernelFit:
    r"""The ROC curve between two normal-kernel estimates, and its area.

    .. math:: A = \frac{1}{mn}\sum_{i,j}\Phi\left(\frac{x_i - y_j}{\sqrt{h_x^2 + h_y^2}}\right), \qquad
              1 - F(t) = \frac1m \sum_i \Phi\left(\frac{x_i - t}{h_x}\right)

    for positives x and negatives y [1]_ [2]_.

    Parameters
    ----------
    rule : "k1", "k2" or "k2opt"
        Bandwidths of :func:`bandwidth_k1`; or :math:`h_F/\sqrt2` of :func:`plug_in_bandwidth` (reproduces the published
        tables); or :math:`h_F` itself, optimal for each distribution function.
    bandwidths : pair, optional
        Bandwidths of the positives and of the negatives, instead of a rule.
    box_cox : bool
        Transform the scores first (K1T, K2T), with the lambda and shift of
        :func:`~roclab.smooth.box_cox.fit_box_cox`; ``shift_eps`` and ``power`` are its options.

    Notes
    -----
    Up to 4 million pairs are summed one by one; larger samples use :class:`~roclab.smooth.gauss_sums.NormalSums`,
    linear in time and memory, and ``error_bound`` holds the proved bound (below 1e-16, less than rounding).

    The standard error is that of the two-sample U-statistic: the variances of the structural components
    :math:`V_{10,i} = \frac1n\sum_j \Phi(\cdot)` and :math:`V_{01,j}`, bandwidths (and lambda) held fixed.

    A class without spread has bandwidth 0; with both 0 the area is Mann-Whitney's and the curve the empirical one.

    References
    ----------
    .. [1] Faraggi D, Reiser B. Stat Med 2002;21:3093-3106, section 2.3. doi:10.1002/sim.1228
    .. [2] Lloyd CJ, Yong Z. Kernel estimators of the ROC curve are better than empirical. Stat Probab Lett
       1999;44:221-228. doi:10.1016/S0167-7152(99)00012-7

    Examples
    --------
    One pair one apart, with h = 1 together: A = Φ(1).

    >>> one = Tally.from_samples(np.array([1.0]), np.array([0.0]))
    >>> round(fit_kernel(one, bandwidths=(0.6, 0.8)).area, 6)
    0.841345
    """
    check_choice(rule, "rule", RULES)
    found = None
    if box_cox:
        found = fit_power(tally, shift_eps=shift_eps, power=power, model="Box-Cox kernel")
        pos, neg = found.pos, found.neg
    else:
        pos, neg = finite_scores(tally, model="kernel")
    if bandwidths is None:
        # On the scores as given: the quartiles of the rules are not symmetric, and must not depend on the direction.
        sign = user_sign(tally.sample)
        h_pos, h_neg = (_bandwidth(side.mapped(sign * side.values), rule) for side in (pos, neg))
    else:
        h_pos, h_neg = _checked_bandwidths(bandwidths)
    h = math.hypot(h_pos, h_neg)
    v_pos, v_neg, bound = _components(pos, neg, h)
    area = float(pos.counts @ v_pos) / pos.size
    notes = [] if found is None else list(found.notes())
    if h == 0:
        notes.append("Both bandwidths are 0 (no spread between the quartiles), so the area is Mann-Whitney's.")
    else:
        for width, name in ((h_pos, "positives"), (h_neg, "negatives")):
            if width == 0:
                notes.append(f"The bandwidth of the {name} is 0; only the other class is smoothed.")
    name = ("kernel" if bandwidths is not None else f"kernel_{rule}") + ("_box_cox" if box_cox else "")
    return KernelFit(
        method=name,
        area=min(max(area, 0.0), 1.0),
        standard_error=_error_of_components(pos, neg, v_pos, v_neg),
        standard_error_method="structural components, bandwidths held fixed" + (" and lambda too" if box_cox else ""),
        sample=tally.sample,
        converged=found is None or not found.at_bound,
        iterations=0 if found is None else found.iterations,
        notes=tuple(notes),
        rule=rule if bandwidths is None else "given",
        bandwidth_pos=h_pos,
        bandwidth_neg=h_neg,
        error_bound=bound,
        power=None if found is None else found.power,
        shift=0.0 if found is None else found.shift,
        _pos=Kernel(pos, h_pos),
        _neg=Kernel(neg, h_neg),
        _power=found,
        _empirical=roc_curve(tally) if h == 0 else None,
    )


def _checked_bandwidths(bandwidths: Any) -> tuple[float, float]:
    try:
        pair = tuple(float(width) for width in bandwidths)
    except (TypeError, ValueError):
        pair = ()
    if len(pair) != 2 or not all(0 <= width < math.inf for width in pair):
        raise InputError(
            "bandwidths",
            "must be two numbers of at least 0, of the positives and of the negatives",
            bandwidths,
            "leave them out to use a rule",
        )
    return pair[0], pair[1]


def _components(pos: FiniteScores, neg: FiniteScores, h: float) -> tuple[Floats, Floats, float]:
    """Structural components of each distinct positive and negative score, and the error bound of their mean."""
    if h == 0:
        points = Kernel(neg, 0.0), Kernel(pos, 0.0)
        return points[0].cdf(pos.values), points[1].sf(neg.values), 0.0
    below = NormalSums(neg.values, neg.counts, h)
    above = NormalSums(-pos.values[::-1], pos.counts[::-1], h)
    bound = below.error_bound(pos.values.size)
    return below.at(pos.values) / neg.size, above.at(-neg.values) / pos.size, bound


def _error_of_components(pos: FiniteScores, neg: FiniteScores, v_pos: Floats, v_neg: Floats) -> float:
    variance = 0.0
    for side, components, name in ((pos, v_pos, "positive"), (neg, v_neg, "negative")):
        if side.size < 2:
            return Undefined(f"there is only one {name} case")
        mean = float(side.counts @ components) / side.size
        variance += float(side.counts @ (components - mean) ** 2) / ((side.size - 1) * side.size)
    return math.sqrt(variance)
