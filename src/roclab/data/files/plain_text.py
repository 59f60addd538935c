"""A large text file without anything odd, whose labels and scores pyarrow reads faster than an engine does.

Only a file that DuckDB reads the same way is plain: one header line, one kind of separator, and in its first rows no
sign by which DuckDB finds out about quotes, escapes and comments. Later rows may hold no quote either, which could hide
the end of a line, and no other end of a line. A cell that is no number, a row of another length, whatever else pyarrow
does not like: the file is not plain after all, and whoever asked goes to DuckDB, which knows more and says what is
wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from roclab._core.types import Array
from roclab._core.work import in_order
from roclab.data.files.arrow import numpy_of
from roclab.data.files.duckdb import files_of
from roclab.data.files.text_pieces import OddSignError, pieces_of, table_of_piece
from roclab.data.sources import SourceTable, bytes_of

__all__ = ["PlainText", "UnplainError", "plain_text"]

_ENDINGS = (".csv", ".tsv", ".txt")
_HEAD = 1 << 16  # bytes in which the header and a row must end
_SEPARATORS = ",;|\t"
_TELLING = b"'#\\\0"  # what the first pieces may not hold
_TOLD = 16  # pieces: many more rows than the 20,480 that tell DuckDB
_HIDING = b'"\r'  # what no piece may hold; the last one is welcome where every line ends with it
_MOST = 16  # threads
_THREAD = 16_000_000  # bytes that one of them may need beside the scores
_SHARE = 0.1  # of a memory limit, that all of them may need


class UnplainError(Exception):
    """The text is not plain after all."""


def plain_text(table: SourceTable, label: str, scores: Sequence[str]) -> PlainText | None:
    """The text behind a source, or None where a look at its header shows that it is not plain."""
    reading = table.reading
    asked = reading.header_row is not None or reading.decimal not in (None, ".") or table.na or table.where
    if table.kind != "files" or asked:
        return None
    files = files_of(table.source)
    if len(files) > 1 or not files[0].lower().endswith(_ENDINGS):
        return None
    found = _looked_at(files[0], reading.delimiter)
    if found is None or not {label, *scores} <= set(found.names):
        return None
    try:
        import pyarrow as pa
        import pyarrow.csv
    except ImportError:  # whoever opens a database says what is missing
        return None
    limit = bytes_of(reading.memory_limit)
    room = _MOST if limit is None else max(int(_SHARE * limit / _THREAD), 1)
    return PlainText(files[0], found, label, scores, workers=min(pa.cpu_count(), _MOST, room))


class _Header(NamedTuple):
    """What separates cells, the names of all columns, and the cells of some rows."""

    separator: str
    names: list[str]
    rows: list[list[str]]
    hiding: bytes  # what no piece may hold


def _looked_at(path: str, separator: str | None) -> _Header | None:
    """The header of a file, or None where it may be something else."""
    try:
        with open(path, "rb") as stream:
            text = stream.read(_HEAD)
        end = "\r\n" if b"\r\n" in text else "\n"
        first, *others = text[: text.rfind(b"\n") + 1].decode("utf-8").split(end)
    except (OSError, ValueError):  # other letters
        return None
    if separator is None:
        seen = [sign for sign in _SEPARATORS if sign in first]
        separator = seen[0] if len(seen) == 1 else None
    if separator is None or len(separator) != 1:
        return None
    names, rows = first.split(separator), [line.split(separator) for line in others if line]
    # DuckDB leaves blanks out of names, takes no notice of capitals, and renames what would be there twice.
    alike = len({name.strip().lower() for name in names}) < len(names)
    hiding = _HIDING if end == "\n" else _HIDING[:1]
    return None if alike or {len(row) for row in rows} != {len(names)} else _Header(separator, names, rows, hiding)


class _Piece(NamedTuple):
    """Rows of a piece: every score, and for the label its number among some words."""

    scores: list[Array]
    codes: Array
    words: Sequence[str]

    def sides(self, negative: str, positive: str) -> Array:
        """0 for one word, 1 for the other, 2 for any other."""
        zero, one = (self.words.index(word) if word in self.words else -1 for word in (negative, positive))
        found: Array = (self.codes == one).view(np.uint8)
        found[(self.codes != one) & (self.codes != zero)] = 2
        return found


class PlainText:
    """The label and some scores of a plain text, read piece by piece; what is not plain after all raises UnplainError.

    Threads read on while the first rows are looked at; ``close`` ends them.
    """

    def __init__(self, path: str, header: _Header, label: str, scores: Sequence[str], *, workers: int) -> None:
        self._path, self._header = path, header
        self._label, self._scores = label, scores
        # Two words are told apart without a dictionary; a third one that comes after all is left to DuckDB.
        words = {row[header.names.index(label)] for row in header.rows}
        self._two = sorted(words) if len(words) == 2 else []
        self._pieces = in_order(self._piece, pieces_of(path), workers=workers, waiting=4 * workers)
        self._first: list[_Piece] = []  # that were looked at

    def head(self, size: int) -> list[Array]:
        """Labels, as words, and scores of so many rows at the beginning, or of all if there are fewer."""
        rows = 0
        while rows < size and (piece := self._next()) is not None:
            self._first.append(piece)
            rows += piece.codes.size
        columns = [[np.array(one.words, object)[one.codes], *one.scores] for one in self._first]
        return [np.concatenate(column)[:size] for column in zip(*columns, strict=True)]

    def batches(self, negative: str, positive: str) -> Iterator[list[Array]]:
        """All scores in the order of their rows, and 0, 1, or 2 for the label: one word, the other, or none of them."""
        self._first.reverse()
        while (piece := self._first.pop() if self._first else self._next()) is not None:
            if piece.codes.size:  # none of a piece that lies inside a line
                yield [*piece.scores, piece.sides(negative, positive)]

    def close(self) -> None:
        """Read no further."""
        self._pieces.close()

    def _next(self) -> _Piece | None:
        with _unplain():
            return next(self._pieces, None)

    def _piece(self, at: int) -> _Piece:
        """The rows of one piece; no cell is missing: an empty one is no number, or a word of its own."""
        import pyarrow as pa
        import pyarrow.csv

        asked = {
            "parse_options": pa.csv.ParseOptions(delimiter=self._header.separator, quote_char=False),
            "convert_options": pa.csv.ConvertOptions(
                include_columns=[self._label, *self._scores],
                column_types={
                    **dict.fromkeys(self._scores, pa.float64()),
                    self._label: pa.bool_() if self._two else pa.dictionary(pa.int32(), pa.string()),
                },
                false_values=self._two[:1],
                true_values=self._two[1:],
                null_values=[],
                strings_can_be_null=False,
            ),
        }
        without = self._header.hiding + (_TELLING if at < _TOLD else b"")
        table = table_of_piece(self._path, at, self._header.names, asked, without=without)
        # Whole columns: one chunk of them is not copied.
        label, *scores = (
            column.chunk(0) if column.num_chunks == 1 else column.combine_chunks() for column in table.columns
        )
        values = [numpy_of(score) for score in scores]
        if self._two:
            bits = np.frombuffer(label.buffers()[1] or b"", np.uint8)
            return _Piece(values, np.unpackbits(bits, count=len(label), bitorder="little"), self._two)
        return _Piece(values, numpy_of(label.indices), label.dictionary.to_pylist())


@contextmanager
def _unplain() -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, OddSignError) as error:
        raise UnplainError from error
