"""The data of a bench: outcome, features, subjects and folds, from a table or from arrays."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, plural
from roclab._core.types import Array, Bools, Floats, Ints
from roclab.benching.run import Task
from roclab.benching.table import FeatureTable, feature_table
from roclab.data.arrays import complete_rows, natural
from roclab.data.cases import Cases
from roclab.data.columns import Column, as_array, is_frame, label_column
from roclab.data.labels import Labels, binary_labels, distinct, word_of
from roclab.data.read import asked_label
from roclab.data.roles import check_columns, columns_not_named
from roclab.data.table import FrameTable, MappingTable, Table, reading_of, refuse_reading, table_of
from roclab.errors import InputError, OneClassError, RoclabWarning, Words, named
from roclab.names import MISSING

__all__ = ["BenchData", "join_test", "read_bench"]

_PARTS = ("ids", "folds")
_MANY = 30  # more classes than that are measurements rather than classes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BenchData:
    """What a bench learns from, and the circumstances that results repeat."""

    task: Task
    ids: Array | None
    folds: Array | None
    rows: Ints  # where each case stood in what was read
    dropped: int
    outcome: str
    called: str  # what messages call the table

    @property
    def positive(self) -> str:
        """The positive class of two."""
        return "" if self.task.positive is None else self.task.classes[self.task.positive]

    @property
    def negative(self) -> str:
        """The other one."""
        return "" if self.task.positive is None else self.task.classes[1 - self.task.positive]


def read_bench(
    y_true: Any,
    x: Any,
    data: Mapping[str, Any],
    *,
    exclude: str | Sequence[str] = (),
    categorical: str | Sequence[str] = (),
) -> BenchData:
    """Read everything once; the outcome may not be missing, features may."""
    if isinstance(y_true, Cases):
        raise InputError("", "a bench learns from features, and cases hold scores", way_out="pass the table itself")
    for name in ("sample_weight", "weights"):
        if data.get(name) is not None:
            raise InputError(name, "has no part in a bench: every case counts once", way_out="leave it out")
    if data.get("direction", "higher") != "higher":
        raise InputError("direction", "has no part in a bench: models score the positive class higher",
                         way_out="leave it out")  # fmt: skip
    missing: Any = check_choice(data.get("missing", "error"), "missing", MISSING)
    source, label, chosen = _source(y_true, x, data)
    dropped_names = [exclude] if isinstance(exclude, str) else list(exclude)
    words = [categorical] if isinstance(categorical, str) else list(categorical)
    columns, parts = _columns(source, label, chosen, dropped_names, data)
    outcome = label_column(columns.pop(label), label)
    judged = [(label, outcome), *((name, one) for name, one in parts.items() if one is not None)]
    keep = complete_rows(judged, missing)
    size = outcome.values.size
    for name, one in (*parts.items(), *((n, v) for n, v in columns.items())):
        length = size if one is None else len(one.values) if isinstance(one, Column) else len(as_array(one, name))
        if length != size:
            raise InputError(name, "must have one value per label", Words(f"{length} for {size}"))
    rows = np.arange(size) if keep is None else np.flatnonzero(keep)
    labels, codes, classes = _classes(source, label, natural(outcome.values[rows]), data)
    if labels is not None and labels.keep is not None:
        rows = rows[labels.keep]
    table = feature_table(columns, rows=rows, categorical=words, asked=chosen is not None)
    task = Task(table=table, codes=codes, classes=classes, positive=None if labels is None else 1)
    _warn_of_copies(task, label)
    return BenchData(
        task=task,
        rows=rows,
        dropped=size - rows.size,
        outcome="" if labels is None else labels.remark,
        called=source.called,
        **{name: None if one is None else natural(one.values[rows]) for name, one in parts.items()},
    )


def _source(y_true: Any, x: Any, data: Mapping[str, Any]) -> tuple[Table, str, list[str] | None]:
    """The table, the name of its outcome, and the features asked for."""
    label, score = data.get("label"), data.get("score")
    chosen = None if score is None else [score] if isinstance(score, str) else list(score)
    if x is not None:
        if label is not None:
            raise InputError("label", "names a column of a table", Words("arrays as well"), "pass one or the other")
        refuse_reading(reading_of(data))
        if is_frame(x):
            columns = FrameTable(x).columns()
        elif isinstance(x, Mapping):
            columns = {str(name): values for name, values in x.items()}
        else:
            matrix = np.asarray(x)
            if matrix.ndim != 2 and (is_frame(y_true) or np.ndim(y_true) == 2):
                raise InputError(
                    "", "bench takes the labels first and the features second, bench(y, X)",
                    Words("a table and then one column"), "exchange them",
                )  # fmt: skip
            if matrix.ndim != 2:
                raise InputError("X", "must be a matrix with a row per case", Words(f"{matrix.ndim} dimension(s)"))
            columns = {f"x{at + 1}": matrix[:, at] for at in range(matrix.shape[1])}
        return MappingTable({"y_true": y_true, **columns}), "y_true", chosen
    source = table_of(y_true, **reading_of(data))
    if source is None:
        raise InputError(
            "", "a bench needs a table with an outcome, or labels and features", Words(type(y_true).__name__),
            f"pass the features too, or a table with {named('label', 'outcome')}",
        )  # fmt: skip
    if label is None:
        raise columns_not_named(["label"], source.called, source.names())
    return source, label, chosen


def _columns(
    source: Table, label: str, chosen: list[str] | None, exclude: list[str], data: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Column | None]]:
    """Outcome and features, and the subjects and folds, which are none."""
    if chosen is not None and label in chosen:
        raise InputError("label", f"and {named('features')} must be different columns", Words(f"{label!r} for both"))
    given = {name: data.get(name) for name in _PARTS}
    others = [value for value in given.values() if isinstance(value, str)]
    wanted = None if chosen is None else list(dict.fromkeys([label, *others, *chosen]))
    columns = source.columns(wanted)
    check_columns([label, *others, *exclude], list(columns), source.called)
    parts = {
        name: None
        if value is None or isinstance(value, int)
        else label_column(
            columns[value] if isinstance(value, str) else value, value if isinstance(value, str) else name
        )
        for name, value in given.items()
    }
    features = {name: values for name, values in columns.items() if name not in (*others, *exclude)}
    return {
        name: values for name, values in features.items() if name == label or chosen is None or name in chosen
    }, parts


def _classes(
    source: Table, label: str, values: Array, data: Mapping[str, Any]
) -> tuple[Labels | None, Ints, tuple[str, ...]]:
    """Two classes with the positive one last, as it was said; or several, in sorted order."""
    asked = {name: asked_label(source, label, values, data.get(name)) for name in ("pos_label", "neg_label")}
    seen = distinct(values)
    if len(seen) < 2:
        raise OneClassError(label, "must hold two classes", Words(f"only {word_of(seen[0])}" if seen else "none"))
    if len(seen) > 2 and all(value is None for value in asked.values()):
        measured = values.dtype.kind == "f" and not np.array_equal(values, np.floor(values))
        if len(seen) > _MANY or measured:
            raise InputError(
                label, "must hold classes", Words(f"{len(seen)} different values"),
                f"make the outcome by a rule such as {named('pos_label', '>6.5')}",
            )  # fmt: skip
        names = sorted(word_of(value) for value in seen)
        place = {name: at for at, name in enumerate(names)}
        codes = np.array([place[word_of(value)] for value in values.tolist()])
        return None, codes, tuple(names)
    labels = binary_labels(values, name=label, **asked)
    return labels, labels.is_positive.astype(np.int64), (labels.negative, labels.positive)


def _warn_of_copies(task: Task, label: str) -> None:
    """A feature that is the outcome in other words makes every model perfect and every result worthless."""
    for at, name in enumerate(task.table.names):
        values = task.table.values[:, at]
        known = ~np.isnan(values)
        if known.mean() < 0.5:
            continue
        levels, place = np.unique(values[known], return_inverse=True)
        codes = task.codes[known]
        if levels.size == np.unique(codes).size and _one_to_one(place, codes):
            warnings.warn(
                f"the feature {name!r} is the outcome {label!r} in other words: every model that sees it will look "
                f"perfect; exclude={name!r} leaves it out.",
                RoclabWarning,
                stacklevel=5,
            )


def _one_to_one(place: Ints, codes: Ints) -> bool:
    pairs = np.unique(np.column_stack([place, codes]), axis=0)
    return bool(pairs.shape[0] == np.unique(codes).size)


def join_test(train: BenchData, test: BenchData) -> BenchData:
    """Training cases followed by those of test data, with the same features and the same classes."""
    ours, theirs = train.task, test.task
    lacking = [name for name in ours.table.names if name not in theirs.table.names]
    if lacking:
        raise InputError("test", "must have every feature of the training data", Words(f"no {lacking[0]!r}"))
    if ours.classes != theirs.classes:
        raise InputError("test", f"must have the classes {', '.join(ours.classes)}", Words(", ".join(theirs.classes)))
    table = _joined_tables(ours.table, theirs.table)
    return replace(
        train,
        task=replace(ours, table=table, codes=np.concatenate([ours.codes, theirs.codes])),
        rows=np.concatenate([train.rows, test.rows]),
        ids=None if train.ids is None or test.ids is None else np.concatenate([train.ids, test.ids]),
        dropped=train.dropped + test.dropped,
    )


def _joined_tables(ours: FeatureTable, theirs: FeatureTable) -> FeatureTable:
    values: list[Floats] = []
    levels = dict(ours.levels)
    for at, name in enumerate(ours.names):
        other = theirs.values[:, theirs.names.index(name)]
        if (name in ours.levels) != (name in theirs.levels):
            raise InputError("test", f"must hold the same kind of values in {name!r}", Words("words and numbers"))
        if name in ours.levels:
            known = tuple(dict.fromkeys([*ours.levels[name], *theirs.levels[name]]))
            place = np.array([known.index(word) for word in theirs.levels[name]], dtype=np.float64)
            gap: Bools = np.isnan(other)
            other = np.where(gap, np.nan, place[np.where(gap, 0, other).astype(np.int64)])
            levels[name] = known
        values.append(np.concatenate([ours.values[:, at], other]))
    return replace(ours, values=np.column_stack(values), levels=levels)


def in_words(data: BenchData) -> str:
    """How many cases of which class."""
    sizes = np.bincount(data.task.codes, minlength=len(data.task.classes))
    if data.task.positive is not None:
        text = f"{sizes[1]} positive ({data.positive}), {sizes[0]} negative ({data.negative})"
    else:
        text = ", ".join(f"{size} {name}" for name, size in zip(data.task.classes, sizes, strict=True))
    text += f"; {plural(len(data.task.table.names), 'feature')}"
    if data.dropped:
        text += f"; {data.dropped} dropped for a missing outcome"
    return f"{text}; {data.outcome}" if data.outcome else text
