"""Regions of interest in the lungs: what is denser than lung, cut where it hangs on a vessel by a neck.

A threshold, or robust fuzzy c-means of two classes, tells dense tissue from lung; the watershed of the distance map
(:mod:`roclab.imaging.lungs.watershed`) separates nodules from the vessels they sit on; regions smaller than a stated
diameter are dropped, and those that are nothing but the blurred rim of the lung. Ground glass is too thin for the
threshold: a second, lower one finds it in the smoothed scan, away from the edges of what is dense.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import ndimage

from roclab._core.checks import check_choice, check_positive, plural
from roclab._core.text import csv_text, text_table
from roclab._core.types import Array, Bools
from roclab._core.work import Progress
from roclab.errors import InputError, MissingValuesError, Words
from roclab.fuzzy.robust import robust_cmeans
from roclab.imaging.distances import distance_inside, further_than
from roclab.imaging.lungs.features import FEATURES, features_of
from roclab.imaging.lungs.watershed import cut_tails, split_at_necks
from roclab.imaging.volumes import AIR, Volume, clipped_to_air
from roclab.names import CANDIDATE_METHODS, CandidateMethod
from roclab.results import Result

__all__ = ["Candidate", "Candidates", "find_candidates"]

_TAIL = 0.5  # of the depth of a region: what is thinner hangs on it
_FEWEST = 4  # voxels: a shape of fewer tells nothing
_HAZE = 5.0  # mm: smaller patches of ground glass are noise
_SMOOTH = 1.5  # mm: by which noise is smoothed before haze is looked for
_EDGE = 2.0  # mm: width of blurred edges
_SHOWN = 20  # rows printed; all are in rows()


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A region of interest."""

    number: int  # in the image of the regions
    position: tuple[float, float, float]  # x, y, z of its centre in world mm
    voxels: int
    features: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates(Result):
    """Regions of interest of a scan, the highest score first."""

    scan: str
    labels: Volume  # numbers of the regions, 0 elsewhere
    regions: tuple[Candidate, ...]
    method: str
    threshold: float  # HU: the one given, or where the two classes meet
    score: str  # the feature that stands for a probability in ``marks``
    dropped: int  # regions below the smallest size, and rims
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row per region: its place, its size and its features."""
        return [
            {
                "scan": self.scan, "region": region.number, "x": region.position[0], "y": region.position[1],
                "z": region.position[2], "voxels": region.voxels, **region.features,
            }
            for region in self.regions
        ]  # fmt: skip

    def marks(self) -> list[dict[str, Any]]:
        """The regions in the columns of LUNA16, as ``froc`` reads them; the score is a feature and no probability."""
        return [
            {
                "seriesuid": self.scan, "coordX": region.position[0], "coordY": region.position[1],
                "coordZ": region.position[2], "probability": region.features[self.score],
            }
            for region in self.regions
        ]  # fmt: skip

    def marks_csv(self) -> str:
        """The same as comma-separated text."""
        return csv_text(self.marks())

    def hits(self, nodules: Any) -> list[int]:
        """For every region the number of the nodule, from 1, whose ball holds its centre, or 0: LUNA16's rule."""
        places = np.array([nodule.position for nodule in nodules], dtype=np.float64).reshape(-1, 3)
        radii = np.array([nodule.diameter / 2 for nodule in nodules], dtype=np.float64)
        out = []
        for one in self.regions:
            far = np.sqrt(((places - np.array(one.position)) ** 2).sum(axis=1))
            inside = far < radii
            out.append(int(np.where(inside, far, np.inf).argmin()) + 1 if inside.any() else 0)
        return out

    def to_dict(self) -> dict[str, Any]:
        """Everything but the image."""
        return {
            "scan": self.scan, "regions": self.rows(), "method": self.method, "threshold": self.threshold,
            "score": self.score, "dropped": self.dropped, "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        shown = ("x", "y", "z", "diameter_mm", "sphericity", "blob_mm", "mean", "sd")
        rows = [{"region": row["region"], **{name: row[name] for name in shown}} for row in self.rows()[:_SHOWN]]
        more = len(self.regions) - len(rows)
        about = (
            f"{self.scan}: {plural(len(self.regions), 'region')} above {self.threshold:.0f} HU ({self.method}), "
            f"{self.dropped} dropped as too small or as rim; sorted by {self.score}"
        )
        rest = [f"and {more} more"] if more > 0 else []
        return "\n".join([about, "", text_table(rows) if rows else "none", *rest, *self.notes])


def find_candidates(
    volume: Volume,
    lungs: Bools,
    *,
    scan: str = "scan",
    method: CandidateMethod = "threshold",
    threshold: float = -600.0,
    ground_glass: float | None = -740.0,
    beta: float | str = "auto",
    necks: float = 0.6,
    smallest: float = 3.0,
    largest: float = 40.0,
    rim: float = 3.0,
    score: str = "blob_mm",
    progress: Progress | None = None,
) -> Candidates:
    """Regions of interest inside the lungs; see :func:`roclab.nodules`. O(voxels log voxels)."""
    check_choice(method, "method", CANDIDATE_METHODS)
    check_choice(score, "score", FEATURES)
    check_positive(necks, "necks", way_out="0.6 mm is usual")
    check_positive(smallest, "smallest", way_out="3 mm is usual")
    if not largest > smallest:
        raise InputError("largest", "must be above the smallest diameter", largest, "40 mm is usual")
    if ground_glass is not None and not ground_glass < threshold and method == "threshold":
        raise InputError(
            "ground_glass",
            f"must be below the threshold, {threshold:g} HU",
            ground_glass,
            "-740 is usual, None for none",
        )
    if rim < 0:
        raise InputError("rim", "must be 0 or above", rim, "in mm; 0 keeps all rims")
    inside = np.asarray(lungs).astype(np.bool_)
    if not inside.any():
        raise InputError("lungs", "must hold voxels to search", Words("none"))
    box = ndimage.find_objects(inside.astype(np.int8))[0]
    here, grey = inside[box], clipped_to_air(volume).array[box]
    if not np.isfinite(grey).all():
        gaps = int((~np.isfinite(grey[here])).sum())
        if gaps:
            raise MissingValuesError(
                "volume", "must hold finite numbers in the lungs", Words(f"{gaps} missing or infinite")
            )
        grey = np.where(here, grey, AIR)
    dense, cut, notes = _dense(grey, here, method, threshold, beta, progress)
    parts, depth = split_at_necks(dense, volume.spacing, necks)
    parts = cut_tails(parts, depth, volume.spacing, share=_TAIL, least=_voxels(smallest, volume))
    if ground_glass is not None:
        parts, depth = _with_haze(grey, here, parts, depth, ground_glass, necks, smallest, volume)
        dense = dense | (parts > 0)
    regions, number, dropped = _kept(parts, here, volume, smallest, largest, rim)
    found = _measured(regions, number, grey, here & ~dense, depth, volume, [one.start for one in box], progress)
    found.sort(key=lambda one: (-one.features[score], one.number))
    if not found:
        notes.append("nothing in the lungs is dense and large enough")
    labels = np.zeros(volume.shape, dtype=np.int32)
    labels[box] = number
    return Candidates(
        scan=scan, labels=volume.with_array(labels), regions=tuple(found), method=method, threshold=cut, score=score,
        dropped=dropped, notes=tuple(notes),
    )  # fmt: skip


def _voxels(diameter: float, volume: Volume) -> int:
    """Of a ball, and no fewer than have a shape."""
    return max(_FEWEST, int(np.ceil(np.pi / 6 * diameter**3 / volume.voxel_mm3)))


def _dense(
    grey: Array, inside: Bools, method: str, threshold: float, beta: float | str, progress: Progress | None
) -> tuple[Bools, float, list[str]]:
    if method == "threshold":
        return inside & (grey > threshold), float(threshold), []
    clusters = robust_cmeans(grey, 2, beta=beta, mask=inside, progress=progress)
    upper = int(clusters.centres[:, 0].argmax())
    return inside & (clusters.labels == upper), float(clusters.centres.mean()), list(clusters.notes)


def _with_haze(
    grey: Array, inside: Bools, parts: Array, depth: Array, cut: float, necks: float, smallest: float, volume: Volume
) -> tuple[Array, Array]:  # fmt: skip
    """The parts, and patches of ground glass as further parts.

    Ground glass is what is hazy after smoothing, apart from the blurred edges of dense parts and of the lung. Dense
    specks too small to be a part are noise of the haze, and belong to it.
    """
    least = _voxels(smallest, volume)
    whole = (np.bincount(parts.ravel()) >= least)[parts] & (parts > 0)
    smooth = ndimage.gaussian_filter(grey.astype(np.float32), [_SMOOTH / step for step in volume.spacing])
    hazy = inside & (smooth > cut)
    del smooth
    hazy &= further_than(inside & ~whole, _EDGE, volume.spacing)
    more, depths = split_at_necks(hazy, volume.spacing, necks)
    more = cut_tails(more, depths, volume.spacing, share=_TAIL, least=least)
    more[(np.bincount(more.ravel()) < _voxels(max(smallest, _HAZE), volume))[more]] = 0
    found = more > 0
    parts[found] = more[found] + parts.max(initial=0)
    depth[found] = depths[found]
    return parts, depth


def _kept(
    parts: Array, inside: Bools, volume: Volume, smallest: float, largest: float, rim: float
) -> tuple[list[int], Array, int]:
    """Parts of a fit size that reach deeper into the lung than its rim."""
    count = int(parts.max(initial=0))
    sizes = np.bincount(parts.ravel(), minlength=count + 1)
    # A lung goes on beyond the ends of a scan, where no rim is.
    padded = np.pad(np.pad(inside, [(1, 1), (0, 0), (0, 0)], mode="edge"), [(0, 0), (1, 1), (1, 1)])
    pleura = distance_inside(padded, volume.spacing)[1:-1, 1:-1, 1:-1]
    reach = ndimage.maximum(pleura, parts, np.arange(count + 1)) if count else np.zeros(1)
    fits = (sizes >= _voxels(smallest, volume)) & (sizes <= _voxels(largest, volume)) & (reach > rim)
    fits[0] = False
    kept = np.flatnonzero(fits)
    number = np.zeros(count + 1, dtype=np.int32)
    number[kept] = np.arange(1, kept.size + 1)
    return list(range(1, kept.size + 1)), number[parts], count - kept.size


def _measured(
    regions: list[int], number: Array, grey: Array, around: Bools, depth: Array, volume: Volume, corner: list[int],
    progress: Progress | None,
) -> list[Candidate]:  # fmt: skip
    out = []
    wide = [int(np.ceil(3.0 / step)) + 1 for step in volume.spacing]
    for at, part in zip(regions, ndimage.find_objects(number), strict=True):
        box = tuple(
            slice(max(0, one.start - w), min(n, one.stop + w))
            for one, w, n in zip(part, wide, number.shape, strict=True)
        )
        mine = number[box] == at
        index = np.argwhere(mine).mean(axis=0) + [one.start + c for one, c in zip(box, corner, strict=True)]
        features = features_of(mine, grey[box], around[box], volume.spacing, float(depth[box][mine].max()))
        x, y, z = volume.to_world(index)[0].tolist()
        out.append(Candidate(number=at, position=(x, y, z), voxels=int(mine.sum()), features=features))
        if progress is not None:
            progress(at, len(regions))
    return out
