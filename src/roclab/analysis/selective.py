"""What if only the sure cases were answered? Errors against coverage, and how many cases to refer."""

from __future__ import annotations

import math
from typing import Any, Unpack

import numpy as np

from roclab.analysis.support import cases_for
from roclab.data.subjects import numbered
from roclab.data.verbs import verb
from roclab.decisions.selective import RiskCoverage, risk_coverage
from roclab.errors import InputError, Words, named
from roclab.options.folds import FoldedKeywords
from roclab.options.uncertainty import Level, LevelKeywords

__all__ = ["selective"]


class SelectiveKeywords(LevelKeywords, FoldedKeywords, total=False):
    """One score, and how sure its limits are."""


@verb(SelectiveKeywords)
def selective(
    y_true: Any, y_score: Any = None, *, threshold: float | None = None, **asked: Unpack[SelectiveKeywords]
) -> RiskCoverage:
    """The error of a rule that leaves its unsure cases to somebody else, at every share of cases that it answers.

    A case is the surer, the farther its score lies from the threshold.

    Parameters
    ----------
    y_true, y_score : arrays, or a table, as in :func:`auc`
    threshold : float
        What calls a case positive, fixed beforehand; 0.5 for probabilities where it is left out.

    Returns
    -------
    RiskCoverage
        ``.aurc``, ``.excess`` (E-AURC), ``.error_rate`` with limits; ``.at(0.8)`` is the error when 80% are answered,
        ``.referral(0.05)`` how many to refer.

    Examples
    --------
    >>> import roclab as rl
    >>> found = rl.selective([1, 1, 0, 0, 1, 0], [0.9, 0.8, 0.1, 0.3, 0.45, 0.55], threshold=0.5)
    >>> round(found.error_rate.rate, 4), found.at(0.6).rate, round(found.aurc.rate, 4)
    (0.3333, 0.0, 0.0889)
    """
    level = Level.of(asked).level
    cases = cases_for("selective", y_true, y_score, asked)
    name = cases.only_name()
    if cases.weights == "importance":
        raise InputError("sample_weight", "has no form here for importance weights",
                         way_out="leave it out, or give whole weights")  # fmt: skip
    cases = cases.repeated()
    score = np.asarray(cases.scores[name], dtype=np.float64)
    if threshold is None:
        if not 0 <= float(score.min()) <= float(score.max()) <= 1:
            raise InputError(
                "threshold", "must be given for a score that is no probability",
                Words(f"{float(score.min()):.4g} to {float(score.max()):.4g}"), f"write {named('threshold', 3.5)}",
            )  # fmt: skip
        threshold = 0.5
    if not math.isfinite(threshold):
        raise InputError("threshold", "must be a finite number, from which confidence is measured", threshold)
    if not np.isfinite(score).all():
        raise InputError(name, "must be finite to measure confidence", Words("inf"), "leave those cases out")
    called = score <= threshold if cases.direction[name] == "lower" else score >= threshold
    cluster = numbered(cases.ids)[1] if cases.clustered and cases.ids is not None else None
    # Scores as far above as below are equally sure, whatever the last digit of a subtraction says.
    scale = max(float(np.abs(score).max()), abs(threshold)) or 1.0
    return risk_coverage(
        np.round(np.abs(score - threshold) / scale, 12), (called != cases.label).astype(np.float64),
        threshold=float(threshold), sample=cases.sample(name), level=level, cluster=cluster,
    )  # fmt: skip
