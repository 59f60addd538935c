"""The one way in: arrays, mappings, data frames and files become validated cases, classes or columns.

The three readers share their keywords, one policy for missing values, and the messages, which call every part by the
user's own name. Nothing is guessed: positive class, direction and missing values are said by the caller.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Array
from roclab.data.arrays import cases_from_arrays, complete_rows, natural
from roclab.data.cases import Cases
from roclab.data.classes import ClassScores, class_scores
from roclab.data.columns import Column, is_frame, label_column, score_column
from roclab.data.exchanged import noticing_exchange, remark_on_indexes
from roclab.data.groups import are_names, joined_columns
from roclab.data.labels import match_labels
from roclab.data.missing_codes import remark_on_codes
from roclab.data.reading import ENGINE_KEYWORDS
from roclab.data.roles import assign_roles, columns_not_named
from roclab.data.table import FileTable, FrameTable, SourceTable, Table, refuse_reading, table_of
from roclab.data.table_words import own_label, saying_words, with_words
from roclab.data.verbs import reader
from roclab.errors import InputError, Words, named
from roclab.names import MISSING, Direction, Missing, WeightMeaning
from roclab.options.data import AskedDirection, ReadingKeywords

__all__ = ["Columns", "read_cases", "read_classes", "read_columns"]


@reader()
def read_cases(
    data: Any,
    y_score: Any = None,
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    pos_label: Any = None,
    neg_label: Any = None,
    sample_weight: Any = None,
    weights: WeightMeaning | None = None,
    ids: Any = None,
    folds: Any = None,
    by: Any = None,
    direction: AskedDirection = "higher",
    missing: Missing = "error",
    **reading: Unpack[ReadingKeywords],
) -> Cases:
    """Validated cases from data of any shape; every verb reads its data through here.

    - ``read_cases(y_true, y_score)``: labels and scores; ``y_score`` may be a mapping of names to scores, or a data
      frame of scores.
    - ``read_cases(table, label="outcome", score="marker")``: a data frame of any library, a mapping of names to
      columns, or the path of a file.
    - ``read_cases(cases)``: cases that were read before; ``score`` may choose some of their scores.

    Parameters
    ----------
    data, y_score : see above
    label, score : str, or a list of str for several scores
        Columns of a table.
    pos_label : optional
        The positive class (also: ``positive``). 1 and True need no mention; of other labels none is guessed. Labels of
        files match by how they are printed, so that "1" and 1 mean the same.
    sample_weight, ids, folds, by : array, or name of a column
        Weight, subject, fold and group of every case (also: ``weight``, ``id``, ``fold``); questions are asked of
        every group apart.
    weights : "frequency" or "importance", optional
        What weights mean; by default whole numbers count as repetitions, others as importance weights.
    direction : "higher", "lower", "auto", or a mapping of score to one of the first two
        Which side of a score means positive. "auto" turns scores whose AUC is below one half, and the result says so.
    missing : "error" or "drop"
        Cases that lack a label, a score, a weight, an id or a fold are counted and refused, or left out of all scores,
        so that those stay paired, and counted in the result.

    Returns
    -------
    Cases
        Labels, scores and the circumstances that every result repeats.

    Examples
    --------
    >>> import roclab as rl
    >>> table = {"outcome": ["well", "ill", "ill"], "marker": [0.2, 0.1, 0.7]}
    >>> rl.read_cases(table, label="outcome", score="marker", pos_label="ill")
    Cases(3 rows; scores marker; positive is 'ill')
    """
    if isinstance(data, Cases):
        settled = (y_score, label, pos_label, neg_label, sample_weight, weights, ids, folds, by, *reading.values())
        if any(other is not None for other in settled) or direction != "higher" or missing != "error":
            raise InputError(
                "",
                "cases were validated when they were read",
                Words("options for them"),
                "give those to read_cases",
            )
        return data if score is None else data.select(score)
    if y_score is None and are_counts(data):
        refuse_reading({name: value for name, value in reading.items() if name not in ENGINE_KEYWORDS})
        others = {"sample_weight": sample_weight, "weights": weights, "ids": ids, "folds": folds, "by": by}
        counts = importlib.import_module("roclab.engines.portable_cases")
        given = data.path if isinstance(data, FileTable) else data
        found: Cases = counts.cases_of_counts(
            given, label=label, score=score, pos_label=pos_label, neg_label=neg_label, direction=direction, **others
        )
        return found
    meant: Any = "higher" if direction == "auto" else direction
    if y_score is not None:
        if label is not None or score is not None:
            raise InputError(
                "label",
                f"and {named('score')} name columns of a table",
                Words("arrays as well"),
                "pass one or the other",
            )
        refuse_reading(reading)
        remark_on_indexes(data, y_score)
        if is_frame(y_score):
            y_score = FrameTable(y_score).columns()
        with noticing_exchange(data, y_score, pos_label):
            cases = cases_from_arrays(
                data, y_score, pos_label=pos_label, neg_label=neg_label, weights=weights, direction=meant,
                missing=missing, sample_weight=sample_weight, ids=ids, folds=folds, groups=by,
            )  # fmt: skip
    else:
        common: dict[str, Any] = {
            "pos_label": pos_label, "neg_label": neg_label, "weights": weights, "direction": meant, "missing": missing,
        }  # fmt: skip
        table = _table(data, **reading)
        if isinstance(table, SourceTable) and table.remote:
            parts = {"weight": sample_weight, "id": ids, "fold": folds}
            groups = by if are_names(by) else [name for name in [_column_name("by", by)] if name is not None]
            return _cases_elsewhere(table, label, score, parts, {**common, "direction": direction, "by": groups})
        names = by if are_names(by) else None
        if names:
            by = joined_columns([label_column(values, name).values for name, values in table.columns(names).items()])
        parts = {"weight": sample_weight, "id": ids, "fold": folds, "by": by}
        cases = _cases_of_table(table, label, score, parts, common)
        if names:
            cases = replace(cases, grouped_by=", ".join(names))
    if direction != "auto":
        return cases
    turned: dict[str, Direction] = {
        name: "lower" if cases.tally(name).leans_lower else "higher" for name in cases.names
    }
    return replace(cases, direction=turned, direction_chosen=True)


def are_counts(data: Any) -> bool:
    """True for counts that were made before, or the place of their files."""
    place = data.path if isinstance(data, FileTable) else data
    if isinstance(place, str | os.PathLike):
        return os.fspath(place).lower().endswith(".tally")
    return type(place).__name__ == "PortableTally"


def _table(data: Any, **reading: Any) -> Table:
    table = table_of(data, **reading)
    if table is None:
        raise InputError(
            "",
            "data must be labels and scores, a table (data frame, mapping or file) with named columns, or cases",
            Words(f"{type(data).__name__} alone"),
            f"pass the scores too, or a table with {named('label', 'outcome')} and {named('score', 'marker')}",
        )
    return table


def _cases_of_table(table: Table, label: Any, score: Any, parts: Mapping[str, Any], common: dict[str, Any]) -> Cases:
    stored = own_label(table) if label is None else None
    label = stored if label is None else label
    if label is None or score is None:
        lacking = [name for name, given in (("label", label), ("score", score)) if given is None]
        raise columns_not_named(lacking, table.called, table.names())
    columns = {name: value for name, value in parts.items() if isinstance(value, str)}
    roles = assign_roles(label=label, score=score, **{name: columns.get(name) for name in parts})
    numeric = (*roles.scores, *([roles.weight] if roles.weight is not None else []))
    found = table.columns(roles.columns, numeric=numeric)

    def part(name: str) -> Any:
        return found[columns[name]] if name in columns else parts[name]

    common = common | {
        name: asked_label(table, roles.label, found[roles.label], common[name]) for name in ("pos_label", "neg_label")
    }
    words = table.value_labels(roles.label)
    with saying_words(words):
        cases = cases_from_arrays(
            found[roles.label],
            {name: found[name] for name in roles.scores},
            sample_weight=part("weight"),
            ids=part("id"),
            folds=part("fold"),
            label_name=roles.label,
            weight_name=columns.get("weight", "sample_weight"),
            id_name=columns.get("id", "ids"),
            fold_name=columns.get("fold", "folds"),
            groups=part("by"),
            group_name=columns.get("by", "by"),
            **common,
        )
    remark_on_codes(cases.scores)
    cases = with_words(cases, words)
    if stored is not None:
        cases = replace(cases, outcome="; ".join(filter(None, [cases.outcome, f"{stored} is the class of the file"])))
    return cases


def _cases_elsewhere(
    table: SourceTable, label: Any, score: Any, parts: Mapping[str, Any], common: dict[str, Any]
) -> Cases:
    """Cases whose rows stay where they are."""
    if label is None or score is None:
        lacking = [name for name, given in (("label", label), ("score", score)) if given is None]
        raise columns_not_named(lacking, table.called, table.names())
    roles = assign_roles(label=label, score=score, **{name: _column_name(name, parts[name]) for name in parts})
    # Looked up by name: engines know the way in, the way in only offers them what they can count.
    engines = importlib.import_module("roclab.engines.remote")
    cases: Cases = engines.remote_cases(table, roles, **common)
    return cases


def _column_name(part: str, given: Any) -> str | None:
    if given is None or isinstance(given, str):
        return given
    raise InputError(part, "must name a column of data that lie elsewhere", Words("values in memory"))


def asked_label(table: Table, name: str, values: Any, asked: Any) -> Any:
    """The label of a table that a user means: by how it is printed, or by the table's own word for it."""
    if asked is None:
        return None
    words = table.value_labels(name)
    if words:
        several = isinstance(asked, list | tuple)
        meant = [words.get(str(one), one) for one in (asked if several else [asked])]
        asked = meant if several else meant[0]
    return match_labels(values, asked) if table.printed_labels else asked


