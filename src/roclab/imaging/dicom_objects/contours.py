"""Closed contours of a mask in a slice, midway between voxels inside and outside.

Every square of four neighbouring voxels has at most two pieces of contour, from the middle of one of its sides to the
middle of another; with the inside always on the same hand, each middle is the end of one piece and the beginning of
one, so that pieces follow each other without a search. Corners that touch are cut apart, and holes are loops of their
own: by the rule of even and odd a voxel lies inside exactly where the mask has it.
"""

from __future__ import annotations

import numpy as np

from roclab._core.types import Bools, Floats, Ints

__all__ = ["contours_of"]

_TOP, _RIGHT, _BOTTOM, _LEFT = (0, 1), (1, 2), (2, 1), (1, 0)  # middles of the sides, in halves of a voxel
# By which corners are inside: 1 upper left, 2 upper right, 4 lower right, 8 lower left.
_PIECES: dict[int, tuple[tuple[tuple[int, int], tuple[int, int]], ...]] = {
    1: ((_LEFT, _TOP),), 2: ((_TOP, _RIGHT),), 4: ((_RIGHT, _BOTTOM),), 8: ((_BOTTOM, _LEFT),),
    14: ((_TOP, _LEFT),), 13: ((_RIGHT, _TOP),), 11: ((_BOTTOM, _RIGHT),), 7: ((_LEFT, _BOTTOM),),
    3: ((_LEFT, _RIGHT),), 12: ((_RIGHT, _LEFT),), 6: ((_TOP, _BOTTOM),), 9: ((_BOTTOM, _TOP),),
    5: ((_LEFT, _TOP), (_RIGHT, _BOTTOM)), 10: ((_TOP, _RIGHT), (_BOTTOM, _LEFT)),
}  # fmt: skip


def contours_of(mask: Bools) -> list[Floats]:
    """Loops of (row, column), in voxels; O(voxels + points).

    >>> contours_of(np.array([[True]]))[0].tolist()
    [[-0.5, 0.0], [0.0, -0.5], [0.5, 0.0], [0.0, 0.5]]
    """
    held = np.pad(np.asarray(mask, dtype=np.uint8), 1)
    code = held[:-1, :-1] + 2 * held[:-1, 1:] + 4 * held[1:, 1:] + 8 * held[1:, :-1]
    following: dict[tuple[int, int], tuple[int, int]] = {}
    for kind, pieces in _PIECES.items():
        rows, columns = np.nonzero(code == kind)
        for (a, b), (c, d) in pieces:
            starts = zip((2 * rows + a).tolist(), (2 * columns + b).tolist(), strict=True)
            ends = zip((2 * rows + c).tolist(), (2 * columns + d).tolist(), strict=True)
            following.update(zip(starts, ends, strict=True))
    loops = []
    for first in sorted(following):
        loop = []
        at = first
        while at in following:
            loop.append(at)
            at = following.pop(at)
        if loop:
            loops.append(_corners(np.array(loop)) / 2.0 - 1.0)
    return loops


def _corners(loop: Ints) -> Ints:
    """Without the points on straight lines."""
    before, after = loop - np.roll(loop, 1, axis=0), np.roll(loop, -1, axis=0) - loop
    kept: Ints = loop[(before != after).any(axis=1)]
    return kept
