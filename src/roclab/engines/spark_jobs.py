"""Small results of lazy tables; jobs on Spark carry a mark, by which they are cancelled when nobody wants them."""

from __future__ import annotations

import contextlib
import secrets
from typing import Any

from roclab._core.work import attended

__all__ = ["collected"]


def collected(frame: Any) -> Any:
    """A lazy frame of Narwhals, computed where it is; Ctrl-C leaves no job behind on Spark."""
    import narwhals as nw

    session = getattr(nw.to_native(frame), "sparkSession", None)
    if session is None:
        return frame.collect()
    mark = f"roclab-{secrets.token_hex(8)}"
    if "connect" in type(session).__module__:

        def tagged() -> Any:
            session.addTag(mark)  # of this thread, which ends with the answer
            return frame.collect()

        return attended(tagged, lambda: _quietly(session.interruptTag, mark))
    from pyspark import inheritable_thread_target

    context = session.sparkContext

    def grouped() -> Any:
        context.setJobGroup(mark, "roclab", interruptOnCancel=True)
        return frame.collect()

    # The thread has the caller's own properties, such as the pool in which jobs are scheduled.
    return attended(inheritable_thread_target(grouped), lambda: _quietly(context.cancelJobGroup, mark))


def _quietly(cancel: Any, mark: str) -> None:
    """Cancel what may have ended already, on a session that may be gone: whoever stops has another error to hear."""
    with contextlib.suppress(Exception):
        cancel(mark)
