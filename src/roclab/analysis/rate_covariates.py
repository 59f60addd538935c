"""Covariates of calls: their columns beside the cases, and the marginal models of sensitivity and specificity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from roclab._core.types import Bools, Floats, Ints
from roclab.data.cases import Cases
from roclab.data.columns import label_column
from roclab.data.groups import groups_of_values
from roclab.data.remote import RemoteCases
from roclab.data.subjects import numbered
from roclab.data.table import MappingTable, table_of
from roclab.decisions.rate_comparison import RateQuestions
from roclab.decisions.rate_models import RateModel
from roclab.errors import InputError, Words, named
from roclab.models.marginal_rates import rate_model
from roclab.options.rates import Covariates

__all__ = ["called_at", "models_of", "refuse_covariates"]

_MANY = 50  # words of one covariate: more are identifiers


def refuse_covariates(asked: Mapping[str, Any]) -> None:
    """Covariates belong to rates; areas at equal covariates are another question."""
    for name in ("covariates", "interaction"):
        if asked.get(name) is not None:
            raise InputError(name, "is about rates at thresholds", asked[name],
                             f"give {named('threshold')}, or ask every group of it with {named('by')}")  # fmt: skip


def called_at(cases: Cases, name: str, thresholds: Mapping[str, float]) -> Bools:
    """What a score calls positive at its threshold; calls are 1."""
    score, at = cases.scores[name], thresholds.get(name, 0.5)
    called: Bools = score <= at if cases.direction[name] == "lower" else score >= at
    return called


def models_of(
    source: Any, cases: Cases, thresholds: Mapping[str, float], asked: Covariates, questions: RateQuestions
) -> tuple[RateModel, ...]:
    """One model of sensitivity, one of specificity, as far as they are compared."""
    metrics = [one for one in ("sensitivity", "specificity") if one in questions.metrics]
    if not metrics:
        got = Words(", ".join(questions.metrics))
        raise InputError("covariates", "have models of sensitivity and specificity", got,
                         f"add one of them to {named('metrics')}")  # fmt: skip
    if isinstance(cases, RemoteCases):
        got = Words("rows that are counted where they lie")
        way = f"write {named('engine', 'memory')}"
        raise InputError("covariates", "need the rows of the cases in memory", got, way)
    if cases.weights == "importance":
        raise InputError("sample_weight", "has no form in a marginal model for importance weights",
                         way_out=f"leave out {named('covariates')}, or give whole weights")  # fmt: skip
    columns = _columns(source, cases, asked)
    if cases.weight is not None:
        times = np.asarray(cases.weight, np.int64)
        columns = {
            name: {term: np.repeat(one, times) for term, one in terms.items()} for name, terms in columns.items()
        }
        cases = cases.repeated()
    number = np.arange(len(cases)) if cases.ids is None or not cases.clustered else numbered(cases.ids)[1]
    right = {name: called_at(cases, name, thresholds) == cases.label for name in cases.names}
    found = []
    for metric in metrics:
        of_class = cases.label if metric == "sensitivity" else ~cases.label
        chosen = {name: {term: one[of_class] for term, one in terms.items()} for name, terms in columns.items()}
        found.append(
            rate_model(
                metric, cases.names, [right[name][of_class] for name in cases.names], _renumbered(number[of_class]),
                covariates=chosen, interacting=asked.interacting, level=questions.pairs.level,
            )
        )  # fmt: skip
    return tuple(found)


def _renumbered(number: Ints) -> tuple[Ints, int]:
    kinds, again = np.unique(number, return_inverse=True)
    return again, kinds.size


def _columns(source: Any, cases: Cases, asked: Covariates) -> dict[str, dict[str, Floats]]:
    """The columns of every covariate, of the cases that were kept; words make one column each but the first."""
    if isinstance(asked.covariates, Mapping):
        given = {str(name): values for name, values in asked.covariates.items()}
        table: Any = MappingTable(given, called="covariates")
    else:
        table = None if isinstance(source, Cases) else table_of(source)
        if table is None:
            raise InputError("covariates", "name columns of a table, and no table was given", list(asked.names),
                             f"write {named('covariates', '{name: column}')}")  # fmt: skip
    found = table.columns(list(asked.names))
    out = {}
    for name in asked.names:
        column = label_column(found[name], name)
        whole = np.full(column.values.size, False) if column.missing is None else column.missing
        values = column.values
        if cases.rows is not None and values.size > cases.rows.max(initial=-1):
            values, whole = values[cases.rows], whole[cases.rows]
        if values.size != len(cases):
            raise InputError(name, f"must have one value for each of the {len(cases)} cases", Words(f"{values.size}"))
        if whole.any():
            raise InputError(name, "must have a value for every case", Words(f"{int(whole.sum())} without"),
                             "leave those cases out, or the covariate")  # fmt: skip
        out[name] = _terms(name, values)
    return out


def _terms(name: str, values: Any) -> dict[str, Floats]:
    try:
        numbers = values.astype(np.float64)
    except (TypeError, ValueError):
        groups = groups_of_values(values)
        if len(groups.names) > _MANY:
            raise InputError(name, f"must have at most {_MANY} different words as a covariate",
                             Words(f"{len(groups.names)}"), "join some of them, or leave it out") from None  # fmt: skip
        return {f"{name} {word}": (groups.codes == at).astype(np.float64)
                for at, word in enumerate(groups.names) if at}  # fmt: skip
    return {name: numbers}
