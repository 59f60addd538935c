"""Failures that are a lack of memory, whatever they look like."""

from __future__ import annotations

from roclab.errors import InputError, Words

__all__ = ["lack_of_memory"]


def lack_of_memory(error: BaseException) -> InputError | None:
    """The sentence for a failure that memory is behind; None for any other.

    Where a limit (``ulimit -v``) leaves no room for its threads, OpenBLAS raises SIGINT as if the user had pressed
    Ctrl-C, and libraries that find no room fail to be imported.
    """
    if isinstance(error, MemoryError):
        return InputError(
            "",
            "memory must be enough for this question",
            Words("none left"),
            "take fewer rows, or close other programs",
        )
    starved = isinstance(error, ImportError) and "failed to map segment" in str(error)
    if starved or (isinstance(error, KeyboardInterrupt) and _limited() and _while_importing(error)):
        return InputError(
            "", "memory must be enough to start with", Words("a limit below that (ulimit -v)"),
            "raise it, or set OPENBLAS_NUM_THREADS=1",
        )  # fmt: skip
    return None


def _limited() -> bool:
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:  # Windows has no such limits
        return False
    return getrlimit(RLIMIT_AS)[0] != RLIM_INFINITY


def _while_importing(stop: BaseException) -> bool:
    at = stop.__traceback__
    while at is not None:
        if str(at.tb_frame.f_globals.get("__name__")).startswith(("numpy.", "scipy.")):
            return True
        at = at.tb_next
    return False
