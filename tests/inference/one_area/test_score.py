"""The score interval of one AUC: its definition, its agreement with the test, its symmetries and its edges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, owens_t

from roclab._core.undefined import Undefined
from roclab.errors import InputError
from roclab.inference.one_area import score
from roclab.inference.one_area.score import fit_score_variance, score_interval, score_test
from roclab.inference.one_curve.proportions import proportion_interval
from tests.conftest import OUTSIDE as DATA
from tests.strategies import SCORES

Z = 1.959963984540054


# The definition again, slowly: Owen's function by quadrature, shares by bisection, limits by looking at every t.


def slow_components(pos, neg):
    """Area and spreads, pair by pair; NaN where a class has one case."""
    wins = np.array([[1.0 if x > y else 0.5 if x == y else 0.0 for y in neg] for x in pos])
    spreads = [float(np.var(v, ddof=1)) if v.size > 1 else math.nan for v in (wins.mean(axis=1), wins.mean(axis=0))]
    return float(wins.mean()), *spreads


def slow_owen(h, a):
    """T(h, a) = (1/2π) ∫₀ᵃ exp(-h² (1 + x²) / 2) / (1 + x²) dx by Simpson's rule."""
    x = np.linspace(0, a, 401)
    y = np.exp(-h * h * (1 + x * x) / 2) / (1 + x * x)
    return float(np.sum(y[:-1:2] + 4 * y[1::2] + y[2::2]) * (x[1] - x[0]) / 3 / (2 * math.pi))


def slow_spread(t, q):
    return float(t * (1 - t) - 2 * slow_owen(float(ndtri(t)), math.sqrt((1 - q) / (1 + q))))


def slow_share(t, spread):
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if slow_spread(t, middle) < spread else (low, middle)
    return (low + high) / 2


def slow_variance(area, spread10, spread01, n_pos, n_neg):
    """v as a function of t, from the steps in the module's description."""
    rows = []
    pair, e = 1 / (n_pos * n_neg), min(area, 1 - area)
    for spread, own, other in ((spread10, n_pos, n_neg), (spread01, n_neg, n_pos)):
        if e < pair * (1 - 1e-9):  # as if one pair were misplaced
            seen = own * pair**2 / (pair**2 + max(pair / other, slow_spread(1 - pair, 0.5)))
            rows.append((slow_share(1 - pair, pair / other), seen, own, other))
        elif math.isnan(spread) or not (spread10 > 1e-30 or spread01 > 1e-30):
            rows.append((0.5, 0.0, own, other))
        else:
            seen = own * e**2 / (e**2 + max(spread, slow_spread(area, 0.5)))
            rows.append((slow_share(area, spread) if spread > 0 else 0.0, seen, own, other))

    def v(t):
        m = min(t, 1 - t)
        if (t - 0.5) * (area - 0.5) < 0:
            m = min(0.5, m + abs(2 * area - 1))
        total = 0.0
        for share, seen, own, other in rows:
            cautious = 1 - m * min(1, own / other)
            total += slow_spread(t, share + max(cautious - share, 0) / (1 + max(seen, 5 * (own - 1) * m**4))) / own
        return min(total, t * (1 - t) / min(n_pos, n_neg))

    return v


CASES = [
    (0.82, 0.036, 0.043, 41, 72),
    (0.97, 0.01, 0.02, 15, 15),
    (0.995, 0.0004, 0.0008, 60, 40),
    (0.6, 0.09, 0.07, 100, 30),
    (0.5, 0.0833, 0.0833, 12, 12),
    (0.5, 0.0, 0.0, 6, 9),
    (0.31, 0.05, 0.002, 5, 200),
    (0.9, 0.2, 0.0, 3, 100),
    (0.75, math.nan, 0.05, 1, 25),
    (1.0, 0.0, 0.0, 8, 30),
    (0.0, 0.0, 0.0, 15, 20),
    (0.8, 0.06, 0.05, 12.7, 20.3),
]


