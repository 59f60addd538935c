"""Outlines by several readers, as in LIDC-IDRI, become nodules: one place, one size, their ratings.

Readers drew outlines in pixels of slices, around what they took for a nodule, each without knowing of the others. Two
outlines are of one nodule when their centres lie closer than the sum of their radii, which is the rule of LUNA16 (Setio
et al. 2017, section 2.1), nearest pairs first and never two of one reader. Places and diameters of one nodule are
averaged over its readers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import spatial

from roclab._core.types import Floats
from roclab.imaging.volumes import Volume

__all__ = ["READERS", "Nodule", "Outline", "Reading", "nodules_of_readings", "placed"]

READERS = 4  # of LIDC-IDRI; where outlines do not say whose they are, no nodule has more of them


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outline:
    """A closed line in one slice."""

    z: float  # mm
    points: Floats  # (column, row), pixels
    inside: bool = True  # False: a hole in the nodule


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """What one reader says of one finding."""

    scan: str
    reader: str  # "" where it is not known
    kind: str  # "nodule", "small nodule" (below 3 mm, a place alone) or "other finding"
    outlines: tuple[Outline, ...]
    ratings: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Nodule:
    """One finding by all its readers."""

    scan: str
    kind: str
    position: tuple[float, float, float]  # mm, LPS
    diameter: float | None  # mm
    readers: int
    ratings: Mapping[str, float]  # means

    @property
    def malignant(self) -> bool | None:
        """By the mean rating of 1 to 5; None at 3, which readers call indeterminate, and without one."""
        rating = self.ratings.get("malignancy", 3.0)
        return None if abs(rating - 3) < 1e-9 else rating > 3


def placed(reading: Reading, scan: Volume) -> tuple[Floats, float | None]:
    """Centre in mm and largest diameter in a slice; a single point has none. O(points log points).

    The centre is that of the enclosed area over all slices, holes taken out; of outlines without area the mean point.
    ``scan`` is stored as the pixels were counted: columns run along x and rows along y.
    """
    mass, first = 0.0, np.zeros(3)
    across = 0.0
    centres = []
    lines = [one for one in reading.outlines if one.inside]
    along = np.array(scan.direction).reshape(3, 3)[:, 2]
    for one in reading.outlines:
        step = (one.z - scan.origin[2]) / (along[2] * scan.spacing[0])
        area, (x, y) = _area(one.points)
        place = scan.to_world((step, y, x))[0]
        sign = 1.0 if one.inside else -1.0
        mass += sign * area
        first += sign * area * place
        if one.inside:
            centres.append(place)
            across = max(across, _diameter(one.points * np.array([scan.spacing[2], scan.spacing[1]])))
    centre = first / mass if mass > 0 else np.mean(centres, axis=0)
    drawn = reading.kind == "nodule" and max(len(one.points) for one in lines) > 1
    return centre, across if drawn and across > 0 else None


def nodules_of_readings(readings: Sequence[Reading], scans: Mapping[str, Volume]) -> list[Nodule]:
    """Nodules of all scans; O(n^2) in the readings of one scan."""
    out: list[Nodule] = []
    for name in dict.fromkeys(one.scan for one in readings):
        for kind in ("nodule", "small nodule", "other finding"):
            mine = [one for one in readings if one.scan == name and one.kind == kind]
            if not mine:
                continue
            found = [placed(one, scans[name]) for one in mine]
            centres = np.array([centre for centre, _ in found])
            sizes = [size for _, size in found]
            radii = np.array([2.5 if size is None else size / 2 for size in sizes])
            for group in _groups(centres, radii, [one.reader for one in mine]):
                known = [sizes[at] for at in group]
                x, y, z = centres[group].mean(axis=0).tolist()
                names = dict.fromkeys(rating for at in group for rating in mine[at].ratings)
                ratings = {
                    one: float(np.mean([mine[at].ratings[one] for at in group if one in mine[at].ratings]))
                    for one in names
                }
                sized = [one for one in known if one is not None]
                out.append(
                    Nodule(
                        scan=name, kind=kind, position=(x, y, z), readers=len(group), ratings=ratings,
                        diameter=float(np.mean(sized)) if sized else None,
                    )
                )  # fmt: skip
    return out


def _groups(centres: Floats, radii: Floats, readers: Sequence[str]) -> list[list[int]]:
    """Readings of one nodule, nearest pairs first."""
    many = len(centres)
    apart = np.sqrt(((centres[:, None] - centres[None]) ** 2).sum(axis=2))
    near = np.argwhere(np.triu(apart < radii[:, None] + radii[None], 1))
    order = np.lexsort((near[:, 1], near[:, 0], apart[near[:, 0], near[:, 1]]))
    group = list(range(many))
    members = {at: [at] for at in range(many)}
    for a, b in near[order]:
        one, other = sorted((group[a], group[b]))
        if one == other:
            continue
        both = members[one] + members[other]
        known = [readers[at] for at in both if readers[at]]
        if len(both) > READERS or len(set(known)) < len(known):
            continue
        members[one] = sorted(both)
        for at in members.pop(other):
            group[at] = one
    return [members[at] for at in sorted(members)]


def _area(points: Floats) -> tuple[float, tuple[float, float]]:
    """Area and centre of a polygon, by the formula of Gauss; without area 0 and the mean point."""
    start = points[0]
    x, y = (points - start).T  # near 0, so that products do not cancel
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    twice = float(cross.sum())
    if abs(twice) < 1e-9:
        mean = points.mean(axis=0)
        return 0.0, (float(mean[0]), float(mean[1]))
    middle = [float(((one + np.roll(one, -1)) * cross).sum() / (3 * twice)) for one in (x, y)]
    return abs(twice) / 2, (middle[0] + float(start[0]), middle[1] + float(start[1]))


def _diameter(points: Floats) -> float:
    """The largest distance of two points, which are corners of the convex hull."""
    corners = np.unique(points, axis=0)
    if len(corners) > 3:
        try:
            corners = corners[spatial.ConvexHull(corners).vertices]
        except spatial.QhullError:  # all on one line, whose ends are the first and the last in order
            corners = corners[[0, -1]]
    return float(spatial.distance.pdist(corners).max()) if len(corners) > 1 else 0.0
