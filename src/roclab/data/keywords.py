"""The keywords that every verb takes for its data: written down once, for type checkers, help and errors alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypedDict, TypeVar

from roclab._core.door import door
from roclab.data.groups import ask_each_group
from roclab.names import AskedSide, Direction, Engine, Missing, WeightMeaning

__all__ = ["AskedDirection", "DataKeywords", "ReadingKeywords", "data_door", "reading_door"]

P = ParamSpec("P")
R = TypeVar("R")

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


class _Roles(TypedDict, total=False):
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


class DataKeywords(_Roles, ReadingKeywords, total=False):
    """Which columns play which part, and how to read them; see :func:`roclab.read_cases`."""


_DEFAULTS: dict[str, Any] = {"direction": "higher", "missing": "error"}
_WORDS = """
label, score : str, or a list of str for several scores
    Columns of a table; not given with arrays.
pos_label : optional
    The positive class (also: ``positive``). 1 and True need no mention; of other labels none is guessed. A list joins
    classes, a rule such as ">6.5" (>=, <, <=) makes the outcome from numbers, and of three or more classes the one
    named stands against the rest.
neg_label : optional
    The negative class (also: ``negative``), if it is not all the rest: cases of other classes are left out.
sample_weight, ids, folds : array, or name of a column
    Weight, subject and fold of every case (also: ``weight``, ``id``, ``fold``).
by : array, or name of a column or list of names
    Group of every case: the question is asked of every group, and the answers come as a ``ByGroup``. Rows that lie
    elsewhere have names of columns, here and for folds and ids.
weights : "frequency" or "importance", optional
    What weights mean; by default whole numbers count as repetitions, others as importance weights.
direction : "higher", "lower", "auto", or a mapping of score to one of the first two
    Which side of a score means positive; "auto" chooses by the AUC and says so.
missing : "error" or "drop"
    Cases that lack a value are counted and refused, or left out and counted.
"""
_READING = """
sheet, delimiter, decimal, header_row : optional
    How to read a file: sheet of a workbook, what separates cells, decimal sign, and the row that names the columns.
na : value or list of values, optional
    What else stands for a missing value in the table, such as -99.
engine : "auto", "memory", "duckdb" or "native", optional
    Where rows of files, databases and lazy tables are counted: by default in memory up to five millions, else by
    DuckDB, or by the engine they are on ("native": Spark, Ibis, Polars).
memory_limit : str or number of bytes, optional
    What an engine may use, such as "1GB"; beyond it scores are sorted on disk.
accuracy : "exact" or float, optional
    The numerical error that is allowed on an engine; with one, such as 1e-6, rows are grouped instead of sorted.
"""


def data_door(*, splits: bool = True, **synonyms: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function a verb: the keywords of its data shown, explained, and checked by the type checker.

    With ``splits`` the verb knows nothing of groups and is asked once for each; else it gets ``by`` with the other
    keywords. ``synonyms`` are other words for its own arguments, such as ``columns="score"``.
    """
    words = f"{_WORDS.rstrip()}{_READING}"
    run = ask_each_group if splits else None
    return door(DataKeywords, defaults=_DEFAULTS, words=words, synonyms=synonyms, run=run)


def reading_door(**synonyms: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The same for functions whose data have other parts: only the keywords of reading."""
    return door(ReadingKeywords, words=_READING, synonyms=synonyms)
