"""d', criterion and predictive values at any prevalence: against formulas written out here, and by enumeration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, norm

import roclab as rl
from roclab.errors import InputError
from roclab.results import ConfusionMatrix


def test_a_worked_example():
    """Hits 20 of 25, false alarms 10 of 25, by hand: z(.8) = .8416, z(.4) = -.2533."""
    found = ConfusionMatrix(tp=20, fp=10, fn=5, tn=15).signal_detection(correction="none")
    assert found.d_prime == pytest.approx(0.8416212 + 0.2533471, abs=1e-6)
    assert found.criterion == pytest.approx(-(0.8416212 - 0.2533471) / 2, abs=1e-6)
    assert found.beta == pytest.approx(norm.pdf(0.8416212) / norm.pdf(-0.2533471), rel=1e-6)
    parts = [0.8 * 0.2 / 25 / norm.pdf(0.8416212) ** 2, 0.4 * 0.6 / 25 / norm.pdf(0.2533471) ** 2]
    assert found.standard_error == pytest.approx(math.sqrt(sum(parts)), rel=1e-6)
    assert found.criterion_interval.high - found.criterion == pytest.approx(
        (found.d_prime_interval.high - found.d_prime) / 2
    )


def test_rates_of_0_and_1_need_the_correction():
    matrix = ConfusionMatrix(tp=20, fp=0, fn=0, tn=20)
    bare = matrix.signal_detection(correction="none")
    assert math.isnan(bare.d_prime)
    assert "no deviate" in bare.d_prime.reason
    found = matrix.signal_detection()
    assert found.d_prime == pytest.approx(2 * norm.ppf(20.5 / 21))
    assert "neither answer is preferred" in str(found)


def test_intervals_of_d_prime_by_enumeration():
    """Every table of 30 + 30 cases: the log-linear rule holds 95% for d' from 0 to 2."""
    n = 30
    rates = binom.pmf(np.arange(n + 1)[:, None], n, norm.cdf([0.0, 0.5, 1.0]))
    for way, (hits, alarms) in {0.0: (0, 0), 1.0: (1, 1), 2.0: (2, 2)}.items():
        held = 0.0
        for tp in range(n + 1):
            for fp in range(n + 1):
                chance = rates[tp, hits] * rates[n - fp, alarms]
                if chance < 1e-7:
                    continue
                low, high = ConfusionMatrix(tp=tp, fp=fp, fn=n - tp, tn=n - fp).signal_detection().d_prime_interval
                held += chance * (low <= way <= high)
        assert 0.94 <= held <= 0.985, way


def test_signal_detection_refuses():
    with pytest.raises(InputError, match="both classes"):
        ConfusionMatrix(tp=3, fp=0, fn=1, tn=0).signal_detection()
    with pytest.raises(InputError, match="correction"):
        ConfusionMatrix(tp=3, fp=1, fn=1, tn=4).signal_detection(correction="other")
    clustered = rl.roc([1, 1, 0, 0] * 5, list(range(20)), ids=[0, 0, 1, 1] * 5).confusion(10)
    with pytest.raises(InputError, match="every case for itself"):
        clustered.signal_detection()


@pytest.mark.parametrize("prevalence", [0.001, 0.05, 0.5, 0.9])
def test_predictive_values_follow_bayes(prevalence):
    matrix = ConfusionMatrix(tp=45, fp=30, fn=5, tn=120)
    found = matrix.predictive_values(prevalence)
    sick, well = prevalence * 0.9, (1 - prevalence) * 0.2
    assert float(found.ppv(prevalence)) == pytest.approx(sick / (sick + well))
    right, wrong = (1 - prevalence) * 0.8, prevalence * 0.1
    assert float(found.npv(prevalence)) == pytest.approx(right / (right + wrong))
    ends = matrix.with_intervals(prevalence=prevalence).intervals
    assert [float(end) for end in found.ppv_limits(prevalence)] == pytest.approx(list(ends["ppv_at_prevalence"]))
    assert [float(end) for end in found.npv_limits(prevalence)] == pytest.approx(list(ends["npv_at_prevalence"]))


def test_predictive_values_say_which_prevalence_is_marked():
    matrix = ConfusionMatrix(tp=45, fp=30, fn=5, tn=120)
    assert "that of these cases" in matrix.predictive_values().notes[0]
    assert matrix.predictive_values(0.05).notes == ()
    with pytest.raises(InputError, match="prevalence"):
        matrix.predictive_values(5)
    with pytest.raises(InputError, match="no such answer"):
        ConfusionMatrix(tp=0, fp=0, fn=5, tn=5).predictive_values()


def test_figures_show_the_numbers():
    found = ConfusionMatrix(tp=45, fp=30, fn=5, tn=120).predictive_values(0.05)
    curves = found.plot()
    words = [text.get_text() for text in curves.ax.get_legend().get_texts()]
    assert any(line.startswith("PPV 0.191") for line in words)
    nomogram = found.plot(kind="fagan").ax
    lines = [line for line in nomogram.get_lines() if str(line.get_label()).startswith(("positive", "negative"))]
    for line, value in zip(lines, (found.ppv(0.05), 1 - found.npv(0.05)), strict=True):
        start, end = line.get_ydata()
        assert 1 / (1 + math.exp(start)) == pytest.approx(0.05)
        assert 1 / (1 + math.exp(-end)) == pytest.approx(float(value))
