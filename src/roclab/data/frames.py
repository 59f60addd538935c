"""Columns of any data frame as ``Cases``: pandas, polars, pyarrow and whatever else narwhals reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roclab.data.cases import Cases
from roclab.data.roles import assign_roles, cases_from_columns, check_columns
from roclab.errors import InputError, Words
from roclab.names import Direction, Missing, Weighting

__all__ = ["cases_from_frame", "is_frame"]


def cases_from_frame(
    frame: Any,
    *,
    label: str,
    score: str | Sequence[str],
    pos_label: Any = None,
    weight: str | None = None,
    weights: Weighting | None = None,
    id: str | None = None,
    fold: str | None = None,
    direction: Direction | Mapping[str, Direction] = "higher",
    missing: Missing = "error",
) -> Cases:
    """Cases from the columns of a data frame, one case per row, O(rows × columns needed).

    Parameters
    ----------
    frame : data frame
        pandas, polars, pyarrow or any other frame that narwhals reads. Of a lazy frame only the needed
        columns are collected.
    label : str
        The column of labels. 1/True is positive; anything else needs ``pos_label``.
    score : str or sequence of str
        The column of scores, or several: they stay paired by row.
    pos_label : optional
        The label that means positive.
    weight, id, fold : str, optional
        Columns of case weights, subject identifiers and folds.
    weights : "frequency" or "importance", optional
        How to read the weights; by default whole numbers count as repetitions.
    direction : "higher", "lower" or mapping of score name to one of them
        Which side of a score means positive.
    missing : "error" or "drop"
        What to do with rows that lack a needed value.

    Notes
    -----
    Nullable and categorical columns, Arrow dictionaries and decimals arrive as the values they stand
    for. Dates are not scores, and neither is text, however much it looks like numbers.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"outcome": ["well", "ill", "ill"], "marker": [0.2, 0.1, 0.7]})
    >>> cases_from_frame(frame, label="outcome", score="marker", pos_label="ill")
    Cases(3 rows; scores marker; positive is 'ill')
    """
    import narwhals as nw

    if not is_frame(frame):
        raise InputError(
            "frame",
            "must be a data frame such as pandas, polars or pyarrow make",
            Words(f"{type(frame).__name__}"),
            "pass arrays as y_true and y_score instead",
        )
    roles = assign_roles(label=label, score=score, weight=weight, id=id, fold=fold)
    check_columns(roles.columns, _column_names(frame), "the data frame")
    table = nw.from_native(frame)
    if isinstance(table, nw.LazyFrame):
        table = table.select(roles.columns).collect()
    columns = {name: table[name] for name in roles.columns}
    return cases_from_columns(
        columns, roles, pos_label=pos_label, weights=weights, direction=direction, missing=missing
    )


def is_frame(obj: Any) -> bool:
    """True for a data frame, eager or lazy; arrays, lists and single columns are none.

    Every data frame has ``columns``. Asking the class first costs nothing, evaluates nothing on a lazy
    frame, and spares a program that only uses arrays the import of narwhals.
    """
    if not hasattr(type(obj), "columns"):
        return False
    import narwhals as nw

    try:
        table = nw.from_native(obj, pass_through=True)
    except nw.exceptions.DuplicateError:  # a frame all the same; which columns are double is said elsewhere
        return True
    return isinstance(table, nw.DataFrame | nw.LazyFrame)


def _column_names(frame: Any) -> list[Any]:
    import narwhals as nw

    try:
        return list(nw.from_native(frame).collect_schema().names())
    except nw.exceptions.DuplicateError:
        names = frame.column_names if hasattr(frame, "column_names") else frame.columns
        return list(names)
