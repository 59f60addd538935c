"""Columns of a file by name: CSV and other text, Parquet, Arrow, Excel, SPSS, Stata, told apart by the ending."""

from __future__ import annotations

import gzip
import os
import re
import stat
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from io import BufferedReader
from pathlib import Path
from typing import Any

from roclab._core.checks import check_choice, check_count, close_names
from roclab._core.types import Array
from roclab.data.files.cells import ColumnBuilder, NumberColumn, TextRows, WordColumn
from roclab.data.files.delimited import delimited_rows, size, too_large
from roclab.data.files.signatures import kind_of
from roclab.data.missing_codes import blanked
from roclab.data.roles import check_columns
from roclab.errors import FileError, InputError, Words, named

__all__ = ["MAX_TEXT_BYTES", "columns_of_file"]

MAX_TEXT_BYTES = 2_000_000_000  # text is slow and large in memory; beyond this Parquet is the better choice

_DELIMITER = {".csv": None, ".tsv": "\t", ".txt": None, ".tab": "\t"}  # None: told from the first lines
_ARROW = (".arrow", ".feather", ".ipc")
_PACKAGES = (".sav", ".dta")
_WHOLE = (".parquet", *_ARROW, *_PACKAGES, ".imrmc", ".lrc")  # formats with a reader of their own, and no options
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_HEAD = 4096  # bytes that tell what a file really is
_TITLE_ROWS = 50  # rows that are searched for the names of columns
_FORMATS = (
    ".csv, .tsv, .txt or .tab (also .gz or .zip of them), .parquet, .arrow, .feather, .ipc, .xlsx, .sav, .dta, "
    ".imrmc or .lrc"
)


