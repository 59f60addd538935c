"""Cases that were followed, from arrays or tables: times, coded events, scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, plural
from roclab._core.types import Array, Bools, Floats, Ints
from roclab.analysis.follow_up.censoring import CENSORING, Censoring, censoring_asked, model_of
from roclab.censoring.follow_up import CENSORED, FollowUp
from roclab.data.columns import as_array, is_frame, score_column
from roclab.data.groups import are_names, groups_of_values, joined_columns
from roclab.data.read import are_counts, read_columns
from roclab.data.table import refuse_reading
from roclab.errors import InputError, MissingValuesError, Words, named
from roclab.names import MISSING, Direction
from roclab.options.data import ReadingKeywords
from roclab.options.follow_up import FollowUpOptions, is_survival
from roclab.options.group import given_of

__all__ = ["Followed", "read_followed", "survival_of"]

_TAKEN = {
    "score",
    "sample_weight",
    "ids",
    "direction",
    "missing",
    "by",
}  # of the keywords of data; the others are refused


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Followed:
    """Cases that were followed, with their scores turned so that higher means the event."""

    follow_up: FollowUp
    scores: Mapping[str, Floats]
    directions: Mapping[str, Direction]
    cause: str  # the event asked about, as the user calls it
    others: tuple[str, ...]  # competing events
    subjects: Ints | None
    dropped: int
    landmark: float | None = None
    groups: Array | None = None  # of every case, by which questions are asked apart
    grouped_by: str = ""

    def only(self, rows: Bools | Ints, *, start: float | None = None) -> Followed:
        """Some of the cases, the clock of theirs started later where that is said."""
        return replace(
            self,
            follow_up=self.follow_up.only(rows, start=start or 0.0),
            scores={name: values[rows] for name, values in self.scores.items()},
            subjects=None if self.subjects is None else np.unique(self.subjects[rows], return_inverse=True)[1],
            landmark=self.landmark if start is None else start,
            groups=None if self.groups is None else self.groups[rows],
        )

    def beyond(self, start: float) -> Bools:
        """Who is followed beyond a landmark."""
        rows: Bools = self.follow_up.time > start
        if not rows.any():
            longest = float(self.follow_up.time.max())
            raise InputError("landmark", f"must be below the longest follow-up, {longest:g}", start)
        return rows

    def by_group(self) -> dict[str, Followed]:
        """The cases of each group, which each have a censoring of their own."""
        assert self.groups is not None
        found = groups_of_values(self.groups)
        whole = replace(self, groups=None)
        return {name: whole.only(rows) for name, rows in zip(found.names, found.rows(), strict=True)}


def read_followed(
    y_true: Any, y_score: Any, asked: Mapping[str, Any], options: FollowUpOptions, *, verb: str | None = None
) -> Followed:
    """The cases of a table (``time=``, ``event=`` and ``score=`` name columns), or of arrays.

    ``verb`` names a question of one landmark, whose clock is started here.
    """
    _refuse_others(asked)
    start = None if verb is None else options.one_landmark(verb)
    y_true = _named_fields(y_true)
    missing = asked.get("missing") or "error"
    check_choice(missing, "missing", MISSING)
    censoring = censoring_asked(options.censoring)
    if isinstance(options.time, str) or isinstance(options.event, str):
        if y_score is not None:
            raise InputError(
                "y_score",
                "has no part beside columns of a table",
                Words("scores"),
                f"name their column by {named('score')}",
            )
        columns = _of_table(y_true, asked, options, censoring)
    else:
        columns = _of_arrays(y_true, y_score, asked, options, censoring)
    keep = _complete(columns, missing)
    if not keep.all():
        columns = {name: values[keep] for name, values in columns.items()}
    dropped = int(np.count_nonzero(~keep))
    time = _times(columns.pop("time"))
    code, cause, others = _codes(columns.pop("event"), options)
    weight = columns.pop("weight", None)
    ids = columns.pop("ids", None)
    covariates = {
        name.removeprefix(CENSORING): columns.pop(name) for name in list(columns) if name.startswith(CENSORING)
    }
    grouping = {name.removeprefix(_BY): columns.pop(name) for name in list(columns) if name.startswith(_BY)}
    scores = {name.removeprefix("score "): np.asarray(values, dtype=np.float64) for name, values in columns.items()}
    follow_up = FollowUp(
        time=time, event=code, weight=None if weight is None else _weights(weight),
        model=model_of(censoring, covariates),
    )  # fmt: skip
    directions = _directions(asked.get("direction"), scores)
    turned = {name: values if directions[name] == "higher" else -values for name, values in scores.items()}
    found = Followed(
        follow_up=follow_up, scores=turned, directions=directions, cause=cause, others=others,
        subjects=None if ids is None else _subjects(ids), dropped=dropped,
        groups=joined_columns(list(grouping.values())) if grouping else None, grouped_by=", ".join(grouping),
    )  # fmt: skip
    return found if start is None else found.only(found.beyond(start), start=start)


_BY = "group "


def _named_fields(data: Any) -> Any:
    """A frame of nothing but events and times as the structured array that it stands for."""
    if not is_frame(data) or len(getattr(data, "columns", ())) != 2:
        return data
    import narwhals as nw

    frame = nw.from_native(data, eager_only=True)
    kinds = {name: frame[name].to_numpy().dtype.kind for name in frame.columns}
    events = [name for name, kind in kinds.items() if kind == "b"]
    times = [name for name, kind in kinds.items() if kind in "iuf"]
    if len(events) != 1 or len(times) != 1:
        return data
    made = np.empty(len(frame), dtype=[("event", np.bool_), ("time", np.float64)])
    made["event"], made["time"] = frame[events[0]].to_numpy(), frame[times[0]].to_numpy()
    return made


def survival_of(data: Any) -> tuple[Array, Array] | None:
    """Times and events of scikit-survival's kind of array, or of a frame of these two; None for other data."""
    y_true = _named_fields(data)
    if not is_survival(y_true):
        return None
    kinds = {y_true.dtype[name].kind: name for name in y_true.dtype.names}
    if len(y_true.dtype.names) > 2:
        raise InputError(
            "y_true", "has late entry (left truncation), which is not supported",
            Words(f"fields {', '.join(y_true.dtype.names)}"),
            "areas would count only those who lived to enter; use landmark= at a time when all had entered",
        )  # fmt: skip
    if set(kinds) != {"b", "f"}:
        raise InputError(
            "y_true", "must have one field of events (True, False) and one of times",
            Words(f"fields {', '.join(y_true.dtype.names)}"), "as scikit-survival's Surv.from_arrays makes them",
        )  # fmt: skip
    return y_true[kinds["f"]], y_true[kinds["b"]]


