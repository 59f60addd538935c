"""Every verb gives the same numbers whatever holds the data: arrays, lists, tables of any library, files, cases."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from tests.every_verb.verbs import OF_SCORES, Y
from tests.public import public

pd, pl, pa = (pytest.importorskip(name, reason="needs data frames") for name in ("pandas", "polars", "pyarrow"))


def written(form, table, folder):
    path = folder / f"data.{form}"
    pd.DataFrame(table).to_csv(path, index=False) if form == "csv" else pd.DataFrame(table).to_parquet(path)
    return path


TABLES = {
    "mapping": lambda table, folder: table,
    "lists": lambda table, folder: {name: values.tolist() for name, values in table.items()},
    "pandas": lambda table, folder: pd.DataFrame(table),
    "polars": lambda table, folder: pl.DataFrame(table),
    "pyarrow": lambda table, folder: pa.table(table),
    "csv": lambda table, folder: written("csv", table, folder),
    "parquet": lambda table, folder: written("parquet", table, folder),
}


def told(result):
    """What a result says, without what differs between two runs by its nature."""
    if isinstance(result, dict):
        return {name: told(one) for name, one in result.items()}
    if isinstance(result, rl.results.Report):
        return str(result.findings)
    if isinstance(result, rl.results.Cases):
        return result.label.tolist(), {name: values.tolist() for name, values in result.scores.items()}
    return str(result)


@pytest.mark.parametrize("shape", [*TABLES, "cases"])
@pytest.mark.parametrize("name", OF_SCORES)
def test_shapes(name, shape, tmp_path):
    verb = OF_SCORES[name]
    function = public(name)
    columns = dict(verb.columns)
    want = told(function(Y, columns, **verb.options))
    if shape == "cases":
        found = function(rl.read_cases(Y, columns), **verb.options)
    else:
        data = TABLES[shape]({"y": Y, **columns}, tmp_path)
        found = function(data, label="y", score=list(columns), **verb.options)
    assert told(found) == want


@pytest.mark.parametrize("name", [name for name, verb in OF_SCORES.items() if not isinstance(verb.scores, dict)])
@pytest.mark.parametrize("make", [list, tuple, np.float32, pd.Series, pl.Series, pa.array])
def test_single_columns(name, make):
    verb = OF_SCORES[name]
    function = public(name)
    scores = np.round(4 * verb.scores) / 4  # which float32 holds too
    assert told(function(Y, make(scores), **verb.options)) == told(function(Y, scores, **verb.options))
