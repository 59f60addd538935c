"""Resampling on engines: of counts where one score is asked about, refused in one sentence where rows are needed."""

from __future__ import annotations

import inspect

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.engines import duckdb_backend
from roclab.errors import InputError
from tests.public import public_names

ASKED = {"label": "y", "resampling": 60, "rng": 3}

# Every verb that resamples: what it is asked on an engine, and whether the counts answer it.
ANSWERED = {
    "auc": lambda data, **k: rl.auc(data, score=["rounded", "grade"], variance="bootstrap", **k),
    "screen": lambda data, **k: rl.screen(data, score=["rounded", "grade"], variance="bootstrap", **k),
    "cutoff_stability": lambda data, **k: rl.cutoff_stability(data, score="rounded", **k),
    "smooth_cutoff": lambda data, **k: rl.smooth_cutoff(data, score="rounded", smoother="bootstrap", **k),
    "build_report": lambda data, **k: rl.build_report(data, score="rounded", **k).to_dict()["title"],
}
REFUSED = {
    "compare": lambda data, **k: rl.compare(data, score=["fine", "other"], variance="bootstrap", **k),
    "compare_curves": lambda data, **k: rl.compare_curves(data, score=["fine", "other"], **k),
    "compare_groups": lambda data, **k: rl.compare_groups(data, score="fine", group="grade", **k),
    "logistic": lambda data, **k: rl.logistic(data, score=["fine", "other"], optimism=True, **k),
    "multiclass": lambda data, **k: rl.multiclass(data, score=["fine", "other"], **{**k, "label": "grade"}),
}
ELSEWHERE = {"cad_stages", "compare_multiclass", "froc", "mrmc"}  # of other data than one table of cases


def test_every_verb_that_resamples_is_asked_here():
    verbs = {name: one for name, one in public_names().items() if inspect.isfunction(one)}
    takes = {name for name, one in verbs.items() if "resampling" in inspect.signature(one).parameters}
    assert takes == {*ANSWERED, *REFUSED, *ELSEWHERE}


@pytest.mark.parametrize("verb", ANSWERED)
def test_counts_of_all_scores_resample_as_rows_do(places, table, verb):
    known = ANSWERED[verb](table, **ASKED)
    for place in (places / "one.parquet", str(places / "parquet" / "*.parquet")):
        found = ANSWERED[verb](place, engine="duckdb", **ASKED)
        lines = [line for line in str(found).splitlines() if "Counted exactly" not in line]
        assert lines == str(known).splitlines()


@pytest.mark.parametrize("verb", REFUSED)
def test_what_needs_rows_says_what_to_use(places, verb):
    with pytest.raises(InputError, match="engine='memory'"):
        REFUSED[verb](places / "one.parquet", engine="duckdb", **ASKED)


def test_subjects_and_pairs_name_the_closed_form(places):
    one = places / "one.parquet"
    with pytest.raises(InputError, match="use variance='delong', the scheme 'poisson'"):
        rl.compare(one, score=["fine", "other"], variance="bootstrap", engine="duckdb", **ASKED)
    for ask, score, words in ((rl.auc, "fine", "or fetch the rows"),
                              (rl.compare, ["fine", "other"], "the scheme 'poisson'")):  # fmt: skip
        with pytest.raises(InputError, match=f"use variance='clustered', {words}"):
            ask(one, score=score, ids="subject", variance="clustered_bootstrap", engine="duckdb", **ASKED)


def test_cells_resample_nearly_as_rows_and_the_same_from_every_place(places, table, monkeypatch):
    monkeypatch.setattr(duckdb_backend, "CELLS", 200)
    asked = {"score": "fine", "interval": "percentile", **ASKED, "resampling": 400}
    known = rl.auc(table, **asked)
    found = [rl.auc(data, engine="duckdb", **asked) for data in (places / "one.parquet", str(places / "parquet"))]
    assert found[0].standard_error == found[1].standard_error
    assert list(found[0].interval) == list(found[1].interval)
    # The standard error of 400 replicates is itself uncertain by a share of 1/sqrt(800).
    assert found[0].standard_error == pytest.approx(known.standard_error, rel=4 / np.sqrt(800))


@pytest.fixture
def counted_passes(monkeypatch):
    """How often rows of a source are read in batches."""
    from roclab.data.files.duckdb import Handle

    passes, batches = [], Handle.batches

    def noted(self, query, size=1_000_000):
        passes.append(query)
        return batches(self, query, size)

    monkeypatch.setattr(Handle, "batches", noted)
    return passes


@pytest.mark.parametrize("kind", ["one.parquet", "one.csv"])
def test_markers_are_screened_in_few_passes(places, table, kind, counted_passes, monkeypatch):
    names = ["fine", "rounded", "other", "grade", "chance"]
    asked = {"label": "y", "score": names, "direction": "auto"}
    known = str(rl.screen(table, **asked))
    assert str(rl.screen(places / kind, engine="duckdb", **asked)) == known
    assert len([query for query in counted_passes if "LIMIT" not in query]) == 1
    counted_passes.clear()
    monkeypatch.setattr(duckdb_backend, "_half_of_memory", lambda: 9 * 2 * table.height)  # two markers fit
    assert str(rl.screen(places / kind, engine="duckdb", **asked)) == known
    assert len([query for query in counted_passes if "LIMIT" not in query]) == 3


@pytest.mark.parametrize("accuracy", [1e-2, 1e-5])
def test_markers_are_binned_together(places, table, counted_passes, accuracy):
    names = ["fine", "other", "chance"]
    asked = {"label": "y", "engine": "duckdb", "accuracy": accuracy}
    found = area_table(places / "one.parquet", score=names, **asked)
    passes = len([query for query in counted_passes if "LIMIT" not in query])
    assert passes == 1 or accuracy < 1e-4  # finer bins are made for each apart
    for name in names:
        alone = rl.auc(places / "one.parquet", score=name, **asked)
        assert (found[name].area, found[name].numerical_error) == (alone.area, alone.numerical_error)
        assert abs(alone.area - rl.auc(table, label="y", score=name).area) <= alone.numerical_error.area + 1e-14
        assert alone.numerical_error.area <= accuracy


def test_a_screening_says_which_cases_it_left_out(table, tmp_path):
    gaps = table.with_columns(fine=pl.when(pl.col("other") > 1).then(None).otherwise(pl.col("fine")))
    gaps.write_parquet(tmp_path / "x.parquet")
    asked = {"label": "y", "score": ["fine", "other"], "missing": "drop"}
    found = rl.screen(tmp_path / "x.parquet", engine="duckdb", **asked)
    lost = gaps["fine"].null_count()
    assert f"{lost} cases that lack the outcome or a marker left out for all markers" in str(found)
    assert found["other"].area == rl.screen(gaps.drop_nulls(), **asked)["other"].area
