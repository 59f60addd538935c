"""Metrics of a confusion matrix: the table of names, and how each is computed.

Every metric is a function of the four counts and works on single numbers and on whole columns of counts
alike. A quotient 0/0 is undefined, x/0 with x > 0 is infinite; NumPy is never allowed to warn about it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from roclab._core.checks import check_choice, check_fraction, check_positive
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.errors import InputError

__all__ = [
    "METRICS",
    "Counts4",
    "Metric",
    "all_metrics",
    "f_beta",
    "metric_named",
    "metric_values",
    "predictive_values",
]


@dataclass(frozen=True, slots=True)
class Counts4:
    """TP, FP, FN and TN as float arrays with their margins, which most metrics need and none should add up again."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats
    p: Floats  # actual positives
    n: Floats  # actual negatives
    called_pos: Floats
    called_neg: Floats
    total: Floats

    @classmethod
    def of(cls, tp: Any, fp: Any, fn: Any, tn: Any) -> Counts4:
        """Numbers or arrays of counts as broadcast arrays."""
        tp, fp, fn, tn = np.broadcast_arrays(*(np.asarray(value, dtype=np.float64) for value in (tp, fp, fn, tn)))
        p, n = tp + fn, fp + tn
        return cls(tp, fp, fn, tn, p, n, tp + fp, fn + tn, p + n)

    @classmethod
    def of_calls(cls, tp: Any, fp: Any, *, n_pos: float, n_neg: float) -> Counts4:
        """Columns of true and false positives among fixed numbers of cases; p, n and total are single numbers."""
        tp, fp = np.asarray(tp, dtype=np.float64), np.asarray(fp, dtype=np.float64)
        p, n = np.asarray(n_pos, dtype=np.float64), np.asarray(n_neg, dtype=np.float64)
        # Sums of real weights may pass their total by a rounding error; no count is negative.
        fn, tn = np.maximum(p - tp, 0.0), np.maximum(n - fp, 0.0)
        return cls(tp, fp, fn, tn, p, n, tp + fp, fn + tn, np.asarray(p + n))


def quotient(top: Any, bottom: Any) -> Floats:
    """Top / bottom with 0/0 undefined (NaN) and x/0 = inf, without warnings: IEEE division for numbers >= 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = np.divide(top, bottom, dtype=np.float64)
    return ratio


def _tpr(c: Counts4) -> Floats:
    return quotient(c.tp, c.p)


def _tnr(c: Counts4) -> Floats:
    return quotient(c.tn, c.n)


def _fpr(c: Counts4) -> Floats:
    return quotient(c.fp, c.n)


def _fnr(c: Counts4) -> Floats:
    return quotient(c.fn, c.p)


def _ppv(c: Counts4) -> Floats:
    return quotient(c.tp, c.called_pos)


def _npv(c: Counts4) -> Floats:
    return quotient(c.tn, c.called_neg)


def _mcc(c: Counts4) -> Floats:
    # Two roots instead of the root of a product of four, which large weights could overflow.
    bottom = np.sqrt(c.called_pos * c.called_neg) * np.sqrt(c.p * c.n)
    return _or_nan(c.tp * c.tn - c.fp * c.fn, bottom)


def _kappa(c: Counts4) -> Floats:
    agreed = c.tp + c.tn
    expected = quotient(c.p * c.called_pos + c.n * c.called_neg, c.total)
    bottom = c.total - expected
    return _or_nan(agreed - expected, bottom)


def _or_nan(top: Floats, bottom: Floats) -> Floats:
    """A quotient of any sign that does not exist when its denominator is not positive."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(bottom > 0, np.divide(top, bottom), np.nan)


