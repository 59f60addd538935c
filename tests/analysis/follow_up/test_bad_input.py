"""Every bad input of a question about time to event has its sentence: argument, rule, what was received, way out."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.censoring.follow_up import FollowUp
from roclab.errors import InputError, MissingValuesError, OneClassError, UnknownKeywordError
from roclab.inference.follow_up_areas import horizon_of

RNG = np.random.default_rng(4)
N = 80
TIME, EVENT = RNG.integers(1, 40, N).astype(float), RNG.integers(0, 2, N)
THREE = RNG.integers(0, 3, N)
SCORE = RNG.normal(size=N)
GAPS = np.where(np.arange(N) < 4, np.nan, EVENT)
_FIELDS = [("event", "?"), ("time", "<f8"), ("entry", "<f8")]
SURV = np.array(list(zip(EVENT.astype(bool), TIME, TIME - 1, strict=True)), dtype=_FIELDS)
SITE = np.where(np.arange(N) % 2, "A", "B")
ENDS = np.where((SITE == "A") & (TIME > 15), 15.0, TIME)  # nobody of A is followed past 15
STOPS = np.where((SITE == "A") & (TIME > 15), 0, EVENT)


def ask(**changed):
    return {"time": TIME, "event": EVENT, "at": 20, **changed}


SENTENCES = [
    (ask(time=np.where(np.arange(N) == 16, -3, TIME)), r"time must not be negative, got -3 in row 17; correct it, "
     r"or give"
     " landmark= if the clock starts later"),
    (ask(event=GAPS), r"event must not be missing, got 4 gaps in 80 cases; use missing='drop', which leaves them out "
     "before the censoring is estimated"),
    (ask(time=TIME.astype("datetime64[D]")), "time must be a duration, got dates; subtract the start of follow-up "
     "first"),
    (ask(event=THREE), r"event holds 0, 1, 2, got 2 unexplained; say what they are: cause=1, competing and censored"),
    (ask(event=THREE + 1, censored=1), r"event holds 1, 2, 3, got .* unexplained|cause must be an event"),
    (ask(cause=3), r"cause must be one of the codes of event \(0, 1\), got 3"),
    (ask(cause=0), "cause must be an event, got 0, the code of censoring; name the event"),
    (ask(at=None), r"at must be given, got none; an area over time needs its horizon; follow-up ends at 39, half of "
     r"the "
     "events are by"),
    (ask(at=0), "at must be positive, got 0"),
    (ask(at=-1), "at must be positive, got -1"),
    (ask(at=39), "at must be less than the longest follow-up, 39, got 39.*nobody is known to be free of the event "
     "then"),
    (ask(at=500), "at must be less than the longest follow-up, 39, got 500"),
    (ask(event=np.zeros(N, dtype=int), cause=0), "cause must be an event"),
    (ask(label="event"), "label says what happened, and so does event.*give one of them"),
    ({"at": 5}, "at is for time to event; give time and event too"),
    ({"event": EVENT, "at": 5}, "time must be given for time to event"),
    (ask(time=ENDS, event=STOPS, censoring=[SITE]), "censoring must leave somebody who is followed to 20 in every "
     "stratum, got stratum 'A', whose last cases are lost before; join it with another, or use censoring='marginal'"),
    (ask(censoring={"cox": [50.0 * (EVENT == 0)]}), "censoring must be a model that converges, got 'covariate 1', "
     "which "
     "separates the censored; leave it out, or use strata"),
    (ask(censoring={"cox": ["nobody"]}), r"censoring must name one of the scores \('score'\), or hold arrays"),
    (ask(censoring=[]), "censoring must name columns"),
    (ask(censoring={"cox": [SITE], "ward": SITE}), "censoring is either strata or"),
    (ask(censoring=[np.arange(N)]), "censoring must make at most 50 strata"),
    (ask(censoring={"cox": [np.ones(N)]}), "'covariate 1', which is constant"),
    (ask(censoring=5), "censoring must be 'marginal', columns, or"),
    (ask(landmark=[]), "landmark must hold a time"),
    (ask(landmark=-1), "landmark must be a time of 0 or above"),
    (ask(landmark=[0, 100]), "landmark must be below the longest follow-up, 39, got 100"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "sentence"), SENTENCES)
def test_every_bad_input_has_its_sentence(asked, sentence):
    with pytest.raises((InputError, MissingValuesError), match=sentence):
        rl.auc(SCORE, **asked)


def test_nothing_is_known_or_nobody_has_the_event():
    nobody = FollowUp(time=np.array([1.0, 2, 3]), event=np.zeros(3, dtype=int))
    with pytest.raises(OneClassError, match="all 3 cases are censored before it"):
        horizon_of(nobody, 9, "not a case")
    with pytest.raises(OneClassError, match="the first is at 3"):
        rl.auc([1.0, 2, 3], time=[3, 6, 7], event=[1, 0, 0], at=2)


def test_late_entry_is_refused():
    with pytest.raises(InputError, match=r"has late entry \(left truncation\).*use landmark= at a time when all"):
        rl.auc(SURV, SCORE, at=20)
    with pytest.raises(UnknownKeywordError, match=r"late entry \(left truncation\) is not supported"):
        rl.auc(SCORE, **ask(), entry=TIME - 1)


def test_tau_is_asked_for_with_a_number():
    with pytest.raises(InputError, match=r"tau must be given for Uno's concordance.*90% of the events are by"):
        rl.concordance(SCORE, time=TIME, event=EVENT)
    with pytest.raises(InputError, match="censoring has no part in Harrell's concordance"):
        rl.concordance(SCORE, time=TIME, event=EVENT, estimator="harrell", censoring=[SITE])


def test_risks_outside_of_zero_and_one():
    for verb in (rl.compare_predictions, rl.net_benefit):
        with pytest.raises(InputError, match="must hold predicted risks between 0 and 1"):
            verb({"risk": SCORE}, **ask())


def test_nobody_lost_ties_and_wild_weights_are_said():
    plain = rl.auc(SCORE, **ask(event=np.ones(N, dtype=int)))
    assert any(note.startswith("Nobody is lost before the horizon") for note in plain.notes)
    assert plain.area == pytest.approx(rl.auc(TIME <= 20, SCORE).area, abs=1e-14)
    tied = rl.auc(SCORE, **ask(at=float(TIME[0])))
    assert any(note.startswith(f"At exactly {TIME[0]:g} there") for note in tied.notes)
    time, event = RNG.exponential(size=400), RNG.random(400) < 0.35
    wild = rl.auc(RNG.normal(size=400), time=time, event=event, at=float(np.quantile(time, 0.97)))
    assert any("count as" in note and "weights up to" in note for note in wild.notes)


def test_structured_arrays_frames_and_files_are_one(tmp_path):
    import pandas as pd
    import polars as pl

    surv = np.array(list(zip(EVENT.astype(bool), TIME, strict=True)), dtype=[("status", "?"), ("days", "<f8")])
    want = rl.auc(SCORE, **ask()).area
    assert rl.auc(surv, SCORE, at=20).area == want
    for frame in (pd, pl):
        two = frame.DataFrame({"event": EVENT.astype(bool), "time": TIME})
        assert rl.auc(two, SCORE, at=20).area == want
        whole = frame.DataFrame({"e": EVENT, "t": TIME, "s": SCORE, "site": SITE})
        assert rl.auc(whole, time="t", event="e", score="s", at=20).area == want
        by = rl.roc(whole, time="t", event="e", score="s", at=20, by="site", censoring={"cox": ["s"]})
        assert set(by.results) == {"A", "B"}
    path = tmp_path / "followed.csv"
    whole.write_csv(path)
    assert rl.auc(path, time="t", event="e", score="s", at=20).area == want
    assert rl.confusion(surv, SCORE, at=20, threshold=0.0).tp > 0
    assert set(rl.roc(surv, SCORE, at=20, by=SITE).results) == {"A", "B"}
