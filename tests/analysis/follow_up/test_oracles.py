"""Areas over time, their comparison and concordance, held against riskRegression and survival."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import roclab as rl
from tests.conftest import HERE, OUTSIDE

ORACLES = HERE / "oracles" / "time"
AREAS = [
    "ties_competing", "continuous_competing", "dependent_censoring_marginal", "pbc_competing", "pbc_death",
    "melanoma_competing", "colon_death", "landmark",
]  # fmt: skip
CONCORDANCES = ["concordance_ties", "concordance_pbc", "concordance_veteran"]


def read(name):
    return json.loads((ORACLES / f"{name}.json").read_text())


def table_of(file):
    path = ORACLES / Path(file).name
    if not path.exists():
        path = OUTSIDE / "time" / Path(file).name
    if not path.exists():
        pytest.skip(f"{path.name} may not be shipped, and no folder with it is on this machine (set ROCLAB_DATA)")
    return path


def columns_of(known):
    columns = known["columns"]
    asked = {"time": columns["time"], "event": columns["event"], "cause": columns["cause"]}
    if columns.get("competing") is not None:
        asked["competing"] = columns["competing"]
    elif Path(known["data"]).name == "ties_a.csv":  # which holds another event, and it is taken for a loss here
        asked["censored"] = [0, 2]
    return asked


@pytest.mark.parametrize("name", AREAS)
def test_areas_differences_and_joint_tests(name):
    known = read(name)
    path, asked = table_of(known["data"]), columns_of(known)
    close, tried = {"rel": 0, "abs": known["tolerance"]}, 0
    for item in known["items"]:
        ask, expected = item["ask"], item["expected"]
        how = {**asked, "at": ask.get("at"), "controls": ask.get("controls", known["controls"])}
        if ask["what"] == "auc":
            area = rl.auc(path, score=ask["score"], interval="plain", **how)
            assert area.area == pytest.approx(expected["auc"], **close)
            assert area.standard_error == pytest.approx(expected["se"], **close)
            assert tuple(area.interval) == pytest.approx((expected["wald_low"], expected["wald_high"]), **close)
        elif ask["what"] == "difference of aucs":
            (pair,) = rl.compare(path, score=[ask["score"], ask["minus"]], **how).pairs
            assert pair.difference == pytest.approx(expected["difference"], **close)
            assert pair.standard_error == pytest.approx(expected["se"], **close)
            assert pair.p_value == pytest.approx(expected["p"], **close)
        elif ask["what"] == "joint test":
            (test,) = rl.compare(path, score=[ask["first"], ask["second"]], **how).joint
            assert test.statistic == pytest.approx(expected["chi2"], rel=1e-7)
            assert test.p_value == pytest.approx(expected["p"], rel=1e-6)
        else:
            continue
        tried += 1
    assert tried >= 4


@pytest.mark.parametrize("name", CONCORDANCES)
def test_concordances(name):
    known = read(name)
    path, asked = table_of(known["data"]), columns_of(known)
    tried = 0
    for item in known["items"]:
        ask, expected = item["ask"], item["expected"]
        if ask["what"] not in ("harrell", "uno"):
            continue
        found = rl.concordance(path, score=ask["score"], estimator=ask["what"], tau=ask.get("tau"), **asked)
        assert found.estimates[0].area == pytest.approx(expected["c"], abs=1e-8)
        if ask["what"] == "harrell":  # Uno's error in the oracle takes the weights as known
            assert found.estimates[0].standard_error == pytest.approx(expected["se"], abs=1e-8)
        tried += 1
    assert tried >= 6


def test_what_no_package_prints():
    """Uno's error with the censoring estimated, the mean over horizons, areas constant over time."""
    tried = set()
    for item in read("beyond_packages")["items"]:
        ask, expected = item["ask"], item["expected"]
        what = ask["what"].partition(",")[0]
        if "cause" not in ask or not (ORACLES / Path(ask["data"]).name).exists():
            continue
        asked = {"time": ask["time"], "event": ask["event"], "cause": ask["cause"], "score": ask.get("score")}
        if ask.get("competing") is not None:
            asked["competing"] = ask["competing"]
        path = ORACLES / Path(ask["data"]).name
        if what == "auc":
            area = rl.auc(path, at=ask["at"], controls=ask["controls"], interval="logit", **asked)
            assert area.standard_error == pytest.approx(expected["se"], abs=1e-8)
            assert tuple(area.interval) == pytest.approx((expected["logit_low"], expected["logit_high"]), abs=1e-8)
            assert area.effective_cases == pytest.approx(expected["kish_cases"], rel=1e-8)
            assert (area.sample.n_pos, area.sample.n_neg) == (expected["cases"], expected["controls"])
        elif what == "uno":
            (found,) = rl.concordance(path, tau=ask["tau"], **asked).estimates
            assert found.area == pytest.approx(expected["c"], abs=1e-8)
            assert found.standard_error == pytest.approx(expected["se"], abs=1e-8)
        elif what == "integrated auc":
            mean = rl.auc(path, at=ask["at"], controls=ask["controls"], **asked).integrated()
            assert mean.area == pytest.approx(expected["value"], abs=1e-8)
            assert mean.standard_error == pytest.approx(expected["se"], abs=1e-8)
        elif what == "joint test of equal aucs at all times":
            both = {**asked, "score": [ask["first"], ask["second"]]}
            (test,) = rl.compare(path, at=ask["at"], controls="event-free", **both).joint
            assert (test.statistic, test.p_value) == pytest.approx((expected["chi2"], expected["p"]), rel=1e-6)
        else:
            continue
        tried.add(what)
    assert tried == {"auc", "uno", "integrated auc", "joint test of equal aucs at all times"}


def test_shuffled_rows_change_nothing():
    table = {name: np.array(values) for name, values in rl.read_columns(ORACLES / "ties_a.csv").values.items()}
    order = np.random.default_rng(3).permutation(table["time"].size)
    other = {name: values[order] for name, values in table.items()}
    asked = {"time": "time", "event": "event", "competing": 2, "score": "x", "at": [3, 6]}
    first, second = rl.auc(table, **asked), rl.auc(other, **asked)
    for one, same in zip(first.areas, second.areas, strict=True):
        assert (one.area, one.standard_error) == pytest.approx((same.area, same.standard_error), rel=1e-13)
