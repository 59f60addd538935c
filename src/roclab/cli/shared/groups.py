"""Answers of single groups, where a command asks an answer further."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["notes_of_each", "of_each"]


def of_each(found: Any, question: Callable[[Any], Any]) -> Any:
    """What an answer says to a further question; that of every group where there are groups."""
    return found.each(question) if _is_grouped(found) else question(found)


def notes_of_each(found: Any, notes: Callable[[Any], list[str]]) -> list[str]:
    """Remarks about an answer, or about every group, called by its name."""
    if not _is_grouped(found):
        return notes(found)
    return [f"{found.by} {name}: {note}" for name, one in found.items() for note in notes(one)]


def _is_grouped(found: Any) -> bool:
    from roclab.results import ByGroup

    return isinstance(found, ByGroup)
