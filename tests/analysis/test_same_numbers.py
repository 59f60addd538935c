"""Two roads to one number agree: every verb, the report, the figures and the command line measure a score alike."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.cli.main import cli
from roclab.datasets import example_path

EXAMPLE = {"label": "outcome", "pos_label": "deteriorated"}
OTHER = [3, 1, 2, 2, 1, 0, 5, 4, 1, 2]
LABEL = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
WEIGHT = [2, 1, 3, 1, 1, 2, 2, 1, 4, 1]


def example(name):
    cases = rl.read_cases(example_path(), **EXAMPLE, score=[name])
    return {"label": cases.label.astype(int), "score": cases.scores[name]}


# Label, score and weight of every case; scores that tie, are constant, separate the classes, or have one positive case.
DATA = {
    "procalcitonin": example("procalcitonin"),
    "lactate": example("lactate"),
    "concern": example("concern"),
    "constant": {"label": LABEL, "score": [1] * 10},
    "perfect": {"label": LABEL, "score": [9, 8, 7, 6, 5, 4, 3, 2, 1, 1]},
    "turned round": {"label": LABEL, "score": [1, 2, 2, 3, 4, 5, 6, 7, 8, 9]},
    "one positive": {"label": [1, *[0] * 9], "score": [5, 1, 2, 3, 9, 5, 4, 0, 1, 6]},
    "one negative": {"label": [0, *[1] * 9], "score": [5, 1, 2, 3, 9, 5, 4, 0, 1, 6]},
    "frequencies": {"label": LABEL, "score": [3, 5, 1, 4, 1, 2, 3, 4, 0, 2], "weight": WEIGHT},
    "importance": {"label": LABEL, "score": [3, 5, 1, 4, 1, 2, 3, 4, 0, 2], "weight": [w / 3 for w in WEIGHT]},
}


@pytest.fixture(params=DATA)
def table(request):
    """The score beside another one, which some roads need."""
    one = DATA[request.param]
    size = len(one["label"])
    return {
        "y": np.asarray(one["label"]),
        "score": np.asarray(one["score"]),
        "other": np.resize(OTHER, size),
        **({"weight": np.asarray(one["weight"])} if "weight" in one else {}),
    }


@pytest.fixture
def file(table, tmp_path):
    path = tmp_path / "cases.csv"
    rows = zip(*(values.tolist() for values in table.values()), strict=True)
    path.write_text("\n".join([",".join(table), *(",".join(map(repr, row)) for row in rows)]) + "\n")
    return path


def asked(table):
    weighted = {"sample_weight": "weight"} if "weight" in table else {}
    return {"label": "y", "score": ["score", "other"], **weighted}


def numbers(area, standard_error, interval, p_value=None):
    """What is compared: area, standard error, both ends of the interval, and p where the road has one."""
    ends = (interval["low"], interval["high"]) if isinstance(interval, dict) else (interval.low, interval.high)
    found = [area, standard_error, *ends, *([] if p_value is None else [p_value])]
    return [math.nan if one is None else float(one) for one in found]


def of(estimate, p_value=None):
    return numbers(float(estimate.area), estimate.standard_error, estimate.interval, p_value)


def close(found):
    """Equal, up to sums that were taken in another order."""
    return pytest.approx(found, rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.fixture
def expected(table):
    """By the shortest road: two arrays."""
    weight = {"sample_weight": table["weight"]} if "weight" in table else {}
    test = rl.roc(table["y"], table["score"], **weight).test()
    return of(rl.auc(table["y"], table["score"], **weight), test.p_value)


def test_one_score_is_measured_alike_by_every_verb(table, expected):
    keywords = asked(table)
    single = {**keywords, "score": "score"}
    many = area_table(table, **keywords, null=0.5)
    assert of(many["score"], many.tests[0].p_value) == close(expected)
    curve = rl.roc(table, **single)
    assert of(curve.auc(), curve.test().p_value) == close(expected)
    assert float(rl.auc(table, **single, interval=None).area) == expected[0]
    assert of(rl.compare(table, **keywords).areas[0]) == close(expected[:4])
    if "weight" not in table:
        (marker,) = [one for one in rl.screen(table, **keywords).markers if one.name == "score"]
        assert numbers(marker.area, marker.standard_error, marker.interval, marker.p_value) == close(expected)


def test_one_score_is_measured_alike_by_the_report(table, expected):
    report = rl.build_report(table, **asked(table), band=False)
    (one,) = [score for score in report.scores if score.name == "score"]
    assert of(one.area, one.chance.p_value) == close(expected)


def test_one_score_is_measured_alike_by_figures(table, expected):
    pytest.importorskip("matplotlib")
    for name in ("roc", "forest"):
        (found,) = [
            one for one in rl.plots.figure(name, table, **asked(table)).numbers[0] if one.sample.score == "score"
        ]
        assert of(found) == close(expected[:4])


def shell(*arguments):
    done = CliRunner().invoke(cli, [*map(str, arguments), "--json"], prog_name="roclab")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_one_score_is_measured_alike_by_the_command_line(table, file, expected):
    weight = ["--weight", "weight"] if "weight" in table else []
    data = [file, "--label", "y", *weight]
    both = [*data, "--score", "score", "--score", "other"]
    areas = shell("auc", *both, "--null", 0.5)
    one = areas["estimates"][0]
    p_value = areas["tests"][0]["p_value"]
    assert numbers(one["area"], one["standard_error"], one["interval"], p_value) == close(expected)
    one = shell("compare", *both)["areas"][0]
    assert numbers(one["area"], one["standard_error"], one["interval"]) == close(expected[:4])
    if not weight:
        screened = shell("screen", *data, "--marker", "score", "--marker", "other")["markers"]
        (one,) = [marker for marker in screened if marker["name"] == "score"]
        found = numbers(one["area"], one["standard_error"], one["interval"], one["p_value"])
        assert found == close(expected)


@pytest.mark.parametrize("name", ["procalcitonin", "lactate", "concern"])
def test_the_example_is_measured_alike_to_the_last_digit(name):
    """Roads that share their sums agree exactly, not only closely."""
    arrays = DATA[name]
    short = rl.auc(arrays["label"], arrays["score"])
    table = area_table(example_path(), **EXAMPLE, score=["procalcitonin", "lactate", "concern"], null=0.5)
    (marker,) = [one for one in rl.screen(example_path(), **EXAMPLE).markers if one.name == name]
    curve = rl.roc(example_path(), **EXAMPLE, score=name)
    assert of(table[name]) == of(short) == of(curve.auc())
    assert numbers(marker.area, marker.standard_error, marker.interval) == of(short)
    p_value = dict(zip([one.sample.score for one in table], table.tests, strict=True))[name].p_value
    assert p_value == marker.p_value == curve.test().p_value
    assert rl.ranks.mann_whitney(example_path(), **EXAMPLE, score=name).area == pytest.approx(short.area, rel=1e-15)


def curve_of(name):
    one = DATA[name]
    return rl.roc(one["label"], one["score"], sample_weight=one.get("weight"))


@pytest.mark.parametrize("name", DATA)
def test_p_and_interval_agree_about_chance(name):
    """p is below one minus the level just when the interval leaves out one half."""
    curve = curve_of(name)
    p_value = curve.test().p_value
    assert curve.auc().interval.method == "roclab score"
    assert curve.test().name.endswith("(score)")
    for level in (max(1e-6, 1 - 1.01 * p_value), 1 - 0.99 * p_value):
        found = curve.auc(level=min(level, 1 - 1e-12)).interval
        assert (p_value < 1 - found.level) == (not found.low <= 0.5 <= found.high)


@pytest.mark.parametrize("name", ["procalcitonin", "lactate", "concern"])
def test_average_precision_is_the_one_of_the_figure(name):
    pytest.importorskip("matplotlib")
    asked_for = {**EXAMPLE, "score": name}
    (areas,) = rl.plots.figure("pr", example_path(), **asked_for).numbers
    (shown,) = areas
    expected = rl.auc(example_path(), **asked_for, estimator="average_precision")
    assert of(shown) == of(expected)
    assert of(rl.roc(example_path(), **asked_for).auc("average_precision")) == of(expected)
    command = ["auc", "example", "--label", "outcome", "--positive", "deteriorated", "--score", name]
    (told,) = shell(*command, "--estimator", "average_precision")["estimates"]
    assert numbers(told["area"], told["standard_error"], told["interval"]) == of(expected)
