"""Covariances of the areas of all cells against their definitions, with ties and gaps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.inference.one_curve.proportions import proportion_interval
from tests.reading_studies.studies import (
    brute_auc,
    cells,
    delong_covariance,
    jackknife_covariance,
    matrix_by,
    nested_cases,
    only,
    split_plot,
    study,
    unbiased_covariance,
)

TWINS = {"delong": delong_covariance, "jackknife": jackknife_covariance, "unbiased": unbiased_covariance}
SMALL = {"readers": 3, "n_pos": 4, "n_neg": 5}


@pytest.mark.parametrize("covariance", TWINS)
@pytest.mark.parametrize(
    ("table", "design"),
    [
        (study(**SMALL), None),
        (only(study(**SMALL), np.arange(54) % 13 != 5), None),  # a reader skips a case now and then
        (nested_cases(**SMALL), "nested_cases"),
        (split_plot(**SMALL), "split_plot"),
    ],
)
def test_covariance_definition(covariance, table, design):
    found = rl.readers.mrmc(table, covariance=covariance, design=design, random="cases")
    assert [one.area for one in found.areas] == pytest.approx([brute_auc(one) for one in cells(table).values()])
    np.testing.assert_allclose(found.covariance, matrix_by(TWINS[covariance], table), atol=1e-14)


def test_delong_definition_is_that_of_a_comparison():
    table = study()
    own = cells(table)
    y = [truth for truth, _ in next(iter(own.values())).values()]
    scores = {f"{m} {r}": [rating for _, rating in cell.values()] for (m, r), cell in own.items()}
    np.testing.assert_allclose(rl.readers.mrmc(table).covariance, rl.compare(y, scores).covariance, atol=1e-15)


def test_bootstrap_definition_comes_near_the_jackknife_and_repeats_itself():
    table = study(n_pos=30, n_neg=40, levels=50)
    asked = {"covariance": "bootstrap", "resampling": 2000, "rng": 3}
    found = rl.readers.mrmc(table, **asked)
    near = rl.readers.mrmc(table, covariance="jackknife").covariance
    # A covariance of 2000 draws is known to about 1/sqrt(1000) of the variances.
    np.testing.assert_allclose(found.covariance, near, atol=4 * np.diag(near).max() / np.sqrt(1000))
    shuffled = only(table, np.random.default_rng(1).permutation(table["case"].size))
    assert (rl.readers.mrmc(shuffled, **asked).covariance == found.covariance).all()
    many = rl.Resampling(replicates=2000, workers=2)
    assert (rl.readers.mrmc(table, covariance="bootstrap", resampling=many, rng=3).covariance == found.covariance).all()
    apart = rl.readers.mrmc(
        nested_cases(), design="nested_cases", covariance="bootstrap", resampling=50, rng=1
    ).covariance
    assert (apart[:4, 4:] == 0).all()


def test_bootstrap_says_how_far_it_is():
    told = []
    drawn = rl.Resampling(replicates=100, progress=lambda done, total: told.append((done, total)))
    rl.readers.mrmc(study(), covariance="bootstrap", resampling=drawn, rng=1)
    assert told[-1] == (100, 100)
    told.clear()
    rl.readers.mrmc(study(), estimator="tauc", covariance="jackknife", resampling=drawn)
    assert told[-1] == (8, 8)


@pytest.mark.parametrize(
    "asked",
    [{"estimator": "tauc"}, {"fpr": (0, 0.4)}, {"estimator": "gini"},
     {"estimator": "sensitivity", "threshold": 3}, {"estimator": "specificity", "threshold": 3}],
)  # fmt: skip
def test_other_areas_property_both_roads_come_near_each_other(asked):
    table = study(n_pos=120, n_neg=150, levels=40)
    one = rl.readers.mrmc(table, covariance="delong", **asked).covariance
    two = rl.readers.mrmc(table, covariance="jackknife", **asked).covariance
    np.testing.assert_allclose(one, two, atol=0.06 * np.diag(one).max())  # both are first order in 1/n


def test_rates_definition():
    table = study()
    found = rl.readers.mrmc(table, estimator="sensitivity", threshold=3)
    own = list(cells(table).values())
    calls = np.array([[x >= 3 for y, x in cell.values() if y] for cell in own], float)
    assert [one.area for one in found.areas] == pytest.approx(calls.mean(axis=1))
    np.testing.assert_allclose(found.covariance, np.cov(calls) / calls.shape[1], atol=1e-15)
    unbiased = rl.readers.mrmc(table, estimator="sensitivity", threshold=3, covariance="unbiased")
    np.testing.assert_allclose(unbiased.covariance, found.covariance, atol=1e-15)
    binary = table | {"rating": (table["rating"] >= 3).astype(int)}
    assert rl.readers.mrmc(binary, estimator="sensitivity").equality.p_value == found.equality.p_value
    score = proportion_interval(calls[0].sum(), calls.shape[1])
    assert tuple(found.areas[0].interval) == pytest.approx(tuple(score))


def test_smooth_areas_have_the_jackknife():
    found = rl.readers.mrmc(study(n_pos=20, n_neg=25), estimator="normal")
    assert found.covariance_method == "jackknife"
    assert found.quantity == "AUC"


def test_subjects_definition_with_one_case_each_is_no_clustering_and_with_several_is_obuchowskis():
    table = study()
    alone = rl.readers.mrmc(table | {"patient": table["case"]}, subject="patient")
    assert (alone.covariance == rl.readers.mrmc(table).covariance).all()
    number = np.array([int(case[1:]) // 2 for case in table["case"]])
    found = rl.readers.mrmc(table | {"patient": number}, subject="patient")
    own = cells(table)
    first = next(iter(own.values()))
    y = [truth for truth, _ in first.values()]
    scores = {f"{m} {r}": [rating for _, rating in cell.values()] for (m, r), cell in own.items()}
    ids = [int(case[1:]) // 2 for case in first]
    clustered = rl.compare(y, scores, ids=ids, variance="clustered")
    np.testing.assert_allclose(found.covariance, clustered.covariance, atol=1e-15)
    left = rl.readers.mrmc(table | {"patient": number}, subject="patient", covariance="jackknife")
    np.testing.assert_allclose(np.diag(left.covariance), np.diag(found.covariance), rtol=0.4)


RATINGS = st.lists(st.integers(1, 4), min_size=2 * 2 * 6, max_size=2 * 2 * 6)


@given(ratings=RATINGS, order=st.permutations(range(24)), covariance=st.sampled_from(sorted(TWINS)))
def test_readers_property_rows_classes_and_scales(ratings, order, covariance):
    table = {
        "reader": np.tile(np.repeat(["a", "b"], 6), 2),
        "modality": np.repeat(["x", "y"], 12),
        "case": np.tile(np.arange(6), 4),
        "truth": np.tile([0, 0, 0, 1, 1, 1], 4),
        "rating": np.array(ratings),
    }
    found = rl.readers.mrmc(table, covariance=covariance)
    again = rl.readers.mrmc(only(table, np.array(order)), covariance=covariance)
    assert (again.covariance == found.covariance).all()
    assert str(again) == str(found)
    swapped = rl.readers.mrmc(table | {"truth": 1 - table["truth"]}, covariance=covariance, direction="lower")
    np.testing.assert_allclose(swapped.covariance, found.covariance, atol=1e-14)
    # Every reader may use a scale of his own.
    steeper = np.where(table["reader"] == "a", np.exp(table["rating"]), 10 - 1 / table["rating"])
    mapped = rl.readers.mrmc(table | {"rating": steeper}, covariance=covariance)
    np.testing.assert_allclose(mapped.covariance, found.covariance, atol=1e-15)
    assert [one.area for one in mapped.areas] == [one.area for one in found.areas]


def numbers(table):
    return np.array([int(name[1:]) for name in table["case"]])


@pytest.mark.parametrize("rate", ["sensitivity", "specificity"])
@pytest.mark.parametrize("method", ["or", "dbm"])
def test_jackknife_of_a_rate_definition_rests_on_the_cases_of_its_class(rate, method):
    """The mean of n calls: left out one by one they give their own covariance, that of DeLong's formula."""
    table = study(readers=3, n_pos=9, n_neg=14, seed=4)
    asked = {"estimator": rate, "threshold": 3}
    jack = rl.readers.mrmc(table, **asked, method=method, **({"covariance": "jackknife"} if method == "or" else {}))
    plain = rl.readers.mrmc(table, **asked)
    np.testing.assert_allclose(jack.covariance, plain.covariance, rtol=1e-10, atol=1e-15)
    assert jack.equality.statistic == pytest.approx(plain.equality.statistic, rel=1e-9)
    assert jack.df == pytest.approx(plain.df, rel=1e-9)


