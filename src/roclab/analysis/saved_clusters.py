"""Classes of pixels in a folder: an image of each membership, and what the run was, so that two can be compared."""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.whole_file import write_whole
from roclab.errors import FileError, Words
from roclab.fuzzy.robust import RobustClusters
from roclab.imaging.dicom import check_dicom_place
from roclab.imaging.programs.json_files import read_json
from roclab.imaging.volumes import Volume, read_volume, write_volume

__all__ = ["read_clusters", "write_clusters"]

_IMAGE = re.compile(r"class_(\d{1,2})\.nii\.gz")
_RUN = "run.json"
_WAY_OUT = "roclab segment --classes 4 --memberships FOLDER writes one"


def write_clusters(
    found: RobustClusters, folder: str | os.PathLike[str], place: Volume | None = None, *, name: str = "folder"
) -> Path:
    """Write the memberships of a run into a new or empty folder, one NIfTI image a class, and ``run.json``.

    ``place`` is the volume whose pixels were clustered; without it they are taken to be 1 mm apart.
    """
    made = check_dicom_place(folder, name=name)
    made.mkdir(exist_ok=True)
    shape = found.memberships.shape[1:]
    flat = (1,) * (3 - len(shape)) + shape
    where = place if place is not None else Volume(array=np.zeros(flat, dtype=np.int8))
    for at, one in enumerate(found.memberships, start=1):
        write_volume(where.with_array(np.asarray(one).reshape(where.shape)), made / f"class_{at}.nii.gz")
    about = {key: value for key, value in found.to_dict().items() if key != "objective"}
    write_whole(made / _RUN, json.dumps({**about, "objective": float(found.objective[-1])}, indent=2), name=name)
    return made


def read_clusters(folder: str | os.PathLike[str]) -> RobustClusters:
    """The run of a folder that ``write_clusters`` wrote, for ``match_clusters``; its steps are not kept.

    Examples
    --------
    >>> import tempfile, numpy as np, roclab as rl
    >>> found = rl.imaging.robust_cmeans(np.repeat([[[0.0, 9.0]]], 4, axis=1), 2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = rl.imaging.read_clusters(rl.imaging.write_clusters(found, folder))
    >>> bool((again.memberships == found.memberships).all()), again.sizes
    (True, (4, 4))
    """
    place = Path(folder)
    if not place.is_dir():
        raise FileError("folder", "must be a folder with the memberships of a run", Words(place), _WAY_OUT)
    images = {int(one[1]): file for file in place.iterdir() if (one := _IMAGE.fullmatch(file.name)) is not None}
    about = read_json(place / _RUN, way_out=_WAY_OUT)
    centres = _centres(about, place)
    if sorted(images) != list(range(1, len(centres) + 1)):
        said = Words(f"{len(images)} images of {len(centres)} classes in {place.name}")
        raise FileError("folder", "must hold an image of every class", said, _WAY_OUT)
    volumes = [read_volume(images[at]) for at in range(1, len(centres) + 1)]
    if not all(one.same_place(volumes[0]) for one in volumes):
        raise FileError("folder", "must hold images of one place", Words(place.name), _WAY_OUT)
    memberships = np.stack([np.asarray(one.array, dtype=np.float32) for one in volumes])
    if not (np.isfinite(memberships).all() and memberships.min() >= 0 and memberships.max() <= 1 + 1e-4):
        raise FileError("folder", "must hold memberships from 0 to 1", Words(place.name), _WAY_OUT)
    inside = memberships.sum(axis=0) > 0
    largest = np.where(inside, memberships.argmax(axis=0), -1)
    number = {name: float(about.get(name, math.nan)) for name in ("objective", "beta", "fuzziness")}
    return RobustClusters(
        centres=centres, memberships=memberships, mask=None if inside.all() else inside,
        objective=np.array([number["objective"]]), iterations=int(about.get("iterations", 0)),
        converged=bool(about.get("converged", False)), update=str(about.get("update", ""))[:20],
        rises=int(about.get("rises", 0)), beta=number["beta"], fuzziness=number["fuzziness"],
        radius=tuple(int(one) for one in about.get("radius", ())),
        sizes=tuple(int((largest == at).sum()) for at in range(len(centres))),
        notes=tuple(map(str, about.get("notes", ()))),
    )  # fmt: skip


def _centres(about: Any, place: Path) -> Any:
    try:
        centres = np.array(about["centres"], dtype=np.float64)
        if centres.ndim != 2 or not centres.size or not np.isfinite(centres).all():
            raise ValueError
        for name, kind in (("objective", float), ("beta", float), ("fuzziness", float), ("iterations", int),
                           ("rises", int)):  # fmt: skip
            kind(about.get(name, 0))
        [int(one) for one in about.get("radius", ())]
        list(about.get("notes", ()))
    except (KeyError, TypeError, ValueError, AttributeError):
        said = Words(f"{_RUN} in {place.name} that says something else")
        raise FileError("folder", "must say the run of its classes", said, _WAY_OUT) from None
    return centres
