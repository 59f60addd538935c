"""Non-inferiority and equivalence: is the difference inside a margin that would still be accepted?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_level, check_positive
from roclab._core.undefined import Undefined
from roclab.errors import InputError
from roclab.inference.comparison.contrasts import Difference, contrast_of, referred, score_contrast
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.p_values import p_of_z
from roclab.names import CLAIMS, Adjustment, Claim, ComparisonTest
from roclab.results import Interval, Result

__all__ = ["MarginTest", "alpha_of", "claim_of", "claim_words", "margin_test", "with_adjusted_claims"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginTest(Result):
    """Non-inferiority or equivalence of two areas within a margin.

    The claim is ``shown`` where the adjusted one-sided p-value is below ``alpha``: for one claim, where the two-sided
    interval lies inside the margin.
    """

    claim: str
    first: str
    second: str
    margin: float
    difference: float
    standard_error: float
    statistic: float
    p_value: float
    p_adjusted: float
    interval: Interval
    alpha: float  # of the one-sided tests
    shown: bool
    df: float = math.inf  # degrees of freedom of t; infinite for the normal distribution

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        level = f"{100 * self.interval.level:g}%"
        return [
            {
                "claim": self.claim,
                "first": self.first,
                "second": self.second,
                "margin": self.margin,
                "difference": self.difference,
                f"{level} low": self.interval.low,
                f"{level} high": self.interval.high,
                **({"z": self.statistic} if math.isinf(self.df) else {"t": self.statistic, "df": self.df}),
                "one-sided p": self.p_value,
                "adjusted p": self.p_adjusted,
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
    test: ComparisonTest | None = None,
) -> MarginTest:
    r"""Is ``first`` not worse than ``second`` by more than a margin, or equivalent within it?

    Non-inferiority: :math:`t = (A_1 - A_2 + \delta) / SE`, one-sided. Equivalence: two one-sided tests, the larger p.
    The score test has an SE for every margin, by which its intervals are made.
    Errors are those that regulators ask for: non-inferiority is tested at half of what the level leaves (2.5% at 0.95)
    and read from the two-sided interval of that level; equivalence at all of it (5%), and read from the interval of
    level 2 level - 1 (90%). A claim is shown exactly when that interval lies inside the margin.
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
    plain = contrast_of(covariance, weights, names=(first, second), level=matching_level(claim, level), test=test)
    by_score = referred(covariance, test) == "score"
    error_at = score_contrast(covariance, weights).error_at if by_score else None
    return claim_of(plain, margin=margin, claim=claim, level=level, error_at=error_at)


def alpha_of(claim: Claim, level: float) -> float:
    """The error of each one-sided test: 2.5% for non-inferiority and 5% for equivalence at level 0.95."""
    return round((1 - level) / (2 if claim == "non-inferiority" else 1), 12)  # 1 - 0.95 is not 0.05


def matching_level(claim: Claim, level: float) -> float:
    """Of the two-sided interval that lies inside the margin when the claim is shown."""
    return max(1 - 2 * alpha_of(claim, level), 1e-9)


def with_adjusted_claims(claims: Sequence[MarginTest], adjust: Adjustment) -> tuple[MarginTest, ...]:
    """The same claims with p-values adjusted over all of them, by which they are shown or not."""
    fixed = adjusted([claim.p_value for claim in claims], adjust)
    return tuple(replace(one, p_adjusted=p, shown=bool(p < one.alpha)) for one, p in zip(claims, fixed, strict=True))


def claim_words(claims: Sequence[MarginTest], adjust: str) -> str:
    """What makes a claim shown, and what its limits say."""
    alpha = f"{100 * claims[0].alpha:g}%"
    if len(claims) < 2 or adjust == "none":
        each = ", each claim alone" if len(claims) > 1 else ""
        return f"shown: the one-sided p is below {alpha}, so the interval lies inside the margin{each}"
    return (
        f"shown: the one-sided p, adjusted by {adjust} over {len(claims)} claims, is below {alpha}; limits are for "
        "each claim alone"
    )


def claim_of(
    plain: Difference, *, margin: float, claim: Claim, level: float, error_at: Callable[[float], float] | None = None
) -> MarginTest:
    """The claim about a difference that is known already, with its interval at the matching level.

    ``error_at`` gives the standard error for a true difference, where it depends on it.
    """
    if plain.standard_error == 0 and error_at is None:
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
        p_adjusted=p,
        interval=plain.interval,
        alpha=alpha_of(claim, level),
        shown=bool(p < alpha_of(claim, level)),
        df=plain.df,
    )
