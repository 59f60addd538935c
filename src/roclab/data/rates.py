"""Counts behind printed rates: what a published table of sensitivities means once the numbers of cases are known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_count
from roclab._core.types import Floats, Ints, frozen
from roclab.errors import InputError, Words, named

__all__ = ["PrintedCounts", "check_rising", "count_of_rate", "counts_of_rates", "printed_digits"]

_MOST_DIGITS = 6  # rates with more are computed, not printed; a float32 has as many


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrintedCounts:
    """Whole counts of rates, and a note where a rate times its cases is none."""

    counts: Ints
    note: str = ""


def printed_digits(rates: Floats) -> int:
    """Decimals of the rate that has most of them, at most six: a column is printed to one precision.

    >>> printed_digits(np.array([0.9, 0.98])), printed_digits(np.array([1 / 3]))
    (2, 6)
    """
    return next((k for k in range(1, _MOST_DIGITS) if np.allclose(rates, rates.round(k), 0, 1e-9)), _MOST_DIGITS)


def counts_of_rates(rates: Floats, total: float | None, name: str, what: str) -> PrintedCounts:
    """The whole number of cases behind each rate, O(n).

    A rate r printed to k digits stands for the counts c with ``|c / total - r| <= 10**-k / 2``; of several the nearest
    to r * total is taken, and the note says which. A rate that no count rounds to is refused.

    >>> found = counts_of_rates(np.array([0.9, 0.98]), 120, "n_pos", "tpr")
    >>> found.counts.tolist(), found.note
    ([108, 118], 'tpr printed to 2 digits: 0.98 of 120 is taken for 118 cases')
    """
    if total is None:
        raise InputError(name, "must be given beside the other number of cases", Words("none"), f"write {named(name)}")
    asked: Any = int(total) if float(total).is_integer() else total
    size = check_count(asked, name, least=1, way_out="give the number of cases behind the rates")
    digits = printed_digits(rates)
    half = 0.5 * 10.0**-digits + 1e-9
    cases = rates * size
    least, most = np.ceil((rates - half) * size), np.floor((rates + half) * size)
    counts = np.clip(np.round(cases), np.maximum(least, 0), np.minimum(most, size))
    if (least > most).any():
        at = int(np.argmax(least > most))
        below, above = math.floor(cases[at]), math.ceil(cases[at])
        raise InputError(
            name,
            f"must be the number of cases that {what} are shares of",
            Words(
                f"{rates[at]:g} of {size}, where {below} cases are {below / size:.{digits + 1}g} and {above} are "
                f"{above / size:.{digits + 1}g}"
            ),
            "check the number of cases",
        )
    return PrintedCounts(counts=frozen(counts.astype(np.int64)), note=_note(rates, counts, size, digits, what))


def _note(rates: Floats, counts: Floats, size: int, digits: int, what: str) -> str:
    """Which count was taken for the first rate that is no share of the cases, and of how many."""
    off = np.abs(rates * size - counts) > max(1e-9, 2e-6 * size)
    if not off.any():
        return ""
    at = int(np.argmax(off))
    more = int(off.sum()) - 1
    others = f", and {more} other rate{'s' * (more > 1)} likewise" if more else ""
    return f"{what} printed to {digits} digits: {rates[at]:g} of {size} is taken for {counts[at]:g} cases{others}"


def count_of_rate(rate: float, total: float, name: str, what: str) -> tuple[int, str]:
    """The same of one rate.

    >>> count_of_rate(0.667, 120, "n_pos", "tpr")
    (80, 'tpr printed to 3 digits: 0.667 of 120 is taken for 80 cases')
    """
    counts = counts_of_rates(np.array([rate]), total, name, what)
    return int(counts.counts[0]), counts.note


def check_rising(counts: Ints, rates: Floats, what: str) -> None:
    """Counts of one score at looser and looser cut-offs never fall."""
    falls = counts[1:] < counts[:-1]
    if falls.any():
        at = int(np.argmax(falls))
        raise InputError(
            what,
            "must not fall along the curve where cases are counted: one score at several cut-offs never does",
            Words(f"{rates[at]:g} and then {rates[at + 1]:g}"),
            f"leave out {named('n_pos')} and {named('n_neg')} for points of different classifiers",
        )
