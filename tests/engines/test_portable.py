"""Counts that travel: merged exactly, private where asked, and checked when read."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.engines.portable_file import read_portable, write_portable
from roclab.errors import FileError, InputError


def site(seed, n=400):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    return y, np.round(rng.normal(size=n) + y, 2)


def pooled(*sites):
    return tuple(np.concatenate(column) for column in zip(*sites, strict=True))


def test_three_sites_are_one_curve(tmp_path):
    sites = [site(seed) for seed in (1, 2, 3)]
    files = [tmp_path / f"{name}.tally" for name in "abc"]
    for (y, s), file in zip(sites, files, strict=True):
        rl.tally(y, {"marker": s}, path=file)
    known = rl.auc(*pooled(*sites))
    for found in (rl.auc(rl.merge(*files), score="marker"), rl.auc(str(tmp_path / "*.tally"))):
        assert found.area == known.area
        assert found.standard_error == pytest.approx(known.standard_error, abs=1e-14)
        assert list(found.interval) == pytest.approx(list(known.interval), abs=1e-13)
        assert found.numerical_error.exact
    assert rl.cutoff(rl.merge(*files)).threshold == rl.cutoff(*pooled(*sites)).threshold
    assert "3 tallies merged" in found.counted


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=4), st.sampled_from([None, 0.1, 1.0]),
       st.sampled_from([1, 5, 20]))  # fmt: skip
def test_merge_property_any_order_and_the_bound_holds(seeds, step, minimum):
    sites = [site(seed, 200) for seed in seeds]
    parts = [rl.tally(y, {"marker": s}, step=step, minimum=minimum) for y, s in sites]
    one, two = rl.merge(*parts), rl.merge(*parts[::-1])
    assert one.rows() == two.rows()
    assert all(np.array_equal(a, b) for a, b in zip(one.scores["marker"], two.scores["marker"], strict=True))
    known, found = rl.auc(*pooled(*sites)), rl.auc(one)
    assert abs(found.area - known.area) <= one.bound("marker") + 1e-15
    assert found.numerical_error.area == pytest.approx(one.bound("marker"))
    assert abs(found.standard_error - known.standard_error) <= found.numerical_error.standard_error + 1e-15
    for low, high, pos, neg in zip(*one.scores["marker"][:4], strict=True):
        y, s = pooled(*sites)
        inside = (s >= low) & (s <= high)
        assert (np.count_nonzero(inside & (y == 1)), np.count_nonzero(inside & (y == 0))) == (pos, neg)


@pytest.mark.parametrize("step", [None, 0.25])
def test_no_cell_of_a_private_tally_is_small(step):
    y, s = site(7, 2000)
    found = rl.tally(y, {"marker": s}, minimum=10, step=step)
    cells = found.scores["marker"]
    for counts in (cells.pos, cells.neg):
        assert not ((counts > 0) & (counts < 10)).any()
    assert not np.isin(cells.low, s[(s * 8) % 1 != 0]).any()  # ends are of the grid, not of cases
    assert cells.low.size >= 8
    assert found.bound("marker") < 0.07


def test_files_keep_everything(tmp_path):
    y, s = site(1)
    made = rl.tally({"y": y, "a": s, "b": -s}, label="y", score=["a", "b"], direction={"a": "higher", "b": "lower"})
    write_portable(made, tmp_path / "x.tally")
    found = read_portable(tmp_path / "x.tally")
    assert found.rows() == made.rows()
    assert (found.label, found.direction) == ("y", {"a": "higher", "b": "lower"})
    table = area_table(found)
    assert table["a"].area == table["b"].area == rl.auc(y, s).area


def changed(path, change):
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    told = json.loads(table.schema.metadata[b"roclab"])
    table = change(table, told) or table
    pq.write_table(table.replace_schema_metadata({"roclab": json.dumps(told)}), path)


def test_damaged_and_foreign_files_are_refused(tmp_path):
    y, s = site(1)
    path = tmp_path / "x.tally"
    rl.tally(y, {"m": s}, path=path)
    whole = path.read_bytes()
    for change, words in (
        (lambda table, told: told.update(version=9), "must be of version 1"),
        (lambda table, told: table.slice(1), "must hold all"),
        (lambda table, told: told.update(format="else"), "must be a file of counts"),
        (lambda table, told: table.take(list(range(table.num_rows))[::-1]), "in order"),
        (lambda table, told: table.drop_columns(["neg"]), "must have the columns"),
        (lambda table, told: told.pop("positive"), "nothing about positive"),
    ):
        path.write_bytes(whole)
        changed(path, lambda table, told, change=change: r if hasattr(r := change(table, told), "schema") else None)
        with pytest.raises(FileError, match=words):
            rl.auc(str(path))
    path.write_bytes(whole[:-20])
    with pytest.raises(FileError, match="must be a complete file of counts"):
        rl.auc(str(path))
    with pytest.raises(FileError, match="does not exist"):
        rl.merge(str(tmp_path / "none.tally"))


def test_other_data_do_not_merge():
    y, s = site(1)
    one = rl.tally(y, {"m": s})
    for other in (rl.tally(y, {"k": s}), rl.tally(y, {"m": s}, direction="lower"),
                  rl.tally(np.where(y == 1, "x", "z"), {"m": s}, pos_label="x")):  # fmt: skip
        with pytest.raises(InputError, match="tallies merge only when they agree"):
            rl.merge(one, other)
    with pytest.raises(InputError, match="their rows"):
        rl.compare(rl.tally(y, {"a": s, "b": -s}))
    with pytest.raises(InputError, match="minimum must not be more than the cases"):
        rl.tally([1, 0, 1, 0], [1, 2, 3, 4], minimum=5)
    with pytest.raises(InputError, match="needs rows, which counts do not tell"):
        rl.ranks.mann_whitney(one)


@pytest.mark.parametrize("given", [[], 3, None, {"a": 1}])
def test_merge_of_anything_else_is_a_sentence(given):
    with pytest.raises(
        InputError, match=r"tallies must be tallies or names of their files.*write rl.merge\(\*tallies\)"
    ):
        rl.merge(given)
