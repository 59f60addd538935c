"""Data of any accepted shape, validated."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from roclab.areas.empirical import auc
from roclab.data.arrays import cases_from_arrays
from roclab.data.cases import Cases
from roclab.errors import InputError, Words, named
from roclab.names import Direction, Missing, Weighting

__all__ = ["AskedDirection", "read_cases"]

AskedDirection = Literal["higher", "lower", "auto"] | Mapping[str, Direction]


def read_cases(
    data: Any,
    y_score: Any = None,
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    weights: Weighting | None = None,
    ids: Any = None,
    folds: Any = None,
    direction: AskedDirection = "higher",
    missing: Missing = "error",
    sheet: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
) -> Cases:
    """Validate data of any accepted shape.

    - ``read_cases(y_true, y_score)``: two arrays; ``y_score`` may be a mapping of names to arrays.
    - ``read_cases(frame, label="outcome", score="marker")``: any data frame; ``sample_weight``, ``ids`` and
      ``folds`` are then column names.
    - ``read_cases("scores.csv", label=…, score=…)``: a file; ``sheet``, ``delimiter`` and ``decimal`` say how to read
      it (see ``sources.files.read_columns``).
    - ``read_cases(cases)``: cases that were read before, as they are. So every function that takes data takes them.

    ``direction="auto"`` turns scores whose AUC is below one half, and the result says so.
    """
    reading = {"sheet": sheet, "delimiter": delimiter, "decimal": decimal}
    reading = {name: value for name, value in reading.items() if value is not None}
    if isinstance(data, Cases):
        others = (y_score, label, score, pos_label, sample_weight, weights, ids, folds, reading or None)
        if any(other is not None for other in others) or direction != "higher" or missing != "error":
            raise InputError(
                "", "cases were validated when they were read", Words("options for them"), "give those to read_cases"
            )
        return data
    chosen = direction == "auto"
    asked: Any = "higher" if chosen else direction
    if reading and (y_score is not None or not isinstance(data, str | os.PathLike)):
        raise InputError("", f"{next(iter(reading))} says how to read a file", Words("data in memory"), "leave it out")
    if y_score is not None:
        if label is not None or score is not None:
            raise InputError(
                "", "label and score name columns of a frame or file", Words("arrays as well"), "pass one or the other"
            )
        cases = cases_from_arrays(
            data,
            y_score,
            pos_label=pos_label,
            sample_weight=sample_weight,
            weights=weights,
            ids=ids,
            folds=folds,
            direction=asked,
            missing=missing,
        )
    else:
        cases = _cases_from_table(
            data,
            label=label,
            score=score,
            pos_label=pos_label,
            weight=sample_weight,
            weights=weights,
            id=ids,
            fold=folds,
            direction=asked,
            missing=missing,
            **reading,
        )
    if not chosen:
        return cases
    turned: dict[str, Direction] = {name: "lower" if auc(cases.tally(name)) < 0.5 else "higher" for name in cases.names}
    return replace(cases, direction=turned, direction_chosen=True)


def _cases_from_table(data: Any, *, label: str | None, score: Any, **options: Any) -> Cases:
    if label is None or score is None:
        raise InputError(
            "",
            "label and score must name the columns of a data frame or file",
            Words(f"{named('label', label)} and {named('score', score)}"),
            "with arrays pass y_true and y_score",
        )
    if isinstance(data, str | os.PathLike):
        from roclab.data.files.read import cases_from_file

        return cases_from_file(data, label=label, score=score, **options)
    from roclab.data.frames import cases_from_frame

    return cases_from_frame(data, label=label, score=score, **options)
