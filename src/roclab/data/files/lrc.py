"""Files of OR-DBM MRMC (.lrc): ratings of one reader after the other, normal cases first.

A line of words about the study, the first reader, the modalities in quotation marks, an L under each whose higher
ratings mean abnormal; then a line of ratings for each normal case, a line with a star, the abnormal cases, a star, the
next reader, and so on to the end or a line with a number sign. What follows the ratings in a line is a comment.
"""

from __future__ import annotations

import math
import shlex
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.data.roles import check_columns
from roclab.errors import FileError, Words

__all__ = ["lrc_columns"]

_NAMES = ("reader", "modality", "case", "truth", "rating")
_CLASSES = ("normal", "abnormal")


def lrc_columns(stream: Any, wanted: list[str] | None, *, where: str) -> dict[str, Array]:
    """Reader, modality, case, truth (0 or 1) and rating, one row per rating; O(size of the file)."""
    text = stream.read().decode("utf-8-sig", errors="replace")
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if len(lines) < 4:
        raise FileError(where, "must hold a title, a reader, the modalities and their L before the ratings",
                        Words(f"{len(lines)} lines"), "check how it was written")  # fmt: skip
    modalities = _modalities(lines[2], lines[3], where)
    cells: list[tuple[str, str, str, int, float]] = []
    sizes: tuple[int, ...] | None = None
    readers: set[str] = set()
    rest = [lines[1], *lines[4:]]
    at = 0
    while at < len(rest) and rest[at][1] != "#":
        number, reader = rest[at]
        reader = reader.strip('"')
        if reader == "*" or reader in readers:
            raise FileError(where, "must name a new reader before each block of ratings",
                            Words(f"{reader!r} in row {number}"), "check how it was written")  # fmt: skip
        readers.add(reader)
        at += 1
        counts = []
        for truth, word in enumerate(_CLASSES):
            first = at
            while at < len(rest) and rest[at][1] != "*":
                ratings = _ratings(rest[at], len(modalities), where)
                case = f"{word} {at - first + 1}"
                cells += [(reader, one, case, truth, value) for one, value in zip(modalities, ratings, strict=True)]
                at += 1
            if at == len(rest):
                raise FileError(where, f"must end the {word} cases of every reader with a star",
                                Words(f"none after row {rest[-1][0]}"), "check whether it is complete")  # fmt: skip
            counts.append(at - first)
            at += 1
        if 0 in counts or (sizes is not None and sizes != tuple(counts)):
            usual = "" if sizes is None else f", not {sizes[0]} and {sizes[1]} as before"
            raise FileError(where, "must hold the same normal and abnormal cases for every reader",
                            Words(f"{counts[0]} and {counts[1]} for reader {reader!r}{usual}"))  # fmt: skip
        sizes = tuple(counts)
    check_columns(wanted or (), list(_NAMES), where, FileError)
    columns: dict[str, Array] = {name: np.array([row[at] for row in cells]) for at, name in enumerate(_NAMES)}
    return columns if wanted is None else {name: columns[name] for name in wanted}


def _modalities(named: tuple[int, str], sides: tuple[int, str], where: str) -> list[str]:
    try:
        names = shlex.split(named[1])
    except ValueError:
        raise FileError(where, "must close the quotation marks of its modalities", Words(f"row {named[0]}")) from None
    letters = sides[1].split()
    if not names or len(set(names)) < len(names) or len(letters) != len(names):
        raise FileError(where, "must have one letter L under each of its different modalities",
                        Words(f"{len(letters)} for {len(names)} in row {sides[0]}"))  # fmt: skip
    other = [one for one in letters if not one.upper().startswith("L")]
    if other:
        raise FileError(where, "must have an L under each modality: larger ratings mean abnormal",
                        Words(f"{other[0]!r} in row {sides[0]}"),
                        "change the sign of those ratings, or write the readings as a table")  # fmt: skip
    return names


def _ratings(line: tuple[int, str], count: int, where: str) -> list[float]:
    parts = line[1].split()[:count]
    try:
        values = [float(part) for part in parts]
    except ValueError:
        values = []
    if len(values) < count or not all(map(math.isfinite, values)):
        raise FileError(where, f"must hold {count} numbers in every row of ratings",
                        Words(f"{line[1][:40]!r} in row {line[0]}"))  # fmt: skip
    return values
