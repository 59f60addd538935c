"""Fitted models beside each other: their areas on the cases that both were fitted to, and a page about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import chdtrc

from roclab._core.text import format_number, text_table
from roclab.analysis.compare import compare
from roclab.analysis.reporting.content import ModelPart
from roclab.errors import InputError, Words
from roclab.inference.comparison.compare import Comparison
from roclab.results import TestResult
from roclab.results.pictured import Pictured

if TYPE_CHECKING:
    from roclab.analysis.logistic import LogisticAnalysis

__all__ = ["FittedModels", "compare_fitted", "report_of_models"]

SAME_CASES = (
    "Both models were fitted to the cases they are compared on, so a larger model looks better than on new cases."
)
_NESTED = (
    "One model holds all columns of the other: the likelihood ratio tests whether its further columns belong there; "
    "the test of areas is not made for that."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FittedModels(Pictured):
    """Two models of the same cases: the paired comparison of their areas, and the likelihood ratio of nested ones."""

    models: Mapping[str, LogisticAnalysis]
    comparison: Comparison
    likelihood_ratio: TestResult | None  # of nested models without a penalty
    notes: tuple[str, ...]

    def rows(self) -> list[dict[str, Any]]:
        """One row per model."""
        return [{"model": name, **_area_row(one)} for name, one in self.models.items()]

    def to_dict(self) -> dict[str, Any]:
        """Both models, their comparison and the likelihood ratio."""
        return {
            "models": {name: one.to_dict() for name, one in self.models.items()},
            "comparison": self.comparison.to_dict(),
            "likelihood_ratio": None if self.likelihood_ratio is None else self.likelihood_ratio.to_dict(),
            "notes": list(self.notes),
        }

    def write_report(self, path: str | Path, **options: Any) -> Any:
        """One page: coefficients of both models, and the report of their fitted probabilities."""
        return report_of_models(path, self.models, notes=self.remarks(), **options)

    def __str__(self) -> str:
        parts = [f"{name}\n{'-' * len(name)}\n{one}" for name, one in self.models.items()]
        lines = [text_table(self.rows()), "", str(self.comparison)]
        return "\n\n\n".join([*parts, "\n".join([*lines, *self.remarks()])])

    def remarks(self) -> tuple[str, ...]:
        """The likelihood ratio of nested models, and what a reader should know."""
        test = self.likelihood_ratio
        if test is None:
            return self.notes
        words = f"{test.name} {format_number(test.statistic)}, {test.distribution}, p {format_number(test.p_value)}"
        return (words, *self.notes)


def compare_fitted(
    first: LogisticAnalysis, second: LogisticAnalysis, names: tuple[str, str], **asked: Any
) -> FittedModels:
    """Compare two models that were fitted to the same cases, which are paired; O(n log n)."""
    if len(set(names)) != 2:
        raise InputError("names", "must be two different names", names, "write ('small', 'large') for instance")
    if first.ids != second.ids or first.classes != second.classes:
        raise InputError(
            "other", "must be fitted to the same cases", Words(f"{len(first.ids)} and {len(second.ids)} cases"),
            "name the columns of both models in complete=, so that none of them lacks a value",
        )  # fmt: skip
    models = dict(zip(names, (first, second), strict=True))
    probabilities = {name: np.array(one.fit.probabilities) for name, one in models.items()}
    subjects = first.roc.cases  # kept where some have several cases
    given: dict[str, Any] = {} if subjects is None else {"ids": np.array(first.ids)}
    positive = first.area.sample.positive
    comparison: Any = compare(np.array(first.classes), probabilities, pos_label=positive, **given, **asked)
    ratio = _likelihood_ratio(first, second)
    return FittedModels(
        models=models,
        comparison=comparison,
        likelihood_ratio=ratio,
        notes=(SAME_CASES,) if ratio is None else (SAME_CASES, _NESTED),
    )


def _likelihood_ratio(first: LogisticAnalysis, second: LogisticAnalysis) -> TestResult | None:
    """Twice the gain in log-likelihood of the larger of two nested models; None where they are not, or penalised."""
    small, large = sorted((first.fit, second.fit), key=lambda fit: len(fit.names))
    df = len(large.names) - len(small.names)
    if df == 0 or not set(small.names) <= set(large.names) or {small.penalty, large.penalty} != {"none"}:
        return None
    if small.subjects:  # cases of a subject are not independent, and the likelihood takes them so
        return None
    statistic = 2 * (large.log_likelihood - small.log_likelihood)
    return TestResult(
        name="likelihood ratio",
        hypothesis="the coefficients of the further columns are 0",
        statistic=statistic,
        distribution=f"chi-squared, {df} df",
        p_value=float(chdtrc(df, max(statistic, 0.0))),
    )


def report_of_models(
    path: str | Path, models: Mapping[str, LogisticAnalysis], *, notes: tuple[str, ...] = (), **options: Any
) -> Any:
    """Write the page of one fitted model or several: coefficients first, then the report of their probabilities."""
    import importlib

    one = next(iter(models.values()))
    note = "The areas are measured on the cases the models were fitted to, so they look better than on new ones."
    part = ModelPart(
        words=tuple(f"{name}: {line}" for name, each in models.items() for line in each.fit.words()),
        coefficients={name: tuple(each.fit.rows()) for name, each in models.items()},
        areas=tuple({"model": name, **_area_row(each)} for name, each in models.items()),
        notes=(note, *notes),
    )
    clustered = {} if one.roc.cases is None else {"ids": np.array(one.ids)}
    write = importlib.import_module("roclab.report.write").write_report
    return write(
        path,
        np.array(one.classes),
        {name: np.array(each.fit.probabilities) for name, each in models.items()},
        pos_label=one.area.sample.positive,
        model=part,
        **clustered,
        **{"title": "Logistic regression", "level": one.fit.level, **options},
    )


def _area_row(model: LogisticAnalysis) -> dict[str, Any]:
    """The area of a model as it was asked for, its test against one half, and its cut-off."""
    area, test, best = model.area, model.significance, model.cutoff.best
    percent = f"{100 * area.interval.level:g}%"
    return {
        "AUC": area.area,
        "std. error": area.standard_error,
        f"{percent} low": area.interval.low,
        f"{percent} high": area.interval.high,
        "interval": area.interval.method,
        "t" if test.distribution.startswith("t,") else "Z": test.statistic,
        "p": test.p_value,
        "cut-off": best.threshold,
        "sensitivity": best.tpr,
        "specificity": best.specificity,
    }
