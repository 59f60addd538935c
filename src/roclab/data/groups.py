"""Groups of cases: which group each case belongs to, and one question asked of every group.

``by=`` is a keyword of every verb. Most verbs know nothing of it: the door splits what they were given, rows with rows,
and asks the verb once for every group. Areas answer for all groups at once (``analysis/group_areas.py``).
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from roclab._core.checks import plural
from roclab._core.natural_order import natural_key
from roclab._core.types import Array, Bools, Ints
from roclab.data.arrays import complete_rows, natural
from roclab.data.cases import Cases
from roclab.data.columns import as_array, is_frame, label_column
from roclab.data.labels import word_of
from roclab.data.remote import RemoteCases
from roclab.data.table import FrameTable, MappingTable, SourceTable, Table, reading_of, table_of
from roclab.errors import InputError, Words, named
from roclab.options.follow_up import is_survival
from roclab.results import ByGroup, Result

__all__ = [
    "Groups",
    "are_names",
    "ask_each_group",
    "group_names",
    "groups_of_distinct",
    "groups_of_values",
    "has_both_classes",
    "joined_columns",
    "parts_by_group",
    "with_group_names",
    "without_groups",
]

_ROW_KEYWORDS = ("sample_weight", "ids", "folds", "group", "time", "event")
_MANY = 200_000  # groups: more are a mistake, such as a column of identifiers


class Groups(NamedTuple):
    """Names of the groups in order, and the number of each case's group."""

    names: list[str]
    codes: Ints

    def rows(self) -> list[Ints]:
        """Positions of the cases of each group, in their own order."""
        order = np.argsort(self.codes, kind="stable")
        sizes = np.bincount(self.codes, minlength=len(self.names))
        return np.split(order, np.cumsum(sizes)[:-1])


def groups_of_values(values: Array) -> Groups:
    """Groups in sorted order, whatever the order of the cases; O(n + k log k) for k groups.

    Words are sorted as people read them, ward 2 before ward 10.

    >>> groups_of_values(np.array(["b", "a", "b"]))
    Groups(names=['a', 'b'], codes=array([1, 0, 1]))
    """
    if values.dtype.kind in "biu" and values.size:
        low, high = int(values.min()), int(values.max())
        if high - low <= 4 * values.size:  # numbers close together need no sort
            seen = np.bincount(values.astype(np.int64) - low)
            place = np.cumsum(seen > 0) - 1
            return Groups([word_of(at + low) for at in np.flatnonzero(seen).tolist()], place[values - low])
    if values.dtype.kind in "f":
        distinct, codes = np.unique(values, return_inverse=True)
        return Groups([word_of(one) for one in distinct.tolist()], codes)
    every = values.tolist()
    seen_words = dict.fromkeys(every)
    words = all(isinstance(one, str) for one in seen_words)
    try:
        ordered = sorted(seen_words, key=natural_key) if words else sorted(seen_words)
    except TypeError:  # objects of several kinds have no order but that of their names
        ordered = sorted(seen_words, key=lambda one: natural_key(word_of(one)))
    code = {value: at for at, value in enumerate(ordered)}
    return Groups([word_of(one) for one in ordered], np.fromiter(map(code.__getitem__, every), np.int64, len(every)))


def joined_columns(columns: Sequence[Array]) -> Array:
    """Several columns as one: groups are then every combination that occurs."""
    if len(columns) == 1:
        return columns[0]
    texts = [[word_of(value) for value in column.tolist()] for column in columns]
    return np.array([", ".join(parts) for parts in zip(*texts, strict=True)], np.object_)


def groups_of_distinct(columns: Mapping[str, Any], by: Sequence[str]) -> tuple[Groups, Bools]:
    """Groups of distinct values of columns, named as those of all rows would be, and which of them are there."""
    values = joined_columns([label_column(columns[name], name).values for name in by])
    column = label_column(values, ", ".join(by))
    there = np.ones(column.values.size, np.bool_) if column.missing is None else ~column.missing
    return groups_of_values(natural(column.values[there])), there


