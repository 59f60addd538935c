"""Options of a command from the groups of its verb: names, types, choices and help are those of the group."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

import click

from roclab.cli.shared.command import Run, option
from roclab.cli.shared.parsing import bounds_of, requirements_of, thresholds_of, weights_of
from roclab.errors import InputError, Words
from roclab.options.group import Option, first_paragraph, members_of, options_of
from roclab.options.spelling import SPELLINGS, option_of, placeholder

__all__ = ["given", "keyword_option", "keyword_options", "priced", "words_of"]

_HEADINGS = {"level": "Uncertainty", "interval": "Uncertainty", "variance": "Uncertainty", "side": "Uncertainty"}
_REPEATED = ("pos_label", "by", "na", "direction", "require")  # and all sequences
_NONE = "none"  # an option that may be None is asked for by this word, where None is not what it is by default
_PARSED: dict[str, Callable[[Any], Any]] = {
    "require": lambda texts: requirements_of(texts, "--require") or None,
    "target": lambda text: bounds_of([text], "--target"),
    "contrast": lambda text: weights_of(text, "--contrast"),
    "threshold": lambda texts: thresholds_of(texts, "--threshold"),
}


def keyword_options(
    *groups: type[Any], into: str = "asked", only: Sequence[str] = (), without: Sequence[str] = (), **words: str
) -> Callable[[Run], Run]:
    """Add the options of groups to a command, and hand over what was given as one dict, by the library's words.

    ``only`` and ``without`` choose among them; ``words`` are other help texts, where a command means less.
    """
    every = {name: one for group in groups for name, one in options_of(group).items()}
    names = [name for name in every if (not only or name in only) and name not in without]

    def decorate(command: Run) -> Run:
        @functools.wraps(command)
        def run(**values: Any) -> Any:
            found = {name: _value(every[name], values.pop(name)) for name in names}
            asked = {name: one for name, one in found.items() if one is not _UNSAID}
            return command(**values | {into: values.get(into, {}) | asked})

        wrapped: Any = run
        for name in reversed(names):
            wrapped = keyword_option(every[name], words.get(name))(wrapped)
        return wrapped  # type: ignore[no-any-return]

    return decorate


def keyword_option(one: Option, words: str | None = None, *, heading: str | None = None) -> Callable[[Run], Run]:
    """One option of the command line from a keyword of a group."""
    names = [option_of(one.name), *_also(one.name), one.name]
    default = (
        ""
        if one.default in (None, False, ()) or "default" in first_paragraph(one.words)
        else f" (default {one.default})"
    )
    again = "; repeatable" if _repeated(one) else ""
    help = (words or words_of(first_paragraph(one.words))).rstrip(".") + again + default + "."
    shown: dict[str, Any] = {"heading": heading or _HEADINGS.get(one.name, "Question"), "help": help}
    return option(*names, multiple=_repeated(one), show_default=False, **_kind(one), **shown)


def words_of(text: str) -> str:
    """The words of an option as the command line says them: ``ids`` becomes --id.

    >>> words_of("with ``ids`` of several cases")
    'with --id of several cases'
    """
    text = re.sub(r"``([a-z_]+)``", lambda found: option_of(found[1]), text)
    return re.sub(r"``[^`]*``", "", text).replace(":func:", "").replace("`", "")


def given(asked: Mapping[str, Any], *names: str) -> dict[str, object]:
    """Those of the options that were given (all, where none are named), as the words a refusal shows."""
    return {option_of(name): True for name in asked if name in names or not names}


def priced(costs: dict[str, Any]) -> dict[str, Any]:
    """Costs for what cannot do without a prevalence; empty where none were given."""
    if costs and "prevalence" not in costs:
        raise InputError("", "costs are weighed by the prevalence", Words("none"), "write --prevalence 0.1 for 10%")
    return costs


_UNSAID: Any = object()


def _value(one: Option, value: Any) -> Any:
    if value is None or value == ():
        return _UNSAID
    if value == _NONE and one.default is not None and type(None) in members_of(one.kind):
        return None
    parse = _PARSED.get(one.name)
    return value if parse is None else parse(value)


def _also(word: str) -> list[str]:
    """Other names of an option: the library's own word, and short ones of other programs."""
    short = [other for other in SPELLINGS[word].also if len(other) == 2] if word in SPELLINGS else []
    names = [f"--{one.replace('_', '-')}" for one in (word, *short)]
    return [name for name in names if name != option_of(word)]


def _repeated(one: Option) -> bool:
    return one.name in _REPEATED or any(get_origin(kind) is Sequence for kind in members_of(one.kind))


def _kind(one: Option) -> dict[str, Any]:
    """Type and placeholder of the value."""
    shown = {"metavar": placeholder(one.name) or None}
    members = [kind for kind in members_of(one.kind) if kind is not type(None)]
    words = next((get_args(kind) for kind in members if get_origin(kind) is Literal), ())
    if words and len(members) == 1:
        none = (_NONE,) if one.default is not None and type(None) in members_of(one.kind) else ()
        return {"type": click.Choice((*words, *none), case_sensitive=False), **(shown if shown["metavar"] else {})}
    if members == [bool]:
        return {"is_flag": True, "default": None}
    if str in members and any(get_origin(kind) is Mapping for kind in members):  # NAME=VALUE
        return shown
    many = [get_args(kind)[0] for kind in members if get_origin(kind) is Sequence]
    if many and many != [str]:  # a sequence of numbers, or of words to choose from
        return _kind(one._replace(kind=many[0], default=None))
    for kind in (int, float):
        if kind in members and str not in members:
            return {"type": kind, "metavar": shown["metavar"] or ("N" if kind is int else "X")}
    if any(get_origin(kind) is tuple for kind in members):
        return {"type": float, "nargs": 2, **shown}
    return shown
