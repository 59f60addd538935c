"""Groups whose subjects have several cases, also in several groups."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from tests.inference.comparison.test_fold_differences import components


def wards(seed=1, n=160, subjects=50):
    rng = np.random.default_rng(seed)
    ids = rng.integers(0, subjects, n)
    ward = np.array(["n", "s"])[rng.integers(0, 2, n)]
    y = rng.random(n) < 0.5
    s = y + 1.5 * rng.normal(size=subjects)[ids] + rng.normal(size=n)
    return {"y": y.astype(int), "s": s, "ward": ward, "id": ids}


def ask(table, **more):
    return rl.compare_groups(table, label="y", score="s", group="ward", **more)


def added(table, ward):
    """What every subject adds to the area of a group, pair by pair."""
    rows = table["ward"] == ward
    y, ids = table["y"][rows].astype(bool), table["id"][rows]
    part = components(y, table["s"][rows])
    share = np.where(y, (part - part[y].mean()) / y.sum(), (part - part[~y].mean()) / (~y).sum())
    return np.array([share[ids == one].sum() for one in np.unique(table["id"])])


@pytest.mark.parametrize("seed", range(3))
def test_covariance_of_groups_that_share_subjects_definition(seed):
    table = wards(seed)
    found = ask(table, ids="id")
    count = np.unique(table["id"]).size
    first, second = found.names
    want = count / (count - 1) * np.sum(added(table, first) * added(table, second))
    assert found.covariance[0, 1] == pytest.approx(want, rel=1e-9)
    for at, ward in enumerate(found.names):
        rows = table["ward"] == ward
        alone = rl.auc(table["y"][rows], table["s"][rows], ids=table["id"][rows])
        assert found.covariance[at, at] == pytest.approx(alone.standard_error**2, rel=1e-9)
        assert tuple(found.areas[at].interval) == pytest.approx(tuple(alone.interval))


def test_subjects_alike_in_both_groups_make_the_difference_surer():
    table = wards(3)
    assert ask(table, ids="id").covariance[0, 1] > 0
    assert ask(table).covariance[0, 1] == 0


def test_separate_subjects_give_no_covariance_property():
    table = wards(4)
    table["id"] = np.array([f"{ward}{one}" for ward, one in zip(table["ward"], table["id"], strict=True)])
    assert ask(table, ids="id").covariance[0, 1] == 0


def test_the_same_id_in_another_data_set_is_somebody_else():
    table = wards(5)
    parts = {ward: {name: values[table["ward"] == ward] for name, values in table.items()} for ward in ("n", "s")}
    found = rl.compare_groups(parts, label="y", score="s", ids="id", pairing="unpaired")
    assert found.covariance[0, 1] == 0
    assert found.covariance[0, 0] == pytest.approx(ask(table, ids="id").covariance[0, 0])


def test_every_case_its_own_subject_changes_nothing_property():
    table = wards(6)
    assert ask(table).to_dict() == ask({**table, "id": np.arange(160)}, ids="id").to_dict()


def test_methods_that_take_every_case_for_itself_are_refused():
    with pytest.raises(InputError, match="ids join the cases of one subject, got a method that takes every case"):
        ask(wards(), ids="id", variance="bootstrap")


def test_groups_of_one_table_count_shared_subjects():
    """``by=`` answers as ``compare_groups`` does, and its test of one area in all groups has their covariance."""
    table = wards(3)
    found = rl.auc(table, label="y", score="s", by="ward", ids="id")
    apart = ask(table, ids="id")
    mine, theirs = found.differences.pairs[0], apart.pair("n", "s")
    assert (mine.difference, mine.standard_error) == pytest.approx((theirs.difference, theirs.standard_error))
    assert tuple(found.differences.areas[0].interval) == pytest.approx(tuple(found["n"].interval))
    matrix = apart.covariance
    z = (found.area[0] - found.area[1]) / (matrix[0, 0] + matrix[1, 1] - 2 * matrix[0, 1]) ** 0.5
    assert abs(z) * 0.95 < abs(mine.statistic) < abs(z)  # the correction for few subjects makes it smaller
    assert found.heterogeneity.statistic == mine.statistic  # two groups ask one question
    assert found.heterogeneity.p_value == pytest.approx(theirs.p_value)
    assert "several groups are counted" in str(found)
