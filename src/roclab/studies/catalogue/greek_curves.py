"""The Greek thesis, chapter 2: Fawcett's curves and algorithms, combinations, and other ways to draw performance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.types import Floats
from roclab.areas.empirical import auc, gini
from roclab.combining.boolean import combine_points
from roclab.combining.interpolate import interpolate
from roclab.curves.cost import cost_curve
from roclab.curves.det import det_curve
from roclab.curves.hull import RocHull, hull_of_curve
from roclab.curves.precision_recall import precision_recall_curve
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix, confusion_at
from roclab.decisions.cutoffs import CutoffResult, find_cutoff
from roclab.options.criterion import CriterionOptions
from roclab.studies.catalogue.shared import fawcett20, note, printed_json, reference, slovenian10, tally_of
from roclab.studies.verdicts import PrintedExample

__all__ = ["examples"]

C1, C2 = (0.2, 0.8), (0.4, 0.6)


def _perfect10() -> Tally:
    return tally_of(printed_json("worked_examples.json")["greek_fig_2_4"])


def _accuracy(tally: Tally, threshold: float) -> float:
    return confusion_at(tally, threshold).metrics()["accuracy"]


def _hull() -> RocHull:
    return hull_of_curve(roc_curve(fawcett20()))


def _best(criterion: str, **options: Any) -> tuple[float, float, float]:
    found: CutoffResult = find_cutoff(fawcett20(), CriterionOptions(criterion=criterion, **options))
    return found.best.threshold, found.best.fpr, found.best.tpr


def _x11() -> ConfusionMatrix:
    return ConfusionMatrix(tp=4231, fp=632, fn=3077, tn=2394)


def _algorithm_4_as_printed(tally: Tally) -> float:
    """Counts of a step are added up as trapezoids, but the last one ends at (1, 1) instead of (N, P)."""
    curve = roc_curve(tally)
    fp, tp = np.rint(curve.fpr * tally.n_neg), np.rint(curve.tpr * tally.n_pos)
    area = float(np.sum(np.diff(fp[:-1]) * (tp[1:-1] + tp[:-2])) / 2)
    last = abs(1 - fp[-2]) * (1 + tp[-2]) / 2
    return (area + float(last)) / float(tally.n_neg * tally.n_pos)


def _algorithm_3(fpr: Floats, tpr: Floats, *, as_printed: bool) -> int:
    """Vertices that remain when concavities are removed by comparing slopes of neighbouring segments."""
    kept: list[tuple[float, float]] = []
    for point in zip(fpr.tolist(), tpr.tolist(), strict=True):
        while len(kept) > 1:
            before, after = _slope(kept[-2], kept[-1]), _slope(kept[-1], point)
            if before < after if as_printed else before > after:
                break
            kept.pop()
        kept.append(point)
    return len(kept)


def _slope(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(np.inf) if b[0] == a[0] else round((b[1] - a[1]) / (b[0] - a[0]), 12)


def _negated_hits() -> str:
    """What becomes of true positives when every call is turned."""
    tally, turned = fawcett20(), fawcett20().reversed()
    before, after = confusion_at(tally, 0.54), confusion_at(turned, 0.5399)
    return "false negatives" if after.fn == before.tp and after.fp == before.tn else "false positives"


def _pair(value: Any) -> tuple[float, float]:
    return float(value[0]), float(value[1])


def _pr(skew: float) -> tuple[float, float]:
    """Precision and F at recall 0.5, false positive rate 0.1."""
    curve = precision_recall_curve(roc_curve(fawcett20()), skew=skew)
    at = int(np.argmax(curve.recall == 0.5))
    precision = float(curve.precision[at])
    return precision, 2 * precision * 0.5 / (precision + 0.5)


def _figures() -> list[PrintedExample]:
    fig = "figure 2.3"
    return [
        reference(fig, "AUC", 0.68, lambda: auc(fawcett20())),
        reference(fig, "Gini coefficient", 0.36, lambda: gini(fawcett20())),
        PrintedExample(
            where=fig,
            quantity="best accuracy",
            printed=0.70,
            ours=lambda: find_cutoff(fawcett20(), CriterionOptions(criterion="accuracy")).value,
        ),
        PrintedExample(
            where=fig, quantity="its threshold and point", printed=(0.54, 0.1, 0.5), ours=lambda: _best("accuracy")
        ),
        PrintedExample(where=fig, quantity="accuracy at 0.5", printed=0.60, ours=lambda: _accuracy(fawcett20(), 0.5)),
        reference(fig, "area of the hull", 0.755, lambda: _hull().area),
        reference(fig, "hull, false positive rates", (0, 0, 0.1, 0.5, 0.9, 1), lambda: _hull().fpr),
        reference(fig, "hull, true positive rates", (0, 0.2, 0.5, 0.8, 1, 1), lambda: _hull().tpr),
        reference(fig, "Youden's cut-off and point", (0.54, 0.1, 0.5), lambda: _best("youden")),
        reference(fig, "cut-off nearest to (0, 1) and point", (0.51, 0.3, 0.6), lambda: _best("closest_to_corner")),
        reference(
            fig, "Neyman-Pearson, FPR at most 0.25", (0.54, 0.1, 0.5), lambda: _best("neyman_pearson", max_fpr=0.25)
        ),
        PrintedExample(where="figure 2.4", quantity="AUC", printed=1.0, ours=lambda: auc(_perfect10())),
        PrintedExample(
            where="figure 2.4", quantity="accuracy at 0.5", printed=0.80, ours=lambda: _accuracy(_perfect10(), 0.5)
        ),
        PrintedExample(
            where="figure 2.4", quantity="accuracy at 0.6", printed=0.90, ours=lambda: _accuracy(_perfect10(), 0.6)
        ),
    ]


def _algorithms() -> list[PrintedExample]:
    return [
        PrintedExample(
            where="figure 2.1",
            quantity="F-score of X11 by the printed formula",
            printed=lambda: _x11().metrics()["ppv"] * _x11().metrics()["tpr"],
            ours=lambda: _x11().metrics()["f1"],
            digits=3,
            erratum="E1",
            correct=0.695259,
            correct_digits=6,
        ),
        PrintedExample(
            where="algorithm 3 line 9, on figure 2.3",
            quantity="vertices of the hull by the printed comparison",
            printed=lambda: float(
                _algorithm_3(roc_curve(fawcett20()).fpr, roc_curve(fawcett20()).tpr, as_printed=True)
            ),
            ours=lambda: float(_hull().fpr.size),
            erratum="E2",
            correct=6.0,
        ),
        reference(
            "algorithm 3 with the comparison turned",
            "vertices of the hull",
            6,
            lambda: _algorithm_3(roc_curve(fawcett20()).fpr, roc_curve(fawcett20()).tpr, as_printed=False),
        ),
        PrintedExample(
            where="algorithm 4 line 16, on figure 2.3",
            quantity="AUC by the printed last line",
            printed=lambda: _algorithm_4_as_printed(fawcett20()),
            ours=lambda: auc(fawcett20()),
            digits=2,
            erratum="E3",
            correct=0.68,
        ),
        PrintedExample(
            where="algorithm 4 line 16, on the Slovenian ten cases",
            quantity="AUC by the printed last line",
            printed=lambda: _algorithm_4_as_printed(slovenian10()),
            ours=lambda: auc(slovenian10()),
            digits=2,
            erratum="E3",
            correct=0.86,
        ),
        PrintedExample(
            where="2.3.1",
            quantity="true positives of a negated classifier become",
            printed="false positives",
            ours=_negated_hits,
            erratum="E14",
            correct="false negatives",
        ),
    ]


def _combinations() -> list[PrintedExample]:
    chain = [(0.05, 0.4), (0.1, 0.6), (0.2, 0.7)]
    return [
        PrintedExample(
            where="2.8.7",
            quantity="share of the second classifier between FPR 0.1 and 0.4, for 0.3",
            printed=2 / 3,
            ours=lambda: interpolate((0.1, 0.5), (0.4, 0.8), fpr=0.3).share,
        ),
        PrintedExample(
            where="figure 2.11",
            quantity="AND of (0.2, 0.8) and (0.4, 0.6)",
            printed=(0.08, 0.42),
            ours=lambda: combine_points([C1, C2], operation="and").independent,
            erratum="E5",
            correct=(0.08, 0.48),
        ),
        PrintedExample(
            where="figure 2.11",
            quantity="OR of (0.2, 0.8) and (0.4, 0.6)",
            printed=(0.45, 0.9),
            ours=lambda: combine_points([C1, C2], operation="or").independent,
            erratum="E5",
            correct=(0.52, 0.92),
        ),
        reference(
            "2.8.9",
            "chain of three classifiers",
            (0.316, 0.928),
            lambda: combine_points(chain, operation="or").independent,
        ),
        note("E28", "2.8.5", "number of pairs of classes"),
    ]


def _alternatives() -> list[PrintedExample]:
    on = "on figure 2.3"
    return [
        reference(
            f"2.9.1, {on}",
            "DET point of (0.1, 0.5) in normal deviates",
            (-1.281552, 0.0),
            lambda: _pair(_det_point()),
            6,
        ),
        reference(
            f"2.9.2, {on}",
            "lower envelope of the cost lines at 0.25, 0.5, 0.75",
            (0.2, 0.3, 0.225),
            lambda: cost_curve(roc_curve(fawcett20())).at([0.25, 0.5, 0.75]),
        ),
        reference(f"2.4.2, {on}", "precision and F at skew 1", (0.833333, 0.625), lambda: _pr(1), 6),
        reference(f"2.4.2, {on}", "precision and F at skew 10", (0.333333, 0.4), lambda: _pr(10), 6),
    ]


def _det_point() -> tuple[float, float]:
    curve = det_curve(roc_curve(fawcett20()))
    at = int(np.argmax((curve.fpr == 0.1) & (curve.fnr == 0.5)))
    return float(curve.x[at]), float(curve.y[at])


def examples(data: Path | None) -> list[PrintedExample]:
    """All examples of the chapter; none needs outside data."""
    return [
        *_figures(),
        *_algorithms(),
        *_combinations(),
        *_alternatives(),
        note("E13", "2.5", "which way positives and negatives move"),
        note("E25", "2.8.1", "class shares in the expected cost, and the order of coordinates"),
        note("E26", "2.5.2", "left and right of a concavity"),
        note("E27", "2.6", "which of two curves falls below the other"),
        note("E29", "2.9.1-2.9.2", "axes of DET and cost curves"),
        note("E42", "algorithms 5 and 6", "a step of 0 never ends; vertices need their scores"),
    ]
