"""Several detectors as one: fixed rules on their scores, and a classifier trained on scores of cases left out."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from roclab._core.checks import check_choice, check_count
from roclab._core.types import Array, Floats, Ints
from roclab.benching.classifiers.binned_bayes import BinnedBayes
from roclab.benching.classifiers.logistic import LogisticRegression
from roclab.benching.classifiers.shared import ScoredClassifier, check_is_fitted, validate_data
from roclab.benching.scores import as_score
from roclab.errors import InputError, MissingExtraError, MissingValuesError, Words
from roclab.names import FIXED_RULES, FixedRule

try:
    from sklearn.base import clone
    from sklearn.model_selection import StratifiedKFold
except ImportError as error:  # pragma: no cover - the classifiers raise first
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="the bench of classifiers") from error

__all__ = ["SecondLevel", "combine_scores"]


def combine_scores(scores: Any, rule: FixedRule, *, threshold: Any = 0.5) -> Floats:
    r"""One score for each case from those of several detectors, by a fixed rule.

    Parameters
    ----------
    scores : array of shape (n, detectors)
        Scores of the positive class on one scale, posteriors for instance.
    rule : "mean", "product", "max", "min", "median" or "vote"
        ``"product"`` asks for posteriors and gives their geometric mean, which orders the cases as the product does and
        does not underflow. ``"vote"`` is the share of detectors whose score reaches ``threshold``; it has as many
        values as there are detectors, and one more.
    threshold : float or one for each detector
        For ``"vote"``.

    Examples
    --------
    >>> combine_scores([[0.2, 0.8], [0.5, 0.5]], "product").round(3).tolist()
    [0.4, 0.5]
    >>> combine_scores([[0.2, 0.8], [0.5, 0.6]], "vote").tolist()
    [0.5, 1.0]
    """
    check_choice(rule, "rule", FIXED_RULES)
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 1:
        raise InputError("scores", "must have a column for each detector", Words(f"shape {table.shape}"))
    if not np.isfinite(table).all():
        raise MissingValuesError("scores", "must be finite", Words("missing or infinite values"), "drop those cases")
    if rule == "product":
        if table.size and (table.min() < 0 or table.max() > 1):
            raise InputError(
                "scores",
                "must be posteriors between 0 and 1 for the product",
                Words(f"{table.min():g} to {table.max():g}"),
                "use another rule, or recalibrate the scores",
            )
        with np.errstate(divide="ignore"):
            return np.asarray(np.exp(np.log(table).mean(axis=1)))
    if rule == "vote":
        bounds = np.asarray(threshold, dtype=np.float64)
        if bounds.ndim > 1 or bounds.size not in (1, table.shape[1]):
            raise InputError(
                "threshold", "must be one number, or one for each detector", Words(f"{bounds.size} numbers")
            )
        return np.asarray((table >= bounds).mean(axis=1))
    if rule == "mean":
        return np.asarray(table.mean(axis=1))
    if rule == "median":
        return np.asarray(np.median(table, axis=1))
    return np.asarray(table.max(axis=1) if rule == "max" else table.min(axis=1))


class SecondLevel(ScoredClassifier):
    """A classifier on the scores of other classifiers, trained on scores of cases that those had not seen.

    scikit-learn's ``StackingClassifier`` does the same on probabilities, which round to 0 and 1; here every first-level
    classifier gives its unsaturated score, one column for two classes and one for each class otherwise.

    Parameters
    ----------
    estimators : list of (name, classifier)
        First level; logistic regression and naive Bayes by default.
    final : classifier, optional
        Second level; logistic regression by default.
    folds : int
        Stratified folds of the out-of-fold scores; no more than the smallest class has cases.
    random_state : int, optional
        For the folds.

    Attributes
    ----------
    estimators_ : dict of name to classifier, fitted on all cases
    final_ : classifier, fitted on the out-of-fold scores
    out_of_fold_ : array of shape (n, columns)

    Notes
    -----
    Every first-level classifier is fitted ``folds`` + 1 times. Where out-of-fold scores are at hand, ``fit_scores`` and
    ``decision_of_scores`` use those, and nothing is fitted twice.
    """

    def __init__(
        self, estimators: Any = None, final: Any = None, *, folds: int = 5, random_state: int | None = None
    ) -> None:
        self.estimators = estimators
        self.final = final
        self.folds = folds
        self.random_state = random_state

    def fit_scores(self, scores: Any, y: Any) -> Self:
        """Fit the second level alone, on out-of-fold scores (n, columns) of cases ``y``."""
        table = np.asarray(scores, dtype=np.float64)
        self.classes_: Array = np.unique(y)
        self.out_of_fold_: Floats = table
        self.final_ = clone(LogisticRegression() if self.final is None else self.final).fit(table, y)
        return self

    def decision_of_scores(self, scores: Any) -> Floats:
        """The second level's score of cases given by first-level scores; a column for each of three or more classes."""
        columns = [as_score(self.final_, scores, one) for one in self.classes_]
        return columns[1] if len(columns) == 2 else np.column_stack(columns)

    def decision_function(self, X: Any) -> Floats:
        """The second level's score."""
        check_is_fitted(self, "estimators_")
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return self.decision_of_scores(self._first_level(self.estimators_, X))

    def _learn(self, x: Floats, code: Ints, counts: Ints) -> None:
        check_count(self.folds, "folds", least=2, way_out="5 is usual")
        smallest = int(counts.min())
        if smallest < 2:
            raise InputError("y", "must have two cases of every class at least", Words("1 sample of a class"))
        named = self._named()
        splits = StratifiedKFold(min(self.folds, smallest), shuffle=True, random_state=self.random_state)
        y = self.classes_[code]
        width = len(named) * (1 if counts.size == 2 else counts.size)
        scores = np.empty((len(x), width))
        for train, test in splits.split(x, code):
            fitted = {name: clone(one).fit(x[train], y[train]) for name, one in named}
            scores[test] = self._first_level(fitted, x[test])
        self.estimators_: dict[str, Any] = {name: clone(one).fit(x, y) for name, one in named}
        self.fit_scores(scores, y)

    def _first_level(self, fitted: dict[str, Any], x: Floats) -> Floats:
        asked = self.classes_[1:] if self.classes_.size == 2 else self.classes_
        return np.column_stack([as_score(one, x, wanted) for one in fitted.values() for wanted in asked])

    def _named(self) -> list[tuple[str, Any]]:
        pairs = self.estimators
        if pairs is None:
            pairs = [("logistic", LogisticRegression()), ("bayes", BinnedBayes())]
        names = [name for name, _ in pairs]
        if not names or len(set(names)) != len(names):
            raise InputError("estimators", "must be (name, classifier) pairs with distinct names", Words(names))
        return list(pairs)
