"""A result from its own JSON: every field is made again by the type that its class declares for it.

The JSON of a result holds no types; the class that is asked to restore it has them. What was made is turned into JSON
once more and compared with what was given, so that a result which cannot be restored whole, because it keeps
functions that JSON does not have, is refused and never half restored. A class whose dictionary is not simply that of
its fields says by ``_fields_of`` where they stand in it; cases are never in JSON, and what needs them says so.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import importlib
import json
import math
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words
from roclab.results.whole import KEY, decoded

__all__ = ["CannotRestoreError", "made", "made_of_kind", "restored"]

R = TypeVar("R")
_SEQUENCES = (list, tuple, collections.abc.Sequence, collections.abc.Iterable)


class CannotRestoreError(Exception):
    """A value does not fit its declared type."""


def restored(kind: type[R], text: str | bytes) -> R:
    """The result of this kind that the JSON text tells; O(length of the text)."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise InputError("text", "must be JSON that to_json wrote", Words(f"{error}")) from None
    if not isinstance(data, dict):
        raise InputError("text", "must be the JSON of one result", Words(type(data).__name__))
    if KEY in data:
        return _whole(kind, data[KEY])
    try:
        found: R = made(kind, data)
        same = getattr(found, "to_dict")() == data  # noqa: B009 - every result has it, and no type says so here
        str(found)
    except CannotRestoreError as error:
        raise _refused(kind, str(error)) from None
    except (TypeError, ValueError, AttributeError, KeyError, AssertionError):
        raise _refused(kind, "its JSON is a summary") from None
    if not same:
        raise _refused(kind, "it keeps more than its JSON tells")
    return found


def _whole(kind: type[R], data: Any) -> R:
    try:
        found = decoded(data)
    except (TypeError, ValueError, KeyError, AttributeError, ImportError, RecursionError):
        raise InputError("text", "must be JSON that to_json wrote", Words("a damaged one")) from None
    if not isinstance(found, kind):
        raise InputError("text", f"must be the JSON of a {kind.__name__}", Words(f"that of a {type(found).__name__}"))
    return found


def made_of_kind(name: str, data: Mapping[str, Any]) -> Any:
    """The result of the type of this name; for answers that hold others, of which JSON tells the type by its name."""
    public = (getattr(importlib.import_module(room), name, None) for room in ("roclab.results", "roclab"))
    kind = next((found for found in public if found is not None), None)
    if kind is None:
        raise CannotRestoreError(f"there is no result {name}")
    return made(kind, data)


def _refused(kind: type[Any], why: str) -> InputError:
    return InputError(
        "text", f"must be the JSON of a {kind.__name__} that can be restored", Words(f"one that cannot ({why})"),
        "write it with to_json(whole=True)",
    )  # fmt: skip


def made(kind: Any, data: Mapping[str, Any]) -> Any:
    """A dataclass from the dictionary of its fields; reasons of undefined numbers stand beside them.

    What else the dictionary holds was computed from the fields, and is compared when all is made.
    """
    hints = _hints(kind)
    if hasattr(kind, "_fields_of"):
        data = kind._fields_of(data)
    reasons = data.get("undefined", {}) if isinstance(data.get("undefined"), dict) else {}
    known = {one.name: one for one in dataclasses.fields(kind)}
    given = {}
    for name, field in known.items():
        if not field.init:
            continue
        if name.startswith("_") and name not in data:  # what JSON never shows
            if not field.metadata.get("not_in_json"):
                raise CannotRestoreError(f"{kind.__name__} keeps {name.strip('_')}")
            continue  # figures say what they lack
        if name in reasons:
            given[name] = Undefined(reasons[name])
        elif name in data:
            given[name] = _value(hints.get(name, Any), data[name])
    return kind(**given)


def _hints(kind: Any) -> dict[str, Any]:
    """The declared types; those that are imported for the type checker only hold nothing that JSON has."""
    unknown: dict[str, Any] = {}
    while True:
        try:
            return typing.get_type_hints(kind, localns=unknown)
        except NameError as error:
            name = str(error.name)
            if name in unknown:
                raise CannotRestoreError(f"the type of {name} is not known here") from None
            unknown[name] = Any


def _value(hint: Any, data: Any) -> Any:
    """A value of the declared type."""
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _first_that_fits(inside, data)
    if data is None:
        if hint is float:
            return math.nan
        if hint in (type(None), Any):
            return None
        raise CannotRestoreError("a value is missing")
    if origin is np.ndarray or hint is np.ndarray:
        return _array(data)
    if origin in (dict, Mapping, collections.abc.Mapping):
        if not isinstance(data, dict) or (inside and inside[0] is not str):
            raise CannotRestoreError("names of a mapping are no words")
        reasons = data.get("undefined", {})
        return {
            name: Undefined(reasons[name]) if name in reasons else _value(inside[1] if inside else Any, one)
            for name, one in data.items()
            if name != "undefined"
        }
    if origin in _SEQUENCES or hint in _SEQUENCES:
        return _sequence(origin or hint, inside, data)
    if dataclasses.is_dataclass(hint):
        if dataclasses.is_dataclass(data):  # made before, by a class that knows the type better
            return data
        if not isinstance(data, dict):
            raise CannotRestoreError(f"{getattr(hint, '__name__', hint)} is no dictionary")
        return made(hint, data)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return _named_tuple(hint, data)
    if hint is float:
        return {"inf": math.inf, "-inf": -math.inf}.get(data, data) if isinstance(data, str) else data
    if hint in (int, str, bool) and not isinstance(data, hint):
        raise CannotRestoreError(f"{data!r} is no {hint.__name__}")
    return data


def _sequence(origin: Any, inside: tuple[Any, ...], data: Any) -> Any:
    if not isinstance(data, list):
        raise CannotRestoreError("a list is none")
    fixed = origin is tuple and inside and Ellipsis not in inside
    if fixed and len(inside) != len(data):
        raise CannotRestoreError("a tuple has another length")
    kinds = inside if fixed else [inside[0] if inside else Any] * len(data)
    values = [_value(kind, one) for kind, one in zip(kinds, data, strict=True)]
    return values if origin is list else tuple(values)


def _named_tuple(kind: Any, data: Any) -> Any:
    """JSON has its values without their names, or with them."""
    values = list(data.values()) if isinstance(data, dict) else data
    if not isinstance(values, list) or len(values) != len(kind._fields):
        raise CannotRestoreError(f"{kind.__name__} has other fields")
    hints = _hints(kind)
    return kind(*(_value(hints[name], value) for name, value in zip(kind._fields, values, strict=True)))


def _array(data: Any) -> Any:
    if not isinstance(data, list):
        raise CannotRestoreError("an array is no list")
    words = {"inf": math.inf, "-inf": -math.inf, None: math.nan}

    def number(one: Any) -> Any:
        if isinstance(one, list):
            return [number(each) for each in one]
        return words.get(one, one) if one is None or isinstance(one, str) else one

    array = np.array(number(data))
    array.flags.writeable = False
    return array


def _first_that_fits(kinds: tuple[Any, ...], data: Any) -> Any:
    if data is None and type(None) in kinds:
        return None
    for kind in kinds:
        if kind is type(None):
            continue
        try:
            return _value(kind, data)
        except (CannotRestoreError, TypeError, ValueError):
            continue
    raise CannotRestoreError("no declared type fits")
