"""Two kinds of labels, and which of them is positive: said by the user, never guessed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np

from roclab._core.checks import close_names, plural
from roclab._core.types import Array, Bools
from roclab.data.columns import label_column
from roclab.data.outcome_rule import OutcomeRule, rule_of
from roclab.errors import InputError, OneClassError, Words, named

_FEW = 5  # labels up to here are all listed in an error
_MANY = 30  # more classes than that are measurements rather than classes


class Labels(NamedTuple):
    """True for positives, and the two label values as the user wrote them."""

    is_positive: Bools
    positive: str
    negative: str
    remark: str = ""  # how the classes were made, where they are not simply the two labels of a column
    keep: Bools | None = None  # cases of the two classes, where those of others are left out; ``is_positive`` is theirs
    calls: Mapping[str, bool] | None = None  # words for predictions of classes that were made; True for positive


_ONE_CLASS: ContextVar[bool] = ContextVar("whether cases of one class are an answer", default=False)


@contextmanager
def one_class_allowed() -> Iterator[None]:
    """Labels of one class are taken: of ill cases alone the sensitivity is known, of healthy ones the specificity."""
    token = _ONE_CLASS.set(True)
    try:
        yield
    finally:
        _ONE_CLASS.reset(token)


def binary_labels(values: Array, *, pos_label: Any, name: str, neg_label: Any = None) -> Labels:
    """Split labels into positive and negative; the positive class is 1/True or said by ``pos_label``.

    Labels 0/1, -1/1 and False/True need no ``pos_label``. Anything else does: which of two words or of
    the numbers 1 and 2 is the positive one is never guessed. Of three or more labels the one that is named stands
    against the rest, several of them together, or against ``neg_label`` alone, and cases of other classes are left
    out; a rule such as ">6.5" makes two classes of numbers. The remark says which of these it was. O(n).
    """
    if neg_label is not None:
        return _two_of_several(values, pos_label, neg_label, name)
    if pos_label is None:
        kind = values.dtype.kind
        if kind == "b" and 0 < np.count_nonzero(values) < values.size:
            return Labels(values, "True", "False")
        # The commonest labels by far: whole numbers from 0 to 1. Asking where one is costs less than how large it is.
        if kind in "iu" and values.size and values[values.argmin()] == 0 and values[values.argmax()] == 1:
            return Labels(values.astype(np.bool_), "1", "0")
        pos_label = _default_positive(values, name)
    if isinstance(pos_label, list | tuple | set | np.ndarray):
        return _joined(values, list(pos_label), name)
    is_positive = _equal(values, pos_label)
    n_positive = int(np.count_nonzero(is_positive))
    rule = rule_of(pos_label) if n_positive == 0 else None
    if rule is not None:
        return _by_rule(values, rule, name)
    if n_positive == values.size and _ONE_CLASS.get():
        word = word_of(pos_label)
        return Labels(is_positive, word, {"1": "0", "True": "False"}.get(word, f"not {word}"))
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
        seen = distinct(values)
        if n_positive == 0 or len(seen) <= 2:
            raise _unknown_positive(pos_label, seen, name)
        return _against_the_rest(values, is_positive, [pos_label], seen, name)
    if n_positive == 0 and _ONE_CLASS.get() and values.dtype.kind in "biuf" and negative == 0:
        return Labels(is_positive, word_of(pos_label), word_of(negative))
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


def _equal(values: Array, label: Any) -> Bools:
    with np.errstate(all="ignore"):
        found = np.asarray(values == label)
    if found.shape != values.shape:  # NumPy compares incomparable kinds as one False
        return np.zeros(values.shape, np.bool_)
    return found.astype(np.bool_, copy=False)


def _by_rule(values: Array, rule: OutcomeRule, name: str) -> Labels:
    """Two classes of numbers, and how many lie on the cut, where the choice of > or >= decides."""
    if values.dtype.kind not in "iuf":
        raise InputError(
            "pos_label",
            f"may compare with a number only if {name} holds numbers",
            Words(f"{rule.sign}{rule.cut:g} for the labels {_listed([word_of(v) for v in distinct(values)])}"),
            "name one of the labels instead",
        )
    is_positive = rule.holds(values)
    n_positive = int(np.count_nonzero(is_positive))
    if n_positive in (0, values.size):
        raise OneClassError(
            "pos_label",
            f"must leave cases of {name} on both sides",
            Words(f"{rule.positive} for numbers from {values.min():g} to {values.max():g}"),
            "choose a cut between them",
        )
    on_cut = int(np.count_nonzero(values == rule.cut))
    side = "positive" if "=" in rule.sign else "negative"
    remark = f"positive by {name} {rule.positive}, no case lies on {rule.cut:g}"
    if on_cut:
        lie = "lies" if on_cut == 1 else "lie"
        remark = f"positive by {name} {rule.positive}, {plural(on_cut, 'case')} {lie} on {rule.cut:g}: {side}"
    yes, no = (rule.positive, "1", "True"), (rule.negative, "0", "False")
    return Labels(
        is_positive, rule.positive, rule.negative, remark, calls=dict.fromkeys(yes, True) | dict.fromkeys(no, False)
    )


def _joined(values: Array, wanted: list[Any], name: str) -> Labels:
    """Several labels together against the rest."""
    seen = distinct(values)
    if not wanted:
        raise InputError("pos_label", "must name at least one label", Words("an empty list"))
    masks = [_equal(values, one) for one in wanted]
    for one, mask in zip(wanted, masks, strict=True):
        if not mask.any():
            raise _unknown_positive(one, seen, name)
    is_positive: Bools = np.logical_or.reduce(masks)
    if is_positive.all():
        raise OneClassError(name, "must hold two classes", Words("only positive labels"), "name fewer of them")
    if len(wanted) == 1 and len(seen) == 2:
        return binary_labels(values, pos_label=wanted[0], name=name)
    return _against_the_rest(values, is_positive, wanted, seen, name)


def _against_the_rest(values: Array, is_positive: Bools, wanted: list[Any], seen: list[Any], name: str) -> Labels:
    """Every other class is negative; so many others that they look like measurements are refused."""
    positive = " or ".join(word_of(one) for one in wanted)
    others = [value for value in seen if not any(word_of(value) == word_of(one) for one in wanted)]
    measured = values.dtype.kind == "f" and not np.array_equal(values, np.floor(values))
    if len(others) > _MANY or measured:
        rule = "hold classes" if measured else f"hold at most {_MANY} other classes beside {positive}"
        raise InputError(
            name,
            f"must {rule}",
            Words(f"{len(others) + len(wanted)} different numbers with fractions" if measured else f"{len(others)}"),
            f"if these are measurements, make the outcome by a rule such as {named('pos_label', '>' + positive)}",
        )
    rest = ", ".join(f"{word_of(value)} {int(np.count_nonzero(_equal(values, value)))}" for value in others)
    calls = {word_of(one): True for one in wanted} | {word_of(one): False for one in others}
    remark = f"{positive} against the rest of {name} ({rest})"
    return Labels(is_positive, positive, f"not {positive}", remark, calls=calls)


def _two_of_several(values: Array, pos_label: Any, neg_label: Any, name: str) -> Labels:
    """Two of several classes; cases of the others are left out and counted."""
    if pos_label is None:
        raise InputError("neg_label", f"needs {named('pos_label')} beside it", Words("none"), "name both classes")
    seen = distinct(values)
    if _ONE_CLASS.get() and len(seen) == 1 and _equal(values, neg_label).all():
        return Labels(~_equal(values, neg_label), word_of(pos_label), word_of(neg_label))
    masks = []
    for keyword, one in (("pos_label", pos_label), ("neg_label", neg_label)):
        mask = _equal(values, one)
        if not mask.any():
            raise _unknown_positive(one, seen, name, keyword)
        masks.append(mask)
    if (masks[0] & masks[1]).any():
        raise InputError("neg_label", f"must differ from {named('pos_label')}", neg_label, "name the other class")
    keep: Bools = masks[0] | masks[1]
    labels = binary_labels(values[keep], pos_label=pos_label, name=name)
    if keep.all():
        return labels
    others = [word_of(v) for v in seen if word_of(v) not in (labels.positive, labels.negative)]
    remark = f"{plural(int(np.count_nonzero(~keep)), 'case')} of other classes left out ({_listed(others)})"
    return labels._replace(remark=remark, keep=keep)


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
    known = labels.calls or {labels.positive: True, labels.negative: False}
    seen = distinct(column.values)
    unknown = [word_of(value) for value in seen if word_of(value) not in known]
    if unknown:
        raise InputError(
            "predicted",
            f"must use the labels of {truth}, {_listed(list(known))}"
            if len(known) > 2
            else f"must use the labels of {truth}, {labels.positive} and {labels.negative}",
            Words(unknown[0]),
            f"for scores give {named('score')} and {named('threshold')}",
            called=name,
        )
    called = np.zeros(column.values.size, np.bool_)
    for value in seen:
        if known[word_of(value)]:
            called |= column.values == value
    return called


def match_label(values: Any, text: str) -> Any:
    """The label whose printed form is ``text``: what the command line and text files need.

    Numbers also match any other way of writing them, and booleans in any case; missing labels are passed
    over. O(n) for n words, O(n log n) for n numbers.

    >>> match_label([0, 1, 1], "1"), match_label([False, True], "true"), match_label(["ill", "well"], "ill")
    (1, True, 'ill')
    """
    column = label_column(values, "labels")
    seen = distinct(column.values if column.missing is None else column.values[~column.missing])
    for value in seen:
        if word_of(value) == text or (isinstance(value, bool) and str(value).lower() == text.lower()):
            return value
    for value in seen:
        if isinstance(value, int | float) and not isinstance(value, bool) and value == _number(text):
            return value
    if rule_of(text) is not None:
        return text
    words = [word_of(value) for value in seen]
    raise InputError(
        "pos_label",
        "must be one of the labels",
        Words(f"{text!r}{close_names(text, words)}"),
        f"the labels are {_listed(words)}",
    )


def match_labels(values: Any, asked: Any) -> Any:
    """The same for one text or several; what is no text, and a rule, passes as it is."""
    if isinstance(asked, str):
        return match_label(values, asked)
    if isinstance(asked, list | tuple):
        return [match_labels(values, one) for one in asked]
    return asked


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
    seen = distinct(values)
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


def _unknown_positive(label: Any, seen: list[Any], name: str, keyword: str = "pos_label") -> InputError:
    alike = [value for value in seen if word_of(value) == word_of(label)]
    if alike:
        hint = f"; write {keyword}={alike[0]!r}, as it stands in the data"
    else:
        words = [word_of(value) for value in seen]
        listed = " and ".join(words) if len(words) == 2 else _listed(words)
        hint = f"{close_names(label, words)}; the labels are {listed}"
    which = "the two labels" if len(seen) == 2 else "the labels"
    return InputError(keyword, f"must be one of {which} in {name}", Words(f"{label!r}{hint}"))


def _too_many_labels(seen: list[Any], name: str) -> InputError:
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in seen)
    rule = f", or a rule such as {named('pos_label', f'>{seen[len(seen) // 2]:g}')}" if numbers else ""
    return InputError(
        name,
        "must hold exactly two classes where none is named",
        Words(f"{len(seen)} labels ({_listed([word_of(value) for value in seen])})"),
        f"name the class that stands against the rest with {named('pos_label')}{rule}",
    )


def _listed(words: list[str]) -> str:
    return ", ".join(words[:_FEW]) + (", …" if len(words) > _FEW else "")


def distinct(values: Array) -> list[Any]:
    """The different labels, sorted where they have an order."""
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
