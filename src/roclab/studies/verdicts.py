"""What a source text gives beside ours, and what is to be thought of the difference: computed, never written.

Four kinds of values are compared, and never mixed: those that the text prints, those that a work prints which the text
cites, what a printed formula or claim gives on our input, and references of our own. Only of the first two is it said
that digits are the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from roclab.studies.errata import ERRATA

__all__ = [
    "AGREEING", "KINDS", "VERDICTS", "Example", "Kind", "NotGiven", "ReproductionRow", "Value", "agree", "compared",
    "example", "text_of",
]  # fmt: skip

Kind: TypeAlias = Literal["text", "cited", "formula", "reference"]
KINDS: dict[Kind, str] = {
    "text": "printed in the text",
    "cited": "printed in a work the text cites",
    "formula": "what a printed formula or claim gives on our input",
    "reference": "our own reference",
}

SAME = "same to the printed digits"
ROUNDED = "within the rounding of its input"
MONTE_CARLO = "within Monte-Carlo error"
HALF_SPLITS = "within the spread of half splits"
HOLDS = "holds"
EQUAL = "equal to the reference"
IN_ERROR = "printed value in error"
DOES_NOT_HOLD = "does not hold"
UNDOCUMENTED = "method not documented"
NOT_PUBLIC = "data not public"
NOT_GIVEN = "data not given"
NOT_RUN = "not run"
UNEXPLAINED = "unexplained"

# What each verdict means, in the order in which they are listed.
VERDICTS = {
    SAME: "our value rounds to the printed one",
    ROUNDED: "the input is printed with few digits; what its rounding can change is larger than the difference",
    MONTE_CARLO: "bias and RMSE lie within three standard errors of the difference of two simulations",
    HALF_SPLITS: "one random half split is printed; it lies within 2.5 standard deviations of the mean of ours",
    HOLDS: "the printed formula gives our value, or the claim is true of our input",
    EQUAL: "our value is that of other code, written apart from roclab; the text prints no such number",
    IN_ERROR: "an erratum says why, and our value is the one it gives",
    DOES_NOT_HOLD: "the printed formula gives another value, or the claim is not true of our input; an erratum says "
    "why, and our value is the one it gives",
    UNDOCUMENTED: "the printed value comes from a program whose steps are not described; ours from the method as it is "
    "known",
    NOT_PUBLIC: "the text does not give the data, nor does anybody else",
    NOT_GIVEN: "the data are public but may not be shipped with roclab; the last column says where they are",
    NOT_RUN: "a simulation, which takes longer than a moment",
    UNEXPLAINED: "a difference without a reason",
}
AGREEING = (SAME, ROUNDED, MONTE_CARLO, HALF_SPLITS, HOLDS, EQUAL)
# What agreement is called, and a difference that an erratum explains.
_OF_KIND: dict[Kind, tuple[str, str]] = {
    "text": (SAME, IN_ERROR),
    "cited": (SAME, IN_ERROR),
    "formula": (HOLDS, DOES_NOT_HOLD),
    "reference": (EQUAL, UNEXPLAINED),
}
_FEW = 4  # decimals: numbers that nobody printed are exact where they have fewer

Value = float | str | tuple[float, ...]


class NotGiven(LookupError):  # noqa: N818 - no error: the row says where to get the data
    """A value needs data that are not at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One value of a text, and how roclab computes it; made by :func:`example`."""

    kind: Kind
    where: str
    quantity: str
    value: Value | Callable[[], Any]  # a callable evaluates a formula as it is printed
    shown: str
    digits: int | None  # decimals that are compared; None compares exactly, up to rounding of the machine
    ours: Callable[[], Any] | None  # None where it cannot be computed, and ``verdict`` says why
    slack: float = 0.0  # what the rounding of the printed input can change
    erratum: str = ""
    correct: Value | None = None  # what the erratum says should stand there
    correct_digits: int | None = None
    verdict: str = ""  # in place of the usual one where ours is ``correct``, or where there is no ours
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproductionRow:
    """One value of a text beside ours; ``kind`` says whose value it is."""

    source: str
    kind: Kind
    where: str
    quantity: str
    compared_with: str
    ours: str
    difference: float | None
    verdict: str
    reason: str


def example(
    kind: Kind,
    where: str,
    quantity: str,
    value: str | Callable[[], Any],
    ours: Callable[[], Any] | None = None,
    *,
    correct: str = "",
    **more: Any,
) -> Example:
    """An example whose value is written as it stands in print: its decimals are those that are compared."""
    if correct:
        more["correct"], more["correct_digits"] = _literal(correct, printed=False)
    here: dict[str, Any] = {"kind": kind, "where": where, "quantity": quantity, "ours": ours, **more}
    if callable(value):
        return Example(value=value, shown="", digits=None, **here)
    read, digits = _literal(value, printed=kind in ("text", "cited"))
    return Example(value=read, shown=value, digits=digits, **here)


def _literal(text: str, *, printed: bool) -> tuple[Value, int | None]:
    """A number, several (``0.1; 0.5``), a fraction or words; and the decimals to which it is compared.

    >>> _literal("0.870", printed=True), _literal("1/4; 2", printed=True)
    ((0.87, 3), ((0.25, 2.0), None))
    >>> _literal("0.68", printed=False), _literal("none", printed=True)
    ((0.68, None), ('none', None))
    """
    parts = [part.strip() for part in text.split(";")]
    try:
        numbers = tuple(float(part) if part == "inf" else float(Fraction(part)) for part in parts)
    except ValueError:
        return text, None
    decimals = max(len(part.partition(".")[2]) for part in parts)
    exact = "/" in text or (not printed and decimals < _FEW)
    return (numbers[0] if len(numbers) == 1 else numbers), None if exact else decimals


def compared(one: Example, *, source: str) -> ReproductionRow:
    """Compute our value and judge it.

    A printed value counts as in error, or a claim as false, only where an erratum is attached, ours differs from it,
    and ours is the value that the erratum gives; everything else that differs is unexplained.
    """
    erratum = ERRATA.get(one.erratum)
    erratum_words = f"{one.erratum}: {erratum.says()}" if erratum else ""
    reason = "; ".join(part for part in (erratum_words, one.reason) if part)
    if one.ours is None:
        return _row(one, source, None, None, one.verdict or UNEXPLAINED, reason)
    try:
        value = _plain(one.value()) if callable(one.value) else one.value
        ours = _plain(one.ours())
    except NotGiven as needed:
        return _row(one, source, None, None, NOT_GIVEN, str(needed))
    same, wrong = _OF_KIND[one.kind]
    if agree(value, ours, one.digits):
        verdict = same if one.correct is None else UNEXPLAINED
    elif one.slack and agree(value, ours, one.digits, one.slack):
        verdict = ROUNDED
    elif one.correct is not None and erratum and agree(one.correct, ours, one.correct_digits):
        verdict = one.verdict or wrong
    else:
        verdict = UNEXPLAINED
    return _row(one, source, value, ours, verdict, reason)


def agree(value: Value, ours: Value, digits: int | None, slack: float = 0.0) -> bool:
    """Do two values agree to so many decimals?

    >>> agree(0.648, 0.64789, 3), agree((0.1, 0.5), (0.1, 0.6), 1), agree("x", "x", None)
    (True, False, True)
    """
    if isinstance(value, str) or isinstance(ours, str):
        return value == ours
    left, right = np.atleast_1d(np.asarray(value, float)), np.atleast_1d(np.asarray(ours, float))
    if left.shape != right.shape:
        return False
    near = slack + 1e-9 + (0.0 if digits is None else 0.5 * 10.0**-digits)
    return bool(np.allclose(left, right, rtol=0.0, atol=near))


def _plain(value: Any) -> Value:
    if isinstance(value, str):
        return value
    if np.ndim(value):
        return tuple(float(item) for item in value)
    return float(value)


def text_of(value: Value | None, digits: int | None = None) -> str:
    """A value for the table: so many decimals, or six significant digits; a minus sign never before zero."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return "; ".join(text_of(item, digits) for item in value)
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{value:z.{digits}f}" if digits is not None else f"{value + 0.0:.6g}"


def _row(
    one: Example, source: str, value: Value | None, ours: Value | None, verdict: str, reason: str
) -> ReproductionRow:
    difference = None
    if isinstance(value, float) and isinstance(ours, float):
        difference = ours - value
    elif isinstance(value, tuple) and isinstance(ours, tuple) and len(value) == len(ours):
        gaps = [a - b for a, b in zip(ours, value, strict=True) if a != b]  # infinite ends agree or do not
        difference = max(gaps, key=abs, default=0.0)
    if difference is not None:
        difference = round(difference, 12) + 0.0  # rounding of the machine is no difference
    return ReproductionRow(
        source=source,
        kind=one.kind,
        where=one.where,
        quantity=one.quantity,
        compared_with=one.shown or text_of(value),
        ours=text_of(ours, one.digits + 2 if one.digits else None),
        difference=difference,
        verdict=verdict,
        reason=reason,
    )
