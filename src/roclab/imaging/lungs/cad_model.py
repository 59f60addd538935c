"""A trained lung CAD: from the features of regions to calibrated probabilities, and what it was trained on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.plain import plain
from roclab._core.text import text_table
from roclab._core.types import Array, Floats, Ints, frozen
from roclab.imaging.lungs.candidates import Candidates
from roclab.imaging.lungs.scan_facts import ScanFacts
from roclab.imaging.lungs.trees import BoostedTrees
from roclab.imaging.research import RESEARCH
from roclab.results import Result

__all__ = ["HeldOutMarks", "Line", "LungCad", "Malignancy", "OperatingPoint", "TrainedScan"]

_WIDER = 1.25  # a scan beyond the range of training by this factor is outside it
_FACTS = {"slice_mm": "slices {} mm apart", "pixel_mm": "pixels of {} mm", "noise": "noise of {} HU"}


def logistic(log_odds: Floats) -> Floats:
    """Probabilities of log odds."""
    out: Floats = 0.5 * (1 + np.tanh(0.5 * log_odds))
    return out


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Line:
    """Log odds that are linear in scaled features."""

    centre: Floats
    scale: Floats
    weights: Floats
    offset: float

    def __post_init__(self) -> None:
        for one in (self.centre, self.scale, self.weights):
            frozen(one)

    def log_odds(self, x: Array) -> Floats:
        """One number a case."""
        out: Floats = ((x - self.centre) / self.scale) @ self.weights + self.offset
        return out


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Malignancy:
    """Of nodules: how likely each is malignant, from features of its largest region."""

    features: tuple[str, ...]
    line: Line
    platt: tuple[float, float]  # slope and offset of the calibrated log odds
    nodules: int
    malignant: int

    def probability(self, x: Array) -> Floats:
        """Of cases with all these features."""
        return logistic(self.platt[0] * self.line.log_odds(x) + self.platt[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingPoint:
    """The threshold at which the system marks, chosen on scans that its classifiers had not seen."""

    rule: str  # in words
    threshold: float  # probability
    sensitivity: float
    sensitivity_low: float
    sensitivity_high: float
    false_positives: float  # per scan
    false_positives_low: float
    false_positives_high: float
    level: float

    def __str__(self) -> str:
        percent = f"{100 * self.level:g}%"
        return (
            f"operating point by {self.rule}: probability {self.threshold:.4f} or more; on held-out scans sensitivity "
            f"{self.sensitivity:.3f} ({percent}: {self.sensitivity_low:.3f} to {self.sensitivity_high:.3f}) at "
            f"{self.false_positives:.2f} false positives per scan ({self.false_positives_low:.2f} to "
            f"{self.false_positives_high:.2f})"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedScan:
    """What one scan gave to training."""

    name: str
    regions: int
    nodules: int
    missed: int  # nodules that lie in no region
    facts: ScanFacts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldOutMarks:
    """Regions of training scans, with probabilities from classifiers that had not seen them, and the truth."""

    scan: Ints
    position: Floats  # (n, 3)
    probability: Floats
    nodule_scan: Ints
    nodule_position: Floats
    nodule_diameter: Floats

    def __post_init__(self) -> None:
        for one in (self.scan, self.position, self.probability, self.nodule_scan, self.nodule_position,
                    self.nodule_diameter):  # fmt: skip
            frozen(one)

    def tables(self, names: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Marks and nodules in the columns of LUNA16."""

        def places(scan: Ints, position: Floats) -> dict[str, Any]:
            axes = {f"coord{axis}": position[:, at].tolist() for at, axis in enumerate("XYZ")}
            return {"seriesuid": [names[one] for one in scan.tolist()], **axes}

        marks = {**places(self.scan, self.position), "probability": self.probability.tolist()}
        return marks, {**places(self.nodule_scan, self.nodule_position), "diameter_mm": self.nodule_diameter.tolist()}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LungCad(Result):
    """Regions of a scan become marks with probabilities.

    ``members`` give log odds of being a nodule, ``combination`` one number of them; Platt's slope and offset, fitted to
    log odds from classifiers that had not seen the scan, make a calibrated probability. ``malignancy`` is None where
    nothing was known about it.
    """

    settings: Mapping[str, Any]  # how regions are found
    features: tuple[str, ...]
    low: Floats  # of every feature in training
    high: Floats
    members: tuple[tuple[str, BoostedTrees | Line], ...]
    combination: str
    second: Line | None  # of the log odds of the members, where a second classifier combines them
    platt: tuple[float, float]
    malignancy: Malignancy | None
    operating: OperatingPoint
    scans: tuple[TrainedScan, ...]
    held_out: HeldOutMarks
    performance: tuple[dict[str, Any], ...]
    seed: str
    notes: tuple[str, ...] = ()
    about: dict[str, str] = field(default_factory=dict)

    def probability(self, x: Array) -> Floats:
        """That regions are nodules, from their features in the order of ``features``."""
        odds = [member.log_odds(x) for _, member in self.members]
        return logistic(self.platt[0] * self.combined(odds) + self.platt[1])

    def combined(self, odds: list[Floats]) -> Floats:
        """One log odds of those of the members."""
        every = np.column_stack(odds)
        return every.mean(axis=1) if self.second is None else self.second.log_odds(every)

    def of_regions(self, found: Candidates, features: tuple[str, ...]) -> Floats:
        """The features of regions as a table."""
        rows = [[region.features[name] for name in features] for region in found.regions]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(features))

    def outside(self, facts: ScanFacts) -> tuple[str, ...]:
        """What of a scan lies outside what training has seen, in sentences."""
        out = []
        for name, said in _FACTS.items():
            known = [one.facts.numbers()[name] for one in self.scans]
            value = facts.numbers()[name]
            if not min(known) / _WIDER <= value <= max(known) * _WIDER:
                out.append(
                    f"{said.format(f'{value:.3g}')}: outside the range of the training scans, {min(known):.3g} to "
                    f"{max(known):.3g}; probabilities may be wrong"
                )
        kernels = {one.facts.kernel for one in self.scans} - {""}
        if kernels and facts.kernel and facts.kernel not in kernels:
            out.append(f"kernel {facts.kernel!r}: training has seen {', '.join(sorted(map(repr, kernels)))} only")
        seen = [one.name for one in self.scans if one.facts.digest == facts.digest]
        if seen:
            out.append(f"this is the training scan {seen[0]!r}: what is found in it says nothing about new scans")
        return tuple(out)

    def apply(self, scan: Any, **options: Any) -> Any:
        """Marks of a scan; see :func:`roclab.imaging.cad_apply`."""
        import importlib

        return importlib.import_module("roclab.analysis.lung_cad.apply").cad_apply(self, scan, **options)

    def froc(self, **options: Any) -> Any:
        """FROC analysis of the held-out marks; see :func:`roclab.imaging.froc`."""
        import importlib

        names = tuple(one.name for one in self.scans)
        marks, nodules = self.held_out.tables(names)
        asked = {"scans": list(names), "detector": "lung CAD", **options}
        return importlib.import_module("roclab.analysis.froc").froc(marks, nodules, **asked)

    def rows(self) -> list[dict[str, Any]]:
        """What it reaches on held-out scans: one row per stage, figure of merit and false positive rate."""
        return [dict(row) for row in self.performance]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the arrays."""
        facts = {name: [min(v), max(v)] for name in _FACTS if (v := [s.facts.numbers()[name] for s in self.scans])}
        malignancy = None
        if self.malignancy is not None:
            malignancy = {
                "features": list(self.malignancy.features), "nodules": self.malignancy.nodules,
                "malignant": self.malignancy.malignant,
            }  # fmt: skip
        return {
            "settings": dict(self.settings), "features": list(self.features),
            "members": [name for name, _ in self.members], "combination": self.combination,
            "operating_point": {name: getattr(self.operating, name) for name in self.operating.__slots__},
            "malignancy": malignancy, "range": facts, "performance": [plain(row) for row in self.performance],
            "scans": [
                {"scan": one.name, "regions": one.regions, "nodules": one.nodules, "missed": one.missed,
                 "kernel": one.facts.kernel, "sha256": one.facts.digest} for one in self.scans
            ],
            "seed": self.seed, "notes": list(self.notes), "about": dict(self.about),
        }  # fmt: skip

    def __str__(self) -> str:
        total = sum(one.nodules for one in self.scans)
        missed = sum(one.missed for one in self.scans)
        known = self.to_dict()["range"]
        said = ", ".join(_FACTS[name].format(_range(*known[name])) for name in known)
        head = [
            f"lung CAD of {', '.join(name for name, _ in self.members)} ({self.combination}), trained on "
            f"{plural(len(self.scans), 'scan')} with {plural(total, 'nodule')}, {missed} of them in no region; "
            f"seed {self.seed}",
            f"knows {said}",
            str(self.operating),
        ]
        if self.malignancy is not None:
            head.append(
                f"malignancy of nodules from {', '.join(self.malignancy.features)}, by {self.malignancy.malignant} of "
                f"{self.malignancy.nodules}"
            )
        return "\n".join([*head, "", "on held-out scans", text_table(self.rows()), *self.notes, RESEARCH])


def _range(low: float, high: float) -> str:
    return f"{low:.3g}" if math.isclose(low, high, rel_tol=5e-3) else f"{low:.3g} to {high:.3g}"
