"""The code that the page of cut-offs hands over runs where it is pasted."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import roclab

VIEW = Path(roclab.__file__).parent / "app" / "static" / "views" / "cutoffs.js"


def snippet(**values):
    """The scikit-learn text of a score where higher means positive, as JavaScript would fill it in."""
    (text,) = re.findall(r"`(from sklearn[^`]*)`", VIEW.read_text(encoding="utf-8"))
    for name, value in values.items():
        text = text.replace("${" + name + "}", value)
    assert "${" not in text
    return text.replace("\\n", "\n")


@pytest.mark.parametrize("threshold", ["0.3", "1e-7", 'float("inf")', 'float("-inf")'])
def test_scikit_learn_snippet_definition_calls_from_its_threshold_up(threshold):
    linear_model = pytest.importorskip("sklearn.linear_model", reason="the snippet is for scikit-learn")
    pytest.importorskip("sklearn.frozen", reason="FrozenEstimator came with scikit-learn 1.6")
    rng = np.random.default_rng(5)
    label = np.where(np.arange(60) < 25, "ill", "well")
    x = rng.normal(label == "ill", 1.0)[:, None]
    model = linear_model.LogisticRegression().fit(x, label)
    names = {"fitted_model": model}
    exec(snippet(value=threshold, **{"quoted(positive)": '"ill"'}), names)
    probability = model.predict_proba(x)[:, list(model.classes_).index("ill")]
    expected = np.where(probability >= eval(threshold), "ill", "well")
    # Without fitting again: the model is frozen, and the classifier around it is used as it is.
    assert names["decide"].predict(x).tolist() == expected.tolist()
