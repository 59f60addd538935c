"""The markers of a screening: every numeric column of a table, with gaps of its own, beside one outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Array
from roclab.data.arrays import cases_from_arrays
from roclab.data.cases import Cases
from roclab.data.columns import as_array, is_frame, score_column
from roclab.data.read import asked_label, read_cases
from roclab.data.remote import RemoteCases
from roclab.data.roles import check_columns, columns_not_named
from roclab.data.table import FrameTable, SourceTable, Table, reading_of, table_of
from roclab.errors import FileError, InputError, Words, named
from roclab.names import ASKED_SIDES

__all__ = ["Markers", "markers_elsewhere", "markers_of"]


class Markers(NamedTuple):
    """The outcome of all cases, and numeric columns, which may have gaps."""

    whole: Cases  # outcome, weights and ids of every case; its score says where the case stands in the columns
    columns: Mapping[str, Array]
    direction: Mapping[str, str]
    skipped: Mapping[str, str]

    def listwise(self) -> Markers:
        """Only the cases that have all markers, for all of them; engines read no others."""
        if isinstance(self.whole, RemoteCases):
            return self
        full = np.ones(len(self.whole), np.bool_)
        for values in self.columns.values():
            if values.dtype.kind == "f":
                full &= ~np.isnan(values)
        left = int(full.sum())
        if left == len(self.whole):
            return self
        if left == 0:
            raise InputError("", "no case has all markers", way_out="exclude the column with most gaps")
        whole = replace(self.whole.only(full), dropped=self.whole.dropped + len(self.whole) - left)
        return self._replace(whole=whole, columns={name: values[full] for name, values in self.columns.items()})

    def cases_of(self, name: str) -> Cases:
        """The cases that have a value of one marker."""
        if isinstance(self.whole, RemoteCases):
            one = self.whole.select(name)
            return one.facing({name: "lower"}) if self.direction[name] == "lower" else one
        values = self.columns[name]
        side: Any = "lower" if self.direction[name] == "lower" else "higher"
        whole = replace(self.whole, scores={name: values}, direction={name: side})
        if values.dtype.kind == "f" and np.isnan(values.min()):
            return whole.only(~np.isnan(values))
        return whole


def markers_of(y_true: Any, markers: Any, exclude: str | Sequence[str], data: Any) -> Markers:
    """Read the outcome and all columns that can be markers."""
    if data.get("folds") is not None:
        raise InputError("folds", "has no part in screening", way_out="leave it out")
    asked = data.get("direction", "higher")
    exclude = [exclude] if isinstance(exclude, str) else list(exclude)
    if isinstance(y_true, Cases):
        cases = read_cases(y_true, markers, **data)
        unknown = [name for name in exclude if name not in cases.names]
        if unknown:
            raise InputError("exclude", "must name scores of the cases", Words(unknown[0]))
        left = {name: values for name, values in cases.scores.items() if name not in exclude}
        return Markers(cases, _some(left, {}), cases.direction, {})
    source, label, score = _source(y_true, markers, data)
    found = _columns(source, label, score, exclude, data)
    parts = {
        name: found.pop(value) if isinstance(value := data.get(name), str) else value
        for name in ("sample_weight", "ids")
    }
    outcome = found.pop(label)
    size = as_array(outcome, label).size
    whole = cases_from_arrays(
        outcome,
        {"row": np.arange(size)},  # which cases are left, whatever the reader drops
        label_name=label,
        weights=data.get("weights"),
        missing=data.get("missing", "error"),
        **{name: asked_label(source, label, outcome, data.get(name)) for name in ("pos_label", "neg_label")},
        **parts,
    )
    rows = whole.scores["row"]
    columns: dict[str, Array] = {}
    skipped: dict[str, str] = {}
    for name, values in found.items():
        column = _numeric(values, name)
        if column is None:
            skipped[name] = "it is not numeric"
        elif column.size != size:
            raise InputError(name, "must have one value per label", Words(f"{column.size} for {size}"))
        else:
            columns[name] = column if rows.size == size else column[rows]
    sides = asked if isinstance(asked, Mapping) else dict.fromkeys(columns, asked)
    direction = {name: check_choice(sides.get(name, "higher"), "direction", ASKED_SIDES) for name in columns}
    return Markers(whole, _some(columns, skipped), direction, skipped)


def markers_elsewhere(y_true: Any, markers: Any, exclude: str | Sequence[str], data: Any) -> Markers | None:
    """Markers that are counted where they lie, or None for data in memory; a case must have all of them."""
    if isinstance(y_true, RemoteCases):
        cases, direction = y_true, data.get("direction", y_true.direction)
    else:
        if markers is not None and not isinstance(markers, str | list | tuple):
            return None
        table = table_of(y_true, **reading_of(data))
        if not isinstance(table, SourceTable) or not table.remote:
            return None
        label, score = data.get("label"), data.get("score") if markers is None else markers
        if label is None:
            raise columns_not_named(["label"], table.called, table.names())
        others = {label, data.get("ids"), *([exclude] if isinstance(exclude, str) else exclude)}
        chosen = table.numeric_names() if score is None else [score] if isinstance(score, str) else list(score)
        chosen = [name for name in chosen if name not in others]
        direction = data.get("direction", "higher")
        asked = {**data, "label": label, "score": chosen, "direction": "higher"}
        found = read_cases(table, **asked)
        if not isinstance(found, RemoteCases):  # pragma: no cover - the table said so
            return None
        cases = found
    sides = direction if isinstance(direction, Mapping) else dict.fromkeys(cases.names, direction)
    every = {name: np.empty(0) for name in cases.names}
    return Markers(cases, every, {name: sides.get(name, "higher") for name in cases.names}, {})


def _some(columns: dict[str, Array], skipped: Mapping[str, str]) -> dict[str, Array]:
    if not columns:
        reason = f"skipped {', '.join(skipped)}" if skipped else "all were excluded"
        raise InputError("", "no numeric column is left to screen", way_out=reason)
    return columns


def _source(y_true: Any, markers: Any, data: Any) -> tuple[Table, str, Any]:
    """The table, the name of its outcome, and the columns asked for."""
    label, score = data.get("label"), data.get("score")
    if label is not None and isinstance(markers, str | list | tuple) and score is None:
        markers, score = None, markers  # names of columns
    table = y_true
    if markers is not None:
        if not isinstance(markers, Mapping) and not is_frame(markers):
            raise InputError("markers", "must map names to columns", Words(type(markers).__name__))
        table = {"y_true": y_true}
        table |= FrameTable(markers).columns() if is_frame(markers) else {str(k): v for k, v in dict(markers).items()}
        label = "y_true"
    source = table_of(table, **reading_of(data))
    if source is None:
        raise InputError(
            "", "screening needs a table with an outcome, or labels and markers", Words(type(table).__name__),
            f"pass the markers too, or a table with {named('label', 'outcome')}",
        )  # fmt: skip
    if label is None:
        raise columns_not_named(["label"], source.called, source.names())
    return source, label, score


def _columns(source: Table, label: str, score: Any, exclude: Sequence[str], data: Any) -> dict[str, Any]:
    """Outcome, weights, ids and every column that may be a marker; read once, as standard input must be."""
    chosen = None if score is None else [score] if isinstance(score, str) else list(score)
    if chosen is not None and label in chosen:
        raise InputError("label", f"and {named('score')} must be different columns", Words(f"{label!r} for both"))
    others = [name for part in ("sample_weight", "ids") if isinstance(name := data.get(part), str)]
    wanted = None if chosen is None else list(dict.fromkeys([label, *others, *chosen]))
    columns = source.columns(wanted)
    if wanted is None:
        kind = FileError if source.printed_labels else InputError
        check_columns([label, *others, *exclude], list(columns), source.called, kind)
    return {name: values for name, values in columns.items() if name not in exclude or name in (label, *others)}


def _numeric(values: Any, name: str) -> Array | None:
    """A column of numbers, NaN where they are missing; None for words and dates."""
    array = as_array(values, name)
    if array.dtype.kind in "USM" or (array.dtype.kind == "O" and any(isinstance(v, str | bytes) for v in array)):
        return None
    return score_column(array, name).values
