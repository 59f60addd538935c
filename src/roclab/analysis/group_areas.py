"""How well does a score tell the classes apart in each group of cases, and do the groups differ?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.plain import plain
from roclab._core.text import text_table, without_shared
from roclab._core.types import Counts, Floats, Ints, frozen
from roclab._core.undefined import Undefined
from roclab.analysis.area_table import AreaTable
from roclab.analysis.auc import area_asked
from roclab.analysis.counted_groups import areas_of_counts, how_counted
from roclab.analysis.group_differences import COMPARED, as_one_question, differences_between
from roclab.data.cases import Cases
from roclab.data.groups import group_names, groups_of_values, parts_by_group, with_group_names, without_groups
from roclab.data.remote import RemoteCases
from roclab.errors import InputError, Words
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.comparison.clustered_groups import covariance_of_clustered_groups
from roclab.inference.comparison.compare import Comparison
from roclab.inference.comparison.contrasts import equality_test
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.delong import DelongParts
from roclab.inference.one_area.estimate import estimate_from_error
from roclab.inference.one_area.grouped import GroupedAreas, areas_by_group
from roclab.inference.one_area.heterogeneity import heterogeneity_of_groups, heterogeneity_test
from roclab.inference.one_area.score import SCORE
from roclab.inference.one_area.score_many import score_intervals
from roclab.options.region import Range, Region
from roclab.options.uncertainty import USUAL, AreaUncertainty
from roclab.results import AreaEstimate, Sample, TestResult
from roclab.results.frames import frame_of
from roclab.results.pictured import Pictured

__all__ = [
    "Comparison",
    "GroupAreas",
    "differences_of_groups",
    "group_areas",
    "group_names",
    "with_group_names",
    "with_groups_as_scores",
]

_SMALL = 10  # cases of a class, below which a remark says that a group is small
_SHOWN = 40  # groups up to which all are printed
_ONE_CLASS = "it has one class only"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupAreas(Pictured):
    """Areas of one score in every group, a test that they are all the same, and the differences between pairs.

    Attributes
    ----------
    by : str
        What makes the groups.
    groups : tuple of str
        Their names, sorted; the arrays have one entry for each.
    n_pos, n_neg, area, standard_error, low, high : arrays
        Counts, areas and limits; NaN for groups that lack a class.
    heterogeneity : TestResult
        Cochran's Q that all groups have the same area, of two groups the test of their difference; its estimate is the
        common area.
    differences : Comparison or None
        All pairs of groups, up to twelve groups.
    """

    by: str
    quantity: str
    groups: tuple[str, ...]
    n_pos: Counts
    n_neg: Counts
    area: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    level: float
    method: str
    heterogeneity: TestResult
    differences: Comparison | None
    sample: Sample
    estimates: Mapping[str, AreaEstimate] = field(default_factory=dict)  # of groups that were asked one by one
    counted: str = ""  # on which engine, and the largest numerical error of an area; of rows in memory nothing
    _cases: Cases | None = field(default=None, repr=False, metadata={"not_in_json": True})
    _asked: Any = field(default=None, repr=False, metadata={"not_in_json": True})

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, group: Any) -> AreaEstimate:
        """The area of one group, as ``rl.auc`` gives it for its cases alone."""
        name = str(group)
        if name not in self.groups:
            shown = ", ".join(map(repr, self.groups[:12])) + (", …" if len(self.groups) > 12 else "")
            raise InputError("group", f"must be one of {shown}", group)
        if name in self.skipped:
            raise InputError("group", f"{name} has no area, because {_ONE_CLASS}")
        if name in self.estimates:
            return self.estimates[name]
        if isinstance(self._cases, RemoteCases) and self._cases.many_groups:
            at = self.groups.index(name)
            asked = f"{self.by} {name} has area {self.area[at]:.6g}"
            raise InputError("group", "is one of so many that they were counted together", Words(asked), "read area, "
                             "standard_error, low and high, or ask for this group alone")  # fmt: skip
        if self._cases is None:
            raise InputError(
                "", f"the area of {name} alone needs its cases, which JSON does not hold",
                way_out="read area, low and high of all groups, or ask the cases again",
            )  # fmt: skip
        area, asked = self._asked
        return next(iter(areas_of(_RowsByGroup(self._cases)[name], area, asked).values()))

    @property
    def skipped(self) -> dict[str, str]:
        """Groups without an area, and why."""
        lacking = np.flatnonzero(np.isnan(self.area))
        return {self.groups[at]: _ONE_CLASS for at in lacking.tolist()}

    @property
    def small(self) -> tuple[str, ...]:
        """Groups with fewer than ten cases of a class, whose areas say little."""
        fewest = np.minimum(self.n_pos, self.n_neg)
        return tuple(self.groups[at] for at in np.flatnonzero((fewest > 0) & (fewest < _SMALL)).tolist())

    def rows(self) -> list[dict[str, Any]]:
        """One row per group."""
        return self._rows(slice(None))

    def frames(self, size: int = 100_000, backend: str | None = None) -> Iterator[Any]:
        """The rows as data frames of so many groups each, for more groups than one table should hold.

        >>> import roclab as rl
        >>> found = rl.auc([0, 1, 0, 1], [1, 2, 4, 3], by=["a", "a", "b", "b"])
        >>> [len(frame) for frame in found.frames(1)]
        [1, 1]
        """
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise InputError("size", "must be a number of groups, at least 1", size)
        for start in range(0, len(self), size):
            yield frame_of(self._rows(slice(start, start + size)), backend)

    def _rows(self, part: slice) -> list[dict[str, Any]]:
        percent = f"{100 * self.level:g}%"
        arrays = (self.n_pos, self.n_neg, self.area, self.standard_error, self.low, self.high)
        columns = zip(self.groups[part], *(column[part].tolist() for column in arrays), strict=True)
        undefined = Undefined(_ONE_CLASS)
        return [
            {
                "score": self.sample.score,
                self.by: group,
                "positive": n_pos,
                "negative": n_neg,
                "area": undefined if area != area else area,
                "std. error": undefined if area != area else error,
                f"{percent} low": undefined if area != area else low,
                f"{percent} high": undefined if area != area else high,
            }
            for group, n_pos, n_neg, area, error, low, high in columns
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the cases."""
        pairs = None if self.differences is None else self.differences.to_dict()
        return {
            "by": self.by,
            "quantity": self.quantity,
            "groups": plain(self.rows()),
            "level": self.level,
            "method": self.method,
            "heterogeneity": self.heterogeneity.to_dict(),
            "differences": pairs,
            "small": list(self.small),
            **({"counted": self.counted} if self.counted else {}),
            "sample": plain(self.sample),
        }

    @classmethod
    def _fields_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """The arrays stand in the dictionary as rows, one for each group."""
        rows, percent = data["groups"], f"{100 * data['level']:g}%"
        columns = {
            "n_pos": "positive", "n_neg": "negative", "area": "area", "standard_error": "std. error",
            "low": f"{percent} low", "high": f"{percent} high",
        }  # fmt: skip
        arrays = {name: [row[column] for row in rows] for name, column in columns.items()}
        return {**data, **arrays, "groups": [row[data["by"]] for row in rows]}

    def __str__(self) -> str:
        rows = self.rows()
        lines = [self.quantity, text_table(rows[:_SHOWN])]
        if len(rows) > _SHOWN:
            lines.append(f"… and {len(rows) - _SHOWN:,} more groups, which rows(), to_csv() and --csv have")
        lines += [f"interval: {self.method}", ""]
        test = self.heterogeneity
        if isinstance(test.statistic, Undefined):
            lines.append(f"heterogeneity: {test.statistic.reason}")
        else:
            kind, _, df = test.distribution.partition(", ")
            which = "both" if len(self.differences.pairs if self.differences is not None else ()) == 1 else "all"
            lines.append(
                f"same area in {which} groups: {kind} {test.statistic:.4f}, {f'{df}, ' if df else ''}"
                f"p {test.p_value:.4g}; common area {test.estimate:.4f}"
            )
        lines += test.notes
        if self.differences is not None and len(self.differences.pairs) > 0:
            pairs, below = without_shared([row for pair in self.differences.pairs for row in pair.rows()], ["interval"])
            family = f"; adjusted by {self.differences.adjustment}"
            if len(pairs) == 1:  # the p-value of one question stands above
                pairs, family = [{name: one for name, one in pairs[0].items() if name not in ("p", "adjusted p")}], ""
            lines += ["", text_table(pairs), *below, f"differences: {self.differences.method}{family}"]
        lines += ["", replace(self.sample, score=None).describe()]
        if self.small:
            shown = ", ".join(self.small[:6]) + (", …" if len(self.small) > 6 else "")
            lines.append(f"fewer than {_SMALL} cases of a class in {plural(len(self.small), 'group')} ({shown}): "
                         "such areas say little")  # fmt: skip
        skipped = self.skipped
        if skipped:
            shown = ", ".join(list(skipped)[:6]) + (", …" if len(skipped) > 6 else "")
            lines.append(f"no area in {plural(len(skipped), 'group')} ({shown}): {_ONE_CLASS}")
        lines += [self.counted] if self.counted else []
        return "\n".join(lines)