@pytest.mark.parametrize("case", CASES)
def test_variance_definition(case):
    area, spread10, spread01, n_pos, n_neg = case
    fast = fit_score_variance(area, spread10, spread01, n_pos=n_pos, n_neg=n_neg)
    slow = slow_variance(*case)
    for t in (0.02, 0.2, 0.5, 0.61, 0.8, 0.93, 0.99):
        assert fast(t) == pytest.approx(slow(t), rel=1e-7, abs=1e-12)  # Simpson's rule


@pytest.mark.parametrize("case", CASES)
def test_interval_definition_by_looking_at_every_t(case):
    """All t of a grid of 4000 that are not rejected: the first and the last lie within a step of the limits."""
    area, spread10, spread01, n_pos, n_neg = case
    v = slow_variance(*case)
    grid = (np.arange(4000) + 0.5) / 4000
    perfect = slow_variance(1.0, 0.0, 0.0, n_pos, n_neg)

    def loudness(t):  # no more than that of a perfect sample, or of a wholly wrong one
        return min(
            abs(area - t) / math.sqrt(v(t)),
            *((1 - t) / math.sqrt(perfect(t)),) if area > t else (t / math.sqrt(perfect(1 - t)),),
        )

    kept = [t for t in grid.tolist() if loudness(t) <= Z]
    assert len(kept) == round((kept[-1] - kept[0]) * 4000) + 1  # without gaps
    low, high = score_interval(fit_score_variance(area, spread10, spread01, n_pos=n_pos, n_neg=n_neg))
    assert kept[0] - 1 / 4000 <= low <= kept[0] + 1e-9
    assert kept[-1] - 1e-9 <= high <= kept[-1] + 1 / 4000


@pytest.mark.parametrize("sizes", [(30, 70), (15, 15), (2, 200), (4000, 9)])
@pytest.mark.parametrize("area", [0.5, 0.7, 0.98])
def test_slope_of_the_variance_definition(area, sizes):
    fit = fit_score_variance(area, 0.3 * area * (1 - area), 0.1 * area * (1 - area), n_pos=sizes[0], n_neg=sizes[1])

    def variance(h):
        below, above = float(ndtr(-h)), float(ndtr(h))
        return fit.at_probit(h, above, below, min(below, above) if h > 0 or area == 0.5 else 0.5)

    for h in (-1.1, -0.2, 0.3, 1.0, 2.5):
        rise = (variance(h + 1e-5)[0] - variance(h - 1e-5)[0]) / float(ndtr(h + 1e-5) - ndtr(h - 1e-5))
        assert variance(h)[1] == pytest.approx(rise, rel=1e-5, abs=1e-6 * variance(h)[0])


def test_both_searches_find_the_same_limits(monkeypatch):
    rng = np.random.default_rng(3)
    fits = []
    for area in rng.uniform(0.02, 0.999, 40):
        spreads = area * (1 - area) * rng.random(2)
        fits.append(fit_score_variance(area, *spreads, n_pos=rng.integers(2, 500), n_neg=rng.integers(2, 500)))
    fast = [score_interval(fit) for fit in fits]
    monkeypatch.setattr(score, "smooth_root", lambda *_: None)
    assert np.array(fast) == pytest.approx(np.array([score_interval(fit) for fit in fits]), abs=1e-12)


LEVELS = [(0.5, "two-sided"), (0.95, "two-sided"), (0.999, "two-sided"), (0.9, "lower"), (0.9, "upper")]


