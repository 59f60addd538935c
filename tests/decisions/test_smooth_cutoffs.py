"""Smoothed cut-offs against brute force, theory and the traps of other tools."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize_scalar

from roclab.data.tally import Tally
from roclab.decisions.cutoff_bootstrap import bootstrap_cutoff
from roclab.decisions.cutoffs import find_cutoff
from roclab.decisions.smooth_cutoffs import kernel_bandwidth, kernel_cutoff, normal_cutoff
from roclab.decisions.smoothed_criteria import (
    bootstrap_mean_cutoff,
    local_cutoff,
    penalised_cutoff,
    spline_cutoff,
)
from roclab.errors import InputError
from roclab.options.criterion import CriterionOptions
from roclab.options.uncertainty import Draws
from roclab.results import Sample


def of(pos, neg, **sample):
    extra = Sample(n_pos=len(pos), n_neg=len(neg), **sample) if sample else None
    return Tally.from_samples(np.array(pos, float), np.array(neg, float), sample=extra)


def brute_bandwidth(x):
    x = np.sort(x)
    n = len(x)
    iqr = x[math.ceil(0.75 * n) - 1] - x[math.ceil(0.25 * n) - 1]
    s = np.std(x, ddof=1)
    return 0.9 * (min(s, iqr / 1.34) if iqr > 0 else s) * n**-0.2


def brute_youden(t, pos, neg):
    hx, hy = brute_bandwidth(pos), brute_bandwidth(neg)
    return np.mean(stats.norm.cdf((t - neg) / hy)) - np.mean(stats.norm.cdf((t - pos) / hx))


@pytest.mark.parametrize("seed", range(5))
def test_kernel_definition(seed):
    rng = np.random.default_rng(seed)
    pos, neg = rng.gamma(3, 1, 35).round(1), rng.gamma(2, 0.8, 50).round(1)
    found = kernel_cutoff(of(pos, neg))
    assert found.bandwidths == pytest.approx((brute_bandwidth(pos), brute_bandwidth(neg)), rel=1e-12)
    grid = np.linspace(-2, 12, 4001)
    values = [brute_youden(t, pos, neg) for t in grid]
    assert found.value >= max(values) - 1e-12
    assert found.value == pytest.approx(brute_youden(found.threshold, pos, neg), abs=1e-12)
    assert found.threshold == pytest.approx(grid[np.argmax(values)], abs=0.01)


def test_kernel_is_not_lost_when_a_few_scores_are_huge_regression(asah):
    """cutpointr's kernel cut-off on ndka is 320.9, beyond nearly all cases, where the Youden index is near 0."""
    tally = Tally.from_labels(asah["y"], asah["ndka"])
    found = kernel_cutoff(tally)
    pos, neg = asah["ndka"][asah["y"]], asah["ndka"][~asah["y"]]
    grid = np.concatenate([np.linspace(0, 60, 3001), np.linspace(60, 600, 500)])
    values = [brute_youden(t, pos, neg) for t in grid]
    assert found.threshold == pytest.approx(grid[np.argmax(values)], abs=0.03)
    assert 8 < found.threshold < 20
    assert found.value > 0.19
    assert found.point.tpr - found.point.fpr > 0.1


@pytest.mark.parametrize("seed", range(40))
def test_kernel_finds_its_maximum_on_ordinal_scores_regression(seed):
    """Between ratings the index may peak a bandwidth away from every score and every middle."""
    rng = np.random.default_rng(seed)
    pos, neg = rng.integers(1, 6, 12).astype(float), rng.integers(1, 5, 15).astype(float)
    found = kernel_cutoff(of(pos, neg))
    grid = np.linspace(-2, 9, 4001)
    hx, hy = brute_bandwidth(pos), brute_bandwidth(neg)
    values = stats.norm.cdf((grid[:, None] - neg) / hy).mean(1) - stats.norm.cdf((grid[:, None] - pos) / hx).mean(1)
    assert found.value >= values.max() - 1e-12


