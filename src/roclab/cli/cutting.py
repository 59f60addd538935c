"""The ways ``roclab cutoff`` asks the library, and its answers made of several results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from roclab._core.text import text_table
from roclab.cli.answers import Decision, who
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.coordinates import CoordinateTable, coordinates
from roclab.decisions.criteria import criterion_named
from roclab.decisions.cutoff_bootstrap import bootstrap_cutoff
from roclab.decisions.cutoffs import CutoffResult, find_cutoff
from roclab.decisions.grey_zone import grey_zone
from roclab.decisions.intervals import metric_intervals
from roclab.decisions.smooth_cutoffs import kernel_cutoff, local_cutoff, normal_cutoff
from roclab.errors import InputError, Words
from roclab.inference.one_area.bootstrap import Resampling
from roclab.results import Result

__all__ = ["Asked", "BestCutoff", "CutoffTable", "Several", "WholeTable", "each", "grey", "table"]

SAME_CASES = (
    "The intervals ignore that the cut-off was chosen on these cases; --bootstrap shows how much better\n"
    "it looks than it is."
)

# -- answers ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestCutoff(Result):
    """All tied optima of one score, and what the best of them does to the cases."""

    cutoff: CutoffResult
    decision: Decision

    def to_dict(self) -> dict[str, Any]:
        """The cut-off's own dictionary, with the metrics of the best one and their intervals."""
        best = self.decision.to_dict()
        return {**self.cutoff.to_dict(), **{name: best[name] for name in ("metrics", "intervals", "level")}}

    def rows(self) -> list[dict[str, Any]]:
        """One row per tied optimum."""
        return self.cutoff.rows()

    def __str__(self) -> str:
        return "\n".join([str(self.cutoff), "", self.decision.tables(), "", SAME_CASES])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutoffTable(Result):
    """The best cut-off of each of several scores."""

    cutoffs: tuple[CutoffResult, ...]

    def to_dict(self) -> dict[str, Any]:
        """The dictionary of each score."""
        return {"cutoffs": [one.to_dict() for one in self.cutoffs]}

    def rows(self) -> list[dict[str, Any]]:
        """One row per score: the best of its tied optima, and how many there are."""
        return [{"variable": one.sample.score, **one.best.rows()[0], "tied": one.tied} for one in self.cutoffs]

    def __str__(self) -> str:
        shown = [{"majority" if name == "majority rate" else name: row[name] for name in row} for row in self.rows()]
        for row in shown:
            row.pop("tied")
        first = self.cutoffs[0]
        lines = [text_table(shown), "", f"{first.criterion}: {first.looked_for}"]
        lines += [
            f"{one.sample.score}: {one.tied:,} cut-offs are equally good; shown is the one with the fewest "
            "false positives"
            for one in self.cutoffs
            if one.tied > 1
        ]
        lines += [f"{one.sample.score}: {note}" for one in self.cutoffs for note in one.notes]
        lines.append("accuracy compares with the majority rate, that of calling every case by the larger class")
        return "\n".join([*lines, *who({str(one.sample.score): one.sample for one in self.cutoffs})])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WholeTable(Result):
    """A coordinates table, printed to its last row."""

    table: CoordinateTable

    def to_dict(self) -> dict[str, Any]:
        """The table's own dictionary."""
        return self.table.to_dict()

    def rows(self) -> list[dict[str, Any]]:
        """The table's own rows."""
        return self.table.rows()

    def __str__(self) -> str:
        head = str(self.table).split("\n", 1)[0]
        cutoffs = [f"{value:.10g}" for value in self.table.thresholds.tolist()]
        width = max(map(len, cutoffs))
        rows = [{**row, "cut-off": cutoff.rjust(width)} for row, cutoff in zip(self.table.rows(), cutoffs, strict=True)]
        return f"{head}\n{text_table(rows, digits=3)}\n\n{self.table.sample.describe()}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Several(Result):
    """The same question about several scores."""

    results: Mapping[str, Result]

    def to_dict(self) -> dict[str, Any]:
        """The dictionary of each score's own result."""
        return {"results": {name: one.to_dict() for name, one in self.results.items()}}

    def rows(self) -> list[dict[str, Any]]:
        """The rows of each score's own result."""
        return [{"variable": name, **row} for name, one in self.results.items() for row in one.rows()]

    def __str__(self) -> str:
        return "\n\n\n".join(f"{name}\n{'-' * len(name)}\n{one}" for name, one in self.results.items())


