"""A ROC curve between two score distributions: S1(S0^-1(f)), whatever the distributions are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from roclab._core.types import Floats
from roclab.curves.roc import rates
from roclab.errors import InputError
from roclab.smooth.model import ClassDensities, SmoothFit, SmoothPoint, check_slope, user_sign

__all__ = ["Negated", "ScoreDistribution", "TwoClassFit"]

TINY = 1e-300
_TAIL, _POINTS = 1e-4, 400  # how far and how finely densities are drawn


class ScoreDistribution(Protocol):
    """The score of one class; all functions take and return arrays."""

    @property
    def has_density(self) -> bool:
        """False for a class whose scores are points without spread."""
        ...

    def cdf(self, t: Floats) -> Floats:
        """Chance of a score of at most t."""
        ...

    def sf(self, t: Floats) -> Floats:
        """Chance of a score above t, accurate when small."""
        ...

    def log_pdf(self, t: Floats) -> Floats:
        """Logarithm of the density."""
        ...

    def ppf(self, q: Floats) -> Floats:
        """The score not exceeded with chance q."""
        ...

    def isf(self, q: Floats) -> Floats:
        """The score exceeded with chance q."""
        ...

    def grid(self) -> Floats:
        """Some hundred thresholds that follow the distribution, for a search."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Negated:
    """The distribution of minus a score."""

    of: ScoreDistribution

    @property
    def has_density(self) -> bool:
        """As the original."""
        return self.of.has_density

    def cdf(self, t: Floats) -> Floats:
        """Chance of at most t."""
        return self.of.sf(-t)

    def sf(self, t: Floats) -> Floats:
        """Chance of more than t."""
        return self.of.cdf(-t)

    def log_pdf(self, t: Floats) -> Floats:
        """Logarithm of the density."""
        return self.of.log_pdf(-t)

    def ppf(self, q: Floats) -> Floats:
        """Quantile from below."""
        return -self.of.isf(q)

    def isf(self, q: Floats) -> Floats:
        """Quantile from above."""
        return -self.of.ppf(q)

    def grid(self) -> Floats:
        """Thresholds for a search."""
        return -self.of.grid()[::-1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoClassFit(SmoothFit):
    """A fit made of the distributions of both classes, on a scale where higher means positive."""

    _pos: ScoreDistribution
    _neg: ScoreDistribution

    def tpr(self, fpr: Any) -> Floats:
        """True positive rate at each false positive rate; the upper value at an upright step."""
        f = rates(fpr, "fpr")
        with np.errstate(over="ignore"):
            height = self._pos.sf(threshold_at(self._neg, f, 1 - f))
        return np.where(f == 1, 1.0, np.clip(height, 0.0, 1.0))

    def slope(self, fpr: Any) -> Floats:
        """Slope at each false positive rate, the ratio of the densities; at 0 and 1 the value next to the end."""
        f = rates(fpr, "fpr")
        self._need_densities("slope")
        t = threshold_at(self._neg, np.maximum(f, TINY), np.maximum(1 - f, TINY))
        with np.errstate(over="ignore", invalid="ignore"):
            return np.exp(self._pos.log_pdf(t) - self._neg.log_pdf(t))

    def optimal_point(self, slope: float) -> SmoothPoint:
        """The point where tpr - slope * fpr is largest: by a search over thresholds, then bisection."""
        check_slope(slope)
        self._need_densities("optimal point")
        t = best_threshold(self._pos, self._neg, slope)
        at = np.array([t])
        fpr, tpr = (float(t < 0), float(t < 0)) if math.isinf(t) else (self._neg.sf(at)[0], self._pos.sf(at)[0])
        return SmoothPoint(
            fpr=float(fpr),
            tpr=float(tpr),
            slope=slope,
            threshold=self._in_user_units(t),
        )

    def densities(self) -> ClassDensities:
        """The fitted densities of both classes over 400 points, in the user's units where the model has a scale.

        >>> from roclab.data.tally import Tally
        >>> from roclab.smooth.normal import fit_normal
        >>> found = fit_normal(Tally.from_samples(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0]))).densities()
        >>> round(float(found.pos.max()), 3)
        0.399
        """
        self._need_densities("density")
        sides = (self._neg, self._pos)
        low = min(float(side.ppf(np.array([_TAIL]))[0]) for side in sides)
        high = max(float(side.isf(np.array([_TAIL]))[0]) for side in sides)
        t = np.linspace(low, high, _POINTS)
        with np.errstate(over="ignore", under="ignore"):
            neg, pos = (np.exp(side.log_pdf(t)) for side in sides)
        x, stretch = self._on_score_axis(t)
        order = np.argsort(x)
        order = order[np.isfinite(x[order]) & np.isfinite(stretch[order])]
        return ClassDensities(x=x[order], neg=(neg * stretch)[order], pos=(pos * stretch)[order], scale=self._scale)

    @property
    def _scale(self) -> Literal["score", "latent"]:
        return "score"

    def _on_score_axis(self, t: Floats) -> tuple[Floats, Floats]:
        """The user's scores that stand for these, and by how much a density there is higher: dt / dx."""
        return (1.0 if self.sample is None else user_sign(self.sample)) * t, np.ones(t.shape)

    def _in_user_units(self, t: float) -> float:
        return t if self.sample is None else user_sign(self.sample) * t

    def _need_densities(self, what: str) -> None:
        for side, name in ((self._pos, "positives"), (self._neg, "negatives")):
            if not side.has_density:
                raise InputError(
                    "",
                    (
                        f"the {what} of the {self.method} curve needs a density in each class, and the {name} "
                        "have no spread to smooth"
                    ),
                    way_out="use the empirical curve",
                )


def threshold_at(neg: ScoreDistribution, f: Floats, specificity: Floats) -> Floats:
    """Thresholds of false positive rates, from whichever tail is nearer."""
    upper = f <= 0.5
    out = np.empty(f.shape)
    out[upper] = neg.isf(f[upper])
    out[~upper] = neg.ppf(specificity[~upper])
    return out


def best_threshold(pos: ScoreDistribution, neg: ScoreDistribution, slope: float) -> float:
    """The threshold where S1 - slope S0 is largest; ±inf where calling nothing or everything positive is best."""
    grid = np.unique(np.concatenate([pos.grid(), neg.grid()]))

    def gain(t: Floats) -> Floats:
        out: Floats = pos.sf(t) - slope * neg.sf(t)
        return out

    gains = np.concatenate([[1 - slope], gain(grid), [0.0]])
    best = int(np.argmax(gains))
    low = float(grid[max(best - 2, 0)])
    high = float(grid[min(best, grid.size - 1)])
    level = math.log(slope)
    for _ in range(100):  # the likelihood ratio rises through the slope at a maximum
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        t = np.array([middle])
        with np.errstate(invalid="ignore"):
            below = pos.log_pdf(t)[0] - neg.log_pdf(t)[0] < level
        low, high = (middle, high) if below else (low, middle)
    chosen = low + (high - low) / 2
    if gain(np.array([chosen]))[0] < gains[best] and 0 < best < gains.size - 1:
        chosen = float(grid[best - 1])
    # Against both ends in the tail of each, where rounding does not hide which is better.
    t = np.array([chosen])
    beats_all = slope * neg.cdf(t)[0] > pos.cdf(t)[0]
    beats_none = pos.sf(t)[0] > slope * neg.sf(t)[0]
    if beats_all and beats_none:
        return chosen
    return -math.inf if slope < 1 else math.inf
