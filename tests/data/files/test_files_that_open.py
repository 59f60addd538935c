"""Files as spreadsheets, statistics programs and other countries write them open without options, or say which one."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import roclab as rl
from roclab.data.missing_codes import suspicious_code
from roclab.errors import FileError, InputError, RoclabWarning
from tests.conftest import OUTSIDE

OPENS = {
    "semicolons": ("t.csv", b"y;m\n1;2\n0;1\n", None),
    "tabs in csv": ("t.csv", b"y\tm\n1\t2\n0\t1\n", None),
    "decimal commas": ("t.csv", b"y;m\n1;2,5\n0;1\n", "numbers such as 2,5, which are read with a decimal comma"),
    "a comma in a name": ("t.csv", b"y;m;size, cm\n1;2;3\n0;1;4\n", None),
    "Windows-1252": ("t.csv", "y,m,n\n1,2,é\n0,1,x\n".encode("cp1252"), "read as Windows-1252"),
    "UTF-16": ("t.csv", "y,m\n1,2\n0,1\n".encode("utf-16"), None),
    "points for gaps": ("t.csv", b"y,m,k\n1,2,.\n0,1,3\n", None),
    "Orange with types": ("t.tab", b"y\tm\tk\nd\tc\td\nclass\t\tmeta\n1\t2\t?\n0\t1\ta\n", None),
    "Orange with values": ("t.tab", b"y\tm\n0 1\tc\nclass\t\n1\t2\n0\t1\n", None),
    "Orange with prefixes": ("t.tab", b"cD#y\tC#m\n1\t2\n0\t1\n", None),
    "plain tab": ("t.tab", b"y\tm\n1\t2\n0\t1\n", None),
}


@pytest.mark.parametrize("case", OPENS)
def test_files_that_just_open(case, tmp_path):
    name, content, said = OPENS[case]
    path = tmp_path / name
    path.write_bytes(content)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cases = rl.read_cases(path, label="y", score="m")
    assert cases.label.tolist() == [True, False]
    assert cases.scores["m"].tolist() == [2.5 if case == "decimal commas" else 2.0, 1.0]
    assert [str(one.message) for one in caught] == [] if said is None else said in str(caught[0].message)


def test_a_decimal_sign_that_was_said_is_not_sniffed(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"y;m\n1;2,5\n0;1,5\n")
    with pytest.raises(FileError, match="'2,5' in row 2, '1,5' in row 3; write decimal=','"):
        rl.read_cases(path, label="y", score="m", decimal=".")
    assert rl.read_cases(path, label="y", score="m", decimal=",").scores["m"].tolist() == [2.5, 1.5]


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_header_row(suffix, tmp_path):
    path = tmp_path / f"t{suffix}"
    rows = [["Ward study 2024"], [], ["y", "m"], [1, 2.5], [0, 1.5]]
    if suffix == ".csv":
        path.write_text("\n".join(",".join(map(str, row)) for row in rows))
    else:
        openpyxl = pytest.importorskip("openpyxl", reason="openpyxl reads workbooks")
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(path)
    assert rl.read_cases(path, label="y", score="m", header_row=3).scores["m"].tolist() == [2.5, 1.5]
    if suffix == ".xlsx":
        with pytest.raises(FileError, match="must name its columns in the first row.*write header_row=3 to begin"):
            rl.read_cases(path, label="y", score="m")
    with pytest.raises(InputError, match="header_row"):
        rl.read_cases(path, label="y", score="m", header_row=0)
    with pytest.raises(InputError, match=r"header_row must be a row of|has no column|must hold a header"):
        rl.read_cases(path, label="y", score="m", header_row=99)


@pytest.mark.parametrize("form", ["csv", "parquet", "frame", "mapping"])
def test_codes_of_missing_values(form, tmp_path):
    table = {"y": [1, 0, 1, 0, 1], "m": [2.5, -99.0, 1.0, 0.5, -99.0]}
    if form == "csv":
        data = tmp_path / "t.csv"
        data.write_text("y,m\n" + "\n".join(f"{y},{m}" for y, m in zip(*table.values(), strict=True)))
    elif form == "parquet":
        data = tmp_path / "t.parquet"
        polars = pytest.importorskip("polars", reason="polars writes Parquet")
        polars.DataFrame(table).write_parquet(data)
    else:
        data = pytest.importorskip("polars", reason="a data frame").DataFrame(table) if form == "frame" else table
    with pytest.warns(RoclabWarning, match="m is -99 in 2 cases .* a code for a missing value; write na=-99"):
        assert len(rl.read_cases(data, label="y", score="m")) == 5
    for code in (-99, "-99", [-99, "unknown"]):
        cases = rl.read_cases(data, label="y", score="m", na=code, missing="drop")
        assert (cases.scores["m"].tolist(), cases.dropped) == ([2.5, 1.0, 0.5], 2)
    with pytest.raises(InputError, match="na must be a value or a list of values"):
        rl.read_cases(data, label="y", score="m", na=object())


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([0, 1, 2, -9], -9),
        ([0.5, 120, 999, 999], 999),
        ([-3, 1, -9], None),
        ([640, 999, 800], None),
        ([1, 2, 3], None),
        ([-99, -99], None),
    ],
)
def test_codes_that_are_remarked_on(values, code):
    found = suspicious_code(np.array(values))
    assert (None if found is None else found[0]) == code


def test_spss_files(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat", reason="pyreadstat writes SPSS files")
    pandas = pytest.importorskip("pandas", reason="pyreadstat writes data frames")
    path = tmp_path / "t.sav"
    frame = pandas.DataFrame({"out": [1.0, 0.0, 1.0, 0.0], "m": [2.5, 1.5, np.nan, 9.0], "who": ["a", "", "c", "d"]})
    pyreadstat.write_sav(
        frame, str(path), variable_value_labels={"out": {0: "alive", 1: "dead"}}, missing_ranges={"m": [9.0]}
    )
    for positive in ("dead", "1", 1):
        cases = rl.read_cases(path, label="out", score="m", pos_label=positive, missing="drop")
        assert (cases.label.tolist(), cases.scores["m"].tolist(), cases.dropped) == ([True, False], [2.5, 1.5], 2)
    assert rl.read_columns(path, ["who"], missing="drop")["who"].tolist() == ["a", "c", "d"]
    with pytest.raises(FileError, match="has no column 'x'"):
        rl.read_cases(path, label="out", score="x")
    other = tmp_path / "other.sav"
    other.write_bytes(b"y,m\n1,2\n")
    with pytest.raises(FileError, match="must be an SPSS file as its name says, got text"):
        rl.read_cases(other, label="y", score="m")
    damaged = tmp_path / "damaged.sav"
    damaged.write_bytes(path.read_bytes()[:180])
    with pytest.raises(FileError, match="must be a file of SPSS, got a damaged one"):
        rl.read_cases(damaged, label="out", score="m")


def test_orange_voting_file():
    """The table of the House of Representatives as Orange ships it: 267 democrats of 435."""
    if not (OUTSIDE / "voting.tab").exists():
        pytest.skip("no folder with the data is on this machine (set ROCLAB_DATA)")
    found = rl.read_columns(OUTSIDE / "voting.tab", ["party"])
    assert (found["party"] == "democrat").sum() == 267
    assert found["party"].size == 435
