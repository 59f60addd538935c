"""Warnings of the library as notes for whoever asked, also where several ask at once.

``warnings.catch_warnings`` changes the whole process, so that two threads take each other's warnings away. Here the
process is changed once, as long as anybody listens, and each listener gets only the warnings of its own context.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any

from roclab.errors import RoclabWarning, in_python

__all__ = ["collected_warnings"]

_notes: ContextVar[list[str] | None] = ContextVar("notes", default=None)
_lock = Lock()
_listeners = 0
_changed = ExitStack()


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """A list that fills with what the library warns about inside, each sentence once.

    >>> with collected_warnings() as notes:
    ...     warnings.warn("scores are tied", RoclabWarning)
    >>> notes
    ['scores are tied']
    """
    global _listeners
    found: list[str] = []
    mine = _notes.set(found)
    with _lock:
        _listeners += 1
        if _listeners == 1:
            _change()
    try:
        yield found
    finally:
        _notes.reset(mine)
        with _lock:
            _listeners -= 1
            if _listeners == 0:
                _changed.close()


def _change() -> None:
    _changed.enter_context(warnings.catch_warnings())
    warnings.simplefilter("always", RoclabWarning)
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
        notes = _notes.get()
        if notes is None or not issubclass(category, RoclabWarning):
            usual(message, category, *rest, **more)
            return
        sentence = in_python(str(message))
        if sentence not in notes:
            notes.append(sentence)

    warnings.showwarning = show
