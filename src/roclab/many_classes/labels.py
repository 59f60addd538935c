"""Multi-label data: every case may have any number of labels, each with a score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from roclab._core.types import Floats
from roclab.errors import InputError, OneClassError, Words
from roclab.inference.one_area.intervals import area_interval
from roclab.many_classes.influence import GroupArea, group_area
from roclab.many_classes.micro import micro_area
from roclab.many_classes.result import MulticlassAreas, NamedArea

__all__ = ["multilabel_areas"]


def multilabel_areas(
    y_true: Any,
    scores: Any,
    *,
    labels: Sequence[str] | None = None,
    columns: Sequence[str] = (),
    level: float = 0.95,
    dropped: int = 0,
) -> MulticlassAreas:
    """Area of every label and their macro, weighted and micro averages, O(k n log n).

    ``y_true`` is an n x k table of 0 and 1, ``scores`` one of the same shape. Cases are independent, the k entries of
    one case are not; intervals respect that. ``columns`` says what the data call the scores.
    """
    truth, table = np.asarray(y_true), np.asarray(scores, dtype=np.float64)
    if truth.ndim != 2 or truth.shape != table.shape:
        raise InputError("", "y_true and scores must be tables of one shape", Words(f"{truth.shape} and {table.shape}"))
    if not np.isin(truth, (0, 1)).all():
        raise InputError("y_true", "must hold 0 and 1 only: one column per label, 1 where the case has it")
    if np.isnan(table).any():
        raise InputError(
            "scores", "must not be missing", Words(f"{int(np.isnan(table).sum())} gaps"), "drop those cases first"
        )
    names = [str(at) for at in range(truth.shape[1])] if labels is None else [str(name) for name in labels]
    if len(names) != truth.shape[1]:
        raise InputError("labels", "must name every column", Words(f"{len(names)} names for {truth.shape[1]} columns"))
    truth = truth.astype(bool)
    everyone = np.ones(truth.shape[0], np.bool_)
    single: dict[str, GroupArea] = {}
    for at, name in enumerate(names):
        if truth[:, at].all() or not truth[:, at].any():
            raise OneClassError(
                "", f"label {name!r} needs cases with and without it", way_out="leave its column out or add cases"
            )
        single[name] = group_area(table[:, at], truth[:, at], everyone)
    counts = truth.sum(axis=0)

    def named(name: str, area: float, influence: Floats) -> NamedArea:
        se = math.sqrt(float(np.sum(influence**2)))
        pairs = float(min(counts.min(), (truth.shape[0] - counts).min()))
        interval = area_interval(area, se, level=level, pairs=pairs, name="influence")
        return NamedArea(name=name, area=area, standard_error=se, interval=interval)

    areas = np.array([one.area for one in single.values()])
    influences = np.array([one.influence for one in single.values()])
    averages = {}
    for name, weight in (("macro", np.full(len(names), 1 / len(names))), ("weighted", counts / counts.sum())):
        averages[name] = named(name, float(np.sum(weight * areas)), np.sum(weight[:, None] * influences, axis=0))
    averages["micro"] = micro_area(truth, table, level=level)
    return MulticlassAreas(
        classes={name: named(name, one.area, one.influence) for name, one in single.items()},
        pairs={},
        averages=averages,
        counts=dict(zip(names, counts.tolist(), strict=True)),
        level=level,
        method="influence functions, logit",
        dropped=dropped,
        columns=dict(zip(names, columns, strict=True)) if columns else {},
    )
