"""The best cut-off by any criterion: all tied optima, each with its confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy.special import chdtrc

from roclab._core.polyline import SAME
from roclab._core.text import format_number, text_table
from roclab._core.types import Bools, Floats, Ints
from roclab.curves.hull import hull_of_tally
from roclab.curves.roc import roc_curve
from roclab.data.columns import score_column
from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.coordinates import Coordinates, coordinates, criterion_values
from roclab.decisions.criteria import Criterion, criterion_named, criterion_of_function, stakes_of
from roclab.decisions.intervals import MetricIntervals, metric_intervals
from roclab.decisions.metrics import METRICS, predictive_values
from roclab.decisions.minimal_p import chosen_p
from roclab.decisions.operating_point import OperatingPoint, point_at_fpr
from roclab.decisions.requirements import Requirement, default_criterion, meets, requirements
from roclab.errors import InputError, Words, named
from roclab.names import Goal, ProportionInterval, ThresholdRule
from roclab.options.criterion import Conditions, CriterionOptions
from roclab.results import Result, Sample

__all__ = ["Cutoff", "CutoffResult", "find_cutoff"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cutoff(Result):
    """One cut-off: its threshold, its place on the curve and its confusion matrix.

    Every threshold between ``low`` and ``high`` makes the same decisions, the end on the positive side included:
    above ``low`` up to ``high`` where a higher score means positive.
    """

    threshold: float
    low: float
    high: float
    value: float  # of the criterion
    fpr: float
    tpr: float
    matrix: ConfusionMatrix

    @property
    def sensitivity(self) -> float:
        """The true positive rate."""
        return self.tpr

    @property
    def specificity(self) -> float:
        """1 - fpr."""
        return 1 - self.fpr

    def metrics(
        self, *, level: float = 0.95, interval: ProportionInterval = "wilson", prevalence: float | None = None
    ) -> MetricIntervals:
        """All metrics with intervals; they ignore that the cut-off was chosen on the same data."""
        return metric_intervals(self.matrix, level=level, interval=interval, prevalence=prevalence)

    def predictive_values(self, prevalence: float) -> tuple[float, float]:
        """PPV and NPV at another prevalence."""
        return predictive_values(tpr=self.tpr, fpr=self.fpr, prevalence=prevalence)

    def predict(self, scores: Any) -> Bools:
        """The calls of other cases by this cut-off: True where a score reaches it.

        >>> tally = Tally.from_samples(np.array([3.0, 4.0]), np.array([1.0, 2.0]))
        >>> find_cutoff(tally).best.predict([2.5, 3.5]).tolist()
        [False, True]
        """
        values = score_column(scores, "scores").values
        if np.isnan(values).any():
            raise InputError("scores", "must be numbers", Words("NaN"), "leave out cases without a score")
        lower = self.matrix.sample is not None and self.matrix.sample.direction == "lower"
        return np.asarray(values <= self.threshold if lower else values >= self.threshold)

    def rule(self) -> str:
        """The decision in words, with the thresholds that make the same one."""
        lower = self.matrix.sample is not None and self.matrix.sample.direction == "lower"
        here = f"score {'<=' if lower else '>='} {self.threshold:.10g}"
        if lower:
            return f"{here} (the same from {self.low:.10g} to below {self.high:.10g})"
        return f"{here} (the same from above {self.low:.10g} to {self.high:.10g})"

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        m = self.matrix
        total = m.tp + m.fp + m.fn + m.tn
        return [
            {
                "cut-off": self.threshold,
                "sensitivity": self.tpr,
                "specificity": self.specificity,
                "value": self.value,
                "tp": m.tp,
                "fp": m.fp,
                "fn": m.fn,
                "tn": m.tn,
                "accuracy": (m.tp + m.tn) / total,
                "majority rate": max(m.tp + m.fn, m.fp + m.tn) / total,
            }
        ]


class FoundRows(NamedTuple):
    """Rows of the table of all thresholds that attain an optimum, and the values of the criterion there."""

    table: Coordinates
    rows: Ints
    values: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutoffResult(Result):
    """The optimum of a criterion and every cut-off that attains it, the lowest false positive rate first."""

    criterion: str
    looked_for: str  # the criterion in words
    value: float
    rule: ThresholdRule
    sample: Sample
    details: Mapping[str, float]
    randomised: OperatingPoint | None = None  # Neyman-Pearson: the coin flip that meets the rate exactly
    notes: tuple[str, ...] = ()
    # Where the optima stand; a million of them are possible, so they become cut-offs when asked for.
    _found: FoundRows | None = field(default=None, metadata={"not_in_json": True})
    _optima: tuple[Cutoff, ...] = ()  # of a result that was restored from its JSON

    @classmethod
    def _fields_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """The optima stand whole in the dictionary."""
        return {**data, "_optima": data["optima"]}

    @property
    def tied(self) -> int:
        """How many cut-offs attain the optimum."""
        return len(self._optima) if self._found is None else int(self._found.rows.size)

    @property
    def optima(self) -> tuple[Cutoff, ...]:
        """Every cut-off that attains the optimum, the lowest false positive rate first."""
        return self._first(self.tied)

    def _first(self, count: int) -> tuple[Cutoff, ...]:
        if self._found is None:
            return self._optima[:count]
        table, rows, values = self._found
        pairs = zip(rows[:count].tolist(), values[:count].tolist(), strict=True)
        return tuple(cutoff_at_row(table, row, value) for row, value in pairs)

    @property
    def best(self) -> Cutoff:
        """Of the tied optima the one with the lowest false positive rate (then the highest sensitivity)."""
        return self._first(1)[0]

    @property
    def threshold(self) -> float:
        """Threshold of the best cut-off."""
        return self.best.threshold

    @property
    def sought(self) -> str:
        """What is looked for, with the name of its criterion where that is no metric, which has a word of its own."""
        return self.looked_for if self.criterion in METRICS else f"{self.criterion}: {self.looked_for}"

    def to_dict(self) -> dict[str, Any]:
        """Every field and all tied optima as plain Python values."""
        out = Result.to_dict(self)
        return {**out, "optima": [optimum.to_dict() for optimum in self.optima]}

    def rows(self) -> list[dict[str, Any]]:
        """One row per tied optimum."""
        return [row for optimum in self.optima for row in optimum.rows()]

    def __str__(self) -> str:
        lines = [
            f"{self.sought} = {format_number(self.value)}",
            f"called {self.sample.positive} when {self.best.rule()}",
        ]
        if self.tied > 1:
            lines.append(f"{self.tied:,} cut-offs are equally good; the first has the fewest false positives")
        shown = text_table([row for one in self._first(20) for row in one.rows()])
        more = [f"… {self.tied - 20:,} more"] if self.tied > 20 else []
        details = [f"{name.replace('_', ' ')} {format_number(value)}" for name, value in self.details.items()]
        return "\n".join([*lines, "", shown, *more, "", *details, self.sample.describe(), *self.notes])


def find_cutoff(
    tally: Tally, asked: CriterionOptions | None = None, *, table: Coordinates | None = None
) -> CutoffResult:
    r"""The cut-off that does best by a criterion, with every cut-off tied with it; O(n).

    Without a criterion the rate that the requirements leave open is made best: specificity for bounds on sensitivity,
    NPV and LR-, sensitivity for bounds on specificity, PPV and LR+, Youden's index for bounds of both kinds or none.
    Who asks for several criteria hands over the ``table`` of coordinates by the same rule, which is then made once.

    Returns
    -------
    CutoffResult

    Notes
    -----
    Values within 1e-12 (relative above one) are tied. Calling nothing and calling everything positive take part, so
    that no optimum is worse than ignoring the score. Where a criterion is undefined, as PPV when nothing is called
    positive, the cut-off does not take part.

    References
    ----------
    Youden WJ. Index for rating diagnostic tests. Cancer 1950;3:32-35. Perkins NJ, Schisterman EF. The inconsistency of
    "optimal" cutpoints. Am J Epidemiol 2006;163:670-675. doi:10.1093/aje/kwj063

    Examples
    --------
    >>> tally = Tally.from_samples(np.array([5.0, 4.0, 3.0, 1.0]), np.array([3.0, 2.0, 1.0, 1.0]))
    >>> found = find_cutoff(tally)
    >>> found.value, [one.threshold for one in found.optima], found.best.rule()
    (0.5, [4.0, 3.0], 'score >= 4 (the same from above 3 to 4)')
    >>> find_cutoff(tally, CriterionOptions(require={"sensitivity": 0.9})).best.matrix.fp
    4
    """
    asked = asked or CriterionOptions()
    bounds = [] if asked.require is None else requirements(asked.require)
    chosen = choose_criterion(asked.criterion, bounds, asked.goal)
    chosen.check(asked)
    table = coordinates(tally, rule=asked.rule) if table is None else table
    values = criterion_values(table, chosen, asked)
    rows = optimal_rows(table, chosen, values, bounds)
    details, notes = _details(table, chosen, asked, values, rows[0])
    best = float(values[rows[0]])
    if bounds:
        notes.append("bounds met: " + ", ".join(map(str, bounds)))
    if rows[0] in (0, len(table) - 1):
        notes.append(
            f"No threshold beats calling {'nothing' if rows[0] == 0 else 'everything'} {tally.sample.positive}."
        )
    if tally.top is not None:
        notes.append(_between_cells(tally))
    randomised = None
    if chosen.name == "neyman_pearson" and asked.max_fpr is not None:
        curve = roc_curve(tally)
        details["max_fpr"] = asked.max_fpr
        randomised = point_at_fpr(curve, tally, asked.max_fpr)
        details["tpr_randomised"] = randomised.tpr
        details["tpr_on_hull"] = float(hull_of_tally(tally, curve).at(asked.max_fpr)[0])
    return CutoffResult(
        criterion=chosen.name,
        looked_for=" with ".join([chosen.describe(), *([", ".join(map(str, bounds))] if bounds else [])]),
        value=best,
        rule=asked.rule,
        sample=tally.sample,
        details=details,
        randomised=randomised,
        notes=tuple(notes),
        _found=FoundRows(table, rows, values[rows]),
    )


def _between_cells(tally: Tally) -> str:
    """What a cut-off inside a cell of scores could have changed; the ends of cells are true points of the curve."""
    assert tally.top is not None
    joined = tally.top > tally.score
    fpr = float((tally.neg * joined).max(initial=0) / tally.n_neg)
    tpr = float((tally.pos * joined).max(initial=0) / tally.n_pos)
    return (
        f"Sought among the ends of {tally.score.size:,} cells of scores ({tally.counted}); the rates at the ends are "
        f"exact, and a cut-off inside a cell differs from its ends by at most {fpr:.2g} in FPR and {tpr:.2g} in TPR."
    )


def choose_criterion(
    criterion: str | Callable[..., Any] | None, bounds: list[Requirement], goal: Goal | None
) -> Criterion:
    """The row of the table, the metric or the function that was asked for."""
    if callable(criterion):
        return criterion_of_function(criterion, goal or "max")
    if criterion is None or criterion == "required":
        if criterion == "required" and not bounds:
            raise InputError(
                "",
                "criterion 'required' needs bounds",
                Words("none"),
                f'write {named("require")}{{"sensitivity": 0.9}}',
            )
        criterion = default_criterion(bounds) if bounds else "youden"
    return criterion_named(criterion, goal)


def optimal_rows(table: Coordinates, criterion: Criterion, values: Floats, bounds: list[Requirement]) -> Ints:
    """Rows of all tied optima: lowest false positive rate first, then highest true positive rate."""
    better = np.where(table.reachable, values if criterion.goal == "max" else -values, np.nan)
    if bounds:
        better = np.where(meets(table, bounds), better, np.nan)
    if np.isnan(better).all():
        among = "any threshold that keeps the bounds" if bounds else "any threshold"
        raise InputError(
            "",
            f"criterion {criterion.name!r} ({criterion.formula}) is undefined at {among}",
            way_out="choose another criterion",
        )
    best = float(np.nanmax(better))
    slack = SAME * max(1.0, abs(best)) if math.isfinite(best) else 0.0
    tied = np.flatnonzero(better >= best - slack)
    return tied[np.lexsort((-table.tp[tied], table.fp[tied]))]


def cutoff_at_row(table: Coordinates, row: int, value: float) -> Cutoff:
    """A row of the coordinates table as a cut-off."""
    low, high = table.same_decision(row)
    matrix = table.matrix(row)
    return Cutoff(
        threshold=float(table.thresholds[row]),
        low=low,
        high=high,
        value=value,
        fpr=matrix.fp / table.n_neg,
        tpr=matrix.tp / table.n_pos,
        matrix=matrix,
    )


def _details(
    table: Coordinates, criterion: Criterion, conditions: Conditions, values: Floats, row: int
) -> tuple[dict[str, float], list[str]]:
    if criterion.name == "cost":
        at = stakes_of(conditions, table.counts(slice(0, 1)))
        return {**at.given(), "optimal_slope": at.slope, "cost_without_the_score": at.trivial}, []
    if criterion.name == "min_p":
        statistic = float(values[row])
        fixed, how = chosen_p(table, values, statistic)
        note = "The plain p-value ignores that the cut-off was chosen for it; report the corrected one."
        return {"p": float(chdtrc(1, statistic)), "p_corrected": fixed}, [note, f"corrected p: {how}"]
    if criterion.near is not None:
        return {}, ["The rule is about the cut-off itself, which must mean something: a probability."]
    if math.isinf(values[row]):
        return _beyond_number(table, criterion, values, row)
    return {}, []


def _beyond_number(
    table: Coordinates, criterion: Criterion, values: Floats, row: int
) -> tuple[dict[str, float], list[str]]:
    """An infinite optimum only says that a cell of the matrix is empty; the best finite one is told beside it."""
    m = table.matrix(row)
    empty = [name for name in ("fp", "fn", "tp", "tn") if getattr(m, name) == 0]
    why = f"{' and '.join(name.upper() for name in empty)} = 0" if empty else "a quotient by 0"
    note = f"{criterion.name} is infinite where {why}, which a few cases decide"
    finite = np.where(np.isfinite(values) & table.reachable, values, np.nan)
    if np.isnan(finite).all():
        return {}, [f"{note}; it is finite nowhere."]
    best = int(np.nanargmax(finite) if criterion.goal == "max" else np.nanargmin(finite))
    shown = {"best_finite_value": float(finite[best]), "best_finite_cutoff": float(table.thresholds[best])}
    return shown, [f"{note}; the best finite value is given beside it."]
