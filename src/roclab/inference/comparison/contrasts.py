"""Weighted sums of areas against a null value: the general form of every comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.comparison.permutation import MOST_PAIRS
from roclab.inference.comparison.score import ScoreContrast, equality_by_score, null_variance_of
from roclab.inference.one_area.intervals import deviate
from roclab.inference.one_area.score import SCORE
from roclab.inference.p_values import p_of_z
from roclab.inference.welch import EstimatedVariance, contrast_variance, f_test
from roclab.names import ALTERNATIVES, COMPARISON_TESTS, Alternative, ComparisonTest
from roclab.results import Interval, Result, TestResult

__all__ = [
    "ALTERNATIVES",
    "Alternative",
    "Difference",
    "contrast",
    "contrast_of",
    "equality_of",
    "equality_test",
    "named_contrast",
    "referred",
    "score_contrast",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference(Result):
    """Area of ``first`` minus area of ``second``, or of any contrast.

    ``standard_error`` is what the difference varies by, DeLong's for areas; ``null_error`` what it would vary by if the
    areas were equal, where the test took that one: then ``statistic`` is ``difference / null_error``.
    """

    first: str
    second: str
    difference: float
    standard_error: float
    interval: Interval
    statistic: float
    p_value: float
    p_adjusted: float
    alternative: str
    hypothesis: str
    df: float = math.inf  # degrees of freedom of t; infinite for the normal distribution
    null_error: float | None = None

    def turned(self) -> Difference:
        """Second minus first: the same comparison seen from the other side."""
        other = {"greater": "less", "less": "greater"}.get(self.alternative, self.alternative)
        low, high = self.interval
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=-self.difference,
            interval=replace(self.interval, low=-high, high=-low),
            statistic=-self.statistic,
            alternative=other,
            hypothesis=f"{self.second} - {self.first} = 0",
        )

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        percent = f"{100 * self.interval.level:g}%"
        return [
            {
                "first": self.first,
                "second": self.second,
                "difference": self.difference,
                "std. error": self.standard_error,
                **({} if self.null_error is None else {"error if equal": self.null_error}),
                f"{percent} low": self.interval.low,
                f"{percent} high": self.interval.high,
                **({"z": self.statistic} if math.isinf(self.df) else {"t": self.statistic, "df": self.df}),
                "p": self.p_value,
                "adjusted p": self.p_adjusted,
            }
        ]


def referred(covariance: AreaCovariance, test: ComparisonTest | None) -> ComparisonTest:
    """How contrasts are judged: by the score test where it is known, by t where the parts of the variance are."""
    if test is None:
        return "score" if covariance.null_variance is not None else "t" if covariance.strata else "normal"
    check_choice(test, "test", COMPARISON_TESTS)
    if test == "score" and covariance.null_variance is None:
        raise InputError(
            "test",
            f"'score' is for AUCs of few cases that have all scores, at most {MOST_PAIRS:,} pairs of a positive and a "
            "negative one, without importance weights",
            Words(f"{_described(covariance)}"),
            f"use {named('test', 't')}, or leave it out",
        )
    if test == "t" and not covariance.strata:
        raise InputError(
            "test",
            "'t' needs the variance of every class, which resampling does not give",
            Words(covariance.method),
            f"write {named('test', 'normal')} or leave it out",
        )
    if test == "t_proc" and covariance.pairing != "unpaired":
        raise InputError(
            "test",
            "'t_proc' is for unpaired samples only",
            Words(covariance.pairing),
            f"use {named('test', 't')}",
        )
    return test


def _described(covariance: AreaCovariance) -> str:
    quantity = "areas" if covariance.area is None else covariance.area.quantity
    sizes = f" of {covariance.samples[0].n_pos:g} + {covariance.samples[0].n_neg:g} cases" if covariance.samples else ""
    return f"{covariance.pairing} {quantity}{sizes} by {covariance.method}"


def contrast_of(
    covariance: AreaCovariance,
    weights: Floats,
    *,
    names: tuple[str, str],
    level: float,
    alternative: str = "two-sided",
    test: ComparisonTest | None = None,
) -> Difference:
    """A weighted sum of areas against 0, by the distribution asked for: the road of pairs, margins and contrasts."""
    asked = referred(covariance, test)
    estimated = None
    if asked == "score":
        scored = score_contrast(covariance, weights)
        se = math.sqrt(max(float(weights @ covariance.matrix @ weights), 0.0))
        found = _by_score(scored, se, names=names, level=level, alternative=alternative)
        return replace(found, interval=_possible(found.interval, covariance, weights))
    if asked == "t":
        estimated = contrast_variance(covariance.strata, covariance.matrix, weights, units=covariance.units)
    elif asked == "t_proc":
        estimated = _sample_variance(covariance, weights)
    found = contrast(
        covariance.areas,
        covariance.matrix,
        weights,
        names=names,
        level=level,
        alternative=alternative,
        estimated=estimated,
        method=covariance.method,
    )
    return found if estimated is None else replace(found, interval=_possible(found.interval, covariance, weights))


def score_contrast(covariance: AreaCovariance, weights: Floats) -> ScoreContrast:
    """A weighted sum of areas with its error if they are equal, and with that of t if they are not."""
    return ScoreContrast(
        value=float(np.sum(weights * covariance.areas)),
        equal=null_variance_of(covariance, weights),
        apart=contrast_variance(covariance.strata, covariance.matrix, weights, units=covariance.units),
    )


def _by_score(
    scored: ScoreContrast, se: float, *, names: tuple[str, str], level: float, alternative: str
) -> Difference:
    (low, high), z = scored.interval(level), scored.deviate
    p = p_of_z(z, alternative)
    return Difference(
        first=names[0],
        second=names[1],
        difference=scored.value,
        standard_error=se,
        null_error=scored.error_at(0.0),
        interval=Interval(low=low, high=high, level=level, method=SCORE),
        statistic=z,
        p_value=p,
        p_adjusted=p,
        alternative=alternative,
        hypothesis=_against(names, 0.0),
    )


def _against(names: tuple[str, str], null: float) -> str:
    return f"{names[0]} - {names[1]} = {null:g}"


def _possible(interval: Interval, covariance: AreaCovariance, weights: Floats) -> Interval:
    """The interval without what no areas can add up to, which t with few degrees of freedom would reach."""
    if covariance.area is None:
        return interval
    ends = np.outer(weights, covariance.area.bounds)
    least, most = float(ends.min(axis=1).sum()), float(ends.max(axis=1).sum())
    if math.isnan(interval.low) or (least <= interval.low and interval.high <= most):
        return interval
    return replace(interval, low=max(interval.low, least), high=min(interval.high, most))


def _sample_variance(covariance: AreaCovariance, weights: Floats) -> EstimatedVariance:
    """Satterthwaite's degrees of freedom from whole samples, as pROC counts them for unpaired curves."""
    parts = weights**2 * np.diag(covariance.matrix)
    sizes = np.array([sample.n_pos + sample.n_neg for sample in covariance.samples])
    fewest = float(np.sum(parts**2 / (sizes - 1)))
    return EstimatedVariance(float(parts.sum()), float(parts.sum()) ** 2 / fewest if fewest > 0 else math.inf)


