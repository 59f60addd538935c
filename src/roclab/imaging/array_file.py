"""Models in files: arrays and JSON in a zip that NumPy reads, so that opening one can run nothing.

A file says its kind and its version, and is checked on its way in; what is in it is checked by who asked for it.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from roclab._core.types import Array
from roclab._core.whole_file import check_place, write_whole
from roclab.errors import FileError, Words

__all__ = ["finite_numbers", "read_arrays", "refuse_file", "write_arrays"]

_LARGEST = 64 * 2**20  # bytes of a file, and of one array: no model here is larger


def write_arrays(
    path: str | os.PathLike[str], about: Mapping[str, Any], arrays: Mapping[str, Array], *, name: str
) -> Path:
    """Write, whole or not at all; the same model gives the same bytes."""
    place = Path(path)
    check_place(place, name=name)
    told = np.frombuffer(json.dumps(about, sort_keys=True).encode("utf-8"), dtype=np.uint8)
    out = io.BytesIO()
    np.savez_compressed(out, allow_pickle=False, about=told, **arrays)
    write_whole(place, out.getvalue(), name=name)
    return place


def read_arrays(
    path: str | os.PathLike[str], *, kind: str, version: int, name: str
) -> tuple[dict[str, Array], dict[str, Any]]:
    """The arrays of a file of this kind and version, and what it says about them."""
    place = Path(path)
    if not place.is_file():
        raise FileError(name, "must be a file that exists", Words(str(path)), "check the path")
    if place.stat().st_size > _LARGEST:
        refuse_file(place, name, "too large for a model")
    try:
        # From memory: NumPy leaves a broken file open.
        arrays = _unpacked(np.load(io.BytesIO(place.read_bytes()), allow_pickle=False), place, name)
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError) as error:
        if isinstance(error, FileError):
            raise
        refuse_file(place, name, "cut short or not a model file")
    return arrays, _about(arrays, place, kind, version, name)


def refuse_file(place: Path, name: str, why: str) -> NoReturn:
    """The one sentence about a file that is no model."""
    raise FileError(name, "must be a model that roclab wrote", Words(f"{place.name}, which is {why}"), "train it again")


def finite_numbers(array: Array, axes: int) -> Array:
    """The array, if it holds finite numbers of eight bytes along so many axes; a ValueError otherwise."""
    if array.dtype != np.float64 or array.ndim != axes or not np.isfinite(array).all():
        raise ValueError("no finite numbers of eight bytes")
    return array


def _unpacked(held: Any, place: Path, name: str) -> dict[str, Array]:
    if not isinstance(held, np.lib.npyio.NpzFile):
        refuse_file(place, name, "a single array")
    assert held.zip is not None
    for one in held.zip.infolist():
        if one.file_size > _LARGEST:
            refuse_file(place, name, "too large for a model")
    found = {key: held[key] for key in held.files}
    if not all(isinstance(one, np.ndarray) for one in found.values()):
        refuse_file(place, name, "something else")
    return found


def _about(arrays: dict[str, Array], place: Path, kind: str, version: int, name: str) -> dict[str, Any]:
    try:
        about = json.loads(arrays["about"].tobytes().decode("utf-8"))
    except (KeyError, UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        refuse_file(place, name, "something else")
    if not isinstance(about, dict) or not isinstance(about.get("kind"), str):
        refuse_file(place, name, "something else")
    if about["kind"] != kind:
        other = about["kind"] if about["kind"].startswith("roclab ") else "something else"
        refuse_file(place, name, f"{other[:40]} and no {kind}" if other != "something else" else other)
    if about.get("version") != version:
        raise FileError(
            name, f"must be of version {version}, which this roclab reads",
            Words(f"{place.name} of version {about.get('version')!r}"), "train it again, or use the other roclab",
        )  # fmt: skip
    return about
