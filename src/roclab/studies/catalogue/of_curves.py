"""Our values about curves and decisions that take more than one call; many answer a claim in the words of its text."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab.areas.empirical import trapezoid
from roclab.areas.partial import partial_area
from roclab.areas.tauc import t2auc, t2auc_as_published, tauc
from roclab.averaging.by_threshold import threshold_average
from roclab.combining.boolean import combine_points
from roclab.combining.interpolate import interpolate
from roclab.curves.cost import cost_curve
from roclab.curves.det import det_curve
from roclab.curves.hull import hull_of_curve
from roclab.curves.precision_recall import precision_recall_curve
from roclab.curves.roc import RocCurve, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix, confusion_at
from roclab.decisions.costs import lowest_cost
from roclab.decisions.cutoffs import find_cutoff
from roclab.decisions.dominance import pareto_front_of
from roclab.decisions.hull_table import hull_table
from roclab.decisions.iso_performance import iso_line_through
from roclab.decisions.lc_index import lc_index
from roclab.options.criterion import CriterionOptions
from roclab.studies.catalogue.samples import made_up, sample_of

__all__ = [
    "accuracy_at", "best", "best_accuracy", "better_way_round", "both_of_tie", "cheapest", "coin_share", "combine",
    "cost_at", "det_point", "early_weight", "higher_hull", "higher_threshold", "hull_ranges", "lc", "metric",
    "negated_hits", "negated_point", "partial_of", "precision_and_f", "preferred_by_t2auc", "threshold_point",
    "troc_isometric", "undominated",
]  # fmt: skip


def accuracy_at(tally: Tally, threshold: float) -> float:
    """Accuracy at a threshold."""
    return confusion_at(tally, threshold).metrics()["accuracy"]


def best(tally: Tally, criterion: str, **options: Any) -> tuple[float, float, float]:
    """Threshold, false and true positive rate of the best cut-off."""
    found = find_cutoff(tally, CriterionOptions(criterion=criterion, **options)).best
    return found.threshold, found.fpr, found.tpr


def best_accuracy(tally: Tally) -> float:
    """The highest accuracy of a score."""
    return float(find_cutoff(tally, CriterionOptions(criterion="accuracy")).value)


def cheapest(curve: RocCurve, **costs: float) -> tuple[float, float, float]:
    """The point of lowest expected cost, and that cost."""
    found = lowest_cost(curve, **costs)
    return found.fpr, found.tpr, found.cost


def metric(name: str, tp: int, fp: int, fn: int, tn: int) -> float:
    """One metric of a confusion matrix."""
    return ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn).metrics()[name]


def negated_hits() -> str:
    """What becomes of true positives when every call is turned."""
    tally = sample_of("fawcett20", None)
    before, after = confusion_at(tally, 0.54), confusion_at(tally.reversed(), 0.5399)
    return "false negatives" if after.fn == before.tp and after.fp == before.tn else "false positives"


def negated_point(fpr: float, tpr: float) -> tuple[float, float]:
    """Where the point of a classifier lies when its calls are turned, from ten cases of each class."""
    tp, fp = round(10 * tpr), round(10 * fpr)
    tally = Tally.from_counts(np.array([1.0, 0.0]), np.array([tp, 10 - tp]), np.array([fp, 10 - fp]))
    curve = roc_curve(tally.reversed())
    return float(curve.fpr[1]), float(curve.tpr[1])


def higher_threshold() -> str:
    """What a higher threshold does."""
    curve = roc_curve(sample_of("fawcett20", None))
    return "lowers sensitivity" if np.all(np.diff(curve.tpr) >= 0) else "raises sensitivity"


def precision_and_f(curve: RocCurve, skew: float) -> tuple[float, float]:
    """Precision and F at recall 0.5."""
    found = precision_recall_curve(curve, skew=skew)
    precision = float(found.precision[int(np.argmax(found.recall == 0.5))])
    return precision, 2 * precision * 0.5 / (precision + 0.5)


def det_point(curve: RocCurve, fpr: float, fnr: float) -> tuple[float, float]:
    """A vertex in normal deviates."""
    found = det_curve(curve)
    at = int(np.argmax((found.fpr == fpr) & (found.fnr == fnr)))
    return float(found.x[at]), float(found.y[at])


def cost_at(curve: RocCurve, *x: float) -> Any:
    """The lower envelope of the cost lines."""
    return cost_curve(curve).at(list(x))


def combine(operation: Any, *points: tuple[float, float]) -> Any:
    """AND or OR of independent classifiers."""
    return combine_points(points, operation=operation).independent


def coin_share(first: tuple[float, float], second: tuple[float, float], *, fpr: float) -> float:
    """How often the second of two classifiers decides, for a false positive rate between theirs."""
    return interpolate(first, second, fpr=fpr).share


def higher_hull(first: RocCurve, second: RocCurve) -> str:
    """Whose hull lies above the other's, of two operators A and B."""
    grid = np.linspace(0, 1, 201)[1:-1]
    a, b = (hull_of_curve(one).at(grid) for one in (first, second))
    return "B above A" if np.all(b > a) else "A above B" if np.all(a > b) else "the hulls cross"


