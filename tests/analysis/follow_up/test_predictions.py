"""Predicted risks over time: against riskRegression and dcurves, by definition, by simulation, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

import roclab as rl
from roclab.censoring.follow_up import FollowUp
from roclab.errors import InputError, OneClassError
from roclab.inference.follow_up_areas import horizon_of
from roclab.inference.follow_up_risks import accuracy_of, brier_of, net_benefit_of
from tests.analysis.follow_up.test_oracles import ORACLES, columns_of, read, table_of

rng = np.random.default_rng(4)
N = 150
TIME = rng.integers(1, 40, N).astype(float)
EVENT = rng.integers(0, 3, N)
RISKS = {"a": np.round(expit(1 - TIME / 12 + rng.normal(size=N)), 2), "b": np.round(rng.uniform(size=N), 2)}
ASKED = {"time": TIME, "event": EVENT, "cause": 1, "competing": 2, "at": 15}


def picked(rows, quantity, first, second=None):
    (one,) = [one for one in rows if (one.quantity, one.first, one.second) == (quantity, first, second)]
    return one


def named(model):
    return model.lower().replace("all", "treat all") if model in ("all", "Null model") else model


@pytest.mark.parametrize(
    "name",
    ["ties_competing", "continuous_competing", "pbc_competing", "pbc_death", "melanoma_competing", "colon_death"],
)
def test_briers_and_their_differences(name):
    known = read(name)
    path, asked, tried = table_of(known["data"]), columns_of(known), 0
    close = {"rel": 0, "abs": known["tolerance"]}
    items = [item for item in known["items"] if item["ask"]["what"] in ("brier", "difference of briers")]
    for item in items:
        ask, expected = item["ask"], item["expected"]
        given = [ask[part] for part in ("risk", "minus") if ask.get(part, "Null model") != "Null model"]
        given = given or [next(one["ask"]["risk"] for one in items if one["ask"]["risk"] != "Null model")]
        found = rl.compare_predictions(path, score=given, at=ask["at"], **asked)
        if ask["what"] == "brier":
            one = picked(found.single, "Brier score", named(ask["risk"]))
            assert (one.value, one.standard_error) == pytest.approx((expected["brier"], expected["se"]), **close)
            if ask["risk"] != "Null model":
                assert picked(found.single, "IPA", ask["risk"]).value == pytest.approx(expected["ipa"], **close)
        else:
            one = picked(found.pairs, "Brier score", ask["risk"], named(ask["minus"]))
            values = (one.value, one.standard_error, one.p_value)
            assert values == pytest.approx((expected["difference"], expected["se"], expected["p"]), **close)
        tried += 1
    assert tried >= 6


@pytest.mark.parametrize("name", ["net_benefit_pbc", "net_benefit_pbc_competing", "net_benefit_melanoma"])
def test_net_benefits_of_dcurves(name):
    known = read(name)
    path, asked, tried = table_of(known["data"]), columns_of(known), 0
    models = [item["ask"]["model"] for item in known["items"] if item["ask"]["model"] != "all"]
    for item in known["items"]:
        ask, expected = item["ask"], item["expected"]
        found = rl.compare_predictions(
            path, score=models, at=ask["at"], probabilities=expected["threshold"], **asked
        )  # fmt: skip
        for threshold, value in zip(expected["threshold"], expected["net_benefit"], strict=True):
            one = picked(found.single, f"net benefit at {threshold:g}", named(ask["model"]))
            if value is not None:  # where nobody treated is followed beyond; known here if the last had the event
                assert one.value == pytest.approx(value, abs=known["tolerance"])
                tried += 1
    assert tried >= 15


def test_errors_that_no_package_prints():
    tried = set()
    for item in json.loads((ORACLES / "beyond_packages.json").read_text())["items"]:
        ask, expected = item["ask"], item["expected"]
        what = ask["what"].partition(" (")[0]
        path = ORACLES / Path(ask.get("data", "none")).name
        if what not in ("ipa", "net benefit") or not path.exists():
            continue
        asked = {name: ask[name] for name in ("time", "event", "cause", "competing", "at")}
        found = rl.compare_predictions(
            path, score=ask["risk"], probabilities=[ask["threshold"]] if "threshold" in ask else [], **asked
        )
        if what == "ipa":
            one = picked(found.single, "IPA", ask["risk"])
            assert (one.value, one.standard_error) == pytest.approx((expected["ipa"], expected["se"]), abs=1e-8)
            one = picked(found.single, "Brier score", ask["risk"])
            assert one.standard_error == pytest.approx(expected["se_brier"], abs=1e-8)
        else:
            one = picked(found.single, f"net benefit at {ask['threshold']:g}", ask["risk"])
            values = (expected["stratified"], expected["se_stratified"])
            assert (one.value, one.standard_error) == pytest.approx(values, abs=1e-8)
            columns = rl.read_columns(path).values
            follow_up = FollowUp(time=np.asarray(columns[ask["time"]], float), event=np.asarray(columns[ask["event"]]))
            horizon = horizon_of(follow_up, ask["at"], "not a case")
            treated = np.asarray(columns[ask["risk"]]) >= ask["threshold"]
            all_weights = net_benefit_of(follow_up, horizon, treated, ask["threshold"], stratified=False)
            error = np.std(all_weights.influence, ddof=1) / np.sqrt(len(follow_up))
            assert (all_weights.value, error) == pytest.approx(
                (expected["marginal"], expected["se_marginal"]), abs=1e-8
            )
        tried.add(what)
    assert tried == {"ipa", "net benefit"}


def incidences(time, event, at):
    """Aalen and Johansen's shares with the event and with another one, case by case."""
    free, cases, others = 1.0, 0.0, 0.0
    for u in sorted(set(time[time <= at])):
        risk = (time >= u).sum()
        cases += free * ((time == u) & (event == 1)).sum() / risk
        others += free * ((time == u) & (event == 2)).sum() / risk
        free *= 1 - ((time == u) & (event > 0)).sum() / risk
    return cases, others


