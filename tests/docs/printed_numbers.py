"""Which printed numbers may differ between processors.

Sums, logarithms and matrix products end in other last bits on other processors, so whatever shows all 16 digits of a
computed number is right on one machine only. What is shown is therefore rounded by the example itself.
"""

from __future__ import annotations

import re

MOST_DIGITS = 10  # significant ones; results agree between processors to 12 or more
NOISE = (1e-19, 1e-14)  # what rounding leaves of a zero; p-values of this size are better shown as "below 1e-14"

_DECIMAL = re.compile(r"(?<![\w.])\d+\.\d*(?:e[+-]?\d+)?|(?<![\w.])\d+e[+-]?\d+", re.IGNORECASE)


def fragile_numbers(text: str) -> list[str]:
    """The numbers of a printed text that another processor may print otherwise; whole numbers are exact.

    >>> fragile_numbers("area 0.7778 from 123456789012 pairs, p 5.5e-14")
    []
    >>> fragile_numbers("area 0.7777777777777778, calibration in the large 5.6e-17")
    ['0.7777777777777778', '5.6e-17']
    """
    return [number for number in _DECIMAL.findall(text) if _digits(number) > MOST_DIGITS or _is_noise(number)]


def _digits(number: str) -> int:
    return len(re.split("e", number, flags=re.IGNORECASE)[0].replace(".", "").lstrip("0"))


def _is_noise(number: str) -> bool:
    return NOISE[0] < float(number) < NOISE[1]
