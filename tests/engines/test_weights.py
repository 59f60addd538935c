"""Weights on engines: the digits of memory, whatever the order of rows; and weights that cannot be counted."""

from __future__ import annotations

import math
import shutil
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.engines import bounded_bins, narwhals_backend, weighted_duckdb, weighted_native
from roclab.errors import InputError, MissingValuesError

N = 300
ENGINES = ("duckdb", "native")
ODD = (-np.inf, np.inf, 0.0, -0.0)
SCORES = {
    "fine": lambda rng, fine: fine,
    "ties": lambda rng, fine: np.round(fine),
    "infinite and zeros": lambda rng, fine: np.where(rng.random(N) < 0.3, rng.choice(ODD, N), fine),
}  # fmt: skip
WEIGHTS = {
    "whole": lambda rng: rng.integers(0, 5, N).astype(float),
    "heavy": lambda rng: rng.integers(1, 10**7, N).astype(float),
    "real": lambda rng: rng.gamma(0.5, size=N),
    "wide": lambda rng: 10.0 ** rng.uniform(-12, 12, N),
}


def cases(score="fine", weight="real", seed=2):
    rng = np.random.default_rng(seed)
    y = (rng.random(N) < 0.4).astype(int)
    fine = rng.normal(size=N) + y
    return pl.DataFrame({"y": y, "s": SCORES[score](rng, fine), "w": WEIGHTS[weight](rng)})


@pytest.fixture(autouse=True)
def few_cells(monkeypatch):
    """So few cells that scores are joined in them, as they are among millions of cases."""
    monkeypatch.setattr(weighted_duckdb, "CELLS", 16)
    monkeypatch.setattr(weighted_native, "_BINS", 32)
    monkeypatch.setattr(narwhals_backend, "_BINS", 32)
    monkeypatch.setattr(bounded_bins, "BINS", (16, 64, 1 << 16))


ASKED = {"label": "y", "score": "s", "sample_weight": "w"}


def source(frame, folder):
    frame.write_parquet(folder / "x.parquet", row_group_size=50)
    return pl.scan_parquet(folder / "x.parquet")


def brute(frame):
    """The area by its definition, in fractions."""
    rows = [(Fraction(w), s, y) for y, s, w in frame.iter_rows()]
    pos, neg = [[(w, s) for w, s, y in rows if y == side] for side in (1, 0)]
    wins = sum(a * b * (1 if s > t else Fraction(1, 2) if s == t else 0) for a, s in pos for b, t in neg)
    return float(wins / (sum(a for a, _ in pos) * sum(b for b, _ in neg)))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("score", "weight"), [*((one, "real") for one in SCORES), *(("fine", one) for one in WEIGHTS)])
