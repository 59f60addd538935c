"""Large text files through pyarrow: the same columns as our own reader, and its sentences where something is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from roclab.data.files import quick_text, text_pieces
from roclab.data.files.read import columns_of_file
from roclab.errors import FileError

pytest.importorskip("pyarrow")


@pytest.fixture
def always(monkeypatch):
    """Small files are read as large ones are; returns how often the quick reader answered."""
    answered = []
    quick = quick_text.quick_columns

    def told(*arguments, **keywords):
        found = quick(*arguments, **keywords)
        answered.append(found is not None)
        return found

    monkeypatch.setattr(quick_text, "_SMALL", 0)
    monkeypatch.setattr("roclab.data.files.quick_text.quick_columns", told)
    return answered


@pytest.mark.parametrize(
    "text",
    [
        "y,s,w\n1,0.5,a\n0,1e-3,b\n1,NA,007\n0,.,\n",
        'y;s;w\r\n1;0.5;"a;b"\r\n0;-3;NA\r\n1;+7;c\r\n',
        "y\ts\tw\ntrue\t1\tx\nfalse\t2\t x \nTRUE\tinf\ty\n",
        'y,s,w\n1,2,"two\nlines"\n0,3,b\n\n1,4,c\n',
        "y,s,w\n1,-99,a\n0,2,-99\n1,3,c\n",
        "y,s,w\n" + "1,2,a\n0,3,b\n" * 40,
        "y,s,w\n" + "1,2,a\n0,3,b\n" * 40 + ",4,\n11,5,ab\n",
        "y,s,w\n" + "1,2,a\n0,3,b\n" * 40 + "11,5,ab\n" + '0,5,"a,b"\n',
        "y,s,w\n" + "1,2,a\n0,3,b\n" * 40 + " ,4,.\n1,-99,\u00e9\n",
        "y,s,w\n" + "1,2,9\n0,3,8\n" * 40 + "2,4,.\n",
        "y,s,w\n" + "t,2,T\nf,3,F\n" * 40,
    ],
)
def test_quick_and_careful_readers_agree(tmp_path, always, text, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    asked = {"columns": ["y", "s", "w"], "numeric": ["s"], "na": [-99]}
    quick = columns_of_file(path, **asked)
    assert always == [True]
    monkeypatch.setattr("roclab.data.files.quick_text.quick_columns", lambda *_, **__: None)
    careful = columns_of_file(path, **asked)
    for name, column in careful.items():
        assert quick[name].dtype == column.dtype
        if column.dtype.kind == "f":
            assert np.array_equal(quick[name], column, equal_nan=True)
        else:
            assert quick[name].tolist() == column.tolist()


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 40])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_pieces_of_any_size_hold_every_row_once(tmp_path, always, monkeypatch, size, end):
    monkeypatch.setattr(text_pieces, "_PIECE", size)
    lines = ["y,s,w", "1,0.25,a", "0,-12345.5,a longer word", "", "1,,b", "0,7,a", "1,8.5,", "0,1e-300,b"]
    path = tmp_path / "t.csv"
    for text in (end.join(lines), end.join(lines) + end, end.join(lines) + 2 * end):
        path.write_bytes(text.encode())
        found = columns_of_file(path, ["w", "s", "y"], numeric=["s"])
        assert found["y"].tolist() == [1, 0, 1, 0, 1, 0]
        assert found["w"].tolist() == ["a", "a longer word", "b", "a", None, "b"]
        assert np.array_equal(found["s"], [0.25, -12345.5, np.nan, 7, 8.5, 1e-300], equal_nan=True)
    assert always == [True] * 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("y,s\n1,0.5\n0,abc\n", "row 3, column s: 'abc' is not a number"),
        ("y,s\n1,0.5\n0\n", "row 3 must have 2 cells like the header"),
        ("y,s\n1,9007199254740993\n0,1\n", "integers must be at most 2\\*\\*53"),
        ("y,s\n1,1_000\n0,1\n", "is not a number"),
        ("y,t\n1,1\n0,1\n", "has no column 's'"),
    ],
)
def test_what_is_wrong_is_said_by_row(tmp_path, always, text, words):
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(FileError, match=words):
        columns_of_file(path, ["y", "s"], numeric=["s"])
    assert always == [False]


def test_other_encodings_and_decimal_signs_are_left_to_the_careful_reader(tmp_path, always):
    path = tmp_path / "t.csv"
    path.write_bytes("y,s,w\n1,2,é\n0,3,ü\n".encode("utf-16"))
    assert columns_of_file(path, ["s"], numeric=["s"])["s"].tolist() == [2, 3]
    path.write_text("y;s\n1;0,5\n0;1,5\n")
    with pytest.warns(UserWarning, match="decimal"):
        assert columns_of_file(path, ["s"], numeric=["s"])["s"].tolist() == [0.5, 1.5]
    assert always == [False, False]
