"""Looking and counting in one pass: the answers and the refusals of two passes, whatever the rows hold."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.data.files.duckdb import Handle
from roclab.engines import duckdb_backend, one_pass
from roclab.errors import RoclabError

from .test_battery import PLACES, REGIONS, SHAPES, areas, check_areas, check_curve, read, shaped


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Small sources are tried in one pass too, with few cells; returns what each attempt found."""
    monkeypatch.setattr(one_pass, "_SAMPLE", 20)
    monkeypatch.setattr(duckdb_backend, "CELLS", 16)
    attempts, first = [], one_pass.first_pass

    def told(*given):
        found = first(*given)
        attempts.append("two" if found is None else "groups" if found.groups is not None else "scores")
        return found

    monkeypatch.setattr(duckdb_backend, "first_pass", told)
    return attempts


WAYS = {("heavy ties", "file"): "groups", ("heavy ties", "csv"): "groups", ("fine", "csv"): "scores",
        ("single precision", "csv"): "scores", ("fine", "file"): "two", ("gaps", "csv"): "two"}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("place", ["file", "partitions", "csv"])
def test_one_pass_has_the_digits_of_memory(tmp_path, at_once, place, shape):
    frame = shaped(shape)
    cases, memory = read(PLACES[place](frame, tmp_path), "duckdb"), read(frame, None)
    assert at_once == [WAYS.get((shape, place), at_once[0])]
    check_areas(areas(cases, REGIONS[:1]), areas(memory, REGIONS[:1]))
    check_curve(cases, rl.roc(memory))


def test_several_scores_of_a_text_are_read_once(tmp_path, at_once, monkeypatch):
    frame, queries, batches = shaped("fine"), [], Handle.batches
    frame.write_csv(tmp_path / "x.csv")
    monkeypatch.setattr(Handle, "batches", lambda self, query, *size: queries.append(query) or batches(self, query))
    for score, direction in ((["s", "t"], "auto"), (["t", "s"], "lower")):
        queries.clear()
        asked = {"label": "y", "score": score, "direction": direction}
        known = area_table(frame, **asked)
        found = area_table(tmp_path / "x.csv", engine="duckdb", **asked)
        assert [found[name].area for name in score] == [known[name].area for name in score]
        assert len([query for query in queries if "LIMIT" not in query]) == 1
    assert at_once == ["scores"] * 2


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_an_area_is_summed_and_its_curve_comes_from_the_same_rows(tmp_path, at_once, monkeypatch, direction):
    frame, queries, batches = shaped("fine"), [], Handle.batches
    frame.write_csv(tmp_path / "x.csv")
    monkeypatch.setattr(Handle, "batches", lambda self, query, *size: queries.append(query) or batches(self, query))
    asked = {"label": "y", "score": "s", "direction": direction}
    cases, memory = rl.read_cases(tmp_path / "x.csv", engine="duckdb", **asked), rl.read_cases(frame, **asked)
    for keywords in (
        {},
        {"estimator": "gini"},
        {"interval": None},
        {"interval": "logit", "level": 0.9},
        {"side": "lower"},
    ):
        found, known = rl.auc(cases, **keywords), rl.auc(memory, **keywords)
        assert (found.area, found.numerical_error.exact) == (known.area, True)
        assert found.standard_error == pytest.approx(known.standard_error, rel=1e-12, nan_ok=True)
        assert found.interval.low == pytest.approx(known.interval.low, rel=1e-12, nan_ok=True)
        assert found.interval.high == pytest.approx(known.interval.high, rel=1e-12, nan_ok=True)
        assert "cell" not in found.counted
    assert not cases._tallies
    full = cases.tally("s")
    assert full.known.auc == found.area == rl.auc(cases).area
    assert full.known.tauc == pytest.approx(rl.auc(memory, estimator="tauc").area, rel=1e-12)
    assert rl.auc(cases).standard_error == found.standard_error
    check_curve(cases, rl.roc(memory))
    assert len([query for query in queries if "LIMIT" not in query]) == 1


