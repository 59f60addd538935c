"""Scans and series that a page looks at: opened once, the last ones held, slices handed out as bytes."""

from __future__ import annotations

import os
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from roclab.analysis.viewing.layers import layer_of_text
from roclab.analysis.viewing.overlays import layer_of_file
from roclab.analysis.viewing.scans import example_scan, show_scan
from roclab.analysis.viewing.scene import Scene
from roclab.analysis.viewing.series import show_example, show_series
from roclab.errors import FileError, InputError, Words

__all__ = ["Scans"]

_HELD = 2  # scans in memory: a large one has 150 MB
_EXAMPLE = "example"


class Scans:
    """The scans of this start; the example is made in the folder of uploads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: OrderedDict[str, Scene] = OrderedDict()
        self._lock = Lock()

    def open(self, path: str, series: dict[str, Any] | None = None) -> dict[str, Any]:
        """Read a scan: a file, or the folder of a series; "example" is a phantom.

        ``series`` says that it is one in time (DCE-MRI), with ``times``, ``arrival``, ``model`` and ``anterior`` where
        given.
        """
        if "\0" in path or not path.strip():
            raise FileError("", "a path must name a scan", Words("nothing"), "write where the file or the folder lies")
        place = os.path.expanduser(path.strip())
        if series is not None:
            scene = show_example() if place == _EXAMPLE else show_series(place, **_of_series(series))
        else:
            if place == _EXAMPLE:
                place = str(example_scan(self._folder))
            scene = show_scan(place)
        key = secrets.token_urlsafe(12)
        with self._lock:
            self._held[key] = scene
            while len(self._held) > _HELD:
                self._held.popitem(last=False)
        return {**scene.facts(), "key": key, "path": place}

    def slice(self, key: str, image: str, plane: str, at: int) -> bytes:
        """A slice of an image as 16-bit codes, row by row."""
        return bytes(self._of(key).slice(image, plane, at).tobytes())

    def highest(self, key: str, image: str, plane: str) -> bytes:
        """Its maximum along the lines of sight, likewise."""
        return bytes(self._of(key).highest(image, plane).tobytes())

    def labels(self, key: str, name: str, plane: str, at: int) -> bytes:
        """A slice of labels, 16 bits a voxel."""
        return bytes(self._of(key).label_slice(name, plane, at).tobytes())

    def curve(self, key: str, at: Sequence[int]) -> list[float]:
        """The kinetic curve of a voxel."""
        return [round(float(one), 6) for one in self._of(key).curve(at)]

    def add_layer(self, key: str, text: str) -> dict[str, Any]:
        """A layer over the scan, as work of ours has packed it; the facts anew."""
        scene = self._of(key)
        scene.add(layer_of_text(text, scene.volume.shape))
        return scene.facts()

    def add_file(self, key: str, path: str) -> dict[str, Any]:
        """An image of a file in the same place; the facts anew."""
        if "\0" in path or not path.strip():
            raise FileError("", "a path must name an image", Words("nothing"), "write where the file lies")
        scene = self._of(key)
        scene.add(layer_of_file(os.path.expanduser(path.strip()), scene))
        return scene.facts()

    def _of(self, key: str) -> Scene:
        with self._lock:
            if key not in self._held:
                raise InputError("", "this page asks for a scan that the server does not hold", way_out="open it again")
            self._held.move_to_end(key)
            return self._held[key]


def _of_series(given: dict[str, Any]) -> dict[str, Any]:
    """What the page says of a series: seconds with commas between them, when contrast agent arrived, a model."""
    out: dict[str, Any] = {}
    names = ("times", "arrival", "model", "anterior")
    times, arrival, model, anterior = (str(given.get(name) or "").strip() for name in names)
    try:
        if times:
            out["times"] = [float(one) for one in times.replace(";", ",").split(",")]
        if arrival:
            out["arrival"] = float(arrival)
    except ValueError:
        said = Words(f"{times} {arrival}"[:60])
        raise InputError("", "times and arrival must be seconds", said, "0,60,120") from None
    if model:
        out["model"] = os.path.expanduser(model)
    if anterior:
        out["anterior"] = anterior
    return out
