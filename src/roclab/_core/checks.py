"""Rules for arguments, each with the same wording: name, rule, value received, way out."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Sequence
from typing import Any

from roclab.errors import InputError, Words, named

MOST_POINTS = 1_000_000  # of a grid, or bins: beyond them nothing is seen, and memory runs out
MOST_REPLICATES = 10_000_000  # beyond them nobody waits
MOST_WORKERS = 1024  # threads: beyond them a system refuses to start more
MOST_WRITTEN_OUT = 2**28  # cases: each takes some numbers of eight bytes


def check_level(level: float, name: str = "level") -> float:
    """A confidence level strictly between 0 and 1."""
    if not _is_real(level) or not 0 < level < 1:
        raise InputError(name, "must lie strictly between 0 and 1", level, "write 0.95 for a 95% interval")
    return float(level)


def check_fraction(value: float, name: str, *, way_out: str, open_ends: bool = False) -> float:
    """A number in [0, 1], or in (0, 1) with ``open_ends``."""
    inside = _is_real(value) and (0 < value < 1 if open_ends else 0 <= value <= 1)
    if not inside:
        rule = "lie strictly between 0 and 1" if open_ends else "lie between 0 and 1"
        raise InputError(name, f"must {rule}", value, f"{way_out}")
    return float(value)


def check_positive(value: float, name: str, *, way_out: str) -> float:
    """A finite number above zero."""
    if not _is_real(value) or not 0 < value < math.inf:
        raise InputError(name, "must be a finite number above 0", value, f"{way_out}")
    return float(value)


def check_not_negative(value: float, name: str, *, way_out: str) -> float:
    """A finite number of at least zero."""
    if not _is_real(value) or not 0 <= value < math.inf:
        raise InputError(name, "must be a finite number, 0 or above", value, f"{way_out}")
    return float(value)


def check_count(value: int, name: str, *, least: int, way_out: str, most: int | None = None) -> int:
    """A whole number of at least ``least``, and at most ``most``."""
    whole = isinstance(value, int) or (_is_real(value) and math.isfinite(value) and int(value) == value)
    if whole and not isinstance(value, bool) and most is not None and value > most:
        shown = value if abs(value) < 10**18 else Words("a number beyond all bounds")
        raise InputError(name, f"must be a whole number of at most {most:,}", shown, way_out)
    if not whole or isinstance(value, bool) or value < least:
        raise InputError(name, f"must be a whole number of at least {least}", value, f"{way_out}")
    return int(value)


def check_replicates(value: int, name: str = "replicates", *, least: int = 2, way_out: str) -> int:
    """How many random samples to draw."""
    return check_count(value, name, least=least, most=MOST_REPLICATES, way_out=way_out)


def check_workers(value: int, name: str = "workers") -> int:
    """How many threads share the work."""
    return check_count(value, name, least=1, most=MOST_WORKERS, way_out="use 1 for no parallel work")


def check_points(value: int, name: str = "points", *, least: int, way_out: str) -> int:
    """A number of points or bins: no more than a picture or a table can hold."""
    return check_count(value, name, least=least, most=MOST_POINTS, way_out=way_out)


def check_written_out(cases: float, *, way_out: str) -> None:
    """Refuse to write out more cases than memory holds; whole weights reach any number."""
    if cases > MOST_WRITTEN_OUT:
        raise InputError(
            "",
            f"this method writes out every case on its own, at most {MOST_WRITTEN_OUT:,} of them",
            Words(f"{cases:,.0f}"),
            way_out,
        )


def check_range(bounds: Sequence[float], name: str) -> tuple[float, float]:
    """A pair (low, high) with 0 <= low < high <= 1."""
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        raise InputError(
            name, "must be a pair (low, high)", bounds, f"write {named(name, (0, 0.1))} for the range 0 to 0.1"
        ) from None
    if not 0 <= low < high <= 1:
        raise InputError(
            name,
            "must satisfy 0 <= low < high <= 1",
            Words(f"({low:g}, {high:g})"),
            f"write {named(name, (0, 0.1))} for the range 0 to 0.1",
        )
    return low, high


def check_choice(value: str, name: str, options: Iterable[str]) -> str:
    """One of the listed words; the error names the closest, and all of them where they are few or none is close."""
    known = tuple(options)
    if value not in known:
        raise InputError(
            name, f"must be one of {choices(value, known)}", Words(f"{value!r}{close_names(value, known)}")
        )
    return value


_MANY = 12  # words, beyond which a list hides the one that was meant


def choices(value: Any, known: tuple[str, ...]) -> str:
    """The words that may be said; only their number where they are many and one of them is close to what was said.

    >>> choices("bigger", ("lower", "higher"))
    "'lower', 'higher'"
    >>> choices("word7", tuple(f"word{at}" for at in range(40)))
    '40 words'
    """
    listed = len(known) <= _MANY or not close_names(value, known, likeness=0.75)
    return ", ".join(map(repr, known)) if listed else f"{len(known)} words"


def close_names(name: Any, known: Iterable[Any], *, likeness: float = 0.6) -> str:
    """'; did you mean …' when a known name resembles the given one, else ''."""
    folded = {str(item): str(item).casefold() for item in known}
    alike = difflib.get_close_matches(str(name).casefold(), list(folded.values()), n=3, cutoff=likeness)
    close = [item for found in dict.fromkeys(alike) for item in folded if folded[item] == found][:3]
    return f"; did you mean {' or '.join(map(repr, close))}" if close else ""


def plural(count: float, noun: str) -> str:
    """'1 case', '2 cases'."""
    return f"{count:g} {noun}" if count == 1 else f"{in_full(count, comma=True)} {noun}s"


def in_full(count: float, *, comma: bool = False) -> str:
    """A number of cases with all of its digits; a sum of weights with six.

    >>> in_full(2803220.0), in_full(12.5)
    ('2803220', '12.5')
    """
    digits = ".0f" if float(count).is_integer() else "g"
    return f"{count:{',' if comma else ''}{digits}}"


def _is_real(value: Any) -> bool:
    kind = type(value)
    if kind is float or kind is int:  # most of them, at a fraction of the cost
        return value == value  # type: ignore[no-any-return]
    return not isinstance(value, bool | str) and hasattr(value, "__float__") and not math.isnan(float(value))
