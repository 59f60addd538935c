"""One continuous score of the positive class from any fitted classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import logsumexp

from roclab._core.checks import plural
from roclab._core.types import Array, Floats
from roclab.errors import InputError, Words

__all__ = ["as_score", "few_values"]

_FEW = 20  # distinct values below which a curve has visible corners


def as_score(estimator: Any, x: Any, positive_class: Any) -> Floats:
    r"""The score of a class against the rest: higher means more of that class, and no score is rounded into a tie.

    Two classes: ``decision_function`` as it is, or its negative for the first class. Otherwise, and for more classes
    first, the log odds :math:`\log P_k - \log \sum_{m \ne k} P_m` of ``predict_log_proba``, a rising function of
    :math:`P_k` and hence of P(Y) - P(N). Where a logarithm is that of a probability rounded to 0, they are of no use:
    then the column of ``decision_function`` minus the largest other one, or :math:`P_k` of ``predict_proba``.

    Parameters
    ----------
    estimator : fitted classifier
        Anything with ``classes_`` and one of the three methods: scikit-learn's, a pipeline, or an object of one's own.
    x : cases, as the estimator takes them
    positive_class : label
        One of ``estimator.classes_``.

    Returns
    -------
    array of shape (n,), finite
    """
    at, count = _place(estimator, positive_class)
    decides = hasattr(estimator, "decision_function")
    if not decides and not hasattr(estimator, "predict_proba"):
        raise InputError(
            "estimator",
            "must have decision_function or predict_proba",
            Words(type(estimator).__name__),
            "without a score there is no curve; wrap it into scikit-learn's CalibratedClassifierCV",
        )
    if hasattr(estimator, "predict_log_proba") and (count > 2 or not decides):
        with np.errstate(divide="ignore"):  # log 0 of rounded probabilities
            log_odds = _log_odds(np.asarray(estimator.predict_log_proba(x), dtype=np.float64), at, count)
        if np.isfinite(log_odds).all():
            return log_odds
    if decides:
        return _finite(_of_decision(np.asarray(estimator.decision_function(x), dtype=np.float64), at, count))
    return _finite(_column(np.asarray(estimator.predict_proba(x), dtype=np.float64), at, count))


def few_values(score: Any) -> str | None:
    """A remark when a score has so few distinct values that its curve is a handful of straight lines, else None.

    Few means below 20, in data that have more cases than that.

    >>> few_values([0.0, 0.5, 1.0] * 10)
    'The score has 3 distinct values only, so its curve has few corners and many cases are tied.'
    >>> few_values(range(30))
    """
    values: Array = np.asarray(score)
    distinct = np.unique(values).size
    if distinct >= _FEW or values.size <= _FEW or 2 * distinct > values.size:
        return None
    distinct_values = plural(distinct, "distinct value")
    return f"The score has {distinct_values} only, so its curve has few corners and many cases are tied."


def _place(estimator: Any, positive_class: Any) -> tuple[int, int]:
    """Column of the class, and the number of classes."""
    if not hasattr(estimator, "classes_"):
        raise InputError(
            "estimator", "must be fitted and have classes_", Words(type(estimator).__name__), "call its fit first"
        )
    classes = list(estimator.classes_)
    found = [at for at, one in enumerate(classes) if one == positive_class]
    if not found:
        known = ", ".join(repr(getattr(label, "item", lambda value=label: value)()) for label in classes)
        raise InputError("positive_class", f"must be one of the classes of the estimator: {known}", positive_class)
    return found[0], len(classes)


def _of_decision(decision: Floats, at: int, count: int) -> Floats:
    if decision.ndim == 2 and decision.shape[1] == 1:
        decision = decision[:, 0]
    if decision.ndim == 1:
        if count != 2:
            raise InputError(
                "estimator", f"must give a column for each of {count} classes", Words("one column"), "use predict_proba"
            )
        return decision if at == 1 else -decision
    table = _checked(decision, count)
    others = np.delete(table, at, axis=1)
    return np.asarray(table[:, at] - others.max(axis=1))


def _log_odds(log_probability: Floats, at: int, count: int) -> Floats:
    table = _checked(log_probability, count)
    return np.asarray(table[:, at] - logsumexp(np.delete(table, at, axis=1), axis=1))


def _column(probability: Floats, at: int, count: int) -> Floats:
    if probability.ndim == 1 and count == 2:
        return probability if at == 1 else 1 - probability
    return np.asarray(_checked(probability, count)[:, at])


def _checked(table: Floats, count: int) -> Floats:
    if table.ndim != 2 or table.shape[1] != count:
        raise InputError("estimator", f"must give a column for each of {count} classes", Words(f"shape {table.shape}"))
    return table


def _finite(score: Floats) -> Floats:
    if not np.isfinite(score).all():
        bad = int(np.sum(~np.isfinite(score)))
        raise InputError(
            "estimator",
            "must give finite scores",
            Words(f"{plural(bad, 'score')} missing or infinite"),
            "look at the cases it was fitted on",
        )
    return score
