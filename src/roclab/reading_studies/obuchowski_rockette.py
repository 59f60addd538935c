r"""Obuchowski and Rockette's analysis with Hillis' degrees of freedom: tests and intervals of modality means.

With the mean squares and error covariances of a design (see ``mean_squares``), the test that all modalities have the
same mean area is

.. math:: F = \frac{MS(T)}{M + r \kappa \max(\mathrm{Cov}_2 - \mathrm{Cov}_3, 0)}, \qquad
          \nu = \frac{[M + r \kappa \max(\mathrm{Cov}_2 - \mathrm{Cov}_3, 0)]^2}{M^2 / \nu_M}

with t - 1 and :math:`\nu` degrees of freedom [1]_. What is random decides: for readers alone the denominator is M with
:math:`\nu_M`; for cases alone M is replaced by what the covariances say of it, and F becomes a chi-squared over its
degrees of freedom. One modality for itself has

.. math:: V = \frac{MS(R)_i}{r_i} + \kappa \max(\mathrm{Cov}_{2i}, 0)

and so has the mean difference between readers and an algorithm that read the same cases, from the covariances of the
differences.

References
----------
.. [1] Hillis SL. A comparison of denominator degrees of freedom methods for multiple observer ROC analysis. Stat Med
   2007;26:596-619. doi:10.1002/sim.2532
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import chdtrc, fdtrc

from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.inference.comparison.contrasts import Difference, contrast
from roclab.inference.one_area.intervals import deviate
from roclab.inference.welch import EstimatedVariance
from roclab.names import Alternative, RandomEffects
from roclab.reading_studies.components import ErrorCovariances, VarianceComponents, or_zero
from roclab.reading_studies.mean_squares import MeanSquares, OneModality
from roclab.reading_studies.readings import Readings
from roclab.results import Interval, TestResult

__all__ = [
    "against_algorithm",
    "difference_of_means",
    "equality_of_means",
    "f_test_of_means",
    "interval_of_mean",
    "variance_of_mean",
    "variance_components",
]


def equality_of_means(
    squares: MeanSquares, errors: ErrorCovariances, random: RandomEffects, *, cases_df: float = math.inf,
    method: str = "Obuchowski-Rockette",
) -> tuple[TestResult, tuple[float, float]]:  # fmt: skip
    """F test that all modalities have the same mean area, and its degrees of freedom."""
    base = squares.within if random == "cases" else squares.error
    shared = squares.usual_readers * squares.kappa * errors.apart
    shared = 0.0 if random == "readers" else shared if random == "cases" else max(shared, 0.0)
    below = base + shared
    if random == "cases":
        df = cases_df
    else:
        df = below**2 / (squares.error**2 / squares.error_df) if squares.error > 0 else math.inf
    return f_test_of_means(squares, below, df, f"{method}, Hillis' degrees of freedom" if random == "both" else method)


def f_test_of_means(
    squares: MeanSquares, below: float, df: float, method: str
) -> tuple[TestResult, tuple[float, float]]:
    """F of the modalities over a denominator, and its degrees of freedom."""
    q = squares.means.size - 1
    name, hypothesis = "equality of modalities", "all modalities have the same mean"
    if not below > 0:
        why = Undefined("readers and cases show no spread of the differences")
        nothing = TestResult(
            name=name, hypothesis=hypothesis, statistic=why, distribution="F", p_value=why, method=method
        )
        return nothing, (q, why)
    statistic = squares.modality / below
    p = float(fdtrc(q, df, statistic)) if math.isfinite(df) else float(chdtrc(q, q * statistic))
    test = TestResult(
        name=name,
        hypothesis=hypothesis,
        statistic=statistic,
        distribution=f"F, {q} and {df:.2f} df" if math.isfinite(df) else f"chi-squared / {q}, {q} df",
        p_value=p,
        method=method,
    )
    return test, (q, df)


def difference_of_means(
    squares: MeanSquares,
    errors: ErrorCovariances,
    random: RandomEffects,
    pair: tuple[int, int],
    *,
    names: tuple[str, str],
    level: float,
    alternative: Alternative = "two-sided",
    cases_df: float = math.inf,
    method: str = "Obuchowski-Rockette",
) -> Difference:
    """Difference of two modality means with its interval and t test."""
    first, second = pair
    each = float(1 / squares.readers[first] + 1 / squares.readers[second])
    shared = 2 * squares.kappa * errors.apart
    if random == "cases":
        estimated = EstimatedVariance(max(squares.within * each + shared, 0.0), cases_df)
    else:
        own = squares.error * each
        variance = own + (max(shared, 0.0) if random == "both" else 0.0)
        estimated = EstimatedVariance(variance, variance**2 / (own**2 / squares.error_df) if own > 0 else math.inf)
    weights = np.zeros(squares.means.size)
    weights[first], weights[second] = 1, -1
    scale = np.diag(np.full(squares.means.size, abs(errors.variance)))
    return contrast(
        squares.means,
        scale,
        weights,
        names=names,
        level=level,
        alternative=alternative,
        estimated=estimated,
        method=method,
    )


def variance_of_mean(one: OneModality, errors: ErrorCovariances, random: RandomEffects) -> EstimatedVariance:
    """Variance of the mean of the readers of one modality, and its degrees of freedom."""
    shared = one.kappa * or_zero(errors.same_modality)
    if random == "cases":
        variance = (errors.variance - (or_zero(errors.same_modality) if one.kappa else 0.0)) / one.readers + shared
        return EstimatedVariance(max(variance, 0.0), math.inf)
    own = one.reader / one.readers
    variance = own + (max(shared, 0.0) if random == "both" else 0.0)
    return EstimatedVariance(variance, variance**2 / (own**2 / one.reader_df) if own > 0 else math.inf)


def interval_of_mean(
    value: float, estimated: EstimatedVariance, *, level: float, bounds: tuple[float, float]
) -> Interval:
    """Interval by t, kept inside what the area can be."""
    often = deviate(level, df=estimated.df)
    half = often * math.sqrt(estimated.variance)
    kind = "normal" if math.isinf(estimated.df) else f"t, {estimated.df:.2f} df"
    return Interval(
        low=max(value - half, bounds[0]), high=min(value + half, bounds[1]), level=level,
        method=f"Obuchowski-Rockette, {kind}",
    )  # fmt: skip


def variance_components(readings: Readings, squares: MeanSquares, errors: ErrorCovariances) -> VarianceComponents:
    """Moment estimates: mean squares less what cases alone would give."""
    nested = readings.design == "nested_readers"
    alone = Undefined("one reader has no variance")
    reader: float
    if nested:
        reader = squares.error - squares.within if squares.error_df else alone
    elif math.isnan(squares.reader):
        reader = alone
    elif not readings.several:
        reader = squares.reader - errors.variance + or_zero(errors.same_modality) * (squares.kappa > 0)
    else:
        t = squares.means.size
        reader = (squares.reader - squares.error) / t - or_zero(errors.same_reader) + or_zero(errors.different)
    both: float = Undefined("readers are nested in modalities" if nested else "there is one modality or one reader")
    if not nested and squares.error_df:
        both = squares.error - squares.within
    return VarianceComponents(
        reader=reader,
        modality_reader=both,
        error=errors.variance,
        cov1=errors.same_reader,
        cov2=errors.same_modality,
        cov3=errors.different,
        n_pos=readings.sample.n_pos,
        n_neg=readings.sample.n_neg,
    )


def against_algorithm(
    values: Floats,
    matrix: Floats,
    algorithm: int,
    rows: list[int],
    random: RandomEffects,
    *,
    names: tuple[str, str],
    level: float,
    alternative: Alternative,
) -> Difference:
    """Mean difference between the readers of one modality and an algorithm that read the same cases.

    The differences of areas are the readers' areas of a study with one modality. ``algorithm`` and ``rows`` are the
    places of the algorithm and of the readers in the matrix.
    """
    apart = np.array([values[row] - values[algorithm] for row in rows])
    contrasts = np.zeros((len(rows), len(values)))
    for at, row in enumerate(rows):
        contrasts[at, row], contrasts[at, algorithm] = 1, -1
    spread_matrix = contrasts @ matrix @ contrasts.T
    k = len(rows)
    # All readers share the algorithm, so every pair of differences is correlated, whatever cases the readers share.
    off = float((spread_matrix.sum() - np.trace(spread_matrix)) / (k * (k - 1))) if k > 1 else 0.0
    errors = ErrorCovariances(
        variance=float(np.trace(spread_matrix)) / k, same_reader=0.0, same_modality=off, different=0.0
    )
    one = OneModality(
        mean=float(apart.mean()),
        readers=k,
        reader=float(np.var(apart, ddof=1)) if k > 1 else math.nan,
        reader_df=k - 1,
        kappa=1.0,
    )
    return contrast(
        np.array([one.mean]),
        np.array([[errors.variance]]),
        np.array([1.0]),
        names=names,
        level=level,
        alternative=alternative,
        estimated=variance_of_mean(one, errors, random),
        method="Obuchowski-Rockette",
    )
