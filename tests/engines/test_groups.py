"""Groups of a source: by= answers on every engine as it does in memory, with few passes for all groups."""

from __future__ import annotations

import datetime
import shutil

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.analysis.roc import rocs
from roclab.engines import group_counts, group_passes, source_groups
from roclab.errors import InputError, MissingValuesError

from .test_battery import NATIVE, PLACES, related, written

N = 240
WARDS = ["north", 'o\'hare "x"', "Ärzte, süd", "only ill"]


def grouped(seed=0, kind="text"):
    """Rows in four groups of one kind, the last with one class, two scores of which one ties."""
    rng = np.random.default_rng(seed)
    y = (rng.random(N) < 0.4).astype(np.int64)
    code = rng.integers(0, 3, N)
    code[np.flatnonzero(y)[:7]] = 3
    return pl.DataFrame(
        {"y": y, "s": rng.normal(size=N) + y, "t": np.round(rng.normal(size=N) + 0.7 * y)}
    ).with_columns(pl.Series("g", [KINDS[kind][one] for one in code], strict=True))


KINDS = {
    "text": WARDS,
    "numbers": [3, -1, 20, 100],
    "fractions": [0.5, -0.0, 1.0, 1e300],
    "dates": [datetime.date(2024, 1, day) for day in (3, 1, 20, 9)],
    "times": [datetime.datetime(2024, 1, day, 5, 30, 1) for day in (3, 1, 20, 9)],
    "yes and no": [True, False, False, True],
    "codes": ["01", "1", "1.0", "7"],
}

QUESTIONS = {
    "auc": lambda data, **asked: rl.auc(data, score="s", **asked),
    "gini": lambda data, **asked: rl.auc(data, score="t", estimator="gini", **asked),
    "partial": lambda data, **asked: rl.auc(data, score="t", fpr=(0, 0.4), **asked),
    "tauc": lambda data, **asked: rl.auc(data, score="s", estimator="tauc", **asked),
    "area_table": lambda data, **asked: area_table(data, score=["s", "t"], **asked),
    "cutoff": lambda data, **asked: rl.cutoff(data, score="s", **asked),
    "confusion": lambda data, **asked: rl.confusion(data, score="t", threshold=0.5, **asked),
    "screen": lambda data, **asked: rl.screen(data, score=["s", "t"], **asked),
    "compare": lambda data, **asked: rl.compare(data, score=["s", "t"], **asked),
    "rocs": lambda data, **asked: [(name, one.auc().rows()) for name, one in rocs(data, score="s", **asked).items()],
}


def numbers_of(found):
    """All numbers and words of an answer, without how it was counted."""
    plain = found if isinstance(found, list) else found.to_dict()

    def walk(one):
        if isinstance(one, dict):
            for name, value in one.items():
                if name not in ("notes", "counted", "numerical_error", "called"):
                    yield name
                    yield from walk(value)
        elif isinstance(one, list | tuple):
            for value in one:
                yield from walk(value)
        else:
            yield one

    return list(walk(plain))


def check_same(found, known):
    one, two = numbers_of(found), numbers_of(known)
    assert len(one) == len(two)
    for a, b in zip(one, two, strict=True):
        if isinstance(a, float) and a != a:
            assert (b != b, getattr(a, "reason", "")) == (True, getattr(b, "reason", ""))
        elif isinstance(a, float) and isinstance(b, float | int):
            assert a == pytest.approx(b, rel=1e-9, abs=1e-12)
        else:
            assert a == b


def ask(name, data, engine, **asked):
    return QUESTIONS[name](data, label="y", by=asked.pop("by", "g"), engine=engine, **asked)


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_is_answered_by_group_as_in_memory(tmp_path, name):
    frame = grouped()
    known = ask(name, frame, None)
    check_same(ask(name, written(frame, tmp_path / "x.parquet"), "duckdb"), known)
    if name != "compare":
        check_same(ask(name, pl.scan_parquet(tmp_path / "x.parquet"), "native"), known)
    with_cases = rl.read_cases(
        str(tmp_path / "x.parquet"), label="y", score=["s", "t"], by="g", engine="duckdb", memory_limit="60MB"
    )
    if name == "area_table":
        check_same(area_table(with_cases), known)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", ["file", "csv", "relation", "lazy frame"])
