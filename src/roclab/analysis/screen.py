"""Which of many markers tell the classes apart? One row per marker, as the menus of statistics programs print it."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from roclab._core.checks import check_choice, check_level, plural
from roclab._core.text import text_table, without_shared
from roclab._core.types import Array
from roclab._core.work import Progress, check_workers, in_order
from roclab.areas.empirical import auc
from roclab.data.arrays import complete_rows, natural, within
from roclab.data.cases import Cases
from roclab.data.columns import as_array, is_frame, label_column, score_column
from roclab.data.keywords import DataKeywords, data_door
from roclab.data.labels import Labels, binary_labels
from roclab.data.read import asked_label, read_cases
from roclab.data.roles import check_columns, columns_not_named
from roclab.data.table import FrameTable, reading_of, table_of
from roclab.data.tally import Tally
from roclab.errors import FileError, InputError, Words, named
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.one_area.area_tests import area_test
from roclab.inference.one_area.delong import delong_parts
from roclab.inference.one_area.estimate import area_of_method, estimate_from_error
from roclab.inference.one_area.hanley_mcneil import empirical_q_se
from roclab.inference.one_area.spss import SpssArea, spss_area, spss_table
from roclab.names import ASKED_SIDES, ERROR_INTERVALS, Adjustment, AreaInterval, AreaTest
from roclab.results import Interval, Result, Sample

__all__ = ["ScreenedMarker", "Screening", "screen"]

_TITLES = {"delong": "DeLong", "empirical_q": "Hanley-McNeil with empirical Q"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenedMarker:
    """One marker: its area, whether it is real, and its best cut-off by Youden's index."""

    name: str
    n_pos: int
    n_neg: int
    dropped: int
    direction: str
    area: float
    standard_error: float
    p_value: float  # of the test that the area is one half
    p_adjusted: float
    interval: Interval
    cutoff: float
    sensitivity: float
    specificity: float
    accuracy: float
    tied: bool  # some positive and some negative case share a value
    spss: SpssArea
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screening(Result):
    """All markers, best first, and the columns that could not be screened, with the reason of each."""

    markers: tuple[ScreenedMarker, ...]
    skipped: Mapping[str, str]
    level: float
    adjustment: str
    method: str
    positive: str
    negative: str
    dropped: int = 0  # cases without an outcome

    def rows(self) -> list[dict[str, Any]]:
        """One row per marker."""
        percent = f"{100 * self.level:g}%"
        return [
            {
                "marker": one.name,
                "n+": one.n_pos,
                "n-": one.n_neg,
                "area": one.area,
                "std. error": one.standard_error,
                "p": one.p_value,
                "adjusted p": one.p_adjusted,
                f"{percent} low": one.interval.low,
                f"{percent} high": one.interval.high,
                "direction": one.direction,
                "cut-off": one.cutoff,
                "Se": one.sensitivity,
                "Sp": one.specificity,
                "accuracy": one.accuracy,
                "ties": one.tied,
            }
            for one in self.markers
        ]

    def spss(self) -> str:
        """The table "Area Under the Curve" with the numbers and the layout of SPSS, whatever was asked for above."""
        return spss_table([(one.name, one.spss) for one in self.markers])

    def __str__(self) -> str:
        classes = f"positive is {self.positive}, negative is {self.negative}"
        rows, below = without_shared(self.rows(), ["n+", "n-", "direction", "ties"])
        lines = [text_table(rows), *below, "", f"{classes}; {self.method}; p-values adjusted by {self.adjustment}"]
        lines += [f"{one.name}: {one.note}" for one in self.markers if one.note]
        lines += [
            f"{one.name}: {plural(one.dropped, 'case')} without a value left out" for one in self.markers if one.dropped
        ]
        lines += [f"skipped {name}: {reason}" for name, reason in self.skipped.items()]
        if self.dropped:
            lines.append(f"{self.dropped} dropped for a missing outcome")
        return "\n".join(lines)


