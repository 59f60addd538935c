"""The score test of modality means: its definition by hand, its interval, and where it is offered."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

import roclab as rl
from roclab.names import RANDOM_EFFECTS, READER_COVARIANCES
from roclab.reading_studies.score import score_degrees
from tests.reading_studies.studies import (
    brute_auc,
    cells,
    nested_cases,
    nested_readers,
    only,
    split_plot,
    study,
    unbiased_covariance,
    wins,
)


def influences(cell):
    """Placement of each case, centred in its class and scaled; written out."""
    out = {}
    for side in (1, 0):
        own = {c: x for c, (y, x) in cell.items() if y == side}
        other = [x for y, x in cell.values() if y != side]
        place = {c: np.mean([wins(x, o) if side else wins(o, x) for o in other]) for c, x in own.items()}
        n, mean = len(place), np.mean(list(place.values()))
        out |= {c: (side, (v - mean) / math.sqrt(n * (n - 1))) for c, v in place.items()}
    return out


def allowed(one, two, true):
    """Two proportions of greatest likelihood with a given difference, by search."""

    def unlikely(second):
        pairs = ((one, second + true), (two, second))
        return -sum(a * math.log(x) + (1 - a) * math.log(1 - x) for a, x in pairs)

    ends = (max(0, -true) + 1e-12, min(1, 1 - true) - 1e-12)
    second = scipy.optimize.minimize_scalar(unlikely, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
    return second + true, second


def by_hand(table, true=0.0, covariance=None):
    """Statistic and degrees of freedom of two modalities read by all: the contrast of scaled areas, term by term."""
    own = cells(table)
    readers = sorted({r for _, r in own})
    area = {key: brute_auc(cell) for key, cell in own.items()}
    mean = {m: np.mean([area[m, r] for r in readers]) for m in ("m0", "m1")}
    weight = {"m0": 1.0, "m1": -1.0}
    means = allowed(mean["m0"], mean["m1"], true)
    for m, x in zip(weight, means, strict=True):
        weight[m] *= x * (1 - x) / (mean[m] * (1 - mean[m]))
    apart = [sum(weight[m] * area[m, r] for m in weight) for r in readers]
    count = len(readers)
    place = {key: influences(cell) for key, cell in own.items()}

    def cov(a, b):
        if covariance is not None:
            return covariance(own[a], own[b])
        return sum(place[a][c][1] * place[b][c][1] for c in place[a])

    pairs = list(itertools.permutations(readers, 2))
    shared = sum(weight[m] * weight[k] * cov((m, r), (k, s)) for r, s in pairs for m in weight for k in weight)
    readers_part, cases_part = np.var(apart, ddof=1) / count, max(shared / len(pairs), 0.0)
    variance = readers_part + cases_part
    if true:  # no less than the variance of equality, moved with both means
        middle = (mean["m0"] + mean["m1"]) / 2
        equal = ((mean["m0"] - mean["m1"]) / by_hand(table)[0]) ** 2
        moved = math.prod(x * (1 - x) for x in means) / (middle * (1 - middle)) ** 2
        variance = max(variance, equal * moved)
    parts, fewest = 0.0, 0.0
    for side in (1, 0):
        d = [
            np.mean([sum(weight[m] * place[m, r][c][1] for m in weight) for r in readers])
            for c, (y, _) in own["m0", readers[0]].items()
            if y == side
        ]
        square, n = np.square(d), len(d)
        v = square.sum()
        parts += v
        fewest += v**2 / min(2 / (np.sum(square**2) / v**2 - 1 / n), n - 1)
    u, nu = readers_part / variance, count - 1
    df = 1 / (u**2 / nu + 8 * u**3 * (1 - u) / nu**2 + (1 - u) ** 2 * fewest / parts**2)
    return (mean["m0"] - mean["m1"] - true) / math.sqrt(variance), df


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_score_definition_of_equality(seed):
    table = study(readers=3 + seed, seed=seed, shift=1.5)
    found = rl.readers.mrmc(table, inference="score")
    t, df = by_hand(table)
    (pair,) = found.pairs
    assert (pair.statistic, pair.df) == pytest.approx((t, df), rel=1e-6)  # the search ends there
    assert found.equality.statistic == pytest.approx(t**2, rel=1e-6)
    assert found.df == (1, pytest.approx(df, rel=1e-6))
    assert found.equality.p_value == pytest.approx(2 * scipy.stats.t.sf(abs(t), df), rel=1e-5)
    assert pair.p_value == pytest.approx(found.equality.p_value, rel=1e-9)


def test_score_definition_with_other_covariances():
    table = study(readers=4, n_pos=6, n_neg=6, seed=2)
    found = rl.readers.mrmc(table, inference="score", covariance="unbiased")
    assert (found.pairs[0].statistic, found.pairs[0].df) == pytest.approx(
        by_hand(table, 0, unbiased_covariance), rel=1e-6
    )


@pytest.mark.parametrize("true", [-0.2, -0.05, 0.1])
def test_score_definition_of_a_margin(true):
    """Against a margin the variance is that of the margin, with the degrees of freedom of equality."""
    table = study(readers=5, seed=4, shift=1.5)
    found = rl.readers.mrmc(table, inference="score")
    first, second = ("m0", "m1") if true < 0 else ("m1", "m0")
    claim = found.margin(first, second, margin=abs(true))
    t, _ = by_hand(table, true)
    assert claim.statistic == pytest.approx(t if true < 0 else -t, rel=1e-5)
    assert claim.df == pytest.approx(by_hand(table)[1], rel=1e-6)
    assert claim.p_value == pytest.approx(scipy.stats.t.sf(claim.statistic, claim.df), rel=1e-9)


@given(
    seed=st.integers(0, 10_000), readers=st.integers(2, 6), shift=st.sampled_from([0.0, 1.0, 2.0]),
    level=st.sampled_from([0.5, 0.8, 0.95, 0.99]), random=st.sampled_from(RANDOM_EFFECTS),
)  # fmt: skip
def test_score_property_interval_and_tests_agree(seed, readers, shift, level, random):
    table = study(readers=readers, seed=seed, shift=shift)
    found = rl.readers.mrmc(table, inference="score", level=level, random=random)
    (pair,) = found.pairs
    assume(pair.standard_error > 0)
    low, high = pair.interval
    assert -1 <= low < pair.difference < high <= 1
    assert (low <= 0 <= high) == (pair.p_value >= 1 - level) or min(abs(low), abs(high)) < 1e-9
    assert found.equality.p_value == pytest.approx(pair.p_value, rel=1e-9, abs=1e-300)
    # Rejected at either end exactly as often as the level says: the margin tests ask there.
    once = rl.readers.mrmc(table, inference="score", level=level, random=random)
    if low < -1e-6:
        claim = once.margin("m0", "m1", margin=-low)
        assert claim.p_value == pytest.approx((1 - level) / 2, rel=1e-5)
        assert claim.interval.low == pytest.approx(low, abs=1e-9)
    # The other way round is the same comparison.
    turned = rl.readers.mrmc(table, inference="score", level=level, random=random, modalities=["m1", "m0"]).pairs[0]
    assert (turned.difference, *turned.interval) == pytest.approx((-pair.difference, -high, -low), abs=1e-9)


def test_score_property_of_designs_and_areas():
    """Every design, covariance and area has an answer whose t is that of F, near that of Hillis with many readers."""
    designs = {
        "nested_readers": nested_readers(readers=5),
        "nested_cases": nested_cases(readers=5),
        "split_plot": split_plot(readers=4),
    }
    for design, table in designs.items():
        found = rl.readers.mrmc(table, design=design, inference="score")
        assert found.equality.p_value == pytest.approx(found.pairs[0].p_value), design
        assert 0.2 < found.equality.statistic / rl.readers.mrmc(table, design=design).equality.statistic < 5
    table = study(readers=5)
    for covariance in READER_COVARIANCES:
        found = rl.readers.mrmc(table, inference="score", covariance=covariance, resampling=100, rng=1)
        assert 0 < found.equality.p_value < 1
    for asked in (
        {"estimator": "binormal"},
        {"estimator": "gini"},
        {"fpr": (0, 0.5)},
        {"estimator": "sensitivity", "threshold": 3},
    ):
        found = rl.readers.mrmc(table, inference="score", **asked)
        assert found.equality.p_value == pytest.approx(found.pairs[0].p_value)
    gini, area = (rl.readers.mrmc(table, inference="score", estimator=one) for one in ("gini", "empirical"))
    assert gini.equality.p_value == pytest.approx(area.equality.p_value)
    assert tuple(gini.pairs[0].interval) == pytest.approx([2 * end for end in area.pairs[0].interval], abs=1e-9)
    assert rl.readers.mrmc(table, inference="score", method="dbm").df[1] == pytest.approx(
        rl.readers.mrmc(table, inference="score", covariance="jackknife").df[1]
    )
    gaps = rl.readers.mrmc(only(study(readers=5), np.arange(160) != 20), inference="score")
    assert math.isfinite(gaps.df[1])
    many = rl.readers.mrmc(study(readers=5, modalities=3), inference="score", margin=0.3)
    assert many.df[0] == 2
    assert len(many.claims) == 2
    subjects = study(readers=5) | {"patient": np.tile(np.arange(16) // 2, 10)}
    assert math.isfinite(rl.readers.mrmc(subjects, subject="patient", covariance="jackknife", inference="score").df[1])


def test_score_degrees_definition():
    """All readers: theirs. All cases: theirs. Between, fewer than Satterthwaite's, because the share is an estimate."""
    assert score_degrees(2.0, 0.0, 4, 50) == 4
    assert score_degrees(0.0, 2.0, 4, 50) == 50
    assert score_degrees(0.0, 2.0, 4, math.inf) == math.inf
    assert score_degrees(1.0, 1.0, 4, math.inf) == pytest.approx(4 / 0.25 / 1.5)


