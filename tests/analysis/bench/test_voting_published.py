"""The voting data of Orange's flow: our areas beside Orange's, and the table of the guide recomputed."""

from __future__ import annotations

from pathlib import Path

import pytest

from roclab.analysis.bench.ask import bench

from ...conftest import OUTSIDE

ORANGE = {"logistic": 0.99367, "naive_bayes": 0.97220, "tree": 0.94271}  # Orange 3.40, ten stratified folds, seed 42
GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "bench.md"


@pytest.fixture(scope="module")
def voting():
    if not (OUTSIDE / "voting.tab").exists():
        pytest.skip("voting.tab may not be shipped, and no folder with it is on this machine (set ROCLAB_DATA)")
    return bench(
        OUTSIDE / "voting.tab", label="party", pos_label="republican", models=list(ORANGE), settings="published", rng=42
    )


def test_areas_are_within_a_hundredth_of_oranges(voting):
    for name, area in ORANGE.items():
        assert voting.table()[name].auc == pytest.approx(area, abs=0.01)


def test_the_table_of_the_guide_is_what_comes_out(voting):
    rows = {line.split("|")[1].strip(): line for line in GUIDE.read_text(encoding="utf-8").splitlines() if "|" in line}
    for name in ORANGE:
        line = rows[name.replace("_", " ").replace("naive bayes", "naive Bayes")]
        counts = voting.matrix(name).counts
        matrix = f"{counts[1, 1]} {counts[0, 1]} {counts[1, 0]} {counts[0, 0]}"
        assert f"{voting.table()[name].auc:.4f}".lstrip("0") in line
        assert matrix in line


def test_gaps_and_words_are_told(voting):
    said = str(voting)
    assert "16 features of words became columns of 0 and 1" in said
    assert "392 missing values" in said
