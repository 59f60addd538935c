"""The Italian tables of classifiers, trained and tested again: repeated random half splits of the same data.

A printed area is one draw from the distribution that other splits give, so it is judged by where it lies in that
distribution: the mean and the standard deviation between our splits. The classifiers of a table share their split, so
that their deviations go together.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from roclab._core.types import Floats, Ints
from roclab.errors import FileError, MissingExtraError, Words
from roclab.studies.catalogue.shared import printed_table
from roclab.studies.verdicts import MONTE_CARLO, NOT_GIVEN, UNEXPLAINED, PrintedComparison

__all__ = ["bench_not_given", "compare_bench", "half_split_areas"]

SOURCE = "italian"
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
FILES = {"phoneme": "phoneme.csv", "pima": "pima.csv"}
_PLACES = {  # table and quantity of the printed value
    ("phoneme", "AUC"): ("3.3", "auc_wilcoxon"),
    ("pima", "AUC"): ("3.4", "auc_wilcoxon"),
    ("phoneme", "tAUC"): ("3.5", "tauc_phoneme"),
    ("pima", "tAUC"): ("3.5", "tauc_pima"),
}


def bench_not_given(data_sets: tuple[str, ...] = tuple(FILES)) -> list[PrintedComparison]:
    """The tables as they stand, where the data are not given."""
    out = []
    for (data, quantity), (table, column) in _PLACES.items():
        values = list(_printed(table, column).values())
        if data in data_sets:
            out.append(
                PrintedComparison(
                    source=SOURCE,
                    where=f"table {table}",
                    quantity=f"{quantity} of 9 classifiers, {data} data",
                    printed=f"{len(values)} values from {min(values):.4f} to {max(values):.4f}",
                    reference="",
                    ours="",
                    difference=None,
                    verdict=NOT_GIVEN,
                    reason=f"give a folder with {FILES[data]} (and install scikit-learn) to train and test them again",
                )
            )
    return out


def compare_bench(
    folder: Path,
    *,
    splits: int = SPLITS,
    rng: int = 1,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> list[PrintedComparison]:
    """Train and test the nine classifiers with the settings of the tables."""
    try:
        import roclab.benching.run  # noqa: F401 - only to know whether scikit-learn is there
    except MissingExtraError:
        return bench_not_given()
    out = []
    for data, file in FILES.items():
        if not (folder / file).exists():
            out += bench_not_given((data,))
            continue
        features, label = _read(folder / file)
        found = half_split_areas(features, label, splits=splits, rng=rng, workers=workers, progress=progress)
        for quantity in ("AUC", "tAUC"):
            table, column = _PLACES[data, quantity]
            for title, printed in _printed(table, column).items():
                out.append(_judged(data, quantity, table, title, printed, found[NAMES[title]][quantity]))
    return out


def half_split_areas(
    features: Floats,
    label: Ints,
    *,
    splits: int,
    rng: int = 1,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    models: tuple[str, ...] = tuple(NAMES.values()),
) -> dict[str, dict[str, Floats]]:
    """AUC and tAUC of every classifier, as the tables set it, on every random half."""
    from roclab.benching.detectors import detectors_of
    from roclab.benching.measures import measures_of
    from roclab.benching.run import Task, run_bench
    from roclab.benching.sampling import design_of
    from roclab.benching.table import feature_table

    columns = {f"x{at + 1}": features[:, at] for at in range(features.shape[1])}
    task = Task(table=feature_table(columns), codes=label, classes=("0", "1"), positive=1)
    design = design_of(label, task.classes, sampling="splits", repeats=splits, test_share=0.5, rng=rng)
    detectors = detectors_of(models, "published")
    run = run_bench(task, detectors, design, ["none"], rng=rng, workers=workers, progress=progress)
    out: dict[str, dict[str, Floats]] = {}
    for (_, name), pieces in run.pieces.items():
        rows = [measures_of(task, piece, split.test) for piece, split in zip(pieces, design, strict=True)]
        out[name] = {quantity: np.array([row[quantity] for row in rows]) for quantity in ("AUC", "tAUC")}
    return out


def _printed(table: str, column: str) -> dict[str, float]:
    return {
        row["classifier"]: float(row["value"])
        for row in printed_table("classifier_bench.csv")
        if row["table"] == table and row["quantity"] == column
    }


def _read(path: Path) -> tuple[Floats, Ints]:
    """Features, and the class in the last column."""
    with path.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))[1:]
    try:
        values = np.array(rows, dtype=np.float64)
    except ValueError:
        raise FileError("data", "must hold numbers with the class last", Words(path.name)) from None
    return values[:, :-1], values[:, -1].astype(np.int64)


def _judged(data: str, quantity: str, table: str, title: str, printed: float, ours: Floats) -> PrintedComparison:
    mean, spread = float(ours.mean()), float(ours.std(ddof=1))
    off = (printed - mean) / spread if spread else math.copysign(math.inf, printed - mean)
    where = f"the printed split lies {off:+.1f} of them off"
    reason = f"mean of {ours.size} half splits, standard deviation {spread:.4f}; {where}"
    verdict = MONTE_CARLO if abs(off) <= FARTHEST else UNEXPLAINED
    return PrintedComparison(
        source=SOURCE,
        where=f"table {table}",
        quantity=f"{quantity} of {title}, {data} data",
        printed=f"{printed:.4f}",
        reference="",
        ours=f"{mean:.4f}",
        difference=round(mean - printed, 12),
        verdict=verdict,
        reason=reason,
    )
