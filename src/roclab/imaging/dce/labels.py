"""Rough labels, and which voxels a classifier may learn from.

An expert's label is what training has; the truth, where there is one, belongs to the evaluation. So :func:`draw_voxels`
takes a label and a mask and nothing else: positives lie inside the label, negatives outside of the label and of a
margin around it. What the expert overlooked lies among the negatives, as it does in practice.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import ndimage

from roclab._core.checks import check_choice, check_count, plural
from roclab._core.types import Bools, Ints
from roclab.errors import InputError, Words
from roclab.imaging.dce.series import DceSeries
from roclab.imaging.volumes import Volume, read_volume
from roclab.names import LABEL_KINDS, LabelKind

__all__ = ["draw_voxels", "label_of", "rough_label"]


def rough_label(
    truth: Volume, *, kind: LabelKind = "dilated", mm: float = 3.0, one_lesion: bool = False,
    rng: np.random.Generator,
) -> Volume:  # fmt: skip
    """A label as an expert might draw it from the truth: exact, wider by ``mm``, or moved by ``mm`` in some direction.

    ``one_lesion`` marks the largest lesion only. O(voxels).
    """
    check_choice(kind, "kind", LABEL_KINDS)
    if not 0 <= mm < math.inf:
        raise InputError("mm", "must be 0 or a finite number above it", mm)
    marked = truth.array > 0
    if one_lesion and marked.any():
        sizes = np.bincount(truth.array.ravel())
        sizes[0] = 0
        marked = truth.array == int(np.argmax(sizes))
    if kind == "dilated":
        marked = ndimage.distance_transform_edt(~marked, sampling=truth.spacing) <= mm if marked.any() else marked
    elif kind == "shifted":
        way = rng.normal(size=3)
        steps = np.rint(mm * way / np.linalg.norm(way) / np.array(truth.spacing))
        marked = ndimage.shift(marked.astype(np.uint8), steps, order=0, mode="constant") > 0
    return truth.with_array(marked)


def label_of(given: Any, series: DceSeries, *, name: str = "label") -> Bools:
    """A label in the place of a series."""
    if not isinstance(given, Volume | np.ndarray):
        given = read_volume(given)
    if isinstance(given, Volume):
        if not given.same_place(series.place):
            raise InputError(name, "must lie in the same place as the series", Words("another geometry"))
        given = given.array
    if given.shape != series.shape:
        raise InputError(name, f"must have the shape {series.shape}", Words(f"{given.shape}"))
    if given.dtype.kind == "f" and not np.isfinite(given).all():
        raise InputError(name, "must hold finite numbers", Words("NaN"))
    return np.asarray(given) > 0


def draw_voxels(
    label: Bools, inside: Bools, spacing: tuple[float, float, float], *, positives: int, ratio: float, margin: float,
    rng: np.random.Generator,
) -> tuple[Ints, Ints]:  # fmt: skip
    """Positions of positives, inside the label, and of ``ratio`` times as many negatives, beyond it by the margin.

    Both lie in the mask. Fewer are drawn where there are fewer. O(voxels).
    """
    check_count(positives, "positives", least=1, most=10_000_000, way_out="1500 is usual")
    for name, value in (("ratio", ratio), ("margin", margin)):
        if not 0 <= value < math.inf or (name == "ratio" and value == 0):
            raise InputError(name, "must be a finite number, ratio above 0", value)
    within = np.flatnonzero(label & inside)
    if not label.any():
        raise InputError("label", "must mark a voxel", Words("none"), "leave the case out, or draw the label")
    if within.size == 0:
        raise InputError("mask", "must hold some of the label", Words("a label that lies outside of it"),
                         "draw the mask wider, or check that both belong to this series")  # fmt: skip
    beyond = ndimage.distance_transform_edt(~label, sampling=spacing) > margin
    outside = np.flatnonzero(beyond & inside)
    if outside.size == 0:
        raise InputError(
            "label", f"must leave voxels of the mask more than {margin:g} mm away, from which to learn what is normal",
            Words(f"{plural(within.size, 'voxel')} that cover everything"), "draw it closer to the lesion",
        )  # fmt: skip
    some = rng.permutation(within)[: min(positives, within.size)]
    many = min(outside.size, max(1, round(ratio * some.size)))
    others = rng.choice(outside, size=many, replace=False)
    return np.sort(some), np.sort(others)
