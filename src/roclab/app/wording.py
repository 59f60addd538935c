"""Errors of the library in the words of the page."""

from __future__ import annotations

from typing import Any

from roclab.errors import InputError, RoclabError, in_syntax
from roclab.options.spelling import page_word

__all__ = ["in_page", "part_in_page"]

_NOTHING: Any = object()


def in_page(error: Exception) -> str:
    """One sentence for people who look at a page, not at code.

    >>> from roclab.errors import named
    >>> in_page(InputError("pos_label", "must be one of the labels", "sick", f"choose {named('missing', 'drop')}"))
    "the positive class must be one of the labels, got 'sick'; choose missing: drop."
    """
    if isinstance(error, InputError):
        return error.sentence(_write)
    if isinstance(error, RoclabError):
        return str(error)
    words = f": {error}" if str(error) else ""
    return f"{type(error).__name__}{words} (a bug in roclab; please report it)."


def part_in_page(part: str) -> str:
    """One part of such a sentence."""
    return in_syntax(part, _write)


def _write(argument: str, value: Any = _NOTHING) -> str:
    called = page_word(argument)
    return called if value is _NOTHING else f"{called}: {value}"
