"""The normal distribution for single numbers, without SciPy: loading its special functions takes longer than an answer.

Arrays of numbers are the business of ``scipy.special``; the tests compare the two.
"""

from __future__ import annotations

import math
from math import exp
from statistics import NormalDist

__all__ = ["joint_argument", "joint_excess", "normal_tail", "probit"]

_QUANTILE = NormalDist().inv_cdf
_ROOT_HALF = math.sqrt(0.5)
_INVERSE_PI = 1 / math.pi
# How far the exponent may fall over the range of each shorter rule, and from where on the shortest are enough.
_LEVEL, _GENTLE, _FLAT, _EVEN = 0.75, 2.0, 4.0, 14.0
_SHORT, _NARROW, _MODERATE = 0.5, 0.4, 0.2
# Steps of the argument, in units of its bend: the last one, and those whose series may be trusted.
_SETTLED, _SHORT_STEP = 3e-3, 0.3
_GONE = 40.0  # what is smaller than its largest value by exp(-40) adds nothing


def _rule(points: int) -> tuple[tuple[float, float], ...]:
    """Gauss and Legendre's nodes and weights on the unit interval, roots of a polynomial by Newton's method."""
    rule = []
    for at in range(points):
        x, step = math.cos(math.pi * (at + 0.75) / (points + 0.5)), 1.0
        while abs(step) > 1e-15:
            before, here = 1.0, x
            for degree in range(2, points + 1):
                before, here = here, ((2 * degree - 1) * x * here - (degree - 1) * before) / degree
            slope = points * (before - x * here) / (1 - x * x)
            step = here / slope
            x -= step
        rule.append(((1 - x) / 2, 1 / ((1 - x * x) * slope * slope)))
    total = math.fsum(weight for _, weight in rule)  # 1 up to rounding, which weighs on every integral
    return tuple((node, weight / total) for node, weight in rule)


_RULE4, _RULE7, _RULE8, _RULE10, _RULE12, _RULE16, _RULE48 = map(_rule, (4, 7, 8, 10, 12, 16, 48))


def probit(probability: float) -> float:
    """The normal quantile, -inf at 0 and inf at 1.

    >>> round(probit(0.975), 6), probit(0.0)
    (1.959964, -inf)
    """
    if 0 < probability < 1:
        return _QUANTILE(probability)
    return -math.inf if probability == 0 else math.inf


def normal_tail(h: float) -> float:
    """Chance that a standard normal exceeds h.

    >>> round(normal_tail(1.959964), 6)
    0.025
    """
    return math.erfc(h * _ROOT_HALF) / 2


def joint_excess(h: float, a: float, roughly: bool = False) -> float:
    r"""How much likelier two correlated normals stay below h together than two independent ones.

    .. math:: \Phi_2(h, h; \rho) - \Phi(h)^2 = 2\,[T(h, 1) - T(h, a)]
              = \frac1\pi \int_a^1 \frac{e^{-h^2 (1 + x^2)/2}}{1 + x^2}\,dx, \qquad a = \sqrt{\tfrac{1-\rho}{1+\rho}}

    with T Owen's function, for 0 ≤ a ≤ 1, that is ρ ≥ 0. Taken as the integral it keeps its precision where both T are
    nearly the same: Gauss and Legendre's rule with 7 to 16 nodes, as many as the range and the fall of the integrand
    ask for, or 48 over the part that is not negligible where it is steep. Relative error about 1e-13 for h up to 6;
    ``roughly`` is content with 1e-6, for the first step of a search.

    >>> round(joint_excess(0.0, 0.0), 12), joint_excess(1.0, 1.0)
    (0.25, 0.0)
    """
    half = h * h / 2.0
    end, falls = 1.0, half * (1.0 - a * a)
    if (falls <= _GENTLE and a >= _SHORT) or (falls <= _LEVEL and a >= _NARROW):
        rule = _RULE4 if roughly else _RULE7 if falls <= _LEVEL and a >= _SHORT else _RULE8
    elif falls <= _GENTLE and a >= _MODERATE:
        rule = _RULE10
    elif falls <= _EVEN:
        rule = _RULE12 if falls <= _FLAT else _RULE16
    else:
        end, rule = min(1.0, math.sqrt(a * a + _GONE / half)), _RULE48
    width, total, fall = end - a, 0.0, -half
    for node, weight in rule:  # 1.0, because 1 would cost a conversion each time
        x = a + width * node
        square = 1.0 + x * x
        total += weight * exp(fall * square) / square
    return total * width * _INVERSE_PI


def joint_argument(h: float, excess: float, start: float) -> float:
    r"""The second argument a at which ``joint_excess`` has this value, searched for from ``start``, within [0, 1].

    All derivatives of the excess J in a are known. With Newton's step :math:`n = (J - excess) / |J'|` the whole step is

    .. math:: \frac{n}{1 - b n - \frac{e + b^2}{3} n^2
              - \left(\frac{b e}{2} + \frac{b^3}{3} - \frac{a c^2 (4 c - 1)}{6}\right) n^3},
              \qquad c = \frac{1}{1 + a^2}, \quad b = a (\tfrac{h^2}{2} + c), \quad e = \tfrac{h^2}{2} + 2 c^2 - c

    and leaves about the fifth power of the last error; a long one ends after b, as Halley's method does.

    >>> round(joint_argument(0.8, joint_excess(0.8, 0.3), 0.4), 12)
    0.3
    """
    half, a = h * h / 2.0, start
    for _ in range(50):
        c = 1.0 / (1.0 + a * a)
        n = (joint_excess(h, a) - excess) / (exp(-half / c) * c * _INVERSE_PI)
        b = a * (half + c)
        length, damped = abs(n) * (1.0 + b), b
        if length < _SHORT_STEP:
            e = half + c * (2.0 * c - 1.0)
            third = b * (e / 2.0 + b * b / 3.0) - a * c * c * (4.0 * c - 1.0) / 6.0
            damped += n * ((e + b * b) / 3.0 + n * third)
        damped = 1.0 - n * damped
        a += n / (damped if damped > 0.5 else 0.5)
        if not 0.0 <= a <= 1.0:
            a = 0.0 if a < 0.0 else 1.0
        if length < _SETTLED:
            break
    return a
