"""A sheet of an Excel workbook as rows of cells, through openpyxl."""

from __future__ import annotations

import datetime
import os
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from itertools import islice
from typing import Any

from roclab._core.checks import close_names
from roclab.data.files.cells import TextRows
from roclab.data.files.delimited import size
from roclab.data.files.signatures import kind_of
from roclab.errors import FileError, MissingExtraError, RoclabError, Words, named

_CHUNK = 4096
_RATIO = 100  # of unpacked to packed bytes
_SMALL = 20_000_000  # unpacked bytes that may pack as well as they like
_TITLE_WIDTH = 256  # columns that are read under a title, to find the names of columns below it


def sheet_names(stream: BufferedReader, *, where: str, max_bytes: int) -> list[str]:
    """Names of the sheets of a workbook; ``stream`` stands at its beginning before and after."""
    book = _opened_book(stream, where, max_bytes)
    names = [table.title for table in book.worksheets]
    stream.seek(0)
    return names


def workbook_rows(
    stream: BufferedReader,
    *,
    sheet: str | None,
    decimal: str,
    header_row: int | None,
    where: str,
    max_bytes: int,
) -> TextRows:
    """Header and rows of one sheet, read from ``stream`` as they are asked for.

    Formulas count as the values Excel stored for them. TextRows without any value are passed over and
    counted, and so are columns without a name in the header.
    """
    book = _opened_book(stream, where, max_bytes)
    table = _chosen_sheet(book, sheet, where)
    table.reset_dimensions()  # some programs write a wrong size, and rows beyond it would be lost
    numbered = enumerate(table.iter_rows(values_only=True), start=1)
    rows = ((at, cells) for at, cells in numbered if at >= (header_row or 1) and _any_value(cells))
    with _guarded(where):
        first = next(rows, None)
    if first is None:
        raise FileError(
            where, "must hold a header and rows", Words("an empty sheet"), f"choose another by {named('sheet')}"
        )
    header = [_as_text(cell, decimal).strip() for cell in first[1]]
    # A title fills one cell and says nothing about the width of the table below it.
    named_cells = sum(1 for name in header if name)
    width = len(header) if named_cells > 1 else max(len(header), _TITLE_WIDTH)
    return TextRows(header, _chunks(rows, width, decimal, where), decimal)


def _opened_book(stream: BufferedReader, where: str, max_bytes: int) -> Any:
    head = stream.peek()
    if not head.startswith(b"PK\x03\x04"):
        raise FileError(
            where,
            "must be an Excel workbook as its name says",
            Words(f"{kind_of(head)}"),
            "name the file after what it holds, or save it again as .xlsx",
        )
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError(library="openpyxl", extra="excel", purpose="reading an Excel workbook") from None

    _check_unpacked_size(stream, where, max_bytes)
    with _guarded(where):
        return openpyxl.load_workbook(stream, read_only=True, data_only=True)


@contextmanager
def _guarded(where: str) -> Iterator[None]:
    """What openpyxl raises about a damaged workbook, as one sentence; its warnings concern no data."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except RoclabError:
            raise
        except Exception as error:  # a damaged archive fails in as many ways as zipfile, zlib, XML and openpyxl have
            raise FileError(
                where,
                "must be an Excel workbook",
                Words(f"something else or a damaged one ({str(error) or type(error).__name__})"),
                "save it again as .xlsx",
            ) from None


def _check_unpacked_size(stream: BufferedReader, where: str, max_bytes: int) -> None:
    """A small archive may unpack to anything; zipfile never unpacks more than the sizes it declares.

    Sheets pack to a tenth or a thirtieth of their size. What packs to less than a hundredth is one sign over and over,
    and takes six times its unpacked size while it is read. The whole file is what counts, because entries can share
    their packed data.
    """
    try:
        with zipfile.ZipFile(stream) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except Exception:  # as in _guarded
        raise FileError(
            where, "must be a complete Excel workbook", Words("a damaged one"), "copy or save it again"
        ) from None
    packed = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    if unpacked > max(_RATIO * packed, _SMALL):
        raise FileError(
            where,
            f"must unpack to at most {_RATIO} times its size",
            Words(f"{size(unpacked)} in {size(packed)}"),
            "save the rows as CSV or Parquet if they are real",
        )
    if unpacked > max_bytes:
        raise FileError(
            where,
            f"must unpack to at most {size(max_bytes)}",
            Words(f"{size(unpacked)}"),
            "convert it to Parquet, or raise max_bytes if memory allows",
        )


def _chosen_sheet(book: Any, sheet: str | None, where: str) -> Any:
    sheets = {table.title: table for table in book.worksheets}
    listed = ", ".join(map(repr, sheets))
    if sheet is None:
        if len(sheets) != 1:
            raise FileError(
                "", f"{where} has {len(sheets)} sheets, {listed}", way_out=f"say which one with {named('sheet')}"
            )
        return next(iter(sheets.values()))
    if sheet not in sheets:
        raise FileError(
            "", f"{where} has no sheet {sheet!r}{close_names(sheet, sheets)}", way_out=f"the sheets are {listed}"
        )
    return sheets[sheet]


def _chunks(
    rows: Iterator[tuple[int, Sequence[Any]]], width: int, decimal: str, where: str
) -> Iterator[tuple[Sequence[int], list[list[str]]]]:
    while True:
        with _guarded(where):
            chunk = list(islice(rows, _CHUNK))
        if not chunk:
            return
        texts = [[_as_text(cell, decimal) for cell in cells[:width]] for _, cells in chunk]
        for cells in texts:
            cells.extend([""] * (width - len(cells)))
        yield [at for at, _ in chunk], texts


def _any_value(cells: Sequence[Any]) -> bool:
    """True unless a row is blank."""
    return any(cell is not None for cell in cells)


def _as_text(cell: Any, decimal: str) -> str:
    """A cell as it would stand in a text file with this decimal sign, every digit kept."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return repr(cell).replace(".", decimal)
    return cell.isoformat() if isinstance(cell, datetime.date | datetime.time) else str(cell)
