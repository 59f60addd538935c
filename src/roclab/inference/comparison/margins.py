"""Non-inferiority and equivalence: is the difference inside a margin that would still be accepted?"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_level, check_positive
from roclab._core.undefined import Undefined
from roclab.errors import InputError
from roclab.inference.comparison.contrasts import Difference, contrast_of, p_of_z, referred, score_contrast
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.names import CLAIMS, Claim, Reference
from roclab.results import Interval, Result

__all__ = ["MarginTest", "claim_of", "margin_test"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginTest(Result):
    """Non-inferiority or equivalence of two areas within a margin."""

    claim: str
    first: str
    second: str
    margin: float
    difference: float
    standard_error: float
    statistic: float
    p_value: float
    interval: Interval
    shown: bool  # whether the claim is shown at the given level
    df: float = math.inf  # degrees of freedom of t; infinite for the normal distribution

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "claim": self.claim,
                "first": self.first,
                "second": self.second,
                "margin": self.margin,
                "difference": self.difference,
                "low": self.interval.low,
                "high": self.interval.high,
                **({"z": self.statistic} if math.isinf(self.df) else {"t": self.statistic, "df": self.df}),
                "p": self.p_value,
                "shown": self.shown,
            }
        ]


def margin_test(
    covariance: AreaCovariance,
    first: str,
    second: str,
    *,
    margin: float,
    claim: Claim = "non-inferiority",
    level: float = 0.95,
    reference: Reference | None = None,
) -> MarginTest:
    r"""Is ``first`` not worse than ``second`` by more than a margin, or equivalent within it?

    Non-inferiority: :math:`t = (A_1 - A_2 + \delta) / SE`, one-sided. Equivalence: two one-sided tests, the larger p.
    The score test has an SE for every margin, by which its intervals are made.
    The level is that of the one-sided tests (0.95 tests at 5%); the interval is the matching one, two-sided with
    level 2 level - 1, so that a claim is shown exactly when the interval lies inside the margin.
    """
    names = list(covariance.names)
    margin = check_positive(margin, "margin", way_out="it is the largest difference you would still accept, e.g. 0.05")
    check_level(level)
    check_choice(claim, "claim", CLAIMS)
    for name in (first, second):
        if name not in names:
            raise InputError("score", f"must be one of {', '.join(names)}", name)
    weights = np.zeros(len(names))
    weights[names.index(first)] += 1
    weights[names.index(second)] -= 1
    plain = contrast_of(covariance, weights, names=(first, second), level=matching_level(level), reference=reference)
    by_score = referred(covariance, reference) == "score"
    error_at = score_contrast(covariance, weights).error_at if by_score else None
    return claim_of(plain, margin=margin, claim=claim, level=level, error_at=error_at)


def matching_level(level: float) -> float:
    """Of the two-sided interval that lies inside the margin when one-sided tests at ``level`` show the claim."""
    return max(2 * level - 1, 1e-9)


def claim_of(
    plain: Difference, *, margin: float, claim: Claim, level: float, error_at: Callable[[float], float] | None = None
) -> MarginTest:
    """The claim about a difference that is known already, with its interval at the matching level.

    ``error_at`` gives the standard error for a true difference, where it depends on it.
    """
    if plain.standard_error == 0:
        # No spread at all: the difference is what it is, and lies inside the margin or not.
        inside = plain.difference > -margin and (claim == "non-inferiority" or plain.difference < margin)
        statistic: float = Undefined("the variance of the difference is 0")
        p: float = 0.0 if inside else 1.0
    elif math.isnan(plain.standard_error):
        statistic, p = plain.statistic, plain.p_value
    else:
        errors = [plain.standard_error if error_at is None else error_at(true) for true in (-margin, margin)]
        not_worse = (plain.difference + margin) / errors[0]
        not_better = (plain.difference - margin) / errors[1]
        p = p_of_z(not_worse, "greater", plain.df)
        statistic = not_worse
        if claim == "equivalence" and p_of_z(not_better, "less", plain.df) > p:
            p, statistic = p_of_z(not_better, "less", plain.df), not_better
    return MarginTest(
        claim=claim,
        first=plain.first,
        second=plain.second,
        margin=margin,
        difference=plain.difference,
        standard_error=plain.standard_error,
        statistic=statistic,
        p_value=p,
        interval=plain.interval,
        shown=bool(p <= 1 - level),
        df=plain.df,
    )
