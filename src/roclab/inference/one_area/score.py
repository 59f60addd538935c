r"""The score interval of one AUC, and the test that agrees with it.

A Wald interval takes the variance at the estimate: with few misplaced cases that variance is nearly 0, and the interval
claims far too much. A score interval asks of every possible area t whether the estimate A would be surprising if t were
true, with the variance that t itself implies, and keeps those t for which it would not:

.. math:: \{ t : |A - t| \le z \sqrt{v(t)} \}

So everything hangs on v(t), the variance of the estimate when the true area is t. It is that of a binormal model whose
two shapes are fitted to DeLong's two spreads, with caution where these rest on few misplaced cases:

1. With scores :math:`X \sim N(\mu, \sigma_+^2)` and :math:`Y \sim N(0, \sigma_-^2)` the component
   :math:`V_{10}(X) = \Pr(Y < X \mid X)` has, at the area :math:`\Phi(h)`, the variance

   .. math:: s(h, q) = \Phi_2(h, h; q) - \Phi(h)^2 = \Phi(h)\Phi(-h) - 2\,T\!\left(h, \sqrt{\tfrac{1-q}{1+q}}\right)

   with :math:`q = \sigma_+^2 / (\sigma_+^2 + \sigma_-^2)` the positives' share of the variance, :math:`\Phi_2` the
   bivariate normal distribution function and T Owen's function. It is 0 at q = 0, and t(1 - t), the largest variance
   there is, at q = 1. For :math:`V_{01}` the same holds with the negatives' share. The shares :math:`q_{10}, q_{01}`
   solve s = spread at the observed area, each on its own, so that data need not be binormal to be matched.
2. A spread is known only as well as misplaced cases were seen. With e = min(A, 1 - A), Kish's effective number of
   them among the n cases of a class is :math:`k = n e^2 / (e^2 + spread)`. The spread counts here as at least
   s(h, 1/2), that of equally spread classes, because equal small errors say nothing about large ones; and where nothing
   varies (one case, all components equal) k = 0.
3. The share used at t is drawn towards a cautious one, as by one more case that was not seen:

   .. math:: q(t) = q + \frac{\max(c - q,\, 0)}{1 + \max(k,\, 5 (n - 1) m^4)},
             \qquad c = 1 - m \min(1, n / n_{other})

   with m the smaller of t and 1 - t, or 1/2 if t and A lie on different sides of 1/2, and :math:`n_{other}` the size of
   the other class. The term with :math:`m^4` lets caution fade towards t = 1/2, where many cases would be misplaced
   whatever was seen; without it a perfect area would be called less significant than a good one.
4. :math:`v(t) = s(h, q_{10}(t))/P + s(h, q_{01}(t))/N`, and never above t(1 - t) / min(P, N), Birnbaum and Klose's
   bound of the variance.

In large samples caution vanishes and the interval tends to DeLong's. The constants of steps 2 and 3 were chosen by
simulation, as the mildest that keep the level over hundreds of designs (``benchmarks/coverage_intervals.py``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from roclab._core.checks import check_choice, check_fraction, check_positive
from roclab._core.normal import joint_excess, joint_slope, normal_tail, probit
from roclab._core.roots import falling_root, smooth_root
from roclab.inference.one_area.intervals import deviate
from roclab.names import SIDES, Side

__all__ = ["ScoreVariance", "fit_score_variance", "score_interval", "score_test"]

# Components that differ by rounding alone have spreads of about 1e-32; a billion cases can show 1e-28.
_ROUNDING = 1e-30
_FARTHEST = 37.0  # probits beyond it have no normal tail in double precision
_SETTLED = 3e-6  # steps of Owen's argument: the next one would be about its cube
_LOG_THIRD = math.log(1 / 3)
_ROOT_TWO_PI = math.sqrt(2 * math.pi)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreVariance:
    """Variance of an AUC's estimate as a function of the true area; call it with an area.

    Attributes
    ----------
    area : float
        The estimate it was fitted at.
    share10, share01 : float
        Binormal shares q of the positives and the negatives that reproduce their spreads at ``area``.
    seen10, seen01 : float
        Effective numbers k of misplaced cases seen in either class, 0 where its spread is unknown.
    n_pos, n_neg : float
        Class sizes, effective ones under importance weights.
    """

    area: float
    share10: float
    share01: float
    seen10: float
    seen01: float
    n_pos: float
    n_neg: float

    def __call__(self, area: float) -> float:
        """v(t) for 0 < t < 1."""
        tail = min(area, 1 - area)
        beyond = (area - 0.5) * (self.area - 0.5) < 0
        return self.at_probit(-probit(tail), tail, 0.5 if beyond else tail)[0]

    def at_probit(self, h: float, tail: float, misplaced: float) -> tuple[float, float]:
        """v(t) and its slope in h at t = Φ(h), where ``tail`` = min(t, 1 - t) and ``misplaced`` = m are known already.

        The slope is NaN where a share is 1 up to rounding.
        """
        density = math.exp(-h * h / 2.0) / _ROOT_TWO_PI
        thins = math.copysign(density, -h) if misplaced < 0.5 else 0.0  # slope of m
        below, fewest = normal_tail(-h), min(self.n_pos, self.n_neg)
        total = slope = 0.0
        for q, seen, own, other in (
            (self.share10, self.seen10, self.n_pos, self.n_neg),
            (self.share01, self.seen01, self.n_neg, self.n_pos),
        ):
            ratio = min(1.0, own / other)
            lacking = 1.0 - misplaced * ratio - q
            if lacking > 0.0:
                expected = 5.0 * (own - 1.0) * misplaced**4.0
                weight = 1.0 / (1.0 + max(seen, expected))
                q += lacking * weight
            a = math.sqrt((1.0 - q) / (1.0 + q))
            total += joint_excess(h, a) / own
            slope += 2.0 * density * (normal_tail(-a * h) - below) / own
            if lacking > 0.0 and thins:
                drawn = ratio + (4.0 * lacking * weight * expected / misplaced if expected > seen else 0.0)
                rises = math.exp(-h * h / (1.0 + q)) / (math.tau * math.sqrt(1.0 - q * q)) if q < 1.0 else math.nan
                slope -= thins * drawn * weight * rises / own
        largest = tail * (1.0 - tail) / fewest
        if total > largest:
            return largest, density * (1.0 - 2.0 * below) / fewest
        return total, slope


def _spread_at(h: float, share: float) -> float:
    """s(h, q), the variance of a class's components."""
    return joint_excess(h, math.sqrt((1 - share) / (1 + share)))


