"""The Russian paper: standard errors, a test against one half, and logistic regression."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from roclab.areas.empirical import auc, trapezoid
from roclab.curves.roc import RocCurve, roc_curve
from roclab.data.tally import Tally
from roclab.inference.one_area.area_tests import auc_test
from roclab.inference.one_area.hanley_mcneil import hanley_mcneil_se, null_se
from roclab.inference.one_area.intervals import area_interval
from roclab.models.logistic import SeparationError, fit_logistic
from roclab.names import AreaTest
from roclab.results import TestResult
from roclab.studies.catalogue.shared import fawcett20, note, reference, slovenian10
from roclab.studies.verdicts import PrintedExample

__all__ = ["examples"]


def _shared_top() -> Tally:
    """The highest score belongs to both classes."""
    return Tally.from_labels(np.array([True, False, False]), np.array([2.0, 2.0, 1.0]))


def _without_origin(curve: RocCurve) -> float:
    """The trapezoid rule over the thresholds of the data only, as printed."""
    return float(np.sum(np.diff(curve.fpr[1:]) * (curve.tpr[2:] + curve.tpr[1:-1])) / 2)


def _separated() -> str:
    try:
        fit_logistic(np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, False, True, True]))
    except SeparationError:
        return "no maximum: separation"
    return "converged"


def _z(method: AreaTest) -> TestResult:
    return auc_test(fawcett20(), test=method)


def _se() -> float:
    tally = fawcett20()
    return hanley_mcneil_se(auc(tally), tally.n_pos, tally.n_neg)


def _ends(tally: Tally) -> tuple[float, float]:
    area = auc(tally)
    error = hanley_mcneil_se(area, tally.n_pos, tally.n_neg)
    interval = area_interval(area, error, level=0.95, scale="plain", pairs=tally.n_pos, name="Hanley-McNeil")
    return interval.low, interval.high


def examples(data: Path | None) -> list[PrintedExample]:
    """All examples of the paper; its formulas are run on Fawcett's 20 instances."""
    on = "formulas, on Fawcett's 20 instances"
    return [
        reference(on, "standard error by Hanley and McNeil", 0.121863, _se, 6),
        reference(on, "standard error at an area of one half", 0.132288, lambda: null_se(10, 10), 6),
        reference(on, "Z against one half", 1.000765, lambda: _z("gaidyshev").statistic, 6),
        reference(on, "its p-value", 0.316940, lambda: _z("gaidyshev").p_value, 6),
        reference(on, "z with the standard error of the null hypothesis", 1.360672, lambda: _z("null").statistic, 6),
        reference(on, "95% interval", (0.441154, 0.918846), lambda: _ends(fawcett20()), 6),
        reference(
            "formulas, on the Slovenian ten cases",
            "95% interval before it is cut at 1",
            (0.6114, 1.1086),
            lambda: _ends(slovenian10()),
            4,
        ),
        PrintedExample(
            where="trapezoid rule",
            quantity="area where the top score is shared (scores 2, 2, 1; labels 1, 0, 0)",
            printed=lambda: _without_origin(roc_curve(_shared_top())),
            ours=lambda: trapezoid(roc_curve(_shared_top())),
            erratum="E32",
            correct=0.75,
        ),
        PrintedExample(
            where="logistic regression, Newton-Raphson",
            quantity="does it converge from any start? (separated cases)",
            printed="converged",
            ours=_separated,
            erratum="E33",
            correct="no maximum: separation",
        ),
        note("E13", "step 3 of the construction", "what stands on the abscissa"),
        note("E51", "curves and coefficients", "which samples and statistics its formulas hold for"),
    ]
