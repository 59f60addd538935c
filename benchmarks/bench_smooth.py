"""Smooth curves: time and memory of one fit, from a ready tally."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from measure import best_of_each, peak_extra_memory
from roclab.data.tally import Tally
from roclab.smooth.methods import SMOOTH_METHODS

LIMITS = {"binormal": (5_000, 0.2), "kernel_k1": (100_000, 5.0), "kernel_k2": (100_000, 5.0)}  # per class, seconds


def rows() -> list[dict[str, Any]]:
    """One row per method and size: seconds, megabytes of extra memory, and the target where there is one."""
    rng = np.random.default_rng(0)
    table = []
    for n in (100, 5_000, 100_000):
        pos, neg = np.exp(rng.normal(1, 1.2, n)), np.exp(rng.normal(0, 1, n))
        every, shares = Tally.from_samples(pos, neg), Tally.from_samples(pos / (1 + pos), neg / (1 + neg))
        for name, method in SMOOTH_METHODS.items():
            run = partial(method.fit, shares if name == "fitted_beta" else every)  # it is a distribution of shares
            seconds, memory = best_of_each([run], seconds=0.5)[0], peak_extra_memory(run)
            size, limit = LIMITS.get(name, (None, None))
            table.append(
                {"method": name, "n": 2 * n, "s": seconds, "MB": memory / 1e6, "limit": limit if n == size else None}
            )
    return table


def main() -> None:
    print(f"{'method':24} {'n':>8} {'ms':>10} {'MB':>8}  limit")
    for row in rows():
        limit = "" if row["limit"] is None else f"{1e3 * row['limit']:.0f} ms"
        print(f"{row['method']:24} {row['n']:8,} {1e3 * row['s']:10.2f} {row['MB']:8.1f}  {limit}")


if __name__ == "__main__":
    main()
