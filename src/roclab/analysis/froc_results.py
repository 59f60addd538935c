"""What FROC analysis returns: the sensitivities of a detector, and the differences between detectors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.plain import plain
from roclab._core.text import text_table
from roclab._core.undefined import Undefined
from roclab.data.cases import Cases
from roclab.errors import InputError, Words
from roclab.imaging.free_response.curve import AfrocCurve, FrocCurve, afroc_curve
from roclab.imaging.free_response.matching import Marks, Matched
from roclab.names import FrocFigure
from roclab.results import Interval, Result

if TYPE_CHECKING:
    from roclab.options.uncertainty import Resampling

__all__ = ["Froc", "FrocArea", "FrocComparison", "FrocDifference", "FrocPoint"]

_ONE_SCAN = "none, one scan does not show how scans differ"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrocPoint:
    """The sensitivity at a number of false positives per scan."""

    rate: float
    sensitivity: float
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class FrocArea:
    """A figure of merit: how often a lesion outscores the highest false positive of a scan."""

    figure: FrocFigure
    area: float
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Froc(Result):
    """What a detector found, with intervals from scan to scan."""

    detector: str
    curve: FrocCurve
    points: tuple[FrocPoint, ...]
    cpm: float
    cpm_interval: Interval
    cpm_error: float
    areas: Mapping[FrocFigure, FrocArea]  # figures of merit of free-response studies
    scans: int
    lesions: int
    missed: int  # lesions that no mark hit at any score: the ceiling of the sensitivity
    false_positives: int
    ignored: int
    seed: str
    notes: tuple[str, ...]
    _matched: Matched
    _marks: Marks

    @property
    def afroc(self) -> float:
        """Area under the AFROC curve."""
        return self.areas["AFROC"].area

    @property
    def afroc_interval(self) -> Interval:
        """Its interval."""
        return self.areas["AFROC"].interval

    def area_rows(self) -> list[dict[str, Any]]:
        """One row per figure of merit."""
        percent = f"{100 * self.cpm_interval.level:g}%"
        return [
            {"figure of merit": area.figure, "area": area.area, f"{percent} low": area.interval.low,
             f"{percent} high": area.interval.high}
            for area in self.areas.values()
        ]  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        """One row per false positive rate, then the mean, the competition metric."""
        percent = f"{100 * self.cpm_interval.level:g}%"
        out = [
            {"false positives per scan": f"{point.rate:g}", "sensitivity": point.sensitivity,
             f"{percent} low": point.interval.low, f"{percent} high": point.interval.high}
            for point in self.points
        ]  # fmt: skip
        low, high = self.cpm_interval
        return [*out, {"false positives per scan": "mean (CPM)", "sensitivity": self.cpm,
                       f"{percent} low": low, f"{percent} high": high}]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Every number but the marks."""
        return {
            "detector": self.detector,
            "points": plain(self.rows()),
            "afroc": None if math.isnan(self.afroc) else self.afroc,
            "areas": plain(self.area_rows()),
            "scans": self.scans,
            "lesions": self.lesions,
            "missed": self.missed,
            "false_positives": self.false_positives,
            "ignored": self.ignored,
            "seed": self.seed,
            "notes": list(self.notes),
        }

    def marks_as_cases(self) -> Cases:
        """Marks as cases, hits against false positives, with the scan as subject: for ROC, tROC, cut-offs and hulls.

        A lesion that nobody marked has no case here; ``missed`` counts them.
        """
        kept = ~self._matched.ignored
        hit = self._matched.hit[kept]
        if not 0 < np.count_nonzero(hit) < hit.size:
            raise InputError("", "a curve of marks needs hits and false positives", Words("one of them only"))
        names = np.array(self._matched.scans)
        return Cases(
            label=hit,
            scores={self.detector: self._marks.score[kept]},
            ids=names[self._marks.scan[kept]],
            positive="hit",
            negative="false positive",
            direction={self.detector: "higher"},
        )

    def afroc_curve(self) -> AfrocCurve | None:
        """The AFROC curve, whose area ``afroc`` is; None where every scan has a lesion."""
        return afroc_curve(self._matched)

    def compare(self, other: Froc, *, resampling: Resampling | int | None = None, rng: Any = None) -> FrocComparison:
        """Differences from another detector on the same scans: of sensitivities and of the metric."""
        from roclab.analysis.froc import compare_detectors

        return compare_detectors({self.detector: self, other.detector: other}, resampling=resampling, rng=rng)

    def plot(self, to: Any = None, /, **looks: Any) -> Any:
        """The curve with its interval at the seven rates: on new axes, on some (``to``), or into a file."""
        import importlib

        return importlib.import_module("roclab.plots.froc").plot_froc(self, to, **looks)

    def __str__(self) -> str:
        about = [
            f"{self.detector}: {plural(self.scans, 'scan')}, {plural(self.lesions, 'lesion')}, "
            f"{self.missed} never marked; {plural(self.false_positives, 'false positive')}, "
            f"{plural(self.ignored, 'mark')} ignored",
            "",
            text_table(self.rows()),
            "",
            text_table(self.area_rows()),
            *(
                {
                    f"{area.figure}: {area.area.reason}": None
                    for area in self.areas.values()
                    if isinstance(area.area, Undefined)
                }
            ),
            f"intervals: {self.cpm_interval.method if self.scans > 1 else _ONE_SCAN}",
        ]
        return "\n".join([*about, *self.notes])


@dataclass(frozen=True, slots=True, kw_only=True)
class FrocDifference:
    """First minus second."""

    first: str
    second: str
    quantity: str
    difference: float
    standard_error: float
    interval: Interval
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FrocComparison(Result):
    """Two or more detectors on the same scans."""

    differences: tuple[FrocDifference, ...]
    seed: str

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair and quantity."""
        return [
            {
                "first": one.first, "second": one.second, "quantity": one.quantity, "difference": one.difference,
                "std. error": one.standard_error,
                f"{100 * one.interval.level:g}% low": one.interval.low,
                f"{100 * one.interval.level:g}% high": one.interval.high, "p": one.p_value,
            }
            for one in self.differences
        ]  # fmt: skip

    def __str__(self) -> str:
        method = self.differences[0].interval.method if self.differences else ""
        return f"{text_table(self.rows())}\n\n{method}; the same scans are drawn for all detectors"
