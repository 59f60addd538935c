"""Kinetics: against published reference data, against slow convolution, and at their limits."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from roclab.errors import InputError
from roclab.imaging.dce.kinetics import concentration_of_signal, parker_aif, spgr_signal, tofts, unit_response
from tests.conftest import HERE

OSIPI = json.loads((HERE / "oracles" / "dce" / "osipi.json").read_text())
KTRANS = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.35])[:, None]
VE = np.array([0.01, 0.05, 0.1, 0.2, 0.5])[None]


def test_parker_oracle_is_that_of_osipi():
    """To 1e-12: both evaluate the same closed form in double precision."""
    known = OSIPI["parker_blood"]
    found = parker_aif(60 * np.array(known["minutes"]), hematocrit=0)
    assert found == pytest.approx(known["mM"], rel=1e-12)


def test_parker_before_arrival_and_in_plasma():
    assert parker_aif([0.0, 29.9], arrival=30).tolist() == [0.0, 0.0]
    assert float(parker_aif(40.0, arrival=30)) == pytest.approx(float(parker_aif(10.0, hematocrit=0)) / 0.58)
    with pytest.raises(InputError, match="hematocrit must lie in"):
        parker_aif([1.0], hematocrit=1.0)


@pytest.mark.parametrize("case", OSIPI["signal_to_concentration"], ids=["13", "20", "40"])
def test_concentrations_oracle_are_those_of_osipi(case):
    """To 1e-9 mM: their differences of nearly equal numbers end near 1e-14."""
    first, last = case["baseline_points"]
    signal = np.array(case["signal"], dtype=float)
    pulse = {name: case[name] for name in ("t1", "tr", "flip", "relaxivity")}
    found = concentration_of_signal(signal, signal[first:last].mean(), **pulse)
    assert found == pytest.approx(case["mM"], abs=1e-9)


def test_tofts_and_signal_oracle_are_those_of_qiba():
    """To 0.2% of the signal: the object rounds signals to whole numbers near 1000 and samples its plasma coarsely."""
    known = np.load(HERE / "oracles" / "dce" / "qiba_dro_v6.npz")
    seconds, plasma = known["t"].ravel(), known["Cp"].ravel()
    agent = tofts(seconds, plasma, ktrans=KTRANS, ve=VE)
    found = spgr_signal(agent, t1=1.0, s0=50000, tr=0.005, flip=30, relaxivity=4.5)
    assert found.shape == known["DCEdata"].shape == (1321, 6, 5)
    assert np.abs(found / known["DCEdata"] - 1).max() < 0.002


def slow_tofts(t, seconds, plasma, ktrans, ve, vp):
    """The convolution integral by adaptive quadrature, between the knots of the plasma."""
    minutes = seconds / 60
    rate = ktrans / ve
    total = 0.0
    for a, b in pairwise(minutes):
        if a < t / 60:
            stop = min(b, t / 60)
            total += quad(lambda s: np.interp(s, minutes, plasma) * math.exp(-rate * (t / 60 - s)), a, stop)[0]
    return ktrans * total + vp * float(np.interp(t, seconds, plasma))


@pytest.mark.parametrize(
    ("ktrans", "ve", "vp"), [(0.25, 0.5, 0.0), (0.05, 0.2, 0.07), (2.0, 0.05, 0.0), (0.0, 0.3, 0.1)]
)
def test_tofts_definition_is_the_convolution(ktrans, ve, vp):
    rng = np.random.default_rng(1)
    seconds = np.cumsum(rng.uniform(0.5, 20, size=25))  # uneven
    plasma = parker_aif(seconds, arrival=15)
    found = tofts(seconds, plasma, ktrans=ktrans, ve=ve, vp=vp)
    for at in (3, 10, 24):
        assert found[at] == pytest.approx(slow_tofts(seconds[at], seconds, plasma, ktrans, ve, vp), rel=1e-6, abs=1e-10)


def test_response_of_a_constant_has_a_closed_form():
    seconds = np.linspace(0, 600, 37)
    rates = np.array([0.0, 1e-7, 1e-3, 0.5, 30.0])
    found = unit_response(seconds, np.full(37, 2.0), rates)
    minutes = seconds[:, None] / 60
    safe = np.where(rates == 0, 1, rates)
    exact = np.where(rates == 0, 2 * minutes, -2 * np.expm1(-safe * minutes) / safe)
    assert found == pytest.approx(exact, rel=1e-9)  # the series for small rates ends near 1e-12 of itself


def test_extended_model_is_the_plain_one_and_plasma():
    seconds = np.arange(0, 300, 5.0)
    plasma = parker_aif(seconds)
    plain = tofts(seconds, plasma, ktrans=0.2, ve=0.4)
    assert tofts(seconds, plasma, ktrans=0.2, ve=0.4, vp=0.1) == pytest.approx(plain + 0.1 * plasma)


@given(
    agent=st.floats(0, 8), t1=st.floats(0.2, 3), flip=st.floats(3, 60), tr=st.floats(0.002, 0.02),
    relaxivity=st.floats(2, 6),
)  # fmt: skip
def test_signal_and_concentration_property_are_inverse(agent, t1, flip, tr, relaxivity):
    pulse = {"t1": t1, "tr": tr, "flip": flip, "relaxivity": relaxivity}
    rest, lit = spgr_signal(0.0, **pulse), spgr_signal(agent, **pulse)
    assert lit >= rest
    assert float(concentration_of_signal(lit, rest, **pulse)) == pytest.approx(agent, abs=1e-8)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tofts(np.array([0.0, 1.0]), np.ones(2), ktrans=0.1, ve=0.0), "ve above 0"),
        (lambda: unit_response(np.array([0.0, 0.0]), np.ones(2), np.ones(1)), "rising times"),
        (lambda: concentration_of_signal(1e9, 1.0, t1=1.0, tr=0.005, flip=12), "below that of full recovery"),
    ],
)
def test_what_cannot_be_is_refused(call, words):
    with pytest.raises(InputError, match=words):
        call()
