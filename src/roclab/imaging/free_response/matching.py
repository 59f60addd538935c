"""Which marks hit which lesions.

The rules are those of the LUNA16 challenge. A mark hits a lesion when it lies nearer to its centre than its radius. Of
several marks on one lesion the highest counts and the others are nothing; a mark inside two lesions counts for both.
Marks on findings that were excluded from the reference are nothing either. Every other mark is a false positive. A
lesion that nobody marked is missed, and stays in the denominator.

References
----------
Setio AAA et al. Validation, comparison, and combination of algorithms for automatic detection of pulmonary nodules in
computed tomography images: the LUNA16 challenge. Med Image Anal 2017;42:1-13. doi:10.1016/j.media.2017.06.015
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from roclab._core.types import Array, Bools, Floats, Ints, frozen

__all__ = ["Lesions", "Marks", "Matched", "match"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Marks:
    """Places that a detector marked: scan, position in mm and score of each."""

    scan: Ints  # number of the scan
    position: Floats  # (n, 3)
    score: Floats

    def __post_init__(self) -> None:
        for one in (self.scan, self.position, self.score):
            frozen(one)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lesions:
    """Where lesions are: scan, centre in mm and diameter of each."""

    scan: Ints
    position: Floats
    diameter: Floats

    def __post_init__(self) -> None:
        for one in (self.scan, self.position, self.diameter):
            frozen(one)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matched:
    """What became of every mark and every lesion."""

    scans: tuple[str, ...]
    lesion_scan: Ints
    lesion_score: Floats  # of the highest mark on it; -inf where there is none
    false_scan: Ints  # scans and scores of the false positives
    false_score: Floats
    hit: Bools  # of every mark: on a lesion, whether it is the highest there or not
    ignored: Bools  # on an excluded finding, or below the highest mark of its lesion

    def __post_init__(self) -> None:
        for one in (self.lesion_scan, self.lesion_score, self.false_scan, self.false_score, self.hit, self.ignored):
            frozen(one)

    @property
    def missed(self) -> int:
        """Lesions without any mark."""
        return int(np.isneginf(self.lesion_score).sum())


def match(
    scans: tuple[str, ...], marks: Marks, lesions: Lesions, excluded: Lesions | None, *, reach: float | None = None
) -> Matched:
    """Match marks with lesions, scan by scan; O(n log n) for marks that are not all in one place.

    ``reach`` is a distance in mm that counts as a hit instead of each lesion's radius.
    """
    best = np.full(lesions.scan.size, -np.inf)
    on_lesion = np.zeros(marks.scan.size, np.bool_)
    highest = np.zeros(marks.scan.size, np.bool_)
    for lesion, near in _near(marks, lesions, reach):
        on_lesion[near] = True
        top = near[int(np.argmax(marks.score[near]))]
        highest[top] = True
        best[lesion] = marks.score[top]
    beside = np.zeros(marks.scan.size, np.bool_)
    if excluded is not None:
        for _, near in _near(marks, excluded, reach):
            beside[near] = True
    false: Array = ~on_lesion & ~beside
    return Matched(
        scans=scans,
        lesion_scan=lesions.scan,
        lesion_score=best,
        false_scan=marks.scan[false],
        false_score=marks.score[false],
        hit=on_lesion,
        ignored=(beside & ~on_lesion) | (on_lesion & ~highest),
    )


def _near(marks: Marks, lesions: Lesions, reach: float | None) -> list[tuple[int, Ints]]:
    """For every lesion that was marked, the marks strictly inside its radius."""
    out = []
    order = np.argsort(marks.scan, kind="stable")
    most = int(max(marks.scan.max(initial=-1), lesions.scan.max(initial=-1)))
    first = np.searchsorted(marks.scan[order], np.arange(most + 2))
    trees: dict[int, cKDTree] = {}
    for at in range(lesions.scan.size):
        scan = int(lesions.scan[at])
        rows = order[first[scan] : first[scan + 1]]
        if rows.size == 0:
            continue
        if scan not in trees:
            trees[scan] = cKDTree(marks.position[rows])
        radius = float(lesions.diameter[at]) / 2 if reach is None else reach
        found = rows[np.asarray(trees[scan].query_ball_point(lesions.position[at], radius), dtype=np.int64)]
        gap = np.sqrt(((marks.position[found] - lesions.position[at]) ** 2).sum(axis=1))
        inside = np.sort(found[gap < radius])
        if inside.size:
            out.append((at, inside))
    return out
