"""What a report says: every number of it, before anything is drawn."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from roclab._core.plain import plain
from roclab._core.text import format_number, html_table
from roclab.analysis.group_areas import GroupAreas
from roclab.curves.distribution import Distribution
from roclab.curves.outline import Outline
from roclab.decisions.cutoffs import CutoffResult
from roclab.inference.comparison.compare import Comparison
from roclab.inference.one_curve.bands import Band
from roclab.names import SECTIONS
from roclab.results import AreaEstimate, Interval, Result, Sample, TestResult

__all__ = ["SECTIONS", "PlaceOfUse", "CutoffLine", "Finding", "FoldArea", "Report", "ScoreReport"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something the reader should know, in plain language, and what to do about it."""

    weight: Literal["warning", "note"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceOfUse:
    """Where decisions will be made: how common the positive class is there, and what both errors cost."""

    prevalence: float
    cost_fp: float
    cost_fn: float
    assumed: bool  # the prevalence was given, not taken from the data


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutoffLine:
    """The best cut-off of one score by one criterion, with intervals of both rates where cases can be counted."""

    criterion: str
    result: CutoffResult
    sensitivity: Interval | None
    specificity: Interval | None
    prevalence: float | None = None  # that of the place of use, if it was given; None for that of the data

    def row(self) -> dict[str, Any]:
        """One row of the table of cut-offs; predictive values at the prevalence of the place of use."""
        best = self.result.best
        metrics = best.matrix.metrics(prevalence=self.prevalence)
        there = "" if self.prevalence is None else "_at_prevalence"
        return {
            "score": self.result.sample.score or "score",
            "criterion": self.criterion.replace("_", " "),
            "cut-off": f"{'≤' if self.result.sample.direction == 'lower' else '≥'} {best.threshold:.6g}",
            "sensitivity": _with_interval(best.tpr, self.sensitivity),
            "specificity": _with_interval(best.specificity, self.specificity),
            "PPV": metrics[f"ppv{there}"],
            "NPV": metrics[f"npv{there}"],
            "accuracy": metrics["accuracy"],
            "equally good": self.result.tied,
        }


def _with_interval(value: float, interval: Interval | None) -> str:
    if interval is None:
        return format_number(value)
    return f"{format_number(value)} ({format_number(interval.low)}–{format_number(interval.high)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldArea:
    """The area of one score in one fold; undefined where the fold holds one class only."""

    fold: str
    score: str
    area: float
    n_pos: float
    n_neg: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreReport:
    """All about one score."""

    name: str
    area: AreaEstimate
    chance: TestResult | None  # of AUC = 0.5; none for clustered cases
    outline: Outline
    band: Band | None
    distribution: Distribution
    cutoffs: tuple[CutoffLine, ...]

    def row(self) -> dict[str, Any]:
        """One row of the table of areas."""
        (row,) = self.area.rows()
        shown = {name: row[name] for name in row if name not in ("quantity", "method", "interval")}
        return shown if self.chance is None else shown | {"p (AUC = 0.5)": self.chance.p_value}


_OWN_DICTIONARIES = ("scores", "comparison", "groups")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Report(Result):
    """A whole analysis, ready to be shown as a page, as Markdown or as JSON."""

    title: str
    source: str | None  # the file, as the user named it
    rows_read: int
    sample: Sample
    level: float
    conditions: PlaceOfUse
    scores: tuple[ScoreReport, ...]
    comparison: Comparison | None
    clusters: int | None  # subjects, if some have several cases
    groups: tuple[GroupAreas, ...]  # of every score, if the cases have groups
    folds: tuple[FoldArea, ...]
    findings: tuple[Finding, ...]
    methods: tuple[str, ...]
    references: tuple[str, ...]
    seed: str
    versions: Mapping[str, str]
    command: str | None
    only: tuple[str, ...]

    @property
    def best(self) -> ScoreReport:
        """The score with the largest area."""
        return max(self.scores, key=lambda one: one.area.area)

    def shows(self, section: str) -> bool:
        """Is this section wanted, and is there anything in it?"""
        there = {
            "comparison": self.comparison is not None, "subgroups": bool(self.groups), "folds": bool(self.folds),
        }  # fmt: skip
        return section in self.only and there.get(section, True)

    def rows(self) -> list[dict[str, Any]]:
        """One row per score: the areas."""
        return [one.row() for one in self.scores]

    def to_dict(self) -> dict[str, Any]:
        """Every number of the report as plain values."""
        parts = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in _OWN_DICTIONARIES}
        scores = [
            {
                "name": one.name,
                "area": one.area.to_dict(),
                "chance": None if one.chance is None else one.chance.to_dict(),
                "curve": one.outline.to_dict(),
                "band": None if one.band is None else one.band.to_dict(),
                "distribution": one.distribution.to_dict(),
                "cutoffs": [
                    {
                        "criterion": line.criterion,
                        "best": line.result.best.to_dict(),
                        "tied": line.result.tied,
                        "sensitivity": plain(line.sensitivity),
                        "specificity": plain(line.specificity),
                    }
                    for line in one.cutoffs
                ],
            }
            for one in self.scores
        ]
        out: dict[str, Any] = plain(parts)
        comparison = None if self.comparison is None else self.comparison.to_dict()
        groups = [one.to_dict() for one in self.groups]
        return {**out, "scores": scores, "comparison": comparison, "groups": groups}

    def to_html(self) -> str:
        """One self-contained page."""
        return _laid_out("page", "report_page", self)

    def _repr_html_(self) -> str:
        return html_table(self.rows(), caption=self.title)

    def to_markdown(self) -> str:
        """The tables and texts as Markdown."""
        return _laid_out("markdown", "report_markdown", self)


def _laid_out(room: str, function: str, report: Report) -> str:
    """The report in the layout of a face, looked up by name: faces know reports, reports do not know faces."""
    text: str = getattr(importlib.import_module(f"roclab.report.{room}"), function)(report)
    return text
