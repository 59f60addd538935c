"""Classifiers, costs and areas: each function draws one figure of the gallery."""

from __future__ import annotations

from examples import EXAMPLE, MARKERS, example_path, iso_line, operators, probabilities, roc_of, tangent_points
from matplotlib.axes import Axes

import roclab as rl
from roclab.plots import (
    draw_combination,
    draw_comparison,
    draw_cost,
    draw_crossings,
    draw_decision,
    draw_differences,
    draw_forest,
    draw_froc,
    draw_hull,
    draw_hulls,
    draw_iso,
    draw_lc_index,
    draw_model_tree,
    draw_nomogram,
    draw_pareto,
    draw_paretos,
    new_axes,
)


def iso_roc() -> Axes:
    """Lines of equal accuracy in ROC space, and the best of them touching the curve (``draw_iso``)."""
    r = roc_of("procalcitonin")
    lines = [iso_line("accuracy", value, prevalence=0.3) for value in (0.5, 0.6, 0.7, 0.8, 0.9)]
    touch = tangent_points(r.curve, lines[0].slope)
    return draw_iso(lines, new_axes(), curve=r.curve, tangent=touch, space="roc", label="procalcitonin")


def iso_troc() -> Axes:
    """The same lines in tROC space are parabolas (``draw_iso``)."""
    r = roc_of("procalcitonin")
    lines = [iso_line("accuracy", value, prevalence=0.3) for value in (0.5, 0.6, 0.7, 0.8, 0.9)]
    touch = tangent_points(r.curve, lines[0].slope)
    return draw_iso(lines, new_axes(), curve=r.curve, tangent=touch, space="troc", label="procalcitonin")


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


def bench_hulls() -> Axes:
    """Hulls of four classifiers of a bench, of their combinations, and of both (``draw_hulls``)."""
    found = rl.bench(
        "example", label="outcome", pos_label="deteriorated", exclude="patient", folds=5, rng=1, workers=1,
        models=["logistic", "naive_bayes", "knn", "tree"],
    )  # fmt: skip
    both = found.combine(["mean", "product", "vote"], second_level=["logistic"])
    return draw_hulls(both.hulls(), new_axes())


def froc() -> Axes:
    """Two detectors of lesions: sensitivity by false positives per scan, with intervals (``draw_froc``)."""
    asked = {"scans": [f"scan{at:02d}" for at in range(1, 61)], "resampling": 500, "rng": 1}
    found = {name: rl.imaging.froc(f"marks_{name}", "lesions", detector=name, **asked) for name in ("a", "b")}
    return draw_froc(found, new_axes())


def hull_scenarios() -> Axes:
    """Lines of equal cost of three scenarios, each touching the hull in its best point (``draw_hull``)."""
    curves = {name: roc_of(name) for name in MARKERS}
    conditions = {"screening": (0.02, 1, 20), "ward": (0.3, 1, 2), "before surgery": (0.3, 4, 1)}
    scenarios = {
        name: rl.classifiers.best_classifier(curves, prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn)
        for name, (prevalence, cost_fp, cost_fn) in conditions.items()
    }
    shown = {name: one.curve for name, one in curves.items()}
    return draw_hull(rl.hull(curves), new_axes(), curves=shown, scenarios=scenarios, slopes=False)


def pareto() -> Axes:
    """The points that nobody beats (``draw_pareto``)."""
    curves = {name: one.curve for name, one in operators().items()}
    return draw_pareto(rl.classifiers.pareto_front(operators()), new_axes(), curves=curves)


def fronts() -> Axes:
    """The fronts of two radar operators in one figure (``draw_paretos``)."""
    every = operators()
    found = {name: rl.classifiers.pareto_front({name: one}) for name, one in every.items()}
    return draw_paretos(found, new_axes(), curves={name: one.curve for name, one in every.items()})


def hulls() -> Axes:
    """The hulls of two markers in one figure (``draw_hulls``)."""
    curves = {name: roc_of(name).curve for name in ("lactate", "concern")}
    return draw_hulls({name: rl.hull({name: curve}) for name, curve in curves.items()}, new_axes())


def crossings() -> Axes:
    """Where two curves cross, and who leads at which false positive rates (``draw_crossings``)."""
    curves = {name: roc_of(name) for name in ("lactate", "concern")}
    shown = {name: one.curve for name, one in curves.items()}
    return draw_crossings(rl.classifiers.dominance(curves), new_axes(), curves=shown)


def combination() -> Axes:
    """AND and OR of two classifiers: what is possible, what independence would give (``draw_combination``)."""
    tests = {"test 1": (0.2, 0.8), "test 2": (0.4, 0.6)}
    both = [rl.classifiers.combine(tests, operation=operation).combination for operation in ("and", "or")]
    return draw_combination(both, new_axes(), names=list(tests))


def interpolation() -> Axes:
    """The classifier between two others that a coin reaches (``draw_combination``)."""
    coin = rl.classifiers.interpolate((0.1, 0.5), (0.4, 0.8), fpr=0.3)
    return draw_combination([], new_axes(), names=["careful", "bold"], between=coin)


def cost() -> Axes:
    """Cost curves: lines of single thresholds, their lower envelope, the cost without the score (``draw_cost``)."""
    ax = new_axes(ratio=0.75)
    for name in ("procalcitonin", "concern"):
        draw_cost(roc_of(name).cost(), ax, label=name, lines=name == "procalcitonin")
    return ax


def lc_index() -> Axes:
    """For which costs each of two classifiers loses less, and the LC index (``draw_lc_index``)."""
    found = rl.classifiers.lc_index(operators(), prevalence=0.5, shares=(0.1, 0.4, 0.9))
    return draw_lc_index(found.pairs, new_axes(ratio=0.5))


def decision() -> Axes:
    """Decision curves of two fitted models (``draw_decision``)."""
    return draw_decision(rl.net_benefit(probabilities()), new_axes(ratio=0.75))


def forest() -> Axes:
    """Areas with their intervals (``draw_forest``)."""
    return draw_forest(rl.auc(example_path(), **EXAMPLE, score=MARKERS), new_axes("double", ratio=0.25))


def forest_groups() -> Axes:
    """One marker in five wards, and their common area (``draw_forest``)."""
    found = rl.auc(example_path(), **EXAMPLE, score="lactate", by="ward")
    return draw_forest(found, new_axes("double", ratio=0.3))


def comparison() -> Axes:
    """All pairwise differences of areas with adjusted p-values (``draw_comparison``)."""
    return draw_comparison(rl.compare(example_path(), **EXAMPLE, score=MARKERS), new_axes(ratio=0.9))


def differences() -> Axes:
    """The same differences with their intervals (``draw_differences``)."""
    return draw_differences(rl.compare(example_path(), **EXAMPLE, score=MARKERS), new_axes("double", ratio=0.25))


def model_tree() -> Axes:
    """The first questions of a classification tree, with the classes of the cases (``draw_model_tree``)."""
    bench = rl.bench(example_path(), **EXAMPLE, models="tree", folds=3, rng=1)
    return draw_model_tree(bench.inside("tree"), new_axes(ratio=0.75))


def nomogram() -> Axes:
    """A logistic model to add up by hand (``draw_nomogram``)."""
    bench = rl.bench(example_path(), **EXAMPLE, models="logistic", exclude=["ward"], folds=3, rng=1)
    return draw_nomogram(bench.inside("logistic"), new_axes(ratio=0.6))
