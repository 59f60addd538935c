"""Fuzzy c-means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.blocks import BLOCK, blocks
from roclab._core.checks import check_count, check_positive, plural
from roclab._core.text import format_number, text_table
from roclab._core.types import Array, Floats, Ints, frozen
from roclab._core.work.seeds import spawn_generators
from roclab.errors import InputError, MissingValuesError, Words, named
from roclab.fuzzy.steps import CentreSums, memberships_of, squared_distances
from roclab.results import Result

__all__ = ["FuzzyClusters", "fuzzy_cmeans"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FuzzyClusters(Result):
    """Centres of fuzzy clusters, and how they were found."""

    centres: Floats  # (c, p)
    objective: Floats  # at the start and after each step; it never rises
    iterations: int
    converged: bool
    fuzziness: float
    n: int
    seed: str  # what the start was drawn from; empty when it was given

    def __post_init__(self) -> None:
        frozen(self.centres)
        frozen(self.objective)

    def memberships(self, x: Any) -> Floats:
        """Degrees (n, c) to which cases belong to the clusters; the only table of this size, made when asked for."""
        cases = _checked(x, self.centres.shape[1])
        out = np.empty((len(cases), len(self.centres)))
        for part in _parts(cases, self.centres):
            out[part] = memberships_of(squared_distances(cases[part], self.centres), self.fuzziness)
        return out

    def labels(self, x: Any) -> Ints:
        """The nearest centre of each case, which is the cluster it belongs to most; of equals the first."""
        cases = _checked(x, self.centres.shape[1])
        out = np.empty(len(cases), dtype=np.int64)
        for part in _parts(cases, self.centres):
            out[part] = squared_distances(cases[part], self.centres).argmin(axis=1)
        return out

    def nearest_cases(self, x: Any) -> Ints:
        """The row of the case nearest to each centre; of equals the first."""
        cases = _checked(x, self.centres.shape[1])
        best = np.full(len(self.centres), np.inf)
        row = np.zeros(len(self.centres), dtype=np.int64)
        for part in _parts(cases, self.centres):
            distance = squared_distances(cases[part], self.centres)
            at = distance.argmin(axis=0)
            near = distance[at, np.arange(at.size)]
            closer = near < best
            best[closer], row[closer] = near[closer], at[closer] + part.start
        return row

    def rows(self) -> list[dict[str, Any]]:
        """One row per cluster."""
        return [
            {"cluster": at + 1, **{f"x{k + 1}": float(value) for k, value in enumerate(centre)}}
            for at, centre in enumerate(self.centres)
        ]

    def __str__(self) -> str:
        run = f"{'converged' if self.converged else 'NOT CONVERGED'} in {plural(self.iterations, 'step')}"
        about = (
            f"{plural(len(self.centres), 'cluster')} of {plural(self.n, 'case')}, fuzziness {self.fuzziness:g}; {run}, "
            f"objective {format_number(float(self.objective[-1]))}"
        )
        return f"{text_table(self.rows())}\n\n{about}"


def fuzzy_cmeans(
    x: Any,
    clusters: int,
    *,
    fuzziness: float = 2.0,
    start: Any = None,
    rng: Any = None,
    max_iterations: int = 300,
    tolerance: float = 1e-6,
) -> FuzzyClusters:
    r"""Centres and memberships that minimise the fuzzy sum of squares [1]_.

    .. math:: J = \sum_i \sum_k u_{ik}^q \, \lVert x_i - v_k \rVert^2, \qquad \sum_k u_{ik} = 1

    Memberships for given centres and centres for given memberships are both minima of J, so J never rises. Each step
    does both in one pass over blocks of cases: no (n, c) table is kept, and the extra memory does not grow with n.
    O(n c p) a step.

    Parameters
    ----------
    x : array of shape (n,) or (n, p)
    clusters : int
        c, at most the number of distinct cases.
    fuzziness : float
        q > 1; near 1 memberships become 0 and 1.
    start : array of shape (c, p), optional
        Centres to start from; by default distinct cases drawn at random. A start from random memberships would put all
        centres beside the mean, from where many never part.
    rng : seed or Generator, optional
        For the start.
    tolerance : float
        The search ends when no centre moves by more than this part of the spread of the cases.

    Returns
    -------
    FuzzyClusters

    Notes
    -----
    A case on a centre belongs to it alone; on several, to each of them equally. Centres that coincide stay together:
    their updates are the same.

    References
    ----------
    .. [1] Bezdek JC. Pattern Recognition with Fuzzy Objective Function Algorithms. Plenum, 1981, chapter 3.

    Examples
    --------
    >>> found = fuzzy_cmeans([0.0, 1.0, 9.0, 10.0], 2, start=[[0.0], [10.0]])
    >>> found.centres.round(2).ravel().tolist(), found.converged
    ([0.5, 9.5], True)
    """
    cases = _checked(x)
    check_count(clusters, "clusters", least=1, way_out="2 or more make sense")
    check_positive(tolerance, "tolerance", way_out="1e-6 is usual")
    check_count(max_iterations, "max_iterations", least=1, way_out="300 is usual")
    if not 1 < fuzziness < np.inf:
        raise InputError("fuzziness", "must be a finite number above 1", fuzziness, "2 is usual")
    centres, seed = _start(cases, int(clusters), start, rng)
    spread = float(np.sqrt(np.sum(np.var(cases, axis=0))))
    objective: list[float] = []
    converged = False
    for _ in range(max_iterations):
        value, moved = _pass(cases, centres, fuzziness)
        objective.append(value)
        shift = float(np.sqrt(np.sum((moved - centres) ** 2, axis=1).max()))
        centres = moved
        if shift <= tolerance * spread:
            converged = True
            break
    objective.append(_pass(cases, centres, fuzziness)[0])
    return FuzzyClusters(
        centres=centres,
        objective=np.array(objective),
        iterations=len(objective) - 1,
        converged=converged,
        fuzziness=float(fuzziness),
        n=len(cases),
        seed=seed,
    )


def _pass(cases: Floats, centres: Floats, fuzziness: float) -> tuple[float, Floats]:
    """The objective at these centres with their best memberships, and the centres that follow from those."""
    sums = CentreSums(*centres.shape)
    total = 0.0
    for part in _parts(cases, centres):
        distance = squared_distances(cases[part], centres)
        weight = memberships_of(distance, fuzziness)
        if fuzziness == 2:
            np.multiply(weight, weight, out=weight)
        else:
            weight **= fuzziness
        sums.add(cases[part], weight)
        weight *= distance
        total += float(weight.sum())
    return total, sums.centres(centres)


def _parts(cases: Floats, centres: Floats) -> Any:
    """Blocks of cases whose distances to all centres stay in cache."""
    return blocks(len(cases), max(1, BLOCK // len(centres)))


def _start(cases: Floats, clusters: int, start: Any, rng: Any) -> tuple[Floats, str]:
    if start is not None:
        centres = _checked(start, cases.shape[1], name="start").copy()
        if len(centres) != clusters:
            raise InputError("start", f"must have a row for each of {clusters} clusters", Words(f"{len(centres)} rows"))
        return centres, ""
    distinct: Array = np.unique(cases, axis=0)
    if clusters > len(distinct):
        raise InputError(
            "clusters",
            f"must be at most the number of distinct cases, {len(distinct)}",
            clusters,
            "ask for fewer clusters",
        )
    (generator,), seed = spawn_generators(rng, 1)
    return distinct[generator.choice(len(distinct), clusters, replace=False)], seed


def _checked(x: Any, features: int | None = None, *, name: str = "x") -> Floats:
    try:
        table = np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(name, "must be a table of numbers", Words(type(x).__name__)) from None
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or table.size == 0:
        raise InputError(name, "must be a table with rows and columns", Words(f"shape {table.shape}"))
    if features is not None and table.shape[1] != features:
        raise InputError(name, f"must have {features} columns", Words(f"{table.shape[1]}"))
    if not np.isfinite(table).all():
        raise MissingValuesError(
            name,
            "must hold finite numbers only",
            Words("missing or infinite values"),
            f"drop or fill rows of {named(name)}",
        )
    return table
