"""What do columns tell together? Logistic regression, and the ROC analysis of its probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from scipy.special import expit

from roclab._core.plain import plain
from roclab._core.types import Floats, Ints
from roclab._core.undefined import Undefined
from roclab.analysis.roc import Roc, curve_of
from roclab.analysis.support import folding_of, prepared
from roclab.data.cases import Cases
from roclab.data.columns import as_array, is_frame, label_column, score_column
from roclab.data.labels import word_of
from roclab.data.read import read_cases
from roclab.data.remote import RemoteCases
from roclab.data.roles import check_columns
from roclab.data.table import MappingTable, reading_of, table_of
from roclab.data.tally import Tally
from roclab.data.verbs import verb
from roclab.decisions.cutoffs import CutoffResult
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.clustered import subject_numbers
from roclab.models.logistic import LogisticFit, fit_logistic
from roclab.models.optimism import AreaOptimism, area_optimism
from roclab.names import BOOTSTRAP_INTERVALS, AreaInterval, AreaTest, Penalty, Variance
from roclab.options.criterion import CriterionAsked
from roclab.options.folds import FoldedKeywords
from roclab.options.uncertainty import Resampling, check_draws, resampling_of
from roclab.results import AreaEstimate, Result, Sample, TestResult
from roclab.results.pictured import Pictured

if TYPE_CHECKING:
    from roclab.analysis.fitted_models import FittedModels

__all__ = ["LogisticAnalysis", "ScoredCases", "logistic"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredCases(Result):
    """Cases with the probabilities that a model gives them."""

    ids: tuple[str, ...]
    classes: tuple[str, ...]  # empty for new cases
    probability: tuple[float, ...]

    def rows(self) -> list[dict[str, Any]]:
        """One row per case."""
        known = self.classes or (None,) * len(self.ids)
        return [
            {"id": one, **({} if label is None else {"class": label}), "probability": value}
            for one, label, value in zip(self.ids, known, self.probability, strict=True)
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogisticAnalysis(Pictured):
    """The fitted model and what its scores are worth on the cases it was fitted to.

    The same cases chose the coefficients and measure them, so the area is optimistic; a note says so.
    """

    fit: LogisticFit
    roc: Roc
    area: AreaEstimate
    cutoff: CutoffResult  # on the fitted probability
    significance: TestResult  # AUC against one half
    optimism: AreaOptimism | None = None  # where it was asked for
    ids: tuple[str, ...] = ()  # of the cases: subjects where given, else the numbers of their rows from 1
    classes: tuple[str, ...] = ()  # of the cases, in the order of the data

    def predict_proba(self, new: Any, **reading: Any) -> Floats:
        """Probability of the positive class of new cases: a table with the columns of the model, or a matrix.

        Columns of a table go by their names, whatever their order; a matrix has them in the order of the fit. A case
        that lacks a value has none.
        """
        names = [name for name in self.fit.names if name != "(intercept)"]
        table = table_of(new, **reading)
        if table is None:
            columns = np.atleast_2d(np.asarray(new, dtype=np.float64))
        else:
            found = table.columns(names, numeric=names)
            columns = np.column_stack([np.asarray(score_column(found[name], name).values, float) for name in names])
        return np.asarray(expit(self.fit.scores(columns)))

    def apply(self, new: Any, **reading: Any) -> ScoredCases:
        """New cases with their probabilities, numbered from 1; one that lacks a value has the reason instead."""
        lacking = Undefined("a column of the model is missing")
        found = tuple(lacking if np.isnan(one) else float(one) for one in self.predict_proba(new, **reading))
        return ScoredCases(ids=tuple(str(at + 1) for at in range(len(found))), classes=(), probability=found)

    def scored(self) -> ScoredCases:
        """Every case with its class and its fitted probability."""
        if not self.ids:
            raise InputError(
                "", "cases with their probabilities must be in memory", Words("a model that was fitted where rows are"),
                "ask apply(…) of the rows that are wanted",
            )  # fmt: skip
        probabilities = tuple(float(probability) for probability in self.fit.probabilities)
        return ScoredCases(ids=self.ids, classes=self.classes, probability=probabilities)

    def compare(
        self, other: LogisticAnalysis, *, names: tuple[str, str] = ("first", "second"), **asked: Any
    ) -> FittedModels:
        """The model beside another one of the same cases: their areas, paired, and the likelihood ratio of nested ones.

        Both were fitted to the cases they are compared on, and the answer says so; ``asked`` are options of
        :func:`roclab.compare`, such as ``level``.
        """
        from roclab.analysis.fitted_models import compare_fitted

        return compare_fitted(self, other, names, **asked)

    def write_report(self, path: str | Path, **options: Any) -> Any:
        """One page: the coefficients, the area and cut-off as they were asked for, and the report of the probabilities.

        Options are those of :func:`roclab.write_report`.
        """
        from roclab.analysis.fitted_models import report_of_models

        return report_of_models(path, {"fitted probability": self}, **options)

    def rows(self) -> list[dict[str, Any]]:
        """One row per coefficient."""
        return self.fit.rows()

    def to_dict(self) -> dict[str, Any]:
        """Every part but the curve's points."""
        return {
            "fit": self.fit.to_dict(),
            "area": self.area.to_dict(),
            "cutoff": self.cutoff.to_dict(),
            "significance": self.significance.to_dict(),
            **({} if self.optimism is None else {"optimism": plain(self.optimism)}),
        }

    def __str__(self) -> str:
        letter = "t" if self.significance.distribution.startswith("t,") else "z"
        p = f"AUC = 0.5: {letter} {self.significance.statistic:.4f}, p {self.significance.p_value:.4g}"
        note = "The area is measured on the cases the model was fitted to, so it looks better than on new ones."
        if self.optimism is not None:
            note = f"{note}\n{self.optimism.describe()}"
        dropped = self.area.sample.dropped
        left_out = [f"{dropped} dropped for missing values"] if dropped else []
        return "\n\n".join([str(self.fit), "\n".join([f"{self.area}\n{p}\n{note}", *left_out]), str(self.cutoff)])


