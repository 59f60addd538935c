"""What a plan leaves open, from what it states: the class sizes, the power, the level or the detectable area."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from scipy.special import ndtr, ndtri

from roclab._core.checks import check_choice, check_fraction, check_level, in_full
from roclab.errors import InputError, Words, named

__all__ = ["Solution", "Study", "power_curve", "solve_plan"]


@dataclass(frozen=True, slots=True)
class Study:
    """Variance under both hypotheses, as functions of the number of positives, and the difference to be seen."""

    null: Callable[[float], float]
    alternative: Callable[[float], float]
    effect: float

    def power(self, n_pos: float, z: float) -> float:
        """The chance that a normal deviate beyond ``z`` is seen."""
        if self.effect <= 0:
            return float(ndtr(-z))
        spread = math.sqrt(self.alternative(n_pos))
        return float(ndtr((self.effect * math.sqrt(n_pos) - z * math.sqrt(self.null(n_pos))) / spread))

    def positives(self, power: float, z: float) -> float:
        """How many positives give this power, by repeated substitution.

        The spread hardly depends on n, so a few rounds settle it.
        """
        n = 10.0
        for _ in range(200):
            top = z * math.sqrt(self.null(n)) + float(ndtri(power)) * math.sqrt(self.alternative(n))
            new = max((top / self.effect) ** 2, 1.0)
            if abs(new - n) <= 1e-10 * n:
                break
            n = new
        return new


@dataclass(frozen=True, slots=True)
class Solution:
    """A plan with nothing left open."""

    area: float
    n_pos: float
    power: float
    level: float


def solve_plan(
    study: Callable[[float], Study],
    *,
    area: float | None,
    null: float,
    n_pos: float | None,
    power: float | None,
    level: float | None,
    alternative: str,
) -> Solution:
    """The plan with the one quantity that is None filled in; ``study`` is that of an area."""
    check_choice(alternative, "alternative", ("two-sided", "one-sided"))
    if level is None:
        return _level_of(study, area=area, n_pos=n_pos, power=power, alternative=alternative)
    check_level(level)
    if [area is None, n_pos is None, power is None].count(True) != 1:
        raise InputError(
            "",
            "a plan needs two of area, class sizes and power and finds the third",
            Words(f"{named('area', area)}, {named('n_pos', n_pos)}, {named('power', power)}"),
            "leave out exactly one",
        )
    z = float(ndtri((1 + level) / 2 if alternative == "two-sided" else level))
    if power is not None:
        check_fraction(power, "power", way_out="0.8 and 0.9 are usual", open_ends=True)
        if power <= 1 - level:
            raise InputError("power", f"must exceed {1 - level:g}, the chance of a false alarm", power)
    if area is not None:
        area = check_fraction(area, "area", way_out="give the area you expect, e.g. 0.8", open_ends=True)
        one = study(area)
        if n_pos is not None:
            return Solution(area, n_pos, one.power(n_pos, z), level)
        assert power is not None
        if one.effect <= 0:
            raise InputError(
                "",
                f"there is no difference to see between {area:g} and {null:g}",
                way_out="plan for another area or a larger margin",
            )
        return Solution(area, one.positives(power, z), power, level)
    assert n_pos is not None
    assert power is not None
    return Solution(_detectable(study, null, n_pos, power, z), n_pos, power, level)


def power_curve(study: Study, found: Solution, alternative: str) -> tuple[tuple[float, float], ...]:
    """Numbers of positives around those of a plan, and the power that each of them has."""
    z = float(ndtri((1 + found.level) / 2 if alternative == "two-sided" else found.level))
    sizes = [max(found.n_pos * share / 20, 2.0) for share in range(4, 41)]
    return tuple((n, study.power(n, z)) for n in dict.fromkeys(sizes))


def _level_of(
    study: Callable[[float], Study], *, area: float | None, n_pos: float | None, power: float | None, alternative: str
) -> Solution:
    """The confidence level at which so many cases see this area with this power."""
    if area is None or n_pos is None or power is None:
        raise InputError(
            "level", "is found from the area, the class sizes and the power", Words("not all of them"), "give all three"
        )
    area = check_fraction(area, "area", way_out="give the area you expect, e.g. 0.8", open_ends=True)
    check_fraction(power, "power", way_out="0.8 and 0.9 are usual", open_ends=True)
    one = study(area)
    z = (one.effect * math.sqrt(n_pos) - float(ndtri(power)) * math.sqrt(one.alternative(n_pos))) / math.sqrt(
        one.null(n_pos)
    )
    level = 2 * float(ndtr(z)) - 1 if alternative == "two-sided" else float(ndtr(z))
    if level <= 0:
        raise InputError("", "no level gives this power with so few cases", way_out="plan more cases or less power")
    return Solution(area, n_pos, power, level)


def _detectable(study: Callable[[float], Study], null: float, n_pos: float, power: float, z: float) -> float:
    """The smallest area above the null that the study would see, by bisection: power rises with the area."""
    low, high = null, 1 - 1e-9
    if study(high).power(n_pos, z) < power:
        raise InputError(
            "",
            f"even an area of 1 is not seen with power {power:g} by {in_full(n_pos)} positive cases",
            way_out="plan more cases",
        )
    for _ in range(200):
        middle = (low + high) / 2
        if study(middle).power(n_pos, z) < power:
            low = middle
        else:
            high = middle
    return high
