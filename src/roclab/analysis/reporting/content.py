"""What a report says: every number of it, before anything is drawn."""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from roclab._core.plain import plain
from roclab._core.text import format_number, html_table
from roclab._core.types import Floats
from roclab.analysis.group_areas import GroupAreas
from roclab.analysis.reporting.time_part import TimePart
from roclab.curves.distribution import Distribution
from roclab.curves.outline import Outline
from roclab.decisions.calibration import Calibration
from roclab.decisions.cutoffs import CutoffResult
from roclab.decisions.left_out import LeftOut
from roclab.decisions.net_benefit import DecisionCurve
from roclab.inference.comparison.compare import Comparison
from roclab.inference.one_area.intervals import deviate
from roclab.inference.one_curve.bands import Band
from roclab.names import SECTIONS, Language
from roclab.results import AreaEstimate, Interval, RateEstimate, Result, Sample, TestResult

__all__ = [
    "SECTIONS",
    "BenchPart",
    "ModelPart",
    "DrawnRow",
    "PlaceOfUse",
    "PromisePart",
    "RatePart",
    "ReaderPart",
    "StagePart",
    "CutoffLine",
    "Finding",
    "FoldArea",
    "Report",
    "ScoreReport",
    "with_interval",
]


Cell = float | str | None  # of a row: JSON has a word for infinity, which is a number again when it is read back


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
    """The best cut-off of one score by one criterion, with intervals of its metrics where cases can be counted."""

    criterion: str
    result: CutoffResult
    intervals: Mapping[str, Interval] | None  # by metric; they hold for a cut-off fixed beforehand
    prevalence: float | None = None  # that of the place of use, if it was given; None for that of the data
    left_out: LeftOut | None = None  # rates of cut-offs chosen so on cases left out of the choice

    @property
    def sensitivity(self) -> Interval | None:
        """Interval of the sensitivity."""
        return None if self.intervals is None else self.intervals["tpr"]

    @property
    def specificity(self) -> Interval | None:
        """Interval of the specificity."""
        return None if self.intervals is None else self.intervals["tnr"]

    @property
    def rule(self) -> str:
        """Which scores are called positive, in signs; in words where none are."""
        best = self.result.best
        if best.matrix.tp + best.matrix.fp == 0:
            return "none: no case is called positive"
        sign = "≤" if self.result.sample.direction == "lower" else "≥"
        if math.isinf(best.threshold):
            return f"{sign} {'+∞' if best.threshold > 0 else '−∞'}"
        return f"{sign} {best.threshold:.6g}"

    def row(self) -> dict[str, Any]:
        """One row of the table of cut-offs; predictive values at the prevalence of the place of use."""
        best = self.result.best
        metrics = best.matrix.metrics(prevalence=self.prevalence)
        there = "" if self.prevalence is None else "_at_prevalence"
        return {
            "score": self.result.sample.score or "score",
            "criterion": self.criterion.replace("_", " "),
            "cut-off": self.rule,
            "sensitivity": with_interval(best.tpr, self.sensitivity),
            "specificity": with_interval(best.specificity, self.specificity),
            **{
                name: with_interval(metrics[key], None if self.intervals is None else self.intervals[key])
                for name, key in (("PPV", f"ppv{there}"), ("NPV", f"npv{there}"), ("accuracy", "accuracy"))
            },
            "equally good": self.result.tied,
        }