def columns_of_file(
    path: str | os.PathLike[str],
    columns: Sequence[str] | None = None,
    *,
    numeric: Sequence[str] = (),
    sheet: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header_row: int | None = None,
    na: Sequence[Any] = (),
    max_bytes: int = MAX_TEXT_BYTES,
    where: str | None = None,
) -> dict[str, Array]:
    """Columns of a file by name, O(size of the file) and no more memory than the columns need.

    Parameters
    ----------
    path : str or path
        A .csv, .tsv, .txt or .tab file, the .gz or .zip of one, a .parquet, .arrow, .feather, .ipc, .xlsx, .sav
        (SPSS), .dta (Stata), .imrmc or .lrc file; "-" reads CSV from standard input. A workbook with the sheets of
        RJafroc (NL or FP, LL or TP, TRUTH) is one table of a reader study.
    columns : sequence of str, optional
        The columns to read; all that have a name when left out.
    numeric : sequence of str
        Columns that must hold numbers: the first cell that is none is named in the error.
    sheet : str, optional
        Which sheet of an Excel workbook; needed when there are several.
    delimiter : str, optional
        What separates the cells of a text file. By default a tab in .tsv and .tab, and in .csv and .txt the one of
        comma, semicolon, tab and bar that the first lines agree on.
    decimal : "." or ",", optional
        The decimal sign of numbers in a text file. By default a point, or, where cells are separated by something
        else, a comma if the first lines write numbers so and none with a point; a warning says so.
    header_row : int, optional
        The row of a text file or a sheet that names the columns, counted from 1 as a spreadsheet does; rows above it
        are passed over. By default the first that is not blank.
    na : sequence
        What else stands for a missing value.
    max_bytes : int
        A larger text is refused, by its size on disk at once and by its unpacked size as it is read.
    where : str, optional
        What messages call the file, if not by its path.

    Returns
    -------
    dict of str to array
        float64 for ``numeric`` columns. In text files and workbooks any other column is boolean, integer
        or float if every cell is written as one, else text; Parquet and Arrow columns keep their type.
        Missing values are NaN among numbers and None elsewhere.

    Notes
    -----
    Text is UTF-8, UTF-16 with a byte-order mark, or Windows-1252, which a warning mentions. Missing are empty cells,
    a single point and NA, <NA>, N/A, n/a, #N/A, NaN, nan, NAN, null and NULL, written exactly so: "none" is an answer
    and "Na" is sodium. Booleans are
    true and false in small, capitalised or capital letters. Numbers with leading zeros are identifiers and
    stay text, and so do integers of more than 18 digits. Blanks around a cell do not count. TextRows are
    numbered as in a spreadsheet, the header being row 1.
    """
    if decimal is not None:
        check_choice(decimal, "decimal", (".", ","))
    if header_row is not None:
        check_count(header_row, "header_row", least=1, way_out="count rows from 1, as a spreadsheet does")
    check_count(max_bytes, "max_bytes", least=1, way_out="write a number of bytes such as 2_000_000_000")
    if delimiter is not None:
        _check_delimiter(delimiter, decimal or ".")
    wanted = [columns] if isinstance(columns, str) else None if columns is None else list(columns)
    stream: Any  # a buffered reader, or what unpacks one
    with ExitStack() as stack:
        if path == "-":
            where, suffix, stream, zipped = "standard input", ".csv", sys.stdin.buffer, False
        else:
            if _ADDRESS.match(os.fspath(path)):
                got = Words("an address, which is not read")
                raise FileError(str(path), "must be a file on this computer", got, "download it first")
            path = Path(path)
            where, suffix = where or str(path), _suffix(path)
            stream = stack.enter_context(_opened(path, where))
            zipped = suffix == ".zip"
            if zipped:
                from roclab.data.files.zipped import only_table

                stream, suffix = stack.enter_context(only_table(stream, where, (*_DELIMITER, ".xlsx")))
        _check_options(suffix, where, sheet=sheet, delimiter=delimiter, decimal=decimal, header_row=header_row)
        if suffix in _WHOLE:
            return blanked(_whole_columns(suffix, str(path), stream, wanted, where=where, max_bytes=max_bytes), na)
        if suffix == ".xlsx":
            from roclab.data.files.rjafroc import rjafroc_columns, study_sheets
            from roclab.data.files.workbook import sheet_names, workbook_rows

            how: dict[str, Any] = {"decimal": decimal or ".", "header_row": header_row, "max_bytes": max_bytes}
            study = None if sheet else study_sheets(sheet_names(stream, where=where, max_bytes=max_bytes))
            if study is not None:
                parts = {}
                for part, name in study.items():
                    stream.seek(0)
                    inside = f"sheet {name!r} of {where}"
                    found = workbook_rows(stream, sheet=name, where=inside, **how)
                    parts[part] = _gathered(found, None, numeric=(), na=na, where=inside)
                return rjafroc_columns(parts, wanted, where=where)
            rows = workbook_rows(stream, sheet=sheet, where=where, **how)
        else:
            if suffix.endswith(".gz"):
                stream = stack.enter_context(_unpacked(stream, where))
            elif path != "-" and not zipped:
                _check_size(stream, where, max_bytes)
                if decimal in (None, ".") and header_row is None and suffix != ".tab":
                    from roclab.data.files.quick_text import quick_columns

                    separator = delimiter or _DELIMITER[suffix]
                    quick = quick_columns(str(path), wanted, numeric=numeric, delimiter=separator, na=na)
                    if quick is not None:
                        return quick
            rows = delimited_rows(
                stream,
                where=where,
                delimiter=delimiter or _DELIMITER[suffix.removesuffix(".gz")],
                decimal=decimal,
                header_row=header_row,
                orange=suffix.startswith(".tab"),
                wanted=wanted,
                max_bytes=max_bytes,
            )
            na = (*na, "?") if suffix.startswith(".tab") else na
        return _gathered(rows, wanted, numeric=numeric, na=na, where=where)


def _whole_columns(
    suffix: str, path: str, stream: Any, wanted: list[str] | None, *, where: str, max_bytes: int
) -> dict[str, Array]:
    """Columns of a format that settles everything itself. A reader is loaded when its format comes: most never do."""
    if suffix == ".parquet" or suffix in _ARROW:
        from roclab.data.files.arrow import arrow_columns, parquet_columns

        columns = parquet_columns if suffix == ".parquet" else arrow_columns
        return columns(Path(path), wanted, head=stream.read(_HEAD), where=where)
    if suffix in _PACKAGES:
        from roclab.data.files.statistics_packages import package_columns

        return package_columns(path, wanted, suffix=suffix, head=stream.read(_HEAD), where=where)
    _check_size(stream, where, max_bytes)
    if suffix == ".imrmc":
        from roclab.data.files.imrmc import imrmc_columns

        return imrmc_columns(stream, wanted, where=where)
    from roclab.data.files.lrc import lrc_columns

    return lrc_columns(stream, wanted, where=where)


def _suffix(path: Path) -> str:
    """The ending in lower case, with the one before it when it is .gz."""
    suffix = path.suffix.lower()
    return path.with_suffix("").suffix.lower() + suffix if suffix == ".gz" else suffix


