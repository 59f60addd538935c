"""The Slovenian chapter 5: radar operators and ten ranked cases."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from roclab.areas.empirical import auc, optimistic_auc, pessimistic_auc, trapezoid
from roclab.areas.tauc import tauc
from roclab.curves.hull import RocHull, hull_of_curve
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.coordinates import coordinates
from roclab.decisions.dominance import pareto_front_of
from roclab.inference.one_area.area_tests import auc_test
from roclab.inference.one_area.delong import delong_variance
from roclab.inference.one_area.hanley_mcneil import empirical_q_se
from roclab.studies.catalogue.shared import note, printed_json, reference, slovenian10
from roclab.studies.verdicts import PrintedExample

__all__ = ["examples"]


def _operator(name: str) -> np.ndarray:
    return np.array(printed_json("worked_examples.json")["slovenian_table_5_2"][name], float)


def _hull(name: str) -> RocHull:
    points = _operator(name)
    return hull_of_curve(curve_from_points(points[:, 0], points[:, 1]))


def _b_above_a() -> str:
    grid = np.linspace(0, 1, 201)[1:-1]
    return "B above A" if np.all(_hull("B").at(grid) > _hull("A").at(grid)) else "the hulls cross"


def _undominated_of_a() -> str:
    curves = {name: curve_from_points(_operator(name)[:, 0], _operator(name)[:, 1]) for name in "AB"}
    points = [one for one in pareto_front_of(curves).points if one.classifier == "A"]
    return " and ".join(f"({one.fpr:g}, {one.tpr:g})" for one in points) or "none"


def _area_a() -> float:
    points = _operator("A")
    return trapezoid(curve_from_points(points[:, 0], points[:, 1]))


def _reversed_perfect() -> float:
    return auc(Tally.from_samples(np.array([0.0, 1.0]), np.array([2.0, 3.0])))


def examples(data: Path | None) -> list[PrintedExample]:
    """All examples of the chapter; none needs outside data."""
    ten = "table 5.3"
    return [
        PrintedExample(
            where="table 5.2", quantity="hulls of the radar operators", printed="B above A", ours=_b_above_a
        ),
        reference("table 5.2", "area of operator A, trapezoids", 0.5675, _area_a),
        reference("table 5.2", "area of the hull of A", 0.60, lambda: _hull("A").area),
        PrintedExample(
            where=ten,
            quantity="false positive rates",
            printed=(0, 0, 0.2, 0.2, 0.4, 1),
            ours=lambda: roc_curve(slovenian10()).fpr,
        ),
        PrintedExample(
            where=ten,
            quantity="true positive rates",
            printed=(0, 0.2, 0.6, 0.8, 1, 1),
            ours=lambda: roc_curve(slovenian10()).tpr,
        ),
        reference(ten, "AUC", 0.86, lambda: auc(slovenian10())),
        reference(ten, "AUC, ties walked up first", 0.92, lambda: optimistic_auc(slovenian10())),
        reference(ten, "AUC, ties walked right first", 0.80, lambda: pessimistic_auc(slovenian10())),
        reference(ten, "tAUC", 0.376, lambda: tauc(roc_curve(slovenian10()))),
        reference(ten, "DeLong variance of the AUC", 0.0162, lambda: delong_variance(slovenian10(), 0.86)),
        reference(ten, "SPSS standard error", 0.126639, lambda: empirical_q_se(slovenian10()), 6),
        reference(ten, "SPSS significance", 0.060103, lambda: auc_test(slovenian10(), test="null").p_value, 6),
        reference(
            ten,
            "SPSS cut-offs",
            (-0.9, 0.215, 0.48, 0.715, 0.845, 1.89),
            lambda: sorted(coordinates(slovenian10(), rule="spss").thresholds),
        ),
        PrintedExample(
            where="AUC, interpretation",
            quantity="smallest possible AUC",
            printed=0.5,
            ours=_reversed_perfect,
            erratum="E40",
            correct=0.0,
        ),
        PrintedExample(
            where="table 5.2",
            quantity="points of A that no point of B beats, said to be none",
            printed="none",
            ours=_undominated_of_a,
            erratum="E50",
            correct="(0.4, 0.6) and (0.9, 0.85)",
        ),
        note("E13", "step 4 of the construction", "which way positives and negatives move"),
    ]
