"""One pass over sorted rows, and sorting more rows than memory holds."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.engines import merging, sorting
from roclab.engines.scan import Scan
from roclab.engines.sorting import ClassSort
from roclab.engines.sums import merged

SPECIAL = [-np.inf, np.inf, 0.0, -0.0, 1e-300, 1e300]


@st.composite
def rows(draw):
    """Labels of both classes and scores: heavy ties, or distinct, or skewed, or with infinities and both zeros."""
    n = draw(st.integers(2, 60))
    kind = draw(st.sampled_from(["ties", "distinct", "skewed", "special"]))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.4
    label[:2] = [True, False]
    score = {
        "ties": lambda: rng.integers(0, 4, n).astype(float),
        "distinct": lambda: rng.normal(size=n) + label,
        "skewed": lambda: rng.random(n) ** 30,
        "special": lambda: rng.choice([*SPECIAL, 2.0, 3.0], n),
    }[kind]()
    return label, score


def scanned(label, score, folder, *, capacity, cells=1 << 16, pieces=3):
    sort = ClassSort(capacity, folder)
    for part in np.array_split(np.arange(label.size), pieces):
        sort.add(score[part], label[part])
    scan = Scan(n_pos=int(label.sum()), n_neg=int((~label).sum()), most_cells=cells)
    seen = 0
    for values, positive in sort.rows():
        assert (values[1:] >= values[:-1]).all()
        seen += values.size
        scan.add(values, positive)
    assert seen == label.size
    return scan.finish()


@given(
    rows(), st.integers(1, 50), st.sampled_from([1, 3, 20]), st.sampled_from([0, 3, 1 << 21]), st.sampled_from([1, 99])
)
def test_scan_property_equals_memory(tmp_path_factory, data, piece, pieces, crowded, at_once):
    label, score = data
    with (
        patch.object(merging, "PIECE", 2 * piece),
        patch.object(sorting, "_AT_ONCE", at_once),
        patch.object(merging, "_CROWDED", crowded),
        patch.object(merging, "sorts_fast", lambda: False),
    ):
        found = scanned(label, score, tmp_path_factory.mktemp("spill"), capacity=10**6, pieces=pieces)
    known = rl.auc(label, score)
    assert found.sums.auc == known.area
    if label.sum() > 1 and (~label).sum() > 1:
        delong = rl.auc(label, score, variance="delong", interval="plain")
        if delong.interval.method.startswith("DeLong"):  # constant scores have another one
            assert np.sqrt(sum(found.sums.parts)) == pytest.approx(delong.standard_error, abs=1e-13)
    precision = rl.auc(label, score, estimator="average_precision", interval=None)
    assert found.average_precision == pytest.approx(precision.area, abs=1e-12)
    assert found.sums.tauc == pytest.approx(rl.auc(label, score, estimator="tauc", interval=None).area, abs=1e-13)


@given(
    rows(), st.sampled_from([1, 3, 20]), st.sampled_from([0, 3, 1 << 21]), st.booleans(), st.sampled_from([2, 10**6]),
    st.sampled_from([1, 5, 99]),
)  # fmt: skip
def test_sums_property_are_those_of_the_scan_and_rows_can_still_be_asked_for(
    data, pieces, crowded, fast, most, at_once
):
    label, score = data
    sort = ClassSort(10**6, Path("nowhere"), workers=2)
    with (
        patch.object(sorting, "_AT_ONCE", at_once),
        patch.object(merging, "_CROWDED", crowded),
        patch.object(merging, "sorts_fast", lambda: fast),
        patch.object(merging, "MOST_ROWS", most),
    ):
        for part in np.array_split(np.arange(label.size), pieces):
            sort.add(score[part], label[part].view(np.int8))
        found = merged(sort.sums())
        scan = Scan(n_pos=int(label.sum()), n_neg=int((~label).sum()))
        for values, positive in sort.rows():
            scan.add(values, positive)
    assert found == scan.finish().sums
    assert found.auc == rl.auc(label, score).area


@given(rows(), st.sampled_from([1, 4, 1 << 16]))
def test_cells_property_have_true_ends_and_the_best_cutoff(tmp_path_factory, data, most):
    label, score = data
    found = scanned(label, score, tmp_path_factory.mktemp("spill"), capacity=10**6, cells=most)
    cells = found.cells
    assert (cells.high[:-1] < cells.low[1:]).all()
    for low, high, pos, neg, excess in zip(*cells[:4], found.excess, strict=True):
        inside = (score >= low) & (score <= high)
        assert (np.count_nonzero(inside & label), np.count_nonzero(inside & ~label)) == (pos, neg)
        won = sum(int(one > two) - int(one < two) for one in score[inside & label] for two in score[inside & ~label])
        assert excess == won
    reached = [score >= low for low in cells.low]
    best = max(one[label].mean() - one[~label].mean() for one in reached)
    assert best == pytest.approx(rl.cutoff(label, score).best.value, abs=1e-12)


@pytest.mark.parametrize("kind", ["distinct", "one score", "mostly one", "sorted"])
@pytest.mark.parametrize("at_once", [1, 10**6])
def test_spilled_rows_give_the_same_integers(tmp_path, monkeypatch, kind, at_once):
    rng = np.random.default_rng(3)
    n = 4000
    label = rng.random(n) < 0.3
    score = rng.normal(size=n) + label
    if kind == "one score":
        score = np.full(n, 1.5)
    elif kind == "mostly one":
        score = np.where(rng.random(n) < 0.9, 0.0, score)
    elif kind == "sorted":
        order = np.argsort(score)
        label, score = label[order], score[order]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    monkeypatch.setattr(sorting, "_AT_ONCE", at_once)
    small = scanned(label, score, tmp_path / "a", capacity=50, pieces=9)
    whole = scanned(label, score, tmp_path / "b", capacity=10**6, pieces=1)
    assert small.sums == whole.sums
    assert all(np.array_equal(one, two) for one, two in zip(small.cells[:4], whole.cells[:4], strict=True))
    assert not list((tmp_path / "a").iterdir())


@pytest.mark.parametrize("rounded", [False, True])
def test_fourth_powers_definition(rounded):
    """Placements of every case, one by one."""
    rng = np.random.default_rng(4)
    label = rng.random(300) < 0.3
    score = np.sort(rng.normal(size=300))
    score = np.round(score, 1) if rounded else score
    scan = Scan(n_pos=int(label.sum()), n_neg=int((~label).sum()), most_cells=8, powers=True)
    for at in range(0, 300, 37):
        scan.add(score[at : at + 37], label[at : at + 37])
    pos, neg = score[label], score[~label]
    won = (pos[:, None] > neg) + (pos[:, None] == neg) / 2
    twin = [float(np.sum((won.mean(axis=axis) - won.mean()) ** 4)) for axis in (1, 0)]
    assert scan.finish().fourth == pytest.approx(twin, rel=1e-12)


def test_rows_outside_of_the_first_ranges_are_cut_again():
    """A sorted file: ranges of its first rows would leave nearly all others in one of them."""
    rng = np.random.default_rng(5)
    score = np.sort(rng.normal(size=20_000))
    label = rng.random(score.size) < 0.3
    ranged = merging.InRanges(workers=2)
    for part in np.array_split(np.arange(score.size), 20):
        ranged.add([(score[part], label[part])])
    assert sum(cut.outside for cut in ranged._cuts) > 0.9 * score.size
    found = merged(ranged.sums())
    assert sum(cut.outside for cut in ranged._cuts) == 0
    crowd = np.diff([cut.starts for cut in ranged._cuts]).sum(axis=0).max()
    assert crowd < 0.1 * score.size
    assert (found.auc, found.pos) == (rl.auc(label, score).area, int(label.sum()))
    values, flags = (np.concatenate(column) for column in zip(*ranged.rows(), strict=True))
    assert np.array_equal(values, score)
    assert np.array_equal(flags, label)
