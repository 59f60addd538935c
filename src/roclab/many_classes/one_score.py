"""One score and several classes: how well it tells every pair of them apart, and Hand and Till's mean over pairs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from roclab._core.types import Array, Floats
from roclab._core.undefined import Undefined
from roclab.areas.empirical import auc
from roclab.data.arrays import natural
from roclab.data.classes import check_class_count
from roclab.data.columns import label_column, score_column
from roclab.data.labels import distinct, word_of
from roclab.data.tally import Tally
from roclab.errors import InputError, OneClassError, Words
from roclab.inference.one_area.delong import delong_parts
from roclab.inference.one_area.estimate import UNSEEN
from roclab.inference.one_area.intervals import area_interval
from roclab.inference.one_area.score import SCORE, score_interval
from roclab.many_classes.result import MulticlassAreas, NamedArea
from roclab.many_classes.surface import volume_of_surface
from roclab.results import Interval

__all__ = ["areas_of_one_score"]


def areas_of_one_score(
    y_true: Array,
    score: Array,
    *,
    labels: Sequence[Any] | None = None,
    level: float = 0.95,
    label_name: str = "y_true",
    dropped: int = 0,
) -> MulticlassAreas:
    r"""Areas of every pair of classes under one score, and their mean.

    Classes have an order, given by ``labels`` or else sorted; the area of a pair is the chance that a case of the later
    class has the larger score, ties one half. No pair has a direction of its own: chosen pair by pair, as other
    programs do, every area is at least one half and the mean is too large. The variance of the mean follows from the
    influence of every case on all its pairs. Of three classes whose order was given by ``labels`` the volume under the
    ROC surface is found too; a sorted order is nobody's, and leaves it out. O(k n log n) for k classes.
    """
    truth, every = natural(label_column(y_true, label_name).values), score_column(score, "score").values
    present = distinct(truth)
    check_class_count(len(present), label_name)
    classes = present if labels is None else list(labels)
    words = [word_of(label) for label in classes]
    if set(words) != {word_of(one) for one in present} or len(set(words)) != len(words):
        raise InputError(
            "labels",
            "must name every class once",
            Words(", ".join(words)),
            f"the classes are {', '.join(map(word_of, present))}",
        )
    if len(classes) < 2:
        raise OneClassError(label_name, "must hold at least two classes", Words(f"only {words[0]}"))
    rows = [np.flatnonzero(truth == label) for label in classes]
    pairs: dict[str, NamedArea] = {}
    influence = [np.zeros(row.size) for row in rows]
    areas: list[float] = []
    count = len(classes) * (len(classes) - 1) // 2
    for i, j in itertools.combinations(range(len(classes)), 2):
        later, earlier = every[rows[j]], every[rows[i]]
        tally = Tally.from_samples(later.astype(np.float64), earlier.astype(np.float64))
        area = auc(tally)
        areas.append(area)
        parts = delong_parts(tally, area)
        low, high = score_interval(parts.score_variance(area), level=level)
        name = f"{words[j]} above {words[i]}"
        pairs[name] = NamedArea(
            name=name,
            area=area,
            standard_error=parts.standard_error or UNSEEN,
            interval=Interval(low=low, high=high, level=level, method=SCORE),
        )
        influence[j] += _placements(later, earlier) / count
        influence[i] += (1 - _placements(earlier, later)) / count
    mean = float(np.mean(areas))
    smallest = min(row.size for row in rows)
    error: float = Undefined("a class has only one case")
    interval = Interval(low=error, high=error, level=level, method="none")
    if smallest > 1:
        error = float(np.sqrt(sum(float(np.var(one, ddof=1)) / one.size for one in influence)))
        interval = area_interval(mean, error, level=level, pairs=smallest, name="influence")
    average = NamedArea(name="hand_till", area=mean, standard_error=error, interval=interval)
    volume: NamedArea | None = None
    notes: tuple[str, ...] = ()
    if len(classes) == 3:
        if labels is not None:
            first, second, third = (every[row] for row in rows)
            volume = volume_of_surface(first, second, third, name=" < ".join(words), level=level)
        else:
            notes = ("The volume under the ROC surface needs the order of the classes: give labels (--classes).",)
    return MulticlassAreas(
        classes={},
        pairs=pairs,
        volume=volume,
        notes=notes,
        averages={"hand_till": average},
        counts={word: int(one.size) for word, one in zip(words, rows, strict=True)},
        level=level,
        dropped=dropped,
        method=f"one score, classes in the order {' < '.join(words)}; labels gives another",
    )


def _placements(values: Array, others: Array) -> Floats:
    """Share of the others below each value, ties one half."""
    ordered = np.sort(others)
    below, upto = np.searchsorted(ordered, values, "left"), np.searchsorted(ordered, values, "right")
    found: Floats = (below + upto) / (2 * others.size)
    return found