def test_groups_of_every_kind_have_the_names_of_memory(tmp_path, place, kind):
    frame = grouped(1, kind)
    engine = "native" if place in ("relation", "lazy frame") else "duckdb"
    source = (NATIVE if engine == "native" else PLACES)[place](frame, tmp_path)
    # what a file of text says about its cells is what its own reader finds in memory
    known = ask("auc", source if place == "csv" else frame, "memory" if place == "csv" else None)
    check_same(ask("auc", source, engine), known)
    known = ask("cutoff", source if place == "csv" else frame, "memory" if place == "csv" else None)
    check_same(ask("cutoff", source, engine), known)


@pytest.mark.parametrize("place", PLACES)
def test_groups_are_found_in_every_place(tmp_path, place):
    frame = grouped(2)
    check_same(ask("auc", PLACES[place](frame, tmp_path), "duckdb"), ask("auc", frame, None))


@pytest.mark.parametrize("engine", ["duckdb", "native"])
def test_several_columns_make_groups_of_every_combination(tmp_path, engine):
    frame = grouped(3).with_columns(h=pl.Series(np.arange(N) % 2))
    source = pl.scan_parquet(written(frame, tmp_path / "x.parquet"))
    for name in ("auc", "cutoff"):
        check_same(ask(name, source, engine, by=["g", "h"]), ask(name, frame, None, by=["g", "h"]))


@pytest.mark.parametrize("engine", ["duckdb", "native"])
def test_cases_without_a_group_are_refused_or_dropped(tmp_path, engine):
    frame = grouped(4).with_columns(
        g=pl.when(pl.int_range(N) % 11 == 0).then(None).otherwise("g"),
        s=pl.when(pl.int_range(N) % 7 == 0).then(float("nan")).otherwise("s"),
    )
    source = pl.scan_parquet(written(frame, tmp_path / "x.parquet"))
    with pytest.raises(MissingValuesError, match="g lacks 22"):
        ask("auc", source, engine)
    for name in ("auc", "cutoff", "confusion"):
        found = ask(name, source, engine, missing="drop")
        check_same(found, ask(name, frame, None, missing="drop"))
    found = ask("auc", source, engine, missing="drop")
    assert found.sample.dropped == ask("auc", frame, None, missing="drop").sample.dropped > 22
    check_same(
        ask("cutoff", source, engine, missing="drop", direction="auto"),
        ask("cutoff", frame, None, missing="drop", direction="auto"),
    )


@pytest.mark.parametrize("engine", ["duckdb", "native"])
def test_gaps_in_one_group_leave_the_others_alone(tmp_path, engine):
    frame = grouped(5).with_columns(s=pl.when(pl.col("g") == "north").then(None).otherwise("s"))
    source = pl.scan_parquet(written(frame, tmp_path / "x.parquet"))
    found, known = ask("cutoff", source, engine), ask("cutoff", frame, None)
    assert list(found) == list(known)
    assert set(found.skipped) == set(known.skipped) == {"north", "only ill"}
    assert found.skipped["only ill"] == known.skipped["only ill"]


@settings(max_examples=12, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.booleans(), st.integers(0, 5), st.sampled_from(["a", "b", "c''\"", " d "])),
        min_size=8, max_size=40,
    ).filter(lambda rows: any({y for y, _, g in rows if g == one} == {True, False} for one in "ab"))
)  # fmt: skip
def test_tied_scores_of_small_groups_property(rows):
    frame = pl.DataFrame(rows, schema=["y", "s", "g"], orient="row").with_columns(t=pl.col("s"))
    for source, engine in ((related(frame), "duckdb"), (frame.lazy(), "native")):
        check_same(ask("auc", source, engine), ask("auc", frame, None))
        check_same(ask("cutoff", source, engine), ask("cutoff", frame, None))


