"""Forms of the page: the fields of a question, made from the groups of options that its verb takes.

A new option of a group is a field of every question that asks for the group, with the words, the choices and the
default that Python and the command line show; nothing is written down here a second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from roclab.app.field_words import field_words
from roclab.names import BOOTSTRAP_INTERVALS, CRITERIA
from roclab.options.data import DataKeywords
from roclab.options.folds import FoldKeywords
from roclab.options.group import Option, members_of, options_of
from roclab.options.spelling import page_word

__all__ = ["NO_FORM", "Form", "draws"]

_SUGGESTED: Mapping[str, Sequence[str]] = {"criterion": CRITERIA}  # names among which other values are possible too
_OF_DATA = {*options_of(DataKeywords), *options_of(FoldKeywords)}
_RESAMPLED = {"bootstrap", "clustered_bootstrap", *BOOTSTRAP_INTERVALS}  # values that mean thousands of draws
_BY_DRAWS = ("at_specificity", "at_sensitivity")  # and what is answered by them only
_LAST = ("resampling", "rng")
_OF_PAGE = {"level"}  # chosen once for all questions


@dataclass(frozen=True)
class Form:
    """Which options a question offers: those of ``groups`` but for the parts of the data and what it asks itself.

    ``first`` stand in the open; the others are unfolded.
    """

    groups: tuple[type[Any], ...] = ()
    without: tuple[str, ...] = ()
    first: tuple[str, ...] = ()

    def options(self) -> dict[str, Option]:
        """The options by name."""
        every = {name: one for group in self.groups for name, one in options_of(group).items()}
        left_out = _OF_DATA | _OF_PAGE | {*self.without}
        return {name: one for name, one in every.items() if name not in left_out}

    def fields(self) -> list[dict[str, Any]]:
        """What the page shows of them."""
        options = self.options()
        in_order = [*self.first, *(name for name in options if name not in _LAST), *_LAST]
        names = [name for name in dict.fromkeys(in_order) if name in options]
        return [{**_field(options[name]), "first": name in self.first} for name in names]


NO_FORM = Form()


def draws(options: Mapping[str, Any]) -> bool:
    """Whether options ask for resampled cases, which takes long enough to be waited for with a bar."""
    return any(isinstance(value, str) and value in _RESAMPLED for value in options.values()) or any(
        options.get(name) is not None for name in _BY_DRAWS
    )


def _field(one: Option) -> dict[str, Any]:
    return {
        "name": one.name, "label": page_word(one.name), "words": field_words(one, suggested=one.name in _SUGGESTED),
        "default": one.default, **_kind(one),
    }  # fmt: skip


def _kind(one: Option) -> dict[str, Any]:
    """What kind of field it is: choice, flag, count, number, range, numbers by name, or text."""
    members = [kind for kind in members_of(one.kind) if kind is not type(None)]
    words = next((get_args(kind) for kind in members if get_origin(kind) is Literal), ())
    if words and len(members) == 1:
        return {"kind": "choice", "choices": list(words)}
    if members == [bool]:
        return {"kind": "flag"}
    if int in members or one.kind is Any:  # a number of replicates, a seed
        return {"kind": "count"}
    if members == [float]:
        return {"kind": "number"}
    if any(get_origin(kind) is tuple for kind in members):
        return {"kind": "range"}
    if any(get_origin(kind) in (dict, Mapping) for kind in members):
        return {"kind": "named"}
    return {"kind": "text", "choices": list(_SUGGESTED.get(one.name, ()))}
