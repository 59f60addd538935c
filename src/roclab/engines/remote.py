"""Cases whose rows stay where they are: what verbs get instead of rows in memory, and ask the same questions.

Counts come when they are asked for and are kept. What only rows could answer is refused in one sentence.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.areas.cells import cells_at_edge
from roclab.data.cases import Cases
from roclab.data.remote import RemoteCases
from roclab.data.roles import Roles
from roclab.data.sources import SourceTable, check_accuracy
from roclab.data.subjects import rows_needed
from roclab.data.tally import Tally, check_both_classes
from roclab.engines.backends import Backend, backend_of
from roclab.engines.bounded_bins import BINS, bounded_cells
from roclab.engines.cells import Counted, opened_cells, spread_errors, tally_of_cells
from roclab.engines.estimates import area_of_counts
from roclab.engines.group_counts import Grouping, GroupShare, Member
from roclab.engines.group_plans import plan_of_groups
from roclab.engines.many_groups import areas_of_many_groups
from roclab.engines.near_rate import cases_about_rate
from roclab.engines.overview import Overview, check_counts
from roclab.engines.paired_scores import PairedScores
from roclab.engines.portable import exponent_of
from roclab.engines.quantising import Grid, binnings_of, half_width_of
from roclab.engines.regression import fit_where_rows_are, with_score
from roclab.engines.scan import Cells, Scanned
from roclab.engines.source_groups import MOST_GROUPS, MOST_PARTS, groups_of_source, too_many_groups
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.grouped import GroupedAreas
from roclab.models.logistic import LogisticFit
from roclab.names import ERROR_INTERVALS, Direction
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import AreaEstimate

__all__ = ["EngineCases", "remote_cases"]

_NO_CURVE = (None, *ERROR_INTERVALS)  # intervals that the area and DeLong's variance are enough for


def remote_cases(
    table: SourceTable,
    roles: Roles,
    *,
    by: Sequence[str] = (),
    pos_label: Any = None,
    neg_label: Any = None,
    weights: Any = None,
    direction: Any = "higher",
    missing: str = "error",
) -> EngineCases:
    """Cases of a source, after a first look at its labels, gaps and ranges; in groups, if columns make some."""
    if weights is not None and roles.weight is None:
        raise InputError(
            "", f"{named('weights', weights)} needs {named('sample_weight')}", Words("none"),
            "name the column of weights too",
        )  # fmt: skip
    if roles.weight is not None and (by or roles.fold is not None):
        raise InputError(
            "weight", f"has no part beside {named('by' if by else 'folds')} on an engine", roles.weight,
            f"leave one of them out, or fetch the rows with {named('engine', 'memory')}",
        )  # fmt: skip
    if by and roles.fold is not None:
        raise InputError(
            "folds", f"has no part beside {named('by')} on an engine", roles.fold, "leave one of them out, or name "
            f"both columns with {named('by')}",
        )  # fmt: skip
    asked = {"missing": missing, "pos_label": pos_label, "neg_label": neg_label, "weights": weights}
    member: Member | None = None
    grouping: Grouping | None = None
    columns = by or ([roles.fold] if roles.fold is not None else [])
    if columns:
        most = MOST_GROUPS if by else MOST_PARTS
        groups = groups_of_source(table, columns, wanted=roles.columns, missing=missing, most=most)
        share = GroupShare(groups)
        backend = backend_of(groups.with_groups(), roles, **asked)
        seen = backend.overview() if len(groups.names) > MOST_PARTS else share.whole(backend)
        grouping = Grouping(share, backend, seen)
    else:
        backend = backend_of(table, roles, **asked)
        share, at = table.known.get("share", (None, 0))
        seen = backend.overview() if share is None else share.overview(backend, at)
        if share is not None:
            backend = share.backend_of_part(backend)
            member = Member(share, at, lambda: share.overviews(backend))
    sides: dict[str, Direction] = {}
    for name in roles.scores:
        side = direction.get(name, "higher") if isinstance(direction, Mapping) else direction
        sides[name] = "higher" if side == "auto" else side
    cases = EngineCases(
        backend, seen, roles.scores, sides, check_accuracy(table.reading.accuracy), {}, chosen=False, member=member,
        grouping=grouping if by else None, folding=None if by else grouping,
    )  # fmt: skip
    return cases.turned() if direction == "auto" else cases


class EngineCases(RemoteCases):
    """Cases on an engine."""

    __slots__ = ("_accuracy", "_backend", "_folding", "_grouping", "_member", "_seen", "_tallies")

    _backend: Backend
    _seen: Overview
    _accuracy: float
    _tallies: dict[str, Tally]
    _member: Member | None  # where these are the cases of one group among others
    _grouping: Grouping | None  # where these are the cases of several groups
    _folding: Grouping | None  # or of several folds

    def __init__(
        self,
        backend: Backend,
        seen: Overview,
        names: Sequence[str],
        direction: Mapping[str, Direction],
        accuracy: float,
        tallies: dict[str, Tally],
        *,
        chosen: bool,
        member: Member | None = None,
        grouping: Grouping | None = None,
        folding: Grouping | None = None,
    ) -> None:
        super().__init__(
            names, direction, positive=seen.classes.positive, negative=seen.classes.negative, dropped=seen.dropped,
            outcome=seen.classes.remark, n_pos=seen.totals[0], n_neg=seen.totals[1], chosen=chosen,
            called=backend.table.called, clusters=seen.clusters, cases=seen.cases,
            weights="none" if seen.weights is None else seen.weights.kind,
            groups=None if grouping is None else (grouping.called, [grouping.names[at] for at in grouping.order]),
            folds=None if folding is None else folding.names,
        )  # fmt: skip
        own = {"_backend": backend, "_seen": seen, "_accuracy": accuracy, "_tallies": tallies, "_member": member}
        for name, value in {**own, "_grouping": grouping, "_folding": folding}.items():
            object.__setattr__(self, name, value)

    def _like(self, names: Sequence[str], direction: Mapping[str, Direction], *, chosen: bool) -> EngineCases:
        return EngineCases(
            self._backend, self._seen, names, direction, self._accuracy, self._tallies, chosen=chosen,
            member=self._member, grouping=self._grouping, folding=self._folding,
        )  # fmt: skip

    def without_groups(self) -> EngineCases:
        """All cases as one."""
        return EngineCases(
            self._backend, self._seen, self.names, self.direction, self._accuracy, self._tallies,
            chosen=self.direction_chosen, member=self._member, folding=self._folding,
        )  # fmt: skip

    def with_group_names(self, new: Mapping[str, str]) -> EngineCases:
        """The same cases whose groups have other names."""
        assert self._grouping is not None
        return EngineCases(
            self._backend, self._seen, self.names, self.direction, self._accuracy, self._tallies,
            chosen=self.direction_chosen, grouping=self._grouping.named(new),
        )  # fmt: skip

    def by_group(self) -> dict[str, RemoteCases]:
        """The cases of every group, as parts of the source that are counted together where one pass can do it."""
        assert self._grouping is not None
        if self.many_groups:
            raise too_many_groups(len(self._grouping.names))
        return self._parts(self._grouping)

    @property
    def many_groups(self) -> bool:
        """Whether there are so many groups that they are only counted at once."""
        return self._grouping is not None and len(self._grouping.names) > MOST_PARTS

    def areas_of_groups(self) -> GroupedAreas:
        """The AUC of the only score in all of them, and its spreads."""
        assert self._grouping is not None
        name, groups = self.only_name(), self._grouping.share.groups
        found = areas_of_many_groups(self._backend, self._seen, groups, name, lower=self.direction[name] == "lower")
        order = self._grouping.order
        if order == list(range(len(order))):
            return found
        return GroupedAreas(
            found.n_pos[order], found.n_neg[order], found.area[order], found.spread10[order], found.spread01[order]
        )

    def by_fold(self) -> dict[str, Cases]:
        """The cases of every fold likewise, in the order of their names: rows on an engine have none."""
        return super().by_fold() if self._folding is None else {**self._parts(self._folding)}

    def _parts(self, grouping: Grouping) -> dict[str, RemoteCases]:
        found: dict[str, RemoteCases] = {}
        for at in grouping.order:
            backend, seen, tallies, member = grouping.part(at)
            found[grouping.names[at]] = EngineCases(
                backend, seen, self.names, self.direction, self._accuracy, tallies, chosen=self.direction_chosen,
                member=member,
            )  # fmt: skip
        return found

    def turned(self) -> EngineCases:
        """The same with scores turned whose area is below one half."""
        self.count_together(self.names)
        sides: dict[str, Direction] = {
            name: "lower" if self.tally(name).leans_lower else "higher" for name in self.names
        }
        return self._like(self.names, sides, chosen=True)

    # -- counting --------------------------------------------------------------------------------------

    def tally(self, name: str | None = None) -> Tally:
        """The counts of one score: all of its values where they are few, else cells whose ends are true points."""
        name = self._name(name)
        if name not in self._tallies:
            higher = self._like([name], {name: "higher"}, chosen=False)
            self._tallies[name] = counted = higher._counted(name)
            self._check_unchanged(counted.pos.sum().item(), counted.neg.sum().item())
        found = self._tallies[name]
        if self.direction[name] == "lower":
            found = found.reversed()
        return replace(found, sample=self.sample(name))

    def _check_unchanged(self, pos: float, neg: float) -> None:
        check_counts(self._backend.table.called, self._seen, pos, neg)

    def _counted(self, name: str, first: Cells | None = None) -> Tally:
        backend, seen = self._backend, self._seen
        sample = self.sample(name)
        check_both_classes(sample)
        if self._member is not None and first is None:
            found = self._member.counted(backend, seen, name, [name], self._accuracy)
            if isinstance(found, Scanned):
                return self._tally_of(name, found)
            if found is not None and not found.joined.any():
                return tally_of_cells(found, sample, known=None, counted=f"{backend.name}, grouped")
            first = found
        if backend.few_distinct(seen, name):
            cells = backend.cells(seen, name, None)
            return tally_of_cells(cells, sample, known=None, counted=f"{backend.name}, grouped")
        if self._accuracy and not backend.holds(name):
            bounded = backend.binned(name) or bounded_cells(backend, seen, name, self._accuracy, first)
            if bounded is not None:
                return tally_of_cells(bounded[0], sample, known=None, counted=f"{backend.name}, {bounded[1]}")
        return self._tally_of(name, backend.scan(seen, name, lower=False))

    def count_together(self, names: Sequence[str]) -> None:
        """Count scores that will all be asked for in as few passes as memory allows."""
        left = [name for name in names if name not in self._tallies]
        if self._grouping is not None:
            self.count_parts(names)
            return
        if self._member is not None:  # one pass for all groups
            self._member.share.counted(self._backend, self._member.overviews(), self._member.at, left, self._accuracy)
            return
        if self._accuracy:
            left = [
                name
                for name in left
                if not (self._backend.few_distinct(self._seen, name) or self._backend.binned(name))
            ]
        size = self._backend.bins_at_once if self._accuracy else self._backend.at_once(self._seen)
        if size < 2 or len(left) < 2:
            return
        for start in range(0, len(left), size):
            some = left[start : start + size]
            if self._accuracy:
                self._bin_together(some)
                continue
            for name, scanned in zip(some, self._backend.scans(self._seen, some), strict=True):
                higher = self._like([name], {name: "higher"}, chosen=False)
                self._tallies[name] = higher._tally_of(name, scanned)

    def count_parts(self, names: Sequence[str]) -> None:
        """Count scores in all groups or folds, of which none need be counted alone."""
        grouping = self._grouping or self._folding
        if grouping is not None:
            next(iter(self._parts(grouping).values())).count_together(names)

    def _bin_together(self, names: Sequence[str]) -> None:
        """The first bins of several scores in one pass; those that need finer ones have passes of their own."""
        ways = {name: binnings_of(self._seen.ranges[name], BINS[0])[:1] for name in names}
        first = {name: way[0] for name, way in ways.items() if way}
        for name, cells in (self._backend.many_cells(self._seen, first) if first else {}).items():
            higher = self._like([name], {name: "higher"}, chosen=False)
            self._tallies[name] = higher._counted(name, cells)

    def _tally_of(self, name: str, scanned: Scanned) -> Tally:
        backend, sample, precision = self._backend, self.sample(name), scanned.average_precision
        known = Counted(
            scanned.sums, None if math.isnan(precision) else precision, scanned.excess[::-1], scanned.fourth
        )
        return tally_of_cells(scanned.cells, sample, known=known, counted=f"{backend.name}, {backend.exact_words}")

    def counts_at(self, threshold: float, name: str | None = None) -> tuple[float, float]:
        """Positives and negatives that are called positive at a threshold, or their weights, counted exactly."""
        name = self._name(name)
        return self._backend.reaching(self._seen, name, threshold, lower=self.direction[name] == "lower")

    def patterns_at(self, thresholds: Mapping[str, float]) -> list[tuple[bool, tuple[bool, ...], int]]:
        """What several scores call the same cases, from one GROUP BY."""
        if self.clustered:
            raise rows_needed()
        self._check_unweighted("comparisons")
        if len(thresholds) == 1:
            ((name, threshold),) = thresholds.items()
            tp, fp = map(int, self.counts_at(threshold, name))
            sample = self.sample(name)
            return [(True, (True,), tp), (True, (False,), int(sample.n_pos) - tp), (False, (True,), fp),
                    (False, (False,), int(sample.n_neg) - fp)]  # fmt: skip
        lower = {name: self.direction[name] == "lower" for name in thresholds}
        return self._backend.patterns(self._seen, thresholds, lower)

    def grid_cells(self, name: str, step: float | None) -> Cells:
        """Counts of one score that merge with those of others: every score apart, or cells of a grid."""
        seen = self._seen.ranges[name]
        if self.weights == "importance":
            self._check_unweighted("counts that travel")
        if step is None and self._backend.few_distinct(self._seen, name):
            return self._backend.cells(self._seen, name, None)
        largest = max(abs(seen.low), abs(seen.high))
        exponent = exponent_of(step if step is not None else (seen.high - seen.low) / (1 << 19) or 1.0)
        return self._backend.cells(self._seen, name, Grid(exponent=max(exponent, math.frexp(largest)[1] - 52)))

    def plan(self, *, paired: bool = False) -> list[str]:
        """What will be done to count these cases, or to compare their scores."""
        grouping = self._grouping or self._folding
        if grouping is not None:
            return plan_of_groups(grouping, self.names, self._accuracy, paired=paired)
        return self._backend.plan(self._seen, self._accuracy, paired=paired)

    # -- answers ---------------------------------------------------------------------------------------

    def areas(self, area: Area, asked: AreaUncertainty) -> dict[str, AreaEstimate]:
        """The area of every score, as ``areas_of`` gives it of rows."""
        found: dict[str, AreaEstimate] = {}
        if area.of_auc and asked.variance in (None, "delong") and asked.interval in _NO_CURVE:
            found = {
                name: area_of_counts(tally, area, asked)
                for name in self.names
                if (tally := self._summed(name)) is not None
            }
        self.count_together([name for name in self.names if name not in found])
        for name in self.names:
            if name not in found:
                found[name] = area_of_counts(self._opened(name, area), area, asked)
        return {name: found[name] for name in self.names}

    def _summed(self, name: str) -> Tally | None:
        """All cases as one cell, which is enough for the area and DeLong's variance, where that is cheaper."""
        backend, seen = self._backend, self._seen
        if name in self._tallies or self._member is not None or backend.few_distinct(seen, name):
            return None
        check_both_classes(self.sample(name))
        sums = backend.sums(seen, name)
        if sums is None:
            return None
        self._check_unchanged(sums.pos, sums.neg)
        ends, sample = seen.ranges[name], replace(self.sample(name), direction="higher")
        every = Cells(np.array([ends.low]), np.array([ends.high]), np.array([sums.pos]), np.array([sums.neg]))
        tally = tally_of_cells(every, sample, known=Counted(sums), counted=f"{backend.name}, {backend.exact_words}")
        if self.direction[name] == "lower":
            tally = tally.reversed()
        return replace(tally, sample=self.sample(name))

    def _opened(self, name: str, area: Area) -> Tally:
        """The counts of one score, with the scores themselves where a partial area begins and ends."""
        tally = self.tally(name)
        if area.region is None or tally.known is None or tally.top is None:
            return tally
        at = np.flatnonzero(cells_at_edge(tally, *area.region))
        if not at.size:
            return tally
        ends = [sorted(tally.shown(np.array([tally.score[one], tally.top[one]])).tolist()) for one in at]
        within = [(low, high) for low, high in ends]
        return opened_cells(tally, at, self._backend.cells(self._seen, name, None, within))

    def covariance(self, area: Area, *, clustered: bool, score: bool = False) -> AreaCovariance:
        """Covariance of the areas of all scores: DeLong's, or Obuchowski's where subjects have several cases."""
        self._check_unweighted("comparisons and clusters")
        few = [one for one in self.names if self._accuracy or self._backend.few_distinct(self._seen, one)]
        paired = PairedScores(self._backend, self._seen, {name: self.sample(name) for name in self.names}, area)
        if not area.of_auc:
            exact = self if not self._accuracy else EngineCases(
                self._backend, self._seen, self.names, self.direction, 0.0, {}, chosen=self.direction_chosen,
                member=self._member,
            )  # fmt: skip
            return paired.of_parts(exact._opened, clustered=clustered)
        return paired.of_subjects() if clustered else paired.of_places({name: self.tally(name) for name in few}, score)

    def keyed_rows(self, name: str) -> Iterator[tuple[Array, Array, Array]]:
        """Batches in ascending order of a score, which is turned: scores, classes and the keys of the ids."""
        self._check_unweighted("comparisons")
        return self._backend.keyed_rows(self._seen, name, lower=self.direction[name] == "lower")

    def regression(self, *, intercept: bool, level: float) -> tuple[LogisticFit, RemoteCases]:
        """A logistic regression on all scores, and the same cases with the fitted probability as their score."""
        self._check_unweighted("regressions")
        fit = fit_where_rows_are(self._backend, self._seen, self.names, intercept=intercept, level=level)
        called = "fitted probability"
        table = with_score(self._backend, fit, self.names, called)
        asked: Any = self._backend
        roles = Roles(asked.roles.label, (called,), None, None, None, None)
        scored = remote_cases(
            table, roles, pos_label=asked.pos_label, neg_label=asked.neg_label, missing=asked.missing
        )  # fmt: skip
        return fit, scored

    def about_rate(self, at: float, *, mirrored: bool) -> Cases:
        """All rows where they are few; of many those near the rate, and the others as counts."""
        self._check_unweighted("comparisons")
        return cases_about_rate(self, self._backend, self._seen, at, mirrored=mirrored)

    def _check_unweighted(self, what: str) -> None:
        """Refuse what has no form for weights here."""
        if self.weights != "none":
            raise InputError(
                "sample_weight", f"has no part in {what} on an engine", Words(f"{self.weights} weights"),
                f"leave it out, or fetch the rows with {named('engine', 'memory')}",
            )  # fmt: skip

    def numerical_notes(self, *, of_auc: bool = True) -> tuple[str, ...]:
        """How far differences and their standard errors can be from those of the rows, where scores are in cells."""
        if not self._accuracy:
            return ()
        if not of_auc:
            return ("Parts of curves are compared exactly, whatever accuracy was allowed.",)
        notes = []
        for one, two in combinations(self.names, 2):
            tallies = [self.tally(name) for name in (one, two)]
            if any(tally.known is not None for tally in tallies):
                continue  # counted exactly after all
            area = sum(half_width_of(tally) for tally in tallies)
            e10, e01 = (sum(errors) for errors in zip(*map(spread_errors, tallies), strict=True))
            se = math.sqrt(e10**2 / tallies[0].n_pos + e01**2 / tallies[0].n_neg)
            if area or se:
                notes.append(f"{one} - {two}: numerical error at most {area:.2g}, of its standard error {se:.2g}.")
        return tuple(notes)
