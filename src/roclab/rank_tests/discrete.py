r"""Exact Kolmogorov levels for a discrete distribution, by Conover's recursion.

For a continuous distribution the null distribution of Kolmogorov's statistics does not depend on it; for a discrete one
it does, and the usual tables are conservative. Write L for the values a cumulative distribution function takes (0, the
top of every jump, 1). With :math:`f_j` the largest level not above :math:`1 - t - j/n`,

.. math:: e_0 = 1, \quad e_k = 1 - \sum_{j<k} \binom kj f_j^{k-j} e_j, \quad
          \Pr(T^- \ge t) = \sum_{j=0}^{\lfloor n(1-t) \rfloor} \binom nj f_j^{n-j} e_j,

and :math:`T^+` in the same way with :math:`c_j = 1 - \min\{l \in L : l \ge t + j/n\}` in place of :math:`f_j`. (At
least n - j values at or below a point of height f make S - F large; so f belongs to :math:`T^- = \sup(S - F)`. Texts
that pair it with :math:`T^+` are right only where the levels lie symmetrically; enumeration decides, see the tests.)
The alternating sums lose all digits in floating point, so they are taken in exact fractions, which takes minutes at a
thousand values; levels are found by ``walks`` instead, and Conover's steps are shown for few values.

References
----------
Conover WJ. A Kolmogorov goodness-of-fit test for discontinuous distributions. JASA 1972;67:591-596.
doi:10.1080/01621459.1972.10481254
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, floor
from typing import Any, NamedTuple

from scipy.special import kolmogorov as kolmogorov_limit

from roclab._core.text import text_table
from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words, named
from roclab.rank_tests.samples import sample_of
from roclab.rank_tests.walks import walk_level
from roclab.results import Result

__all__ = ["ConoverStep", "DiscreteKolmogorov", "discrete_kolmogorov", "one_sided_level"]

_SHOWN = 20  # steps that are printed
_STEPS = 200  # values up to which the recursion is shown: fractions of more have too many digits


class ConoverStep(NamedTuple):
    """Heights f, c and weights e, b of one step of the recursion; f and e belong to T-, c and b to T+."""

    j: int
    f: float
    e: float
    c: float
    b: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscreteKolmogorov(Result):
    """Kolmogorov's statistics against a discrete distribution, with exact one-sided levels.

    ``p_two_sided`` adds both tails at T: an upper bound of the true two-sided level ``p_exact``, equal to it except
    when both deviations can be that large at once.
    """

    n: int
    t: float
    t_plus: float  # sup(F - S): the sample is too large
    t_minus: float  # sup(S - F): the sample is too small
    p_plus: float  # Pr(T+ >= observed T+)
    p_minus: float
    p_two_sided: float
    p_exact: float  # Pr(T >= observed T), no bound
    p_asymptotic: float  # by Kolmogorov's limit for continuous distributions
    location: float  # where the largest gap is
    above: bool  # whether the distribution lies above the sample there: T is then T+, else T-
    support: tuple[float, ...]  # rising
    levels: tuple[float, ...]  # the distribution function at each of them
    steps: tuple[ConoverStep, ...]  # of both recursions, at the observed T; none for more than 200 values

    def rows(self) -> list[dict[str, Any]]:
        """One row per statistic."""
        return [
            {"statistic": "T", "value": self.t, "p": self.p_two_sided},
            {"statistic": "T, exact", "value": self.t, "p": self.p_exact},
            {"statistic": "T, asymptotic", "value": self.t, "p": self.p_asymptotic},
            {"statistic": "T+", "value": self.t_plus, "p": self.p_plus},
            {"statistic": "T-", "value": self.t_minus, "p": self.p_minus},
        ]

    def step_rows(self) -> list[dict[str, Any]]:
        """Conover's f, e, c and b, one row per j: what the levels at the observed T are added up from."""
        return [{"j": step.j, "f": step.f, "e": step.e, "c": step.c, "b": step.b} for step in self.steps]

    def __str__(self) -> str:
        shown = self.step_rows()
        if not shown:
            return text_table(self.rows())
        lines = [text_table(self.rows()), "", "Conover's recursion at T:", text_table(shown[:_SHOWN])]
        return "\n".join([*lines, *([f"… and {len(shown) - _SHOWN} more steps"] if len(shown) > _SHOWN else [])])


def _fractions(probabilities: Sequence[Any]) -> list[Fraction]:
    """Probabilities as exact fractions; 0.2 means 1/5, as its shortest decimal form says."""
    out = []
    for value in probabilities:
        try:
            out.append(Fraction(str(value)))
        except (ValueError, ZeroDivisionError):
            raise InputError("probabilities", "must be numbers or fractions such as '1/5'", value) from None
    if any(p < 0 for p in out):
        raise InputError("probabilities", "must be >= 0", Words(f"{min(out)}"))
    total = sum(out, Fraction(0))
    if abs(total - 1) > Fraction(1, 10**9):
        raise InputError("probabilities", "must add up to 1", Words(f"{float(total):.10g}"), "write thirds as '1/3'")
    return [p / total for p in out]


