"""Oracles of the rates: one JSON file a case, with the packages and versions that gave the numbers."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "oracles" / "rates"


def cases_of(topic: str) -> list[Any]:
    """All cases of a topic."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))]
    return [one for one in found if one["topic"] == topic]


def number(value: Any) -> float:
    """A number as the files write it: null is undefined, and infinity a word."""
    return math.nan if value is None else float(value)
