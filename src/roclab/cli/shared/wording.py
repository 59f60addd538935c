"""Errors of the library in the words of the command line: ``pos_label='ill'`` becomes ``--positive ill``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from roclab.errors import InputError, RoclabError, in_syntax
from roclab.options.spelling import SPELLINGS, option_of

__all__ = ["in_options", "in_words", "saying"]

_NOTHING: Any = object()


def in_options(error: RoclabError) -> str:
    """The error with arguments of functions written as options.

    >>> from roclab.errors import named
    >>> way_out = f"write {named('pos_label', 'very ill')} if that is the positive one"
    >>> in_options(InputError("", "outcome has two labels", way_out=way_out))
    "outcome has two labels; write --positive 'very ill' if that is the positive one."
    >>> error = InputError("fpr", "must be a pair", way_out=f"write {named('fpr', (0, 0.1))} for 0 to 0.1")
    >>> error.renamed = {"fpr": "--fpr"}  # as the command does that has this option
    >>> in_options(error)
    '--fpr must be a pair; write --fpr 0 0.1 for 0 to 0.1.'
    """
    return error.sentence(_writer(error.renamed)) if isinstance(error, InputError) else str(error)


def in_words(text: str) -> str:
    """A sentence with marked arguments, such as a note or a warning."""
    return in_syntax(text, _writer({}))


@contextmanager
def saying(words: Mapping[str, str]) -> Iterator[None]:
    """Errors raised inside use other words: for what a command calls differently than the function it asks."""
    try:
        yield
    except InputError as error:
        error.renamed = dict(words) | error.renamed
        raise


def _writer(renamed: Mapping[str, str]) -> Any:
    def write(argument: str, value: Any = _NOTHING) -> str:
        name = renamed.get(f"{argument}={value!r}")  # a flag that stands for one value
        if name is not None:
            return name
        name = renamed.get(argument) or (option_of(argument) if _differs(argument) else argument)
        if value is _NOTHING or (value is True and name.startswith("--")):
            return name
        if value is None:
            return f"no {name}"
        if not name.startswith("--"):
            return f"{name}={value!r}"
        if isinstance(value, Mapping):
            return " ".join(f"{name} {shlex.quote(f'{key}={one}')}" for key, one in value.items())
        if isinstance(value, tuple | list):
            return " ".join([name, *map(str, value)])
        return f"{name} {shlex.quote(str(value))}"

    return write


def _differs(argument: str) -> bool:
    """Whether the command line has a word of its own for an argument; of others a command knows whether it has them."""
    return argument in SPELLINGS and bool(SPELLINGS[argument].option)
