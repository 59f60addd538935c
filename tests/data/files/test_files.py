"""Files of every format: the same table must come out of each, and each wrong file gets its own sentence."""

from __future__ import annotations

import csv
import datetime
import gzip
import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.data.files import delimited
from roclab.data.files.read import columns_of_file
from roclab.data.read import read_cases
from roclab.errors import FileError, InputError, MissingExtraError, MissingValuesError, OneClassError

TABLE = {
    "patient": ["p", "q", "r", "s"],
    "outcome": ["ill", "well", "ill", "well"],
    "sick": [1, 0, 1, 0],
    "flag": [True, False, True, False],
    "a": [0.5, 0.25, 1.5, 0.5],
    "b": [3, 1, 2, 2],
    "w": [1, 2, 0.5, 1],
    "ward": [1, 2, 1, 2],
}
CSV = "\n".join([",".join(TABLE), *(",".join(map(str, row)) for row in zip(*TABLE.values(), strict=True))]) + "\n"


def write_text(path, text=CSV, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def write_gzip(path, text=CSV):
    path.write_bytes(gzip.compress(text.encode()))
    return path


def write_parquet(path):
    pyarrow.parquet.write_table(pa.table(TABLE), path)
    return path


def write_feather(path):
    pyarrow.feather.write_feather(pa.table(TABLE), path)
    return path


def write_stream(path):
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, pa.table(TABLE).schema) as writer:
        writer.write_table(pa.table(TABLE))
    return path


def write_workbook(path, rows=None, sheets=("Sheet1",)):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name in sheets:
        sheet = book.create_sheet(name)
        for row in rows or [list(TABLE), *zip(*TABLE.values(), strict=True)]:
            sheet.append(row)
    book.save(path)
    return path


WRITERS = {
    "t.csv": write_text,
    "T.CSV": write_text,
    "t.tsv": lambda path: write_text(path, CSV.replace(",", "\t")),
    "comma.txt": write_text,
    "semicolon.txt": lambda path: write_text(path, CSV.replace(",", ";")),
    "tab.txt": lambda path: write_text(path, CSV.replace(",", "\t")),
    "bar.txt": lambda path: write_text(path, CSV.replace(",", "|")),
    "t.csv.gz": write_gzip,
    "t.tsv.gz": lambda path: write_gzip(path, CSV.replace(",", "\t")),
    "t.txt.gz": lambda path: write_gzip(path, CSV.replace(",", ";")),
    "bom.csv": lambda path: write_text(path, CSV, "utf-8-sig"),
    "utf16.csv": lambda path: write_text(path, CSV, "utf-16"),
    "utf16be.csv": lambda path: write_text(path, "\ufeff" + CSV, "utf-16-be"),
    "windows.csv": lambda path: write_text(path, CSV.replace("\n", "\r\n")),
    "macintosh.csv": lambda path: write_text(path, CSV.replace("\n", "\r")),
    "no last line end.csv": lambda path: write_text(path, CSV.rstrip()),
    "blank lines.csv": lambda path: write_text(path, "\n\n" + CSV.replace("\n", "\n\n") + "  \n"),
    "spaces.csv": lambda path: write_text(path, CSV.replace(",", " , ")),
    "quotes.csv": lambda path: write_text(path, CSV.replace("ill", '"ill"').replace(",a,", ',"a",')),
    "t.parquet": write_parquet,
    "t.feather": write_feather,
    "t.arrow": write_feather,
    "stream.arrow": write_stream,
    "t.ipc": write_feather,
    "t.xlsx": write_workbook,
}


@pytest.fixture(params=WRITERS)
def any_file(request, tmp_path):
    return WRITERS[request.param](tmp_path / request.param)


# -- every format says the same ------------------------------------------------------------------


def test_file_definition(any_file):
    cases = read_cases(
        any_file,
        label="outcome",
        score=["a", "b"],
        pos_label="ill",
        weight="w",
        id="patient",
        fold="ward",
        direction={"b": "lower"},
    )
    assert cases.label.tolist() == [True, False, True, False]
    assert (cases.scores["a"].tolist(), cases.scores["b"].tolist()) == (TABLE["a"], TABLE["b"])
    assert (cases.weight.tolist(), cases.weights) == (TABLE["w"], "importance")
    assert cases.ids.tolist() == TABLE["patient"]
    assert list(cases.by_fold()) == ["1", "2"]
    assert (cases.positive, cases.negative) == ("ill", "well")
    assert cases.direction == {"a": "higher", "b": "lower"}


