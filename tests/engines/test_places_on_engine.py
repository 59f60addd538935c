"""Places and their products on an engine: by their definition, in pieces of any size, and of a table that stays."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.data.roles import assign_roles
from roclab.data.sources import SourceTable
from roclab.engines import narwhals_backend, native_sums
from roclab.engines.narwhals_backend import NarwhalsBackend
from roclab.errors import InputError

NAMES = ["s", "t", "u"]


def rows(n=90, seed=2):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    return pl.DataFrame(
        {
            "y": y,
            "s": np.round(rng.normal(size=n) + y, 1),
            "t": rng.normal(size=n) + y,
            "u": rng.integers(0, 3, n) * 1.0,
        }
    )


def backend_of(frame):
    return NarwhalsBackend(SourceTable(frame.lazy(), "polars"), assign_roles(label="y", score=NAMES), "error")


def places_by_definition(frame):
    """Twice the cases of the other class below, ties once: every case beside every other."""
    y = frame["y"].to_list()
    found = []
    for name in NAMES:
        score = frame[name].to_list()
        found.append([
            sum((a > b) * 2 + (a == b) for b, other in zip(score, y, strict=True) if other != own)
            for a, own in zip(score, y, strict=True)
        ])  # fmt: skip
    return y, found


@pytest.mark.parametrize("word", [62, 27, 19])
def test_sums_are_those_of_the_definition_however_places_are_cut(monkeypatch, word):
    monkeypatch.setattr(native_sums, "_WORD", word)  # of so few bits that places are cut into one, two, or more pieces
    monkeypatch.setattr(narwhals_backend, "_BINS", 16)
    frame = rows()
    backend = backend_of(frame)
    sums = backend.place_sums(backend.overview(), NAMES, {})
    y, places = places_by_definition(frame)
    for side in (0, 1):
        own = [[place for place, one in zip(column, y, strict=True) if one == side] for column in places]
        assert sums.cases[side] == len(own[0])
        assert sums.sums[side] == [sum(column) for column in own]
        for i, j in combinations_with_replacement(range(3), 2):
            assert sums.products[side][i, j] == sum(a * b for a, b in zip(own[i], own[j], strict=True))
            if i != j:
                apart = [(a - b) / 2**sums.bits for a, b in zip(own[i], own[j], strict=True)]
                _, _, third, fourth = sums.powers_apart(side, i, j)
                rounded = 2.0 ** (-2 * min(46, word - 7)) * len(apart)
                assert third == pytest.approx(sum(one**3 for one in apart), rel=1e-12, abs=rounded)
                assert fourth == pytest.approx(sum(one**4 for one in apart), rel=1e-12, abs=rounded)


def test_a_table_that_changes_while_it_is_counted_is_said():
    frame = rows()
    backend = backend_of(frame)
    seen = backend.overview()
    later = replace(backend, table=replace(backend.table, source=frame[:-3].lazy()))
    with pytest.raises(InputError, match="must not change while it is counted, got 90 cases at the first look and 87"):
        later.place_sums(seen, NAMES, {})


def test_few_cases_have_the_score_test_of_memory():
    frame = rows()
    asked = {"label": "y", "score": ["s", "t"]}
    there, here = rl.compare(frame.lazy(), engine="native", **asked), rl.compare(frame, **asked)
    assert there.test == here.test == "score"
    assert there.pairs[0].p_value == pytest.approx(here.pairs[0].p_value, rel=1e-10)


def test_groups_are_compared_each():
    frame = rows(400).with_columns(ward=pl.Series(["north", "south"] * 200), id=pl.Series(np.arange(400) // 4))
    for asked in ({}, {"ids": "id"}):
        there, here = (
            rl.compare(data, label="y", score=["s", "t"], by="ward", engine=engine, **asked)
            for data, engine in ((frame.lazy(), "native"), (frame, None))
        )
        for name in ("north", "south"):
            assert there[name].pairs[0].p_value == pytest.approx(here[name].pairs[0].p_value, rel=1e-9)


def test_the_plan_says_what_moves():
    frame = rows()
    asked = {"label": "y", "score": ["s", "t"], "engine": "native"}
    lines = rl.read_cases(frame.lazy(), **asked).plan(paired=True)
    assert lines[-1].startswith("s, t: paired: 2 shuffles by bin for the places, 1 aggregate of products")
    lines = rl.read_cases(frame.lazy(), accuracy=0.01, **asked).plan(paired=True)
    assert "no row moves" in lines[-1]


def test_ranges_that_hold_too_many_cases_are_cut_again(monkeypatch):
    for name, value in {"_BINS": 16, "_MOST_BINS": 16, "_INNER": 8, "_BLOCK": 12, "_CUTS": 30}.items():
        monkeypatch.setattr(narwhals_backend, name, value)
    rng = np.random.default_rng(4)
    y = (rng.random(600) < 0.5).astype(int)
    sizes = 10.0 ** rng.uniform(-9, 6, 600) * rng.choice([-1, 1], 600)  # no transform makes them even
    frame = pl.DataFrame({"y": y, "s": sizes * (1 + y), "t": np.where(rng.random(600) < 0.5, 0.0, sizes[::-1])})
    asked = {"label": "y", "score": ["s", "t"]}
    there, here = (
        rl.compare(data, engine=engine, **asked) for data, engine in ((frame.lazy(), "native"), (frame, None))
    )
    assert there.covariance.ravel().tolist() == pytest.approx(here.covariance.ravel().tolist(), rel=1e-12)
    for name in ("s", "t"):
        there, here = (
            rl.auc(data, label="y", score=name, engine=engine)
            for data, engine in ((frame.lazy(), "native"), (frame, None))
        )
        assert there.area == here.area
        assert there.standard_error == pytest.approx(here.standard_error, rel=1e-12)
