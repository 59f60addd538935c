"""What can be chosen where a file was refused or read amiss: its sheets, and the row that names the columns."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from roclab.data.files.sniffing import DELIMITERS
from roclab.data.files.workbook import sheet_names, workbook_rows
from roclab.errors import RoclabError
from roclab.results import Result

__all__ = ["FileChoices", "choices_of_file"]

_LINES = 12  # that are shown
_LINE = 400  # characters of one
_HEAD = 1 << 16  # bytes that are looked at
_BOOK = 2_000_000_000  # unpacked bytes of a workbook
_TEXT = (".csv", ".tsv", ".txt", ".tab")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChoices(Result):
    """What a reader of the file may be told: which sheet, which row names the columns, what separates cells."""

    sheets: tuple[str, ...]
    lines: tuple[tuple[int, str], ...]  # row as a spreadsheet counts them, and how it begins
    delimiters: tuple[str, ...]  # those that stand in the lines, the most frequent first

    def rows(self) -> list[dict[str, object]]:
        """One row per line."""
        return [{"row": row, "text": text} for row, text in self.lines]


def choices_of_file(path: str | Path, *, sheet: str | None = None) -> FileChoices:
    """Look at the beginning of a text or a workbook; nothing of it is wrong, because nothing is demanded of it.

    >>> choices_of_file("no such file.csv").lines
    ()
    """
    path = Path(path)
    endings = [one.lower() for one in path.suffixes[-2:]]
    sheets: tuple[str, ...] = ()
    lines: list[tuple[int, str]] = []
    with suppress(OSError, EOFError, zlib.error, RoclabError):
        if endings[-1:] == [".xlsx"]:
            sheets, lines = _of_book(path, sheet)
        elif endings and (endings[-1] in _TEXT or endings[-1] == ".gz"):
            lines = list(enumerate(_of_text(path, packed=endings[-1] == ".gz"), start=1))
    shown = tuple((row, line[:_LINE]) for row, line in lines[:_LINES])
    joined = "\n".join(line for _, line in shown)
    found = sorted(((joined.count(one), one) for one in DELIMITERS if one in joined), reverse=True)
    return FileChoices(sheets=sheets, lines=shown, delimiters=tuple(one for _, one in found))


def _of_text(path: Path, *, packed: bool) -> Iterator[str]:
    with gzip.open(path) if packed else open(path, "rb") as stream:
        head = stream.read(_HEAD)
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"), (b"", "utf-8-sig")):
        if head.startswith(mark):
            text = head.decode(encoding, errors="replace")
            break
    if "\0" in text:  # no text at all
        return
    yield from text.splitlines()


def _of_book(path: Path, sheet: str | None) -> tuple[tuple[str, ...], list[tuple[int, str]]]:
    with open(path, "rb") as stream:
        names = tuple(sheet_names(stream, where=path.name, max_bytes=_BOOK))
        chosen = sheet if sheet in names else names[0] if len(names) == 1 else None
        if chosen is None:
            return names, []
        stream.seek(0)
        found = workbook_rows(stream, sheet=chosen, decimal=".", header_row=None, where=path.name, max_bytes=_BOOK)
        numbers, cells = next(found.chunks, (range(0), []))
    # The first row with anything in it is found from row 1 on, wherever it stands.
    rows = [(1, found.header), *list(zip(numbers, cells, strict=True))[:_LINES]]
    return names, [(row, " \u2502 ".join(line).rstrip(" \u2502")) for row, line in rows]