def test_jackknife_of_a_rate_property_cases_of_the_other_class_change_nothing():
    table = study(readers=3, n_pos=9, n_neg=14, seed=4)
    few = only(table, (table["truth"] == 1) | (numbers(table) % 2 == 0))
    one, two = (
        rl.readers.mrmc(given, estimator="sensitivity", threshold=3, covariance="jackknife").covariance
        for given in (table, few)
    )
    np.testing.assert_allclose(one, two, rtol=1e-12)


def test_jackknife_of_a_rate_definition_with_subjects():
    """Subjects without a positive case are no units of a sensitivity: leaving them away changes nothing."""
    table = study(readers=3, n_pos=10, n_neg=12, seed=6)
    case = numbers(table)
    with_subjects = {**table, "subject": np.where(case < 10, case // 2, 100 + case // 3)}
    asked = {"estimator": "sensitivity", "threshold": 3, "covariance": "jackknife", "subject": "subject"}
    some = only(with_subjects, (table["truth"] == 1) | (case % 3 == 0))
    one, two = (rl.readers.mrmc(given, **asked).covariance for given in (with_subjects, some))
    np.testing.assert_allclose(one, two, rtol=1e-12)


def test_jackknife_of_all_cases_definition_counts_those_not_read():
    """MRMCaov leaves out every case of the study, also those that a reader never saw."""
    table = study(seed=5)
    kept = np.arange(len(table["rating"])) % 7 != 0
    gaps = {name: np.asarray(column)[kept] for name, column in table.items()}
    found = rl.readers.mrmc(gaps, covariance="jackknife_all")
    cases = sorted(set(gaps["case"].tolist()))
    columns = []
    for one in found.areas:
        mine = (gaps["reader"] == one.reader) & (gaps["modality"] == one.modality)
        rows = []
        for case in cases:
            rest = mine & (gaps["case"] != case)
            rows.append(rl.auc(gaps["truth"][rest], gaps["rating"][rest]).area)
        columns.append(np.array(rows))
    n = len(cases)
    apart = np.array(columns) - np.mean(columns, axis=1, keepdims=True)
    assert found.covariance == pytest.approx((n - 1) / n * apart @ apart.T, rel=1e-9, abs=1e-15)
    whole = [rl.readers.mrmc(table, covariance=how).covariance for how in ("jackknife", "jackknife_all")]
    assert whole[0] == pytest.approx(whole[1])
    assert "over all cases of the study" in found.covariance_method
