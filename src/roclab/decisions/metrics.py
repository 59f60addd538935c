"""Metrics of a confusion matrix: the table of names, and what each is called elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from roclab._core.checks import check_choice, check_fraction
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.decisions.formulas import (
    Counts4,
    chi_squared,
    f_beta,
    fnr,
    fpr,
    kappa,
    mcc,
    mutual_information,
    npv,
    ppv,
    quotient,
    tnr,
    tpr,
)

__all__ = [
    "METRICS",
    "Counts4",
    "Metric",
    "all_metrics",
    "f_beta",
    "metric_named",
    "metric_values",
    "predictive_values",
    "quotient",
]


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
            compute=tpr,
            why_undefined=_NO_POS,
        ),
        Metric(
            name="tnr",
            synonyms=("specificity", "selectivity"),
            formula="TN / N",
            compute=tnr,
            why_undefined=_NO_NEG,
        ),
        Metric(
            name="fpr",
            synonyms=("1 - specificity", "false alarm rate", "error of the 1st kind", "type I error"),
            formula="FP / N",
            compute=fpr,
            why_undefined=_NO_NEG,
            better="lower",
        ),
        Metric(
            name="fnr",
            synonyms=("miss rate", "error of the 2nd kind", "type II error"),
            formula="FN / P",
            compute=fnr,
            why_undefined=_NO_POS,
            better="lower",
        ),
        Metric(
            name="ppv",
            synonyms=("precision", "positive predictive value"),
            formula="TP / (TP + FP)",
            compute=ppv,
            why_undefined=_NONE_CALLED_POS,
        ),
        Metric(
            name="npv",
            synonyms=("negative predictive value",),
            formula="TN / (TN + FN)",
            compute=npv,
            why_undefined=_NONE_CALLED_NEG,
        ),
        Metric(
            name="fdr",
            synonyms=("false discovery rate", "1 - PPV", "pcfall"),
            formula="FP / (TP + FP)",
            compute=lambda c: quotient(c.fp, c.called_pos),
            why_undefined=_NONE_CALLED_POS,
            better="lower",
        ),
        Metric(
            name="for",
            synonyms=("false omission rate", "1 - NPV", "pcmiss"),
            formula="FN / (TN + FN)",
            compute=lambda c: quotient(c.fn, c.called_neg),
            why_undefined=_NONE_CALLED_NEG,
            better="lower",
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
            compute=lambda c: (tpr(c) + tnr(c)) / 2,
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
            name="jaccard",
            synonyms=("Tanimoto", "threat score", "critical success index"),
            formula="TP / (TP + FP + FN)",
            compute=lambda c: quotient(c.tp, c.tp + c.fp + c.fn),
            why_undefined="there is no positive case and none was called positive",
        ),
        Metric(
            name="youden_j",
            synonyms=("informedness", "Youden's index", "true skill"),
            formula="TPR + TNR - 1",
            compute=lambda c: tpr(c) + tnr(c) - 1,
            why_undefined="one class has no case",
        ),
        Metric(
            name="markedness",
            synonyms=("predictive summary index",),
            formula="PPV + NPV - 1",
            compute=lambda c: ppv(c) + npv(c) - 1,
            why_undefined="all cases were called the same",
        ),
        Metric(
            name="mcc",
            synonyms=("Matthews correlation", "phi"),
            formula="(TP TN - FP FN) / sqrt((TP+FP) P N (TN+FN))",
            compute=mcc,
            why_undefined="a row or a column of the matrix is empty",
        ),
        Metric(
            name="kappa",
            synonyms=("Cohen's kappa",),
            formula="(accuracy - expected) / (1 - expected)",
            compute=kappa,
            why_undefined="agreement by chance is already complete",
        ),
        Metric(
            name="lr_plus",
            synonyms=("positive likelihood ratio", "LR+"),
            formula="TPR / FPR",
            compute=lambda c: quotient(tpr(c), fpr(c)),
            why_undefined="both TPR and FPR are 0, or a class has no case",
        ),
        Metric(
            name="lr_minus",
            synonyms=("negative likelihood ratio", "LR-"),
            formula="FNR / TNR",
            compute=lambda c: quotient(fnr(c), tnr(c)),
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
            name="lift",
            synonyms=("PPV over prevalence",),
            formula="PPV / prevalence",
            compute=lambda c: quotient(c.tp * c.total, c.called_pos * c.p),
            why_undefined="no case was called positive, or there is no positive case",
        ),
        Metric(
            name="mutual_information",
            synonyms=("mi", "information gain"),
            formula="H(label) - H(label | call), in bits",
            compute=mutual_information,
            why_undefined=_NO_CASES,
        ),
        Metric(
            name="chi_squared",
            synonyms=("chisq", "Pearson's chi-squared"),
            formula="T (TP TN - FP FN)² / ((TP+FP) P N (TN+FN))",
            compute=chi_squared,
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
            synonyms=("rate of positive calls", "depth", "rpp", "predicted positive rate"),
            formula="(TP + FP) / T",
            compute=lambda c: quotient(c.called_pos, c.total),
            why_undefined=_NO_CASES,
            better=None,
        ),
        Metric(
            name="rejection_rate",
            synonyms=("rate of negative calls", "rnp", "predicted negative rate"),
            formula="(TN + FN) / T",
            compute=lambda c: quotient(c.called_neg, c.total),
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
