"""Draws every figure of roclab from the bundled data, and writes the page that shows them.

``python docs/gallery/make_gallery.py`` writes docs/gallery.md and docs/gallery/figures/*.svg; ``--png FOLDER`` writes
pictures to look at instead.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

import roclab as rl
from roclab.curves.roc import RocCurve
from roclab.datasets import example_path, wines_path
from roclab.decisions.iso_performance import iso_line, tangent_points
from roclab.decisions.net_benefit import decision_curve
from roclab.inference.one_curve.bands import joint_rectangle
from roclab.plots import (
    draw_average,
    draw_calibration,
    draw_class_pairs,
    draw_comparison,
    draw_cost,
    draw_decision,
    draw_det,
    draw_differences,
    draw_distribution,
    draw_forest,
    draw_gain,
    draw_hull,
    draw_iso,
    draw_lift,
    draw_metrics,
    draw_multiclass,
    draw_precision_recall,
    draw_roc,
    draw_rocs,
    draw_smooth,
    draw_stability,
    draw_study,
    draw_trade_off,
    draw_troc,
    new_axes,
    save_figure,
)
from roclab.studies.designs import table_design
from roclab.studies.runner import run_study

EXAMPLE = {"label": "outcome", "pos_label": "deteriorated"}
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


def wines() -> tuple[list[str], np.ndarray]:
    """Classes and probabilities of the bundled wines."""
    with wines_path().open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    return [row["grape"] for row in rows], np.array([[float(row[name]) for name in GRAPES] for row in rows])


# -- the figures -----------------------------------------------------------------------------------


def roc() -> Axes:
    """ROC curve with its area, the interval of the area and a pointwise bootstrap band (``draw_roc``)."""
    r = roc_of("procalcitonin")
    ax = new_axes()
    return draw_roc(r.curve, ax, area=r.auc(), band=r.band(rng=1), label="procalcitonin")


def roc_points() -> Axes:
    """Operating points with joint confidence boxes, thresholds along the curve, axes in percent (``draw_roc``)."""
    r = roc_of("lactate")
    best, point = r.cutoff("youden").optima[0], r.at(threshold=1.5)
    boxes = {}
    for name, one in {"Youden": best, "fixed": point}.items():
        m = one.matrix
        boxes[name] = joint_rectangle(tp=m.tp, n_pos=m.tp + m.fn, fp=m.fp, n_neg=m.fp + m.tn)
    marked = {"Youden": best, "fixed": point}
    return draw_roc(r.curve, new_axes(), area=r.auc(), operating_points=marked, boxes=boxes, thresholds=6, percent=True)


def roc_partial() -> Axes:
    """Partial area, shaded, with its value in the legend (``draw_roc``)."""
    r = roc_of("lactate")
    area = r.partial_auc(fpr=(0, 0.2))
    return draw_roc(r.curve, new_axes(), area=area, shade_fpr=(0, 0.2), label="lactate up to FPR 0.2")


def roc_ties() -> Axes:
    """A rating with five values: ties crossed diagonally, and by the best and the worst order (``Roc.walked``)."""
    r = roc_of("concern")
    ax = draw_roc(r.curve, new_axes(), label="expected: diagonal")
    draw_roc(r.walked("optimistic"), ax, label="optimistic: up, then right")
    return draw_roc(r.walked("pessimistic"), ax, label="pessimistic: right, then up")


def roc_crosses() -> Axes:
    """Limits of both rates at every threshold, and the whole area shaded (``draw_roc``)."""
    r = roc_of("concern")
    return draw_roc(r.curve, new_axes(), area=r.auc(), band=r.band(kind="thresholds"), shade=True, label="concern")


def roc_several() -> Axes:
    """Several markers of the same patients; colours and dashes each suffice alone (``draw_rocs``)."""
    curves = {name: roc_of(name) for name in MARKERS}
    areas = {name: one.auc() for name, one in curves.items()}
    return draw_rocs({name: one.curve for name, one in curves.items()}, new_axes(), areas=areas)


def troc() -> Axes:
    """TROC curves between the curves of a perfect and of a useless score (``draw_troc``)."""
    ax = new_axes(lines_below=4)
    for name in ("procalcitonin", "concern"):
        r = roc_of(name)
        draw_troc(r.troc(), ax, area=r.tauc(), label=name)
    return ax


def iso_roc() -> Axes:
    """Lines of equal accuracy in ROC space, and the best of them touching the curve (``draw_iso``)."""
    return _iso("roc")


def iso_troc() -> Axes:
    """The same lines in tROC space are parabolas (``draw_iso``)."""
    return _iso("troc")


def _iso(space: str) -> Axes:
    r = roc_of("procalcitonin")
    lines = [iso_line("accuracy", value, prevalence=0.3) for value in (0.5, 0.6, 0.7, 0.8, 0.9)]
    touch = tangent_points(r.curve, lines[0].slope)
    return draw_iso(lines, new_axes(), curve=r.curve, tangent=touch, space=space, label="procalcitonin")


def iso_precision() -> Axes:
    """Lines of equal precision meet in the origin (``draw_iso``)."""
    r = roc_of("lactate")
    lines = [iso_line("precision", value, prevalence=0.3) for value in (0.3, 0.4, 0.5, 0.6, 0.8)]
    return draw_iso(lines, new_axes(), curve=r.curve, label="lactate")


def hull() -> Axes:
    """Joint convex hull of two markers and a nurse: who is best for which slopes (``draw_hull``)."""
    curves = {name: roc_of(name).curve for name in ("lactate", "concern")}
    table = rl.hull({**curves, "nurse": [(0.12, 0.62)]})
    return draw_hull(table, new_axes(), curves=curves)


def precision_recall() -> Axes:
    """Precision-recall curves with lines of equal F-measure and of the prevalence (``draw_precision_recall``)."""
    ax = new_axes()
    for name in ("procalcitonin", "concern"):
        r = roc_of(name)
        area = r.auc("average_precision", interval="percentile", rng=1)
        draw_precision_recall(r.precision_recall(), ax, area=area, label=name)
    return ax


def det() -> Axes:
    """DET curves on normal-deviate axes (``draw_det``)."""
    ax = new_axes()
    for name in MARKERS:
        draw_det(roc_of(name).det(), ax, label=name)
    return ax


def cost() -> Axes:
    """Cost curves: lines of single thresholds, their lower envelope, the cost without the score (``draw_cost``)."""
    ax = new_axes(ratio=0.75)
    for name in ("procalcitonin", "concern"):
        draw_cost(roc_of(name).cost(), ax, label=name, lines=name == "procalcitonin")
    return ax


def gain() -> Axes:
    """Cumulative gain (``draw_gain``)."""
    ax = new_axes()
    for name in ("procalcitonin", "lactate"):
        draw_gain(roc_of(name).gain(), ax, label=name)
    return ax


def lift() -> Axes:
    """Lift (``draw_lift``)."""
    ax = new_axes(ratio=0.75)
    for name in ("procalcitonin", "lactate"):
        draw_lift(roc_of(name).gain(), ax, label=name, percent=True)
    return ax


def metrics() -> Axes:
    """Metrics against the threshold, with the cut-off of the largest Youden index (``draw_metrics``)."""
    r = roc_of("lactate")
    shown = ("sensitivity", "specificity", "ppv", "youden_j")
    return draw_metrics(
        r.coordinates(), new_axes(ratio=0.75, lines_below=3), metrics=shown, cutoff=r.cutoff("youden").threshold
    )


def trade_off() -> Axes:
    """Any measure against any other: the predictive values, coloured by the threshold (``draw_trade_off``)."""
    r = roc_of("lactate")
    return draw_trade_off(r.coordinates(), new_axes(ratio=0.8), x="for", y="ppv", cutoff=r.cutoff("youden").threshold)


def stability() -> Axes:
    """The cut-offs that bootstrap samples choose (``draw_stability``)."""
    found = roc_of("lactate").cutoff_stability("youden", resampling=1000, rng=1)
    return draw_stability(found, new_axes(ratio=0.7, lines_below=5))


def histogram() -> Axes:
    """Scores of both classes on a logarithmic axis (``draw_distribution``)."""
    r = roc_of("procalcitonin")
    return draw_distribution(r.tally, new_axes(ratio=0.7), log=True, cutoff=r.cutoff("youden").threshold)


def density() -> Axes:
    """Kernel densities of both classes (``draw_distribution``)."""
    return draw_distribution(roc_of("lactate").tally, new_axes(ratio=0.7), kind="density", cutoff=2.0)


def dots() -> Axes:
    """Dot diagram: one mark per patient (``draw_distribution``)."""
    r = roc_of("lactate")
    return draw_distribution(r.tally, new_axes(), kind="dots", cutoff=r.cutoff("youden").threshold)


def calibration() -> Axes:
    """Reliability of two fitted models with Wilson intervals and the cases per bin (``draw_calibration``)."""
    ax = new_axes(lines_below=2)
    for name, one in probabilities().items():
        draw_calibration(one.calibration(), ax, label=name, counts=name == "all three")
    return ax


def decision() -> Axes:
    """Decision curves of two fitted models (``draw_decision``)."""
    models = {name: one.tally for name, one in probabilities().items()}
    return draw_decision(decision_curve(models), new_axes(ratio=0.75))


def _folds() -> tuple[rl.Cases, dict[str, RocCurve]]:
    cases = rl.read_cases(example_path(), **EXAMPLE, score="lactate", folds="ward")
    return cases, {name: rl.roc(part).curve for name, part in cases.by_fold().items()}


def average_vertical() -> Axes:
    """Vertical average over five wards with limits of the mean (``draw_average``)."""
    cases, curves = _folds()
    return draw_average(rl.average(cases), new_axes(), curves=curves)


def average_threshold() -> Axes:
    """Average by thresholds: limits in both directions (``draw_average``)."""
    cases, curves = _folds()
    return draw_average(rl.average(cases, how="threshold", points=12), new_axes(), curves=curves)


def multiclass() -> Axes:
    """Three classes, each against the rest, and one of the averages (``draw_multiclass``)."""
    truth, table = wines()
    found = rl.multiclass(truth, table)
    curves = {name: rl.roc([one == name for one in truth], table[:, at]).curve for at, name in enumerate(GRAPES)}
    return draw_multiclass(found, new_axes(), curves=curves, average="hand_till")


def class_pairs() -> Axes:
    """Areas of all pairs of classes (``draw_class_pairs``)."""
    return draw_class_pairs(rl.multiclass(*wines()), new_axes(ratio=0.9))


def forest() -> Axes:
    """Areas with their intervals (``draw_forest``)."""
    return draw_forest(rl.area_table(example_path(), **EXAMPLE, score=MARKERS), new_axes("double", ratio=0.25))


def comparison() -> Axes:
    """All pairwise differences of areas with adjusted p-values (``draw_comparison``)."""
    return draw_comparison(rl.compare(example_path(), **EXAMPLE, score=MARKERS), new_axes(ratio=0.9))


def differences() -> Axes:
    """The same differences with their intervals (``draw_differences``)."""
    return draw_differences(rl.compare(example_path(), **EXAMPLE, score=MARKERS), new_axes("double", ratio=0.25))


def smooth() -> Axes:
    """Smooth curves over the empirical one (``draw_smooth``)."""
    r = roc_of("lactate")
    ax = draw_roc(r.curve, new_axes(), area=r.auc(), label="empirical", color="#B5B5B5", linestyle="-")
    for method in ("binormal", "kernel_k2"):
        draw_smooth(r.smooth(method), ax)
    return ax


def study() -> Axes:
    """Bias of seven estimators in a short simulation study, with two Monte-Carlo standard errors (``draw_study``)."""
    found = run_study(table_design("I"), replicates=60, rng=1)
    return draw_study(found, new_axes("double", ratio=0.4, lines_below=2))


FIGURES: dict[str, Callable[[], Axes]] = {
    one.__name__: one
    for one in (
        roc, roc_points, roc_partial, roc_ties, roc_crosses, roc_several, troc, iso_roc, iso_troc, iso_precision,
        hull, precision_recall, det, cost, gain, lift, metrics, trade_off, stability, histogram, density, dots,
        calibration, decision,
        average_vertical, average_threshold, multiclass, class_pairs, forest, comparison, differences, smooth, study,
    )
}  # fmt: skip


PAGE = """# Gallery