def fit_score_variance(area: float, spread10: float, spread01: float, *, n_pos: float, n_neg: float) -> ScoreVariance:
    r"""Variance function of an AUC, fitted to DeLong's two spreads; O(1), no data needed beyond them.

    Parameters
    ----------
    area : float
        The empirical AUC A.
    spread10, spread01 : float
        Sample variances (denominator n - 1) of the structural components :math:`V_{10}` over the positives and
        :math:`V_{01}` over the negatives, so that DeLong's variance is spread10 / P + spread01 / N. NaN (or
        ``Undefined``) where a class has one case.
    n_pos, n_neg : float
        Class sizes P and N; under importance weights the effective ones, :math:`(\sum w)^2 / \sum w^2`.

    Notes
    -----
    At A = 0 or 1 no pair is misplaced and both spreads are 0; the shares are then those of a single misplaced pair, so
    that a perfect area is judged like the next best one. Elsewhere a class without spread tells nothing (one case,
    constant scores), and its share is 1/2, that of equally spread classes. Spreads above A(1 - A), which very small
    classes can show, have the share 1.

    Examples
    --------
    The subarachnoid haemorrhage data's wfns grade, 41 poor and 72 good outcomes:

    >>> fit = fit_score_variance(0.82367886, 0.0356045, 0.0433090, n_pos=41, n_neg=72)
    >>> round(fit.share10, 3), round(fit.share01, 3)
    (0.44, 0.516)
    >>> round(fit(0.82367886), 6)  # DeLong's variance is 0.001470
    0.001544
    """
    area = check_fraction(area, "area", way_out="an AUC is a fraction, write 0.89 for 89%")
    n_pos = check_positive(n_pos, "n_pos", way_out="give the number of positive cases")
    n_neg = check_positive(n_neg, "n_neg", way_out="give the number of negative cases")
    miss = min(area, 1 - area)
    perfect = miss == 0
    at = min(1 / (n_pos * n_neg), 0.5) if perfect else miss
    h = -probit(at)
    largest = at * (1 - at)
    equal = _spread_at(h, 0.5)
    fitted = []
    for spread, own, other in ((spread10, n_pos, n_neg), (spread01, n_neg, n_pos)):
        if perfect:
            fitted.append((_share_of(h, largest, at / other, equal), 0.0))
        elif spread > _ROUNDING:  # False for NaN
            seen = own * miss * miss / (miss * miss + max(spread, equal))
            fitted.append((_share_of(h, largest, spread, equal), seen))
        else:
            fitted.append((0.5, 0.0))
    (share10, seen10), (share01, seen01) = fitted
    return ScoreVariance(
        area=area, share10=share10, share01=share01, seen10=seen10, seen01=seen01, n_pos=n_pos, n_neg=n_neg
    )


