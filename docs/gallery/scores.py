"""Scores and thresholds: each function draws one figure of the gallery."""

from __future__ import annotations

import scipy.stats
from examples import EXAMPLE, decision_curve, example_path, probabilities, roc_of, run_study, table_design
from matplotlib.axes import Axes

import roclab as rl
from roclab.plots import (
    draw_calibration,
    draw_cdf,
    draw_decision,
    draw_densities,
    draw_design,
    draw_distribution,
    draw_fagan,
    draw_gaps,
    draw_group_calibrations,
    draw_group_rates,
    draw_likelihood_ratios,
    draw_metrics,
    draw_model_based,
    draw_predictive_values,
    draw_rate_differences,
    draw_rate_ratios,
    draw_rates,
    draw_risk_coverage,
    draw_stability,
    draw_study,
    draw_trade_off,
    figure,
    new_axes,
)


def histogram() -> Axes:
    """Scores of both classes on a logarithmic axis (``draw_distribution``)."""
    r = roc_of("procalcitonin")
    return draw_distribution(r.tally, new_axes(ratio=0.7), log=True, cutoff=r.cutoff("youden").threshold)


def density() -> Axes:
    """Kernel densities of both classes (``draw_distribution``)."""
    return draw_distribution(roc_of("lactate").tally, new_axes(ratio=0.7), kind="density", cutoff=2.0)


def dots() -> Axes:
    """Dot diagram: one mark per patient, and both rates of the best cut-off (``draw_distribution``)."""
    r = roc_of("lactate")
    return draw_distribution(r.tally, new_axes(), kind="dots", point=r.cutoff("youden").optima[0])


def densities() -> Axes:
    """Densities of two fitted models over the histogram (``draw_densities``)."""
    r = roc_of("lactate")
    ax = draw_distribution(r.tally, new_axes(ratio=0.75), heights="density")
    for number, model in enumerate(("normal", "box_cox")):
        draw_densities(r.smooth(model).densities(), ax, label=model.replace("_", "-"), number=number)
    return ax


def box_cox() -> Axes:
    """A skewed score as it is and after a Box-Cox transform, with the fitted normals (``figure("box_cox", …)``)."""
    return figure("box_cox", example_path(), **EXAMPLE, score="lactate", size="double").ax


def likelihood() -> Axes:
    """What a score between two cuts says: interval likelihood ratios (``draw_likelihood_ratios``)."""
    found = roc_of("lactate").likelihood_ratios([1, 2, 3, 4])
    return draw_likelihood_ratios(found, new_axes(ratio=0.75))


def predictive() -> Axes:
    """What an answer means at any prevalence (``draw_predictive_values``)."""
    found = roc_of("lactate").confusion(2).predictive_values(0.1)
    return draw_predictive_values(found, new_axes(ratio=0.85))


def fagan() -> Axes:
    """Fagan's nomogram: from the prevalence by the likelihood ratio to the chance after an answer (``draw_fagan``)."""
    found = roc_of("lactate").confusion(2).predictive_values(0.1)
    return draw_fagan(found, new_axes())


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


def calibration() -> Axes:
    """Reliability of two fitted models with Wilson intervals and the cases per bin (``draw_calibration``)."""
    ax = new_axes(lines_below=2)
    for name, one in probabilities().items():
        draw_calibration(one.calibration(), ax, label=name, counts=name == "all three")
    return ax


def calibration_band() -> Axes:
    """A smooth calibration curve with its pointwise and its simultaneous band (``draw_calibration``)."""
    found = probabilities()["all three"].calibration(band=True)
    return draw_calibration(found, new_axes(lines_below=4))


def calibration_groups() -> Axes:
    """Is a model right in every ward? Observed over expected events, and slopes (``draw_group_calibrations``)."""
    cases = rl.read_cases(example_path(), **EXAMPLE, score="procalcitonin", folds="ward")
    curves = rl.roc(cases.label, rl.recalibrate(cases).probabilities, by=cases.folds)
    return draw_group_calibrations(curves.calibration(), new_axes("double", ratio=0.43))


