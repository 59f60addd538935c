"""What a lung CAD says about a scan: marks with their probabilities, the highest first."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.text import csv_text, text_table
from roclab._core.types import Floats, frozen
from roclab.imaging.lungs.cad_model import LungCad
from roclab.imaging.lungs.candidates import Candidates
from roclab.imaging.lungs.scan_facts import ScanFacts
from roclab.imaging.research import RESEARCH
from roclab.imaging.volumes import Volume
from roclab.results import Result

__all__ = ["CadMarks"]

_SHOWN = 20  # marks printed; all are in rows()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CadMarks(Result):
    """Marks of a scan.

    Attributes
    ----------
    probability : of being a nodule, of every region of ``found``
    malignancy : of being malignant if it is a nodule; None where the CAD does not know
    """

    scan: str
    found: Candidates  # in the order of ``probability``, the highest first
    probability: Floats
    malignancy: Floats | None
    model: LungCad
    volume: Volume
    lungs: Volume
    facts: ScanFacts
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frozen(self.probability)

    @property
    def marked(self) -> int:
        """How many reach the operating point."""
        return int(np.count_nonzero(self.probability >= self.model.operating.threshold))

    def rows(self) -> list[dict[str, Any]]:
        """One row per region: its place, its probabilities, whether it is marked, and its features."""
        out = []
        for at, (region, chance) in enumerate(zip(self.found.regions, self.probability.tolist(), strict=True)):
            row: dict[str, Any] = {"scan": self.scan, "mark": at + 1, "region": region.number}
            row |= dict(zip("xyz", region.position, strict=True))
            row |= {"probability": chance, "marked": bool(chance >= self.model.operating.threshold)}
            if self.malignancy is not None:
                row["malignancy"] = float(self.malignancy[at])
            out.append({**row, "voxels": region.voxels, **region.features})
        return out

    def marks(self, *, every: bool = True) -> list[dict[str, Any]]:
        """In the columns of LUNA16, as ``froc`` reads them; not ``every``: those at the operating point."""
        return [
            {
                "seriesuid": self.scan, "coordX": row["x"], "coordY": row["y"], "coordZ": row["z"],
                "probability": row["probability"], "diameter_mm": row["diameter_mm"],
                **({"malignancy": row["malignancy"]} if "malignancy" in row else {}),
            }
            for row in self.rows() if every or row["marked"]
        ]  # fmt: skip

    def marks_csv(self) -> str:
        """All of them as comma-separated text."""
        return csv_text(self.marks())

    def to_dict(self) -> dict[str, Any]:
        """Everything but the images and the model."""
        return {
            "scan": self.scan, "marks": self.rows(), "marked": self.marked,
            "threshold": self.model.operating.threshold, "rule": self.model.operating.rule,
            "slice_mm": self.facts.slice_mm, "pixel_mm": self.facts.pixel_mm, "noise": self.facts.noise,
            "kernel": self.facts.kernel, "sha256": self.facts.digest, "notes": list(self.notes),
        }  # fmt: skip

    def write_report(self, path: str | Path, *, lesions: Any = None, viewer: bool = True, layers: Any = None) -> Path:
        """One page that works offline: the scan in three planes and three slices through every mark.

        With ``lesions`` also what is missed. Without ``viewer`` the scan itself stays out of the page, which is then
        smaller; more than 20 million voxels are halved in plane, and the page says so. ``layers`` are shown over it, as
        in :func:`write_viewer`.
        """
        place: Path = importlib.import_module("roclab.report.scan_page").write_scan_page(
            self, path, lesions=lesions, viewer=viewer, layers=layers
        )
        return place

    def __str__(self) -> str:
        shown = ("mark", "x", "y", "z", "probability", "malignancy", "marked", "diameter_mm", "solid_mm", "mean")
        rows = [{name: row[name] for name in shown if name in row} for row in self.rows()[:_SHOWN]]
        more = len(self.found.regions) - len(rows)
        head = (
            f"{self.scan}: {plural(self.marked, 'mark')} of probability {self.model.operating.threshold:.4f} or more "
            f"({self.model.operating.rule}), of {plural(len(self.found.regions), 'region')}"
        )
        rest = [f"and {more} more"] if more > 0 else []
        known = [] if self.malignancy is None else ["malignancy: of being malignant, if it is a nodule"]
        return "\n".join([head, "", text_table(rows) if rows else "none", *rest, *known, *self.notes, RESEARCH])