def group_areas(cases: Cases, area: Area, asked: AreaUncertainty = USUAL) -> GroupAreas:
    """Areas of the only score of the cases in every group.

    The AUC of unweighted, unclustered cases with DeLong's error and the score interval comes from one sort of all
    cases, O(n log n) however many groups there are; anything else is asked of group after group.
    """
    level = asked.level
    name = cases.only_name()
    assert cases.groups is not None
    at_once = (
        area.is_auc
        and cases.weight is None
        and not cases.clustered
        and asked.variance in (None, "delong")
        and asked.interval in ("auto", "score")
        and asked.side == "two-sided"
    )
    estimates: dict[str, AreaEstimate] = {}
    sizes: tuple[Any, Any]
    held: Mapping[str, Cases]
    if isinstance(cases, RemoteCases) and cases.many_groups and at_once:
        held = dict.fromkeys(group_names(cases), cases)
        parts = cases.areas_of_groups()
    elif isinstance(cases, RemoteCases):
        held = parts_by_group(cases)
        parts = areas_of_counts(held)
    else:
        held = rows = _RowsByGroup(cases)
        parts = areas_by_group(cases.label, cases.oriented(name), rows.found.codes, len(rows))
    names = list(held)
    many = isinstance(cases, RemoteCases) and cases.many_groups
    if not at_once or (isinstance(cases, RemoteCases) and not many):
        estimates = _one_by_one(held, area, parts, asked)
    if at_once:
        n_pos, n_neg = parts.n_pos.astype(np.float64), parts.n_neg.astype(np.float64)
        low, high = score_intervals(parts.area, parts.spread10, parts.spread01, n_pos=n_pos, n_neg=n_neg, level=level)
        value, error, sizes = parts.area, parts.standard_error, (parts.n_pos, parts.n_neg)
        method = SCORE
        _mend_errors(area, parts, error, cases.sample(name), level)
        heterogeneity = heterogeneity_of_groups(parts)
    else:
        value, error, low, high = (np.full(len(names), np.nan) for _ in range(4))
        sizes = parts.n_pos.astype(np.float64), parts.n_neg.astype(np.float64)  # total weights, where there are some
        for at, group in enumerate(names):
            if group in estimates:
                one = estimates[group]
                value[at], error[at] = one.area, one.standard_error
                sizes[0][at], sizes[1][at] = one.n_pos, one.n_neg
                low[at], high[at] = one.interval
        method = next(iter(estimates.values())).interval.method if estimates else ""
        heterogeneity = heterogeneity_test(value, error)
        if cases.clustered and not isinstance(cases, RemoteCases):
            heterogeneity = _of_shared_subjects(held, area, value, heterogeneity)
    differences = differences_between(cases, held, area, value, asked, estimates)
    heterogeneity = as_one_question(heterogeneity, differences)
    if np.isnan(value).all():
        raise InputError("by", "must make at least one group with both classes", way_out="name another column")
    return GroupAreas(
        by=cases.grouped_by,
        quantity=area.quantity,
        groups=tuple(names),
        n_pos=frozen(sizes[0]),
        n_neg=frozen(sizes[1]),
        area=frozen(value),
        standard_error=frozen(error),
        low=frozen(low),
        high=frozen(high),
        level=level,
        method=method,
        heterogeneity=heterogeneity,
        differences=differences,
        sample=cases.sample(name),
        estimates=estimates,
        counted="Counted exactly, in all groups at once." if many else how_counted(estimates),
        _cases=cases,
        _asked=(area, asked),
    )