def _refuse_others(asked: Mapping[str, Any]) -> None:
    known = {*_TAKEN, *ReadingKeywords.__annotations__, *FollowUpOptions.__dataclass_fields__}
    words = {
        "label": "says what happened, and so does event; give one of them",
        "pos_label": "belongs to classes; cause= says which event is asked about",
        "folds": "has no part in areas over time yet; leave it out",
    }
    for name, value in asked.items():
        if value is None or name in known:
            continue
        rule, _, way_out = words.get(name, "has no part in questions of time to event; leave it out").partition("; ")
        raise InputError(name, rule, value if isinstance(value, str | int | float) else Words("a value"), way_out)


def _of_table(
    data: Any, asked: Mapping[str, Any], options: FollowUpOptions, censoring: Censoring | None
) -> dict[str, Array]:
    for name, value in (("time", options.time), ("event", options.event)):
        if not isinstance(value, str):
            got = Words("none") if value is None else value
            raise InputError(name, "must name a column of the table", got, f"write {named(name, name)} for instance")
    if are_counts(data):
        raise InputError("y_true", "must be cases", Words("counts"), "times belong to single cases")
    scores = asked.get("score")
    if scores is None:
        raise InputError("score", "must name a column of the table", Words("none"), "name the score to judge")
    names = [scores] if isinstance(scores, str) else list(scores)
    parts = (("weight", "sample_weight"), ("ids", "ids"))
    given = {part: asked[keyword] for part, keyword in parts if asked.get(keyword) is not None}
    further = {part: column for part, column in given.items() if isinstance(column, str)}
    numeric = [options.time, *names, *([further["weight"]] if "weight" in further else [])]
    by = asked.get("by")
    grouped = [by] if isinstance(by, str) else list(by or ()) if are_names(by) else []
    others = [*further.values(), *grouped, *([] if censoring is None else censoring.columns)]
    read = read_columns(
        data, list(dict.fromkeys([options.time, options.event, *names, *others])), numeric=numeric, needed=[],
        **given_of(asked, ReadingKeywords),
    )  # fmt: skip
    return _of_one_length({
        **({} if censoring is None else censoring.read(read.values)),
        **({f"{_BY}{name}": read[name] for name in grouped} if grouped or by is None else {
            f"{_BY}group": as_array(by, "by")}),
        "time": read[options.time], "event": read[options.event],
        **{part: read[column] for part, column in further.items()},
        **{part: as_array(values, part) for part, values in given.items() if part not in further},
        **{f"score {name}": read[name] for name in names},
    })  # fmt: skip


