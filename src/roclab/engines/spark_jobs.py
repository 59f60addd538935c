"""Small results of lazy tables; jobs on Spark say how far they are, and are cancelled when nobody wants them."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable
from typing import Any

from roclab._core.work import attended
from roclab.engines.watching import is_watched, tell

__all__ = ["collected"]


def collected(frame: Any) -> Any:
    """A lazy frame of Narwhals, computed where it is; Ctrl-C leaves no job behind on Spark."""
    import narwhals as nw

    session = getattr(nw.to_native(frame), "sparkSession", None)
    if session is None:
        return frame.collect()
    mark = f"roclab-{secrets.token_hex(8)}"
    return (_over_connect if "connect" in type(session).__module__ else _classic)(frame, session, mark)


def _over_connect(frame: Any, session: Any, mark: str) -> Any:
    """The client has a thread of its own, which hears of stages while it waits."""
    stages: list[tuple[int, int]] = []

    def handler(**said: Any) -> None:
        stages[:] = [(one.num_completed_tasks, one.num_tasks) for one in said.get("stages") or ()]

    def tagged() -> Any:
        session.addTag(mark)  # of this thread, which ends with the answer
        return frame.collect()

    watched = is_watched()
    if watched:
        session.registerProgressHandler(handler)
    try:
        return attended(
            tagged, lambda: _quietly(session.interruptTag, mark), (lambda: _tell_stages(stages)) if watched else None
        )
    finally:
        if watched:
            _quietly(session.removeProgressHandler, handler)


def _classic(frame: Any, session: Any, mark: str) -> Any:
    """Jobs in a group of their own, whose stages the tracker of the session knows."""
    from pyspark import inheritable_thread_target

    context = session.sparkContext

    def grouped() -> Any:
        context.setJobGroup(mark, "roclab", interruptOnCancel=True)
        return frame.collect()

    meanwhile: Callable[[], None] | None = None
    if is_watched():
        tracker = context.statusTracker()

        def meanwhile() -> None:
            _tell_stages(_stages_of(tracker, mark))

    # The thread has the caller's own properties, such as the pool in which jobs are scheduled.
    return attended(
        inheritable_thread_target(grouped), lambda: _quietly(context.cancelJobGroup, mark), meanwhile
    )  # fmt: skip


def _stages_of(tracker: Any, mark: str) -> list[tuple[int, int]]:
    """Tasks done and all tasks of every stage that has begun; nothing where the session no longer says."""
    found: list[tuple[int, int]] = []
    with contextlib.suppress(Exception):
        for job in tracker.getJobIdsForGroup(mark):
            about = tracker.getJobInfo(job)
            for stage in about.stageIds if about is not None else ():
                known = tracker.getStageInfo(stage)
                if known is not None:
                    found.append((int(known.numCompletedTasks), int(known.numTasks)))
    return found


def _tell_stages(stages: list[tuple[int, int]]) -> None:
    """Say how many stages are done, and how many of their tasks."""
    if stages:
        done = sum(tasks >= total for tasks, total in stages)
        words = f"Spark: {done} of {len(stages)} stages"
        tell(words, sum(tasks for tasks, _ in stages), sum(total for _, total in stages))


def _quietly(cancel: Any, mark: Any) -> None:
    """Cancel what may have ended already, on a session that may be gone: whoever stops has another error to hear."""
    with contextlib.suppress(Exception):
        cancel(mark)