ODD = {
    "a third label": {"y": ["1", "0", "2"], "pos_label": "1"},
    "labels left out": {"y": ["1", "0", "2"], "pos_label": "1", "neg_label": "0"},
    "two positive labels": {"y": ["1", "0", "2"], "pos_label": ["1", "2"]},
    "blanks around labels": {"y": ["1", " 1", "0 "]},
    "a missing label": {"y": ["1", "0", "NA"]},
    "an empty label": {"y": ["1", "0", ""], "missing": "drop"},
    "words": {"y": ["ill", "well"], "pos_label": "ill"},
    "words that nobody explained": {"y": ["ill", "well"]},
    "the other class": {"y": ["1", "0"], "pos_label": 0},
    "a rule": {"y": ["1", "2", "3"], "pos_label": ">1.5"},
    "one class": {"y": ["1"]},
    "a code": {"y": ["1", "0"], "s": ["-99"], "na": -99, "missing": "drop"},
    "a code among labels": {"y": ["1", "0", "9"], "na": 9, "missing": "drop"},
    "a gap": {"y": ["1", "0"], "s": ["NA"]},
    "no number": {"y": ["1", "0"], "s": ["low"]},
    "blanks around numbers": {"y": ["1", "0"], "s": [" 3.5", "2 "]},
    "infinite": {"y": ["1", "0"], "s": ["inf", "-inf"]},
    "too many digits": {"y": ["1", "0"], "s": ["9007199254740993"]},
    "both zeros": {"y": ["1", "0"], "s": ["-0.0", "0"]},
}


def answered(path, **asked):
    """The answer, or the sentence instead of it."""
    try:
        found = rl.auc(path, label="y", score="s", engine="duckdb", **asked)
    except RoclabError as error:
        return str(error)
    return found.area, found.standard_error, found.sample.positive, found.n_pos, found.n_neg, found.sample.dropped


@pytest.mark.parametrize("digits", [1, 12])
@pytest.mark.parametrize("odd", ODD)
def test_odd_rows_are_answered_as_in_two_passes(tmp_path, monkeypatch, odd, digits):
    asked = dict(ODD[odd])
    labels, cells = asked.pop("y"), asked.pop("s", [])
    rng = np.random.default_rng(4)
    y = [labels[at % len(labels)] if at > 60 else labels[at % min(len(labels), 2)] for at in range(90)]
    s = [f"{value:.{digits}f}" for value in rng.normal(size=90)]
    s[80 : 80 + len(cells)] = cells
    pl.DataFrame({"y": y, "s": s}).write_csv(tmp_path / "x.csv", quote_style="never")
    found = answered(tmp_path / "x.csv", **asked)
    monkeypatch.setattr(duckdb_backend, "first_pass", lambda *_: None)
    known = answered(tmp_path / "x.csv", **asked)
    assert found == (known if isinstance(known, str) else pytest.approx(known, abs=1e-15))


def test_more_groups_than_were_promised_are_sorted(tmp_path, at_once, monkeypatch):
    monkeypatch.setattr(one_pass, "_MOST_GROUPS", 5)
    frame = shaped("heavy ties")
    frame.write_parquet(tmp_path / "x.parquet")
    found = rl.auc(tmp_path / "x.parquet", label="y", score="s", engine="duckdb")
    assert at_once == ["two"]
    assert found.area == rl.auc(frame, label="y", score="s").area


def test_scores_that_would_not_fit_are_read_in_two_passes(tmp_path, at_once, monkeypatch):
    frame = shaped("fine")
    frame.write_csv(tmp_path / "x.csv")
    for free, way in ((8 * 400, "scores"), (8 * 100, "two")):
        monkeypatch.setattr(duckdb_backend, "_half_of_memory", lambda free=free: free)
        found = rl.auc(tmp_path / "x.csv", label="y", score="s", engine="duckdb")
        assert (found.area, at_once.pop()) == (rl.auc(frame, label="y", score="s").area, way)


def test_rows_of_text_are_estimated_by_its_first_lines(tmp_path):
    frame = pl.DataFrame({"y": [0, 1] * 500, "s": [0.5, 0.25] * 500})
    frame.write_csv(tmp_path / "x.csv")
    frame.write_parquet(tmp_path / "x.parquet")
    from roclab.data.sources import SourceTable

    assert SourceTable(str(tmp_path / "x.csv"), "files").about_rows() == 1001
    assert SourceTable(str(tmp_path / "x.parquet"), "files").about_rows() is None
