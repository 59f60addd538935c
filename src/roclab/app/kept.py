"""Sessions that pages leave with the server: one a tab, in the folder that is gone at the end.

A page that is loaded again, comes back, or crashed finds its work there. It belongs to this start of the server as the
uploaded data do, and is as private.
"""

from __future__ import annotations

import json
import re
import time
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from roclab.errors import InputError, Words

__all__ = ["Kept", "KeptSession"]

_MOST = 40  # sessions; the oldest goes
_NAME = re.compile(r"[\w-]{8,64}")


@dataclass(slots=True, eq=False)
class KeptSession:
    """What a tab left: where it lies, what it is about, and which page holds it now."""

    path: Path
    page: str
    called: str = ""
    answer: str = ""
    changed: float = 0.0
    here: bool = True  # a page shows it

    def told(self, tab: str) -> dict[str, Any]:
        """One line of the list of recent sessions."""
        return {"tab": tab, "called": self.called, "answer": self.answer, "changed": self.changed, "here": self.here}


class Kept:
    """All sessions of this start, by tab."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_tab: OrderedDict[str, KeptSession] = OrderedDict()
        self._lock = Lock()

    def keep(self, tab: Any, page: str, *, called: Any, answer: Any, state: Any) -> None:
        """Keep the session of a tab as it is now."""
        name = _checked(tab)
        text = json.dumps(state)
        with self._lock:
            one = self._by_tab.get(name) or KeptSession(self._folder / f"session-{name}.json", page)
            one.path.write_text(text, encoding="utf-8")
            one.page, one.called, one.answer = page, str(called or "")[:200], str(answer or "")[:300]
            one.changed, one.here = time.time(), True
            self._by_tab[name] = one
            self._by_tab.move_to_end(name)
            while len(self._by_tab) > _MOST:
                _, oldest = self._by_tab.popitem(last=False)
                oldest.path.unlink(missing_ok=True)

    def of(self, tab: Any, page: str, *, again: bool = False) -> tuple[Any, bool]:
        """The session of a tab, or None, and whether another page shows it.

        ``again`` says that the page is the one that showed it, loaded anew; else a tab that was copied gets the
        session too, and a name of its own.
        """
        with self._lock:
            one = self._by_tab.get(_checked(tab))
            if one is None:
                return None, False
            taken = one.here and one.page not in ("", page) and not again
            if not taken:
                one.page, one.here = page, True
            return json.loads(one.path.read_text(encoding="utf-8")), taken

    def others(self, tab: Any) -> list[dict[str, Any]]:
        """Sessions of tabs that are not this one, the newest first."""
        with self._lock:
            return [one.told(name) for name, one in reversed(self._by_tab.items()) if name != tab]

    def left(self, page: str) -> None:
        """A page is gone; what it left stays."""
        with self._lock:
            for one in self._by_tab.values():
                if one.page == page:
                    one.here = False

    def forget(self, tab: Any) -> None:
        """The user begins anew."""
        with self._lock:
            one = self._by_tab.pop(_checked(tab), None)
        if one is not None:
            one.path.unlink(missing_ok=True)


def _checked(tab: Any) -> str:
    if not isinstance(tab, str) or not _NAME.fullmatch(tab):
        raise InputError("", "a tab has a name of 8 to 64 letters and digits", Words(repr(tab)[:60]))
    return tab