@pytest.mark.parametrize(
    ("label", "pos_label"),
    [("sick", None), ("sick", 1), ("sick", "1"), ("flag", None), ("flag", "true"), ("flag", True)],
)
def test_positive_label_definition_as_text_or_as_itself(any_file, label, pos_label):
    cases = read_cases(any_file, label=label, score="a", pos_label=pos_label)
    assert cases.label.tolist() == [True, False, True, False]


def test_read_columns_definition_of_all_columns(any_file):
    columns = columns_of_file(any_file)
    assert {name: values.tolist() for name, values in columns.items()} == TABLE
    assert columns["sick"].dtype == np.int64
    assert columns["flag"].dtype == np.bool_
    assert columns["a"].dtype == np.float64


def test_read_columns_definition_in_the_order_asked_for(any_file):
    assert list(columns_of_file(any_file, ["b", "a"])) == ["b", "a"]
    assert list(columns_of_file(str(any_file), "b")) == ["b"]


def test_no_such_column_error(any_file):
    with pytest.raises(FileError) as error:
        read_cases(any_file, label="outcom", score="a", pos_label="ill")
    assert str(error.value) == (
        f"{any_file} has no column 'outcom'; did you mean 'outcome'; the columns are "
        "'patient', 'outcome', 'sick', 'flag', 'a', 'b', 'w', 'ward'."
    )


def test_unknown_positive_label_error(any_file):
    with pytest.raises(InputError, match="pos_label must be one of the labels, got 'il'; did you mean 'ill'"):
        read_cases(any_file, label="outcome", score="a", pos_label="il")


def test_text_score_error(any_file):
    with pytest.raises(InputError, match=r"'ill' in row|outcome must be numeric, got"):
        read_cases(any_file, label="sick", score="outcome")


def test_standard_input_definition(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CSV.encode())))
    assert len(read_cases("-", label="sick", score="a")) == 4


