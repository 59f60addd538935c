"""Reader studies: areas, covariances, means, differences and the F test from a table of readings."""

from __future__ import annotations

from typing import Any

import roclab as rl
from measure import best_of_each

_CALLS: dict[str, dict[str, Any]] = {
    "delong": {},
    "jackknife": {"covariance": "jackknife"},
    "unbiased": {"covariance": "unbiased"},
    "DBM": {"method": "dbm"},
    "bootstrap, 200 replicates": {"covariance": "bootstrap", "resampling": 200, "rng": 1},
}


def rows() -> list[dict[str, Any]]:
    """Twenty readers, two modalities, 500 + 500 cases: 40 000 ratings."""
    table = rl.readers.simulate(readers=20, n_pos=500, n_neg=500, rng=1)
    out: list[dict[str, Any]] = []
    for name, asked in _CALLS.items():
        (seconds,) = best_of_each([lambda asked=asked: rl.readers.mrmc(table, **asked)])
        limit = 1.0 if name == "delong" else None
        out.append({"what": f"20 readers x 2 modalities x 1000 cases, {name}", "s": seconds, "limit, s": limit})
    return out