def _share_of(h: float, largest: float, spread: float, equal: float) -> float:
    """The share q with s(h, q) = spread, within [0, 1]; ``equal`` is s(h, 1/2).

    Halley's method on Owen's second argument a, in which s falls with a known curvature: each step leaves about the
    cube of the last error. The start takes s for a power of what it is at h = 0, and is exact there and for q = 1/2.
    """
    if spread >= largest:
        return 1.0
    power = _LOG_THIRD / math.log(equal / largest) if 0.0 < equal < largest else 1.0
    a = math.tan(math.pi / 4 * (1.0 - (spread / largest) ** power))
    for _ in range(50):
        newton = (joint_excess(h, a) - spread) / joint_slope(h, a)
        bend = a * (h * h / 2.0 + 1.0 / (1.0 + a * a))
        step = newton / max(1.0 - newton * bend, 0.5)
        a = min(max(a + step, 0.0), 1.0)
        if abs(step) < _SETTLED:
            break
    return (1.0 - a) * (1.0 + a) / (1.0 + a * a)


def score_test(variance: ScoreVariance, *, null: float) -> float:
    r"""Normal deviate of an AUC against a null value, :math:`z = (A - t_0) / \sqrt{v(t_0)}`.

    Two-sided, :math:`|z| \le z_{(1 + level)/2}` exactly when t₀ lies in the score interval of that level: test and
    interval share v and never contradict each other.

    Examples
    --------
    >>> fit = fit_score_variance(0.82367886, 0.0356045, 0.0433090, n_pos=41, n_neg=72)
    >>> round(score_test(fit, null=0.5), 2), round(score_test(fit, null=0.9), 2)
    (5.88, -2.64)
    """
    null = check_fraction(null, "null", way_out="give the area to test against, e.g. 0.5", open_ends=True)
    return _deviate_of(variance, variance.area - null, variance(null))


def _deviate_of(variance: ScoreVariance, distance: float, square: float) -> float:
    if distance == 0:
        return 0.0
    return distance / math.sqrt(square) if square > 0 else math.copysign(math.inf, distance)


