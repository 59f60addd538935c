"""What the page is told of an error: one sentence in its own words, and the ways out that are a button away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roclab.analysis.file_choices import choices_of_file
from roclab.app.wording import in_page, part_in_page
from roclab.errors import InputError, Words, in_syntax, named
from roclab.options.spelling import page_word

__all__ = ["by_own_name", "refused", "refused_file", "ways_out"]

_BY_BUTTON = {"missing", "direction", "pos_label", "neg_label", "header_row", "delimiter", "decimal", "sheet", "na"}


def refused(error: Exception) -> dict[str, Any]:
    """The answer of a question that has none.

    >>> from roclab.errors import named
    >>> found = refused(InputError("score", "must not be missing", way_out=f"write {named('missing', 'drop')}"))
    >>> found["error"], found["ways"]
    ('the score must not be missing.', [{'name': 'missing', 'value': 'drop'}])
    """
    ways = ways_out(error)
    if not isinstance(error, InputError):
        return {"error": in_page(error), "argument": "", "ways": ways}
    shown = _without_way_out(error) if ways else error
    return {"error": in_page(shown), "parts": _parts(shown), "argument": error.argument, "ways": ways}


def _parts(error: InputError) -> dict[str, str]:
    """What the sentence is made of, so that other languages make theirs of it."""
    return {
        "where": error.where,
        "subject": part_in_page(error.called or (named(error.argument) if error.argument else "")),
        "rule": part_in_page(error.rule),
        "received": error.received,
        "way_out": part_in_page(error.way_out),
    }


def _without_way_out(error: InputError) -> InputError:
    """The same error alone, where the way out is a button."""
    received = Words(error.received) if error.received else None
    parts = (error.argument, error.rule) if received is None else (error.argument, error.rule, received)
    bare = InputError(*parts, called=error.called)
    bare.where = error.where
    return bare


def ways_out(error: Exception) -> list[dict[str, Any]]:
    """Arguments with a value that the error names as its way out, if the page can take them with a press."""
    found: list[dict[str, Any]] = []

    def write(argument: str, value: Any = None) -> str:
        if argument in _BY_BUTTON and value is not None:
            found.append({"name": page_word(argument) if argument == "na" else argument, "value": value})
        return argument

    if isinstance(error, InputError):
        in_syntax(error.way_out, write)
    return found


def by_own_name(error: InputError, place: str, called: str) -> InputError:
    """The same error, saying the name that the user knows instead of where our copy lies."""

    def mend(text: str) -> str:
        return text.replace(place, called)

    made = type(error)(
        mend(error.argument), mend(error.rule), Words(mend(error.received)), mend(error.way_out),
        called=mend(error.called),
    )  # fmt: skip
    return made.inside(mend(error.where)) if error.where else made


def refused_file(error: InputError, key: str, called: str, place: str, reading: Mapping[str, Any]) -> dict[str, Any]:
    """A file that could not be read as it is, and what may be chosen: sheets, the row of the names, the separator."""
    found = choices_of_file(place, sheet=reading.get("sheet"))
    guess = next((int(one["value"]) for one in ways_out(error) if one["name"] == "header_row"), None)
    chosen = bool(found.lines) or len(found.sheets) > 1
    shown = _without_way_out(error) if chosen else error
    return {
        **refused(error),
        **({"error": in_page(shown), "parts": _parts(shown)} if chosen else {}),
        "refused": {
            "key": key, "called": called, "reading": dict(reading), "sheets": list(found.sheets),
            "lines": [[row, text] for row, text in found.lines], "delimiters": list(found.delimiters),
            "header_row": guess,
        },
    }  # fmt: skip
