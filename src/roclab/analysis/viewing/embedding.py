"""A scene inside a page of one file: codes deflated and written as text, halved in plane where they are too many."""

from __future__ import annotations

import base64
import zlib
from dataclasses import replace
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.analysis.viewing.scene import Curves, Image, Labels, Scene
from roclab.imaging.orientation import slice_axis

__all__ = ["MOST_CODES", "embedded", "halved"]

MOST_CODES = 20_000_000  # of 16 bits in a page: 40 MB before they are deflated


def embedded(scene: Scene, *, most: int = MOST_CODES) -> tuple[Scene, dict[str, Any]]:
    """The scene as it is shown, its facts, and codes as text; each image says in which block of these it lies."""
    times = 0
    shown = scene
    while _codes_of(shown) > most and min(shown.volume.shape[axis] for axis in _in_plane(scene)) >= 32:
        shown = halved(shown, _in_plane(scene))
        times += 1
    facts = shown.facts()
    if times:
        across = 2**times
        note = f"the viewer shows every {across} x {across} voxels in plane as one, to keep the page small"
        facts["notes"] = [*facts["notes"], note]
    blocks: dict[str, str] = {}
    stacks: dict[int, str] = {}
    every: list[Image | Labels] = [*shown.images, *shown.labels]
    for held, one in zip([*facts["images"], *facts["labels"]], every, strict=True):
        if id(one.codes) not in stacks:
            stacks[id(one.codes)] = f"b{len(blocks)}"
            blocks[stacks[id(one.codes)]] = _text(one.codes)
        held["block"] = stacks[id(one.codes)]
        held["frame"] = one.frame if isinstance(one, Image) else None
    if shown.curves is not None:
        facts["curves"]["block"] = stacks[id(shown.curves.stack)]
    return shown, {"facts": facts, "blocks": blocks}


def halved(scene: Scene, axes: tuple[int, int]) -> Scene:
    """Half as many voxels along two axes: means of values, every second label. An odd last one is left out."""
    volume = scene.volume
    every = tuple(slice(None, None, 2) if axis in axes else slice(None) for axis in range(3))
    spacing = tuple(step * (2 if axis in axes else 1) for axis, step in enumerate(volume.spacing))
    shape = tuple(size // 2 if axis in axes else size for axis, size in enumerate(volume.shape))
    middle = [0.5 if axis in axes else 0.0 for axis in range(3)]
    x, y, z = volume.to_world([middle])[0].tolist()
    place = replace(
        volume, array=np.broadcast_to(np.zeros((), np.int8), shape), spacing=spacing, origin=(x, y, z)  # type: ignore[arg-type]
    )  # fmt: skip
    made: dict[int, Array] = {}

    def means(codes: Array) -> Array:
        if id(codes) not in made:
            made[id(codes)] = _means(codes, axes)
        return made[id(codes)]

    images = [replace(one, codes=means(one.codes)) for one in scene.images]
    labels: list[Labels] = [
        replace(one, codes=np.ascontiguousarray(one.codes[every][tuple(slice(0, size) for size in shape)]))
        for one in scene.labels
    ]
    curves: Curves | None = None
    if scene.curves is not None:
        curves = replace(scene.curves, stack=means(scene.curves.stack))
    return Scene(
        called=scene.called, volume=place, turn=scene.turn, images=images, labels=labels, curves=curves,
        notes=scene.notes, start=_start(scene, axes, shape),
    )  # fmt: skip


def _start(scene: Scene, axes: tuple[int, int], shape: tuple[int, ...]) -> tuple[int, int, int] | None:
    if scene.start is None:
        return None
    halves = [at // 2 if axis in axes else at for axis, at in enumerate(scene.start)]
    z, y, x = (min(at, size - 1) for at, size in zip(halves, shape, strict=True))
    return z, y, x


def _means(codes: Array, axes: tuple[int, int]) -> Array:
    """Rounded means of two by two; plane by plane where the first axis stays, so that little is held twice."""
    lead = codes.ndim - 3
    if lead or 0 not in axes:
        rest = axes if lead else (axes[0] - 1, axes[1] - 1)
        return np.stack([_means(one, rest) if lead else _flat_means(one, rest) for one in codes])
    return _flat_means(codes, axes)


def _flat_means(codes: Array, axes: tuple[int, int]) -> Array:
    total = codes.astype(np.int32)
    for axis in axes:
        size = total.shape[axis] // 2 * 2
        even = [slice(None)] * codes.ndim
        odd = list(even)
        even[axis], odd[axis] = slice(0, size, 2), slice(1, size, 2)
        total = total[tuple(even)] + total[tuple(odd)]
    return np.rint(total / 4).astype("<i2")


def _in_plane(scene: Scene) -> tuple[int, int]:
    along = slice_axis(scene.volume.spacing)
    first, second = (axis for axis in range(3) if axis != along)
    return first, second


def _codes_of(scene: Scene) -> int:
    every = {id(one.codes): one.codes.size for one in scene.images}
    if scene.curves is not None:
        every[id(scene.curves.stack)] = scene.curves.stack.size
    return sum(every.values())


def _text(codes: Array) -> str:
    data = np.ascontiguousarray(codes).astype("<u2" if codes.dtype.kind == "u" else "<i2", copy=False).tobytes()
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")
