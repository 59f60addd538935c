"""Replicates whose weights come from ids: those of memory and of engines, whatever the order of rows."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.inference.comparison import keyed_bootstrap
from roclab.inference.comparison.keyed_bootstrap import KeyedWins, keys_of

BY_ID = rl.Resampling(replicates=60, scheme="poisson")


def cases(n=400, each=1, seed=1):
    rng = np.random.default_rng(seed)
    ids = np.arange(n) // each
    y = rng.random(n) < 0.4
    return {"y": y.astype(int), "a": np.round(rng.normal(size=n) + y, 1), "b": rng.normal(size=n) + 0.6 * y, "id": ids}


def asked(**more):
    return {"label": "y", "score": ["a", "b"], "ids": "id", "resampling": BY_ID, "rng": 7, **more}


def definition(score, positive, keys, seed, replicates):
    """Weights by the rule that is written down, case by case; areas over all pairs."""
    out = []
    for at in range(replicates):
        lane, start = at % 4, hashlib.md5(f"{seed}/{at // 4}".encode()).digest()[8:]
        weight = []
        for key in keys.tolist():
            mixed = (key + (int.from_bytes(start, "little") ^ 0x9E3779B97F4A7C15)) % 2**64
            mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
            mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
            mixed ^= mixed >> 31
            weight.append(int(keyed_bootstrap._POISSON[(mixed >> (16 * lane)) & 0xFFFF]))
        w = np.array(weight)
        more, same = (
            np.subtract.outer(score[positive], score[~positive]) > 0,
            np.equal.outer(score[positive], score[~positive]),
        )
        pairs = np.outer(w[positive], w[~positive])
        out.append(float(np.sum(pairs * (more + same / 2)) / pairs.sum()))
    return out


@pytest.mark.parametrize("room", [256, 1 << 20])
@pytest.mark.parametrize("decimals", [0, 1, 9])
def test_replicates_definition(monkeypatch, room, decimals):
    monkeypatch.setattr(keyed_bootstrap, "_ROOM", room)
    data = cases(150, each=3)
    score, order = np.round(data["b"], decimals), np.argsort(np.round(data["b"], decimals))
    keys = keys_of(data["id"])
    wins = KeyedWins(seed=5, replicates=10)
    for part in np.array_split(order, 7):
        wins.add(score[part], data["y"][part] == 1, keys[part])
    assert wins.areas().tolist() == pytest.approx(definition(score, data["y"] == 1, keys, 5, 10), rel=1e-14)


def test_draws_are_poisson_of_mean_one():
    table = keyed_bootstrap._POISSON.astype(float)
    assert table.size == 65536
    assert table.mean() == 1
    assert table.var() == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("each", [1, 2])
def test_order_of_rows_and_other_scores_change_no_digit(each):
    data = cases(each=each)
    variance = "bootstrap" if each == 1 else "clustered_bootstrap"
    known = rl.compare(data, variance=variance, **asked())
    mixed = np.random.default_rng(2).permutation(400)
    found = rl.compare({name: one[mixed] for name, one in data.items()}, variance=variance, **asked())
    assert found.covariance.tolist() == known.covariance.tolist()
    assert found.pairs == known.pairs
    assert "poisson by id, 60 replicates, seed 7" in known.method
    words = {**data, "id": np.char.mod("%d", data["id"])}
    assert rl.compare(words, variance=variance, **asked()).pairs == known.pairs  # a number is known by its digits


def test_standard_errors_are_those_of_other_bootstraps():
    """2000 replicates know a standard deviation to 1.6%."""
    data, many = cases(), {"replicates": 2000}
    found = rl.compare(data, variance="bootstrap", **asked(resampling=rl.Resampling(**many, scheme="poisson"))).pairs[0]
    known = rl.compare(data, label="y", score=["a", "b"], variance="bootstrap", resampling=2000, rng=1).pairs[0]
    assert found.standard_error == pytest.approx(known.standard_error, rel=0.07)


def test_what_ids_cannot_draw_says_so():
    data = cases(40)
    with pytest.raises(InputError, match="ids must name every case, or subject"):
        rl.compare(data, label="y", score=["a", "b"], variance="bootstrap", resampling=BY_ID)
    with pytest.raises(InputError, match="ids must be whole numbers or words"):
        rl.compare({**data, "id": data["id"] + 0.5}, variance="bootstrap", **asked())
    with pytest.raises(InputError, match="'poisson' resamples AUCs"):
        rl.compare(data, variance="bootstrap", estimator="tauc", **asked())
    for ask in (
        lambda: rl.auc(data, label="y", score="a", variance="bootstrap", resampling=BY_ID),
        lambda: rl.compare(data, at_specificity=0.8, **asked()),
        lambda: rl.cutoff_stability(data, label="y", score="a", resampling=BY_ID),
        lambda: rl.roc(data, label="y", score="a").rate_at(specificity=0.8, resampling=BY_ID),
    ):
        with pytest.raises(InputError, match="'poisson' computes weights from ids, for comparisons of AUCs"):
            ask()
    with pytest.raises(InputError, match="rng must be a whole number >= 0 where weights are drawn by ids"):
        rl.compare(data, variance="bootstrap", **asked(rng="x"))
    few = {"y": [0, 1], "a": [1, 2], "b": [2, 1], "id": ["p", "q"]}
    with pytest.raises(InputError, match="replicates without one"):
        rl.compare(few, variance="bootstrap", **asked())
