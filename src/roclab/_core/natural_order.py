"""The order in which people read names with numbers in them: fold2 before fold10."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["natural_key"]

_DIGITS = re.compile(r"(\d+)")


def natural_key(name: Any) -> tuple[Any, ...]:
    """What to sort names by: runs of digits count as numbers, everything else as text.

    >>> sorted(["fold10", "fold2", "fold1", "10", "9"], key=natural_key)
    ['9', '10', 'fold1', 'fold2', 'fold10']
    """
    text = str(name)
    parts = _DIGITS.split(text)  # text and digits in turn, beginning with text
    return (*((part, 0) if at % 2 == 0 else ("", int(part)) for at, part in enumerate(parts)), (text, 0))