@pytest.mark.parametrize("sizes", [(2, 2), (2, 50), (9, 7), (30, 70), (500, 40), (10**5, 300), (10**5, 10**5)])
@pytest.mark.parametrize("area", [0.5, 0.61, 0.75, 0.9, 0.99, 0.9999, 0.2])
def test_limits_definition_by_brents_method_on_the_test(area, sizes):
    """Every limit is where the score test has the deviate of its level, two-sided and one-sided."""
    for part10, part01 in ((0.3, 0.35), (0.05, 0.6), (0.95, 0.01)):
        spreads = area * (1 - area) * part10, area * (1 - area) * part01
        fit = fit_score_variance(area, *spreads, n_pos=sizes[0], n_neg=sizes[1])
        for level, side in LEVELS:
            z = float(ndtri((1 + level) / 2 if side == "two-sided" else level))
            for limit, wanted in zip(score_interval(fit, level=level, side=side), (z, -z), strict=True):
                if limit not in (0.0, 1.0):
                    assert limit == pytest.approx(limit_by_brent(fit, wanted), rel=1e-11, abs=1e-13)


def limit_by_brent(fit, wanted):
    def excess(h):
        return score_test(fit, null=float(ndtr(h))) - wanted

    return float(ndtr(brentq(excess, -8, 8, xtol=1e-14, rtol=1e-14)))


@pytest.mark.parametrize("t", [0.5, 0.52, 0.6, 0.75, 0.9, 0.97, 0.999, 1 - 1e-6])
@pytest.mark.parametrize("part", [1e-6, 0.01, 0.1, 0.3, 0.37, 0.6, 0.9, 0.999])
def test_shares_definition_by_brents_method_on_owens_function(t, part):
    """s(h, q) is the spread, for all probits and spreads; Owen's functions cancel where it is small."""
    h, spread = float(ndtri(t)), part * t * (1 - t)

    def excess(q):
        return float(t * (1 - t) - 2 * owens_t(h, math.sqrt((1 - q) / (1 + q)))) - spread

    share, _ = fit_score_variance(t, spread, spread, n_pos=5000, n_neg=5000).shares
    assert share == pytest.approx(brentq(excess, 0, 1, xtol=1e-15), abs=1e-9)
    assert excess(share) == pytest.approx(0, abs=1e-12 * t * (1 - t) + 1e-16)


@pytest.mark.parametrize("ratio", [0.4, 1.0, 2.5])
@pytest.mark.parametrize("area", [0.5, 0.8, 0.97])
def test_fit_recovers_the_shares_of_a_binormal_model_definition(area, ratio):
    """Var V10 = E Φ(X/σ₋)² - A² by quadrature over X; its share is σ₊² / (σ₊² + σ₋²), and 1 less it for V01."""
    x = np.linspace(-12, 12, 40001)
    weight = np.exp(-x * x / 2) / math.sqrt(2 * math.pi) * (x[1] - x[0])
    shift = math.hypot(1, ratio) * float(ndtri(area))
    spread10 = float(np.sum(weight * ndtr(shift + ratio * x) ** 2)) - area**2
    spread01 = float(np.sum(weight * ndtr((shift - x) / ratio) ** 2)) - area**2
    fit = fit_score_variance(area, spread10, spread01, n_pos=10**7, n_neg=10**7)
    share = ratio**2 / (1 + ratio**2)
    assert fit.shares == pytest.approx((share, 1 - share), abs=1e-7)
    assert fit(area) * 1e7 == pytest.approx(spread10 + spread01, rel=1e-5)  # no correction is left: DeLong's variance


