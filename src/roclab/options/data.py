"""Data: which columns play which part, and how to read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from roclab.names import AskedSide, Direction, Engine, Missing, WeightMeaning
from roclab.options.group import Group, group

__all__ = [
    "AskedDirection",
    "CaseKeywords",
    "DataKeywords",
    "DataOptions",
    "ReadingKeywords",
    "ReadingOptions",
    "RoleKeywords",
]

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


class PartKeywords(TypedDict, total=False):
    """Which columns play which part, but for scores and groups."""

    label: str | None
    pos_label: Any
    neg_label: Any
    sample_weight: Any
    weights: WeightMeaning | None
    ids: Any
    folds: Any
    direction: AskedDirection
    missing: Missing


class ScoreKeywords(TypedDict, total=False):
    """Which scores, of which groups: what decides about the shape of an answer."""

    score: str | Sequence[str] | None
    by: Any


class CaseKeywords(PartKeywords, ReadingKeywords, total=False):
    """All about the cases but scores and groups."""


class RoleKeywords(PartKeywords, ScoreKeywords, total=False):
    """Which columns play which part."""


class DataKeywords(RoleKeywords, ReadingKeywords, total=False):
    """Which columns play which part, and how to read them; see :func:`roclab.read_cases`."""


_READING = {
    "sheet": "Sheet of a workbook, or table of a database.",
    "delimiter": r"What separates the cells of a text file, \t for a tab (default as seen).",
    "decimal": "Decimal sign of a text file, a point or a comma (default as seen).",
    "header_row": "Row of a file that names the columns, if not the first.",
    "na": "What else stands for a missing value, such as -99.",
    "engine": """Where rows of files, databases and lazy tables are counted (default auto).

- "auto": in memory up to five million rows, else by DuckDB or by the engine they are on
- "memory": all rows are fetched
- "duckdb": embedded, on disk where memory is short
- "native": by the engine that holds them (Spark, Ibis, Polars)""",
    "memory_limit": "What an engine may use, such as 1GB; beyond it scores are sorted on disk.",
    "accuracy": "Numerical error that is allowed on an engine, such as 1e-6, or exact (default); with an error rows "
    "are grouped instead of sorted.",
}
_ROLES = {
    "label": "Column with the class of each case.\n\nNot given with arrays.",
    "pos_label": """The positive class; 1 or True needs no mention, of other labels none is guessed. A rule such as
">6.5" (>=, <, <=) makes it from numbers; of three or more classes it stands against the rest; several are joined.""",
    "neg_label": "The negative class, if it is not all the rest: cases of other classes are left out.",
    "sample_weight": "Column with the weight of each case.\n\nOr an array.",
    "weights": """What weights mean (default: whole numbers are frequencies).

- "frequency": so many equal cases
- "importance": how much a case counts""",
    "ids": "Column with the subject of each case: cases of one subject form a cluster, and scores in several files are "
    "paired by it.\n\nOr an array.",
    "folds": "Column with the fold of each case, whose scores come from a model of its own.\n\nOr an array.",
    "direction": """Which side of a score means positive: higher (default), lower, or auto to choose by the AUC.

- "higher", "lower": of all scores
- "auto": by the AUC, and said so
- a mapping of scores to one of the first two""",
    "missing": """Cases that lack a value (default error).

- "error": counted and refused
- "drop": left out and counted""",
}

_SCORES = {
    "score": "Column with a score.\n\nA list names several; not given with arrays.",
    "by": "Column with the group of each case: every group is answered apart, combinations where several are named."
    "\n\nOr an array.",
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


@group(ScoreKeywords, _SCORES)
@dataclass(frozen=True, kw_only=True)
class ScoreOptions(Group):
    """Which scores, of which groups."""

    score: str | Sequence[str] | None = None
    by: Any = None


@group(PartKeywords, _ROLES)
@dataclass(frozen=True, kw_only=True)
class DataOptions(Group):
    """Which columns play which part."""

    label: str | None = None
    pos_label: Any = None
    neg_label: Any = None
    sample_weight: Any = None
    weights: WeightMeaning | None = None
    ids: Any = None
    folds: Any = None
    direction: AskedDirection = "higher"
    missing: Missing = "error"
