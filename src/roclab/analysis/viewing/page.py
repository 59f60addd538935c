"""What a page of one file holds that shows a scan or a series in time."""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roclab._core.checks import plural
from roclab.analysis.viewing.embedding import MOST_CODES, embedded
from roclab.analysis.viewing.overlays import add_layers
from roclab.analysis.viewing.scans import scene_of
from roclab.analysis.viewing.series import scene_of_series
from roclab.errors import InputError, Words
from roclab.imaging.dce.confidence import Confidence
from roclab.imaging.dce.series import DceSeries
from roclab.imaging.hounsfield import clipped_to_air
from roclab.imaging.research import RESEARCH
from roclab.imaging.volumes import Volume, name_of_image, read_volume

__all__ = ["ViewerPage", "viewer_page_of", "write_viewer"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ViewerPage:
    """Everything the page shows; nothing is computed after it."""

    title: str
    answer: str
    called: str  # the table below
    rows: tuple[dict[str, Any], ...]
    places: tuple[list[int], ...]  # of the rows, as indices (z, y, x)
    notes: tuple[str, ...]
    viewer: dict[str, Any]
    research: str = RESEARCH


def write_viewer(
    image: Volume | DceSeries | str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    layers: Any = None,
    confidence: Confidence | None = None,
    truth: Volume | None = None,
    mask: Any = None,
    title: str | None = None,
) -> Path:
    """One page that works offline and shows a scan or a DCE-MRI in three planes, with layers over it.

    Slices are scrolled, windows chosen, images switched, outlines and colours laid over them. Of a series there are all
    subtractions, the confidence, maps of time to peak, wash-out and types of curves (I to III), maximum intensity
    projections, and the kinetic curve of the voxel or region under the mouse beside the means of lesions and of normal
    tissue.

    Parameters
    ----------
    image : Volume, DceSeries, or a file or folder that ``read_volume`` reads
    path : file
        Ends in .html; written whole or not at all. More than 20 million voxels are halved in plane, and the page says
        so.
    layers : mapping of names to volumes, files, or classes of ``robust_cmeans``, optional
        In the same place. Few whole numbers are labels, other values are drawn in colours.
    confidence, truth, mask : optional
        Of a series: the answer of ``dce_apply``, the true lesions, and where normal tissue is (default: that of the
        confidence, or ``dce_mask``).
    title : str, optional

    Examples
    --------
    >>> import tempfile, pathlib, roclab as rl
    >>> chest = rl.imaging.phantom_chest(size=(12, 64, 64), nodules=1, rng=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = rl.imaging.write_viewer(chest.volume, f"{folder}/chest.html", layers={"lungs": chest.lungs})
    ...     page.stat().st_size < 500_000
    True
    """
    content = viewer_page_of(image, layers=layers, confidence=confidence, truth=truth, mask=mask, title=title)
    place: Path = importlib.import_module("roclab.report.viewer_page").write_viewer_page(content, path)
    return place


def viewer_page_of(
    image: Any, *, layers: Any = None, confidence: Confidence | None = None, truth: Any = None, mask: Any = None,
    title: str | None = None, most: int = MOST_CODES,
) -> ViewerPage:  # fmt: skip
    """The content of a page."""
    rows: list[dict[str, Any]] = []
    if isinstance(image, DceSeries):
        scene = scene_of_series(
            image, called=title or "DCE-MRI", confidence=confidence, truth=truth, mask=mask
        )  # fmt: skip
        answer = (
            f"{plural(len(image.frames), 'frame')} of {' x '.join(map(str, image.shape))} voxels, "
            f"{image.before} before contrast agent."
        )
        findings = None if confidence is None else confidence.findings
        if findings is not None:
            rows = findings.rows()
            answer += f" {plural(len(rows), 'region')} of confidence {findings.threshold:g} or more."
    else:
        for name, value in (("confidence", confidence), ("truth", truth), ("mask", mask)):
            if value is not None:
                raise InputError(name, "is for a series in time", Words("one scan"), "show it by layers")
        volume = image if isinstance(image, Volume) else read_volume(image)
        called = "Scan" if isinstance(image, Volume) else name_of_image(image)
        scene = scene_of(clipped_to_air(volume) if volume.modality == "CT" else volume, title or called)
        answer = (
            f"{' x '.join(map(str, volume.shape))} voxels of {' x '.join(f'{one:.3g}' for one in volume.spacing)} mm."
        )
    add_layers(scene, layers)
    shown, held = embedded(scene, most=most)
    last = [size - 1 for size in shown.volume.shape]
    places = shown.places([[row[name] for name in "xyz"] for row in rows]).round().astype(int).tolist()
    return ViewerPage(
        title=scene.called, answer=answer, called="Suspicious regions", rows=tuple(rows),
        places=tuple([min(max(int(a), 0), b) for a, b in zip(one, last, strict=True)] for one in places),
        notes=tuple(held["facts"]["notes"]), viewer=held,
    )  # fmt: skip
