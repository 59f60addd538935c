"""The coordinates table: every cut-off of a score with its counts and any metric, whole columns at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.checks import check_choice, check_count
from roclab._core.text import text_table
from roclab._core.types import Bools, Counts, Floats, Ints, frozen
from roclab.curves.roc import above_all
from roclab.data.subjects import Subjects
from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.criteria import CRITERIA, Criterion, criterion_named
from roclab.decisions.metrics import METRICS, Counts4, metric_named
from roclab.decisions.subject_calls import SubjectCalls
from roclab.errors import InputError, Words, named
from roclab.names import ThresholdRule
from roclab.options.criterion import Conditions
from roclab.results import Result, Sample
from roclab.results.pictured import Pictured
from roclab.results.restoring import CannotRestoreError

__all__ = ["THRESHOLD_RULES", "CoordinateTable", "Coordinates", "ThresholdRule", "coordinates"]

THRESHOLD_RULES = ("observed", "midpoints", "spss")

_COUNTS: dict[str, Callable[[Counts4], Floats]] = {
    "tp": lambda c: c.tp,
    "fp": lambda c: c.fp,
    "fn": lambda c: c.fn,
    "tn": lambda c: c.tn,
    "sum": lambda c: c.tp / c.p + c.tn / c.n,  # what SPSS users sort by: sensitivity + specificity
}
SPSS_COLUMNS = {"tpr": "sensitivity", "fpr": "1 - specificity", "sum": "sum"}
SHOWN_ROWS = 60


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coordinates(Pictured):
    """Every way a threshold can divide the cases: one row per vertex of the ROC curve.

    Row 0 calls nothing positive, the last row everything; thresholds fall from row to row (rise for
    ``direction="lower"``). Columns other than the counts are computed when asked for. Where a score is infinite no
    threshold calls nothing positive: row 0 then has NaN and is nobody's cut-off (``reachable``).
    """

    thresholds: Floats  # in the user's units
    tp: Counts
    fp: Counts
    scores: Floats  # distinct scores, descending, turned so that higher means positive
    rule: ThresholdRule
    sample: Sample
    _subjects: Subjects | None = field(default=None, metadata={"not_in_json": True})

    def __post_init__(self) -> None:
        for array in (self.thresholds, self.tp, self.fp, self.scores):
            frozen(array)

    @classmethod
    def _fields_of(cls, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Counts without their subjects would be taken for independent cases."""
        if data["sample"]["subjects"]:
            raise CannotRestoreError("its counts stand for subjects, which JSON does not hold")
        return data

    def __len__(self) -> int:
        return int(self.tp.size)

    @property
    def n_pos(self) -> float:
        """Number (or total weight) of positive cases."""
        total: float = self.tp[-1].item()
        return total

    @property
    def n_neg(self) -> float:
        """Number (or total weight) of negative cases."""
        total: float = self.fp[-1].item()
        return total

    @property
    def fn(self) -> Counts:
        """Positive cases below each threshold."""
        missed: Counts = self.tp[-1] - self.tp
        return missed

    @property
    def tn(self) -> Counts:
        """Negative cases below each threshold."""
        spared: Counts = self.fp[-1] - self.fp
        return spared

    @property
    def reachable(self) -> Bools:
        """Rows that a threshold leads to: all, but for row 0 where a score is infinite on the positive side."""
        return ~np.isnan(self.thresholds)

    # -- columns ---------------------------------------------------------------------------------

    def counts(self, rows: slice | Ints = slice(None)) -> Counts4:
        """The four counts and their margins in some or all rows."""
        return Counts4.of_calls(self.tp[rows], self.fp[rows], n_pos=self.n_pos, n_neg=self.n_neg)

    def user_scores(self) -> Floats:
        """The distinct scores in the user's units, in the order of the rows."""
        return self.scores if self.sample.direction == "higher" else 0.0 - self.scores

    def column(self, name: str, conditions: Mapping[str, Any] | None = None) -> Floats:
        """One column: a metric by name or synonym, a criterion, a count, "sum" (sensitivity + specificity) …"""
        return self.columns([name], conditions)[name]

    def columns(
        self, names: Iterable[str] | None = None, conditions: Mapping[str, Any] | None = None
    ) -> dict[str, Floats]:
        """Several columns (default: every metric), read-only; NaN where one is undefined.

        A column is a metric by name or synonym, a cut-off criterion ("cost", "f_alpha" …) at the ``conditions`` that
        it takes, a count, "sum" or "threshold".

        O(n) a column, in blocks that stay in the processor's cache: all metrics of a million thresholds take a few
        times as long as sorting the scores.
        """
        asked = list(METRICS) if names is None else list(names)
        out = {name: self.thresholds if name == "threshold" else np.empty(len(self)) for name in asked}
        out |= self._criteria(asked, conditions or {})
        compute = {name: _computation(name) for name in asked if name != "threshold" and name not in CRITERIA}
        for part in blocks(len(self)):
            counts = self.counts(part)
            for name, function in compute.items():
                out[name][part] = function(counts)
        for array in out.values():
            frozen(array)
        return out

    def _criteria(self, asked: list[str], given: Mapping[str, Any]) -> dict[str, Floats]:
        rules = {name: CRITERIA[name] for name in asked if name in CRITERIA}
        taken = {name for rule in rules.values() for name in rule.takes}
        for name, value in given.items():
            if name not in taken:
                raise InputError(name, "belongs to a column that takes it", value, 'ask for the column "cost"')
        out = {}
        for name, rule in rules.items():
            conditions = Conditions(**{key: value for key, value in given.items() if key in rule.takes})
            rule.check(conditions)
            out[name] = criterion_values(self, rule, conditions)
        return out

    def peaks(self, name: str, conditions: Mapping[str, Any] | None = None) -> Ints:
        """Rows where a metric or criterion is best among its neighbours; of a level stretch the first. O(n).

        For "youden" they are the upper left corners of the curve, which pROC calls local maxima.

        >>> tally = Tally.from_samples(np.array([5.0, 3.0, 1.0]), np.array([4.0, 2.0, 0.0]))
        >>> table = coordinates(tally)
        >>> table.thresholds[table.peaks("youden")].tolist()
        [5.0, 3.0, 1.0]
        """
        rule = criterion_named(name)
        asked = name if name in CRITERIA else rule.name
        values = self.column(asked, conditions)
        height = np.where(np.isnan(values), -np.inf, values if rule.goal == "max" else -values)
        level = np.round(height, 12)
        starts = np.flatnonzero(np.concatenate([[True], level[1:] != level[:-1]]))
        heights = np.concatenate([[-np.inf], level[starts], [-np.inf]])
        best = (heights[1:-1] > heights[:-2]) & (heights[1:-1] > heights[2:])
        return starts[best & self.reachable[starts]]

    # -- rows ------------------------------------------------------------------------------------

    def row_of(self, threshold: float) -> int:
        """The row that decides like a threshold, observed or not; O(log n)."""
        if np.isnan(threshold):
            raise InputError(
                "threshold", "must be a number", Words("NaN"), "give a score or +inf to call nothing positive"
            )
        oriented = threshold if self.sample.direction == "higher" else -threshold
        return self.scores.size - int(np.searchsorted(self.scores[::-1], oriented, side="left"))

    def at(self, threshold: float) -> ConfusionMatrix:
        """The confusion matrix at any threshold; O(log n), for sliders and other repeated questions."""
        return self.matrix(self.row_of(threshold), threshold=float(threshold))

    def matrix(self, row: int, *, threshold: float | None = None) -> ConfusionMatrix:
        """The confusion matrix of a row."""
        return ConfusionMatrix(
            tp=self.tp[row].item(),
            fp=self.fp[row].item(),
            fn=(self.tp[-1] - self.tp[row]).item(),
            tn=(self.fp[-1] - self.fp[row]).item(),
            threshold=float(self.thresholds[row]) if threshold is None else threshold,
            sample=self.sample,
            subjects=self._calls(row),
        )

    def _calls(self, row: int) -> SubjectCalls | None:
        """The calls of a row by subject: row 0 calls nothing, every further one the cases from its score on."""
        if self._subjects is None:
            return None
        return SubjectCalls(subjects=self._subjects, threshold=float(self.scores[row - 1]) if row else np.inf)

    def same_decision(self, row: int) -> tuple[float, float]:
        """Ends of the thresholds that decide like this row, in the user's units.

        Every threshold above the next lower score, up to and including this row's score, calls the same cases
        positive: which of them is printed (the score, a midpoint) is a matter of taste. With ``direction="lower"``
        the interval starts at this row's score and ends before the next higher one.
        """
        here = np.inf if row == 0 else float(self.scores[row - 1])
        below = -np.inf if row == self.scores.size else float(self.scores[row])
        return (below, here) if self.sample.direction == "higher" else (-here, -below)

    # -- as a table ------------------------------------------------------------------------------

    def table(
        self,
        columns: Iterable[str] | Mapping[str, str] = SPSS_COLUMNS,
        *,
        sort_by: str | None = None,
        descending: bool = True,
        head: int | None = None,
        peaks: str | None = None,
        conditions: Mapping[str, Any] | None = None,
        more: Mapping[str, Floats] | None = None,
        note: str = "",
    ) -> CoordinateTable:
        """Chosen columns as printed rows, as SPSS lists them or sorted by a column.

        Parameters
        ----------
        columns : names, or mapping of names to printed titles
            Metrics, criteria, counts or "sum"; the cut-off always comes first. Default: sensitivity, 1 - specificity,
            sum.
        sort_by : str, optional
            Column (or "threshold") to sort by. Without it cut-offs ascend, as SPSS prints them. Equal values, also
            those that differ by rounding only, keep the lower false positive rate first when descending.
        head : int, optional
            Only so many rows.
        peaks : str, optional
            Only rows where this metric or criterion is better than at their neighbours.
        conditions : mapping, optional
            What criteria among the columns take: prevalence, costs, beta, alpha.
        more : mapping, optional
            Further columns, a value for every row of the whole table, and a ``note`` about them.
        """
        titles = dict(columns) if isinstance(columns, Mapping) else {name: name for name in columns}
        given = conditions or {}
        named_too = [name for name in (sort_by, peaks) if name is not None]
        values = self.columns(dict.fromkeys([*titles, *named_too]), given)
        if sort_by is None:
            order = np.argsort(self.thresholds, kind="stable")
        else:
            key = self.thresholds if sort_by == "threshold" else np.round(values[sort_by], 12)
            order = np.argsort(-key if descending else key, kind="stable")
        if peaks is not None:
            own = {name: value for name, value in given.items() if name in criterion_named(peaks).takes}
            order = order[np.isin(order, self.peaks(peaks, own))]
        if head is not None:
            order = order[: check_count(head, "head", least=1, way_out="leave it out for all rows")]
        return CoordinateTable(
            thresholds=self.thresholds[order],
            columns={title: values[name][order] for name, title in titles.items()}
            | {title: one[order] for title, one in (more or {}).items()},
            rule=self.rule,
            sample=self.sample,
            note=note,
        )

    def rows(self) -> list[dict[str, Any]]:
        """One row per cut-off, as SPSS lists them."""
        return self.table().rows()

    def __str__(self) -> str:
        return str(self.table())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoordinateTable(Result):
    """Rows of a coordinates table in the order in which they are to be read."""

    thresholds: Floats
    columns: dict[str, Floats]
    rule: ThresholdRule
    sample: Sample
    note: str = ""

    def __post_init__(self) -> None:
        for array in (self.thresholds, *self.columns.values()):
            frozen(array)

    def __len__(self) -> int:
        return int(self.thresholds.size)

    def rows(self) -> list[dict[str, Any]]:
        """One row per cut-off."""
        lists = [self.thresholds.tolist(), *(values.tolist() for values in self.columns.values())]
        names = ["cut-off", *self.columns]
        return [dict(zip(names, values, strict=True)) for values in zip(*lists, strict=True)]

    def __str__(self) -> str:
        return self.text(most=SHOWN_ROWS)

    def text(self, *, most: int | None = None) -> str:
        """The table to read, whole, or with both ends only where it has more rows than ``most``."""
        side = "greater than or equal to" if self.sample.direction == "higher" else "less than or equal to"
        most = len(self) if most is None else most
        half = most // 2
        shown = np.arange(len(self)) if len(self) <= most else np.r_[0:half, len(self) - half : len(self)]
        cutoffs = ["none" if np.isnan(value) else f"{value:.10g}" for value in self.thresholds[shown]]
        width = max(map(len, cutoffs))
        lines = [
            {"cut-off": cutoff.rjust(width), **{name: float(values[at]) for name, values in self.columns.items()}}
            for at, cutoff in zip(shown, cutoffs, strict=True)
        ]
        text = text_table(lines, digits=3).splitlines()
        if len(self) > most:
            text.insert(1 + half, f"… {len(self) - len(shown):,} more rows …")
        below = [self.note] if self.note else [f"no uncertainty is shown: {one}" for one in self.sample.belonging()]
        return "\n".join([f"positive if {side} the cut-off ({self.rule} values)", *text, *below])


