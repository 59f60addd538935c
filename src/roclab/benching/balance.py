"""Fewer negatives for training: as many as asked for, spread over the data by fuzzy c-means or drawn at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_count
from roclab._core.types import Floats, Ints
from roclab._core.work.seeds import spawn_generators
from roclab.errors import InputError, Words
from roclab.fuzzy.cmeans import fuzzy_cmeans
from roclab.fuzzy.steps import squared_distances
from roclab.names import NEGATIVE_REDUCTIONS, NegativeReduction

__all__ = ["reduce_negatives"]


def reduce_negatives(x: Any, negative_rows: Any, keep: int, how: NegativeReduction = "fcm", rng: Any = None) -> Ints:
    """Rows of the negatives that stay in the training data, in rising order.

    Parameters
    ----------
    x : array of shape (n, p)
        Features of all training cases, in the units in which they are to be near each other.
    negative_rows : array of int
        Rows of ``x`` that are negative.
    keep : int
        How many of them stay: usually the number of positives.
    how : "fcm" or "random"
        ``"fcm"`` clusters the negatives into ``keep`` fuzzy clusters, started from distinct cases, and keeps the
        negative nearest to each centre. Centres may come to coincide, or share their nearest negative; then the rows
        found are filled up by the negative farthest from all rows kept so far, one after another, until there are
        ``keep``. ``"random"`` draws rows without replacement.
    rng : seed or Generator, optional

    Returns
    -------
    array of int, distinct rows out of ``negative_rows``

    Raises
    ------
    InputError
        When there are fewer negatives than ``keep``, or, for ``"fcm"``, fewer distinct ones.

    Examples
    --------
    >>> x = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [9.0]]
    >>> reduce_negatives(x, [0, 1, 2, 3, 4, 5], 2, rng=1).tolist()
    [1, 4]
    """
    check_choice(how, "how", NEGATIVE_REDUCTIONS)
    check_count(keep, "keep", least=1, way_out="give the number of positives")
    rows = np.unique(np.asarray(negative_rows, dtype=np.int64))
    if keep > rows.size:
        raise InputError(
            "keep",
            f"must be at most the number of negatives, {rows.size}",
            keep,
            "there are more positives than negatives here, so train on all cases or swap the classes",
        )
    if how == "random":
        (generator,), _ = spawn_generators(rng, 1)
        return np.sort(generator.choice(rows, keep, replace=False))
    cases = np.asarray(x, dtype=np.float64)[rows]
    distinct, first = np.unique(cases, axis=0, return_index=True)
    if keep > len(distinct):
        raise InputError(
            "keep",
            f"must be at most the number of distinct negatives, {len(distinct)}",
            Words(f"{keep} clusters"),
            "reduce them at random instead",
        )
    found = fuzzy_cmeans(cases, keep, rng=rng).nearest_cases(distinct)
    return np.sort(rows[first[_topped_up(distinct, np.unique(found), keep)]])


def _topped_up(cases: Floats, chosen: Ints, keep: int) -> Ints:
    """The chosen rows and, while they are too few, the one farthest from all of them. O(n p) for each one added."""
    rows = list(chosen)
    if len(rows) < keep:
        nearest = squared_distances(cases, cases[rows]).min(axis=1)
        while len(rows) < keep:
            at = int(nearest.argmax())
            rows.append(at)
            np.minimum(nearest, squared_distances(cases, cases[at : at + 1])[:, 0], out=nearest)
    return np.array(rows, dtype=np.int64)
