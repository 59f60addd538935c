"""Digits that stand for numbers beyond float64 are no infinity."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.data.files.cells import typed
from roclab.data.files.read import columns_of_file
from roclab.errors import FileError

LARGE = "".join(f"{at % 2},{at * 0.37 + 0.001:.6f}\n" for at in range(120_000))  # read by pyarrow


@pytest.mark.parametrize("rows", ["1,3.5\n0,1.5\n1,2.5\n", LARGE], ids=["small", "large"])
@pytest.mark.parametrize("cell", ["1e400", "-1E+400", "1.5e0309"])
def test_numbers_beyond_float64_get_a_sentence(tmp_path, rows, cell):
    path = tmp_path / "x.csv"
    path.write_text(f"y,s\n{rows}0,{cell}\n", encoding="utf-8")
    row = rows.count("\n") + 2
    with pytest.raises(FileError, match=f"row {row}, column s: numbers must be at most 1.8e308 in size, got '"):
        rl.auc(path, label="y", score="s")


@pytest.mark.parametrize("rows", ["1,3.5\n0,1.5\n1,2.5\n", LARGE], ids=["small", "large"])
@pytest.mark.parametrize("cell", ["inf", "-inf", "1e308"])
def test_infinity_that_is_written_as_such_is_read(tmp_path, rows, cell):
    path = tmp_path / "x.csv"
    path.write_text(f"y,s\n{rows}0,{cell}\n", encoding="utf-8")
    assert columns_of_file(path, ["s"], numeric=["s"])["s"][-1] == float(cell)


def test_columns_of_any_kind_stay_text():
    assert typed(["1", "1e400"]).tolist() == ["1", "1e400"]
    assert np.isinf(typed(["1", "inf"])).tolist() == [False, True]


@pytest.mark.parametrize("rows", ["1,3.5\n0,1.5\n1,2.5\n", LARGE], ids=["small", "large"])
@pytest.mark.parametrize("place", ["x.csv", "*.csv"])
@pytest.mark.parametrize("engine", ["duckdb", "memory"])
def test_engines_refuse_numbers_beyond_float64_too(tmp_path, rows, place, engine):
    pytest.importorskip("duckdb", reason="the extra roclab[engines] is not installed")
    (tmp_path / "x.csv").write_text(f"y,s\n{rows}0,1e400\n", encoding="utf-8")
    with pytest.raises(FileError, match="column s: numbers must be at most 1.8e308 in size, got '1e400'"):
        rl.auc(tmp_path / place, label="y", score="s", engine=engine)
    (tmp_path / "x.csv").write_text(f"y,s\n{rows}0,inf\n", encoding="utf-8")
    assert rl.auc(tmp_path / place, label="y", score="s", engine=engine).sample.n_neg > 0
