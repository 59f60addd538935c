"""The tables of a free-response reader study: marks of the readers, and the lesions that there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from roclab._core.checks import check_choice, plural
from roclab._core.types import Array, Bools
from roclab.analysis.auc import area_asked
from roclab.data.columns import label_column, score_column
from roclab.data.labels import word_of
from roclab.data.roles import check_columns
from roclab.data.table import MappingTable, Table, table_of
from roclab.errors import InputError, MissingValuesError, Words, named
from roclab.inference.one_area.area import Area
from roclab.names import ASKED_SIDES, MARK_FIGURES, MISSING, FrocFigure, ReaderDesign
from roclab.options.region import Region
from roclab.reading_studies.layouts import MODALITY_WORDS, RJAFROC, TRUTH_WORDS
from roclab.reading_studies.marks import Lesions, MarkRows, area_of_figure, readings_of_marks
from roclab.reading_studies.readings import Readings

__all__ = ["MarkColumns", "has_marks", "marked_study"]

_NO_LESION = ("", "0")
_FIGURE = "wAFROC"
_POSITIVE = "a case with lesions is positive"
_WHY_WITHOUT = {
    "label": _POSITIVE,
    "pos_label": _POSITIVE,
    "neg_label": _POSITIVE,
    "subject": "every case stands for itself",
    "algorithm": "readers are compared between modalities",
    "threshold": "figures of merit have none",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkColumns:
    """Names of the columns of marks and lesions, where the user gave them."""

    rating: Any
    reader: str | None
    modality: str | None
    case: str | None
    lesion: str | None
    lesion_weight: str | None


def has_marks(data: Any, reading: Mapping[str, Any]) -> bool:
    """True for a table that holds marks and lesions both, as workbooks of RJafroc do."""
    table = table_of(data, **reading)
    return table is not None and set(RJAFROC) <= set(table.names())


def marked_study(
    data: Any,
    lesions: Any,
    columns: MarkColumns,
    *,
    estimator: Any,
    region: Region,
    modalities: Sequence[str] | None,
    design: ReaderDesign | None,
    direction: str,
    missing: str,
    reading: Mapping[str, Any],
    without: Mapping[str, Any],
) -> tuple[Readings, Area]:
    """Readings of marks, and the figure of merit that is asked for; ``without`` has no meaning beside marks."""
    for name, value in without.items():
        if value is not None:
            raise InputError(name, "must be left out of a study of marks", value, _WHY_WITHOUT[name])
    if isinstance(columns.rating, Mapping):
        raise InputError("rating", "must be one column of a table with one row per mark", Words("several"))
    asked = _FIGURE if estimator is None else estimator
    check_choice(asked, "estimator", MARK_FIGURES)
    check_choice(direction, "direction", ASKED_SIDES)
    check_choice(missing, "missing", MISSING)
    if direction == "auto":
        raise InputError("direction", "of marks must be said", direction, f"write {named('direction', 'higher')}")
    if asked != "highest_rating" and region.given:
        raise InputError(
            "fpr", "and tpr ask for a part of a ROC curve", Words(f"{named('estimator', asked)} as well"),
            f"write {named('estimator', 'highest_rating')}",
        )  # fmt: skip
    if lesions is None:
        marks, truth = _from_one_table(data, reading, columns, direction)
    else:
        marks, truth = _from_two_tables(data, lesions, reading, columns, direction, missing)
    if asked == "highest_rating":
        figure: FrocFigure | None = None
        area = area_asked(None, region)
    else:
        figure = cast(FrocFigure, asked)
        area = area_of_figure(figure)
        if not asked.endswith("1") and not (truth.lesion == "").any():
            raise InputError(
                "estimator", f"{asked!r} needs cases without lesions", Words("none"),
                f"write {named('estimator', asked + '1')}, which all cases have",
            )  # fmt: skip
    return readings_of_marks(marks, truth, figure=figure, modalities=modalities, design=design), area


def _from_two_tables(
    data: Any, lesions: Any, reading: Mapping[str, Any], columns: MarkColumns, direction: str, missing: str
) -> tuple[MarkRows, Lesions]:
    marks_table, truth_table = _table(data, "data", reading), _table(lesions, "lesions", reading)
    names = marks_table.names()
    modality = columns.modality or next((word for word in MODALITY_WORDS if word in names), None)
    rating, reader, case, lesion = (
        str(given or usual)
        for given, usual in (
            (columns.rating, "rating"), (columns.reader, "reader"), (columns.case, "case"), (columns.lesion, "lesion"),
        )
    )  # fmt: skip
    wanted = [reader, case, lesion, rating, *([modality] if modality else [])]
    check_columns(wanted, names, marks_table.called)
    found = marks_table.columns(wanted, numeric=[rating])
    score = score_column(found[rating], rating)
    gaps = np.zeros(score.values.size, np.bool_) if score.missing is None else score.missing.copy()
    words = {}
    for name in wanted:
        if name == rating:
            continue
        words[name], absent = _words(found[name], name)
        if name != lesion:
            gaps |= absent
    if gaps.any() and missing == "error":
        raise MissingValuesError(
            "data", "must have a reader, a case and a rating in every row of marks",
            Words(plural(int(gaps.sum()), "row") + " without"), f"complete them, or write {named('missing', 'drop')}",
        )  # fmt: skip
    kept = ~gaps
    marks = MarkRows(
        reader=words[reader][kept],
        modality=words[modality][kept] if modality else np.full(int(kept.sum()), "all"),
        case=words[case][kept],
        lesion=_lesion_names(words[lesion][kept]),
        rating=_finite(np.asarray(score.values, np.float64)[kept], rating),
        direction=direction,  # type: ignore[arg-type]
        dropped=int(gaps.sum()),
    )
    weight = columns.lesion_weight
    truth_wanted = [case, lesion, *([weight] if weight else [])]
    check_columns(truth_wanted, truth_table.names(), truth_table.called)
    truth = truth_table.columns(truth_wanted, numeric=[weight] if weight else [])
    truth_case, absent = _words(truth[case], case)
    if absent.any():
        raise MissingValuesError("lesions", "must name the case in every row", Words(plural(int(absent.sum()), "gap")))
    lesion_names = _lesion_names(_words(truth[lesion], lesion)[0])
    return marks, Lesions(
        case=truth_case,
        lesion=lesion_names,
        weight=None if weight is None else _weights(truth[weight], weight, lesion_names != ""),
    )


def _from_one_table(
    data: Any, reading: Mapping[str, Any], columns: MarkColumns, direction: str
) -> tuple[MarkRows, Lesions]:
    """Marks and truth of a workbook of RJafroc, told apart by the reader."""
    given = {name: one for name in columns.__slots__ if (one := getattr(columns, name)) is not None}
    if given:
        name = next(iter(given))
        raise InputError(name, "must be left out of a workbook that has its own names", given[name])
    found = _table(data, "data", reading).columns(list(RJAFROC), numeric=["Rating", "Weight"])
    reader, modality, case, lesion = (_words(found[name], name)[0] for name in RJAFROC[:4])
    lesion = _lesion_names(lesion)
    truth = reader == TRUTH_WORDS[0]
    weight = np.asarray(found["Weight"], np.float64)[truth]
    # RJafroc writes 0 for lesions that weigh the same.
    real = lesion[truth] != ""
    equal = bool(np.all(np.nan_to_num(weight[real]) == 0))
    rating = np.asarray(found["Rating"], np.float64)
    return (
        MarkRows(
            reader=reader[~truth], modality=modality[~truth], case=case[~truth], lesion=lesion[~truth],
            rating=_finite(rating[~truth], "Rating"), direction=direction,  # type: ignore[arg-type]
        ),
        Lesions(case=case[truth], lesion=lesion[truth], weight=None if equal else np.nan_to_num(weight)),
    )  # fmt: skip


def _table(data: Any, argument: str, reading: Mapping[str, Any]) -> Table:
    in_memory = isinstance(data, Mapping | MappingTable)
    table = table_of(data, **({name: one for name, one in reading.items() if name == "na"} if in_memory else reading))
    if table is None:
        raise InputError(argument, "must be a table with named columns (data frame, mapping or file)",
                         Words(type(data).__name__))  # fmt: skip
    return table


def _words(values: Any, name: str) -> tuple[Array, Bools]:
    """Cells as text, and which are empty."""
    column = label_column(values, name)
    text = np.array([word_of(value).strip() for value in column.values.tolist()], dtype=np.str_)
    absent = np.zeros(text.size, np.bool_) if column.missing is None else column.missing
    return np.where(absent, "", text), absent


def _lesion_names(text: Array) -> Array:
    return np.where(np.isin(text, _NO_LESION), "", text)


def _finite(values: Array, name: str) -> Array:
    if not np.isfinite(values).all():
        raise InputError(name, "must be finite numbers", Words("infinite or missing values"), "correct them")
    return values


def _weights(values: Any, name: str, real: Bools) -> Array:
    column = score_column(values, name)
    weight = np.asarray(column.values, np.float64)
    if column.missing is not None and (column.missing & real).any():
        raise MissingValuesError(name, "must not be missing for a lesion", Words("gaps"))
    return np.where(real, weight, 0.0)
