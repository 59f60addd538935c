"""The ROC curves of a reader study: of every reader, and the average of each modality."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from roclab._core.checks import check_choice
from roclab.averaging.diagonal import diagonal_average
from roclab.averaging.result import AverageCurve
from roclab.averaging.vertical import vertical_average
from roclab.curves.roc import RocCurve, roc_curve
from roclab.reading_studies.readings import Readings
from roclab.results.pictured import Pictured

__all__ = ["ReaderCurves", "curves_of_readings"]

_AVERAGES: dict[str, Callable[..., AverageCurve]] = {"diagonal": diagonal_average, "vertical": vertical_average}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReaderCurves(Pictured):
    """Curves by modality and reader, and the average over the readers of each modality.

    ROC curves; of marks those whose area is the figure of merit ``quantity``: lesions against rivals.
    """

    curves: Mapping[str, Mapping[str, RocCurve]]
    averages: Mapping[str, AverageCurve]
    how: str
    quantity: str = "AUC"

    def rows(self) -> list[dict[str, Any]]:
        """One row per point of each average."""
        return [{"modality": name, **row} for name, one in self.averages.items() for row in one.rows()]

    def __str__(self) -> str:
        return "\n\n".join(f"{name}\n{'-' * len(name)}\n{one}" for name, one in self.averages.items())


def curves_of_readings(
    readings: Readings, *, how: Literal["diagonal", "vertical"] = "diagonal", level: float = 0.95
) -> ReaderCurves:
    """Every curve, and their averages: the diagonal one keeps the mean of the areas; O(k n log n)."""
    check_choice(how, "how", _AVERAGES)
    curves: dict[str, dict[str, RocCurve]] = {name: {} for name in readings.modalities}
    for at, (modality, reader) in enumerate(readings.cells):
        cases = readings.cases_of(at)
        curve = roc_curve(cases.tally() if readings.marks is None else readings.marks.tally(at, cases.sample()))
        curves[readings.modalities[modality]][readings.readers[reader]] = curve
    averages = {name: _AVERAGES[how](list(own.values()), names=list(own), level=level) for name, own in curves.items()}
    quantity = "AUC" if readings.marks is None else readings.marks.figure
    return ReaderCurves(curves=curves, averages=averages, how=how, quantity=quantity)
