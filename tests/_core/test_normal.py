"""The normal distribution of single numbers against SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, owens_t

from roclab._core import normal
from roclab._core.normal import joint_argument, joint_excess, normal_tail, probit


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


def panels(h, a):
    """The integral by Simpson's rule on 4000 panels, from where the integrand is e⁻⁴⁰ of its largest value at most."""
    x = np.linspace(a, 1 if h == 0 else min(1.0, math.sqrt(a * a + 80 / (h * h))), 8001)
    y = np.exp(-h * h * (1 + x * x) / 2) / (1 + x * x)
    return float(np.sum(y[:-1:2] + 4 * y[1::2] + y[2::2]) * (x[1] - x[0]) / 3 / math.pi)


@pytest.mark.parametrize("h", [0.0, 0.3, 0.7, 1.0, 1.2, 1.39, 1.42, 1.6, 1.99, 2.3, 3.0, 4.5, 5.3, 6.0])
def test_joint_excess_definition_by_simpsons_rule(h):
    """On both sides of every change from one rule to another."""
    for a in [0.0, 0.1, 0.199, 0.201, 0.3, 0.399, 0.401, 0.499, 0.501, 0.58, 0.7, 0.9, 0.99, 0.9999]:
        wanted = panels(h, a)
        assert joint_excess(h, a) == pytest.approx(wanted, rel=2e-13)
        assert joint_excess(h, a, True) == pytest.approx(wanted, rel=2e-6)


@pytest.mark.parametrize("h", [0.0, 1e-3, 0.3, 0.7, 1.0, 1.5, 2.0, 3.0, 4.5, 6.0])
def test_joint_argument_definition_by_brents_method(h):
    """Also from starts that are far away."""
    for a in [0.0, 1e-6, 0.02, 0.2, 0.45, 0.577, 0.7, 0.9, 0.99, 1 - 1e-6]:
        excess = joint_excess(h, a)
        wanted = brentq(lambda x, excess=excess: joint_excess(h, x) - excess, 0, 1, xtol=1e-15) if 0 < a < 1 else a
        # where the excess is flat its own rounding is all that is left to see
        slope = math.exp(-h * h * (1 + a * a) / 2) / (math.pi * (1 + a * a))
        seen = 1e-13 + 2e-13 * excess / slope
        for start in (0.0, a, 0.577, 1.0):
            assert joint_argument(h, excess, start) == pytest.approx(wanted, abs=seen)


@pytest.mark.parametrize(("h", "a"), [(0.3, 0.7), (0.7, 0.5), (1.3, 0.6), (2.0, 0.45)])
def test_joint_argument_property_leaves_the_fifth_power_of_the_error(h, a):
    """A step of 0.0012 is the last one, and what is left is below 1e-12."""
    looks = []
    excess = joint_excess(h, a)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(normal, "joint_excess", lambda h, a: looks.append(a) or joint_excess(h, a))
        found = [joint_argument(h, excess, a + error) for error in (-0.0012, 0.0012)]
    assert len(looks) == 2
    assert found == pytest.approx([a, a], abs=1e-12)
