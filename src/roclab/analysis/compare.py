"""Do scores differ? Areas and rates on the same cases, or areas from papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack, overload

from roclab.analysis.auc import area_asked, is_averaged, parts_by_fold
from roclab.analysis.compare_rates import asks_rates, compare_rates
from roclab.analysis.rate_covariates import refuse_covariates
from roclab.data.cases import Cases
from roclab.data.read import read_cases
from roclab.data.remote import RemoteCases
from roclab.data.verbs import verb
from roclab.decisions.rate_results import RateComparison
from roclab.errors import InputError, Words, named
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.comparison.by_bootstrap import compare_at_rate, compare_by_bootstrap
from roclab.inference.comparison.clustered import covariance_of_clusters
from roclab.inference.comparison.compare import Comparison, compare_areas, with_questions
from roclab.inference.comparison.covariance import covariance_of_cases
from roclab.inference.comparison.fold_differences import covariance_of_folds
from roclab.inference.comparison.published import PublishedArea, compare_by_hanley_mcneil, differences_of_published
from roclab.inference.one_area.area import Area
from roclab.names import EmpiricalArea, RateMetric
from roclab.options.comparison import (
    AreaComparison,
    AreaComparisonKeywords,
    Correlation,
    CorrelationKeywords,
    Pairs,
    PairsKeywords,
)
from roclab.options.conventions import ConventionKeywords
from roclab.options.data import DataKeywords
from roclab.options.folds import Folding, FoldKeywords
from roclab.options.follow_up import FollowUpKeywords, FollowUpOptions, apart, is_survival
from roclab.options.group import given_of
from roclab.options.rates import CovariateKeywords, RateKeywords, Thresholds
from roclab.options.region import Region, RegionKeywords
from roclab.options.uncertainty import AreaUncertainty, draws_note
from roclab.options.verb import public

__all__ = ["check_reference", "compare", "compare_published", "two_scores"]


class _CompareAreasKeywords(
    RegionKeywords,
    AreaComparisonKeywords,
    CorrelationKeywords,
    ConventionKeywords,
    FoldKeywords,
    FollowUpKeywords,
    DataKeywords,
    total=False,
):
    """Scores measured on the same cases."""


class CompareKeywords(RateKeywords, CovariateKeywords, _CompareAreasKeywords, total=False):
    """Scores and tests on the same cases."""


class _PlainCompareKeywords(CovariateKeywords, _CompareAreasKeywords, total=False):
    """The same without what makes calls."""

    metrics: RateMetric | Sequence[RateMetric]
    probability: float | None
    ratio_margin: float | None


@overload
def compare(
    y_true: Any,
    y_score: Any = ...,
    *,
    threshold: Thresholds,
    predicted: str | Sequence[str] | None = ...,
    **asked: Unpack[_PlainCompareKeywords],
) -> RateComparison: ...
@overload
def compare(
    y_true: Any, y_score: Any = ..., *, predicted: str | Sequence[str], **asked: Unpack[_PlainCompareKeywords]
) -> RateComparison: ...
@overload
def compare(
    y_true: Any, y_score: Any = ..., *, estimator: EmpiricalArea | None = ..., **asked: Unpack[_PlainCompareKeywords]
) -> Comparison: ...
@verb(CompareKeywords, area="estimator")
def compare(
    y_true: Any, y_score: Any = None, *, estimator: EmpiricalArea | None = None, **asked: Unpack[CompareKeywords]
) -> Comparison | RateComparison:
    """Compare scores and tests measured on the same cases: areas, or rates at thresholds fixed beforehand.

    Parameters
    ----------
    y_true, y_score : arrays, or a table
        Labels and a mapping of names to scores (or a data frame of scores); or a data frame, mapping or file with
        ``label=`` and ``score=[…]``; or cases.
    estimator : str, optional
        Which area to compare, as in :func:`auc` (default "empirical", the AUC); those with an influence function.

    Returns
    -------
    Comparison
        ``.areas``, ``.pairs`` (differences with intervals and p-values), ``.equality`` (all at once), ``.covariance``,
        ``.claims`` and ``.contrasts``; ``.pair(a, b)``, ``.margin(a, b, margin=…)`` and ``.contrast({…})`` ask further.
    RateComparison
        With ``threshold`` or ``predicted``: ``.rates``, ``.pairs``, ``.equality`` (Cochran's Q) and ``.claims``;
        ``.pair(a, b, "sensitivity")``.

    See Also
    --------
    compare_curves : do the whole curves differ, not only their areas?
    compare_groups : one score measured in different groups or files.
    compare_published : areas typed from papers.
    screen : many markers, each against the outcome.

    References
    ----------
    Tango T. Stat Med 1998;17:891-908. Tang N-S, Tang M-L, Chan ISF. Stat Med 2003;22:1217-1233.
    Kosinski AS. Stat Med 2013;32:964-977.
    DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics 1988;44:837-845. doi:10.2307/2531595
    Bandos AI, Rockette HE, Gur D. Stat Med 2005;24:2873-2893. doi:10.1002/sim.2149
    Krishnamoorthy K, Yu J. Stat Probab Lett 2004;66:161-169. doi:10.1016/j.spl.2003.10.012
    Hanley JA, McNeil BJ. Radiology 1983;148:839-843. doi:10.1148/radiology.148.3.6878708

    Examples
    --------
    >>> import roclab as rl
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> result = rl.compare(y, {"a": [8, 7, 6, 3, 5, 4, 2, 1], "b": [8, 3, 6, 2, 7, 5, 4, 1]})
    >>> pair = result.pair("a", "b")
    >>> round(pair.difference, 4), round(pair.p_value, 4)
    (0.3125, 0.104)
    >>> result.margin("a", "b", margin=0.2).shown
    True

    At a threshold that was fixed beforehand the rates themselves are compared:

    >>> found = rl.compare(y, {"a": [8, 7, 6, 3, 5, 4, 2, 1], "b": [8, 3, 6, 2, 7, 5, 4, 1]}, threshold=5)
    >>> pair = found.pair("a", "b", "sensitivity")
    >>> pair.difference, round(pair.p_value, 4)
    (0.25, 0.3173)
    """
    if FollowUpOptions.of(asked).given or is_survival(y_true):
        from roclab.analysis.follow_up.areas import comparison_over_time

        if asks_rates(asked):
            raise InputError("threshold", "compares rates of yes/no outcomes", Words("times of events"), "leave it out")
        rest, data = apart(asked)
        followed: Comparison = comparison_over_time(y_true, y_score, {**rest, "estimator": estimator}, data)
        return followed
    if not asks_rates(asked):
        refuse_covariates(asked)
    else:
        return compare_rates(y_true, y_score, {**asked, "estimator": estimator})
    questions = AreaComparison.of(asked)
    region = Region.of(asked)
    cases = two_scores(read_cases(y_true, y_score, **given_of(asked, DataKeywords)))
    if isinstance(cases, RemoteCases):
        cases.check_paired()
    averaged = is_averaged(cases, Folding.of(asked).fold_average) and len(cases.by_fold()) > 1
    if cases.folds is not None and not averaged:
        cases = cases.pooled()
    variance = questions.variance or ("clustered" if cases.clustered else "delong")
    how = Correlation.of(asked)
    for name in given_of(asked, CorrelationKeywords):
        if variance != "hanley_mcneil":
            raise InputError(
                name, f"belongs to {named('variance', 'hanley_mcneil')}", getattr(how, name), "leave it out"
            )
    _check_method(cases, questions.questions, variance)
    check_reference(questions, variance)
    if variance == "hanley_mcneil" and (estimator not in (None, "empirical") or region.given):
        raise InputError(
            "variance",
            "compares AUCs only",
            Words("another area"),
            f"leave the area out, or use {named('variance', 'delong')}",
            called=named("variance", "hanley_mcneil"),
        )
    found = _compared(cases, area_asked(estimator, region), questions, variance, how, averaged)
    return found._noting(*draws_note(asked, drawn=questions.draws))


def _compared(
    cases: Cases, what: Area, questions: AreaComparison, variance: str, how: Correlation, averaged: bool
) -> Comparison:
    """The comparison by the method that was asked for."""
    if averaged:
        _check_averaged(cases, questions, variance)
        found = compare_areas(covariance_of_folds(cases, parts_by_fold(cases), what), questions)
        note = f"Means over {len(cases.by_fold())} folds of areas and differences within folds, whose models are given."
        return with_questions(replace(found, notes=(*found.notes, note)), questions)
    if questions.at_rate:
        return compare_at_rate(cases, questions)
    if variance == "hanley_mcneil":
        single = AreaUncertainty(level=questions.level, interval=questions.interval, variance="hanley_mcneil")
        return compare_by_hanley_mcneil(cases, areas_of(cases, what, single), questions, how)
    if variance in ("bootstrap", "clustered_bootstrap"):
        if isinstance(cases, RemoteCases) and questions.how.scheme != "poisson":
            closed = "clustered" if cases.clustered else "delong"
            raise InputError(
                "variance", "that draws cases one after another needs their rows in memory", variance,
                f"use {named('variance', closed)}, the scheme 'poisson', which draws by {named('ids')} where the rows "
                f"are, or {named('engine', 'memory')}",
            )  # fmt: skip
        found = compare_by_bootstrap(cases, what, questions, clustered=variance == "clustered_bootstrap")
    else:
        if variance == "clustered":
            covariance = covariance_of_clusters(cases, what)
        else:
            covariance = covariance_of_cases(cases, what, score=questions.test in (None, "score"))
        found = compare_areas(covariance, questions)
        if isinstance(cases, RemoteCases):
            found = replace(found, notes=(*found.notes, *cases.numerical_notes(of_auc=what.of_auc)))
    return with_questions(found, questions)


def _check_averaged(cases: Cases, asked: AreaComparison, variance: str) -> None:
    """Refuse what the mean of differences within folds has no formula for."""
    way_out = f"leave it out, or use {named('fold_average', 'pooled')}"
    if asked.at_rate:
        raise InputError(asked.questions[0], "has no mean over folds", Words("folds"), way_out)
    if variance not in ("delong", "clustered"):
        raise InputError("variance", "of a mean over folds is 'delong', or 'clustered' with ids", variance, way_out)
    if asked.test == "score":
        raise InputError("test", "'score' exchanges scores of one set of cases", Words("folds"), way_out)
    if isinstance(cases, RemoteCases):
        raise InputError(
            "folds", "are averaged from their rows", Words("rows that are counted where they lie"),
            f"use {named('fold_average', 'pooled')}, or fetch the rows with {named('engine', 'memory')}",
        )  # fmt: skip


def two_scores(cases: Cases) -> Cases:
    """The cases, if there is something to compare in them."""
    if len(cases.names) < 2:
        raise InputError("score", "must name two scores or more to compare", Words(cases.names[0]), "name another one")
    return cases


def check_reference(asked: AreaComparison, variance: str) -> None:
    """Only closed-form variances leave a choice of distribution."""
    if asked.test in (None, "normal"):
        return
    if asked.at_rate or variance not in ("delong", "clustered"):
        received = asked.questions[0] if asked.at_rate else named("variance", variance)
        raise InputError(
            "test", "must be 'normal' for tests with another standard error", Words(received), "leave it out"
        )


def _check_method(cases: Cases, questions: list[str], variance: str) -> None:
    """Refuse questions that a method does not answer, instead of ignoring them."""
    if questions and variance == "hanley_mcneil":
        raise InputError(
            questions[0],
            f"is not answered by {named('variance', variance)}",
            way_out=f"use {named('variance', 'delong')}, 'bootstrap' or 'clustered'",
        )
    if questions and questions[0].startswith("at_") and variance not in ("delong", "bootstrap"):
        raise InputError(
            questions[0],
            "is compared by the bootstrap",
            Words(named("variance", variance)),
            f"leave out {named('variance')}",
        )
    if cases.clustered and not variance.startswith("clustered"):
        raise InputError(
            "ids",
            "join the cases of one subject",
            Words(f"{named('variance', variance)}, which takes every case for itself"),
            f"use {named('variance', 'clustered')} or 'clustered_bootstrap', or leave out {named('ids')}",
        )
    if cases.weight is not None and variance == "hanley_mcneil":
        raise InputError(
            "sample_weight", "has no part in Hanley and McNeil's method, where each case counts once",
            way_out="leave it out",
        )  # fmt: skip


@public(PairsKeywords)
def compare_published(*areas: PublishedArea, correlation: float = 0.0, **asked: Unpack[PairsKeywords]) -> Comparison:
    r"""Compare two or more areas typed from papers, from their standard errors or class sizes alone.

    .. math:: z = \frac{A_1 - A_2}{\sqrt{SE_1^2 + SE_2^2 - 2 r\,SE_1 SE_2}}

    ``correlation`` r is that of the areas, not of the scores: 0 for different cases; for the same cases see
    ``roclab.inference.one_area.hanley_mcneil.correlation_of_areas``.

    >>> import roclab as rl
    >>> ct = rl.PublishedArea(name="CT", area=0.893, n_pos=51, n_neg=58)
    >>> x_ray = rl.PublishedArea(name="X-ray", area=0.80, n_pos=51, n_neg=58)
    >>> round(rl.compare_published(ct, x_ray).pairs[0].statistic, 3)
    1.717
    """
    names = [area.name for area in areas]
    if len(names) < 2 or len(set(names)) < len(names):
        raise InputError("areas", "must be two or more of different names", Words(", ".join(names) or "none"))
    notes = tuple(f"{area.name}: area {area.area:g}, standard error {area.se():.4f}" for area in areas)
    return differences_of_published(areas, Pairs.of(asked), correlation=correlation, notes=notes)
