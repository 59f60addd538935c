"""Simulation studies: the published tables with 1000 replicates, and many samples at once beside one by one."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from measure import best_of_each, peak_extra_memory
from roclab.studies.designs import SEVEN, TABLES, table_design
from roclab.studies.estimators import estimate_all, estimate_one
from roclab.studies.reproduction import reproduce
from roclab.studies.runner import run_study

SAMPLES = 50


def rows() -> list[dict[str, Any]]:
    return [*_batches(), *_tables(), *_reproduction()]


def _batches() -> list[dict[str, Any]]:
    """A chunk of samples at once and one by one, all seven estimators."""
    out = []
    for cell in table_design("II").cells():
        if cell.condition.label != "AUC=0.8":
            continue
        rng = np.random.default_rng(0)
        pos = cell.condition.positive.draw(rng, (SAMPLES, cell.n_pos))
        neg = cell.condition.negative.draw(rng, (SAMPLES, cell.n_neg))

        def at_once(pos: Any = pos, neg: Any = neg) -> None:
            estimate_all(SEVEN, pos, neg)

        def one_by_one(pos: Any = pos, neg: Any = neg) -> None:
            for name in SEVEN:
                for x, y in zip(pos, neg, strict=True):
                    estimate_one(name, x, y)

        batch, single = best_of_each([at_once, one_by_one])
        out.append(
            {
                "what": f"{SAMPLES} samples, n = {cell.n_pos}, seven estimators",
                "s": batch,
                "MB": peak_extra_memory(at_once) / 1e6,
                "one by one / at once": single / batch,
                "limit s": None,
            }
        )
    return out


def _tables() -> list[dict[str, Any]]:
    out = []
    for name, tables, limit in (
        ("tables I to IX, 1000 replicates, two threads", [one for one in TABLES if one != "X"], 300.0),
        ("table X (binormal), 100 replicates, two threads", ["X"], None),
    ):
        begun = time.perf_counter()
        run_study([TABLES[one] for one in tables], replicates=1000 if limit else 100, rng=1, workers=2)
        out.append({"what": name, "s": time.perf_counter() - begun, "limit s": limit})
    return out


def _reproduction() -> list[dict[str, Any]]:
    begun = time.perf_counter()
    reproduce()
    return [{"what": "the printed results of all texts, quick run", "s": time.perf_counter() - begun, "limit s": 60.0}]
