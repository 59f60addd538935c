"""Cases near an operating point: enough to resample rates there as if all cases were resampled.

A rate where the other one is fixed depends on where a few ranks of one class lie. Of n cases of that class the fixed
share has a standard deviation of the square root of n f (1 - f) cases, so that all replicates of a bootstrap find their
threshold within ten of these of the rank itself. Cases whose scores lie in that window, by any of the scores, are
fetched; of all others only the side of each window matters, and they are counted by class and sides. Drawing counts
from a multinomial distribution is drawing cases: the replicates have the distribution that all rows would give.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from roclab._core.types import Array
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.engines.backends import Backend
from roclab.engines.overview import Overview

if TYPE_CHECKING:
    from roclab.engines.remote import EngineCases

__all__ = ["cases_about_rate"]

FEW_ROWS = 200_000  # cases that are fetched as they are: resampled, they give the digits of memory
_DEVIATIONS = 10


def cases_about_rate(cases: EngineCases, backend: Backend, seen: Overview, at: float, *, mirrored: bool) -> Cases:
    """Cases in memory, with the number of cases that each row stands for."""
    names = cases.names
    if seen.cases <= FEW_ROWS:
        *values, flag = backend.values(seen, names)
        return _cases(cases, values, flag, None)
    windows = {}
    for name in names:
        tally = cases.tally(name)
        windows[name] = _window(tally, 1 - at if mirrored else at, of_positives=mirrored)
    *values, flag = backend.values(seen, names, windows)
    counts = backend.sides(seen, windows)
    rows = [np.array([_BEYOND[row[1][at]] for row in counts]) for at in range(len(names))]
    values = [np.concatenate([one, beyond]) for one, beyond in zip(values, rows, strict=True)]
    flag = np.concatenate([flag, np.array([row[0] for row in counts], flag.dtype)])
    weight = np.ones(flag.size, np.int64)
    weight[flag.size - len(counts) :] = [row[2] for row in counts]
    return _cases(cases, values, flag, weight)


_BEYOND = {0: -math.inf, 2: math.inf}  # below the window, above it


def _window(tally: Tally, share: float, *, of_positives: bool) -> tuple[float, float]:
    """Scores, in the user's units, between which the threshold of every replicate lies; ends of rows of the tally."""
    counts, total = (tally.pos, tally.n_pos) if of_positives else (tally.neg, tally.n_neg)
    called = np.cumsum(counts)
    rank, spread = total * share, _DEVIATIONS * (math.sqrt(total * share * (1 - share)) + 1)
    first = int(np.searchsorted(called, rank - spread, side="left"))
    last = min(int(np.searchsorted(called, rank + spread, side="left")), called.size - 1)
    top = tally.score if tally.top is None else tally.top
    ends = tally.shown(np.array([tally.score[last], top[min(first, called.size - 1)]]))
    return float(ends.min()), float(ends.max())


def _cases(cases: EngineCases, values: Sequence[Array], flag: Array, weight: Array | None) -> Cases:
    return Cases(
        label=flag == 1, scores=dict(zip(cases.names, values, strict=True)), weight=weight,
        weights="none" if weight is None else "frequency", positive=cases.positive, negative=cases.negative,
        direction=cases.direction, direction_chosen=cases.direction_chosen, dropped=cases.dropped,
        outcome=cases.outcome, pooled_folds=cases.pooled_folds,
    )  # fmt: skip
