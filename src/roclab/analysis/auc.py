"""How well does a score tell the classes apart? The area of one score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack, overload

from roclab.data.cases import Cases
from roclab.data.groups import has_both_classes
from roclab.data.read import read_cases
from roclab.data.verbs import verb
from roclab.errors import InputError, OneClassError, Words, named
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.one_area.area import Area, area_of_method, area_of_region
from roclab.names import ERROR_INTERVALS, ESTIMATOR_LETTERS, ESTIMATORS, SMOOTH_MODELS, Estimator, FoldAverage
from roclab.options.area import AreaKeywords, NullTest
from roclab.options.conventions import ConventionKeywords
from roclab.options.data import CaseKeywords, DataKeywords
from roclab.options.folds import Folding
from roclab.options.follow_up import FollowUpKeywords, FollowUpOptions, apart, is_survival
from roclab.options.group import given_of
from roclab.options.region import WHOLE, Region
from roclab.options.uncertainty import AreaUncertainty, AreaUncertaintyKeywords, check_draws, draws_note
from roclab.results import AreaEstimate

if TYPE_CHECKING:
    from roclab.analysis.area_table import AreaTable
    from roclab.analysis.group_areas import GroupAreas

__all__ = [
    "are_curves",
    "area_asked",
    "auc",
    "check_averaging",
    "is_averaged",
    "parts_by_fold",
    "pooled_note",
    "refuse_beside_groups",
]


def area_asked(estimator: Estimator | None = None, region: Region = WHOLE) -> Area:
    """The area that is meant: of an estimator by name, or the partial area of a region, empirical or smooth."""
    if not region.given:
        return area_of_method(estimator or "empirical")
    if estimator in SMOOTH_MODELS:
        from roclab.inference.one_area.smooth_region import area_of_smooth_region

        return area_of_smooth_region(str(estimator), fpr=region.fpr, tpr=region.tpr, standardize=region.scale)
    if estimator not in (None, "empirical"):
        raise InputError(
            "fpr",
            f"and {named('tpr')} give partial areas of the empirical curve and of smooth ones",
            Words(f"{named('estimator', estimator)} as well"),
            "leave one of them out",
        )
    return area_of_region(fpr=region.fpr, tpr=region.tpr, standardize=region.scale)


class AucKeywords(AreaKeywords, AreaUncertaintyKeywords, ConventionKeywords, CaseKeywords, total=False):
    """Areas of any number of scores."""


class AllAucKeywords(AucKeywords, FollowUpKeywords, DataKeywords, total=False):
    """The same, with the names of scores and groups."""


@overload
def auc(y_true: Any, y_score: Any = ..., *, by: Any, score: str, **asked: Unpack[AucKeywords]) -> GroupAreas: ...
@overload
def auc(
    y_true: Any, y_score: Mapping[str, Any], *, score: Sequence[str] | None = ..., **asked: Unpack[AucKeywords]
) -> AreaTable: ...
@overload
def auc(y_true: Any, y_score: Any = ..., *, score: str | None = ..., **asked: Unpack[AucKeywords]) -> AreaEstimate: ...
@overload
def auc(y_true: Any, y_score: Any = ..., *, score: list[str], **asked: Unpack[AucKeywords]) -> AreaTable: ...
@overload  # at a horizon, of a survival array, or with groups of several scores
def auc(y_true: Any, y_score: Any = ..., **asked: Unpack[AllAucKeywords]) -> Any: ...
@verb(AllAucKeywords, splits=False)
def auc(y_true: Any, y_score: Any = None, **asked: Unpack[AllAucKeywords]) -> AreaEstimate | AreaTable | GroupAreas:
    """Area under the ROC curve, with its confidence interval.

    Parameters
    ----------
    y_true, y_score : arrays, or a table
        Labels and scores; or a data frame, mapping or file with ``label=`` and ``score=``; or cases; or a mapping of
        names to curves, of cases or of ready-made points, which have areas but no intervals.

    Returns
    -------
    AreaEstimate
        ``.area``, ``.standard_error``, ``.interval`` (``.low``, ``.high``), the methods that really ran, and the
        circumstances of the data. It behaves like a number: ``round(e, 3)``, ``f"{e:.3f}"``, ``e > 0.8``. With ``by``
        a :class:`GroupAreas`: areas, intervals and counts of every group, whether they differ, and which pairs do.

    See Also
    --------
    compare : do areas differ?
    roc : the curve and everything else that can be asked of one score.

    References
    ----------
    DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics 1988;44:837-845. doi:10.2307/2531595

    Examples
    --------
    Fawcett's twenty cases (2006, table 1), whose area is 0.68:

    >>> import roclab as rl
    >>> y = [1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0]
    >>> s = [0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505,
    ...      0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.3, 0.1]
    >>> estimate = rl.auc(y, s)
    >>> print(estimate)
    AUC 0.6800, 95% interval 0.4124 to 0.8611 (roclab score)
    standard error 0.1270; empirical
    10 positive (1), 10 negative (0); a higher score means positive
    >>> f"{estimate:.2f}", estimate > 0.5
    ('0.68', True)
    """
    if FollowUpOptions.of(asked).given or is_survival(y_true):
        from roclab.analysis.follow_up.areas import areas_over_time

        followed: AreaEstimate = areas_over_time(y_true, y_score, *apart(asked))
        return followed
    found = _areas_asked(y_true, y_score, asked)
    if asked.get("resampling") is None and asked.get("rng") is None:
        return found
    # Groups say once what all of their intervals are.
    methods = [getattr(found, "method", ""), *(row.get("interval") for row in found.rows())]
    drawn = any("bootstrap" in str(one) for one in methods)
    if isinstance(found, AreaEstimate):
        return found._noting(*draws_note(asked, drawn=drawn))
    check_draws(asked, drawn=drawn)
    return found


def _areas_asked(y_true: Any, y_score: Any, asked: Any) -> AreaEstimate | AreaTable | GroupAreas:
    uncertainty, tested = AreaUncertainty.of(asked), NullTest.of(asked)
    estimator: Any = asked.get("estimator")
    cases = (
        None if y_score is None and are_curves(y_true) else read_cases(y_true, y_score, **given_of(asked, DataKeywords))
    )
    if isinstance(estimator, str):
        estimator = ESTIMATOR_LETTERS.get(estimator.upper(), estimator)
    one = tested.null is None and (estimator is None or estimator in ESTIMATORS)
    if cases is None or len(cases.names) > 1 or not one:
        from roclab.analysis.area_table import table_of_areas

        table: AreaTable = table_of_areas(y_true if cases is None else cases, asked)
        return table
    what = area_asked(estimator, Region.of(asked))
    folding = Folding.of(asked).fold_average
    if cases.groups is not None:
        from roclab.analysis.group_areas import group_areas

        refuse_beside_groups(folds=cases.folds, fold_average=folding)
        return group_areas(cases, what, uncertainty)
    if is_averaged(cases, folding):
        check_averaging(cases, uncertainty)
        from roclab.inference.fold_areas import mean_fold_area

        return mean_fold_area(cases, parts_by_fold(cases), what, uncertainty)
    found = areas_of(cases, what, uncertainty)[cases.only_name()]
    return found if cases.folds is None else replace(found, notes=(*found.notes, pooled_note(cases)))


def pooled_note(cases: Cases) -> str:
    """What is said where folds were pooled because that was asked for."""
    return f"{len(cases.by_fold())} folds pooled: all cases are ranked together."


def is_averaged(cases: Cases, fold_average: FoldAverage | None) -> bool:
    """Whether the areas of folds are averaged."""
    if fold_average is None:
        return cases.folds is not None
    if cases.folds is None:
        raise InputError("fold_average", "needs folds", Words("none"), f"give {named('folds')}")
    return fold_average == "mean"


def check_averaging(cases: Cases, asked: AreaUncertainty) -> None:
    """Refuse what the mean of fold areas has no formula for."""
    interval, variance = asked.interval, asked.variance
    way_out = f"leave it out, or use {named('fold_average', 'pooled')}"
    if interval not in ERROR_INTERVALS:
        raise InputError("interval", "of a mean of fold areas comes from a standard error", interval, way_out)
    known = (None, "clustered") if cases.clustered else (None, "delong")
    if variance not in known:
        raise InputError("variance", f"of a mean of fold areas is {known[1]!r}", variance, way_out)


def refuse_beside_groups(**asked: Any) -> None:
    """Refuse what has no part where every group is answered apart."""
    for name, given in asked.items():
        if given is not None:
            raise InputError(name, f"has no part beside {named('by')}", way_out="leave one of them out")


def parts_by_fold(cases: Cases) -> dict[str | None, Cases]:
    """The cases of each fold, or all of them under None when there are no folds; every part holds both classes."""
    if cases.folds is None:
        return {None: cases}
    parts = cases.by_fold()
    for fold, part in parts.items():
        if not has_both_classes(part):
            only = part.positive if part.sample(part.names[0]).n_pos else part.negative
            raise OneClassError(
                "folds",
                "must hold both classes each",
                Words(f"fold {fold} with {only} only"),
                "join it with another",
            )
    return dict(parts.items())


def are_curves(data: Any) -> bool:
    """True for a mapping of names to curves that were made before."""
    return isinstance(data, Mapping) and bool(data) and all(hasattr(one, "tally") for one in data.values())