Every figure below is drawn by `docs/gallery/make_gallery.py` from the data that come with roclab. Each function of
`roclab.plots` takes a finished result and axes, draws, and returns the axes; nothing is computed on the way, so figures
and tables show the same digits.

```python
import roclab as rl
from roclab.datasets import example_path
from roclab.plots import draw_roc, new_axes, save_figure

r = rl.roc(example_path(), label="outcome", pos_label="deteriorated", score="lactate")
ax = draw_roc(r.curve, new_axes("single"), area=r.auc(), label="lactate")
save_figure(ax, "lactate.svg")  # or .pdf, .png
```

The short way is `r.plot(band="pointwise", cutoff="youden")`, on the command line `roclab plot`. Users of scikit-learn
find `RocDisplay`, `PrecisionRecallDisplay`, `DetDisplay` and `CalibrationDisplay` in `roclab.compat.displays`, with
`from_predictions`, `from_estimator` and `from_cv_results`.

`new_axes("single")` is 85 mm wide, `new_axes("double")` 180 mm: the columns of a printed page. Colours are those of
Okabe and Ito; dashes, hatches and markers tell the same in a grey print.
"""


def page() -> str:
    """The page: every figure under its caption."""
    parts = [PAGE]
    for name, draw in FIGURES.items():
        caption = (draw.__doc__ or "").replace("``", "`")
        parts.append(f"## {name.replace('_', ' ')}\n\n{caption}\n\n![{name}](gallery/figures/{name}.svg)\n")
    return "\n".join(parts)


def main() -> None:
    """Draw all figures, or those named, and write the page."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only", nargs="+", default=list(FIGURES), choices=list(FIGURES), metavar="NAME")
    asked.add_argument("--png", metavar="FOLDER", type=Path, help="PNG files in this folder, and no page")
    given = asked.parse_args()
    here = Path(__file__).parent
    folder = given.png or here / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    for name in given.only:
        save_figure(FIGURES[name](), folder / f"{name}.{'png' if given.png else 'svg'}")
    if given.png is None:
        here.with_suffix(".md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