def test_variance_by_hand():
    """At t = 1/2, s = arcsin(q)/2π: spreads of 1/12 have equal shares, and v = (1/12)(1/P + 1/N)."""
    fit = fit_score_variance(0.5, 1 / 12, 1 / 12, n_pos=12, n_neg=12)
    assert fit.shares == pytest.approx((0.5, 0.5), abs=1e-12)
    assert fit.seen == pytest.approx((9, 9))  # 12 (1/4) / (1/4 + 1/12)
    assert fit(0.5) == pytest.approx(1 / 72, rel=1e-12)
    fit = fit_score_variance(0.8, 0.02, 0.0, n_pos=12, n_neg=24)
    (fitted, none), (seen, of_none) = fit.shares, fit.seen
    assert none == 0  # negatives that are all placed alike
    assert of_none == pytest.approx(24 * 0.04 / (0.04 + slow_spread(0.8, 0.5)))
    share = fitted + (1 - 0.5 * 0.5 - fitted) / (1 + max(seen, 5 * 11 / 16))
    other = (1 - 0.5) / (1 + max(of_none, 5 * 23 / 16))
    by_hand = (math.asin(share) / 12 + math.asin(other) / 24) / (2 * math.pi)
    assert fit(0.5) == pytest.approx(by_hand, rel=1e-12)
    assert score_test(fit, null=0.5) == pytest.approx(0.3 / math.sqrt(by_hand), rel=1e-12)


@pytest.mark.parametrize(("k", "n"), [(26, 40), (1, 10), (9, 10), (81, 263)])
def test_all_or_nothing_scores_give_the_wilson_interval_published(k, n):
    """Each positive above or below all negatives: the area is a proportion, with Wilson's interval.

    81 of 263 is Newcombe's (1998) example, Wilson 0.2553 to 0.3662.
    """
    area = k / n
    fit = fit_score_variance(area, area * (1 - area) * n / (n - 1), 0.0, n_pos=n, n_neg=10**6)
    want = proportion_interval(k, n, method="wilson")
    assert score_interval(fit) == pytest.approx((want.low, want.high), abs=1e-9)
    if (k, n) == (81, 263):
        assert score_interval(fit) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_large_samples_agree_with_delong():
    """10⁶ cases of each class: the limits are A ± z SE to within SE/100."""
    area, spread10, spread01 = 0.85, 0.03, 0.05
    se = math.sqrt((spread10 + spread01) / 1e6)
    low, high = score_interval(fit_score_variance(area, spread10, spread01, n_pos=10**6, n_neg=10**6))
    assert (low, high) == pytest.approx((area - Z * se, area + Z * se), abs=se / 100)


# Properties.


