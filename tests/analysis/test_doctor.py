"""What a table holds before its first question: roles, traps, and lines that can be typed."""

from __future__ import annotations

import json

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError

rng = np.random.default_rng(4)
N = 120
ILL = (np.arange(N) % 3 == 0).astype(int)
MARKER = np.round(rng.normal(size=N) + ILL, 3)


def roles(table, **keywords):
    return {one.name: one.best for one in rl.doctor(table, **keywords).columns}


def traps(table, **keywords):
    return {(trap.column, trap.keyword): trap.text for trap in rl.doctor(table, **keywords).traps}


def test_columns_are_told_apart_by_name_and_values():
    found = roles(
        {
            "patient_id": np.arange(N) // 2,
            "row": np.arange(1, N + 1),
            "diagnosis": np.where(ILL, "ill", "well"),
            "crp": MARKER,
            "foldNr": np.arange(N) % 5,
            "ward": np.array(["n", "s", "w"])[np.arange(N) % 3],
            "admitted": ["2024-05-31"] * N,
            "visit": ["31.5.2024"] * N,
            "same": np.ones(N),
            "weight": rng.uniform(0.5, 2, N),
            "predicted": ILL,
            "rating": np.arange(N) % 4 + 1 + (np.arange(N) % 7 == 0),
        }
    )
    assert found == {
        "patient_id": "id", "row": "id", "diagnosis": "label", "crp": "score", "foldNr": "fold", "ward": "group",
        "admitted": "date", "visit": "date", "same": "nothing", "weight": "weight", "predicted": "predictions",
        "rating": "score",
    }  # fmt: skip


def test_every_role_has_a_reason_and_nothing_is_used_silently():
    found = rl.doctor({"outcome": ILL, "m": MARKER})
    assert all(role.reason for one in found.columns for role in one.could_be)
    assert "nothing of it is used unless you type it" in str(found)
    assert str(found).splitlines()[0] == "the mapping: 120 rows; outcome may be the label, m the score; no traps."
    with pytest.raises(InputError, match="label and score must name columns of the mapping"):
        rl.auc({"outcome": ILL, "m": MARKER})


