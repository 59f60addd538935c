"""Intervals of areas other than the AUC: t with a small-sample correction on the logit scale, never without width."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from scipy.stats import t as t_distribution

import roclab as rl

OTHERS = [{"estimator": "tauc"}, {"estimator": "average_precision"}, {"fpr": (0, 0.2)}, {"tpr": (0.8, 1)}]
RESAMPLED = [{"estimator": name} for name in ("pr_integral", "pr_trapezoid", "hull", "t2auc")]
EVERY = [*OTHERS, {"fpr": (0, 0.2), "standardize": "mcclish"}, *RESAMPLED]


@pytest.mark.parametrize("options", EVERY, ids=str)
@pytest.mark.parametrize("score", ["separated", "constant"])
def test_no_interval_is_without_width(options, score):
    label = np.repeat([1, 0], [12, 15])
    scores = label.astype(float) if score == "separated" else np.zeros(27)
    found = rl.auc(label, scores, **options, resampling=20, rng=1)
    assert found.interval.high - found.interval.low > 0.01
    assert found.interval.low <= found.area + 1e-12
    if score == "constant":
        assert "no uncertainty is seen" in str(found)


@pytest.mark.parametrize(
    ("options", "top", "shares"),
    [
        ({"estimator": "tauc"}, 0.5, (1, 1)),
        ({"estimator": "average_precision"}, 1, (1, 1)),
        ({"fpr": (0, 0.33)}, 0.33, (1, 0.33)),
        ({"tpr": (0.55, 1)}, 0.45, (0.45, 1)),
        ({"fpr": (0, 0.03)}, 0.03, (1, 0.03)),
        ({"fpr": (0.32, 0.47)}, 0.15, (1, 0.47)),
    ],
    ids=str,
)
def test_interval_definition(options, top, shares):
    """Structural components by brute force: influence of each case by leaving its weight a little."""
    rng = np.random.default_rng(3)
    label = np.repeat([1, 0], [14, 20])
    score = np.round(rng.normal(size=34) + 1.2 * label, 1)
    found = rl.auc(label, score, **options)
    parts, bump = [], 1e-6
    widths = [top, top]
    if options.get("estimator") == "average_precision":  # what a negative above all positives would move
        weight = np.r_[np.where(label == 0, 1 - bump, 1.0), bump * 20]
        above = {"sample_weight": weight, "weights": "importance", "interval": None}
        moved = (found.area - float(rl.auc(np.r_[label, 0], np.r_[score, 99.0], **options, **above))) / bump
        # The influence of a negative is centred; the range begins at that of one below all positives, which is 0.
        at_bottom = np.r_[score, -99.0]
        nothing = (found.area - float(rl.auc(np.r_[label, 0], at_bottom, **options, **above))) / bump
        widths = [20 / 34, (20 / 34 * max(20 / 34, moved - nothing)) ** 0.5]
    for one_class, part, width in zip((label == 1, label == 0), shares, widths, strict=True):
        n = one_class.sum()
        moved = []
        for at in np.flatnonzero(one_class):
            weight = np.ones(34)
            weight[one_class] *= 1 - bump
            weight[at] += bump * n
            area = rl.auc(label, score, **options, sample_weight=weight, weights="importance", interval=None)
            moved.append((float(area) - found.area) / bump)
        d = np.array(moved) - np.mean(moved)
        effective = max(1.0, (d**2).sum() ** 2 / (d**4).sum()) if d.any() else 1.0
        correction = width**2 / (4 * (part * n) ** 2 * effective)  # half a range, of the cases that the area spans
        known = n - 1 if part == 1 else min(n - 1, max(2 * part * n - 1, 1))
        known = min(known, 2 / (1 / effective - 1 / n)) if effective < n else known  # kurtosis
        parts.append((np.var(d, ddof=1) / n + correction, known))
    variance = sum(part for part, _ in parts)
    df = variance**2 / sum(part**2 / known for part, known in parts)
    share = found.area / top
    reach = t_distribution.ppf(0.975, df) * variance**0.5 / top / (share * (1 - share))
    centre = np.log(share / (1 - share))
    want = top / (1 + np.exp(-(centre + np.array([-1, 1]) * reach)))
    assert tuple(found.interval) == pytest.approx(want.tolist(), rel=1e-4, abs=1e-12)
    assert found.interval.method == "influence, logit t"


@given(seed=st.integers(0, 10_000), null=st.floats(0.05, 0.95), options=st.sampled_from(OTHERS))
@settings(max_examples=40)
def test_default_test_property_agrees_with_default_interval(seed, null, options):
    rng = np.random.default_rng(seed)
    label = np.repeat([1, 0], [9, 14])
    r = rl.roc(label, np.round(rng.normal(size=23) + label, 1))
    found = r.auc(**options)
    high = {"tauc": 0.5, "average_precision": 1.0}.get(options.get("estimator"), 0.2)
    if 1e-9 < found.area < high - 1e-9:
        test = r.test(null=null * high, **options)
        assert (test.p_value >= 0.05) == (null * high in found.interval)
        assert test.distribution.startswith("t, ")


def test_compare_shows_the_same_interval_as_auc():
    rng = np.random.default_rng(2)
    label = np.repeat([1, 0], [12, 20])
    scores = {name: rng.normal(size=32) + label for name in "ab"}
    for options in OTHERS:
        both = rl.compare(label, scores, **options)
        for one in both.areas:
            assert tuple(one.interval) == pytest.approx(
                tuple(rl.auc(label, scores[one.sample.score], **options).interval)
            )


def test_a_range_that_holds_no_cases_says_so():
    rng = np.random.default_rng(1)
    label = np.repeat([1, 0], [40, 20])
    score = rng.normal(size=60) + 1.5 * label
    found = rl.auc(label, score, fpr=(0, 0.05))
    assert "This range rests on about 1 of 20 negatives" in found.notes[0]
    assert (found.interval.low, round(found.interval.high, 9)) == (0, 0.05)
    assert rl.auc(label, score, fpr=(0, 0.2)).notes == ()
    scores = {"a": score, "b": score + rng.normal(size=60)}
    pair = rl.compare(label, scores, fpr=(0, 0.05)).pairs[0]
    assert -0.05 <= pair.interval.low < pair.interval.high <= 0.05  # no difference can be larger


def test_an_area_on_its_bound_rests_on_the_cases_of_its_region():
    """All ten positives of the range lie below all negatives: the range has 4 of 40 positives, not 40 pairs."""
    label = np.repeat([1, 0], [40, 40])
    score = np.r_[np.arange(36) + 100.0, -np.arange(4) - 1.0, np.arange(40.0)]
    found = rl.auc(label, score, tpr=(0.9, 1))
    assert found.area == 0
    assert found.interval.high == pytest.approx(0.1 * (1 - 0.025 ** (1 / 4)))
    assert found.interval.method == "exact binomial bound on 4 independent pairs, because the area is 0"
    assert rl.auc(label[20:], score[20:], tpr=(0.99, 1)).interval.high == pytest.approx(0.01 * 0.975)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "sizes"),
    [({"estimator": "average_precision"}, (200, 25)), ({"tpr": (0.9, 1)}, (15, 15)), ({"tpr": (0.9, 1)}, (40, 40))],
    ids=str,
)
def test_intervals_hold_where_few_cases_carry_the_area(options, sizes):
    """400 samples: .95 shows .915 or less once in a thousand times; these held .85 (precision), .79 and .79."""
    rng = np.random.default_rng(sizes)
    u = (np.arange(20_000) + 0.5) / 20_000
    if "tpr" in options:  # 5% gross false negatives
        lost, shift = 0.05, 1.93
        pos = np.where(u < lost, -9.0, shift + norm.ppf(np.clip((u - lost) / (1 - lost), 1e-12, 1)))
    else:  # positives that spread less
        pos = 1.38 + 0.4 * norm.ppf(u)
    label = np.repeat([1, 0], sizes)
    node = norm.ppf(u)
    if "estimator" in options:  # at the prevalence of the samples
        times = sizes[0] / sizes[1]
        whole = rl.auc(
            np.repeat([1, 0], u.size), np.r_[pos, node], **options, interval=None, weights="importance",
            sample_weight=np.r_[np.full(u.size, times), np.ones(u.size)],
        )  # fmt: skip
    else:
        whole = rl.auc(np.repeat([1, 0], u.size), np.r_[pos, node], **options, interval=None)
    held = 0
    for _ in range(400):
        score = np.r_[rng.choice(pos, sizes[0]), rng.choice(node, sizes[1])]
        held += float(whole) in rl.auc(label, score, **options).interval
    assert held / 400 > 0.915


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(15, 15), (200, 20), (20, 200), (100, 100)])
@pytest.mark.parametrize("options", [{"fpr": (0, 0.05)}, {"fpr": (0, 0.2)}, {"tpr": (0.8, 1)}], ids=str)
def test_partial_areas_and_their_differences_hold_their_level(sizes, options):
    """200 samples, areas of .9 and .8: a true coverage of 0.95 shows 0.90 or less once in five hundred times."""
    rng = np.random.default_rng([*sizes, len(str(options))])
    label = np.repeat([1, 0], sizes)
    shift = {"a": 1.8123876, "b": 1.1902323}  # the root of 2 times the normal quantiles of .9 and .8
    node = (np.arange(20_000) + 0.5) / 20_000
    whole = np.repeat([1, 0], node.size)
    truth = {
        name: float(rl.auc(whole, np.concatenate([norm.ppf(node) + mean, norm.ppf(node)]), **options, interval=None))
        for name, mean in shift.items()
    }
    hits = np.zeros(2)
    for _ in range(200):
        common = rng.normal(size=label.size)
        scores = {k: label * mean + (common + rng.normal(size=label.size)) / 2**0.5 for k, mean in shift.items()}
        found = rl.compare(label, scores, **options)
        hits += [truth["a"] in found.areas[0].interval, truth["a"] - truth["b"] in found.pairs[0].interval]
    assert np.all(hits / 200 >= 0.90)
