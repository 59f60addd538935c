"""Discrete distributions as the command line writes them: 1=1/5,2=4/5."""

from __future__ import annotations

import math

from roclab.errors import InputError, Words

__all__ = ["discrete_of"]


def discrete_of(text: str) -> tuple[list[float], list[str]]:
    """Values and their probabilities, which stay as they are written: 1/3 is exact.

    >>> discrete_of("1=1/3, 2=2/3")
    ([1.0, 2.0], ['1/3', '2/3'])
    """
    support: list[float] = []
    probabilities: list[str] = []
    for part in text.split(","):
        value, equals, probability = part.partition("=")
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not equals or not probability.strip() or not math.isfinite(number):
            raise InputError(
                "--discrete",
                "must be written VALUE=P,VALUE=P",
                Words(f"{part.strip()!r} in it"),
                "for instance 0=1/2,1=1/2",
            )
        support.append(number)
        probabilities.append(probability.strip())
    return support, probabilities
