"""The normal distribution of single numbers against SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr, ndtri, owens_t

from roclab._core.normal import joint_excess, joint_slope, normal_tail, probit


@pytest.mark.parametrize("p", [1e-300, 1e-20, 1e-5, 0.02425, 0.1, 0.3, 0.5, 0.7, 0.975, 1 - 1e-12])
def test_probit_definition(p):
    assert probit(p) == pytest.approx(float(ndtri(p)), rel=1e-13, abs=1e-15)


def test_probit_ends():
    assert (probit(0.0), probit(1.0)) == (-math.inf, math.inf)


@pytest.mark.parametrize("h", [-37.0, -3.0, 0.0, 1.2, 8.0, 37.0])
def test_normal_tail_definition(h):
    assert normal_tail(h) == pytest.approx(float(ndtr(-h)), rel=1e-12)


@pytest.mark.parametrize("h", [0.0, 0.3, 1.0, 2.5, 3.1, 5.0, 5.5, 9.0])
def test_joint_excess_definition_by_owens_function(h):
    for a in np.linspace(0, 1, 21):
        wanted = 2 * (owens_t(h, 1.0) - owens_t(h, a))
        assert joint_excess(h, a) == pytest.approx(float(wanted), abs=2e-15)


@pytest.mark.parametrize(("h", "a"), [(0.5, 0.2), (2.0, 0.999), (4.0, 0.1), (6.0, 0.0), (12.0, 0.4)])
def test_joint_excess_definition_by_its_integral(h, a):
    """Where Owen's functions cancel the integral still has its digits."""
    found, _ = quad(
        lambda x: math.exp(-h * h * (x * x - a * a) / 2) / (1 + x * x), a, min(1.0, a + 9 / h), epsrel=1e-13
    )
    assert joint_excess(h, a) == pytest.approx(found * math.exp(-h * h * (1 + a * a) / 2) / math.pi, rel=1e-12)


@pytest.mark.parametrize(("h", "a"), [(0.5, 0.2), (2.0, 0.7), (4.0, 0.4)])
def test_joint_slope_definition(h, a):
    step = 1e-5
    rise = (joint_excess(h, a - step) - joint_excess(h, a + step)) / (2 * step)
    assert joint_slope(h, a) == pytest.approx(rise, rel=1e-6)
