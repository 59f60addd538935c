"""Do scores differ? Areas and rates on the same cases, or areas from papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from roclab._core.checks import check_choice
from roclab._core.door import door
from roclab.analysis.auc import area_asked, is_averaged, parts_by_fold
from roclab.areas.partial import Range
from roclab.data.cases import Cases
from roclab.data.keywords import DataKeywords, data_door
from roclab.data.read import read_cases
from roclab.data.remote import RemoteCases
from roclab.errors import InputError, Words, named
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.comparison.by_bootstrap import compare_at_rate, compare_by_bootstrap
from roclab.inference.comparison.clustered import covariance_of_clusters
from roclab.inference.comparison.compare import (
    Comparison,
    compare_areas,
    with_questions,
)
from roclab.inference.comparison.covariance import covariance_of_cases
from roclab.inference.comparison.fold_differences import covariance_of_folds
from roclab.inference.comparison.published import PublishedArea, compare_by_hanley_mcneil, differences_of_published
from roclab.inference.one_area.bootstrap import Resampling, resampling_of
from roclab.names import (
    CLAIMS,
    PAIRED_VARIANCES,
    REFERENCES,
    SCORE_CORRELATIONS,
    Adjustment,
    Alternative,
    AreaInterval,
    Claim,
    CorrelationTable,
    EmpiricalArea,
    FoldAverage,
    PairedVariance,
    Reference,
    ScoreCorrelation,
    Standard,
)

__all__ = ["check_reference", "compare", "compare_published", "one_question", "two_scores"]


@data_door(method="variance", area="estimator")
def compare(
    y_true: Any,
    y_score: Any = None,
    *,
    variance: PairedVariance | None = None,
    estimator: EmpiricalArea | None = None,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standard: Standard | None = None,
    at_specificity: float | None = None,
    at_sensitivity: float | None = None,
    margin: float | None = None,
    claim: Claim = "non-inferiority",
    contrast: Mapping[str, float] | None = None,
    correlation: ScoreCorrelation = "pearson",
    correlation_table: CorrelationTable = "table50",
    level: float = 0.95,
    interval: AreaInterval = "auto",
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    reference: Reference | None = None,
    fold_average: FoldAverage | None = None,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    **data: Unpack[DataKeywords],
) -> Comparison:
    """Compare several scores measured on the same cases: their areas, or their rates at a fixed point.

    Parameters
    ----------
    y_true, y_score : arrays, or a table
        Labels and a mapping of names to scores (or a data frame of scores); or a data frame, mapping or file with
        ``label=`` and ``score=[…]``; or cases.
    variance : str, optional
        "delong" (default, from the influence of every case), "clustered" (default where ``ids`` join several cases),
        "clustered_bootstrap", "bootstrap" (any area; percentile intervals), or "hanley_mcneil" (1983, from the areas
        and the correlation of the scores).
    estimator, fpr, tpr, standard
        Which area to compare, as in :func:`auc`; partial areas by their range.
    at_specificity, at_sensitivity : float, optional
        Compare the sensitivities at a specificity, or the reverse, by the bootstrap, instead of areas.
    margin, claim : float and str, optional
        Is the first score not worse than each other one by more than ``margin`` ("non-inferiority", default), or
        within it on both sides ("equivalence")?
    contrast : mapping of score to weight, optional
        A weighted sum of areas against 0, such as ``{"a": 1, "b": -0.5, "c": -0.5}``; weights add up to 0.
    correlation, correlation_table : str
        With "hanley_mcneil": "pearson" for continuous scores, "kendall" for ratings; the paper's table of 50 + 50 cases
        ("table50") or the actual number of cases ("actual").
    level : float
        Confidence level of all intervals.
    interval : str
        Scale of the single areas' intervals, as in :func:`auc`.
    adjust : str
        How p-values are adjusted over all pairs: "holm" (default), "bonferroni", "fdr" or "none".
    alternative : str
        "two-sided" (default), "greater" or "less": first score against second.
    reference : str, optional
        How differences are judged: by the "score" test (default for AUCs of few cases: the variance that equal areas
        imply, found by exchanging scores case by case, which holds its level in small samples), by "t" (default for
        other areas, more cases and "clustered": Welch's t, and F for all scores at once), or by the "normal"
        distribution (DeLong's z and chi-squared, as published and as other programs print them). The bootstrap is
        normal.
    fold_average : str, optional
        With ``folds``: "mean" (default) averages the differences within folds, as cross-validation needs it, with an
        influence-function covariance; "pooled" ranks all cases together and takes the folds for comparable.
    resampling, rng
        Replicates, workers, progress and seed of the bootstrap.

    Returns
    -------
    Comparison
        ``.areas``, ``.pairs`` (differences with intervals and p-values), ``.equality`` (all at once), ``.covariance``,
        ``.claims`` and ``.contrasts``; ``.pair(a, b)``, ``.margin(a, b, margin=…)`` and ``.contrast({…})`` ask further.

    See Also
    --------
    compare_curves : do the whole curves differ, not only their areas?
    compare_groups : one score measured in different groups or files.
    compare_published : areas typed from papers.
    screen : many markers, each against the outcome.

    References
    ----------
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
    """
    check_choice(claim, "claim", CLAIMS)
    check_choice(correlation, "correlation", SCORE_CORRELATIONS)
    resampling = resampling_of(resampling)
    cases = two_scores(read_cases(y_true, y_score, **data))
    averaged = is_averaged(cases, fold_average) and len(cases.by_fold()) > 1
    if cases.folds is not None and not averaged:
        cases = cases.pooled()
    if variance is None:
        variance = "clustered" if cases.clustered else "delong"
    check_choice(variance, "variance", PAIRED_VARIANCES)
    questions = one_question(margin=margin, contrast=contrast, at_specificity=at_specificity,
                              at_sensitivity=at_sensitivity)  # fmt: skip
    _check_method(cases, questions, variance)
    check_reference(reference, variance, questions)
    if variance == "hanley_mcneil" and (estimator not in (None, "empirical") or fpr is not None or tpr is not None):
        raise InputError(
            "variance",
            "compares AUCs only",
            Words("another area"),
            f"leave the area out, or use {named('variance', 'delong')}",
            called=named("variance", "hanley_mcneil"),
        )
    what = area_asked(estimator, fpr=fpr, tpr=tpr, standard=standard)
    tested: dict[str, Any] = {"level": level, "adjust": adjust, "alternative": alternative}
    drawn: dict[str, Any] = {"resampling": resampling, "rng": rng}
    if averaged:
        _check_averaged(cases, questions, variance, reference)
        covariance = covariance_of_folds(cases, parts_by_fold(cases), what)
        found = compare_areas(covariance, interval=interval, reference=reference, **tested)
        note = f"Means over {len(cases.by_fold())} folds of areas and differences within folds, whose models are given."
        found = replace(found, notes=(*found.notes, note))
        return with_questions(found, margin=margin, claim=claim, contrast=contrast, alternative=alternative)
    if at_specificity is not None or at_sensitivity is not None:
        return compare_at_rate(cases, specificity=at_specificity, sensitivity=at_sensitivity, **tested, **drawn)
    if variance == "hanley_mcneil":
        return compare_by_hanley_mcneil(
            cases,
            areas_of(cases, what, level=level, interval=interval, variance="hanley_mcneil"),
            correlation=correlation,
            table=correlation_table,
            **tested,
        )
    if variance in ("bootstrap", "clustered_bootstrap"):
        if isinstance(cases, RemoteCases):
            closed = "clustered" if cases.clustered else "delong"
            raise InputError(
                "variance", "that resamples cases with all their scores needs their rows in memory", variance,
                f"use {named('variance', closed)}, or fetch the rows with {named('engine', 'memory')}",
            )  # fmt: skip
        found = compare_by_bootstrap(cases, what, clustered=variance == "clustered_bootstrap", **tested, **drawn)
    else:
        if variance == "clustered":
            covariance = covariance_of_clusters(cases, what)
        else:
            covariance = covariance_of_cases(cases, what, score=reference in (None, "score"))
        found = compare_areas(covariance, interval=interval, reference=reference, **tested)
        if isinstance(cases, RemoteCases):
            found = replace(found, notes=(*found.notes, *cases.numerical_notes()))
    return with_questions(found, margin=margin, claim=claim, contrast=contrast, alternative=alternative)


def _check_averaged(cases: Cases, questions: list[str], variance: str, reference: Reference | None) -> None:
    """Refuse what the mean of differences within folds has no formula for."""
    way_out = f"leave it out, or use {named('fold_average', 'pooled')}"
    for one in questions:
        if one.startswith("at_"):
            raise InputError(one, "has no mean over folds", Words("folds"), way_out)
    if variance not in ("delong", "clustered"):
        raise InputError("variance", "of a mean over folds is 'delong', or 'clustered' with ids", variance, way_out)
    if reference == "score":
        raise InputError("reference", "'score' exchanges scores of one set of cases", Words("folds"), way_out)
    if isinstance(cases, RemoteCases):
        raise InputError(
            "folds", "are averaged from their rows", Words("rows that are counted where they lie"),
            f"use {named('fold_average', 'pooled')}, or fetch the rows with {named('engine', 'memory')}",
        )  # fmt: skip


def one_question(**asked: Any) -> list[str]:
    """What was asked besides the pairs: one thing at most."""
    given = [name for name, value in asked.items() if value is not None]
    if len(given) > 1:
        raise InputError(given[0], f"and {named(given[1])} are different questions", Words("both"), "ask one at a time")
    return given


def two_scores(cases: Cases) -> Cases:
    """The cases, if there is something to compare in them."""
    if len(cases.names) < 2:
        raise InputError("score", "must name two scores or more to compare", Words(cases.names[0]), "name another one")
    return cases


def check_reference(reference: Reference | None, variance: str, questions: list[str]) -> None:
    """Only closed-form variances leave a choice of distribution."""
    if reference is None:
        return
    check_choice(reference, "reference", REFERENCES)
    by_rate = any(one.startswith("at_") for one in questions)
    if reference != "normal" and (by_rate or variance not in ("delong", "clustered")):
        received = questions[0] if by_rate else named("variance", variance)
        raise InputError(
            "reference", "must be 'normal' for tests with another standard error", Words(received), "leave it out"
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


@door()
def compare_published(
    *areas: PublishedArea,
    correlation: float = 0.0,
    level: float = 0.95,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
) -> Comparison:
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
    names = [one.name for one in areas]
    if len(names) < 2 or len(set(names)) < len(names):
        raise InputError("areas", "must be two or more of different names", Words(", ".join(names) or "none"))
    notes = tuple(f"{one.name}: area {one.area:g}, standard error {one.se():.4f}" for one in areas)
    return differences_of_published(
        areas, correlation=correlation, level=level, adjust=adjust, alternative=alternative, notes=notes
    )
