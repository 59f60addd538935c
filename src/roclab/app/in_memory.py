"""The tables that stay in memory: those asked for last, each once however many pages look at it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

from roclab.analysis.table_overview import HeldTable

__all__ = ["ReadTable", "TablesInMemory"]

_TABLES = 6  # that stay
_CASES = 8  # sets of cases of one table that stay with it
_ANSWERS = 100  # to questions about one table

Value = TypeVar("Value")


class _Place(Generic[Value]):
    """Where one value is, or is being made: whoever comes meanwhile waits for it. What was refused is asked anew."""

    def __init__(self) -> None:
        self._values: list[Value] = []
        self._lock = Lock()

    def value(self, make: Callable[[], Value]) -> Value:
        with self._lock:
            if not self._values:
                self._values.append(make())
            return self._values[0]


class _Recent(Generic[Value]):
    """The values that were asked for last; the one that nobody asked for longest gives way."""

    def __init__(self, most: int) -> None:
        self._places: OrderedDict[Any, _Place[Value]] = OrderedDict()
        self._most, self._lock = most, Lock()

    def value(self, key: Any, make: Callable[[], Value]) -> Value:
        with self._lock:
            place = self._places.setdefault(key, _Place())
            self._places.move_to_end(key)
            while len(self._places) > self._most:
                self._places.popitem(last=False)
        return place.value(make)

    def forget(self, key: Any) -> None:
        with self._lock:
            self._places.pop(key, None)


class ReadTable:
    """One table, the cases that were made of it, and the answers that were given about it."""

    def __init__(self) -> None:
        self._table: _Place[HeldTable] = _Place()
        self._cases: _Recent[Any] = _Recent(_CASES)
        self._answers: _Recent[dict[str, Any]] = _Recent(_ANSWERS)

    def table(self, read: Callable[[], HeldTable]) -> HeldTable:
        """The table, read if it is not there."""
        return self._table.value(read)

    def cases(self, parts: str, make: Callable[[], Any]) -> Any:
        """Cases that were made of the same parts before, or made now."""
        return self._cases.value(parts, make)

    def answer(self, question: str, give: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The answer that the same question got before, or got now."""
        return self._answers.value(question, give)


class TablesInMemory:
    """The tables that were asked for last, by what they hold and how they were read."""

    def __init__(self) -> None:
        self._tables: _Recent[ReadTable] = _Recent(_TABLES)

    def of(self, identity: tuple[str, ...]) -> ReadTable:
        """The place of one table."""
        return self._tables.value(identity, ReadTable)

    def put(self, identity: tuple[str, ...], table: HeldTable) -> None:
        """A table that was just read, with no cases yet."""
        self._tables.forget(identity)
        self.of(identity).table(lambda: table)
