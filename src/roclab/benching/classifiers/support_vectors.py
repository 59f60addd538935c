"""A support vector machine whose scores have probabilities: Platt's sigmoid of scores of left-out cases."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import log_expit

from roclab._core.types import Bools, Floats, Ints
from roclab.benching.classifiers.shared import PosteriorClassifier
from roclab.data.tally import Tally
from roclab.models.recalibration import Platt, fit_recalibration

__all__ = ["SupportVectors"]

_FOLDS = 5


class SupportVectors(PosteriorClassifier):
    r"""The widest margin between a class and the rest, in the space of a Gaussian kernel (Cortes and Vapnik 1995).

    The score of a class is Platt's log odds :math:`a + b f(x)` of the machine's decision f. They are fitted to
    decisions about cases that were left out, in five parts (or as many as the smaller class has cases): decisions about
    the cases that made a machine lie too far apart. Between O(n²) and O(n³), six times.

    Parameters
    ----------
    penalty : float
        What a case on the wrong side of the margin costs; larger ones narrow the margin.

    References
    ----------
    Cortes C, Vapnik V. Support-vector networks. Machine Learning 1995;20:273-297.
    Platt J. Probabilistic outputs for support vector machines. In: Advances in Large Margin Classifiers, 1999.
    """

    def __init__(self, penalty: float = 1.0) -> None:
        self.penalty = penalty

    def _learn(self, x: Floats, code: Ints, counts: Ints) -> None:
        positive = [1] if counts.size == 2 else range(counts.size)
        self.machines_: list[tuple[Any, Platt]] = [self._machine(x, code == one) for one in positive]

    def _machine(self, x: Floats, label: Bools) -> tuple[Any, Platt]:
        parts = min(_FOLDS, int(label.sum()), int((~label).sum()))
        if parts < 2:
            machine = self._fitted(x, label)
            return machine, _sigmoid(machine.decision_function(x), label)
        part = np.empty(label.size, dtype=np.intp)
        for one in (label, ~label):  # every part has its share of both classes
            part[one] = np.arange(int(one.sum())) % parts
        decided = np.empty(label.size)
        for left in range(parts):
            out = part == left
            decided[out] = self._fitted(x[~out], label[~out]).decision_function(x[out])
        return self._fitted(x, label), _sigmoid(decided, label)

    def _fitted(self, x: Floats, label: Bools) -> Any:
        from sklearn.svm import SVC

        return SVC(C=self.penalty).fit(x, label)

    def _class_scores(self, x: Floats) -> Floats:
        odds = np.column_stack([
            sigmoid.intercept + sigmoid.slope * machine.decision_function(x) for machine, sigmoid in self.machines_
        ])  # fmt: skip
        if self.classes_.size == 2:
            return np.column_stack([np.zeros(len(x)), odds[:, 0]])
        return np.asarray(log_expit(odds))


def _sigmoid(decided: Floats, label: Bools) -> Platt:
    """Platt's sigmoid; a slope that is not positive would turn the machine round, so that it is left as it is."""
    found = fit_recalibration(Tally.from_labels(label, decided), "platt")
    assert isinstance(found, Platt)
    return found if found.slope > 0 else Platt(intercept=0.0, slope=1.0)
