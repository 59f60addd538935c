"""Public functions: every keyword visible, other words for the same thing accepted, misspelt ones answered.

All verbs take data in the same shapes and therefore share one set of keywords. They are written down once, as a
``TypedDict``, and a verb takes them as ``**data: Unpack[…]``: type checkers see each of them with its type. ``door``
writes them out in the signature too, so that ``help()`` and tab completion show the same.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from roclab._core.checks import close_names
from roclab._core.kinds import check_kinds, check_not_nan, kinds_of
from roclab.errors import UnknownKeywordError, Words

__all__ = ["door"]

P = ParamSpec("P")
R = TypeVar("R")

# Words of the command line, of scikit-learn and of other programs, and what they are called here.
SYNONYMS: Mapping[str, str] = {
    "ci": "interval",
    "fold": "folds",
    "id": "ids",
    "method": "estimator",
    "negative": "neg_label",
    "positive": "pos_label",
    "random_state": "rng",
    "se": "variance",
    "seed": "rng",
    "standard_error": "variance",
    "weight": "sample_weight",
}


def door(
    shared: type[Any] | None = None,
    *,
    defaults: Mapping[str, Any] | None = None,
    words: str = "",
    synonyms: Mapping[str, str] | None = None,
    run: Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any] | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function part of the door of the house.

    Parameters
    ----------
    shared : TypedDict, optional
        Keywords that stand for ``**data`` in the signature.
    defaults : mapping
        Their defaults.
    words : str
        What they mean, added to the end of the Parameters section of the docstring.
    synonyms : mapping
        Other words for arguments of this function, besides those that hold everywhere.
    run : function, optional
        May answer instead of the function, from it, its arguments and its keywords; None where it does not.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = _written_out(inspect.signature(function), shared, defaults or {})
        known = [
            name
            for name, one in signature.parameters.items()
            if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)
        ]
        other = {word: name for word, name in {**SYNONYMS, **(synonyms or {})}.items() if word not in known}
        other = {word: name for word, name in other.items() if name in known}

        kinds = functools.cache(lambda: kinds_of(function, shared))  # at the first call: reading hints imports much
        places = [one.name for one in signature.parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
        endless = any(one.kind is one.VAR_POSITIONAL for one in signature.parameters.values())

        required = [name for name in known if signature.parameters[name].default is inspect.Parameter.empty]
        plain = range(len(required), len(places) + 1) if set(required) <= set(places) else range(0)

        @functools.wraps(function)
        def opened(*arguments: P.args, **keywords: P.kwargs) -> R:
            if not keywords and len(arguments) in plain:  # what has a place is data, and not judged here
                result = None if run is None else run(function, arguments, keywords)
                return function(*arguments, **keywords) if result is None else result
            for word in [word for word in keywords if word not in known]:
                name = other.get(word)
                if name is None or name in keywords:
                    raise _unknown(function.__name__, word, known, name)
                keywords[name] = keywords.pop(word)
            given = dict(zip(places, arguments, strict=False)) | keywords
            lacking = [name for name in required if name not in given]
            if lacking or (len(arguments) > len(places) and not endless):
                raise _ill_called(function.__name__, lacking, len(arguments), places)
            check_kinds(given, kinds(), signature)
            result = None if run is None else run(function, arguments, keywords)
            if result is None:
                result = function(*arguments, **keywords)
            check_not_nan(given, kinds())
            return result

        opened.__signature__ = signature  # type: ignore[attr-defined]
        if words and opened.__doc__:
            opened.__doc__ = _with_words(opened.__doc__, words)
        return opened

    return decorate


def _written_out(
    signature: inspect.Signature, shared: type[Any] | None, defaults: Mapping[str, Any]
) -> inspect.Signature:
    parameters = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    if shared is not None:
        taken = {one.name for one in parameters}
        parameters += [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults.get(name), annotation=kind)
            for name, kind in _as_written(shared).items()
            if name not in taken
        ]
    return signature.replace(parameters=parameters)


def _as_written(shared: type[Any]) -> dict[str, Any]:
    """The kinds of shared keywords in the words of the source, as help shows those of a function's own."""
    return {name: getattr(kind, "__forward_arg__", kind) for name, kind in inspect.get_annotations(shared).items()}


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
    hint = close_names(word, [one for one in known if one != word])
    return UnknownKeywordError(
        "",
        f"{function}() has no argument {word!r}{hint}",
        way_out=f"its arguments are {', '.join(known)}",
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
