"""Bounds that a cut-off must keep, and clear words when none can."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.polyline import SAME
from roclab._core.types import Bools, Floats
from roclab.decisions.coordinates import Coordinates
from roclab.decisions.metrics import METRICS, Metric, metric_named
from roclab.errors import InputError, Words, named
from roclab.options.criterion import Bounds

__all__ = ["Bounds", "Requirement", "default_criterion", "meets", "requirements"]

# The rate that a bound leaves open: a lower threshold costs what a bound on positive calls protects, and the reverse.
_OTHER = {"tpr": "tnr", "fnr": "tnr", "npv": "tnr", "for": "tnr", "lr_minus": "tnr"}
_OTHER |= {"tnr": "tpr", "fpr": "tpr", "ppv": "tpr", "fdr": "tpr", "lr_plus": "tpr"}
_SIGNED = ("youden_j", "mcc", "kappa", "markedness")
_UNBOUNDED = ("lr_plus", "lr_minus", "dor", "lift", "chi_squared", "skew")


@dataclass(frozen=True, slots=True)
class Requirement:
    """A metric that must reach, or must not exceed, a bound."""

    metric: Metric
    bound: float
    title: str  # the metric's name as the user wrote it
    at_least: bool  # True for a lower bound

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


def requirements(require: Bounds) -> list[Requirement]:
    """Check and name the bounds: texts say which side they hold; in a mapping the metric does.

    >>> [str(one) for one in requirements({"sensitivity": 0.9, "lr_minus": 0.1})]
    ['sensitivity >= 0.9', 'lr_minus <= 0.1']
    >>> [str(one) for one in requirements(["fpr <= 0.1", "detection_rate>=.2"])]
    ['fpr <= 0.1', 'detection_rate >= 0.2']
    """
    if isinstance(require, str):
        require = [require]
    if not isinstance(require, Mapping | list | tuple) or not require:
        raise InputError(
            "require", "must map metrics to bounds", require, f'write {named("require")}{{"sensitivity": 0.9}}'
        )
    if isinstance(require, Mapping):
        return [_requirement(str(name), bound, None) for name, bound in require.items()]
    return [_requirement(*_parts(text)) for text in require]


def _parts(text: Any) -> tuple[str, Any, bool | None]:
    """Metric, bound and side from a text."""
    for sign, at_least in ((">=", True), ("<=", False), ("=", None)):
        name, found, bound = str(text).partition(sign)
        if found:
            try:
                return name.strip(), float(bound), at_least
            except ValueError:
                break
    raise InputError("require", "must be written METRIC >= BOUND or METRIC <= BOUND", text, "for instance fpr <= 0.1")


def _requirement(name: str, bound: Any, at_least: bool | None) -> Requirement:
    metric = metric_named(name)
    if metric.better is None and at_least is None:
        raise InputError(
            "require",
            "must name metrics that judge",
            Words(f"{name!r}, which only describes"),
            f"say the side, as in {name}<=0.1, or use one of "
            f"{', '.join(repr(row.name) for row in METRICS.values() if row.better is not None)}",
        )
    if isinstance(bound, bool | str) or not hasattr(bound, "__float__") or math.isnan(float(bound)):
        raise InputError(
            "", f"the bound of {name} must be a number", bound, f'write {named("require")}{{"{name}": 0.9}}'
        )
    low = -1.0 if metric.name in _SIGNED else 0.0
    if not low <= float(bound) <= (math.inf if metric.name in _UNBOUNDED else 1.0):
        raise InputError(
            "",
            f"the bound of {name} must lie between {low:g} and {'inf' if metric.name in _UNBOUNDED else '1'}",
            bound,
            "rates are fractions, write 0.9 for 90%",
        )
    return Requirement(metric, float(bound), name, metric.better == "higher" if at_least is None else at_least)


def default_criterion(bounds: Sequence[Requirement]) -> str:
    """What to do best within the bounds: the rate that a single bound leaves open, Youden's index for several."""
    # A bound against the metric's own sense, such as sensitivity <= 0.5, leaves no rate open that is worth most.
    usual = [
        bound.metric.better is not None and bound.at_least == (bound.metric.better == "higher") for bound in bounds
    ]
    open_rates = {
        _OTHER.get(one.metric.name, "youden_j") if own else "youden_j" for one, own in zip(bounds, usual, strict=True)
    }
    return open_rates.pop() if len(open_rates) == 1 else "youden_j"


def meets(table: Coordinates, bounds: Sequence[Requirement]) -> Bools:
    """Which rows keep all bounds; an error that says how close one gets when there is none."""
    columns = [table.column(bound.metric.name) for bound in bounds]
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
