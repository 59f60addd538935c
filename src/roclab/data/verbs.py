"""Verbs: public functions that take data, and answer every group apart where ``by`` asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from roclab.data.groups import ask_each_group
from roclab.options.data import DataKeywords, ReadingKeywords
from roclab.options.verb import public

__all__ = ["reader", "verb"]

P = ParamSpec("P")
R = TypeVar("R")


def verb(
    keywords: type[Any] = DataKeywords, *, splits: bool = True, **synonyms: str
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function a verb: the keywords of its groups shown, explained, and checked by the type checker.

    With ``splits`` the verb knows nothing of groups and is asked once for each; else it gets ``by`` with the other
    keywords. ``synonyms`` are other words for its own arguments, such as ``columns="score"``.
    """
    return public(keywords, synonyms=synonyms, run=ask_each_group if splits else None)


def reader(keywords: type[Any] = ReadingKeywords, **synonyms: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The same for functions whose data have other parts: only the keywords of reading."""
    return public(keywords, synonyms=synonyms)
