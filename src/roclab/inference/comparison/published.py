"""Areas typed from a paper: comparing them without the data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_fraction, check_level
from roclab._core.undefined import Undefined
from roclab.areas.empirical import auc
from roclab.data.cases import Cases
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.compare import Comparison
from roclab.inference.comparison.contrasts import Difference
from roclab.inference.comparison.simultaneous import family_words, pairs_compared
from roclab.inference.one_area.hanley_mcneil import correlation_of_areas, hanley_mcneil_se
from roclab.inference.one_area.intervals import deviate
from roclab.inference.p_values import p_of_z
from roclab.names import (
    CORRELATION_TABLES,
    SCORE_CORRELATIONS,
    Alternative,
    CorrelationTable,
    ScoreCorrelation,
)
from roclab.options.comparison import AreaComparison, Correlation, Pairs
from roclab.results import AreaEstimate, Interval

__all__ = [
    "PublishedArea",
    "compare_by_hanley_mcneil",
    "differences_of_published",
    "hanley_mcneil_1983",
    "published_difference",
    "within_class_correlations",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedArea:
    """An AUC as a paper reports it: with its standard error, or with the class sizes to compute it from."""

    name: str
    area: float
    standard_error: float | None = None
    n_pos: float | None = None
    n_neg: float | None = None

    @property
    def q1(self) -> float:
        """Hanley and McNeil's Q1: the chance that two positives both outscore one negative, for exponential scores.

        >>> area = PublishedArea(name="a", area=0.8)
        >>> round(area.q1, 4), round(area.q2, 4)
        (0.6667, 0.7111)
        """
        return self.area / (2 - self.area)

    @property
    def q2(self) -> float:
        """Their Q2: the chance that one positive outscores two negatives."""
        return 2 * self.area**2 / (1 + self.area)

    def se(self) -> float:
        """The given standard error, or Hanley and McNeil's from the class sizes."""
        check_fraction(self.area, f"area of {self.name}", way_out="an AUC is a fraction, write 0.89 for 89%")
        if self.standard_error is not None:
            if not 0 <= self.standard_error <= 1:
                raise InputError(
                    "",
                    f"standard_error of {self.name} must lie between 0 and 1",
                    self.standard_error,
                    "it belongs to a fraction",
                )
            return self.standard_error
        if self.n_pos is None or self.n_neg is None:
            raise InputError(
                self.name,
                "needs a standard error or both class sizes",
                Words("neither"),
                f"give {named('standard_error')} or {named('n_pos')} and {named('n_neg')}",
            )
        return hanley_mcneil_se(self.area, self.n_pos, self.n_neg)


def published_difference(
    first: PublishedArea,
    second: PublishedArea,
    *,
    correlation: float = 0.0,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    df: float = math.inf,
) -> Difference:
    r"""Difference of two areas from their standard errors.

    .. math:: z = \frac{A_1 - A_2}{\sqrt{SE_1^2 + SE_2^2 - 2 r\,SE_1 SE_2}}

    with r the correlation of the two areas [1]_, not of the scores: 0 for different cases; for the same cases take
    ``hanley_mcneil.correlation_of_areas``.

    References
    ----------
    .. [1] Hanley JA, McNeil BJ. Radiology 1983;148:839-843. doi:10.1148/radiology.148.3.6878708

    Examples
    --------
    >>> a = PublishedArea(name="CT", area=0.893, n_pos=51, n_neg=58)
    >>> b = PublishedArea(name="X-ray", area=0.80, n_pos=51, n_neg=58)
    >>> round(published_difference(a, b).statistic, 3)
    1.717
    """
    check_level(level)
    if not -1 <= correlation <= 1:
        raise InputError("correlation", "must lie between -1 and 1", correlation)
    one, two = first.se(), second.se()
    value = first.area - second.area
    se = math.sqrt(max(one**2 + two**2 - 2 * correlation * one * two, 0.0))
    if se > 0:
        z: float = value / se
        p = p_of_z(z, alternative, df)
        half = deviate(level, df=df)
        low, high = value - half * se, value + half * se
    else:
        reason = "the standard error of the difference is 0"
        z = p = low = high = Undefined(reason)
    kind = "unpaired" if correlation == 0 else f"r = {correlation:.4g}"
    return Difference(
        first=first.name,
        second=second.name,
        difference=value,
        standard_error=se,
        interval=Interval(low=low, high=high, level=level, method=f"{kind}, plain"),
        statistic=z,
        p_value=p,
        p_adjusted=p,
        alternative=alternative,
        hypothesis=f"{first.name} - {second.name} = 0",
        df=df,
    )


