"""The words of a page in the language of its reader; names and values of the data are never translated."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

from roclab._core.checks import check_choice
from roclab.names import LANGUAGES, Language

__all__ = ["Say", "in_english", "in_language", "words_of"]

Say: TypeAlias = Callable[[str], str]

_TEXTS = Path(__file__).parent / "static" / "texts.json"


def in_english(text: str) -> str:
    """As it is written."""
    return text


def in_language(language: Language) -> Say:
    """What says a sentence in a language; one that nobody has translated stays English."""
    check_choice(language, "language", LANGUAGES)
    if language == "en":
        return in_english
    known = words_of(language)
    return lambda text: known.get(text, text)


@cache
def words_of(language: str) -> Mapping[str, str]:
    """Every sentence of a language by its English words."""
    texts: dict[str, dict[str, str]] = json.loads(_TEXTS.read_text(encoding="utf-8"))
    return {english: others[language] for english, others in texts.items()}
