"""Public functions: every keyword visible, other words for the same thing accepted, misspelt ones answered.

A verb takes the keywords of its groups as ``**asked: Unpack[…]``: type checkers see each of them with its type. They
are written out in the signature and in the docstring too, so that ``help()`` and tab completion show the same.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, Literal, ParamSpec, TypeVar, get_origin

from roclab._core.checks import close_names
from roclab.errors import UnknownKeywordError, Words
from roclab.options.conventions import conventions_note, has_convention, options_of_program
from roclab.options.group import Option, members_of, options_of
from roclab.options.kinds import check_kinds, check_not_nan, is_choice, kinds_of
from roclab.options.spelling import HINTS, VALUES, synonyms_of

__all__ = ["public"]

P = ParamSpec("P")
R = TypeVar("R")


def public(
    shared: type[Any] | None = None,
    *,
    synonyms: Mapping[str, str] | None = None,
    run: Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any] | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function public.

    Parameters
    ----------
    shared : TypedDict, optional
        Keywords of groups, which stand for ``**asked`` in the signature.
    synonyms : mapping
        Other words for arguments of this function, besides those that hold everywhere.
    run : function, optional
        May answer instead of the function, from it, its arguments and its keywords; None where it does not.
    """
    options = {} if shared is None else options_of(shared)

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = _written_out(inspect.signature(function), options)
        known = [
            name
            for name, one in signature.parameters.items()
            if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)
        ]
        other = synonyms_of(known)
        other |= {word: name for word, name in (synonyms or {}).items() if word not in known and name in known}

        kinds = functools.cache(lambda: kinds_of(function, shared))  # at the first call: reading hints imports much
        places = [
            parameter.name
            for parameter in signature.parameters.values()
            if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        ]
        endless = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in signature.parameters.values())
        is_method = places[:1] == ["self"]

        required = [name for name in known if signature.parameters[name].default is inspect.Parameter.empty]
        plain = range(len(required), len(places) + 1) if set(required) <= set(places) else range(0)

        @functools.wraps(function)
        def called(*arguments: P.args, **keywords: P.kwargs) -> R:
            followed = getattr(arguments[0], "conventions", None) if is_method else None
            # What has a place is data, and not judged here.
            if not keywords and followed is None and len(arguments) in plain:
                result = None if run is None else run(function, arguments, keywords)
                return function(*arguments, **keywords) if result is None else result
            for word in [word for word in keywords if word not in known]:
                name = other.get(word)
                if name is None or name in keywords:
                    raise _unknown(function.__name__, word, known, name)
                keywords[name] = keywords.pop(word)
            for word, value in keywords.items():
                # A word of this function's own stays: Wald's interval of a rate is not the plain one of an area.
                if type(value) is str and (word, value.lower()) in VALUES and not is_choice(value, kinds().get(word)):
                    keywords[word] = VALUES[word, value.lower()]
            program: Any = keywords.pop("conventions", None) if "conventions" in options else None
            given = dict(zip(places, arguments, strict=False)) | keywords
            chosen: Mapping[str, Any] = {}
            if program is not None:
                chosen = _options_as(program, function.__name__, given, known)
            elif followed is not None and has_convention(followed, function.__name__, given):
                chosen = _options_as(followed, function.__name__, given, known)
            keywords.update(chosen)
            given |= chosen
            lacking = [name for name in required if name not in given]
            if lacking or (len(arguments) > len(places) and not endless):
                raise _ill_called(function.__name__, lacking, len(arguments), places)
            check_kinds(given, kinds(), signature)
            result = None if run is None else run(function, arguments, keywords)
            if result is None:
                result = function(*arguments, **keywords)
            check_not_nan(given, kinds())
            if program is None and chosen:  # a method of a result that follows a program
                program = followed
            if program is not None:
                noted: R = _following(result, program, conventions_note(program, chosen))
                return noted
            return result

        called.__signature__ = signature  # type: ignore[attr-defined]
        own = inspect.signature(function).parameters
        added = [option for name, option in options.items() if name not in own]
        if added and called.__doc__:
            called.__doc__ = _with_words(called.__doc__, "\n".join(map(_entry, added)))
        return called

    return decorate


