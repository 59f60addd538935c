"""Telling how far long work on an engine is: to whoever watches, and to nobody by default."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["is_watched", "tell", "watched"]

Watcher = Callable[[str, int, int], None]  # what is done, and how much of how much

_WATCHER: ContextVar[Watcher | None] = ContextVar("roclab_watcher", default=None)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Tell ``watcher`` of all work on engines inside; it may stop the work by raising.

    >>> seen = []
    >>> with watched(lambda doing, done, total: seen.append(doing)):
    ...     tell("sorting", 1, 2)
    >>> seen
    ['sorting']
    """
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def is_watched() -> bool:
    """Whether anybody is told."""
    return _WATCHER.get() is not None


def tell(doing: str, done: int = 0, total: int = 0) -> None:
    """Say what is being done, if somebody watches."""
    watcher = _WATCHER.get()
    if watcher is not None:
        watcher(doing, done, total)
