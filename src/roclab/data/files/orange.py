"""Orange's .tab files: below the names of the columns may stand their types, and below these their roles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

__all__ = ["without_types"]

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


def _is_prefix(text: str) -> bool:
    return 0 < len(text) <= 2 and set(text) <= set("mciwCDSTN")


def _are_types(cells: list[str]) -> bool:
    known = [cell.strip() in _TYPES for cell in cells]
    return any(known) and all(one or " " in cell for one, cell in zip(known, cells, strict=True))


def _are_roles(cells: list[str]) -> bool:
    return all(cell.strip() in _ROLES or "=" in cell for cell in cells)
