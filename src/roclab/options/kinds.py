"""Is an argument of the kind its annotation names? Read from the signature, so that no verb writes it down twice.

Only what is certain is judged: numbers, True and False, words, and classes of the house. Anything else, and every
value of the right kind, is left to the function, whose own rules say more.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from roclab.errors import InputError, Words, named
from roclab.options.group import members_of

__all__ = ["check_kinds", "check_not_nan", "is_choice", "kinds_of"]

_NUMBERS = {int: "a whole number", float: "a number"}
_COLUMNS = ("label", "score")
_MANY = (Sequence, tuple, list)


def kinds_of(function: Callable[..., Any], shared: type[Any] | None) -> dict[str, tuple[Any, ...]]:
    """The kinds that each argument may have; arguments that may be anything are left out."""
    hints: dict[str, Any] = {}
    places = inspect.signature(function).parameters
    for name, hint in inspect.get_annotations(function).items():
        if name == "return" or places[name].kind is not inspect.Parameter.KEYWORD_ONLY:
            continue  # what has a place is data, and who reads it says more
        try:
            hints[name] = eval(hint, function.__globals__) if isinstance(hint, str) else hint
        except (NameError, TypeError):  # imported for type checkers only
            continue
    if shared is not None:
        hints |= get_type_hints(shared)
    found = {name: tuple(members_of(hint)) for name, hint in hints.items()}
    return {name: kinds for name, kinds in found.items() if all(map(_known, kinds))}


def is_choice(word: str, kinds: tuple[Any, ...] | None) -> bool:
    """Whether a word is among those that an argument may be.

    >>> is_choice("wald", (Literal["wilson", "wald"], type(None))), is_choice("wald", None)
    (True, False)
    """
    return any(word in get_args(kind) for kind in kinds or () if get_origin(kind) is Literal)


def check_kinds(arguments: dict[str, Any], kinds: dict[str, tuple[Any, ...]], signature: inspect.Signature) -> None:
    """Refuse the first argument that has none of its kinds; a default that is written out is right by itself."""
    for name, value in arguments.items():
        allowed = kinds.get(name)
        if allowed is None or value is signature.parameters[name].default:
            continue
        if not any(_fits(value, kind) for kind in allowed):
            if name in _COLUMNS and str in allowed:
                several = " or a list of names" if len(allowed) > 2 else ""
                way_out = f"write {named(name, 'name')}"
                raise InputError(name, f"must be the name of a column{several}", _shown(value), way_out)
            if name in ("fpr", "tpr") and is_number(value):
                way_out = f"write {named(name, (0, value))} for the range from 0"
                raise InputError(name, "must be a pair (low, high)", _shown(value), way_out)
            words = dict.fromkeys(word for kind in allowed if (word := _words(kind)))
            raise InputError(name, f"must be {' or '.join(words)}", _shown(value))


def check_not_nan(arguments: dict[str, Any], kinds: dict[str, tuple[Any, ...]]) -> None:
    """Refuse NaN for a number that the function took without a look; asked after it, because its own rule says more."""
    for name, value in arguments.items():
        if isinstance(value, float | np.floating) and np.isnan(value) and name in kinds:
            raise InputError(name, "must be a number", value)


def _known(kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return True
    if get_origin(kind) in (*_MANY, Mapping, Callable):
        return True
    return kind in (bool, str, type(None), *_NUMBERS) or (
        isinstance(kind, type) and kind.__module__.startswith("roclab.") and not hasattr(kind, "__total__")
    )


def _fits(value: Any, kind: Any) -> bool:
    if kind is str:
        return isinstance(value, str)
    if get_origin(kind) is Literal:  # which word it is the function says, with the closest ones
        words = all(isinstance(one, str) for one in get_args(kind))
        return isinstance(value, str) if words else is_number(value) and value in get_args(kind)
    if kind is bool:
        return isinstance(value, bool | np.bool_)
    if kind in _NUMBERS:
        return is_number(value)
    if get_origin(kind) is Callable:
        return callable(value)
    if get_origin(kind) is Mapping:
        return isinstance(value, Mapping)
    if get_origin(kind) in _MANY:  # arrays and columns of data frames too
        return hasattr(value, "__iter__") and not isinstance(value, str | bytes | Mapping | Set)
    return isinstance(value, kind)


def is_number(value: Any) -> bool:
    """One number of any kind; True, text and arrays are none."""
    if isinstance(value, bool | np.bool_ | str | bytes):
        return False
    return hasattr(value, "__float__") and np.ndim(value) == 0


def _words(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return f"one of {', '.join(map(repr, get_args(kind)))}"
    many: dict[Any, str] = {Mapping: "a mapping", Callable: "a function", **dict.fromkeys(_MANY, "a sequence")}
    if get_origin(kind) in many:
        return many[get_origin(kind)]
    named: dict[Any, str] = {bool: "True or False", str: "text", type(None): "", **_NUMBERS}
    return named.get(kind, f"a {getattr(kind, '__name__', kind)}")


def _shown(value: Any) -> Any:
    text = repr(value)
    return value if len(text) <= 60 and "\n" not in text else Words(f"a value of type {type(value).__name__}")
