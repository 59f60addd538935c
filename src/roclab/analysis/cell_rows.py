"""Which cases stand behind a cell of the confusion matrix? The rows of the table, as they were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Array
from roclab.data.cases import Cases
from roclab.data.remote import RemoteCases
from roclab.errors import InputError, Words
from roclab.results import Result

__all__ = ["CELLS", "CellRows", "rows_in_cell"]

CELLS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellRows(Result):
    """Rows of one cell, the highest scores first."""

    cell: str
    count: int
    places: Array  # of the rows in the table, from 0
    columns: Mapping[str, Array]

    def rows(self) -> list[dict[str, Any]]:
        """One row per case, with its number in the table counted from 1."""
        return [
            {"row": int(place) + 1, **{name: values[place] for name, values in self.columns.items()}}
            for place in self.places
        ]


def rows_in_cell(
    cases: Cases, *, score: str, threshold: float | str, cell: str, table: Any, most: int | None = None
) -> CellRows:
    """The rows of a cell; O(n).

    >>> import roclab as rl
    >>> columns = {"y": np.array([1, 0, 1]), "s": np.array([0.2, 0.4, 0.9])}
    >>> cases = rl.read_cases(columns, label="y", score="s")
    >>> rows_in_cell(cases, score="s", threshold=0.4, cell="fn", table=columns).rows()
    [{'row': 1, 'y': np.int64(1), 's': np.float64(0.2)}]
    """
    check_choice(cell, "cell", CELLS)
    if isinstance(cases, RemoteCases):
        raise InputError("", "the rows of a cell are listed for data in memory", Words("rows that stay elsewhere"))
    values = cases.oriented(score)
    cut = float(threshold) if cases.direction[score] == "higher" else -float(threshold)
    called = values >= cut
    chosen = np.flatnonzero((called if cell in ("tp", "fp") else ~called) & (cases.label == (cell in ("tp", "fn"))))
    chosen = chosen[np.argsort(-values[chosen], kind="stable")]
    places = chosen if cases.rows is None else cases.rows[chosen]
    columns = table if isinstance(table, Mapping) else table.columns()
    return CellRows(
        cell=cell, count=int(places.size), places=places[:most], columns={k: np.asarray(v) for k, v in columns.items()}
    )
