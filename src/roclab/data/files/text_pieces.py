"""A large text file in pieces that begin and end with lines, each of which pyarrow reads in a thread of its own.

Reading, parsing and whatever is made of the cells then stay in one thread and in its cache, which is faster than the
threads of pyarrow itself. A line can only be told by its end where no quotes hide one, so signs that must not occur are
looked for in every piece.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["OddSignError", "pieces_of", "table_of_piece"]

_PIECE = 1 << 22  # bytes that one thread reads at a time
_MORE = 1 << 12  # bytes beyond them, in which a line mostly ends
_REST = 1 << 16


class OddSignError(Exception):
    """There is a sign, such as a quote, after which a line may not end where one seems to."""


def pieces_of(path: str) -> range:
    """The numbers of all pieces."""
    return range(-(-os.path.getsize(path) // _PIECE))


def table_of_piece(
    path: str, at: int, header: Sequence[str], asked: Mapping[str, Any], *, without: bytes = b'"'
) -> Any:
    """The rows whose lines begin in one piece of a file, as an Arrow table; ``asked`` are options of pyarrow."""
    import pyarrow as pa
    import pyarrow.csv

    text, start, end = _lines(path, at)
    if any(text.find(sign, start, end) >= 0 for sign in without):
        raise OddSignError
    if start == end:
        kinds = asked["convert_options"].column_types
        return pa.table({name: pa.array([], kinds[name]) for name in asked["convert_options"].include_columns})
    piece = pa.py_buffer(text).slice(start, end - start)
    options = pa.csv.ReadOptions(
        use_threads=False, block_size=max(piece.size, _REST), column_names=header if at else None
    )
    return pa.csv.read_csv(pa.BufferReader(piece), read_options=options, **asked)


def _lines(path: str, at: int) -> tuple[bytes, int, int]:
    """Text in which the lines that begin in a piece lie, and where they do."""
    with open(path, "rb", buffering=0) as stream:
        first = max(at * _PIECE - 1, 0)  # a line begins after the end of another one
        stream.seek(first)
        size = (at + 1) * _PIECE - first
        text = stream.read(size + _MORE)  # mostly the end of the last line too, so that nothing is put together
        while (end := text.find(b"\n", size - 1) + 1 if len(text) >= size else 0) == 0:
            more = stream.read(_REST)
            if not more:
                end = len(text)
                break
            text += more
    start = text.find(b"\n", 0, end) + 1 if at else 0
    return text, (start if start or not at else end), end
