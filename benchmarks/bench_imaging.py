"""Robust fuzzy c-means beside scikit-fuzzy's plain one, which does less: no neighbours, no mask, one thread."""

from __future__ import annotations

import resource
import time
from typing import Any

import numpy as np

from roclab.fuzzy.robust import robust_cmeans

CLUSTERS, STEPS = 4, 5


def rows() -> list[dict[str, Any]]:
    return [_row((512, 512)), _row((32, 512, 512)), _memory((64, 512, 512))]


def _image(shape: tuple[int, ...]) -> Any:
    rng = np.random.default_rng(0)
    return (rng.integers(0, CLUSTERS, size=shape) * 100 + rng.normal(size=shape) * 30).astype(np.float32)


def _row(shape: tuple[int, ...]) -> dict[str, Any]:
    image = _image(shape)
    best = min(_seconds(image) for _ in range(3))
    peer = _peer(image.ravel()[: 512 * 512][None])
    words = " x ".join(map(str, shape))
    return {
        "what": f"one step on {words}, {CLUSTERS} classes, ns a pixel",
        "ns": 1e9 * best / STEPS / image.size,
        "peer": "scikit-fuzzy cmeans, without neighbours",
        "peer / ours": None if peer is None else peer / (best / STEPS / image.size),
        "target": 3.0,
    }


def _seconds(image: Any) -> float:
    start = np.random.default_rng(1).random((CLUSTERS, *image.shape), dtype=np.float32)
    start /= start.sum(axis=0)
    begun = time.perf_counter()
    robust_cmeans(image, CLUSTERS, beta=1000.0, update="synchronous", max_iterations=STEPS, memberships=start, stop=0.0)
    return time.perf_counter() - begun


def _peer(values: Any) -> float | None:
    """Seconds of one step for one pixel; None where scikit-fuzzy is not installed."""
    try:
        from skfuzzy import cmeans
    except ImportError:
        return None
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        cmeans(values, CLUSTERS, 2, error=0, maxiter=STEPS, seed=0)
        times.append(time.perf_counter() - begun)
    return min(times) / STEPS / values.size


def _memory(shape: tuple[int, ...]) -> dict[str, Any]:
    image = _image(shape)
    memberships = CLUSTERS * image.nbytes
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    robust_cmeans(image, CLUSTERS, beta=1000.0, update="synchronous", max_iterations=2, stop=0.0)
    extra = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    words = " x ".join(map(str, shape))
    return {"what": f"most extra memory on {words}, in copies of the memberships", "ratio": extra / memberships,
            "limit": 2.5}  # fmt: skip


if __name__ == "__main__":
    from roclab._core.text import text_table

    print(text_table(rows()))
