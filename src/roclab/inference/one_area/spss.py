"""The table "Area Under the Curve" as SPSS prints it: its numbers, not only its layout.

Area; standard error with Q1 and Q2 counted from the data; asymptotic significance of the Mann-Whitney z without tie
correction; and the plain interval, which SPSS does not clip.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.text import text_table
from roclab.areas.empirical import auc
from roclab.data.tally import Tally
from roclab.inference.one_area.area_tests import auc_test
from roclab.inference.one_area.hanley_mcneil import empirical_q_se
from roclab.inference.one_area.intervals import deviate
from roclab.results import Result

__all__ = ["SpssArea", "SpssTable", "spss_area"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpssArea:
    """One row of the table."""

    area: float
    standard_error: float
    significance: float
    low: float
    high: float
    tied: bool  # some positive and some negative case share a value


def spss_area(tally: Tally, *, level: float = 0.95) -> SpssArea:
    """One row, O(n).

    The ten cases of a textbook example: area .860, standard error .126639, significance .060103, .611793 to 1.108207.

    >>> x, y = [0.89, 0.80, 0.80, 0.63, 0.33], [0.80, 0.33, 0.10, 0.10, 0.10]
    >>> row = spss_area(Tally.from_samples(np.array(x), np.array(y)))
    >>> round(row.standard_error, 6), round(row.significance, 6), round(row.high, 6)
    (0.126639, 0.060103, 1.108207)
    """
    area, se = auc(tally), empirical_q_se(tally)
    half = deviate(level) * se
    return SpssArea(
        area=area,
        standard_error=se,
        significance=auc_test(tally, test="null").p_value,
        low=area - half,
        high=area + half,
        tied=bool(np.any((tally.pos > 0) & (tally.neg > 0))),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpssTable(Result):
    """The table with its footnotes."""

    areas: Mapping[str, SpssArea]
    positive: str
    negative: str
    level: float
    dropped: int
    skipped: Mapping[str, str]  # columns that are no markers, and why

    def rows(self) -> list[dict[str, Any]]:
        """One row per variable, with all digits."""
        return [
            {
                "Test Result Variable(s)": name, "Area": one.area, "Std. Error": one.standard_error,
                "Asymptotic Sig.": one.significance, "Lower Bound": one.low, "Upper Bound": one.high,
            }
            for name, one in self.areas.items()
        ]  # fmt: skip

    @property
    def footnotes(self) -> tuple[str, ...]:
        """What SPSS says below its table, in our words."""
        tied = [name for name, one in self.areas.items() if one.tied]
        found = (
            [f"Has at least one tie between the positive and the negative group: {', '.join(tied)}."] if tied else []
        )
        found += [
            "Std. Error: under the nonparametric assumption. Asymptotic Sig.: null hypothesis, true area = 0.5.",
            f"Bounds: asymptotic {100 * self.level:g}% confidence interval.",
            f"positive is {self.positive}, negative is {self.negative}",
        ]
        if self.dropped:
            found.append(f"{self.dropped:,} cases that lack a variable were left out for all of them (listwise)")
        return (*found, *(f"skipped {name}: {reason}" for name, reason in self.skipped.items()))

    def to_dict(self) -> dict[str, Any]:
        """Rows and footnotes."""
        return {"rows": self.rows(), "footnotes": list(self.footnotes)}

    def __str__(self) -> str:
        rows = [{name: f"{one:.3f}" if isinstance(one, float) else one for name, one in row.items()}
                for row in self.rows()]  # fmt: skip
        return "\n".join([text_table(rows), "", *self.footnotes])
