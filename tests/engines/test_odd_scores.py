"""Scores at the edge of what numbers can be, and classes of one case: every engine answers as memory does."""

from __future__ import annotations

import pytest

import roclab as rl

pl = pytest.importorskip("polars", reason="polars is not installed")
pytest.importorskip("duckdb", reason="the extra roclab[engines] is not installed")

SAMPLES = {
    "one positive": ([1, 0, 0, 0, 0], [1971889424507.4, -0.0, -256489.9, -0.0, -6882048055924295.0]),
    "one negative": ([1, 1, 1, 0], [1.0, 3.0, 2.0, 2.5]),
    "one of each": ([1, 0], [2.0, 1.0]),
    "subnormal": ([1, 0, 1, 0, 1, 0], [5e-324, 1e-323, 1.5e-323, 2e-323, 1e-322, 5e-324]),
    "subnormal and 0": ([1, 0, 1, 0], [0.0, 1e-310, 3e-310, 2e-310]),
    "the widest range": ([1, 0, 1, 0], [1.7e308, -1.7e308, 1e308, 1.2e308]),
}


@pytest.mark.parametrize("estimator", ["empirical", "gini"])
@pytest.mark.parametrize("engine", ["native", "duckdb"])
@pytest.mark.parametrize("sample", SAMPLES)
def test_engines_answer_odd_scores_as_memory_does(sample, engine, estimator):
    y, s = SAMPLES[sample]
    known = rl.auc(y, s, estimator=estimator)
    found = rl.auc(
        pl.DataFrame({"y": y, "s": s}).lazy(), label="y", score="s", pos_label=1, engine=engine, estimator=estimator
    )
    assert found.area == pytest.approx(known.area, abs=1e-12)
    assert found.standard_error == pytest.approx(known.standard_error, abs=1e-12, nan_ok=True)
    assert getattr(found.standard_error, "reason", None) == getattr(known.standard_error, "reason", None)
    assert found.interval.low == pytest.approx(known.interval.low, abs=1e-9)
    assert set(known.notes) <= set(found.notes)