def f_beta(c: Counts4, beta: float = 1.0) -> Floats:
    """F-measure: precision and recall, recall weighing beta times as much; 0 when nothing positive is called."""
    if not 1e-6 <= check_positive(beta, "beta", way_out="1 weighs precision and recall alike") <= 1e6:
        raise InputError("beta", "must lie between 1e-6 and 1e6", beta, "1 weighs precision and recall alike")
    square = beta**2
    return quotient((1 + square) * c.tp, (1 + square) * c.tp + square * c.fn + c.fp)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric: its name, what the field also calls it, its formula, and when it does not exist."""

    name: str
    synonyms: tuple[str, ...]
    formula: str
    compute: Callable[[Counts4], Floats]
    why_undefined: str
    better: Literal["higher", "lower"] | None = "higher"  # None: the metric describes, it does not judge


_NO_POS, _NO_NEG = "there is no positive case", "there is no negative case"
_NONE_CALLED_POS, _NONE_CALLED_NEG = "no case was called positive", "no case was called negative"
_NO_CASES = "there are no cases"

METRICS: dict[str, Metric] = {
    row.name: row
    for row in (
        Metric(
            name="tpr",
            synonyms=("sensitivity", "recall", "hit rate", "power"),
            formula="TP / P",
            compute=_tpr,
            why_undefined=_NO_POS,
        ),
        Metric(
            name="tnr",
            synonyms=("specificity", "selectivity"),
            formula="TN / N",
            compute=_tnr,
            why_undefined=_NO_NEG,
        ),
        Metric(
            name="fpr",
            synonyms=("1 - specificity", "false alarm rate", "error of the 1st kind", "type I error"),
            formula="FP / N",
            compute=_fpr,
            why_undefined=_NO_NEG,
            better="lower",
        ),
        Metric(
            name="fnr",
            synonyms=("miss rate", "error of the 2nd kind", "type II error"),
            formula="FN / P",
            compute=_fnr,
            why_undefined=_NO_POS,
            better="lower",
        ),
        Metric(
            name="ppv",
            synonyms=("precision", "positive predictive value"),
            formula="TP / (TP + FP)",
            compute=_ppv,
            why_undefined=_NONE_CALLED_POS,
        ),
        Metric(
            name="npv",
            synonyms=("negative predictive value",),
            formula="TN / (TN + FN)",
            compute=_npv,
            why_undefined=_NONE_CALLED_NEG,
        ),
        Metric(
            name="accuracy",
            synonyms=("efficiency", "fraction correct"),
            formula="(TP + TN) / T",
            compute=lambda c: quotient(c.tp + c.tn, c.total),
            why_undefined=_NO_CASES,
        ),
        Metric(
            name="error_rate",
            synonyms=("misclassification rate",),
            formula="(FP + FN) / T",
            compute=lambda c: quotient(c.fp + c.fn, c.total),
            why_undefined=_NO_CASES,
            better="lower",
        ),
        Metric(
            name="majority_rate",
            synonyms=("no-information rate",),
            formula="max(P, N) / T",
            compute=lambda c: quotient(np.maximum(c.p, c.n), c.total),
            why_undefined=_NO_CASES,
            better=None,
        ),
        Metric(
            name="balanced_accuracy",
            synonyms=("macro recall",),
            formula="(TPR + TNR) / 2",
            compute=lambda c: (_tpr(c) + _tnr(c)) / 2,
            why_undefined="one class has no case",
        ),
        Metric(
            name="f1",
            synonyms=("F-measure", "F-score", "Dice"),
            formula="2 TP / (2 TP + FP + FN)",
            compute=f_beta,
            why_undefined="there is no positive case and none was called positive",
        ),
        Metric(
            name="youden_j",
            synonyms=("informedness", "Youden's index", "true skill"),
            formula="TPR + TNR - 1",
            compute=lambda c: _tpr(c) + _tnr(c) - 1,
            why_undefined="one class has no case",
        ),
        Metric(
            name="markedness",
            synonyms=("predictive summary index",),
            formula="PPV + NPV - 1",
            compute=lambda c: _ppv(c) + _npv(c) - 1,
            why_undefined="all cases were called the same",
        ),
        Metric(
            name="mcc",
            synonyms=("Matthews correlation", "phi"),
            formula="(TP TN - FP FN) / sqrt((TP+FP) P N (TN+FN))",
            compute=_mcc,
            why_undefined="a row or a column of the matrix is empty",
        ),
        Metric(
            name="kappa",
            synonyms=("Cohen's kappa",),
            formula="(accuracy - expected) / (1 - expected)",
            compute=_kappa,
            why_undefined="agreement by chance is already complete",
        ),
        Metric(
            name="lr_plus",
            synonyms=("positive likelihood ratio", "LR+"),
            formula="TPR / FPR",
            compute=lambda c: quotient(_tpr(c), _fpr(c)),
            why_undefined="both TPR and FPR are 0, or a class has no case",
        ),
        Metric(
            name="lr_minus",
            synonyms=("negative likelihood ratio", "LR-"),
            formula="FNR / TNR",
            compute=lambda c: quotient(_fnr(c), _tnr(c)),
            why_undefined="both FNR and TNR are 0, or a class has no case",
            better="lower",
        ),
        Metric(
            name="dor",
            synonyms=("diagnostic odds ratio", "odds ratio"),
            formula="TP TN / (FP FN)",
            compute=lambda c: quotient(c.tp * c.tn, c.fp * c.fn),
            why_undefined="a row or a column of the matrix is empty",
        ),
        Metric(
            name="prevalence",
            synonyms=("prior", "base rate"),
            formula="P / T",
            compute=lambda c: quotient(c.p, c.total),
            why_undefined=_NO_CASES,
            better=None,
        ),
        Metric(
            name="skew",
            synonyms=("class ratio c",),
            formula="N / P",
            compute=lambda c: quotient(c.n, c.p),
            why_undefined=_NO_CASES,
            better=None,
        ),
        Metric(
            name="detection_rate",
            synonyms=("rate of positive calls", "depth"),
            formula="(TP + FP) / T",
            compute=lambda c: quotient(c.called_pos, c.total),
            why_undefined=_NO_CASES,
            better=None,
        ),
    )
}


def metric_named(name: str) -> Metric:
    """The metric of that name or synonym, capitals and underscores aside; the error lists all names.

    >>> metric_named("Sensitivity").name, metric_named("LR+").formula
    ('tpr', 'TPR / FPR')
    """
    plain = str(name).replace("_", " ").casefold()
    for metric in METRICS.values():
        if plain in (other.replace("_", " ").casefold() for other in (metric.name, *metric.synonyms)):
            return metric
    return METRICS[check_choice(name, "metric", METRICS)]


def metric_values(name: str, *, tp: Any, fp: Any, fn: Any, tn: Any) -> Floats:
    """One metric over columns of counts; NaN where it is undefined. O(n), vectorised."""
    return metric_named(name).compute(Counts4.of(tp, fp, fn, tn))


def all_metrics(*, tp: float, fp: float, fn: float, tn: float) -> Mapping[str, float]:
    """Every metric of one matrix; undefined ones say why.

    >>> values = all_metrics(tp=0, fp=0, fn=5, tn=7)
    >>> values["f1"], values["ppv"]
    (0.0, Undefined('no case was called positive'))
    """
    counts = Counts4.of(tp, fp, fn, tn)
    out: dict[str, float] = {}
    for metric in METRICS.values():
        value = float(metric.compute(counts))
        out[metric.name] = Undefined(metric.why_undefined) if np.isnan(value) else value
    return out


def predictive_values(*, tpr: float, fpr: float, prevalence: float) -> tuple[float, float]:
    r"""PPV and NPV at another prevalence, by Bayes' rule.

    .. math:: PPV = \frac{\pi\,TPR}{\pi\,TPR + (1-\pi)\,FPR}, \quad
              NPV = \frac{(1-\pi)(1-FPR)}{(1-\pi)(1-FPR) + \pi\,(1-TPR)}

    >>> ppv, npv = predictive_values(tpr=0.9, fpr=0.1, prevalence=0.01)
    >>> round(ppv, 4), round(npv, 4)
    (0.0833, 0.9989)
    """
    pi = check_fraction(prevalence, "prevalence", way_out="write 0.1 for 10%")
    true_pos, false_pos = pi * tpr, (1 - pi) * fpr
    true_neg, false_neg = (1 - pi) * (1 - fpr), pi * (1 - tpr)
    ppv = quotient(true_pos, true_pos + false_pos)
    npv = quotient(true_neg, true_neg + false_neg)
    return (
        Undefined(_NONE_CALLED_POS) if np.isnan(ppv) else float(ppv),
        Undefined(_NONE_CALLED_NEG) if np.isnan(npv) else float(npv),
    )
