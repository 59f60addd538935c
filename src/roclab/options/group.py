"""What a group of options is: keywords with their types, a frozen value with their defaults, and their words."""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeVar, Union, get_args, get_origin, get_type_hints

__all__ = ["Group", "Option", "first_paragraph", "given_of", "group", "members_of", "options_of"]

Value = TypeVar("Value", bound="type[Group]")


class Group:
    """Base of the values: a frozen dataclass whose fields are the keywords of the group."""

    __slots__ = ()

    words: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Self:
        """The value of this group among all that was asked; the usual one where nothing was."""
        given = {name: asked[name] for name in cls.__dataclass_fields__ if name in asked}  # type: ignore[attr-defined]
        if given:
            return cls(**given)
        usual = _USUAL.get(cls)
        if usual is None:
            usual = _USUAL[cls] = cls()
        return usual


class Option(NamedTuple):
    """One keyword of a group."""

    name: str
    kind: Any  # its type, evaluated
    written: str  # its type as the source has it
    default: Any
    words: str


# The value that belongs to each TypedDict of keywords.
_VALUES: dict[type[Any], type[Group]] = {}
_USUAL: dict[type[Any], Any] = {}  # the value of each group when nothing was asked
_OPTIONS: dict[type[Any], dict[str, Option]] = {}


def group(keywords: type[Any], words: Mapping[str, str]) -> Callable[[Value], Value]:
    """Make a frozen dataclass the value of a group of keywords, which all have words."""

    def decorate(value: Value) -> Value:
        every = [base.__dict__.get("words", {}) for base in reversed(value.__mro__)]
        value.words = {name: text for part in (*every, words) for name, text in part.items()}
        _VALUES[keywords] = value
        return value

    return decorate


def options_of(keywords: type[Any]) -> dict[str, Option]:
    """The options behind a TypedDict, which may join several groups; in their order, each once."""
    if keywords not in _OPTIONS:
        _OPTIONS[keywords] = _found(keywords)
    return _OPTIONS[keywords]


def _found(keywords: type[Any]) -> dict[str, Option]:
    # A TypedDict forgets its bases before Python 3.12, so groups are known by their keywords and types.
    asked = _written(keywords)
    kinds = get_type_hints(keywords)
    found: dict[str, Option] = {}
    for part, value in _VALUES.items():
        if _written(part).items() <= asked.items():
            for field in dataclasses.fields(value):  # type: ignore[arg-type]
                name = field.name
                found[name] = Option(name, kinds[name], asked[name], field.default, value.words[name])
    return {name: found[name] for name in asked}


def _written(keywords: type[Any]) -> dict[str, Any]:
    """Types as the source has them."""
    return {name: getattr(kind, "__forward_arg__", kind) for name, kind in inspect.get_annotations(keywords).items()}


def given_of(asked: Mapping[str, Any], keywords: type[Any]) -> Any:
    """Those of the keywords that belong to a group, for a function that takes this group's."""
    names = keywords.__annotations__
    return {name: value for name, value in asked.items() if name in names}


def first_paragraph(words: str) -> str:
    r"""What an option is, without the list of its values.

    >>> first_paragraph("Kind of interval.\n\n- plain: symmetric")
    'Kind of interval.'
    """
    return " ".join(words.strip().split("\n\n")[0].split())


def members_of(kind: Any) -> list[Any]:
    """The types that a union joins; literals of words become one.

    >>> members_of(Literal["a"] | Literal["b"] | None)
    [typing.Literal['a', 'b'], <class 'NoneType'>]
    """
    parts = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    flat = [member for part in parts for member in ([part] if part is kind else members_of(part))]
    words = tuple(word for one in flat if get_origin(one) is Literal for word in get_args(one))
    others = [one for one in flat if get_origin(one) is not Literal]
    return [Literal[words], *others] if words else others
