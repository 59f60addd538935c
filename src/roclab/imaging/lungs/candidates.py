"""Regions of interest in the lungs: what looks like a dot, or what is denser than lung.

By default a filter finds what is bright and falls off alike in all directions (:mod:`roclab.imaging.lungs.dots`), and a
region is grown around each (``dot_regions``). The other way (``dense``) cuts all dense tissue apart where it hangs on a
vessel by a neck. Regions smaller than a stated diameter are dropped, and those that are nothing but the blurred rim of
the lung. Either way regions have the same features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import ndimage

from roclab._core.checks import check_choice, check_count, check_positive, plural
from roclab._core.text import csv_text, text_table
from roclab._core.types import Array, Bools, Ints
from roclab._core.work import Progress
from roclab.errors import InputError, MissingValuesError, Words, named
from roclab.imaging.distances import depths_at, distance_inside
from roclab.imaging.hounsfield import AIR, above_air, check_hounsfield
from roclab.imaging.lungs.dense import dense_parts, voxels_of
from roclab.imaging.lungs.dot_regions import regions_of_dots
from roclab.imaging.lungs.dots import Dot, dots_in
from roclab.imaging.lungs.features import feature_names, features_of
from roclab.imaging.research import RESEARCH
from roclab.imaging.volumes import Volume
from roclab.names import CANDIDATE_METHODS, CandidateMethod
from roclab.results import Result

__all__ = ["MOST", "PROBABILITY", "RESPONSE", "Candidate", "Candidates", "find_candidates"]

PROBABILITY = "probability"  # what the score of marks is called where it is one

RESPONSE, MOST = 8.0, 150  # HU of a dot, and dots of a scan
_SLICES = 3  # a dot has neighbours on all sides
# By keyword, the methods that know it; with any other it would do nothing.
_FOR = {
    "response": ("dots",), "most": ("dots",), "threshold": ("threshold",), "ground_glass": ("threshold", "rfcm"),
    "beta": ("rfcm",), "necks": ("threshold", "rfcm"),
}  # fmt: skip
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
    threshold: float  # HU: of the response of dots, of what is dense, or where the two classes meet
    score: str  # the feature that stands for a probability in ``marks``
    dropped: int  # regions outside the stated sizes, and rims
    notes: tuple[str, ...] = ()
    solid: Volume | None = None  # 1 in the solid part of a region; None where the method tells none

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
        """The regions in the columns of LUNA16, as ``froc`` reads them.

        The last column is ``probability`` where it holds one, as marks of another program may, and else ``score``.
        """
        called = PROBABILITY if self.score == PROBABILITY else "score"
        return [
            {
                "seriesuid": self.scan, "coordX": region.position[0], "coordY": region.position[1],
                "coordZ": region.position[2], called: region.features[self.score],
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
            f"{self.dropped} dropped as too small, too large or rim; sorted by {self.score}"
        )
        rest = [f"and {more} more"] if more > 0 else []
        return "\n".join([about, "", text_table(rows) if rows else "none", *rest, *self.notes, RESEARCH])


def find_candidates(
    volume: Volume,
    lungs: Bools,
    *,
    scan: str = "scan",
    method: CandidateMethod = "dots",
    response: float | None = None,
    most: int | None = None,
    threshold: float | None = None,
    ground_glass: float | Literal["usual"] | None = "usual",
    beta: float | str | None = None,
    necks: float | None = None,
    smallest: float = 3.0,
    largest: float = 40.0,
    rim: float | None = None,
    score: str | None = None,
    progress: Progress | None = None,
) -> Candidates:
    """Regions of interest inside the lungs; see :func:`roclab.nodules`. O(voxels log voxels)."""
    check_choice(method, "method", CANDIDATE_METHODS)
    given = {
        "response": response, "most": most, "threshold": threshold, "beta": beta, "necks": necks,
        "ground_glass": None if ground_glass == "usual" else ground_glass,
    }  # fmt: skip
    _refuse_others(method, given)
    known = feature_names(method)
    by = score or ("response" if method == "dots" else "blob_mm")
    check_choice(by, "score", known)
    check_positive(smallest, "smallest", way_out="3 mm is usual")
    if not largest > smallest:
        raise InputError("largest", "must be above the smallest diameter", largest, "40 mm is usual")
    deep = (0.0 if method == "dots" else 3.0) if rim is None else float(rim)
    if not deep >= 0:
        raise InputError("rim", "must be 0 or above", rim, "in mm; 0 keeps all rims")
    inside = np.asarray(lungs, dtype=np.bool_)
    if not inside.any():
        raise InputError("lungs", "must hold voxels to search", Words("none"))
    box = ndimage.find_objects(inside.view(np.int8))[0]
    here, grey = inside[box], above_air(volume.array[box])
    if not np.isfinite(grey).all():
        gaps = int((~np.isfinite(grey[here])).sum())
        if gaps:
            raise MissingValuesError(
                "volume", "must hold finite numbers in the lungs", Words(f"{gaps} missing or infinite")
            )
        grey = np.where(here, grey, AIR)
    if method == "dots":
        found = _by_dots(grey, here, volume, response, most)
    else:
        found = _by_density(grey, here, volume, method, threshold, ground_glass, beta, necks, smallest, progress)
    pleura = _DotDepths(here, volume.spacing) if method == "dots" else _AllDepths(here, volume.spacing)
    number, kept, dropped, reach = _kept(found.parts, pleura, volume, smallest, largest, deep)
    corner = [one.start for one in box]
    regions = _measured(kept, number, found, grey, here, reach, volume, corner, progress)
    regions.sort(key=lambda one: (-one.features[by], one.number))
    notes = list(found.notes)
    if not regions:
        notes.append(f"nothing in the lungs {found.nothing}")
    labels = np.zeros(volume.shape, dtype=number.dtype)
    labels[box] = number
    solid = None
    if found.solid is not None:
        solid = np.zeros(volume.shape, dtype=np.uint8)
        solid[box] = found.solid & (number > 0)
    return Candidates(
        scan=scan, labels=volume.with_array(labels), regions=tuple(regions), method=method, threshold=found.threshold,
        score=by, dropped=dropped, notes=tuple(notes), solid=None if solid is None else volume.with_array(solid),
    )  # fmt: skip


def _refuse_others(method: str, given: dict[str, Any]) -> None:
    """A keyword of another method would do nothing."""
    for name, value in given.items():
        if value is not None and method not in _FOR[name]:
            raise InputError(
                name, f"is for method {' and '.join(map(repr, _FOR[name]))}", value,
                f"give {named('method', _FOR[name][0])}, or leave it out",
            )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Found:
    """What a method gives: numbered parts of the box of the lungs, and what it knows about them."""

    parts: Array
    dense: Bools | None  # None: each region for itself
    depth: Array | None  # distance in mm within what is dense
    solid: Array | None
    dots: tuple[Dot, ...]  # in the order of the parts
    threshold: float
    notes: tuple[str, ...]
    nothing: str


def _by_dots(grey: Array, inside: Bools, volume: Volume, response: float | None, most: int | None) -> _Found:
    least = RESPONSE if response is None else float(response)
    if not 0 < least < np.inf:
        raise InputError("response", "must be a finite number above 0", response, f"{RESPONSE:g} HU is usual")
    many = check_count(MOST if most is None else most, "most", least=1, way_out=f"{MOST} is usual")
    if grey.shape[0] < _SLICES:
        raise InputError(
            "volume", f"must show {_SLICES} slices of lung or more, which have a third dimension",
            Words(f"{grey.shape[0]}"), "give method='threshold' for fewer",
        )  # fmt: skip
    check_hounsfield(grey)
    median = float(np.median(grey[inside]))
    dots = dots_in(grey, inside, volume.spacing, least=least, median=median)
    notes = []
    if len(dots) > many:
        notes.append(f"{len(dots) - many} dots of a lower response left out: {many} are kept at most")
    grown = regions_of_dots(grey, inside, volume.spacing, dots[:many], median=median)
    return _Found(
        parts=grown.labels, dense=None, depth=None, solid=grown.solid, dots=grown.dots, threshold=least,
        notes=tuple(notes), nothing=f"looks like a dot of {least:g} HU or more",
    )  # fmt: skip


def _by_density(
    grey: Array, inside: Bools, volume: Volume, method: str, threshold: float | None,
    ground_glass: float | Literal["usual"] | None, beta: float | str | None, necks: float | None, smallest: float,
    progress: Progress | None,
) -> _Found:  # fmt: skip
    neck = 0.6 if necks is None else float(necks)
    check_positive(neck, "necks", way_out="0.6 mm is usual")
    cut = -600.0 if threshold is None else float(threshold)
    haze = -740.0 if ground_glass == "usual" else ground_glass
    if haze is not None and not haze < cut and method == "threshold":
        raise InputError(
            "ground_glass", f"must be below the threshold, {cut:g} HU", haze, "-740 is usual, None for none"
        )  # fmt: skip
    parts, depth, dense, cut, notes = dense_parts(
        grey, inside, volume, method=method, threshold=cut, ground_glass=haze, beta="auto" if beta is None else beta,
        necks=neck, smallest=smallest, progress=progress,
    )  # fmt: skip
    return _Found(
        parts=parts, dense=dense, depth=depth, solid=None, dots=(), threshold=cut, notes=tuple(notes),
        nothing="is dense and large enough",
    )  # fmt: skip


def _lengthened(inside: Bools) -> Bools:
    """The lung with what is not lung around it; it goes on beyond the ends of a scan."""
    return np.pad(np.pad(inside, [(1, 1), (0, 0), (0, 0)], mode="edge"), [(0, 0), (1, 1), (1, 1)])


class _AllDepths:
    """Depth in mm below the surface of the lung, where regions cover much of it: of all voxels at once."""

    def __init__(self, inside: Bools, spacing: tuple[float, ...]) -> None:
        self._depth = distance_inside(_lengthened(inside), spacing)[1:-1, 1:-1, 1:-1]

    def at(self, places: Ints) -> Array:
        """Of voxels (n, 3)."""
        found: Array = self._depth[tuple(places.T)]
        return found


class _DotDepths:
    """The same of the few voxels of dots, without an image of all."""

    def __init__(self, inside: Bools, spacing: tuple[float, ...]) -> None:
        self._inside, self._spacing = _lengthened(inside), spacing

    def at(self, places: Ints) -> Array:
        """Of voxels (n, 3)."""
        return depths_at(self._inside, places + 1, self._spacing)


def _kept(
    parts: Array, pleura: _AllDepths | _DotDepths, volume: Volume, smallest: float, largest: float, rim: float
) -> tuple[Array, list[int], int, Array]:
    """Parts of a fit size that reach deeper into the lung than its rim.

    Their new numbers, the old one of each, how many were left out, and how deep each of the old ones reaches, in mm.
    """
    count = int(parts.max(initial=0))
    flat = np.flatnonzero(parts)
    owner = parts.ravel()[flat].astype(np.int64)
    sizes = np.bincount(owner, minlength=count + 1)
    places = np.column_stack(np.unravel_index(flat, parts.shape))
    reach = np.zeros(count + 1, dtype=np.float32)
    np.maximum.at(reach, owner, pleura.at(places))
    fits = (sizes >= voxels_of(smallest, volume)) & (sizes <= voxels_of(largest, volume)) & (reach > rim)
    fits[0] = False
    kept = np.flatnonzero(fits)
    number = np.zeros(count + 1, dtype=parts.dtype)
    number[kept] = np.arange(1, kept.size + 1)
    return number[parts], kept.tolist(), count - kept.size, reach


def _measured(
    kept: list[int], number: Array, found: _Found, grey: Array, inside: Bools, reach: Array, volume: Volume,
    corner: list[int], progress: Progress | None,
) -> list[Candidate]:  # fmt: skip
    out = []
    wide = [int(np.ceil(3.0 / step)) + 1 for step in volume.spacing]
    for at, (old, part) in enumerate(zip(kept, ndimage.find_objects(number), strict=True), start=1):
        box = tuple(
            slice(max(0, one.start - w), min(n, one.stop + w))
            for one, w, n in zip(part, wide, number.shape, strict=True)
        )
        mine = number[box] == at
        around = inside[box] & ~(found.parts[box] > 0 if found.dense is None else found.dense[box])
        depth = distance_inside(mine, volume.spacing) if found.depth is None else found.depth[box]
        features = features_of(mine, grey[box], around, volume.spacing, float(depth[mine].max()))
        features["depth_mm"] = float(reach[old])
        if found.solid is not None:
            dot = found.dots[old - 1]
            hard = np.count_nonzero(found.solid[box][mine])
            solid = (6 * hard * volume.voxel_mm3 / np.pi) ** (1 / 3)
            features |= {"response": dot.response, "scale_mm": dot.sigma, "solid_mm": float(solid)}
        index = np.argwhere(mine).mean(axis=0) + [one.start + c for one, c in zip(box, corner, strict=True)]
        x, y, z = volume.to_world(index)[0].tolist()
        out.append(Candidate(number=at, position=(x, y, z), voxels=int(mine.sum()), features=features))
        if progress is not None:
            progress(at, len(kept))
    return out
