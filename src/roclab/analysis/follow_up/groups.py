"""Areas over time in every group of cases, each with a censoring of its own, and whether the groups differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.text import format_number, text_table, without_shared
from roclab.analysis.follow_up.areas import areas_of_followed
from roclab.analysis.follow_up.read import Followed
from roclab.analysis.follow_up.results import AreasOverTime, HorizonArea, moment_words
from roclab.errors import InputError
from roclab.inference.comparison.contrasts import Difference, contrast
from roclab.inference.comparison.simultaneous import pairs_compared
from roclab.inference.one_area.heterogeneity import heterogeneity_test
from roclab.options.comparison import Pairs
from roclab.options.follow_up import FollowUpOptions
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import TestResult
from roclab.results.pictured import Pictured

__all__ = ["GroupsOverTime", "areas_by_group"]

_COMPARED = 12  # groups up to which all pairs are


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupsOverTime(Pictured):
    """Areas of every group, and of every score and horizon a test that all groups have the same.

    Groups are different cases, each with its own weights, so that their areas are independent.
    """

    by: str
    areas: Mapping[str, tuple[HorizonArea, ...]]
    heterogeneity: Mapping[str, TestResult]  # of every score and horizon, as "marker at 730"
    differences: Mapping[str, tuple[Difference, ...]]  # likewise; of up to twelve groups
    skipped: Mapping[str, str]  # groups without an area, and why
    notes: tuple[str, ...] = ()

    def __getitem__(self, group: Any) -> tuple[HorizonArea, ...]:
        name = str(group)
        if name not in self.areas:
            why = f" because {self.skipped[name]}" if name in self.skipped else ""
            raise InputError("group", f"must be one of {', '.join(map(repr, self.areas))}{why}", group)
        return self.areas[name]

    def rows(self) -> list[dict[str, Any]]:
        """One row for every group, score and horizon."""
        return [{self.by: group, **row} for group, areas in self.areas.items() for area in areas for row in area.rows()]

    def __str__(self) -> str:
        rows, below = without_shared(self.rows(), ["method", "interval"])
        lines = [text_table(rows), *below, ""]
        for about, test in self.heterogeneity.items():
            lines.append(
                f"same area of {about} in all groups: {test.distribution}, statistic {format_number(test.statistic)}, "
                f"p {format_number(test.p_value)}"
            )
        pairs = [{"of": about, **row} for about, found in self.differences.items() for one in found
                 for row in one.rows()]  # fmt: skip
        lines += ["", text_table(pairs)] if pairs else []
        lines += [f"no area in {name}: {why}" for name, why in self.skipped.items()]
        return "\n".join([*lines, "", "Each group has its own weights; adjusted p: holm.", *self.notes])


def areas_by_group(followed: Followed, options: FollowUpOptions, how: AreaUncertainty) -> GroupsOverTime:
    """Areas of every group, and their differences at each horizon."""
    areas: dict[str, tuple[HorizonArea, ...]] = {}
    skipped: dict[str, str] = {}
    said: dict[str, tuple[str, ...]] = {}
    error: InputError | None = None
    for name, part in followed.by_group().items():
        try:
            found = areas_of_followed(part, options, how)
        except InputError as reason:
            error = error or reason
            skipped[name] = str(reason).rstrip(".")
            continue
        areas[name] = found.areas if isinstance(found, AreasOverTime) else (found,)
        said[name] = found.notes
    if not areas:
        assert error is not None
        raise error.inside(f"{followed.grouped_by} {next(iter(skipped))}")
    about = [f"{one.sample.score} {moment_words(one)}" for one in next(iter(areas.values()))]
    each = {words: [own[at] for own in areas.values()] for at, words in enumerate(about)}
    return GroupsOverTime(
        by=followed.grouped_by, areas=areas, skipped=skipped, notes=_together(said),
        heterogeneity={
            words: heterogeneity_test(
                np.array([one.area for one in own]), np.array([one.standard_error for one in own])
            )
            for words, own in each.items()
        } if len(areas) > 1 else {},
        differences={words: _pairs(list(areas), own, how.level) for words, own in each.items()}
        if 1 < len(areas) <= _COMPARED else {},
    )  # fmt: skip


def _together(said: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Notes of all groups once, those of some with the name of their group."""
    every = list(dict.fromkeys(note for notes in said.values() for note in notes))
    shared = [note for note in every if all(note in notes for notes in said.values())]
    return (*shared, *(f"{name}: {note}" for name, notes in said.items() for note in notes if note not in shared))


def _pairs(names: Sequence[str], areas: Sequence[HorizonArea], level: float) -> tuple[Difference, ...]:
    values = np.array([one.area for one in areas])
    matrix = np.diag([one.standard_error**2 for one in areas])

    def difference(i: int, j: int, at_level: float) -> Difference:
        weights = np.zeros(len(names))
        weights[i], weights[j] = 1, -1
        return contrast(values, matrix, weights, names=(names[i], names[j]), level=at_level, alternative="two-sided",
                        method="influence")  # fmt: skip

    return pairs_compared(names, Pairs(level=level), difference, matrix)
