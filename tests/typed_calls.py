"""Calls as typed programs write them: read by mypy, never run."""

from __future__ import annotations

from typing import assert_type

import roclab as rl
from roclab.results import AreaEstimate, BestCutoff, CutoffTable

PLACE = "patients.csv"


def two_classes() -> None:
    """Answers about one score and about several have their own types."""
    assert_type(rl.auc(PLACE, label="y", score="a"), AreaEstimate)
    assert_type(rl.cutoff(PLACE, label="y", score="a"), BestCutoff)
    assert_type(rl.cutoff(PLACE, label="y", score=["a", "b"]), CutoffTable)
    rl.roc(PLACE, label="y", score="a").auc(level=0.9)
    rl.compare(PLACE, label="y", score=["a", "b"], threshold={"a": 1, "b": 2})
    rl.bench(PLACE, label="y", models="tree").inside("tree").plot("tree.svg")


def over_time() -> None:
    """The same verbs at a horizon."""
    rl.auc(PLACE, time="days", event="ended", score="a", at=[365, 730])
    rl.compare(PLACE, time="days", event="ended", score=["a", "b"], at=730)
    rl.cutoff(PLACE, time="days", event="ended", score="a", at=730)
    rl.roc(PLACE, time="days", event="ended", score=["a", "b"], at=730)
    rl.screen(PLACE, time="days", event="ended", at=730)
    rl.write_report("page.html", PLACE, time="days", event="ended", score="a", at=730, language="it")
