"""Above a threshold: connected regions, how well they cover the lesions, and how many lesions are found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import ndimage
from scipy.special import stdtrit

from roclab._core.text import format_number, text_table
from roclab._core.types import Array, Bools, Ints
from roclab._core.undefined import Undefined
from roclab.analysis.froc import froc
from roclab.analysis.froc_results import Froc
from roclab.errors import InputError
from roclab.imaging.volumes import Volume
from roclab.results import Interval, Result

__all__ = ["CaseRegions", "DceRegions", "find_regions"]

_TOUCHING = ndimage.generate_binary_structure(3, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRegions:
    """What the threshold makes of one case."""

    case: str
    regions: int
    false_regions: int  # that touch no lesion
    lesions: int
    found: int  # lesions that some region touches
    dice: float
    true_ml: float
    called_ml: float

    @property
    def volume_error(self) -> float:
        """Called volume less the true one, as a share of it."""
        if self.true_ml == 0:
            return Undefined("the case has no lesion")
        return self.called_ml / self.true_ml - 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DceRegions(Result):
    """Regions of all cases at one threshold.

    ``dice`` and ``volume_error`` are means over cases with lesions, with t intervals from case to case; ``froc`` scores
    every region by its highest value and places it at its centre of mass, a hit lying within the lesion's radius.
    """

    image: str
    threshold: float
    cases: tuple[CaseRegions, ...]
    dice: float
    dice_interval: Interval
    volume_error: float
    volume_error_interval: Interval
    froc: Froc | None
    labels: tuple[Volume, ...]  # regions of every case, numbered

    @property
    def sensitivity(self) -> float:
        """Share of the lesions that some region touches."""
        whole = sum(case.lesions for case in self.cases)
        return sum(case.found for case in self.cases) / whole if whole else Undefined("there is no lesion")

    @property
    def false_per_case(self) -> float:
        """Regions that touch no lesion, per case."""
        return sum(case.false_regions for case in self.cases) / len(self.cases)

    def rows(self) -> list[dict[str, Any]]:
        """One row per case."""
        return [
            {"case": case.case, "regions": case.regions, "false regions": case.false_regions, "lesions": case.lesions,
             "found": case.found, "Dice": case.dice, "true_ml": case.true_ml, "called_ml": case.called_ml,
             "volume error": case.volume_error}
            for case in self.cases
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Everything but the images."""
        rows = [{name: None if isinstance(value, Undefined) else value for name, value in row.items()}
                for row in self.rows()]  # fmt: skip
        return {
            "image": self.image, "threshold": self.threshold, "cases": rows, "sensitivity": self.sensitivity,
            "false_per_case": self.false_per_case, "dice": _plain(self.dice),
            "volume_error": _plain(self.volume_error), "froc": None if self.froc is None else self.froc.to_dict(),
        }  # fmt: skip

    def __str__(self) -> str:
        low, high = self.dice_interval
        summary = [
            f"{self.image} above {self.threshold:.4g}: lesions touched {format_number(self.sensitivity)}, "
            f"{self.false_per_case:.2f} false regions per case",
            f"Dice {format_number(self.dice)} ({format_number(low)} to {format_number(high)}), volume error "
            f"{format_number(self.volume_error)} ({self.volume_error_interval}), means over cases",
        ]
        if self.froc is not None:
            summary.append(f"FROC by lesion: CPM {self.froc.cpm:.4f}, {self.froc.cpm_interval}")
        return "\n".join([text_table(self.rows()), "", *summary])


def _plain(value: float) -> float | None:
    return None if isinstance(value, Undefined) or math.isnan(value) else value


