from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.data.files.cells import MISSING, NumberColumn, WordColumn, typed
from roclab.errors import FileError


def numbers(cells, decimal="."):
    column = NumberColumn("m", where="f.csv", decimal=decimal)
    column.add(cells, range(2, 2 + len(cells)))
    return column.values()


def words(*chunks, decimal="."):
    column = WordColumn(decimal=decimal)
    for chunk in chunks:
        column.add(chunk, range(len(chunk)))
    return column.values()


def test_number_column_definition():
    assert numbers(["1", " 2.5 ", "-3e2", "+.5", "inf", "-Infinity"]).tolist() == [
        1,
        2.5,
        -300,
        0.5,
        np.inf,
        -np.inf,
    ]


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_number_column_property_reads_back_what_python_writes(values):
    assert numbers([repr(value) for value in values]).tolist() == values


@pytest.mark.parametrize("cell", [*sorted(MISSING), "  ", " NA "])
def test_missing_cells_definition(cell):
    assert np.isnan(numbers(["1", cell])[1])
    assert words(["x", cell]).tolist() == ["x", None]


@pytest.mark.parametrize("cell", ["None", "none", "na", "Na", "Null", "-", "..", "missing"])
def test_cells_definition_that_are_not_missing(cell):
    assert words(["x", cell]).tolist() == ["x", cell]
    with pytest.raises(FileError, match="is not a number"):
        numbers([cell])


def test_decimal_comma_definition():
    assert numbers(["1,5", "-2", "", "1e-3"], decimal=",").tolist()[:2] == [1.5, -2]
    assert words(["1,5", "2"], decimal=",").tolist() == [1.5, 2.0]
    assert words(["1.5", "2"], decimal=",").tolist() == ["1.5", "2"]


@pytest.mark.parametrize(
    ("cells", "decimal", "message"),
    [
        (["1", "abc"], ".", "f.csv, row 3, column m: 'abc' is not a number; correct the cell, or empty it"),
        (
            ["1", "", "1,5"],
            ".",
            "row 4, column m: '1,5' is not a number; write decimal=',' if that is the decimal",
        ),
        (["1.5"], ",", r"row 2, column m: '1\.5' is not a number; write decimal='\.'"),
        (["1.234,5"], ",", r"'1\.234,5' is not a number; correct the cell"),
        (["1_000"], ".", "'1_000' is not a number"),
        (["", "1_000"], ".", "row 3, column m: '1_000' is not a number"),
        (["0x1A"], ".", "'0x1A' is not a number"),
        (["x" * 90], ".", "'x+…' is not a number"),
        (["9007199254740993"], ".", r"integers must be at most 2\*\*53 in size.*got '9007199254740993'"),
        (["9" * 5000], ".", r"integers must be at most 2\*\*53 in size"),
    ],
)
def test_number_column_error_names_row_and_column(cells, decimal, message):
    with pytest.raises(FileError, match=message):
        numbers(cells, decimal)


def test_long_integers_definition_that_float64_holds():
    assert numbers(["1152921504606846976", "1e300"]).tolist() == [2.0**60, 1e300]


@pytest.mark.parametrize(
    ("cells", "expected", "kind"),
    [
        (["1", "0", "-12"], [1, 0, -12], "i"),
        (["1", "0.5", "2e3", ".5", "inf"], [1, 0.5, 2000, 0.5, np.inf], "f"),
        (["true", "False", "TRUE"], [True, False, True], "b"),
        (["true", "1"], ["true", "1"], "U"),
        (["007", "1"], ["007", "1"], "U"),
        (["1", "x"], ["1", "x"], "U"),
        (["1234567890123456789", "1"], ["1234567890123456789", "1"], "O"),
        (["a" * 17, "b"], ["a" * 17, "b"], "O"),
        ([" ill", "ill ", "ill"], ["ill", "ill", "ill"], "U"),
        (["1", ""], [1.0, None], "f"),
        (["true", ""], [True, None], "O"),
        (["x", "NA"], ["x", None], "O"),
        (["9007199254740993", ""], [9007199254740993, None], "O"),
        (["", "NA"], [None, None], "f"),
    ],
)
def test_word_column_definition(cells, expected, kind):
    values = words(cells)
    assert [None if value != value else value for value in values.tolist()] == expected
    assert values.dtype.kind == kind


@given(st.lists(st.sampled_from(["ill", "well", "1", " 1", "0.5", "true", ""]), min_size=1), st.integers(1, 5))
def test_word_column_property_does_not_depend_on_chunks(cells, size):
    chunks = [cells[at : at + size] for at in range(0, len(cells), size)]
    assert words(*chunks).tolist() == pytest.approx(words(cells).tolist(), nan_ok=True)


def test_typed_definition_of_no_words_at_all():
    assert typed([]).tolist() == []
