"""Smirnov's test for several samples: the largest gap between any two of their distribution functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_count
from roclab._core.types import Floats, Ints
from roclab._core.work import Progress
from roclab._core.work.replicates import repeat
from roclab.errors import InputError, Words
from roclab.rank_tests.samples import sample_of
from roclab.results import Result

__all__ = ["SmirnovOfGroups", "smirnov_of_groups"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SmirnovOfGroups(Result):
    """The largest distance between two of several empirical distribution functions."""

    sizes: Mapping[str, int]
    statistic: float
    between: tuple[str, str]  # the samples that lie farthest apart
    location: float
    p_value: float
    permutations: int
    method: str

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "groups": len(self.sizes),
                "statistic": self.statistic,
                "between": " and ".join(self.between),
                "at": self.location,
                "p": self.p_value,
                "method": self.method,
            }
        ]

    def __str__(self) -> str:
        sizes = ", ".join(f"{size} {name}" for name, size in self.sizes.items())
        return f"{Result.__str__(self)}\n\n{sizes}"


def smirnov_of_groups(
    samples: Mapping[str, Any] | Sequence[Any],
    *,
    permutations: int = 2000,
    rng: Any = None,
    progress: Progress | None = None,
) -> SmirnovOfGroups:
    r"""Smirnov's statistic over k samples, :math:`T = \max_{i<j} \sup_x |S_i(x) - S_j(x)|`, by permutation.

    The null distribution is that of the pooled values dealt out anew, which holds for any sizes and for ties;
    p = (1 + #{T* >= T}) / (1 + permutations). O(k n) a permutation after one sort.

    References
    ----------
    Birnbaum ZW, Hall RA. Small sample distributions for multi-sample statistics of the Smirnov type. Ann Math Stat
    1960;31:710-720. Conover WJ. Practical Nonparametric Statistics, 3rd ed., 1999, section 6.4.

    Examples
    --------
    >>> found = smirnov_of_groups({"a": [1, 2, 3, 4], "b": [5, 6, 7, 8], "c": [3, 4, 5, 6]}, permutations=199, rng=1)
    >>> found.statistic, found.between
    (1.0, ('a', 'b'))
    """
    check_count(permutations, "permutations", least=1, way_out="2000 gives p-values to about 0.01")
    named = dict(samples) if isinstance(samples, Mapping) else {str(at + 1): one for at, one in enumerate(samples)}
    if len(named) < 2:
        raise InputError("", "the test needs at least two samples", Words(len(named)), "name another group")
    values = {str(name): sample_of(one, str(name)) for name, one in named.items()}
    names, sizes = list(values), np.array([value.size for value in values.values()])
    pooled = np.concatenate(list(values.values()))
    group = np.repeat(np.arange(len(names)), sizes)
    order = np.argsort(pooled, kind="stable")
    ordered = pooled[order]
    last = np.append(ordered[1:] != ordered[:-1], True)  # where every tie group ends
    heights = _heights(group[order], sizes, last)
    gap = heights.max(axis=0) - heights.min(axis=0)
    at = int(np.argmax(gap))
    observed = float(gap[at])
    between = (names[int(np.argmax(heights[:, at]))], names[int(np.argmin(heights[:, at]))])

    def drawn(generator: np.random.Generator) -> float:
        shuffled = _heights(generator.permutation(group), sizes, last)
        return float((shuffled.max(axis=0) - shuffled.min(axis=0)).max())

    found = np.empty(permutations)
    seed = repeat(drawn, found, rng=rng, progress=progress)
    reached = int(np.count_nonzero(found >= observed - 1e-12))
    first, second = sorted(between, key=names.index)
    return SmirnovOfGroups(
        sizes={name: int(size) for name, size in zip(names, sizes, strict=True)},
        statistic=observed,
        between=(first, second),
        location=float(ordered[last][at]),
        p_value=(1 + reached) / (1 + permutations),
        permutations=permutations,
        method=f"{permutations} permutations, seed {seed}",
    )


def _heights(group: Ints, sizes: Ints, last: Any) -> Floats:
    """Every sample's distribution function at every distinct value."""
    return np.vstack([np.cumsum(group == at)[last] / size for at, size in enumerate(sizes)])
