"""The data of the gallery: a marker, fitted probabilities, published points and folds of the bundled examples."""

from __future__ import annotations

import roclab as rl
from roclab.analysis.data import read_classes
from roclab.analysis.multiclass import average_curves, class_curves
from roclab.analysis.study import run_study, table_design
from roclab.curves.roc import RocCurve
from roclab.datasets import example_path, wines_path
from roclab.decisions.iso_performance import iso_line, tangent_points
from roclab.decisions.net_benefit import decision_curve

__all__ = [
    "EXAMPLE",
    "decision_curve",
    "GRAPES",
    "MARKERS",
    "average_curves",
    "class_curves",
    "example_path",
    "iso_line",
    "operators",
    "probabilities",
    "read_classes",
    "roc_of",
    "run_study",
    "table_design",
    "tangent_points",
    "ward_folds",
    "wines_path",
]

EXAMPLE = {"label": "outcome", "pos_label": "deteriorated"}
FOLLOWED = {"time": "days", "event": "ended", "cause": "relapse", "competing": "death", "censored": "lost"}
MARKERS = ["procalcitonin", "lactate", "concern"]
GRAPES = ["barbera", "barolo", "gamay"]


def roc_of(marker: str) -> rl.Roc:
    """A marker of the bundled example."""
    return rl.roc(example_path(), **EXAMPLE, score=marker)


def probabilities() -> dict[str, rl.Roc]:
    """Fitted probabilities of two models of the example."""
    one = rl.logistic(example_path(), **EXAMPLE, score=["lactate"]).roc
    two = rl.logistic(example_path(), **EXAMPLE, columns=MARKERS).roc
    return {"lactate alone": one, "all three": two}


def operators() -> dict[str, rl.Roc]:
    """Operating points of two radar operators."""
    return {
        "operator A": rl.Roc.from_points([0.2, 0.25, 0.4, 0.7, 0.9], [0.2, 0.3, 0.6, 0.8, 0.85]),
        "operator B": rl.Roc.from_points([0.1, 0.2, 0.5, 0.95], [0.15, 0.4, 0.8, 0.95]),
    }


def ward_folds() -> tuple[rl.results.Cases, dict[str, RocCurve]]:
    """Lactate in five wards, and the curve of each."""
    cases = rl.read_cases(example_path(), **EXAMPLE, score="lactate", folds="ward")
    return cases, {name: rl.roc(part).curve for name, part in cases.by_fold().items()}
