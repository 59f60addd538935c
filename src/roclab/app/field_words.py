"""What a field of the page says when asked: the words of its option, without what is about Python."""

from __future__ import annotations

import json
import re
from typing import Any

from roclab.options.group import Option, first_paragraph

__all__ = ["field_words"]

_ROLE = re.compile(r":\w+:`([^`]+)`")
_PAGES = re.compile(r" \(docs/[^)]*\)")
_CODE = re.compile(r"``([^`]+)``")
_NAME = re.compile(r'"([^"]+)"')


def field_words(option: Option, *, suggested: bool = False) -> dict[str, Any]:
    r"""What the option is, and what its values mean, as pairs of names and words.

    Only the first paragraph and the list of values are for every face; further paragraphs are for those who write
    code, and so is a line without names. Names that the field itself suggests are not listed again.

    >>> words = 'Which is shown.\n\n- "a" (default), "b": as ``c`` says\n- None: bare'
    >>> field_words(Option("rule", str, "str", None, words))
    {'about': 'Which is shown.', 'values': [[['a', 'b'], 'as c says']]}
    """
    about = first_paragraph(option.words)
    if suggested:
        about = f"{about.split(':')[0]}."
    bullets = ("\n" + option.words.strip()).split("\n- ")[1:]
    values = [_value(" ".join(text.split("\n\n")[0].split())) for text in bullets]
    return {"about": _plain(about), "values": [one for one in values if one is not None]}


def _value(text: str) -> list[Any] | None:
    """The names that a line of the list is about, and what they mean."""
    names, _, words = text.partition(": ")
    return [_NAME.findall(names), _plain(words)] if words and text.startswith('"') else None


def _plain(text: str) -> str:
    """A sentence without marks of code and pages of the guide; names with numbers as the page writes them."""
    return _CODE.sub(lambda code: _as_typed(code[1]), _PAGES.sub("", _ROLE.sub(r"\1", text)))


def _as_typed(code: str) -> str:
    try:
        found = json.loads(code)
    except ValueError:
        return code
    return ", ".join(f"{name} = {value}" for name, value in found.items()) if isinstance(found, dict) else code
