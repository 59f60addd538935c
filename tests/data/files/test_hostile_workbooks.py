"""Workbooks that are bombs or damaged: a sentence each, before they are unpacked."""

from __future__ import annotations

import zipfile

import numpy as np
import pytest

import roclab as rl
from roclab.errors import FileError

openpyxl = pytest.importorskip("openpyxl", reason="the extra roclab[excel] is not installed")

SHEET = "xl/worksheets/sheet1.xml"


def workbook(path, rows=300):
    book = openpyxl.Workbook()
    book.active.append(["y", "s"])
    for at in range(rows):
        book.active.append([at % 2, at * 0.37])
    book.save(path)
    return path


def with_blanks(path, megabytes, *, copies=1):
    """The same workbook with blanks in its sheet, or with so many entries that hold them."""
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist() if name != SHEET}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in parts.items():
            new.writestr(name, data)
        for at in range(copies):
            with new.open(SHEET if at == 0 else f"more{at}.xml", "w") as out:
                for _ in range(megabytes):
                    out.write(b" " * 1_000_000)
    return path


def test_a_sheet_of_blanks_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    path = with_blanks(workbook(tmp_path / "bomb.xlsx"), 100)
    assert path.stat().st_size < 200_000
    monkeypatch.setattr(openpyxl, "load_workbook", lambda *_, **__: pytest.fail("the bomb was opened"))
    with pytest.raises(FileError, match=r"must unpack to at most 100 times its size, got 100 MB in"):
        rl.auc(path, label="y", score="s")


def test_entries_count_together(tmp_path):
    path = with_blanks(workbook(tmp_path / "bomb.xlsx"), 6, copies=8)
    with pytest.raises(FileError, match="must unpack to at most 100 times its size"):
        rl.auc(path, label="y", score="s")


def test_real_sheets_that_pack_well_are_read(tmp_path):
    """Thirty columns of one value, which pack as well as a sheet of numbers can."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["y", "s", *(f"c{at}" for at in range(30))])
    for at in range(12_000):
        sheet.append([at % 2, 1, *[0] * 30])
    book.save(tmp_path / "zeros.xlsx")
    assert rl.auc(tmp_path / "zeros.xlsx", label="y", score="s").area == 0.5


@pytest.mark.parametrize("seed", range(60))
def test_damaged_workbooks_are_read_or_get_a_sentence(tmp_path, seed):
    rng = np.random.default_rng(seed)
    path = workbook(tmp_path / "t.xlsx")
    data = bytearray(path.read_bytes())
    for at in rng.integers(4, len(data), 1 + seed % 7):
        data[at] = rng.integers(0, 256)
    path.write_bytes(bytes(data[: len(data) - seed % 5]))
    try:
        rl.auc(path, label="y", score="s")
    except rl.errors.InputError as error:
        assert "\n" not in str(error)  # noqa: PT017 - either way is right


@pytest.mark.parametrize("kind", ["version", "method", "encrypted"])
def test_archives_of_another_kind_get_a_sentence(tmp_path, kind):
    path = workbook(tmp_path / "t.xlsx")
    data = bytearray(path.read_bytes())
    place = {"version": 6, "method": 10, "encrypted": 8}[kind]  # in a record of the central directory
    at = data.find(b"PK\x01\x02")
    while at >= 0:
        data[at + place] = 118 if kind == "version" else 97 if kind == "method" else data[at + place] | 1
        at = data.find(b"PK\x01\x02", at + 4)
    path.write_bytes(bytes(data))
    with pytest.raises(FileError, match="Excel workbook, got"):
        rl.auc(path, label="y", score="s")
