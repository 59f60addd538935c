"""Groups that share no case, by the bootstrap: areas, partial areas and rates at a fixed point."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError


def groups(seed=1, n=80):
    rng = np.random.default_rng(seed)
    out = {}
    for name, shift in (("a", 1.5), ("b", 0.8)):
        label = np.repeat([1, 0], [n // 2, n])
        out[name] = (label, np.round(rng.normal(size=label.size) + shift * label, 1))
    return out


def test_unpaired_bootstrap_agrees_with_the_closed_form():
    """2000 replicates have a relative error of 1.6%; the rest is the difference of two estimators."""
    some = {"pairing": "unpaired", "adjust": "none"}
    sampled = rl.compare_groups(groups(), **some, variance="bootstrap", rng=1)
    closed = rl.compare_groups(groups(), **some, test="normal")
    assert sampled.pairs[0].difference == pytest.approx(closed.pairs[0].difference)
    assert sampled.pairs[0].standard_error == pytest.approx(closed.pairs[0].standard_error, rel=0.07)
    assert sampled.covariance[0, 1] == 0
    assert "unpaired; bootstrap (stratified, 2000 replicates, seed 1)" in str(sampled)
    part = rl.compare_groups(groups(), **some, fpr=(0, 0.2), variance="bootstrap", rng=1).pairs[0]
    whole = rl.compare_groups(groups(), **some, fpr=(0, 0.2), test="normal").pairs[0]
    assert part.standard_error == pytest.approx(whole.standard_error, rel=0.1)


@pytest.mark.parametrize("rate", ["specificity", "sensitivity"])
def test_unpaired_rates_definition(rate):
    """The difference of the rates over the spread of independently resampled ones, written out."""
    data = groups()
    found = rl.compare_groups(data, pairing="unpaired", **{f"at_{rate}": 0.875}, rng=2)
    rng = np.random.default_rng(0)

    def height(label, score):
        x, y = (~label, label) if rate == "specificity" else (label, ~label)
        sign = 1 if rate == "specificity" else -1
        called = sign * score >= np.append(np.unique(sign * score), np.inf)[::-1, None]
        return np.interp(0.125 + 1e-9, called[:, x].mean(axis=1), called[:, y].mean(axis=1))

    spread, values = 0.0, []
    for label, score in data.values():
        label = label == 1
        values.append(height(label, score))
        pos, neg = np.flatnonzero(label), np.flatnonzero(~label)
        drawn = [np.r_[rng.choice(pos, pos.size), rng.choice(neg, neg.size)] for _ in range(600)]
        spread += np.var([height(label[rows], score[rows]) for rows in drawn], ddof=1)
    pair = found.pairs[0]
    assert pair.difference == pytest.approx(values[0] - values[1], abs=1e-6)
    # 600 and 2000 replicates: the ratio of two spreads has an error of about 3%.
    assert pair.standard_error == pytest.approx(spread**0.5, rel=0.12)
    assert found.quantity == f"{'sensitivity' if rate == 'specificity' else 'specificity'} at {rate} 0.875"


def test_unpaired_bootstrap_property_workers_change_nothing():
    one, two = (
        rl.compare_groups(
            groups(), pairing="unpaired", at_specificity=0.9, rng=3,
            resampling=rl.Resampling(replicates=600, workers=workers),
        ).pairs[0]
        for workers in (1, 3)
    )  # fmt: skip
    assert one == two


def test_margins_and_contrasts_follow_the_bootstrap():
    found = rl.compare_groups(groups(), pairing="unpaired", variance="bootstrap", rng=1, margin=0.1)
    claim = found.claims[0]
    assert claim.statistic == pytest.approx((claim.difference + 0.1) / claim.standard_error)


def test_rates_of_paired_groups_are_refused():
    data = {name: rl.read_cases(y, {name: s}, ids=np.arange(y.size)) for name, (y, s) in groups().items()}
    with pytest.raises(InputError, match="pairing must be 'unpaired' for this method"):
        rl.compare_groups(data, pairing="paired", at_specificity=0.9)
    with pytest.raises(InputError, match="margin is not answered by variance='hanley_mcneil'"):
        rl.compare_groups(groups(), pairing="unpaired", variance="hanley_mcneil", margin=0.1)
