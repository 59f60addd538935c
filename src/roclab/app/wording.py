"""Errors of the library in the words of the page."""

from __future__ import annotations

from typing import Any

from roclab.errors import InputError, RoclabError

__all__ = ["in_page"]

_NOTHING: Any = object()
_CALLED = {
    "pos_label": "the positive class", "neg_label": "the negative class", "sample_weight": "the weight",
    "ids": "the subject", "folds": "the fold", "by": "the group", "label": "the label", "score": "the score",
    "na": "the codes of missing values", "rng": "the seed", "header_row": "the row of the names",
}  # fmt: skip


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


def _write(argument: str, value: Any = _NOTHING) -> str:
    called = _CALLED.get(argument, argument.replace("_", " "))
    return called if value is _NOTHING else f"{called}: {value}"
