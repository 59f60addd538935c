"""An outcome made from numbers by a rule: ``">6.5"`` calls every case above 6.5 positive."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from roclab._core.types import Array, Bools

__all__ = ["OutcomeRule", "rule_of"]

_COMPARED: dict[str, Callable[[Any, float], Any]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_OPPOSITE = {">=": "<", "<=": ">", ">": "<=", "<": ">="}
_RULE = re.compile(r"\s*(>=|<=|>|<|≥|≤)\s*([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?)\s*")


class OutcomeRule(NamedTuple):
    """A comparison with a number."""

    sign: str
    cut: float

    @property
    def positive(self) -> str:
        """The positive class in words."""
        return f"{self.sign} {self.cut:g}"

    @property
    def negative(self) -> str:
        """The negative class in words."""
        return f"{_OPPOSITE[self.sign]} {self.cut:g}"

    def holds(self, values: Array) -> Bools:
        """True where the rule calls a case positive."""
        found: Bools = _COMPARED[self.sign](values, self.cut)
        return found


def rule_of(text: Any) -> OutcomeRule | None:
    """The rule that a text is, or None for a label; a decimal comma is a point.

    >>> rule_of(">6.5"), rule_of("ill") is None
    (OutcomeRule(sign='>', cut=6.5), True)
    """
    found = _RULE.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return None
    sign = {"≥": ">=", "≤": "<="}.get(found[1], found[1])
    return OutcomeRule(sign, float(found[2].replace(",", ".")))
