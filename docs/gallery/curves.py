"""Curves: each function draws one figure of the gallery."""

from __future__ import annotations

from examples import (
    GRAPES,
    MARKERS,
    average_curves,
    class_curves,
    operators,
    read_classes,
    roc_of,
    ward_folds,
    wines_path,
)
from matplotlib.axes import Axes

import roclab as rl
from roclab.plots import (
    draw_average,
    draw_class_pairs,
    draw_det,
    draw_gain,
    draw_lift,
    draw_multiclass,
    draw_precision_recall,
    draw_roc,
    draw_rocs,
    draw_smooth,
    draw_troc,
    draw_walk,
    new_axes,
)


def roc() -> Axes:
    """ROC curve with its area, the interval of the area and a pointwise band (``draw_roc``)."""
    r = roc_of("procalcitonin")
    ax = new_axes()
    return draw_roc(r.curve, ax, area=r.auc(), band=r.band(), label="procalcitonin")


def roc_points() -> Axes:
    """Operating points with joint confidence boxes, thresholds along the curve, axes in percent (``draw_roc``)."""
    r = roc_of("lactate")
    marked = {"Youden": r.cutoff("youden").optima[0], "fixed": r.at(threshold=1.5)}
    boxes = {name: r.rectangle(point.threshold) for name, point in marked.items()}
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


def roc_bands() -> Axes:
    """Bands of several curves, the specificity from 1 to 0, two decimals, names for print (``draw_rocs``)."""
    curves = {"Procalcitonin": roc_of("procalcitonin"), "Concern of the nurse": roc_of("concern")}
    return draw_rocs(
        {name: one.curve for name, one in curves.items()},
        new_axes(),
        areas={name: one.auc() for name, one in curves.items()},
        bands={name: one.band() for name, one in curves.items()},
        specificity_axis=True,
        digits=2,
    )


def points() -> Axes:
    """Published points of two radar operators, marked and with their coordinates (``draw_rocs``)."""
    curves = {name: one.curve for name, one in operators().items()}
    return draw_rocs(curves, new_axes(), labels=True)


def walk() -> Axes:
    """A small sample: each positive a step up, each negative a step right, ties slanted (``draw_walk``)."""
    r = rl.roc([1, 1, 1, 0, 1, 1, 0, 0, 0, 0], [0.89, 0.8, 0.8, 0.8, 0.63, 0.33, 0.33, 0.1, 0.1, 0.1])
    return draw_walk(r.tally, new_axes())


def troc() -> Axes:
    """TROC curves between the curves of a perfect and of a useless score (``draw_troc``)."""
    ax = new_axes(lines_below=4)
    for name in ("procalcitonin", "concern"):
        r = roc_of(name)
        draw_troc(r.troc(), ax, area=r.tauc(), label=name)
    return ax


def troc_mirror() -> Axes:
    """A tROC curve and its mirror image, each with its own area (``draw_troc``)."""
    r = roc_of("lactate")
    other = r.mirrored().tauc()
    return draw_troc(r.troc(), new_axes(), area=r.tauc(), mirror=True, mirror_area=other, label="lactate")


def precision_recall() -> Axes:
    """Precision-recall curves with lines of equal F-measure and of the prevalence (``draw_precision_recall``)."""
    ax = new_axes()
    for name in ("procalcitonin", "concern"):
        r = roc_of(name)
        area = r.auc("average_precision", interval="percentile", rng=1)
        draw_precision_recall(r.precision_recall(), ax, area=area, label=name)
    return ax


def pr_band() -> Axes:
    """A precision-recall curve with its pointwise band (``draw_precision_recall``)."""
    r = roc_of("lactate")
    area = r.auc("average_precision")
    return draw_precision_recall(r.precision_recall(), new_axes(), area=area, label="lactate", band=r.precision_band())


def det() -> Axes:
    """DET curves on normal-deviate axes (``draw_det``)."""
    ax = new_axes()
    for name in MARKERS:
        draw_det(roc_of(name).det(), ax, label=name)
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


def smooth() -> Axes:
    """Smooth curves over the empirical one (``draw_smooth``)."""
    r = roc_of("lactate")
    ax = draw_roc(r.curve, new_axes(), area=r.auc(), label="empirical", color="#B5B5B5", linestyle="-")
    for method in ("binormal", "kernel_k2"):
        draw_smooth(r.smooth(method), ax)
    return ax


def exponential() -> Axes:
    """England's exponential curves: E sets the area, R how the curve leans (``draw_smooth``)."""
    ax = new_axes()
    for E, R in [(2, 0.5), (4, 0), (4, 0.5), (4, 1), (9, 0.5)]:
        draw_smooth(rl.exponential_curve(E, R), ax, label=f"E {E}, R {R}")
    return ax


def smooth_models() -> Axes:
    """Smooth curves of several models (``draw_smooth``)."""
    r = roc_of("procalcitonin")
    ax = draw_roc(r.curve, new_axes(), area=r.auc(), label="empirical", color="#B5B5B5", linestyle="-")
    for method in ("binormal", "box_cox", "kernel_k1", "log_concave"):
        draw_smooth(r.smooth(method), ax)
    return ax


def average_vertical() -> Axes:
    """Vertical average over five wards with limits of the mean (``draw_average``)."""
    cases, curves = ward_folds()
    return draw_average(rl.average(cases, spread="t"), new_axes(), curves=curves)


def average_threshold() -> Axes:
    """Average by thresholds: limits in both directions (``draw_average``)."""
    cases, curves = ward_folds()
    return draw_average(rl.average(cases, how="threshold", points=12, spread="t"), new_axes(), curves=curves)


def average_pooled() -> Axes:
    """One curve of all cases together over the curves of the wards (``draw_average``)."""
    cases, curves = ward_folds()
    return draw_average(rl.average(cases, how="pooled"), new_axes(), curves=curves)


def average_band() -> Axes:
    """The same average with a band (``draw_average``)."""
    cases, curves = ward_folds()
    return draw_average(rl.average(cases, spread="t"), new_axes(), curves=curves, spread_as="band")


def average_boxes() -> Axes:
    """Box plots of the curves that were averaged (``draw_average``)."""
    cases, curves = ward_folds()
    return draw_average(rl.average(cases, spread="t"), new_axes(), curves=curves, spread_as="boxes")


def multiclass() -> Axes:
    """Three classes, each against the rest, with the curves of the micro and macro averages (``draw_multiclass``)."""
    grapes = read_classes(wines_path(), label="grape", score=GRAPES)
    curves, averages = class_curves(grapes), average_curves(grapes)
    return draw_multiclass(rl.multiclass(grapes), new_axes(), curves=curves, averages=averages)


def class_pairs() -> Axes:
    """Areas of all pairs of classes (``draw_class_pairs``)."""
    return draw_class_pairs(rl.multiclass(wines_path(), label="grape", score=GRAPES), new_axes(ratio=0.9))
