"""One battery: the same questions of the same rows give what memory gives, wherever and however the rows lie."""

from __future__ import annotations

import shutil
import warnings
from decimal import Decimal

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.engines import duckdb_backend, narwhals_backend
from roclab.engines.estimates import CountedArea
from roclab.errors import InputError, OneClassError

N = 160
ASKED = {"label": "y", "missing": "drop"}


def shaped(shape):
    """Rows with two scores; the first one of a shape that is hard for somebody."""
    rng = np.random.default_rng(sorted(SHAPES).index(shape))
    y = (rng.random(N) < 0.4).astype(np.int64)
    fine = rng.normal(size=N) + y
    frame = pl.DataFrame({"y": y, "t": np.round(rng.normal(size=N) + 0.7 * y, 1)})
    return frame.with_columns(pl.Series("s", *SHAPES[shape](rng, fine), strict=True))


def with_gaps(rng, fine):
    fine[:6] = [np.inf, -np.inf, 0.0, -0.0, np.inf, 0.0]
    values = [
        None if one < 0.1 else np.nan if one < 0.2 else value for one, value in zip(rng.random(N), fine, strict=True)
    ]
    return values, pl.Float64


SHAPES = {
    "fine": lambda rng, fine: (fine, pl.Float64),
    "heavy ties": lambda rng, fine: (np.floor(fine), pl.Float64),
    "skewed": lambda rng, fine: (rng.random(N) ** 30, pl.Float64),
    "infinite and both zeros": lambda rng, fine: (
        np.where(rng.random(N) < 0.4, rng.choice([-np.inf, np.inf, 0.0, -0.0, 1e-300, 1e300], N), fine), pl.Float64),
    "gaps": with_gaps,
    "NaN": lambda rng, fine: (np.where(rng.random(N) < 0.2, np.nan, fine), pl.Float64),  # not in statistics of files
    "large integers": lambda rng, fine: ((2**53 - np.floor(np.abs(fine) * 40).astype(np.int64)), pl.Int64),
    "decimals": lambda rng, fine: ([Decimal(f"{one:.3f}") for one in fine], pl.Decimal(12, 3)),
    "single precision": lambda rng, fine: (fine.astype(np.float32), pl.Float32),
}  # fmt: skip


def in_parts(frame, folder):
    """One class in a partition, one case in another, none in a third."""
    one, other = frame.filter(pl.col("y") == 1), frame.filter(pl.col("y") == 0)
    for name, part in {"a": one, "b": other[:1], "c": frame[:0], "d": other[1:]}.items():
        (folder / f"part={name}").mkdir(parents=True)
        part.write_parquet(folder / f"part={name}" / "x.parquet")
    return folder


def written(frame, path, **options):
    frame.write_parquet(path, **options)
    return str(path)


def over_files(frame, path):
    import duckdb

    return duckdb.sql(f"FROM '{written(frame, path)}'")


def related(frame, threads=2):
    import duckdb

    connection = duckdb.connect(config={"threads": threads, "preserve_insertion_order": False})
    connection.register("given", frame.to_arrow())
    connection.execute("CREATE TABLE cases AS FROM given")
    return connection.sql("FROM cases")


def as_csv(frame, path):
    frame.with_columns(pl.col(pl.Float32).cast(pl.Float64)).write_csv(path)  # shorter numbers would be other ones
    return str(path)


def in_database(frame, path):
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.register("given", frame.to_arrow())
        connection.execute("CREATE TABLE cases AS FROM given")
    return f"{path}::cases"


def of_ibis(frame, path):
    ibis = pytest.importorskip("ibis", reason="Ibis is not installed")
    with warnings.catch_warnings():  # Ibis calls old names of DuckDB
        warnings.simplefilter("ignore")
        return ibis.duckdb.connect().read_parquet(written(frame, path))


def dataset(frame, folder):
    import pyarrow.dataset as ds

    return ds.dataset(str(in_parts(frame, folder)), format="parquet")


PLACES = {
    "file": lambda frame, root: written(frame, root / "x.parquet"),
    "other order": lambda frame, root: written(
        frame.sample(fraction=1, shuffle=True, seed=3), root / "x.parquet", row_group_size=7
    ),
    "csv": lambda frame, root: as_csv(frame, root / "x.csv"),
    "partitions": lambda frame, root: in_parts(frame, root / "parts"),
    "database": lambda frame, root: in_database(frame, root / "x.duckdb"),
    "one thread": lambda frame, root: related(frame, 1),
    "three threads": lambda frame, root: related(frame[::-1], 3),
    "dataset": lambda frame, root: dataset(frame, root / "parts"),
    "stream": lambda frame, root: dataset(frame, root / "parts").scanner(batch_size=9).to_reader(),
    "lazy frame": lambda frame, root: pl.scan_parquet(written(frame, root / "x.parquet")),
    "ibis": lambda frame, root: of_ibis(frame, root / "x.parquet"),
}
NATIVE = {
    "lazy frame": PLACES["lazy frame"],
    "lazy parts": lambda frame, root: pl.scan_parquet(str(in_parts(frame, root / "parts") / "**" / "*.parquet")),
    "relation": lambda frame, root: related(frame),
    "relation of a file": lambda frame, root: over_files(frame, root / "x.parquet"),
    "ibis": PLACES["ibis"],
}


