r"""How many readers and cases a study needs, from variance components of a pilot or of a model.

Error variances fall with the number of cases; :math:`c_0` is that of the pilot, with the same share of positives.
For two modalities a difference d is seen by F with 1 and :math:`\nu` degrees of freedom and noncentrality [1]_

.. math:: \lambda = \frac{r d^2 / 2}{\sigma_{\tau R}^2 + \frac{c_0}{c} [\mathrm{Var} - \mathrm{Cov}_1 +
          (r - 1) \max(\mathrm{Cov}_2 - \mathrm{Cov}_3, 0)]}

.. math:: \nu = \frac{\{\sigma_{\tau R}^2 + \frac{c_0}{c} [\mathrm{Var} - \mathrm{Cov}_1 + (r - 1) \max(\cdot, 0)]\}^2}
          {\{\sigma_{\tau R}^2 + \frac{c_0}{c} [\mathrm{Var} - \mathrm{Cov}_1 - \max(\cdot, 0)]\}^2 / (r - 1)} .

Non-inferiority within a margin is the same with a one-sided t test against the margin, at half the error.

References
----------
.. [1] Hillis SL, Obuchowski NA, Berbaum KS. Power estimation for multireader ROC methods: an updated and unified
   approach. Acad Radiol 2011;18:129-142. doi:10.1016/j.acra.2010.09.007
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import chdtri, chndtr, fdtri, ncfdtr, nctdtr, ndtr, ndtri, stdtrit

from roclab._core.checks import check_choice, check_count, check_fraction, check_level, check_positive
from roclab._core.text import format_number, text_table
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.margins import alpha_of
from roclab.names import RANDOM_EFFECTS, RandomEffects
from roclab.reading_studies.components import VarianceComponents, or_zero
from roclab.results import Result
from roclab.results.pictured import Pictured

__all__ = ["ReaderPlan", "ReaderPlanCell", "plan_of_components", "power_of"]

_MOST_CASES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderPlanCell(Result):
    """One number of readers with one of cases: its power, or the cases that reach the power asked for."""

    readers: int
    n_pos: int
    n_neg: int
    power: float
    df: float

    @property
    def cases(self) -> int:
        """Positives and negatives."""
        return self.n_pos + self.n_neg

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "readers": self.readers,
                "cases": self.cases,
                "positives": self.n_pos,
                "negatives": self.n_neg,
                "power": self.power,
                "df": self.df,
            }
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReaderPlan(Pictured):
    """Readers x cases with their power, and for each number of readers the fewest cases that reach the power asked for.

    Attributes
    ----------
    grid : tuple of ReaderPlanCell
        Every number of readers with every number of cases.
    smallest : tuple of ReaderPlanCell
        One cell per number of readers that can reach the power at all.
    impossible : tuple of int
        Numbers of readers that cannot, however many cases they read.
    """

    difference: float
    power: float
    level: float
    random: str
    margin: float | None
    components: VarianceComponents
    source: str
    grid: tuple[ReaderPlanCell, ...]
    smallest: tuple[ReaderPlanCell, ...]
    impossible: tuple[int, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row per cell of the grid."""
        return [row for one in self.grid for row in one.rows()]

    def power_at(self, readers: int, cases: int) -> float:
        """Power of one cell of the grid."""
        for one in self.grid:
            if (one.readers, one.cases) == (readers, cases):
                return one.power
        raise InputError("readers", "and cases must be in the grid", Words(f"{readers} and {cases}"))

    def __str__(self) -> str:
        cases = list(dict.fromkeys(one.cases for one in self.grid))
        table = []
        for readers in dict.fromkeys(one.readers for one in self.grid):
            row: dict[str, Any] = {"readers": readers}
            row |= {f"{case} cases": self.power_at(readers, case) for case in cases}
            fewest = [one.cases for one in self.smallest if one.readers == readers]
            row[f"cases for {self.power:g}"] = fewest[0] if fewest else "never"
            table.append(row)
        what = f"a difference of {format_number(self.difference)}"
        if self.margin is not None:
            what = (
                f"non-inferiority within {format_number(self.margin)} when the true difference is {self.difference:g}, "
                f"one-sided at {100 * alpha_of('non-inferiority', self.level):g}%"
            )
        return "\n".join(
            [
                f"power to see {what}, level {self.level:g}, {_RANDOM[self.random]}",
                "",
                text_table(table, digits=3),
                "",
                text_table(self.components.rows(), digits=6),
                "",
                self.source,
                *self.notes,
            ]
        )


_RANDOM = {"both": "random readers and cases", "readers": "random readers", "cases": "random cases"}