@pytest.mark.parametrize("name", ["auc", "cutoff"])
def test_sorting_on_disk_and_few_cells_change_no_digit(tmp_path, monkeypatch, name):
    frame = grouped(6)
    known = ask("auc", frame, None)
    monkeypatch.setattr(group_passes, "CELLS", 16)
    monkeypatch.setattr("roclab.engines.duckdb_backend.DuckdbBackend.capacity", lambda self: 100)
    found = ask("auc", written(frame, tmp_path / "x.parquet"), "duckdb")
    assert found.area.tolist() == pytest.approx(known.area.tolist(), abs=1e-14, nan_ok=True)
    assert found.low.tolist() == pytest.approx(known.low.tolist(), abs=1e-12, nan_ok=True)
    assert found.heterogeneity.statistic == pytest.approx(known.heterogeneity.statistic, rel=1e-10)
    for one, two in zip(found.differences.pairs, known.differences.pairs, strict=True):
        assert (one.standard_error, one.p_value) == pytest.approx((two.standard_error, two.p_value), rel=1e-11)
    best = ask("cutoff", str(tmp_path / "x.parquet"), "duckdb")
    for group, one in ask("cutoff", frame, None).items():
        assert best[group].threshold == one.threshold


@pytest.mark.parametrize("engine", ["duckdb", "native"])
@pytest.mark.parametrize("accuracy", [0.2, 1e-2, 1e-6])
def test_bounds_hold_in_every_group(tmp_path, monkeypatch, engine, accuracy):
    frame = grouped(7).with_columns(s=pl.col("s").exp() ** 3)
    monkeypatch.setattr(group_counts, "_BINS", (8,))
    monkeypatch.setattr(group_counts, "SMALL", 60)  # some groups are small, others are not
    source = pl.scan_parquet(written(frame, tmp_path / "x.parquet"))
    found = ask("auc", source, engine, accuracy=accuracy)
    known = ask("auc", frame, None)
    for name in known.groups:
        if name in known.skipped:
            continue
        error = found[name].numerical_error
        assert error.area <= accuracy
        assert abs(found[name].area - known[name].area) <= error.area + 1e-14
        assert abs(found[name].standard_error - known[name].standard_error) <= error.standard_error + 1e-14
        assert abs(found[name].interval.low - known[name].interval.low) <= error.low + 1e-12
    worst = max(float(one.numerical_error.area) for one in found.estimates.values())
    assert ("exactly" in found.counted) == (worst == 0)
    assert found.counted in str(found)


def passes(monkeypatch):
    """The queries that are sent to DuckDB, as they come."""
    from roclab.data.files.duckdb import Handle

    seen = []
    for name in ("rows", "batches", "arrow"):
        sent = getattr(Handle, name)
        monkeypatch.setattr(
            Handle, name, lambda self, query, *rest, sent=sent: (seen.append(query), sent(self, query, *rest))[1]
        )
    return seen


@pytest.mark.parametrize(
    ("name", "most"), [("auc", 3), ("gini", 3), ("area_table", 3), ("cutoff", 3), ("screen", 3), ("confusion", 2 + 4)]
)
def test_few_passes_answer_for_all_groups(tmp_path, monkeypatch, name, most):
    """Names, a look, and a count for all groups; a matrix at a threshold is counted in each."""
    frame = grouped(8)
    source = written(frame, tmp_path / "x.parquet")
    seen = passes(monkeypatch)
    ask(name, source, "duckdb")
    assert len(seen) <= most


def test_a_plan_says_the_passes_of_groups(tmp_path):
    from roclab.analysis.data import plan_of

    frame = grouped(9)
    source = written(frame, tmp_path / "x.parquet")
    asked = {"label": "y", "by": "g", "engine": "duckdb"}
    lines = plan_of(source, score="s", **asked)
    assert "240 cases" in lines[0]
    assert "in 4 groups by g, of which 1 with one class only" in lines[0]
    assert lines[1].startswith("groups: 1 pass for their names, 1 first look at all of them")
    assert "s: exact, sorted scan of every group: 1 pass for all groups" in lines[2]
    assert "t: exact, grouped by group and score: 1 pass for all groups" in plan_of(source, score="t", **asked)[2]
    assert "1 pass for all groups, and up to 6 more" in plan_of(source, score="s", accuracy=1e-5, **asked)[2]
    paired = plan_of(source, score=["s", "t"], paired=True, **asked)
    assert "t: counted first, 1 pass at least for all groups" in paired[2]
    assert "paired: 3 passes, one over the rows of each group, with 1 sort" in paired[3]
    lazy = plan_of(pl.scan_parquet(source), score="s", **{**asked, "engine": "native"})
    assert "exact, 1 aggregate for 3 groups of at most 65,536 cases" in lazy[2]


