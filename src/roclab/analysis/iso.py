"""Which points of ROC space are equally good? Lines of equal performance, and where one touches the curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from roclab.analysis.roc import Roc
from roclab.curves.troc import troc_curve
from roclab.decisions.iso_performance import IsoLine, Tangent, equal_cost_slope, iso_line, tangent_points
from roclab.decisions.stakes import Stakes
from roclab.errors import InputError, Words, named
from roclab.names import IsoMetric
from roclab.results.pictured import Pictured

__all__ = ["IsoLines", "iso_lines", "troc_curve"]

_LOW = (0.05, 0.1, 0.2, 0.3, 0.4)
_VALUES = {"lr_plus": (1.0, 2.0, 3.0, 5.0, 10.0), "cost": _LOW, "lr_minus": _LOW, "neyman_pearson": _LOW}
_USUAL = (0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IsoLines(Pictured):
    """Lines of equal values of one metric, and the best point of a curve where all lines have one slope."""

    metric: str
    lines: tuple[IsoLine, ...]
    tangent: Tangent | None

    def rows(self) -> list[dict[str, Any]]:
        """One row per line."""
        return [row for line in self.lines for row in line.rows()]


def iso_lines(
    curve: Roc,
    metric: IsoMetric = "accuracy",
    *,
    values: tuple[float, ...] | None = None,
    prevalence: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    benefit_tp: float | None = None,
    benefit_tn: float | None = None,
) -> IsoLines:
    """Lines of equal performance at the prevalence of the curve's cases, or another one, at given costs and benefits.

    Where benefits are given the usual lines of "cost" are shares of the way from the expected cost of a perfect score,
    which is then below 0, to that of calling every case wrongly.

    >>> from roclab.analysis.roc import roc
    >>> found = iso_lines(roc([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]), values=(0.8,))
    >>> round(found.lines[0].slope, 4), round(found.lines[0].intercept, 4)
    (1.0, 0.6)
    """
    tally = curve._counted("the prevalence of its cases")
    share = tally.n_pos / (tally.n_pos + tally.n_neg) if prevalence is None else prevalence
    every = {"cost_fp": cost_fp, "cost_fn": cost_fn, "benefit_tp": benefit_tp, "benefit_tn": benefit_tn}
    costs = {name: value for name, value in every.items() if value is not None}
    conditions: dict[str, Any] = {}
    if metric in ("accuracy", "precision", "f_measure", "cost"):
        conditions = {"prevalence": share}
    if metric == "cost":
        conditions |= costs
    elif costs:
        raise InputError(
            next(iter(costs)), f"matters for {named('iso', 'cost')} only", Words(f"it for {metric}"), "leave it out"
        )
    usual: tuple[float, ...] = _VALUES.get(metric, _USUAL)
    if metric == "cost" and (benefit_tp or benefit_tn):
        stakes = Stakes(prevalence=share, **costs)
        usual = tuple(round(value * stakes.largest_regret - stakes.gain, 6) for value in usual)
    lines = tuple(iso_line(metric, value, **conditions) for value in values or usual)
    tangent = None
    if metric in ("accuracy", "cost", "youden"):  # all lines have one slope, so one of them touches the curve
        slope = 1.0 if metric == "youden" else equal_cost_slope(prevalence=share, **costs)
        tangent = tangent_points(curve.curve, slope)
    return IsoLines(metric=metric, lines=lines, tangent=tangent)
