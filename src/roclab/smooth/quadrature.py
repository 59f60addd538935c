"""Integrals over the unit interval of functions that may be steep or singular at its ends."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from roclab._core.types import Floats

__all__ = ["UnitIntegral", "integrate_unit"]

LEVELS = 12


class UnitIntegral(NamedTuple):
    """An integral with the difference between its last two refinements."""

    value: float
    error: float


def integrate_unit(function: Callable[[Floats, Floats], Floats], *, tolerance: float = 1e-11) -> UnitIntegral:
    r"""Integral over 0 < f < 1 of ``function(f, 1 - f)`` by the double-exponential rule [1]_.

    With :math:`f = 1/(1 + e^{-\pi \sinh u})` the integrand dies off doubly exponentially, so the plain trapezoid rule
    over u converges fast, whatever the ends do; the step is halved until two results agree. Both f and 1 - f are
    handed over because near 1 only the second is accurate.

    References
    ----------
    .. [1] Takahasi H, Mori M. Publ RIMS Kyoto Univ 1974;9:721-741. doi:10.2977/prims/1195192451

    Examples
    --------
    >>> round(integrate_unit(lambda f, g: f**-0.5 / 2).value, 10)
    1.0
    """
    total, before, error = 0.0, math.inf, math.inf
    for level in range(LEVELS):
        step = 0.5**level
        ends = 5.5  # pi sinh(5.5) = 384: e^-384 is still a number, and its weight is nothing
        u = np.arange(-ends, ends + step / 2, step) if level == 0 else np.arange(-ends + step, ends, 2 * step)
        exponent = math.pi * np.sinh(u)
        f, g = 1 / (1 + np.exp(-exponent)), 1 / (1 + np.exp(exponent))
        total += float(np.sum(function(f, g) * math.pi * np.cosh(u) * f * g))
        value = total * step
        error = abs(value - before)
        if level >= 4 and error < tolerance:
            break
        before = value
    return UnitIntegral(value, error)
