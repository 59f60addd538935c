"""Classifiers of regions, trained by scikit-learn and handed back as plain arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab._core.types import Array, Bools, Floats
from roclab.benching.balance import reduce_negatives
from roclab.errors import MissingExtraError, RoclabError
from roclab.names import BenchBalance

try:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
except ImportError as error:
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="training a lung CAD") from error

__all__ = ["balanced_rows", "line_of", "trees_of"]

_TREES, _LEAVES, _RATE, _FEWEST, _SHRINK = 150, 8, 0.06, 10, 1.0
_NEAR = 1e-9  # between the arrays and the library they came from


def balanced_rows(x: Array, positive: Bools, balance: BenchBalance, rng: np.random.Generator) -> Array:
    """Rows to train on: all, or with as many negatives as positives, in units of their standard deviations."""
    every = np.arange(len(x))
    if balance == "none" or (~positive).sum() <= positive.sum():
        return every
    spread = x.std(axis=0)
    scaled = (x - x.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    kept = reduce_negatives(scaled, np.flatnonzero(~positive), int(positive.sum()), balance, rng=rng)
    return np.sort(np.r_[np.flatnonzero(positive), kept])


def trees_of(x: Array, positive: Bools, *, seed: int) -> dict[str, Any]:
    """Gradient boosting of the log loss: nodes of all trees, as ``BoostedTrees`` takes them.

    The arrays are compared with the library's own log odds on the training cases, and refused where they differ: they
    are read from its inside, which another version may have changed.
    """
    made = HistGradientBoostingClassifier(
        max_iter=_TREES, max_leaf_nodes=_LEAVES, learning_rate=_RATE, min_samples_leaf=min(_FEWEST, len(x) // 4),
        l2_regularization=_SHRINK, early_stopping=False, random_state=seed,
    )  # fmt: skip
    made.fit(x, positive)
    parts: dict[str, list[Array]] = {name: [] for name in ("feature", "threshold", "left", "right", "value")}
    roots, start = [], 0
    for (tree,) in made._predictors:
        nodes = tree.nodes
        leaf = nodes["is_leaf"].astype(bool)
        parts["feature"].append(np.where(leaf, -1, nodes["feature_idx"]).astype(np.int64))
        parts["threshold"].append(np.where(leaf, 0.0, nodes["num_threshold"]))
        parts["left"].append(np.where(leaf, 0, nodes["left"].astype(np.int64) + start))
        parts["right"].append(np.where(leaf, 0, nodes["right"].astype(np.int64) + start))
        parts["value"].append(nodes["value"].astype(np.float64))
        roots.append(start)
        start += len(nodes)
    found = {name: np.concatenate(arrays) for name, arrays in parts.items()}
    return {
        **found, "root": np.array(roots, dtype=np.int64), "base": float(np.ravel(made._baseline_prediction)[0]),
        "expected": made.decision_function(x),
    }  # fmt: skip


def check_same(found: Floats, expected: Floats) -> None:
    """Refuse trees that answer other than the library that grew them."""
    if not np.allclose(found, expected, rtol=_NEAR, atol=_NEAR):
        raise RoclabError("the trees of this scikit-learn cannot be read as arrays; report its version")


def line_of(x: Array, positive: Bools) -> dict[str, Any]:
    """Logistic regression with a ridge penalty on scaled features: centre, scale, weights and offset."""
    centre, scale = x.mean(axis=0), x.std(axis=0)
    scale = np.where(scale > 1e-12, scale, 1.0)  # a feature that never changes says nothing
    made = LogisticRegression(C=1.0, max_iter=2000).fit((x - centre) / scale, positive)
    return {"centre": centre, "scale": scale, "weights": made.coef_[0].copy(), "offset": float(made.intercept_[0])}
