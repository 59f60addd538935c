"""What the stages of a lung CAD are worth: each has a ROC and a tROC analysis of its own."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roclab._core.checks import in_full, plural
from roclab._core.plain import plain
from roclab._core.polyline import filled_curve
from roclab._core.text import text_table
from roclab._core.whole_file import check_place
from roclab.analysis.bench.result import Bench
from roclab.analysis.bench.summary import report_part
from roclab.analysis.froc_results import Froc
from roclab.analysis.reporting.content import StagePart
from roclab.analysis.roc import roc
from roclab.data.cases import Cases
from roclab.errors import FileError, Words
from roclab.imaging.research import RESEARCH
from roclab.results import AreaEstimate, Result

__all__ = ["BASELINE", "CadStage", "CadStages", "check_folder"]

BASELINE = "diameter alone"  # what a judge of malignancy has to beat


def check_folder(folder: str | Path, *, name: str) -> None:
    """Refuse a folder in which no page can be written, before any work is done."""
    if not Path(folder).is_dir():
        raise FileError(name, "must be a folder that exists", Words(folder), "make it first")
    check_place(Path(folder, "regions.html"), name=name)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CadStage(Result):
    """One stage: its cases and scores, their areas, and where it ends in marks the FROC analysis of those."""

    name: str
    question: str
    cases: Cases
    areas: Mapping[str, AreaEstimate]
    taucs: Mapping[str, AreaEstimate]
    frocs: Mapping[str, Froc]
    bench: Bench | None  # None where a feature is the score
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row per score, the largest area first: AUC, tAUC and the competition metric, with intervals."""
        out = []
        for score in sorted(self.areas, key=lambda one: -self.areas[one].area):
            row: dict[str, Any] = {"stage": self.name, "score": score}
            for quantity, found in (("AUC", self.areas[score]), ("tAUC", self.taucs[score])):
                row |= {quantity: found.area, f"{quantity} low": found.interval.low,
                        f"{quantity} high": found.interval.high}  # fmt: skip
            if score in self.frocs:
                low, high = self.frocs[score].cpm_interval
                row |= {"CPM": self.frocs[score].cpm, "CPM low": low, "CPM high": high}
            out.append(row)
        return out

    def against_baseline(self) -> list[dict[str, Any]]:
        """Differences of every model from the diameter alone, with intervals; empty for other stages."""
        if self.bench is None or BASELINE not in self.bench.models or len(self.bench.complete) < 2:
            return []
        others = [name for name in self.bench.complete if name != BASELINE and not self.bench.is_baseline(name)]
        rows = [self.bench.compare([name, BASELINE]).rows()[0] for name in others]
        return [{name: value for name, value in row.items() if name != "adjusted p"} for row in rows]

    def part(self) -> StagePart:
        """What a report says about the stage."""
        sample = self.cases.sample(self.cases.names[0])
        sizes = ((sample.n_pos, f"positive ({sample.positive})"), (sample.n_neg, f"negative ({sample.negative})"))
        listed = ", ".join(f"{in_full(size)} {side}" for size, side in sizes)
        curves = {name: roc(self.cases.select(name)).troc() for name in self.cases.names}
        hulls = {} if self.bench is None else self.bench.hulls()
        return StagePart(
            words=(self.question, f"{listed}; regions of one scan stay together. {RESEARCH}"),
            areas=tuple({name: value for name, value in row.items() if name != "stage"} for row in self.rows()),
            troc={name: filled_curve(one.fpr, one.p_correct, one.at) for name, one in curves.items()},
            froc=tuple({"score": name, **row} for name, one in self.frocs.items() for row in one.rows()),
            against=tuple(self.against_baseline()),
            hulls={name: tuple(hull.rows()) for name, hull in hulls.items()},
            notes=self.notes,
        )

    def write_report(self, path: str | Path, **options: Any) -> Any:
        """One page about the stage: ROC and tROC curves, areas, FROC, hulls, and how its classifiers were tested."""
        write = importlib.import_module("roclab.report.write").write_report
        given = {"title": f"Lung CAD: {self.question}", "stage": self.part(), **options}
        if self.bench is not None:
            given.setdefault("bench", report_part(self.bench))
        return write(path, self.cases, **given)

    def to_dict(self) -> dict[str, Any]:
        """Every number but the cases."""
        against = [plain(row) for row in self.against_baseline()]
        scores = [plain(row) for row in self.rows()]
        return {
            "stage": self.name, "question": self.question, "scores": scores, "against_baseline": against,
            "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        return "\n".join([self.question, "", text_table(self.rows()), *self.notes])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CadStages(Result):
    """The stages of a lung CAD, one after the other: what is lost in one cannot be won back in the next."""

    stages: Mapping[str, CadStage]
    scans: int
    lesions: int
    missed: int  # lesions in which no region lies: the ceiling of all that follows
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> CadStage:
        return self.stages[name]

    def rows(self) -> list[dict[str, Any]]:
        """One row per stage and score."""
        return [row for stage in self.stages.values() for row in stage.rows()]

    def write_reports(self, folder: str | Path, **options: Any) -> list[Path]:
        """A page for every stage, in a folder that exists."""
        check_folder(folder, name="folder")
        places = [Path(folder, f"{name}.html") for name in self.stages]
        for place, stage in zip(places, self.stages.values(), strict=True):
            stage.write_report(place, **options)
        return places

    def to_dict(self) -> dict[str, Any]:
        """Every number."""
        return {"scans": self.scans, "lesions": self.lesions, "missed": self.missed,
                "stages": [stage.to_dict() for stage in self.stages.values()], "notes": list(self.notes)}  # fmt: skip

    def __str__(self) -> str:
        head = f"{plural(self.scans, 'scan')}, {plural(self.lesions, 'lesion')}, {self.missed} in no region"
        return "\n".join([head, "", text_table(self.rows()), "", *self.notes, RESEARCH])
