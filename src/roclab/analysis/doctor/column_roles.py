"""What a column could be: label, score, id, fold, group, weight, predictions or date, each with its reason.

A role is a guess from the name and from the values; it is shown and never used. The most plausible stands first: a word
in the name outweighs what values alone allow, because many columns of numbers could be anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.analysis.table_overview import ColumnOverview

__all__ = ["ColumnFinding", "Role", "finding_of", "words_of"]

_WORDS = {
    "label": "outcome label y class target truth status disease diseased diagnosis gold response event death died "
    "actual reference malignant ill case relapse survived",
    "id": "id ids patient subject pid mrn identifier person participant case number nr no key",
    "fold": "fold folds split cv repeat partition resample",
    "group": "site center centre hospital ward sex gender group arm region batch scanner country ethnicity stage",
    "weight": "weight weights w freq frequency",
    "predictions": "pred predicted prediction predictions call calls called decision",
}
_NAMED = {role: frozenset(words.split()) for role, words in _WORDS.items()}
_DATE = re.compile(
    r"\s*(\d{4}-\d{1,2}-\d{1,2}([T ]\d{1,2}:\d{2}.*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4})\s*$"
)  # 2024-05-31, 31.5.2024, 5/31/24
_LOOKED_AT = 1000  # cells that tell a date, or numbers among words
_FEW = 10  # values up to here may be classes or ratings, though they are numbers
_EVEN = 0.5  # folds are about equally large: the smallest at least this share of the largest


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What a column could be, why, and how plausible that is beside other columns."""

    name: str
    reason: str
    plausible: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFinding:
    """A column: what it holds and what it could be, the most plausible first."""

    name: str
    kind: str  # "number", "word", "truth", "date"; "unread" where rows lie elsewhere
    missing: int
    distinct: int
    values: str  # the classes with their counts, or the range
    could_be: tuple[Role, ...]
    remark: str = ""  # what is odd about its cells

    def role(self, name: str) -> Role | None:
        """A role, if the column could be it."""
        return next((one for one in self.could_be if one.name == name), None)

    @property
    def best(self) -> str:
        """The most plausible role."""
        return self.could_be[0].name if self.could_be else "nothing"


def finding_of(seen: ColumnOverview, values: Array | None) -> ColumnFinding:
    """What one column could be; O(rows of the column), and no more than a thousand cells are parsed."""
    kind, remark, roles = seen.kind, "", []
    if values is None:
        return _found(seen, kind, [], "its rows lie elsewhere and were not read")
    if _is_date(values):
        kind, roles = "date", [Role(name="date", reason="every cell is a date", plausible=1.0)]
    elif seen.distinct <= 1:
        why = "it is empty" if seen.distinct == 0 else "every value is the same"
        roles = [Role(name="nothing", reason=why, plausible=0.0)]
    else:
        roles, remark = _roles(seen, values)
    if seen.code is not None:
        code, count = seen.code
        remark = f"{code:g} in {count} row{'s' * (count != 1)} looks like a code for a missing value"
    return _found(seen, kind, roles, remark)


def _found(seen: ColumnOverview, kind: str, roles: list[Role], remark: str) -> ColumnFinding:
    ordered = tuple(sorted(roles, key=lambda one: -one.plausible))
    shown = _values(seen)
    return ColumnFinding(
        name=seen.name, kind=kind, missing=seen.missing, distinct=seen.distinct, values=shown, could_be=ordered,
        remark=remark,
    )  # fmt: skip


def _values(seen: ColumnOverview) -> str:
    if seen.values and len(seen.values) <= 4:
        return ", ".join(f"{value} ({count})" for value, count in seen.values)
    if seen.low is not None and seen.high is not None:
        return f"{seen.low:g} to {seen.high:g}"
    return f"{seen.distinct} different"


