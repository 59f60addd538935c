"""A result as JSON with all that it keeps, so that it comes back whole: what it was made of stands beside its summary.

The JSON of a result is for readers: rows, and no fitted curve, no cases, no counts of subjects. Whoever wants to ask a
restored result further writes it whole. Every value is written with its type, and only types of this package are
made again: data classes and named tuples of ``roclab``, arrays of numbers and text, and what JSON has itself. Nothing
that is read is run, and functions, estimators of other libraries and what holds them are refused.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words

__all__ = ["KEY", "decoded", "encoded"]

KEY = "whole"  # under which the whole stands beside the summary
_TYPE = "~"
_PACKAGE = "roclab."


def encoded(value: Any) -> Any:
    """A value as JSON can hold it, with its type where JSON would forget it."""
    if value is None or isinstance(value, bool | str) or (isinstance(value, int) and not isinstance(value, np.integer)):
        return value
    if isinstance(value, Undefined):
        return {_TYPE: "undefined", "reason": value.reason}
    if isinstance(value, float | np.floating):
        number = float(value)
        return number if math.isfinite(number) else {_TYPE: "float", "value": repr(number)}
    if isinstance(value, np.integer | np.bool_):
        return value.item()
    if isinstance(value, np.ndarray):
        return _array(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: _field(value, field) for field in dataclasses.fields(value)}
        return {_TYPE: _name(type(value)), "fields": fields}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {_TYPE: _name(type(value)), "values": [encoded(one) for one in value]}
    if isinstance(value, tuple):
        return {_TYPE: "tuple", "values": [encoded(one) for one in value]}
    if isinstance(value, list):
        return [encoded(one) for one in value]
    if isinstance(value, Mapping):
        return {_TYPE: "mapping", "items": [[encoded(key), encoded(one)] for key, one in value.items()]}
    raise _foreign(type(value))


def _foreign(kind: type[Any]) -> InputError:
    return InputError(
        "whole", "must hold values of this package", Words(f"a {kind.__name__}"), "keep the result with pickle"
    )


def _field(value: Any, field: dataclasses.Field[Any]) -> Any:
    """A field; what JSON does without is left out where it holds functions, and the result says so when asked."""
    try:
        return encoded(getattr(value, field.name))
    except InputError:
        if not field.metadata.get("not_in_json"):
            raise
        return None


def _array(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    shape = list(array.shape)
    if array.dtype.kind not in "biufU":
        return {_TYPE: "array", "dtype": "object", "shape": shape, "values": [encoded(one) for one in array.ravel()]}
    values = array.ravel().tolist()
    if array.dtype.kind == "f":
        values = [one if math.isfinite(one) else repr(one) for one in values]
    return {_TYPE: "array", "dtype": array.dtype.str, "shape": shape, "values": values}


def _name(kind: type[Any]) -> str:
    if not kind.__module__.startswith(_PACKAGE):
        raise _foreign(kind)
    return f"{kind.__module__}:{kind.__qualname__}"


def decoded(value: Any) -> Any:
    """What ``encoded`` wrote; damaged or foreign content is refused."""
    if isinstance(value, list):
        return [decoded(one) for one in value]
    if not isinstance(value, dict):
        return value
    kind = value.get(_TYPE)
    if kind == "float":
        return float(value["value"])
    if kind == "undefined":
        return Undefined(value["reason"])
    if kind == "tuple":
        return tuple(decoded(one) for one in value["values"])
    if kind == "mapping":
        return {decoded(key): decoded(one) for key, one in value["items"]}
    if kind == "array":
        return _array_of(value)
    return _object(str(kind), value)


def _array_of(value: Mapping[str, Any]) -> Any:
    shape, kind = tuple(value["shape"]), value["dtype"]
    if kind == "object":
        array = np.empty(len(value["values"]), dtype=object)
        array[:] = [decoded(one) for one in value["values"]]
    else:
        dtype = np.dtype(kind)
        if dtype.kind not in "biufU":
            raise InputError("text", "must hold arrays of numbers or text", Words(str(kind)))
        values = value["values"]
        array = np.array([float(one) for one in values] if dtype.kind == "f" else values, dtype)
    array = array.reshape(shape)
    array.flags.writeable = False
    return array


def _object(kind: str, value: Mapping[str, Any]) -> Any:
    """A data class or a named tuple of this package, with the fields as they were; nothing of it is called."""
    room, _, name = kind.partition(":")
    ours = room.startswith(_PACKAGE) and "__main__" not in room and name.isidentifier()
    found = getattr(importlib.import_module(room), name, None) if ours else None
    if isinstance(found, type) and issubclass(found, tuple) and hasattr(found, "_fields"):
        return tuple.__new__(found, [decoded(one) for one in value["values"]])
    if not (isinstance(found, type) and dataclasses.is_dataclass(found)):
        raise InputError("text", "must hold results of this package", Words(kind))
    known = {field.name for field in dataclasses.fields(found)}
    fields = value["fields"]
    if set(fields) != known:
        raise InputError("text", f"must hold the fields of a {name} as they are today", Words("others"), "ask again")
    made = object.__new__(found)
    for field, one in fields.items():
        object.__setattr__(made, field, decoded(one))
    return made
