"""The n x n confusion matrix and its metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.plain import plain
from roclab._core.text import text_table
from roclab._core.types import Counts, Floats, frozen
from roclab._core.undefined import Undefined
from roclab.data.classes import check_class_count
from roclab.data.columns import label_column, weight_column
from roclab.data.labels import word_of
from roclab.decisions.confusion import ConfusionMatrix
from roclab.errors import InputError, Words, named
from roclab.results import Result

__all__ = ["MulticlassConfusion", "confusion_of_classes"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MulticlassConfusion(Result):
    """Counts of cases, or their weight, by called class (rows) and actual class (columns)."""

    classes: tuple[str, ...]
    counts: Counts
    dropped: int = 0  # cases left out because a value was missing

    def __post_init__(self) -> None:
        frozen(self.counts)

    @property
    def total(self) -> float:
        """All cases, or their weight."""
        total: float = self.counts.sum().item()
        return total

    def one_vs_rest(self, name: str) -> ConfusionMatrix:
        """The 2 x 2 matrix of one class against all others."""
        if name not in self.classes:
            raise InputError("class", f"must be one of {', '.join(self.classes)}", name)
        at = self.classes.index(name)
        here, elsewhere = np.arange(len(self.classes)) == at, np.arange(len(self.classes)) != at
        cells = [self.counts[np.ix_(called, actual)].sum().item()
                 for called in (here, elsewhere) for actual in (here, elsewhere)]  # fmt: skip
        tp, fp, fn, tn = cells
        return ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)

    def metrics(self) -> dict[str, float]:
        r"""Metrics of the whole matrix: accuracy, majority rate, kappas, MCC, averages of precision, recall and F1.

        Weighted kappas, of three classes and more, are for classes in an order, that of ``classes``: with distances
        :math:`d_{ij} = |i - j|` (linear) or :math:`(i - j)^2` (quadratic), shares :math:`p_{ij}` of called and actual
        classes and :math:`e_{ij}` those by chance, :math:`\kappa_w = 1 - \sum d p / \sum d e` (Cohen 1968).
        """
        called, actual = self.counts.sum(axis=1).astype(float), self.counts.sum(axis=0).astype(float)
        total, hit = float(self.total), float(np.trace(self.counts))
        if total == 0:
            return dict.fromkeys(("accuracy", "majority_rate", "kappa", "mcc"), Undefined("there are no cases"))
        expected = float(np.sum(called * actual)) / total
        spread = np.sqrt(total**2 - np.sum(called**2)) * np.sqrt(total**2 - np.sum(actual**2))
        chance = Undefined("agreement by chance is already complete")
        flat = Undefined("all cases have, or were called, one class")
        out: dict[str, float] = {
            "accuracy": hit / total,
            "majority_rate": float(actual.max()) / total,
            "kappa": (hit - expected) / (total - expected) if total > expected else chance,
            **self._weighted_kappas(),
            "mcc": float((hit * total - np.sum(called * actual)) / spread) if spread > 0 else flat,
        }
        single = [self.one_vs_rest(name).metrics() for name in self.classes]
        share = actual / total
        for metric, title in (("ppv", "precision"), ("tpr", "recall"), ("f1", "f1")):
            values = np.array([one[metric] for one in single])
            reason = Undefined(f"{title} of a class is undefined")
            broken = bool(np.isnan(values).any())
            out[f"macro_{title}"] = reason if broken else float(values.mean())
            out[f"weighted_{title}"] = reason if broken else float(np.sum(share * values))
        return out

    def _weighted_kappas(self) -> dict[str, float]:
        size = len(self.classes)
        if size < 3:  # with two classes both are kappa itself
            return {}
        apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(float)
        by_chance = np.outer(self.counts.sum(axis=1), self.counts.sum(axis=0)) / float(self.counts.sum())
        out: dict[str, float] = {}
        for name, distance in (("kappa_linear", apart), ("kappa_quadratic", apart**2)):
            expected = float(np.sum(distance * by_chance))
            seen = float(np.sum(distance * self.counts))
            out[name] = 1 - seen / expected if expected > 0 else Undefined("agreement by chance is already complete")
        return out

    def to_dict(self) -> dict[str, Any]:
        """Counts and metrics."""
        out: dict[str, Any] = plain({"classes": self.classes, "counts": self.counts, "metrics": self.metrics()})
        return out

    def rows(self) -> list[dict[str, Any]]:
        """One row per called class, one column per actual class."""
        return [
            {"called": name, **{f"actual {other}": n for other, n in zip(self.classes, row, strict=True)}}
            for name, row in zip(self.classes, self.counts.tolist(), strict=True)
        ]

    def __str__(self) -> str:
        keys = ("tpr", "tnr", "ppv", "npv", "f1")
        single = [
            {"class": name, **{key: self.one_vs_rest(name).metrics()[key] for key in keys}} for name in self.classes
        ]
        whole = text_table([{"metric": name, "value": value} for name, value in self.metrics().items()])
        left_out = [f"{self.dropped} dropped for missing values"] if self.dropped else []
        return "\n\n".join([text_table(self.rows()), text_table(single), whole, *left_out])


def confusion_of_classes(
    y_true: Any, y_pred: Any, *, labels: Sequence[Any] | None = None, sample_weight: Any = None
) -> MulticlassConfusion:
    """Count calls against the truth; ``labels`` fixes the order and may name classes that do not occur.

    Cases of a ``sample_weight`` count by it.

    >>> matrix = confusion_of_classes(["a", "b", "b", "c"], ["a", "b", "c", "c"])
    >>> matrix.counts.tolist(), matrix.metrics()["accuracy"]
    ([[1, 0, 0], [0, 1, 0], [0, 1, 1]], 0.75)
    """
    words = []
    for values, name in ((y_true, "y_true"), (y_pred, "y_pred")):
        column = label_column(values, name)
        if column.missing is not None:
            raise InputError(
                name, "must not be missing", Words(f"{int(column.missing.sum())} gaps"), "drop those cases first"
            )
        words.append([word_of(value) for value in column.values.tolist()])
    actual, called = words
    if len(actual) != len(called):
        raise InputError("y_pred", "must have one call per label", Words(f"{len(called)} for {len(actual)}"))
    if not actual:
        raise InputError("y_true", "must hold at least one case", Words("none"))
    held = {*actual, *called}
    check_class_count(len(held), "y_true")
    names = sorted(held) if labels is None else [word_of(v) for v in labels]
    strange = held.difference(names)
    if strange:
        unknown = next(word for word in (*actual, *called) if word in strange)
        raise InputError(
            "labels", "must name every class", Words(f"none for {unknown!r}"), f"add it to {named('labels')}"
        )
    at = {name: place for place, name in enumerate(names)}
    cell = np.array([at[c] * len(names) + at[a] for a, c in zip(actual, called, strict=True)])
    weight = None if sample_weight is None else _weights(sample_weight, cell.size)
    counts = np.bincount(cell, weights=weight, minlength=len(names) ** 2).reshape(len(names), len(names))
    return MulticlassConfusion(classes=tuple(names), counts=counts)


def _weights(given: Any, cases: int) -> Floats:
    column = weight_column(given, "sample_weight")
    if column.missing is not None:
        raise InputError("sample_weight", "must not be missing", Words(f"{int(column.missing.sum())} gaps"),
                         "drop those cases first")  # fmt: skip
    if column.values.size != cases:
        raise InputError("sample_weight", "must have one weight per case", Words(f"{column.values.size} for {cases}"))
    return np.asarray(column.values, dtype=np.float64)