def undominated(first: RocCurve, second: RocCurve) -> str:
    """Points of the first that no point of the second beats."""
    points = [
        point for point in pareto_front_of({"first": first, "second": second}).points if point.classifier == "first"
    ]
    return " and ".join(f"({point.fpr:g}, {point.tpr:g})" for point in points) or "none"


def preferred_by_t2auc(weight: str) -> str:
    """Which of two mirrored curves has the larger t²AUC."""
    area = t2auc if weight == "corrected" else t2auc_as_published
    low, high = (area(roc_curve(sample_of(name, None))) for name in ("tied", "mirrored"))
    return "the curve that is better at low FPR" if low > high else "the curve that is better at high FPR"


def both_of_tie(area: str) -> tuple[float, float]:
    """AUC or tAUC of a curve and of its mirror image."""
    curves = [roc_curve(sample_of(name, None)) for name in ("tied", "mirrored")]
    low, high = ((tauc if area == "tauc" else trapezoid)(curve) for curve in curves)
    return low, high


def better_way_round(tally: Tally) -> float:
    """The larger tAUC of a score and of the score negated."""
    return max(tauc(roc_curve(tally)), tauc(roc_curve(tally.reversed())))


def threshold_point(*, as_published: bool) -> tuple[float, float]:
    """Mean rates at the threshold 2 of two curves: positives of score 3 and 2, each with a negative of score 1."""
    curves = [roc_curve(Tally.from_samples(np.array([high]), np.array([1.0]))) for high in (3.0, 2.0)]
    average = threshold_average(curves, names=["1", "2"], as_published=as_published)
    at = int(np.argmax(average.thresholds == 2.0))
    return float(average.fpr[at]), float(average.tpr[at])


def early_weight() -> str:
    """Does the weight sqrt(1 - f) put more on FPR below 0.1 than the weight 1 - f of tAUC?"""
    half, one = (1 - 0.9 ** (power + 1) for power in (0.5, 1.0))
    return "more" if half > one else "less"


def partial_of(curve: RocCurve, standardize: Any, **region: tuple[float, float]) -> float:
    """A partial area, standardised."""
    return partial_area(curve, **region).standardised(standardize)


def troc_isometric(name: Any, fpr: float, tpr: float, *, skew: float, at: float) -> float:
    """Height in tROC space of the line of equal values through a point."""
    return float(iso_line_through(name, fpr, tpr, skew=skew).troc_at(np.array([at]))[0])


def hull_ranges() -> str:
    """Who is best for which slopes, of four classifiers."""
    classifiers = {
        name: [tuple(p) for p in points] for name, points in made_up("hull_table_4_classifiers")["classifiers"].items()
    }
    rows = hull_table(classifiers).rows()
    return "; ".join(f"{row['method']} {row['min slope']:.4g} to {row['max slope']:.4g}" for row in rows)


def lc() -> float:
    """The LC index of two classifiers."""
    given = made_up("lc_index_a")
    curves = [
        roc_curve(Tally.from_labels(np.array(one["labels"], bool), np.array(one["scores"], float)))
        for one in (given["classifier1"], given["classifier2"])
    ]
    return lc_index(
        *curves, prevalence=given["p_pos"], interval=tuple(given["interval"]), mode=given["mode"], names=("1", "2")
    ).index
