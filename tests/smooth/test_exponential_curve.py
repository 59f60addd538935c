"""England's curve for given parameters."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.results import Undefined


@pytest.mark.parametrize(("E", "R"), [(0.5, 0.2), (1, 0.7), (2, 0.5), (4.2, 0), (9, 1)])
def test_area_and_slope_definition(E, R):
    """The area by counting small squares under the printed formula, the slope by differences of it."""
    curve = rl.exponential_curve(E, R)
    edges = np.linspace(0, 1, 200001) ** 3  # dense where the curve is steep
    height = R * edges ** (1 / E) + (1 - R) * (1 - (1 - edges) ** E)
    assert curve.tpr(edges) == pytest.approx(height, abs=1e-12)
    assert curve.area == pytest.approx(float(np.sum(np.diff(edges) * (height[1:] + height[:-1]) / 2)), abs=1e-6)
    at = np.array([0.2, 0.5, 0.8])
    step = 1e-6
    assert curve.slope(at) == pytest.approx((curve.tpr(at + step) - curve.tpr(at - step)) / (2 * step), rel=1e-5)


def test_optimal_point_published_fit():
    """Set C of the exponential points: E 4.240747, R 0.490895, area .809188, optimum at slope 1 (.292410, .759016)."""
    curve = rl.exponential_curve(4.240747, 0.490895)
    best = curve.optimal_point(1.0)
    assert curve.area == pytest.approx(0.809188, abs=1e-6)
    assert (best.fpr, best.tpr) == pytest.approx((0.292410, 0.759016), abs=1e-5)


def test_nothing_is_estimated_and_parameters_are_checked():
    curve = rl.exponential_curve(3, 0.5)
    assert isinstance(curve.standard_error, Undefined)
    assert curve.parameters() == {"E": 3.0, "R": 0.5}
    with pytest.raises(InputError, match="E must be a finite number above 0"):
        rl.exponential_curve(0, 0.5)
    with pytest.raises(InputError, match="R must lie between 0 and 1"):
        rl.exponential_curve(2, 1.5)
