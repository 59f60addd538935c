"""The recipe for MLflow in the guide, run with a stand-in that keeps what it is given."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import roclab as rl

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "scikit_learn.md"


def test_the_recipe_logs_a_number_and_a_result_that_comes_back():
    block = re.search(r"```text\n(area = .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    kept = {}
    mlflow = SimpleNamespace(log_metric=kept.__setitem__, log_text=lambda text, name: kept.__setitem__(name, text))
    exec(block[1], {"rl": rl, "mlflow": mlflow, "y_test": [0, 0, 1, 1], "score": [1, 3, 2, 4]})
    assert kept["auc"] == 0.75
    assert float(rl.results.AreaEstimate.from_json(kept["auc.json"])) == 0.75
