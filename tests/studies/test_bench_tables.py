"""The printed tables of classifiers, trained and tested again on data that cannot be shipped."""

from __future__ import annotations

import numpy as np
import pytest

from roclab.studies.bench_tables import FILES, NAMES, bench_not_given, compare_bench, half_split_areas
from roclab.studies.reproduction import reproduce
from roclab.studies.verdicts import IN_ERROR, MONTE_CARLO, NOT_GIVEN

from ..conftest import OUTSIDE


@pytest.fixture(scope="module")
def folder():
    for file in FILES.values():
        if not (OUTSIDE / file).exists():
            pytest.skip(f"{file} may not be shipped, and no folder with it is on this machine (set ROCLAB_DATA)")
    return OUTSIDE


@pytest.mark.slow
def test_all_36_printed_areas_lie_within_the_split_distribution(folder):
    rows = compare_bench(folder, splits=20, rng=1, workers=2)
    assert len(rows) == 36
    assert {one.verdict for one in rows} == {MONTE_CARLO}
    ours = {one.quantity: float(one.ours) for one in rows}
    first = max(NAMES, key=lambda name: ours[f"AUC of {name}, phoneme data"])
    last = sorted(NAMES, key=lambda name: ours[f"AUC of {name}, pima data"])[:2]
    assert first == "K-NN"
    assert set(last) == {"RBF", "Nearest Mean"}
    assert ours["AUC of LDC, pima data"] == pytest.approx(ours["AUC of Fisher, pima data"], abs=1e-4)


def test_without_data_the_tables_are_told_as_not_given():
    rows = bench_not_given()
    assert {one.verdict for one in rows} == {NOT_GIVEN}
    assert len(rows) == 4
    assert all("folder" in one.reason for one in rows)


def test_a_folder_without_the_files_says_so(tmp_path):
    assert {one.verdict for one in compare_bench(tmp_path)} == {NOT_GIVEN}


def test_a_wrong_area_is_not_taken_for_the_split_distribution(tmp_path):
    """Data of another kind put the printed values far outside, and the verdict says so."""
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 100)
    x = random.normal(size=(200, 2)) + 4 * y[:, None]
    text = "a,b,class\n" + "\n".join(f"{a},{b},{c}" for (a, b), c in zip(x.tolist(), y.tolist(), strict=True))
    (tmp_path / "pima.csv").write_text(text)
    rows = [one for one in compare_bench(tmp_path, splits=3) if one.verdict != NOT_GIVEN]
    assert len(rows) == 18
    assert any(one.verdict == "unexplained" for one in rows)


def test_the_nine_impossible_pairs_are_shown_one_by_one():
    rows = [one for one in reproduce(sources=["italian"]).comparisons if "leaves tAUC from" in one.quantity]
    assert len(rows) == 9
    assert {one.verdict for one in rows} == {IN_ERROR}
    assert all(one.reason.startswith("E46") for one in rows)


def test_half_splits_share_their_cases_between_classifiers():
    random = np.random.default_rng(1)
    y = np.tile([0, 1], 40)
    x = random.normal(size=(80, 2)) + y[:, None]
    both = half_split_areas(x, y, splits=4, models=("ldc", "fisher"))
    assert both["ldc"]["AUC"] == pytest.approx(both["fisher"]["AUC"], abs=1e-9)
