"""The Italian tables of classifiers, trained and tested again: repeated random half splits of the same data.

A printed area is one draw from the distribution that other splits give, so it is judged by where it lies in that
distribution: the mean and the standard deviation between our splits. The classifiers of a table share their split, so
that their deviations go together.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from roclab._core.types import Floats, Ints
from roclab.areas.empirical import auc
from roclab.areas.tauc import tauc
from roclab.averaging.vertical import vertical_average
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.errors import FileError, MissingExtraError, Words
from roclab.studies.catalogue.of_tables import printed_bench
from roclab.studies.origins import public_file
from roclab.studies.verdicts import HALF_SPLITS, NOT_GIVEN, UNEXPLAINED, NotGiven, ReproductionRow

__all__ = ["HalfSplits", "compare_bench", "half_splits"]

SPLITS = 20
FARTHEST = 2.5  # standard deviations of the split distribution
NAMES = {
    "Logistic": "logistic",
    "Nearest Mean": "nearest_mean",
    "LDC": "ldc",
    "QDC": "qdc",
    "Parzen": "parzen",
    "RBF": "rbf",
    "Fisher": "fisher",
    "Naive Bayes": "naive_bayes",
    "K-NN": "knn",
}
_PRINTED = {  # of each data set: table, column, what it is called, and which of our areas it is held against
    "phoneme": (
        ("3.3", "auc_wilcoxon", "AUC by Wilcoxon", "AUC"),
        ("3.3", "auc_trapezoid", "AUC by trapezoids", "AUC"),
        ("3.5", "tauc_phoneme", "tAUC", "tAUC"),
    ),
    "pima": (
        ("3.4", "auc_wilcoxon", "AUC by Wilcoxon", "AUC"),
        ("3.4", "auc_trapezoid", "AUC by trapezoids", "AUC"),
        ("3.5", "tauc_pima", "tAUC", "tAUC"),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HalfSplits:
    """What one classifier did on all random halves."""

    auc: Floats  # a value for every split
    tauc: Floats
    fpr: Floats  # the vertical average of the curves of all splits
    tpr: Floats

    def areas(self, quantity: str) -> Floats:
        """AUC or tAUC of every split."""
        return self.tauc if quantity == "tAUC" else self.auc


def compare_bench(
    folder: Path | None,
    *,
    splits: int = SPLITS,
    rng: int = 1,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[ReproductionRow], dict[str, dict[str, HalfSplits]]]:
    """Train and test the nine classifiers with the settings of the tables; curves are by data set and classifier."""
    rows: list[ReproductionRow] = []
    curves: dict[str, dict[str, HalfSplits]] = {}
    for data, columns in _PRINTED.items():
        found, reason = None, ""
        try:
            features, label = _read(public_file(f"{data}.csv", folder))
            found = half_splits(features, label, splits=splits, rng=rng, workers=workers, progress=progress)
            curves[data] = {title: found[name] for title, name in NAMES.items()}
        except (NotGiven, MissingExtraError) as missing:
            reason = str(missing)
        for table, column, words, quantity in columns:
            for title, row in printed_bench(table).items():
                ours = None if found is None else found[NAMES[title]].areas(quantity)
                rows.append(_judged(f"table {table}", f"{words} of {title}, {data} data", row[column], ours, reason))
    return rows, curves


def half_splits(
    features: Floats,
    label: Ints,
    *,
    splits: int,
    rng: int = 1,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    models: tuple[str, ...] = tuple(NAMES.values()),
) -> dict[str, HalfSplits]:
    """Areas and mean curve of every classifier, as the tables set it, over random halves."""
    from roclab.benching.detectors import detectors_of
    from roclab.benching.run import Task, run_bench
    from roclab.benching.sampling import design_of
    from roclab.benching.table import feature_table

    columns = {f"x{at + 1}": features[:, at] for at in range(features.shape[1])}
    task = Task(table=feature_table(columns), codes=label, classes=("0", "1"), positive=1)
    design = design_of(label, task.classes, sampling="splits", repeats=splits, test_share=0.5, rng=rng)
    run = run_bench(task, detectors_of(models, "published"), design, ["none"], rng=rng, workers=workers,
                    progress=progress)  # fmt: skip
    out = {}
    for (_, name), pieces in run.pieces.items():
        tallies = [
            Tally.from_labels(label[split.test] == 1, piece.score) for piece, split in zip(pieces, design, strict=True)
        ]
        curves = [roc_curve(tally) for tally in tallies]
        mean = vertical_average(curves, names=[str(at + 1) for at in range(splits)], points=100)
        out[name] = HalfSplits(
            auc=np.array([auc(tally) for tally in tallies]),
            tauc=np.array([tauc(curve) for curve in curves]),
            fpr=np.concatenate([[0.0], mean.fpr]),
            tpr=np.concatenate([[0.0], mean.tpr]),
        )
    return out


def _read(path: Path) -> tuple[Floats, Ints]:
    """Features, and the class in the last column."""
    with path.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))[1:]
    try:
        values = np.array(rows, dtype=np.float64)
    except ValueError:
        raise FileError("data", "must hold numbers with the class last", Words(path.name)) from None
    if not np.isin(values[:, -1], (0, 1)).all():
        raise FileError("data", "must have classes 0 and 1 in the last column", Words(path.name), "recode them")
    return values[:, :-1], values[:, -1].astype(np.int64)


def _judged(where: str, quantity: str, printed: float, ours: Floats | None, reason: str) -> ReproductionRow:
    difference, verdict, shown = None, NOT_GIVEN, ""
    if ours is not None:
        mean, spread = float(ours.mean()), float(ours.std(ddof=1))
        off = (printed - mean) / spread if spread else math.copysign(math.inf, printed - mean)
        verdict = HALF_SPLITS if abs(off) <= FARTHEST else UNEXPLAINED
        difference, shown = round(mean - printed, 12), f"{mean:.4f}"
        reason = (
            f"mean of {ours.size} half splits, standard deviation {spread:.4f}; the printed split lies {off:+.1f} of "
            "them off"
        )
        if "trapezoid" in quantity:
            reason += "; ours is Wilcoxon's area, which trapezoids through every vertex give"
    return ReproductionRow(
        source="italian", kind="text", where=where, quantity=quantity, compared_with=f"{printed:.4f}", ours=shown,
        difference=difference, verdict=verdict, reason=reason,
    )  # fmt: skip
