"""Curves, rates, cut-offs, screening and planning at a horizon: definitions, oracles, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.inference.planning.follow_up import shares_of
from tests.analysis.follow_up.test_follow_up import TABLE
from tests.analysis.follow_up.test_oracles import columns_of, read, table_of
from tests.censoring.test_weights_and_term import chance_beyond

RNG = np.random.default_rng(12)
N = 90
TIME, EVENT = RNG.integers(1, 30, N).astype(float), RNG.integers(0, 3, N)
SCORE = RNG.integers(0, 8, N) - TIME / 10
FOLLOWED = {"time": TIME, "event": EVENT, "cause": 1, "competing": 2, "at": 15}


def slow_rates(threshold, controls):
    """Sums of weights, case by case."""
    sums = dict.fromkeys(("tp", "fp", "fn", "tn", "called", "passed"), 0.0)
    for t, e, x in zip(TIME, EVENT, SCORE, strict=True):
        if t <= 15 and e == 0:
            continue
        weight = 1 / chance_beyond(TIME, EVENT, min(t, 15), just_before=t <= 15)
        sums["called" if x >= threshold else "passed"] += weight
        if t <= 15 and e == 1:
            sums["tp" if x >= threshold else "fn"] += weight
        elif t > 15 or controls == "not a case":
            sums["fp" if x >= threshold else "tn"] += weight
    return sums


@pytest.mark.parametrize("controls", ["not a case", "event-free"])
def test_rates_definition_case_by_case(controls):
    for threshold in (0.5, 2.0, 4.0):
        found = rl.confusion(SCORE, **FOLLOWED, controls=controls, threshold=threshold)
        want = slow_rates(threshold, controls)
        assert [found.tp, found.fp, found.fn, found.tn] == pytest.approx([want[k] for k in ("tp", "fp", "fn", "tn")])
        assert found["sensitivity"].rate == pytest.approx(want["tp"] / (want["tp"] + want["fn"]))
        assert found["specificity"].rate == pytest.approx(want["tn"] / (want["tn"] + want["fp"]))
        assert found["ppv"].rate == pytest.approx(want["tp"] / want["called"])
        assert found["npv"].rate == pytest.approx(want["tn"] / want["passed"])
        ratio = found["sensitivity"].rate / (1 - found["specificity"].rate)
        assert found["lr_plus"].rate == pytest.approx(ratio)
        for one in found.rates.values():
            low, high = one.interval
            assert low <= one.rate <= high
    whole = rl.confusion(SCORE, **FOLLOWED, threshold=2.0)
    assert whole.tp + whole.fp + whole.fn + whole.tn == pytest.approx(N)


@pytest.mark.parametrize("name", ["timeroc_continuous", "timeroc_pbc"])
def test_rates_oracle_timeroc(name):
    """Positive is above the cut there, so the next score is the threshold here.

    Errors of tied times depend on the order of rows there, by some 1e-4 of themselves.
    """
    known = read(name)
    path, asked, tried = table_of(known["data"]), columns_of(known), 0
    for item in known["items"]:
        ask, expected = item["ask"], item["expected"]
        if not ask["what"].startswith("rates"):
            continue
        scores = np.array(rl.read_columns(path, [ask["score"]], numeric=[ask["score"]]).values[ask["score"]])
        threshold = float(scores[scores > ask["cut"]].min())
        for controls in ("event-free", "not a case"):
            found = rl.confusion(
                path, **asked, score=ask["score"], at=ask["at"], threshold=threshold, controls=controls
            )
            ending = controls.replace(" ", "_").replace("-", "_")
            for metric, key in (
                ("sensitivity", "sensitivity"), ("ppv", "ppv"), ("specificity", f"specificity_{ending}"),
                ("npv", f"npv_{ending}"),
            ):  # fmt: skip
                close = 1e-12 if name == "timeroc_continuous" else 2e-5
                assert found[metric].rate == pytest.approx(expected[key], abs=1e-12)
                assert found[metric].standard_error == pytest.approx(expected[f"se_{key}"], abs=close)
                tried += 1
    assert tried >= 16


def test_areas_oracle_timeroc_without_ties():
    known = read("timeroc_continuous")
    path, asked = table_of(known["data"]), columns_of(known)
    items = [item for item in known["items"] if item["ask"]["what"] == "auc"]
    for item in items:
        ask = item["ask"]
        found = rl.auc(path, **asked, score=ask["score"], at=ask["at"], controls=ask["controls"])
        assert found.area == pytest.approx(item["expected"]["auc"], abs=1e-12)
        # The program writes the controls of "not a case" as what 1 - F leaves.
        close = 1e-12 if ask["controls"] == "event-free" else 2e-5
        assert found.standard_error == pytest.approx(item["expected"]["se"], abs=close)
    assert len(items) >= 6


def test_curve_oracle_by_cox_and_its_area():
    known = read("dependent_censoring_cox")
    path, asked = table_of(known["data"]), columns_of(known)
    asked["censoring"] = {"cox": ["x", "z"]}
    for item in known["items"]:
        ask, expected = item["ask"], item["expected"]
        if ask["what"] == "auc":
            found = rl.auc(path, **asked, score=ask["score"], at=ask["at"])
            assert found.area == pytest.approx(expected["auc"], abs=known["tolerance"]["value"])
            assert found.standard_error == pytest.approx(expected["se"], abs=known["tolerance"]["se"])
        elif ask["what"].startswith("roc points"):
            curve = rl.roc(path, **asked, score=ask["score"], at=ask["at"])
            for threshold, tpr, fpr in zip(expected["threshold"], expected["tpr"], expected["fpr"], strict=True):
                # The last threshold at or above the printed one, which is rounded.
                at = int(np.argmin(np.abs(curve.thresholds - threshold)))
                assert (curve.tpr[at], curve.fpr[at]) == pytest.approx((tpr, fpr), abs=1e-8)
        elif ask["what"] == "brier" and ask["risk"] != "Null model":
            (one, *_) = rl.compare_predictions(path, **asked, score=ask["risk"], at=ask["at"]).single
            assert one.value == pytest.approx(expected["brier"], abs=1e-8)


def test_the_curve_its_area_and_its_rates_agree():
    curve = rl.roc("followed", **TABLE, score="marker", at=730)
    fpr, tpr, _ = curve
    assert np.trapezoid(tpr, fpr) == pytest.approx(curve.area.area, abs=1e-12)
    assert curve.auc().area == rl.auc("followed", **TABLE, score="marker", at=730).area
    found = curve.rates(4.0)
    at = int(np.flatnonzero(curve.thresholds >= 4.0)[-1])
    assert (tpr[at], 1 - fpr[at]) == pytest.approx((found["sensitivity"].rate, found["specificity"].rate))
    height = curve.rate_at(specificity=0.9)
    assert height.rate == pytest.approx(float(curve.curve.at(0.1)[0]))
    low, high = height.interval
    assert 0 <= low < height.rate < high <= 1
    band = curve.band(level=0.9)
    assert (band.low <= band.high).all()
    several = rl.roc("followed", **TABLE, score=["marker", "grade"], at=[730, 1460])
    assert len(several) == 4
    assert several["grade", 1460].area.area == rl.auc("followed", **TABLE, score="grade", at=1460).area
    assert list(rl.roc("followed", **TABLE, score="grade", at=[730, 1460]).named()) == ["at 730", "at 1460"]


def test_lower_scores_may_mean_the_event_at_a_threshold():
    high = rl.confusion(SCORE, **FOLLOWED, threshold=2.0)
    low = rl.confusion(-SCORE, **FOLLOWED, threshold=-2.0, direction="lower")
    assert (low.tp, low.fp) == (high.tp, high.fp)
    assert low.called().endswith("<= -2")


def test_nobody_lost_is_the_ordinary_matrix():
    event = np.maximum(EVENT, 1)
    found = rl.confusion(SCORE, time=TIME, event=event, competing=2, at=15, threshold=2.0)
    plain = rl.confusion((TIME <= 15) & (event == 1), SCORE, threshold=2.0)
    assert (found.tp, found.fp, found.fn, found.tn) == (plain.tp, plain.fp, plain.fn, plain.tn)
    assert found["ppv"].rate == pytest.approx(plain.metrics()["ppv"])


def test_the_best_cutoff_at_a_horizon():
    best = rl.cutoff("followed", **TABLE, score="marker", at=730)
    curve = rl.roc("followed", **TABLE, score="marker", at=730)
    assert best.cutoff.value == pytest.approx(float(np.max(curve.tpr - curve.fpr)))
    assert best.error == best.rates["youden_j"].standard_error
    bounded = rl.cutoff("followed", **TABLE, score="marker", at=730, require={"sensitivity": 0.9})
    assert bounded.rates["sensitivity"].rate >= 0.9
    corner = rl.cutoff("followed", **TABLE, score="marker", at=730, criterion="closest_to_corner")
    assert "no derivative" in corner.error.reason
    assert "no error" in str(corner)
    with pytest.raises(InputError, match="criterion is a test of counts"):
        rl.cutoff("followed", **TABLE, score="marker", at=730, criterion="min_p")
    with pytest.raises(InputError, match="confidence promises binomial counts"):
        rl.cutoff("followed", **TABLE, score="marker", at=730, require={"sensitivity": 0.9}, confidence=0.95)


def test_groups_have_a_censoring_of_their_own():
    found = rl.auc("followed", **TABLE, score="marker", at=[730, 1460], by="grade")
    rows = np.array(rl.read_columns("followed").values["grade"]).astype(str) == "3"
    table = {name: np.array(values)[rows] for name, values in rl.read_columns("followed").values.items()}
    alone = rl.auc(table, **TABLE, score="marker", at=[730, 1460])
    assert [one.area for one in found["3"]] == [one.area for one in alone.areas]
    (pair, *_) = found.differences["marker at 730"]
    first, second = found["1"][0], found["2"][0]
    assert pair.difference == pytest.approx(first.area - second.area)
    assert pair.standard_error == pytest.approx(np.hypot(first.standard_error, second.standard_error))
    assert found.heterogeneity["marker at 730"].distribution == "chi-squared, 3 df"
    apart = rl.confusion("followed", **TABLE, score="marker", at=730, threshold=4, by="grade")
    assert apart["3"].tp == rl.confusion(table, **TABLE, score="marker", at=730, threshold=4).tp
    arrays = rl.roc(SCORE, **FOLLOWED, by=np.arange(N) % 2, censoring=[np.arange(N) % 3])
    assert set(arrays.results) == {"0", "1"}


def test_several_landmarks_share_one_matrix():
    found = rl.auc("followed", **TABLE, score="marker", at=[365, 730], landmark=[0, 365])
    for start in (0, 365):
        alone = rl.auc("followed", **TABLE, score="marker", at=[365, 730], landmark=start)
        for at in (365, 730):
            one = found["marker", at, start]
            assert (one.area, one.standard_error) == pytest.approx((alone["marker", at].area,
                                                                     alone["marker", at].standard_error))  # fmt: skip
    assert abs(found.covariance[0, 2]) > 0
    (test,) = found.constant
    assert test.distribution == "chi-squared, 3 df"
    both = rl.compare("followed", **TABLE, score=["marker", "grade"], at=730, landmark=[0, 365])
    assert both[365, 730].pairs[0].p_value == pytest.approx(
        rl.compare("followed", **TABLE, score=["marker", "grade"], at=730, landmark=365).pairs[0].p_value
    )
    with pytest.raises(InputError, match="landmark must be one time for curves"):
        rl.roc("followed", **TABLE, score="marker", at=730, landmark=[0, 365])


def test_screening_at_a_horizon():
    found = rl.screen("followed", **TABLE, at=730, exclude="patient")
    assert [one.name for one in found.markers] == ["marker", "grade", "age"]
    area = rl.auc("followed", **TABLE, score="marker", at=730)
    assert (found["marker"].area, found["marker"].standard_error) == (area.area, area.standard_error)
    assert found["marker"].cutoff == rl.cutoff("followed", **TABLE, score="marker", at=730).threshold
    turned = rl.screen({"a": SCORE, "b": -SCORE}, **FOLLOWED, direction="auto")
    assert turned["a"].area == pytest.approx(turned["b"].area)
    gaps = SCORE.copy()
    gaps[:4] = np.nan
    left = rl.screen({"a": SCORE, "gaps": gaps, "flat": np.ones(N)}, **FOLLOWED)
    assert left["gaps"].dropped == 4
    assert left.skipped == {"flat": "flat is constant"}
    with pytest.raises(InputError, match=r"listwise has no part in screen\(\) at a horizon"):
        rl.screen({"a": SCORE}, **FOLLOWED, listwise=True)


def test_the_largest_difference_and_constant_areas():
    found = rl.compare("followed", **TABLE, score=["marker", "grade"], at=[730, 1460])
    (largest,) = found.largest
    assert largest.statistic == pytest.approx(max(abs(found[at].pairs[0].statistic) for at in (730, 1460)))
    single = min(found[at].pairs[0].p_value for at in (730, 1460))
    assert single < largest.p_value < 2 * single


def test_plans_with_follow_up():
    """Shares by simulated patients with constant hazards; the numbers of Kish's weights that they have."""
    found = shares_of(0.3, 0.4)
    rng, n = np.random.default_rng(3), 400_000
    event = rng.exponential(-1 / np.log(0.7), n)
    loss = None
    for hazard in np.linspace(0.1, 3, 300):  # the hazard that loses four tenths
        if hazard / (hazard - np.log(0.7)) * -np.expm1(-(hazard - np.log(0.7))) >= 0.4:
            loss = hazard
            break
    lost = rng.exponential(1 / loss, n)
    case = (event <= 1) & (event <= lost)
    assert ((lost < event) & (lost < 1)).mean() == pytest.approx(0.4, abs=0.01)
    assert 0.3 / np.mean(np.exp(loss * event[event <= 1])) == pytest.approx(found.as_cases, abs=0.005)
    assert 0.7 * np.exp(-loss) == pytest.approx(found.as_controls, abs=0.005)
    assert case.mean() > found.as_cases
    plan = rl.planning.plan_one_area(area=0.7, power=0.9, incidence=0.2, unknown=0.3)
    again = rl.planning.plan_one_area(area=0.7, followed=plan.followed, incidence=0.2, unknown=0.3)
    assert 0.9 <= again.power < 0.905
    usual = rl.planning.plan_one_area(area=0.7, power=0.9, ratio=4)
    nobody = rl.planning.plan_one_area(area=0.7, power=0.9, incidence=0.2, unknown=0)
    assert nobody.n_pos == pytest.approx(usual.n_pos)
    for wrong, words in (
        ({"incidence": 0.2}, "unknown must be given beside incidence"),
        ({"unknown": 0.2}, "unknown belongs to a study with follow-up"),
        ({"incidence": 0.2, "unknown": 0.1, "ratio": 2}, "ratio follows from incidence"),
        ({"incidence": 0.2, "unknown": 1}, "unknown must be at least 0 and below 1"),
    ):
        with pytest.raises(InputError, match=words):
            rl.planning.plan_one_area(area=0.7, power=0.9, **wrong)