def test_traps():
    code = np.where(np.arange(N) == 3, -99.0, np.abs(MARKER))
    assert traps({"y": ILL, "m": code})["m", "na"] == "-99 in 1 row looks like a code for a missing value"
    words = np.array([str(value) for value in MARKER], object)
    words[7] = "n.d."
    assert traps({"y": ILL, "m": words})["m", "na"] == "numbers but for 1 cell such as 'n.d.'"
    assert "120 rows are of 40 subjects" in traps({"y": ILL, "id": np.arange(N) // 3, "m": MARKER})["id", "ids"]
    assert "lower values go with 1" in traps({"y": ILL, "m": -MARKER})["m", "direction"]
    assert "without an error" in traps({"y": ILL, "m": ILL * 10.0 + MARKER / 100})["m", ""]
    assert "hardly to be told from chance" in traps({"y": [1, 1, 0, 0], "m": [1.0, 3.0, 2.0, 4.0]})["m", ""]
    assert "2 and 2 cases" in traps({"y": [1, 1, 0, 0], "m": [1.0, 3.0, 2.0, 4.0]})["y", ""]
    three = np.array(["a", "b", "c"])[np.arange(N) % 3]
    assert "it has 3 classes" in traps({"grape": three, "m": MARKER}, label="grape")["grape", "pos_label"]
    assert "one class only" in traps({"y": np.ones(N), "m": MARKER}, label="y")["y", ""]
    assert "no column has two values" in traps({"m": MARKER})["", "pos_label"]
    rivals = traps({"outcome": ILL, "sick": 1 - ILL, "m": MARKER})
    assert "sick could be the label as well as outcome" in rivals["", "label"]
    gaps = np.where(np.arange(N) == 3, np.nan, MARKER)
    assert traps({"y": ILL, "m": gaps})["m", "missing"] == "1 values are missing"
    assert "different values; a number becomes" in traps({"m": MARKER, "b": MARKER + 1}, label="b")["b", "pos_label"]


def test_folds_on_other_scales_are_told_by_both_areas():
    fold = np.arange(N) % 5
    shifted = MARKER + 4 * fold
    told = traps({"y": ILL, "fold": fold, "m": shifted})["m", "folds"]
    pooled = float(rl.auc(ILL, shifted))
    inside = np.mean([float(rl.auc(ILL[fold == one], shifted[fold == one])) for one in range(5)])
    assert f"all cases together is {pooled:.3f}, the mean of the folds {inside:.3f}" in told
    assert ("m", "folds") not in traps({"y": ILL, "fold": fold, "m": MARKER})


@pytest.mark.parametrize(
    "table",
    [
        {"outcome": np.where(ILL, "dead", "alive"), "a": MARKER, "b": MARKER + rng.normal(size=N)},
        {"state": ILL + 1, "a": MARKER, "ward": np.array(["n", "s"])[np.arange(N) % 2]},
        {"y": ILL, "a": np.where(np.arange(N) == 3, -99.0, np.abs(MARKER)), "id": np.arange(N) // 2},
        {"y": ILL, "a": np.where(np.arange(N) == 3, np.nan, MARKER), "b": MARKER, "fold": np.arange(N) % 4},
        {"grape": np.array(["x", "y", "z"])[np.arange(N) % 3], "p": MARKER, "q": MARKER, "r": MARKER, "s2": MARKER},
        {"grape": np.array(["x", "y", "z"])[np.arange(N) % 3], "x": MARKER, "y": MARKER, "z": MARKER},
    ],
)
@pytest.mark.filterwarnings("ignore::roclab.errors.RoclabWarning")
def test_lines_to_type_can_be_typed(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    label = "grape" if "grape" in table else None
    found = rl.doctor(table, label=label)
    assert found.commands()
    for line in found.commands():
        assert eval(line, {"rl": rl, "data": table}) is not None or line.startswith("rl.write_report")


def test_label_and_class_settle_the_guess():
    table = {"outcome": ILL, "sick": np.where(ILL, "a", "b"), "m": MARKER}
    found = rl.doctor(table, label="sick", positive="b")
    assert (found.tried.label, found.tried.positive) == ("sick", "b")
    with pytest.raises(InputError, match="pos_label must be a value of sick, got 'c'; it has b, a"):
        rl.doctor(table, label="sick", pos_label="c")
    with pytest.raises(InputError, match="pos_label needs label, got none"):
        rl.doctor(table, pos_label="a")
    with pytest.raises(InputError, match="has no column 'sik'"):
        rl.doctor(table, label="sik")


def test_the_answer_as_json_and_rows():
    found = rl.doctor("example")
    told = json.loads(found.to_json())
    assert told["command_line"][0].startswith("roclab auc example --label outcome --positive deteriorated")
    assert told["python"][0].startswith("rl.auc('example', label='outcome'")
    assert [row["column"] for row in found.rows()] == [one["name"] for one in told["columns"]]
    assert "ward" in found.to_csv()


def test_follow_up_is_recognised_and_its_lines_run():
    found = rl.doctor("followed")
    followed = found.tried.followed
    assert (followed.time, followed.event, followed.cause) == ("days", "ended", "relapse")
    assert (followed.competing, followed.censored, followed.at) == (("death",), ("lost",), 559)
    assert found.tried.scores == ("marker", "grade", "age")
    assert "days and ended look like a follow-up" in found.headline()
    area = eval(found.commands()[0])
    assert (area.at, area.sample.n_pos) == (559, 50)
    assert "--horizon 559" in found.commands("command line")[0]


def test_codes_that_need_no_mention_are_not_named():
    rng = np.random.default_rng(1)
    table = {"years": rng.exponential(5, 60), "died": rng.integers(0, 2, 60), "bili": rng.normal(size=60)}
    found = rl.doctor(table)
    assert found.commands()[0].startswith("rl.auc(data, time='years', event='died', score='bili', at=")
    assert rl.doctor(table | {"died": rng.normal(size=60)}).tried.followed is None
    assert rl.doctor({**table, "years": -table["years"]}).tried.followed is None
    assert rl.doctor({"tau": table["years"], "died": table["died"]}).tried.followed is None
