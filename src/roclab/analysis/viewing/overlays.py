"""Layers over a scan: classes of its pixels with their memberships, and images of files in the same place."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.analysis.lungs import segment
from roclab.analysis.viewing.scene import Image, Labels, Scene, coded, empty_scene, label_codes
from roclab.errors import InputError, Words
from roclab.fuzzy.robust import RobustClusters
from roclab.imaging.orientation import canonical
from roclab.imaging.volumes import Volume, name_of_image, read_volume

__all__ = ["add_layers", "classes_of_file", "layer_of", "layer_of_file", "layers_of_classes"]

_MOST_LABELS = 64  # different whole numbers of an image that is taken for labels


def layers_of_classes(found: RobustClusters, scene: Scene) -> list[Image | Labels]:
    """Classes as filled labels, and the membership of every class between 0 and 1."""
    classes = (np.asarray(found.labels) + 1).astype(np.uint16)
    shape = tuple(scene.volume.shape[at] for at in np.argsort(scene.turn.order))
    out: list[Image | Labels] = [
        Labels(
            name="classes", codes=label_codes(scene.turn.forward(classes.reshape(shape))), filled=True,
            words={at: f"class {at}, mean {float(np.ravel(one)[0]):.4g}" for at, one in enumerate(found.centres, 1)},
        )
    ]  # fmt: skip
    for at, one in enumerate(found.memberships, start=1):
        values = scene.turn.forward(np.asarray(one, dtype=np.float32).reshape(shape))
        out.append(coded(f"membership of class {at}", values, window=(0.0, 1.0), colour=True))
    return out


def classes_of_file(path: str | os.PathLike[str], classes: int) -> tuple[list[dict[str, Any]], list[Image | Labels]]:
    """Classes of the pixels of a scan by robust fuzzy c-means: a table of them, and layers."""
    volume = read_volume(path)
    found = segment(volume, classes=classes)
    assert isinstance(found, RobustClusters)
    return found.rows(), layers_of_classes(found, empty_scene("", volume))


def layer_of_file(path: str | os.PathLike[str], scene: Scene) -> Image | Labels:
    """An image in the place of the scan: few whole numbers are labels, others values in colours."""
    return layer_of(name_of_image(Path(path)), read_volume(path), scene)


def add_layers(scene: Scene, layers: Any) -> None:
    """What is asked for over a scan: a mapping of names to volumes, files or classes of pixels."""
    if layers is None:
        return
    if not isinstance(layers, Mapping):
        said = Words(type(layers).__name__)
        raise InputError("layers", "must be a mapping of names to volumes, files or classes", said)
    for name, one in layers.items():
        if isinstance(one, RobustClusters):
            for layer in layers_of_classes(one, scene):
                scene.add(layer)
        elif isinstance(one, str | os.PathLike):
            scene.add(layer_of(str(name), read_volume(one), scene))
        else:
            scene.add(layer_of(str(name), one, scene))


def layer_of(name: str, volume: Volume | Any, scene: Scene) -> Image | Labels:
    """The same of a volume."""
    if not isinstance(volume, Volume):
        raise InputError("layers", "must be volumes", Words(type(volume).__name__), "read_volume makes one")
    turned, _ = canonical(volume)
    if not turned.same_place(scene.volume):
        raise InputError("layers", "must lie in the same place as the scan", Words(f"{name!r} with another geometry"))
    array = np.asarray(turned.array)
    if _are_labels(array):
        return Labels(name=name, codes=label_codes(array.astype(np.int64)), filled=int(array.max()) > 1)
    high = float(np.nanmax(array))
    low = min(0.0, float(np.nanmin(array)))
    return coded(name, array, window=(low, high if high > low else low + 1.0), colour=True)


def _are_labels(array: Array) -> bool:
    """Whole numbers from 0, of which there are few."""
    if array.dtype.kind == "b":
        return True
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        return False
    found: set[float] = set()
    for plane in array:
        values = np.unique(plane)
        if values.size > _MOST_LABELS or values[0] < 0 or (values != np.rint(values)).any():
            return False
        found |= set(values.tolist())
    return len(found) <= _MOST_LABELS