def power_of(
    parts: VarianceComponents,
    *,
    difference: float,
    readers: int,
    cases: float,
    share: float | None = None,
    level: float = 0.95,
    random: RandomEffects = "both",
    margin: float | None = None,
) -> tuple[float, float]:
    """Power of a factorial study of two modalities, and the degrees of freedom of its test; O(1).

    ``share`` is that of the positives among the cases, by default as in the pilot.
    """
    share = parts.n_pos / (parts.n_pos + parts.n_neg) if share is None else share
    within, df = _spread(parts, readers, cases, share, random)
    alpha = 1 - level
    if within <= 0:
        return (1.0 if difference or margin else alpha), math.inf
    if margin is not None:
        # One-sided: the difference is first minus second, and the claim is that it lies above -margin.
        apart, sure = (difference + margin) / math.sqrt(2 * within / readers), 1 - alpha_of("non-inferiority", level)
        if math.isinf(df):
            return float(ndtr(apart - ndtri(sure))), df
        return float(1 - nctdtr(df, apart, stdtrit(df, sure))), df
    centre = readers * difference**2 / 2 / within
    if math.isinf(df):
        return float(1 - chndtr(chdtri(1, alpha), 1, centre)), df
    edge = float(fdtri(1, df, level))
    # Beyond a noncentrality of thousands the power is 1 to all digits, and the series of the distribution ends.
    return (1.0 if centre > 5000 else float(1 - ncfdtr(1, df, centre, edge))), df


def _spread(
    parts: VarianceComponents, readers: int, cases: float, share: float, random: RandomEffects
) -> tuple[float, float]:
    """Denominator of F in the planned study, and its degrees of freedom."""
    # Errors are sums over positives and over negatives. With the share of the pilot all of them fall as c0 / c; with
    # another share they follow the harmonic mean of the classes, as if both added alike.
    scale = (1 / share + 1 / (1 - share)) / cases / (1 / parts.n_pos + 1 / parts.n_neg)
    both = max(or_zero(parts.modality_reader), 0.0)
    apart = max(or_zero(parts.cov2) - or_zero(parts.cov3), 0.0)
    alone = max(parts.error - or_zero(parts.cov1) - apart, 0.0)
    if random == "cases":
        return scale * (alone + readers * apart), math.inf
    own = both + scale * alone
    whole = own + (scale * readers * apart if random == "both" else 0.0)
    return whole, whole**2 / (own**2 / (readers - 1)) if own > 0 and readers > 1 else math.inf


def plan_of_components(
    parts: VarianceComponents,
    *,
    difference: float,
    readers: Sequence[int],
    cases: Sequence[int],
    prevalence: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    random: RandomEffects = "both",
    margin: float | None = None,
    source: str,
    notes: Sequence[str] = (),
) -> ReaderPlan:
    """A grid of readers and cases, and the fewest cases for each number of readers."""
    check_level(level)
    check_choice(random, "random", RANDOM_EFFECTS)
    check_fraction(power, "power", way_out="0.8 is usual", open_ends=True)
    if not -1 < difference < 1:
        raise InputError("difference", "must lie strictly between -1 and 1, as areas do", difference, "0.05 is usual")
    if margin is None:
        check_positive(abs(difference), "difference", way_out="it is the smallest difference worth seeing, e.g. 0.05")
    else:
        check_positive(margin, "margin", way_out="it is the largest difference you would still accept, e.g. 0.05")
        if difference + margin <= 0:
            raise InputError("difference", "must lie inside the margin to be shown as non-inferior", difference)
    least = 1 if random == "cases" else 2
    for one in readers:
        check_count(one, "readers", least=least, way_out=f"random readers are two or more; {named('random', 'cases')}")
    for one in cases:
        check_count(one, "cases", least=4, most=_MOST_CASES, way_out="two of each class are the least")
    share: float = parts.n_pos / (parts.n_pos + parts.n_neg) if prevalence is None else prevalence
    check_fraction(share, "prevalence", way_out="it is the share of positive cases", open_ends=True)
    asked: dict[str, Any] = {"difference": difference, "level": level, "random": random, "margin": margin}

    def cell(r: int, c: int) -> ReaderPlanCell:
        n_pos = min(max(round(c * share), 2), c - 2)
        found, df = power_of(parts, readers=r, cases=c, share=share, **asked)
        return ReaderPlanCell(readers=r, n_pos=n_pos, n_neg=c - n_pos, power=found, df=df)

    smallest = {r: _fewest(cell, r, power) for r in readers}
    return ReaderPlan(
        difference=difference,
        power=power,
        level=level,
        random=random,
        margin=margin,
        components=parts,
        source=source,
        grid=tuple(cell(r, c) for r in readers for c in cases),
        smallest=tuple(one for one in smallest.values() if one is not None),
        impossible=tuple(r for r, one in smallest.items() if one is None),
        notes=tuple(notes),
    )


def _fewest(cell: Any, readers: int, power: float) -> ReaderPlanCell | None:
    """Fewest cases that reach the power, by halving: power rises with the number of cases."""
    low, high = 4, _MOST_CASES
    if cell(readers, high).power < power:
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if cell(readers, middle).power >= power else (middle + 1, high)
    found: ReaderPlanCell = cell(readers, low)
    return found


def usual_grid(pilot: int) -> tuple[int, ...]:
    """Numbers of cases around those of a pilot, round ones."""
    wanted = np.array([0.5, 1.0, 1.5, 2.0, 3.0, 5.0]) * pilot
    return tuple(sorted({max(int(round(one / 10) * 10), 10) for one in wanted}))
