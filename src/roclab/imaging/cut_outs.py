"""Three slices through a place of a volume: axial, coronal and sagittal, as a reader of scans is used to see them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from roclab._core.types import Array, Bools
from roclab.imaging.volumes import Volume

__all__ = ["PLANES", "CutOut", "cut_outs", "edges_of"]

# By plane, the canonical axes (z, y, x) that run down and across, and whether down is reversed: the head is above.
PLANES = {"axial": (1, 2, False), "coronal": (0, 2, True), "sagittal": (0, 1, True)}
_LETTERS = {"axial": ("A", "R"), "coronal": ("S", "R"), "sagittal": ("S", "A")}  # above and on the left


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutOut:
    """A square of a plane."""

    plane: str
    grey: Array  # uint8
    inside: Bools  # of the outlined region
    above: str  # letter of the side of the patient; "" where it is not known
    left: str


def cut_outs(
    volume: Volume,
    labels: Array | None,
    number: int,
    position: tuple[float, float, float],
    *,
    field: float,
    pixels: int,
    window: tuple[float, float],
) -> tuple[CutOut, ...]:
    """Squares of ``field`` mm around a place in world mm, of a canonical volume; grey values of a window in 8 bits.

    Outlined is what has the ``number`` in ``labels``. Grey values lie on straight lines between voxels, outlines on the
    nearest; beyond the volume all is black.
    """
    middle = volume.to_index(position)[0]
    steps = (np.arange(pixels) - (pixels - 1) / 2) * (field / pixels)
    out = []
    for plane, (down, across, reverse) in PLANES.items():
        index = [np.full((pixels, pixels), at) for at in middle]
        rows = steps[::-1] if reverse else steps
        index[down] = middle[down] + np.broadcast_to(rows[:, None] / volume.spacing[down], (pixels, pixels))
        index[across] = middle[across] + np.broadcast_to(steps / volume.spacing[across], (pixels, pixels))
        place = np.stack(index)
        box = _box(place, volume.shape)
        held = volume.array[box].astype(np.float32)
        shifted = place - np.array([one.start for one in box])[:, None, None]
        grey = ndimage.map_coordinates(held, shifted, order=1, mode="constant", cval=window[0])
        scaled = np.clip((grey - window[0]) / (window[1] - window[0]), 0, 1)
        inside = np.zeros((pixels, pixels), dtype=np.bool_)
        if labels is not None:
            mine = (labels[box] == number).astype(np.uint8)
            inside = ndimage.map_coordinates(mine, shifted, order=0, mode="constant") > 0
        above, left = _LETTERS[plane] if volume.oriented else ("", "")
        out.append(
            CutOut(plane=plane, grey=np.rint(255 * scaled).astype(np.uint8), inside=inside, above=above, left=left)
        )
    return tuple(out)


def _box(place: Array, shape: tuple[int, ...]) -> tuple[slice, ...]:
    """The part of a volume that holds the places, one voxel at least."""
    out = []
    for one, size in zip(place, shape, strict=True):
        low = int(np.clip(np.floor(one.min()) - 1, 0, size - 1))
        out.append(slice(low, max(low + 1, int(np.clip(np.ceil(one.max()) + 2, 0, size)))))
    return tuple(out)


def edges_of(inside: Bools) -> str:
    """The border of a mask along the edges of its pixels, as a path of SVG; "" for none.

    >>> edges_of(np.array([[True]]))
    'M0 0H1M0 1H1M0 0V1M1 0V1'
    """
    padded = np.pad(inside, 1)
    parts = []
    flat = padded[1:, 1:-1] != padded[:-1, 1:-1]  # between rows
    for y, row in enumerate(flat):
        parts += [f"M{a} {y}H{b}" for a, b in _runs(row)]
    steep = padded[1:-1, 1:] != padded[1:-1, :-1]
    for x, column in enumerate(steep.T):
        parts += [f"M{x} {a}V{b}" for a, b in _runs(column)]
    return "".join(parts)


def _runs(row: Bools) -> list[tuple[int, int]]:
    turns = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in turns.reshape(-1, 2)]
