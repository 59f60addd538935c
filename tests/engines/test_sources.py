"""The same questions of every kind of source give what memory gives."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

import roclab as rl
from roclab.engines.estimates import CountedArea
from roclab.errors import InputError

ASKED = {"label": "outcome", "pos_label": "ill"}


def test_small_sources_are_fetched(source, table):
    found = rl.auc(source, score="fine", **ASKED)
    assert not isinstance(found, CountedArea)
    assert found == rl.auc(table, score="fine", **ASKED)


def same(found, known):
    assert found.area == known.area
    assert found.standard_error == pytest.approx(known.standard_error, abs=1e-12)
    assert list(found.interval) == pytest.approx(list(known.interval), abs=1e-12)
    assert (found.n_pos, found.n_neg, found.sample.positive) == (known.n_pos, known.n_neg, known.sample.positive)


@pytest.mark.parametrize("engine", ["duckdb", "native"])
@pytest.mark.parametrize("direction", ["higher", "lower", "auto"])
@pytest.mark.parametrize("estimator", ["empirical", "gini", "tauc"])
def test_directions_and_estimators(places, table, engine, direction, estimator):
    import polars as pl

    asked = {"score": "fine", "direction": direction, "estimator": estimator, **ASKED}
    known, found = rl.auc(table, **asked), rl.auc(pl.scan_parquet(places / "one.parquet"), engine=engine, **asked)
    assert found.area == pytest.approx(known.area, abs=1e-14)
    assert found.sample.direction == known.sample.direction
    if estimator != "tauc":
        assert found.standard_error == pytest.approx(known.standard_error, abs=1e-12)


@pytest.mark.parametrize("kind", ["file", "csv", "folder", "database", "dataset", "lazy", "ibis", "relation"])
@pytest.mark.parametrize("direction", ["higher", {"rounded": "lower"}])
def test_calls_of_several_scores_are_counted_where_the_rows_are(places, table, kind, direction):
    import duckdb
    import polars as pl
    import pyarrow.dataset as ds

    one = str(places / "one.parquet")
    data, engine = {
        "file": lambda: (one, "duckdb"),
        "csv": lambda: (str(places / "one.csv"), "duckdb"),
        "folder": lambda: (places / "parted", "duckdb"),
        "database": lambda: (f"{places / 'cases.duckdb'}::cases", "duckdb"),
        "dataset": lambda: (ds.dataset(one), "duckdb"),
        "lazy": lambda: (pl.scan_parquet(one), "native"),
        "ibis": lambda: (_ibis(one), "native"),
        "relation": lambda: (duckdb.sql(f"FROM '{one}'"), "native"),
    }[kind]()
    asked = {"score": ["fine", "rounded", "other"], "threshold": [0.4, 0.3, 0.1], "direction": direction,
             "metrics": ["sensitivity", "specificity", "ppv", "npv", "accuracy"], **ASKED}  # fmt: skip
    there, here = rl.compare(data, engine=engine, **asked), rl.compare(table, **asked)
    assert [pair.to_dict() for pair in there.pairs] == [pair.to_dict() for pair in here.pairs]
    assert [rate.to_dict() for rate in there.rates] == [rate.to_dict() for rate in here.rates]
    assert there.equality[0].p_value == here.equality[0].p_value


def _ibis(path):
    ibis = pytest.importorskip("ibis", reason="Ibis is not installed")
    with warnings.catch_warnings():  # Ibis calls old names of DuckDB
        warnings.simplefilter("ignore")
        return ibis.duckdb.connect().read_parquet(path)


@pytest.mark.parametrize("engine", ["duckdb", "native"])
def test_columns_of_calls_say_how_they_are_counted_where_they_are(places, engine):
    import polars as pl

    data = pl.scan_parquet(places / "one.parquet")
    with pytest.raises(InputError, match=r"read in memory, got '\w+'; write engine='memory'.*score.* threshold 0.5"):
        rl.compare(data, label="y", predicted=["grade", "rounded"], engine=engine)


def test_curves_cutoffs_matrices_and_screening(places, table):
    one, asked = str(places / "one.parquet"), {"score": "fine", **ASKED}
    curve, known = rl.roc(one, engine="duckdb", **asked), rl.roc(table, **asked)
    assert np.array_equal(curve.fpr, known.fpr)
    assert np.array_equal(curve.tpr, known.tpr)
    assert rl.cutoff(one, engine="duckdb", **asked).threshold == rl.cutoff(table, **asked).threshold
    for direction in ("higher", "lower"):
        matrices = [
            rl.confusion(data, threshold=0.3, direction=direction, engine=engine, **asked)
            for data, engine in ((one, "duckdb"), (table, None), (one, "memory"))
        ]
        assert len({(m.tp, m.fp, m.fn, m.tn) for m in matrices}) == 1
    names = ["fine", "rounded", "other", "grade"]
    counted = rl.screen(one, engine="duckdb", direction="auto", score=names, **ASKED)
    fetched = rl.screen(table, direction="auto", score=names, **ASKED)
    assert str(counted) == str(fetched)
    everything = rl.screen(one, engine="duckdb", exclude="subject", label="y")
    assert {marker.name for marker in everything.markers} == {*names, "chance"}


def test_every_thing_a_report_says(places, table):
    asked = {"score": "fine", "resampling": 20, "rng": 1, **ASKED}
    counted = rl.build_report(str(places / "one.parquet"), engine="duckdb", **asked)
    assert f"{rl.auc(table, score='fine', **ASKED).area:.4f}"[:6] in str(counted.to_dict())


@pytest.mark.parametrize("scores", [["fine", "other"], ["rounded", "grade"], ["fine", "rounded", "other"]])
@pytest.mark.parametrize("direction", ["higher", {"other": "lower"}])
def test_paired_comparison(places, table, scores, direction):
    direction = {**dict.fromkeys(scores, "higher"), **direction} if isinstance(direction, dict) else direction
    direction = {k: v for k, v in direction.items() if k in scores} if isinstance(direction, dict) else direction
    asked = {"score": scores, "direction": direction, **ASKED}
    known = rl.compare(table, **asked)
    found = rl.compare(str(places / "parquet" / "*.parquet"), engine="duckdb", **asked)
    assert np.allclose(found.covariance, known.covariance, rtol=1e-12, atol=1e-18)
    for one, two in zip(found.pairs, known.pairs, strict=True):
        assert one.difference == pytest.approx(two.difference, abs=1e-14)
        assert one.p_value == pytest.approx(two.p_value, rel=1e-7)


def test_subjects_with_several_cases(places, table):
    asked = {"score": ["fine", "other"], "ids": "subject", **ASKED}
    known, found = rl.compare(table, **asked), rl.compare(str(places / "one.parquet"), engine="duckdb", **asked)
    assert np.allclose(found.covariance, known.covariance, rtol=1e-10)
    assert found.method == known.method
    alone = {"score": "fine", "ids": "subject", **ASKED}
    assert rl.auc(str(places / "one.parquet"), engine="duckdb", **alone).standard_error == pytest.approx(
        rl.auc(table, **alone).standard_error, rel=1e-10
    )


def test_classes_are_made_as_in_memory(places, table):
    one = str(places / "one.parquet")
    for asked in ({"label": "grade", "pos_label": ">2"}, {"label": "grade", "pos_label": 5, "neg_label": 0},
                  {"label": "grade", "pos_label": [3, 4, 5]}, {"label": "y"}):  # fmt: skip
        found, known = (
            rl.auc(data, score="fine", **asked, **keyword)
            for data, keyword in ((one, {"engine": "duckdb"}), (table, {}))
        )
        assert (found.area, found.n_pos, found.n_neg) == (known.area, known.n_pos, known.n_neg)


def test_memory_limit_spills_and_leaves_nothing(places, table, tmp_path, monkeypatch):
    from roclab.engines import duckdb_backend

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(duckdb_backend, "_half_of_memory", lambda: 8 * 100)
    found = rl.auc(str(places / "one.parquet"), score="fine", engine="duckdb", **ASKED)
    same(found, rl.auc(table, score="fine", **ASKED))
    assert not list(tmp_path.iterdir())


def test_a_cut_off_of_cells_says_what_lies_between_them(tmp_path):
    pl = pytest.importorskip("polars", reason="polars is not installed")
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    random = np.random.default_rng(4)
    y = (random.random(20_000) < 0.3).astype(int)
    s = random.normal(size=20_000) + y
    pl.DataFrame({"y": y, "s": s}).write_parquet(tmp_path / "d.parquet")
    found = rl.cutoff(
        tmp_path / "d.parquet", label="y", score="s", criterion="accuracy", engine="duckdb", accuracy=1e-3
    )
    best = rl.cutoff(y, s, criterion="accuracy")
    note = next(one for one in found.cutoff.notes if "cells of scores" in one)
    fpr, tpr = (float(word) for word in re.findall(r"([\d.e-]+) in (?:FPR|TPR)", note))
    share = y.mean()
    assert 0 <= best.best.value - found.best.value <= fpr * (1 - share) + tpr * share + 1e-12
