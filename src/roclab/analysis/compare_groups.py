"""Does one score tell the classes apart equally well in different sets of cases?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from roclab._core.checks import check_choice
from roclab.analysis.auc import area_asked
from roclab.analysis.compare import check_reference, one_question
from roclab.areas.partial import Range
from roclab.data.cases import Cases
from roclab.data.keywords import DataKeywords, data_door
from roclab.data.read import read_cases
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
from roclab.inference.one_area.bootstrap import Resampling, resampling_of
from roclab.names import (
    PAIRINGS,
    Adjustment,
    Alternative,
    AreaInterval,
    Claim,
    EmpiricalArea,
    PairedVariance,
    Pairing,
    Reference,
    Standard,
)

__all__ = ["compare_groups", "groups_of"]


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
    at_specificity: float | None = None,
    at_sensitivity: float | None = None,
    margin: float | None = None,
    claim: Claim = "non-inferiority",
    contrast: Mapping[str, float] | None = None,
    level: float = 0.95,
    interval: AreaInterval = "auto",
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    reference: Reference | None = None,
    resampling: Resampling | int | None = None,
    rng: Any = None,
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
        "unpaired" for different cases (default with ``group``; where ``ids`` give a subject several cases, in one group
        or in several, their covariance is counted), "paired" when every id is in every group, "mixed" when some are;
        the last two need ``ids``.
    variance : str
        "delong", or for unpaired groups "bootstrap" (any area; each group is resampled for itself) and
        "hanley_mcneil" (1982, from the areas and class sizes alone).
    reference : str
        "score", "t" and "normal" as in :func:`compare`; or "t_proc" for unpaired samples, with the degrees of freedom
        of whole samples as pROC counts them.
    at_specificity, at_sensitivity : float, optional
        Compare the sensitivities of unpaired groups at a specificity, or the reverse, by the bootstrap.
    estimator, fpr, tpr, standard, margin, claim, contrast, level, interval, adjust, alternative, resampling, rng
        As in :func:`compare`.

    Examples
    --------
    >>> import roclab as rl
    >>> table = {"ill": [1, 0, 1, 0, 1, 0, 1, 0], "x": [4, 1, 3, 2, 2, 3, 4, 1], "ward": list("nnnnssss")}
    >>> found = rl.compare_groups(table, label="ill", score="x", group="ward")
    >>> [(one.sample.score, one.area) for one in found.areas]
    [('n', 1.0), ('s', 0.75)]
    """
    check_choice(variance, "variance", ("delong", "bootstrap", "hanley_mcneil"))
    resampling = resampling_of(resampling)
    parts = groups_of(groups, y_score, group, data)
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
    at_rate = at_specificity is not None or at_sensitivity is not None
    if pairing == "unpaired" and group is None:  # the same id in another data set is somebody else
        parts = {name: _called_apart(name, one) for name, one in parts.items()}
    clustered = pairing == "unpaired" and share_subjects(parts)
    if clustered and (variance != "delong" or at_rate):
        raise InputError(
            "ids", "join the cases of one subject", Words("a method that takes every case for itself"),
            f"leave out {named('variance')} and rates, and areas are compared by subjects, or leave out {named('ids')}",
        )  # fmt: skip
    if pairing != "unpaired" and (variance != "delong" or at_rate):
        raise InputError(
            "pairing",
            "must be 'unpaired' for this method, which needs all scores in one data set otherwise",
            pairing,
            "join the data and use compare()",
        )
    questions = one_question(margin=margin, contrast=contrast, at_specificity=at_specificity,
                             at_sensitivity=at_sensitivity)  # fmt: skip
    if questions and variance == "hanley_mcneil":
        raise InputError(questions[0], f"is not answered by {named('variance', variance)}", way_out="leave one out")
    check_reference(reference, variance, questions)
    what = area_asked(estimator, fpr=fpr, tpr=tpr, standard=standard)
    tested: dict[str, Any] = {"level": level, "adjust": adjust, "alternative": alternative}
    drawn: dict[str, Any] = {"resampling": resampling, "rng": rng}
    if at_rate:
        return compare_groups_at_rate(parts, specificity=at_specificity, sensitivity=at_sensitivity, **tested, **drawn)
    if variance == "hanley_mcneil":
        return _by_class_sizes(parts, what, interval=interval, **tested)
    if variance == "bootstrap":
        found = compare_groups_by_bootstrap(parts, what, **tested, **drawn)
        return with_questions(found, margin=margin, claim=claim, contrast=contrast, alternative=alternative)
    if clustered:
        covariance = covariance_of_clustered_groups(parts, what)
        shown: dict[str, Any] = {"level": level, "interval": interval}
        single = [areas_of(one.renamed(name), what, **shown)[name] for name, one in parts.items()]
        found = compare_areas(covariance, areas=single, reference=reference, **tested)
        return with_questions(found, margin=margin, claim=claim, contrast=contrast, alternative=alternative)
    covariance = covariance_of_groups(parts, what, pairing=pairing)
    found = compare_areas(covariance, interval=interval, reference=reference, **tested)
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
