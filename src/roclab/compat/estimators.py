"""Combinations of classifiers as scikit-learn estimators: boolean, chained, interpolated, and along the hull.

Each takes a list of ``(name, classifier)`` pairs, fits clones of them, and chooses its rule on cases that the clones
have not seen: choosing a combination on the data it was trained on makes it look better than it is. By default ``fit``
sets a stratified part of its data aside for the choice (``selection=0.3``). ``selection="training"`` uses the same
cases for both and warns.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from roclab._core.checks import check_fraction, check_positive
from roclab._core.types import Array, Bools, Floats
from roclab.combining.boolean import Combination, measure_calls
from roclab.combining.chain import Chain, chain_under_cap
from roclab.combining.hybrid import Hybrid, HybridPoint, hybrid_of_curves
from roclab.combining.interpolate import CoinFlip, interpolate
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix, confusion_of_calls
from roclab.errors import InputError, MissingExtraError, RoclabWarning, Words

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="roclab.compat.estimators") from error

__all__ = ["BooleanClassifier", "ChainClassifier", "HullClassifier", "InterpolatedClassifier"]


def positive_scores(classifier: Any, x: Array) -> Floats:
    """Scores of a fitted binary classifier: its decision function, or its probability of the second class."""
    if hasattr(classifier, "decision_function"):
        return np.asarray(classifier.decision_function(x), dtype=np.float64)
    return np.asarray(classifier.predict_proba(x)[:, 1], dtype=np.float64)


class _Combined(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What all combinations share: fit the parts, set cases aside, choose a rule on them, call by it.

    ``predict`` is deterministic, so that a case is called the same whatever cases come with it. A rule that flips coins
    has its probabilities in ``predict_proba``, and ``flip(X, rng)`` flips them.
    """

    estimators: Any
    selection: Any
    random_state: Any

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Any, y: Any) -> _Combined:
        """Fit clones of the classifiers and choose the rule on cases set aside."""
        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if self.classes_.size > 2:
            # The first sentence is what scikit-learn's own checks look for.
            raise ValueError(
                "Only binary classification is supported. "
                f"y must hold two classes, got {self.classes_.size}; keep two of them."
            )
        if self.classes_.size < 2:
            raise ValueError("y must hold two classes, got one class only; add cases of the other class.")
        label = np.asarray(y == self.classes_[1])
        train, aside = self._parts(label)
        self.estimators_ = {name: clone(one).fit(X[train], y[train]) for name, one in self._named()}
        self.selection_indices_ = aside
        self._choose(label[aside], X[aside])
        self.selection_matrix_: ConfusionMatrix = confusion_of_calls(label[aside], self._probability(X[aside]) > 0.5)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Chance with which each class is called: 0 or 1, or in between where the rule flips coins."""
        check_is_fitted(self)
        positive = self._probability(validate_data(self, X, reset=False))
        return np.column_stack([1 - positive, positive])

    def predict(self, X: Any) -> Array:
        """The class that is called more often."""
        chance = self.predict_proba(X)[:, 1]
        called: Array = self.classes_[(chance > 0.5).astype(int)]
        return called

    def flip(self, X: Any, rng: Any = None) -> Array:
        """Calls with the coins flipped, which meet the chosen rates exactly on average."""
        chance = self.predict_proba(X)[:, 1]
        called: Array = self.classes_[(np.random.default_rng(rng).random(chance.size) < chance).astype(int)]
        return called

    def _named(self) -> list[tuple[str, Any]]:
        pairs = self.estimators
        if pairs is None:
            pairs = [("logistic", LogisticRegression()), ("bayes", GaussianNB())]
        names = [name for name, _ in pairs]
        if len(set(names)) != len(names) or len(names) < 2:
            raise InputError(
                "estimators", "must be at least two (name, classifier) pairs with distinct names", Words(names)
            )
        return list(pairs)

    def _parts(self, label: Bools) -> tuple[Array, Array]:
        """Rows to fit on and rows to choose on; both classes are in both."""
        everyone = np.arange(label.size)
        if isinstance(self.selection, str):
            if self.selection != "training":
                raise InputError("selection", "must be a share or 'training'", self.selection, "0.3 is usual")
            warnings.warn(
                "the rule is chosen on the cases the classifiers were fitted on, so it will look better than it is; "
                "set cases aside with selection=0.3.",
                RoclabWarning,
                stacklevel=3,
            )
            return everyone, everyone
        share = check_fraction(self.selection, "selection", open_ends=True, way_out="0.3 sets 30% of the cases aside")
        random = check_random_state(self.random_state)
        aside = []
        for side in (label, ~label):
            rows = random.permutation(np.flatnonzero(side))
            if rows.size < 2:
                raise ValueError("each class needs one case to fit on and one to choose on, got 1 sample of a class.")
            aside.append(rows[: min(max(1, round(share * rows.size)), rows.size - 1)])
        chosen = np.sort(np.concatenate(aside))
        return np.setdiff1d(everyone, chosen), chosen

    def _scores(self, X: Array) -> dict[str, Floats]:
        return {name: positive_scores(one, X) for name, one in self.estimators_.items()}

    def _calls(self, X: Array) -> dict[str, Bools]:
        return {name: np.asarray(one.predict(X) == self.classes_[1]) for name, one in self.estimators_.items()}

    def _choose(self, label: Bools, X: Array) -> None:
        """Choose the rule from cases set aside and keep it."""
        raise NotImplementedError  # pragma: no cover - every combination has its own

    def _probability(self, X: Array) -> Floats:
        """Chance with which the rule calls each case positive."""
        raise NotImplementedError  # pragma: no cover - every combination has its own


class BooleanClassifier(_Combined):
    """Positive when all (``operation="and"``) or any (``"or"``) of the classifiers say so.

    Attributes
    ----------
    combination_ : Combination
        Points of the parts, bounds, the point under independence and the measured one, on the cases set aside.
    """

    def __init__(
        self, estimators: Any = None, *, operation: str = "or", selection: Any = 0.3, random_state: Any = None
    ) -> None:
        self.estimators = estimators
        self.operation = operation
        self.selection = selection
        self.random_state = random_state

    def _choose(self, label: Bools, X: Array) -> None:
        operation: Any = self.operation
        self.combination_: Combination = measure_calls(label, self._calls(X), operation=operation)

    def _probability(self, X: Array) -> Floats:
        calls = np.vstack(list(self._calls(X).values()))
        united = calls.all(axis=0) if self.operation == "and" else calls.any(axis=0)
        return np.asarray(united, dtype=np.float64)


class ChainClassifier(_Combined):
    """The OR-chain of the classifiers that add most true per false positive, under a false positive rate.

    Attributes
    ----------
    chain_ : Chain
        Its steps, and the classifiers left out.
    """

    def __init__(
        self, estimators: Any = None, *, max_fpr: float = 0.2, selection: Any = 0.3, random_state: Any = None
    ) -> None:
        self.estimators = estimators
        self.max_fpr = max_fpr
        self.selection = selection
        self.random_state = random_state

    def _choose(self, label: Bools, X: Array) -> None:
        self.chain_: Chain = chain_under_cap(label, self._calls(X), max_fpr=self.max_fpr)

    def _probability(self, X: Array) -> Floats:
        calls = self._calls(X)
        united = np.zeros(len(X), np.bool_)
        for step in self.chain_.steps:
            united |= calls[step.name]
        return united.astype(np.float64)


class InterpolatedClassifier(_Combined):
    """Two classifiers and a coin: a false positive rate between theirs.

    Attributes
    ----------
    interpolation_ : CoinFlip
        Both points on the cases set aside, and the share of the second. When the wanted rate lies outside their two
        rates, the nearer of the two is used alone and a warning says so.
    """

    def __init__(
        self, estimators: Any = None, *, fpr: float = 0.1, selection: Any = 0.3, random_state: Any = None
    ) -> None:
        self.estimators = estimators
        self.fpr = fpr
        self.selection = selection
        self.random_state = random_state

    def _named(self) -> list[tuple[str, Any]]:
        pairs = super()._named()
        if len(pairs) != 2:
            raise InputError(
                "", "an interpolation lies between two classifiers", Words(f"{len(pairs)}"), "use HullClassifier"
            )
        return pairs

    def _choose(self, label: Bools, X: Array) -> None:
        points = []
        for called in self._calls(X).values():
            metrics = confusion_of_calls(label, called).metrics()
            points.append((metrics["fpr"], metrics["tpr"]))
        first, second = points
        low, high = sorted((first[0], second[0]))
        wanted = check_fraction(self.fpr, "fpr", way_out="give the false positive rate you want, e.g. 0.1")
        reached = min(max(wanted, low), high)
        if reached != wanted:
            warnings.warn(
                f"fpr={wanted:g} lies outside the two classifiers' rates, {low:g} and {high:g}; {reached:g} is used.",
                RoclabWarning,
                stacklevel=4,
            )
        if low == high:
            share = 0.0 if first[1] >= second[1] else 1.0
            tpr = max(first[1], second[1])
            self.interpolation_ = CoinFlip(first=first, second=second, share=share, fpr=reached, tpr=tpr)
        else:
            self.interpolation_ = interpolate(first, second, fpr=reached)

    def _probability(self, X: Array) -> Floats:
        first, second = self._calls(X).values()
        share = self.interpolation_.share
        return np.asarray((1 - share) * first + share * second, dtype=np.float64)


class HullClassifier(_Combined):
    """Along the convex hull of the classifiers' ROC curves: the best rule for the costs, or for a false positive rate.

    Parameters
    ----------
    prevalence : float, optional
        Share of positives where the classifier will be used; default that of the data.
    cost_fp, cost_fn : float
        Costs of a false positive and of a false negative.
    fpr : float, optional
        A false positive rate to meet instead of minimising the cost.

    Attributes
    ----------
    hybrid_ : Hybrid
        All hull vertices with the rule behind each.
    point_ : HybridPoint
        The chosen one.
    """

    def __init__(
        self,
        estimators: Any = None,
        *,
        prevalence: float | None = None,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        fpr: float | None = None,
        selection: Any = 0.3,
        random_state: Any = None,
    ) -> None:
        self.estimators = estimators
        self.prevalence = prevalence
        self.cost_fp = cost_fp
        self.cost_fn = cost_fn
        self.fpr = fpr
        self.selection = selection
        self.random_state = random_state

    def _choose(self, label: Bools, X: Array) -> None:
        curves = {name: roc_curve(Tally.from_labels(label, score)) for name, score in self._scores(X).items()}
        self.hybrid_: Hybrid = hybrid_of_curves(curves)
        if self.fpr is not None:
            self.point_: HybridPoint = self.hybrid_.at_fpr(self.fpr)
            return
        prevalence = float(label.mean()) if self.prevalence is None else self.prevalence
        check_fraction(prevalence, "prevalence", open_ends=True, way_out="write 0.1 for 10%")
        for name in ("cost_fp", "cost_fn"):
            check_positive(getattr(self, name), name, way_out="only the ratio of both costs matters")
        self.point_ = self.hybrid_.at_slope((1 - prevalence) * self.cost_fp / (prevalence * self.cost_fn))

    def _probability(self, X: Array) -> Floats:
        return self.point_.probability(self._scores(X))
