"""Chains c₁ ∨ c₂ ∨ …: several careful classifiers, each adding positives the others miss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_fraction
from roclab._core.types import Bools
from roclab.combining.boolean import Combination, measure_calls
from roclab.decisions.hull_table import hull_table
from roclab.errors import InputError, Words
from roclab.names import CHAIN_ORDERS, ChainOrder
from roclab.results import Result

__all__ = ["Chain", "ChainStep", "chain_under_cap"]


def _preference(
    hits: int, alarms: int, name: str, place: int | None, slope: float | None, balance: float
) -> tuple[float, float, str]:
    """What joins next, the smallest first: by place on the hull, by cost saved, or by true per false positive."""
    if place is not None:
        return (float(place), 0.0, name)
    if slope is not None:  # TPR gained less the slope times the FPR paid, in positives
        return (-(hits - slope * balance * alarms), -hits, name)
    # True positives per false positive; more true positives break ties, then the name.
    return (-hits / (alarms + 0.5), -hits, name)


def _hull_order(label: Bools, calls: Mapping[str, Bools]) -> dict[str, int]:
    """Places of the classifiers on the convex hull of their points, from the lowest false positive rate up."""
    points = {name: (float(np.mean(called[~label])), float(np.mean(called[label]))) for name, called in calls.items()}
    table = hull_table({name: [point] for name, point in points.items()})
    on_hull = sorted((row.max_slope, row.classifier) for row in table.ranges if row.classifier in points)
    return {name: at for at, (_, name) in enumerate(reversed(on_hull))}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainStep:
    """A classifier as it joins the chain: its own calls, and what they add to those before it."""

    name: str
    added_fpr: float
    added_tpr: float
    fpr: float
    tpr: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain(Result):
    """An OR-chain of classifiers that stays under a false positive rate."""

    steps: tuple[ChainStep, ...]
    left_out: tuple[str, ...]
    max_fpr: float
    combination: Combination | None  # none for a chain of one

    def rows(self) -> list[dict[str, Any]]:
        """One row per classifier in the chain."""
        return [
            {
                "classifier": step.name,
                "added fpr": step.added_fpr,
                "added tpr": step.added_tpr,
                "fpr": step.fpr,
                "tpr": step.tpr,
            }
            for step in self.steps
        ]


def chain_under_cap(
    label: Bools,
    calls: Mapping[str, Bools],
    *,
    max_fpr: float = 1.0,
    order: ChainOrder = "gain",
    slope: float | None = None,
) -> Chain:
    """Build a chain greedily on data: always the classifier that adds most true per false positive, under the cap.

    With ``order="hull"`` classifiers join in the order of the convex hull of their points, from the most careful on, as
    texts on chains suggest; "cost" adds whatever lowers the expected cost most, ``slope`` being that of the lines of
    equal cost, and stops when nothing lowers it.

    Measured on the same cases on which it is chosen the chain looks better than it is; choose on one part of the data
    and measure on another. O(k² n) for k classifiers.

    >>> label = np.array([True, True, True, False, False, False])
    >>> calls = {"a": np.array([1, 0, 0, 0, 0, 0], bool), "b": np.array([0, 1, 0, 1, 0, 0], bool)}
    >>> [step.name for step in chain_under_cap(label, calls, max_fpr=0.1).steps]
    ['a']
    """
    check_fraction(max_fpr, "max_fpr", way_out="give the largest false positive rate you accept, e.g. 0.05")
    if len(calls) < 2:
        raise InputError(
            "", "a chain needs at least two classifiers to choose from", Words(f"{len(calls)}"), "name another one"
        )
    n_pos, n_neg = int(label.sum()), int((~label).sum())
    if n_pos == 0 or n_neg == 0:
        raise InputError("", "a chain is measured on both classes", Words(f"{n_pos} positives and {n_neg} negatives"))
    check_choice(order, "order", CHAIN_ORDERS)
    if (order == "cost") != (slope is not None):
        raise InputError("order", "'cost' needs a slope of equal cost, and the others none", order)
    rank = _hull_order(label, calls) if order == "hull" else {}
    united = np.zeros(label.size, np.bool_)
    remaining = dict(calls)
    steps: list[ChainStep] = []
    while remaining:
        best = None
        for name, called in remaining.items():
            new = called & ~united
            hits, alarms = int((new & label).sum()), int((new & ~label).sum())
            if hits == 0 or (int((united & ~label).sum()) + alarms) / n_neg > max_fpr:
                continue
            if order == "hull" and name not in rank:
                continue
            if slope is not None and hits / n_pos <= slope * alarms / n_neg:
                continue
            key = _preference(hits, alarms, name, rank.get(name), slope, n_pos / n_neg)
            if best is None or key < best[0]:
                best = (key, name, hits, alarms)
        if best is None:
            break
        _, name, hits, alarms = best
        united |= remaining.pop(name)
        steps.append(
            ChainStep(
                name=name,
                added_fpr=alarms / n_neg,
                added_tpr=hits / n_pos,
                fpr=int((united & ~label).sum()) / n_neg,
                tpr=int((united & label).sum()) / n_pos,
            )
        )
    chosen = {step.name: calls[step.name] for step in steps}
    return Chain(
        steps=tuple(steps),
        left_out=tuple(remaining),
        max_fpr=max_fpr,
        combination=measure_calls(label, chosen, operation="or") if len(chosen) > 1 else None,
    )