def _options_as(program: Any, verb: str, given: Mapping[str, Any], known: list[str]) -> Mapping[str, Any]:
    """The options of another program that were not given; data that were validated before lack no values."""
    validated = any(getattr(type(one), "validated", False) for one in list(given.values())[:1])
    names = [name for name in known if name != "missing" or not validated]
    return options_of_program(program, verb, given, dict.fromkeys(names))


def _following(result: Any, program: Any, note: str) -> Any:
    """The answer that says whose conventions it follows, and follows them when it is asked on."""
    if isinstance(result, Mapping):  # the curves of several scores
        return type(result)({name: _following(one, program, note) for name, one in result.items()})  # type: ignore[call-arg]
    return result._following(program, note) if hasattr(result, "_following") else result


def _written_out(signature: inspect.Signature, options: Mapping[str, Option]) -> inspect.Signature:
    parameters = [
        parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD
    ]
    taken = {parameter.name for parameter in parameters}
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=one.written)
        for name, one in options.items()
        if name not in taken
    ]
    return signature.replace(parameters=parameters)


def _entry(option: Option) -> str:
    """An option in the Parameters section of a docstring."""
    kinds = [_kind_word(one) for one in members_of(option.kind) if one is not type(None)]
    default = "optional" if option.default is None else f"default {option.default!r}"
    words = "\n\n".join(
        textwrap.fill(" ".join(part.split()), 112) if not part.startswith("- ") else part
        for part in option.words.split("\n\n")
    )
    return f"{option.name} : {' or '.join(dict.fromkeys(filter(None, [*kinds])))}, {default}\n" + textwrap.indent(
        words, "    "
    )


def _kind_word(kind: Any) -> str:
    origin = get_origin(kind)
    if kind is Any:
        return "any"
    if origin is Literal:
        return "str"
    return getattr(origin or kind, "__name__", str(kind)).lower().replace("nonetype", "")


def _with_words(doc: str, words: str) -> str:
    """The docstring with further parameters at the end of its Parameters section, which is made where there is none."""
    indent = "    "
    heading = "" if f"{indent}Parameters\n" in doc else f"{indent}Parameters\n{indent}----------\n"
    added = heading + "\n".join(f"{indent}{line}" if line else "" for line in words.strip().splitlines())
    marks = [f"\n{indent}{title}\n{indent}{'-' * len(title)}\n" for title in _AFTER]
    places = [doc.index(mark) for mark in marks if mark in doc]
    example = doc.find(f"\n{indent}>>> ")
    if not places and example < 0:
        return f"{doc.rstrip()}\n\n{added}\n{indent}"
    if places:
        at = min(places)
        gap = "\n\n" if heading else "\n"
        return f"{doc[:at].rstrip()}{gap}{added}\n{doc[at:]}"
    return f"{doc[:example].rstrip()}\n\n{added}\n{doc[example:]}"


_AFTER = ("Returns", "Notes", "See Also", "References", "Examples")


def _unknown(function: str, word: str, known: list[str], name: str | None) -> UnknownKeywordError:
    if name is not None:
        return UnknownKeywordError(word, f"is another word for {name}", Words("both"), "leave one of them out")
    if word in HINTS:
        return UnknownKeywordError("", f"{function}() has no argument {word!r}", way_out=HINTS[word])
    hint = close_names(word, [one for one in known if one != word])
    return UnknownKeywordError(
        "",
        f"{function}() has no argument {word!r}{hint}",
        way_out="" if hint else f"its arguments are {', '.join(known)}",
    )


def _ill_called(function: str, lacking: list[str], count: int, places: list[str]) -> UnknownKeywordError:
    if lacking:
        return UnknownKeywordError(
            "", f"{function}() needs {' and '.join(lacking)}", way_out="write them as name=value"
        )
    return UnknownKeywordError(
        "",
        f"{function}() takes at most {len(places)} arguments without a name",
        Words(f"{count}"),
        "write the others as name=value",
    )
