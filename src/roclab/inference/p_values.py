"""p-values of statistics that are normal, or Student's t, where the hypothesis holds."""

from __future__ import annotations

import math

from roclab._core.checks import check_choice
from roclab._core.normal import normal_tail
from roclab._core.undefined import Undefined
from roclab.names import ALTERNATIVES

__all__ = ["p_of_z"]


def p_of_z(z: float, alternative: str = "two-sided", df: float = math.inf) -> float:
    """p-value of a normal (or t) statistic."""
    check_choice(alternative, "alternative", ALTERNATIVES)
    if math.isnan(z):
        return Undefined("the statistic is undefined")
    if math.isinf(df):
        below, above = normal_tail(-z), normal_tail(z)
    else:
        from scipy.special import stdtr  # SciPy's special functions take longer to load than most answers

        below, above = float(stdtr(df, z)), float(stdtr(df, -z))
    if alternative == "two-sided":
        return 2 * min(below, above)
    return above if alternative == "greater" else below
