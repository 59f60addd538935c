r"""How far the rates of groups lie apart: the largest gaps that definitions of fairness are about, with honest limits.

- equal opportunity: of the true positive rate
- predictive equality: of the false positive rate
- equalized odds: the larger of these two, each family of limits at the square root of the level, because the classes
  are independent
- demographic parity: of the share called positive, over all cases
- predictive parity: of the positive predictive value

The limits of a gap (``inference/rates/gaps.py``) reach down to 0 where the groups may be alike; the difference of the
largest and the smallest rate alone never is 0, so that equal groups look unequal by it.

References
----------
Hardt M, Price E, Srebro N. Equality of opportunity in supervised learning. NeurIPS 2016.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import chdtrc

from roclab._core.checks import check_level
from roclab._core.text import format_number, text_table
from roclab._core.undefined import Undefined
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.intervals import interval_of_metric
from roclab.decisions.rate_results import RateOfTest
from roclab.decisions.subject_calls import effect_on
from roclab.errors import InputError, Words
from roclab.inference.rates.gaps import GroupGap, equal_rates_test, group_gap
from roclab.names import GAPS, GapName
from roclab.results import Interval, Result
from roclab.results.pictured import Pictured

__all__ = ["RateGap", "RateGaps", "gaps_of"]

_METRIC: dict[GapName, str] = {
    "equal_opportunity": "tpr", "predictive_equality": "fpr", "demographic_parity": "detection_rate",
    "predictive_parity": "ppv",
}  # fmt: skip
_TITLES = {"tpr": "true positive rate", "fpr": "false positive rate", "detection_rate": "called positive", "ppv": "PPV"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RateGap(Result):
    """The largest difference of one rate between groups; ``interval`` begins at 0 where they may be alike."""

    name: str
    rate: str
    gap: float
    interval: Interval
    highest: str
    lowest: str
    statistic: float
    df: float
    p_value: float  # that all groups have one rate

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        level = f"{100 * self.interval.level:g}%"
        return [
            {
                "gap": self.name,
                "of": self.rate,
                "difference": self.gap,
                f"{level} low": self.interval.low,
                f"{level} high": self.interval.high,
                "highest": self.highest,
                "lowest": self.lowest,
                "chi-squared": self.statistic,
                "df": self.df,
                "p": self.p_value,
            }
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RateGaps(Pictured):
    """Gaps of all kinds between the groups of a confusion matrix, and the rates of every group."""

    by: str
    groups: tuple[str, ...]
    gaps: tuple[RateGap, ...]
    rates: tuple[RateOfTest, ...]
    level: float
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> RateGap:
        for one in self.gaps:
            if one.name == name:
                return one
        raise InputError("name", f"must be one of {', '.join(repr(one.name) for one in self.gaps)}", name)

    def rows(self) -> list[dict[str, Any]]:
        """One row per gap."""
        return [row for one in self.gaps for row in one.rows()]

    def __str__(self) -> str:
        by_rate: dict[str, dict[str, Any]] = {}
        for one in self.rates:
            row = by_rate.setdefault(one.test, {self.by: one.test})
            row[_TITLES[one.metric]] = f"{format_number(one.value)} ({one.interval})"
        said = [
            f"rates with limits of {100 * self.level:g}% each; those of a gap hold for the largest of all pairs of",
            "groups and begin at 0 where these may have one rate; equalized odds is the larger of two gaps",
        ]
        return "\n".join([text_table(list(by_rate.values())), "", text_table(self.rows()), "", *said, *self.notes])


def gaps_of(by: str, matrices: Mapping[str, ConfusionMatrix], *, level: float = 0.95) -> RateGaps:
    """All gaps between the groups of a confusion matrix."""
    check_level(level)
    if len(matrices) < 2:
        raise InputError("by", "must make two groups or more", Words(", ".join(matrices) or "none"),
                         "name another column")  # fmt: skip
    for name, one in matrices.items():
        if one.sample is not None and one.sample.weights == "importance":
            raise InputError("sample_weight", "of importance has no form in gaps of groups", Words(name),
                             "use compare_groups(), or leave it out")  # fmt: skip
    alone = [name for name, one in matrices.items() if not (one.tp + one.fn > 0 and one.fp + one.tn > 0)]
    matrices = {name: one for name, one in matrices.items() if name not in alone}
    if len(matrices) < 2:
        raise InputError(
            "by", "must make two groups or more with cases of both classes", Words(", ".join(matrices) or "none"),
            "compare_groups() compares the one rate that cases of one class have",
        )  # fmt: skip
    found: dict[str, RateGap] = {}
    for name, metric in _METRIC.items():
        found[name] = _gap(name, metric, matrices, level)
    found["equalized_odds"] = _equalized(matrices, level)
    rates = tuple(
        RateOfTest(test=group, metric=metric, value=one.metrics()[metric],
                   interval=interval_of_metric(one, metric, level=level))
        for group, one in matrices.items()
        for metric in _METRIC.values()
    )  # fmt: skip
    clustered = any(one.subjects is not None for one in matrices.values())
    notes = ("Counts are divided by design effects, because subjects have several cases.",) if clustered else ()
    if alone:
        notes = (*notes, f"Left out of the gaps, with cases of one class only: {', '.join(alone)}.")
    return RateGaps(
        by=by, groups=tuple(matrices), gaps=tuple(found[name] for name in GAPS), rates=rates, level=level, notes=notes
    )


def _counts(matrix: ConfusionMatrix, metric: str) -> tuple[float, float]:
    """Cases with the rate's property and all it is of, over their design effect."""
    hits, of = {
        "tpr": (matrix.tp, matrix.tp + matrix.fn),
        "fpr": (matrix.fp, matrix.fp + matrix.tn),
        "detection_rate": (matrix.tp + matrix.fp, matrix.tp + matrix.fp + matrix.fn + matrix.tn),
        "ppv": (matrix.tp, matrix.tp + matrix.fp),
    }[metric]
    if matrix.subjects is None or of == 0:
        return hits, of
    from roclab.decisions.metrics import METRICS, Counts4

    effect = effect_on(matrix.subjects.table(), metric, lambda c: METRICS[metric].compute(
        Counts4.of(*np.moveaxis(c, -1, 0))))  # fmt: skip
    worth = of if effect is None else effect.effect  # fewer than two subjects: one case at most
    return hits / worth, of / worth


