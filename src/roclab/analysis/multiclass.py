"""More than two classes, from the user's side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roclab.inference.comparison.contrasts import Difference
from roclab.inference.one_area.bootstrap import Resampling
from roclab.many_classes.averages import compare_models, multiclass_areas
from roclab.many_classes.probabilities import class_scores
from roclab.many_classes.result import MulticlassAreas
from roclab.names import Alternative

__all__ = ["compare_multiclass", "multiclass"]


def multiclass(
    y_true: Any,
    scores: Any,
    *,
    labels: Sequence[Any] | None = None,
    level: float = 0.95,
    resampling: Resampling | None = None,
    rng: Any = None,
) -> MulticlassAreas:
    """Areas of a multi-class score: every class against the rest, every pair of classes, and their averages.

    Parameters
    ----------
    y_true : sequence
        Class of every case.
    scores : table
        One row per case, one column per class: probabilities, or scores that are comparable between classes. Columns
        of a data frame or mapping are matched with the classes by name.
    labels : sequence, optional
        Classes in the order of the columns; default sorted, as scikit-learn's ``classes_``, for columns without names.
    resampling : Resampling, optional
        Bootstrap intervals of the averages instead of closed-form ones.

    Examples
    --------
    >>> import roclab as rl
    >>> p = [[0.8, 0.1, 0.1], [0.3, 0.4, 0.3], [0.1, 0.6, 0.3], [0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.2, 0.5, 0.3]]
    >>> result = rl.multiclass(["a", "a", "b", "b", "c", "c"], p)
    >>> round(result.averages["hand_till"].area, 4), round(result.classes["a"].area, 4)
    (0.8333, 0.875)
    """
    return multiclass_areas(class_scores(y_true, scores, labels=labels), level=level, resampling=resampling, rng=rng)


def compare_multiclass(
    y_true: Any,
    first: Any,
    second: Any,
    *,
    labels: Sequence[Any] | None = None,
    average: str = "macro",
    names: tuple[str, str] = ("first", "second"),
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resampling: Resampling | None = None,
    rng: Any = None,
) -> Difference:
    """Compare two multi-class models on the same cases by one of their averages."""
    return compare_models(
        class_scores(y_true, first, labels=labels),
        class_scores(y_true, second, labels=labels),
        names=names,
        average=average,
        level=level,
        alternative=alternative,
        resampling=resampling,
        rng=rng,
    )
