"""Several cases per subject on an engine: Obuchowski's covariance from sums over subjects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Array, Floats
from roclab.engines.overview import Overview, check_counts
from roclab.errors import InputError, Words
from roclab.inference.comparison.clustered import areas_of_effective_size
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.delong import DelongParts
from roclab.inference.welch import stratum_of
from roclab.results import Sample

if TYPE_CHECKING:
    from roclab.engines.backends import Backend

__all__ = ["covariance_of_subjects", "sums_by_subject"]


def covariance_of_subjects(
    backend: Backend, seen: Overview, names: Sequence[str], samples: Sequence[Sample], area: Area
) -> AreaCovariance:
    """As ``covariance_of_clusters`` has it of rows; memory grows with the subjects, not with the cases."""
    k = len(names)
    table, squares = backend.subject_sums(seen, names)
    check_counts(backend.table.called, seen, int(table[:, 0].sum()), int(table[:, k + 1].sum()))
    n_pos, n_neg = seen.classes.n_pos, seen.classes.n_neg
    with_pos, with_neg = int(np.count_nonzero(table[:, 0])), int(np.count_nonzero(table[:, k + 1]))
    if min(with_pos, with_neg) < 2:
        raise InputError(
            "", "the clustered variance needs two subjects of each class",
            Words(f"{plural(with_pos, 'subject')} with positives and {with_neg} with negatives"),
            "collect more subjects",
        )  # fmt: skip
    factor = 2 if area.method == "gini" else 1
    areas: list[float] = []
    naive: list[DelongParts] = []
    u, v = np.empty((table.shape[0], k)), np.empty((table.shape[0], k))
    for at, sample in enumerate(samples):
        sign = 1 if sample.direction == "higher" else -1
        share = float(table[:, 1 + at].sum()) / (2 * n_pos * n_neg)
        areas.append(area.of_area(share if sign > 0 else 1 - share))
        # A negative's place counts positives below it, so its component is one minus that share.
        u[:, at] = sign * factor * (table[:, 1 + at] / (2 * n_neg) - table[:, 0] * share)
        v[:, at] = -sign * factor * (table[:, k + 2 + at] / (2 * n_pos) - table[:, k + 1] * (1 - share))
        spreads = [
            max(float(squares[row, at]) - n * (2 * other * mean) ** 2, 0.0) / (4.0 * other**2 * (n - 1))
            for row, n, other, mean in ((0, n_pos, n_neg, share), (1, n_neg, n_pos, 1 - share))
        ]
        naive.append(DelongParts(spreads[0] / n_pos, spreads[1] / n_neg, n_pos, n_neg))
    subjects = table.shape[0]
    s10 = with_pos / ((with_pos - 1) * n_pos) * _products(u, u)
    s01 = with_neg / ((with_neg - 1) * n_neg) * _products(v, v)
    s11 = subjects / (subjects - 1) * _products(u, v)
    width = area.bounds[1] - area.bounds[0]
    strata = tuple(
        stratum_of([column * np.sqrt(held / (held - 1)) / n for column in sums.T], held, width=width)
        for sums, held, n in ((u, with_pos, n_pos), (v, with_neg, n_neg))
    )
    matrix = s10 / n_pos + s01 / n_neg + (s11 + s11.T) / (n_pos * n_neg)
    return AreaCovariance(
        names=tuple(names), areas=np.array(areas), area=area, samples=tuple(samples), pairing="paired", matrix=matrix,
        method=f"Obuchowski 1997, {subjects} clusters", strata=strata, units=subjects,
        parts=areas_of_effective_size(area, matrix, naive, (with_pos, with_neg)),
    )  # fmt: skip


def sums_by_subject(batches: Iterable[list[Array]], k: int) -> tuple[Floats, Floats]:
    """Positives and their places, negatives and theirs, of every subject; sums are of whole numbers and so exact.

    Beside them the squares of all places of both classes, from which DeLong's variance follows.
    """
    keys: Array = np.empty(0, np.uint64)
    squares = np.zeros((2, k))
    table = np.zeros((0, 2 * k + 2))
    for batch in batches:
        subject, at = np.unique(batch[k + 1], return_inverse=True)
        here = np.zeros((subject.size, 2 * k + 2))
        for side, start in ((1, 0), (0, k + 1)):
            rows = batch[k] == side
            here[:, start] = np.bincount(at[rows], minlength=subject.size)
            for column in range(k):
                weights = batch[column][rows].astype(np.float64)
                here[:, start + 1 + column] = np.bincount(at[rows], weights=weights, minlength=subject.size)
                squares[1 - side, column] += float(np.sum(weights * weights))
        union = np.union1d(keys, subject)
        joined = np.zeros((union.size, table.shape[1]))
        joined[np.searchsorted(union, keys)] += table
        joined[np.searchsorted(union, subject)] += here
        keys, table = union, joined
    return table, squares


def _products(one: Floats, two: Floats) -> Floats:
    total: Floats = np.stack([[np.sum(a * b) for b in two.T] for a in one.T])
    return total
