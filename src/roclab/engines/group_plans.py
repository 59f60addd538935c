"""What will be done to count the groups of a source, in lines; their names and a first look have been taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from roclab._core.checks import plural
from roclab.engines.duckdb_backend import DuckdbBackend
from roclab.engines.group_counts import SMALL, Grouping, leaves_at_once
from roclab.engines.group_passes import Parts
from roclab.engines.plans import SMALL_MEMORY, budget_of, line_of, passes
from roclab.engines.sorting import CASE

__all__ = ["plan_of_groups"]


def plan_of_groups(grouping: Grouping, names: Sequence[str], accuracy: float, *, paired: bool) -> list[str]:
    """Lines for every way in which scores are counted in groups."""
    groups, backend, seen = grouping.share.groups, grouping.backend, grouping.seen
    where = "where the rows are" if groups.native else "embedded"
    count = plural(len(grouping.names), "group")
    lines = [
        f"engine: {backend.name}, {where}; {seen.cases:,} cases of {backend.table.called} in {count} by {groups.called}"
    ]
    parts = {at: one for at, one in grouping.overviews().items() if one.classes.n_pos and one.classes.n_neg}
    one_class = len(grouping.names) - len(parts)
    if one_class:
        lines[0] += f", of which {one_class} with one class only"
    step = "aggregate" if groups.native else "pass"
    lines.append(f"groups: 1 {step} for their names, 1 first look at all of them, or 2 where values are missing")
    if groups.native:
        lines += [f"{name}: {_on_engine(parts, accuracy)}; less than 0.3 GB here" for name in names]
        if paired and len(names) > 1:
            moved = "places by bins" if accuracy else f"{plural(len(names), 'shuffle')} for the places"
            lines.append(f"{', '.join(names)}: paired: {moved} and 1 aggregate of products for each of the groups")
        return lines
    if (paired and len(names) > 1) or seen.clusters is not None:
        return [*lines, *_paired(cast(DuckdbBackend, backend), grouping, parts, names, accuracy)]
    return [*lines, *_counted(cast(DuckdbBackend, backend), grouping, parts, names, accuracy)]


def _on_engine(parts: Parts, accuracy: float) -> str:
    small = sum(seen.cases <= SMALL for seen in parts.values())
    large = len(parts) - small
    lines = []
    if small:
        together = "1 aggregate for" if leaves_at_once(parts) else "1 aggregate for each of"
        lines.append(f"exact, {together} {plural(small, 'group')} of at most {SMALL:,} cases")
    if large:
        each = f"bins until the error is at most {accuracy:g}, 1 to 6" if accuracy else "exact, 2 to 5"
        lines.append(f"{each} aggregates for each of {large} larger")
    return ", ".join(lines)


def _counted(
    backend: DuckdbBackend, grouping: Grouping, parts: Parts, names: Sequence[str], accuracy: float
) -> list[str]:
    share, lines = grouping.share, []
    few = [name for name in names if share.few(parts, name)]
    if len(parts) < 2:
        return [line_of(list(names), "as a source of one group", SMALL_MEMORY, 0.0)]
    if accuracy or len(names) == 1:
        for name in few:
            lines.append(line_of([name], "exact, grouped by group and score: 1 pass for all groups", SMALL_MEMORY, 0.0))
    others = [name for name in names if name not in few] if accuracy or len(names) == 1 else list(names)
    if not others:
        return lines
    if accuracy:
        how = f"bins until the error is at most {accuracy:g}: 1 pass for all groups"
        if len(others) > 1:
            how += " and each score"
        how += ", and up to 6 more over the rows of each group that needs finer bins"
        return [*lines, line_of(others, how, SMALL_MEMORY, 0.0)]
    size, cases = share.at_once(backend, parts), sum(seen.cases for seen in parts.values())
    size = min(size, len(others))
    how = f"exact, sorted scan of every group: {passes(-(-len(others) // size))} for all groups"
    if len(others) > 1:
        how += f", of up to {plural(size, 'score')}"
    spill = 8.0 * cases if cases > backend.capacity() else 0.0
    return [*lines, line_of(others, how, min(CASE * cases * size + 300e6, budget_of(backend)), spill)]


def _paired(
    backend: DuckdbBackend, grouping: Grouping, parts: Parts, names: Sequence[str], accuracy: float
) -> list[str]:
    """Every group is a source of its own here: what is looked up is counted in all groups, what is sorted in each."""
    lines = []
    known = [name for name in names if accuracy or all(backend.few_distinct(seen, name) for seen in parts.values())]
    if known:
        lines.append(line_of(known, f"counted first, {passes(len(known))} at least for all groups", SMALL_MEMORY, 0.0))
    sorts = len(names) - len(known)
    largest: Any = max((seen.cases for seen in parts.values()), default=0)
    how = f"paired: {passes(len(parts))}, one over the rows of each group"
    if sorts:
        how += f", with {plural(sorts, 'sort')} of them one after another"
    spill = 64.0 * largest if sorts and 64.0 * largest > budget_of(backend) else 0.0
    memory = min(64.0 * largest + 300e6, budget_of(backend)) if sorts else SMALL_MEMORY
    return [*lines, line_of(list(names), how, memory, spill)]
