"""Suspicious regions of a confidence volume: where they are, how large, and how their signal rises and falls."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import ndimage

from roclab._core.checks import plural
from roclab._core.plain import plain
from roclab._core.text import text_table
from roclab._core.types import Array, Floats, frozen
from roclab._core.undefined import Undefined
from roclab.errors import InputError
from roclab.imaging.dce.series import DceSeries
from roclab.imaging.dce.signal_space import FLOOR
from roclab.imaging.volumes import Volume
from roclab.results import Result

__all__ = ["EARLY", "LATE", "LEVEL", "DceFinding", "DceFindings", "curve_type", "find_findings"]

_TOUCHING = ndimage.generate_binary_structure(3, 3)
EARLY = 150.0  # seconds after arrival: the initial rise
LATE = 60.0  # seconds that the delayed phase lasts at least after the peak of the initial one
LEVEL = 0.10  # of the initial signal: less change is a plateau
_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DceFinding:
    """One region.

    Attributes
    ----------
    curve : relative enhancement of its mean signal at every frame with contrast agent
    type : "I" persistent, "II" plateau, "III" wash-out; "" where the series ends too early to tell
    """

    number: int
    position: tuple[float, float, float]
    voxels: int
    volume_ml: float
    confidence: float  # the highest
    mean_confidence: float
    curve: Floats
    early: float
    late_change: float
    type: str

    @property
    def diameter_mm(self) -> float:
        """Of a ball of the same volume."""
        return float((6000 * self.volume_ml / math.pi) ** (1 / 3))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DceFindings(Result):
    """Regions above a confidence, the most confident first."""

    threshold: float
    smallest: float  # mm³
    after: Floats  # seconds after arrival
    findings: tuple[DceFinding, ...]
    labels: Volume  # their numbers
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frozen(self.after)

    def rows(self) -> list[dict[str, Any]]:
        """One row per region."""
        return [
            {
                "region": one.number, **dict(zip("xyz", one.position, strict=True)), "volume_ml": one.volume_ml,
                "diameter_mm": one.diameter_mm, "confidence": one.confidence, "mean confidence": one.mean_confidence,
                "early rise": one.early, "late change": one.late_change, "type": one.type,
            }
            for one in self.findings
        ]  # fmt: skip

    def curve_rows(self) -> list[dict[str, Any]]:
        """One row per region and time: the relative enhancement of its mean signal."""
        return [
            {"region": one.number, "seconds": float(time), "enhancement": float(value)}
            for one in self.findings for time, value in zip(self.after, one.curve, strict=True)
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Everything but the image."""
        return {
            "threshold": self.threshold, "smallest": self.smallest, "after": self.after.tolist(),
            "regions": [{**plain(row), "curve": one.curve.tolist()}
                        for row, one in zip(self.rows(), self.findings, strict=True)],
            "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        head = f"{plural(len(self.findings), 'region')} of confidence {self.threshold:g} or more"
        more = len(self.findings) - _SHOWN
        table = [text_table(self.rows()[:_SHOWN])] if self.findings else []
        kinds = ["type: I persistent, II plateau, III wash-out"] if self.findings else []
        return "\n".join([head, *table, *([f"and {more} more"] if more > 0 else []), *kinds, *self.notes])


def find_findings(
    confidence: Volume, inside: Volume, series: DceSeries, *, threshold: float, smallest: float
) -> DceFindings:
    """Components of 26 neighbours; O(voxels + voxels of regions x frames)."""
    if not 0 < float(threshold) < 1:
        raise InputError("threshold", "must lie strictly between 0 and 1", threshold, "0.5 is usual")
    if not 0 <= float(smallest) < math.inf:
        raise InputError("smallest", "must be 0 or a finite number of mm³", smallest)
    image = confidence.array
    parts, many = ndimage.label((image >= threshold) & inside.array, structure=_TOUCHING)
    sizes = np.bincount(parts.ravel(), minlength=many + 1)
    kept = [at for at in range(1, many + 1) if sizes[at] * confidence.voxel_mm3 >= smallest]
    tops = np.atleast_1d(ndimage.maximum(image, parts, kept)) if kept else np.empty(0)
    order = [kept[at] for at in np.lexsort((np.array(kept), -tops))] if kept else []
    number = np.zeros(many + 1, dtype=np.int32)
    number[order] = np.arange(1, len(order) + 1)
    boxes = ndimage.find_objects(parts)
    found = [_finding(at, old, boxes[old - 1], parts, image, series) for at, old in enumerate(order, start=1)]
    left = many - len(kept)
    size = f"{plural(left, 'region')} under {smallest:g} mm³ left out"
    return DceFindings(
        threshold=float(threshold), smallest=float(smallest), after=series.after_arrival, findings=tuple(found),
        labels=confidence.with_array(number[parts]), notes=(size,) if left else (),
    )  # fmt: skip


def _finding(at: int, old: int, box: Any, parts: Array, image: Array, series: DceSeries) -> DceFinding:
    where = parts[box] == old
    voxels = np.argwhere(where) + [part.start for part in box]
    values = image[box][where]
    x, y, z = series.place.to_world(voxels.mean(axis=0))[0].tolist()
    signal = series.frames[(slice(None), *box)][:, where].mean(axis=1, dtype=np.float64)
    before = max(float(signal[: series.before].mean()), FLOOR * float(np.abs(series.baseline).mean()))
    curve = signal[series.before :] / before - 1
    early, change, kind = curve_type(series.after_arrival, curve)
    return DceFinding(
        number=at, position=(x, y, z), voxels=len(voxels), volume_ml=float(len(voxels) * series.place.voxel_mm3 / 1000),
        confidence=float(values.max()), mean_confidence=float(values.mean(dtype=np.float64)), curve=frozen(curve),
        early=early, late_change=change, type=kind,
    )  # fmt: skip


def curve_type(after: Floats, curve: Floats) -> tuple[float, float, str]:
    """The initial rise, the change of the signal from its peak to the last frame, and the type by Kuhl [1]_.

    The initial rise is the highest within 150 s of arrival. A last frame 10% of that signal or more above it is a
    persistent curve (I), one as far below is wash-out (III), and a plateau (II) lies between.

    References
    ----------
    .. [1] Kuhl CK et al. Dynamic breast MR imaging: are signal intensity time course data useful for differential
       diagnosis of enhancing lesions? Radiology 1999;211:101-110. doi:10.1148/radiology.211.1.r99ap38101

    >>> curve_type(np.array([60.0, 120.0, 360.0]), np.array([0.8, 1.0, 0.7]))
    (1.0, -0.15, 'III')
    """
    first = np.flatnonzero(after <= EARLY)
    at = int(first[np.argmax(curve[first])]) if first.size else 0
    early = float(curve[at])
    if after[-1] - after[at] < LATE or after[-1] <= EARLY:
        return early, Undefined("the series ends too early for a delayed phase"), ""
    change = float((curve[-1] - early) / (1 + early))
    return early, round(change, 12), "I" if change >= LEVEL else "III" if change <= -LEVEL else "II"
