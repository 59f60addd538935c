"""Where the lungs are: air inside the body, each lung closed on its own so that nodules at the pleura stay in it.

A threshold between air and tissue (isodata: the mean of the mean grey values on its two sides) gives air. What touches
the border of a slice lies outside the body. Large parts are lungs; two lungs that touch, and the trachea that joins
them, come apart at their necks. Each lung is then closed by a ball, by distances in millimetres, so that thick slices
do not change its size, and its holes are filled. Both happen to each lung alone: together they would
swallow what lies between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import ndimage

from roclab._core.checks import check_positive, plural
from roclab._core.text import text_table
from roclab._core.types import Array, Bools, Ints
from roclab._core.work import Progress
from roclab.errors import InputError, MissingValuesError, Words
from roclab.imaging.distances import distance_inside, further_than, nearest_outside
from roclab.imaging.hounsfield import check_hounsfield, clipped_to_air
from roclab.imaging.volumes import Volume
from roclab.results import Result

__all__ = ["Lungs", "closed", "find_lungs", "isodata"]

_SMALLEST_ML = 20.0  # of air in a lung, for an adult; a part of a scan may show less, see ``smallest``
_SMALLEST_CM2 = 15.0  # of air of a lung in a slice, where there are too few for a volume; more than a trachea has
_FEW = 3  # slices: of fewer a volume tells nothing
_SHARE = 0.1  # of the larger lung: smaller parts are no lung
_NECKS = (1.5, 2.5, 4.0, 6.0, 8.0, 11.0)  # mm: half the widths at which lungs that touch are cut apart
_DARKER = 30.0  # HU below lung: air without tissue, as in the trachea
_COUNTED = 1 << 17  # different whole numbers that are counted; scans have some thousands
_NODULE = 30.0  # mm: what is larger is called a mass
_SIDES = {1: "right", 2: "left"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lungs(Result):
    """The lungs of a scan."""

    labels: Volume  # 1 right, 2 left
    threshold: float  # HU between air and tissue
    closing: float  # mm
    notes: tuple[str, ...] = ()

    @property
    def mask(self) -> Bools:
        """Both lungs."""
        inside: Bools = self.labels.array > 0
        return inside

    def rows(self) -> list[dict[str, Any]]:
        """One row per lung."""
        out = []
        for number, side in _SIDES.items():
            count = int((self.labels.array == number).sum())
            if count:
                out.append({"lung": side, "voxels": count, "volume_ml": count * self.labels.voxel_mm3 / 1000})
        return out

    def to_dict(self) -> dict[str, Any]:
        """Everything but the image."""
        return {
            "lungs": self.rows(), "threshold": self.threshold, "closing": self.closing, "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        about = f"air below {self.threshold:.0f} HU, closed by {self.closing:g} mm"
        return "\n".join([text_table(self.rows()), "", about, *self.notes])


def isodata(values: Array, *, tolerance: float = 0.5) -> float:
    """The threshold that is the mean of the mean values on its two sides (Ridler and Calvard 1978). O(values).

    >>> isodata(np.array([0.0, 0.0, 1.0, 9.0, 10.0, 10.0]))
    5.0
    """
    levels, counts = _levels(values)
    if levels.size < 2:
        raise InputError("volume", "must have two grey values or more", Words("a constant image"))
    levels = levels.astype(np.float64)
    mass = np.cumsum(counts * levels)
    many = np.cumsum(counts)
    at = float(levels[0] + levels[-1]) / 2
    for _ in range(1000):
        below = int(np.clip(np.searchsorted(levels, at, side="right"), 1, levels.size - 1)) - 1
        new = float(mass[below] / many[below] + (mass[-1] - mass[below]) / (many[-1] - many[below])) / 2
        if abs(new - at) < tolerance:
            return new
        at = new
    return at


def find_lungs(
    volume: Volume,
    *,
    closing: float = 10.0,
    threshold: float | None = None,
    smallest: float | None = None,
    progress: Progress | None = None,
) -> Lungs:
    """The lungs of a chest CT; see :func:`roclab.segment_lungs`. O(voxels)."""
    check_positive(closing, "closing", way_out="10 mm is usual")
    if smallest is not None:
        check_positive(smallest, "smallest", way_out="20 ml is usual for an adult")
    grey = _checked(volume)
    if threshold is None:  # whoever gives one knows the units
        check_hounsfield(grey)
    notes = []
    least = _SMALLEST_ML if smallest is None else float(smallest)
    if smallest is None and volume.shape[0] < _FEW:
        least = _SMALLEST_CM2 * 100 * volume.shape[0] * volume.spacing[0] / 1000
        notes.append(f"{plural(volume.shape[0], 'slice')}: a lung has {_SMALLEST_CM2:g} cm2 of air or more in each")
    tell = progress or (lambda done, total: None)
    cut = isodata(grey) if threshold is None else float(threshold)
    air = _inner_air(grey < cut)
    tell(1, 4)
    parts = _lung_parts(air, grey, volume.spacing, least * 1000 / volume.voxel_mm3)
    del air
    tell(2, 4)
    parts = _on_both_sides(parts, volume, grey, cut)
    if not parts:
        raise InputError(
            "volume", f"must show lungs: {least:g} ml of air or more that does not touch the border of a slice",
            Words(f"none, below {cut:.0f} HU"), "check that it is a chest CT in Hounsfield units",
        )  # fmt: skip
    if len(parts) == 1:
        notes.append("only one lung was found: the other is missing, collapsed or outside the scan")
    labels = np.zeros(grey.shape, dtype=np.uint8)
    numbers = _sides(parts, volume)
    whole = [_whole(part, closing, volume.spacing) for part in parts]
    tell(3, 4)
    for number, one in zip(numbers, whole, strict=True):
        labels[one & (labels == 0)] = number
    for number, part in zip(numbers, parts, strict=True):  # closing one lung must not take air of the other
        labels[part] = number
    tell(4, 4)
    return Lungs(labels=volume.with_array(labels), threshold=cut, closing=float(closing), notes=tuple(notes))


def _levels(values: Array) -> tuple[Array, Array]:
    """Different values and how often each is there; whole numbers are counted plane by plane instead of sorted."""
    if values.dtype.kind not in "iu" or values.ndim < 2 or not values.size:
        levels, counts = np.unique(values, return_counts=True)
        return levels, counts
    low, high = int(values.min()), int(values.max())
    if high - low > _COUNTED:
        levels, counts = np.unique(values, return_counts=True)
        return levels, counts
    total = np.zeros(high - low + 1, dtype=np.int64)
    for plane in values:
        total += np.bincount(plane.ravel().astype(np.int64) - low, minlength=total.size)
    held = np.flatnonzero(total)
    return (held + low).astype(values.dtype), total[held]


def _sizes(parts: Array, count: int) -> Ints:
    """Voxels of every part, 0 first; plane by plane, because NumPy counts copies of eight bytes a voxel."""
    total = np.zeros(count + 1, dtype=np.int64)
    for plane in parts:
        total += np.bincount(plane.ravel(), minlength=count + 1)
    return total


def _checked(volume: Volume) -> Array:
    if not isinstance(volume, Volume):
        raise InputError("volume", "must be a Volume or a file", Words(type(volume).__name__), "read_volume makes one")
    if not np.isfinite(volume.array).all():
        many = int((~np.isfinite(volume.array)).sum())
        raise MissingValuesError("volume", "must hold finite numbers", Words(f"{many} missing or infinite"))
    return clipped_to_air(volume).array


def _inner_air(air: Bools) -> Bools:
    """Air that is not connected, through the volume, with the border of a slice."""
    parts, count = ndimage.label(air)
    sides = [parts[:, 0], parts[:, -1], parts[:, :, 0], parts[:, :, -1]]
    inside = np.ones(count + 1, dtype=np.bool_)
    inside[0] = False
    for side in sides:
        inside[side] = False
    inner: Bools = inside[parts]
    return inner


def _lung_parts(air: Bools, grey: Array, spacing: tuple[float, ...], least: float) -> list[Bools]:
    """One or two lungs, without the trachea."""
    parts, count = ndimage.label(air)
    sizes = _sizes(parts, count)
    sizes[0] = 0
    if sizes.max(initial=0) < least:
        return []
    large = [at for at in np.argsort(-sizes, kind="stable") if sizes[at] >= max(least, _SHARE * sizes.max())]
    found: list[Bools] = []
    # In a slice alone a lung has waists as narrow as where two lungs touch, so that two parts are taken as they are.
    whole = len(large) > 1 and grey.shape[0] < _FEW
    for at in large[:2]:
        part = parts == at
        found += [part] if whole else _apart(part, grey, spacing, alone=len(large) == 1)
    found.sort(key=lambda one: -int(one.sum()))
    if len(found) > 1 and found[1].sum() < max(least, _SHARE * found[0].sum()):
        found = found[:1]
    return found[:2]


def _apart(part: Bools, grey: Array, spacing: tuple[float, ...], *, alone: bool) -> list[Bools]:
    """A part cut at its neck: into two lungs where it is the only one, and the trachea off either."""
    box = ndimage.find_objects(part.view(np.int8))[0]
    here, dark = part[box], grey[box]
    deep = distance_inside(np.pad(here, 1, mode="edge"), spacing)[1:-1, 1:-1, 1:-1]
    lung = float(np.median(dark[here]))
    for neck in _NECKS:
        cores, count = ndimage.label(deep > neck)
        if count < 2:
            continue
        numbers = np.arange(1, count + 1)
        sizes = _sizes(cores, count)[1:]
        means = ndimage.mean(dark, cores, numbers)
        airway = (means < lung - _DARKER) & (sizes < _SHARE * sizes.max())
        lungs = (sizes >= _SHARE * sizes.max()) & ~airway
        if lungs.sum() < 2 and not (airway.any() and not alone):
            continue
        kept = numbers[lungs | airway]
        small = np.zeros(count + 1, dtype=np.uint16)
        small[kept] = np.arange(1, kept.size + 1)
        seeds = small[cores]
        numbers_kept = small[numbers[lungs]]
        del deep, cores  # as large as the scan, several times
        nearest = np.where(here, seeds[tuple(nearest_outside(seeds == 0, spacing))], np.uint16(0))
        out = []
        for number in numbers_kept:
            whole = np.zeros_like(part)
            whole[box] = nearest == number
            out.append(whole)
        return out
    return [part]


def _on_both_sides(parts: list[Bools], volume: Volume, grey: Array, cut: float) -> list[Bools]:
    """Two lungs lie on two sides of the body; two parts on one side are one lung, cut at a waist of its own."""
    if len(parts) < 2:
        return parts
    middle = _across(grey >= cut, volume)
    first, second = (_across(part, volume) - middle for part in parts)
    return parts if first * second < 0 else [parts[0] | parts[1]]


def _across(mask: Bools, volume: Volume) -> float:
    """World x of the centre of a mask."""
    sums = [mask.sum(axis=tuple(other for other in range(3) if other != axis)) for axis in range(3)]
    centre = [float((total * np.arange(total.size)).sum() / max(1, total.sum())) for total in sums]
    return float(volume.to_world(centre)[0][0])


def _sides(parts: list[Bools], volume: Volume) -> list[int]:
    """Right lung 1, left lung 2: x grows towards the patient's left. One alone is told by the middle of the image."""
    x = [_across(part, volume) for part in parts]
    middle = float(volume.to_world((np.array(volume.shape) - 1) / 2)[0][0])
    if len(parts) == 1:
        return [1 if x[0] < middle else 2]
    return [1, 2] if x[0] < x[1] else [2, 1]


