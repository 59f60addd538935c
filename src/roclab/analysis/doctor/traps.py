"""What to beware of in a table, once a first guess says which column is what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Array, Bools, Floats
from roclab.analysis.doctor.column_roles import ColumnFinding
from roclab.analysis.doctor.first_try import FirstTry
from roclab.analysis.table_overview import printed_among
from roclab.areas.empirical import auc
from roclab.data.tally import Tally

__all__ = ["Trap", "are_probabilities", "traps_of"]

_FEW_CASES = 10  # of a class: below, every interval is wide
_MOST_SCORES = 200  # whose areas are looked at
_SHIFTED = 1.0  # folds whose medians lie further apart than this many interquartile ranges of the cases inside them
_CHANGED = 0.03  # of the area between ranking all folds together and the mean inside folds


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """What to beware of, of which column, and the keyword that settles it, where one does."""

    column: str
    text: str
    keyword: str = ""
    value: Any = None


def traps_of(columns: Sequence[ColumnFinding], tried: FirstTry, values: dict[str, Array]) -> list[Trap]:
    """All traps, those of the label first; O(n log n) a score."""
    found = _of_label(columns, tried)
    found += [
        Trap(column=column.name, text=column.remark, keyword="na", value=_code(column))
        for column in columns
        if column.remark
    ]
    if tried.id is not None:
        size = values[tried.id].size
        subjects = next(column.distinct for column in columns if column.name == tried.id)
        if subjects < size:
            words = f"{size} rows are of {subjects} subjects, and rows of one subject are alike"
            found.append(Trap(column=tried.id, text=words, keyword="ids", value=tried.id))
    parts = {one for one in (tried.label, *tried.scores, tried.id, tried.fold) if one is not None}
    gaps = [column for column in columns if column.missing and column.name in parts]
    found += [
        Trap(column=one.name, text=f"{one.missing} values are missing", keyword="missing", value="drop") for one in gaps
    ]
    if tried.label is not None and len(tried.classes) == 2:
        found += _of_scores(tried, values)
    return found


def _code(column: ColumnFinding) -> Any:
    """The code for a missing value, as a keyword takes it."""
    if "looks like a code" in column.remark:
        number = float(column.remark.split()[0])
        return int(number) if number.is_integer() else number
    return column.remark.rpartition("such as ")[2].split(", ")[0].strip("'\"")


def _of_label(columns: Sequence[ColumnFinding], tried: FirstTry) -> list[Trap]:
    if tried.label is None and tried.followed is not None:
        return []
    if tried.label is None:
        words = "no column has two values; a number becomes an outcome by a rule"
        return [Trap(column="", text=words, keyword="pos_label", value=">6.5")]
    found = []
    size = len(tried.classes)
    column = next(one for one in columns if one.name == tried.label)
    if column.distinct < 2:
        found.append(Trap(column=tried.label, text="it holds one class only, so that no curve exists"))
    elif size > 2:
        words = f"it has {size} classes: ask about all of them, or about one against the rest"
        found.append(Trap(column=tried.label, text=words, keyword="pos_label", value=tried.classes[0]))
    elif size == 0:
        words = f"it has {column.distinct} different values; a number becomes an outcome by a rule"
        found.append(Trap(column=tried.label, text=words, keyword="pos_label", value=">6.5"))
    if tried.rivals:
        words = f"{', '.join(tried.rivals[:5])} could be the label as well as {tried.label}"
        found.append(Trap(column="", text=words, keyword="label", value=tried.rivals[0]))
    return found


def _of_scores(tried: FirstTry, values: dict[str, Array]) -> list[Trap]:
    assert tried.label is not None
    found = []
    positive = printed_among(values[tried.label], [] if tried.positive is None else [tried.positive])
    known = printed_among(values[tried.label], tried.classes)
    sizes = [int(np.count_nonzero(known & positive)), int(np.count_nonzero(known & ~positive))]
    if min(sizes) < _FEW_CASES:
        words = f"{sizes[0]} and {sizes[1]} cases of the classes leave every interval wide"
        found.append(Trap(column=tried.label, text=words))
    for name in tried.scores[:_MOST_SCORES]:
        if values[name].dtype.kind not in "iuf":
            continue
        score = values[name].astype(np.float64)
        rows = known & ~np.isnan(score)
        if positive[rows].all() or not positive[rows].any():
            continue
        area = auc(Tally.from_labels(positive[rows], score[rows]))
        if area < 0.5:
            found.append(_below_half(tried, name, area, sizes))
        if area in (0.0, 1.0):
            words = "it separates the classes without an error; make sure that it does not hold the answer"
            found.append(Trap(column=name, text=words))
        if tried.fold is not None:
            found += _of_folds(tried, name, score, positive, rows, values[tried.fold].astype(str), area)
    return found


def _below_half(tried: FirstTry, name: str, area: float, sizes: list[int]) -> Trap:
    """An area below one half: a score that points the other way, or one that tells nothing."""
    n_pos, n_neg = sizes
    null_error = ((n_pos + n_neg + 1) / (12 * n_pos * n_neg)) ** 0.5  # of an AUC of one half, without ties
    if area > 0.5 - 1.96 * null_error:
        return Trap(column=name, text=f"its AUC is {area:.3f}, which is hardly to be told from chance")
    words = f"its AUC is {area:.3f}: lower values go with {tried.positive}"
    return Trap(column=name, text=words, keyword="direction", value="lower")


def _of_folds(
    tried: FirstTry, name: str, score: Floats, positive: Bools, known: Bools, fold: Array, pooled: float
) -> list[Trap]:
    """Folds whose scores lie on different scales: ranked together they are compared across models."""
    medians, spreads, areas = [], [], []
    for one in np.unique(fold):
        rows = known & (fold == one)
        if positive[rows].all() or not positive[rows].any():
            continue
        low, middle, high = np.percentile(score[rows], [25, 50, 75])
        medians.append(middle)
        spreads.append(high - low)
        areas.append(auc(Tally.from_labels(positive[rows], score[rows])))
    if len(areas) < 2:
        return []
    apart, inside = max(medians) - min(medians), float(np.mean(spreads))
    if apart <= _SHIFTED * inside and abs(float(np.mean(areas)) - pooled) <= _CHANGED:
        return []
    words = (
        f"medians of the folds of {tried.fold} lie up to {apart:.3g} apart, where half of a fold lies within "
        f"{inside:.3g}: the AUC of all cases together is {pooled:.3f}, the mean of the folds {np.mean(areas):.3f}"
    )
    return [Trap(column=name, text=words, keyword="folds", value=tried.fold)]


def are_probabilities(values: Array) -> bool:
    """Numbers between 0 and 1 that are not all whole."""
    if values.dtype.kind != "f":
        return False
    there = values[~np.isnan(values)]
    return bool(there.size and there.min() >= 0 and there.max() <= 1 and (there != np.floor(there)).any())
