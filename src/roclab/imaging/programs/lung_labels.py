"""Lungs in images of labels: which numbers are the right lung and which the left, by the program that wrote them."""

from __future__ import annotations

import gzip
import re
import warnings
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from roclab._core.types import Array, Ints
from roclab.errors import FileError, InputError, RoclabWarning, Words
from roclab.imaging.orientation import canonical
from roclab.imaging.volumes import Volume, read_volume
from roclab.names import LUNG_PROGRAMS, LungProgram

__all__ = ["labels_in", "labels_of_names", "lungs_of_folder", "lungs_of_labels", "names_in_header"]

# Right and left. lungmask's README lists its own; those of TotalSegmentator are lobes of its task "total".
_SIDES: dict[LungProgram, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "lungmask": ((1,), (2,)),
    "lungmask-lobes": ((3, 4, 5), (1, 2)),
    "totalsegmentator": ((12, 13, 14), (10, 11)),
    "totalsegmentator-v1": ((15, 16, 17), (13, 14)),
}
_NAMED = re.compile(r"lung_(?:(?:upper|middle|lower)_lobe_)?(right|left)")
_LABEL = re.compile(rb'<Label Key="(\d{1,4})"[^<>]{0,200}><!\[CDATA\[([^\[\]<>]{1,100})\]\]></Label>')
_HEAD, _MOST = 352, 1_000_000  # bytes of a NIfTI header, and of what may follow it before the voxels


def lungs_of_labels(image: Volume, program: LungProgram | None, names: Mapping[int, str]) -> Volume:
    """The lungs of an image of labels, 1 right and 2 left; O(voxels).

    ``names`` are those that the file itself holds of its labels, which speak before any table does.
    """
    held = labels_in(image.array, "path")
    if names:
        right, left = labels_of_names(names)
    elif program is not None:
        right, left = _SIDES[program]
    else:
        if set(held) <= {1, 2}:
            said = "labels 1 and 2, which programs give to different sides" if len(held) > 1 else "a mask without sides"
        else:
            said = f"labels {_few(held)} without their names"
        known = ", ".join(LUNG_PROGRAMS)
        raise InputError("program", f"must name the program that wrote the labels: {known}", Words(said))
    if not set(held) & {*right, *left}:
        wanted = _few([*sorted({*right, *left})])
        said = _few(held) if held else "none"
        raise InputError("path", f"must hold lungs, which have the labels {wanted}", Words(f"labels {said}"))
    sides = np.zeros(image.shape, dtype=np.uint8)
    sides[np.isin(image.array, right)] = 1
    sides[np.isin(image.array, left)] = 2
    lungs = image.with_array(sides)
    _warn_of_sides(lungs)
    return lungs


def lungs_of_folder(folder: Path) -> Volume:
    """The lungs of a folder of masks, one for each lobe, as TotalSegmentator writes them."""
    parts = {}
    for file in sorted(folder.iterdir()):
        named = _NAMED.fullmatch(file.name.split(".")[0])
        if named is not None and file.name.endswith((".nii.gz", ".nii")):
            parts[file] = 1 if named[1] == "right" else 2
    if not parts:
        raise FileError(
            "path", "must be a folder with masks of lobes", Words(f"{folder.name}, in which there are none"),
            "they are called lung_upper_lobe_left.nii.gz and so on",
        )  # fmt: skip
    first: Volume | None = None
    sides = np.zeros(0, dtype=np.uint8)
    for file, side in parts.items():
        one = read_volume(file)
        if first is None:
            first, sides = one, np.zeros(one.shape, dtype=np.uint8)
        elif not one.same_place(first):
            said = Words(f"another geometry in {file.name}")
            raise FileError("path", "must hold masks of one place", said)
        sides[one.array > 0] = side
    assert first is not None
    if not sides.any():
        raise FileError("path", "must hold lungs", Words(f"{len(parts)} empty masks"))
    lungs = first.with_array(sides)
    _warn_of_sides(lungs)
    return lungs


def labels_of_names(names: Mapping[int, str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The labels of the right lung and of the left, by the names a file gives them.

    >>> labels_of_names({1: "heart", 4: "lung_lower_lobe_left", 7: "lung_right"})
    ((7,), (4,))
    """
    sides: dict[str, list[int]] = {"right": [], "left": []}
    for label, name in names.items():
        named = _NAMED.fullmatch(name)
        if named is not None:
            sides[named[1]].append(label)
    if not sides["right"] and not sides["left"]:
        raise InputError("path", "must hold lungs", Words(f"labels called {_few(list(names.values()))}"))
    return tuple(sides["right"]), tuple(sides["left"])


def names_in_header(path: Path) -> dict[int, str]:
    """Names of labels behind the header of a NIfTI file, where TotalSegmentator puts them; none elsewhere."""
    if not path.name.lower().endswith((".nii", ".nii.gz")):
        return {}
    try:
        with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as opened:
            head = opened.read(_HEAD)
            if len(head) < _HEAD or not head[348]:
                return {}
            order = "<" if int.from_bytes(head[:4], "little") == 348 else ">"
            start = float(np.frombuffer(head, f"{order}f4", 1, 108)[0])
            more = opened.read(int(min(max(start - _HEAD, 0), _MOST))) if np.isfinite(start) else b""
    except (OSError, EOFError, zlib.error):  # reading the voxels will say it
        return {}
    return {int(key): name.decode("utf-8", "replace") for key, name in _LABEL.findall(more)}


def labels_in(array: Array, name: str) -> list[int]:
    """The labels of an image, 0 left out; slice by slice, so that it needs the memory of one. O(voxels)."""
    found: set[int] = set()
    for plane in array:
        values: Ints | Array = np.unique(plane)
        if values.dtype.kind == "f" and not (np.isfinite(values).all() and (values == np.rint(values)).all()):
            raise InputError(name, "must hold labels, which are whole numbers", Words("an image of other values"))
        found |= {int(one) for one in values}
    return sorted(found - {0})


def _few(values: list[int] | list[str]) -> str:
    shown = ", ".join(map(str, values[:6]))
    return shown + (f" and {len(values) - 6} more" if len(values) > 6 else "")


def _warn_of_sides(lungs: Volume) -> None:
    """A right lung that lies on the left was labelled by another program; one that is missing may be meant."""
    turned, _ = canonical(lungs)
    across = {}
    for side, number in (("right", 1), ("left", 2)):
        columns = (turned.array == number).sum(axis=(0, 1))
        if columns.any():
            across[side] = float(columns @ np.arange(columns.size) / columns.sum())
        else:
            warnings.warn(f"the image of labels has no {side} lung.", RoclabWarning, stacklevel=5)
    if lungs.oriented and len(across) == 2 and across["right"] > across["left"]:
        said = "the right lung lies on the patient's left: was another program the one that wrote the labels?"
        warnings.warn(said, RoclabWarning, stacklevel=5)
