"""The tables that stay in memory: those asked for last, each once however many pages look at it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any

from roclab.analysis.table_overview import HeldTable

__all__ = ["ReadTable", "TablesInMemory"]

_TABLES = 6  # that stay
_CASES = 8  # sets of cases of one table that stay with it


class ReadTable:
    """One table and the cases that were made of it; whoever comes while it is being read waits for that reading."""

    def __init__(self) -> None:
        self._table: HeldTable | None = None
        self._cases: OrderedDict[str, Any] = OrderedDict()
        self._reading, self._lock = Lock(), Lock()

    def table(self, read: Callable[[], HeldTable]) -> HeldTable:
        """The table, read if it is not there."""
        with self._reading:
            if self._table is None:
                self._table = read()
            return self._table

    def cases(self, parts: str, make: Callable[[], Any]) -> Any:
        """Cases that were made of the same parts before, or made now."""
        with self._lock:
            if parts in self._cases:
                self._cases.move_to_end(parts)
                return self._cases[parts]
        made = make()
        with self._lock:
            self._cases[parts] = made
            while len(self._cases) > _CASES:
                self._cases.popitem(last=False)
        return made


class TablesInMemory:
    """The tables that were asked for last, by what they hold and how they were read."""

    def __init__(self) -> None:
        self._tables: OrderedDict[tuple[str, ...], ReadTable] = OrderedDict()
        self._lock = Lock()

    def of(self, identity: tuple[str, ...]) -> ReadTable:
        """The place of one table; the one that nobody asked for longest gives way."""
        with self._lock:
            found = self._tables.setdefault(identity, ReadTable())
            self._tables.move_to_end(identity)
            while len(self._tables) > _TABLES:
                self._tables.popitem(last=False)
            return found

    def put(self, identity: tuple[str, ...], table: HeldTable) -> None:
        """A table that was just read, with no cases yet."""
        with self._lock:
            self._tables.pop(identity, None)
        self.of(identity).table(lambda: table)