def random_samples(count, seed):
    """Samples with and without ties, small and large, separated, reversed, constant, single cases."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n_pos, n_neg = (int(math.exp(rng.uniform(0, 4))) for _ in range(2))
        values = rng.integers(1, 8)
        shift = rng.choice([-9, -2, -0.5, 0, 0.5, 1, 2, 9])
        pos, neg = rng.normal(shift, rng.choice([0.3, 1, 3]), n_pos), rng.normal(size=n_neg)
        if values < 7:  # few distinct scores; 1 makes them constant
            pos, neg = (np.clip(np.round(scores), 0, values - 1) for scores in (pos, neg))
        yield pos, neg


def components(pos, neg):
    wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    spreads = [float(np.var(v, ddof=1)) if v.size > 1 else math.nan for v in (wins.mean(axis=1), wins.mean(axis=0))]
    return float(wins.mean()), *spreads


def two_sided_p(z):
    return 2 * float(ndtr(-abs(z)))


def test_interval_and_test_never_contradict_each_other_property():
    """t lies inside exactly when p >= 1 - level, but for t within 1e-9 of a limit."""
    rng = np.random.default_rng(8)
    seen = set()
    for pos, neg in random_samples(3000, seed=7):
        area, spread10, spread01 = components(pos, neg)
        seen.add((area in (0, 1), math.isnan(spread10), spread10 == 0, spread01 == 0))
        fit = fit_score_variance(area, spread10, spread01, n_pos=pos.size, n_neg=neg.size)
        level = float(rng.choice([0.5, 0.8, 0.95, 0.99, 0.9999]))
        low, high = score_interval(fit, level=level)
        assert 0 <= low <= area <= high <= 1
        assert low < high
        near = [t for end in (low, high) for t in (end - 1e-9, end + 1e-9)]
        for t in [*near, *rng.uniform(0, 1, 3).tolist(), 0.5, 0.01, 0.99]:
            if 0 < t < 1 and min(abs(t - low), abs(t - high)) > 5e-10:
                assert (low <= t <= high) == (two_sided_p(score_test(fit, null=t)) >= 1 - level)
    assert len(seen) >= 8  # the kinds of data that the name promises did occur


def test_one_sided_bounds_agree_with_the_one_sided_test_property():
    for pos, neg in random_samples(400, seed=3):
        area, spread10, spread01 = components(pos, neg)
        fit = fit_score_variance(area, spread10, spread01, n_pos=pos.size, n_neg=neg.size)
        for level in (0.3, 0.9, 0.95):  # below one half the bound lies beyond the estimate
            low, one = score_interval(fit, level=level, side="lower")
            zero, high = score_interval(fit, level=level, side="upper")
            assert (zero, one) == (0.0, 1.0)
            z = float(ndtri(level))
            if 1e-9 < low < 1 - 1e-9:
                assert score_test(fit, null=low) == pytest.approx(z, abs=1e-7)
            if 1e-9 < high < 1 - 1e-9:
                assert score_test(fit, null=high) == pytest.approx(-z, abs=1e-7)
        both = score_interval(fit, level=0.9)
        assert both == pytest.approx(
            (score_interval(fit, level=0.95, side="lower")[0], score_interval(fit, level=0.95, side="upper")[1]),
            abs=1e-12,
        )


@given(pos=SCORES, neg=SCORES)
def test_interval_property_mirrors_with_the_scores_and_ignores_which_class_is_which(pos, neg):
    sizes = {"n_pos": len(pos), "n_neg": len(neg)}
    area, spread10, spread01 = slow_components(pos, neg)
    low, high = score_interval(fit_score_variance(area, spread10, spread01, **sizes))
    mirrored = score_interval(fit_score_variance(1 - area, spread10, spread01, **sizes))
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=1e-12)
    swapped = fit_score_variance(area, spread01, spread10, n_pos=len(neg), n_neg=len(pos))
    assert score_interval(swapped) == pytest.approx((low, high), abs=1e-12)


@given(
    area=st.floats(0, 1),
    spreads=st.tuples(st.floats(0, 0.5), st.floats(0, 0.5)),
    sizes=st.tuples(st.floats(1, 1e7), st.floats(1, 1e7)),
    level=st.floats(0.01, 0.999999),
)
def test_interval_property_exists_for_any_numbers(area, spreads, sizes, level):
    """Also for spreads no data can have; wider levels give wider intervals."""
    fit = fit_score_variance(area, *spreads, n_pos=sizes[0], n_neg=sizes[1])
    assert all(0 <= share <= 1 for share in fit.shares)
    low, high = score_interval(fit, level=level)
    assert 0 <= low <= area + 1e-15
    assert area - 1e-15 <= high <= 1
    wider = score_interval(fit, level=(1 + level) / 2)
    assert wider[0] <= low + 1e-14
    assert wider[1] >= high - 1e-14


def test_deviate_falls_as_the_null_rises_property():
    """What makes the set of kept values an interval; beyond 30 deviations rounding may show."""
    rng = np.random.default_rng(4)
    grid = ndtr(np.linspace(-5, 5, 301))
    for _ in range(300):
        area = float(rng.choice([rng.uniform(0, 1), 1 - 10 ** rng.uniform(-8, -1), 0.0, 1.0]))
        spreads = [
            area * (1 - area) * float(rng.choice([rng.uniform(0, 1.2), 10 ** rng.uniform(-6, 0), 0])) for _ in "ab"
        ]
        n_pos, n_neg = (math.exp(rng.uniform(0, 8)) for _ in "ab")
        fit = fit_score_variance(area, *spreads, n_pos=n_pos, n_neg=n_neg)
        z = np.array([score_test(fit, null=t) for t in grid.tolist()])
        inside = np.abs(z) < 30
        assert np.all(np.diff(z[inside]) < 1e-9)


# A better area is not called less significant.

SIZES = [(5, 5), (15, 15), (100, 100), (1000, 1000), (3, 100), (5, 20), (20, 80), (20, 200), (10, 1000), (500, 25)]


def binormal_spreads(area, ratio):
    share = ratio**2 / (1 + ratio**2)
    return slow_spread(area, share), slow_spread(area, 1 - share)


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("ratio", [1 / 3, 1.0, 3.0])
def test_deviate_against_one_half_rises_with_the_area_in_a_binormal_model(sizes, ratio):
    largest = 1 - 1 / (sizes[0] * sizes[1])  # the next best to 1 that a sample can have
    areas = [a for a in [*np.arange(0.51, 0.995, 0.01).tolist(), 0.995, 0.999, 0.9999] if a <= largest + 1e-12]
    fits = [fit_score_variance(a, *binormal_spreads(a, ratio), n_pos=sizes[0], n_neg=sizes[1]) for a in areas]
    if ratio == 1:  # a perfect area shows no ratio; it is compared with the usual one
        fits.append(fit_score_variance(1.0, 0.0, 0.0, n_pos=sizes[0], n_neg=sizes[1]))
    deviates = np.array([score_test(fit, null=0.5) for fit in fits])
    loudest = score_test(fit_score_variance(1.0, 0.0, 0.0, n_pos=sizes[0], n_neg=sizes[1]), null=0.5)
    assert np.all((np.diff(deviates) > 0) | (deviates[1:] == loudest))  # none is louder than a perfect sample


@pytest.mark.parametrize("sizes", [(5, 5), (15, 15), (20, 80), (10, 1000)])
def test_a_perfect_area_is_more_significant_than_one_with_a_misplaced_pair(sizes):
    n_pos, n_neg = sizes
    pos, neg = np.arange(n_pos) + 0.5, -np.arange(n_neg)[::-1] - 1.0
    perfect = fit_score_variance(*components(pos, neg), n_pos=n_pos, n_neg=n_neg)
    neg[-1] = 1.0
    nearly = fit_score_variance(*components(pos, neg), n_pos=n_pos, n_neg=n_neg)
    assert perfect.area == 1 > nearly.area == 1 - 1 / (n_pos * n_neg)
    assert score_test(perfect, null=0.5) > score_test(nearly, null=0.5) > 0


def read_votes():
    path = DATA / "voting.tab"
    if not path.exists():
        pytest.skip("the data folder with voting.tab is not on this machine (set ROCLAB_DATA)")
    rows = [line.split("\t") for line in path.read_text().splitlines()[3:]]
    votes = np.array([[vote.strip() for vote in (row + [""] * 17)[1:17]] for row in rows])
    return np.array([row[0] == "republican" for row in rows]), votes


def naive_bayes(label, votes, test):
    """Log odds of the held-out rows, every count plus one."""
    total = np.full(int(test.sum()), math.log(np.sum(label[~test]) / np.sum(~label[~test])))
    for column in votes.T:
        for value in ("y", "n"):
            odds = [
                (np.sum(column[~test & kind] == value) + 1) / (np.sum(~test & kind) + 2) for kind in (label, ~label)
            ]
            total += (column[test] == value) * math.log(odds[0] / odds[1])
    return total


def ridge_logistic(label, votes, test):
    """Logistic regression with a penalty of 1/2 per squared coefficient, by Newton's method."""
    x = np.column_stack([np.ones(label.size), (votes == "y") * 1.0, (votes == "n") * 1.0])
    penalty = np.diag([0.0, *[1.0] * 32])
    beta = np.zeros(33)
    for _ in range(25):
        p = 1 / (1 + np.exp(-x[~test] @ beta))
        hessian = (x[~test] * (p * (1 - p))[:, None]).T @ x[~test] + penalty
        beta += np.linalg.solve(hessian + 1e-9 * np.eye(33), x[~test].T @ (label[~test] - p) - penalty @ beta)
    return x[test] @ beta


