"""Areas, covariances and influences of many simulated factorial reader studies at once, for the coverage tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab.reading_studies.readings import Readings
from roclab.reading_studies.roe_metz import RoeMetz, simulate_ratings
from roclab.results import Sample

_AT_ONCE = 2**23  # comparisons


@dataclass(frozen=True)
class Drawn:
    """One study: areas of cells, covariance matrix by name, influence of cases on the cells."""

    values: np.ndarray
    matrices: dict[str, np.ndarray]
    columns: np.ndarray


def readings(ratings: np.ndarray, n_pos: int) -> Readings:
    """A complete factorial study."""
    t, r, n = ratings.shape
    return Readings(
        modalities=tuple(f"m{i}" for i in range(t)),
        readers=tuple(f"r{j}" for j in range(r)),
        cases=tuple(map(str, range(n))),
        label=np.arange(n) < n_pos,
        cells=tuple(itertools.product(range(t), range(r))),
        rating=ratings.reshape(t * r, n),
        sample=Sample(n_pos=n_pos, n_neg=n - n_pos),
        design="factorial",
        group=np.zeros(r, np.int64),
    )


def studies(
    model: RoeMetz, areas: tuple[float, ...], r: int, size: tuple[int, int], count: int, rng: Any,
    covariances: tuple[str, ...] = ("delong",), cuts: np.ndarray | None = None,
) -> Iterator[Drawn]:  # fmt: skip
    """Simulated studies, one after the other, counted many at a time; without ties unless ratings are cut."""
    shifts = np.array([model.shift(one) for one in areas])
    cells = len(areas) * r
    batch = max(_AT_ONCE // (cells * size[0] * size[1]), 1)
    for start in range(0, count, batch):
        ratings = np.array(
            [
                simulate_ratings(model, shifts, readers=r, n_pos=size[0], n_neg=size[1], generator=rng)
                for _ in range(min(batch, count - start))
            ]
        ).reshape(-1, cells, sum(size))
        if cuts is not None:
            ratings = np.searchsorted(cuts, ratings).astype(np.float64)
        yield from _counted(ratings, size, covariances, tied=cuts is not None)


def _counted(ratings: np.ndarray, size: tuple[int, int], covariances: tuple[str, ...], tied: bool) -> Iterator[Drawn]:
    p, n = size
    one, other = ratings[..., :p, None], ratings[..., None, p:]
    wins = (one > other).astype(np.float32)
    if tied:
        wins += np.float32(0.5) * (one == other)
    places = (wins.mean(axis=3, dtype=np.float64), wins.mean(axis=2, dtype=np.float64))
    values = places[0].mean(axis=2)
    inside = [one - values[..., None] for one in places]
    columns = np.concatenate([one / np.sqrt(k * (k - 1)) for one, k in zip(inside, size, strict=True)], axis=2)
    found: dict[str, np.ndarray] = {}
    if "delong" in covariances:
        found["delong"] = columns @ columns.swapaxes(1, 2)
    if "jackknife" in covariances:  # the area without a case is the area less its centred placement / (k - 1)
        total = p + n
        left = np.concatenate([one / (k - 1) for one, k in zip(inside, size, strict=True)], axis=2)
        found["jackknife"] = left @ left.swapaxes(1, 2) * (total - 1) / total
    if "unbiased" in covariances:  # pairs of comparisons that share no case, from those that share some
        flat = wins.reshape(*values.shape, -1).astype(np.float64)
        both = flat @ flat.swapaxes(1, 2)
        rows = (places[0] * n) @ (places[0] * n).swapaxes(1, 2)
        across = (places[1] * p) @ (places[1] * p).swapaxes(1, 2)
        product = values[:, :, None] * values[:, None, :]
        apart = (product * (p * n) ** 2 - rows - across + both) / (p * (p - 1) * n * (n - 1))
        found["unbiased"] = product - apart
    for at in range(len(values)):
        yield Drawn(values[at], {name: one[at] for name, one in found.items()}, columns[at])