def contrast(
    areas: Floats,
    matrix: Floats,
    weights: Floats,
    *,
    names: tuple[str, str],
    level: float,
    alternative: str,
    null: float = 0.0,
    estimated: EstimatedVariance | None = None,
    method: str,
) -> Difference:
    """A weighted sum of areas against a null value; by t with the variance and degrees of freedom of ``spread``."""
    value = float(np.sum(weights * areas))
    variance, df = (float(weights @ matrix @ weights), math.inf) if estimated is None else estimated
    # Identical scores leave a variance of rounding size, which must not pass for information.
    scale = float(np.sum(np.abs(weights)[:, None] * np.abs(matrix) * np.abs(weights)[None, :]))
    se = math.sqrt(variance) if variance > 1e-14 * scale else 0.0 if variance == variance else math.nan
    kind = f"{method}, plain" if estimated is None else f"{method}, t"
    if se > 0:
        z: float = (value - null) / se
        p = p_of_z(z, alternative, df)
        half = deviate(level, df=df)
        interval = Interval(low=value - half * se, high=value + half * se, level=level, method=kind)
    else:
        if math.isnan(se):
            reason = "a class has only one case, so the variance is undefined"
            se = Undefined(reason)
        elif abs(value - null) <= 1e-14:
            reason = "both scores order the cases alike: the difference is 0 and so is its variance"
        else:
            reason = "the variance of the difference is 0 (both scores separate the classes perfectly or not at all)"
        z, p = Undefined(reason), Undefined(reason)
        df = Undefined(reason) if math.isnan(df) else df
        ends = (value, value) if se == 0 and abs(value - null) <= 1e-14 else (Undefined(reason), Undefined(reason))
        interval = Interval(low=ends[0], high=ends[1], level=level, method=kind)
    return Difference(
        first=names[0],
        second=names[1],
        difference=value,
        standard_error=se,
        interval=interval,
        statistic=z,
        p_value=p,
        p_adjusted=p,
        alternative=alternative,
        hypothesis=_against(names, null),
        df=df,
    )


