"""Every verb takes every kind of source: rows that lie elsewhere are fetched when they are few."""

from __future__ import annotations

import pytest

import roclab as rl
from tests.public import public

from .verbs import FOLD, OF_SCORES, QUICK, Y

pl = pytest.importorskip("polars", reason="polars is not installed")
pytest.importorskip("duckdb", reason="the extra roclab[engines] is not installed")


@pytest.fixture
def sources(tmp_path):
    """The table of a verb as a pattern of files, a relation, a lazy frame and a dataset."""
    import duckdb
    import pyarrow.dataset as ds

    def made(columns):
        frame = pl.DataFrame({"y": Y, "fold": FOLD, **columns})
        frame[:15].write_parquet(tmp_path / "part0.parquet")
        frame[15:].write_parquet(tmp_path / "part1.parquet")
        pattern = str(tmp_path / "part*.parquet")
        lazy = frame.lazy()
        return frame, [pattern, duckdb.sql(f"FROM '{pattern}'"), lazy, ds.dataset(str(tmp_path), format="parquet")]

    return made


@pytest.mark.parametrize("name", sorted(OF_SCORES))
def test_sources_answer_as_frames_do(name, sources):
    verb = OF_SCORES[name]
    frame, every = sources(verb.columns)
    asked = {"label": "y", "score": list(verb.columns) if len(verb.columns) > 1 else next(iter(verb.columns))}
    known = str(public(name)(frame, **asked, **verb.options))
    for source in every:
        assert str(public(name)(source, **asked, **verb.options)) == known


def test_groups_folds_and_subjects_of_sources(sources):
    frame, every = sources(OF_SCORES["auc"].columns)
    for question in (
        lambda data: rl.auc(data, label="y", score="score", by="fold"),
        lambda data: rl.cutoff(data, label="y", score="score", by="fold"),
        lambda data: rl.auc(data, label="y", score="score", folds="fold"),
        lambda data: rl.auc(data, label="y", score="score", variance="bootstrap", **QUICK),
    ):
        known = str(question(frame))
        assert {str(question(source)) for source in every} == {known}
