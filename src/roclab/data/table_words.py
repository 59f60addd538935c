"""What a table itself says of its label: words for its values, as SPSS and Stata have, and which column it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from roclab.data.cases import Cases
from roclab.data.labels import word_of
from roclab.data.table import FileTable, Table
from roclab.errors import InputError, Words

__all__ = ["own_label", "saying_words", "with_words"]


def with_words(cases: Cases, words: Mapping[str, Any]) -> Cases:
    """Cases whose classes are called by the words of the table; ``words`` has the values by their words."""
    if not words:
        return cases
    shown = {word_of(value): word for word, value in words.items()}
    positive, negative = (shown.get(one, one) for one in (cases.positive, cases.negative))
    return replace(cases, positive=positive, negative=negative)


@contextmanager
def saying_words(words: Mapping[str, Any]) -> Iterator[None]:
    """Errors about labels also say the words that the table has for them."""
    try:
        yield
    except InputError as error:
        if words and "label" in error.rule:
            meanings = ", ".join(f"{word_of(value)} is {word}" for word, value in words.items())
            error.received = Words(f"{error.received} ({meanings})")
            error.inside(error.where)
        raise


def own_label(table: Table) -> str | None:
    """The column that the file itself calls its class: Orange's .tab files may."""
    if not isinstance(table, FileTable) or table.reading.header_row is not None:
        return None
    if not str(table.path).lower().endswith((".tab", ".tab.gz")):
        return None
    from roclab.data.files.orange import class_column

    return class_column(table.path)
