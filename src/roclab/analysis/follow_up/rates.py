"""A cut-off at a horizon: expected numbers, sensitivity, specificity, predictive values and ratios, with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.text import text_table
from roclab._core.types import Bools, Floats
from roclab._core.undefined import Undefined
from roclab.analysis.follow_up.areas import method_of
from roclab.analysis.follow_up.read import Followed
from roclab.errors import InputError, Words
from roclab.inference.follow_up_areas import Horizon, covariance_of_influences, incidence_influence
from roclab.inference.follow_up_rates import RateMeasure, log_ratio, rate_limits, rates_of
from roclab.inference.one_area.intervals import deviate
from roclab.results import Interval, RateEstimate, Result, Sample

__all__ = ["HorizonRates", "called_by", "rates_at_cutoff"]

_WORDS = {
    "sensitivity": "sensitivity", "specificity": "specificity", "ppv": "PPV", "npv": "NPV", "accuracy": "accuracy",
}  # fmt: skip
_NOBODY = {"ppv": "nobody is called positive", "npv": "everybody is called positive"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HorizonRates(Result):
    """What a cut-off does at a horizon.

    The four numbers are those to be expected had nobody been lost: sums of weights. Of controls that are event-free
    they leave out those who had another event; the predictive values count them among the called.
    """

    threshold: float
    at: float
    landmark: float | None
    tp: float
    fp: float
    fn: float
    tn: float
    rates: Mapping[str, RateEstimate]
    sample: Sample
    unknown: int
    level: float
    notes: tuple[str, ...] = ()

    def __getitem__(self, metric: str) -> RateEstimate:
        if metric not in self.rates:
            raise InputError("metric", f"must be one of {', '.join(self.rates)}", metric)
        return self.rates[metric]

    def rows(self) -> list[dict[str, Any]]:
        """The four expected numbers, then one row per metric."""
        percent = f"{100 * self.level:g}%"
        out: list[dict[str, Any]] = [
            {"metric": name, "value": getattr(self, name)} for name in ("tp", "fp", "fn", "tn")
        ]
        for name, one in self.rates.items():
            out.append({
                "metric": name, "value": one.rate, "std. error": one.standard_error, f"{percent} low": one.interval.low,
                f"{percent} high": one.interval.high, "interval": one.interval.method,
            })  # fmt: skip
        return out

    def summary_row(self) -> dict[str, Any]:
        """Expected numbers and the four rates in one row."""
        row: dict[str, Any] = {name: round(getattr(self, name), 2) for name in ("tp", "fp", "fn", "tn")}
        for name in ("sensitivity", "specificity", "ppv", "npv"):
            row |= {
                name: self.rates[name].rate,
                f"{name} {100 * self.level:g}% interval": str(self.rates[name].interval),
            }
        return row

    def called(self) -> str:
        """The rule in words."""
        side = "<=" if self.sample.direction == "lower" else ">="
        return f"called positive: {self.sample.score or 'score'} {side} {self.threshold:.10g}"

    def __str__(self) -> str:
        start = "" if self.landmark is None else f" after {self.landmark:g}"
        known = (
            f"{self.sample.n_pos:g} cases ({self.sample.positive}), {self.sample.n_neg:g} controls "
            f"({self.sample.negative}), {self.unknown} unknown"
        )
        return "\n".join([
            f"At {self.at:g}{start}, {self.called()}",
            f"expected: TP {self.tp:.1f}, FP {self.fp:.1f}, FN {self.fn:.1f}, TN {self.tn:.1f}", "",
            text_table(self.rows()[4:]), "", known,
            "The intervals hold for a threshold chosen before these data were seen.", *self.notes,
        ])  # fmt: skip


def called_by(followed: Followed, name: str, threshold: float) -> Bools:
    """Who is called positive: a score that reaches the threshold, on the side that means the event."""
    if math.isnan(threshold):
        raise InputError("threshold", "must be a number", Words("NaN"), "give a score or +inf to call nothing positive")
    turned = threshold if followed.directions[name] == "higher" else -threshold
    return np.asarray(followed.scores[name] >= turned)


def rates_at_cutoff(
    followed: Followed, horizon: Horizon, name: str, threshold: float, sample: Sample, *, level: float,
    notes: tuple[str, ...] = (),
) -> HorizonRates:  # fmt: skip
    """All rates of a cut-off with the errors of their whole influence."""
    called = called_by(followed, name, threshold)
    measures = rates_of(followed.follow_up, horizon, called)
    method = method_of(followed)
    rates = {}
    for metric, measure in measures.items():
        rates[metric] = _estimate(_WORDS[metric], measure, followed, sample, level, method, _NOBODY.get(metric, ""))
    incidence = RateMeasure(
        value=min(horizon.incidence, 1.0), influence=incidence_influence(followed.follow_up, horizon), known=0.0,
        kish=float(len(called)),
    )  # fmt: skip
    rates["incidence"] = _estimate("incidence", incidence, followed, sample, level, method, "")
    rates |= _derived(measures, followed, sample, level, method)
    a, b = horizon.cases, horizon.controls
    return HorizonRates(
        threshold=float(threshold), at=horizon.at, landmark=followed.landmark, tp=float(a[called].sum()),
        fp=float(b[called].sum()), fn=float(a[~called].sum()), tn=float(b[~called].sum()), rates=rates, sample=sample,
        unknown=horizon.unknown, level=level, notes=notes,
    )  # fmt: skip


def _estimate(
    quantity: str, measure: RateMeasure | None, followed: Followed, sample: Sample, level: float, method: str, why: str
) -> RateEstimate:
    if measure is None:
        return _undefined(quantity, sample, level, why)
    return RateEstimate(
        quantity=quantity, rate=measure.value, standard_error=measure.error(followed.subjects),
        interval=rate_limits(measure, level=level, subjects=followed.subjects), method=method, sample=sample,
    )  # fmt: skip


def _undefined(quantity: str, sample: Sample, level: float, why: str) -> RateEstimate:
    missing = Undefined(why)
    return RateEstimate(
        quantity=quantity, rate=missing, standard_error=missing, method="none", sample=sample,
        interval=Interval(low=missing, high=missing, level=level, method="none"),
    )  # fmt: skip


def _derived(
    measures: Mapping[str, RateMeasure | None], followed: Followed, sample: Sample, level: float, method: str
) -> dict[str, RateEstimate]:
    """Youden's index and the likelihood ratios, by the delta method."""
    se, sp = measures["sensitivity"], measures["specificity"]
    assert se is not None
    assert sp is not None
    df = math.inf if followed.subjects is None else float(followed.subjects.max())
    z = deviate(level, df=df)

    def error_of(influence: Floats) -> float:
        return math.sqrt(float(covariance_of_influences([influence], followed.subjects)[0, 0]))

    youden, error = se.value + sp.value - 1, error_of(se.influence + sp.influence)
    found = {"youden_j": RateEstimate(
        quantity="Youden's index", rate=youden, standard_error=error, method=method, sample=sample,
        interval=Interval(low=max(youden - z * error, -1.0), high=min(youden + z * error, 1.0), level=level,
                          method="influence, cut at -1 and 1"),
    )}  # fmt: skip
    ratios = {
        "lr_plus": ("LR+", log_ratio(se, sp, lambda v: v, lambda v: 1 - v), "no control is called positive"),
        "lr_minus": ("LR-", log_ratio(se, sp, lambda v: 1 - v, lambda v: v), "no case is called negative"),
    }
    for metric, (quantity, ratio, why) in ratios.items():
        if ratio is None:
            found[metric] = _undefined(quantity, sample, level, f"{why}, or the other way round")
            continue
        value, influence = ratio
        spread = error_of(influence)
        found[metric] = RateEstimate(
            quantity=quantity, rate=value, standard_error=value * spread, method=method, sample=sample,
            interval=Interval(low=value * math.exp(-z * spread), high=value * math.exp(z * spread), level=level,
                              method="influence, log"),
        )  # fmt: skip
    return found
