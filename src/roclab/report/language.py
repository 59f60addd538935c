"""The words of a page in the language of its reader; names and values of the data are never translated."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

from roclab._core.checks import check_choice
from roclab.names import LANGUAGES, Language
from roclab.report.sentences import Sentences

__all__ = ["Say", "in_english", "in_language", "words_of"]

Say: TypeAlias = Callable[[str], str]

_STATIC = Path(__file__).parent / "static"


def in_english(text: str) -> str:
    """As it is written."""
    return text


def in_language(language: Language) -> Say:
    """What says a sentence in a language; one that nobody has translated stays English."""
    check_choice(language, "language", LANGUAGES)
    if language == "en":
        return in_english
    return _saying(language)


@cache
def _saying(language: str) -> Say:
    return Sentences({**_texts("sentences.json", language), **words_of(language)})


@cache
def words_of(language: str) -> Mapping[str, str]:
    """Every sentence of the page in a language, by its English words."""
    return _texts("texts.json", language)


def _texts(name: str, language: str) -> dict[str, str]:
    texts: dict[str, dict[str, str]] = json.loads((_STATIC / name).read_text(encoding="utf-8"))
    return {english: others[language] for english, others in texts.items()}
