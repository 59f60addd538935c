"""The table of area estimators: every name a user can ask for, and what it computes.

A new estimator is one row here; the battery in ``tests/every_method`` then runs over it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from roclab._core.checks import check_choice
from roclab.areas.early_recognition import bedroc_of
from roclab.areas.empirical import auc, gini, optimistic_auc, pessimistic_auc
from roclab.areas.precision_recall import (
    average_precision,
    pr_area_davis_goadrich,
    pr_area_integral,
    pr_area_trapezoid,
)
from roclab.areas.tauc import early_auc, t2auc, t2auc_as_published, tauc, tauc_half_ties, tauc_indicator, tauc_unbiased
from roclab.curves.hull import hull_of_tally
from roclab.curves.precision_recall import PrecisionRecallCurve, precision_recall_curve
from roclab.curves.roc import RocCurve, roc_curve
from roclab.data.tally import Tally

__all__ = ["METHODS", "AreaMethod", "area_method"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaMethod:
    """One estimator of an area.

    ``chance`` is its value for a score that says nothing (all cases tied), None where that depends on the
    prevalence or the method; ``perfect`` its value for complete separation, None where that depends on n.
    """

    name: str
    quantity: str
    description: str
    estimate: Callable[[Tally], float]
    perfect: Fraction | None
    chance: Fraction | None
    whole_cases_only: bool = False


def _on_curve(area: Callable[[RocCurve], float]) -> Callable[[Tally], float]:
    return lambda tally: area(roc_curve(tally))


def _on_precision(area: Callable[[PrecisionRecallCurve], float]) -> Callable[[Tally], float]:
    return lambda tally: area(precision_recall_curve(roc_curve(tally)))


def _tauc(tally: Tally) -> float:
    return tauc(roc_curve(tally)) if tally.known is None else tally.known.tauc


def _average_precision(tally: Tally) -> float:
    found = None if tally.known is None else tally.known.average_precision
    return average_precision(precision_recall_curve(roc_curve(tally))) if found is None else found


def _hull_area(tally: Tally) -> float:
    return hull_of_tally(tally, roc_curve(tally)).area


_ONE, _HALF = Fraction(1), Fraction(1, 2)

METHODS: dict[str, AreaMethod] = {
    row.name: row
    for row in (
        AreaMethod(
            name="empirical",
            quantity="AUC",
            description="Mann-Whitney: chance that a positive outscores a negative, ties one half",
            estimate=auc,
            perfect=_ONE,
            chance=_HALF,
        ),
        AreaMethod(
            name="optimistic",
            quantity="AUC",
            description="Mann-Whitney with ties counted for the positives",
            estimate=optimistic_auc,
            perfect=_ONE,
            chance=_ONE,
        ),
        AreaMethod(
            name="pessimistic",
            quantity="AUC",
            description="Mann-Whitney with ties counted against the positives",
            estimate=pessimistic_auc,
            perfect=_ONE,
            chance=Fraction(0),
        ),
        AreaMethod(
            name="gini",
            quantity="Gini",
            description="Gini coefficient 2 AUC - 1",
            estimate=gini,
            perfect=_ONE,
            chance=Fraction(0),
        ),
        AreaMethod(
            name="hull",
            quantity="AUCH",
            description="area under the ROC convex hull",
            estimate=_hull_area,
            perfect=_ONE,
            chance=_HALF,
        ),
        AreaMethod(
            name="tauc",
            quantity="tAUC",
            description="area under the tROC curve, TPR (1 - FPR)",
            estimate=_tauc,
            perfect=_HALF,
            chance=Fraction(1, 6),
        ),
        AreaMethod(
            name="tauc_unbiased",
            quantity="tAUC",
            description="unbiased estimate of tAUC: all triples of a positive and two different negatives",
            estimate=tauc_unbiased,
            perfect=_HALF,
            chance=Fraction(1, 6),
            whole_cases_only=True,
        ),
        AreaMethod(
            name="tauc2",
            quantity="tAUC, weight (1 - FPR)²",
            description="area with weight (1 - FPR)², which rewards an early rise more than tAUC",
            estimate=early_auc(2.0),
            perfect=Fraction(1, 3),
            chance=Fraction(1, 12),
        ),
        AreaMethod(
            name="t2auc",
            quantity="t²AUC",
            description="area with weight sqrt(1 - FPR)",
            estimate=_on_curve(t2auc),
            perfect=Fraction(2, 3),
            chance=Fraction(4, 15),
        ),
        AreaMethod(
            name="t2auc_as_published",
            quantity="t²AUC",
            description="area with weight sqrt(FPR), as printed; rewards high FPR",
            estimate=_on_curve(t2auc_as_published),
            perfect=Fraction(2, 3),
            chance=Fraction(2, 5),
        ),
        AreaMethod(
            name="tauc_indicator",
            quantity="tAUC",
            description="triple-indicator statistic, tAUC + AUC/(2N) without ties",
            estimate=tauc_indicator,
            perfect=None,
            chance=Fraction(0),
        ),
        AreaMethod(
            name="tauc_half_ties",
            quantity="tAUC",
            description="triple statistic with half ties",
            estimate=tauc_half_ties,
            perfect=None,
            chance=Fraction(1, 4),
        ),
        AreaMethod(
            name="average_precision",
            quantity="AP",
            description="average precision: precision-recall area by the step rule",
            estimate=_average_precision,
            perfect=_ONE,
            chance=None,
        ),
        AreaMethod(
            name="pr_integral",
            quantity="AUPRC",
            description="precision-recall area under the hyperbolas, exact",
            estimate=_on_precision(pr_area_integral),
            perfect=_ONE,
            chance=None,
        ),
        AreaMethod(
            name="pr_davis_goadrich",
            quantity="AUPRC",
            description="precision-recall area over Davis-Goadrich points",
            estimate=_on_precision(pr_area_davis_goadrich),
            perfect=_ONE,
            chance=None,
            whole_cases_only=True,
        ),
        AreaMethod(
            name="pr_trapezoid",
            quantity="AUPRC",
            description="precision-recall area with straight lines; too optimistic",
            estimate=_on_precision(pr_area_trapezoid),
            perfect=_ONE,
            chance=None,
        ),
        AreaMethod(
            name="bedroc",
            quantity="BEDROC",
            description="early recognition: positives weighed by exp(-20 x), x the share of cases ranked before them",
            estimate=bedroc_of(),
            perfect=_ONE,
            chance=None,
        ),
    )
}


def area_method(name: str) -> AreaMethod:
    """The estimator of that name; the error lists all names.

    >>> area_method("tauc").perfect
    Fraction(1, 2)
    """
    return METHODS[check_choice(name, "method", METHODS)]