@pytest.mark.parametrize("threshold", [0.1, 0.35, 0.6])
def test_net_benefit_is_the_incidence_among_those_treated(threshold):
    found = rl.compare_predictions(RISKS, **ASKED, probabilities=[threshold])
    for name, risk in {**RISKS, "treat all": np.ones(N)}.items():
        treated = risk >= threshold
        cases, _ = incidences(TIME[treated], EVENT[treated], 15)
        want = treated.mean() * (cases - threshold / (1 - threshold) * (1 - cases))
        assert picked(found.single, f"net benefit at {threshold:g}", name).value == pytest.approx(want, abs=1e-12)


def test_errors_are_the_derivatives_by_the_weight_of_every_case():
    """The estimate again with the weight of one case moved: its influence, up to the rule of 1/Y."""
    time = TIME + rng.permutation(N) / 1000  # no ties, where both rules agree to O(1/n²)
    step = 1e-5

    def measures(weight):
        follow_up = FollowUp(time=time, event=EVENT, weight=weight)
        horizon = horizon_of(follow_up, 15, "not a case")
        brier = brier_of(follow_up, horizon, RISKS["a"])
        null = brier_of(follow_up, horizon, np.full(N, horizon.incidence))
        return brier, accuracy_of(brier, null), net_benefit_of(follow_up, horizon, RISKS["a"] >= 0.3, 0.3)

    found = measures(np.ones(N))
    for case in range(0, N, 10):
        moved = np.eye(N)[case] * step
        up, down = measures(1 + moved), measures(1 - moved)
        for one, more, less in zip(found, up, down, strict=True):
            slope = N * (more.value - less.value) / (2 * step)
            assert one.influence[case] == pytest.approx(slope, abs=0.02)
    for one in found:
        assert one.influence.sum() == pytest.approx(0, abs=1e-9)


def test_without_losses_it_is_the_ordinary_answer():
    event = np.where(EVENT == 0, 1, EVENT)
    over_time = rl.compare_predictions(RISKS, **{**ASKED, "event": event}, probabilities=[0.3])
    usual = rl.compare_predictions((event == 1) & (TIME <= 15), RISKS, probabilities=[0.3])
    for quantity in ("Brier score", "net benefit at 0.3"):
        for mine, other in (
            *((picked(found.single, quantity, "a") for found in (over_time, usual)),),
            *((picked(found.pairs, quantity, "a", "b") for found in (over_time, usual)),),
        ):
            assert mine.value == pytest.approx(other.value, rel=1e-12)
            assert mine.standard_error == pytest.approx(other.standard_error, rel=1e-12)


def test_rows_units_weights_and_landmarks():
    usual = rl.compare_predictions(RISKS, **ASKED, probabilities=[0.3])
    order = rng.permutation(N)
    turned = {name: risk[order] for name, risk in RISKS.items()}
    shuffled = rl.compare_predictions(
        turned, **{**ASKED, "time": TIME[order] * 7, "event": EVENT[order], "at": 105}, probabilities=[0.3]
    )
    heavy = rl.compare_predictions(RISKS, **ASKED, probabilities=[0.3], sample_weight=np.full(N, 3.0))
    for other in (shuffled, heavy):
        for one, same in zip((*usual.single, *usual.pairs), (*other.single, *other.pairs), strict=True):
            assert (one.value, one.standard_error) == pytest.approx((same.value, same.standard_error), rel=1e-10)
    later = TIME > 5
    landmark = rl.compare_predictions(RISKS, **ASKED, landmark=5)
    subset = rl.compare_predictions(
        {name: risk[later] for name, risk in RISKS.items()},
        **{**ASKED, "time": TIME[later] - 5, "event": EVENT[later]},
    )
    assert [one.value for one in landmark.single] == [one.value for one in subset.single]
    assert "The clock starts at 5, among those followed beyond it." in str(landmark)


