"""The table "Area Under the Curve" as SPSS prints it: its numbers, not only its layout.

Area; standard error with Q1 and Q2 counted from the data; asymptotic significance of the Mann-Whitney z without tie
correction; and the plain interval, which SPSS does not clip.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from roclab._core.text import text_table
from roclab.areas.empirical import auc
from roclab.data.tally import Tally
from roclab.inference.one_area.area_tests import auc_test
from roclab.inference.one_area.hanley_mcneil import empirical_q_se
from roclab.inference.one_area.intervals import deviate

__all__ = ["SpssArea", "spss_area", "spss_table"]


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


def spss_table(rows: Sequence[tuple[str, SpssArea]]) -> str:
    """The table with its footnote."""
    shown = [
        {
            "Test Result Variable(s)": name,
            "Area": f"{one.area:.3f}",
            "Std. Error": f"{one.standard_error:.3f}",
            "Asymptotic Sig.": f"{one.significance:.3f}",
            "Lower Bound": f"{one.low:.3f}",
            "Upper Bound": f"{one.high:.3f}",
        }
        for name, one in rows
    ]
    tied = [name for name, one in rows if one.tied]
    foot = f"Has at least one tie between the positive and the negative group: {', '.join(tied)}." if tied else ""
    return "\n".join(line for line in (text_table(shown), foot) if line)
