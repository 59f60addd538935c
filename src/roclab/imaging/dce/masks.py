"""Where to look: the body, and the breast without skin, air, chest wall and what lies behind it."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import ndimage

from roclab._core.checks import check_choice, plural
from roclab._core.types import Array, Bools
from roclab.errors import InputError, RoclabWarning, Words, named
from roclab.imaging.dce.series import DceSeries
from roclab.imaging.lungs.segment import isodata
from roclab.imaging.orientation import Turn, orientation_notes, slice_axis, turn_of, turn_to_front
from roclab.imaging.volumes import Volume, read_volume
from roclab.names import ANTERIORS, Anterior
from roclab.results import Result

__all__ = ["BreastMask", "find_breast", "mask_of"]

_OUT = 0.4  # of the largest width: where the body is narrower, the breasts have not fully come into view
_STEP = 6.0  # mm over which the body grows from breasts to chest
_BOTH = 200.0  # mm across: an image as wide shows both breasts
_SMALL = 0.02  # of the largest part: smaller ones are not the body


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BreastMask(Result):
    """The breast, and how it was found."""

    mask: Volume  # True in the breast
    body: Volume
    threshold: float  # of the baseline, between air and body
    wall: float  # mm from the front of the image to where the chest begins
    skin: float
    enhancement: float  # of the enhancement of the body, the share that lies in the mask
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Body and breast."""
        return [
            {"part": name, "voxels": int(one.array.sum()), "volume_ml": float(one.array.sum() * one.voxel_mm3 / 1000)}
            for name, one in (("body", self.body), ("breast", self.mask))
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the images."""
        return {"parts": self.rows(), "threshold": self.threshold, "wall": self.wall, "skin": self.skin,
                "enhancement": self.enhancement, "notes": list(self.notes)}  # fmt: skip


def find_breast(
    series: DceSeries, *, anterior: Anterior | None = None, skin: float = 4.0, wall: float | None = None
) -> BreastMask:
    """The breast in a series; see :func:`roclab.dce_mask`. O(voxels).

    The image is turned to the patient first, by its header or by ``anterior``, so that the same patient has the same
    breast whatever the order of the axes. Body: what is brighter than air before contrast agent, its holes filled slice
    by slice. Chest wall: seen from the front the body grows wider, and most where breasts go over into the chest. Where
    both breasts are in view the wall is half an ellipse from there to where the body is widest, because a chest is
    round; otherwise, and where ``wall`` is given, it is a plane. What lies within ``skin`` mm of air moves and
    enhances, and is left out.
    """
    if anterior is not None:
        check_choice(anterior, "anterior", ANTERIORS)
    if not 0 <= float(skin) < math.inf:
        raise InputError("skin", "must be 0 or a finite number of mm", skin)
    turn = turn_of(series.place.direction) if anterior is None else turn_to_front(anterior)
    place = turn.volume(series.place)
    slices = slice_axis(place.spacing)
    body, threshold = _body(place.array, slices)
    step, depth = place.spacing[1], place.shape[1]
    begins = _chest_begins(body, step) if wall is None else round(float(wall) / step)
    if not 0 < begins <= depth:
        raise InputError("wall", f"must lie in the image, which is {depth * step:g} mm deep", wall)
    front: Bools = np.broadcast_to((np.arange(depth) < begins)[:, None], place.shape[1:])
    if wall is None and place.shape[2] * place.spacing[2] >= _BOTH:
        front = _in_front_of_chest(body, begins)
    inside = body & front & (place.array > 0)
    if skin:
        inside &= _depth(body, place.spacing, slices) > skin
    if not inside.any():
        raise InputError(
            "series", "must show a breast in front of the chest", Words("none"),
            f"say where the front is by {named('anterior')}, or give a mask",
        )  # fmt: skip
    share = _share_of_enhancement(series, turn, inside, body)
    notes = orientation_notes(place, turn) if anterior is None else ()
    if anterior is None and not place.oriented:
        front_at = (
            "the data do not say how the patient lies: the front is taken to be at the first rows (anterior 'y-')"
        )
        notes = (f"{front_at}; {100 * share:.0f}% of the enhancement of the body lies in the mask",)
    return BreastMask(
        mask=series.place.with_array(turn.back(inside)), body=series.place.with_array(turn.back(body)),
        threshold=threshold, wall=float(begins * step), skin=float(skin), enhancement=share, notes=notes,
    )  # fmt: skip


def _share_of_enhancement(series: DceSeries, turn: Turn, inside: Bools, body: Bools) -> float:
    """How much of what the body gains by contrast agent lies in the mask: little, where the wrong side is searched."""
    later = series.frames[series.before :].mean(axis=0, dtype=np.float32)
    gain = np.maximum(turn.forward(later - series.baseline), 0)
    whole = float(gain[body].sum(dtype=np.float64))
    return float(gain[inside].sum(dtype=np.float64)) / whole if whole > 0 else 0.0


def _body(baseline: Array, slices: int) -> tuple[Bools, float]:
    smooth = ndimage.uniform_filter(baseline, [1 if axis == slices else 3 for axis in range(3)])
    if not smooth.max() > smooth.min():
        raise InputError("series", "must show a body", Words("an image of one value"), "give a mask")
    # Half of it: gland is darker than fat, and both are body. A thousand levels are enough, and quick to count.
    step = max(float(smooth.max()), 1e-30) / 1000
    threshold = 0.5 * step * isodata(np.clip(np.rint(smooth / step), 0, 1000).astype(np.int16))
    found: Bools = smooth > threshold
    parts, many = ndimage.label(found)
    if many == 0:
        raise InputError("series", "must show a body", Words("no voxel brighter than the rest"))
    sizes = np.bincount(parts.ravel())
    sizes[0] = 0
    found = (sizes >= _SMALL * sizes.max())[parts]
    for plane in np.moveaxis(found, slices, 0):
        plane[:] = ndimage.binary_fill_holes(plane)
    return found, threshold


def _chest_begins(body: Bools, step: float) -> int:
    """Index from the front at which the body grows most, once the breasts are in view."""
    width = body.sum(axis=(0, 2)).astype(np.float64)
    over = min(max(1, round(_STEP / step)), width.size - 1)
    growth = np.where(width[:-over] >= _OUT * width.max(), width[over:] - width[:-over], -np.inf)
    begins: int = int(np.argmax(growth)) + (over + 1) // 2
    return begins


def _in_front_of_chest(body: Bools, begins: int) -> Bools:
    """Rows and columns (y, x) in front of half an ellipse: as wide as the body reaches, as deep as where it does so."""
    seen: Bools = np.any(body, axis=0)
    first = np.asarray(np.argmax(seen, axis=1))
    last = body.shape[2] - 1 - np.asarray(np.argmax(seen[:, ::-1], axis=1))
    reach = np.where(np.any(seen, axis=1), last - first, 0)
    reach[:begins] = 0
    widest = int(np.argmax(reach >= 0.99 * reach.max()))
    middle, half = (first[widest] + last[widest]) / 2, max(reach[widest] / 2, 1.0)
    across = np.clip(np.abs(np.arange(body.shape[2]) - middle) / half, 0, 1)
    wall = widest - (widest - begins) * np.sqrt(1 - across**2)
    found: Bools = np.arange(body.shape[1])[:, None] < wall[None]
    return found


def _depth(body: Bools, spacing: tuple[float, ...], slices: int) -> Array:
    """Distance in mm from the nearest air, within slices: beyond the border of the image nothing is known."""
    out = np.empty(body.shape, dtype=np.float32)
    within = [step for axis, step in enumerate(spacing) if axis != slices]
    for plane, distance in zip(np.moveaxis(body, slices, 0), np.moveaxis(out, slices, 0), strict=True):
        distance[:] = ndimage.distance_transform_edt(plane, sampling=within)
    return out


def mask_of(given: Any, series: DceSeries, *, label: Bools | None = None, anterior: Anterior | None = None) -> Bools:
    """The mask to use: the given one, checked, or the breast that is found; with every voxel of the label in it."""
    if given is None:
        breast = find_breast(series, anterior=anterior)
        for note in breast.notes:  # nobody sees this mask, so that the notes go to whoever asked for what it serves
            warnings.warn(note, RoclabWarning, stacklevel=4)
        inside = breast.mask.array
    else:
        if isinstance(given, BreastMask):
            given = given.mask
        if not isinstance(given, Volume | np.ndarray):
            given = read_volume(given)
        if isinstance(given, Volume):
            if not given.same_place(series.place):
                raise InputError("mask", "must lie in the same place as the series", Words("another geometry"))
            given = given.array
        if given.shape != series.shape:
            raise InputError("mask", f"must have the shape {series.shape}", Words(f"{given.shape}"))
        inside = np.asarray(given) > 0
        if not inside.any():
            raise InputError("mask", "must hold a voxel", Words("none"), "an empty mask leaves nothing to look at")
        dark = int(np.count_nonzero(series.baseline[inside] <= 0))
        if dark:
            raise InputError(
                "mask", "must hold voxels whose signal before contrast agent is above 0",
                Words(f"{plural(dark, 'voxel')} at 0 or below"), "leave them out of the mask",
            )  # fmt: skip
    if label is not None and not (inside & label).any():
        raise InputError("mask", "must hold some of the label", Words("a label that lies outside of it"),
                         "draw the mask wider, or check that both belong to this series")  # fmt: skip
    return inside
