"""One test in groups of different cases: rates at a threshold that was fixed beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from roclab.analysis.compare_rates import calls_by_threshold, of_one_class, questions_of, rate_cases
from roclab.data.cases import Cases
from roclab.data.labels import one_class_allowed
from roclab.data.subjects import numbered
from roclab.decisions.group_rates import compare_groups_of_calls
from roclab.decisions.rate_results import RateComparison
from roclab.errors import InputError, Words, named
from roclab.names import Pairing
from roclab.options.rates import RateOptions, thresholds_of

__all__ = ["compare_group_rates"]


def compare_group_rates(
    groups: Any, y_score: Any, group: Any, pairing: Pairing | None, asked: Mapping[str, Any]
) -> RateComparison:
    """The comparison of what one test calls the cases of several groups."""
    if pairing not in (None, "unpaired"):
        raise InputError("pairing", "must be 'unpaired' for rates of groups", pairing,
                         "put the calls of the same cases side by side and use compare()")  # fmt: skip
    rates = RateOptions.of(asked)
    questions = questions_of(rates, asked)
    parts = _parts(groups, y_score, group, rates, asked)
    found, notes, thresholds = {}, [], {}
    for name, cases in parts.items():
        only = cases.only_name()
        thresholds = thresholds_of(rates.threshold, [one for one in (only,) if one not in rates.columns])
        found[name], said = calls_by_threshold(cases, thresholds)
        notes += [f"{name}: {one}" for one in said]
    positives, negatives = (sum(getattr(one, name) for one in found.values()) for name in ("n_pos", "n_neg"))
    if positives == 0 or negatives == 0:
        notes.append(of_one_class(questions, "positives" if positives else "negatives"))
    known = [set(numbered(one.ids)[0].tolist()) for one in parts.values() if one.ids is not None and one.clustered]
    if group is not None and sum(map(len, known)) > len(set().union(*known)):
        notes.append("Subjects of different groups are taken for different ones.")
    words = [f"{name}: {replace(one.sample(), score=None).describe()}" for name, one in parts.items()]
    return compare_groups_of_calls(found, questions, thresholds=thresholds, cases="\n".join(words), notes=notes)


def _parts(groups: Any, y_score: Any, group: Any, rates: RateOptions, asked: Mapping[str, Any]) -> dict[str, Cases]:
    """The cases of every group with one score or one column of calls."""
    from roclab.analysis.compare_groups import groups_of
    from roclab.options.data import DataKeywords
    from roclab.options.group import given_of

    if not rates.columns:
        with one_class_allowed():
            return groups_of(groups, y_score, group, given_of(asked, DataKeywords))
    if group is None or y_score is not None:
        raise InputError("predicted", f"names a column of one table beside {named('group')}", Words("other data"),
                         f"give calls of 0 and 1 as a score with {named('threshold', 0.5)}")  # fmt: skip
    if len(rates.columns) > 1 or asked.get("score"):
        raise InputError("predicted", "must name the calls of one test to compare groups", Words(", ".join(
            [*rates.columns, *([str(asked["score"])] if asked.get("score") else [])])),
            "ask one test at a time")  # fmt: skip
    if asked.get("folds") is not None:
        raise InputError("folds", f"must be left out beside {named('group')}, which splits too", Words("both"))
    cases = rate_cases(groups, None, rates, {**asked, "folds": group})
    sizes = np.unique(np.asarray(cases.folds).astype(str)).size
    assert sizes > 0
    return cases.by_fold()
