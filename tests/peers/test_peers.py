"""Expected values that nobody here wrote: those that other projects test or print, asked of the public calls.

The data sets may not be shipped, so the cases lie outside, one JSON file for each project: data, a kind of question,
its arguments, the expected values with the project's own tolerance, and where they stand. A case with a verdict is
known to differ, and says why and who is right. Here are the calls, and none of the data.
"""

from __future__ import annotations

import json
import math
import os
import warnings
from pathlib import Path

import numpy as np
import pytest

from tests.peers import ask_curves, ask_measures, ask_studies
from tests.peers.asking import ASKS, number, plain

__all__ = ["ask_curves", "ask_measures", "ask_studies"]

FOLDER = Path(os.environ.get("ROCLAB_PEERS", Path(__file__).parents[3] / "shared" / "peers")) / "cases"
PROJECTS = sorted(path.stem for path in FOLDER.glob("*.json"))


def flat(value):
    if isinstance(value, dict):
        return [one for part in value.values() for one in flat(part)]
    if isinstance(value, list | tuple | np.ndarray):
        return [one for part in value for one in flat(part)]
    return [value]


def agrees(expected, found, relative, absolute):
    if isinstance(expected, str) and isinstance(found, str):
        return expected == found
    theirs, ours = number(expected), math.nan if isinstance(found, str) else plain(found)
    if math.isnan(theirs):
        return math.isnan(ours)
    if math.isinf(theirs) or math.isinf(ours):
        return theirs == ours
    return abs(theirs - ours) <= max(absolute, relative * abs(theirs))


def differences(case, data):
    """Values of a case that differ from what roclab answers, in words."""
    given, name = {}, case.get("data")
    if name is not None:
        given["data"] = data[name] if isinstance(name, str) else [data[one] for one in name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # peers have data that roclab warns about
        found = ASKS[case["ask"]](**given, **case.get("args", {}))
    expected = case["expected"]
    if isinstance(expected, dict) and isinstance(found, dict):
        found = {key: found[key] for key in expected}
    theirs, ours = flat(expected), flat(found)
    if len(theirs) != len(ours):
        return [f"{case['id']}: {len(ours)} values for {len(theirs)}"]
    allowed = case.get("rel", 1.5e-8), case.get("abs", 1e-12)
    pairs = zip(theirs, ours, strict=True)
    return [f"{case['id']}: theirs {one!r}, ours {two!r}" for one, two in pairs if not agrees(one, two, *allowed)]


@pytest.mark.skipif(not PROJECTS, reason="expected values of other projects may not be shipped (set ROCLAB_PEERS)")
@pytest.mark.parametrize("project", PROJECTS or ["none"])
def test_peers_published(project):
    """What roclab has no way to ask is marked so there, and what differs for a reason has a verdict."""
    told = json.loads((FOLDER / f"{project}.json").read_text(encoding="utf-8"))
    asked = [case for case in told["cases"] if case["ask"] != "missing" and "verdict" not in case]
    wrong = [line for case in asked for line in differences(case, told.get("data", {}))]
    assert wrong == []
    if project != "OSIPI":  # whose one case cannot be asked
        assert asked
