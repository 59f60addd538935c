r"""How probable is it that one model is better, by more than does not matter? The correlated Bayesian t test.

Differences :math:`d_1 \dots d_J` of two models over splits that share training cases, with a flat prior for their mean
and the logarithm of their spread, have a mean whose posterior is Student's t with J - 1 degrees of freedom around
:math:`\bar d`, of scale

.. math:: s \sqrt{\frac1J + \frac{\rho}{1 - \rho}}, \qquad \rho = \frac{n_2}{n_1 + n_2},

with :math:`n_1` cases to train and :math:`n_2` to test; :math:`\rho / (1 - \rho) = n_2 / n_1` is what Nadeau and Bengio
add. The posterior is cut at both ends of a region around 0 in which a difference is of no practical importance.

References
----------
Corani G, Benavoli A. A Bayesian approach for comparing cross-validated algorithms on multiple data sets. Machine
Learning 2015;100:285-304. doi:10.1007/s10994-015-5486-z
Benavoli A, Corani G, Demšar J, Zaffalon M. Time for a change: a tutorial for comparing multiple classifiers through
Bayesian analysis. Journal of Machine Learning Research 2017;18(77):1-36.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from scipy.special import stdtr

from roclab._core.text import text_table
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words
from roclab.results import Result

__all__ = ["PracticalComparison", "PracticalPair", "practical_comparison"]

_SAME = 1e-12  # differences that spread less are the same in every split


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticalPair(Result):
    """Two models: how probable each is better by more than the region, and that they are practically the same."""

    first: str
    second: str
    difference: float
    first_better: float
    same: float
    second_better: float

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "first": self.first,
                "second": self.second,
                "difference": self.difference,
                "first better": self.first_better,
                "practically the same": self.same,
                "second better": self.second_better,
            }
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PracticalComparison(Result):
    """All pairs of models."""

    quantity: str
    region: float
    splits: int
    pairs: tuple[PracticalPair, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair."""
        return [row for pair in self.pairs for row in pair.rows()]

    def pair(self, first: str, second: str) -> PracticalPair:
        """One pair, in the order asked for."""
        for one in self.pairs:
            if (one.first, one.second) == (first, second):
                return one
            if (one.second, one.first) == (first, second):
                return PracticalPair(
                    first=first, second=second, difference=-one.difference, first_better=one.second_better,
                    same=one.same, second_better=one.first_better,
                )  # fmt: skip
        raise InputError("first", "and second must be two of the models", Words(f"{first!r} and {second!r}"))

    def __str__(self) -> str:
        same = f"{self.quantity} differs by less than {self.region:g}" if self.region else "not asked"
        words = f"probabilities over {self.splits} splits; practically the same: {same}"
        return "\n".join(
            [text_table(self.rows()), "", words, "correlated Bayesian t (Corani and Benavoli)", *self.notes]
        )


def practical_comparison(
    values: Mapping[str, Floats],
    *,
    quantity: str,
    region: float,
    test_to_train: float,
    lower_is_better: bool = False,
    notes: tuple[str, ...] = (),
) -> PracticalComparison:
    """All pairs of models, each measured on the same splits; ``test_to_train`` is n2 / n1. O(J) a pair.

    With ``lower_is_better`` the quantity is a loss.

    >>> import numpy as np
    >>> areas = {"a": np.array([0.82, 0.84, 0.83, 0.86]), "b": np.array([0.80, 0.81, 0.82, 0.83])}
    >>> one = practical_comparison(areas, quantity="AUC", region=0.01, test_to_train=1 / 3).pairs[0]
    >>> round(one.first_better, 4), round(one.same, 4), round(one.second_better, 4)
    (0.907, 0.0824, 0.0106)
    """
    if not 0 <= region < math.inf:
        raise InputError("region", "must be 0 or more", region, "write the largest difference that does not matter")
    pairs = []
    for first, second in combinations(values, 2):
        differences = values[first] - values[second]
        below, inside, above = _shares(differences, region, test_to_train)
        better, worse = (below, above) if lower_is_better else (above, below)
        pairs.append(
            PracticalPair(
                first=first, second=second, difference=float(differences.mean()), first_better=better, same=inside,
                second_better=worse,
            )
        )  # fmt: skip
    splits = int(next(iter(values.values())).size)
    return PracticalComparison(quantity=quantity, region=region, splits=splits, pairs=tuple(pairs), notes=notes)


def _shares(differences: Floats, region: float, test_to_train: float) -> tuple[float, float, float]:
    """The posterior below, inside and above the region."""
    count, mean = differences.size, float(differences.mean())
    spread = float(differences.std(ddof=1)) if count > 1 else 0.0
    if count < 2 or spread <= _SAME:
        why = Undefined("the difference is the same in every split, so their spread says nothing")
        return why, why, why
    scale = spread * math.sqrt(1 / count + test_to_train)
    low, high = (float(stdtr(count - 1, (end - mean) / scale)) for end in (-region, region))
    above = float(stdtr(count - 1, (mean - region) / scale))  # from the other side, where 1 - high would round
    return low, max(high - low, 0.0), above
