"""The printed tables of classifiers, trained and tested again on data that cannot be shipped."""

from __future__ import annotations

import numpy as np
import pytest

from roclab.errors import FileError
from roclab.studies.bench_tables import NAMES, compare_bench, half_splits
from roclab.studies.reproduction import reproduce
from roclab.studies.verdicts import HALF_SPLITS, IN_ERROR, NOT_GIVEN, UNEXPLAINED

from ..conftest import OUTSIDE


@pytest.fixture(scope="module")
def folder():
    for file in ("phoneme.csv", "pima.csv"):
        if not (OUTSIDE / file).exists():
            pytest.skip(f"{file} may not be shipped, and no folder with it is on this machine (set ROCLAB_DATA)")
    return OUTSIDE


@pytest.mark.nightly
def test_all_54_printed_areas_lie_within_the_split_distribution(folder):
    rows, curves = compare_bench(folder, splits=20, rng=1, workers=2)
    assert len(rows) == 54
    assert {one.verdict for one in rows} == {HALF_SPLITS}
    assert {one.kind for one in rows} == {"text"}
    ours = {one.quantity: float(one.ours) for one in rows}
    first = max(NAMES, key=lambda name: ours[f"AUC by Wilcoxon of {name}, phoneme data"])
    last = sorted(NAMES, key=lambda name: ours[f"AUC by Wilcoxon of {name}, pima data"])[:2]
    assert first == "K-NN"
    assert set(last) == {"RBF", "Nearest Mean"}
    assert ours["AUC by Wilcoxon of LDC, pima data"] == pytest.approx(
        ours["AUC by Wilcoxon of Fisher, pima data"], abs=1e-4
    )
    assert {data: list(found) for data, found in curves.items()} == {data: list(NAMES) for data in ("phoneme", "pima")}


def test_without_data_every_printed_area_says_where_they_come_from():
    rows, curves = compare_bench(None)
    assert {one.verdict for one in rows} == {NOT_GIVEN}
    assert len(rows) == 54
    assert curves == {}
    assert all("ELENA" in one.reason or "UCI" in one.reason for one in rows)


def test_a_folder_without_the_files_says_so(tmp_path):
    assert {one.verdict for one in compare_bench(tmp_path)[0]} == {NOT_GIVEN}


def write_pima(folder, classes):
    random = np.random.default_rng(0)
    y = np.repeat(classes, 100)
    x = random.normal(size=(200, 2)) + 4 * (y == classes[1])[:, None]
    text = "a,b,class\n" + "\n".join(f"{a},{b},{c}" for (a, b), c in zip(x.tolist(), y.tolist(), strict=True))
    (folder / "pima.csv").write_text(text)


def test_a_wrong_area_is_not_taken_for_the_split_distribution(tmp_path):
    """Data of another kind put the printed values far outside, and the verdict says so."""
    write_pima(tmp_path, (0, 1))
    rows, curves = compare_bench(tmp_path, splits=3)
    found = [one for one in rows if one.verdict != NOT_GIVEN]
    assert len(found) == 27
    assert any(one.verdict == UNEXPLAINED for one in found)
    assert list(curves) == ["pima"]


def test_other_classes_are_refused(tmp_path):
    write_pima(tmp_path, (1, 2))
    with pytest.raises(FileError, match=r"must have classes 0 and 1 in the last column, got pima.csv"):
        compare_bench(tmp_path, splits=3)


def test_the_nine_impossible_pairs_are_shown_one_by_one():
    rows = [one for one in reproduce(sources=["italian"]).comparisons if "leaves tAUC from" in one.quantity]
    assert len(rows) == 9
    assert {one.verdict for one in rows} == {IN_ERROR}
    assert all(one.reason.startswith("E46") for one in rows)


def test_half_splits_share_their_cases_between_classifiers_and_average_their_curves():
    random = np.random.default_rng(1)
    y = np.tile([0, 1], 40)
    x = random.normal(size=(80, 2)) + y[:, None]
    both = half_splits(x, y, splits=4, models=("ldc", "fisher"))
    assert both["ldc"].auc == pytest.approx(both["fisher"].auc, abs=1e-9)
    one = both["ldc"]
    assert (one.fpr[0], one.tpr[0], one.fpr[-1], one.tpr[-1]) == (0, 0, 1, 1)
    under = np.sum(np.diff(one.fpr) * (one.tpr[1:] + one.tpr[:-1]) / 2)
    assert under == pytest.approx(one.auc.mean(), abs=0.01)  # a grid of 100 points cuts corners
    assert (one.tauc <= one.auc / 2 + 1e-12).all()