@pytest.mark.parametrize("engine", ["duckdb", "native"])
def test_classes_and_directions_are_those_of_all_cases_or_of_each_group(tmp_path, engine):
    frame = grouped(17).with_columns(
        outcome=pl.Series(np.array(["well", "worse", "ill"])[np.where(grouped(17)["y"], 2, np.arange(N) % 2)]),
        size=pl.col("s") * 2 + pl.int_range(N) % 5,
        s=pl.when(pl.col("g") == "north").then(-pl.col("s")).otherwise(pl.col("s")),
    )  # fmt: skip
    source = pl.scan_parquet(written(frame, tmp_path / "x.parquet"))
    for asked in (
        {"label": "y", "direction": "auto"},
        {"label": "y", "direction": "lower"},
        {"label": "outcome", "pos_label": "ill"},
        {"label": "outcome", "pos_label": "ill", "neg_label": "well"},
        {"label": "size", "pos_label": ">2.25"},
        {"label": "y", "na": [20.0, "north"], "missing": "drop"},
    ):
        for verb in (rl.auc, rl.cutoff):
            found = verb(source, score="s", by="g", engine=engine, **asked)
            known = verb(frame, score="s", by="g", **asked)
            for one, two in zip(numbers_of(found), numbers_of(known), strict=True):
                if isinstance(one, float | int):  # words may say less: how many cases lie on a cut is not looked for
                    assert one == pytest.approx(two, rel=1e-9, abs=1e-12, nan_ok=True)


def test_the_folders_of_a_partitioned_source_are_groups(places, table):
    found = rl.auc(places / "parted", label="y", score="fine", by="grade", engine="duckdb")
    check_same(found, rl.auc(table, label="y", score="fine", by="grade"))