# -- questions -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be made best, within which bounds."""

    criterion: str | None
    conditions: Mapping[str, Any]  # prevalence, costs, beta …
    bounds: Mapping[str, float]
    rule: Any
    prevalence: float | None
    shows_metrics: bool  # of one score; a prevalence then changes its predictive values, whatever the criterion
    level: float
    ci: Any

    @property
    def options(self) -> dict[str, Any]:
        """What the library is asked; a prevalence for the predictive values alone is no part of it."""
        conditions = dict(self.conditions)
        if self.prevalence is not None and (self._takes_prevalence or not self.shows_metrics):
            conditions["prevalence"] = self.prevalence
        return conditions

    @property
    def _takes_prevalence(self) -> bool:
        if self.criterion is None or self.criterion == "required":
            return False
        return "prevalence" in criterion_named(self.criterion).takes

    def best(self, tally: Tally) -> CutoffResult:
        """The optimum of one score."""
        return find_cutoff(tally, self.criterion, rule=self.rule, require=self.bounds or None, **self.options)

    def decision(self, matrix: ConfusionMatrix) -> Decision:
        """A matrix with its metrics and their intervals."""
        found = metric_intervals(matrix, level=self.level, method=self.ci)
        metrics = dict(matrix.metrics(prevalence=self.prevalence))
        return Decision(matrix=matrix, metrics=metrics, intervals=found.intervals, level=self.level)

    def one(self, tally: Tally) -> BestCutoff:
        """The optimum of one score, and what it does to the cases."""
        found = self.best(tally)
        return BestCutoff(cutoff=found, decision=self.decision(found.best.matrix))

    def bootstrapped(self, tally: Tally, resampling: Resampling, seed: int) -> Result:
        """How far the cut-off can be trusted."""
        return bootstrap_cutoff(
            tally,
            self.criterion,
            rule=self.rule,
            require=self.bounds or None,
            level=self.level,
            resampling=resampling,
            rng=seed,
            **self.options,
        )

    def smoothed(self, tally: Tally, how: str, span: float | None) -> Result:
        """A cut-off of smoothed data."""
        if how == "loess":
            shape: dict[str, Any] = {} if span is None else {"span": span}
            return local_cutoff(tally, self.criterion or "youden", **shape, **self.options)
        if self.criterion not in (None, "youden"):
            raise InputError(
                "",
                f"--smooth {how} finds the largest Youden index",
                Words(f"--criterion {self.criterion}"),
                "use --smooth loess",
            )
        return kernel_cutoff(tally) if how == "kernel" else normal_cutoff(tally)


def each(cases: Cases, ask: Callable[[Tally], Result]) -> Result:
    """One result for one score, several side by side for more."""
    found = {name: ask(cases.tally(name)) for name in cases.names}
    return next(iter(found.values())) if len(found) == 1 else Several(results=found)


def table(
    tally: Tally, *, rule: Any, columns: list[str] | None, sort: str | None, ascending: bool, head: int | None
) -> WholeTable:
    """The coordinates table of one score."""
    which = {} if columns is None else {"columns": columns}
    found = coordinates(tally, rule=rule).table(**which, sort_by=sort, descending=not ascending, head=head)
    return WholeTable(table=found)


def grey(tally: Tally, *, rule_out: Mapping[str, float], rule_in: Mapping[str, float], rule: Any) -> Result:
    """Two cut-offs of one score."""
    return grey_zone(tally, rule_out=rule_out or None, rule_in=rule_in or None, rule=rule)
