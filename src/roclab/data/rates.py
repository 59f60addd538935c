"""Counts behind rates: what a published table of sensitivities means once the numbers of cases are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab._core.checks import check_count
from roclab._core.types import Floats, Ints
from roclab.errors import InputError, Words, named

__all__ = ["counts_of_rates"]

_ROUNDED = 0.06  # of a case: what rates of a thousand cases printed with four digits are off by


def counts_of_rates(rates: Floats, total: float | None, name: str, what: str) -> Ints:
    """Cases between neighbouring points of a curve, from rates that rise from 0 to 1 and their denominator.

    Rates must be shares of ``total`` up to rounding: printed to k digits they may be off by half a unit of the last,
    which is refused only where it leaves the count open.

    >>> counts_of_rates(np.array([0.0, 0.333, 1.0]), 3, "n_pos", "tpr").tolist()
    [0, 1, 2]
    """
    if total is None:
        raise InputError(name, "must be given beside the other number of cases", Words("none"), f"write {named(name)}")
    asked: Any = int(total) if float(total).is_integer() else total
    size = check_count(asked, name, least=1, way_out="give the number of cases behind the rates")
    cases = rates * size
    whole = np.round(cases)
    off = np.abs(cases - whole)
    if off.max() > max(_ROUNDED, min(0.0005 * size, 0.4)):
        at = int(np.argmax(off))
        raise InputError(
            name,
            f"must be the number of cases that {what} are shares of",
            Words(f"{rates[at]:g} of {size}, which is {cases[at]:.4g} cases"),
            "check the number of cases",
        )
    if (whole[1:] < whole[:-1]).any():
        at = int(np.argmax(whole[1:] < whole[:-1]))
        raise InputError(
            what,
            "must not fall along the curve where cases are counted: one score at several cut-offs never does",
            Words(f"{rates[at]:g} and then {rates[at + 1]:g}"),
            f"leave out {named('n_pos')} and {named('n_neg')} for points of different classifiers",
        )
    steps: Ints = np.concatenate([whole[:1], whole[1:] - whole[:-1]]).astype(np.int64)
    return steps
