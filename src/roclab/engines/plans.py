"""What will be done to count a source, in lines: engine, mode, passes over the rows, memory and disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roclab._core.checks import plural
from roclab.data.sources import bytes_of
from roclab.engines.overview import Overview
from roclab.engines.sorting import CASE

if TYPE_CHECKING:
    from roclab.engines.duckdb_backend import DuckdbBackend
    from roclab.engines.narwhals_backend import NarwhalsBackend

__all__ = ["SMALL_MEMORY", "budget_of", "line_of", "passes", "plan_of_duckdb", "plan_on_engine"]

SMALL_MEMORY = 250e6  # bytes that groups and bins need
_SHOWN = 3
_HERE = "less than 0.3 GB here, nothing on disk here"


def plan_of_duckdb(backend: DuckdbBackend, seen: Overview, accuracy: float, *, paired: bool) -> list[str]:
    """Lines for every way in which scores of a source are counted; a first look at it has been taken."""
    lines = [f"engine: {backend.name}, embedded; {seen.cases:,} cases of {backend.table.called}"]
    scores = backend.roles.scores
    if seen.weights is not None:
        return [*lines, *_weighted(backend, seen, accuracy)]
    few = [name for name in scores if backend.few_distinct(seen, name)]
    others = [name for name in scores if name not in few]
    if (paired and len(scores) > 1) or seen.clusters is not None:
        return [*lines, *_paired(backend, seen, accuracy, few, others)]
    counted = backend.first
    made = [name for name in others if accuracy and backend.binned(name)]
    if made:
        how = f"bins until the error is at most {accuracy:g}: counted by the first look"
        lines.append(line_of(made, how, SMALL_MEMORY, 0.0))
        others = [name for name in others if name not in made]
    if accuracy and others and not all(map(backend.holds, others)):
        at_once = min(backend.bins_at_once, len(others))
        first = "1 to 6 passes"
        if len(others) > 1:
            first = f"{passes(-(-len(others) // at_once))} of up to {at_once} scores"
            first += ", and up to 5 more for each that needs finer bins"
        lines.append(line_of(others, f"bins until the error is at most {accuracy:g}: {first}", SMALL_MEMORY, 0.0))
        others = []
    if accuracy or len(scores) == 1:
        for name in few:
            done = "counted by the first look" if counted is not None else "1 pass"
            lines.append(line_of([name], f"exact, grouped by score: {done}", SMALL_MEMORY, 0.0))
        few = []
    every = [name for name in scores if name in few or name in others]
    if every:
        lines.append(_scans(backend, seen, every))
    return lines


def plan_on_engine(backend: NarwhalsBackend, seen: Overview, accuracy: float, *, paired: bool) -> list[str]:
    """Lines for every way in which scores are counted by the engine that they are on."""
    lines = [f"engine: {backend.name}, where the rows are; {seen.cases:,} cases of {backend.table.called}"]
    names = backend.roles.scores
    if seen.weights is not None:
        lines.append(f"{seen.weights.name}: {seen.weights.kind} weights, 3 aggregates for their size and their totals")
    together = (paired and len(names) > 1) or seen.clusters is not None
    for name in names:
        if accuracy and seen.clusters is None:
            how = f"bins until the error is at most {accuracy:g}: 1 to 6 aggregates of at most 2²² rows"
        elif together:
            how = "1 aggregate to place bins"
        else:
            how = "exact: 1 aggregate to place bins, 1 of seven sums in each; at most 2¹⁶ rows leave the engine"
        lines.append(f"{name}: {how}; {_HERE}")
    if together:
        moved = (
            "places by bins, no row moves"
            if accuracy and seen.clusters is None
            else f"{plural(len(names), 'shuffle')} by bin for the places"
        )
        left = "1 aggregate of products by class and bin"
        if seen.clusters is not None:
            left = f"1 aggregate by subject, {seen.clusters:,} rows of which leave the engine"
        lines.append(f"{', '.join(names)}: paired: {moved}, {left}; {_HERE}")
    return lines


def _weighted(backend: DuckdbBackend, seen: Overview, accuracy: float) -> list[str]:
    """Weights are looked at before anything else; every score is then grouped, or sorted by itself."""
    assert seen.weights is not None
    lines = [f"{seen.weights.name}: {seen.weights.kind} weights, 3 passes for their size, the classes and their totals"]
    for name in backend.roles.scores:
        if backend.few_distinct(seen, name):
            lines.append(line_of([name], "exact, grouped by score: 1 pass", SMALL_MEMORY, 0.0))
        elif accuracy:
            how = f"bins until the error is at most {accuracy:g}: 1 to 6 passes"
            lines.append(line_of([name], how, SMALL_MEMORY, 0.0))
        else:
            spill = 24.0 * seen.cases if seen.cases > backend.capacity() else 0.0
            memory = min(24.0 * seen.cases + 300e6, budget_of(backend))
            lines.append(line_of([name], "exact, sorted with its weights: 1 pass", memory, spill))
    return lines


def _scans(backend: DuckdbBackend, seen: Overview, names: list[str]) -> str:
    """Sorted scans: as many scores a pass as fit into memory."""
    at_once = min(backend.at_once(seen), len(names))
    kept = all(map(backend.holds, names))
    count = -(-len(names) // at_once)
    spill = 8.0 * seen.cases if seen.cases > backend.capacity() else 0.0
    memory = min(CASE * seen.cases * at_once + 300e6, budget_of(backend))
    how = "exact, sorted scan: " + ("read by the first look" if kept else passes(count))
    if len(names) > 1 and not kept:
        how += f" of up to {plural(at_once, 'score')}"
    return line_of(names, how, memory, spill)


def _paired(backend: DuckdbBackend, seen: Overview, accuracy: float, few: list[str], others: list[str]) -> list[str]:
    """Scores of the same cases: those that are known from counts are looked up, the others sorted one after another."""
    lines = []
    known = [*few, *(others if accuracy else ())]
    if known:
        lines.append(line_of(known, f"counted first, {passes(len(known))} at least", SMALL_MEMORY, 0.0))
    sorts = 0 if accuracy else len(others)
    how = f"paired: 1 pass, {plural(sorts, 'sort')} of all cases one after another" if sorts else "paired: 1 pass"
    spill = 64.0 * seen.cases if sorts and 64.0 * seen.cases > budget_of(backend) else 0.0
    memory = min(64.0 * seen.cases + 300e6, budget_of(backend)) if sorts else SMALL_MEMORY
    return [*lines, line_of(list(backend.roles.scores), how, memory, spill)]


def passes(count: int) -> str:
    """So many passes, in words."""
    return "1 pass" if count == 1 else f"{count} passes"


def budget_of(backend: DuckdbBackend) -> float:
    """Bytes that may be used."""
    limit = bytes_of(backend.table.reading.memory_limit)
    return float(limit) if limit is not None else 2.0 * CASE * backend.capacity()


def line_of(names: list[str], how: str, memory: float, spill: float) -> str:
    """What is done to count some scores, and what that needs."""
    disk = f"up to {spill / 1e9:.1f} GB on disk" if spill else "nothing on disk"
    called = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    return f"{called}: {how}, about {memory / 1e9:.1f} GB of memory, {disk}"