def test_better_model_of_the_votes_is_the_more_significant_one():
    """The 1984 votes, ten folds: logistic regression about .994, naive Bayes about .972, 168 against 267 members."""
    label, votes = read_votes()
    fold = np.empty(label.size, dtype=int)
    for kind in (label, ~label):
        fold[kind] = np.random.default_rng(42).permutation(int(kind.sum())) % 10
    found = {}
    for model in (ridge_logistic, naive_bayes):
        score = np.empty(label.size)
        for at in range(10):
            score[fold == at] = model(label, votes, fold == at)
        fit = fit_score_variance(*components(score[label], score[~label]), n_pos=168, n_neg=267)
        found[model.__name__] = (fit.area, score_test(fit, null=0.5))
    assert found["ridge_logistic"][0] == pytest.approx(0.9937, abs=0.005)
    assert found["naive_bayes"][0] == pytest.approx(0.9722, abs=0.005)
    assert found["ridge_logistic"][1] > found["naive_bayes"][1] > 10


# Edges and errors.


def test_perfect_areas_have_length_and_mirror():
    perfect = fit_score_variance(1.0, 0.0, 0.0, n_pos=15, n_neg=15)
    low, high = score_interval(perfect)
    assert (low, high) == (pytest.approx(limit_by_brent(perfect, Z), abs=1e-9), 1.0)
    assert low > 15 / (15 + Z**2)  # Wilson's bound for 15 of 15
    zero = score_interval(fit_score_variance(0.0, 0.0, 0.0, n_pos=15, n_neg=15))
    assert zero == (0.0, pytest.approx(1 - low, abs=1e-12))
    assert score_interval(fit_score_variance(1.0, 0.0, 0.0, n_pos=1, n_neg=1))[0] < 0.21


