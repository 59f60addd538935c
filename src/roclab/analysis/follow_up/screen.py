"""Many markers of one event by a horizon: the area, the test and the best cut-off of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import ndtr

from roclab._core.types import Array
from roclab.analysis.follow_up.areas import areas_at, check_horizon, estimate_of, method_of, sample_of
from roclab.analysis.follow_up.censoring import censoring_asked
from roclab.analysis.follow_up.curves import tally_at
from roclab.analysis.follow_up.read import read_followed, survival_of
from roclab.analysis.screen import ScreenedMarker, Screening
from roclab.data.columns import as_array, is_frame, score_column
from roclab.data.read import read_columns
from roclab.decisions.cutoffs import find_cutoff
from roclab.errors import InputError, Words
from roclab.inference.comparison.multiplicity import adjusted
from roclab.names import Adjustment, MarkerOrder
from roclab.options.criterion import CriterionOptions
from roclab.options.data import ReadingKeywords
from roclab.options.follow_up import FollowUpOptions
from roclab.options.group import given_of

__all__ = ["screen_over_time"]


def screen_over_time(
    y_true: Any, markers: Any, data: Mapping[str, Any], *, exclude: str | Sequence[str], interval: str, level: float,
    adjust: Adjustment, order: MarkerOrder,
) -> Screening:  # fmt: skip
    """One row per marker, each among the cases that have it."""
    options = FollowUpOptions.of(data)
    if options.at is not None:
        options.one_horizon("screen()")
    asked, columns, skipped = _columns(y_true, markers, data, options, exclude)
    found: list[ScreenedMarker] = []
    outcome = ""
    for name, values in columns.items():
        kept = np.isfinite(values)
        try:
            if not kept.any() or np.unique(values[kept]).size < 2:
                raise InputError(name, "is constant")
            one, outcome = _screened(name, values, kept, asked, interval, level)
        except InputError as reason:
            skipped[name] = str(reason).rstrip(".")
            continue
        found.append(one)
    if not found:
        why = next(iter(skipped.values()), "no column is numeric")
        raise InputError(
            "", f"no marker could be screened, and the first was passed over because {why}", way_out="name others"
        )
    fixed = adjusted([one.p_value for one in found], adjust)
    ranked = [replace(one, p_adjusted=p) for one, p in zip(found, fixed, strict=True)]
    if order == "area":
        ranked.sort(key=lambda one: -one.area)
    positive, negative, words = outcome.split("\n")
    return Screening(
        markers=tuple(ranked), skipped=skipped, level=level, adjustment=adjust, method=found[0].interval.method,
        positive=positive, negative=negative, outcome=words,
    )  # fmt: skip


def _columns(
    y_true: Any, markers: Any, data: Mapping[str, Any], options: FollowUpOptions, exclude: str | Sequence[str]
) -> tuple[dict[str, Any], dict[str, Array], dict[str, str]]:
    """The question with arrays in place of columns, the numeric markers, and what is none."""
    out = {exclude} if isinstance(exclude, str) else set(exclude)
    asked = dict(data)
    skipped: dict[str, str] = {}
    censoring = censoring_asked(options.censoring)
    if isinstance(options.time, str):
        table = read_columns(y_true, **given_of(data, ReadingKeywords)).values
        taken = [value for name, value in asked.items() if name in ("time", "event", "sample_weight", "ids")]
        taken = [value for value in taken if isinstance(value, str)]
        for name in taken:
            if name not in table:
                raise InputError("time", f"and event must name columns ({', '.join(table)})", name)
        asked |= {name: table[value] for name, value in asked.items() if isinstance(value, str) and value in taken}
        for name in ReadingKeywords.__annotations__:
            asked.pop(name, None)
        named_ones = asked.pop("score", None)
        wanted = [named_ones] if isinstance(named_ones, str) else named_ones
        source = {name: table[name] for name in (wanted or table) if name not in taken}
        if censoring is not None:
            lacking = [name for name in censoring.columns if name not in table]
            if lacking:
                raise InputError("censoring", f"must name columns ({', '.join(table)})", lacking[0])
            parts = {name: table[name] if values is None else values for name, values in censoring.parts.items()}
            asked["censoring"] = {"cox": parts} if censoring.cox else parts
    else:
        survival = survival_of(y_true)
        if survival is not None:
            asked["time"], asked["event"] = survival
        source = _by_name(markers if markers is not None else y_true)
    unknown = [name for name in sorted(out) if name not in source]
    if unknown:
        raise InputError("exclude", "must name markers", Words(unknown[0]))
    columns: dict[str, Array] = {}
    for name, values in source.items():
        if name in out:
            continue
        try:
            columns[str(name)] = score_column(values, str(name)).values.astype(np.float64)
        except (InputError, ValueError):
            skipped[str(name)] = "it is not numeric"
    return asked, columns, skipped


def _by_name(markers: Any) -> dict[str, Any]:
    """Markers of a mapping or a data frame."""
    if not is_frame(markers):
        return dict(markers)
    import narwhals as nw

    frame = nw.from_native(markers, eager_only=True)
    return {name: frame[name].to_native() for name in frame.columns}


def _screened(
    name: str, values: Array, kept: Array, asked: Mapping[str, Any], interval: str, level: float
) -> tuple[ScreenedMarker, str]:
    rows = {
        key: _of_rows(key, value, kept) if key in ("time", "event", "sample_weight", "ids") else value
        for key, value in asked.items()
    }
    rows["censoring"] = _censoring_of_rows(rows.get("censoring"), kept)
    side = rows.pop("direction", None)
    side = side.get(name) if isinstance(side, Mapping) else side
    given = {key: value for key, value in rows.items() if value is not None}
    note = ""
    if side == "auto":
        chosen = _area(name, values[kept], {**given, "direction": "higher"}, interval, level)
        side = "lower" if chosen[0].area < 0.5 else "higher"
        note = "lower values mean the event (chosen from the data)" if side == "lower" else ""
    one, tally, outcome, direction = _area(
        name, values[kept], {**given, "direction": side or "higher"}, interval, level
    )
    best = find_cutoff(tally, CriterionOptions(criterion="youden")).best
    if not note and one.area < 0.5:
        note = f"the area is below 0.5; turned round it would be {1 - one.area:.4f}"
    error = one.standard_error
    p_value = 2 * float(ndtr(-abs(one.area - 0.5) / error)) if error > 0 else math.nan
    return ScreenedMarker(
        name=name, n_pos=tally.n_pos, n_neg=tally.n_neg, dropped=int(np.count_nonzero(~kept)), direction=direction,
        area=one.area, standard_error=error, p_value=p_value, p_adjusted=math.nan, interval=one.interval,
        cutoff=best.threshold, tp=best.matrix.tp, fp=best.matrix.fp, fn=best.matrix.fn, tn=best.matrix.tn,
        tied=bool(((tally.pos > 0) & (tally.neg > 0)).any()), spss=None, note=note,
    ), outcome  # fmt: skip


def _censoring_of_rows(given: Any, kept: Array) -> Any:
    """What losses depend on, among the rows that have the marker; names of markers stay names."""
    asked = censoring_asked(given)
    if asked is None:
        return given
    parts = {
        name: None if values is None else _of_rows("censoring", values, kept) for name, values in asked.parts.items()
    }
    named = {name: values for name, values in parts.items() if values is not None}
    if len(named) < len(parts):
        raise InputError("censoring", "must hold arrays beside arrays of markers", Words("names"),
                         "write {'ward': […]} with a value for every case")  # fmt: skip
    return {"cox": named} if asked.cox else named


def _of_rows(keyword: str, value: Any, kept: Array) -> Any:
    """The rows that have the marker."""
    if value is None:
        return None
    whole = as_array(value, keyword)
    if whole.size != kept.size:
        raise InputError(keyword, "must have one value per case", Words(f"{whole.size} for {kept.size}"))
    return whole[kept]


def _area(name: str, values: Array, asked: Mapping[str, Any], interval: str, level: float) -> tuple[Any, Any, str, str]:
    options = FollowUpOptions.of(asked)
    followed = read_followed({name: values}, None, asked, options, verb="screen()")
    check_horizon(followed, options)
    (area,) = areas_at(followed, options)
    sample = sample_of(area, followed, options)
    estimate = estimate_of(area, followed, options, level=level, interval=interval, side="two-sided")
    outcome = (
        f"at {area.horizon.at:g}, {sample.n_pos:g} cases, {sample.n_neg:g} controls, {area.horizon.unknown} unknown; "
        f"{method_of(followed)}; n+, n- and the four numbers are sums of weights; p by the normal distribution"
    )
    tally = tally_at(followed, area.horizon, name, sample)
    return estimate, tally, f"{sample.positive}\n{sample.negative}\n{outcome}", followed.directions[name]