def _check_options(
    suffix: str, where: str, *, sheet: str | None, delimiter: str | None, decimal: str | None, header_row: int | None
) -> None:
    """Check that the name says a format, and that no option belongs to another one."""
    text = suffix.removesuffix(".gz") in _DELIMITER
    if not text and suffix not in {*_WHOLE, ".xlsx"}:
        raise FileError(where, f"must end in {_FORMATS}", suffix or "no ending", "name it after what it holds")
    for name, given, applies in (
        ("sheet", sheet is not None, suffix == ".xlsx"),
        ("delimiter", delimiter is not None, text),
        ("decimal", decimal not in (None, "."), text or suffix == ".xlsx"),
        ("header_row", header_row is not None, text or suffix == ".xlsx"),
    ):
        if given and not applies:
            raise InputError(name, f"must be left out for {suffix} files", Words(f"it for {where}"))


def _gathered(
    rows: TextRows, wanted: Sequence[str] | None, *, numeric: Sequence[str], na: Sequence[Any], where: str
) -> dict[str, Array]:
    if wanted and not set(wanted) <= set(rows.header):
        _look_for_header(rows, wanted, where)
    check_columns(wanted or (), rows.header, where, FileError)
    names = [name for name in rows.header if name] if wanted is None else wanted
    how: dict[str, Any] = {"decimal": rows.decimal, "na": na}
    numbers_only = set(numeric)  # looked up once a column: a list would be searched 100,000 times for as many names
    builders: dict[str, ColumnBuilder] = {
        name: NumberColumn(name, where=where, **how) if name in numbers_only else WordColumn(**how) for name in names
    }
    place_of = {name: at for at, name in enumerate(rows.header)}
    places = [(place_of[name], builder) for name, builder in builders.items()]
    empty = True
    for numbers, chunk in rows.chunks:
        empty = False
        for place, builder in places:
            builder.add([cells[place] for cells in chunk], numbers)
    if empty:
        raise FileError(where, "must hold rows below its header", Words("the header only"), "check how it was written")
    return {name: builder.values() for name, builder in builders.items()}


def _look_for_header(rows: TextRows, wanted: Sequence[str], where: str) -> None:
    """Say in which row the names stand that the first row lacks: tables often have a title above them."""
    for numbers, chunk in rows.chunks:
        for number, cells in zip(numbers[:_TITLE_ROWS], chunk, strict=False):
            if set(wanted) <= {cell.strip() for cell in cells}:
                raise FileError(
                    where,
                    "must name its columns in the first row",
                    Words(f"{' '.join(filter(None, rows.header))[:60]!r} there"),
                    f"write {named('header_row', number)} to begin with the row that names {wanted[0]!r}",
                )
        return


def _check_delimiter(delimiter: str, decimal: str) -> None:
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise InputError(
            "delimiter", "must be one character", delimiter, f"write {named('delimiter', ';')} for instance"
        )
    if delimiter == decimal:
        raise InputError(
            "", "delimiter and decimal must differ", Words(f"{delimiter!r} for both"), "correct one of them"
        )


def _opened(path: Path, where: str) -> BufferedReader:
    """The file, open for reading, or the sentence that says why it cannot be."""
    try:
        info = path.stat()
        if stat.S_ISDIR(info.st_mode):
            raise FileError(where, "must be a file", Words("a directory"), "name a file in it")
        if stat.S_ISREG(info.st_mode) and info.st_size == 0:
            raise FileError(where, "must hold a header and rows", Words("an empty file"), "check how it was written")
        return path.open("rb")
    except FileNotFoundError:
        folder = path.parent
        if not folder.is_dir():
            raise FileError(
                "", f"{where} does not exist and neither does its folder", way_out="check the path"
            ) from None
        names = [entry.name for entry in folder.iterdir()]
        raise FileError(
            "", f"{where} does not exist{close_names(path.name, names)}", way_out="check the path"
        ) from None
    except PermissionError:
        raise FileError(where, "must be readable", Words("permission denied"), "change its permissions") from None
    except FileError:
        raise
    except (OSError, ValueError) as error:  # names that are too long, hold a NUL or pass through a file
        raise FileError(where, "must be a file", Words(error), "check the path") from None


def _unpacked(stream: BufferedReader, where: str) -> gzip.GzipFile:
    head = stream.peek(_HEAD)
    if not head.startswith(b"\x1f\x8b"):
        raise FileError(
            where,
            "must be gzip-compressed as its name says",
            Words(f"{kind_of(head)}"),
            "drop .gz from the name if it is plain text",
        )
    return gzip.GzipFile(fileobj=stream)


def _check_size(stream: BufferedReader, where: str, max_bytes: int) -> None:
    found = os.fstat(stream.fileno()).st_size
    if found > max_bytes:
        raise too_large(where, size(found), max_bytes)