def test_subjects_within_groups(tmp_path):
    frame = grouped(10).with_columns(id=pl.Series(np.arange(N) // 3))
    source = written(frame, tmp_path / "x.parquet")
    found, known = ask("auc", source, "duckdb", ids="id"), ask("auc", frame, None, ids="id")
    check_same(found.rows(), known.rows())
    assert known.differences is not None  # whose covariance needs the rows of subjects that groups share
    assert found.differences is None
    check_same(ask("compare", source, "duckdb", ids="id"), ask("compare", frame, None, ids="id"))


def test_groups_in_a_report_and_in_figures(tmp_path):
    from matplotlib.text import Text

    from roclab.plots import figure

    frame = grouped(11)
    source = written(frame, tmp_path / "x.parquet")
    asked = {"label": "y", "score": ["s", "t"], "by": "g", "band": False, "rng": 1}
    found, known = (rl.write_report(tmp_path / f"{at}.html", one, **more, **asked)
                    for at, (one, more) in enumerate([(source, {"engine": "duckdb"}), (frame, {})]))  # fmt: skip
    for one, two in zip(found.groups, known.groups, strict=True):
        check_same(one, two)
    cases = rl.read_cases(source, label="y", score="s", by="g", engine="duckdb")
    for name in ("roc", "forest", "differences"):
        axes = figure(name, cases, names={"north": "Norden"}).ax
        words = {text.get_text() for text in axes.get_figure().findobj(Text)}
        assert any("Norden" in text for text in words)


def test_groups_that_cannot_be_counted_say_so(tmp_path, monkeypatch):
    frame = grouped(12).with_columns(row=pl.int_range(N))
    source = written(frame, tmp_path / "x.parquet")
    with pytest.raises(InputError, match="x.parquet has no column 'gg'"):
        ask("cutoff", source, "duckdb", by="gg")
    with pytest.raises(InputError, match="by must name a column of data that lie elsewhere, got values in memory"):
        ask("cutoff", source, "duckdb", by=frame["g"])
    with pytest.raises(InputError, match="by must name a column of data that lie elsewhere"):
        ask("auc", source, "duckdb", by=frame["g"])
    with pytest.raises(InputError, match="by must make at least one group with both classes"):
        ask("auc", frame.lazy(), "native", by="row")
    monkeypatch.setattr(source_groups, "MOST_PARTS", 100)
    with pytest.raises(InputError, match="by must make at most 100 groups for .* got 240; ask for the AUC"):
        ask("cutoff", source, "duckdb", by="row")


FOLD_QUESTIONS = {
    "mean": lambda data, **asked: rl.auc(data, score="s", **asked),
    "mean of Gini": lambda data, **asked: rl.auc(data, score="t", estimator="gini", **asked),
    "pooled": lambda data, **asked: rl.auc(data, score="s", fold_average="pooled", **asked),
    "partial": lambda data, **asked: rl.auc(data, score="t", fpr=(0, 0.5), **asked),
    "area_table": lambda data, **asked: area_table(data, score=["s", "t"], null=0.5, **asked),
    "average": lambda data, **asked: rl.average(data, score="s", **asked),
    "rocs": lambda data, **asked: [(name, one.auc().rows()) for name, one in rocs(data, score="s", **asked).items()],
}


@pytest.mark.parametrize("name", FOLD_QUESTIONS)
def test_folds_are_counted_as_in_memory(tmp_path, name):
    frame = grouped(14).with_columns(fold=pl.int_range(N) % 4)
    known = FOLD_QUESTIONS[name](frame, label="y", folds="fold")
    source = written(frame, tmp_path / "x.parquet")
    check_same(FOLD_QUESTIONS[name](source, label="y", folds="fold", engine="duckdb"), known)
    check_same(FOLD_QUESTIONS[name](pl.scan_parquet(source), label="y", folds="fold", engine="native"), known)


def test_folds_within_groups_and_folds_of_one_class(tmp_path):
    frame = grouped(15).filter(pl.col("g") != "only ill").with_columns(fold=pl.int_range(pl.len()) // 3 % 2)
    source = written(frame, tmp_path / "x.parquet")
    asked = {"label": "y", "score": "s", "folds": "fold"}
    check_same(rl.average(source, by="g", engine="duckdb", **asked), rl.average(frame.sort("fold"), by="g", **asked))
    with pytest.raises(InputError, match="folds must hold both classes each, got fold 0 with 0 only"):
        rl.auc(frame.with_columns(fold=pl.col("y")).lazy(), engine="native", **asked)
    with pytest.raises(InputError, match="folds has no part beside by on an engine"):
        rl.auc(source, by="g", engine="duckdb", **asked)


def test_fold_areas_in_cells_are_averaged_where_they_are_exact(tmp_path, monkeypatch):
    monkeypatch.setattr(group_passes, "CELLS", 16)
    frame = grouped(16).with_columns(fold=pl.int_range(N) % 3)
    source = written(frame, tmp_path / "x.parquet")
    asked = {"label": "y", "score": "s", "folds": "fold"}
    found, known = rl.auc(source, engine="duckdb", **asked), rl.auc(frame, **asked)
    assert (found.area, found.standard_error, *found.interval) == pytest.approx(
        (known.area, known.standard_error, *known.interval), abs=1e-13
    )
    with pytest.raises(InputError, match="folds are averaged for areas that were counted exactly"):
        rl.auc(source, engine="duckdb", estimator="tauc", **asked)
    assert len(area_table(source, engine="duckdb", estimator="tauc", **asked)) == 3


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java runtime, and there is none here")
def test_spark_answers_by_group_as_memory_does(spark, tmp_path, monkeypatch):
    frame = grouped(13)
    monkeypatch.setattr(group_counts, "SMALL", 80)
    table = spark.read.parquet(written(frame, tmp_path / "x.parquet")).repartition(3, "y")
    for name in ("auc", "cutoff"):
        found, known = ask(name, table, None), ask(name, frame, None)
        if name == "auc":
            assert found.area.tolist() == pytest.approx(known.area.tolist(), abs=1e-14, nan_ok=True)
            assert found.low.tolist() == pytest.approx(known.low.tolist(), abs=1e-12, nan_ok=True)
            assert found.heterogeneity.p_value == pytest.approx(known.heterogeneity.p_value, rel=1e-9)
        else:
            assert list(found) == list(known)
