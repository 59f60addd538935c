"""What holds for every smooth curve, run over the table of methods."""

from __future__ import annotations

import html
import json
import pickle

import numpy as np
import pytest

from roclab.data.tally import Tally
from roclab.errors import InputError, OneClassError
from roclab.smooth.exponential import ExponentialFit
from roclab.smooth.methods import SMOOTH_METHODS, smooth_method
from roclab.smooth.quadrature import integrate_unit

NAMES = list(SMOOTH_METHODS)
ON_RATES = ("exponential", "pareto")  # models without a score
RNG = np.random.default_rng(20)
X, Y = np.exp(RNG.normal(0.9, 1.1, 60)).round(2) + 0.01, np.exp(RNG.normal(0, 0.8, 80)).round(2) + 0.01


def scores(name):
    """Both classes, inside the range of the model: a beta distribution has none beyond 1."""
    return (X / (1 + X), Y / (1 + Y)) if name == "fitted_beta" else (X, Y)


@pytest.fixture(scope="module")
def fits():
    return {name: row.fit(Tally.from_samples(*scores(name))) for name, row in SMOOTH_METHODS.items()}


@pytest.mark.parametrize("name", NAMES)
def test_curve_property_rises_from_corner_to_corner(fits, name):
    grid = np.linspace(0, 1, 801)
    tpr = fits[name].tpr(grid)
    assert np.all(np.diff(tpr) >= -1e-12)
    assert tpr[-1] == 1
    if name != "log_concave":  # whose densities end at the last score: an upright start is right
        assert tpr[0] == pytest.approx(0, abs=1e-12)
    assert tpr[0] >= 0


@pytest.mark.parametrize("name", NAMES)
def test_area_definition_is_the_integral_of_the_curve(fits, name):
    fit = fits[name]
    if name.startswith("kernel"):  # over gaps between scores the curve jumps, and no smooth rule converges
        grid = np.linspace(0, 1, 4001)
        # The trapezoid rule on a rising function is wrong by at most half a step times its rise.
        assert np.trapezoid(fit.tpr(grid), grid) == pytest.approx(fit.area, abs=1 / 8000)
    else:
        assert integrate_unit(lambda f, g: fit.tpr(f)).value == pytest.approx(fit.area, abs=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_slope_definition_is_the_derivative(fits, name):
    fit = fits[name]
    f = np.array([0.03, 0.11, 0.271, 0.5003, 0.737, 0.93])
    h = 1e-6
    derivative = (fit.tpr(f + h) - fit.tpr(f - h)) / (2 * h)
    # Central differences of a function of size one: rounding 1e-16 / 1e-6, curvature h² f'''.
    np.testing.assert_allclose(fit.slope(f), derivative, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("slope", [0.05, 0.4, 1.0, 3.0, 40.0])
def test_optimal_point_definition_no_point_of_the_curve_is_better(fits, name, slope):
    fit = fits[name]
    best = fit.optimal_point(slope)
    grid = np.concatenate([np.linspace(0, 1, 2001), np.logspace(-9, -3, 61), 1 - np.logspace(-9, -3, 61)])
    assert best.tpr - slope * best.fpr >= np.max(fit.tpr(grid) - slope * grid) - 1e-9 * slope
    assert fit.tpr(best.fpr)[0] == pytest.approx(best.tpr, abs=1e-8)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in (*ON_RATES, "binormal")])
def test_optimal_threshold_property_belongs_to_the_scores(fits, name):
    best = fits[name].optimal_point(1.0)
    # The share of positives beyond the threshold differs from the smooth rate by sampling only.
    x, y = scores(name)
    assert best.threshold == pytest.approx(np.median(np.concatenate([x, y])), rel=2)
    assert np.mean(best.threshold <= x) == pytest.approx(best.tpr, abs=0.25)


@pytest.mark.parametrize("name", NAMES)
def test_fit_says_how_it_went(fits, name):
    fit = fits[name]
    assert fit.method == name
    assert 0 < fit.standard_error < 0.1
    assert fit.standard_error_method
    assert isinstance(fit.converged, bool)
    assert isinstance(fit.iterations, int)
    assert fit.converged or fit.notes
    assert float(fit) == fit.area
    shown = json.loads(fit.to_json())
    assert shown["area"] == fit.area
    assert not [key for key in shown if key.startswith("_")]
    assert f"{fit.area:.4f}" in str(fit)
    assert fit.to_csv().startswith("method,area")
    assert fit._repr_html_() == f"<pre>{html.escape(str(fit))}</pre>"
    assert "threshold" in fit.optimal_point(1.0).rows()[0]


@pytest.mark.parametrize("name", NAMES)
def test_fit_can_be_pickled(fits, name):
    again = pickle.loads(pickle.dumps(fits[name]))
    assert again.tpr([0.3]).tolist() == fits[name].tpr([0.3]).tolist()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "pareto"])
def test_reversed_direction_property_gives_one_minus_the_area(fits, name):
    back = SMOOTH_METHODS[name].fit(Tally.from_samples(*scores(name)).reversed())
    assert back.area == pytest.approx(1 - fits[name].area, abs=2e-6)
    if name != "exponential":  # Hanley and McNeil's formula is not symmetric about one half
        assert back.standard_error == pytest.approx(fits[name].standard_error, rel=1e-4)
    f = np.array([0.1, 0.4, 0.8])
    # Read from the other corner, the same curve.
    np.testing.assert_allclose(1 - back.tpr(1 - f), fits[name].tpr(f), atol=1e-5)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ON_RATES])
