"""Comparisons of parts of curves, and at a rate, where the rows are."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.engines import duckdb_backend, narwhals_backend, near_rate
from roclab.errors import InputError

REGIONS = (
    {"fpr": (0, 0.2)},
    {"tpr": (0.6, 1)},
    {"fpr": (0.1, 0.5), "tpr": (0.4, 0.9)},
    {"fpr": (0, 0.2), "standardize": "mcclish"},
)
ODD = (-np.inf, np.inf, 0.0)
SHAPES = {
    "fine": lambda rng, fine: fine,
    "ties": lambda rng, fine: np.round(fine),
    "infinite": lambda rng, fine: np.where(rng.random(fine.size) < 0.3, rng.choice(ODD, fine.size), fine),
}
ASKED = {"label": "y", "score": ["s", "t", "u"], "direction": {"t": "lower"}}


def cases(shape="fine", n=500):
    rng = np.random.default_rng(8)
    y = (rng.random(n) < 0.4).astype(int)
    fine = rng.normal(size=n) + y
    return pl.DataFrame(
        {
            "y": y,
            "s": SHAPES[shape](rng, fine),
            "t": rng.normal(size=n) - y,
            "u": np.round(fine + rng.normal(size=n), 1),
        }
    )


@pytest.fixture(autouse=True)
def few_cells(monkeypatch):
    monkeypatch.setattr(duckdb_backend, "CELLS", 16)
    monkeypatch.setattr(narwhals_backend, "_BINS", 32)


@pytest.mark.parametrize("engine", ["duckdb", "native"])
@pytest.mark.parametrize("shape", SHAPES)
def test_partial_areas_are_compared_as_in_memory(tmp_path, engine, shape):
    frame = cases(shape)
    frame.sample(fraction=1, shuffle=True, seed=1).write_parquet(tmp_path / "x.parquet")
    there = pl.scan_parquet(tmp_path / "x.parquet")
    for region in REGIONS if shape == "fine" or engine == "native" else REGIONS[:1]:
        found, known = rl.compare(there, engine=engine, **ASKED, **region), rl.compare(frame, **ASKED, **region)
        assert np.allclose(found.covariance, known.covariance, rtol=1e-11, atol=1e-18)
        for one, two in zip(found.pairs, known.pairs, strict=True):
            assert one.difference == pytest.approx(two.difference, abs=1e-13)
            assert one.p_value == pytest.approx(two.p_value, rel=1e-8)
            assert list(one.interval) == pytest.approx(list(two.interval), abs=1e-11)
        for one, two in zip(found.areas, known.areas, strict=True):
            assert [one.area, *one.interval] == pytest.approx([two.area, *two.interval], abs=1e-11)
    bounded = rl.compare(there, engine=engine, accuracy=0.1, **ASKED, **REGIONS[0])
    assert "compared exactly, whatever accuracy" in str(bounded)
    with pytest.raises(InputError, match="must be the AUC, Gini or a part of the curve"):
        rl.compare(there, engine=engine, estimator="tauc", **ASKED)


@pytest.mark.parametrize("engine", ["duckdb", "native"])
@pytest.mark.parametrize("rate", [{"at_specificity": 0.8}, {"at_sensitivity": 0.7}])
def test_rates_at_a_point_of_few_cases_have_the_replicates_of_memory(tmp_path, engine, rate):
    frame = cases()
    frame.sample(fraction=1, shuffle=True, seed=1).write_parquet(tmp_path / "x.parquet")
    asked = {**ASKED, "resampling": 200, "rng": 3, **rate}
    found = rl.compare(pl.scan_parquet(tmp_path / "x.parquet"), engine=engine, **asked)
    known = rl.compare(frame, **asked)
    assert [one.p_value for one in found.pairs] == [one.p_value for one in known.pairs]
    assert found.covariance.tolist() == known.covariance.tolist()


@pytest.mark.parametrize("rate", [{"at_specificity": 0.9}, {"at_sensitivity": 0.7}])
def test_rates_at_a_point_of_many_cases_are_resampled_near_it(tmp_path, monkeypatch, rate):
    """The window holds a part of the cases, and the spread of replicates is that of all rows."""
    frame = cases(n=20_000)
    frame.write_parquet(tmp_path / "x.parquet")
    there = pl.scan_parquet(tmp_path / "x.parquet")
    asked = {**ASKED, "resampling": 400, "rng": 3, **rate}
    known = rl.compare(frame, **asked)
    monkeypatch.setattr(near_rate, "FEW_ROWS", 0)
    monkeypatch.setattr(near_rate, "_DEVIATIONS", 6)
    monkeypatch.setattr(duckdb_backend, "CELLS", 256)
    read = rl.read_cases(there, engine="duckdb", **ASKED)
    kept = read.about_rate(0.1, mirrored=False)
    assert len(kept) < 10_000
    assert kept.weight.sum() == 20_000
    found = {engine: rl.compare(there, engine=engine, **asked) for engine in ("duckdb", "native")}
    for one in found.values():
        assert [area.rate for area in one.areas] == [area.rate for area in known.areas]
        # 400 replicates know a standard deviation to 3.5%; both have that error
        ratio = np.sqrt(np.diag(one.covariance) / np.diag(known.covariance))
        assert np.all(np.abs(ratio - 1) < 0.15)
        pairs = [(a.standard_error, b.standard_error) for a, b in zip(one.pairs, known.pairs, strict=True)]
        assert all(abs(a / b - 1) < 0.15 for a, b in pairs)