@data_door(columns="score")
def screen(
    y_true: Any,
    markers: Any = None,
    *,
    test: AreaTest | None = None,
    variance: Literal["delong", "empirical_q"] = "delong",
    interval: AreaInterval = "auto",
    level: float = 0.95,
    adjust: Adjustment = "holm",
    workers: int | None = None,
    progress: Progress | None = None,
    **data: Unpack[DataKeywords],
) -> Screening:
    """Screen every numeric column of a table as a marker of one outcome, O(k n log n) for k markers.

    Parameters
    ----------
    y_true, markers : arrays, or a table
        Labels and a mapping of names to columns (or a data frame of them); or a data frame, mapping or file with
        ``label=``; or cases. ``score=[…]`` names the columns to screen; by default all others are screened, and those
        that are not numeric are skipped and listed.
    test : str, optional
        Test of AUC = 0.5; by default the one that agrees with the interval. "null" is what SPSS prints.
    variance : str
        "delong" (default) or "empirical_q" (as SPSS).
    interval, level : as in :func:`auc`
    adjust : str
        Adjustment of p-values for many markers: "holm" (default), "bonferroni", "fdr" or "none".
    workers : int, optional
        Threads, as many as there are processors if not given; the result does not depend on them.
    progress : callable(done, total), optional
        Called after every marker.

    Returns
    -------
    Screening
        ``.markers``, best first, and ``.skipped`` with the reason of each. A case that lacks a marker is left out for
        that marker only; ``missing`` is about the outcome. ``direction="auto"`` turns markers whose area is below one
        half; their rows say so, and their p-values do not know that the direction was chosen.

    Examples
    --------
    >>> import roclab as rl
    >>> table = {"ill": [1, 1, 0, 0], "a": [4, 3, 2, 1], "b": [4, 2, 3, 1], "name": ["w", "x", "y", "z"]}
    >>> result = rl.screen(table, label="ill")
    >>> [(one.name, one.area) for one in result.markers], dict(result.skipped)
    ([('a', 1.0), ('b', 0.75)], {'name': 'it is not numeric'})
    """
    check_choice(variance, "variance", ("delong", "empirical_q"))
    check_choice(interval, "interval", ERROR_INTERVALS)
    check_level(level)
    workers = check_workers(os.cpu_count() or 1 if workers is None else workers)
    read = _markers_of(y_true, markers, data)
    passed_over = dict(read.skipped)
    names = list(read.columns)

    def one(name: str) -> ScreenedMarker | str:
        return _screened(name, read, test, variance, interval, level)

    found: list[ScreenedMarker] = []
    for name, result in zip(names, in_order(one, names, workers=workers, progress=progress), strict=True):
        if isinstance(result, str):
            passed_over[name] = result
        else:
            found.append(result)
    if not found:
        reason = next(iter(passed_over.values()))
        raise InputError(
            "", f"no marker could be screened, and the first was passed over because {reason}", way_out="name others"
        )
    fixed = adjusted([marker.p_value for marker in found], adjust)
    ranked = [replace(marker, p_adjusted=p) for marker, p in zip(found, fixed, strict=True)]
    ranked.sort(key=lambda marker: -marker.area)
    return Screening(
        markers=tuple(ranked),
        skipped=passed_over,
        level=level,
        adjustment=adjust,
        method=found[0].interval.method,
        positive=read.labels.positive,
        negative=read.labels.negative,
        dropped=read.dropped,
    )


class _Markers(NamedTuple):
    """The outcome, and numeric columns, which may have gaps."""

    labels: Labels
    columns: Mapping[str, Array]
    direction: Mapping[str, str]
    skipped: Mapping[str, str]
    dropped: int


def _markers_of(y_true: Any, markers: Any, data: Any) -> _Markers:
    for name in ("sample_weight", "weights", "ids", "folds"):
        if data.get(name) is not None:
            raise InputError(name, "has no part in screening", way_out="leave it out")
    asked = data.get("direction", "higher")
    if isinstance(y_true, Cases):
        cases = read_cases(y_true, markers, **data)
        if cases.weight is not None:
            raise InputError("sample_weight", "has no part in screening", way_out="screen cases without weights")
        labels = Labels(cases.label, cases.positive, cases.negative, cases.outcome)
        return _Markers(labels, cases.scores, cases.direction, {}, cases.dropped)
    label, score = data.get("label"), data.get("score")
    if label is not None and isinstance(markers, str | list | tuple) and score is None:
        markers, score = None, markers  # names of columns
    if markers is not None:
        if not isinstance(markers, Mapping) and not is_frame(markers):
            raise InputError("markers", "must map names to columns", Words(type(markers).__name__))
        table: Any = {"y_true": y_true}
        table |= FrameTable(markers).columns() if is_frame(markers) else {str(k): v for k, v in dict(markers).items()}
        label = "y_true"
    else:
        table = y_true
    reading = reading_of(data)
    source = table_of(table, **reading)
    if source is None:
        raise InputError(
            "", "screening needs a table with an outcome, or labels and markers", Words(type(table).__name__),
            f"pass the markers too, or a table with {named('label', 'outcome')}",
        )  # fmt: skip
    if label is None:
        raise columns_not_named(["label"], source.called, source.names())
    chosen = None if score is None else [score] if isinstance(score, str) else list(score)
    if chosen is not None and label in chosen:
        raise InputError("label", f"and {named('score')} must be different columns", Words(f"{label!r} for both"))
    wanted = None if chosen is None else list(dict.fromkeys([label, *chosen]))
    found = source.columns(wanted)  # once: standard input cannot be read again
    if wanted is None:
        check_columns([label], list(found), source.called, FileError if source.printed_labels else InputError)
    outcome = label_column(found.pop(label), label)
    keep = complete_rows([(label, outcome)], data.get("missing", "error"))
    truth = natural(outcome.values if keep is None else outcome.values[keep])
    asked_labels = {name: asked_label(source, label, truth, data.get(name)) for name in ("pos_label", "neg_label")}
    labels = binary_labels(truth, name=label, **asked_labels)
    if labels.keep is not None:
        keep = within(keep, labels.keep)
    columns: dict[str, Array] = {}
    skipped: dict[str, str] = {}
    for name, values in found.items():
        column = _numeric(values, name)
        if column is None:
            skipped[name] = "it is not numeric"
        elif column.size != outcome.values.size:
            raise InputError(name, "must have one value per label", Words(f"{column.size} for {outcome.values.size}"))
        else:
            columns[name] = column if keep is None else column[keep]
    if not columns:
        raise InputError("", "no numeric column is left to screen", way_out=f"skipped {', '.join(skipped)}")
    sides = asked if isinstance(asked, Mapping) else dict.fromkeys(columns, asked)
    return _Markers(
        labels,
        columns,
        {name: check_choice(sides.get(name, "higher"), "direction", ASKED_SIDES) for name in columns},
        skipped,
        0 if keep is None else int(keep.size - truth.size),
    )


