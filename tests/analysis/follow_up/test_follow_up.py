"""Time to event through the verbs: shapes of data, codes, landmarks, clusters, and every bad input its sentence."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError, MissingValuesError, OneClassError, UnknownKeywordError

TABLE = {"time": "days", "event": "ended", "cause": "relapse", "competing": "death", "censored": "lost"}
rng = np.random.default_rng(2)
N = 120
TIME = rng.integers(1, 60, N).astype(float)
EVENT = rng.integers(0, 2, N)
SCORE = rng.normal(size=N) - TIME / 30


def test_arrays_tables_and_structured_arrays_are_one():
    usual = rl.auc(SCORE, time=TIME, event=EVENT, at=20)
    survival = np.array(list(zip(EVENT.astype(bool), TIME, strict=True)), dtype=[("event", "?"), ("time", "<f8")])
    for other in (
        rl.auc(survival, SCORE, at=20),
        rl.auc({"t": TIME, "e": EVENT, "s": SCORE}, time="t", event="e", score="s", at=20),
        rl.auc({"score": SCORE}, time=list(TIME), event=list(EVENT), at=20.0),
    ):
        assert (other.area, other.standard_error) == (usual.area, usual.standard_error)
    assert float(usual) == usual.area
    assert str(usual).startswith(f"AUC {usual.area:.4f} at 20, 95% interval")


def test_the_bundled_patients_at_two_horizons():
    found = rl.auc("followed", **TABLE, score=["marker", "grade"], at=[730, 1460])
    assert [(area.sample.score, area.at) for area in found.areas] == [
        ("marker", 730.0), ("marker", 1460.0), ("grade", 730.0), ("grade", 1460.0)
    ]  # fmt: skip
    alone = rl.auc("followed", **TABLE, score="grade", at=1460)
    assert found["grade", 1460].area == alone.area
    assert tuple(found["grade", 1460].interval) == tuple(alone.interval)
    assert found.integrated("marker").interval.low < found.integrated("marker").area
    both = rl.compare("followed", **TABLE, score=["marker", "grade"], at=[730, 1460])
    one = rl.compare("followed", **TABLE, score=["marker", "grade"], at=730)
    assert both[730].pairs[0].p_value == one.pairs[0].p_value
    assert both.joint[0].hypothesis == "the difference marker - grade is 0 at all horizons"
    assert len(rl.compare("followed", **TABLE, score=["marker", "grade"], at=730, margin=0.1).claims) == 1


def test_relabelled_causes_and_scales_of_time_change_nothing():
    event = rng.integers(0, 3, N)
    first = rl.auc(SCORE, time=TIME, event=event, cause=1, competing=2, at=20)
    turned = np.where(event == 1, 7, np.where(event == 2, 5, 0))
    second = rl.auc(SCORE, time=TIME / 30, event=turned, cause=7, competing=[5], at=20 / 30)
    assert (second.area, second.standard_error) == pytest.approx((first.area, first.standard_error), rel=1e-12)
    free = rl.auc(SCORE, time=TIME, event=event, cause=1, competing=2, at=20, controls="event-free")
    assert free.sample.n_neg < first.sample.n_neg
    assert "event-free by 20" in str(free)


def test_lower_scores_may_mean_the_event():
    high, low = (rl.auc(SCORE, time=TIME, event=EVENT, at=20, direction=side) for side in ("higher", "lower"))
    assert low.area == pytest.approx(1 - high.area)


def test_a_landmark_starts_the_clock_again():
    found = rl.auc(SCORE, time=TIME, event=EVENT, at=15, landmark=10)
    later = TIME > 10
    assert found.area == rl.auc(SCORE[later], time=TIME[later] - 10, event=EVENT[later], at=15).area
    assert any("clock starts at 10" in note for note in found.notes)


def test_subjects_and_weights_change_the_answer():
    usual = rl.auc(SCORE, time=TIME, event=EVENT, at=20)
    subjects = rl.auc(SCORE, time=TIME, event=EVENT, at=20, ids=np.arange(N) // 3)
    assert subjects.area == usual.area
    assert subjects.standard_error != usual.standard_error
    twice = rl.auc(
        np.r_[SCORE, SCORE[:5]], time=np.r_[TIME, TIME[:5]], event=np.r_[EVENT, EVENT[:5]], at=20
    )  # fmt: skip
    weighed = rl.auc(SCORE, time=TIME, event=EVENT, at=20, sample_weight=np.where(np.arange(N) < 5, 2.0, 1.0))
    assert weighed.area == pytest.approx(twice.area)


def test_the_scale_of_weights_changes_nothing():
    table = {"time": TIME, "event": EVENT}
    one, ten = np.linspace(1, 2, N), np.linspace(10, 20, N)
    for ask in (
        lambda w: rl.auc(SCORE, **table, at=20, sample_weight=w),
        lambda w: rl.auc(SCORE, **table, at=[10, 20], sample_weight=w).integrated(),
        lambda w: rl.concordance(SCORE, **table, tau=20, sample_weight=w).estimates[0],
    ):
        assert ask(ten).standard_error == pytest.approx(ask(one).standard_error, rel=1e-12)
        assert ask(ten).area == pytest.approx(ask(one).area, rel=1e-12)


def test_it_says_what_it_rests_on():
    nobody_lost = rl.auc(SCORE, time=TIME, event=np.ones(N, int), at=20)
    assert any("the area is the ordinary one" in note for note in nobody_lost.notes)
    few = rl.auc(SCORE[:30], time=TIME[:30], event=EVENT[:30], at=12)
    assert any("the interval may be too narrow" in note for note in few.notes)
    risk = np.random.default_rng(4).normal(size=600)
    lost = np.random.default_rng(5).exponential(np.exp(-risk))
    happens = np.random.default_rng(6).exponential(2 * np.exp(-risk))
    tied = rl.auc(risk, time=np.minimum(lost, happens), event=(happens <= lost).astype(int), at=0.8)
    assert any(note.startswith("Censoring depends on score") for note in tied.notes)


def test_results_are_rows_and_come_back():
    for result in (
        rl.auc("followed", **TABLE, score="marker", at=730),
        rl.auc("followed", **TABLE, score=["marker", "grade"], at=[730, 1460]),
        rl.concordance("followed", **TABLE, score=["marker", "grade"], tau=1460),
    ):
        again = type(result).from_json(result.to_json())
        assert str(again) == str(result)
    rows = rl.compare("followed", **TABLE, score=["marker", "grade"], at=[730, 1460]).rows()
    assert [row["at"] for row in rows] == [730, 1460]


BAD = [
    ({"time": -TIME}, "time must not be negative"),
    ({"time": TIME.astype("datetime64[D]")}, "time must be a duration, got dates"),
    ({"event": np.where(EVENT == 0, np.nan, 1.0)}, "event must not be missing"),
    ({"event": EVENT + 1}, "event holds 1, 2, got 2 unexplained"),
    ({"cause": 3}, "cause must be one of the codes of event"),
    ({"cause": 0}, "cause must be an event, got 0, the code of censoring"),
    ({"competing": 4}, "competing must be codes of event"),
    ({"at": None}, "at must be given"),
    ({"at": 0}, "at must be positive"),
    ({"at": 1e6}, "at must be less than the longest follow-up"),
    ({"at": "soon"}, "at must be a horizon or several"),
    ({"at": []}, "at must hold a horizon"),
    ({"controls": "all"}, "controls must be one of"),
    ({"estimator": "tauc"}, "estimator has no part in areas over time"),
    ({"fpr": (0, 0.1)}, "fpr has no part in areas over time"),
    ({"variance": "bootstrap"}, "variance has no part in areas over time"),
    ({"folds": EVENT}, "folds has no part in areas over time yet"),
    ({"by": "ward"}, "by names a column of a table, got arrays"),
    ({"pos_label": 1}, "pos_label belongs to classes"),
    ({"interval": "bca"}, "interval must be"),
    ({"direction": "auto"}, "direction must be one of"),
    ({"landmark": 1e6}, "landmark must be below the longest follow-up"),
    ({"sample_weight": -np.ones(N)}, "sample_weight must be 0 or above"),
    ({"time": TIME[:5]}, "times, events and scores must be of one length"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "words"), BAD)
def test_bad_input_is_one_sentence(change, words):
    asked = {"time": TIME, "event": EVENT, "at": 20, **change}
    with pytest.raises((InputError, MissingValuesError), match=words):
        rl.auc(SCORE, **asked)


def test_horizons_without_cases_are_refused():
    with pytest.raises(OneClassError, match=r"the first is at 5"):
        rl.auc([1.0, 2, 3], time=[5, 6, 7], event=[1, 0, 1], at=2)
    with pytest.raises(OneClassError, match="event must have happened to some case"):
        rl.auc([1.0, 2, 3], time=[5, 6, 7], event=["b", "a", "a"], cause="b", censored="a", at=1, landmark=5.5)


def test_gaps_are_left_out_where_that_is_said():
    score = SCORE.copy()
    score[:3] = np.nan
    found = rl.auc(score, time=TIME, event=EVENT, at=20, missing="drop")
    assert found.area == rl.auc(SCORE[3:], time=TIME[3:], event=EVENT[3:], at=20).area
    assert found.sample.dropped == 3


def test_concordance_refuses_and_compares():
    with pytest.raises(InputError, match="tau must be given for Uno's"):
        rl.concordance(SCORE, time=TIME, event=EVENT)
    with pytest.raises(InputError, match="at has no part in the concordance"):
        rl.concordance(SCORE, time=TIME, event=EVENT, at=3, estimator="harrell")
    with pytest.raises(InputError, match="estimator must be one of"):
        rl.concordance(SCORE, time=TIME, event=EVENT, estimator="gini")
    with pytest.raises(UnknownKeywordError, match="resampling"):
        rl.concordance(SCORE, time=TIME, event=EVENT, estimator="harrell", resampling=5)
    found = rl.concordance({"a": SCORE, "b": -SCORE}, time=TIME, event=EVENT, estimator="harrell")
    assert found["a"].area + found["b"].area == pytest.approx(1)
    assert found.pairs[0].difference == pytest.approx(2 * found["a"].area - 1)
    with pytest.raises(InputError, match="has an event that another|another one outlived"):
        rl.concordance([1.0, 2.0], time=[3, 3], event=[1, 1], estimator="harrell")


def test_a_comparison_needs_two_scores_and_the_normal_test():
    with pytest.raises(InputError, match="needs at least two scores"):
        rl.compare(SCORE, time=TIME, event=EVENT, at=20)
    with pytest.raises(InputError, match="test must be 'normal' over time"):
        rl.compare({"a": SCORE, "b": -SCORE}, time=TIME, event=EVENT, at=20, test="t")
