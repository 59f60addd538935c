"""Two kinds of labels, and which of them is positive: said by the user, never guessed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from roclab._core.checks import close_names, plural
from roclab._core.types import Array, Bools
from roclab.data.columns import label_column
from roclab.errors import InputError, OneClassError, Words, named

_FEW = 5  # labels up to here are all listed in an error


class Labels(NamedTuple):
    """True for positives, and the two label values as the user wrote them."""

    is_positive: Bools
    positive: str
    negative: str


def binary_labels(values: Array, *, pos_label: Any, name: str) -> Labels:
    """Split labels into positive and negative; the positive class is 1/True or said by ``pos_label``.

    Labels 0/1, -1/1 and False/True need no ``pos_label``. Anything else does: which of two words or of
    the numbers 1 and 2 is the positive one is never guessed.
    """
    if pos_label is None:
        if values.dtype.kind in "iu":
            # The commonest labels by far, 0 and 1, in two passes.
            ones = values == 1
            n_ones = int(np.count_nonzero(ones))
            if 0 < n_ones < values.size and n_ones + int(np.count_nonzero(values == 0)) == values.size:
                return Labels(ones, "1", "0")
        pos_label = _default_positive(values, name)
    with np.errstate(all="ignore"):
        is_positive = np.asarray(values == pos_label)
    if is_positive.shape != values.shape:  # NumPy compares incomparable kinds as one False
        is_positive = np.zeros(values.shape, np.bool_)
    n_positive = int(np.count_nonzero(is_positive))
    if n_positive == values.size:
        raise OneClassError(
            name,
            "must hold two classes",
            Words(f"only {word_of(pos_label)} in {plural(values.size, 'case')}"),
            "add cases of the negative class",
        )
    negative = values[int(np.argmin(is_positive))]
    n_negative = int(np.count_nonzero(values == negative))
    if n_positive + n_negative != values.size:
        seen = _distinct(values)
        raise _too_many_labels(seen, name) if len(seen) > 2 else _unknown_positive(pos_label, seen, name)
    if n_positive == 0:
        raise OneClassError(
            name,
            "must hold two classes",
            Words(
                f"only {word_of(negative)} in {plural(values.size, 'case')} and none of the positive "
                f"label {word_of(pos_label)}"
            ),
            f"add cases of the positive class or name another {named('pos_label')}",
        )
    return Labels(is_positive, word_of(values[int(np.argmax(is_positive))]), word_of(negative))


def called_positive(y_pred: Any, labels: Labels, *, name: str = "y_pred", truth: str = "y_true") -> Bools:
    """Hard predictions as booleans; they must use the two labels of the truth, but may all be the same."""
    column = label_column(y_pred, name)
    if column.missing is not None:
        raise InputError(
            "predicted",
            "must not be missing",
            Words(plural(int(column.missing.sum()), "gap")),
            "predict every case",
            called=name,
        )
    known = {labels.positive: True, labels.negative: False}
    seen = _distinct(column.values)
    unknown = [word_of(value) for value in seen if word_of(value) not in known]
    if unknown:
        raise InputError(
            "predicted",
            f"must use the labels of {truth}, {labels.positive} and {labels.negative}",
            Words(unknown[0]),
            f"for scores give {named('score')} and {named('threshold')}",
            called=name,
        )
    positive = next((value for value in seen if known[word_of(value)]), None)
    if positive is None:
        return np.zeros(column.values.size, np.bool_)
    return np.asarray(column.values == positive)


def match_label(values: Any, text: str) -> Any:
    """The label whose printed form is ``text``: what the command line and text files need.

    Numbers also match any other way of writing them, and booleans in any case; missing labels are passed
    over. O(n) for n words, O(n log n) for n numbers.

    >>> match_label([0, 1, 1], "1"), match_label([False, True], "true"), match_label(["ill", "well"], "ill")
    (1, True, 'ill')
    """
    column = label_column(values, "labels")
    seen = _distinct(column.values if column.missing is None else column.values[~column.missing])
    for value in seen:
        if word_of(value) == text or (isinstance(value, bool) and str(value).lower() == text.lower()):
            return value
    for value in seen:
        if isinstance(value, int | float) and not isinstance(value, bool) and value == _number(text):
            return value
    words = [word_of(value) for value in seen]
    listed = ", ".join(words[:_FEW]) + (", …" if len(words) > _FEW else "")
    raise InputError(
        "pos_label",
        "must be one of the labels",
        Words(f"{text!r}{close_names(text, words)}"),
        f"the labels are {listed}",
    )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _default_positive(values: Array, name: str) -> Any:
    if values.dtype.kind == "b":
        return True
    if values.dtype.kind in "iuf":
        ones = int(np.count_nonzero(values == 1))
        for negative in (0, -1):
            if ones + int(np.count_nonzero(values == negative)) == values.size:
                return 1
    seen = _distinct(values)
    if all(isinstance(value, bool | np.bool_) for value in seen):
        return True
    if len(seen) > 2:
        raise _too_many_labels(seen, name)
    if len(seen) == 1:
        raise OneClassError(
            name,
            "must hold two classes",
            Words(f"only {word_of(seen[0])} in {plural(values.size, 'case')}"),
            "add cases of the other class",
        )
    raise InputError(
        name,
        "must say which label is positive",
        Words(f"the labels {' and '.join(word_of(v) for v in seen)}"),
        f"write {named('pos_label', seen[-1])} if that is the positive one",
    )


def _unknown_positive(pos_label: Any, seen: list[Any], name: str) -> InputError:
    alike = [value for value in seen if word_of(value) == word_of(pos_label)]
    if alike:
        hint = f"; write pos_label={alike[0]!r}, as it stands in the data"
    else:
        words = [word_of(value) for value in seen]
        hint = f"{close_names(pos_label, words)}; the labels are {' and '.join(words)}"
    return InputError("pos_label", f"must be one of the two labels in {name}", Words(f"{pos_label!r}{hint}"))


def _too_many_labels(seen: list[Any], name: str) -> InputError:
    some = ", ".join(word_of(value) for value in seen[:_FEW]) + (", …" if len(seen) > _FEW else "")
    return InputError(
        name,
        "must hold exactly two classes",
        Words(f"{len(seen)} labels ({some})"),
        "keep two of them, or join classes before the analysis",
    )


def _distinct(values: Array) -> list[Any]:
    if values.dtype.kind not in "OU":
        return list(np.unique(values).tolist())
    seen = dict.fromkeys(values.tolist())  # hashing text is much faster than sorting it
    try:
        return sorted(seen)
    except TypeError:  # objects of several kinds have no order
        return list(seen)


def word_of(value: Any) -> str:
    """A label as people write it: 1 for 1.0 and np.int64(1), text without quotes."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    return str(value)
