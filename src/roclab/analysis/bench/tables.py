"""Tables of a bench: all models side by side, fold by fold, and the experiments with balanced classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roclab._core.text import text_table
from roclab._core.undefined import Undefined
from roclab.inference.comparison.contrasts import Difference
from roclab.inference.comparison.resampled import SplitMean
from roclab.results import AreaEstimate, Interval, Result

__all__ = ["BalanceExperiments", "BenchRow", "BenchTable", "ExperimentRow", "FoldTable"]

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BenchRow:
    """One model: areas of all of its out-of-fold scores together, means over splits, and metrics of its calls."""

    model: str
    areas: Mapping[str, AreaEstimate | None]  # AUC, tAUC and a partial area; None where scores cannot be pooled
    means: Mapping[str, SplitMean]  # every measure over the splits
    measures: Mapping[str, float]  # of all test cases together
    fit_seconds: float
    score_seconds: float
    auc: float  # the number to compare by: pooled, or of the .632 rule
    interval: Interval
    baseline: bool = False
    notes: tuple[str, ...] = ()

    def row(self) -> dict[str, Any]:
        """Every number, flat."""
        percent = f"{100 * self.interval.level:g}%"
        out: dict[str, Any] = {
            "model": self.model,
            "AUC": self.auc,
            f"{percent} low": self.interval.low,
            f"{percent} high": self.interval.high,
            "mean AUC of splits": self.means["AUC"].mean,
            "std. deviation": self.means["AUC"].deviation,
        }
        for name, estimate in self.areas.items():
            if name != "AUC":
                out[name] = self.measures.get(name) if estimate is None else estimate.area
                out[f"mean {name} of splits"] = self.means[name].mean
        out |= {name: value for name, value in self.measures.items() if name not in self.areas}
        return out | {"fit s": self.fit_seconds, "score s": self.score_seconds}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BenchTable(Result):
    """All models, the best area first."""

    models: tuple[BenchRow, ...]
    words: str  # the design and the sample
    interval_words: str
    level: float
    notes: tuple[str, ...] = ()

    def __getitem__(self, model: str) -> BenchRow:
        for one in self.models:
            if one.model == model:
                return one
        raise KeyError(model)

    def rows(self) -> Rows:
        """One row per model with every number."""
        return [model.row() for model in self.models]

    def halves(self) -> tuple[Rows, Rows]:
        """The areas and the rest, since one line does not hold both."""
        rows = self.rows()
        last = list(rows[0]).index("accuracy") if rows else 0
        first = [dict(list(row.items())[:last]) for row in rows]
        second = [{"model": row["model"], **dict(list(row.items())[last:])} for row in rows]
        return first, second

    def all_notes(self) -> tuple[str, ...]:
        """All notes: those of single models, and those of the whole bench."""
        return (*(f"{model.model}: {note}" for model in self.models for note in model.notes), *self.notes)

    def __str__(self) -> str:
        first, second = self.halves()
        return "\n".join(
            [self.words, "", text_table(first), "", text_table(second), "", self.interval_words, *self.all_notes()]
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoldTable(Result):
    """One measure of every model on every split."""

    measure: str
    folds: tuple[str, ...]
    values: Mapping[str, Sequence[float]]  # by model
    means: Mapping[str, SplitMean]

    def rows(self) -> Rows:
        """One row per split."""
        return [
            {"split": fold, **{model: values[at] for model, values in self.values.items()}}
            for at, fold in enumerate(self.folds)
        ]

    def __str__(self) -> str:
        means = [{"model": model, **one.rows()[0]} for model, one in self.means.items()]
        return f"{self.measure} of every split\n\n{text_table(self.rows())}\n\n{text_table(means)}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExperimentRow:
    """One detector under every balance, and what each balance changes."""

    detector: str
    areas: Mapping[str, Mapping[str, float]]  # quantity -> balance -> value
    changes: Mapping[str, Mapping[str, Difference | None]]  # quantity -> balance -> balance minus none


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BalanceExperiments(Result):
    """The classes as they are, and with fewer negatives to train on; the test folds are the same and untouched."""

    balances: tuple[str, ...]
    detectors: tuple[ExperimentRow, ...]
    level: float
    words: str

    def rows(self) -> Rows:
        """One row per detector and quantity."""
        percent = f"{100 * self.level:g}%"
        out = []
        for detector in self.detectors:
            for quantity, values in detector.areas.items():
                row: dict[str, Any] = {"detector": detector.detector, "quantity": quantity, **values}
                for balance, change in detector.changes[quantity].items():
                    reason = Undefined("one of both is not complete")
                    row[f"{balance} - none"] = reason if change is None else change.difference
                    row[f"{percent} low ({balance})"] = reason if change is None else change.interval.low
                    row[f"{percent} high ({balance})"] = reason if change is None else change.interval.high
                    row[f"p ({balance})"] = reason if change is None else change.p_value
                out.append(row)
        return out

    def __str__(self) -> str:
        parts = [self.words]
        for quantity in dict.fromkeys(row["quantity"] for row in self.rows()):
            rows = [
                {name: value for name, value in row.items() if name != "quantity"}
                for row in self.rows()
                if row["quantity"] == quantity
            ]
            parts += ["", quantity, text_table(rows)]
        parts += ["", "differences take the fitted models as given; p-values are not adjusted"]
        return "\n".join(parts)
