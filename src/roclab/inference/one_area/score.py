r"""The score interval of one AUC, and the test that agrees with it.

A Wald interval takes the variance at the estimate: with few misplaced cases that variance is nearly 0, and the interval
claims far too much. A score interval asks of every possible area t whether the estimate A would be surprising if t were
true, with the variance that t itself implies, and keeps those t for which it would not:

.. math:: \{ t : |A - t| \le z \sqrt{v(t)} \}

So everything hangs on v(t), the variance of the estimate when the true area is t. It is that of a binormal model whose
two shapes are fitted to DeLong's two spreads, with a small-sample correction where these rest on few misplaced cases:

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
   varies in either class, or a class has one case, k = 0. Areas less than 1 / PN from 0 or 1 are judged as if
   one pair were misplaced.
3. The share used at t is drawn towards a cautious one, as by one more case that was not seen:

   .. math:: q(t) = q + \frac{\max(c - q,\, 0)}{1 + \max(k,\, 5 (n - 1) m^4)},
             \qquad c = 1 - m \min(1, n / n_{other})

   with m the smaller of t and 1 - t, but if t and A lie on different sides of 1/2 more by |2A - 1|, up to 1/2, and
   :math:`n_{other}` the size of the other class. The term with :math:`m^4` lets the correction fade towards t = 1/2,
   where many cases would be misplaced whatever was seen; without it a perfect area would be called less significant
   than a good one.
4. :math:`v(t) = s(h, q_{10}(t))/P + s(h, q_{01}(t))/N`, and never above t(1 - t) / min(P, N), Birnbaum and Klose's
   bound of the variance.
5. No sample speaks louder against t than a perfect one of the same size: with :math:`v_1` that of A = 1, a deviate
   above :math:`(1 - t) / \sqrt{v_1(t)}` counts as that much, and likewise below. A few small errors would otherwise
   make an area look better than none at all, because they tell that errors are small.

In large samples the correction vanishes and the interval tends to DeLong's; docs/methods/score_interval.md has the
argument and says what was chosen on which designs. The constants of steps 2 and 3 were chosen by simulation
(``benchmarks/coverage_intervals.py``). Near 1 intervals miss on the upper side (3%) rather than on the lower one (.3%),
because errors of all or nothing cannot be told from those that were not seen: with 20 + 20 cases even a perfect sample
does not show that an area exceeds .90.
"""

from __future__ import annotations

import math
from math import erfc, exp, sqrt
from typing import NamedTuple, TypeAlias

from roclab._core.checks import check_choice, check_fraction, check_positive
from roclab._core.normal import joint_argument, joint_excess, normal_tail, probit
from roclab._core.roots import falling_root, smooth_root
from roclab.inference.one_area.intervals import deviate
from roclab.names import SIDES, Side

__all__ = ["SCORE", "ScoreVariance", "fit_score_variance", "score_interval", "score_test"]

# What the interval and its test are called in answers: the package's own, not DeLong's, who gives two spreads to it.
SCORE = "roclab score"

# Components that differ by rounding alone have spreads of about 1e-32; a billion cases can show 1e-28.
_ROUNDING = 1e-30
_LESS = 1 - 1e-9  # a pair, less what rounding may take off
_FARTHEST = 37.0  # probits beyond it have no normal tail in double precision
_LOG_THIRD = math.log(1 / 3)
_EQUAL = math.sqrt(1 / 3)  # Owen's argument of the share 1/2
_ROOT_HALF = math.sqrt(0.5)
# How the line through the estimate goes on after its bend, in the average of simulated samples: enough for a start.
_THIRD, _THINNER, _FOURTH = 0.2, 0.06, 0.3
_ROOT_TWO_PI = math.sqrt(2 * math.pi)

# Of one class: its share q, the number k of misplaced cases seen in it, its size n, min(1, n / n_other), and its spread
# at the estimate. A plain tuple, because every evaluation of v unpacks it.
_OneClass: TypeAlias = tuple[float, float, float, float, float]


