"""Writes ``guide/keywords.md`` anew from the table that the verbs ask: ``python docs/keywords_page.py``.

The words above the tables are kept as they stand in the page.
"""

from __future__ import annotations

from pathlib import Path

from roclab.analysis.support import table_text

PAGE = Path(__file__).parent / "guide" / "keywords.md"
FIRST = "| verb |"  # where the tables begin


def page() -> str:
    """The page as it should be."""
    return PAGE.read_text(encoding="utf-8").partition(FIRST)[0] + table_text() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
