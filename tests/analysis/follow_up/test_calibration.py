"""Calibration and net benefit at a horizon: oracles, definitions, differentiation, and what no package prints."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

import roclab as rl
from roclab.censoring.follow_up import FollowUp
from roclab.decisions.horizon_calibration import fitted_line, observed_of_group, observed_over_expected
from roclab.errors import InputError
from roclab.inference.follow_up_areas import horizon_of
from tests.analysis.follow_up.test_follow_up import TABLE
from tests.analysis.follow_up.test_oracles import ORACLES, columns_of, read, table_of

RNG = np.random.default_rng(21)
N = 70
TIME, EVENT = RNG.integers(1, 12, N).astype(float), RNG.integers(0, 3, N)
LINE = RNG.normal(size=N)
RISK = 1 / (1 + np.exp(-LINE))
AT = 7.0


def marker_risks():
    patients = {name: np.array(values) for name, values in rl.read_columns("followed").values.items()}
    marker, grade = patients["marker"].astype(float), patients["grade"].astype(float)
    risk = 1 / (1 + np.exp(4.8 - 0.6 * marker - 0.35 * grade))
    return {**patients, "risk": risk, "other": np.array([0.05, 0.1, 0.25, 0.25])[grade.astype(int) - 1]}


@pytest.mark.parametrize("name", ["calibration_pbc", "calibration_pbc_competing"])
def test_groups_oracle_kaplan_meier_and_aalen_johansen(name):
    """Errors there divide by n, here by n - 1."""
    known = read(name)
    path, asked = table_of(known["data"]), columns_of(known)
    curve = rl.roc(path, **asked, score="risk5_2000", at=2000)
    found, source = curve.calibration(), curve._source
    follow_up, risk = source.followed.follow_up, source.followed.scores["risk5_2000"]
    n = len(follow_up)
    for item in known["items"]:
        ask, expected = item["ask"], item["expected"]
        if "low" in ask:
            rows = (risk >= ask["low"] - 1e-12) & (risk <= ask["high"] + 1e-12)
            group = observed_of_group(follow_up, source.horizon, rows)
            assert group.value == pytest.approx(expected["observed"], abs=known["tolerance"])
            assert group.error() * np.sqrt((n - 1) / n) == pytest.approx(expected["se"], abs=known["tolerance"])
        else:
            assert found.observed == pytest.approx(expected["observed"], abs=known["tolerance"])
            assert found.predicted == pytest.approx(expected["mean_risk"], abs=known["tolerance"])
            assert found.ratio.rate == pytest.approx(expected["o_over_e"], abs=known["tolerance"])
            whole = observed_of_group(follow_up, source.horizon, np.ones(n, dtype=bool))
            greenwood = whole.error() * np.sqrt((n - 1) / n)
            assert greenwood == pytest.approx(expected["se_greenwood"], abs=known["tolerance"])
    assert len(known["items"]) == 6


def horizon(weight=None):
    follow_up = FollowUp(time=TIME, event=EVENT, weight=weight)
    return follow_up, horizon_of(follow_up, AT, "not a case")


def test_the_line_definition_is_the_largest_weighted_likelihood():
    follow_up, at = horizon()
    _, both = fitted_line(follow_up, at, RISK)
    weights, case = at.known, at.cases > 0

    def loss(beta):
        line = beta[0] + beta[1] * LINE
        return float(np.sum(weights * (np.logaddexp(0, line) - case * line)))

    assert both.values == pytest.approx(minimize(loss, [0.0, 1.0], tol=1e-12).x, abs=1e-5)


def line_of(weight):
    follow_up, at = horizon(weight)
    large, both = fitted_line(follow_up, at, RISK)
    ratio, _ = observed_over_expected(follow_up, at, RISK)
    return np.array([large.values[0], *both.values, np.log(ratio)])


def test_influences_are_derivatives_by_the_weight_of_every_case():
    """Of observed over expected exactly; of the line with the rule for 1/Y that areas have."""
    follow_up, at = horizon()
    large, both = fitted_line(follow_up, at, RISK)
    _, ratio = observed_over_expected(follow_up, at, RISK)
    found = np.array([large.influence[0], *both.influence, ratio]) / N
    step = 1e-5
    moved = np.empty((4, N))
    for k in range(N):
        ends = []
        for sign in (1, -1):
            weight = np.ones(N)
            weight[k] *= np.exp(sign * step)
            ends.append(line_of(weight))
        moved[:, k] = (ends[0] - ends[1]) / (2 * step)
    assert found[3] == pytest.approx(moved[3], abs=1e-7)
    for one, want in zip(found[:3], moved[:3], strict=True):
        assert np.linalg.norm(one - want) < 0.05 * np.linalg.norm(want)


def test_calibration_of_predicted_risks():
    data = marker_risks()
    found = rl.roc(data, **TABLE, score="risk", at=730).calibration(bins=4, band=True)
    assert [one.cases for one in found.bins] == [100, 100, 100, 100]
    assert found.ratio.rate == pytest.approx(found.observed / found.predicted)
    low, high = found.slope.interval
    assert low < 1 < high
    assert (found.curve.joint_low <= found.curve.low).all()
    assert "observed over expected" in str(found)
    assert str(type(found).from_json(found.to_json())) == str(found)
    by_model = rl.roc(data, **TABLE, score="risk", at=730, censoring={"cox": ["marker"]}).calibration()
    assert by_model.bins[0].observed == pytest.approx(found.bins[0].observed, abs=0.1)
    with pytest.raises(InputError, match="must hold predicted risks between 0 and 1"):
        rl.roc(data, **TABLE, score="marker", at=730).calibration()
    with pytest.raises(InputError, match="controls must be 'not a case' for predicted risks"):
        rl.roc(data, **TABLE, score="risk", at=730, controls="event-free").calibration()


def test_nobody_lost_is_the_ordinary_calibration():
    event = np.maximum(EVENT, 1)
    found = rl.roc(RISK, time=TIME, event=event, competing=2, at=AT).calibration(bins=5)
    plain = rl.roc((TIME <= AT) & (event == 1), RISK).calibration(bins=5, binning="count")
    assert [one.observed for one in found.bins] == pytest.approx([one.observed for one in plain.bins])
    assert found.slope.rate == pytest.approx(plain.line.slope, rel=1e-6)
    assert found.intercept.rate == pytest.approx(plain.line.intercept, rel=1e-6)
    assert found.brier == pytest.approx(plain.brier)
    low, high = found.slope.interval
    first, last = plain.line.slope_interval
    assert high - low == pytest.approx(last - first, rel=0.25)  # robust beside model-based


def test_decision_curves_oracle_dcurves():
    known = read("net_benefit_pbc_competing")
    path, asked = table_of(known["data"]), columns_of(known)
    models = [item["ask"]["model"] for item in known["items"] if item["ask"]["model"] != "all"]
    levels = known["items"][0]["expected"]["threshold"]
    found = rl.net_benefit(path, **asked, score=models, at=2000, probabilities=levels)
    for item in known["items"]:
        name, want = item["ask"]["model"], item["expected"]["net_benefit"]
        own = found.treat_all if name == "all" else found.net_benefit[name]
        want = [np.nan if one is None else one for one in want]
        assert own == pytest.approx(want, abs=known["tolerance"], nan_ok=True)


def test_decision_curves_agree_with_compared_predictions():
    data = marker_risks()
    found = rl.net_benefit(data, **TABLE, score=["risk", "other"], at=730, probabilities=[0.1, 0.2])
    compared = rl.compare_predictions(data, **TABLE, score=["risk", "other"], at=730, probabilities=[0.2])
    (single,) = [one for one in compared.single if one.quantity == "net benefit at 0.2" and one.first == "risk"]
    assert found.net_benefit["risk"][1] == pytest.approx(single.value)
    assert (found.low["risk"][1], found.high["risk"][1]) == pytest.approx(tuple(single.interval))
    wanted = ("net benefit at 0.2", "risk", "other")
    (pair,) = [one for one in compared.pairs if (one.quantity, one.first, one.second) == wanted]
    gap = found.differences[0]
    assert (gap.difference[1], gap.low[1], gap.high[1]) == pytest.approx((pair.value, *pair.interval))
    assert found.prevalence == pytest.approx(rl.auc(data, **TABLE, score="risk", at=730).incidence)
    assert str(type(found).from_json(found.to_json())) == str(found)
    by_cox = rl.net_benefit(data, **TABLE, score="risk", at=730, probabilities=[0.2], censoring={"cox": ["grade"]})
    assert by_cox.net_benefit["risk"][0] == pytest.approx(found.net_benefit["risk"][1], abs=0.02)
    with pytest.raises(InputError, match="prevalence at a horizon is the incidence"):
        rl.net_benefit(data, **TABLE, score="risk", at=730, prevalence=0.1)


def test_what_no_package_prints_of_risks_models_and_constant_areas():
    tried = set()
    for item in read("beyond_packages")["items"]:
        ask, expected = item["ask"], item["expected"]
        what = ask["what"].partition(",")[0]
        path = ORACLES / ask["data"].rpartition("/")[2]
        if not path.exists():
            continue
        asked = {"time": ask["time"], "event": ask["event"]}
        if ask.get("competing") is not None:
            asked["competing"] = ask["competing"]
        if what == "auc" and "covariates" in ask:
            found = rl.auc(path, **asked, score=ask["score"], at=ask["at"], censoring={"cox": ask["covariates"]})
            assert found.area == pytest.approx(expected["auc"], abs=1e-8)
            assert found.standard_error == pytest.approx(expected["se"], abs=1e-8)
        elif what == "joint test of constant auc over times":
            (test,) = rl.auc(path, **asked, score=ask["score"], at=ask["at"], controls="event-free").constant
            assert test.statistic == pytest.approx(expected["chi2"], rel=1e-7)
            assert test.p_value == pytest.approx(expected["p"], rel=1e-6)
        elif what.startswith("net benefit"):
            found = rl.net_benefit(path, **asked, score=ask["risk"], at=ask["at"], probabilities=[ask["threshold"]])
            assert found.net_benefit[ask["risk"]][0] == pytest.approx(expected["stratified"], abs=1e-8)
            half = float(found.high[ask["risk"]][0] - found.low[ask["risk"]][0]) / 2
            assert half / 1.959963984540054 == pytest.approx(expected["se_stratified"], abs=1e-8)
        else:
            continue
        tried.add(what)
    assert len(tried) == 3
