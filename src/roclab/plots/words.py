"""Numbers and names as legends show them: the digits of the tables, or as many as a journal wants."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

from roclab._core.checks import check_count
from roclab._core.text import DIGITS, format_number
from roclab.plots.theme import plain_text

if TYPE_CHECKING:
    from roclab.results import Interval

__all__ = ["HasArea", "curve_label", "digits_shown", "number", "number_with_interval"]

_SHOWN: ContextVar[int] = ContextVar("digits of figures", default=DIGITS)


class HasArea(Protocol):
    """An area with its interval: AreaEstimate, NamedArea and others."""

    @property
    def area(self) -> float:
        """The area."""
        ...

    @property
    def interval(self) -> Interval:
        """Its interval; undefined ends are not shown."""
        ...


@contextmanager
def digits_shown(digits: int | None) -> Iterator[None]:
    """So many decimals in whatever is drawn meanwhile; None leaves them as they are.

    >>> with digits_shown(2):
    ...     number(0.77371)
    '0.77'
    """
    if digits is None:
        yield
        return
    check_count(digits, "digits", least=1, way_out="2 or 3 are usual")
    before = _SHOWN.set(digits)
    try:
        yield
    finally:
        _SHOWN.reset(before)


def number(value: Any) -> str:
    """A number with the digits of this figure."""
    return format_number(value, _SHOWN.get())


def number_with_interval(value: float, interval: Interval) -> str:
    """An estimate and, where it is defined, its interval in brackets."""
    if math.isnan(interval.low) or math.isnan(interval.high):
        return number(value)
    return f"{number(value)} ({number(interval.low)} to {number(interval.high)})"


def curve_label(name: str | None, area: HasArea | None = None) -> str:
    """A curve's entry in the legend, with the digits of the tables; a curve without name and area has none."""
    if area is None:
        return "_curve" if name is None else plain_text(name)
    numbers = f"{getattr(area, 'quantity', 'AUC')} {number_with_interval(area.area, area.interval)}"
    return numbers if name is None else f"{plain_text(name)}, {numbers}"
