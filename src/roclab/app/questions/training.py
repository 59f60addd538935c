"""Train and test: features in, models side by side out, and their scores as new data for every other panel."""

from __future__ import annotations

import csv
import io
from typing import Any

import roclab as rl
from roclab.analysis.bench.inside import can_be_read
from roclab.app.asking import Asked, table_of_rows
from roclab.app.questions.figures import drawn_result
from roclab.errors import InputError

__all__ = ["bench"]

_POINTS = 1500  # of one curve: more than a screen has pixels
_CELL_ROWS = 5000  # cases of a cell whose rows the page may look up


def bench(asked: Asked) -> dict[str, Any]:
    """Which classifier is best on these features, by how much, and whom does it get wrong?"""
    given: dict[str, Any] = asked.chosen("sampling", "repeats", "test_share", "settings", "balance", "level")
    given |= {"models": list(asked.option("models", ["logistic", "naive_bayes", "knn", "tree"])),
              "rng": asked.option("rng", 0)}  # fmt: skip
    if asked.option("folds"):
        given["folds"] = int(asked.option("folds"))
    roles = asked.keywords("folds")
    roles.pop("direction", None)
    features = list(asked.option("features", []))
    if features:
        roles["score"] = features
    exclude = list(asked.option("exclude", []))
    if exclude:
        given["exclude"] = exclude
    asked.note("bench", roles, given)
    with asked.listening():
        found = rl.bench(asked.data(), **roles, **given, progress=asked.progress)
    rows = found.rows()  # the best area first
    best = next((row["model"] for row in rows if row["model"] in found.complete), None)
    matrices = {name: _matrix(found, name) for name in found.complete}
    parts: dict[str, Any] = {}
    if not found.multiclass and len(found.complete) > 1:
        comparison = found.compare()
        parts["comparison"] = table_of_rows(comparison.rows())
        if len(found.tested) > 1:
            parts["practical"] = table_of_rows(_practical(found))
        parts["hull"] = table_of_rows(found.hull().rows())
    if not found.multiclass:
        parts["curves"] = [_curve(found, name, one) for name, one in found.rocs(list(found.complete)).items()]
    parts["inside"] = {name: _inside(found, name) for name in found.complete if can_be_read(found, name)}
    asked.made["scores"] = _scores(found)
    return asked.answer(
        table=table_of_rows(rows), words=found.describe().splitlines(), best=best, matrices=matrices,
        failures=[{"model": name, **dict(why)} for name, why in found.failures.items()], multiclass=found.multiclass,
        notes=list(found.notes), models=list(found.complete), **parts,
        with_probabilities=[name for name in found.complete if not found.multiclass and found.has_probabilities(name)],
    )  # fmt: skip


def _curve(found: Any, model: str, roc: Any) -> dict[str, Any]:
    """The curve of the scores, and the point of the model's own calls, where its probability reaches one half."""
    points = roc.curve.simplified(_POINTS) if roc.curve.fpr.size > _POINTS else roc.curve
    one = found.matrix(model)
    at = [str(name) for name in one.classes].index(str(found.data.task.classes[found.data.task.positive]))
    called = {"x": one.counts[1 - at], "y": one.counts[at]}  # of negative and of positive cases
    default = {name: float(line[at] / sum(line)) for name, line in called.items()}
    return {"name": model, "x": points.fpr, "y": points.tpr, "default": default}


def _inside(found: Any, model: str) -> dict[str, Any]:
    """What a tree asks, or how a logistic model adds up, drawn and in words."""
    one = found.inside(model)
    return {**drawn_result(one), "words": str(one).splitlines()}


def _practical(found: Any) -> list[dict[str, Any]]:
    """How probable it is that models are better than each other; nothing where the splits cannot tell."""
    try:
        rows: list[dict[str, Any]] = found.practical().rows()
    except InputError:  # fewer than two splits with both classes
        return []
    return rows


def _matrix(found: Any, model: str) -> dict[str, Any]:
    one = found.matrix(model)
    classes = [str(name) for name in one.classes]
    cells: dict[str, Any] = {}
    for actual in one.classes:
        for called in one.classes:
            rows = one.cases(actual=actual, called=called).rows()
            listed = rows[:_CELL_ROWS]
            cells[f"{actual}\x1f{called}"] = {
                "count": len(rows), "rows": [row["row"] for row in listed],
                "splits": [row["split"] for row in listed], "scores": [row["score"] for row in listed],
            }  # fmt: skip
    return {"classes": classes, "counts": one.counts, "cells": cells}


def _scores(found: Any) -> str:
    """The scores of all cases as a table, to be analysed as any other."""
    rows = found.out_of_fold()
    names = list(rows[0])
    out = io.StringIO()
    writer = csv.DictWriter(out, names)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
