"""How well does each score tell the classes apart? Areas of several scores, folds and estimators, with tests."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Unpack

from roclab._core.text import text_table, without_shared
from roclab._core.undefined import Undefined
from roclab.analysis.auc import AllAucKeywords, are_curves, area_asked, parts_by_fold, pooled_note, refuse_beside_groups
from roclab.data.cases import Cases
from roclab.data.read import read_cases
from roclab.data.remote import RemoteCases
from roclab.data.verbs import verb
from roclab.errors import InputError, Words, named
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.one_area.area import Area, area_of_method
from roclab.inference.one_area.area_tests import estimate_test, significance_beside
from roclab.names import EMPIRICAL_AREAS, ERROR_INTERVALS, ESTIMATOR_LETTERS, ESTIMATORS
from roclab.options.area import NullTest
from roclab.options.data import DataKeywords
from roclab.options.folds import Folding
from roclab.options.group import given_of, options_of
from roclab.options.region import Region
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import AreaEstimate, Interval, Several, TestResult
from roclab.results.pictured import Pictured

__all__ = ["AreaTable", "area_table", "table_of_areas"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaTable(Pictured):
    """Areas of several scores, one row each, and the test of each against a null value if one was given."""

    estimates: tuple[AreaEstimate, ...]
    tests: tuple[TestResult, ...] = ()

    def __iter__(self) -> Iterator[AreaEstimate]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    def __getitem__(self, score: str) -> AreaEstimate:
        for one in self.estimates:
            if one.sample.score == score:
                return one
        names = ", ".join(repr(estimate.sample.score) for estimate in self.estimates)
        raise InputError("score", f"must be one of {names}", score)

    def rows(self) -> list[dict[str, Any]]:
        """One row per score."""
        rows = [row for estimate in self.estimates for row in estimate.rows()]
        for row, test in zip(rows, self.tests, strict=False):
            row |= {"hypothesis": test.hypothesis, _letter(test): test.statistic, "p": test.p_value}
            row["alternative"] = test.alternative
        return rows

    def __str__(self) -> str:
        samples = list(dict.fromkeys(replace(one.sample, score=None).describe() for one in self.estimates))
        notes = [f"{one.sample.score}: {note}" for one in self.estimates for note in one.notes]
        areas = [row for estimate in self.estimates for row in estimate.rows()]
        rows, below = without_shared(areas, ["method", "interval"])
        parts = [text_table(rows), *below, ""]
        if self.tests:
            several = len({one.method for one in self.estimates}) > 1
            tested = [
                {
                    "score": one.sample.score,
                    **({"estimator": one.method} if several else {}),
                    "test": test.name,
                    _letter(test): test.statistic,
                    "p": test.p_value,
                    "alternative": test.alternative,
                }
                for one, test in zip(self.estimates, self.tests, strict=True)
            ]
            parts += [text_table(tested), ""]
        return "\n".join([*parts, *samples, *notes])


def _letter(test: TestResult) -> str:
    """What a statistic is called: by the distribution it is referred to."""
    return "t" if test.distribution.startswith("t,") else "z"


@verb(AllAucKeywords, splits=False)
def area_table(y_true: Any, y_score: Any = None, **asked: Unpack[AllAucKeywords]) -> Any:
    """Areas as a table, also where there is only one: what commands and figures show.

    >>> table = area_table([1, 1, 0, 0], {"good": [4, 3, 2, 1], "fair": [4, 2, 3, 1]})
    >>> [round(one.area, 2) for one in table]
    [1.0, 0.75]
    """
    curves = y_score is None and are_curves(y_true)
    return table_of_areas(y_true if curves else read_cases(y_true, y_score, **given_of(asked, DataKeywords)), asked)


def table_of_areas(data: Any, asked: Mapping[str, Any]) -> Any:
    """Areas of several scores, folds or estimators of the same cases, or of curves; groups of cases have their own.

    ``data`` are cases that were read, or a mapping of names to curves; ``asked`` what :func:`~roclab.auc` was asked.
    """
    if are_curves(data):
        return _table_of_curves(data, asked)
    cases: Cases = data
    uncertainty, tested, region = AreaUncertainty.of(asked), NullTest.of(asked), Region.of(asked)
    names = estimators_named(asked.get("estimator"))
    folding = Folding.of(asked).fold_average
    if len(names) > 1 or tested.null is not None:
        cases = cases.remembering()
    if cases.groups is not None:
        if len(names) > 1:
            raise InputError("estimator", f"must be one beside {named('by')}", Words(f"{len(names)}"), "ask for each")
        refuse_beside_groups(null=tested.null, folds=cases.folds, fold_average=folding)
        return _table_of_groups(cases, area_asked(names[0], region), uncertainty)
    if folding is not None and cases.folds is None:
        raise InputError("fold_average", "needs folds", Words("none"), f"give {named('folds')}")
    notes: tuple[str, ...] = ()
    if folding == "pooled":
        notes, cases = (pooled_note(cases),), replace(cases, folds=None)
    estimates: list[AreaEstimate] = []
    tests: list[TestResult] = []
    if isinstance(cases, RemoteCases) and not cases.has_subjects:
        (cases.count_together if cases.folds is None else cases.count_parts)(cases.names)
    for fold, part in parts_by_fold(cases).items():
        for score, name in itertools.product(cases.names, names):
            what = area_asked(name, region)
            one, its_test = _one_row(part.select(score), what, uncertainty, tested, several=len(names) > 1)
            title = score if fold is None else f"{score}, {fold}"
            estimates.append(replace(one, sample=replace(one.sample, score=title), notes=(*one.notes, *notes)))
            tests += [] if its_test is None else [its_test]
    for score in cases.names if _has_mean(cases, names, uncertainty) else ():
        one, its_test = _mean_row(cases.select(score), area_asked(names[0], region), uncertainty, tested)
        estimates.append(one)
        tests += [] if its_test is None else [its_test]
    return AreaTable(estimates=tuple(estimates), tests=tuple(tests))


def _has_mean(cases: Cases, names: list[Any], asked: AreaUncertainty) -> bool:
    """Is there a mean of fold areas with an error: several folds, one estimator with an influence, no resampling?"""
    if cases.folds is None or len(names) > 1 or cases.clustered or asked.variance not in (None, "delong"):
        return False
    what = area_of_method(names[0] or "empirical") if names[0] in (None, *EMPIRICAL_AREAS) else None
    if what is None or what.influence is None or asked.interval not in ERROR_INTERVALS:
        return False
    parts = cases.by_fold()
    if isinstance(cases, RemoteCases):
        from roclab.inference.fold_areas import can_be_averaged

        tallies = [part.tally(name) for part in parts.values() for name in part.names]
        return len(parts) > 1 and can_be_averaged(tallies, what)
    return len(parts) > 1


def _mean_row(
    cases: Cases, what: Area, asked: AreaUncertainty, tested: NullTest
) -> tuple[AreaEstimate, TestResult | None]:
    """The mean over the folds of one score, and its test from its standard error."""
    from roclab.inference.fold_areas import mean_fold_area, mean_fold_deviate

    found = mean_fold_area(cases, parts_by_fold(cases), what, asked)
    found = replace(found, sample=replace(found.sample, score=f"{cases.only_name()}, mean of folds"))
    if tested.null is None:
        return found, None
    z = mean_fold_deviate(cases, parts_by_fold(cases), what, null=tested.null) if what.is_auc else None
    return found, estimate_test(found, what, null=tested.null, alternative=tested.alternative, deviate=z)


def estimators_named(asked: Any) -> list[Any]:
    """The estimators of one name, of several or of all; letters of the literature become names."""
    if asked is None:
        return [None]
    if asked == "all":
        return list(ESTIMATORS)
    given = [asked] if isinstance(asked, str) else list(asked)
    if not given:
        raise InputError("estimator", "must name at least one estimator", Words("none"))
    return [ESTIMATOR_LETTERS.get(str(one).upper(), one) for one in given]


def _one_row(
    cases: Cases, what: Area, asked: AreaUncertainty, tested: NullTest, *, several: bool
) -> tuple[AreaEstimate, TestResult | None]:
    """One area of one score, and its test; among several estimators one that fails has its reason for a value."""
    try:
        one = next(iter(areas_of(cases, what, _for_estimator(what, asked, several)).values()))
        if tested.null is None:
            return one, None
        how = asked.variance or ("clustered" if cases.clustered else None)
        low, high = what.bounds
        if several and not low < tested.null < high:
            return one, _no_test(f"{tested.null:g} is no possible {what.quantity}")
        test = tested.test if what.is_auc or not several else None
        hypothesis: dict[str, Any] = {"null": tested.null, "test": test, "alternative": tested.alternative}
        if how == "clustered":
            from roclab.inference.clustered_area import clustered_area_test

            return one, clustered_area_test(cases, what, **hypothesis)
        return one, significance_beside(one, cases.tally(), what, variance=how, **hypothesis)
    except InputError as error:
        if not several:
            raise
        why = Undefined(str(error).rstrip("."))
        nothing = Interval(low=why, high=why, level=asked.level, method="none")
        sample = cases.sample()
        row = AreaEstimate(
            quantity=what.quantity, area=why, standard_error=why, interval=nothing, method=what.method, sample=sample,
            notes=(f"{what.method}: {why.reason}",),
        )  # fmt: skip
        return row, None if tested.null is None else _no_test(why.reason)


def _for_estimator(what: Area, asked: AreaUncertainty, several: bool) -> AreaUncertainty:
    """Among several estimators those without the error or interval that was asked for have their own default."""
    if not several or what.is_auc:
        return asked
    if asked.variance in ("hanley_mcneil", "empirical_q", "bamber"):
        asked = replace(asked, variance=None)
    if asked.interval == "score" and not what.of_auc:
        asked = replace(asked, interval="auto")
    return asked


def _no_test(reason: str) -> TestResult:
    nothing = Undefined(reason)
    return TestResult(name="none", hypothesis="", statistic=nothing, distribution="none", p_value=nothing)


def _table_of_curves(curves: Mapping[str, Any], asked: Mapping[str, Any]) -> AreaTable:
    from roclab.analysis.curve_areas import CurveAreaKeywords

    whose = {*options_of(DataKeywords), "null", "test", "fold_average"}
    given = [name for name, value in asked.items() if value is not None and name in whose]
    if given:
        raise InputError(given[0], "has no part in areas of curves, which were read before", way_out="leave it out")
    rows = []
    for name, curve in curves.items():
        one = curve.auc(asked.get("estimator"), **given_of(asked, CurveAreaKeywords))
        rows.append(replace(one, sample=replace(one.sample, score=str(name))))
    return AreaTable(estimates=tuple(rows))


def _table_of_groups(cases: Cases, what: Area, asked: AreaUncertainty) -> Any:
    """Areas of every group: of one score, or of several by name."""
    from roclab.analysis.group_areas import group_areas

    if isinstance(cases, RemoteCases) and not cases.has_subjects:
        cases.count_together(cases.names)
    found = {name: group_areas(cases.select(name), what, asked) for name in cases.names}
    return found[cases.names[0]] if len(found) == 1 else Several(results=found)