def ask_each_group(
    function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> ByGroup | None:
    """The answers of a verb for every group, or None when no groups were asked for.

    A group that cannot be answered, for lack of a class or of cases, is passed over and named with the reason; only
    when no group can be answered is the first reason an error.
    """
    by = keywords.pop("by", None)
    first = arguments[0] if arguments else keywords.get(_places(function)[0])
    grouped = first if isinstance(first, Cases) and first.groups is not None else None
    if by is None and grouped is None:
        return None
    arguments = _data_in_places(function, arguments, keywords)
    if by is None and grouped is not None and grouped.groups is not None:
        called, parts = grouped.grouped_by, _parts_of_cases(grouped, grouped.groups, arguments)
    elif isinstance(first, Cases):
        called, parts = _parts_of_grouped_cases(first, by, arguments)
    else:
        called, parts = _parts(by, arguments, keywords)
    answers: dict[str, Result] = {}
    skipped: dict[str, str] = {}
    error: InputError | None = None
    for name, own_arguments, own_keywords in parts:
        try:
            answers[name] = function(*own_arguments, **{**keywords, **own_keywords})
        except InputError as reason:
            error = error or reason
            skipped[name] = str(reason).rstrip(".")
    if not answers:
        assert error is not None
        raise error.inside(f"{called} {next(iter(skipped))}")
    # The curves of several scores are a mapping, which has no question to groups.
    between = getattr(type(next(iter(answers.values()))), "_between_groups", None)
    return ByGroup(by=called, results=answers, skipped=skipped, tests=() if between is None else between(answers))


@functools.cache
def _places(function: Callable[..., Any]) -> list[str]:
    """Names of the arguments that have a place."""
    every = inspect.signature(function).parameters.values()
    return [one.name for one in every if one.kind is one.POSITIONAL_OR_KEYWORD]


def _data_in_places(
    function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[Any, ...]:
    """Data that were given by name, moved to their places: what has a place in a verb is data, and is split."""
    places = _places(function)
    named_data = [name for name in places[len(arguments) :] if keywords.get(name) is not None]
    if not named_data:
        return arguments
    last = places.index(named_data[-1])
    return (*arguments, *(keywords.pop(name, None) for name in places[len(arguments) : last + 1]))


_Part = tuple[str, tuple[Any, ...], dict[str, Any]]


def _parts_of_cases(cases: Cases, groups: Array, arguments: tuple[Any, ...]) -> list[_Part]:
    parts = parts_by_group(replace(cases, groups=groups) if cases.groups is None else cases)
    return [(name, (part, *arguments[1:]), {}) for name, part in parts.items()]


def parts_by_group(cases: Cases) -> Mapping[str, Cases]:
    """The cases of every group, by its name; those of an engine are parts of their source."""
    if isinstance(cases, RemoteCases):
        return cases.by_group()
    assert cases.groups is not None
    found, whole = groups_of_values(cases.groups), without_groups(cases)
    return {name: whole.only(rows) for name, rows in zip(found.names, found.rows(), strict=True)}


def group_names(cases: Cases) -> list[str]:
    """Names of the groups, in order."""
    if isinstance(cases, RemoteCases):
        return list(cases.groups.names)  # type: ignore[union-attr]
    return groups_of_values(np.asarray(cases.groups)).names


def with_group_names(cases: Cases, new: Mapping[str, str]) -> Cases:
    """The same cases whose groups have other names."""
    if isinstance(cases, RemoteCases):
        return cases.with_group_names(new)
    assert cases.groups is not None
    return replace(cases, groups=np.array([new[word_of(group)] for group in cases.groups.tolist()], dtype=object))


def without_groups(cases: Cases) -> Cases:
    """All cases as one."""
    if isinstance(cases, RemoteCases):
        return cases.without_groups()
    return cases if cases.groups is None else replace(cases, groups=None, grouped_by="")


def has_both_classes(cases: Cases) -> bool:
    """Whether there are positives and negatives."""
    if isinstance(cases, RemoteCases):
        sample = cases.sample(cases.names[0])
        return sample.n_pos > 0 and sample.n_neg > 0
    return 0 < int(np.count_nonzero(cases.label)) < len(cases)


def _parts_of_grouped_cases(cases: Cases, by: Any, arguments: tuple[Any, ...]) -> tuple[str, list[_Part]]:
    if isinstance(by, str):
        raise InputError(
            "by", "names a column of a table", Words("cases"), f"give it to read_cases, or an array with {named('by')}"
        )
    if isinstance(cases, RemoteCases):
        raise InputError("by", "must name a column of data that lie elsewhere", Words("values in memory"))
    groups = natural(as_array(by, "by"))
    _check_length(groups.size, len(cases))
    return "group", _parts_of_cases(cases, groups, arguments)


def _parts(by: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[str, list[_Part]]:
    """Rows of a table or of arrays, split by a column or an array."""
    table = table_of(arguments[0], **reading_of(keywords)) if arguments and len(arguments) == 1 else None
    names = [by] if isinstance(by, str) else list(by) if are_names(by) else []
    if table is None and names:
        raise InputError(
            "by", "names a column of a table", Words("arrays"), "pass the groups themselves, one for every case"
        )
    if isinstance(table, SourceTable) and table.remote:
        return _parts_of_source(table, names, keywords)
    if table is not None:
        every = _columns(table, keywords)
        if names:
            for name in names:
                if name not in every:
                    table.columns([name])  # says which columns there are
            values = joined_columns([label_column(every[name], name).values for name in names])
        else:
            values = as_array(by, "by")
            _check_length(values.size, next(iter(every.values())).size)
        for name in ("sheet", "delimiter", "decimal", "header_row", "na"):
            keywords.pop(name, None)
        words = {name: table.value_labels(name) for name in [keywords.get("label")] if isinstance(name, str)}
    else:
        values, every, words = as_array(by, "by"), {}, {}
    called = ", ".join(names) or "group"
    column = label_column(values, called)
    keep = complete_rows([(called, column)], keywords.get("missing", "error"))
    places = None if keep is None else np.flatnonzero(keep)
    groups = groups_of_values(natural(column.values if keep is None else column.values[keep]))
    if len(groups.names) > _MANY:
        raise InputError(
            "by", f"must make at most {_MANY:,} groups", Words(f"{len(groups.names):,}"), "name another column"
        )
    parts: list[_Part] = []
    for name, within in zip(groups.names, groups.rows(), strict=True):
        rows = within if places is None else places[within]
        if table is None:
            own = tuple(_rows_of(argument, rows, values.size) for argument in arguments)
        else:
            split = {key: column[rows] for key, column in every.items()}
            own = (MappingTable(split, called=table.called, printed_labels=table.printed_labels, words=words),)
        parts.append((name, own, _row_keywords(keywords, rows)))
    return called, parts


def _parts_of_source(table: SourceTable, names: list[str], keywords: dict[str, Any]) -> tuple[str, list[_Part]]:
    """Parts of a source whose rows stay where they are."""
    if not names:
        raise InputError("by", "must name a column of data that lie elsewhere", Words("values in memory"))
    given = [keywords.get(name) for name in ("label", "score", "sample_weight", "ids", "folds")]
    known = isinstance(given[0], str) and given[1] is not None
    flat = [one for part in given for one in (part if isinstance(part, list | tuple) else [part])]
    wanted = [one for one in flat if isinstance(one, str)] if known else None
    # Looked up by name: engines know the way in, the way in only offers them what they can count.
    engines = importlib.import_module("roclab.engines.group_counts")
    called, parts = engines.parts_of_source(table, names, wanted=wanted, missing=keywords.get("missing", "error"))
    return called, [(name, (part,), {"engine": part.reading.engine, "sheet": part.reading.sheet})
                    for name, part in parts]  # fmt: skip


def _columns(table: Table, keywords: Mapping[str, Any]) -> dict[str, Array]:
    score = keywords.get("score")
    numeric = [score] if isinstance(score, str) else list(score or ())
    numeric += [one for one in (keywords.get("sample_weight"), keywords.get("time")) if isinstance(one, str)]
    every = table.columns(numeric=numeric)
    lacking = [name for name in numeric if name not in every]
    if lacking:
        table.columns(lacking)  # says which columns there are
    return {name: as_array(values, name) for name, values in every.items()}


def are_names(by: Any) -> bool:
    """True for a list of columns whose combinations make the groups, which no array of groups looks like."""
    return isinstance(by, list | tuple) and len(by) < 10 and all(isinstance(one, str) for one in by)


def _row_keywords(keywords: Mapping[str, Any], rows: Ints) -> dict[str, Any]:
    given = {name: keywords.get(name) for name in _ROW_KEYWORDS}
    split = {
        name: as_array(value, name)[rows]
        for name, value in given.items()
        if value is not None and not isinstance(value, str | int)  # names of columns, and a number of folds
    }
    if keywords.get("censoring") is not None:
        split["censoring"] = _rows_of_each(keywords["censoring"], rows)
    return split


def _rows_of_each(value: Any, rows: Ints) -> Any:
    """The rows of all arrays in what the censoring depends on; names of columns as they are."""
    if isinstance(value, str) or are_names(value):
        return value
    if isinstance(value, Mapping):
        return {name: _rows_of_each(one, rows) for name, one in value.items()}
    if isinstance(value, Sequence) and len(value) and np.ndim(value[0]) > 0:
        return [_rows_of_each(one, rows) for one in value]
    return np.asarray(value)[rows]


def _rows_of(value: Any, rows: Ints, length: int) -> Any:
    """The rows of an array, or of every column of a mapping or frame."""
    if value is None:
        return None
    if isinstance(value, Mapping) or is_frame(value):
        columns = FrameTable(value).columns() if is_frame(value) else value
        return {str(name): _rows_of(column, rows, length) for name, column in columns.items()}
    if is_survival(value):
        array = value
    else:
        array = np.asarray(value) if np.ndim(value) == 2 else as_array(value, "by")
    _check_length(length, len(array))
    return array[rows]


def _check_length(groups: int, cases: int) -> None:
    if groups != cases:
        raise InputError(
            "by",
            "must name the group of every case",
            Words(f"{plural(groups, 'value')} for {plural(cases, 'case')}"),
            "check that both come from the same cases",
        )