def closed(mask: Bools, radius: float, spacing: tuple[float, ...]) -> Bools:
    """Closing by a ball of ``radius`` mm: what no ball outside the mask can reach is added. O(voxels).

    Slices at the ends are continued, because a lung goes on beyond them.
    """
    wide = [int(np.ceil(radius / step)) + 1 for step in spacing]
    ends = np.pad(mask, [(wide[0], wide[0]), (0, 0), (0, 0)], mode="edge")
    padded = np.pad(ends, [(0, 0), (wide[1], wide[1]), (wide[2], wide[2])])
    grown = ~further_than(~padded, radius, spacing)
    del ends, padded
    shrunk = further_than(np.pad(grown, [(wide[0], wide[0]), (0, 0), (0, 0)], mode="edge"), radius, spacing)
    inner: Bools = shrunk[2 * wide[0] : -2 * wide[0], wide[1] : -wide[1], wide[2] : -wide[2]]
    return inner


def _whole(part: Bools, closing: float, spacing: tuple[float, ...]) -> Bools:
    """A lung with its vessels and the nodules at its surface."""
    box = ndimage.find_objects(part.view(np.int8))[0]
    inner = closed(part[box], closing, spacing)
    out = np.zeros_like(part)
    out[box] = _filled(inner, spacing)
    return out


def _filled(mask: Bools, spacing: tuple[float, ...]) -> Bools:
    """Holes of slices filled up to the size of a nodule, and of the volume of any size.

    Larger holes of a slice that are open above or below are the diaphragm, around which a lung lies as a ring.
    """
    most = np.pi / 4 * _NODULE**2 / (spacing[1] * spacing[2])
    out: Bools = ndimage.binary_fill_holes(mask)
    for one in out:
        holes, count = ndimage.label(ndimage.binary_fill_holes(one) & ~one)
        small = np.flatnonzero(np.bincount(holes.ravel(), minlength=count + 1) <= most)
        one |= np.isin(holes, small[small > 0])
    return out