def test_kernel_compressed_scores_agree_with_all_of_them(monkeypatch):
    """Above 4096 scores neighbours are joined; the docstring promises 1e-4."""
    rng = np.random.default_rng(1)
    tally = of(rng.normal(1, 1, 6000), rng.normal(0, 1.5, 6000))
    fast = kernel_cutoff(tally)
    monkeypatch.setattr("roclab.decisions.smooth_cutoffs.EXACT_SCORES", 10**9)
    exact = kernel_cutoff(tally)
    assert fast.value == pytest.approx(exact.value, abs=1e-4)
    assert fast.threshold == pytest.approx(exact.threshold, abs=2e-3)


def test_kernel_with_a_constant_class():
    found = kernel_cutoff(of([5, 5, 5], [1, 2, 3]))
    assert 3 < found.threshold <= 5
    assert found.value > 0.9
    assert kernel_bandwidth(np.array([5.0]), np.array([3])) == 0
    with pytest.raises(InputError, match="kernel smoothing needs scores that differ within a class, got constant"):
        kernel_cutoff(of([5, 5], [1, 1]))


@pytest.mark.parametrize(
    ("mx", "sx", "my", "sy"),
    [(2, 1, 0, 1), (2, 1, 0, 3), (2, 3, 0, 1), (0, 1, 2, 1), (0, 3, 0, 1), (1, 1 + 1e-9, 0, 1)],
)
def test_normal_definition(mx, sx, my, sy):
    """Two cases m ± s/√2 have mean m and standard deviation s: the closed form against a numerical search."""
    pos, neg = [mx - sx / math.sqrt(2), mx + sx / math.sqrt(2)], [my - sy / math.sqrt(2), my + sy / math.sqrt(2)]
    found = normal_cutoff(of(pos, neg))

    def youden(t):
        return stats.norm.cdf(t, my, sy) - stats.norm.cdf(t, mx, sx)

    grid = np.linspace(-20, 20, 4001)
    start = grid[np.argmax(youden(grid))]
    best = minimize_scalar(lambda t: -youden(t), bounds=(start - 0.02, start + 0.02), method="bounded")
    if -best.fun <= 1e-9:
        assert found.threshold == math.inf
        assert found.value == 0
        assert "No threshold does better than chance" in found.notes[0]
    else:
        assert found.value == pytest.approx(-best.fun, abs=1e-9)
        assert found.threshold == pytest.approx(best.x, abs=1e-4)
    if sx == sy and mx > my:
        assert found.threshold == pytest.approx((mx + my) / 2)


def test_normal_needs_spread():
    with pytest.raises(InputError, match="the normal cut-off needs scores that differ within each class"):
        normal_cutoff(of([5, 5], [1, 2]))
    with pytest.raises(InputError, match="needs finite scores, got infinite ones"):
        normal_cutoff(of([math.inf, 5], [1, 2]))


def test_direction_and_units_property():
    rng = np.random.default_rng(2)
    pos, neg = rng.normal(1, 1, 40), rng.normal(0, 1, 50)
    tally, low = of(pos, neg), of(pos, neg, direction="lower")  # a "lower" score is stored negated
    for smooth in (kernel_cutoff, normal_cutoff, local_cutoff):
        one, two = smooth(tally), smooth(low)
        assert one.threshold == pytest.approx(-two.threshold)
        assert (one.point.tpr, one.point.fpr) == (two.point.tpr, two.point.fpr)
        scaled = smooth(of(10 * pos + 3, 10 * neg + 3))
        assert scaled.threshold == pytest.approx(10 * one.threshold + 3, rel=1e-6)
        assert scaled.value == pytest.approx(one.value, abs=1e-9)


