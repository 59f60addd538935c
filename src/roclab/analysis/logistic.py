"""Logistic regression and the ROC analysis of its scores, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from roclab._core.types import Array
from roclab.analysis.roc import Roc
from roclab.analysis.table import columns_of, outcome_of
from roclab.curves.roc import roc_curve
from roclab.data.columns import score_column
from roclab.data.tally import Tally
from roclab.decisions.cutoffs import CutoffResult
from roclab.errors import InputError, MissingValuesError, Words
from roclab.models.logistic import LogisticFit, fit_logistic
from roclab.results import AreaEstimate, Result, Sample, TestResult

__all__ = ["LogisticAnalysis", "logistic"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogisticAnalysis(Result):
    """The fitted model and what its scores are worth on the cases it was fitted to.

    The same cases chose the coefficients and measure them, so the area is optimistic; a note says so.
    """

    fit: LogisticFit
    roc: Roc
    area: AreaEstimate
    cutoff: CutoffResult  # on the fitted probability
    significance: TestResult  # AUC against one half

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
        }

    def __str__(self) -> str:
        p = f"AUC = 0.5: z {self.significance.statistic:.4f}, p {self.significance.p_value:.4g}"
        note = "The area is measured on the cases the model was fitted to, so it looks better than on new ones."
        return "\n\n".join([str(self.fit), f"{self.area}\n{p}\n{note}", str(self.cutoff)])


def logistic(
    data: Any,
    *,
    label: str,
    columns: Sequence[str],
    pos_label: Any = None,
    intercept: bool = True,
    penalty: Literal["none", "firth"] = "none",
    criterion: Any = "youden",
    level: float = 0.95,
) -> LogisticAnalysis:
    """Fit a logistic regression, then analyse its probabilities: curve, area, cut-off and significance.

    ``data`` is a data frame, a mapping of name to column, or the path of a file; options of the fit as in
    ``models.logistic.fit_logistic``.

    >>> import roclab as rl
    >>> table = {"ill": [0, 0, 1, 0, 1, 1, 0, 1], "a": [1, 2, 3, 4, 5, 6, 2.5, 2], "b": [3, 1, 2, 5, 4, 6, 2, 2]}
    >>> result = rl.logistic(table, label="ill", columns=["a", "b"])
    >>> result.fit.names, round(result.area.area, 4)
    (('(intercept)', 'a', 'b'), 0.8125)
    """
    if not columns:
        raise InputError("columns", "must name at least one predictor", Words("none"))
    table = columns_of(data, label, *columns)
    truth = outcome_of(data, table[label], label, pos_label)
    design: dict[str, Array] = {}
    for name in columns:
        column = score_column(table[name], str(name))
        if column.missing is not None:
            raise MissingValuesError(
                name, "must not be missing", Words(f"{int(column.missing.sum())} gaps"), "drop those cases first"
            )
        design[str(name)] = column.values
    fit = fit_logistic(design, truth.is_positive, intercept=intercept, penalty=penalty, level=level)
    sample = Sample(
        n_pos=fit.n_pos,
        n_neg=fit.n - fit.n_pos,
        positive=truth.positive,
        negative=truth.negative,
        score="fitted probability",
    )
    tally = Tally.from_labels(truth.is_positive, np.array(fit.probabilities), sample=sample)
    roc = Roc(curve=roc_curve(tally), tally=tally)
    return LogisticAnalysis(
        fit=fit,
        roc=roc,
        area=roc.auc(level=level),
        cutoff=roc.cutoff(criterion),
        significance=roc.test(method="null"),
    )
