"""All groups of a source together: one look and one count, where each group alone would cost a look and a count.

Groups are asked one after another. The first that is looked at has all others looked at too, and the first whose score
is counted has that score counted in all of them: each group then finds what the pass has seen of it. A group may still
be asked alone, as the part of the source that it is, for whatever one pass does not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, cast

from roclab.data.files.duckdb import opened
from roclab.data.sources import SourceTable
from roclab.data.tally import Tally
from roclab.engines.backends import Backend
from roclab.engines.duckdb_backend import DuckdbBackend
from roclab.engines.duckdb_look import check_cells, looks
from roclab.engines.group_passes import (
    Parts,
    cells_by_group,
    cells_on_engine,
    scans_by_group,
    subjects_by_group,
    subjects_on_engine,
)
from roclab.engines.narwhals_backend import NarwhalsBackend
from roclab.engines.overview import Look, Overview, ScoreRange, overview_of, ranges_of
from roclab.engines.quantising import binnings_of
from roclab.engines.scan import Cells, Scanned
from roclab.engines.source_groups import SourceGroups, groups_of_source, key_of, plain_key
from roclab.engines.watching import tell
from roclab.errors import InputError

__all__ = ["SMALL", "GroupShare", "Grouping", "Member", "leaves_at_once", "parts_of_source"]

_LOOKS = 1_000_000  # rows of a look at all groups
_FEW = 1_000_000  # distinct scores of all groups that are grouped rather than sorted
_BINS = (1 << 16, 1 << 14, 1 << 12)
_ALL_BINS = 1 << 22  # of all groups together
SMALL = 1 << 16  # cases of a group whose scores leave an engine of the user's as they are
_OUT = 1 << 21  # cases of such groups that leave it at once


@dataclass(slots=True)
class GroupShare:
    """What the groups of a source share, as far as it has been seen."""

    groups: SourceGroups
    _looks: dict[Any, tuple[list[list[Look]], list[Look]]] = field(default_factory=dict)
    _found: dict[tuple[Any, str, int], Scanned | Cells] = field(default_factory=dict)
    _done: set[tuple[Any, str]] = field(default_factory=set)  # scores by which all groups have been counted
    _subjects: dict[int, int] | None = None

    # -- looking -------------------------------------------------------------------------------------------

    def looks(self, backend: Backend) -> tuple[list[list[Look]], list[Look]]:
        """What there is in every group, and what belongs to none; one pass."""
        asked = cast(Any, backend)
        key = (asked.roles, repr(asked.pos_label))
        if key not in self._looks:
            tell(f"{backend.name}: first look at {len(self.groups.names)} groups of {self.groups.table.called}")
            whole = self._whole_backend(backend)
            found = self._looks_on_engine(whole) if self.groups.native else self._looks_of_files(whole)
            place = {key: at for at, keys in enumerate(self.groups.keys) for key in keys}
            parts: list[list[Look]] = [[] for _ in self.groups.names]
            none: list[Look] = []
            for group, *look in found:
                (parts[place[group]] if group in place else none).append(tuple(look))
            self._looks[key] = parts, none
        return self._looks[key]

    def _whole_backend(self, backend: Backend) -> Any:
        return replace(cast(Any, self.backend_of_part(backend)), table=self.groups.table)

    def backend_of_part(self, backend: Backend) -> Backend:
        """The backend of a group: nothing is counted before, and few scores may leave an engine as they are."""
        changed: dict[str, Any] = {"small": SMALL} if self.groups.native else {"first": None}
        return cast(Backend, replace(cast(Any, backend), **changed))

    def _looks_on_engine(self, whole: NarwhalsBackend) -> list[Look]:
        found = whole.looks(self.groups.columns)
        whole.check_ends(ranges_of(whole.roles.scores, [row[1:] for row in found]))
        return [(plain_key(row[0]), *row[1:]) for row in found]

    def _looks_of_files(self, whole: DuckdbBackend) -> list[Look]:
        with opened(whole.table) as handle:
            whole.rows(handle, whole.roles.scores)
            found = looks(whole, handle, key_of(self.groups.columns, text=handle.text), most=_LOOKS)
            if len(found) == _LOOKS:
                raise InputError(
                    whole.roles.label, "must hold classes", way_out="name another column, or make the outcome by a rule"
                )
            check_cells(whole, handle, [row[1:] for row in found])
        return found

    def overview(self, backend: Backend, at: int) -> Overview:
        """What one group holds, judged by itself."""
        if backend.roles.id is not None:
            return backend.overview()
        return overview_of(cast(Any, backend), self.looks(backend)[0][at])

    def overviews(self, backend: Backend) -> Parts:
        """What every group holds that can be judged."""
        found = {}
        for at in range(len(self.groups.names)):
            try:
                found[at] = self.overview(backend, at)
            except InputError:  # said when that group is asked
                continue
        return found

    def whole(self, backend: Backend) -> Overview:
        """What all groups hold together; cases without a group count as dropped."""
        if backend.roles.id is not None:
            seen = backend.overview()
        else:
            seen = overview_of(cast(Any, backend), [look for part in self.looks(backend)[0] for look in part])
        return replace(seen, dropped=seen.dropped + sum(look[2] for look in self.looks(backend)[1]))

    def part_of(self, backend: Backend, whole: Overview, at: int) -> Overview:
        """What one group holds, with the classes of all."""
        rows = [look for look in self.looks(backend)[0][at] if not look[1]]
        n_pos, n_neg = (
            sum(look[2] for look in rows if look[0] in side)
            for side in (whole.classes.positives, whole.classes.negatives)
        )
        classes = replace(whole.classes, n_pos=n_pos, n_neg=n_neg)
        part = replace(whole, classes=classes, ranges=ranges_of(backend.roles.scores, rows))
        return (
            part if backend.roles.id is None else replace(part, clusters=self._subjects_of(backend, whole).get(at, 0))
        )

    def _subjects_of(self, backend: Backend, whole: Overview) -> dict[int, int]:
        if self._subjects is None:
            every = dict.fromkeys(range(len(self.groups.names)), whole)
            counted = subjects_on_engine if self.groups.native else subjects_by_group
            self._subjects = counted(self._whole_backend(backend), self.groups, every)
        return self._subjects

    # -- counting ------------------------------------------------------------------------------------------

    def counted(self, backend: Backend, parts: Parts, at: int, names: Sequence[str], accuracy: float) -> None:
        """Count scores in all groups that have both classes, and the same ones as the group ``at``."""
        if at not in parts:
            return
        sides = parts[at].classes.positives, parts[at].classes.negatives
        left = [name for name in names if (sides, name) not in self._done]
        self._done |= {(sides, name) for name in left}
        alike = {
            one: seen
            for one, seen in parts.items()
            if (seen.classes.positives, seen.classes.negatives) == sides and seen.classes.n_pos and seen.classes.n_neg
        }
        if not left or len(alike) < 2:
            return
        whole = self._whole_backend(backend)
        if self.groups.native:
            self._count_small(whole, alike, sides, left)
        elif accuracy:
            self._count_bins(whole, alike, sides, left)
        else:
            self._count_files(whole, alike, sides, left)

    def _count_small(self, whole: NarwhalsBackend, parts: Parts, sides: Any, names: Sequence[str]) -> None:
        small = {at: seen for at, seen in parts.items() if seen.cases <= SMALL}
        if not leaves_at_once(parts):
            return
        for name in names:
            for at, cells in cells_on_engine(whole, self.groups, small, name).items():
                self._found[sides, name, at] = cells

    def _count_bins(self, whole: DuckdbBackend, parts: Parts, sides: Any, names: Sequence[str]) -> None:
        bins = next((one for one in _BINS if one * len(parts) <= _ALL_BINS), _BINS[-1])
        for name in names:
            few = self.few(parts, name)
            ways = [] if few else binnings_of(_span([seen.ranges[name] for seen in parts.values()]), bins)
            if ways or few:
                for at, cells in cells_by_group(whole, self.groups, parts, name, ways[0] if ways else None).items():
                    self._found[sides, name, at] = cells

    def _count_files(self, whole: DuckdbBackend, parts: Parts, sides: Any, names: Sequence[str]) -> None:
        few = [name for name in names if self.few(parts, name)]
        for name in few if len(names) == 1 else ():
            for at, cells in cells_by_group(whole, self.groups, parts, name, None).items():
                self._found[sides, name, at] = cells
        others = list(names) if len(names) > 1 else [name for name in names if name not in few]
        size = self.at_once(whole, parts)
        for start in range(0, len(others), size):
            for name, at, scanned in scans_by_group(whole, self.groups, parts, others[start : start + size]):
                self._found[sides, name, at] = scanned

    def at_once(self, backend: DuckdbBackend, parts: Parts) -> int:
        """Scores that one pass can collect in all groups."""
        return max(1, min(backend.capacity() // max(sum(seen.cases for seen in parts.values()), 1), backend.together))

    def few(self, parts: Parts, name: str) -> bool:
        """Whether scores repeat so much that grouping them is cheaper than sorting."""
        distinct = sum(seen.ranges[name].distinct for seen in parts.values())
        return distinct <= min(_FEW, 0.3 * sum(seen.cases for seen in parts.values()))

    def found(self, seen: Overview, name: str, at: int) -> Scanned | Cells | None:
        """What a pass over all groups has counted in one of them; given away."""
        return self._found.pop(((seen.classes.positives, seen.classes.negatives), name, at), None)


def leaves_at_once(parts: Parts) -> bool:
    """Whether distinct scores of small groups may leave an engine of the user's together."""
    small = sum(seen.cases <= SMALL for seen in parts.values())
    return small > 1 and sum(seen.cases for seen in parts.values()) <= _OUT


