"""Areas of several classes or labels, and their averages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from roclab._core.text import format_number, text_table
from roclab._core.undefined import Undefined
from roclab.many_classes.losses import NamedLoss
from roclab.results import Interval
from roclab.results.pictured import Pictured

__all__ = ["AVERAGES", "MulticlassAreas", "NamedArea"]

_MOST_PAIRS = 12  # areas of pairs that are printed: those of four classes
AVERAGES = ("macro", "weighted", "micro", "hand_till", "pairs_weighted")
_TITLES = {
    "macro": "mean of the class areas",
    "weighted": "class areas weighted by prevalence (Provost and Domingos)",
    "micro": "one area over all classes together",
    "hand_till": "Hand and Till's M, mean over all pairs of classes",
    "pairs_weighted": "pairs of classes weighted by their prevalence",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedArea:
    """An area with its standard error and interval."""

    name: str
    area: float
    standard_error: float
    interval: Interval

    def row(self) -> dict[str, Any]:
        """One line of a table."""
        percent = f"{100 * self.interval.level:g}%"
        return {
            "name": self.name,
            "area": self.area,
            "std. error": self.standard_error,
            f"{percent} low": self.interval.low,
            f"{percent} high": self.interval.high,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MulticlassAreas(Pictured):
    """Class-reference areas, pairwise areas and their averages."""

    classes: dict[str, NamedArea]
    pairs: dict[str, NamedArea]  # "i|j": column of class i, cases of classes i and j
    averages: dict[str, NamedArea]
    counts: dict[str, int]
    level: float
    method: str
    dropped: int = 0  # cases left out because a value was missing
    columns: dict[str, str] = field(default_factory=dict)  # which column scored which class, where names differ
    volume: NamedArea | None = None  # under the ROC surface: one score, three classes whose order was said
    losses: dict[str, NamedLoss] = field(
        default_factory=dict
    )  # of the probabilities, where there is a column per class
    weighted: bool = False  # whether cases have importance weights
    notes: tuple[str, ...] = ()
    # The scores, whose curves a figure shows.
    _source: Any = field(default=None, repr=False, compare=False, metadata={"not_in_json": True})

    def rows(self) -> list[dict[str, Any]]:
        """One row per class, pair and average, and the volume under the ROC surface."""
        out: list[dict[str, Any]] = []
        for kind, group in (("class", self.classes), ("pair", self.pairs), ("average", self.averages)):
            out += [{"kind": kind, **one.row()} for one in group.values()]
        return out if self.volume is None else [*out, {"kind": "volume", **self.volume.row()}]

    def loss_rows(self) -> list[dict[str, Any]]:
        """One row for the log loss and one for the Brier score."""
        return [loss.row() for loss in self.losses.values()]

    def __str__(self) -> str:
        cases = ", ".join(f"{count} {name}" for name, count in self.counts.items())
        words = [f"{name}: {_TITLES[name]}" for name in self.averages]
        if self.volume is not None:
            words.append("volume: under the ROC surface, the chance of three cases in this order; 1/6 by chance")
        if self.columns:
            words.append("columns: " + ", ".join(f"{score} scores {name}" for name, score in self.columns.items()))
        reasons = [loss.value.reason for loss in self.losses.values() if isinstance(loss.value, Undefined)]
        words += [f"log loss and Brier score are undefined: {reasons[0]}"] if reasons else []
        if self.weighted:
            words.append("cases have importance weights; counts are those of cases")
        if self.dropped:
            words.append(f"{self.dropped} dropped for missing values")
        losses = [text_table(self.loss_rows()), ""] if self.losses and not reasons else []
        rows, hidden = self.rows(), ""
        if len(self.pairs) > _MOST_PAIRS:
            rows = [row for row in rows if row["kind"] != "pair"]
            hidden = f"{len(self.pairs)} areas of pairs are not shown; CSV, JSON and data frames have all of them."
        table = [text_table(rows), *([hidden] if hidden else []), ""]
        head = [*self._headline(), *table, *losses, f"cases: {cases}; intervals: {self.method}"]
        return "\n".join([*head, *words, *self.notes])

    def _headline(self) -> list[str]:
        """The answer first: the mean over classes, and the class that is told worst."""
        macro = self.averages.get("macro")
        if macro is None or len(self.classes) < 2:
            return []
        worst = min(self.classes.values(), key=lambda one: one.area)
        sentences = (
            f"mean AUC of {len(self.classes)} classes {format_number(macro.area)}, {100 * self.level:g}% interval "
            f"{macro.interval}; {worst.name} is told worst ({format_number(worst.area)})"
        )
        return [sentences, ""]