def within_class_correlations(
    cases: Cases, first: str, second: str, kind: ScoreCorrelation = "pearson"
) -> tuple[float, float]:
    """Correlation of two scores within the positives and within the negatives; NaN where a score is constant."""
    check_choice(kind, "correlation", SCORE_CORRELATIONS)
    out = []
    for side in (cases.label, ~cases.label):
        a = cases.oriented(first)[side].astype(np.float64)
        b = cases.oriented(second)[side].astype(np.float64)
        if a.size < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
            out.append(math.nan)
        elif kind == "pearson":
            out.append(float(np.corrcoef(a, b)[0, 1]))
        else:
            from scipy.stats import kendalltau

            out.append(float(kendalltau(a, b).statistic))
    return out[0], out[1]


def hanley_mcneil_1983(
    cases: Cases,
    first: str,
    second: str,
    *,
    correlation: ScoreCorrelation = "pearson",
    r_mode: CorrelationTable = "table50",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> tuple[Difference, float, tuple[str, ...]]:
    """Paired comparison by the method of 1983: difference, r, and notes.

    Pearson correlation suits continuous scores, Kendall's tau ordinal ones. ``r_mode="table50"`` reproduces the paper's
    table (50 + 50 cases), "actual" uses the real number of cases. A class in which a score does not vary has no
    correlation; the other class is then used alone, and r is 0 when neither has one.
    """
    check_choice(r_mode, "r_mode", CORRELATION_TABLES)
    cases = cases.repeated()
    published, notes = [], []
    for name in (first, second):
        tally = cases.tally(name)
        published.append(PublishedArea(name=name, area=auc(tally), n_pos=tally.n_pos, n_neg=tally.n_neg))
    found: dict[str, Any] = dict(
        zip(("positives", "negatives"), within_class_correlations(cases, first, second, correlation), strict=True)
    )
    known = {side: value for side, value in found.items() if not math.isnan(value)}
    mean_area = (published[0].area + published[1].area) / 2
    if not known:
        notes.append("The scores do not vary within the classes, so their correlation is taken as 0.")
        r = 0.0
    else:
        if len(known) == 1:
            notes.append(f"The correlation is that of the {next(iter(known))} only; the other class does not vary.")
        cases_used = None if r_mode == "table50" else published[0].n_pos + published[0].n_neg  # type: ignore[operator]
        r = correlation_of_areas(mean_area, sum(known.values()) / len(known), cases=cases_used)
    if math.isnan(r):
        raise InputError(
            "",
            f"Hanley and McNeil's r does not exist at a mean area of {mean_area:g}",
            way_out="use DeLong's method or the bootstrap",
        )
    difference = published_difference(published[0], published[1], correlation=r, level=level, alternative=alternative)
    return difference, r, tuple(notes)


def compare_by_hanley_mcneil(
    cases: Cases,
    areas: Mapping[str, AreaEstimate],
    asked: AreaComparison,
    how: Correlation,
) -> Comparison:
    """All pairs by the method of 1983, with the correlation of the areas of each pair in the notes."""
    lines: list[str] = []

    def difference(i: int, j: int, level: float) -> Difference:
        first, second = cases.names[i], cases.names[j]
        found, r, notes = hanley_mcneil_1983(
            cases,
            first,
            second,
            correlation=how.correlation,
            r_mode=how.correlation_table,
            level=level,
            alternative=asked.alternative,
        )
        lines.extend([f"{first} and {second}: correlation of the areas {r:.4f}", *notes])
        return found

    pairs = pairs_compared(cases.names, asked, difference, None)
    return Comparison(
        quantity="AUC",
        areas=tuple(areas.values()),
        covariance=None,
        pairs=pairs,
        equality=None,
        pairing="paired",
        method="Hanley-McNeil 1983",
        adjustment=family_words(asked),
        level=asked.level,
        notes=tuple(lines),
    )


def differences_of_published(
    areas_reported: Sequence[PublishedArea],
    asked: Pairs,
    *,
    correlation: float,
    areas: tuple[AreaEstimate, ...] = (),
    method: str = "",
    notes: tuple[str, ...] = (),
) -> Comparison:
    """All pairs of areas that are known by their standard errors only."""

    def difference(i: int, j: int, level: float) -> Difference:
        return published_difference(
            areas_reported[i], areas_reported[j], correlation=correlation, level=level, alternative=asked.alternative
        )

    errors = np.array([one.se() for one in areas_reported])
    matrix = np.outer(errors, errors) * np.where(np.eye(errors.size) > 0, 1.0, correlation)
    pairs = pairs_compared([one.name for one in areas_reported], asked, difference, matrix)
    return Comparison(
        quantity="AUC",
        areas=areas,
        covariance=None,
        pairs=pairs,
        equality=None,
        pairing="unpaired" if correlation == 0 else f"r = {correlation:.4g}",
        method=method or "areas from papers",
        adjustment=family_words(asked),
        level=asked.level,
        notes=notes,
    )
