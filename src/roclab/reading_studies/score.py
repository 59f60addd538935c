r"""Score test of modality means: their variance as it would be under the hypothesis, and degrees of freedom for few.

Two things keep Obuchowski and Rockette's F with Hillis' degrees of freedom from its level. An area near 1 is skewed: a
case that pulls it down also raises its variance, so that large differences meet large errors and the test rejects too
seldom. And with three readers their mean square may be small by chance, which lowers the error and raises its degrees
of freedom at once, so that it rejects too often.

**Variance.** The standard error of an area A falls towards its bounds about as :math:`w(A) = A (1 - A)`, which is why
intervals of areas are computed for logits. The deviations of readers and the influence of cases in modality i are
multiplied by :math:`w(m_i) / w(A_i)`, where :math:`m_i` are the means that the hypothesis allows: under
:math:`A_1 - A_2 = \delta` those of Miettinen and Nurminen [1]_ for two proportions,

.. math:: \frac{A_1 - m_1}{m_1 (1 - m_1)} + \frac{A_2 - m_2}{m_2 (1 - m_2)} = 0, \qquad m_1 - m_2 = \delta,

which is the mean of the means for equality. Everything else is Obuchowski and Rockette's analysis of the areas so
scaled. With :math:`f_i = w(m_i) / w(A_i)`, :math:`V_i` the observed variances of both means and V that of their
difference, a difference of :math:`\delta` has the variance :math:`f_1^2 V_1 + f_2^2 V_2 - f_1 f_2 (V_1 + V_2 - V)`,
which is the observed one at the difference found, and no less than that of equality times
:math:`w(m_1) w(m_2) / w(m)^2`. The interval holds every :math:`\delta` that is not rejected, so it
excludes 0 exactly when the test rejects.

**Degrees of freedom.** With u the part of the variance that comes from the mean square of readers, on :math:`\nu_M`
degrees of freedom, and :math:`\nu_C` those of the part of the cases,

.. math:: \frac1\nu = \frac{u^2}{\nu_M} \Bigl(1 + \frac{8 u (1 - u)}{\nu_M}\Bigr) + \frac{(1 - u)^2}{\nu_C} .

Without the bracket and :math:`\nu_C` this is Hillis'. The bracket stands for the second term of Welch and Aspin's
series [2]_, which at 5% is :math:`(1 - u)(8.2 u - 2) / \nu_M`: u is itself an estimate. For a known part of the cases
the size at 5% is then .041 to .056 for every true u with three readers, .045 to .050 with four; with Hillis' it is up
to .078 and .064. At 1% it is up to .024 with three readers, with Hillis' .035.

:math:`\nu_C` joins both classes as Welch does, each with :math:`2 / (1/k - 1/n)` degrees of freedom but no more than
n - 1, where :math:`k = (\sum d^2)^2 / \sum d^4` is Kish's number of cases that matter: a variance that rests on few of
them is known badly. With t modalities it is t - 1 times the harmonic mean over their pairs.

References
----------
.. [1] Miettinen O, Nurminen M. Comparative analysis of two rates. Stat Med 1985;4:213-226. doi:10.1002/sim.4780040211
.. [2] Aspin AA. An examination and further development of a formula arising in the problem of comparing two mean
   values. Biometrika 1948;35:88-96. doi:10.1093/biomet/35.1-2.88
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri, stdtrit

from roclab._core.types import Floats
from roclab.inference.comparison.contrasts import Difference, contrast
from roclab.inference.one_area.intervals import deviate
from roclab.inference.welch import EstimatedVariance
from roclab.names import Alternative, RandomEffects
from roclab.reading_studies.components import ErrorCovariances, error_covariances
from roclab.reading_studies.mean_squares import MeanSquares, mean_squares, one_modality
from roclab.reading_studies.obuchowski_rockette import f_test_of_means, variance_of_mean
from roclab.reading_studies.readings import Readings
from roclab.results import TestResult

__all__ = ["ScoreAnalysis", "score_analysis", "score_degrees"]

_EDGE = 1e-12  # distance from a bound at which means are still means


def score_degrees(own: float, shared: float, own_df: float, shared_df: float) -> float:
    """Degrees of freedom of a variance with a part of readers and a part of cases."""
    u = own / (own + shared)
    inverse = (1 - u) ** 2 / shared_df
    if u > 0:
        inverse += u**2 / own_df * (1 + 8 * u * (1 - u) / own_df)
    return 1 / inverse if inverse > 0 else math.inf


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreAnalysis:
    """Areas scaled to one common mean, and what the variance of their differences is made of."""

    squares: MeanSquares  # of the scaled areas, whose means are those observed
    errors: ErrorCovariances
    one_mean: tuple[float, ...]  # variance of the mean of each modality, at the common mean
    case_df: float
    bounds: tuple[float, float]
    common: float  # w at the common mean; NaN where a mean lies on a bound and nothing can be scaled
    random: RandomEffects

    def equality(self, method: str) -> tuple[TestResult, tuple[float, float]]:
        """F test that all modalities have the same mean, and its degrees of freedom."""
        own, shared = self._parts(1.0, self.squares.usual_readers * self.squares.kappa)
        df = score_degrees(own, shared, self.squares.error_df, self.case_df) if own + shared > 0 else math.inf
        return f_test_of_means(self.squares, own + shared, df, f"{method}, score")

    def difference(
        self, pair: tuple[int, int], *, names: tuple[str, str], level: float, alternative: Alternative = "two-sided",
        method: str = "Obuchowski-Rockette", least_p: float | None = None,
    ) -> Difference:  # fmt: skip
        """Difference of two modality means with its t test, and the interval of all differences not rejected.

        ``least_p`` is the p-value from which on a difference is not rejected, 1 - level unless it is known better.
        """
        estimated = self._variance(pair)
        weights = np.zeros(self.squares.means.size)
        weights[pair[0]], weights[pair[1]] = 1, -1
        variance = self.standard_error(pair, 0.0) ** 2
        plain = contrast(
            self.squares.means,
            np.diag(np.full(weights.size, abs(self.errors.variance))),
            weights,
            names=names,
            level=level,
            alternative=alternative,
            estimated=EstimatedVariance(variance, estimated.df),
            method=method,
        )
        if not plain.standard_error > 0:
            return plain
        often = deviate(level, df=estimated.df) if least_p is None else _deviate_of(least_p, estimated.df)
        low, high = (self._end(pair, plain.difference, side * often) for side in (1, -1))
        return replace(plain, interval=replace(plain.interval, low=low, high=high, method=f"{method}, score"))

    def standard_error(self, pair: tuple[int, int], true: float) -> float:
        """Of the difference of two means, if the true difference were ``true``."""
        variance = self._variance(pair).variance
        if math.isnan(self.common):
            return math.sqrt(variance)
        first, second = (self._weight(one) / self.common for one in self._allowed(pair, true))
        one, two = (self.one_mean[at] for at in pair)
        return math.sqrt(first * second * variance + max((first - second) * (first * one - second * two), 0.0))

    def _variance(self, pair: tuple[int, int]) -> EstimatedVariance:
        """At the common mean."""
        readers = self.squares.readers
        own, shared = self._parts(float(1 / readers[pair[0]] + 1 / readers[pair[1]]), 2 * self.squares.kappa)
        if not own + shared > 0:
            return EstimatedVariance(0.0, math.inf)
        return EstimatedVariance(own + shared, score_degrees(own, shared, self.squares.error_df, self.case_df))

    def _parts(self, each: float, twice: float) -> tuple[float, float]:
        """What readers and what cases add, with the factors of the mean square and of Cov2 - Cov3."""
        apart = twice * self.errors.apart
        if self.random == "cases":
            return 0.0, max(self.squares.within * each + apart, 0.0)
        return self.squares.error * each, max(apart, 0.0) if self.random == "both" else 0.0

    def _weight(self, mean: float) -> float:
        low, high = self.bounds
        return (mean - low) * (high - mean)

    def _allowed(self, pair: tuple[int, int], true: float) -> tuple[float, float]:
        """The means nearest to those observed whose difference is ``true``, which no difference may exceed."""
        low, high = self.bounds
        most = (high - low) * (1 - 1e-9)
        true = min(max(true, -most), most)
        one, two = (float(self.squares.means[at]) for at in pair)
        if true == 0:
            return ((one + two) / 2,) * 2

        def slope(second: float) -> float:  # of the likelihood of two proportions
            first = second + true
            return (one - first) / self._weight(first) + (two - second) / self._weight(second)

        step = _EDGE * (high - low)
        least, most = max(low, low - true) + step, min(high, high - true) - step
        if slope(least) <= 0 or slope(most) >= 0:  # a mean that all but lies on its bound stays there
            second = least if slope(least) <= 0 else most
        else:
            second = float(brentq(slope, least, most, xtol=step))
        return second + true, second

    def _end(self, pair: tuple[int, int], found: float, often: float) -> float:
        """The difference from which the one found lies ``often`` standard errors away."""
        if math.isnan(self.common):
            return found - often * self.standard_error(pair, 0.0)
        width = self.bounds[1] - self.bounds[0]
        far, near = -math.copysign(width * (1 - 1e-9), often), found

        def beyond(true: float) -> float:
            return abs(found - true) - abs(often) * self.standard_error(pair, true)

        # With two readers the differences not rejected may leave a gap; the end is then the one that sides with the
        # test of equality.
        if min(far, near) < 0 < max(far, near):
            far, near = (0.0, near) if beyond(0.0) > 0 else (far, 0.0)
        return float(brentq(beyond, far, near, xtol=1e-13))


def _deviate_of(p: float, df: float) -> float:
    """The t whose two-sided p-value is ``p``; from the tail, because 1 - p may be 1."""
    return -float(ndtri(p / 2) if math.isinf(df) else stdtrit(df, p / 2))


def score_analysis(
    readings: Readings, values: Floats, matrix: Floats, columns: Floats | None, bounds: tuple[float, float],
    random: RandomEffects,
) -> ScoreAnalysis:  # fmt: skip
    """Areas of cells, their covariances and the influence of cases, scaled to one mean; O(k² + k n) for k cells.

    ``columns`` are the influences of cases on the cells, whose products are the covariances, where they are known.
    """
    t = len(readings.modalities)
    own = [readings.cells_of(one) for one in range(t)]
    means = np.array([values[cells].mean() for cells in own])
    low, high = bounds
    weight, middle = (means - low) * (high - means), float(means.mean())
    common = (middle - low) * (high - middle) if np.all(weight > _EDGE * (high - low) ** 2) else math.nan
    scale = np.ones(values.size)
    if not math.isnan(common):
        for cells, one in zip(own, weight, strict=True):
            scale[cells] = common / one
    centre = means[[modality for modality, _ in readings.cells]]
    scaled = centre + scale * (values - centre)
    scaled_matrix = matrix * np.outer(scale, scale)
    errors = error_covariances(readings, scaled_matrix)
    pairs = list(combinations(own, 2))
    inverse = sum(1 / _case_df(readings, columns, scale, one, two) for one, two in pairs)
    return ScoreAnalysis(
        squares=replace(mean_squares(readings, scaled, errors), means=means),
        errors=errors,
        one_mean=tuple(
            variance_of_mean(
                one_modality(readings, scaled[cells], cells), error_covariances(readings, scaled_matrix, cells), random
            ).variance
            for cells in own
        ),
        # Covariances are means over all modalities, so t - 1 differences know them together, as they know M.
        case_df=(t - 1) * len(pairs) / inverse if inverse > 0 else math.inf,
        bounds=bounds,
        common=common,
        random=random,
    )  # fmt: skip


def _case_df(readings: Readings, columns: Floats | None, scale: Floats, first: list[int], second: list[int]) -> float:
    """Degrees of freedom with which the cases know their part in a difference."""
    if columns is None:
        units = np.arange(readings.label.size) if readings.subject is None else readings.subject
        return float(min(np.unique(units[readings.label]).size, np.unique(units[~readings.label]).size) - 1)
    influence = sum(
        np.sum(sign * scale[cells, None] * columns[cells], axis=0) / len(cells)
        for sign, cells in ((1, first), (-1, second))
    )
    read = readings.read[[*first, *second]].any(axis=0)
    total = fewest = 0.0
    for side in (readings.label, ~readings.label):
        square = np.asarray(influence)[side & read] ** 2
        part, n = float(square.sum()), square.size
        if part > 0 and n > 1:
            # 1/k - 1/n is the variance of the squares over the square of their sum.
            apart = float(np.sum(square**2)) / part**2 - 1 / n
            total += part
            fewest += part**2 / min(2 / apart if apart > 0 else math.inf, n - 1)
    return total**2 / fewest if fewest > 0 else math.inf