def discrete_kolmogorov(sample: Any, support: Sequence[float], probabilities: Sequence[Any]) -> DiscreteKolmogorov:
    """Kolmogorov test of a sample against a discrete distribution, exact; T = sup |F - S| is an exact fraction.

    Probabilities may be fractions written as text ('1/5'). A thousand values on as many points take a second.

    >>> test = discrete_kolmogorov([1, 1, 1, 2, 2, 2, 3, 3, 3, 3], [1, 2, 3, 4, 5], ["1/5"] * 5)
    >>> test.t, round(test.p_two_sided, 7)
    (0.4, 0.0416172)
    """
    values = sample_of(sample, "sample")
    points = [float(value) for value in support]
    if len(points) != len(probabilities) or not points:
        raise InputError(
            "", "support and probabilities must have the same length", Words(f"{len(points)} and {len(probabilities)}")
        )
    if len(set(points)) != len(points):
        raise InputError("support", "must hold distinct values")
    held = set(points)
    strange = next((value for value in values.tolist() if value not in held), None)
    if strange is not None:
        raise InputError(
            "sample",
            f"must lie in the {named('support')}",
            Words(f"{strange:g}"),
            "add this value with its probability",
        )
    chance = dict(zip(points, _fractions(probabilities), strict=True))
    n = values.size
    level, seen = Fraction(0), Fraction(0)
    levels = [Fraction(0)]
    above, below = (Fraction(0), points[0]), (Fraction(0), points[0])  # the largest gaps, and where they are
    counts = Counter(values.tolist())
    for point in sorted(points):
        level += chance[point]
        seen += Fraction(counts[point], n)
        levels.append(level)
        if level - seen > above[0]:
            above = level - seen, point
        if seen - level > below[0]:
            below = seen - level, point
    larger, location = above if above[0] >= below[0] else below
    tails = [walk_level(larger, n, levels, side="plus"), walk_level(larger, n, levels, side="minus")]
    unknown = next((tail for tail in tails if isinstance(tail, Undefined)), None)
    return DiscreteKolmogorov(
        n=n,
        t=float(larger),
        t_plus=float(above[0]),
        t_minus=float(below[0]),
        p_plus=walk_level(above[0], n, levels, side="plus"),
        p_minus=walk_level(below[0], n, levels, side="minus"),
        p_two_sided=min(1.0, sum(tails)) if unknown is None else unknown,
        p_exact=walk_level(larger, n, levels),
        p_asymptotic=float(kolmogorov_limit(math.sqrt(n) * float(larger))),
        location=location,
        above=above[0] >= below[0],
        support=tuple(sorted(points)),
        levels=tuple(map(float, levels[1:])),
        steps=_steps(larger, n, levels) if n <= _STEPS else (),
    )


def _steps(t: Fraction, n: int, levels: Sequence[Fraction]) -> tuple[ConoverStep, ...]:
    if t <= 0:
        return ()
    f, c = (_heights(t, n, levels, side=side) for side in ("minus", "plus"))
    e, b = _weights(f), _weights(c)
    return tuple(ConoverStep(j, *map(float, four)) for j, four in enumerate(zip(f, e, c, b, strict=True)))


def one_sided_level(t: Fraction, n: int, levels: Sequence[Fraction], *, side: str) -> Fraction:
    """Exact Pr(T+ >= t) or Pr(T- >= t) for a distribution function that takes the given levels."""
    if t <= 0:
        return Fraction(1)
    base = _heights(t, n, levels, side=side)
    weights = _weights(base)
    return sum((comb(n, j) * base[j] ** (n - j) * weights[j] for j in range(len(base))), Fraction(0))


def _heights(t: Fraction, n: int, levels: Sequence[Fraction], *, side: str) -> list[Fraction]:
    """f_j or c_j."""
    base = []
    for j in range(floor(n * (1 - t)) + 1):
        if side == "minus":
            cut = 1 - t - Fraction(j, n)
            base.append(max(level for level in levels if level <= cut))  # the bottom of a crossed jump
        else:
            cut = t + Fraction(j, n)
            base.append(1 - min((level for level in levels if level >= cut), default=Fraction(1)))
    return base


def _weights(base: Sequence[Fraction]) -> list[Fraction]:
    """e_k or b_k."""
    weights: list[Fraction] = []
    for k in range(len(base)):
        weights.append(1 - sum((comb(k, j) * base[j] ** (k - j) * weights[j] for j in range(k)), Fraction(0)))
    return weights