def _numeric(values: Any, name: str) -> Array | None:
    """A column of numbers, NaN where they are missing; None for words and dates."""
    array = as_array(values, name)
    if array.dtype.kind in "USM" or (array.dtype.kind == "O" and any(isinstance(v, str | bytes) for v in array)):
        return None
    return score_column(array, name).values


def _screened(
    name: str, read: _Markers, test: AreaTest | None, variance: str, interval: AreaInterval, level: float
) -> ScreenedMarker | str:
    """One marker, or the reason why it cannot be screened."""
    label, values, direction = read.labels.is_positive, read.columns[name], read.direction[name]
    present = ~np.isnan(values) if values.dtype.kind == "f" else None
    if present is not None and not present.all():
        label, values = label[present], values[present]
    dropped = 0 if present is None else int(present.size - values.size)
    n_pos = int(np.count_nonzero(label))
    n_neg = label.size - n_pos
    if n_pos == 0 or n_neg == 0:
        return "it has values in one class only"
    side: Any = "lower" if direction == "lower" else "higher"
    sample = Sample(n_pos=n_pos, n_neg=n_neg, direction=side, score=name)
    tally = Tally.from_labels(label, -values.astype(np.float64) if side == "lower" else values, sample=sample)
    area = auc(tally)
    note = ""
    if direction == "auto" and area < 0.5:
        tally = tally.reversed()
        area = auc(tally)
        note = "lower values mean positive (chosen from the data)"
    if tally.score.size == 1:
        note = "the marker is constant"
    elif area < 0.5:
        note = f"the area is below 0.5; turned round it would be {1 - area:.4f}"
    parts = delong_parts(tally, area)
    estimate = estimate_from_error(
        area_of_method("empirical"),
        area,
        empirical_q_se(tally) if variance == "empirical_q" else parts.standard_error,
        _TITLES[variance],
        sample=sample,
        level=level,
        interval=interval,
        side="two-sided",
        parts=parts if variance == "delong" else None,
    )
    cutoff, tpr, fpr = _youden(tally)
    spss = spss_area(tally, level=level)
    return ScreenedMarker(
        name=name,
        n_pos=n_pos,
        n_neg=n_neg,
        dropped=dropped,
        direction=tally.sample.direction,
        area=area,
        standard_error=estimate.standard_error,
        p_value=area_test(tally, area_of_method("empirical"), test=test).p_value,
        p_adjusted=math.nan,
        interval=estimate.interval,
        cutoff=cutoff,
        sensitivity=tpr,
        specificity=1 - fpr,
        accuracy=(tpr * n_pos + (1 - fpr) * n_neg) / (n_pos + n_neg),
        tied=spss.tied,
        spss=spss,
        note=note,
    )


def _youden(tally: Tally) -> tuple[float, float, float]:
    """Threshold, tpr and fpr with the largest tpr - fpr; the highest threshold among equal ones."""
    n_pos, n_neg = int(tally.n_pos), int(tally.n_neg)
    # TP·N - FP·P in whole numbers: equal gains are equal. Beyond 2**62 the sum would overflow.
    kind = np.int64 if n_pos * n_neg < 2**62 else np.float64
    steps = np.multiply(tally.pos, n_neg, dtype=kind) - np.multiply(tally.neg, n_pos, dtype=kind)
    gain = np.cumsum(steps, out=steps)
    at = int(np.argmax(gain))
    if gain[at] <= 0:
        return float(tally.shown(np.array([np.inf]))[0]), 0.0, 0.0
    tp, fp = int(tally.pos[: at + 1].sum()), int(tally.neg[: at + 1].sum())
    return float(tally.shown(tally.score[at : at + 1])[0]), tp / n_pos, fp / n_neg
