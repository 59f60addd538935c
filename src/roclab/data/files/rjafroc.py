"""Workbooks of RJafroc: a sheet of the marks beside lesions, one of those on lesions, and one of the truth.

The sheets are NL or FP, LL or TP, and TRUTH; capitals do not matter. Ratings of whole cases (paradigm ROC) become a
table of reader, modality, case, truth and rating; marks (FROC) one of ReaderID, ModalityID, CaseID, LesionID, Rating
and Weight, in which rows of the reader "truth" list the lesions, 0 for a case without any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from roclab._core.types import Array
from roclab.data.roles import check_columns
from roclab.errors import FileError, Words

__all__ = ["rjafroc_columns", "study_sheets"]

_SHEETS = {"false": ("NL", "FP"), "true": ("LL", "TP"), "truth": ("TRUTH",)}
_RATINGS = ("RATING", "NL_RATING", "FP_RATING", "LL_RATING", "TP_RATING")
_WHO = ("ReaderID", "ModalityID", "CaseID")
_Sheet = Mapping[str, Array]


def study_sheets(names: Sequence[str]) -> dict[str, str] | None:
    """The three sheets of a study by what they hold, or None where a workbook is something else.

    >>> study_sheets(["Truth", "LL", "NL"])
    {'false': 'NL', 'true': 'LL', 'truth': 'Truth'}
    """
    found = {part: [name for name in names if name.strip().upper() in words] for part, words in _SHEETS.items()}
    return {part: ones[0] for part, ones in found.items()} if all(len(one) == 1 for one in found.values()) else None


def rjafroc_columns(parts: Mapping[str, _Sheet], wanted: list[str] | None, *, where: str) -> dict[str, Array]:
    """The columns of a study from its three sheets; O(rows)."""
    truth, false, true = (parts[name] for name in ("truth", "false", "true"))
    case, lesion = _text(truth, "CaseID", where, "TRUTH"), _text(truth, "LesionID", where, "TRUTH")
    kept = case != ""
    case, lesion = case[kept], lesion[kept]
    weight = _numbers(truth, "Weight", where, "TRUTH")[kept] if "Weight" in truth else np.zeros(case.size)
    false_who, false_rating = _marks(false, where, "NL")
    true_who, true_rating = _marks(true, where, "LL")
    hit = _text(true, "LesionID", where, "LL")
    hit = hit[_text(true, "CaseID", where, "LL") != ""]
    paradigm, design = _paradigm_and_design(truth)
    if paradigm not in ("", "ROC", "FROC"):
        raise FileError(where, "must be a study of the paradigm ROC or FROC", paradigm)
    if paradigm == "ROC" or (not paradigm and _whole_cases(case, lesion, false_who, true_who)):
        ill = {one: kind not in ("", "0") for one, kind in zip(case.tolist(), lesion.tolist(), strict=True)}
        who = [*false_who, *true_who]
        unknown = [one[2] for one in who if one[2] not in ill]
        if unknown:
            raise FileError(where, "must list every case in the sheet TRUTH", Words(f"no case {unknown[0]!r}"))
        columns: dict[str, Array] = {
            "reader": np.array([one[0] for one in who]),
            "modality": np.array([one[1] for one in who]),
            "case": np.array([one[2] for one in who]),
            "truth": np.array([int(ill[one[2]]) for one in who]),
            "rating": np.concatenate([false_rating, true_rating]),
        }
    else:
        _check_crossed(truth, kept, design, where)
        rows = [*false_who, *true_who, *(("truth", "", one) for one in case.tolist())]
        columns = {name: np.array([row[at] for row in rows]) for at, name in enumerate(_WHO)}
        columns["LesionID"] = np.concatenate([np.full(len(false_who), "0"), hit, lesion])
        columns["Rating"] = np.concatenate([false_rating, true_rating, np.full(case.size, np.nan)])
        columns["Weight"] = np.concatenate([np.full(len(false_who) + len(true_who), np.nan), weight])
    check_columns(wanted or (), list(columns), where, FileError)
    return columns if wanted is None else {name: columns[name] for name in wanted}


def _whole_cases(
    case: Array, lesion: Array, false: list[tuple[str, str, str]], true: list[tuple[str, str, str]]
) -> bool:
    """True where every reader rated every case once: negatives in one sheet, positives in the other."""
    ill = {one for one, kind in zip(case.tolist(), lesion.tolist(), strict=True) if kind not in ("", "0")}
    cells = {one[:2] for one in (*false, *true)}
    once = len(set(false)) == len(false) == len(cells) * (len(set(case.tolist())) - len(ill))
    return (
        once
        and len(set(true)) == len(true) == len(cells) * len(ill)
        and not any(one[2] in ill for one in false)
        and len(set(case.tolist())) == case.size
    )


def _paradigm_and_design(truth: _Sheet) -> tuple[str, str]:
    """Paradigm and design, which the newer format writes into the first two cells of a column."""
    if "Paradigm" not in truth:
        return "", ""
    cells = ["" if one is None else str(one).strip().upper() for one in truth["Paradigm"].tolist()[:2]]
    paradigm, design = [*cells, "", ""][:2]
    return ("" if paradigm == "NAN" else paradigm), ("" if design == "NAN" else design)


def _check_crossed(truth: _Sheet, kept: Array, design: str, where: str) -> None:
    """Marks are analysed where every reader searched every case: nobody can tell otherwise who searched what."""
    several = any(name in truth and len(set(map(str, truth[name][kept].tolist()))) > 1 for name in _WHO[:2])
    if several or design not in ("", "FCTRL", "FACTORIAL", "CROSSED"):
        raise FileError(where, "must be a study of marks in which every reader searched every case",
                        Words(design or "cases with readers or modalities of their own"))  # fmt: skip


def _marks(sheet: _Sheet, where: str, kind: str) -> tuple[list[tuple[str, str, str]], Array]:
    who = [_text(sheet, name, where, kind) for name in _WHO]
    kept = np.logical_or.reduce([one != "" for one in who])
    ratings = [name for name in sheet if name.upper() in _RATINGS]
    if len(ratings) != 1:
        raise FileError(where, f"must have one column {kind}_Rating in its sheet {kind}",
                        Words(f"{', '.join(map(repr, sheet))}"))  # fmt: skip
    rating = _numbers(sheet, ratings[0], where, kind)[kept]
    rows = list(zip(*(one[kept].tolist() for one in who), strict=True))
    if any("" in row for row in rows) or np.isnan(rating).any():
        raise FileError(where, f"must name reader, modality, case and rating in every row of its sheet {kind}",
                        Words("an empty cell"), "complete it")  # fmt: skip
    return rows, rating


def _text(sheet: _Sheet, name: str, where: str, kind: str) -> Array:
    """A column as text, whole numbers without a point, and "" where a cell is empty."""
    check_columns([name], list(sheet), f"the sheet {kind} of {where}", FileError)
    out = []
    for one in sheet[name].tolist():
        if one is None or (isinstance(one, float) and one != one):
            out.append("")
        else:
            out.append(str(int(one)) if isinstance(one, float) and one.is_integer() else str(one).strip())
    return np.array(out, dtype=np.str_)


def _numbers(sheet: _Sheet, name: str, where: str, kind: str) -> Array:
    try:
        return np.array([np.nan if one is None else float(one) for one in sheet[name].tolist()])
    except (TypeError, ValueError):
        raise FileError(where, f"must hold numbers in the column {name} of its sheet {kind}", Words("text")) from None
