"""Area: which area is meant, and the test of it against a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from roclab._core.checks import check_choice
from roclab.errors import InputError, Words, named
from roclab.names import ALTERNATIVES, AREA_TESTS, Alternative, AreaTest, Estimator
from roclab.options.folds import FoldKeywords
from roclab.options.group import Group, group
from roclab.options.region import RegionKeywords

__all__ = ["AreaKeywords", "NullKeywords", "NullTest"]


class NullKeywords(TypedDict, total=False):
    """A test of an area against a value."""

    null: float | None
    test: AreaTest | None
    alternative: Alternative


class EstimatorKeywords(TypedDict, total=False):
    """Which area."""

    estimator: Estimator | Sequence[Estimator] | None


class AreaKeywords(EstimatorKeywords, RegionKeywords, NullKeywords, FoldKeywords, total=False):
    """Which area, of which part of the curve, tested against which value."""


_NULL = {
    "null": "Test each area against this value, such as 0.5; H0: the area is this value.",
    "test": """Which test of the area (default: the one that agrees with the interval).

- "score", "wald", "logit": by the variance of the interval of that name
- "null": Mann-Whitney's variance, as SPSS; "tie_corrected" with ties
- "hanley_mcneil": the standard error that the null value implies
- "gaidyshev": as printed in the Russian text""",
    "alternative": """Alternative hypothesis (default two-sided).

- "two-sided": the area is another one
- "greater", "less": it is larger, smaller""",
}


@group(NullKeywords, _NULL)
@dataclass(frozen=True, kw_only=True)
class NullTest(Group):
    """A test of an area against a value, or none."""

    null: float | None = None
    test: AreaTest | None = None
    alternative: Alternative = "two-sided"

    def __post_init__(self) -> None:
        check_choice(self.alternative, "alternative", ALTERNATIVES)
        if self.test is not None:
            check_choice(self.test, "test", AREA_TESTS)
        for name, said in (("test", self.test is not None), ("alternative", self.alternative != "two-sided")):
            if said and self.null is None:
                raise InputError(name, "needs a value to test against", Words("none"), f"write {named('null', 0.5)}")


_ESTIMATOR = {
    "estimator": """Which area (default empirical, the AUC); several give a row each, all every one there is.

- "empirical": Mann-Whitney, a tie counts one half
- "optimistic", "pessimistic": ties counted as 1, as 0
- "gini": 2 AUC - 1
- "hull": under the convex hull
- "tauc" and its relatives: curves that rise early are rewarded
- "average_precision", "pr_integral", "pr_davis_goadrich", "pr_trapezoid": under the precision-recall curve
- "bedroc": early recognition, with alpha 20; ``Roc.enrichment(alpha=…)`` has others
- "binormal", "box_cox", "kernel_k1" and the other smooth curves of ``names.SMOOTH_MODELS``
- the letters MW, N, NT, K1, K1T, K2, K2T, RC of the literature""",
}


@group(EstimatorKeywords, _ESTIMATOR)
@dataclass(frozen=True, kw_only=True)
class _Estimators(Group):
    """Which area; the names are checked where they are computed."""

    estimator: Estimator | Sequence[Estimator] | None = None