class _RowsByGroup(Mapping[str, Cases]):
    """Cases in memory by group, taken out one group at a time."""

    def __init__(self, cases: Cases) -> None:
        assert cases.groups is not None
        self.found = groups_of_values(cases.groups)
        self._whole = without_groups(cases)
        self._rows: list[Ints] | None = None
        self._at = {name: at for at, name in enumerate(self.found.names)}

    def __getitem__(self, name: str) -> Cases:
        if self._rows is None:
            self._rows = self.found.rows()
        return self._whole.only(self._rows[self._at[name]])

    def __iter__(self) -> Iterator[str]:
        return iter(self.found.names)

    def __len__(self) -> int:
        return len(self.found.names)


def _mend_errors(area: Area, parts: GroupedAreas, error: Floats, sample: Sample, level: float) -> None:
    """Standard errors that are undefined or 0, as single areas have them: rare, so one by one."""
    odd = np.flatnonzero(~np.isnan(parts.area) & ~(error > 0))
    for at in odd.tolist():
        n_pos, n_neg = int(parts.n_pos[at]), int(parts.n_neg[at])
        single = DelongParts(
            float(parts.spread10[at] / n_pos) if n_pos > 1 else np.nan,
            float(parts.spread01[at] / n_neg) if n_neg > 1 else np.nan,
            n_pos,
            n_neg,
        )
        own = replace(sample, n_pos=n_pos, n_neg=n_neg)
        asked: dict[str, Any] = {"sample": own, "level": level, "interval": "auto", "side": "two-sided"}
        value = float(parts.area[at])
        error[at] = estimate_from_error(
            area, value, single.standard_error, "DeLong", parts=single, **asked
        ).standard_error


