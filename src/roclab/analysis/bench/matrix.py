"""The confusion matrix of a bench: per fold or summed, as counts or shares, with the cases behind each cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.text import text_table
from roclab._core.types import Floats, Ints, frozen
from roclab.errors import InputError, Words
from roclab.many_classes.confusion import MulticlassConfusion
from roclab.names import MATRIX_SHARES, MatrixShare
from roclab.results import Result

__all__ = ["BenchMatrix", "CellCases"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellCases(Result):
    """The cases of one cell."""

    model: str
    actual: str
    called: str
    cases: tuple[Mapping[str, Any], ...]

    def __len__(self) -> int:
        return len(self.cases)

    def rows(self) -> list[dict[str, Any]]:
        """One row per case, and as often as it was tested."""
        return [dict(case) for case in self.cases]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BenchMatrix(Result):
    """Calls of one model: rows are the actual classes, columns what was called."""

    model: str
    fold: str | None  # None where all folds are summed
    matrix: MulticlassConfusion
    actual: Ints  # class number of every tested case
    called: Ints
    where: Ints  # row of the table
    folds: tuple[str, ...]  # of every tested case
    ids: tuple[str, ...] | None  # subjects, where the data name them
    score: Floats  # of the called class against the rest; of the positive class where there are two

    def __post_init__(self) -> None:
        for one in (self.actual, self.called, self.where, self.score):
            frozen(one)

    @property
    def classes(self) -> tuple[str, ...]:
        """In the order of rows and columns."""
        return self.matrix.classes

    @property
    def counts(self) -> Ints:
        """Actual classes down, called classes across."""
        return self.matrix.counts.T

    def shares(self, of: MatrixShare) -> list[dict[str, Any]]:
        """Rows in per cent of the actual class ("rows") or of the called class ("columns")."""
        check_choice(of, "of", MATRIX_SHARES)
        counts = self.counts.astype(np.float64)
        total = counts.sum(axis=1 if of == "rows" else 0, keepdims=True)
        with np.errstate(invalid="ignore"):
            share = np.where(total > 0, 100 * counts / total, 0.0)
        return [
            {
                "actual": name,
                **{f"called {other}": f"{value:.1f}%" for other, value in zip(self.classes, line, strict=True)},
            }
            for name, line in zip(self.classes, share.tolist(), strict=True)
        ]

    def cases(self, *, actual: str, called: str) -> CellCases:
        """The cases behind one cell, with their row in the table, counted from 1."""
        for name, given in (("actual", actual), ("called", called)):
            if given not in self.classes:
                raise InputError(name, f"must be one of {', '.join(self.classes)}", Words(given))
        inside = (self.actual == self.classes.index(actual)) & (self.called == self.classes.index(called))
        found = tuple(
            {
                "row": int(self.where[at]) + 1,
                **({} if self.ids is None else {"id": self.ids[at]}),
                "split": self.folds[at],
                "score": float(self.score[at]),
            }
            for at in np.flatnonzero(inside).tolist()
        )
        return CellCases(model=self.model, actual=actual, called=called, cases=found)

    def rows(self) -> list[dict[str, Any]]:
        """One row per actual class, one column per called class."""
        return [
            {"actual": name, **{f"called {other}": int(n) for other, n in zip(self.classes, line, strict=True)}}
            for name, line in zip(self.classes, self.counts.tolist(), strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Counts, without the cases behind them."""
        return {"model": self.model, "fold": self.fold, "classes": list(self.classes), "counts": self.counts.tolist()}

    def __str__(self) -> str:
        where = "summed over all splits" if self.fold is None else f"split {self.fold}"
        return "\n".join(
            [
                f"{self.model}, {where}",
                "",
                text_table(self.rows()),
                "",
                "% of the actual class",
                text_table(self.shares("rows")),
                "",
                "% of the called class",
                text_table(self.shares("columns")),
            ]
        )