def _of_arrays(
    y_true: Any, y_score: Any, asked: Mapping[str, Any], options: FollowUpOptions, censoring: Censoring | None
) -> dict[str, Array]:
    refuse_reading(given_of(asked, ReadingKeywords))
    time, event = options.time, options.event
    survival = survival_of(y_true)
    if survival is not None:
        time, event = survival
        given = y_score
    elif time is None and event is None:
        first = next(name for name in FollowUpOptions.__dataclass_fields__ if getattr(options, name) is not None)
        raise InputError(first, "is for time to event", way_out="give time and event too, or leave it out")
    elif time is None or event is None:
        lacking = "time" if time is None else "event"
        raise InputError(lacking, "must be given for time to event", Words("none"), "give time and event of every case")
    else:
        given = y_true if y_score is None else y_score
    if given is None:
        raise InputError("y_score", "must hold a score for every case", Words("none"))
    if is_frame(given):
        import narwhals as nw

        frame = nw.from_native(given, eager_only=True)
        given = {name: frame[name].to_native() for name in frame.columns}
    named_scores = dict(given) if isinstance(given, Mapping) else {"score": given}
    columns = {
        "time": as_array(time, "time"), "event": as_array(event, "event"),
        **{f"score {name}": score_column(values, str(name)).values for name, values in named_scores.items()},
    }  # fmt: skip
    for part, keyword in (("weight", "sample_weight"), ("ids", "ids")):
        if asked.get(keyword) is not None:
            columns[part] = as_array(asked[keyword], keyword)
    if censoring is not None:
        columns |= censoring.read(named_scores)
    if asked.get("by") is not None:
        if isinstance(asked["by"], str) or are_names(asked["by"]):
            raise InputError("by", "names a column of a table", Words("arrays"),
                             "pass the groups themselves, one for every case")  # fmt: skip
        columns[f"{_BY}group"] = as_array(asked["by"], "by")
    return _of_one_length(columns)


def _of_one_length(columns: dict[str, Array]) -> dict[str, Array]:
    if len({values.size for values in columns.values()}) > 1:
        shown = ", ".join(f"{values.size} of {name}" for name, values in columns.items())
        raise InputError("", "times, events and scores must be of one length", Words(shown), "one value for every case")
    return columns


def _gaps(values: Array) -> Bools:
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind == "O":
        return np.array([value is None or value != value for value in values], dtype=np.bool_)
    return np.zeros(values.size, dtype=np.bool_)


def _complete(columns: Mapping[str, Array], missing: str) -> Bools:
    keep = np.ones(next(iter(columns.values())).size, dtype=np.bool_)
    for name, values in columns.items():
        gaps = _gaps(values)
        if gaps.any() and missing == "error":
            raise MissingValuesError(
                name.removeprefix("score "), "must not be missing",
                Words(f"{plural(int(gaps.sum()), 'gap')} in {values.size} cases"),
                "use missing='drop', which leaves them out before the censoring is estimated",
            )  # fmt: skip
        keep &= ~gaps
    if not keep.any():
        raise InputError("missing", "leaves no case", Words("gaps in every one"), "check the columns")
    return keep