@reader(classes="labels")
def read_classes(
    data: Any,
    scores: Any = None,
    *,
    label: str | None = None,
    score: Sequence[str] | None = None,
    labels: Sequence[Any] | None = None,
    sample_weight: Any = None,
    missing: Missing = "error",
    **reading: Unpack[ReadingKeywords],
) -> ClassScores:
    """Validated scores of more than two classes, one column per class.

    ``read_classes(y_true, scores)`` takes labels and an n x k table; ``read_classes(table, label=…, score=[…])`` a data
    frame, a mapping or a file. ``labels`` names the classes in the order of the columns; without it columns go by their
    names where those are the classes, else by the sorted labels. ``sample_weight`` is a sequence, or the name of a
    column: importance weights.

    >>> import roclab as rl
    >>> table = {"grape": ["a", "b", "c"], "a": [0.8, 0.1, 0.2], "b": [0.1, 0.7, 0.2], "c": [0.1, 0.2, 0.6]}
    >>> rl.read_classes(table, label="grape", score=["a", "b", "c"]).classes
    ('a', 'b', 'c')
    """
    if isinstance(data, ClassScores):
        if any(other is not None for other in (scores, label, score, labels, sample_weight)):
            raise InputError(
                "",
                "classes were validated when they were read",
                Words("options for them"),
                "give those to read_classes",
            )
        return data
    if scores is not None:
        if label is not None or score is not None:
            raise InputError(
                "label",
                f"and {named('score')} name columns of a table",
                Words("arrays as well"),
                "pass one or the other",
            )
        refuse_reading(reading)
        return class_scores(data, scores, labels=labels, missing=missing, sample_weight=sample_weight)
    table = _table(data, **reading)
    label = own_label(table) if label is None else label
    if label is None or score is None:
        lacking = [name for name, given in (("label", label), ("score", score)) if given is None]
        raise columns_not_named(lacking, table.called, table.names())
    if isinstance(score, str):
        raise InputError("score", "must name one column per class", score, f"write {named('score', ['a', 'b', 'c'])}")
    roles = assign_roles(label=label, score=score)
    by_name = isinstance(sample_weight, str)
    weighing = [sample_weight] if by_name else []
    columns = table.columns([*roles.columns, *weighing], numeric=[*roles.scores, *weighing])
    return class_scores(
        columns[label],
        {name: columns[name] for name in roles.scores},
        labels=labels,
        missing=missing,
        label_name=label,
        named_columns=False,
        sample_weight=columns[sample_weight] if by_name else sample_weight,
        weight_name=sample_weight if by_name else "sample_weight",
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """Columns without gaps, and how many cases were left out for them."""

    values: Mapping[str, Array]
    dropped: int
    called: str  # what messages call the table

    def __getitem__(self, name: str) -> Array:
        return self.values[name]


@reader()
def read_columns(
    data: Any,
    columns: Sequence[str] | None = None,
    *,
    numeric: Sequence[str] = (),
    needed: Sequence[str] | None = None,
    missing: Missing = "error",
    **reading: Unpack[ReadingKeywords],
) -> Columns:
    """Columns of any table, for questions that are not about scores of two classes.

    Parameters
    ----------
    data : data frame, mapping of name to column, or path of a file
    columns : sequence of str, optional
        Those to read; all by default.
    numeric : sequence of str
        Columns that must hold numbers.
    needed : sequence of str, optional
        Columns in which no value may be missing; by default all that are read.
    missing : "error" or "drop"
        What to do with cases that lack a needed value.

    >>> import roclab as rl
    >>> found = rl.read_columns({"ward": ["n", "s", None], "x": [1, 2, 3]}, missing="drop")
    >>> found["x"].tolist(), found.dropped
    ([1, 2], 1)
    """
    check_choice(missing, "missing", MISSING)
    table = _table(data, **reading)
    found = table.columns(columns, numeric=numeric)
    checked: dict[str, Column] = {
        name: score_column(values, name) if name in numeric else label_column(values, name)
        for name, values in found.items()
    }
    sizes = {column.values.size for column in checked.values()}
    if len(sizes) > 1:
        raise InputError("", f"columns of {table.called} must be of one length", Words(f"{sorted(sizes)} values"))
    judged = [(name, checked[name]) for name in (checked if needed is None else needed)]
    keep = complete_rows(judged, missing)
    if keep is None:
        return Columns(
            values={name: natural(one.values) for name, one in checked.items()}, dropped=0, called=table.called
        )
    return Columns(
        values={name: natural(one.values[keep]) for name, one in checked.items()},
        dropped=int(keep.size - np.count_nonzero(keep)),
        called=table.called,
    )