def coordinates(tally: Tally, *, rule: ThresholdRule = "observed") -> Coordinates:
    r"""The coordinates table of a tally, O(n).

    Parameters
    ----------
    tally : Tally
    rule : "observed", "midpoints" or "spss"
        Which threshold stands for a vertex. "observed": the lowest score still called positive, +inf for none.
        "midpoints": halfway to the next lower score, +inf and -inf at the ends (pROC's rule). "spss": midpoints, with
        max + 1 and min - 1 at the ends. The decisions, and so all counts, are the same.

    Notes
    -----
    A midpoint is never allowed to round down to the lower score, which would change the decision: neighbouring
    floating-point numbers keep the upper one. Midpoints need finite scores.

    Examples
    --------
    >>> tally = Tally.from_samples(np.array([3.0, 2.0]), np.array([2.0, 1.0]))
    >>> print(coordinates(tally, rule="spss"))
    positive if greater than or equal to the cut-off (spss values)
    cut-off  sensitivity  1 - specificity    sum
      0            1.000            1.000  1.000
    1.5            1.000            0.500  1.500
    2.5            0.500            0.000  1.500
      4            0.000            0.000  1.000
    """
    check_choice(rule, "rule", THRESHOLD_RULES)
    return Coordinates(
        thresholds=tally.shown(threshold_values(tally.score, rule)),
        tp=_cumulated(tally.pos),
        fp=_cumulated(tally.neg),
        scores=tally.score,
        rule=rule,
        sample=tally.sample,
        _subjects=tally.subjects,
    )


