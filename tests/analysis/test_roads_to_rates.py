"""The same rates of the same groups on every road: verbs, command line, report, workbench."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import roclab as rl
from roclab.analysis.reporting.build import build_report
from roclab.analysis.reporting.content import with_interval
from roclab.cli.main import cli

pytest.importorskip("starlette", reason="the extra roclab[app] is not installed")

from roclab.app.asking import Asked
from roclab.app.questions import QUESTIONS
from roclab.app.shelf import Shelf

DATA = {"label": "outcome", "pos_label": "deteriorated"}
WORDS = ["example", "--label", "outcome", "--positive", "deteriorated", "--score", "lactate", "--threshold", "2"]
WARDS = ("central", "east", "north", "south", "west")


@pytest.fixture(scope="module")
def gaps():
    return rl.confusion("example", **DATA, score="lactate", threshold=2, by="ward").gaps()


def shell(*words):
    done = CliRunner().invoke(cli, [*words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_groups_compared_have_the_rates_of_their_matrices(gaps):
    asked = {"score": "lactate", "threshold": 2, "group": "ward", "metrics": ["sensitivity", "specificity", "ppv"]}
    found = rl.compare_groups("example", **DATA, **asked)
    own = {(one.test, one.metric): one for one in gaps.rates}
    for ward in WARDS:
        for metric, name in (("sensitivity", "tpr"), ("ppv", "ppv")):
            assert found.rate(ward, metric).value == own[ward, name].value
            assert found.rate(ward, metric).interval == own[ward, name].interval
        assert found.rate(ward, "specificity").value == pytest.approx(1 - own[ward, "fpr"].value)
    rates = [found.rate(ward, "sensitivity").value for ward in WARDS]
    assert gaps["equal_opportunity"].gap == max(rates) - min(rates)
    assert (
        shell("compare", *WORDS, "--group", "ward", "--metric", "ppv")["rates"][0]["value"]
        == own["central", "ppv"].value
    )


def test_the_command_line_prints_them(gaps):
    assert shell("confusion", *WORDS, "--by", "ward", "--gaps") == gaps.to_dict()


def test_the_report_shows_them(gaps):
    report = build_report("example", **DATA, score=["lactate"], threshold=2, by="ward", rng=1, band=False)
    shown = {row["ward"]: row for row in report.rates.groups["lactate"]}
    titles = {"tpr": "sensitivity", "fpr": "false positive rate", "detection_rate": "called positive", "ppv": "PPV"}
    for one in gaps.rates:
        assert shown[one.test][titles[one.metric]] == with_interval(one.value, one.interval)
    for row, one in zip(report.rates.gaps["lactate"], gaps.gaps, strict=True):
        assert row["largest difference"] == with_interval(one.gap, one.interval)
        assert row["p"] == one.p_value


def test_the_workbench_shows_them(gaps):
    shelf = Shelf(upload_limit=1)
    item = shelf.add_path("example")
    roles = {"label": "outcome", "positive": "deteriorated", "score": ["lactate"]}
    answer = QUESTIONS["gaps"].run(Asked(item=item, roles=roles, options={"by": "ward", "fixed": {"lactate": 2}}))
    shelf.close()
    (found,) = answer["found"]
    assert [(one["group"], one["metric"], one["value"], one["low"], one["high"]) for one in found["rates"]] == [
        (one.test, one.metric, one.value, one.interval.low, one.interval.high) for one in gaps.rates
    ]
    assert [(one["name"], one["value"], one["low"], one["high"], one["p"]) for one in found["gaps"]] == [
        (one.name, one.gap, one.interval.low, one.interval.high, one.p_value) for one in gaps.gaps
    ]
