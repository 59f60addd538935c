"""Scans that a page looks at: opened once, the last ones held, slices handed out as bytes."""

from __future__ import annotations

import os
import secrets
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Any

from roclab.analysis.viewing import ShownScan, example_scan, show_scan, slice_of, unpacked
from roclab.errors import FileError, InputError, Words

__all__ = ["Scans"]

_HELD = 2  # scans in memory: a large one has 150 MB


class Scans:
    """The scans of this start; the example is made in the folder of uploads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: OrderedDict[str, tuple[ShownScan, dict[str, Any]]] = OrderedDict()
        self._lock = Lock()

    def open(self, path: str) -> dict[str, Any]:
        """Read a scan: a file, or the folder of a series; "example" is a phantom."""
        if "\0" in path or not path.strip():
            raise FileError("", "a path must name a scan", Words("nothing"), "write where the file or the folder lies")
        place = os.path.expanduser(path.strip())
        if place == "example":
            place = str(example_scan(self._folder))
        scan = show_scan(place)
        key = secrets.token_urlsafe(12)
        with self._lock:
            self._held[key] = (scan, {})
            while len(self._held) > _HELD:
                self._held.popitem(last=False)
        return {**scan.facts(), "key": key, "path": place}

    def slice(self, key: str, plane: str, at: int) -> bytes:
        """A slice as 16-bit codes, row by row."""
        return self._of(key)[0].slice(plane, at).tobytes()

    def add_layer(self, key: str, name: str, text: str) -> None:
        """A mask over the scan, as work of ours has packed it."""
        scan, layers = self._of(key)
        layers[name] = unpacked(text, scan.codes.shape)

    def layer(self, key: str, name: str, plane: str, at: int) -> bytes:
        """A slice of a mask, a byte a voxel."""
        _, layers = self._of(key)
        if name not in layers:
            raise InputError("", "this scan must have the layer that is asked for", Words(repr(name)[:40]))
        return slice_of(layers[name], plane, at).tobytes()

    def _of(self, key: str) -> tuple[ShownScan, dict[str, Any]]:
        with self._lock:
            if key not in self._held:
                raise InputError("", "this page asks for a scan that the server does not hold", way_out="open it again")
            self._held.move_to_end(key)
            return self._held[key]
