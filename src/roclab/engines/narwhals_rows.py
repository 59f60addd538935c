"""Rows of a lazy table as Narwhals expressions: the label, the scores, and whether a value is missing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from roclab.data.roles import check_columns
from roclab.data.sources import answering
from roclab.engines.overview import asked_rule
from roclab.errors import InputError, Words

if TYPE_CHECKING:
    from roclab.engines.narwhals_backend import NarwhalsBackend

__all__ = ["as_number", "is_one_of", "no_number", "rows_of"]


def rows_of(backend: NarwhalsBackend, scores: Sequence[str], by: Sequence[str] = ()) -> Any:
    """Label l, scores v0, v1 …, columns g0, g1 … that make groups, and whether a value is missing."""
    import narwhals as nw

    with answering(backend.table.called):
        frame = nw.from_native(backend.table.source).lazy()
        schema = frame.collect_schema()
    check_columns(backend.roles.columns, list(schema.names()), backend.table.called)
    with answering(backend.table.called):
        return _with_gaps(backend, frame, schema, scores, by)


def _with_gaps(backend: NarwhalsBackend, frame: Any, schema: Any, scores: Sequence[str], by: Sequence[str]) -> Any:
    import narwhals as nw

    rule = asked_rule(backend.pos_label)
    label = nw.col(backend.roles.label)
    numeric = schema[backend.roles.label].is_numeric()
    for code in backend.table.na:  # engines do not compare words with numbers
        if numeric == (not isinstance(code, str)):
            label = nw.when(label == code).then(None).otherwise(label)
    columns = [nw.col(name).alias(f"g{at}") for at, name in enumerate(by)]
    columns += [] if backend.roles.id is None else [nw.col(backend.roles.id).alias("c")]
    if backend.roles.weight is not None:
        columns.append(_numbers(backend, schema, backend.roles.weight).alias("m"))
    if rule is None:
        columns.append(label.alias("l"))
    else:
        cut, sign = float(rule.cut), rule.sign
        made = {">": label > cut, ">=": label >= cut, "<": label < cut, "<=": label <= cut}[sign]
        columns.append(made.alias("l"))
    for at, name in enumerate(scores):
        columns.append(_numbers(backend, schema, name).alias(f"v{at}"))
    frame = frame.select(columns)
    gap = nw.col("l").is_null()
    if backend.roles.id is not None:
        gap = gap | nw.col("c").is_null()
    if schema[backend.roles.label].is_float() and rule is None:
        gap = gap | no_number(nw.col("l"), nan=backend.has_nan)
    for at in range(len(scores)):
        gap = gap | no_number(nw.col(f"v{at}"), nan=backend.has_nan)
    if backend.roles.weight is not None:
        gap = gap | no_number(nw.col("m"), nan=backend.has_nan)
    return frame.with_columns(gap=gap)


def _numbers(backend: NarwhalsBackend, schema: Any, name: str) -> Any:
    """A column as float64, NULL where it has a code for a missing value."""
    import narwhals as nw

    kind = schema[name]
    if not (kind.is_numeric() or kind == nw.Boolean):
        raise InputError(
            name, "must be numeric", Words(f"a column of {kind}"), "convert it to numbers, or use it as the label"
        )
    one = nw.col(name)
    one = (nw.when(~one.is_null()).then(as_number(one)) if kind == nw.Boolean else one).cast(nw.Float64)
    for code in backend.table.na:
        if isinstance(code, int | float):
            one = nw.when(one == float(code)).then(None).otherwise(one)
    return one


def as_number(flag: Any) -> Any:
    """1 where a condition holds, else 0; not by a cast, which PostgreSQL has for few kinds of numbers."""
    import narwhals as nw

    return nw.when(flag).then(nw.lit(1, dtype=nw.Int64)).otherwise(nw.lit(0, dtype=nw.Int64))


def no_number(value: Any, *, nan: bool = True) -> Any:
    """Whether a value is missing or NaN; not by is_nan, which DuckDB answers from statistics that leave NaN out.

    Some databases, of which SQLite is one, have no ``nan`` at all.
    """
    if not nan:
        return value.is_null()
    odd = ~value.is_finite() & (value != math.inf) & (value != -math.inf)
    return value.is_null() | odd.fill_null(True)


def is_one_of(column: Any, labels: Sequence[Any]) -> Any:
    """Whether a value is one of some labels."""
    found = column == labels[0]
    for label in labels[1:]:
        found = found | (column == label)
    return found