@pytest.fixture(autouse=True)
def few_cells(monkeypatch):
    """So few cells and bins that scores are joined in them, as they are among millions of cases."""
    monkeypatch.setattr(duckdb_backend, "CELLS", 16)
    monkeypatch.setattr(narwhals_backend, "_BINS", 64)


REGIONS = ({"fpr": (0, 0.3)}, {"tpr": (0.55, 0.95)}, {"fpr": (0.1, 0.6), "tpr": (0.5, 1)})


def areas(cases, regions=REGIONS):
    """Areas of one score, by what was asked."""
    asked = [{}, {"estimator": "gini"}, {"estimator": "tauc"}, {"estimator": "average_precision"}, *regions]
    return [rl.auc(cases, interval="auto" if at < 2 else None, **one) for at, one in enumerate(asked)]


def check_areas(found, known):
    assert all(isinstance(one, CountedArea) for one in found)
    assert found[0].area == known[0].area  # in integers: to the last bit
    assert found[0].numerical_error.exact
    for one, two in zip(found[:2], known[:2], strict=True):
        assert one.standard_error == pytest.approx(two.standard_error, abs=1e-12)
        assert list(one.interval) == pytest.approx(list(two.interval), abs=1e-12)
        assert (one.n_pos, one.n_neg, one.sample.dropped) == (two.n_pos, two.n_neg, two.sample.dropped)
    for at, (one, two) in enumerate(zip(found, known, strict=True)):
        assert abs(one.area - two.area) <= one.numerical_error.area + 1e-12
        assert at == 3 or one.numerical_error.area == 0  # only sums of bins leave average precision a bound


def check_curve(cases, known):
    """True vertices, the best cut-off, and counts at a threshold."""
    every = set(zip(known.fpr.tolist(), known.tpr.tolist(), strict=True))
    curve = rl.roc(cases)
    assert set(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True)) <= every


def read(source, engine, score="s", **asked):
    return rl.read_cases(source, score=score, engine=engine, **ASKED, **asked)


_FIRST = {}  # digits by shape: all places must have the same


HARD = ("file", "csv", "partitions", "three threads")  # places that see every shape
SOME = ("fine", "infinite and both zeros", "gaps", "decimals")


@pytest.mark.parametrize(
    ("place", "shape"), [(place, shape) for place in PLACES for shape in (SHAPES if place in HARD else SOME)]
)
def test_duckdb_has_the_digits_of_memory_from_every_place(tmp_path, place, shape):
    frame = shaped(shape)
    source = PLACES[place](frame, tmp_path)
    cases, memory = read(source, "duckdb"), read(frame, None)
    found = areas(cases)
    check_areas(found, areas(memory))
    check_curve(cases, rl.roc(memory))
    best = rl.cutoff(cases)
    assert best.best.value == pytest.approx(rl.cutoff(memory).best.value, abs=1e-12)
    digits = [(one.area, one.standard_error, *one.interval) for one in found[:2]] + [one.area for one in found[2:]]
    digits.append(best.threshold)
    assert repr(_FIRST.setdefault(shape, digits)) == repr(digits)


@pytest.mark.parametrize("shape", ["fine", "gaps", "heavy ties"])
@pytest.mark.parametrize("place", ["file", "other order", "partitions", "one thread", "three threads"])
def test_a_comparison_has_the_same_digits_from_every_place(tmp_path, place, shape):
    frame = shaped(shape)
    found = rl.compare(read(PLACES[place](frame, tmp_path), "duckdb", ["s", "t"]))
    known = rl.compare(read(frame, None, ["s", "t"]))
    assert np.allclose(found.covariance, known.covariance, rtol=1e-12, atol=1e-18)
    assert found.pairs[0].p_value == pytest.approx(known.pairs[0].p_value, rel=1e-9)
    digits = [found.covariance.tolist(), found.pairs[0].p_value, found.pairs[0].difference]
    assert _FIRST.setdefault(("pair", shape), digits) == digits


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("place", NATIVE)
def test_other_engines_have_the_digits_of_memory(tmp_path, place, shape):
    frame = shaped(shape)
    cases, memory = read(NATIVE[place](frame, tmp_path), "native"), read(frame, None)
    check_areas(areas(cases), areas(memory))
    check_curve(cases, rl.roc(memory))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("place", NATIVE)
