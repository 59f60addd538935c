from __future__ import annotations

import csv

import numpy as np
import pytest

from roclab.datasets import bundled_path, example_path, load_example, readings_path, wines_path
from roclab.datasets.generate import example_text, lesion_texts, readings_text, wines_text

EXAMPLE = load_example()


def brute_auc(pos, neg):
    """The definition, O(n m)."""
    return np.mean([(p > n) + (p == n) / 2 for p in pos for n in neg])


def test_example_property_is_reproducible_bit_for_bit():
    assert example_path().read_bytes() == example_text().encode()


def test_example_definition_of_its_columns():
    assert list(EXAMPLE.columns) == ["patient", "ward", "outcome", "procalcitonin", "lactate", "concern"]
    assert [values.dtype.kind for values in EXAMPLE.columns.values()] == ["U", "U", "U", "f", "f", "i"]
    assert {values.size for values in EXAMPLE.columns.values()} == {300}
    assert np.unique(EXAMPLE.columns["patient"]).size == 300
    assert set(EXAMPLE.columns["outcome"]) == {"deteriorated", "recovered"}
    assert set(EXAMPLE.columns["concern"]) == {1, 2, 3, 4, 5}
    assert EXAMPLE.path == example_path()


def test_example_definition_columns_equal_the_file():
    with example_path().open(newline="") as file:
        rows = list(csv.DictReader(file))
    for name, values in EXAMPLE.columns.items():
        assert [type(value)(row[name]) for value, row in zip(values.tolist(), rows, strict=True)] == values.tolist()


@pytest.mark.parametrize("name", ["patient", "ward", "outcome", "procalcitonin", "lactate", "concern"])
def test_example_definition_describes_every_column_and_says_it_is_invented(name):
    assert f"\n{name} " in EXAMPLE.description
    assert "no real patients" in EXAMPLE.description


@pytest.mark.parametrize(("marker", "area"), [("procalcitonin", 0.87), ("lactate", 0.78), ("concern", 0.72)])
def test_example_definition_areas_are_as_described(marker, area):
    ill = EXAMPLE.columns["outcome"] == "deteriorated"
    score = EXAMPLE.columns[marker]
    assert ill.sum() == 90
    assert brute_auc(score[ill], score[~ill]) == pytest.approx(area, abs=0.01)  # "about": two digits
    assert np.unique(score).size < 300  # ties, as real data have


def test_example_property_is_read_only():
    with pytest.raises(ValueError, match="read-only"):
        EXAMPLE.columns["lactate"][0] = 0
    with pytest.raises(AttributeError):
        EXAMPLE.path = None


def test_wines_property_are_reproducible_and_sum_to_one():
    assert wines_path().read_bytes() == wines_text().encode()
    with wines_path().open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 180
    for row in rows:
        for columns in (("barbera", "barolo", "gamay"), ("net_1", "net_2", "net_3")):
            shares = [float(row[name]) for name in columns]
            assert sum(shares) == pytest.approx(1)
            assert min(shares) >= 0


def test_readings_property_are_reproducible_and_complete():
    assert readings_path().read_bytes() == readings_text().encode()
    with readings_path().open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 5 * 2 * 80
    assert len({(row["reader"], row["modality"], row["case"]) for row in rows}) == len(rows)
    assert len({(row["case"], row["truth"]) for row in rows}) == 80
    assert all(0 <= int(row["rating"]) <= 100 for row in rows)


@pytest.mark.parametrize("name", ["lesions", "marks_a", "marks_b"])
def test_lesions_property_are_reproducible_bit_for_bit(name):
    assert bundled_path(name).read_bytes() == lesion_texts()[name].encode()