def _roles(seen: ColumnOverview, values: Array) -> tuple[list[Role], str]:
    words = words_of(seen.name)
    hints = {role: 0.45 for role, known in _NAMED.items() if words & known}
    found: list[Role] = []

    def add(role: str, reason: str, plausible: float) -> None:
        hint = hints.get(role, 0.0)
        reasons = f"{reason}, and its name says so" if hint else reason
        found.append(Role(name=role, reason=reasons, plausible=plausible + hint))

    if seen.distinct == 2:
        add("label", "it has two values", 0.6 if _is_truth(seen) else 0.5)
        add("group", "it has two values", 0.3)
        if "predictions" in hints:
            add("predictions", "it has two values", 0.6)
    elif "predictions" in hints and seen.is_class:
        add("predictions", f"it has {seen.distinct} values", 0.4)
        add("group", f"it has {seen.distinct} values", 0.3)
    elif seen.kind == "number":
        _roles_of_numbers(seen, values, hints, add)
    else:
        numbers = _numbers_among_words(values)
        if numbers:
            found.append(Role(name="score", reason="most cells are numbers", plausible=0.7))
            return found, numbers
        if seen.is_class:
            add("group", f"it has {seen.distinct} values", 0.5)
            add("label", f"it has {seen.distinct} classes", 0.35)
        if seen.is_key:
            add("id", "every value stands there once", 0.7)
        elif "id" in hints or not seen.is_class:
            add("id", "it has many different words", 0.4)
    return found, ""


def _roles_of_numbers(seen: ColumnOverview, values: Array, hints: dict[str, float], add: Any) -> None:
    whole = _are_whole(values)
    consecutive = whole and seen.is_key and bool(np.all(np.diff(values) == 1))
    add("score", "it holds numbers", 0.3 if consecutive or "id" in hints or "fold" in hints else 0.6)
    if consecutive:
        add("id", "it counts the rows", 0.5)
    elif "id" in hints and "fold" not in hints and whole:
        add("id", "every value stands there once" if seen.is_key else "its values stand there several times", 0.5)
    if whole and seen.distinct <= _FEW:
        add("label", f"it has {seen.distinct} values", 0.2)
        add("group", f"it has {seen.distinct} values", 0.25)
    if whole and seen.distinct <= 20 and _are_folds(values):
        add("fold", f"it counts from {seen.low:g} to {seen.high:g} about equally often", 0.4)
    elif "fold" in hints:
        add("fold", f"it has {seen.distinct} values", 0.2)
    if "weight" in hints and seen.low is not None and seen.low >= 0:
        add("weight", "no value is negative", 0.2)


def words_of(name: str) -> set[str]:
    """The words of a name, whatever joins them: patientId, patient_id, "patient id".

    >>> sorted(words_of("patientId 2"))
    ['2', 'id', 'patient']
    """
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return {word for word in re.split(r"[\W_]+", apart.lower()) if word}


def _is_truth(seen: ColumnOverview) -> bool:
    return seen.kind == "truth" or {value for value, _ in seen.values} == {"0", "1"}


def _are_whole(values: Array) -> bool:
    there = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    return bool(np.all(there == np.floor(there)))


def _are_folds(values: Array) -> bool:
    there = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    labels, counts = np.unique(there, return_counts=True)
    from_start = labels[0] in (0, 1) and np.array_equal(labels, labels[0] + np.arange(labels.size))
    return bool(from_start and labels.size > 2 and counts.min() >= _EVEN * counts.max())


def _is_date(values: Array) -> bool:
    if values.dtype.kind == "M":
        return True
    if values.dtype.kind not in "OU":
        return False
    cells = [value for value in values[:_LOOKED_AT].tolist() if value is not None]
    return bool(cells) and all(hasattr(cell, "isoformat") or bool(_DATE.match(str(cell))) for cell in cells)


def _numbers_among_words(values: Array) -> str:
    """What the cells are that keep a column from being numbers; empty where less than half are numbers."""
    cells = [str(value) for value in values[:_LOOKED_AT].tolist() if value is not None]
    odd = [cell for cell in cells if not _is_number(cell)]
    if 2 * len(odd) >= len(cells):
        return ""
    shown = ", ".join(map(repr, dict.fromkeys(odd).keys()))[:60]
    return f"numbers but for {len(odd)} cell{'s' * (len(odd) != 1)} such as {shown}"


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