def test_weighted_areas_have_the_digits_of_memory(tmp_path, engine, score, weight):
    frame = cases(score, weight)
    there = source(frame, tmp_path)
    found, known = rl.auc(there, engine=engine, **ASKED), rl.auc(frame, **ASKED)
    assert found.area == pytest.approx(brute(frame), rel=1e-13)
    assert found.area == known.area if weight in ("whole", "heavy") else abs(found.area - known.area) < 1e-12
    assert found.standard_error == pytest.approx(known.standard_error, rel=1e-10, abs=1e-14)
    assert list(found.interval) == pytest.approx(list(known.interval), abs=1e-11)
    assert found.numerical_error.exact
    assert found.sample.weights == known.sample.weights
    assert found.sample.n_pos == pytest.approx(known.sample.n_pos, rel=1e-13)
    for one in ({"estimator": "tauc"}, {"fpr": (0.1, 0.4)}, {"tpr": (0.5, 1)}, {"estimator": "average_precision"}):
        part, whole = rl.auc(there, engine=engine, **ASKED, **one), rl.auc(frame, **ASKED, **one)
        error = part.numerical_error
        assert abs(part.area - whole.area) <= error.area + 1e-12
        if isinstance(error.standard_error, float) and not math.isnan(error.standard_error):
            assert abs(part.standard_error - whole.standard_error) <= error.standard_error + 1e-12


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("weight", ["whole", "real"])
def test_order_and_partitions_change_no_digit(tmp_path, engine, weight):
    frame = cases("ties" if weight == "whole" else "fine", weight)
    digits = set()
    for seed in range(3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        there = source(frame.sample(fraction=1, shuffle=True, seed=seed), folder)
        found, curve = rl.auc(there, engine=engine, **ASKED), rl.roc(there, engine=engine, **ASKED)
        digits.add(repr((found.area, found.standard_error, *found.interval, curve.fpr.tolist(), curve.tpr.tolist())))
    assert len(digits) == 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("weight", ["whole", "real"])
def test_curves_cutoffs_and_rates_with_weights(tmp_path, engine, weight):
    frame = cases("ties", weight).with_columns(p=1 / (1 + (-pl.col("s")).exp()))
    there = source(frame, tmp_path)
    found, known = rl.cutoff(there, engine=engine, **ASKED), rl.cutoff(frame, **ASKED)
    assert found.threshold == known.threshold
    assert found.best.value == pytest.approx(known.best.value, abs=1e-12)
    for threshold in (0.0, 1.0, -math.inf, 9.0):
        one, two = (rl.confusion(data, threshold=threshold, **ASKED, **more)
                    for data, more in ((there, {"engine": engine}), (frame, {})))  # fmt: skip
        assert [one.tp, one.fp, one.fn, one.tn] == pytest.approx([two.tp, two.fp, two.fn, two.tn], rel=1e-12, abs=1e-9)
    one, two = (rl.roc(data, **ASKED, **more).rate_at(specificity=0.7)
                for data, more in ((there, {"engine": engine}), (frame, {})))  # fmt: skip
    assert [one.rate, *one.interval] == pytest.approx([two.rate, *two.interval], abs=1e-10)
    asked = {**ASKED, "score": "p"}
    one, two = (rl.net_benefit(data, probabilities=[0.2, 0.5], **asked, **more)
                for data, more in ((there, {"engine": engine}), (frame, {})))  # fmt: skip
    assert list(one.net_benefit["p"]) == pytest.approx(list(two.net_benefit["p"]), abs=1e-12)
    one, two = (
        rl.roc(data, **asked, **more).calibration() for data, more in ((there, {"engine": engine}), (frame, {}))
    )
    assert [one.brier, one.line.slope] == pytest.approx([two.brier, two.line.slope], abs=1e-9)


@pytest.mark.parametrize("engine", ENGINES)
def test_bounds_hold_with_weights_and_an_accuracy(tmp_path, engine):
    frame = cases("fine", "real")
    there = source(frame, tmp_path)
    for accuracy in (0.2, 0.01):
        found, known = rl.auc(there, engine=engine, accuracy=accuracy, **ASKED), rl.auc(frame, **ASKED)
        assert found.numerical_error.area <= accuracy
        assert abs(found.area - known.area) <= found.numerical_error.area + 1e-14
        assert abs(found.standard_error - known.standard_error) <= found.numerical_error.standard_error + 1e-14


WRONG = {
    "negative": (lambda w: w.scatter([3, 5], -2.0), r"w must be >= 0, got 2 weights below 0, the lowest -2"),
    "infinite": (lambda w: w.scatter([3], math.inf), r"w must be finite, got inf in 1 case"),
    "nothing": (lambda w: w * 0, r"w must not all be zero, got 300 weights of 0"),
    "tiny": (lambda w: w.scatter([3], 1e-200), r"w must be 0 or at least 1e-100, got smaller ones in 1 case"),
    "large": (lambda w: w.scatter([3], 1e200), r"w must be at most 1e\+100"),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("wrong", WRONG)
def test_weights_that_cannot_be_counted_are_refused_with_their_number(tmp_path, engine, wrong):
    change, words = WRONG[wrong]
    there = source(cases().with_columns(w=change(cases()["w"])), tmp_path)
    with pytest.raises(InputError, match=words):
        rl.auc(there, engine=engine, **ASKED)


@pytest.mark.parametrize("engine", ENGINES)
def test_cases_without_a_weight_are_gaps(tmp_path, engine):
    frame = cases().with_columns(w=cases()["w"].scatter([3, 7], [None, math.nan]))
    there = source(frame, tmp_path)
    with pytest.raises(MissingValuesError, match="gaps in 2 of 300 cases: w lacks 2"):
        rl.auc(there, engine=engine, **ASKED)
    found, known = (rl.auc(data, missing="drop", **ASKED, **more)
                    for data, more in ((there, {"engine": engine}), (frame, {})))  # fmt: skip
    assert found.area == pytest.approx(known.area, rel=1e-13)
    assert found.sample.dropped == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_what_weights_have_no_part_in_says_so(tmp_path, engine):
    frame = cases(weight="whole").with_columns(t=pl.col("s") * -1, g=pl.lit("a"), k=pl.lit("text"))
    there = source(frame, tmp_path)
    with pytest.raises(InputError, match="sample_weight has no part in comparisons"):
        rl.compare(there, label="y", score=["s", "t"], sample_weight="w", engine=engine)
    with pytest.raises(InputError, match="weight has no part beside by"):
        rl.auc(there, by="g", engine=engine, **ASKED)
    with pytest.raises(InputError, match="k must be numeric"):
        rl.auc(there, engine=engine, **{**ASKED, "sample_weight": "k"})
    with pytest.raises(InputError, match="must be whole numbers for weights='frequency', got"):
        rl.auc(source(cases(), tmp_path), engine=engine, weights="frequency", **ASKED)
    with pytest.raises(InputError, match="weights='importance' needs sample_weight"):
        rl.auc(there, label="y", score="s", weights="importance", engine=engine)
    asked = rl.auc(source(frame, tmp_path), engine=engine, weights="importance", **ASKED)
    known = rl.auc(frame, weights="importance", **ASKED)
    assert asked.standard_error == pytest.approx(known.standard_error, rel=1e-10)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java runtime, and there is none here")
@pytest.mark.parametrize("weight", ["whole", "real"])
def test_spark_has_the_digits_of_other_engines(spark, tmp_path, weight):
    frame = cases("infinite and zeros", weight)
    there = source(frame, tmp_path)
    found = rl.auc(spark.read.parquet(str(tmp_path / "x.parquet")).repartition(3), **ASKED, engine="native")
    known = rl.auc(there, engine="native", **ASKED)
    assert repr((found.area, found.standard_error)) == repr((known.area, known.standard_error))