def criterion_values(table: Coordinates, criterion: Criterion, conditions: Conditions) -> Floats:
    """The criterion in every row, O(n) in blocks; NaN where it does not exist or the row may not be chosen."""
    if criterion.near is not None:
        return criterion.near(table, conditions)
    out = np.empty(len(table))
    for part in blocks(len(table)):
        counts = table.counts(part)
        out[part] = criterion.compute(counts, conditions)
        if criterion.allows is not None:
            out[part][~criterion.allows(counts, conditions)] = np.nan
    return out


def threshold_values(scores: Floats, rule: ThresholdRule) -> Floats:
    """The threshold of every vertex by a rule, for distinct descending scores; one more than there are scores."""
    out = np.empty(scores.size + 1)
    out[0] = above_all(scores)
    if rule == "observed":
        out[1:] = scores
        return out
    if not (np.isfinite(scores[0]) and np.isfinite(scores[-1])):
        raise InputError(
            "",
            "midpoints exist between finite scores only",
            Words(f"{scores[0]:g} and {scores[-1]:g} at the ends"),
            f"use {named('rule', 'observed')}",
        )
    upper, lower = scores[:-1], scores[1:]
    middle = upper / 2 + lower / 2  # not (upper + lower) / 2, which may overflow
    out[1:-1] = np.where(middle > lower, middle, upper)
    out[-1] = -np.inf
    if rule == "spss":
        # Beyond 2**53 adding one changes nothing; the next number up still separates.
        out[0] = max(scores[0] + 1, np.nextafter(scores[0], np.inf))
        out[-1] = min(scores[-1] - 1, np.nextafter(scores[-1], -np.inf))
    return out


def _cumulated(counts: Counts) -> Counts:
    out = np.empty(counts.size + 1, counts.dtype)
    out[0] = 0
    np.cumsum(counts, out=out[1:])
    return out


def _computation(name: str) -> Callable[[Counts4], Floats]:
    return _COUNTS[name] if name in _COUNTS else metric_named(name).compute
