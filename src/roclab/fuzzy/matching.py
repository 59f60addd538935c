"""Two clusterings of one image side by side: which class of one is which class of the other, and where they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from roclab._core.checks import plural
from roclab._core.text import text_table
from roclab._core.types import Array, Floats, frozen
from roclab.errors import InputError, Words
from roclab.fuzzy.robust import RobustClusters
from roclab.results.pictured import Pictured

__all__ = ["MatchedClusters", "PenaltySurface", "match_clusters", "penalty_surface"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MatchedClusters(Pictured):
    """Pairs of classes of two runs, by rising centres of the first."""

    first: RobustClusters
    second: RobustClusters
    names: tuple[str, str]
    pairs: tuple[tuple[int, int], ...]  # classes, from 0
    dice: tuple[float, ...]  # of the pixels that belong most to each pair
    apart: tuple[float, ...]  # mean difference of the memberships
    agreement: float  # share of pixels that belong most to the same pair

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair."""
        one, two = self.names
        return [
            {
                f"class of {one}": a + 1, f"class of {two}": b + 1,
                f"centre, {one}": float(self.first.centres[a, 0]), f"centre, {two}": float(self.second.centres[b, 0]),
                f"pixels, {one}": self.first.sizes[a], f"pixels, {two}": self.second.sizes[b], "Dice": dice,
                "mean |difference|": apart,
            }
            for (a, b), dice, apart in zip(self.pairs, self.dice, self.apart, strict=True)
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Everything but the images."""
        return {"names": list(self.names), "pairs": self.rows(), "agreement": self.agreement}

    def __str__(self) -> str:
        return f"{text_table(self.rows())}\n\n{self.agreement:.1%} of the pixels belong most to the same class"


def match_clusters(
    first: RobustClusters, second: RobustClusters, *, names: tuple[str, str] = ("first", "second")
) -> MatchedClusters:
    """Pair the classes of two runs on one image so that their memberships overlap most.

    The pairing has the largest sum over pixels of the products of memberships, among all pairings. Runs from other
    starts number their classes differently; a comparison needs them paired. O(pixels x classes²).

    Examples
    --------
    >>> import numpy as np, roclab as rl
    >>> image = np.repeat([[0.0, 9.0]], 6, axis=0).repeat(3, axis=1)
    >>> one, two = (rl.imaging.robust_cmeans(image, 2, beta=1, centres=start) for start in ([[0], [9]], [[9], [0]]))
    >>> found = rl.imaging.match_clusters(one, two)
    >>> found.pairs, found.agreement
    (((0, 1), (1, 0)), 1.0)
    """
    if first.memberships.shape != second.memberships.shape:
        raise InputError(
            "second", f"must have the classes and pixels of the first, {first.memberships.shape}",
            Words(f"{second.memberships.shape}"), "cluster the same image into as many classes",
        )  # fmt: skip
    u, v = (one.memberships.reshape(len(one.centres), -1) for one in (first, second))
    overlap = np.array([[float(np.vdot(a, b)) for b in v] for a in u])
    rows, columns = linear_sum_assignment(-overlap)
    order = np.argsort(first.centres[rows, 0], kind="stable")
    pairs = tuple((int(rows[at]), int(columns[at])) for at in order)
    one, two = first.labels, second.labels
    inside = (one >= 0) & (two >= 0)
    count = max(1, int(inside.sum()))
    same = [int(((one == a) & (two == b)).sum()) for a, b in pairs]
    sizes = [first.sizes[a] + second.sizes[b] for a, b in pairs]
    return MatchedClusters(
        first=first,
        second=second,
        names=names,
        pairs=pairs,
        dice=tuple(2 * both / max(1, size) for both, size in zip(same, sizes, strict=True)),
        apart=tuple(float(np.abs(u[a] - v[b]).sum(dtype=np.float64)) / count for a, b in pairs),
        agreement=sum(same) / count,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PenaltySurface(Pictured):
    """What two neighbours in two classes are fined for disagreeing, by the memberships of both."""

    own: Floats  # membership of the pixel in the first class
    neighbour: Floats  # that of its neighbour
    penalty: Array  # (own, neighbour)
    fuzziness: float

    def __post_init__(self) -> None:
        for one in (self.own, self.neighbour, self.penalty):
            frozen(one)

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair of memberships."""
        return [
            {"own": float(a), "neighbour": float(b), "penalty": float(self.penalty[i, j])}
            for i, a in enumerate(self.own)
            for j, b in enumerate(self.neighbour)
        ]

    def __str__(self) -> str:
        top = float(self.penalty.max())
        return (
            f"penalty of two neighbours in two classes, q = {self.fuzziness:g}: 0 in agreement, {top:g} at most; "
            + (f"{plural(self.penalty.size, 'pair')} of memberships")
        )


def penalty_surface(fuzziness: float = 2.0, *, points: int = 101) -> PenaltySurface:
    r"""The penalty that two neighbours add to the objective, :math:`a^q (1 - b)^q + (1 - a)^q b^q`, for two classes.

    a and b are the memberships of both in the first class. It is 0 where both belong to one class altogether and 1
    where they belong to different ones. At q = 1 the memberships themselves are multiplied, and between hard classes
    the surface is the saddle :math:`a + b - 2ab`; clustering needs q > 1, because q = 1 leaves no class fuzzy.

    >>> penalty_surface(points=3).penalty.tolist()
    [[0.0, 0.25, 1.0], [0.25, 0.125, 0.25], [1.0, 0.25, 0.0]]
    """
    if not 1 <= fuzziness < np.inf:
        raise InputError("fuzziness", "must be a finite number of at least 1", fuzziness, "2 is usual")
    line = np.linspace(0, 1, points)
    a, b = line[:, None], line[None, :]
    value = a**fuzziness * (1 - b) ** fuzziness + (1 - a) ** fuzziness * b**fuzziness
    return PenaltySurface(own=line, neighbour=line.copy(), penalty=value, fuzziness=float(fuzziness))
