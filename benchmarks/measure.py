"""Timing and memory helpers shared by the benchmarks."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import tracemalloc
from collections.abc import Callable
from typing import Any


def best_of_each(
    functions: list[Callable[[], Any]], seconds: float = 1.0, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """Shortest run of each, taken in turns so that a busy moment of the machine hits all alike."""
    shortest = [float("inf")] * len(functions)
    end = time.perf_counter() + seconds
    rounds = 0
    while rounds < 3 or time.perf_counter() < end:
        for at, function in enumerate(functions):
            start = clock()
            function()
            shortest[at] = min(shortest[at], clock() - start)
        rounds += 1
    return shortest


def peak_extra_memory(function: Callable[[], Any]) -> int:
    """Largest number of bytes allocated on top of what was there, as NumPy and Python report it."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak - before


def seconds_in_r(setup: str, expression: str, *, repeats: int = 3, package: str = "pROC") -> float | None:
    """Best time of an R expression, or None where R or the package is missing."""
    if shutil.which("Rscript") is None:
        return None
    code = f"""
    ok <- suppressWarnings(suppressMessages(require({package}, quietly = TRUE)))
    if (!ok) {{ cat("null"); quit() }}
    {setup}
    t <- sapply(1:{repeats}, function(i) system.time({expression})[["elapsed"]])
    cat(min(t))
    """
    answer = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=False)
    if answer.returncode:
        return None
    return json.loads(answer.stdout.strip().splitlines()[-1])
