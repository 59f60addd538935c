"""One sort per score and question: library, command line, every question of the page, report."""

from __future__ import annotations

import importlib
import pkgutil

import pytest
from click.testing import CliRunner

import roclab
import roclab as rl
from roclab.app.asking import Asked
from roclab.app.questions import QUESTIONS
from roclab.app.shelf import Shelf
from roclab.cli.main import cli
from tests.app.test_questions import ASKED
from tests.sorts import sorts_counted

DATA = {"label": "outcome", "pos_label": "deteriorated"}
THREE = ["procalcitonin", "lactate", "concern"]
QUICK = {"resampling": 20, "rng": 1}
WARDS = 5


@pytest.fixture(scope="module", autouse=True)
def everything_imported():
    """A module that is imported while sorts are counted would keep the counting."""
    for module in pkgutil.walk_packages(roclab.__path__, "roclab."):
        if not module.name.startswith(("roclab.engines.spark", "roclab.__main__")):
            importlib.import_module(module.name)


def one_curve():
    curve = rl.roc("example", **DATA, score="lactate")
    return [curve.auc(), curve.tauc(), curve.partial_auc(fpr=(0, 0.2)), curve.cutoff(), curve.band(), curve.hull(),
            curve.precision_recall(), curve.test(), curve.coordinates()]  # fmt: skip


LIBRARY = {
    "auc": (lambda: rl.auc("example", **DATA, score="lactate"), 1),
    "auc of three": (lambda: rl.auc("example", **DATA, score=THREE), 3),
    "areas by two estimators": (lambda: rl.auc("example", **DATA, score=THREE, estimator=["empirical", "tauc"]), 3),
    "area and test": (lambda: rl.auc("example", **DATA, score="lactate", null=0.5), 1),
    "areas of wards": (lambda: rl.auc("example", **DATA, score="lactate", by="ward"), WARDS),
    "roc and all of its methods": (one_curve, 1),
    "compare": (lambda: rl.compare("example", **DATA, score=THREE), 3),
    "cutoff": (lambda: rl.cutoff("example", **DATA, score="lactate"), 1),
    "cutoff_stability": (lambda: rl.cutoff_stability("example", **DATA, score="lactate", **QUICK), 1),
    "cutoff_table": (lambda: rl.cutoff_table("example", **DATA, score="lactate"), 1),
    "grey_zone": (lambda: rl.grey_zone("example", **DATA, score="lactate"), 1),
    "confusion": (lambda: rl.confusion("example", **DATA, score="lactate", threshold=2), 1),
    "hull": (lambda: rl.hull("example", **DATA, score=THREE), 3),
    "screen": (lambda: rl.screen("example", **DATA), 3),
    "report of one": (lambda: rl.build_report("example", **DATA, score="lactate", **QUICK), 1),
    "report of three": (lambda: rl.build_report("example", **DATA, score=THREE, **QUICK), 3),
}


@pytest.mark.parametrize("question", LIBRARY)
def test_the_library_sorts_each_score_once(monkeypatch, question):
    run, most = LIBRARY[question]
    with sorts_counted(monkeypatch) as sorts:
        run()
    assert len(sorts) == most


@pytest.mark.parametrize(
    ("command", "scores"),
    [("auc", THREE), ("compare", THREE), ("cutoff", ["lactate"]), ("curve", ["lactate"]), ("hull", THREE),
     ("confusion", ["lactate", "--threshold", "2"])],
)  # fmt: skip
def test_the_command_line_sorts_each_score_once(monkeypatch, command, scores):
    names = [one for one in scores if one in THREE]
    words = [word for one in names for word in ("--score", one)] + list(scores[len(names) :])
    with sorts_counted(monkeypatch) as sorts:
        done = CliRunner().invoke(cli, [command, "example", "--label", "outcome", "--positive", "deteriorated", *words])
    assert done.exit_code == 0, done.output
    assert len(sorts) == len(names)


# Folds, groups and classes are samples of their own, each sorted once; training, printed examples and
# the ratings of readers are no scores of these data; those of followed cases are ranked apart.
# A page of two regressions has their scores twice: as they were fitted, and as a report of two scores.
PARTS = {"average": WARDS, "groups": 3 * WARDS, "multiclass": 10, "gaps": WARDS, "logistic_report": 6}
ONE_SCORE = ("cutoffs", "requirement", "promise", "grey_zone", "stability", "logistic", "figure")
NO_CURVES = (
    "cell", "combine", "rank_test", "plan", "rows", "rates", "counts", "points", "distribution",
    "reader_plan",
)  # fmt: skip
ELSEWHERE = ("bench", "reproduce", "readers", "over_time", "at_horizon", "time_report")


@pytest.mark.parametrize("question", [one for one in ASKED if one not in ELSEWHERE])
def test_the_page_sorts_each_score_once(monkeypatch, question):
    place, roles, options = ASKED[question]
    shelf = Shelf(upload_limit=1)
    item = None if place is None else shelf.add_path(place)
    with sorts_counted(monkeypatch) as sorts:
        QUESTIONS[question].run(Asked(item=item, roles=roles, options=options))
    shelf.close()
    usual = 0 if question in NO_CURVES else 1 if question in ONE_SCORE else 3
    assert len(sorts) == PARTS.get(question, usual)


def test_the_page_never_sorts_a_score_again(monkeypatch):
    shelf = Shelf(upload_limit=1)
    item = shelf.add_path("example")
    place, roles, options = ASKED["overview"]
    assert place == "example"
    QUESTIONS["overview"].run(Asked(item=item, roles=roles, options=options))
    with sorts_counted(monkeypatch) as sorts:
        for question in ("curve", "areas", "compare", "region", "leaders", "hull", "cutoffs"):
            QUESTIONS[question].run(Asked(item=item, roles=roles, options=ASKED[question][2]))
    shelf.close()
    assert sorts == []