def equality_of(covariance: AreaCovariance, test: ComparisonTest | None = None) -> TestResult:
    """The test that all areas are equal: F beside t, chi-squared beside the score test and the normal distribution."""
    asked = referred(covariance, test)
    if asked == "score":
        return equality_by_score(covariance)
    if asked == "t":
        return f_test(covariance.areas, covariance.matrix, covariance.strata, units=covariance.units)
    return equality_test(covariance.areas, covariance.matrix)


def equality_test(areas: Floats, matrix: Floats) -> TestResult:
    r"""Chi-squared test that all k areas are equal.

    .. math:: \chi^2 = (L A)^\top (L S L^\top)^{+} (L A)

    with L the k - 1 differences to the last area; the degrees of freedom are the rank of :math:`L S L^\top`.
    """
    k = areas.size
    contrasts = np.hstack([np.eye(k - 1), -np.ones((k - 1, 1))])
    difference = contrasts @ areas
    contrast_covariance = contrasts @ matrix @ contrasts.T
    if np.isnan(contrast_covariance).any():
        return _no_equality_test("a class has only one case, so the variance is undefined")
    values, vectors = np.linalg.eigh(contrast_covariance)
    scale = float(np.trace(contrasts @ np.diag(np.diag(matrix)) @ contrasts.T))
    kept = values > 1e-12 * scale if scale > 0 else np.zeros(values.size, bool)
    df = int(np.count_nonzero(kept))
    if df == 0:
        return _no_equality_test("the areas do not vary, so there is nothing to test")
    projected = vectors[:, kept].T @ difference
    statistic = float(np.sum(projected**2 / values[kept]))
    from scipy.special import chdtrc

    return TestResult(
        name="equality of areas",
        hypothesis="all areas are equal",
        statistic=statistic,
        distribution=f"chi-squared, {df} df",
        p_value=float(chdtrc(df, statistic)),
        method="Wald",
    )


def _no_equality_test(reason: str) -> TestResult:
    why = Undefined(reason)
    return TestResult(
        name="equality of areas",
        hypothesis="all areas are equal",
        statistic=why,
        distribution="chi-squared",
        p_value=why,
    )


def named_contrast(
    covariance: AreaCovariance,
    weights: Mapping[str, float],
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    test: ComparisonTest | None = None,
) -> Difference:
    """A contrast by name, e.g. ``{"a": 1, "b": -0.5, "c": -0.5}``; weights must add up to 0."""
    unknown = [name for name in weights if name not in covariance.names]
    if unknown:
        raise InputError("weights", f"must name {', '.join(covariance.names)}", unknown[0])
    vector = np.array([float(weights.get(name, 0.0)) for name in covariance.names])
    if not np.isfinite(vector).all() or abs(vector.sum()) > 1e-9 or not vector.any():
        raise InputError("", "weights of a contrast must add up to 0 and not all be 0", dict(weights))
    words = [" + ".join(f"{abs(w):g} {name}" for name, w in weights.items() if sign * w > 0) for sign in (1, -1)]
    return contrast_of(covariance, vector, names=(words[0], words[1]), level=level, alternative=alternative, test=test)