def decision_band() -> Axes:
    """Decision curves with pointwise limits of 95% (``draw_decision``)."""
    models = {name: one.tally for name, one in probabilities().items()}
    return draw_decision(decision_curve(models, level=0.95), new_axes(ratio=0.75))


def model_based() -> Axes:
    """Was it the mix of cases, or are the risks wrong? Both curves and their joint test (``draw_model_based``)."""
    cases = rl.read_cases(example_path(), **EXAMPLE, score="procalcitonin", folds="ward")
    found = rl.roc(cases.label, rl.recalibrate(cases).probabilities).model_based(rng=1)
    return draw_model_based(found, new_axes(lines_below=3))


def risk_coverage() -> Axes:
    """Errors of the sure cases, with limits, beside the best order of these calls (``draw_risk_coverage``)."""
    found = rl.selective(example_path(), **EXAMPLE, score="procalcitonin", threshold=1.0)
    return draw_risk_coverage(found, new_axes(ratio=0.75, lines_below=3))


def rate_differences() -> Axes:
    """Two markers at thresholds fixed beforehand: all rates they differ in (``draw_rate_differences``)."""
    found = rl.compare(
        example_path(), **EXAMPLE, score=["procalcitonin", "lactate"], threshold={"procalcitonin": 1.5, "lactate": 2},
        metrics=["sensitivity", "specificity", "ppv", "npv", "accuracy"],
    )  # fmt: skip
    return draw_rate_differences(found, new_axes("double", ratio=0.3))


def rate_ratios() -> Axes:
    """The ratios of the same rates on a logarithmic axis (``draw_rate_ratios``)."""
    found = rl.compare(
        example_path(), **EXAMPLE, score=["procalcitonin", "lactate"], threshold={"procalcitonin": 1.5, "lactate": 2},
        metrics=["sensitivity", "specificity", "ppv", "lr_plus", "lr_minus"],
    )  # fmt: skip
    return draw_rate_ratios(found, new_axes("double", ratio=0.3))


def rates() -> Axes:
    """Rates of three markers at thresholds fixed beforehand (``draw_rates``)."""
    found = rl.compare(example_path(), **EXAMPLE, score=["procalcitonin", "lactate", "concern"], threshold=[1.5, 2, 4])
    return draw_rates(found.rates, new_axes("double", ratio=0.35))


def group_rates() -> Axes:
    """The rates of every ward beside each other (``draw_group_rates``)."""
    found = rl.confusion(example_path(), **EXAMPLE, score="lactate", threshold=2, by="ward")
    return draw_group_rates(found.gaps(), new_axes("double", ratio=0.9))


def rate_gaps() -> Axes:
    """The largest gaps between wards, whose limits begin at 0 where wards may be alike (``draw_gaps``)."""
    found = rl.confusion(example_path(), **EXAMPLE, score="lactate", threshold=2, by="ward")
    return draw_gaps(found.gaps(), new_axes("double", ratio=0.3))


def cdf() -> Axes:
    """A sample against a uniform distribution, the largest gap T and the confidence band (``draw_cdf``)."""
    sample = [0.621, 0.503, 0.203, 0.477, 0.710, 0.581, 0.329, 0.480, 0.554, 0.382]
    uniform = scipy.stats.uniform(0, 1).cdf
    test = rl.ranks.kolmogorov(sample, uniform)
    return draw_cdf(rl.ranks.cdf_band(sample), new_axes(ratio=0.8), cdf=uniform, test=test)


def design() -> Axes:
    """The distributions of a simulation design with three areas (``draw_design``)."""
    return draw_design(table_design("VI"), new_axes(ratio=0.75))


def study() -> Axes:
    """Bias of seven estimators in a short simulation study, with two Monte-Carlo standard errors (``draw_study``)."""
    found = run_study(table_design("I"), replicates=60, rng=1)
    return draw_study(found, new_axes("double", ratio=0.4, lines_below=2))