def score_interval(variance: ScoreVariance, *, level: float = 0.95, side: Side = "two-sided") -> tuple[float, float]:
    r"""Limits of the score interval of an AUC: all t that the score test does not reject.

    The limits are where :math:`(A - t)/\sqrt{v(t)}` equals the normal deviates of the level. As a function of t that
    quotient falls from ∞ to -∞, so each limit is one root, searched for on the probit scale, where the quotient is
    nearly a straight line.

    Parameters
    ----------
    variance : ScoreVariance
        From ``fit_score_variance``.
    level : float
        Confidence level.
    side : "two-sided", "lower" or "upper"
        A one-sided bound puts all of 1 - level on one side; the other limit is then 0 or 1.

    Notes
    -----
    Negating all scores mirrors the interval about 1/2, and exchanging the classes as well leaves it as it was. At
    A = 1 the upper limit is 1; the lower one is about m / (m + z²) with m = min(P, N), Wilson's bound for m successes
    out of m. Each root takes two or three evaluations of v and its slope; in all some 50 microseconds.

    References
    ----------
    The idea, for a proportion: Wilson EB. Probable inference, the law of succession, and statistical inference. JASA
    1927;22:209-212. doi:10.1080/01621459.1927.10502953

    The spreads: DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics 1988;44:837-845. doi:10.2307/2531595

    The largest variance: Birnbaum ZW, Klose OM. Bounds for the variance of the Mann-Whitney statistic. Ann Math Stat
    1957;28:933-945.

    A score interval from the area and the sizes alone: Newcombe RG. Confidence intervals for an effect size measure
    based on the Mann-Whitney statistic, part 2. Stat Med 2006;25:559-573. doi:10.1002/sim.2324

    Examples
    --------
    >>> fit = fit_score_variance(0.82367886, 0.0356045, 0.0433090, n_pos=41, n_neg=72)
    >>> low, high = score_interval(fit)
    >>> round(low, 4), round(high, 4)  # DeLong's, on the logit scale: 0.7358 to 0.8868
    (0.7303, 0.885)
    >>> perfect = fit_score_variance(1.0, 0.0, 0.0, n_pos=15, n_neg=20)
    >>> low, high = score_interval(perfect)
    >>> round(low, 3), high  # 15 / (15 + 1.96²) is 0.796
    (0.804, 1.0)
    """
    check_choice(side, "side", SIDES)
    z = deviate(level, side)
    line = _line_through(variance)
    low = 0.0 if side == "upper" else _limit(variance, z, line)
    high = 1.0 if side == "lower" else _limit(variance, -z, line)
    return low, high


class _Line(NamedTuple):
    """The estimate on the probit scale, its standard error there by the delta method, and how the error bends."""

    centre: float
    error: float
    bend: float


def _line_through(variance: ScoreVariance) -> _Line:
    """Where the search begins; areas below 1/2 mirrored."""
    miss = min(variance.area, 1 - variance.area)
    if miss == 0:
        return _Line(math.inf, math.inf, 0.0)
    centre = -probit(miss)
    square, slope = variance.at_probit(centre, miss, miss)
    density = math.exp(-centre * centre / 2) / _ROOT_TWO_PI
    return _Line(centre, math.sqrt(square) / max(density, 1e-300), centre + slope / max(square, 1e-300))


def _limit(variance: ScoreVariance, wanted: float, line: _Line) -> float:
    """The area t at which (A - t) / √v(t) has the wanted value."""
    if variance.area < 0.5:
        return normal_tail(_probit_of_limit(variance, variance.area, -wanted, line))
    return normal_tail(-_probit_of_limit(variance, 1 - variance.area, wanted, line))


def _probit_of_limit(variance: ScoreVariance, miss: float, wanted: float, line: _Line) -> float:
    """The same for an area 1 - miss of at least one half, as h = Φ⁻¹(t), with full precision next to 1."""

    def excess(h: float) -> tuple[float, float]:
        below = normal_tail(h)  # 1 - t
        tail = min(below, normal_tail(-h))
        square, slope = variance.at_probit(h, tail, tail if miss == 0.5 else min(below, 0.5))
        square = max(square, 1e-300)
        error = math.sqrt(square)
        deviate = (below - miss) / error
        density = math.exp(-h * h / 2) / _ROOT_TWO_PI
        return deviate - wanted, -density / error - deviate * slope / (2 * square)

    if miss == 0:
        if wanted <= 0:
            return math.inf
        start = -probit(wanted * wanted / (min(variance.n_pos, variance.n_neg) + wanted * wanted))
        return falling_root(excess, start, 0.1, farthest=_FARTHEST)
    reach = wanted * line.error
    if 0 < abs(reach) <= 1:
        start = line.centre - reach + reach * reach * line.bend / 2
        root = smooth_root(excess, (line.centre, -wanted, -1 / line.error), start)
        if root is not None:
            return root
    # next to 1 the line is flat, and the root much nearer than where it crosses
    reach = min(max(reach, -1.0), 1.0)
    return falling_root(excess, line.centre - reach, max(abs(reach) / 8, 1e-6), farthest=_FARTHEST)
