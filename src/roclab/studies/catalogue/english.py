"""The English excerpt: errors of areas, partial areas, comparisons; and the papers of Hanley and McNeil behind it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from roclab.areas.empirical import auc
from roclab.areas.partial import partial_area
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.decisions.costs import lowest_cost
from roclab.decisions.iso_performance import equal_cost_slope
from roclab.inference.one_area.hanley_mcneil import correlation_of_areas, empirical_q_se, hanley_mcneil_se
from roclab.names import Standard
from roclab.smooth.binormal import fit_binormal
from roclab.studies.catalogue.shared import fawcett20, note, reference
from roclab.studies.verdicts import PrintedExample

__all__ = ["examples"]

STANDARDS: dict[Standard, str] = {"none": "partial area", "jiang": "over its width", "mcclish": "by McClish"}
COSTS = {"prevalence": 0.3, "cost_fp": 1.0, "cost_fn": 5.0}


def ct_ratings() -> Tally:
    """109 CT images rated 1 to 5 (Hanley and McNeil 1982, table 1)."""
    return Tally.from_counts(np.arange(1.0, 6.0), np.array([3, 2, 2, 11, 33]), np.array([33, 6, 6, 11, 2]))


def _partial(standardize: Standard, **region: tuple[float, float]) -> float:
    part = partial_area(roc_curve(fawcett20()), fpr=region.get("fpr"), tpr=region.get("tpr"))
    return part.area if standardize == "none" else part.standardised(standardize)


def _partials() -> list[PrintedExample]:
    regions = (
        ("fpr", (0.0, 0.1), (0.02, 0.20, 0.578947)),
        ("fpr", (0.0, 0.2), (0.07, 0.35, 0.638889)),
        ("tpr", (0.8, 1.0), (0.03, 0.15, 0.527778)),
    )
    out = []
    for kind, ends, printed in regions:
        name = f"{'FPR' if kind == 'fpr' else 'sensitivity'} {ends[0]:g} to {ends[1]:g}"
        for (standardize, words), value in zip(STANDARDS.items(), printed, strict=True):
            out.append(
                reference(
                    "partial areas, on Fawcett's 20 instances",
                    f"{words}, {name}",
                    value,
                    partial(_partial, standardize, **{kind: ends}),
                    6,
                )
            )
    return out


def _se_with_q1_twice(area: float, n_pos: int, n_neg: int) -> float:
    """Equation 4.48 as printed: Q1 stands where Q2 belongs."""
    q1 = area / (2 - area)
    spread = area * (1 - area) + (n_pos + n_neg - 2) * (q1 - area**2)
    return float(np.sqrt(spread / (n_pos * n_neg)))


def _higher_threshold() -> str:
    curve = roc_curve(fawcett20())
    return "lowers sensitivity" if np.all(np.diff(curve.tpr) >= 0) else "raises sensitivity"


def examples(data: Path | None) -> list[PrintedExample]:
    """All examples of the excerpt; none needs outside data."""
    ct, r_table = "Hanley and McNeil 1982, 109 CT ratings", "Hanley and McNeil 1983, table I"
    return [
        PrintedExample(where=ct, quantity="AUC", printed=0.893, ours=lambda: auc(ct_ratings()), digits=3),
        PrintedExample(
            where=ct, quantity="standard error", printed=0.032, ours=lambda: empirical_q_se(ct_ratings()), digits=3
        ),
        PrintedExample(
            where=ct, quantity="binormal a", printed=1.657, ours=lambda: fit_binormal(ct_ratings()).a, digits=3
        ),
        PrintedExample(
            where=ct, quantity="binormal b", printed=0.713, ours=lambda: fit_binormal(ct_ratings()).b, digits=3
        ),
        PrintedExample(
            where=ct, quantity="binormal area", printed=0.911, ours=lambda: fit_binormal(ct_ratings()).area, digits=3
        ),
        PrintedExample(
            where="equation 4.48",
            quantity="standard error at A = 0.893 with 51 and 58 cases",
            printed=lambda: _se_with_q1_twice(0.893, 51, 58),
            ours=lambda: hanley_mcneil_se(0.893, 51, 58),
            erratum="E31",
            correct=0.0325116,
            correct_digits=7,
        ),
        *(
            PrintedExample(
                where=r_table,
                quantity=f"correlation of areas, mean area {area:g}, mean correlation {rho:g}",
                printed=value,
                ours=partial(correlation_of_areas, area, rho),
                digits=2,
            )
            for area, rho, value in ((0.7, 0.5, 0.47), (0.9, 0.6, 0.51), (0.975, 0.9, 0.82), (0.7, 0.1, 0.09))
        ),
        PrintedExample(
            where="equation 4.47",
            quantity="slope of equal-cost lines: prevalence 0.3, costs 5 of a miss and 1 of a false alarm",
            printed=lambda: 0.3 * 1 / (0.7 * 5),
            ours=lambda: equal_cost_slope(**COSTS),
            erratum="E4",
            correct=0.466667,
            correct_digits=6,
        ),
        reference(
            "equation 4.47, on Fawcett's 20 instances",
            "point of lowest cost",
            (0.9, 1.0),
            lambda: (lambda best: (best.fpr, best.tpr))(lowest_cost(roc_curve(fawcett20()), **COSTS)),
        ),
        reference(
            "equation 4.47, on Fawcett's 20 instances",
            "its cost",
            0.63,
            lambda: lowest_cost(roc_curve(fawcett20()), **COSTS).cost,
        ),
        *_partials(),
        PrintedExample(
            where="thresholds",
            quantity="what a higher threshold does",
            printed="raises sensitivity",
            ours=_higher_threshold,
            erratum="E30",
            correct="lowers sensitivity",
        ),
        note("E16", "comparison of fits", "which estimate is too low"),
        note("E64", "ROC space", "which corner is best"),
        note("E52", "4.4", "a range of false positive rates, and whose coefficient Gini's is"),
    ]
