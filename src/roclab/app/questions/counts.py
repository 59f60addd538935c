"""Four counts that were typed in, as of a published table: all rates with their intervals."""

from __future__ import annotations

from typing import Any

from roclab.app.asking import Asked, table_of_rows
from roclab.errors import InputError, Words
from roclab.results import ConfusionMatrix

__all__ = ["counts"]

_CELLS = ("tp", "fp", "fn", "tn")


def counts(asked: Asked) -> dict[str, Any]:
    """The rates of a 2 x 2 table, and where a prevalence is given the predictive values there."""
    given = asked.option("counts", {})
    missing = [name for name in _CELLS if given.get(name) is None]
    if missing:
        raise InputError(
            "", "a 2 x 2 table must have four counts", Words(f"no {' and no '.join(missing)}"), "write them all"
        )
    cells: dict[str, Any] = {
        name: int(given[name]) if given[name] == int(given[name]) else given[name] for name in _CELLS
    }
    chosen = asked.chosen("level", "prevalence")
    asked.item = None  # a table needs no data
    with asked.listening():
        matrix = ConfusionMatrix(**cells)
        found = matrix.with_intervals(**chosen)
    said = {name: value for name, value in chosen.items() if (name, value) != ("level", 0.95)}
    arguments = ", ".join(f"{name}={value}" for name, value in cells.items())
    options = ", ".join(f"{name}={value!r}" for name, value in said.items())
    command = [
        "roclab confusion --matrix",
        *map(str, cells.values()),
        *(f"--{one} {value}" for one, value in said.items()),
    ]
    asked.write(f"rl.results.ConfusionMatrix({arguments}).with_intervals({options})", " ".join(command))
    rows = [row for row in found.rows() if row["metric"] not in _CELLS]
    return asked.answer(matrix=cells, table=table_of_rows(rows), words=str(found).splitlines())