class ScoreVariance(NamedTuple):
    """Variance of an AUC's estimate as a function of the true area; call it with an area.

    Attributes
    ----------
    area : float
        The estimate it was fitted at.
    probit : float
        That of the estimate, or of 1 less it where that is larger; infinite at 0 and 1.
    equal : float
        The spread of both classes there if their shares were 1/2.
    fewest : float
        The size of the smaller class, effective under importance weights.
    classes : pair of tuples
        What was fitted to the positives and to the negatives.
    """

    area: float
    probit: float
    equal: float
    fewest: float
    classes: tuple[_OneClass, _OneClass]

    @property
    def shares(self) -> tuple[float, float]:
        """Binormal shares q of the positives and the negatives that reproduce their spreads at ``area``."""
        return self.classes[0][0], self.classes[1][0]

    @property
    def seen(self) -> tuple[float, float]:
        """Effective numbers k of misplaced cases seen in either class, 0 where its spread is unknown."""
        return self.classes[0][1], self.classes[1][1]

    def __call__(self, area: float) -> float:
        """v(t) for 0 < t < 1."""
        tail = min(area, 1 - area)
        beyond = (area - 0.5) * (self.area - 0.5) < 0
        misplaced = min(0.5, tail + abs(2 * self.area - 1)) if beyond else tail
        return self.at_probit(-probit(tail), 1 - tail, tail, misplaced)[0]

    def at_probit(
        self, h: float, above: float, below: float, misplaced: float, roughly: bool = False
    ) -> tuple[float, float]:
        """v(t) and its slope in t, where h = Φ⁻¹(t), ``above`` = t, ``below`` = 1 - t and ``misplaced`` = m are known.

        The slope is NaN where a share is 1 up to rounding.
        """
        fourth = 5.0 * misplaced**4.0
        thins = 0.0 if misplaced == 0.5 else 1.0 if below < above else -1.0  # m falls by so much as t rises
        turn, twice = -h * _ROOT_HALF, 2.0 * above
        total = slope = 0.0
        for q, seen, own, ratio, _ in self.classes:
            lacking, drawn = 1.0 - misplaced * ratio - q, 0.0
            if lacking > 0.0:
                expected = fourth * (own - 1.0)
                if expected > seen:
                    weight = 1.0 / (1.0 + expected)
                    drawn = thins * weight * (ratio + 4.0 * lacking * weight * expected / misplaced)
                else:
                    weight = 1.0 / (1.0 + seen)
                    drawn = thins * weight * ratio
                q += lacking * weight
            a = sqrt((1.0 - q) / (1.0 + q))
            total += joint_excess(h, a, roughly) / own
            turns = erfc(a * turn) - twice
            if drawn:
                turns += drawn * _rise(h, q, a)
            slope += turns / own
        fewest = self.fewest
        largest = above * below / fewest
        if total > largest:
            return largest, (below - above) / fewest
        return total, slope


def _rise(h: float, share: float, a: float) -> float:
    """How fast s(h, q) rises in q, ``a`` being Owen's argument."""
    wide = 1.0 + share
    return exp(-h * h / wide) / (math.tau * a * wide) if a > 0.0 else math.nan


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
    At A = 0 or 1 no pair is misplaced and both spreads are 0; shares and numbers seen are then those of a single
    misplaced pair, so that a perfect area is judged like the next best one. A class of one case tells nothing, nor do
    constant scores; the share is 1/2 then, that of equally spread classes. Spreads above A(1 - A), which very small
    classes can show, have the share 1.

    Examples
    --------
    The subarachnoid haemorrhage data's wfns grade, 41 poor and 72 good outcomes:

    >>> fit = fit_score_variance(0.82367886, 0.0356045, 0.0433090, n_pos=41, n_neg=72)
    >>> [round(share, 3) for share in fit.shares]
    [0.44, 0.516]
    >>> round(fit(0.82367886), 6)  # DeLong's variance is 0.001470
    0.001544
    """
    area = check_fraction(area, "area", way_out="an AUC is a fraction, write 0.89 for 89%")
    n_pos = check_positive(n_pos, "n_pos", way_out="give the number of positive cases")
    n_neg = check_positive(n_neg, "n_neg", way_out="give the number of negative cases")
    miss = area if area < 0.5 else 1.0 - area
    one_pair = min(1.0 / (n_pos * n_neg), 0.5)
    perfect = miss < _LESS * one_pair  # or as good as: less than one pair is misplaced
    at = one_pair if perfect else miss
    constant = not (spread10 > _ROUNDING or spread01 > _ROUNDING)
    h = -probit(at)
    largest = at * (1.0 - at)
    equal = joint_excess(h, _EQUAL)
    power = _LOG_THIRD / math.log(equal / largest) if 0.0 < equal < largest else 1.0
    fitted: list[_OneClass] = []
    for spread, own, other in ((spread10, n_pos, n_neg), (spread01, n_neg, n_pos)):
        if perfect:
            spread = at / other
        elif constant or math.isnan(spread):
            fitted.append((0.5, 0.0, own, own / other if own < other else 1.0, equal))
            continue
        elif not spread > _ROUNDING:
            spread = 0.0
        seen = own * at * at / (at * at + (spread if spread > equal else equal))
        share = _share_of(h, largest, spread, power) if spread > 0.0 else 0.0
        fitted.append((share, seen, own, own / other if own < other else 1.0, spread))
    pos, neg = fitted
    at_estimate = h if not perfect else -probit(miss) if miss > 0.0 else math.inf
    return ScoreVariance(area, at_estimate, equal, n_pos if n_pos < n_neg else n_neg, (pos, neg))


def _share_of(h: float, largest: float, spread: float, power: float) -> float:
    """The share q with s(h, q) = spread, within [0, 1].

    The search starts where s would be the power of what it is at h = 0, exact there and, by the choice of ``power``,
    for q = 1/2: one step is mostly enough.
    """
    if spread >= largest:
        return 1.0
    a = joint_argument(h, spread, math.tan(math.pi / 4.0 * (1.0 - (spread / largest) ** power)))
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
    distance = variance.area - null
    if distance == 0:
        return 0.0
    perfect, found = _perfect(variance), distance / _error(variance, null)
    if distance > 0:
        return min(found, (1 - null) / _error(perfect, null))
    return max(found, -null / _error(perfect, 1 - null))


def _error(variance: ScoreVariance, area: float) -> float:
    return math.sqrt(variance(area)) or 1e-150


def _perfect(variance: ScoreVariance) -> ScoreVariance:
    """That of a perfect sample of the same size."""
    pos, neg = variance.classes
    return fit_score_variance(1.0, 0.0, 0.0, n_pos=pos[2], n_neg=neg[2])


def score_interval(
    variance: ScoreVariance, *, level: float = 0.95, side: Side = "two-sided", df: float = math.inf
) -> tuple[float, float]:
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
    df : float
        Degrees of freedom: deviates of t take the place of normal ones where subjects are few.

    Notes
    -----
    Negating all scores mirrors the interval about 1/2, and exchanging the classes as well leaves it as it was. At
    A = 1 the upper limit is 1; the lower one lies a little above m / (m + z²) with m = min(P, N), Wilson's bound for m
    successes out of m. Each root takes two or three evaluations of v and its slope, the first of them rough.

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
    (0.837, 1.0)
    """
    check_choice(side, "side", SIDES)
    z = deviate(level, side, df=df)
    line = _line_through(variance)
    low = 0.0 if side == "upper" else _limit(variance, z, line)
    high = 1.0 if side == "lower" else _limit(variance, -z, line)
    # Wilson's bound for no failures lies below that of a perfect sample, so that one is seldom looked for.
    farthest = variance.fewest / (variance.fewest + z * z)
    if z > 0 and (low > farthest or high < 1 - farthest):
        perfect = _perfect(variance)
        best = _limit(perfect, z, _line_through(perfect))
        low, high = (low if side == "upper" else min(low, best)), (high if side == "lower" else max(high, 1 - best))
    return low, high