def _one_by_one(
    held: Mapping[str, Cases], area: Area, parts: GroupedAreas, asked: AreaUncertainty
) -> dict[str, AreaEstimate]:
    known = [name for name, value in zip(held, parts.area.tolist(), strict=True) if value == value]
    return {name: next(iter(areas_of(held[name], area, asked).values())) for name in known}


def _of_shared_subjects(held: Mapping[str, Cases], area: Area, value: Floats, plain: TestResult) -> TestResult:
    """The test that all groups have one area where subjects have cases in several of them: Wald's, chi-squared."""
    known = {name: held[name] for name, one in zip(held, value.tolist(), strict=True) if one == one}
    if area.influence is None or len(known) < 2 or not _in_several(known):
        return plain
    if len(known) > COMPARED:
        why = Undefined(f"subjects with cases in several of more than {COMPARED} groups have no test")
        return replace(plain, statistic=why, p_value=why)
    try:
        joint = covariance_of_clustered_groups(known, area)
    except InputError as error:
        why = Undefined(str(error).rstrip("."))
        return replace(plain, statistic=why, p_value=why)
    found = equality_test(joint.areas, joint.matrix)
    note = "Subjects with cases in several groups are counted (with Obuchowski's covariance)."
    return replace(found, estimate=plain.estimate, notes=(note,))


def _in_several(groups: Mapping[str, Cases]) -> bool:
    names = [np.unique(np.asarray(part.ids).astype(str)) for part in groups.values()]
    return np.unique(np.concatenate(names)).size < sum(name.size for name in names)


def with_groups_as_scores(found: Any) -> AreaTable:
    """A table whose rows are groups, called by their names, where areas were asked for by group."""
    if not isinstance(found, GroupAreas):
        return found  # type: ignore[no-any-return]
    names = [name for name in found.groups if name not in found.skipped]
    rows = [replace(found[name], sample=replace(found[name].sample, score=name)) for name in names]
    return AreaTable(estimates=tuple(rows))


def differences_of_groups(
    cases: Cases, *, level: float, fpr: Range | None = None, tpr: Range | None = None
) -> Comparison | None:
    """Differences between all pairs of groups, up to twelve of them."""
    region = Region(fpr=fpr, tpr=tpr)
    return group_areas(cases, area_asked(None, region), AreaUncertainty(level=level)).differences
