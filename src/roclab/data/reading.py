"""How a table is read: what its files look like, what means missing, and where its rows are counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

__all__ = ["AS_IT_IS", "ENGINE_KEYWORDS", "Reading", "reading_of"]

ENGINE_KEYWORDS = ("engine", "memory_limit", "accuracy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How to read a table; ``na`` is for all, the last three for sources, the rest for files."""

    sheet: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    header_row: int | None = None
    na: Any = None
    engine: str | None = None
    memory_limit: Any = None
    accuracy: Any = None


AS_IT_IS = Reading()


def reading_of(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a verb's keywords that say how to read."""
    return {field.name: keywords[field.name] for field in fields(Reading) if keywords.get(field.name) is not None}