def test_results_come_back_from_their_json():
    for result in (
        rl.roc("followed", **TABLE, score="marker", at=730),
        rl.roc("followed", **TABLE, score=["marker", "grade"], at=730),
        rl.cutoff("followed", **TABLE, score="marker", at=730),
        rl.confusion("followed", **TABLE, score="marker", at=730, threshold=4),
        rl.auc("followed", **TABLE, score="marker", at=730, by="grade"),
        rl.auc("followed", **TABLE, score="marker", at=730, landmark=[0, 365]),
        rl.screen("followed", **TABLE, at=730, exclude="patient"),
    ):
        assert str(type(result).from_json(result.to_json())) == str(result)
        assert result.to_csv()
    restored = type(rl.roc("followed", **TABLE, score="marker", at=730)).from_json(
        rl.roc("followed", **TABLE, score="marker", at=730).to_json()
    )
    with pytest.raises(InputError, match="needs the cases, which JSON does not hold"):
        restored.rates(4.0)


def test_screen_takes_survival_arrays_and_what_losses_depend_on():
    found = rl.read_columns("followed").values
    ended, days = found["ended"] == "relapse", found["days"].astype(float)
    y = np.array(list(zip(ended, days, strict=True)), dtype=[("event", "?"), ("time", "f8")])
    markers = {name: found[name].astype(float) for name in ("marker", "grade")}
    one = rl.screen(y, markers, at=730)["marker"]
    assert one.area == rl.auc(y, markers["marker"], at=730).area
    clinic = {"time": "days", "event": "ended", "cause": "relapse", "competing": "death", "censored": "lost", "at": 730}
    for censoring in (["grade"], {"cox": ["grade"]}):
        several = rl.screen("followed", **clinic, censoring=censoring, exclude=["patient", "age"])
        alone = rl.auc("followed", **clinic, score="marker", censoring=censoring)
        assert several["marker"].area == pytest.approx(alone.area, abs=1e-14)
    with pytest.raises(InputError, match="censoring must name columns"):
        rl.screen("followed", **clinic, censoring=["ward"])


def test_calibration_of_one_risk_among_other_scores():
    found = dict(rl.read_columns("followed").values)
    found["risk"] = 1 / (1 + np.exp(4.8 - 0.9 * found["marker"].astype(float)))
    clinic = {"time": "days", "event": "ended", "cause": "relapse", "competing": "death", "censored": "lost", "at": 730}
    both = rl.roc(found, **clinic, score=["marker", "risk"])
    assert both["risk"].calibration().slope == rl.roc(found, **clinic, score="risk").calibration().slope
    with pytest.raises(InputError, match="marker must hold predicted risks"):
        both["marker"].calibration()