# The standard error of the estimate on the probit scale by the delta method, and how it bends.
_Line: TypeAlias = tuple[float, float]


def _line_through(variance: ScoreVariance) -> _Line:
    """Where the search begins; areas below 1/2 mirrored.

    To first order in correction, by what was seen, and with the bend of equal shares: the search needs no more.
    """
    area, h, equal, _, classes = variance
    if h == math.inf:
        return math.inf, 0.0
    miss = area if area < 0.5 else 1.0 - area
    square = 0.0
    for q, seen, own, ratio, spread in classes:
        lacking = 1.0 - miss * ratio - q
        if lacking > 0.0:
            spread += lacking / (1.0 + seen) * _rise(h, q, sqrt((1.0 - q) / (1.0 + q)))
        square += spread / own
    density = exp(-h * h / 2.0) / _ROOT_TWO_PI or 1e-300
    slope = erfc(-_EQUAL * h * _ROOT_HALF) - erfc(-h * _ROOT_HALF)
    return sqrt(square) / density, h + density * slope / (equal or 1e-300)


def _limit(variance: ScoreVariance, wanted: float, line: _Line) -> float:
    """The area t at which (A - t) / √v(t) has the wanted value."""
    if variance.area < 0.5:
        return normal_tail(_probit_of_limit(variance, variance.area, -wanted, line))
    return normal_tail(-_probit_of_limit(variance, 1 - variance.area, wanted, line))


def _probit_of_limit(variance: ScoreVariance, miss: float, wanted: float, line: _Line) -> float:
    """The same for an area 1 - miss of at least one half, as h = Φ⁻¹(t), with full precision next to 1."""
    at_probit, beyond = variance.at_probit, 1.0 - 2.0 * miss

    def excess(h: float, roughly: bool = False) -> tuple[float, float]:
        below, above = erfc(h * _ROOT_HALF) / 2.0, erfc(-h * _ROOT_HALF) / 2.0
        misplaced = below if below < 0.5 else min(0.5, above + beyond)
        square, slope = at_probit(h, above, below, misplaced, roughly)
        if square < 1e-300:
            square = 1e-300
        error = sqrt(square)
        deviate = (below - miss) / error
        density = exp(-h * h / 2.0) / _ROOT_TWO_PI
        return deviate - wanted, -density * (1.0 / error + deviate * slope / (2.0 * square))

    if miss == 0:
        if wanted <= 0:
            return math.inf
        start = -probit(wanted * wanted / (variance.fewest + wanted * wanted))
        return falling_root(excess, start, 0.1, farthest=_FARTHEST)
    centre, (error, bend) = variance.probit, line
    reach = wanted * error
    if 0.0 < abs(reach) <= 1.0:
        bend = bend / 2.0 + reach * (_THIRD - _THINNER * centre * centre + _FOURTH * reach)
        start = centre - reach + reach * reach * bend
        root = smooth_root(excess, (centre, -wanted, -1.0 / error), start)
        if root is not None:
            return root
    # next to 1 the line is flat, and the root much nearer than where it crosses
    reach = min(max(reach, -1.0), 1.0)
    return falling_root(excess, centre - reach, max(abs(reach) / 8, 1e-6), farthest=_FARTHEST)
