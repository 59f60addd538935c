"""What every result can do: text, dictionary, JSON, CSV, frames, HTML; undefined numbers carry their reasons."""

from __future__ import annotations

import html
import json
import math
import pickle
import re

import numpy as np
import pytest

import roclab as rl
from roclab._core.text import csv_text, format_number, html_table, text_table
from roclab.analysis.area_table import area_table
from roclab.errors import InputError
from roclab.results import Undefined

Y = [1, 1, 0, 1, 0, 0, 1, 0]
S = {"a": [8, 7, 6, 5, 4, 3, 2, 1], "b": [8, 6, 7, 4, 5, 3, 1, 2]}


def results():
    roc = rl.roc(Y, S["a"])
    return {
        "area": rl.auc(Y, S["a"]),
        "table": area_table(Y, S),
        "curve": roc,
        "points": roc.points(),
        "point": roc.at(fpr=0.1),
        "matrix": roc.confusion(5),
        "metrics": roc.metrics(5),
        "test": roc.test(),
        "band": roc.band(kind="kolmogorov"),
        "comparison": rl.compare(Y, S),
        "plan": rl.planning.plan_one_area(area=0.8, power=0.9),
        "cut-off": roc.cutoff("youden"),
        "coordinates": roc.coordinates().table(),
        "grey zone": roc.grey_zone(rule_out={"sensitivity": 0.75}, rule_in={"specificity": 0.75}),
        "H-measure": roc.h_measure(),
        "hull": rl.hull({"a": roc, "b": [(0.1, 0.6)]}),
        "ties": rl.ties(Y, S),
        "average": rl.average([roc, roc], points=4),
        "multiclass": rl.multiclass([0, 1, 2, 0, 1, 2], np.eye(3)[[0, 1, 2, 1, 1, 2]]),
    }


@pytest.mark.parametrize("name", results())
def test_every_result_speaks_every_format(name):
    result = results()[name]
    assert str(result)
    parsed = json.loads(result.to_json())
    assert parsed == result.to_dict()
    assert result.to_csv().count("\n") == len(result.rows()) + 1
    seen = result._repr_html_()
    if "<svg" not in seen:  # curves show a picture, all else what print shows
        words = html.unescape(re.sub(r"</?[a-z]+>", " ", seen)).split()
        assert words == str(result).split()
    for backend in ("pandas", "polars", "pyarrow"):
        frame = result.to_frame(backend)
        assert (frame.num_rows if backend == "pyarrow" else len(frame)) == len(result.rows())
    with pytest.raises((AttributeError, TypeError)):  # which of them depends on how Python builds slotted classes
        result.anything = 1


def test_frames_of_an_unknown_library_are_refused():
    with pytest.raises(InputError, match="backend must be one of 'pandas', 'polars', 'pyarrow', got 'excel'"):
        rl.auc(Y, S["a"]).to_frame("excel")


def test_undefined_is_a_number_with_a_reason():
    value = Undefined("nothing was called positive")
    assert math.isnan(value + 1)
    assert f"{value:.2f}" == str(value) == "undefined"
    assert pickle.loads(pickle.dumps(value)).reason == "nothing was called positive"


def test_infinities_are_words_in_json():
    matrix = rl.results.ConfusionMatrix(tp=3, fp=0, fn=1, tn=5)
    metrics = matrix.to_dict()["metrics"]
    assert metrics["lr_plus"] == "inf"
    none = rl.results.ConfusionMatrix(tp=0, fp=0, fn=5, tn=7).to_dict()["metrics"]
    assert none["ppv"] is None
    assert none["undefined"]["ppv"] == "no case was called positive"


def test_html_is_escaped():
    page = html_table([{"<b>score</b>": "<script>alert('x')</script>"}], caption="a & b")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "a &amp; b" in page


def test_numbers_for_people():
    assert format_number(float("nan")) == "undefined"
    assert format_number(None) == ""
    assert format_number(True) == "yes"
    assert format_number(-math.inf) == "-inf"
    assert format_number(np.float64(123456.789)) == "123456.7890"
    assert format_number(3.2e9) == "3.2e+09"
    assert format_number(np.int64(7)) == "7"


def test_tables_keep_columns_that_only_some_rows_have():
    rows = [{"a": 1}, {"a": 2, "b": "x"}]
    assert text_table(rows).splitlines()[0].split() == ["a", "b"]
    assert csv_text(rows) == "a,b\n1,\n2,x\n"


def test_results_are_frozen_values():
    estimate = rl.auc(Y, S["a"])
    with pytest.raises(AttributeError):
        estimate.area = 1
    assert float(estimate) == estimate.area
    with pytest.raises(ValueError, match="read-only"):
        rl.roc(Y, S["a"]).fpr[0] = 1


def test_input_arrays_are_neither_changed_nor_locked():
    y, s = np.array(Y), np.array(S["a"], float)
    rl.auc(y, s, direction="lower")
    assert y.flags.writeable
    assert s.flags.writeable
    assert s.tolist() == S["a"]


def test_numbers_of_cases_keep_their_digits_past_a_million():
    label, score = np.array([1, 1, 0, 0]), np.array([2, 1, 1, 0])
    found = rl.auc(label, score, weight=[1_403_221, 1_400_000, 1_000_000, 2_123_456], weights="frequency")
    assert "2803221 positive (1), 3123456 negative (0)" in str(found)