@pytest.mark.parametrize(("readers", "low", "high"), [(3, 0.041, 0.0565), (4, 0.045, 0.0505), (10, 0.0485, 0.0505)])
def test_size_of_the_degrees_of_freedom_whatever_the_share(readers, low, high):
    """By quadrature: mean squares of readers with a known part of cases; Hillis' size goes up to .078 with three."""
    nu = readers - 1
    square = scipy.stats.chi2.ppf((np.arange(1000) + 0.5) / 1000, nu) / nu
    worst = 0.0
    for share in (0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95):
        own = share / (1 - share) * square
        spread = np.sqrt((own + 1) * (1 - share))
        edge = [scipy.stats.t.isf(0.025, score_degrees(one, 1.0, nu, math.inf)) for one in own]
        size = 2 * float(np.mean(scipy.stats.norm.sf(edge * spread)))
        assert low < size < high, share
        hillis = scipy.stats.t.isf(0.025, nu * ((own + 1) / own) ** 2)
        worst = max(worst, 2 * float(np.mean(scipy.stats.norm.sf(hillis * spread))))
    assert worst > high


def test_score_is_offered_where_it_is_needed():
    few = rl.readers.mrmc(study(readers=4))
    assert any("so few readers" in note and "'score'" in note for note in few.notes)
    assert not rl.readers.mrmc(study(readers=4), inference="score").notes
    assert not rl.readers.mrmc(study(readers=4), random="cases").notes
    sharp = rl.readers.simulate(readers=6, n_pos=30, n_neg=30, auc=(0.97, 0.98), rng=1)
    assert any("areas above 0.95" in note for note in rl.readers.mrmc(sharp).notes)
    found = rl.readers.mrmc(study(readers=5), inference="score")
    assert found.inference == "score"
    assert "score test" in str(found)
    with pytest.raises(rl.errors.InputError, match="inference must be one of 'hillis', 'score', 'calibrated'"):
        rl.readers.mrmc(study(), inference="wald")


def test_score_without_a_scale():
    """A modality in which everybody is perfect has no spread to scale, and says so."""
    table = study(readers=5, shift=1.0)
    perfect = table | {"rating": np.where(table["modality"] == "m1", 1 + 4 * table["truth"], table["rating"])}
    found = rl.readers.mrmc(perfect, inference="score")
    assert any("on its bound" in note for note in found.notes)
    plain = rl.readers.mrmc(perfect)
    assert found.pairs[0].standard_error == pytest.approx(plain.pairs[0].standard_error)
    assert found.pairs[0].interval.low < found.pairs[0].difference
    both = table | {"rating": 1 + 4 * table["truth"]}
    assert math.isnan(rl.readers.mrmc(both, inference="score").equality.p_value)
