"""Scans as they are shown, and what a lung CAD marked in them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from roclab.analysis.lung_cad.apply import cad_apply
from roclab.analysis.lung_cad.marks import CadMarks
from roclab.analysis.lung_cad.page import curve_points, hits_of
from roclab.analysis.lungs import phantom_chest
from roclab.analysis.viewing.embedding import MOST_CODES, embedded
from roclab.analysis.viewing.overlays import add_layers
from roclab.analysis.viewing.scene import Labels, Scene, coded, empty_scene, label_codes
from roclab.imaging.hounsfield import clipped_to_air
from roclab.imaging.volumes import Volume, read_volume, write_volume

__all__ = [
    "LUNGS", "REGIONS", "cad_of_scan", "example_scan", "labels_of_marks", "scene_of", "show_scan",
    "viewer_of_marks",
]  # fmt: skip

LUNGS, REGIONS = "lungs", "regions"
_SHOWN = ("mark", "x", "y", "z", "probability", "malignancy", "marked", "diameter_mm")


def show_scan(path: str | os.PathLike[str]) -> Scene:
    """A file or folder that ``read_volume`` reads, ready to be shown; O(voxels), two bytes each."""
    return scene_of(read_volume(path), Path(path).name)


def scene_of(volume: Volume, called: str) -> Scene:
    """A volume, ready to be shown."""
    scene = empty_scene(called, volume)
    scene.add(coded("scan", scene.volume.array))
    return scene


def cad_of_scan(path: str | os.PathLike[str], model: str, lesions: Any = None) -> dict[str, Any]:
    """Marks of a lung CAD with the slices they lie in, the FROC curve of its training, and layers.

    With ``lesions`` every mark has the number of the nodule that it hits, 0 for none.
    """
    found = cad_apply(model, path)
    scene = empty_scene("", found.volume)
    rows = found.rows()
    places = scene.places([[row[name] for name in "xyz"] for row in rows])
    truth, hits = hits_of(found, lesions)
    shown = [{name: row[name] for name in _SHOWN if name in row} for row in rows]
    if lesions is not None:
        shown = [{**row, "nodule": hit} for row, hit in zip(shown, hits, strict=True)]
    return {
        "rows": shown,
        "places": places.tolist(),
        "regions": [row["region"] for row in rows],
        "hits": hits if lesions is not None else None,
        "nodules": None if lesions is None else len(truth),
        "threshold": found.model.operating.threshold,
        "rule": found.model.operating.rule,
        "curve": curve_points(found),
        "notes": [*found.notes],
        "layers": labels_of_marks(found, scene),
    }


def labels_of_marks(found: CadMarks, scene: Scene) -> list[Labels]:
    """Lungs and regions of a scan that was searched, canonical."""
    lungs = label_codes(scene.turn.forward(np.asarray(found.lungs.array) > 0).astype(np.uint8))
    return [
        Labels(name=LUNGS, codes=lungs),
        Labels(name=REGIONS, codes=label_codes(scene.turn.forward(np.asarray(found.found.labels.array)))),
    ]


def viewer_of_marks(found: CadMarks, layers: Any = None, *, most: int = MOST_CODES) -> dict[str, Any]:
    """The scan with its lungs and regions for a page of one file, and where its marks lie in it."""
    scene = scene_of(clipped_to_air(found.volume), found.scan)
    for one in labels_of_marks(found, scene):
        scene.add(one)
    add_layers(scene, layers)
    shown, held = embedded(scene, most=most)
    places = shown.places([region.position for region in found.found.regions])
    return {**held, "places": places.round(2).tolist()}


def example_scan(folder: Path, *, settings: Mapping[str, Any] | None = None) -> Path:
    """A phantom chest with nodules, written into a folder to be opened as any other scan."""
    made = phantom_chest(
        **{"size": (40, 128, 128), "spacing": (2.0, 1.6, 1.6), "nodules": 4, "noise": 25, "rng": 11, **(settings or {})}
    )
    return write_volume(made.volume, folder / "phantom_chest.nii.gz")