def test_standard_input_error_is_named(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(FileError, match="standard input must hold a header and rows, got an empty file"):
        columns_of_file("-")


def test_one_sheet_of_several_definition(tmp_path):
    path = write_workbook(tmp_path / "t.xlsx", sheets=("data", "notes"))
    assert columns_of_file(path, ["a"], sheet="data")["a"].tolist() == TABLE["a"]


def test_workbook_definition_of_odd_cells(tmp_path):
    rows = [
        [None, None, None],
        ["outcome", "m", None, "when"],
        ["ill", 1, "note", datetime.date(2020, 1, 2)],
        [],
        ["well", "2.5", None, None, "beside the table"],
        ["ill", "#N/A"],
        [None, 7.25],
    ]
    path = write_workbook(tmp_path / "t.xlsx", rows)
    columns = columns_of_file(path, numeric=["m"])
    assert list(columns) == ["outcome", "m", "when"]
    assert columns["outcome"].tolist() == ["ill", "well", "ill", None]
    assert columns["m"].tolist() == pytest.approx([1, 2.5, np.nan, 7.25], nan_ok=True)
    assert columns["when"].tolist()[0].startswith("2020-01-02")
    with pytest.raises(FileError, match=r"row 3, column when: '2020-01-02.* is not a number"):
        columns_of_file(path, numeric=["when"])


def test_workbook_definition_with_decimal_comma(tmp_path):
    path = write_workbook(tmp_path / "t.xlsx", [["y", "m"], [1, 0.5], [0, "1,5"]])
    assert columns_of_file(path, numeric=["m"], decimal=",")["m"].tolist() == [0.5, 1.5]


def test_parquet_definition_of_names_with_points(tmp_path):
    table = pa.table({"a": [{"b": 1}, {"b": 2}], "a.b": [5, 6], "y": [0, 1]})
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    assert columns_of_file(tmp_path / "t.parquet", ["a.b", "y"])["y"].tolist() == [0, 1]


# -- text ----------------------------------------------------------------------------------------


def test_delimiter_and_decimal_definition(tmp_path):
    path = write_text(tmp_path / "t.csv", "y;m\n1;0,5\n0;1,25\n")
    cases = read_cases(path, label="y", score="m", delimiter=";", decimal=",")
    assert cases.scores["m"].tolist() == [0.5, 1.25]


def test_quoted_cells_definition_with_delimiters_and_line_ends(tmp_path):
    path = write_text(tmp_path / "t.csv", 'note,m,y\n"a, b",1,0\n"two\nlines ""quoted""",2,1\n')
    assert columns_of_file(path, ["note"])["note"].tolist() == ["a, b", 'two\nlines "quoted"']


def test_missing_cells_definition(tmp_path):
    path = write_text(tmp_path / "t.csv", "y,m,id\n1,0.5,\n0,NA,p\n,3,q\n1,4,r\n0,5,s\n")
    with pytest.raises(MissingValuesError, match="y lacks 1, m lacks 1, id lacks 1"):
        read_cases(path, label="y", score="m", id="id")
    cases = read_cases(path, label="y", score="m", id="id", missing="drop", pos_label="1")
    assert (cases.scores["m"].tolist(), cases.ids.tolist(), cases.dropped) == ([4, 5], ["r", "s"], 3)


def test_identifiers_definition_keep_their_zeros(tmp_path):
    path = write_text(tmp_path / "t.csv", "id,y\n007,1\n7,0\n")
    assert columns_of_file(path, ["id"])["id"].tolist() == ["007", "7"]


@given(
    st.lists(
        st.tuples(st.booleans(), st.floats(allow_nan=False), st.text(st.characters(codec="utf-8"), max_size=9)),
        min_size=1,
        max_size=30,
    )
)
def test_text_property_reads_back_what_the_csv_module_writes(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "property.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerows([("y", "m", "note"), *((int(y), m, note.replace("\0", "")) for y, m, note in rows)])
    columns = columns_of_file(path, ["y", "m"], numeric=["m"])
    assert columns["y"].tolist() == [int(y) for y, _, _ in rows]
    assert columns["m"].tolist() == [m for _, m, _ in rows]


def test_text_property_does_not_depend_on_blocks_and_chunks(tmp_path, monkeypatch):
    path = write_text(tmp_path / "t.csv", "y,m\r\n" + "".join(f'{i % 2},"{i}.5 "\r\n\r\n' for i in range(200)))
    whole = columns_of_file(path, numeric=["m"])
    for block, chunk in ((1, 1), (7, 3), (64, 1000)):
        monkeypatch.setattr(delimited, "_BLOCK", block)
        monkeypatch.setattr(delimited, "_CHUNK", chunk)
        parts = columns_of_file(path, numeric=["m"])
        assert parts["m"].tolist() == whole["m"].tolist()
        assert parts["y"].tolist() == whole["y"].tolist()


def test_row_numbers_definition_count_header_and_blank_lines(tmp_path):
    path = write_text(tmp_path / "t.csv", "\ny,m\n" + "1,2\n" * 5000 + "\n\n1,abc\n")
    with pytest.raises(FileError, match="row 5005, column m: 'abc' is not a number"):
        columns_of_file(path, numeric=["m"])


TEXT_ERRORS = {
    "empty": ("t.csv", b"", "t.csv must hold a header and rows, got an empty file; check how it was written"),
    "blank": ("t.csv", b"\n \n", "must hold a header and rows, got an empty file"),
    "only a byte-order mark": ("t.csv", b"\xef\xbb\xbf", "must hold a header and rows, got an empty file"),
    "header only": ("t.csv", b"y,m\n", "must hold rows below its header, got the header only"),
    "header and blank lines": ("t.csv", b"y,m\n\n\n", "must hold rows below its header, got the header only"),
    "not a number": ("t.csv", b"y,m\n1,2\n0,abc\n", "t.csv, row 3, column m: 'abc' is not a number; correct"),
    "too many cells": (
        "t.csv",
        b"y,m\n1,2\n0,1,2\n",
        "row 3 must have 2 cells like the header, got 3; check its",
    ),
    "too few cells": (
        "t.csv",
        b"y,m\n1,2\n\n0\n",
        "row 4 must have 2 cells like the header, got 1; check its",
    ),
    "duplicate names": (
        "t.csv",
        b"y,m,m\n1,2,3\n",
        "columns of .* must have different names, got 'm' more than",
    ),
    "no such column": (
        "t.csv",
        b"y,mm\n1,2\n",
        "t.csv has no column 'm'; did you mean 'mm'; the columns are 'y', 'mm'",
    ),
    "commas in tsv": (
        "t.tsv",
        b"y,m\n1,2\n",
        r"separated by '\\t', got the header 'y,m' with none; write delimiter=','",
    ),
    "spaces": ("t.txt", b"y m\n1 2\n", "got the header 'y m' with none; write delimiter=' ' if"),
    "two delimiters": (
        "t.txt",
        b"y,m;x\n1,2;3\n",
        "must show its delimiter in the header, got ',' and ';' equally",
    ),
    "damaged UTF-8": (
        "t.csv",
        "y,m,é\n".encode() + b"1,3,0\n" * 80000 + b"\xe9,2,0\n",
        r"must be UTF-8 text, got the byte 0xe9 in line \d+; save",
    ),
    "cut UTF-16": (
        "t.csv",
        "y,m\n1,2".encode("utf-16")[:-1],
        "must be UTF-16 text, got the byte 0x32 in line",
    ),
    "PNG": (
        "t.csv",
        b"\x89PNG\r\n\x1a\n\0\0",
        "must be delimited text, got a PNG image; name the file after",
    ),
    "zip": ("t.csv", b"PK\x03\x04\x14\0", "got a zip archive, which is what .xlsx files are"),
    "Parquet": ("t.txt", b"PAR1\x15\0\x15", "must be delimited text, got a Parquet file"),
    "gzip without .gz": (
        "t.csv",
        gzip.compress(CSV.encode()),
        "must be delimited text, got gzip-compressed data",
    ),
    "old Excel": ("t.csv", b"\xd0\xcf\x11\xe0\0", "got an old .xls or a password-protected Excel file"),
    "web page": ("t.csv", b"  <!DOCTYPE html><html>", "must be delimited text, got a web page"),
    "NUL at the start": ("t.csv", b"y,m\n1,\x002\n", "must be delimited text, got binary data"),
    "NUL later": ("t.csv", b"y,m\n" + b"1,2\n" * 80000 + b"\0", r"got a NUL character after line \d+"),
    "open quote": (
        "t.csv",
        b'y,m\n1,"2\n0,1\n',
        "well-formed delimited text, got line 3 .*check the double quotes",
    ),
    "open quote in the header": ("t.csv", b'"y,m\n1,2\n', "well-formed delimited text, got line 2"),
    "endless cell": ("t.csv", b"y,m\n1," + b"x" * 200000 + b"\n", r"field larger than field limit"),
    "no gzip": (
        "t.csv.gz",
        CSV.encode(),
        "must be gzip-compressed as its name says, got text; drop .gz from the",
    ),
    "cut gzip": (
        "t.csv.gz",
        gzip.compress(CSV.encode())[:-9],
        "complete gzip file, got one that ends too early",
    ),
    "damaged gzip": (
        "t.csv.gz",
        gzip.compress(b"x" * 99)[:-8] + b"\0" * 8,
        "must be readable, got CRC check failed",
    ),
    "no text in gzip": ("t.csv.gz", gzip.compress(b"\0" * 99), "must be delimited text, got binary data"),
}


@pytest.mark.parametrize("case", TEXT_ERRORS)
def test_text_error(case, tmp_path):
    name, data, message = TEXT_ERRORS[case]
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(FileError, match=message):
        read_cases(path, label="y", score="m")


def test_header_of_one_column_definition_may_hold_blanks(tmp_path):
    path = write_text(tmp_path / "t.csv", "my score\n1\n")
    assert columns_of_file(path, ["my score"])["my score"].tolist() == [1]


# -- size ----------------------------------------------------------------------------------------


def test_three_gigabytes_of_text_error_comes_at_once(tmp_path):
    path = write_text(tmp_path / "t.csv")
    os.truncate(path, 3_000_000_000)  # sparse: takes no room on disk
    with pytest.raises(FileError) as error:
        read_cases(path, label="sick", score="a", engine="memory")
    assert str(error.value) == (
        f"{path} must hold at most 2 GB of text, got 3 GB; convert it to Parquet, or raise max_bytes if memory allows."
    )


def test_gzip_bomb_error(tmp_path):
    row = "1,2\n" * 100_000
    path = write_gzip(tmp_path / "t.csv.gz", "y,m\n" + row * 25)
    assert path.stat().st_size < 100_000
    with pytest.raises(FileError, match="must hold at most 5 MB of text, got more than 5 MB; convert it to Parquet"):
        columns_of_file(path, ["y", "m"], max_bytes=5_000_000)


def test_endless_line_error(tmp_path):
    path = write_gzip(tmp_path / "t.csv.gz", "y,m\n" + "1" * 20_000_000)
    with pytest.raises(FileError, match="lines of at most 16,777,216 characters, got a longer one after line 1"):
        read_cases(path, label="y", score="m")


def test_standard_input_error_when_too_long(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CSV.encode())))
    with pytest.raises(FileError, match="standard input must hold at most 20 bytes of text, got more than 20"):
        columns_of_file("-", max_bytes=20)


