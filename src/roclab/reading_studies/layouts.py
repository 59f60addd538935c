"""Tables of reader studies as other programs write them, and wide ones, as one row per rating.

- MRMCaov: columns reader, treatment (or test, modality), case, truth, rating.
- iMRMC: columns readerID, caseID, modalityID, score; the truth of a case is a row whose reader is "truth" or "-1".
- RJafroc: columns ReaderID, ModalityID, CaseID, LesionID, Rating, Weight, as the sheets of a workbook are read; rows of
  a reader "truth" say which lesions a case has.
- Wide: one row per case, one column per reader and modality.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import close_names
from roclab._core.types import Array
from roclab.errors import InputError, Words, named

__all__ = ["MODALITY_WORDS", "RJAFROC", "TRUTH_WORDS", "Roles", "long_table", "roles_of"]

_IMRMC = ("readerID", "caseID", "modalityID", "score")
RJAFROC = ("ReaderID", "ModalityID", "CaseID", "LesionID", "Rating", "Weight")
MODALITY_WORDS = ("treatment", "test", "modality")
TRUTH_WORDS = ("truth", "-1", "-1.0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """Which column plays which part; ``truth_rows`` when the truth stands in rows of its own."""

    label: str | None
    rating: str | None
    reader: str | None
    modality: str | None
    case: str | None
    subject: str | None = None
    truth_rows: bool = False

    def in_long_table(self) -> Roles:
        """The parts in a table that ``long_table`` made."""
        return Roles(
            label="truth",
            rating="rating",
            reader="reader",
            modality="modality",
            case="case",
            subject=None if self.subject is None else "subject",
        )


def roles_of(
    names: Sequence[str], called: str, given: Roles, rating: str | Mapping[str, Any] | None, subject: str | None
) -> Roles:
    """The parts that the user named, or those of a layout whose columns are all there."""
    nothing = rating is None and all(one is None for one in (given.label, given.reader, given.modality, given.case))
    if nothing and set(_IMRMC) <= set(names):
        return Roles(label=None, rating="score", reader="readerID", modality="modalityID", case="caseID",
                     subject=subject, truth_rows=True)  # fmt: skip
    if nothing and {"reader", "case", "truth", "rating"} <= set(names):
        modality = next((word for word in MODALITY_WORDS if word in names), None)
        return Roles(label="truth", rating="rating", reader="reader", modality=modality, case="case", subject=subject)
    if isinstance(rating, Mapping):
        if given.reader is not None or given.modality is not None:
            raise InputError(
                "rating",
                "says the reader and the modality of every column",
                Words(f"{named('reader')} or {named('modality')} as well"),
                "leave those out",
            )
        lacking = [name for name, one in (("label", given.label), ("case", given.case)) if one is None]
        if lacking == ["case"]:
            lacking = []
    else:
        lacking = [
            name
            for name, one in (
                ("label", given.label), ("rating", rating), ("reader", given.reader), ("case", given.case),
            )
            if one is None
        ]  # fmt: skip
    if lacking:
        raise InputError(
            lacking[0],
            f"must name a column of {called}",
            Words(f"none; there are {', '.join(map(repr, list(names)[:8]))}"),
            f"write {named(lacking[0], lacking[0])}, or use the columns of MRMCaov or iMRMC",
        )
    return Roles(
        label=given.label,
        rating=None if isinstance(rating, Mapping) else rating,
        reader=given.reader,
        modality=given.modality,
        case=given.case,
        subject=subject,
    )


def long_table(columns: Mapping[str, Array], roles: Roles, wide: Mapping[str, Any] | None) -> dict[str, Any]:
    """One row per rating."""
    return _from_truth_rows(columns, roles) if wide is None else _from_wide(columns, roles, wide)


def _from_truth_rows(columns: Mapping[str, Array], roles: Roles) -> dict[str, Any]:
    reader, case = (columns[str(name)].astype(np.str_) for name in (roles.reader, roles.case))
    modality, score = columns[str(roles.modality)].astype(np.str_), columns[str(roles.rating)]
    is_truth = np.isin(np.char.lower(reader), TRUTH_WORDS)
    if not is_truth.any():
        raise InputError(
            "data", "in iMRMC's layout must hold the truth of every case as rows of a reader called 'truth' or -1",
            Words("none"), "add them, or name the columns",
        )  # fmt: skip
    truth = dict(zip(case[is_truth].tolist(), score[is_truth].tolist(), strict=True))
    if len(truth) < int(is_truth.sum()):
        raise InputError("data", "must hold the truth of a case once", Words("several times"), "keep one")
    unknown = [one for one in case[~is_truth].tolist() if one not in truth]
    if unknown:
        raise InputError("data", "must hold the truth of every case", Words(f"none of case {unknown[0]!r}"), "add it")
    out: dict[str, Any] = {
        "truth": [truth[one] for one in case[~is_truth].tolist()],
        "rating": score[~is_truth],
        "reader": reader[~is_truth],
        "modality": modality[~is_truth],
        "case": case[~is_truth],
    }
    if roles.subject is not None:
        out["subject"] = columns[roles.subject][~is_truth]
    return out


def _from_wide(columns: Mapping[str, Array], roles: Roles, wide: Mapping[str, Any]) -> dict[str, Any]:
    parts: dict[str, list[Any]] = {name: [] for name in ("truth", "rating", "reader", "modality", "case")}
    asked = [*wide, roles.label, *([roles.case] if roles.case else []), *([roles.subject] if roles.subject else [])]
    for name in asked:
        if name not in columns:
            raise InputError("rating" if name in wide else "label", "must name columns of the table",
                             Words(f"{name!r}{close_names(name, columns)}"))  # fmt: skip
    n = columns[str(roles.label)].size
    case = np.arange(1, n + 1) if roles.case is None else columns[roles.case]
    subject: list[Any] = []
    for name, who in wide.items():
        both = [who] if isinstance(who, str) else list(who)
        if not 1 <= len(both) <= 2:
            raise InputError("rating", "must map columns to (reader, modality)", who,
                             f"write {named('rating', {'ct_anna': ('anna', 'CT')})}")  # fmt: skip
        parts["truth"].append(columns[str(roles.label)])
        parts["rating"].append(columns[name])
        parts["reader"].append(np.full(n, str(both[0])))
        parts["modality"].append(np.full(n, str(both[1]) if len(both) == 2 else "all"))
        parts["case"].append(case.astype(np.str_))
        if roles.subject is not None:
            subject.append(columns[roles.subject].astype(np.str_))
    out: dict[str, Any] = {name: np.concatenate(values) for name, values in parts.items()}
    return out | ({"subject": np.concatenate(subject)} if subject else {})
