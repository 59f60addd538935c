"""Probabilities from any score: Platt's sigmoid and the isotonic staircase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import expit

from roclab._core.types import Floats
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.names import RecalibrationMethod

__all__ = ["Isotonic", "Platt", "RecalibrationFit", "fit_recalibration"]


class RecalibrationFit(Protocol):
    """What every way of recalibration offers."""

    def probabilities(self, scores: Floats) -> Floats:
        """Probabilities of scores for which higher means positive."""
        ...

    def rows(self) -> list[dict[str, float]]:
        """What was fitted."""
        ...


@dataclass(frozen=True, slots=True)
class Platt:
    """A sigmoid of the score, :math:`1 / (1 + e^{-(a + b s)})`."""

    intercept: float
    slope: float

    def probabilities(self, scores: Floats) -> Floats:
        """The sigmoid."""
        return np.asarray(expit(self.intercept + self.slope * scores))

    def rows(self) -> list[dict[str, float]]:
        """Intercept and slope."""
        return [{"intercept": self.intercept, "slope": self.slope}]


@dataclass(frozen=True, slots=True, eq=False)
class Isotonic:
    """A staircase that never falls: steps at scores, straight between the last score of a step and the next one."""

    scores: Floats
    values: Floats

    def probabilities(self, scores: Floats) -> Floats:
        """The staircase, level beyond both ends."""
        return np.asarray(np.interp(scores, self.scores, self.values))

    def rows(self) -> list[dict[str, float]]:
        """One row per corner."""
        pairs = zip(self.scores.tolist(), self.values.tolist(), strict=True)
        return [{"score": score, "probability": value} for score, value in pairs]


def fit_recalibration(tally: Tally, method: RecalibrationMethod) -> RecalibrationFit:
    r"""Platt's sigmoid [1]_ or the isotonic regression [2]_ of the outcome on the score; O(n) after the tally's sort.

    Platt's targets are :math:`(P + 1)/(P + 2)` and :math:`1/(N + 2)` instead of 1 and 0, so that the sigmoid exists
    for separated classes too. The isotonic values are those of pool adjacent violators: the highest likelihood of all
    curves that never fall.

    References
    ----------
    .. [1] Platt J. Probabilistic outputs for support vector machines. In: Advances in Large Margin Classifiers. MIT
       Press 2000:61-74.
    .. [2] Zadrozny B, Elkan C. Transforming classifier scores into accurate multiclass probability estimates. KDD
       2002:694-699. doi:10.1145/775047.775151
    """
    largest = float(np.max(np.abs(tally.score[[0, -1]])))
    if not largest <= 1e150:
        raise InputError("score", "must be finite to be recalibrated, and have a square", Words(f"{largest:g}"))
    x, pos, neg = tally.score[::-1], tally.pos[::-1].astype(np.float64), tally.neg[::-1].astype(np.float64)
    return _isotonic(x, pos, pos + neg) if method == "isotonic" else _platt(x, pos, neg)


def _platt(x: Floats, pos: Floats, neg: Floats) -> Platt:
    centre, unit = float(x.mean()), float(x.std()) or 1.0
    u = (x - centre) / unit
    high, low = (pos.sum() + 1) / (pos.sum() + 2), 1 / (neg.sum() + 2)
    hits, cases = pos * high + neg * low, pos + neg
    design = np.column_stack([np.ones(u.size), u])
    beta = np.array([np.log(hits.sum() / (cases.sum() - hits.sum())), 0.0])
    for _ in range(100):
        chance = expit(design @ beta)
        information = design.T @ (design * (cases * chance * (1 - chance))[:, None]) + 1e-12 * np.eye(2)
        step = np.clip(np.linalg.solve(information, design.T @ (hits - cases * chance)), -4, 4)
        beta = beta + step
        if np.max(np.abs(step)) < 1e-12 * (1 + np.max(np.abs(beta))):
            break
    return Platt(float(beta[0] - beta[1] * centre / unit), float(beta[1] / unit))


def _isotonic(x: Floats, pos: Floats, cases: Floats) -> Isotonic:
    """Pool adjacent violators: blocks of scores with their sums, joined while a mean is not above the one before."""
    first: list[int] = []
    hits: list[float] = []
    sizes: list[float] = []
    for at, (hit, size) in enumerate(zip(pos.tolist(), cases.tolist(), strict=True)):
        first.append(at)
        hits.append(hit)
        sizes.append(size)
        while len(hits) > 1 and hits[-2] * sizes[-1] >= hits[-1] * sizes[-2]:
            hit, size = hits.pop(), sizes.pop()
            first.pop()
            hits[-1] += hit
            sizes[-1] += size
    means = np.array(hits) / np.array(sizes)
    last = np.append(np.array(first[1:], dtype=np.int64) - 1, x.size - 1)
    corners = np.unique(np.concatenate([np.array(first, dtype=np.int64), last]))
    block = np.searchsorted(np.array(first), corners, side="right") - 1
    return Isotonic(x[corners], means[block])