def _found(matrices: Mapping[str, ConfusionMatrix], metric: str, level: float) -> tuple[GroupGap, list[str]] | None:
    known = {group: counts for group, one in matrices.items() if (counts := _counts(one, metric))[1] > 0}
    if len(known) < 2:
        return None
    hits, cases = (np.array(column, dtype=np.float64) for column in zip(*known.values(), strict=True))
    return group_gap(hits / cases, cases, level=level), list(known)


def _test(matrices: Mapping[str, ConfusionMatrix], metric: str) -> tuple[float, int, float]:
    counts = [one for one in (_counts(each, metric) for each in matrices.values()) if one[1] > 0]
    return equal_rates_test([hits for hits, _ in counts], [n for _, n in counts])


def _gap(name: str, metric: str, matrices: Mapping[str, ConfusionMatrix], level: float) -> RateGap:
    found = _found(matrices, metric, level)
    if found is None:
        why = Undefined("fewer than two groups have a case for it")
        nothing = Interval(low=why, high=why, level=level, method="none")
        return RateGap(name=name, rate=_TITLES[metric], gap=why, interval=nothing, highest="", lowest="",
                       statistic=why, df=0, p_value=why)  # fmt: skip
    gap, groups = found
    statistic, df, p = _test(matrices, metric)
    return RateGap(
        name=name, rate=_TITLES[metric], gap=gap.gap, interval=_limits(*gap.limits, level), highest=groups[gap.highest],
        lowest=groups[gap.lowest], statistic=statistic, df=df, p_value=p,
    )  # fmt: skip


def _limits(low: float, high: float, level: float) -> Interval:
    return Interval(low=low, high=high, level=level, method="square-and-add of Wilson, studentized range")


def _equalized(matrices: Mapping[str, ConfusionMatrix], level: float) -> RateGap:
    each = math.sqrt(level)
    parts = [_gap("equalized_odds", metric, matrices, each) for metric in ("tpr", "fpr")]
    known = [one for one in parts if not math.isnan(one.gap)]
    if len(known) < 2:
        return parts[0] if math.isnan(parts[0].gap) else parts[1]
    larger = max(parts, key=lambda one: one.gap)
    tests = [one for one in parts if not math.isnan(one.statistic)]
    statistic, df = sum(one.statistic for one in tests), sum(one.df for one in tests)
    return RateGap(
        name="equalized_odds", rate=larger.rate, gap=larger.gap,
        interval=_limits(max(one.interval.low for one in parts), max(one.interval.high for one in parts), level),
        highest=larger.highest, lowest=larger.lowest, statistic=statistic, df=df,
        p_value=float(chdtrc(df, statistic)) if df else Undefined("all cases of all groups are called alike"),
    )  # fmt: skip
