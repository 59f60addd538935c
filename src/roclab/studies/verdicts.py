"""A printed number beside ours, and what is to be thought of the difference: the verdict is computed, never written."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab.studies.errata import ERRATA

__all__ = ["REFERENCED", "VERDICTS", "PrintedComparison", "PrintedExample", "compared", "text_of"]

SAME = "same to the printed digits"
REFERENCED = "same as a reference of our own"
MONTE_CARLO = "within Monte-Carlo error"
IN_ERROR = "printed value in error"
UNDOCUMENTED = "method not documented"
WORDING = "printed text in error"
NOT_PUBLIC = "data not public"
NOT_GIVEN = "data not given"
NOT_RUN = "not run"
UNEXPLAINED = "unexplained"
VERDICTS = (SAME, REFERENCED, MONTE_CARLO, IN_ERROR, UNDOCUMENTED, WORDING, NOT_PUBLIC, NOT_GIVEN, NOT_RUN, UNEXPLAINED)

Value = float | str | tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedExample:
    """One printed result and how roclab computes it.

    Attributes
    ----------
    where, quantity : str
        The place in the source, and what is printed there.
    printed : value, callable or None
        The printed number, numbers or words; a callable evaluates a formula as it is printed.
    ours : callable or None
        roclab's value; None where it cannot be computed, and ``verdict`` and ``reason`` say why.
    reference : value or None
        Where the text prints no number, one that was computed apart from roclab, by other code.
    digits : int or None
        Decimals that are printed; None compares exactly, up to rounding.
    erratum : str
        Number of the erratum that says what is wrong with the printed value.
    correct : value
        What an erratum says should stand there, to ``correct_digits`` decimals.
    """

    where: str
    quantity: str
    printed: Value | Callable[[], Value] | None
    ours: Callable[[], Any] | None = None
    reference: Value | None = None
    digits: int | None = None
    erratum: str = ""
    correct: Value | None = None
    correct_digits: int | None = None
    verdict: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedComparison:
    """One row of a reproduction."""

    source: str
    where: str
    quantity: str
    printed: str
    reference: str  # computed apart from roclab, where the text prints nothing
    ours: str
    difference: float | None
    verdict: str
    reason: str


def compared(example: PrintedExample, *, source: str) -> PrintedComparison:
    """Compute our value and judge it.

    A printed value counts as in error only where an erratum is attached, ours differs from it, and ours is the value
    that the erratum gives; everything else that differs is unexplained.
    """
    erratum = ERRATA.get(example.erratum)
    reason = "; ".join(
        part for part in (f"{example.erratum}: {erratum.says()}" if erratum else "", example.reason) if part
    )
    printed = example.printed() if callable(example.printed) else example.printed
    if example.ours is None:
        verdict = example.verdict or (WORDING if erratum else UNEXPLAINED)
        return _row(example, source, printed, None, verdict, reason)
    ours = _plain(example.ours())
    if example.reference is not None:
        verdict = REFERENCED if agree(example.reference, ours, example.digits) else UNEXPLAINED
    elif printed is not None and agree(printed, ours, example.digits):
        verdict = UNEXPLAINED if example.correct is not None else SAME
    elif erratum is not None and example.correct is not None and agree(example.correct, ours, example.correct_digits):
        verdict = IN_ERROR
    else:
        verdict = UNEXPLAINED
    return _row(example, source, printed, ours, verdict, reason)


def agree(printed: Value, ours: Value, digits: int | None) -> bool:
    """Do two values agree to the printed decimals?

    >>> agree(0.648, 0.64789, 3), agree((0.1, 0.5), (0.1, 0.6), 1), agree("x", "x", None)
    (True, False, True)
    """
    if isinstance(printed, str) or isinstance(ours, str):
        return printed == ours
    left, right = np.atleast_1d(np.asarray(printed, float)), np.atleast_1d(np.asarray(ours, float))
    if left.shape != right.shape:
        return False
    slack = 1e-9 if digits is None else 0.5 * 10.0**-digits + 1e-9
    return bool(np.allclose(left, right, rtol=0.0, atol=slack))


def _plain(value: Any) -> Value:
    if isinstance(value, str):
        return value
    if np.ndim(value):
        return tuple(float(item) for item in value)
    return float(value)


def text_of(value: Value | None, digits: int | None = None) -> str:
    """A value for the table: the printed decimals, or six significant digits; a minus sign never before zero."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ", ".join(text_of(item, digits) for item in value)
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{value:z.{digits}f}" if digits is not None else f"{value + 0.0:.6g}"


def _row(
    example: PrintedExample, source: str, printed: Value | None, ours: Value | None, verdict: str, reason: str
) -> PrintedComparison:
    difference = None
    beside = printed if example.reference is None else example.reference
    if isinstance(beside, float | int) and isinstance(ours, float):
        difference = ours - beside
    elif isinstance(beside, tuple) and isinstance(ours, tuple) and len(beside) == len(ours):
        gaps = [a - b for a, b in zip(ours, beside, strict=True) if a != b]  # infinite ends agree or do not
        difference = max(gaps, key=abs, default=0.0)
    if difference is not None:
        difference = round(difference, 12) + 0.0  # rounding of the machine is no difference
    shown = None if example.digits is None or isinstance(ours, str) else example.digits + 2
    return PrintedComparison(
        source=source,
        where=example.where,
        quantity=example.quantity,
        printed=text_of(printed, example.digits),
        reference=text_of(example.reference, example.digits),
        ours=text_of(ours, shown),
        difference=difference,
        verdict=verdict,
        reason=reason,
    )
