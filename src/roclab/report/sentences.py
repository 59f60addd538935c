"""Sentences of the library in another language: recognised by the words that stand still in them.

A result says its notes in English, with numbers and names filled in. Whoever shows them to a reader of another
language looks for the sentence whose still words are these, and puts what stood between them into the translation. So a
note is written once, where it is known, and no room below the faces knows of languages.

A sentence is kept as ``{0} scores are missing``. A gap with a star, ``{0*}``, holds words of the library, which are
looked up in turn; what stands in the others is a number or a name of the data, and stays. A gap with a hash, ``{0#}``,
holds a number and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["GAP", "Sentences"]

GAP = re.compile(r"\{(\d)([*#]?)\}")
_HELD = {"": "(.+?)", "*": "(.+?)", "#": r"(-?[\d.,]+)"}


class _Sentence(NamedTuple):
    still: int  # characters that are always there: of two sentences that fit, the one with more of them is meant
    begins: str
    pattern: re.Pattern[str]
    gaps: tuple[tuple[str, bool], ...]  # the number of each, and whether it holds words of the library
    said: str


def _sentence(english: str, said: str) -> _Sentence:
    still = GAP.split(english)[::3]
    kinds = GAP.findall(english)
    ends = [*(_HELD[kind] for _, kind in kinds), ""]
    pattern = "".join(re.escape(words) + held for words, held in zip(still, ends, strict=True))
    gaps = tuple((number, kind == "*") for number, kind in kinds)
    return _Sentence(sum(map(len, still)), still[0], re.compile(pattern, re.DOTALL), gaps, said)


class Sentences:
    """What says a sentence in one language; one that nobody has translated stays as it is.

    >>> say = Sentences({"{0} cases left out": "{0} casi esclusi", "{0*}; {1*}": "{0}; {1}"})
    >>> say("6 cases left out")
    '6 casi esclusi'
    >>> say("6 cases left out; as given")
    '6 casi esclusi; as given'
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._whole = texts
        made = (_sentence(english, said) for english, said in texts.items() if GAP.search(english))
        self._with_gaps = sorted(made, key=lambda one: -one.still)

    def __call__(self, text: str) -> str:
        """The sentence in the language."""
        whole = self._whole.get(text)
        if whole is not None:
            return whole
        for one in self._with_gaps:
            found = one.pattern.fullmatch(text) if text.startswith(one.begins) else None
            if found is not None:
                return self._filled(one, found.groups())
        return text

    def _filled(self, one: _Sentence, values: tuple[str, ...]) -> str:
        inside = {
            number: self(value) if of_library else value
            for (number, of_library), value in zip(one.gaps, values, strict=True)
        }
        return GAP.sub(lambda gap: inside[gap[1]], one.said)
