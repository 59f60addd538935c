"""The page of keywords is what the declaration of the verbs says."""

from __future__ import annotations

import importlib.util
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_keywords_is_current():
    """Else run ``python docs/keywords_page.py``."""
    found = importlib.util.spec_from_file_location("keywords_page", DOCS / "keywords_page.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page()
