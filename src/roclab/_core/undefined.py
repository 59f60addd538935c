"""A number that does not exist, and why."""

from __future__ import annotations

import math


class Undefined(float):
    """A NaN that knows its reason.

    It takes part in arithmetic like any NaN, prints as "undefined" and becomes null in JSON with its
    reason beside it.

    >>> ppv = Undefined("no case was called positive")
    >>> ppv
    Undefined('no case was called positive')
    >>> f"{ppv:.3f}"
    'undefined'
    >>> ppv + 1
    nan
    """

    __slots__ = ("reason",)
    reason: str

    def __new__(cls, reason: str) -> Undefined:
        """NaN with a reason."""
        self = super().__new__(cls, math.nan)
        self.reason = reason
        return self

    def __repr__(self) -> str:
        return f"Undefined({self.reason!r})"

    def __str__(self) -> str:
        return "undefined"

    def __format__(self, spec: str) -> str:
        return "undefined"

    def __reduce__(self) -> tuple[type[Undefined], tuple[str]]:
        return Undefined, (self.reason,)
