r"""How far predicted probabilities of several classes are from what happened: log loss and the Brier score.

With :math:`p_{ic}` the probability that case i has class c and :math:`y_{ic}` 1 for its class and 0 elsewhere,

.. math:: L = -\frac1n \sum_i \ln p_{i, y_i}, \qquad B = \frac1n \sum_i \sum_c (p_{ic} - y_{ic})^2,

the Brier score as Brier defined it, from 0 to 2; some programs print half of it. A probability of 0 for the class that
occurred counts as 2.2e-16, as in scikit-learn, so that one case does not make the mean infinite. Both are means over
cases and have the standard error of a mean; t on n - 1 degrees of freedom gives the interval.

References
----------
Brier GW. Verification of forecasts expressed in terms of probability. Mon Weather Rev 1950;78:1-3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Floats, Ints
from roclab._core.undefined import Undefined
from roclab.inference.one_area.intervals import deviate
from roclab.results import Interval

__all__ = ["NamedLoss", "class_losses", "losses_of_cases"]

_LEAST = float(np.finfo(np.float64).eps)  # a certain mistake costs -ln of this at most, as in scikit-learn
_GAP = 1e-6  # by which probabilities of a case may miss 1


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLoss:
    """A mean loss with its standard error and interval; 0 is perfect."""

    name: str
    value: float
    standard_error: float
    interval: Interval

    def row(self) -> dict[str, Any]:
        """One line of a table."""
        percent = f"{100 * self.interval.level:g}%"
        return {
            "loss": self.name,
            "value": self.value,
            "std. error": self.standard_error,
            f"{percent} low": self.interval.low,
            f"{percent} high": self.interval.high,
        }


def losses_of_cases(probability: Floats, actual: Ints) -> dict[str, Floats]:
    """Log loss and Brier score of every case, O(n k).

    >>> found = losses_of_cases(np.array([[0.5, 0.25, 0.25]]), np.array([0]))
    >>> {name: values.round(4).tolist() for name, values in found.items()}
    {'log loss': [0.6931], 'Brier': [0.375]}
    """
    given = probability[np.arange(actual.size), actual]
    truth = actual[:, None] == np.arange(probability.shape[1])
    return {
        "log loss": -np.log(np.clip(given, _LEAST, 1.0)),
        "Brier": np.sum((probability - truth) ** 2, axis=1),
    }


def class_losses(
    scores: Floats, actual: Ints, *, level: float = 0.95, weight: Floats | None = None
) -> dict[str, NamedLoss]:
    """Mean losses of probabilities, with intervals; undefined for scores that are none."""
    why = _no_probabilities(scores)
    if why is not None:
        blank = Interval(low=why, high=why, level=level, method="none")
        return {
            name: NamedLoss(name=name, value=why, standard_error=why, interval=blank) for name in ("log loss", "Brier")
        }
    return {name: _mean(name, one, weight, level) for name, one in losses_of_cases(scores, actual).items()}


def _no_probabilities(scores: Floats) -> Undefined | None:
    if scores.min() < 0 or scores.max() > 1:
        return Undefined("the scores are no probabilities, which lie between 0 and 1")
    if float(np.max(np.abs(scores.sum(axis=1) - 1))) > _GAP:
        return Undefined("the scores of a case do not sum to 1")
    return None


def _mean(name: str, values: Floats, weight: Floats | None, level: float) -> NamedLoss:
    w = np.ones(values.size) if weight is None else weight
    total = float(w.sum())
    mean = float(np.sum(w * values)) / total
    effective = total**2 / float(np.sum(w * w))
    if effective <= 1:
        error: float = Undefined("there is one case only")
        return NamedLoss(name=name, value=mean, standard_error=error,
                         interval=Interval(low=error, high=error, level=level, method="none"))  # fmt: skip
    spread = float(np.sum((w * (values - mean)) ** 2)) / total**2 * effective / (effective - 1)
    error = math.sqrt(spread)
    reach = deviate(level, df=effective - 1) * error
    interval = Interval(low=max(mean - reach, 0.0), high=mean + reach, level=level, method="mean of cases, t")
    return NamedLoss(name=name, value=mean, standard_error=error, interval=interval)