def test_a_comparison_on_other_engines_has_the_digits_of_the_sorted_one(tmp_path, place, shape):
    frame = shaped(shape)
    subjects = frame.with_columns(id=pl.Series(np.arange(N) // 3))
    known = rl.compare(read(over_files(frame, tmp_path / "y.parquet"), "duckdb", ["s", "t"]))
    source = NATIVE[place](subjects, tmp_path)
    found = rl.compare(read(source, "native", ["s", "t"]))
    digits = [[one.covariance.tolist(), one.pairs[0].p_value, one.pairs[0].difference] for one in (found, known)]
    assert digits[0] == digits[1]  # to the last bit
    memory = rl.compare(read(frame, None, ["s", "t"]))
    assert np.allclose(found.covariance, memory.covariance, rtol=1e-12, atol=1e-18)
    assert [one.area for one in found.areas] == [one.area for one in memory.areas]
    bounded = rl.compare(read(source, "native", ["s", "t"], accuracy=0.05))
    assert abs(bounded.pairs[0].difference - known.pairs[0].difference) <= 0.1
    of_subjects = {"score": ["s", "t"], "ids": "id"}
    there = rl.compare(read(source, "native", **of_subjects))
    here = rl.compare(read(subjects, None, **of_subjects))
    assert np.allclose(there.covariance, here.covariance, rtol=1e-12, atol=1e-18)
    assert there.pairs[0].p_value == pytest.approx(here.pairs[0].p_value, rel=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("engine", ["duckdb", "native"])
def test_bounds_hold_for_every_shape(tmp_path, engine, shape):
    frame = shaped(shape)
    source = pl.scan_parquet(written(frame, tmp_path / "x.parquet"))
    for accuracy, direction in ((0.2, "lower"), (1e-2, "higher"), (1e-5, "lower")):
        found = areas(read(source, engine, accuracy=accuracy, direction=direction))
        known = areas(read(frame, None, direction=direction))
        error = found[0].numerical_error
        assert error.area <= accuracy
        assert abs(found[0].standard_error - known[0].standard_error) <= error.standard_error + 1e-14
        assert abs(found[0].interval.low - known[0].interval.low) <= error.low + 1e-12
        assert abs(found[0].interval.high - known[0].interval.high) <= error.high + 1e-12
        for one, two in zip(found, known, strict=True):
            assert abs(one.area - two.area) <= one.numerical_error.area + 1e-14


@pytest.mark.parametrize("engine", ["duckdb", "native"])
def test_cases_that_lack_a_label_or_another_score_are_no_cases(tmp_path, engine):
    frame = shaped("NaN").with_columns(
        y=pl.when(pl.col("t") > 1.5).then(float("nan")).otherwise(pl.col("y").cast(pl.Float64)),
        t=pl.when(pl.col("t") < -0.5).then(None).otherwise(pl.col("t")),
    )
    cases = read(pl.scan_parquet(written(frame, tmp_path / "x.parquet")), engine, ["s", "t"])
    memory = read(frame, None, ["s", "t"])
    for name in ("s", "t"):
        check_areas(areas(cases.select(name)), areas(memory.select(name)))


def too_large(frame):
    return frame.with_columns(s=pl.Series([2**60 + at for at in range(frame.height)]))


@pytest.mark.parametrize(
    ("engine", "place"), [*(("duckdb", place) for place in PLACES), *(("native", place) for place in NATIVE)]
)
def test_rows_that_cannot_be_counted_are_refused_in_every_place(tmp_path, engine, place):
    made = (PLACES if engine == "duckdb" else NATIVE)[place]
    frame = shaped("fine")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with pytest.raises(OneClassError, match="y must hold two classes, got only 1 in 1 case"):
        read(made(frame.filter(pl.col("y") == 1)[:1], tmp_path / "a"), engine)
    with pytest.raises(InputError, match=r"s must hold integers of at most 2\*\*53"):
        read(made(too_large(frame), tmp_path / "b"), engine)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java runtime, and there is none here")
@pytest.mark.parametrize("shape", ["gaps", "decimals"])
def test_spark_has_the_digits_of_memory(spark, tmp_path, shape):
    frame = shaped(shape)
    table = spark.read.parquet(str(in_parts(frame, tmp_path / "parts"))).repartition(4, "y")
    cases, memory = read(table, "native"), read(frame, None)
    check_areas(areas(cases, REGIONS[:1]), areas(memory, REGIONS[:1]))
    check_curve(cases, rl.roc(memory))