def test_classes_swapped_property_keeps_the_area(fits, name):
    mirrored = SMOOTH_METHODS[name].fit(Tally.from_samples(*scores(name)).mirrored())
    assert mirrored.area == pytest.approx(fits[name].area, abs=1e-7)
    swapped = SMOOTH_METHODS[name].fit(Tally.from_samples(*scores(name)[::-1]))
    assert swapped.area == pytest.approx(1 - fits[name].area, abs=1e-7)


@pytest.mark.parametrize("name", NAMES)
def test_counts_property_are_repetitions(name):
    label = np.repeat([True, False], [X.size, Y.size])
    x, y = scores(name)
    score = np.concatenate([x, y])
    twice = Tally.from_labels(label, score, weight=np.full(score.size, 2))
    repeated = Tally.from_samples(np.repeat(x, 2), np.repeat(y, 2))
    assert SMOOTH_METHODS[name].fit(twice).area == SMOOTH_METHODS[name].fit(repeated).area


@pytest.mark.parametrize("name", NAMES)
def test_importance_weights_error(name):
    label = np.repeat([True, False], [X.size, Y.size])
    weighted = Tally.from_labels(label, np.concatenate([X, Y]), weight=np.full(label.size, 1.5))
    with pytest.raises(InputError, match="weights must be whole counts of cases .* got importance weights"):
        SMOOTH_METHODS[name].fit(weighted)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_scores_error(name, value):
    with pytest.raises(InputError, match="score must be finite for the"):
        SMOOTH_METHODS[name].fit(Tally.from_samples(np.append(X, value), Y))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("binormal", "exponential")])
def test_huge_scores_error(name):
    with pytest.raises(InputError, match="squares within the range of numbers"):
        SMOOTH_METHODS[name].fit(Tally.from_samples(X * 1e200, Y))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda fit: fit.tpr(1.2), "fpr must lie between 0 and 1, got 1.2"),
        (lambda fit: fit.slope(-0.1), "fpr must lie between 0 and 1, got -0.1"),
        (lambda fit: fit.optimal_point(0.0), "slope must be a finite number above 0, got 0.0"),
        (lambda fit: fit.optimal_point(float("inf")), "slope must be a finite number above 0, got inf"),
    ],
)
def test_rate_and_slope_errors(fits, name, call, message):
    with pytest.raises(InputError, match=message):
        call(fits[name])


EDGES = {
    "all tied": ([1.0, 1.0, 1.0], [1.0, 1.0]),
    "separated": ([4.0, 5.0, 6.0], [1.0, 2.0, 3.0]),
    "separated, wrong way": ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]),
    "one positive": ([2.5], [1.0, 2.0, 3.0, 4.0]),
    "one negative": ([1.0, 2.0, 3.0, 4.0], [2.5]),
    "one each": ([2.0], [1.0]),
    "constant positives": ([2.0, 2.0, 2.0], [1.0, 2.5, 3.0]),
    "constant negatives": ([1.0, 2.5, 3.0], [2.0, 2.0, 2.0]),
    "two values": ([1.0, 2.0, 2.0], [1.0, 1.0, 2.0]),
    "an outlier": ([1.0, 2.0, 3.0, 1e9], [0.5, 1.5, 2.5, 1e-9]),
    "negative": ([-1.0, 2.0, 3.0, 0.0], [-3.0, -1.0, 0.5, -2.0]),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("edge", EDGES)
def test_edges_end_in_a_number_or_in_one_sentence(name, edge):
    pos, neg = (np.array(values) for values in EDGES[edge])
    try:
        fit = SMOOTH_METHODS[name].fit(Tally.from_samples(pos, neg))
    except InputError as error:
        text = str(error)
        assert text.count("\n") == 0
        assert text.endswith(".")
    else:
        assert 0 <= fit.area <= 1
        assert np.isnan(fit.standard_error) or fit.standard_error >= 0
        if np.isnan(fit.standard_error):
            assert fit.standard_error.reason
        if edge == "all tied":
            assert fit.area == 0.5
        assert json.loads(fit.to_json())["area"] == fit.area


def test_edge_matrix_of_the_specification():
    def area(name, edge):
        pos, neg = (np.array(values) for values in EDGES[edge])
        return SMOOTH_METHODS[name].fit(Tally.from_samples(pos, neg)).area

    for name in ("kernel_k1", "kernel_k2", "binormal", "exponential"):
        assert area(name, "all tied") == 0.5
    for name in ("normal", "box_cox"):
        for edge in ("all tied", "one positive", "one negative"):
            with pytest.raises(InputError):
                area(name, edge)
        assert 0.9 < area(name, "separated") < 1
    for name in ("kernel_k1", "kernel_k2"):
        assert 0.9 < area(name, "separated") < 1
        assert 0 < area(name, "one positive") < 1
    assert (area("binormal", "separated"), area("binormal", "separated, wrong way")) == (1, 0)
    for edge in ("separated", "separated, wrong way"):
        with pytest.raises(InputError, match="area strictly between 0 and 1, got [01], where E would be"):
            area("exponential", edge)


def test_one_class_error():
    with pytest.raises(OneClassError):
        Tally.from_samples(X, np.array([]))


def test_unknown_method_error_lists_the_names():
    with pytest.raises(InputError, match="method must be one of 22 words, got 'binormall'; did you mean 'binormal'"):
        smooth_method("binormall")


def test_exponential_all_tied_reports_the_chance_line():
    fit = SMOOTH_METHODS["exponential"].fit(Tally.from_samples(np.array([1.0, 1.0]), np.array([1.0])))
    assert isinstance(fit, ExponentialFit)
    assert (fit.E, fit.R) == (1, 0.5)
    assert any("not both determined" in note for note in fit.notes)
    assert any("one case" in note for note in fit.notes)