def with_interval(value: float, interval: Interval | None) -> str:
    """A value with its interval in brackets, where there is one."""
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high):
        return format_number(value)
    between = " to " if interval.low < 0 else "–"  # a dash beside a minus is hard to read
    return f"{format_number(value)} ({format_number(interval.low)}{between}{format_number(interval.high)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldArea:
    """The area of one score in one fold; undefined where the fold holds one class only."""

    fold: str
    score: str
    area: float
    n_pos: float
    n_neg: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BenchPart:
    """How the scores came about, where a bench trained and tested the classifiers behind them."""

    words: tuple[str, ...]  # sample, design, intervals
    areas: tuple[Mapping[str, Cell], ...]  # one row per model
    calls: tuple[Mapping[str, Cell], ...]
    hull: tuple[Mapping[str, Cell], ...]  # who is best for which slopes
    matrices: Mapping[str, tuple[Mapping[str, Cell], ...]]  # of the best models
    experiments: tuple[Mapping[str, Cell], ...]  # balances side by side, where there are several
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelPart:
    """The models whose fitted probabilities are the scores."""

    words: tuple[str, ...]  # how well each fits, and how it was found
    coefficients: Mapping[str, tuple[Mapping[str, Cell], ...]]  # by model, one row per term
    areas: tuple[Mapping[str, Cell], ...]  # area, test and cut-off as they were asked for, one row per model
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReaderPart:
    """The analysis of a reader study, whose ratings are the scores."""

    words: tuple[str, ...]  # design, method, test
    means: tuple[Mapping[str, Cell], ...]  # one row per modality
    differences: tuple[Mapping[str, Cell], ...]
    claims: tuple[Mapping[str, Cell], ...]
    cells: tuple[Mapping[str, Cell], ...]  # one row per reader and modality
    components: tuple[Mapping[str, Cell], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StagePart:
    """A stage of a system that finds and judges lesions, of which the scores are one step."""

    words: tuple[str, ...]  # question and sample
    areas: tuple[Mapping[str, Cell], ...]  # one row per score: AUC, tAUC, competition metric
    troc: Mapping[str, tuple[Floats, Floats]]  # curves, to be drawn as they are
    froc: tuple[Mapping[str, Cell], ...]  # sensitivity at false positives per scan
    against: tuple[Mapping[str, Cell], ...]  # differences from a baseline that has to be beaten
    hulls: Mapping[str, tuple[Mapping[str, Cell], ...]]  # who is best for which slopes
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRow:
    """One line of a forest: an estimate with its limits, under a heading."""

    heading: str
    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatePart:
    """What the scores call positive at thresholds that were fixed beforehand."""

    words: tuple[str, ...]  # thresholds, and what was left out
    methods: str  # of the differences, in a paragraph
    rates: tuple[Mapping[str, Cell], ...]  # one row per score
    differences: tuple[Mapping[str, Cell], ...]  # one row per rate and pair of scores
    equality: tuple[Mapping[str, Cell], ...]  # of more than two scores
    drawn: tuple[DrawnRow, ...]
    gaps: Mapping[str, tuple[Mapping[str, Cell], ...]]  # between groups, by score
    groups: Mapping[str, tuple[Mapping[str, Cell], ...]]  # rates of every group, by score


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PromisePart:
    """Cut-offs whose bounds hold in new cases with a confidence."""

    confidence: float
    rows: tuple[Mapping[str, Cell], ...]  # one row per score that can promise it
    refused: tuple[str, ...]  # why the others cannot


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreReport:
    """All about one score."""

    name: str
    area: AreaEstimate
    precision: AreaEstimate  # average precision, the area under the precision-recall curve
    chance: TestResult | None  # of AUC = 0.5; none for clustered cases
    outline: Outline
    band: Band | None
    distribution: Distribution
    cutoffs: tuple[CutoffLine, ...]
    fixed: tuple[RateEstimate, ...]  # sensitivity at given specificities, and the reverse; none where nothing is drawn
    calibration: Calibration | None  # of scores that may be probabilities

    def row(self) -> dict[str, Any]:
        """One row of the table of areas."""
        (row,) = self.area.rows()
        shown = {name: row[name] for name in row if name not in ("quantity", "method", "interval")}
        if self.chance is not None:
            shown["p (AUC = 0.5)"] = self.chance.p_value
        return shown | {"average precision": with_interval(self.precision.area, self.precision.interval)}


_OWN_DICTIONARIES = ("scores", "comparison", "groups", "net_benefit")


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
    net_benefit: DecisionCurve | None  # of the scores that may be probabilities
    findings: tuple[Finding, ...]
    methods: tuple[str, ...]
    references: tuple[str, ...]
    seed: str
    versions: Mapping[str, str]
    command: str | None
    only: tuple[str, ...]
    bench: BenchPart | None = None
    readers: ReaderPart | None = None
    stage: StagePart | None = None
    model: ModelPart | None = None
    rates: RatePart | None = None
    promise: PromisePart | None = None
    time: TimePart | None = None  # where the cases were followed; then there are no scores of two classes

    @property
    def best(self) -> ScoreReport:
        """The score with the largest area."""
        return max(self.scores, key=lambda one: one.area.area)

    @property
    def deviate(self) -> float:
        """Normal deviate of the level, from which the page makes its intervals: 1.96 for 0.95."""
        return deviate(self.level)

    @property
    def counted(self) -> bool:
        """Do binomial intervals hold: is every case one, and for itself?"""
        return self.clusters is None and self.sample.weights != "importance"

    def shows(self, section: str) -> bool:
        """Is this section wanted, and is there anything in it?"""
        there = {
            "comparison": self.comparison is not None, "subgroups": bool(self.groups), "folds": bool(self.folds),
            "calibration": self.net_benefit is not None, "bench": self.bench is not None,
            "readers": self.readers is not None, "stage": self.stage is not None,
            "model": self.model is not None, "rates": self.rates is not None, "promise": self.promise is not None,
            "time": self.time is not None,
        }  # fmt: skip
        return section in self.only and there.get(section, True)

    def rows(self) -> list[dict[str, Any]]:
        """One row per score: the areas; where cases were followed one per score and horizon."""
        if self.time is not None:
            return [dict(row) for row in self.time.areas]
        return [score.row() for score in self.scores]

    def to_dict(self) -> dict[str, Any]:
        """Every number of the report as plain values."""
        parts = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in _OWN_DICTIONARIES}
        scores = [
            {
                "name": score.name,
                "area": score.area.to_dict(),
                "average_precision": score.precision.to_dict(),
                "chance": None if score.chance is None else score.chance.to_dict(),
                "curve": score.outline.to_dict(),
                "band": None if score.band is None else score.band.to_dict(),
                "distribution": score.distribution.to_dict(),
                "cutoffs": [
                    {
                        "criterion": line.criterion,
                        "best": line.result.best.to_dict(),
                        "tied": line.result.tied,
                        "sensitivity": plain(line.sensitivity),
                        "specificity": plain(line.specificity),
                        "result": line.result.to_dict(),
                        "intervals": plain(line.intervals),
                        "prevalence": line.prevalence,
                        "left_out": None if line.left_out is None else line.left_out.to_dict(),
                    }
                    for line in score.cutoffs
                ],
                "fixed": [rate.to_dict() for rate in score.fixed],
                "calibration": None if score.calibration is None else score.calibration.to_dict(),
            }
            for score in self.scores
        ]
        out: dict[str, Any] = plain(parts)
        comparison = None if self.comparison is None else self.comparison.to_dict()
        groups = [group.to_dict() for group in self.groups]
        benefit = None if self.net_benefit is None else self.net_benefit.to_dict()
        return {**out, "scores": scores, "comparison": comparison, "groups": groups, "net_benefit": benefit}

    @classmethod
    def _fields_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """Where the fields stand in the dictionary: a page can be laid out anew from its JSON."""
        called = {"precision": "average_precision", "outline": "curve"}
        scores = [
            {name: one[called.get(name, name)] for name in ScoreReport.__dataclass_fields__} for one in data["scores"]
        ]
        return {**data, "scores": scores}

    def to_html(self, *, language: Language = "en") -> str:
        """One self-contained page, in the language of its readers; references stay as they are cited."""
        return _laid_out("page", "report_page", self, language)

    def _repr_html_(self) -> str:
        return html_table(self.rows(), caption=self.title)

    def to_markdown(self) -> str:
        """The tables and texts as Markdown."""
        return _laid_out("markdown", "report_markdown", self)


def _laid_out(room: str, function: str, report: Report, *more: str) -> str:
    """The report in the layout of a face, looked up by name: faces know reports, reports do not know faces."""
    text: str = getattr(importlib.import_module(f"roclab.report.{room}"), function)(report, *more)
    return text
