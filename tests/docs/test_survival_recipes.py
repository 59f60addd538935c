"""The recipes for libraries of survival models in the guide, run where the library is installed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import roclab as rl

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "time_to_event.md"
LIBRARIES = {"scikit-survival": "sksurv", "lifelines": "lifelines", "xgboost": "xgboost", "hazardous": "hazardous"}


def recipe(library):
    found = re.search(rf"### {library}\n\n```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_recipe_is_python(library):
    compile(recipe(library), library, "exec")


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_recipe_runs_with_its_library(library):
    pytest.importorskip(LIBRARIES[library])
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    covariates = rng.normal(size=(300, 2))
    death, lost = rng.exponential(np.exp(-covariates[:, 0])), rng.exponential(2, 300)
    other = rng.exponential(3, 300) if library == "hazardous" else np.full(300, np.inf)
    time = np.minimum(np.minimum(death, lost), other)
    names = {
        "rl": rl, "np": np, "pd": pd, "X": pd.DataFrame(covariates, columns=["age", "marker"]), "time": time, "at": 0.7,
        "died": time == death, "ended": np.where(time == death, 1, np.where(time == other, 2, 0)),
    }  # fmt: skip
    exec(recipe(library), names)
    assert 0.7 < names["area"].area < 1
    assert names.get("other", names["area"]).at == 0.7 if library == "xgboost" else names["found"].single[0].value > 0