def find_regions(
    cases: Sequence[tuple[str, Array, Bools, Ints, Volume]], image: str, threshold: float, *, smallest: float,
    level: float, resampling: int, rng: Any,
) -> DceRegions:  # fmt: skip
    """Components of 26 neighbours in each case of (name, image, mask, lesions, place); O(voxels)."""
    if math.isnan(threshold):
        raise InputError("threshold", "must be a number", threshold)
    if not 0 <= smallest < math.inf:
        raise InputError("smallest", "must be 0 or a finite number of mm³", smallest)
    case_regions, labels, marks, truth = [], [], [], []
    for name, values, inside, lesions, place in cases:
        parts, many = ndimage.label((values >= threshold) & inside, structure=_TOUCHING)
        sizes = np.bincount(parts.ravel(), minlength=many + 1) * place.voxel_mm3
        keep = sizes >= smallest
        keep[0] = False
        number = np.where(keep, np.cumsum(keep), 0)
        parts = number[parts]
        many = int(keep.sum())
        case_regions.append(_of_case(name, parts, many, lesions, place))
        labels.append(place.with_array(parts.astype(np.int32)))
        every = range(1, many + 1)
        if many:
            centres = place.to_world(np.array(ndimage.center_of_mass(parts > 0, parts, every)))
            tops = np.atleast_1d(ndimage.maximum(values, parts, every))
            marks += [(name, *centre, float(top)) for centre, top in zip(centres.tolist(), tops, strict=True)]
        for one in np.unique(lesions[lesions > 0]):
            where = np.argwhere(lesions == one)
            ball = 2 * (3 * len(where) * place.voxel_mm3 / (4 * math.pi)) ** (1 / 3)
            truth.append((name, *place.to_world(where.mean(axis=0))[0].tolist(), ball))
    with_lesions = [one for one in case_regions if one.lesions]
    return DceRegions(
        image=image, threshold=threshold, cases=tuple(case_regions), labels=tuple(labels),
        dice=_mean([one.dice for one in with_lesions]),
        dice_interval=_limits([one.dice for one in with_lesions], level, (0.0, 1.0)),
        volume_error=_mean([one.volume_error for one in with_lesions]),
        volume_error_interval=_limits([one.volume_error for one in with_lesions], level, (-1.0, math.inf)),
        froc=_froc(marks, truth, [case[0] for case in cases], image, level, resampling, rng),
    )  # fmt: skip


def _of_case(name: str, parts: Array, many: int, lesions: Ints, place: Volume) -> CaseRegions:
    called, true = parts > 0, lesions > 0
    touched = np.unique(parts[true & called])
    both = int((called & true).sum())
    whole = int(called.sum()) + int(true.sum())
    ml = place.voxel_mm3 / 1000
    return CaseRegions(
        case=name, regions=many, false_regions=many - int((touched > 0).sum()),
        lesions=int(np.unique(lesions[true]).size), found=int(np.unique(lesions[true & called]).size),
        dice=2 * both / whole if whole else 1.0, true_ml=float(true.sum() * ml), called_ml=float(called.sum() * ml),
    )  # fmt: skip


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else Undefined("no case has a lesion")


def _limits(values: Sequence[float], level: float, bounds: tuple[float, float]) -> Interval:
    if len(values) < 2:
        none = Undefined("one case shows no spread between cases")
        return Interval(low=none, high=none, level=level, method="t over cases")
    half = float(stdtrit(len(values) - 1, 0.5 + level / 2)) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    middle = float(np.mean(values))
    low, high = max(middle - half, bounds[0]), min(middle + half, bounds[1])
    return Interval(low=low, high=high, level=level, method="t over cases")


def _froc(
    marks: list[Any], truth: list[Any], scans: list[str], image: str, level: float, resampling: int, rng: Any
) -> Froc | None:
    if not truth or not marks:
        return None
    names = ("seriesuid", "coordX", "coordY", "coordZ")
    one = dict(zip((*names, "probability"), map(list, zip(*marks, strict=True)), strict=True))
    two = dict(zip((*names, "diameter_mm"), map(list, zip(*truth, strict=True)), strict=True))
    return froc(one, two, scans=scans, detector=image, level=level, resampling=resampling, rng=rng)