@pytest.mark.parametrize("sizes", [(2, 2), (5, 5), (10, 10), (20, 20), (10, 50), (50, 10), (100, 100), (3, 500)])
def test_a_perfect_sample_never_looks_worse_than_one_with_a_tied_or_misplaced_pair(sizes):
    """All pairs apart, one pair tied, one exchanged; then a positive that sinks, and pairs exchanged one by one."""
    n_pos, n_neg = sizes
    lower = np.arange(n_neg) - n_neg + 0.0

    def limits(pos, neg):
        return score_interval(fit_score_variance(*components(pos, neg), n_pos=n_pos, n_neg=n_neg))

    first = [limits(np.r_[lowest, np.arange(2, n_pos + 1)], lower) for lowest in (1.0, -1.0, -1.5)]
    assert np.all(np.diff(first, axis=0) < 0)
    for count in range(2, min(n_pos, n_neg, 30)):
        sunk = limits(np.r_[-count - 0.5, np.arange(2, n_pos + 1)], lower)
        mixed = limits(np.r_[-1.5 - np.arange(count), np.arange(1, n_pos - count + 1)], lower)
        for low, high in (sunk, mixed):
            assert low <= first[0][0] + 1e-12
            assert high < 1


@pytest.mark.parametrize("spread", [0.01, 0.0833, 0.2])
def test_limits_do_not_jump_where_the_area_passes_one_half(spread):
    ends = [
        score_interval(fit_score_variance(0.5 + step, spread, spread, n_pos=8, n_neg=8)) for step in (-1e-9, 0.0, 1e-9)
    ]
    assert np.diff(np.array(ends), axis=0) == pytest.approx(np.zeros((2, 2)), abs=1e-8)


def test_a_class_placed_all_alike_does_not_jump():
    """Negatives that all lie at one place, or one of them a little apart: spreads of 0 and nearly 0."""
    exact, nearly = (
        score_interval(fit_score_variance(0.96, 0.0392, spread, n_pos=50, n_neg=10)) for spread in (0.0, 1e-12)
    )
    assert exact == pytest.approx(nearly, abs=1e-6)


