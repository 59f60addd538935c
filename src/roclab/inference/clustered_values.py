r"""Several numbers of the same cases with their covariance from case to case: intervals and differences by Student's t.

Where every case brings many observations, cases are what varies, and they are few. A standard error from I cases has
I - 1 degrees of freedom. Numbers between two bounds get intervals on the logit scale, which stay between them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import expit, stdtr, stdtrit

from roclab._core.types import Floats, frozen
from roclab._core.undefined import Undefined
from roclab.inference.comparison.contrasts import Difference
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.comparison.multiplicity import adjusted
from roclab.names import Adjustment
from roclab.results import Interval

__all__ = ["ClusteredValues", "values_of_areas"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClusteredValues:
    """Values by name, their covariance, and the number of cases behind them."""

    quantity: str
    names: tuple[str, ...]
    values: Floats
    matrix: Floats
    cases: int
    method: str
    bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        frozen(self.values)
        frozen(self.matrix)

    def error(self, name: str) -> float:
        """Standard error of one value."""
        at = self.names.index(name)
        return self._root(float(self.matrix[at, at]))

    def _root(self, variance: float) -> float:
        if self.cases < 2:
            return Undefined("one case shows no spread between cases")
        if math.isnan(variance):
            return Undefined("the value itself is undefined")
        return math.sqrt(max(variance, 0.0))

    def interval(self, name: str, *, level: float) -> Interval:
        """Interval of one value, by t, on the logit scale where there are bounds."""
        value, error = float(self.values[self.names.index(name)]), self.error(name)
        if isinstance(error, Undefined):
            return Interval(low=error, high=error, level=level, method=self.method)
        method = f"{self.method}, t with {self.cases - 1} df"
        half = float(stdtrit(self.cases - 1, 0.5 + level / 2)) * error
        low, high = value - half, value + half
        if self.bounds is not None:
            least, most = self.bounds
            share = (value - least) / (most - least)
            method += ", logit"
            low, high = value, value
            if 0 < share < 1:
                slope = half / (most - least) / (share * (1 - share))
                middle = math.log(share / (1 - share))
                low, high = (float(least + (most - least) * expit(middle + way * slope)) for way in (-1, 1))
        return Interval(low=low, high=high, level=level, method=method)

    def pairs(self, *, level: float, adjust: Adjustment = "holm", first: str | None = None) -> tuple[Difference, ...]:
        """All pairs, first minus second, by t; or those of one value with each other one."""
        found = []
        whole = list(combinations(range(len(self.names)), 2))
        if first is not None:
            at = self.names.index(first)
            whole = [(at, other) for other in range(len(self.names)) if other != at]
        for i, j in whole:
            gap = float(self.values[i] - self.values[j])
            error = self._root(float(self.matrix[i, i] + self.matrix[j, j] - 2 * self.matrix[i, j]))
            t = gap / error if error > 0 else Undefined("the difference does not vary between cases")
            p = t if isinstance(t, Undefined) else float(2 * stdtr(self.cases - 1, -abs(t)))
            half = float(stdtrit(max(self.cases - 1, 1), 0.5 + level / 2)) * error
            ends = (error, error) if isinstance(error, Undefined) else (gap - half, gap + half)
            limits = Interval(low=ends[0], high=ends[1], level=level, method=f"{self.method}, t")
            found.append((self.names[i], self.names[j], gap, error, limits, t, p))
        fixed = adjusted([one[6] for one in found], adjust)
        return tuple(
            Difference(
                first=one, second=two, difference=gap, standard_error=error, interval=limits, statistic=t,
                p_value=p, p_adjusted=q, alternative="two-sided", hypothesis=f"{one} - {two} = 0",
                df=float(self.cases - 1),
            )
            for (one, two, gap, error, limits, t, p), q in zip(found, fixed, strict=True)
        )  # fmt: skip


def values_of_areas(covariance: AreaCovariance, cases: int) -> ClusteredValues:
    """Areas with Obuchowski's covariance, without the correction for cases that were placed alike by chance."""
    assert covariance.area is not None
    return ClusteredValues(
        quantity=covariance.area.quantity, names=covariance.names, values=np.array(covariance.areas),
        matrix=np.array(covariance.matrix), cases=cases, method=covariance.method, bounds=covariance.area.bounds,
    )  # fmt: skip
