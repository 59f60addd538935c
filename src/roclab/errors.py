"""What roclab raises and warns about.

::

    RoclabError
    ├── InputError (ValueError)               an argument breaks a rule
    │   ├── OneClassError                     a class has no cases, so no curve exists
    │   ├── MissingValuesError                NaN or null where a value is needed
    │   ├── PairingError                      scores that should belong to the same cases do not
    │   ├── SeparationError                   columns separate the classes, so a likelihood has no maximum
    │   ├── SingularError                     columns are linearly dependent
    │   ├── NoPromiseError                    these cases can promise no cut-off that keeps a bound
    │   ├── UnknownKeywordError (TypeError)   a function has no argument of this name
    │   └── FileError (OSError)               a file is missing, empty or not what its name says
    └── MissingExtraError (ImportError)       an optional library is not installed

    RoclabWarning (UserWarning)
    └── UndefinedWarning                      a result exists but some of its numbers do not

An input error is one sentence with four parts: which argument, what rule, what was received, what to do. The parts are
kept apart, so that a form can point at its field and each face can write arguments in its own syntax: Python says
``direction='lower'``, the command line ``--direction lower``. Inside a part an argument is marked by :func:`named`.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable
from typing import Any, Literal, Self

__all__ = [
    "FileError",
    "InputError",
    "MissingExtraError",
    "MissingValuesError",
    "NoPromiseError",
    "OneClassError",
    "PairingError",
    "RoclabError",
    "RoclabWarning",
    "SeparationError",
    "SingularError",
    "UndefinedWarning",
    "UnknownKeywordError",
    "in_python",
    "in_syntax",
    "named",
]

# Marks around an argument inside a sentence: characters that Unicode keeps free, so that no text of a user holds them.
_OPEN, _IS, _CLOSE = "\ue000", "\ue001", "\ue002"
_MARKED = re.compile(f"{_OPEN}([^{_IS}{_CLOSE}]*)(?:{_IS}([^{_CLOSE}]*))?{_CLOSE}")
_NOTHING: Any = object()

Writer = Callable[..., str]


def named(argument: str, value: Any = _NOTHING) -> str:
    """An argument, with a value or without, to be put into a sentence; each face writes it in its own syntax.

    >>> print(InputError("score", "must be given", way_out=f"write {named('score', 'marker')} for instance"))
    score must be given; write score='marker' for instance.
    """
    return f"{_OPEN}{argument}{_CLOSE}" if value is _NOTHING else f"{_OPEN}{argument}{_IS}{value!r}{_CLOSE}"


def _in_python(argument: str, value: Any = _NOTHING) -> str:
    return argument if value is _NOTHING else f"{argument}={value!r}"


def in_python(text: str) -> str:
    """A text with its marked arguments as Python writes them: what ``str()`` of errors and results shows."""
    return in_syntax(text, _in_python)


class RoclabError(Exception):
    """Base of everything roclab raises on purpose."""


class InputError(RoclabError, ValueError):
    """An argument breaks a rule.

    Attributes
    ----------
    argument : str
        The argument, by the name it has in the library; several are separated by blanks. Empty when the whole of what
        was given is at fault.
    rule : str
        What must hold.
    received : str
        What was given instead; empty when the rule says it all.
    way_out : str
        What to do about it.
    called : str
        What the sentence calls the argument: the user's own name of a column, or words such as "label and score".

    >>> error = InputError("level", "must lie strictly between 0 and 1", 95, "write 0.95 for a 95% interval")
    >>> print(error)
    level must lie strictly between 0 and 1, got 95; write 0.95 for a 95% interval.
    >>> error.argument, error.received
    ('level', '95')
    """

    def __init__(
        self, argument: str, rule: str, received: Any = _NOTHING, way_out: str = "", *, called: str = ""
    ) -> None:
        self.argument = argument
        self.rule = rule
        self.received = "" if received is _NOTHING else received if isinstance(received, Words) else repr(received)
        self.way_out = way_out
        self.called = called
        self.where = ""
        self.renamed: dict[str, str] = {}  # what the face that asked calls these arguments
        super().__init__(self.sentence(_in_python))

    def inside(self, where: str) -> Self:
        """The same error, said of a part of what was given: a file, a fold."""
        self.where = where
        self.args = (self.sentence(_in_python),)
        return self

    def sentence(self, write: Writer) -> str:
        """The whole sentence, with arguments written by ``write(name)`` or ``write(name, value)``."""
        subject = self.called or (write(self.argument) if self.argument else "")
        text = " ".join(part for part in (subject, self.rule) if part)
        if self.received:
            text += f", got {self.received}"
        if self.way_out:
            text += f"; {self.way_out}"
        return in_syntax(f"{self.where}: {text}." if self.where else f"{text}.", write)

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.argument, self.rule, Words(self.received), self.way_out)
        return _rebuilt, (type(self), parts, self.called)


def _rebuilt(kind: type[InputError], parts: tuple[Any, ...], called: str) -> InputError:
    """An error that came back from another process."""
    argument, rule, received, way_out = parts
    return kind(argument, rule, received, way_out, called=called) if received else kind(
        argument, rule, way_out=way_out, called=called
    )  # fmt: skip


class Words(str):
    """What was received, already in words; anything else is shown as Python writes it."""

    __slots__ = ()


def in_syntax(text: str, write: Writer) -> str:
    """A text with marked arguments in the syntax of a face."""

    def one(found: re.Match[str]) -> str:
        return write(found[1]) if found[2] is None else write(found[1], _value(found[2]))

    return _MARKED.sub(one, text)


def _value(text: str) -> Any:
    try:
        return literal_eval(text)
    except (SyntaxError, ValueError):  # np.float64(1.0) and the like are shown as they are
        return text


class OneClassError(InputError):
    """Only one of the two classes is present, so the curve does not exist."""


class MissingValuesError(InputError):
    """Values are missing and the caller did not say what to do about them."""


class PairingError(InputError):
    """Scores that should be measured on the same cases are not."""


class SeparationError(InputError):
    """The classes are separated, so the likelihood has no maximum; ``kind`` is "complete" or "quasi-complete"."""

    def __init__(self, rule: str, *, way_out: str, kind: Literal["complete", "quasi-complete"]) -> None:
        super().__init__("", rule, way_out=way_out)
        self.kind = kind


class SingularError(InputError):
    """Columns are linearly dependent; ``columns`` names those that add nothing to the ones before them."""

    def __init__(self, rule: str, *, way_out: str, columns: tuple[str, ...]) -> None:
        super().__init__("", rule, way_out=way_out)
        self.columns = columns


class NoPromiseError(InputError):
    """No cut-off can be promised to keep a bound: the cases are too few, or the bounds contradict each other."""

    def __init__(self, rule: str, *, way_out: str) -> None:
        super().__init__("", rule, way_out=way_out)


class UnknownKeywordError(InputError, TypeError):
    """A function has no argument of this name."""


class FileError(InputError, OSError):
    """A file cannot be used: missing, empty, too large, or not what its name says."""


class MissingExtraError(RoclabError, ImportError):
    """An optional library is needed; the message holds the install line."""

    def __init__(self, *, library: str, extra: str, purpose: str) -> None:
        super().__init__(f'{purpose} needs {library}; install it with: pip install "roclab[{extra}]".')


class RoclabWarning(UserWarning):
    """Base of everything roclab warns about; marked arguments are written as Python does."""

    def __str__(self) -> str:
        return in_python(super().__str__())


class UndefinedWarning(RoclabWarning):
    """A result exists but some of its numbers are undefined."""