_ELSEWHERE = "Rows stay where they are: probabilities of single cases come from apply(…)."


@verb(FoldedKeywords, columns="score")
def logistic(
    y_true: Any,
    predictors: Any = None,
    *,
    intercept: bool = True,
    penalty: Penalty = "none",
    criterion: CriterionAsked = "youden",
    variance: Variance | None = None,
    interval: AreaInterval = "auto",
    test: AreaTest | None = None,
    level: float = 0.95,
    complete: Sequence[str] = (),
    optimism: bool = False,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    **asked: Unpack[FoldedKeywords],
) -> LogisticAnalysis:
    """Fit a logistic regression, then analyse its probabilities: curve, area, cut-off and significance.

    Parameters
    ----------
    y_true, predictors : arrays, or a table
        Labels and a mapping of names to columns (or a data frame or a matrix of them); or a data frame, mapping or file
        with ``label=`` and the columns of the model as ``score=[…]``; or cases.
    intercept : bool
        Include the constant.
    penalty : str
        "none", or "firth": finite coefficients even if the columns separate the classes.
    criterion : str or function
        What the cut-off of the probability does best.
    variance, interval, test : str, optional
        Standard error and interval of the AUC as in :func:`auc`, and test of AUC = 0.5, by default the one that agrees
        with the interval; "hanley_mcneil", "plain" and "gaidyshev" are those of Gaidyshev's paper.
    complete : sequence of str
        Further columns of the table in which no value may be missing, so that several models use the same cases.
    level : float
        Confidence level of coefficients and area.
    optimism, resampling, rng
        Also how much better the area looks than on new cases: Harrell's bootstrap, which fits every sample anew.

    Examples
    --------
    >>> import roclab as rl
    >>> table = {"ill": [0, 0, 1, 0, 1, 1, 0, 1], "a": [1, 2, 3, 4, 5, 6, 2.5, 2], "b": [3, 1, 2, 5, 4, 6, 2, 2]}
    >>> result = rl.logistic(table, label="ill", score=["a", "b"])
    >>> result.fit.names, round(result.area, 4)
    (('(intercept)', 'a', 'b'), 0.8125)
    """
    fold_average, data = folding_of(asked)
    drawing = optimism or variance == "bootstrap" or interval in BOOTSTRAP_INTERVALS
    check_draws({"resampling": resampling, "rng": rng}, drawn=drawing)
    drawn = resampling_of(200 if resampling is None else resampling)  # fits cost more than areas, means settle soon
    if complete:
        y_true, left, lacking = _complete(y_true, complete, data)
    if np.ndim(predictors) == 2 and not isinstance(predictors, Mapping) and not is_frame(predictors):
        table = np.asarray(predictors)
        predictors = {f"x{at + 1}": table[:, at] for at in range(table.shape[1])}
    cases = prepared("logistic", read_cases(y_true, predictors, **data), fold_average)
    if cases.direction_chosen or any(side == "lower" for side in cases.direction.values()):
        raise InputError(
            "direction", "has no part in a regression, whose coefficients find the side of every predictor",
            way_out="leave it out",
        )  # fmt: skip
    if isinstance(cases, RemoteCases):
        if penalty != "none" or optimism or cases.clustered or cases.folds is not None:
            given = (
                "optimism" if optimism else "penalty" if penalty != "none" else "ids" if cases.clustered else "folds"
            )
            raise InputError(given, "has no part in a regression on an engine", Words("rows that stay where they are"),
                             f"leave it out, or fetch the rows with {named('engine', 'memory')}")  # fmt: skip
        fit, scored = cases.regression(intercept=intercept, level=level)
        there = curve_of(scored)
        return LogisticAnalysis(
            fit=replace(fit, notes=(*fit.notes, _ELSEWHERE)), roc=there,
            area=there.auc(level=level, variance=variance, interval=interval), cutoff=there.cutoff(criterion),
            significance=there.test(test=test),
        )  # fmt: skip
    if complete:
        kept = left if cases.rows is None else left[cases.rows]
        cases = replace(cases, rows=kept, dropped=cases.dropped + lacking)
    if cases.weights == "importance":
        raise InputError("sample_weight", "has no form in this regression for importance weights",
                         way_out="leave it out, or give whole weights")  # fmt: skip
    cases = cases.repeated()
    places = np.arange(len(cases)) if cases.rows is None else cases.rows
    ids = places + 1 if cases.ids is None else cases.ids
    subject = subject_numbers(cases) if cases.clustered else None
    fit = fit_logistic(cases.scores, cases.label, intercept=intercept, penalty=penalty, level=level, subject=subject)
    sample = Sample(
        n_pos=fit.n_pos,
        n_neg=fit.n - fit.n_pos,
        positive=cases.positive,
        negative=cases.negative,
        dropped=cases.dropped,
        outcome=cases.outcome,
        score="fitted probability",
        subjects=0 if subject is None else subject[1],
        pooled_folds=cases.pooled_folds,
    )
    if subject is None:
        found = Roc(tally=Tally.from_labels(cases.label, np.array(fit.probabilities), sample=sample))
    else:
        fitted = {"fitted probability": np.array(fit.probabilities)}
        found = curve_of(replace(cases, scores=fitted, direction={"fitted probability": "higher"}))
    if subject is not None and optimism:
        raise InputError(
            "optimism", "resamples single cases", Words("several cases of a subject"), "leave it out, or use bench()",
        )  # fmt: skip
    return LogisticAnalysis(
        fit=fit,
        roc=found,
        area=found.auc(level=level, variance=variance, interval=interval),
        cutoff=found.cutoff(criterion),
        significance=found.test(test=test),
        ids=tuple(word_of(one) for one in ids.tolist()),
        classes=tuple(cases.positive if one else cases.negative for one in cases.label.tolist()),
        optimism=_optimism(cases, intercept, penalty, drawn, rng) if optimism else None,
    )


