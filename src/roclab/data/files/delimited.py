"""Delimited text (CSV and its relatives) as rows of cells, read as a stream.

The text goes through in blocks that end with a line: bytes are counted, decoded and checked block by
block, and the csv module of the standard library takes the lines from there without any Python code in
between. Whatever the size of the file, one block of text and one chunk of rows are held at a time.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import warnings
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, BinaryIO

from roclab.data.files.cells import TextRows
from roclab.data.files.orange import without_types
from roclab.data.files.signatures import kind_of
from roclab.data.files.sniffing import DELIMITERS, check_for_title, sniffed_decimal, sniffed_delimiter
from roclab.errors import FileError, RoclabWarning, Words, named

_BLOCK = 1 << 18  # bytes read at a time
_CHUNK = 4096  # rows converted at a time: more of them wake the garbage collector, fewer waste calls
_SAMPLE = 20  # lines that show delimiter and decimal sign
_LONGEST_LINE = 1 << 24  # characters; a table has no such line, a damaged or hostile file may


def delimited_rows(
    stream: BinaryIO,
    *,
    where: str,
    delimiter: str | None,
    decimal: str | None = ".",
    header_row: int | None = None,
    orange: bool = False,
    wanted: Sequence[str] | None,
    max_bytes: int,
) -> TextRows:
    """Header and rows of a delimited text, O(bytes) time and O(1) memory.

    ``delimiter`` None stands for the one of comma, semicolon, tab and bar that the first lines agree on, ``decimal``
    None for a comma where those lines write numbers so. Blank lines are passed over and counted: row 1 is the first
    line, as in a spreadsheet. ``orange`` files may have two further rows with types and roles below the names.
    """
    blocks = _text_blocks(stream, where, max_bytes)
    first = next(blocks, "")
    if not first.strip():
        raise FileError(where, "must hold a header and rows", Words("an empty file"), "check how it was written")
    lines = re.split(r"\r\n|\r|\n", first, maxsplit=_SAMPLE + (header_row or 1))
    if header_row is None and not orange:
        whole = lines[:-1] if len(lines) > _SAMPLE else lines  # the last piece is all the rest
        check_for_title(whole, delimiter, wanted, where)
    lines = [line for line in lines[(header_row or 1) - 1 : -1] or lines if line.strip()][:_SAMPLE]
    if delimiter is None:
        delimiter = sniffed_delimiter(lines, where)
    if decimal is None:
        decimal = sniffed_decimal(lines, delimiter, where)
    blocks = chain([first], blocks)
    reader = csv.reader(
        chain.from_iterable(io.StringIO(block, newline="") for block in blocks),
        delimiter=delimiter,
        skipinitialspace=True,
        strict=True,
    )
    row, header = _header(reader, where, header_row or 1)
    if len(header) == 1 and header[0] not in (wanted or ()):
        _check_delimiter(lines, delimiter, where)
    rest: Iterable[list[str]] = reader
    if orange:
        row, header, rest = without_types(row, header, reader)
    return TextRows(header, _chunks(rest, reader, width=len(header), row=row + 1, where=where), decimal)


def _header(reader: Any, where: str, at_least: int) -> tuple[int, list[str]]:
    try:
        row, names = next(((row, cells) for row, cells in enumerate(reader, start=1) if cells and row >= at_least))
    except csv.Error as error:
        raise _malformed(where, reader.line_num, error) from None
    except StopIteration:
        raise FileError(
            "header_row", f"must be a row of {where}", Words(at_least), "count rows from 1, as a spreadsheet does"
        ) from None
    return row, [name.strip() for name in names]


def _chunks(
    rows_left: Iterable[list[str]], reader: Any, *, width: int, row: int, where: str
) -> Iterator[tuple[Sequence[int], list[list[str]]]]:
    left = iter(rows_left)
    while True:
        try:
            chunk = list(islice(left, _CHUNK))
        except csv.Error as error:
            raise _malformed(where, reader.line_num, error) from None
        if not chunk:
            return
        rows: Sequence[int] = range(row, row + len(chunk))
        row += len(chunk)
        if set(map(len, chunk)) != {width}:
            rows, chunk = _without_blank_lines(rows, chunk, width, where)
        if chunk:
            yield rows, chunk


def _without_blank_lines(
    rows: Iterable[int], chunk: list[list[str]], width: int, where: str
) -> tuple[list[int], list[list[str]]]:
    kept = [(row, cells) for row, cells in zip(rows, chunk, strict=True) if any(cells) or len(cells) == width]
    for row, cells in kept:
        if len(cells) != width:
            raise FileError(
                "",
                f"{where}, row {row} must have {width} cells like the header",
                Words(f"{len(cells)}"),
                "check its delimiters and quotes",
            )
    return [row for row, _ in kept], [cells for _, cells in kept]


def _malformed(where: str, line: int, error: csv.Error) -> FileError:
    return FileError(
        where,
        "must be well-formed delimited text",
        Words(f"line {line} where the reader stopped ({error})"),
        "check the double quotes there and before",
    )


def _check_delimiter(lines: Sequence[str], delimiter: str, where: str) -> None:
    """A header of one column that holds other delimiters was written with one of those."""
    header = lines[0]
    others = {other: header.count(other) for other in (*DELIMITERS, " ") if other != delimiter}
    likely = max(others, key=lambda other: others[other])
    if not others[likely]:
        return
    hint = f"write {named('delimiter', likely)}"
    if likely != "," and len(lines) > 1 and re.search(r"\d,\d", lines[1]):
        hint += f" and {named('decimal', ',')}"
    raise FileError(
        where,
        f"must have columns separated by {DELIMITERS.get(delimiter, repr(delimiter))}",
        Words(f"the header {header.strip()[:60]!r} with none"),
        f"{hint} if that is how the file was written",
    )


# -- bytes to text ---------------------------------------------------------------------------------


def _text_blocks(stream: BinaryIO, where: str, max_bytes: int) -> Iterator[str]:
    """Blocks of whole lines; refuses what is no text, cannot be decoded, or goes on too long."""
    data = _read(stream, where)
    if kind_of(data) != "text":
        raise FileError(
            where,
            "must be delimited text",
            Words(f"{kind_of(data)}"),
            "name the file after what it holds, or export it again as CSV",
        )
    encoding = _encoding(data)
    decoder = codecs.getincrementaldecoder(encoding)()
    seen, lines, rest, beyond_ascii = 0, 0, "", False
    while data:
        seen += len(data)
        if seen > max_bytes:
            raise too_large(where, f"more than {size(max_bytes)}", max_bytes)
        try:
            text = rest + decoder.decode(data)
        except UnicodeDecodeError as error:
            if encoding != "UTF-8" or beyond_ascii:
                raise _undecodable(error, encoding, where, lines) from None
            encoding, decoder = _as_windows(where)
            text = rest + _decoded(decoder, data, encoding, where, lines)
        beyond_ascii = beyond_ascii or not text.isascii()
        if "\0" in text:
            raise FileError(
                where, "must be delimited text", Words(f"a NUL character after line {lines}"), "export it again as CSV"
            )
        end = _end_of_last_line(text)
        if len(text) - end > _LONGEST_LINE:
            raise FileError(
                where,
                f"must have lines of at most {_LONGEST_LINE:,} characters",
                Words(f"a longer one after line {lines}"),
                "check that it is a table with line ends",
            )
        if end:
            yield text[:end]
        lines += text.count("\n", 0, end)
        rest = text[end:]
        data = _read(stream, where)
    rest += _decoded(decoder, b"", encoding, where, lines)
    if rest:
        yield rest


def _read(stream: BinaryIO, where: str) -> bytes:
    try:
        return stream.read(_BLOCK)
    except EOFError:
        raise FileError(
            where, "must be a complete gzip file", Words("one that ends too early"), "copy or download it again"
        ) from None
    except (OSError, zlib.error) as error:
        raise FileError(where, "must be readable", Words(error), "copy or download it again") from None


def _encoding(head: bytes) -> str:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    return "UTF-8-sig" if head.startswith(codecs.BOM_UTF8) else "UTF-8"


def _as_windows(where: str) -> tuple[str, codecs.IncrementalDecoder]:
    """The other encoding of Western Europe, for text that is no UTF-8 and was plain ASCII so far."""
    warnings.warn(f"{where} is not UTF-8; its text is read as Windows-1252.", RoclabWarning, stacklevel=2)
    return "Windows-1252", codecs.getincrementaldecoder("cp1252")()


def _decoded(decoder: codecs.IncrementalDecoder, data: bytes, encoding: str, where: str, lines: int) -> str:
    try:
        return decoder.decode(data, final=not data)
    except UnicodeDecodeError as error:
        raise _undecodable(error, encoding, where, lines) from None


def _undecodable(error: UnicodeDecodeError, encoding: str, where: str, lines: int) -> FileError:
    line = lines + error.object.count(b"\n", 0, error.start) + 1
    return FileError(
        where,
        f"must be {encoding.removesuffix('-sig')} text",
        Words(f"the byte 0x{error.object[error.start]:02x} in line {line}"),
        "save it again as UTF-8",
    )


def _end_of_last_line(text: str) -> int:
    end = text.rfind("\n") + 1
    # Old Macintosh files end lines with \r alone. One at the very end may yet be followed by its \n.
    return end or text.rfind("\r", 0, len(text) - 1) + 1


# -- sizes -----------------------------------------------------------------------------------------


def too_large(where: str, found: str, max_bytes: int) -> FileError:
    """The error for a text that is larger than allowed."""
    return FileError(
        where,
        f"must hold at most {size(max_bytes)} of text",
        Words(found),
        "convert it to Parquet, or raise max_bytes if memory allows",
    )


def size(count: int) -> str:
    """Bytes as people say them.

    >>> size(2_000_000_000), size(1500)
    ('2 GB', '1.5 kB')
    """
    for unit, bytes_each in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= bytes_each:
            return f"{count / bytes_each:.3g} {unit}"
    return f"{count} bytes"