def brute_loess(x, y, span, degree):
    """Cleveland's local fit by the normal equations, neighbour by neighbour."""
    out = []
    k = max(math.ceil(span * len(x)), degree + 2)
    for centre in x:
        nearest = np.sort(np.argsort(np.abs(x - centre), kind="stable")[:k])
        d = x[nearest] - centre
        u = np.abs(d) / np.abs(d).max() / (1 + 1e-3)
        w = (1 - np.minimum(u, 1) ** 3) ** 3
        design = np.vander(d, degree + 1, increasing=True)
        gram = design.T @ (w[:, None] * design)
        out.append(np.linalg.solve(gram, design.T @ (w * y[nearest]))[0])
    return np.array(out)


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("criterion", ["youden", "accuracy", "closest_to_corner"])
def test_local_regression_definition(degree, criterion):
    rng = np.random.default_rng(degree)
    pos, neg = rng.normal(1, 1, 30), rng.normal(0, 1, 40)
    tally = of(pos, neg)
    found = local_cutoff(tally, CriterionOptions(criterion=criterion), span=0.4, degree=degree)
    x = np.sort(np.concatenate([pos, neg]))
    se, sp = np.array([np.mean(pos >= t) for t in x]), np.array([np.mean(neg < t) for t in x])
    y = {
        "youden": se + sp - 1,
        "accuracy": (30 * se + 40 * sp) / 70,
        "closest_to_corner": np.hypot(1 - se, 1 - sp),
    }[criterion]
    fitted = brute_loess(x, y, 0.4, degree)
    best = np.argmin(fitted) if criterion == "closest_to_corner" else np.argmax(fitted)
    assert found.threshold == x[best]
    assert found.value == pytest.approx(fitted[best], abs=1e-8)


def test_local_regression_thins_long_tables():
    rng = np.random.default_rng(8)
    tally = of(rng.normal(1, 1, 5000), rng.normal(0, 1, 5000))
    found = local_cutoff(tally, span=0.3)
    assert "2000 of 10,000 thresholds" in found.notes[0]
    assert found.threshold == pytest.approx(0.5, abs=0.15)
    assert abs(found.threshold - find_cutoff(tally).threshold) < 0.5
    assert "local regression of degree 1, span 0.3" in str(found)
    assert found.rows()[0]["criterion"] == "youden"


def test_local_regression_leaves_out_what_is_infinite():
    found = local_cutoff(of([4, 5, 6, 7, 3, 2.5, 4.5], [1, 2, 3, 4, 5, 3.5]), CriterionOptions(criterion="dor"))
    assert math.isfinite(found.value)
    assert (
        local_cutoff(
            of([4, 5, 6, 7, 3, 2.5, 4.5], [1, 2, 3, 4, 5, 3.5]), CriterionOptions(criterion="cost", cost_fn=2)
        ).criterion
        == "cost"
    )


def test_local_regression_errors():
    tally = of([2, 3, 4], [1, 2, 3])
    with pytest.raises(InputError, match="span must lie between 0 and 1, got 2"):
        local_cutoff(tally, span=2)
    with pytest.raises(InputError, match="degree must be one of '1', '2', got '3'"):
        local_cutoff(tally, degree=3)
    with pytest.raises(InputError, match="needs at least 4 thresholds with a finite mcc, got 1"):
        local_cutoff(of([2, 1], [1, 2]), CriterionOptions(criterion="mcc"), degree=2)
    with pytest.raises(InputError, match="criterion 'youden' takes no alpha"):
        local_cutoff(tally, CriterionOptions(alpha=0.1))


# -- splines and bagging -----------------------------------------------------------------------------


def youden_column(pos, neg):
    x = np.unique(np.concatenate([pos, neg]))
    return x, np.array([np.mean(pos >= t) - np.mean(neg >= t) for t in x])


