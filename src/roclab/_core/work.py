"""Long work: many small pieces, on any number of threads, with progress, in order, and stopped at once by Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

__all__ = ["Progress", "in_order"]

Item = TypeVar("Item")
Result = TypeVar("Result")
Progress = Callable[[int, int], None]  # called with (done, total)

_LOOK = 0.2  # seconds between two looks at Ctrl-C while threads are at work


def in_order(
    do: Callable[[Item], Result], items: Sequence[Item], *, workers: int = 1, progress: Progress | None = None
) -> Iterator[Result]:
    """Results of all items, in their order; what has not begun is dropped when anything goes wrong."""
    if workers == 1:
        for done, item in enumerate(items, start=1):
            yield do(item)
            if progress is not None:
                progress(done, len(items))
        return
    pool = ThreadPoolExecutor(workers)
    try:
        running: list[Future[Result]] = [pool.submit(do, item) for item in items]
        for done, one in enumerate(running, start=1):
            while not one.done():  # waiting without an end would not hear Ctrl-C on every system
                wait([one], timeout=_LOOK)
            yield one.result()
            if progress is not None:
                progress(done, len(items))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