def _complete(table: Any, complete: Sequence[str], data: Any) -> tuple[MappingTable, Ints, int]:
    """The rows of a table that lack none of the columns, where they stood, and how many others there are."""
    source = table_of(table, **reading_of(data))
    if source is None:
        raise InputError("complete", "names columns of a table", Words(type(table).__name__), "pass a table")
    for name in ("sheet", "delimiter", "decimal", "header_row", "na"):
        data.pop(name, None)
    every = {name: as_array(values, name) for name, values in source.columns().items()}
    wanted = [complete] if isinstance(complete, str) else list(complete)
    check_columns(wanted, list(every), source.called)
    gaps = [gap for name in wanted if (gap := label_column(every[name], name).missing) is not None]
    size = next(iter(every.values())).size
    left = np.flatnonzero(~np.logical_or.reduce(gaps)) if gaps else np.arange(size)
    label = data.get("label")
    words = {label: source.value_labels(label)} if isinstance(label, str) else None
    rows = {name: values[left] for name, values in every.items()}
    table = MappingTable(rows, called=source.called, printed_labels=source.printed_labels, words=words)
    return table, left, int(size - left.size)


def _optimism(cases: Cases, intercept: bool, penalty: Penalty, drawn: Resampling, rng: Any) -> AreaOptimism:
    return area_optimism(cases.scores, cases.label, intercept=intercept, penalty=penalty, resampling=drawn, rng=rng)
