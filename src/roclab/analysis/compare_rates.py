"""Two tests or more on the same cases: rates at thresholds that were fixed beforehand, and of yes/no calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Floats
from roclab.analysis.calls import refuse_negative
from roclab.analysis.rate_covariates import called_at, models_of
from roclab.analysis.support import prepared
from roclab.data.cases import Cases
from roclab.data.columns import as_array, label_column
from roclab.data.labels import binary_labels, called_positive, one_class_allowed
from roclab.data.read import asked_label, read_cases
from roclab.data.remote import RemoteCases
from roclab.data.roles import columns_not_named
from roclab.data.subjects import numbered
from roclab.data.table import MappingTable, reading_of, table_of
from roclab.decisions.joint_calls import JointCalls, joint_calls
from roclab.decisions.rate_comparison import RateQuestions, compare_joint_calls
from roclab.decisions.rate_results import RateComparison
from roclab.errors import InputError, OneClassError, Words, named
from roclab.names import CLAIMS, RATE_INTERVALS, RATE_TESTS
from roclab.options.comparison import Pairs
from roclab.options.data import DataKeywords, ReadingKeywords
from roclab.options.folds import Folding
from roclab.options.group import given_of
from roclab.options.rates import Covariates, RateOptions, thresholds_of
from roclab.options.uncertainty import UnaskedSeed

__all__ = ["asks_rates", "calls_by_threshold", "compare_rates", "of_one_class", "questions_of", "rate_cases"]

_OF_AREAS = (
    "estimator", "fpr", "tpr", "standardize", "variance", "contrast", "at_specificity", "at_sensitivity", "correlation",
    "correlation_table", "resampling", "rng",
)  # fmt: skip


def asks_rates(asked: Mapping[str, Any]) -> bool:
    """Whether rates are asked for; what belongs to them is refused elsewhere."""
    return RateOptions.of(asked).asked


def compare_rates(y_true: Any, y_score: Any, asked: Mapping[str, Any]) -> RateComparison:
    """The comparison of what several tests call the same cases."""
    rates = RateOptions.of(asked)
    questions = questions_of(rates, asked)
    cases = prepared("compare", rate_cases(y_true, y_score, rates, asked), Folding.of(asked).fold_average)
    if cases.folds is not None and len(cases.by_fold()) > 1:
        raise InputError(
            "folds", "have no mean of rates at a threshold", Words(f"{len(cases.by_fold())} folds"),
            f"write {named('fold_average', 'pooled')}, or ask every fold with {named('by')}",
        )  # fmt: skip
    thresholds = thresholds_of(rates.threshold, [name for name in cases.names if name not in rates.columns])
    joint, notes = calls_by_threshold(cases, thresholds)
    sample = replace(cases.sample(cases.names[0]), score=None)
    words = sample.describe()
    if len(set(cases.direction.values())) > 1 or not thresholds:
        words = words.replace(f"; a {sample.direction} score means positive", "")
    if joint.n_pos == 0 or joint.n_neg == 0:
        notes.append(of_one_class(questions, "positives" if joint.n_pos else "negatives"))
    found = compare_joint_calls(joint, questions, thresholds=thresholds, cases=words, notes=notes)
    covariates = Covariates.of(asked)
    if not covariates.names:
        return found
    return replace(found, models=models_of(y_true, cases, thresholds, covariates, questions))


def of_one_class(questions: RateQuestions, held: str) -> str:
    """What one class can tell; rates of both classes are refused."""
    both = [metric for metric in questions.metrics if metric not in ("sensitivity", "specificity")]
    known = "sensitivity" if held == "positives" else "specificity"
    if both:
        raise OneClassError("metrics", f"of {held} alone is {known!r}", both[0], "add cases of the other class")
    return f"Only {held} are here, so {known} alone is known."


def questions_of(rates: RateOptions, asked: Mapping[str, Any]) -> RateQuestions:
    """What is asked of the rates; what is about areas only is refused."""
    for name in _OF_AREAS:
        typed = name not in ("resampling", "rng") or not isinstance(asked.get("rng"), UnaskedSeed)
        if asked.get(name) is not None and typed:
            raise InputError(name, "is about areas and curves", asked[name],
                             f"leave it out beside {named('threshold')} and {named('predicted')}")  # fmt: skip
    interval: Any = asked.get("interval", "tango")
    test: Any = asked.get("test") or "score"
    claim, margin = asked.get("claim", "non-inferiority"), asked.get("margin")
    check_choice("tango" if interval == "auto" else interval, "interval", RATE_INTERVALS)
    check_choice(test, "test", RATE_TESTS)
    check_choice(claim, "claim", CLAIMS)
    if margin is not None and not 0 < margin < 1:
        raise InputError("margin", "must lie strictly between 0 and 1", margin,
                         "it is the largest difference you would still accept, e.g. 0.05")  # fmt: skip
    if claim != "non-inferiority" and margin is None and rates.ratio_margin is None:
        raise InputError("claim", "is about a margin", claim, f"write {named('margin', 0.05)}")
    p = rates.probability
    return RateQuestions(
        metrics=rates.wanted,
        pairs=Pairs.of({name: value for name, value in asked.items() if name != "interval"}),
        odds=0.0 if p is None else p / (1 - p),
        probability=p,
        interval="tango" if interval == "auto" else interval,
        test=test,
        margin=margin,
        ratio_margin=rates.ratio_margin,
        claim=claim,
    )


def rate_cases(y_true: Any, y_score: Any, rates: RateOptions, asked: Mapping[str, Any]) -> Cases:
    """Validated cases; columns of calls stand among the scores as 0 and 1."""
    data = given_of(asked, DataKeywords)
    if data.get("direction") == "auto":
        raise InputError("direction", "chooses by the AUC, which fixed thresholds do not wait for",
                         way_out="say which side", called=named("direction", "auto"))  # fmt: skip
    try:
        with one_class_allowed():
            if not rates.columns:
                return read_cases(y_true, y_score, **data)
            return _with_calls(y_true, y_score, rates, data)
    except OneClassError as error:
        lacking = "positive" if "positive" in error.way_out else "negative"
        metric, other = ("sensitivity", "specificity") if lacking == "positive" else ("specificity", "sensitivity")
        raise OneClassError(
            error.argument, f"holds no {lacking}, so {metric} has no cases", Words(error.received),
            f"add {lacking} cases, or name both classes by {named('pos_label')} and {named('neg_label')} for the "
            f"{other} alone",
        ) from None  # fmt: skip


def _with_calls(y_true: Any, y_score: Any, rates: RateOptions, data: dict[str, Any]) -> Cases:
    refuse_negative(data)
    reading = reading_of(data)
    if reading.get("engine") in ("duckdb", "native"):
        raise InputError(
            "predicted", "names columns that are read in memory", Words(repr(reading["engine"])),
            f"write {named('engine', 'memory')}; calls of 0 and 1 are counted where they are as a score with "
            "threshold 0.5",
        )  # fmt: skip
    if y_score is not None:
        if not isinstance(y_score, Mapping):
            raise InputError("y_score", "must map names to calls and scores", Words(type(y_score).__name__),
                             f"{named('predicted')} names columns")  # fmt: skip
        columns: dict[str, Any] = {"y_true": y_true, **{str(name): one for name, one in y_score.items()}}
        table: Any = MappingTable(columns)
        label, scores = "y_true", [name for name in columns if name not in ("y_true", *rates.columns)]
    else:
        table = table_of(y_true, **reading)
        if table is None or data.get("label") is None:
            called, names = ("the table", ()) if table is None else (table.called, table.names())
            raise columns_not_named(["label"], called, names)
        label, asked = data["label"], data.get("score") or ()
        scores = [asked] if isinstance(asked, str) else list(asked)
    others = [one for name in ("sample_weight", "ids", "folds") if isinstance(one := data.get(name), str)]
    wanted = list(dict.fromkeys([label, *scores, *rates.columns, *others]))
    numeric = [*scores, *(one for one in [data.get("sample_weight")] if isinstance(one, str))]
    found = {name: as_array(values, name) for name, values in table.columns(wanted, numeric=numeric).items()}
    pos_label = asked_label(table, label, found[label], data.get("pos_label"))
    truth = label_column(found[label], label)
    known = truth.values if truth.missing is None else truth.values[~truth.missing]
    labels = binary_labels(known, pos_label=pos_label, name=label)
    for name in rates.columns:
        found[name] = _calls(found[name], labels, name, label)
    direction = data.get("direction", "higher")
    sides: Any = direction if isinstance(direction, Mapping) else dict.fromkeys(scores, direction)
    kept = {name: value for name, value in data.items() if name not in ReadingKeywords.__annotations__}
    whole = MappingTable(found, called=table.called, words={label: table.value_labels(label)})
    return read_cases(
        whole, **{**kept, "label": label, "pos_label": pos_label, "score": [*scores, *rates.columns],
                  "direction": {name: sides.get(name, "higher") for name in (*scores, *rates.columns)}},
    )  # fmt: skip


def _calls(values: Any, labels: Any, name: str, truth: str) -> Floats:
    """Calls as 0 and 1; gaps stay, for the reading of cases to refuse or to drop."""
    column = label_column(values, name)
    gaps = np.zeros(column.values.size, bool) if column.missing is None else column.missing
    out = np.full(gaps.size, np.nan)
    out[~gaps] = called_positive(column.values[~gaps], labels, name=name, truth=truth)
    return out


def calls_by_threshold(cases: Cases, thresholds: Mapping[str, float]) -> tuple[JointCalls, list[str]]:
    """What every score calls positive, counted, and what should be said about it."""
    if isinstance(cases, RemoteCases):
        return _counted_elsewhere(cases, thresholds)
    notes, calls = [], []
    for name in cases.names:
        score, at = cases.scores[name], thresholds.get(name, 0.5)
        called = called_at(cases, name, thresholds)
        calls.append(called)
        if name in thresholds and (not called.any() or called.all()):
            what = "never reaches" if not called.any() else "always reaches"
            kind = "nothing" if not called.any() else "every case"
            notes.append(
                f"{name!r} {what} threshold {at:g} ({score.min():.4g} to {score.max():.4g}), so {kind} is called "
                f"positive; give it a threshold of its own."
            )
    ids = cases.ids if cases.clustered else None
    joint = joint_calls(
        cases.names, cases.label, calls, weight=cases.weight, importance=cases.weights == "importance", ids=ids
    )
    if ids is not None:
        number = numbered(ids)[1]
        shared = np.intersect1d(number[cases.label], number[~cases.label]).size
        if shared:
            notes.append(f"{shared} subjects have cases of both classes; design effects are by class.")
    if joint.importance:
        notes.append("Importance weights: counts are worth Kish's effective number of cases, which is approximate.")
    return joint, notes


def _counted_elsewhere(cases: RemoteCases, thresholds: Mapping[str, float]) -> tuple[JointCalls, list[str]]:
    """Patterns of calls that an engine counted where the rows lie."""
    found = cases.patterns_at({name: thresholds.get(name, 0.5) for name in cases.names})
    weight = np.array([count for *_, count in found], dtype=np.float64)
    patterns = np.array([calls for _, calls, _ in found], dtype=bool).reshape(len(found), len(cases.names))
    joint = JointCalls(
        names=tuple(cases.names), patterns=patterns, positive=np.array([truth for truth, *_ in found], dtype=bool),
        weight=weight, square=weight,
    )  # fmt: skip
    called = {name: float(weight[patterns[:, at]].sum()) for at, name in enumerate(cases.names)}
    notes = [
        f"{name!r} calls {'nothing' if called[name] == 0 else 'every case'} positive at its threshold "
        f"{thresholds[name]:g}; give it a threshold of its own."
        for name in cases.names
        if name in thresholds and called[name] in (0.0, float(weight.sum()))
    ]
    return joint, [*notes, *cases.numerical_notes()]