def _times(values: Array) -> Floats:
    if values.dtype.kind in "mM":
        raise InputError("time", "must be a duration", Words("dates"), "subtract the start of follow-up first")
    time = score_column(values, "time").values.astype(np.float64)
    if not np.isfinite(time).all():
        raise InputError("time", "must be finite", Words("an infinite one"))
    if (time < 0).any():
        row = int(np.argmax(time < 0))
        raise InputError(
            "time", "must not be negative", Words(f"{time[row]:g} in row {row + 1}"),
            "correct it, or give landmark= if the clock starts later",
        )  # fmt: skip
    return time


def _plain(value: Any) -> Any:
    """A code as it is compared: 1, 1.0 and True are one code, and a number in text is its own."""
    item = value.item() if isinstance(value, np.generic) else value
    return int(item) if isinstance(item, bool) or (isinstance(item, float) and item.is_integer()) else item


def _listed(given: Any) -> list[Any]:
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray | set | frozenset):
        return [_plain(given)]
    return [_plain(value) for value in given]


def _distinct(values: Array) -> tuple[list[Any], Ints]:
    """Distinct codes, and where each case's is among them."""
    if values.dtype.kind == "b":
        return [False, True], values.astype(np.intp)
    if values.dtype.kind in "iu" and values.size:
        low, high = int(values.min()), int(values.max())
        if high - low < 1000:  # a few whole numbers need no sort
            seen = np.flatnonzero(np.bincount(values - low))
            place = np.zeros(high - low + 1, dtype=np.intp)
            place[seen] = np.arange(seen.size)
            return (seen + low).tolist(), place[values - low]
    if values.dtype.kind in "iufUS":
        distinct, inverse = np.unique(values, return_inverse=True)
        return distinct.tolist(), inverse
    every = values.tolist()
    numbers = {value: at for at, value in enumerate(dict.fromkeys(every))}
    return list(numbers), np.fromiter((numbers[value] for value in every), np.intp, len(every))


def _codes(values: Array, options: FollowUpOptions) -> tuple[Ints, str, tuple[str, ...]]:
    """0 censored, 1 the cause, 2 another event; nothing is guessed of codes that are neither named nor 0 and 1."""
    distinct, place = _distinct(values)
    found = [_plain(value) for value in distinct]
    known = sorted(set(found), key=str)
    shown = ", ".join(map(repr, known))
    censored = _listed(options.censored) or [0]
    cause = _plain(options.cause) if options.cause is not None else 1
    if options.cause is None and 1 not in known:
        raise InputError("event", f"holds {shown}", Words("no cause"), f"say which is asked about: {named('cause')}")
    if cause not in known:
        raise InputError("cause", f"must be one of the codes of event ({shown})", cause)
    if cause in censored:
        raise InputError("cause", "must be an event", Words(f"{cause!r}, the code of censoring"), "name the event")
    others = _listed(options.competing)
    for code in others:
        if code not in known:
            raise InputError("competing", f"must be codes of event ({shown})", code)
    unnamed = [code for code in known if code != cause and code not in censored and code not in others]
    if unnamed:
        raise InputError(
            "event", f"holds {shown}", Words(f"{', '.join(map(repr, unnamed))} unexplained"),
            f"say what they are: {named('cause', cause)}, {named('competing')} and {named('censored')}",
        )  # fmt: skip
    meaning = {cause: 1, **dict.fromkeys(censored, CENSORED), **dict.fromkeys(others, 2)}
    return np.array([meaning[value] for value in found], dtype=np.intp)[place], str(cause), tuple(map(str, others))


def _weights(values: Array) -> Floats:
    weight = score_column(values, "sample_weight").values.astype(np.float64)
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any()):
        raise InputError("sample_weight", "must be 0 or above, and finite", Words("others"))
    return weight


def _subjects(ids: Array) -> Ints | None:
    _, numbers = np.unique(ids.astype(str), return_inverse=True)
    return None if int(numbers.max()) + 1 == numbers.size else numbers


def _directions(asked: Any, scores: Mapping[str, Floats]) -> dict[str, Direction]:
    given: Mapping[str, Any] = asked if isinstance(asked, Mapping) else dict.fromkeys(scores, asked or "higher")
    directions: dict[str, Direction] = dict.fromkeys(scores, "higher")
    for name, value in given.items():
        if name not in scores:
            raise InputError("direction", f"must name scores ({', '.join(scores)})", name)
        check_choice(value, "direction", ("higher", "lower"))
        directions[name] = value
    return directions
