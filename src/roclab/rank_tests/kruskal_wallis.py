"""The Kruskal-Wallis test of several samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import chdtrc

from roclab._core.ranks import midranks, tie_sizes
from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words
from roclab.rank_tests.samples import sample_of
from roclab.results import Result

__all__ = ["KruskalWallis", "kruskal_wallis"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KruskalWallis(Result):
    """H with and without correction for ties, and its chi-squared p-values."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    mean_ranks: tuple[float, ...]
    between: float  # sum of squares between the groups, of the ranks
    h: float
    h_tie_corrected: float
    tie_correction: float
    df: int
    p_value: float  # of the corrected H
    p_uncorrected: float

    def rows(self) -> list[dict[str, Any]]:
        """One row per group, the test beside the first."""
        out: list[dict[str, Any]] = [
            {"group": name, "n": size, "mean rank": mean}
            for name, size, mean in zip(self.names, self.sizes, self.mean_ranks, strict=True)
        ]
        out[0] |= {"H": self.h_tie_corrected, "df": self.df, "p": self.p_value}
        return out


def kruskal_wallis(groups: Sequence[Any] | Mapping[str, Any]) -> KruskalWallis:
    r"""Kruskal-Wallis test that several samples have the same distribution, O(n log n).

    .. math:: H = \frac{\sum_i T_i^2 / n_i - T^2 / N}{N (N + 1) / 12}, \qquad
              H_c = H \Big/ \left[1 - \frac{\sum (t^3 - t)}{N^3 - N}\right]

    with rank sums :math:`T_i`, compared with chi-squared of g - 1 degrees of freedom. For two groups H is the square
    of the Mann-Whitney z.

    >>> test = kruskal_wallis([[6.4, 6.8, 7.2, 8.3], [2.5, 3.7, 4.9, 5.4], [1.3, 4.1, 4.9, 5.2]])
    >>> round(test.h_tie_corrected, 4), test.df
    (7.4202, 2)
    """
    named = dict(groups) if isinstance(groups, Mapping) else {str(at + 1): one for at, one in enumerate(groups)}
    if len(named) < 2:
        raise InputError("groups", "must hold at least two samples", Words(f"{len(named)}"), "give one per group")
    samples = {str(name): sample_of(values, f"group {name}") for name, values in named.items()}
    sizes = np.array([sample.size for sample in samples.values()])
    pooled = np.concatenate(list(samples.values()))
    total = pooled.size
    sums = np.add.reduceat(midranks(pooled), np.cumsum(sizes) - sizes)
    between = float(np.sum(sums**2 / sizes) - sums.sum() ** 2 / total)
    h = between / (total * (total + 1) / 12)
    ties = tie_sizes(pooled).astype(np.float64)
    correction = 1 - float(np.sum(ties**3 - ties)) / (total**3 - total) if total > 1 else 0.0
    df = len(samples) - 1
    flat = Undefined("all values are equal, so the ranks do not vary")
    corrected = h / correction if correction > 1e-15 else flat
    return KruskalWallis(
        names=tuple(samples),
        sizes=tuple(sizes.tolist()),
        mean_ranks=tuple((sums / sizes).tolist()),
        between=between,
        h=h,
        h_tie_corrected=corrected,
        tie_correction=correction,
        df=df,
        p_value=flat if isinstance(corrected, Undefined) else float(chdtrc(df, corrected)),
        p_uncorrected=float(chdtrc(df, h)),
    )
