"""How well does each score tell the classes apart? Areas of several scores, folds and estimators, with tests."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from roclab._core.text import text_table, without_shared
from roclab._core.undefined import Undefined
from roclab.analysis.auc import area_asked, parts_by_fold, refuse_beside_groups
from roclab.areas.partial import Range
from roclab.data.cases import Cases
from roclab.data.keywords import DataKeywords, data_door
from roclab.data.read import read_cases
from roclab.data.remote import RemoteCases
from roclab.errors import InputError, Words, named
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.clustered_area import clustered_area_test
from roclab.inference.one_area.area import Area, area_of_method
from roclab.inference.one_area.area_tests import estimate_test, significance_beside
from roclab.inference.one_area.bootstrap import Resampling, resampling_of
from roclab.names import (
    EMPIRICAL_AREAS,
    ERROR_INTERVALS,
    ESTIMATOR_LETTERS,
    ESTIMATORS,
    Alternative,
    AreaInterval,
    AreaTest,
    Estimator,
    Side,
    Standard,
    Variance,
)
from roclab.results import AreaEstimate, Interval, Result, Several, TestResult

__all__ = ["AreaTable", "are_curves", "area_table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaTable(Result):
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
        names = ", ".join(repr(one.sample.score) for one in self.estimates)
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


@data_door(splits=False)
def area_table(
    y_true: Any,
    y_score: Any = None,
    *,
    estimator: Estimator | Sequence[Estimator] | None = None,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standard: Standard | None = None,
    null: float | None = None,
    test: AreaTest | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    interval: AreaInterval | None = "auto",
    variance: Variance | None = None,
    side: Side = "two-sided",
    resampling: Resampling | int | None = None,
    rng: Any = None,
    **data: Unpack[DataKeywords],
) -> AreaTable:
    """Areas of one or several scores of the same cases; with ``folds``, of every fold.

    Parameters
    ----------
    y_true, y_score : as in :func:`auc`; ``y_score`` may hold several scores
        Or a mapping of names to curves, of cases or of ready-made points, which have areas but no intervals.
    estimator : str or list of str
        Which areas; a list gives one row for each, "all" every one there is, and the letters MW, N, NT, K1, K1T, K2,
        K2T, RC are understood. An estimator that the data determine no value for has the reason in its row.
    null : float, optional
        Test every area against this value.
    test : str, optional
        Which test: by default the one that agrees with the interval beside it; see ``Roc.test`` for the others.
    alternative : str
        "two-sided" (default), "greater" or "less" than the null value.
    fpr, tpr, standard, level, interval, variance, side, resampling, rng : as in :func:`auc`

    Examples
    --------
    >>> import roclab as rl
    >>> table = rl.area_table([1, 1, 0, 0], {"good": [4, 3, 2, 1], "fair": [4, 2, 3, 1]})
    >>> [round(one.area, 2) for one in table]
    [1.0, 0.75]
    """
    resampling = resampling_of(resampling)
    if y_score is None and are_curves(y_true):
        return _table_of_curves(
            y_true, data, null=null, estimator=estimator, fpr=fpr, tpr=tpr, standard=standard, level=level,
            interval=interval, variance=variance, side=side, resampling=resampling, rng=rng,
        )  # fmt: skip
    cases = read_cases(y_true, y_score, **data)
    if null is None and test is not None:
        raise InputError("test", "needs a value to test against", Words("none"), f"write {named('null', 0.5)}")
    names = estimators_named(estimator)
    region: dict[str, Any] = {"fpr": fpr, "tpr": tpr, "standard": standard}
    options: dict[str, Any] = {
        "level": level, "interval": interval, "variance": variance, "side": side, "resampling": resampling, "rng": rng,
    }  # fmt: skip
    if cases.groups is not None:
        if len(names) > 1:
            raise InputError("estimator", f"must be one beside {named('by')}", Words(f"{len(names)}"), "ask for each")
        answer: Any = _table_of_groups(cases, area_asked(names[0], **region), null, **options)
        return answer  # type: ignore[no-any-return]
    estimates: list[AreaEstimate] = []
    tests: list[TestResult] = []
    tested = {"null": null, "test": test, "alternative": alternative}
    if isinstance(cases, RemoteCases) and not cases.has_subjects:
        (cases.count_together if cases.folds is None else cases.count_parts)(cases.names)
    for fold, part in parts_by_fold(cases).items():
        for score, name in itertools.product(cases.names, names):
            one, its_test = _one_row(part.select(score), name, region, options, tested, several=len(names) > 1)
            title = score if fold is None else f"{score}, {fold}"
            estimates.append(replace(one, sample=replace(one.sample, score=title)))
            tests += [] if its_test is None else [its_test]
    for score in cases.names if _has_mean(cases, names, options) else ():
        one, its_test = _mean_row(cases.select(score), area_asked(names[0], **region), options, tested)
        estimates.append(one)
        tests += [] if its_test is None else [its_test]
    return AreaTable(estimates=tuple(estimates), tests=tuple(tests))


def _has_mean(cases: Cases, names: list[Any], options: dict[str, Any]) -> bool:
    """Is there a mean of fold areas with an error: several folds, one estimator with an influence, no resampling?"""
    if cases.folds is None or len(names) > 1 or cases.clustered or options["variance"] not in (None, "delong"):
        return False
    what = area_of_method(names[0] or "empirical") if names[0] in (None, *EMPIRICAL_AREAS) else None
    if what is None or what.influence is None or options["interval"] not in ERROR_INTERVALS:
        return False
    parts = cases.by_fold()
    if isinstance(cases, RemoteCases):
        from roclab.inference.fold_areas import can_be_averaged

        tallies = [part.tally(name) for part in parts.values() for name in part.names]
        return len(parts) > 1 and can_be_averaged(tallies, what)
    return len(parts) > 1


def _mean_row(
    cases: Cases, what: Area, options: dict[str, Any], tested: dict[str, Any]
) -> tuple[AreaEstimate, TestResult | None]:
    """The mean over the folds of one score, and its test from its standard error."""
    from roclab.inference.fold_areas import mean_fold_area, mean_fold_deviate

    asked: dict[str, Any] = {name: options[name] for name in ("level", "interval", "side")}
    found = mean_fold_area(cases, parts_by_fold(cases), what, **asked)
    found = replace(found, sample=replace(found.sample, score=f"{cases.only_name()}, mean of folds"))
    if tested["null"] is None:
        return found, None
    z = mean_fold_deviate(cases, parts_by_fold(cases), what, null=tested["null"]) if what.is_auc else None
    return found, estimate_test(found, what, null=tested["null"], alternative=tested["alternative"], deviate=z)


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
    cases: Cases, name: Any, region: dict[str, Any], options: dict[str, Any], tested: dict[str, Any], *, several: bool
) -> tuple[AreaEstimate, TestResult | None]:
    """One area of one score, and its test; among several estimators one that fails has its reason for a value."""
    what = area_asked(name, **region)
    try:
        one = next(iter(areas_of(cases, what, **_for_estimator(what, options, several)).values()))
        if tested["null"] is None:
            return one, None
        how = options["variance"] or ("clustered" if cases.clustered else None)
        low, high = what.bounds
        if several and not low < tested["null"] < high:
            return one, _no_test(f"{tested['null']:g} is no possible {what.quantity}")
        asked = {**tested, "test": tested["test"] if what.is_auc or not several else None}
        if how == "clustered":
            return one, clustered_area_test(cases, what, **asked)
        return one, significance_beside(one, cases.tally(), what, variance=how, **asked)
    except InputError as error:
        if not several:
            raise
        why = Undefined(str(error).rstrip("."))
        nothing = Interval(low=why, high=why, level=options["level"], method="none")
        sample = cases.sample()
        row = AreaEstimate(
            quantity=what.quantity, area=why, standard_error=why, interval=nothing, method=what.method, sample=sample,
            notes=(f"{what.method}: {why.reason}",),
        )  # fmt: skip
        return row, None if tested["null"] is None else _no_test(why.reason)


def _for_estimator(what: Area, options: dict[str, Any], several: bool) -> dict[str, Any]:
    """Among several estimators those without the error or interval that was asked for have their own default."""
    if not several or what.is_auc:
        return options
    changed = dict(options)
    if options["variance"] in ("hanley_mcneil", "empirical_q", "bamber"):
        changed["variance"] = None
    if options["interval"] == "score" and not what.of_auc:
        changed["interval"] = "auto"
    return changed


def _no_test(reason: str) -> TestResult:
    nothing = Undefined(reason)
    return TestResult(name="none", hypothesis="", statistic=nothing, distribution="none", p_value=nothing)


def are_curves(data: Any) -> bool:
    """True for a mapping of names to curves that were made before."""
    return isinstance(data, Mapping) and bool(data) and all(hasattr(one, "curve") for one in data.values())


def _table_of_curves(curves: Mapping[str, Any], data: Any, *, null: float | None, **asked: Any) -> AreaTable:
    given = [name for name, value in (*data.items(), ("null", null)) if value is not None]
    if given:
        raise InputError(given[0], "has no part in areas of curves, which were read before", way_out="leave it out")
    rows = []
    for name, curve in curves.items():
        one = curve.auc(**asked)
        rows.append(replace(one, sample=replace(one.sample, score=str(name))))
    return AreaTable(estimates=tuple(rows))


def _table_of_groups(cases: Cases, what: Area, null: float | None, **options: Any) -> Any:
    """Areas of every group: of one score, or of several by name."""
    refuse_beside_groups(null=null, folds=cases.folds)
    from roclab.analysis.group_areas import group_areas

    if isinstance(cases, RemoteCases) and not cases.has_subjects:
        cases.count_together(cases.names)
    found = {name: group_areas(cases.select(name), what, **options) for name in cases.names}
    return found[cases.names[0]] if len(found) == 1 else Several(results=found)
