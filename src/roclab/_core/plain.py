"""Results as plain Python values, ready for JSON.

JSON has no infinities and no undefined numbers, so infinities become the words "inf" and "-inf" and
undefined values become null, with the reasons collected under the key "undefined" of their object.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from roclab._core.undefined import Undefined


def plain(value: Any) -> Any:
    """Dictionaries, lists, strings, numbers, booleans and None only."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return _plain_float(float(value))
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value.tolist()]
    if isinstance(value, np.generic):
        return plain(value.item())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return _plain_object({name: item for name, item in fields.items() if not name.startswith("_")})
    if isinstance(value, Mapping):
        return _plain_object({str(key): item for key, item in value.items()})
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return str(value)


def _plain_object(items: dict[str, Any]) -> dict[str, Any]:
    out = {name: plain(item) for name, item in items.items()}
    reasons = {name: item.reason for name, item in items.items() if isinstance(item, Undefined)}
    if reasons:
        out["undefined"] = reasons
    return out


def _plain_float(value: float) -> float | str | None:
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value
