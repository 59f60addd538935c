"""The normal distribution for single numbers, without SciPy: loading its special functions takes longer than an answer.

Arrays of numbers are the business of ``scipy.special``; the tests compare the two.
"""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["joint_excess", "joint_slope", "normal_tail", "probit"]

_QUANTILE = NormalDist().inv_cdf
_ROOT_HALF = math.sqrt(0.5)
# How far the exponent may fall over the range of each shorter rule, and from where on the two shortest are enough.
_LEVEL, _GENTLE, _FLAT, _EVEN = 1.5, 2.0, 4.0, 14.0
_NARROW, _MODERATE = 0.5, 0.2
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


_RULE8, _RULE10, _RULE12, _RULE16, _RULE48 = _rule(8), _rule(10), _rule(12), _rule(16), _rule(48)


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


def joint_excess(h: float, a: float) -> float:
    r"""How much likelier two correlated normals stay below h together than two independent ones.

    .. math:: \Phi_2(h, h; \rho) - \Phi(h)^2 = 2\,[T(h, 1) - T(h, a)]
              = \frac1\pi \int_a^1 \frac{e^{-h^2 (1 + x^2)/2}}{1 + x^2}\,dx, \qquad a = \sqrt{\tfrac{1-\rho}{1+\rho}}

    with T Owen's function, for 0 ≤ a ≤ 1, that is ρ ≥ 0. Taken as the integral it keeps its precision where both T are
    nearly the same: Gauss and Legendre's rule with 8 to 16 nodes, as many as the range and the fall of the integrand
    ask for, or 48 over the part that is not negligible where it is steep. Relative error about 1e-14 for h up to 6.

    >>> round(joint_excess(0.0, 0.0), 12), joint_excess(1.0, 1.0)
    (0.25, 0.0)
    """
    half = h * h / 2.0
    end, falls = 1.0, half * (1.0 - a * a)
    if falls <= _LEVEL and a >= _NARROW:
        rule = _RULE8
    elif falls <= _GENTLE and a >= _MODERATE:
        rule = _RULE10
    elif falls <= _EVEN:
        rule = _RULE12 if falls <= _FLAT else _RULE16
    else:
        end, rule = min(1.0, math.sqrt(a * a + _GONE / half)), _RULE48
    width, total, fall, exp = end - a, 0.0, -half, math.exp
    for node, weight in rule:  # 1.0, because 1 would cost a conversion each time
        x = a + width * node
        square = 1.0 + x * x
        total += weight * exp(fall * square) / square
    return total * width / math.pi


def joint_slope(h: float, a: float) -> float:
    """How fast ``joint_excess`` falls in a."""
    square = 1 + a * a
    return math.exp(-h * h * square / 2) / (math.pi * square)
