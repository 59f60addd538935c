"""Plain text by pieces: the cells of Python's own reader, or a refusal that sends whoever asked to DuckDB."""

from __future__ import annotations

import csv
import gzip

import numpy as np
import pytest

from roclab.data.files import plain_text as module
from roclab.data.files import text_pieces
from roclab.data.files.plain_text import UnplainError, plain_text
from roclab.data.reading import Reading
from roclab.data.sources import SourceTable

pytest.importorskip("pyarrow", reason="the extra roclab[parquet] is not installed")


def opened(path, label="y", scores=("s",), **reading):
    return plain_text(SourceTable(str(path), "files", Reading(**reading)), label, scores)


def lines(n=60, words=("0", "1")):
    rng = np.random.default_rng(n)
    return ["y,s,name,t", *(f"{words[rng.integers(2)]},{rng.normal()!r},case {at},{at}" for at in range(n))]


def read(path, size, sides=("0", "1"), **asked):
    """Labels and scores of a sample, then of all rows, as lists."""
    text = opened(path, **asked)
    try:
        head = [column.tolist() for column in text.head(size)]
        parts = list(text.batches(*sides))
    finally:
        text.close()
    return head, [np.concatenate(column).tolist() for column in zip(*parts, strict=True)]


def definition(path, size, sides=("0", "1"), separator=",", scores=("s",)):
    with open(path, newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter=separator))
    head = [[row["y"] for row in rows[:size]], *([float(row[name]) for row in rows[:size]] for name in scores)]
    side = [sides.index(row["y"]) if row["y"] in sides else 2 for row in rows]
    return head, [*([float(row[name]) for row in rows] for name in scores), side]


@pytest.mark.parametrize("piece", [1, 7, 40, 300, 1 << 22])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("words", [("0", "1"), ("well", "ill"), ("é", "e")], ids=str)
def test_pieces_definition_are_the_rows_of_the_file(tmp_path, monkeypatch, piece, end, words):
    monkeypatch.setattr(text_pieces, "_PIECE", piece)
    path = tmp_path / "x.csv"
    for text in (end.join(lines(words=words)), end.join([*lines(words=words), "", ""])):
        path.write_text(text, encoding="utf-8", newline="")
        for size in (1, 25, 1000):
            assert read(path, size, words) == definition(path, size, words)


def test_every_separator_and_several_scores(tmp_path):
    path = tmp_path / "x.txt"
    for separator in ",;\t|":
        path.write_text("\n".join(lines()).replace(",", separator))
        assert read(path, 5, scores=("t", "s")) == definition(path, 5, separator=separator, scores=("t", "s"))
    path.write_text("\n".join(lines()).replace(",", "~"))
    assert opened(path) is None
    assert read(path, 5, delimiter="~") == definition(path, 5, separator="~")


HEADERS = {
    "another name": "y,S,name,t",
    "a name twice": "y,s,name,name",
    "names that differ in capitals": "y,s,name,Y",
    "names that differ in blanks": "y,s,name,s ",
    "two separators": "y,s,name;first,t",
    "quotes": 'y,"s",name,t',
    "too few names": "y,s,name",
    "a title": "cases of a week",
    "a mark of the encoding": "\ufeffy,s,name,t",
}


@pytest.mark.parametrize("header", HEADERS)
def test_headers_that_are_left_to_duckdb(tmp_path, header):
    path = tmp_path / "x.csv"
    path.write_text("\n".join([HEADERS[header], *lines()[1:]]), encoding="utf-8")
    assert opened(path) is None


def test_files_and_readings_that_are_left_to_duckdb(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("\n".join(lines()))
    assert opened(path) is not None
    assert opened(path, header_row=1) is None
    assert opened(path, decimal=",") is None
    assert opened(path, delimiter=", ") is None
    for changed in ({"na": (-99,)}, {"where": "s > 0"}, {"kind": "database"}):
        given = {"source": str(path), "kind": "files", **changed}
        assert plain_text(SourceTable(**given), "y", ["s"]) is None
    (tmp_path / "y.csv").write_text("\n".join(lines()))
    assert opened(tmp_path) is None
    with gzip.open(tmp_path / "z.csv.gz", "wt") as out:
        out.write("\n".join(lines()))
    assert opened(tmp_path / "z.csv.gz") is None
    for text in (b"", b"y,s,name,t", b"y,s,name,t\n1,0.5,a,1", "y,s,name,tä\n1,2,3,4\n".encode("latin-1")):
        path.write_bytes(text)
        assert opened(path) is None


CELLS = {
    "a quote": '1,0.5,"a",2',
    "an empty score": "1,,a,2",
    "a missing score": "1,NA,a,2",
    "text": "1,low,a,2",
    "a short row": "1,0.5,a",
    "a long row": "1,0.5,a,2,3",
    "blanks for a row": "   ",
    "half a letter": "1,0.5\udce9,a,2",
}


@pytest.mark.parametrize("at", [9, 55])
@pytest.mark.parametrize("cell", CELLS)
def test_rows_that_end_the_attempt(tmp_path, monkeypatch, cell, at):
    monkeypatch.setattr(text_pieces, "_PIECE", 100)
    monkeypatch.setattr(module, "_HEAD", 100)
    path = tmp_path / "x.csv"
    text = lines()
    text[at] = CELLS[cell]
    path.write_text("\n".join(text), encoding="utf-8", errors="surrogateescape")
    with pytest.raises(UnplainError):
        read(path, 10)


@pytest.mark.parametrize("label", ["2", "10", "", " 1", "1 ", "true", "NA", "é"])
def test_a_third_label_is_told_or_ends_the_attempt(tmp_path, monkeypatch, label):
    monkeypatch.setattr(text_pieces, "_PIECE", 100)
    path = tmp_path / "x.csv"
    path.write_text("\n".join([*lines(), f"{label},0.5,last,3"]), encoding="utf-8")
    with pytest.raises(UnplainError):
        read(path, 10)
    text = lines()
    path.write_text("\n".join([text[0], *sorted(text[1:]), f"{label},0.5,last,3"]), encoding="utf-8")
    monkeypatch.setattr(module, "_HEAD", 100)  # rows of one label
    assert read(path, 10) == definition(path, 10)


@pytest.mark.parametrize("sign", ["'", "#", "\\", "\0"])
def test_signs_that_tell_duckdb_how_to_read_matter_in_the_first_rows_only(tmp_path, monkeypatch, sign):
    monkeypatch.setattr(text_pieces, "_PIECE", 100)
    monkeypatch.setattr(module, "_TOLD", 4)
    path = tmp_path / "x.csv"
    text = lines()
    path.write_text("\n".join([*text, f"1,0.5,{sign}a,2"]))
    assert read(path, 10) == definition(path, 10)
    path.write_text("\n".join([*text[:4], f"1,0.5,{sign}a,2", *text[4:]]))
    with pytest.raises(UnplainError):
        read(path, 10)


def test_a_memory_limit_bounds_the_threads(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(module, "in_order", lambda *given, workers, waiting: seen.append(workers))
    monkeypatch.setattr("pyarrow.cpu_count", lambda: 64)
    path = tmp_path / "x.csv"
    path.write_text("\n".join(lines()))
    for limit in (None, "1GB", "100MB"):
        opened(path, memory_limit=limit)
    assert seen == [16, 6, 1]
