"""Roots of falling functions of one number: in a few steps with slopes, or by a bracket wherever they are."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Falling", "falling_root", "smooth_root"]

Falling = Callable[[float], tuple[float, float]]  # value and slope
_Point = tuple[float, float, float]  # place, value and slope there

_NEAR = 1e-6  # relative steps with slopes: the next one would be about its square times the square of the last one
_CLOSE = 1e-9  # relative steps without: the next one would be shorter than its rounding


def smooth_root(f: Falling, known: _Point, start: float) -> float | None:
    """The root of a falling function that is nearly a straight line, or None where the search does not settle.

    Its inverse is taken for a cubic, with the values and slopes of the last two points.
    """
    place, step = start, abs(start - known[0])
    for _ in range(6):
        value, slope = f(place)
        if not slope < 0 or value == known[1]:
            return None
        point = place, value, slope
        place = _inverse_at_zero(known, point)
        last, step = step, abs(place - point[0])
        if step <= _NEAR * max(1.0, abs(place)):
            return place
        if not step < last / 2:
            return None
        known = point
    return None


def _inverse_at_zero(one: _Point, other: _Point) -> float:
    """Where the cubic in the values, with the places and slopes of two points, has the value 0."""
    (x0, y0, slope0), (x1, y1, slope1) = one, other
    apart = y1 - y0
    mean = (x1 - x0) / apart
    rise = (1 / slope1 - mean) / apart
    bend = (1 / slope0 + 1 / slope1 - 2 * mean) / (apart * apart)
    return x1 - y1 / slope1 + y1 * y1 * (rise - bend * y0)


def falling_root(f: Falling, start: float, stride: float, *, farthest: float) -> float:
    """The root of a falling function within ±farthest, or that end if there is none.

    Bracketed by growing strides, then found by regula falsi after Anderson and Björck; slopes are not looked at.
    """
    left = right = start
    at_left = at_right = f(start)[0]
    while at_left < 0 and left > -farthest:
        right, at_right = left, at_left
        left = max(left - stride, -farthest)
        at_left, stride = f(left)[0], 2 * stride
    while at_right > 0 and right < farthest:
        left, at_left = right, at_right
        right = min(right + stride, farthest)
        at_right, stride = f(right)[0], 2 * stride
    if at_left <= 0:
        return left
    if at_right >= 0:
        return right
    moved, middle = "", left
    for _ in range(100):
        last, middle = middle, right - at_right * (right - left) / (at_right - at_left)
        if min(abs(middle - last), right - left) <= _CLOSE * max(1.0, abs(middle)):
            break
        value = f(middle)[0]
        if value == 0:
            break
        # An end that stays for a second time is weighed down, or it would stay for ever.
        if value > 0:
            if moved == "left":
                at_right *= max(1 - value / at_left, 0.0) or 0.5
            left, at_left, moved = middle, value, "left"
        else:
            if moved == "right":
                at_left *= max(1 - value / at_right, 0.0) or 0.5
            right, at_right, moved = middle, value, "right"
    return middle
