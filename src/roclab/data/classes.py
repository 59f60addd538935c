"""Scores of several classes, validated: one row per case, one column per class."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Array, Floats, Ints, frozen
from roclab.data.arrays import complete_rows, natural
from roclab.data.columns import Column, is_frame, label_column, score_column, weight_column
from roclab.data.labels import word_of
from roclab.data.table import FrameTable
from roclab.errors import InputError, OneClassError, RoclabWarning, Words, named
from roclab.names import MISSING, Missing

__all__ = ["ClassScores", "check_class_count", "class_scores"]

_MOST_CLASSES = 1000  # every pair has an area of its own: half a million of them, some minutes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassScores:
    """Validated scores: ``actual[i]`` is the class number of case i, ``scores[i, c]`` its score for class c."""

    classes: tuple[str, ...]
    actual: Ints
    scores: Floats
    dropped: int = 0  # cases left out because a value was missing
    columns: tuple[str, ...] = ()  # what the data call the scores, in the order of the classes
    weight: Floats | None = None  # importance of every case

    def __post_init__(self) -> None:
        for array in (self.actual, self.scores, self.weight):
            if array is not None:
                frozen(array)

    @property
    def counts(self) -> Ints:
        """Cases of each class."""
        return np.bincount(self.actual, minlength=len(self.classes))

    @property
    def shares(self) -> Floats:
        """Share of each class among all cases, by their weights where they have some."""
        held = np.bincount(self.actual, weights=self.weight, minlength=len(self.classes))
        return np.asarray(held / held.sum(), dtype=np.float64)


def class_scores(
    y_true: Any,
    scores: Any,
    *,
    labels: Sequence[Any] | None = None,
    missing: Missing = "error",
    label_name: str = "y_true",
    named_columns: bool = True,
    sample_weight: Any = None,
    weight_name: str = "sample_weight",
) -> ClassScores:
    """Validate labels and an n x k table of scores, O(n k).

    ``labels`` names the columns in order. Without it the columns of a data frame or mapping go by their names, which
    must be those of the classes unless ``named_columns`` is False; columns without names are the distinct labels of
    ``y_true`` in sorted order, as scikit-learn's classifiers have them, and there must be as many of them as columns.
    Rows that do not sum to 1 are warned about with the size of the gap; areas of single columns do not need it,
    averages over columns compare them. ``sample_weight`` are importance weights, one per case; every class needs a
    case that has some.
    """
    check_choice(missing, "missing", MISSING)
    column = label_column(y_true, label_name)
    single, headings = _score_columns(scores)
    rows = single[0].values.size
    if rows != column.values.size:
        raise InputError(
            "scores",
            "must have one row per label",
            Words(f"{rows} rows for {column.values.size} labels in {label_name}"),
        )
    called = headings or [f"column {at} of scores" for at in range(len(single))]
    weight = None if sample_weight is None else weight_column(sample_weight, weight_name)
    if weight is not None and weight.values.size != rows:
        raise InputError(weight_name, "must have one weight per case", Words(f"{weight.values.size} for {rows} cases"))
    judged = [(label_name, column), *zip(called, single, strict=True)]
    keep = complete_rows(judged if weight is None else [*judged, (weight_name, weight)], missing)
    values = natural(column.values if keep is None else column.values[keep])
    table = np.column_stack([one.values if keep is None else one.values[keep] for one in single]).astype(np.float64)
    present, actual = np.unique(values, return_inverse=True)
    check_class_count(present.size, label_name)
    known = [word_of(value) for value in present.tolist()]
    if labels is not None:
        names = [word_of(value) for value in labels]
    elif headings is not None and not named_columns and set(headings) != set(known):
        names = known
    else:
        names = _by_heading(headings, known)
    if len(set(names)) != len(names):
        raise InputError("labels", "must be distinct", Words(names))
    if len(names) != table.shape[1]:
        raise InputError(
            "scores",
            "must have one column per class",
            Words(f"{table.shape[1]} columns for the {len(names)} classes {', '.join(names)}"),
            f"give {named('labels')} in the order of the columns",
        )
    unknown = [name for name in known if name not in names]
    if unknown:
        raise InputError(
            "labels",
            f"must name every class of {label_name}",
            Words(f"none for {unknown[0]!r}"),
            f"add it to {named('labels')}",
        )
    absent = [name for name in names if name not in known]
    if absent:
        raise OneClassError(
            "",
            f"every class needs cases, and {absent[0]!r} has none in {label_name}",
            way_out="leave its column out or add cases",
        )
    if len(names) < 2:
        raise OneClassError(label_name, "must hold at least two classes", Words(f"only {names[0]}"))
    place = np.array([names.index(name) for name in known])
    _warn_about_sums(table)
    return ClassScores(
        classes=tuple(names),
        actual=place[actual],
        scores=table,
        dropped=0 if keep is None else int(keep.size - values.size),
        columns=tuple(headings or ()),
        weight=_weights_of(weight, keep, place[actual], names, weight_name),
    )


def _weights_of(
    column: Column | None, keep: Array | None, actual: Ints, names: Sequence[str], weight_name: str
) -> Floats | None:
    if column is None:
        return None
    weight = np.asarray(column.values if keep is None else column.values[keep], dtype=np.float64)
    held = np.bincount(actual, weights=weight, minlength=len(names))
    if (held <= 0).any():
        lacking = names[int(np.argmin(held))]
        raise InputError(weight_name, "must give every class some weight", Words(f"none for {lacking!r}"))
    return weight


def check_class_count(count: int, name: str) -> None:
    """Refuse numbers and identifiers that were taken for classes, before their pairs are counted."""
    if count > _MOST_CLASSES:
        raise InputError(
            name,
            f"must hold at most {_MOST_CLASSES} classes",
            Words(f"{count:,} different labels"),
            "name the column of classes, or join rare ones first",
        )


def _by_heading(headings: list[str] | None, known: list[str]) -> list[str]:
    """Classes in the order of the columns, from what stands above them."""
    if headings is None or set(headings) == set(known):
        return known if headings is None else headings
    raise InputError(
        "",
        f"the columns of scores must be named after the classes {', '.join(known)}",
        Words(f"{', '.join(headings)}"),
        f"rename them, or give {named('labels')} in the order of the columns",
    )


def _headings(scores: Any) -> list[str] | None:
    """Names of columns, if they have any; plain numbering is no name."""
    if isinstance(scores, Mapping):
        return [word_of(name) for name in scores]
    names = getattr(scores, "columns", None)
    if names is None or not all(isinstance(name, str) for name in names):
        names = getattr(scores, "column_names", None)  # as pyarrow has them
    return None if names is None else list(names)


def _score_columns(scores: Any) -> tuple[list[Column], list[str] | None]:
    """One column per class, and their names if they have any."""
    headings = _headings(scores)
    if isinstance(scores, Mapping):
        parts = list(scores.values())
    elif is_frame(scores) and headings is not None:
        parts = list(FrameTable(scores).columns().values())
    else:
        array = np.asarray(scores.to_numpy() if hasattr(scores, "to_numpy") else scores)
        if array.ndim != 2:
            raise InputError("scores", "must be a table with one column per class", Words(f"{array.ndim} dimension(s)"))
        parts = [array[:, at] for at in range(array.shape[1])]
    if not parts:
        raise InputError("scores", "must have at least two columns", Words("none"))
    names = headings or [f"column {at} of scores" for at in range(len(parts))]
    columns = [score_column(part, name) for part, name in zip(parts, names, strict=True)]
    if len({column.values.size for column in columns}) > 1:
        raise InputError("scores", "must have columns of one length", Words(f"{[one.values.size for one in columns]}"))
    return columns, headings


def _warn_about_sums(table: Floats) -> None:
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.abs(table.sum(axis=1) - 1)
    if np.isnan(gap).any() or gap.max() > 1e-6:
        worst = float(np.nanmax(gap))
        warnings.warn(
            f"the scores of a case should sum to 1 to be comparable between classes; the largest gap is {worst:.3g}.",
            RoclabWarning,
            stacklevel=4,
        )
