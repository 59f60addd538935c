"""Stakes: what the four outcomes of a decision are worth, and how common the positive class is.

An error costs what it costs and forgoes the benefit of the right decision. Only this sum, the *regret*, decides where
to cut: benefits change which point is best as much as costs do, and shift the expected cost of every point alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_fraction, check_not_negative, check_positive
from roclab._core.types import Floats

__all__ = ["Stakes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    r"""Prevalence :math:`\pi`, costs of both errors and benefits of both right decisions, all as positive numbers.

    >>> stakes = Stakes(prevalence=0.5, cost_fp=2, cost_fn=4, benefit_tp=1, benefit_tn=1)
    >>> stakes.regret_fp, stakes.regret_fn, stakes.slope
    (3.0, 5.0, 0.6)
    """

    prevalence: float
    cost_fp: float = 1.0
    cost_fn: float = 1.0
    benefit_tp: float = 0.0
    benefit_tn: float = 0.0

    def __post_init__(self) -> None:
        checked = {
            "prevalence": check_fraction(self.prevalence, "prevalence", way_out="write 0.1 for 10%", open_ends=True),
            "cost_fp": check_positive(self.cost_fp, "cost_fp", way_out=_RATIO),
            "cost_fn": check_positive(self.cost_fn, "cost_fn", way_out=_RATIO),
            "benefit_tp": check_not_negative(self.benefit_tp, "benefit_tp", way_out=_WORTH),
            "benefit_tn": check_not_negative(self.benefit_tn, "benefit_tn", way_out=_WORTH),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def regret_fp(self) -> float:
        """What a false positive loses against a true negative, c_FP + b_TN."""
        return self.cost_fp + self.benefit_tn

    @property
    def regret_fn(self) -> float:
        """What a false negative loses against a true positive, c_FN + b_TP."""
        return self.cost_fn + self.benefit_tp

    @property
    def slope(self) -> float:
        """Slope of the lines of equal expected cost, (1 - π) (c_FP + b_TN) / (π (c_FN + b_TP))."""
        return (1 - self.prevalence) * self.regret_fp / (self.prevalence * self.regret_fn)

    @property
    def gain(self) -> float:
        """Expected benefit of a perfect score, π b_TP + (1 - π) b_TN; below 0 by so much is its expected cost."""
        return self.prevalence * self.benefit_tp + (1 - self.prevalence) * self.benefit_tn

    @property
    def largest_regret(self) -> float:
        """Expected regret of calling every case wrongly."""
        return self.prevalence * self.regret_fn + (1 - self.prevalence) * self.regret_fp

    @property
    def trivial(self) -> float:
        """Expected cost of always giving the cheaper answer."""
        return min(self.prevalence * self.regret_fn, (1 - self.prevalence) * self.regret_fp) - self.gain

    def cost(self, fpr: Any, tpr: Any) -> Floats:
        """Expected cost per case, less the expected benefit, at points of ROC space."""
        f, t = np.asarray(fpr, dtype=np.float64), np.asarray(tpr, dtype=np.float64)
        regret: Floats = self.prevalence * self.regret_fn * (1 - t) + (1 - self.prevalence) * self.regret_fp * f
        return regret - self.gain

    def given(self) -> dict[str, float]:
        """Everything by name; benefits only where there are some."""
        out = {"prevalence": self.prevalence, "cost_fp": self.cost_fp, "cost_fn": self.cost_fn}
        return out | {name: getattr(self, name) for name in ("benefit_tp", "benefit_tn") if getattr(self, name)}


_RATIO = "only the ratio of both costs matters, 1 is usual"
_WORTH = "write what a right decision is worth in the units of the costs, or leave it out"
