"""Boosted trees that use one processor: the bench trains several models at once, each on one."""

from __future__ import annotations

from typing import Any, Self

from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from roclab._core.types import Floats

__all__ = ["BoostedTrees"]


class BoostedTrees(HistGradientBoostingClassifier):  # type: ignore[misc]
    """scikit-learn's gradient boosting over histograms, without threads of its own.

    Threads of every fit beside the bench's own are more than there are processors, and then wait for each other.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **more: Any) -> Self:
        """Learn from cases, on one processor."""
        with threadpool_limits(1, user_api="openmp"):
            super().fit(X, y, sample_weight, **more)
        return self

    def decision_function(self, X: Any) -> Floats:
        """Log odds, on one processor."""
        with threadpool_limits(1, user_api="openmp"):
            found: Floats = super().decision_function(X)
        return found