def test_workbook_bomb_error(tmp_path):
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 5_000_000)
    assert path.stat().st_size < 10_000
    with pytest.raises(FileError, match="must unpack to at most 1 MB, got 5 MB; convert it to Parquet, or raise"):
        columns_of_file(path, max_bytes=1_000_000)


# -- other formats -------------------------------------------------------------------------------


def damaged(path):
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return path


def emptied(path, suffix):
    table = pa.table(TABLE).slice(0, 0)
    (pyarrow.parquet.write_table if suffix == "parquet" else pyarrow.feather.write_feather)(table, path)
    return path


def no_workbook(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "no workbook")
    return path


def broken_sheet(path):
    write_workbook(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data[: len(data) - 60] if name.endswith("sheet1.xml") else data)
    return path


def with_duplicate_names(path):
    pyarrow.parquet.write_table(pa.table([[1], [2]], names=["a", "a"]), path)
    return path


OTHER_ERRORS = {
    "text.parquet": (
        write_text,
        "must be a Parquet file as its name says, got text; name the file after what it",
    ),
    "text.feather": (write_text, r"must be an Arrow \(Feather version 2\) file as its name says, got text"),
    "text.xlsx": (write_text, "must be an Excel workbook as its name says, got text"),
    "sheet.parquet": (
        no_workbook,
        "a Parquet file .*, got a zip archive",
    ),
    "parquet.xlsx": (
        write_parquet,
        "an Excel workbook as its name says, got a Parquet file",
    ),
    "arrow.parquet": (write_feather, "a Parquet file as its name says, got an Arrow file"),
    "cut.parquet": (
        lambda path: damaged(write_parquet(path)),
        "must be a complete and readable file, got .* from py",
    ),
    "cut.arrow": (lambda path: damaged(write_feather(path)), "must be a complete and readable file, got"),
    "cut.xlsx": (
        lambda path: damaged(write_workbook(path)),
        "must be a complete Excel workbook, got a damaged one",
    ),
    "rowless.parquet": (
        lambda path: emptied(path, "parquet"),
        "must hold rows of cases, got columns without any row",
    ),
    "rowless.arrow": (
        lambda path: emptied(path, "arrow"),
        "must hold rows of cases, got columns without any row",
    ),
    "rowless.xlsx": (
        lambda path: write_workbook(path, [["y", "m"]]),
        "rows below its header, got the header only",
    ),
    "blank.xlsx": (
        lambda path: write_workbook(path, [[]]),
        "must hold a header and rows, got an empty sheet",
    ),
    "other.xlsx": (no_workbook, "must be an Excel workbook, got something else or a damaged one"),
    "broken.xlsx": (broken_sheet, "must be an Excel workbook, got something else or a damaged one"),
    "two.xlsx": (
        lambda path: write_workbook(path, sheets=("x", "y")),
        "has 2 sheets, 'x', 'y'; say which one with",
    ),
    "words.xlsx": (
        lambda path: write_workbook(path, [["m"], [1], ["abc"]]),
        "row 3, column m: 'abc' is not a number",
    ),
    "twice.parquet": (with_duplicate_names, "must have different names, got 'a' more than once"),
    "t.json": (
        write_text,
        "must end in .csv, .tsv, .txt or .tab .* or .lrc, got '.json'; name it after what it holds",
    ),
    "t": (write_text, "got 'no ending'"),
    "t.json.gz": (write_gzip, "got '.json.gz'"),
}