def test_spline_definition_minimises_its_penalised_sum():
    """A natural cubic spline through values g costs g'Kg of bending: the smoother is (I + penalty K)^-1 y."""
    rng = np.random.default_rng(4)
    pos, neg = rng.normal(1, 1, 12), rng.normal(0, 1, 14)
    x, y = youden_column(pos, neg)
    u = (x - x[0]) / (x[-1] - x[0])
    h, n = np.diff(u), x.size
    q, r = np.zeros((n, n - 2)), np.zeros((n - 2, n - 2))
    for j in range(n - 2):
        q[j, j], q[j + 1, j], q[j + 2, j] = 1 / h[j], -1 / h[j] - 1 / h[j + 1], 1 / h[j + 1]
        r[j, j] = (h[j] + h[j + 1]) / 3
        if j + 1 < n - 2:
            r[j, j + 1] = r[j + 1, j] = h[j + 1] / 6
    fitted = np.linalg.solve(np.eye(n) + 1e-3 * q @ np.linalg.inv(r) @ q.T, y)
    found = spline_cutoff(of(pos, neg), penalty=1e-3)
    assert found.value == pytest.approx(fitted.max(), abs=1e-8)
    assert found.threshold == x[np.argmax(fitted)]


def test_penalised_spline_definition_least_cross_validation():
    rng = np.random.default_rng(5)
    pos, neg = rng.normal(1, 1, 30), rng.normal(0, 1, 30)
    x, y = youden_column(pos, neg)
    u = (x - x[0]) / (x[-1] - x[0])
    knots = np.arange(-3, 11) / 7

    def basis(j, k, t):
        if k == 0:
            return ((knots[j] <= t) & (t < knots[j + 1])).astype(float)
        left = (t - knots[j]) / (knots[j + k] - knots[j]) * basis(j, k - 1, t)
        return left + (knots[j + k + 1] - t) / (knots[j + k + 1] - knots[j + 1]) * basis(j + 1, k - 1, t)

    b = np.stack([basis(j, 3, np.minimum(u, 1 - 1e-13)) for j in range(10)], axis=1)
    d = np.diff(np.eye(10), n=2, axis=0)
    best = None
    for strength in 10.0 ** np.arange(-8, 9, 0.5):
        hat = b @ np.linalg.inv(b.T @ b + strength * d.T @ d) @ b.T
        gcv = len(y) * np.sum((y - hat @ y) ** 2) / (len(y) - np.trace(hat)) ** 2
        if best is None or gcv < best[0]:
            best = (gcv, hat @ y)
    found = penalised_cutoff(of(pos, neg))
    assert found.value == pytest.approx(best[1].max(), abs=1e-6)
    assert found.threshold == x[np.argmax(best[1])]


def test_bootstrap_mean_is_the_mean_of_the_chosen_cutoffs():
    rng = np.random.default_rng(6)
    tally = of(rng.normal(1, 1, 40), rng.normal(0, 1, 40))
    found = bootstrap_mean_cutoff(tally, CriterionOptions(criterion="kappa"), drawn=Draws(rng=3, resampling=50))
    chosen = bootstrap_cutoff(tally, CriterionOptions(criterion="kappa"), drawn=Draws(rng=3, resampling=50)).thresholds
    assert found.threshold == pytest.approx(chosen[np.isfinite(chosen)].mean())
    assert "50 replicates" in found.method
    useless = bootstrap_mean_cutoff(of([1, 2, 3, 4], [3, 4, 5, 2]), drawn=Draws(rng=3, resampling=50))
    assert "infinite cut-off are left out" in useless.notes[0]


@pytest.mark.parametrize("smooth", [spline_cutoff, penalised_cutoff])
def test_splines_move_less_and_take_any_criterion(smooth):
    rng = np.random.default_rng(7)
    rough, smoothed = [], []
    for _ in range(30):
        tally = of(rng.normal(1, 1, 80), rng.normal(0, 1, 80))
        rough.append(find_cutoff(tally).threshold)
        smoothed.append(smooth(tally).threshold)
    assert np.std(smoothed) < np.std(rough)
    assert (
        smooth(tally, CriterionOptions(criterion="cost", cost_fn=3)).threshold
        < smooth(tally, CriterionOptions(criterion="cost", cost_fp=3)).threshold
    )
    with pytest.raises(InputError, match="spline needs at least .* thresholds with a finite youden, got 3"):
        smooth(of([1, 2], [2, 3]))
