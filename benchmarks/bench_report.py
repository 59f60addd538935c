"""Report and screening: whole analyses of 1e5 cases, in seconds, beside the time they may take."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import roclab as rl
from roclab.datasets import example_path


def seconds(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def rows() -> list[dict[str, Any]]:
    rng = np.random.default_rng(1)
    n = 100_000
    label = rng.integers(0, 2, n)
    scores = {"a": label + rng.normal(size=n), "b": 0.8 * label + rng.normal(size=n), "c": rng.normal(size=n)}
    scores["b"] = np.round(scores["b"], 2)  # one score with ties between classes, which cost the bands more
    noise = rng.normal(size=(100, n))
    markers = {f"m{k}": noise[k % 100] + 0.001 * k * label for k in range(1000)} | {"y": label}
    marked = {"label": "outcome", "pos_label": "deteriorated"}
    names = ["procalcitonin", "lactate", "concern"]
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        big = seconds(lambda: rl.write_report(page, label, scores, rng=1))
        big_size = page.stat().st_size
        small = seconds(lambda: rl.write_report(page, example_path(), score=names, rng=1, **marked))
        small_size = page.stat().st_size
    return [
        {"what": "report of the example (300 cases x 3)", "seconds": small, "limit": None, "kB": small_size / 1000},
        {"what": "report of 1e5 cases x 3, with bands", "seconds": big, "limit": 5.0, "kB": big_size / 1000},
        {"what": "screening of 1000 markers x 1e5 cases", "seconds": seconds(lambda: rl.screen(markers, label="y")),
         "limit": 5.0, "kB": None},
    ]  # fmt: skip
