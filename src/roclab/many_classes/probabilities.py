"""Scores of several classes, validated: one row per case, one column per class."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Floats, Ints, frozen
from roclab.data.columns import label_column, score_column
from roclab.data.labels import word_of
from roclab.errors import InputError, MissingValuesError, OneClassError, RoclabWarning, Words, named

__all__ = ["ClassScores", "class_scores"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassScores:
    """Validated scores: ``actual[i]`` is the class number of case i, ``scores[i, c]`` its score for class c."""

    classes: tuple[str, ...]
    actual: Ints
    scores: Floats

    def __post_init__(self) -> None:
        frozen(self.actual)
        frozen(self.scores)

    @property
    def counts(self) -> Ints:
        """Cases of each class."""
        return np.bincount(self.actual, minlength=len(self.classes))


def class_scores(y_true: Any, scores: Any, *, labels: Sequence[Any] | None = None) -> ClassScores:
    """Validate labels and an n x k table of scores, O(n k).

    ``labels`` names the columns in order. Without it the columns of a data frame or mapping go by their names, which
    must be those of the classes; columns without names are the distinct labels of ``y_true`` in sorted order, as
    scikit-learn's classifiers have them, and there must be as many of them as columns. Rows that do not sum to 1 are
    warned about with the size of the gap; areas of single columns do not need it, averages over columns compare them.
    """
    column = label_column(y_true, "y_true")
    if column.missing is not None:
        raise MissingValuesError(
            "y_true",
            "must not be missing",
            Words(f"{plural(int(column.missing.sum()), 'gap')}"),
            "drop those cases first",
        )
    table, headings = _table(scores)
    if table.shape[0] != column.values.size:
        raise InputError(
            "scores",
            "must have one row per label",
            Words(f"{table.shape[0]} rows for {column.values.size} labels in y_true"),
        )
    present, actual = np.unique(column.values, return_inverse=True)
    known = [word_of(value) for value in present.tolist()]
    names = [word_of(value) for value in labels] if labels is not None else _by_heading(headings, known)
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
            "labels", "must name every class of y_true", Words(f"none for {unknown[0]!r}"), "add it to labels"
        )
    absent = [name for name in names if name not in known]
    if absent:
        raise OneClassError(
            "",
            f"every class needs cases, and {absent[0]!r} has none in y_true",
            way_out="leave its column out or add cases",
        )
    if len(names) < 2:
        raise OneClassError("y_true", "must hold at least two classes", Words(f"only {names[0]}"))
    place = np.array([names.index(name) for name in known])
    _warn_about_sums(table)
    return ClassScores(classes=tuple(names), actual=place[actual], scores=table)


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


def _table(scores: Any) -> tuple[Floats, list[str] | None]:
    headings = _headings(scores)
    if isinstance(scores, Mapping):
        scores = np.column_stack([np.asarray(values) for values in scores.values()]) if scores else np.empty((0, 0))
    elif hasattr(scores, "column_names"):
        scores = np.column_stack([np.asarray(scores[name]) for name in scores.column_names])
    elif hasattr(scores, "to_numpy"):
        scores = scores.to_numpy()
    array = np.asarray(scores)
    if array.ndim != 2:
        raise InputError("scores", "must be a table with one column per class", Words(f"{array.ndim} dimension(s)"))
    columns = []
    for at in range(array.shape[1]):
        column = score_column(array[:, at], f"column {at} of scores")
        if column.missing is not None:
            raise MissingValuesError(
                "scores",
                "must not be missing",
                Words(f"{plural(int(column.missing.sum()), 'gap')} in column {at}"),
                "drop those cases first",
            )
        columns.append(column.values.astype(np.float64))
    if not columns:
        raise InputError("scores", "must have at least two columns", Words("none"))
    return np.column_stack(columns), headings


def _warn_about_sums(table: Floats) -> None:
    with np.errstate(invalid="ignore"):
        gap = np.abs(table.sum(axis=1) - 1)
    if np.isnan(gap).any() or gap.max() > 1e-6:
        worst = float(np.nanmax(gap))
        warnings.warn(
            f"the scores of a case should sum to 1 to be comparable between classes; the largest gap is {worst:.3g}.",
            RoclabWarning,
            stacklevel=4,
        )
