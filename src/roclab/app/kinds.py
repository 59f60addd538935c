"""What a page may send: the kind of every part, option and way to read, checked once at the door.

A page of ours sends nothing else. A session file that somebody wrote by hand, or a program that holds the key, may; it
gets a sentence, and the library behind is never handed what no user of it could write.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from roclab.app.forms import Form
from roclab.errors import InputError, Words

__all__ = ["checked_fields", "checked_option", "checked_reading", "checked_roles"]

_LARGEST = 2**53  # whole numbers beyond it are not those that were typed

Check = Callable[[Any], Any]  # the value as the library takes it, or TypeError or ValueError


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: Any) -> float:
    """A number, or the text of one, as fields of a page have it; infinite thresholds come as words."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    if isinstance(value, int) and abs(value) <= _LARGEST:
        return value
    found = float(value)
    if math.isnan(found):
        raise ValueError
    return found


def _count(value: Any) -> int:
    found = _number(value)
    if not float(found).is_integer() or abs(found) > _LARGEST:
        raise ValueError
    return int(found)


def _label(value: Any) -> Any:
    return value if isinstance(value, bool | str) else _number(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _list_of(kind: Check) -> Check:
    def check(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise TypeError
        return [kind(one) for one in value]

    return check


def _mapping_of(kind: Check, *names: str) -> Check:
    """Names and values of a kind; of these names, where some are given."""

    def check(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or (names and not set(value) <= set(names)):
            raise TypeError
        return {_text(name): kind(one) for name, one in value.items()}

    return check


def _either(*kinds: Check) -> Check:
    def check(value: Any) -> Any:
        for kind in kinds:
            try:
                return kind(value)
            except (TypeError, ValueError, OverflowError):
                continue
        raise TypeError

    return check


def _shares(value: Any) -> tuple[float, ...]:
    return tuple(_list_of(_number)(value))


_ROLES: dict[str, Check] = {
    **dict.fromkeys(("label", "weight", "weights", "id", "fold", "missing", "time", "event"), _text),
    "negative": _label,
    "positive": _either(_label, _list_of(_label)),  # several classes may be joined
    **dict.fromkeys(("score", "by"), _either(_text, _list_of(_text))),
    "direction": _either(_text, _mapping_of(_text)),
}
_READING: dict[str, Check] = {
    **dict.fromkeys(("sheet", "delimiter", "decimal", "engine"), _text),
    **dict.fromkeys(("memory_limit", "accuracy"), _either(_number, _text)),
    "header_row": _count,
    "na": _either(_label, _list_of(_label)),
}
# Options that questions read by themselves; those of a form are of the kinds of their groups.
_OPTIONS: dict[str, Check] = {
    **dict.fromkeys(
        ("adjust", "alternative", "balance", "case", "cause", "cdf", "cell", "claim", "controls", "criterion",
         "diameter", "estimator", "group", "how", "interval", "iso", "kind", "labelled_by", "language",
         "method", "modality", "model", "order", "path", "penalty", "random", "rating", "reader", "sampling",
         "scan", "score", "settings", "size", "spread_as", "test", "ties", "title", "truth", "typed",
         "variance"), _text,
    ),
    **dict.fromkeys(
        ("area", "at", "confidence", "correlation", "cost_fn", "cost_fp", "difference", "level", "margin", "n_neg",
         "n_pos", "null", "other", "power", "prevalence", "probability", "ratio", "ratio_margin", "reach", "smallest",
         "test_share", "threshold"), _number,
    ),
    **dict.fromkeys(("classes", "folds", "repeats", "resampling", "rng"), _count),
    **dict.fromkeys(("against", "censored", "competing", "cox", "estimators", "exclude", "features", "markers",
         "metrics", "models", "predicted", "sources", "strata"), _list_of(_text)),
    **dict.fromkeys(("rule_in", "rule_out"), _mapping_of(_number, "tpr", "tnr")),
    **dict.fromkeys(("fixed", "require"), _mapping_of(_number)),
    "counts": _mapping_of(_number, "tp", "fp", "fn", "tn"),
    "fpr": _either(_number, _list_of(_number)),
    "labels": _list_of(_label),
    **dict.fromkeys(("cases", "readers"), _either(_count, _list_of(_count))),
    "rows": _list_of(_count),
    **dict.fromkeys(("text", "troc_space"), _flag),
    "shares": _shares,
    "thresholds": _list_of(_number),
    "by": _either(_text, _list_of(_text)),
}  # fmt: skip


def _range(value: Any) -> tuple[float, float]:
    low, high = _list_of(_number)(value)
    return low, high


def _named(value: Any) -> dict[str, float]:
    """Numbers by name; in a field of the page as "sensitivity=0.9, fpr=0.1"."""
    if isinstance(value, str):
        value = dict(part.split("=", 1) for part in value.split(","))
        value = {name.strip(): number.strip() for name, number in value.items()}
    numbers: dict[str, float] = _mapping_of(_number)(value)
    return numbers


_FIELDS: dict[str, Check] = {
    "choice": _text, "text": _text, "flag": _flag, "count": _count, "number": _number, "range": _range, "named": _named,
}  # fmt: skip


def checked_option(name: str, value: Any) -> Any:
    """An option of a question, as its verb takes it."""
    return _checked(_OPTIONS[name], name, value)


def checked_fields(form: Form, options: Mapping[str, Any]) -> dict[str, Any]:
    """Those options of a form that were given, each of the kind of its field."""
    kinds = {field["name"]: _FIELDS[field["kind"]] for field in form.fields()}
    given = {name: options[name] for name in kinds if options.get(name) not in (None, "", [], {})}
    return {name: _checked(kinds[name], name, value) for name, value in given.items()}


def checked_roles(roles: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of the data; those that were not chosen are left out."""
    return _all_checked(roles, _ROLES, "parts of the data have known names")


def checked_reading(reading: Mapping[str, Any]) -> dict[str, Any]:
    """How to read a file; what was not chosen is left out."""
    return _all_checked(reading, _READING, "a file is read by known keywords")


def _all_checked(given: Mapping[str, Any], kinds: Mapping[str, Check], rule: str) -> dict[str, Any]:
    unknown = sorted(set(given) - set(kinds))
    if unknown:
        raise InputError("", rule, Words(unknown[0][:60]))
    chosen = {name: value for name, value in given.items() if value not in (None, "", [], {})}
    return {name: _checked(kinds[name], name, value) for name, value in chosen.items()}


def _checked(kind: Check, name: str, value: Any) -> Any:
    try:
        return kind(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            name, "must be of the kind that the page sends", Words(repr(value)[:60]), "reload the page, or correct "
            "the session file that it came from",
        ) from None  # fmt: skip