@pytest.mark.parametrize("name", OTHER_ERRORS)
def test_other_format_error(name, tmp_path):
    write, message = OTHER_ERRORS[name]
    path = write(tmp_path / name)
    with pytest.raises(FileError, match=message):
        columns_of_file(path, numeric=["m"])


def test_sheet_error_names_close_ones(tmp_path):
    path = write_workbook(tmp_path / "t.xlsx", sheets=("scores", "notes"))
    with pytest.raises(
        FileError, match="has no sheet 'score'; did you mean 'scores'; the sheets are 'scores', 'notes'"
    ):
        columns_of_file(path, sheet="score")


# -- paths and options ---------------------------------------------------------------------------


def test_missing_file_error_names_close_ones(tmp_path):
    write_text(tmp_path / "scores.csv")
    with pytest.raises(FileError, match=r"score\.csv does not exist; did you mean 'scores\.csv'; check the path"):
        columns_of_file(tmp_path / "score.csv")


def test_missing_file_error_without_its_ending(tmp_path):
    write_text(tmp_path / "scores.csv")
    with pytest.raises(FileError, match=r"scores does not exist; did you mean 'scores\.csv'"):
        columns_of_file(tmp_path / "scores")


def test_missing_folder_error(tmp_path):
    with pytest.raises(FileError, match="does not exist and neither does its folder"):
        columns_of_file(tmp_path / "nowhere" / "scores.csv")


