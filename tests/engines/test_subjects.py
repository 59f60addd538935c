"""Subjects of rows that stay where they are: areas count them there, other intervals ask for the rows."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError

pytest.importorskip("duckdb")


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    rng = np.random.default_rng(4)
    ids = np.repeat(np.arange(30), 4)
    y = (rng.random(120) < 0.5).astype(int)
    s = np.round(y + rng.normal(size=30)[ids] + rng.normal(size=120), 3)
    path = tmp_path_factory.mktemp("rows") / "rows.csv"
    lines = [f"{a},{b},{c}" for a, b, c in zip(y, s, ids, strict=True)]
    path.write_text("\n".join(["y,s,id", *lines]))
    return str(path)


ASKED = {"label": "y", "score": "s", "ids": "id"}


def test_areas_of_a_curve_count_subjects_as_in_memory(rows):
    there, here = (rl.roc(rows, **ASKED, engine=engine) for engine in ("duckdb", "memory"))
    for mine, theirs in ((there.auc(), here.auc()), (there.auc("gini"), here.auc("gini"))):
        assert tuple(mine.interval) == pytest.approx(tuple(theirs.interval), rel=1e-9)
    assert there.test().p_value == pytest.approx(here.test().p_value, rel=1e-9)
    assert "cases of 30 subjects" in str(there)


@pytest.mark.parametrize(
    "question",
    [
        lambda r: r.metrics(0.5),
        lambda r: r.band(),
        lambda r: r.band(kind="thresholds"),
        lambda r: r.band(kind="simultaneous"),
        lambda r: r.rate_at(specificity=0.8),
        lambda r: r.threshold_interval(fpr=0.2),
        lambda r: r.cutoff_stability(),
        lambda r: r.likelihood_ratios(),
        lambda r: r.cutoff().best.metrics(),
    ],
)
def test_other_intervals_ask_for_the_rows(rows, question):
    there = rl.roc(rows, **ASKED, engine="duckdb")
    with pytest.raises(InputError, match="ids are counted from their rows.* engine='memory'"):
        question(there)


def test_what_shows_no_uncertainty_is_answered_there(rows):
    assert "cases of 30 subjects" in str(rl.roc(rows, **ASKED, engine="duckdb").cutoff("youden"))
    assert rl.confusion(rows, threshold=0.5, **ASKED, engine="duckdb").tp > 0