def test_subjects_are_counted_and_groups_are_asked_apart():
    usual = rl.compare_predictions(RISKS, **ASKED)
    subjects = rl.compare_predictions(RISKS, **ASKED, ids=np.arange(N) // 3)
    assert subjects.single[0].value == usual.single[0].value
    assert subjects.single[0].standard_error != usual.single[0].standard_error
    assert subjects.single[0].interval.method == "influence, t over 50 subjects"
    table = {"t": TIME, "e": EVENT, **RISKS, "site": np.where(np.arange(N) % 2, "x", "y")}
    asked = {"time": "t", "event": "e", "competing": 2, "at": 15, "score": ["a", "b"]}
    apart = rl.compare_predictions(table, **asked, by="site")
    half = {name: values[table["site"] == "x"] for name, values in table.items()}
    assert apart["x"].single[0].value == rl.compare_predictions(half, **asked).single[0].value


def test_undefined_is_said():
    """The last of the treated is lost before the horizon: nobody stands for it."""
    time, event = np.array([1.0, 2, 3, 9, 9, 9]), np.array([1, 1, 0, 1, 0, 0])
    risk = [0.9, 0.9, 0.9, 0.1, 0.1, 0.1]
    one = picked(
        rl.compare_predictions(risk, time=time, event=event, at=5, probabilities=[0.5]).single,
        "net benefit at 0.5", "score",
    )  # fmt: skip
    assert np.isnan(one.value)
    assert one.value.reason == "the last of the treated are lost before the horizon"
    nobody = rl.compare_predictions(risk, time=time, event=event, at=5, probabilities=[0.95])
    assert picked(nobody.single, "net benefit at 0.95", "score").value == 0
    assert "At 0.95, score treats 0 known cases: its limits may be too narrow." in str(nobody)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"at": None}, "at must be given"),
        ({"at": [5, 15]}, "at must be one horizon, got 5, 15"),
        ({"at": 1000}, "at must be less than the longest follow-up"),
        ({"controls": "event-free"}, "controls must be 'not a case' for predicted risks"),
        ({"direction": "lower"}, "a must be a risk of the event"),
        ({"reclassification": [0.3]}, "reclassification has no part in predicted risks over time"),
        ({"fold_average": "pooled"}, "fold_average has no part in predicted risks over time"),
        ({"folds": np.arange(N) % 3}, "folds has no part"),
        ({"probabilities": [1.0]}, "probabilities must lie strictly between 0 and 1"),
        ({"competing": None}, "event holds 0, 1, 2"),
    ],
)
def test_what_is_refused(changed, says):
    with pytest.raises(InputError, match=says):
        rl.compare_predictions(RISKS, **{**ASKED, **changed})


def test_scores_that_are_no_risks_are_refused():
    with pytest.raises(InputError, match="a must hold predicted risks between 0 and 1, got 1 to 39"):
        rl.compare_predictions({"a": TIME}, **ASKED)
    with pytest.raises(InputError, match="must not be called 'null model'"):
        rl.compare_predictions({"null model": RISKS["a"]}, **ASKED)
    with pytest.raises(OneClassError, match="sample_weight must leave some case at 15"):
        rl.compare_predictions(RISKS, **ASKED, sample_weight=(EVENT != 1).astype(float))


@pytest.mark.slow
def test_limits_cover():
    """Of 400 samples of 200 with a third lost, limits of score, accuracy, benefit and difference hold the truth."""
    draws, n = np.random.default_rng(8), 200

    def sample(many):
        x, y = draws.normal(size=(2, many))
        time = draws.exponential(size=many) / np.exp(x - 0.5)
        return time, {"a": -np.expm1(-np.exp(x - 0.5)), "b": expit(0.5 * x + y - 0.5)}

    time, risks = sample(400_000)
    case = time <= 1
    null = case.mean() * (1 - case.mean())
    brier = {name: ((case - risk) ** 2).mean() for name, risk in risks.items()}
    benefit = np.where(risks["a"] >= 0.3, np.where(case, 1, -3 / 7), 0).mean()
    truth = [brier["a"], brier["a"] - brier["b"], 1 - brier["a"] / null, benefit]
    held = np.zeros(4)
    for _ in range(400):
        time, risks = sample(n)
        lost = draws.exponential(1.6, size=n)
        found = rl.compare_predictions(
            risks, time=np.minimum(time, lost), event=(time <= lost).astype(int), at=1, probabilities=[0.3]
        )
        limits = [
            picked(found.single, "Brier score", "a"), picked(found.pairs, "Brier score", "a", "b"),
            picked(found.single, "IPA", "a"), picked(found.single, "net benefit at 0.3", "a"),
        ]  # fmt: skip
        held += [one.interval.low <= value <= one.interval.high for one, value in zip(limits, truth, strict=True)]
    assert (held / 400 > 0.92).all()
    assert (held / 400 < 0.98).all()


def test_structured_arrays_and_json():
    event = (EVENT == 1).astype(int)
    usual = rl.compare_predictions(RISKS, time=TIME, event=event, at=15, probabilities=[0.3])
    survival = np.array(list(zip(event.astype(bool), TIME, strict=True)), dtype=[("event", "?"), ("time", "<f8")])
    assert str(rl.compare_predictions(survival, RISKS, at=15, probabilities=[0.3])) == str(usual)
    again = type(usual).from_json(usual.to_json())
    assert str(again) == str(usual)
