"""The drop-in functions of ``roclab.compat.sklearn`` beside their originals, in one process."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import sklearn.metrics as theirs

import roclab.compat.sklearn as ours
from measure import best_of_each

CURVES = ("roc_curve", "precision_recall_curve", "det_curve")
SCORES = ("roc_auc_score", "average_precision_score")

Call = tuple[str, str, tuple[Any, ...], dict[str, Any]]  # function, kind of input, arguments, options


def calls(n: int) -> list[Call]:
    """What is timed: normal scores, half of the cases positive."""
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, n)
    score = rng.normal(size=n) + label
    weight = {"sample_weight": rng.uniform(0.5, 2, n)}
    rated = np.round(score, 1)
    rounded = np.round(1 / (1 + np.exp(-score)), 4)  # as most probabilities are printed
    fpr, tpr, _ = ours.roc_curve(label, score, drop_intermediate=False)
    listed: list[Call] = []
    for name in CURVES + SCORES:
        listed.append((name, "int labels", (label, score), {}))
        listed.append((name, "bool labels", (label.astype(bool), score), {}))
        listed.append((name, "tied scores", (label, rated), {}))
        listed.append((name, "4 decimals", (label, rounded), {}))
        listed.append((name, "weights", (label, score), weight))
        listed.append((name, "4 decimals, weights", (label, rounded), weight))
    listed.append(("auc", "float64", (fpr, tpr), {}))
    return listed + _several_classes(rng, n // 10)


def _several_classes(rng: np.random.Generator, n: int) -> list[Call]:
    chances = rng.dirichlet(np.ones(4), n)
    label = rng.integers(0, 4, n)
    several = rng.integers(0, 2, (n, 4))
    return [
        ("roc_auc_score", "4 classes ovr, n/10", (label, chances), {"multi_class": "ovr"}),
        ("roc_auc_score", "4 classes ovo, n/10", (label, chances), {"multi_class": "ovo"}),
        ("roc_auc_score", "4 labels, n/10", (several, chances), {}),
        ("average_precision_score", "4 labels, n/10", (several, chances), {}),
    ]


def rows(sizes: tuple[int, ...] = (10_000, 1_000_000)) -> list[dict[str, Any]]:
    """One row per function, input and size: seconds of both, and how many times faster ours is."""
    table = []
    for n in sizes:
        for name, kind, args, options in calls(n):
            original, drop_in = best_of_each(
                [partial(getattr(library, name), *args, **options) for library in (theirs, ours)]
            )
            table.append(
                {
                    "function": name,
                    "input": kind,
                    "n": n,
                    "original": original,
                    "ours": drop_in,
                    "ratio": original / drop_in,
                }
            )
    return table


def main() -> None:
    print(f"{'function':24} {'input':20} {'n':>9} {'sklearn ms':>11} {'roclab ms':>10} {'ratio':>6}")
    for row in rows():
        print(
            f"{row['function']:24} {row['input']:20} {row['n']:9,} "
            f"{row['original'] * 1e3:11.3f} {row['ours'] * 1e3:10.3f} {row['ratio']:6.1f}"
        )


if __name__ == "__main__":
    main()
