"""Orange's .tab files: below the names of the columns may stand their types, and below these their roles."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from itertools import chain, islice

__all__ = ["class_column", "without_types"]

_TYPES = frozenset({"", "c", "d", "s", "t", "continuous", "discrete", "string", "time", "basket", "b"})
_ROLES = ("class", "meta", "meta_class", "ignore", "i", "c", "m", "multiclass", "")


def without_types(row: int, header: list[str], rows: Iterator[list[str]]) -> tuple[int, list[str], Iterable[list[str]]]:
    """Names and rows of a .tab file without its rows of types and roles, if it has them.

    A discrete column may list its values instead of saying "d", as in "republican democrat"; one column that says its
    type is enough to tell the row. Names of Orange's newer form carry both before a "#": "mC#name" is a meta column.
    """
    newer = [name.partition("#")[2] if _is_prefix(name.partition("#")[0]) and "#" in name else name for name in header]
    if newer != header:
        return row, newer, rows
    head = list(islice(rows, 2))
    if len(head) == 2 and _are_types(head[0]) and _are_roles(head[1]):
        return row + 2, header, rows
    return row, header, chain(head, rows)


def class_column(path: str | os.PathLike[str]) -> str | None:
    """The column that a .tab file calls its class, where it calls one so; its first three lines are read."""
    opened = gzip.open if os.fspath(path).lower().endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", errors="replace", newline=None) as file:
            head = [line.rstrip("\r\n").split("\t") for line in islice(file, 3)]
    except (OSError, EOFError):
        return None  # whoever reads the rows says what is wrong
    if not head:
        return None
    prefixes = [name.strip().partition("#") for name in head[0]]
    newer = [name for prefix, mark, name in prefixes if mark and _is_prefix(prefix) and "c" in prefix]
    if newer:
        return newer[0].strip() if len(newer) == 1 else None
    whole = len(head) == 3 and len({len(row) for row in head}) == 1
    if not whole or not _are_types(head[1]) or not _are_roles(head[2]):
        return None
    named = [name.strip() for name, role in zip(head[0], head[2], strict=True) if role.strip() in ("class", "c")]
    return named[0] if len(named) == 1 else None


def _is_prefix(text: str) -> bool:
    return 0 < len(text) <= 2 and set(text) <= set("mciwCDSTN")


def _are_types(cells: list[str]) -> bool:
    known = [cell.strip() in _TYPES for cell in cells]
    return any(known) and all(one or " " in cell for one, cell in zip(known, cells, strict=True))


def _are_roles(cells: list[str]) -> bool:
    return all(cell.strip() in _ROLES or "=" in cell for cell in cells)
