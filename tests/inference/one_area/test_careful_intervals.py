"""Intervals of areas other than the AUC: t with caution on the logit scale, and never without width."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as t_distribution

import roclab as rl

OTHERS = [{"estimator": "tauc"}, {"estimator": "average_precision"}, {"fpr": (0, 0.2)}, {"tpr": (0.8, 1)}]
RESAMPLED = [{"estimator": name} for name in ("pr_integral", "pr_trapezoid", "hull", "t2auc")]
EVERY = [*OTHERS, {"fpr": (0, 0.2), "standard": "mcclish"}, *RESAMPLED]


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


def test_tauc_definition():
    """Structural components of the tAUC by brute force: influence of each case by leaving its weight a little."""
    rng = np.random.default_rng(3)
    label = np.repeat([1, 0], [14, 20])
    score = np.round(rng.normal(size=34) + 1.2 * label, 1)
    found = rl.auc(label, score, estimator="tauc")
    parts, bump = [], 1e-6
    for one_class in (label == 1, label == 0):
        n = one_class.sum()
        moved = []
        for at in np.flatnonzero(one_class):
            weight = np.ones(34)
            weight[one_class] *= 1 - bump
            weight[at] += bump * n
            area = rl.auc(label, score, estimator="tauc", sample_weight=weight, weights="importance", interval=None)
            moved.append((float(area) - found.area) / bump)
        d = np.array(moved) - np.mean(moved)
        effective = max(1.0, (d**2).sum() ** 2 / (d**4).sum())
        parts.append((np.var(d, ddof=1) / n + 0.25 / (4 * n**2 * effective), n))  # the tAUC is at most one half
    variance = sum(part for part, _ in parts)
    df = variance**2 / sum(part**2 / (n - 1) for part, n in parts)
    share = found.area / 0.5
    reach = t_distribution.ppf(0.975, df) * variance**0.5 / 0.5 / (share * (1 - share))
    centre = np.log(share / (1 - share))
    want = 0.5 / (1 + np.exp(-(centre + np.array([-1, 1]) * reach)))
    assert tuple(found.interval) == pytest.approx(want.tolist(), rel=1e-4)
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
