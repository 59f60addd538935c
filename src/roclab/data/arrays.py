"""Arrays, lists and data frame columns as ``Cases``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, close_names, plural
from roclab._core.types import Array, Bools, Counts
from roclab.data.cases import Cases
from roclab.data.columns import (
    Column,
    all_whole,
    label_column,
    score_column,
    weight_column,
    whole_or_real,
)
from roclab.data.labels import binary_labels
from roclab.errors import InputError, MissingValuesError, Words, named
from roclab.names import DIRECTIONS, MISSING, WEIGHT_MEANINGS, Direction, Missing, Weighting


def cases_from_arrays(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    neg_label: Any = None,
    sample_weight: Any = None,
    weights: Weighting | None = None,
    ids: Any = None,
    folds: Any = None,
    groups: Any = None,
    direction: Direction | Mapping[str, Direction] = "higher",
    missing: Missing = "error",
    label_name: str = "y_true",
    names: tuple[str, ...] = (),
    weight_name: str = "sample_weight",
    id_name: str = "ids",
    fold_name: str = "folds",
    group_name: str = "by",
) -> Cases:
    """Validate labels and one or more scores of the same cases, O(n).

    Parameters
    ----------
    y_true : sequence
        Two kinds of labels. 1/True is positive; anything else needs ``pos_label``.
    y_score : sequence, or mapping of name to sequence
        Scores, one value per case each.
    sample_weight : sequence, optional
        Weights >= 0. Whole numbers count as repetitions, others as importance weights, unless ``weights``
        says otherwise.
    direction : "higher", "lower" or mapping of score name to one of them
        Which side of the score means positive.
    missing : "error" or "drop"
        What to do with cases that lack a label, a score, a weight, an id or a fold. Dropping is
        case-wise over all scores, so that they stay paired, and is counted in the result.
    label_name, names, weight_name, id_name, fold_name, group_name
        What messages call the parts; ``names`` holds the name of a single score.
    """
    check_choice(missing, "missing", MISSING)
    columns = _score_columns(y_score, names)
    label = label_column(y_true, label_name)
    length = label.values.size
    for name, column in columns.items():
        if column.values.size != length:
            called = name if names or isinstance(y_score, Mapping) else "y_score"
            raise _unequal_lengths(column.values, length, called, label_name)
    if length == 0:
        raise InputError(label_name, "must hold at least one case of each class", Words("no cases"))
    weight = None if sample_weight is None else weight_column(sample_weight, weight_name)
    identifier = None if ids is None else label_column(ids, id_name)
    fold = None if folds is None else label_column(folds, fold_name)
    group = None if groups is None else label_column(groups, group_name)
    parts = [(label_name, label), *columns.items()]
    if weight or identifier or fold or group:
        for name, part in ((weight_name, weight), (id_name, identifier), (fold_name, fold), (group_name, group)):
            if part is not None:
                if part.values.size != length:
                    raise _unequal_lengths(part.values, length, name, label_name)
                parts.append((name, part))
    keep = complete_rows(parts, missing)

    def kept(column: Column) -> Array:
        return column.values if keep is None else column.values[keep]

    present = natural(kept(label))
    labels = binary_labels(present, pos_label=pos_label, neg_label=neg_label, name=label_name)
    dropped = length - present.size
    if labels.keep is not None:  # classes that are not asked about, which the remark counts
        keep = within(keep, labels.keep)
    counts, weighting = _weighting(None if weight is None else kept(weight), weights, weight_name)
    return Cases(
        label=labels.is_positive,
        scores={name: kept(column) for name, column in columns.items()},
        weight=counts,
        weights=weighting,
        ids=None if identifier is None else _as_names(natural(kept(identifier))),
        folds=None if fold is None else _as_names(natural(kept(fold))),
        groups=None if group is None else _as_names(natural(kept(group))),
        grouped_by="" if group is None else "group" if group_name == "by" else group_name,
        positive=labels.positive,
        negative=labels.negative,
        direction=_directions(direction, columns),
        rows=None if keep is None else np.flatnonzero(keep),
        outcome=labels.remark,
        dropped=dropped,
    )


def within(keep: Bools | None, of_kept: Bools) -> Bools:
    """A mask of all cases from a mask among those that were kept before."""
    if keep is None:
        return of_kept
    both = keep.copy()
    both[keep] = of_kept
    return both


def _score_columns(y_score: Any, names: tuple[str, ...]) -> dict[str, Column]:
    if type(y_score) is not np.ndarray and isinstance(y_score, Mapping):
        if not y_score:
            raise InputError("y_score", "must name at least one score", Words("an empty mapping"))
        if len({str(name) for name in y_score}) < len(y_score):
            raise InputError(
                "y_score", "must name each score differently", Words(f"{list(y_score)}"), "rename one of them"
            )
        return {str(name): score_column(values, str(name)) for name, values in y_score.items()}
    return {names[0] if names else "score": score_column(y_score, names[0] if names else "y_score")}


def _unequal_lengths(values: Array, length: int, name: str, label_name: str) -> InputError:
    return InputError(
        name,
        "must have one value per label",
        Words(f"{values.size} values for {length} labels in {label_name}"),
        "check that both come from the same cases",
    )


def complete_rows(parts: Sequence[tuple[str, Column]], missing: Missing) -> Bools | None:
    """None when nothing is missing; else the mask of complete cases, or the error that counts the gaps."""
    gaps = [(name, column.missing) for name, column in parts if column.missing is not None]
    if not gaps:
        return None
    if missing == "error":
        counts = ", ".join(f"{name} lacks {int(gap.sum())}" for name, gap in gaps)
        first = min(int(np.argmax(gap)) for _, gap in gaps)
        lacking = np.count_nonzero(np.logical_or.reduce([gap for _, gap in gaps]))
        raise MissingValuesError(
            "",
            "values must not be missing",
            Words(f"gaps in {lacking} of {plural(gaps[0][1].size, 'case')}: {counts} (first at position {first})"),
            f"write {named('missing', 'drop')} to leave those cases out",
        )
    keep: Bools = ~np.logical_or.reduce([gap for _, gap in gaps])
    if not keep.any():
        raise MissingValuesError("", "every case has a missing value, so none is left", way_out="check the columns")
    return keep


def natural(values: Array) -> Array:
    """Objects without gaps that are all booleans or all numbers, in their natural type again."""
    if values.dtype.kind != "O":
        return values
    kinds = set(map(type, values))
    if kinds <= {bool, np.bool_}:
        return values.astype(np.bool_)
    if not all(issubclass(kind, int | float | np.number) and kind is not bool for kind in kinds):
        return values
    if any(issubclass(kind, float | np.floating) for kind in kinds):
        return values.astype(np.float64)
    return _integers(values)


def _as_names(values: Array) -> Array:
    """Ids or folds with whole floats as integers: a gap made them floats, and fold 1 is not called 1.0."""
    return values.astype(np.int64) if values.dtype.kind == "f" and all_whole(values) else values


def _integers(values: Array) -> Array:
    try:
        return values.astype(np.int64)
    except OverflowError:  # longer than 64 bits: as objects they stay apart
        return values


def _weighting(weight: Array | None, asked: Weighting | None, name: str) -> tuple[Counts | None, Weighting]:
    if asked is not None and asked not in WEIGHT_MEANINGS:
        way_out = f"name the column of weights with {named('sample_weight')}"
        raise InputError("weights", f"must be one of {', '.join(map(repr, WEIGHT_MEANINGS))}", asked, way_out)
    if weight is None:
        if asked is not None:
            raise InputError(
                "", f"{named('weights', asked)} needs {named('sample_weight')}", Words("none"), "pass the weights too"
            )
        return None, "none"
    counts = whole_or_real(weight)
    whole = counts.dtype.kind != "f"
    if asked == "frequency" and not whole:
        at = int(np.argmax(weight != np.floor(weight)))
        raise InputError(
            name,
            f"must be whole numbers for {named('weights', 'frequency')}",
            Words(f"{weight[at]:g}"),
            f"use {named('weights', 'importance')} for real weights",
        )
    if asked == "importance" or not whole:
        return counts.astype(np.float64), "importance"
    return counts, "frequency"


def _directions(direction: Any, names: Collection[str]) -> dict[str, Direction]:
    if isinstance(direction, str) or not isinstance(direction, Mapping):
        check_choice(direction, "direction", DIRECTIONS)
        every: dict[str, Any] = dict.fromkeys(names, direction)
        return every
    unknown = [name for name in direction if name not in names]
    if unknown:
        raise InputError(
            "direction",
            "must name scores that exist",
            Words(f"{unknown[0]!r}{close_names(unknown[0], names)}"),
            f"the scores are {', '.join(map(repr, names))}",
        )
    given = {name: direction.get(name, "higher") for name in names}
    for value in given.values():
        check_choice(value, "direction", DIRECTIONS)
    return given


def sample_arrays(positives: Any, negatives: Any) -> tuple[Array, Array]:
    """Two samples (diseased, healthy) as arrays without gaps."""
    out = []
    for values, name in ((positives, "positives"), (negatives, "negatives")):
        column = score_column(values, name)
        if column.values.size == 0:
            raise InputError(name, "must hold at least one score", Words("none"))
        if column.missing is not None:
            raise MissingValuesError(
                name,
                "must not be missing",
                Words(f"{plural(int(column.missing.sum()), 'gap')} in {plural(column.values.size, 'score')}"),
                "drop them first",
            )
        out.append(column.values)
    return out[0], out[1]


def rating_counts(ratings: Any, pos: Any, neg: Any) -> tuple[Array, Array, Array]:
    """A frequency table: rating categories and how many positives and negatives received each."""
    score = score_column(ratings, "ratings")
    if score.missing is not None:
        raise MissingValuesError("ratings", "must not be missing", way_out="give every category a number")
    counts = []
    for values, name in ((pos, "pos"), (neg, "neg")):
        count = weight_column(values, name)
        if count.missing is not None:
            raise MissingValuesError(name, "must not be missing", way_out="write 0 for a category that nobody received")
        if count.values.size != score.values.size:
            raise _unequal_lengths(count.values, score.values.size, name, "ratings")
        counts.append(whole_or_real(count.values))
    return score.values, counts[0], counts[1]


__all__ = ["cases_from_arrays", "complete_rows", "natural", "rating_counts", "sample_arrays"]
