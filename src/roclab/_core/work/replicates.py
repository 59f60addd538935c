"""Replicates: the same statistic of many random samples, in chunks with generators of their own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np

from roclab._core.work.seeds import spawn_seeds
from roclab._core.work.threads import Progress, in_order, leave_if_stopped

__all__ = ["CHUNK", "repeat", "repeat_rows"]

# Replicates are drawn in chunks of fixed size, each with a generator of its own: the result depends on the seed
# alone, not on how many workers share the chunks.
CHUNK = 50
ROWS = 250  # in a chunk that is drawn at once, where most of the cost is that of starting


def repeat(
    one: Callable[[np.random.Generator], Any],
    out: np.ndarray[Any, Any],
    *,
    rng: Any,
    workers: int = 1,
    progress: Progress | None = None,
) -> str:
    """Fill every row of ``out`` with ``one(generator)``, and return the words for the seed."""

    def fill(generator: np.random.Generator, rows: np.ndarray[Any, Any]) -> None:
        for at in range(len(rows)):
            leave_if_stopped()
            rows[at] = one(generator)

    return _in_chunks(fill, out, CHUNK, rng=rng, workers=workers, progress=progress)


def repeat_rows(
    many: Callable[[np.random.Generator, int], Any],
    out: np.ndarray[Any, Any],
    *,
    rng: Any,
    workers: int = 1,
    progress: Progress | None = None,
) -> str:
    """The same with ``many(generator, count)``, which draws a whole chunk of rows at once."""

    def fill(generator: np.random.Generator, rows: np.ndarray[Any, Any]) -> None:
        leave_if_stopped()
        rows[...] = many(generator, len(rows))

    return _in_chunks(fill, out, ROWS, rng=rng, workers=workers, progress=progress)


def _in_chunks(
    fill: Callable[[np.random.Generator, np.ndarray[Any, Any]], None],
    out: np.ndarray[Any, Any],
    size: int,
    *,
    rng: Any,
    workers: int,
    progress: Progress | None,
) -> str:
    starts = range(0, len(out), size)
    seeds, seed = spawn_seeds(rng, len(starts))

    def chunk(at: int) -> int:
        stop = min(starts[at] + size, len(out))
        fill(np.random.default_rng(seeds[at]), out[starts[at] : stop])
        return stop

    with closing(in_order(chunk, range(len(starts)), workers=workers)) as finished:
        for done in finished:
            if progress is not None:
                progress(done, len(out))
    return seed
