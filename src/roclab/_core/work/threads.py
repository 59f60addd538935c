"""Threads: results in the order of the items, and an end within a moment when the work is no longer wanted."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from typing import Any, BinaryIO, Generic, TypeVar

__all__ = ["Progress", "ahead", "attended", "in_order", "leave_if_stopped", "leave_with", "unfinished"]

Item = TypeVar("Item")
Result = TypeVar("Result")
Progress = Callable[[int, int], None]  # called with (done, total)

_LOOK = 0.2  # seconds between two looks at Ctrl-C: waiting without an end would not hear it on every system
_PARTING = 0.5  # seconds that threads have to leave after a stop; being daemons they keep no process alive
_NAME = "roclab worker"
_here = threading.local()  # the crew to which a thread belongs


class _Stopped(BaseException):
    """The work of this thread is no longer wanted; no Exception, so that nobody on the way takes it for an error."""


def leave_if_stopped() -> None:
    """Leave a piece of work whose run was stopped; a step between two calls should take no longer than a moment."""
    crew = getattr(_here, "crew", None)
    if crew is not None and crew.stopped:
        raise _Stopped


def unfinished() -> bool:
    """True while threads of stopped work have not left, because the step they are in takes long."""
    return any(one.name == _NAME for one in threading.enumerate())


def leave_with(stream: BinaryIO) -> None:
    """End this process as soon as the other end of ``stream`` is gone: a worker does not outlive who asked for it."""

    def wait() -> None:
        while stream.read(1):
            pass
        os._exit(1)

    threading.Thread(target=wait, name="roclab parting", daemon=True).start()


def in_order(
    do: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    workers: int = 1,
    progress: Progress | None = None,
    waiting: int | None = None,
) -> Generator[Result, None, None]:
    """Results of all items, in their order; what has not begun is dropped when anything goes wrong.

    Of several items that fail, the first in order is the one whose error is raised, whoever was faster. Where results
    are large, ``waiting`` says how many items may be begun before the first of them is fetched.
    """
    if workers == 1 or len(items) < 2:
        for done, item in enumerate(items, start=1):
            yield do(item)
            if progress is not None:
                progress(done, len(items))
        return
    crew = _Crew(do, items, waiting)
    try:
        crew.start(min(workers, len(items)))
        for done in range(len(items)):
            yield crew.result(done)
            if progress is not None:
                progress(done + 1, len(items))
    finally:
        crew.stop()


def attended(do: Callable[[], Result], stop: Callable[[], None], meanwhile: Callable[[], None] | None = None) -> Result:
    """The result of one long call into a library that does not hear Ctrl-C; ``stop`` makes it return.

    Whoever waits calls ``meanwhile`` from time to time.

    >>> attended(lambda: 1 + 1, lambda: None)
    2
    """
    crew: _Crew[None, Result] = _Crew(lambda _: do(), [None])
    try:
        crew.start(1)
        return crew.result(0, meanwhile)
    except BaseException:
        stop()
        raise
    finally:
        crew.stop()


def ahead(do: Callable[[], Result | None], stop: Callable[[], None]) -> Generator[Result, None, None]:
    """Results of one long call after another until one is None; each is begun while the one before is worked on.

    ``stop`` makes a call return, for whoever has had enough.

    >>> left = [3, 2, 1]
    >>> list(ahead(lambda: left.pop() if left else None, lambda: None))
    [1, 2, 3]
    """
    # One thread for all calls: memory that a library keeps for each thread would be made anew for every call.
    calls = range(sys.maxsize)

    def call(_: int) -> Result | None:
        found = do()
        if found is None:
            crew.end()
        return found

    crew: _Crew[int, Result | None] = _Crew(call, calls, waiting=1)
    try:
        crew.start(1)
        for at in calls:
            found = crew.result(at)
            if found is None:
                return
            yield found
    except BaseException:
        stop()
        raise
    finally:
        crew.stop()


class _Crew(Generic[Item, Result]):
    """Threads that take the next item until none is left, and the results that nobody has fetched yet."""

    def __init__(self, do: Callable[[Item], Result], items: Sequence[Item], waiting: int | None = None) -> None:
        self.do, self.items = do, items
        self.stopped = False
        self._next = self._fetched = 0
        self._waiting = len(items) if waiting is None else waiting
        self._ended: dict[int, tuple[Any, BaseException | None]] = {}
        self._change = threading.Condition()
        self._threads: list[threading.Thread] = []

    def start(self, workers: int) -> None:
        for _ in range(workers):
            # Daemons, unlike the threads of concurrent.futures, which Python waits for before it ends.
            thread = threading.Thread(target=self._work, name=_NAME, daemon=True)
            self._threads.append(thread)
            thread.start()

    def result(self, at: int, meanwhile: Callable[[], None] | None = None) -> Result:
        """The result of an item, once it is there; or the error that took its place."""
        with self._change:
            while at not in self._ended:
                self._change.wait(_LOOK)
                leave_if_stopped()  # whoever waits may belong to a crew too
                if meanwhile is not None:
                    meanwhile()
            value, error = self._ended.pop(at)
            self._fetched += 1
            self._change.notify_all()
        if error is not None:
            raise error
        found: Result = value
        return found

    def stop(self) -> None:
        """Let nobody begin anything, and give those at work a moment to leave."""
        self.stopped = True
        for thread in self._threads:
            if thread.is_alive():  # Ctrl-C may come before a thread has begun; it will find nothing to do
                thread.join(_PARTING / len(self._threads))

    def end(self) -> None:
        """Begin no other item."""
        with self._change:
            self._next = len(self.items)

    def _work(self) -> None:
        _here.crew = self
        while (at := self._take()) is not None:
            value, error = None, None
            try:
                value = self.do(self.items[at])
            except _Stopped:
                return
            except BaseException as raised:
                error = raised
            with self._change:
                if error is not None:
                    self._next = len(self.items)  # nothing beyond an error is wanted; what came before is under way
                self._ended[at] = value, error
                self._change.notify_all()

    def _take(self) -> int | None:
        with self._change:
            while not self.stopped and self._fetched + self._waiting <= self._next < len(self.items):
                self._change.wait(_LOOK)
            if self.stopped or self._next >= len(self.items):
                return None
            self._next += 1
            return self._next - 1
