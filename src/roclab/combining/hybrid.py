"""The hybrid classifier: along the convex hull of several classifiers, always the best of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.polyline import SAME, trapezoids, upper_hull
from roclab._core.types import Array, Bools, Floats, frozen
from roclab.curves.roc import RocCurve, rates
from roclab.errors import InputError, Words
from roclab.results import Result

__all__ = ["Hybrid", "HybridPoint", "Rule", "hybrid_of_curves"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Call a case positive when the named score reaches the threshold; an infinite one never or always does."""

    classifier: str
    threshold: float
    lower: bool = False  # positive means a low score

    def call(self, scores: Mapping[str, Array]) -> Bools:
        """Calls from the scores of all classifiers."""
        score = np.asarray(scores[self.classifier])
        reached: Bools = score <= self.threshold if self.lower else score >= self.threshold
        return reached


@dataclass(frozen=True, slots=True, kw_only=True)
class HybridPoint(Result):
    """A point of the hull: ask ``second`` with probability ``share``, else ``first``."""

    fpr: float
    tpr: float
    first: Rule
    second: Rule
    share: float

    def probability(self, scores: Mapping[str, Array]) -> Floats:
        """Chance with which each case is called positive."""
        return (1 - self.share) * self.first.call(scores) + self.share * self.second.call(scores)

    def call(self, scores: Mapping[str, Array], rng: Any = None) -> Bools:
        """Calls of the hybrid; ``rng`` flips the coins between the two rules."""
        flips = np.random.default_rng(rng).random(len(next(iter(scores.values())))) < self.share
        return np.where(flips, self.second.call(scores), self.first.call(scores)).astype(np.bool_)

    def rows(self) -> list[dict[str, Any]]:
        """One row per rule."""
        return [
            {
                "classifier": rule.classifier,
                "threshold": rule.threshold,
                "share": share,
                "fpr": self.fpr,
                "tpr": self.tpr,
            }
            for rule, share in ((self.first, 1 - self.share), (self.second, self.share))
            if share > 0
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hybrid(Result):
    """Hull vertices of several classifiers with the rule behind each."""

    fpr: Floats
    tpr: Floats
    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        frozen(self.fpr)
        frozen(self.tpr)

    @property
    def area(self) -> float:
        """Area under the hull."""
        return trapezoids(self.fpr, self.tpr)

    def at_fpr(self, fpr: float) -> HybridPoint:
        """The hybrid with a given false positive rate."""
        wanted = float(rates(fpr, "fpr")[0])
        left = min(int(np.searchsorted(self.fpr, wanted + SAME, side="right")) - 1, self.fpr.size - 1)
        right = min(left + 1, self.fpr.size - 1)
        run = float(self.fpr[right] - self.fpr[left])
        share = min(max((wanted - float(self.fpr[left])) / run, 0.0), 1.0) if run > 0 else 0.0
        return HybridPoint(
            fpr=wanted,
            tpr=float(self.tpr[left] + share * (self.tpr[right] - self.tpr[left])),
            first=self.rules[left],
            second=self.rules[right],
            share=share,
        )

    def at_slope(self, slope: float) -> HybridPoint:
        """The vertex with the lowest cost for a slope = (1 - prevalence) cost_fp / (prevalence cost_fn)."""
        if not slope >= 0:
            raise InputError("slope", "must be >= 0", slope, "it is the ratio of the costs of both errors")
        gain = self.tpr - slope * self.fpr if np.isfinite(slope) else -self.fpr + SAME * self.tpr
        at = int(np.flatnonzero(gain >= gain.max() - SAME)[0])
        rule = self.rules[at]
        return HybridPoint(fpr=float(self.fpr[at]), tpr=float(self.tpr[at]), first=rule, second=rule, share=0.0)

    def rows(self) -> list[dict[str, Any]]:
        """One row per hull vertex."""
        return [
            {"classifier": rule.classifier, "threshold": rule.threshold, "fpr": float(f), "tpr": float(t)}
            for rule, f, t in zip(self.rules, self.fpr, self.tpr, strict=True)
        ]


def hybrid_of_curves(curves: Mapping[str, RocCurve]) -> Hybrid:
    """The hybrid of several classifiers with thresholds, O(n log n) for n vertices in all.

    Where two classifiers share a hull vertex, the one whose name comes first is asked.
    """
    if len(curves) < 2:
        raise InputError("", "a hybrid needs at least two classifiers", Words(f"{len(curves)}"), "name another one")
    names = sorted(curves)
    for name in names:
        if curves[name].thresholds is None:
            raise InputError("", f"a hybrid needs thresholds to decide by, and {name!r} has none")
    fpr = np.concatenate([curves[name].fpr for name in names])
    tpr = np.concatenate([curves[name].tpr for name in names])
    threshold = np.concatenate([np.asarray(curves[name].thresholds) for name in names])
    owner = np.repeat(np.arange(len(names)), [len(curves[name]) for name in names])
    order = np.lexsort([owner, tpr, fpr])
    kept = order[upper_hull(fpr[order], tpr[order], tolerance=SAME)]
    rules = []
    for at in kept:
        curve = curves[names[owner[at]]]
        lower = curve.sample is not None and curve.sample.direction == "lower"
        rules.append(Rule(classifier=names[owner[at]], threshold=float(threshold[at]), lower=lower))
    return Hybrid(fpr=fpr[kept], tpr=tpr[kept], rules=tuple(rules))
