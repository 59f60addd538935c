"""How long decisions take: the whole cut-off table, one question to it, cut-offs, and the hull of many curves."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import roclab as rl
from roclab.curves.roc import RocCurve, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.confusion import confusion_at
from roclab.decisions.coordinates import coordinates
from roclab.decisions.cutoff_bootstrap import bootstrap_cutoff
from roclab.decisions.cutoffs import find_cutoff
from roclab.decisions.h_measure import h_measure
from roclab.decisions.hull_table import hull_table
from roclab.decisions.smooth_cutoffs import kernel_cutoff, normal_cutoff
from roclab.decisions.smoothed_criteria import local_cutoff
from roclab.options.criterion import CriterionOptions
from roclab.options.uncertainty import Draws, Resampling

Task = tuple[str, Callable[[], Any], float | None]  # words, what to run, allowed seconds


def shortest(function: Callable[[], Any], seconds: float = 0.6) -> float:
    """Shortest of several runs."""
    best, end, runs = float("inf"), time.perf_counter() + seconds, 0
    while runs < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
        runs += 1
    return best


def many_curves(count: int, points: int) -> dict[str, RocCurve]:
    rng = np.random.default_rng(1)
    half = points // 2
    curves = {}
    for at in range(count):
        pos = rng.normal(0.5 + rng.random(), 0.5 + rng.random(), half)
        curves[f"curve {at}"] = roc_curve(Tally.from_samples(pos, rng.normal(size=points - half)))
    return curves


def tasks(n: int) -> list[Task]:
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, n)
    score = rng.normal(size=n) + label
    tally = rl.read_cases(label, score).tally()
    table = coordinates(tally)
    small = rl.read_cases(label[:1000], score[:1000]).tally()
    curves = many_curves(50, n // 10)
    area = shortest(lambda: rl.auc(label, score, interval=None))
    hundred = label[:100_000]
    five = {f"test {at}": hundred + rng.normal(size=hundred.size) for at in range(5)}
    two = {name: five[name] for name in list(five)[:2]}
    return [
        ("AUC from arrays", lambda: rl.auc(label, score, interval=None), None),
        (
            "cut-off table with every metric, from arrays",
            lambda: coordinates(rl.read_cases(label, score).tally()).columns(),
            10 * area,
        ),
        ("every metric of a built table", table.columns, None),
        ("matrix and all metrics at a threshold, built table", lambda: table.at(0.4).metrics(), 1e-3),
        ("matrix and all metrics at a threshold, from the tally", lambda: confusion_at(tally, 0.4).metrics(), 1e-3),
        ("Youden", lambda: find_cutoff(tally), None),
        ("cost", lambda: find_cutoff(tally, CriterionOptions(criterion="cost", prevalence=0.1, cost_fn=5)), None),
        (
            "specificity with sensitivity >= 0.9",
            lambda: find_cutoff(tally, CriterionOptions(require={"tpr": 0.9})),
            None,
        ),
        ("kernel cut-off", lambda: kernel_cutoff(tally), None),
        ("normal cut-off", lambda: normal_cutoff(tally), None),
        ("local regression", lambda: local_cutoff(tally), None),
        ("H-measure", lambda: h_measure(tally), None),
        (
            "bootstrap of the cut-off, 1000 cases, 2000 replicates",
            lambda: bootstrap_cutoff(small, drawn=Draws(rng=1, resampling=Resampling(replicates=2000))),
            None,
        ),
        (
            "rates of two tests at a threshold, 700 cases",
            lambda: rl.compare(label[:700], {name: one[:700] for name, one in two.items()}, threshold=0.5),
            0.010,
        ),
        ("rates of five tests at a threshold, 100,000 cases", lambda: rl.compare(hundred, five, threshold=0.5), 0.2),
        (f"hull table of 50 curves with {n // 10:,} points", lambda: hull_table(curves), 1.0),
    ]


def rows(n: int = 1_000_000) -> list[dict[str, Any]]:
    """One row per task: seconds, and the seconds allowed where there is a limit."""
    return [{"task": words, "n": n, "seconds": shortest(run), "limit": limit} for words, run, limit in tasks(n)]


def main() -> None:
    print(f"{'task':56} {'ms':>10} {'limit ms':>10}")
    for row in rows():
        limit = "" if row["limit"] is None else f"{1e3 * row['limit']:.1f}"
        print(f"{row['task']:56} {1e3 * row['seconds']:10.3f} {limit:>10}")


if __name__ == "__main__":
    main()