def _span(ranges: Sequence[ScoreRange]) -> ScoreRange:
    return ScoreRange(
        low=min(one.low for one in ranges), high=max(one.high for one in ranges),
        infinite=any(one.infinite for one in ranges), distinct=sum(one.distinct for one in ranges),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """One group among the others that share passes with it; ``overviews`` says what each of them holds."""

    share: GroupShare
    at: int
    overviews: Callable[[], Parts]

    def counted(
        self, backend: Backend, seen: Overview, name: str, names: Sequence[str], accuracy: float
    ) -> Scanned | Cells | None:
        """The count of one score in this group, if one pass counts it, and others of ``names``, in all groups."""
        self.share.counted(backend, self.overviews(), self.at, names, accuracy)
        return self.share.found(seen, name, self.at)


class Grouping:
    """The groups of cases that were read as one: their parts, each with what has been counted of it."""

    def __init__(self, share: GroupShare, backend: Backend, seen: Overview) -> None:
        self.share, self.backend, self.seen = share, backend, seen
        self.called, self.names = share.groups.called, list(share.groups.names)
        self.order = list(range(len(self.names)))
        self._tallies: list[dict[str, Tally]] = [{} for _ in self.names]
        self._parts: dict[int, Overview] = {}

    def named(self, new: Mapping[str, str]) -> Grouping:
        """The same groups under other names, in the order of those."""
        other = copy(self)
        other.names = [new[name] for name in self.names]
        other.order = sorted(self.order, key=other.names.__getitem__)
        return other

    def overviews(self) -> Parts:
        """What every group holds."""
        if not self._parts:
            self._parts = {at: self.share.part_of(self.backend, self.seen, at) for at in range(len(self.names))}
        return self._parts

    def part(self, at: int) -> tuple[Backend, Overview, dict[str, Tally], Member]:
        """The backend of one group, what it holds, its counts so far, and its like."""
        backend: Backend = replace(cast(Any, self.backend), table=self.share.groups.part(at))
        return (
            self.share.backend_of_part(backend),
            self.overviews()[at],
            self._tallies[at],
            Member(self.share, at, self.overviews),
        )


def parts_of_source(
    table: SourceTable, by: Sequence[str], *, wanted: Sequence[str] | None, missing: str
) -> tuple[str, list[tuple[str, SourceTable]]]:
    """What makes the groups of a source, and each of them as a source that shares its passes with the others."""
    groups = groups_of_source(table, by, wanted=wanted, missing=missing)
    share = GroupShare(groups)
    engine = "native" if groups.native else "duckdb"  # few rows of a group are no reason to fetch them
    parts = []
    for at, name in enumerate(groups.names):
        part = groups.part(at)
        part.known["share"] = (share, at)
        parts.append((name, replace(part, reading=replace(part.reading, engine=engine))))
    return groups.called, parts
