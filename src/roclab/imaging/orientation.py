"""How an image lies in the patient: turned so that its axes run to the head, to the back and to the left.

Files hold the same patient in any of 48 orders and flips of their axes, and say in their header which. What asks where
the front, a side or the head is asks a *canonical* image: of its axes (z, y, x), z runs to the head (superior), y to
the back (posterior) and x to the left, the axes of ITK and DICOM. Turning is a view of the same voxels; nothing is
resampled, so that an oblique image keeps its tilt. Places in millimetres are the same before and after.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from roclab._core.types import Array
from roclab.imaging.volumes import Volume

__all__ = ["TILTED", "Turn", "canonical", "orientation_notes", "slice_axis", "turn_of", "turn_to_front"]

TILTED = 20.0  # degrees: images further off the axes of the body are mentioned
_WORLD = (2, 1, 0)  # of the canonical axes z, y, x: the world axes they run along
_LETTERS = (("I", "S"), ("A", "P"), ("R", "L"))  # where a canonical axis comes from, and where it runs to

A = TypeVar("A", bound=Array)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An order of axes and flips, applied to the last three axes of an array; ``back`` undoes it."""

    order: tuple[int, int, int] = (0, 1, 2)  # the axes of the stored array that become z, y and x
    flipped: tuple[bool, bool, bool] = (False, False, False)  # after that
    tilt: float = 0.0  # degrees between the stored axes and those of the body, the largest of three

    @property
    def codes(self) -> str:
        """Where the stored axes x, y and z run to, as three letters: "LPS" needs no turn."""
        return "".join(self.ends(axis)[1] for axis in (2, 1, 0))

    def ends(self, axis: int) -> tuple[str, str]:
        """What lies at the first and at the last voxel of a stored axis: R and L, A and P, or I and S.

        >>> Turn().ends(2), Turn(flipped=(False, True, False)).ends(1)
        (('R', 'L'), ('P', 'A'))
        """
        at = self.order.index(axis)
        first, last = _LETTERS[at]
        return (last, first) if self.flipped[at] else (first, last)

    def forward(self, array: A) -> A:
        """The stored array, or frames of it (t, z, y, x), as the canonical one."""
        lead = array.ndim - 3
        turned = np.transpose(array, (*range(lead), *(lead + axis for axis in self.order)))
        return np.ascontiguousarray(np.flip(turned, self._flips(lead)))  # type: ignore[return-value]

    def back(self, array: A) -> A:
        """A canonical array as the stored one."""
        lead = array.ndim - 3
        turned = np.flip(array, self._flips(lead))
        order = (*range(lead), *(lead + int(axis) for axis in np.argsort(self.order)))
        return np.ascontiguousarray(np.transpose(turned, order))  # type: ignore[return-value]

    def _flips(self, lead: int) -> tuple[int, ...]:
        return tuple(lead + at for at, flip in enumerate(self.flipped) if flip)

    def volume(self, volume: Volume) -> Volume:
        """A stored volume in the canonical order, in its place."""
        steps = np.array(volume.direction).reshape(3, 3)
        signs = [-1.0 if flip else 1.0 for flip in self.flipped]
        ways = [sign * steps[:, 2 - axis] for sign, axis in zip(signs, self.order, strict=True)]
        corner = [0, 0, 0]
        for axis, flip in zip(self.order, self.flipped, strict=True):
            corner[axis] = volume.shape[axis] - 1 if flip else 0
        first, second, third = (volume.spacing[axis] for axis in self.order)
        x, y, z = volume.to_world(corner)[0].tolist()
        return replace(
            volume, array=self.forward(volume.array), spacing=(first, second, third), origin=(x, y, z),
            direction=tuple(np.column_stack(ways[::-1]).ravel().tolist()),
        )  # fmt: skip


def turn_of(direction: tuple[float, ...]) -> Turn:
    """The turn that brings stored axes closest to those of the body: the order with the largest sum of |cosines|.

    >>> turn_of((1, 0, 0, 0, 1, 0, 0, 0, 1)).codes, turn_of((-1, 0, 0, 0, 0, 1, 0, 1, 0)).codes
    ('LPS', 'RSP')
    """
    steps = np.array(direction, dtype=np.float64).reshape(3, 3)
    cosines = np.array([[steps[world, 2 - axis] for axis in range(3)] for world in _WORLD])  # canonical x stored
    orders = list(itertools.permutations(range(3)))
    sums = [sum(abs(cosines[at, axis]) for at, axis in enumerate(order)) for order in orders]
    order = orders[int(np.argmax(np.round(sums, 9)))]
    along = [float(cosines[at, axis]) for at, axis in enumerate(order)]
    tilt = max(math.degrees(math.acos(min(abs(one), 1.0))) for one in along)
    a, b, c = order
    return Turn(order=(a, b, c), flipped=(along[0] < 0, along[1] < 0, along[2] < 0), tilt=tilt)


def turn_to_front(anterior: str) -> Turn:
    """The turn for an image whose front somebody named, by an axis of the stored array and its end: "y-", "x+" …

    >>> turn_to_front("y-") == Turn()
    True
    """
    axis = "zyx".index(anterior[0])
    others = [at for at in range(3) if at != axis]
    return Turn(order=(others[0], axis, others[1]), flipped=(False, anterior[1] == "+", False))


def slice_axis(spacing: tuple[float, ...]) -> int:
    """The axis along which an image is coarsest, which is that of its slices; z where all are alike.

    >>> slice_axis((3.0, 0.8, 0.8)), slice_axis((0.8, 0.8, 3.0)), slice_axis((1.0, 1.0, 1.0))
    (0, 2, 0)
    """
    return int(np.argmax(np.round(spacing, 6)))


def canonical(volume: Volume) -> tuple[Volume, Turn]:
    """The volume turned to head, back and left by its header, and the turn."""
    turn = turn_of(volume.direction)
    return turn.volume(volume), turn


def orientation_notes(volume: Volume, turn: Turn) -> tuple[str, ...]:
    """What a reader should know where the file says nothing, or the image is tilted."""
    if not volume.oriented:
        return (
            "the data do not say how the patient lies: columns are taken to run to the left, rows to the back and "
            "slices to the head",
        )
    if turn.tilt > TILTED:
        return (f"the image is tilted by {turn.tilt:.0f} degrees against the body; sides are those that lie nearest",)
    return ()
