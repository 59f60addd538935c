"""Files of every kind: what opens is described, what does not gets a sentence."""

from __future__ import annotations

import io
import time

import numpy as np
import pytest

from roclab.analysis.table_overview import held_table
from roclab.errors import InputError
from tests.conftest import OUTSIDE

GOOD = b"ward,outcome,score\nn,ill,1.5\ns,well,0.2\nn,ill,2.5\ns,well,\n"
BAD = {
    "empty": b"",
    "binary": bytes(range(256)) * 20,
    "duplicated names": b"a,a\n1,2\n3,4\n",
    "header only": b"a,b\n",
    "ragged": b"a,b\n1,2\n1,2,3\n",
}


def column(table, name):
    return [row[table["columns"].index(name)] for row in table["rows"]]


def test_a_file_is_described(workbench):
    seen = workbench.upload("ward.csv", GOOD)
    columns = {one["name"]: one for one in seen["columns"]}
    assert seen["rows_read"] == 4
    assert columns["outcome"]["values"] == [["ill", 2], ["well", 2]]
    assert columns["outcome"]["is_class"]
    assert (columns["score"]["kind"], columns["score"]["missing"]) == ("number", 1)
    assert (columns["score"]["low"], columns["score"]["high"]) == (0.2, 2.5)
    assert seen["head"][0] == {"ward": "n", "outcome": "ill", "score": "1.5"}
    assert seen["path"] is None


@pytest.mark.parametrize("name", BAD)
def test_bad_files_get_a_sentence(workbench, name):
    answer = workbench.upload(f"{name}.csv", BAD[name])
    assert answer["error"].endswith(".")
    assert "bug" not in answer["error"]
    assert "\n" not in answer["error"]


def test_one_column_is_a_table_but_no_analysis(workbench):
    seen = workbench.upload("one.csv", b"x\n1\n2\n")
    assert [one["name"] for one in seen["columns"]] == ["x"]
    answer = workbench.ask(seen["key"], "overview", {"label": "x", "score": ["x"]})
    assert answer["error"].endswith(".")


def test_too_many_columns_are_a_sentence(workbench):
    names = ",".join(f"c{k}" for k in range(100_000))
    answer = workbench.upload("wide.csv", f"{names}\n{','.join('1' * 100_000)}\n".encode())
    assert "at most 2000 columns" in answer["error"]
    assert "roclab screen" not in answer["error"]  # a page has no words of the command line


def test_other_encodings_and_decimal_commas_open_with_a_note(workbench):
    seen = workbench.upload("euro.csv", "größe;wert\nja;1,5\nnein;2,25\n".encode("cp1252"))
    assert [one["name"] for one in seen["columns"]] == ["größe", "wert"]
    assert seen["columns"][1]["high"] == 2.25
    assert seen["notes"]


def test_one_class_is_a_sentence(workbench):
    key = workbench.upload("one.csv", b"y,s\n1,2\n1,3\n")["key"]
    assert "two classes" in workbench.ask(key, "overview", {"label": "y", "score": ["s"]})["error"]


def test_codes_are_found_and_read_anew(workbench):
    seen = workbench.upload("codes.csv", b"y,s\n1,5\n0,2\n1,-99\n0,3\n")
    assert {one["name"]: one["code"] for one in seen["columns"]}["s"] == [-99, 1]
    again = workbench.api("read", {"key": seen["key"], "reading": {"na": [-99]}})
    assert {one["name"]: one["missing"] for one in again["columns"]}["s"] == 1
    answer = workbench.ask(seen["key"], "overview", {"label": "y", "score": ["s"], "missing": "drop"})
    assert "1 dropped for missing values" in answer["sample"]


def test_title_rows_of_a_workbook(workbench):
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl reads workbooks")
    book = openpyxl.Workbook()
    for row in (["Study of 2020"], [], ["y", "s"], [1, 2.5], [0, 1.5]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    key = workbench.upload("study.xlsx", out.getvalue())
    again = workbench.api("read", {"key": key["key"], "reading": {"header_row": 3}}) if "key" in key else key
    assert [one["name"] for one in again["columns"]] == ["y", "s"]


def test_pasted_cells(workbench):
    seen = workbench.api("open", {"text": "y\ts\n1\t2\n0\t1\n", "called": "pasted.tsv"})
    assert [one["name"] for one in seen["columns"]] == ["y", "s"]
    assert "error" in workbench.api("open", {"text": "  "})


def test_a_path_is_opened_where_it_lies(workbench, tmp_path):
    path = tmp_path / "here.csv"
    path.write_bytes(GOOD)
    seen = workbench.api("open", {"path": str(path)})
    assert (seen["called"], seen["path"]) == ("here.csv", str(path))
    workbench.api("close", {"key": seen["key"]})
    assert path.exists()
    (tmp_path / "bare").mkdir()
    for wrong in (str(tmp_path / "gone.csv"), str(tmp_path / "bare"), "", "a\0b"):
        assert workbench.api("open", {"path": wrong})["error"].endswith(".")


def test_orange_and_spss_files_open(workbench):
    path = OUTSIDE / "voting.tab"
    if not path.exists():
        pytest.skip(f"{path.name} may not be shipped, and no folder with it is on this machine (set ROCLAB_DATA)")
    seen = workbench.upload("voting.tab", path.read_bytes())
    assert seen["rows_read"] == 435


def test_rows_that_stay_elsewhere_are_counted_by_an_engine(workbench, tmp_path):
    pa = pytest.importorskip("pyarrow", reason="pyarrow writes Parquet")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow writes Parquet")
    rng = np.random.default_rng(2)
    for part in range(2):
        label = rng.integers(0, 2, 500)
        parquet.write_table(pa.table({"y": label, "s": label + rng.normal(size=500)}), tmp_path / f"{part}.parquet")
    seen = workbench.api("open", {"path": str(tmp_path / "*.parquet")})
    assert (seen["rows_read"], seen["elsewhere"]) == (1000, False)
    roles = {"label": "y", "score": ["s"]}
    wanted = workbench.ask(seen["key"], "areas", roles)["table"]
    again = workbench.api("read", {"key": seen["key"], "reading": {"engine": "duckdb"}})
    assert again["elsewhere"]
    told = workbench.ask(seen["key"], "areas", roles)
    while told["state"] in ("waiting", "running"):
        time.sleep(0.05)
        told = workbench.api(f"jobs/{told['job']}")
    assert told["error"] == ""
    found = told["answer"]["table"]
    assert column(found, "area") == column(wanted, "area")
    assert column(found, "std. error") == pytest.approx(column(wanted, "std. error"), rel=1e-12)


def test_an_overview_agrees_with_its_table_property():
    """Counts, gaps and distinct values by a loop over the cells."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        size = int(rng.integers(2, 40))
        numbers = np.where(rng.random(size) < 0.2, np.nan, rng.integers(0, 50, size))
        words = [None if rng.random() < 0.2 else str(rng.choice(["a", "b", "c"])) for _ in range(size)]
        seen = {one.name: one for one in held_table({"n": numbers, "w": words}).overview.columns}
        there = [value for value in numbers if value == value]
        assert (seen["n"].missing, seen["n"].distinct) == (size - len(there), len(set(there)))
        if there:
            assert (seen["n"].low, seen["n"].high) == (min(there), max(there))
        told = [word for word in words if word is not None]
        assert dict(seen["w"].values) == {word: told.count(word) for word in set(told)}
        assert seen["w"].missing == size - len(told)


def test_arrays_are_no_table():
    with pytest.raises(InputError, match="named columns"):
        held_table([1, 2, 3])
