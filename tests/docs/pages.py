"""The pages of the documentation and their code blocks."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts)
SHOWN_ONLY = {"text", "r", "sh", "toml", "bibtex"}  # what is no Python and no command of ours

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    """Kind and text of every block."""
    return _BLOCK.findall(page.read_text(encoding="utf-8"))


def page_name(page: Path) -> str:
    """The page in the name of a test."""
    return str(page.relative_to(ROOT / "docs"))
