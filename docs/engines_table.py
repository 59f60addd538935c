"""Writes the table of ``guide/engines.md`` anew from what the engines declare: ``python docs/engines_table.py``.

The words around the table are kept as they stand in the page.
"""

from __future__ import annotations

from pathlib import Path

from roclab.engines.support import engines_table

PAGE = Path(__file__).parent / "guide" / "engines.md"
FIRST, AFTER = "| question |", "\n\n"  # where the table begins, and what follows it


def page() -> str:
    """The page as it should be."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(FIRST)
    return before + engines_table() + AFTER + rest.partition(AFTER)[2]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
