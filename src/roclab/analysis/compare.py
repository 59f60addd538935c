"""Do scores differ? Areas, rates and whole curves: on the same cases, on different ones, or from papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Unpack

from roclab._core.checks import check_choice
from roclab._core.door import door
from roclab._core.text import text_table, without_shared
from roclab.analysis.auc import area_asked
from roclab.areas.partial import Range
from roclab.data.cases import Cases
from roclab.data.keywords import DataKeywords, data_door
from roclab.data.read import read_cases
from roclab.errors import InputError, Words, named
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.comparison.clustered import covariance_of_clusters
from roclab.inference.comparison.compare import (
    Comparison,
    at_rate_comparison,
    compare_areas,
    compare_by_bootstrap,
    with_questions,
)
from roclab.inference.comparison.covariance import covariance_of_cases, covariance_of_groups
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.comparison.published import PublishedArea, compare_by_hanley_mcneil, differences_of_published
from roclab.inference.comparison.venkatraman import venkatraman_paired, venkatraman_unpaired
from roclab.inference.one_area.bootstrap import Resampling, resampling_of
from roclab.inference.one_area.estimate import Area
from roclab.names import (
    CLAIMS,
    PAIRED_VARIANCES,
    PAIRINGS,
    SCORE_CORRELATIONS,
    Adjustment,
    Alternative,
    AreaInterval,
    Claim,
    CorrelationTable,
    EmpiricalArea,
    PairedVariance,
    Pairing,
    Reference,
    ScoreCorrelation,
    Standard,
)
from roclab.results import AreaEstimate, Result, TestResult

__all__ = ["CurveComparison", "compare", "compare_curves", "compare_groups", "compare_published"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveComparison(Result):
    """Tests that two scores have the same curve, not only the same area: one per pair."""

    areas: tuple[AreaEstimate, ...]
    tests: tuple[TestResult, ...]
    p_adjusted: tuple[float, ...]
    adjustment: str

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair."""
        return [
            {"hypothesis": test.hypothesis, "statistic": test.statistic, "p": test.p_value, "adjusted p": p}
            for test, p in zip(self.tests, self.p_adjusted, strict=True)
        ]

    def __str__(self) -> str:
        test = self.tests[0]
        rows, below = without_shared([row for one in self.areas for row in one.rows()], ["method", "interval"])
        said = [f"{test.name}; {test.method}; {test.distribution}"]
        if len(self.tests) > 1:
            said.append(f"p-values adjusted by {self.adjustment}")
        samples = dict.fromkeys(one.sample.without_name().describe() for one in self.areas)
        notes = [f"{one.sample.score}: {note}" for one in self.areas for note in one.notes]
        return "\n".join([text_table(rows), *below, "", text_table(self.rows()), "", *said, *samples, *notes])


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
    Hanley JA, McNeil BJ. Radiology 1983;148:839-843. doi:10.1148/radiology.148.3.6878708

    Examples
    --------
    >>> import roclab as rl
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> result = rl.compare(y, {"a": [8, 7, 6, 3, 5, 4, 2, 1], "b": [8, 3, 6, 2, 7, 5, 4, 1]})
    >>> pair = result.pair("a", "b")
    >>> round(pair.difference, 4), round(pair.p_value, 4)
    (0.3125, 0.1138)
    >>> result.margin("a", "b", margin=0.1).shown
    True
    """
    check_choice(claim, "claim", CLAIMS)
    check_choice(correlation, "correlation", SCORE_CORRELATIONS)
    resampling = resampling_of(resampling)
    cases = _two_scores(read_cases(y_true, y_score, **data))
    if variance is None:
        variance = "clustered" if cases.clustered else "delong"
    check_choice(variance, "variance", PAIRED_VARIANCES)
    questions = _one_question(margin=margin, contrast=contrast, at_specificity=at_specificity,
                              at_sensitivity=at_sensitivity)  # fmt: skip
    _check_method(cases, questions, variance)
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
    if at_specificity is not None or at_sensitivity is not None:
        return at_rate_comparison(cases, specificity=at_specificity, sensitivity=at_sensitivity, **tested, **drawn)
    if variance == "hanley_mcneil":
        return compare_by_hanley_mcneil(
            cases,
            areas_of(cases, what, level=level, interval=interval, variance="hanley_mcneil"),
            correlation=correlation,
            table=correlation_table,
            **tested,
        )
    if variance in ("bootstrap", "clustered_bootstrap"):
        found = compare_by_bootstrap(cases, what, clustered=variance == "clustered_bootstrap", **tested, **drawn)
    else:
        covariance = (
            covariance_of_clusters(cases, what) if variance == "clustered" else covariance_of_cases(cases, what)
        )
        found = compare_areas(covariance, interval=interval, **tested)
    return with_questions(found, margin=margin, claim=claim, contrast=contrast, alternative=alternative)


def _one_question(**asked: Any) -> list[str]:
    given = [name for name, value in asked.items() if value is not None]
    if len(given) > 1:
        raise InputError(given[0], f"and {named(given[1])} are different questions", Words("both"), "ask one at a time")
    return given


def _two_scores(cases: Cases) -> Cases:
    if len(cases.names) < 2:
        raise InputError("score", "must name two scores or more to compare", Words(cases.names[0]), "name another one")
    return cases


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


# -- whole curves ----------------------------------------------------------------------------------


@data_door()
def compare_curves(
    y_true: Any,
    y_score: Any = None,
    *,
    group: Any = None,
    level: float = 0.95,
    interval: AreaInterval = "auto",
    adjust: Adjustment = "holm",
    resampling: Resampling | int | None = None,
    rng: Any = None,
    **data: Unpack[DataKeywords],
) -> CurveComparison:
    """Do whole ROC curves differ, not only their areas? Venkatraman's permutation tests.

    Two curves may have one area and cross. Scores of the same cases are compared by exchanging their ranks case by
    case; with ``group``, or a mapping of names to data sets, one score is compared between different cases.

    Parameters
    ----------
    y_true, y_score : as in :func:`compare`; or, for different cases, as in :func:`compare_groups`
    group : name of a column, or array, optional
        Compare one score between groups of cases.
    level, interval : as in :func:`auc`, for the areas shown beside the tests
    adjust : str
        How p-values are adjusted over all pairs: "holm" (default), "bonferroni", "fdr" or "none".
    resampling, rng
        Number of permutations, workers, progress and seed.

    References
    ----------
    Venkatraman ES, Begg CB. Biometrika 1996;83:835-848. doi:10.1093/biomet/83.4.835
    Venkatraman ES. Biometrics 2000;56:1134-1138. doi:10.1111/j.0006-341X.2000.01134.x

    Examples
    --------
    >>> import roclab as rl
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> scores = {"a": [8, 7, 6, 3, 5, 4, 2, 1], "b": [8, 3, 6, 2, 7, 5, 4, 1]}
    >>> found = rl.compare_curves(y, scores, resampling=rl.Resampling(replicates=200), rng=1)
    >>> found.tests[0].hypothesis
    'a and b have the same ROC curve'
    """
    what = area_asked()
    drawn: dict[str, Any] = {"resampling": resampling, "rng": rng}
    apart = group is not None or (isinstance(y_true, Mapping) and y_score is None and "label" not in data)
    if apart:
        parts = [one.renamed(name) for name, one in _groups(y_true, y_score, group, data).items()]
        areas = {one.only_name(): areas_of(one, what, level=level, interval=interval) for one in parts}
        tests = [venkatraman_unpaired(a, b, **drawn) for a, b in combinations(parts, 2)]
        return _curve_comparison(tests, {name: found[name] for name, found in areas.items()}, adjust)
    cases = _two_scores(read_cases(y_true, y_score, **data))
    if cases.weight is not None:
        raise InputError("sample_weight", "has no part in permutations, where each case counts once",
                         way_out="leave it out")  # fmt: skip
    tests = [venkatraman_paired(cases, *pair, **drawn) for pair in combinations(cases.names, 2)]
    return _curve_comparison(tests, areas_of(cases, what, level=level, interval=interval), adjust)


def _curve_comparison(
    tests: Sequence[TestResult], areas: Mapping[str, AreaEstimate], adjust: Adjustment
) -> CurveComparison:
    return CurveComparison(
        areas=tuple(areas.values()),
        tests=tuple(tests),
        p_adjusted=tuple(adjusted([test.p_value for test in tests], adjust)),
        adjustment=adjust,
    )


# -- one score of each of several sets of cases ----------------------------------------------------


@data_door(method="variance", area="estimator")
def compare_groups(
    groups: Any,
    y_score: Any = None,
    *,
    group: Any = None,
    pairing: Pairing | None = None,
    variance: PairedVariance = "delong",
    estimator: EmpiricalArea | None = None,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standard: Standard | None = None,
    margin: float | None = None,
    claim: Claim = "non-inferiority",
    contrast: Mapping[str, float] | None = None,
    level: float = 0.95,
    interval: AreaInterval = "auto",
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    reference: Reference = "normal",
    **data: Unpack[DataKeywords],
) -> Comparison:
    """Compare one score measured on separate sets of cases: groups of a table, or several data sets.

    Parameters
    ----------
    groups : data, or a mapping of names to data
        With ``group``: one table, or arrays, split by that column. Else a mapping of group names to data sets, each of
        any shape: cases, a table or file (``label=`` and ``score=`` hold for all), or a pair ``(y_true, y_score)``.
    group : name of a column, or array, optional
        Which group each case belongs to; the groups are then unpaired.
    pairing : str
        "unpaired" for different cases (default with ``group``), "paired" when every id is in every group, "mixed" when
        some are; the last two need ``ids``.
    variance : str
        "delong", or for unpaired groups "hanley_mcneil" (1982, from the areas and class sizes alone).
    reference : str
        "normal", or "t" for the Welch-Satterthwaite t distribution of unpaired samples.
    estimator, fpr, tpr, standard, margin, claim, contrast, level, interval, adjust, alternative
        As in :func:`compare`.

    Examples
    --------
    >>> import roclab as rl
    >>> table = {"ill": [1, 0, 1, 0, 1, 0, 1, 0], "x": [4, 1, 3, 2, 2, 3, 4, 1], "ward": list("nnnnssss")}
    >>> found = rl.compare_groups(table, label="ill", score="x", group="ward")
    >>> [(one.sample.score, one.area) for one in found.areas]
    [('n', 1.0), ('s', 0.75)]
    """
    check_choice(variance, "variance", ("delong", "hanley_mcneil"))
    parts = _groups(groups, y_score, group, data)
    if pairing is None and group is not None:
        pairing = "unpaired"
    if pairing is None:
        raise InputError(
            "pairing",
            "must say how the cases of several data sets belong together",
            Words("none"),
            f"write {named('pairing', 'unpaired')}, or 'paired' or 'mixed' with {named('ids')}",
        )
    check_choice(pairing, "pairing", PAIRINGS)
    if pairing != "unpaired" and variance != "delong":
        raise InputError(
            "pairing",
            "must be 'unpaired' for this method, which needs all scores in one data set otherwise",
            pairing,
            "join the data and use compare()",
        )
    what = area_asked(estimator, fpr=fpr, tpr=tpr, standard=standard)
    if variance == "hanley_mcneil":
        return _by_class_sizes(parts, what, level=level, interval=interval, adjust=adjust, alternative=alternative)
    covariance = covariance_of_groups(parts, what, pairing=pairing)
    found = compare_areas(
        covariance, interval=interval, level=level, adjust=adjust, alternative=alternative, reference=reference
    )
    return with_questions(found, margin=margin, claim=claim, contrast=contrast, alternative=alternative)


def _by_class_sizes(
    parts: Mapping[str, Cases], what: Area, *, level: float, interval: Any, **tested: Any
) -> Comparison:
    asked: dict[str, Any] = {"level": level, "interval": interval, "variance": "hanley_mcneil"}
    areas = {name: areas_of(one.renamed(name), what, **asked)[name] for name, one in parts.items()}
    reported = [
        PublishedArea(name=name, area=one.area, n_pos=one.n_pos, n_neg=one.n_neg) for name, one in areas.items()
    ]
    return differences_of_published(
        reported, correlation=0.0, level=level, areas=tuple(areas.values()), method="Hanley-McNeil 1982", **tested
    )


def _groups(groups: Any, y_score: Any, group: Any, data: Any) -> dict[str, Cases]:
    """One score of each group, by name."""
    if group is not None:
        if isinstance(groups, Cases):
            raise InputError("group", "splits a table or arrays", Words("cases"), "read the cases with folds instead")
        cases = read_cases(groups, y_score, **{**data, "folds": group})
        return {name: part.select(cases.only_name()) for name, part in cases.by_fold().items()}
    if isinstance(groups, Cases) and groups.folds is not None:
        return {name: part.select(groups.only_name()) for name, part in groups.by_fold().items()}
    if not isinstance(groups, Mapping) or not groups:
        raise InputError(
            "groups",
            f"must map names to data sets, or be one table with {named('group')}",
            Words(type(groups).__name__),
            f"write {named('group', 'ward')} for instance",
        )
    out = {}
    for name, one in groups.items():
        pair = isinstance(one, tuple) and len(one) == 2
        cases = one if isinstance(one, Cases) else read_cases(*(one if pair else (one,)), **data)
        out[str(name)] = cases.select(cases.only_name())
    return out


# -- areas from papers -----------------------------------------------------------------------------


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
