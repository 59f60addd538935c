"""What do columns tell together? Logistic regression, and the ROC analysis of its probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from roclab._core.plain import plain
from roclab.analysis.roc import CriterionAsked, Roc
from roclab.curves.roc import roc_curve
from roclab.data.cases import Cases
from roclab.data.keywords import DataKeywords, data_door
from roclab.data.read import read_cases
from roclab.data.tally import Tally
from roclab.decisions.cutoffs import CutoffResult
from roclab.errors import InputError
from roclab.inference.one_area.bootstrap import Resampling, resampling_of
from roclab.models.logistic import LogisticFit, fit_logistic
from roclab.models.optimism import AreaOptimism, area_optimism
from roclab.names import AreaTest, Penalty
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
    optimism: AreaOptimism | None = None  # where it was asked for

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
        p = f"AUC = 0.5: z {self.significance.statistic:.4f}, p {self.significance.p_value:.4g}"
        note = "The area is measured on the cases the model was fitted to, so it looks better than on new ones."
        if self.optimism is not None:
            note = f"{note}\n{self.optimism.describe()}"
        dropped = self.area.sample.dropped
        left_out = [f"{dropped} dropped for missing values"] if dropped else []
        return "\n\n".join([str(self.fit), "\n".join([f"{self.area}\n{p}\n{note}", *left_out]), str(self.cutoff)])


@data_door(columns="score")
def logistic(
    y_true: Any,
    predictors: Any = None,
    *,
    intercept: bool = True,
    penalty: Penalty = "none",
    criterion: CriterionAsked = "youden",
    test: AreaTest | None = None,
    level: float = 0.95,
    optimism: bool = False,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    **data: Unpack[DataKeywords],
) -> LogisticAnalysis:
    """Fit a logistic regression, then analyse its probabilities: curve, area, cut-off and significance.

    Parameters
    ----------
    y_true, predictors : arrays, or a table
        Labels and a mapping of names to columns (or a data frame of them); or a data frame, mapping or file with
        ``label=`` and the columns of the model as ``score=[…]``; or cases.
    intercept : bool
        Include the constant.
    penalty : str
        "none", or "firth": finite coefficients even if the columns separate the classes.
    criterion : str or function
        What the cut-off of the probability does best.
    test : str, optional
        Test of AUC = 0.5; by default the one that agrees with the interval.
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
    drawn = resampling_of(200 if resampling is None else resampling)  # fits cost more than areas, means settle soon
    cases = read_cases(y_true, predictors, **data)
    if cases.weights == "importance":
        raise InputError("sample_weight", "has no form in this regression for importance weights",
                         way_out="leave it out, or give whole weights")  # fmt: skip
    cases = cases.repeated()
    fit = fit_logistic(cases.scores, cases.label, intercept=intercept, penalty=penalty, level=level)
    sample = Sample(
        n_pos=fit.n_pos,
        n_neg=fit.n - fit.n_pos,
        positive=cases.positive,
        negative=cases.negative,
        dropped=cases.dropped,
        score="fitted probability",
    )
    tally = Tally.from_labels(cases.label, np.array(fit.probabilities), sample=sample)
    found = Roc(curve=roc_curve(tally), tally=tally)
    return LogisticAnalysis(
        fit=fit,
        roc=found,
        area=found.auc(level=level),
        cutoff=found.cutoff(criterion),
        significance=found.test(test=test),
        optimism=_optimism(cases, intercept, penalty, drawn, rng) if optimism else None,
    )


def _optimism(cases: Cases, intercept: bool, penalty: Penalty, drawn: Resampling, rng: Any) -> AreaOptimism:
    return area_optimism(cases.scores, cases.label, intercept=intercept, penalty=penalty, resampling=drawn, rng=rng)