def test_directory_error(tmp_path):
    (tmp_path / "scores.parquet").mkdir()
    with pytest.raises(FileError, match=r"scores\.parquet must be a file, got a directory; name a file in it"):
        columns_of_file(tmp_path / "scores.parquet")


@pytest.mark.parametrize("name", ["x\0.csv", "x" * 5000 + ".csv", "file.csv/inside.csv"])
def test_impossible_path_error(name, tmp_path):
    write_text(tmp_path / "file.csv")
    with pytest.raises(FileError, match="; check the path"):
        columns_of_file(f"{tmp_path}/{name}")


def test_permission_error(tmp_path, monkeypatch):
    path = write_text(tmp_path / "t.csv")

    def refuse(self, *args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # a real chmod does not stop a superuser
    with pytest.raises(FileError, match=r"t\.csv must be readable, got permission denied; change its permissions"):
        columns_of_file(path)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("t.csv", {"sheet": "x"}, "sheet must be left out for .csv files, got it for"),
        ("t.parquet", {"delimiter": ";"}, "delimiter must be left out for .parquet files"),
        ("t.parquet", {"decimal": ","}, "decimal must be left out for .parquet files"),
        ("t.xlsx", {"delimiter": ";"}, "delimiter must be left out for .xlsx files"),
        (
            "t.csv",
            {"delimiter": ";;"},
            "delimiter must be one character, got ';;'; write delimiter=';' for instance",
        ),
        ("t.csv", {"delimiter": "\n"}, r"delimiter must be one character, got '\\n'"),
        ("t.csv", {"delimiter": ",", "decimal": ","}, "delimiter and decimal must differ, got ',' for both"),
        ("t.csv", {"decimal": "·"}, "decimal must be one of '.', ',', got '·'"),
        (
            "t.csv",
            {"max_bytes": 0},
            "max_bytes must be a whole number of at least 1, got 0; write a number of bytes",
        ),
    ],
)
def test_option_error(name, options, message, tmp_path):
    path = WRITERS[name](tmp_path / name)
    with pytest.raises(InputError, match=message):
        columns_of_file(path, **options)


def test_one_class_error_names_the_column(tmp_path):
    path = write_text(tmp_path / "t.csv", "y,m\n1,2\n1,3\n")
    with pytest.raises(OneClassError, match="y must hold two classes, got only 1 in 2 cases"):
        read_cases(path, label="y", score="m")


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [
        ("t.parquet", "pyarrow.parquet", "parquet"),
        ("t.arrow", "pyarrow.ipc", "parquet"),
        ("t.xlsx", "openpyxl", "excel"),
    ],
)
def test_missing_library_error_tells_what_to_install(name, module, extra, tmp_path, monkeypatch):
    path = WRITERS[name](tmp_path / name)
    monkeypatch.setitem(sys.modules, module, None)
    library = module.split(".")[0]
    with pytest.raises(MissingExtraError, match=rf'needs {library}; install it with: pip install "roclab\[{extra}\]"'):
        columns_of_file(path)


def test_text_property_needs_no_optional_library(tmp_path):
    code = (
        "import sys; from roclab.data.read import read_cases;"
        f"read_cases({str(write_text(tmp_path / 't.csv'))!r}, label='sick', score='a').tally();"
        "print({'pyarrow', 'openpyxl', 'pandas', 'polars', 'narwhals'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
