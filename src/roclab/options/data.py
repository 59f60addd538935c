"""Data: which columns play which part, and how to read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from roclab.names import AskedSide, Direction, Engine, Missing, WeightMeaning
from roclab.options.group import Group, group

__all__ = ["AskedDirection", "DataKeywords", "DataOptions", "ReadingKeywords", "ReadingOptions"]

AskedDirection = AskedSide | Mapping[str, Direction]


class ReadingKeywords(TypedDict, total=False):
    """How to read a table; those of files mean nothing for data in memory."""

    sheet: str | None
    delimiter: str | None
    decimal: str | None
    header_row: int | None
    na: Any
    engine: Engine | None
    memory_limit: str | float | None
    accuracy: str | float | None


class RoleKeywords(TypedDict, total=False):
    """Which columns play which part."""

    label: str | None
    score: str | Sequence[str] | None
    pos_label: Any
    neg_label: Any
    sample_weight: Any
    weights: WeightMeaning | None
    ids: Any
    folds: Any
    by: Any
    direction: AskedDirection
    missing: Missing


class DataKeywords(RoleKeywords, ReadingKeywords, total=False):
    """Which columns play which part, and how to read them; see :func:`roclab.read_cases`."""


_READING = {
    "sheet": "Sheet of a workbook, or table of a database.",
    "delimiter": "What separates the cells of a text file; by default as seen.",
    "decimal": "Decimal sign of a text file, a point or a comma; by default as seen.",
    "header_row": "Row of a file that names the columns, if not the first.",
    "na": "What else stands for a missing value, such as -99; a value or a list of them.",
    "engine": """Where rows of files, databases and lazy tables are counted.

- "auto" (default): in memory up to five million rows, else by DuckDB or by the engine they are on
- "memory": all rows are fetched
- "duckdb": embedded, on disk where memory is short
- "native": by the engine that holds them (Spark, Ibis, Polars)""",
    "memory_limit": 'What an engine may use, such as "1GB"; beyond it scores are sorted on disk.',
    "accuracy": 'The numerical error that is allowed on an engine, such as 1e-6, or "exact" (default); with an error '
    "rows are grouped instead of sorted.",
}
_ROLES = {
    "label": "Column with the class of each case; not given with arrays.",
    "score": "Column with a score, or a list of columns; not given with arrays.",
    "pos_label": "The positive class. 1 and True need no mention; of other labels none is guessed. A rule such as "
    '">6.5" (>=, <, <=) makes it from numbers, a list joins classes, and of three or more classes the one named stands '
    "against the rest.",
    "neg_label": "The negative class, if it is not all the rest: cases of other classes are left out.",
    "sample_weight": "Weight of every case: an array, or the name of a column.",
    "weights": """What weights mean.

- "frequency" (default of whole numbers): so many equal cases
- "importance" (default of others): how much a case counts""",
    "ids": "Subject of every case: an array, or the name of a column. The cases of a subject form a cluster; scores in "
    "several files are paired by it.",
    "folds": "Fold of every case, whose scores come from a model of its own: an array, or the name of a column.",
    "by": "Group of every case, or a list of columns whose combinations are groups: every group is answered apart.",
    "direction": """Which side of a score means positive.

- "higher" (default), "lower"
- "auto": chosen by the AUC, and said so
- a mapping of scores to one of the first two""",
    "missing": """Cases that lack a value.

- "error" (default): counted and refused
- "drop": left out and counted""",
}


@group(ReadingKeywords, _READING)
@dataclass(frozen=True, kw_only=True)
class ReadingOptions(Group):
    """How to read a table."""

    sheet: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    header_row: int | None = None
    na: Any = None
    engine: Engine | None = None
    memory_limit: str | float | None = None
    accuracy: str | float | None = None


@group(RoleKeywords, _ROLES)
@dataclass(frozen=True, kw_only=True)
class DataOptions(Group):
    """Which columns play which part."""

    label: str | None = None
    score: str | Sequence[str] | None = None
    pos_label: Any = None
    neg_label: Any = None
    sample_weight: Any = None
    weights: WeightMeaning | None = None
    ids: Any = None
    folds: Any = None
    by: Any = None
    direction: AskedDirection = "higher"
    missing: Missing = "error"