def test_constant_scores_leave_much_open():
    low, high = score_interval(fit_score_variance(0.5, 0.0, 0.0, n_pos=20, n_neg=20))
    assert 0.5 - low == pytest.approx(high - 0.5, abs=1e-12)
    assert 0.3 < low < 0.33  # about the null standard error of untied scores
    assert score_test(fit_score_variance(0.5, 0.0, 0.0, n_pos=20, n_neg=20), null=0.5) == 0


def test_one_case_in_a_class_is_never_significant():
    why = Undefined("there is only one positive case, so its spread cannot be seen")
    for area in (0.9, 0.999, 1.0):
        fit = fit_score_variance(area, why, 0.01, n_pos=1, n_neg=10_000)
        assert abs(score_test(fit, null=0.5)) < 1.1
        assert score_interval(fit)[0] < 0.3


def test_rounding_in_a_constant_component_is_no_spread():
    exact = fit_score_variance(0.9, 0.0, 0.01, n_pos=10, n_neg=50)
    assert fit_score_variance(0.9, 3e-33, 0.01, n_pos=10, n_neg=50) == exact


def test_tiny_misses_keep_their_precision():
    area = 1 - 2.0**-40
    low, high = score_interval(fit_score_variance(area, 1e-14, 1e-14, n_pos=10**6, n_neg=10**6))
    assert 0.999 < low < area < high <= 1
    mirrored = score_interval(fit_score_variance(1 - area, 1e-14, 1e-14, n_pos=10**6, n_neg=10**6))
    assert 0 < mirrored[0] < 2.0**-40  # with all its digits, where 1 - low has few
    assert score_interval(fit_score_variance(5e-324, 0.0, 0.0, n_pos=3, n_neg=3))[0] < 1e-12


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"area": 1.2}, "area must lie between 0 and 1, got 1.2; an AUC is a fraction, write 0.89 for 89%."),
        ({"area": math.nan}, "area must lie between 0 and 1, got nan"),
        ({"n_pos": 0}, "n_pos must be a finite number above 0, got 0; give the number of positive cases."),
        ({"n_neg": math.inf}, "n_neg must be a finite number above 0, got inf; give the number of negative cases."),
    ],
)
def test_fit_refuses_what_is_no_area_or_size(change, message):
    options = {"area": 0.8, "spread10": 0.1, "spread01": 0.1, "n_pos": 10, "n_neg": 10} | change
    with pytest.raises(InputError, match=message):
        fit_score_variance(**options)


def test_test_and_interval_refuse_wrong_options():
    fit = fit_score_variance(0.8, 0.05, 0.05, n_pos=10, n_neg=10)
    with pytest.raises(
        InputError, match="null must lie strictly between 0 and 1, got 1; give the area to test against"
    ):
        score_test(fit, null=1)
    with pytest.raises(InputError, match="level must lie strictly between 0 and 1, got 95"):
        score_interval(fit, level=95)
    with pytest.raises(InputError, match="side must be one of 'two-sided', 'lower', 'upper', got 'both'"):
        score_interval(fit, side="both")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("area", "sizes", "least"), [(0.97, (15, 15), 0.93), (0.9, (10, 100), 0.93), (0.5, (8, 8), 0.93)]
)
def test_coverage_by_simulation(area, sizes, least):
    """Exponential scores, 2000 samples: the Monte-Carlo error is 0.005."""
    rng = np.random.default_rng(12)
    hits = 0
    for _ in range(2000):
        pos, neg = rng.exponential(area / (1 - area), sizes[0]), rng.exponential(1, sizes[1])
        fit = fit_score_variance(*components(pos, neg), n_pos=sizes[0], n_neg=sizes[1])
        hits += abs(score_test(fit, null=area)) <= Z
    assert least <= hits / 2000 <= 0.995
