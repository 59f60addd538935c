"""Bounds that a cut-off must keep, and clear words when none can."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from roclab._core.polyline import SAME
from roclab._core.types import Bools, Floats
from roclab.decisions.coordinates import Coordinates
from roclab.decisions.metrics import METRICS, Metric, metric_named
from roclab.errors import InputError, Words, named

__all__ = ["Requirement", "default_criterion", "meets", "requirements"]

# The rate that a bound leaves open: a lower threshold costs what a bound on positive calls protects, and the reverse.
_OTHER = {"tpr": "tnr", "fnr": "tnr", "npv": "tnr", "lr_minus": "tnr"}
_OTHER |= {"tnr": "tpr", "fpr": "tpr", "ppv": "tpr", "lr_plus": "tpr"}


@dataclass(frozen=True, slots=True)
class Requirement:
    """A metric that must reach, or must not exceed, a bound."""

    metric: Metric
    bound: float
    title: str  # the metric's name as the user wrote it

    @property
    def at_least(self) -> bool:
        """True for a lower bound: higher values of the metric are better."""
        return self.metric.better == "higher"

    def __str__(self) -> str:
        return f"{self.title} {'>=' if self.at_least else '<='} {self.bound:g}"

    def met(self, values: Floats) -> Bools:
        """Which values keep the bound; undefined ones do not."""
        with np.errstate(invalid="ignore"):
            return values >= self.bound - SAME if self.at_least else values <= self.bound + SAME

    def closest(self, values: Floats) -> int:
        """Position of the value nearest to the bound."""
        order = np.where(np.isnan(values), -np.inf, values if self.at_least else -values)
        return int(np.argmax(order))


def requirements(require: Mapping[str, float]) -> list[Requirement]:
    """Check and name the bounds: lower ones for metrics where higher is better, upper ones for the others.

    >>> [str(one) for one in requirements({"sensitivity": 0.9, "lr_minus": 0.1})]
    ['sensitivity >= 0.9', 'lr_minus <= 0.1']
    """
    if not isinstance(require, Mapping) or not require:
        raise InputError(
            "require", "must map metrics to bounds", require, f'write {named("require")}{{"sensitivity": 0.9}}'
        )
    out = []
    for name, bound in require.items():
        metric = metric_named(name)
        if metric.better is None:
            raise InputError(
                "require",
                "must name metrics that judge",
                Words(f"{name!r}, which only describes"),
                f"use one of {', '.join(repr(row.name) for row in METRICS.values() if row.better is not None)}",
            )
        if isinstance(bound, bool | str) or not hasattr(bound, "__float__") or math.isnan(float(bound)):
            raise InputError(
                "", f"the bound of {name} must be a number", bound, f'write {named("require")}{{"{name}": 0.9}}'
            )
        ratio = metric.name in ("lr_plus", "lr_minus", "dor")
        low = 0.0 if ratio or metric.name not in ("youden_j", "mcc", "kappa", "markedness") else -1.0
        if not low <= float(bound) <= (math.inf if ratio else 1.0):
            raise InputError(
                "",
                f"the bound of {name} must lie between {low:g} and {'inf' if ratio else '1'}",
                bound,
                "rates are fractions, write 0.9 for 90%",
            )
        out.append(Requirement(metric, float(bound), str(name)))
    return out


def default_criterion(bounds: Sequence[Requirement]) -> str:
    """What to do best within the bounds: the rate that a single bound leaves open, Youden's index for several."""
    open_rates = {_OTHER.get(one.metric.name, "youden_j") for one in bounds}
    return open_rates.pop() if len(open_rates) == 1 else "youden_j"


def meets(table: Coordinates, bounds: Sequence[Requirement]) -> Bools:
    """Which rows keep all bounds; an error that says how close one gets when there is none."""
    columns = [table.column(one.metric.name) for one in bounds]
    kept = [one.met(values) for one, values in zip(bounds, columns, strict=True)]
    kept[0] = kept[0] & table.reachable
    together: Bools = np.logical_and.reduce(kept)
    if together.any():
        return together
    for one, values, mask in zip(bounds, columns, kept, strict=True):
        if not mask.any():
            raise InputError(
                "",
                f"no threshold gives {one}",
                way_out=f"the closest is {_closest(table, one, values)}; relax the bound",
            )
    for i, j in itertools.combinations(range(len(bounds)), 2):
        if not (kept[i] & kept[j]).any():
            ways = [
                f"with {bounds[held]} the closest is {_closest(table, bounds[other], columns[other], kept[held])}"
                for held, other in ((i, j), (j, i))
            ]
            raise InputError(
                "",
                "the bounds contradict each other",
                Words(f"{bounds[i]} and {bounds[j]}: {', '.join(ways)}"),
                "relax one of them",
            )
    words = ", ".join(map(str, bounds))
    most = int(np.argmax(np.sum(kept, axis=0)))
    broken = [str(one) for one, mask in zip(bounds, kept, strict=True) if not mask[most]]
    raise InputError(
        "",
        "no threshold meets all bounds together",
        Words(f"{words}: {table.thresholds[most]:g} breaks only {' and '.join(broken)}"),
        "relax one of them",
    )


def _closest(table: Coordinates, one: Requirement, values: Floats, among: Bools | None = None) -> str:
    at = one.closest(values if among is None else np.where(among, values, np.nan))
    return f"{one.title} {values[at]:.4g} at threshold {table.thresholds[at]:g}"
