"""Does one score tell the classes apart equally well in different sets of cases?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack, overload

import numpy as np

from roclab._core.checks import check_choice
from roclab.analysis.auc import area_asked
from roclab.analysis.compare import check_reference
from roclab.analysis.compare_rates import asks_rates
from roclab.analysis.group_rates import compare_group_rates
from roclab.data.cases import Cases
from roclab.data.read import read_cases
from roclab.data.verbs import verb
from roclab.decisions.rate_results import RateComparison
from roclab.errors import InputError, Words, named
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.comparison.by_bootstrap import compare_groups_at_rate, compare_groups_by_bootstrap
from roclab.inference.comparison.clustered_groups import covariance_of_clustered_groups, share_subjects
from roclab.inference.comparison.compare import (
    Comparison,
    compare_areas,
    with_questions,
)
from roclab.inference.comparison.covariance import covariance_of_groups
from roclab.inference.comparison.published import PublishedArea, differences_of_published
from roclab.inference.one_area.area import Area
from roclab.names import PAIRINGS, EmpiricalArea, Pairing, RateMetric
from roclab.options.comparison import AreaComparison, AreaComparisonKeywords
from roclab.options.conventions import ConventionKeywords
from roclab.options.data import DataKeywords
from roclab.options.group import given_of
from roclab.options.rates import RateKeywords
from roclab.options.region import Region, RegionKeywords
from roclab.options.uncertainty import AreaUncertainty, draws_note

__all__ = ["compare_groups", "groups_of"]


class _GroupAreasKeywords(RegionKeywords, AreaComparisonKeywords, ConventionKeywords, DataKeywords, total=False):
    """One score measured on separate sets of cases."""


class CompareGroupsKeywords(RateKeywords, _GroupAreasKeywords, total=False):
    """One score, or one test, on separate sets of cases."""


class _PlainGroupsKeywords(_GroupAreasKeywords, total=False):
    """The same without what makes calls."""

    metrics: RateMetric | Sequence[RateMetric]
    probability: float | None
    ratio_margin: float | None


@overload
def compare_groups(
    groups: Any,
    y_score: Any = ...,
    *,
    threshold: float,
    group: Any = ...,
    pairing: Pairing | None = ...,
    **asked: Unpack[_PlainGroupsKeywords],
) -> RateComparison: ...
@overload
def compare_groups(
    groups: Any,
    y_score: Any = ...,
    *,
    predicted: str,
    group: Any = ...,
    pairing: Pairing | None = ...,
    **asked: Unpack[_PlainGroupsKeywords],
) -> RateComparison: ...
@overload
def compare_groups(
    groups: Any,
    y_score: Any = ...,
    *,
    group: Any = ...,
    pairing: Pairing | None = ...,
    estimator: EmpiricalArea | None = ...,
    **asked: Unpack[_PlainGroupsKeywords],
) -> Comparison: ...
@verb(CompareGroupsKeywords, area="estimator")
def compare_groups(
    groups: Any,
    y_score: Any = None,
    *,
    group: Any = None,
    pairing: Pairing | None = None,
    estimator: EmpiricalArea | None = None,
    **asked: Unpack[CompareGroupsKeywords],
) -> Comparison | RateComparison:
    """Compare one score or test on separate sets of cases: groups of a table, or several data sets.

    Parameters
    ----------
    groups : data, or a mapping of names to data
        With ``group``: one table, or arrays, split by that column. Else a mapping of group names to data sets, each of
        any shape: cases, a table or file (``label=`` and ``score=`` hold for all), or a pair ``(y_true, y_score)``.
    group : name of a column, or array, optional
        Which group each case belongs to; the groups are then unpaired.
    pairing : str
        "unpaired" for different cases (default with ``group``; where ``ids`` give a subject several cases, in one group
        or in several, their covariance is counted), "paired" when every id is in every group, "mixed" when some are;
        the last two need ``ids``.
    estimator : str, optional
        Which area to compare, as in :func:`auc` (default "empirical", the AUC).

    Notes
    -----
    Of the variances "delong" is for every pairing; "bootstrap" (any area; each group is resampled for itself),
    "hanley_mcneil" (1982, from the areas and class sizes alone) and rates at a rate are for unpaired groups.

    With ``threshold`` or ``predicted`` the rates of different cases are compared: limits of Miettinen and Nurminen
    (differences) and Koopman (ratios).

    Examples
    --------
    >>> import roclab as rl
    >>> table = {"ill": [1, 0, 1, 0, 1, 0, 1, 0], "x": [4, 1, 3, 2, 2, 3, 4, 1], "ward": list("nnnnssss")}
    >>> found = rl.compare_groups(table, label="ill", score="x", group="ward")
    >>> [(one.sample.score, one.area) for one in found.areas]
    [('n', 1.0), ('s', 0.75)]
    """
    if asks_rates(asked):
        return compare_group_rates(groups, y_score, group, pairing, {**asked, "estimator": estimator})
    questions = AreaComparison.of(asked)
    variance = questions.variance or "delong"
    check_choice(variance, "variance", ("delong", "bootstrap", "hanley_mcneil"))
    parts = groups_of(groups, y_score, group, given_of(asked, DataKeywords))
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
    if pairing == "unpaired" and group is None:  # the same id in another data set is somebody else
        parts = {name: _called_apart(name, one) for name, one in parts.items()}
    clustered = pairing == "unpaired" and share_subjects(parts)
    if clustered and (variance != "delong" or questions.at_rate):
        raise InputError(
            "ids", "join the cases of one subject", Words("a method that takes every case for itself"),
            f"leave out {named('variance')} and rates, and areas are compared by subjects, or leave out {named('ids')}",
        )  # fmt: skip
    if pairing != "unpaired" and (variance != "delong" or questions.at_rate):
        raise InputError(
            "pairing",
            "must be 'unpaired' for this method, which needs all scores in one data set otherwise",
            pairing,
            "join the data and use compare()",
        )
    if questions.questions and variance == "hanley_mcneil":
        raise InputError(
            questions.questions[0], f"is not answered by {named('variance', variance)}", way_out="leave one out"
        )
    check_reference(questions, variance)
    found = _compared(parts, area_asked(estimator, Region.of(asked)), questions, variance, pairing, clustered)
    return found._noting(*draws_note(asked, drawn=questions.draws))


def _compared(
    parts: dict[str, Cases], what: Area, questions: AreaComparison, variance: str, pairing: Pairing, clustered: bool
) -> Comparison:
    """The comparison by the method that was asked for."""
    if questions.at_rate:
        return compare_groups_at_rate(parts, questions)
    if variance == "hanley_mcneil":
        return _by_class_sizes(parts, what, questions)
    if variance == "bootstrap":
        return with_questions(compare_groups_by_bootstrap(parts, what, questions), questions)
    if clustered:
        alone = AreaUncertainty(level=questions.level, interval=questions.interval)
        single = [areas_of(one.renamed(name), what, alone)[name] for name, one in parts.items()]
        covariance = covariance_of_clustered_groups(parts, what)
        return with_questions(compare_areas(covariance, questions, areas=single), questions)
    return with_questions(compare_areas(covariance_of_groups(parts, what, pairing=pairing), questions), questions)


def _by_class_sizes(parts: Mapping[str, Cases], what: Area, asked: AreaComparison) -> Comparison:
    single = AreaUncertainty(level=asked.level, interval=asked.interval, variance="hanley_mcneil")
    areas = {name: areas_of(one.renamed(name), what, single)[name] for name, one in parts.items()}
    reported = [
        PublishedArea(name=name, area=one.area, n_pos=one.n_pos, n_neg=one.n_neg) for name, one in areas.items()
    ]
    return differences_of_published(
        reported, asked, correlation=0.0, areas=tuple(areas.values()), method="Hanley-McNeil 1982"
    )


def _called_apart(name: str, cases: Cases) -> Cases:
    """The same cases with subjects of their own."""
    if cases.ids is None:
        return cases
    return replace(cases, ids=np.array([f"{name}: {one}" for one in cases.ids.tolist()]))


def groups_of(groups: Any, y_score: Any, group: Any, data: Any) -> dict[str, Cases]:
    """One score of each group, by name."""
    if group is not None:
        if isinstance(groups, Cases):
            raise InputError("group", "splits a table or arrays", Words("cases"), "read the cases with folds instead")
        if data.get("folds") is not None:
            raise InputError("folds", f"must be left out beside {named('group')}, which splits too", Words("both"))
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
