"""``doctor``: what a table holds and what to ask it first."""

from __future__ import annotations

import os
from typing import Any, Unpack

from roclab._core.types import Array
from roclab.analysis.doctor.column_roles import ColumnFinding, finding_of
from roclab.analysis.doctor.diagnosis import Diagnosis, Step
from roclab.analysis.doctor.first_try import FirstTry, first_try, needs_no_mention
from roclab.analysis.doctor.follow_up import FollowedTry, followed_try, with_role
from roclab.analysis.doctor.traps import Trap, are_probabilities, traps_of
from roclab.analysis.table_overview import held_table, printed
from roclab.data.files.postgres import shown_address
from roclab.data.roles import check_columns
from roclab.data.table import FileTable, MappingTable
from roclab.data.verbs import reader
from roclab.errors import InputError, Words, named
from roclab.options.data import ReadingKeywords

__all__ = ["doctor"]


@reader(positive="pos_label")
def doctor(
    data: Any, *, label: str | None = None, pos_label: Any = None, **reading: Unpack[ReadingKeywords]
) -> Diagnosis:
    """What every column of a table is and could be, what to beware of, and what to type next.

    Nothing of it is used by another question: it is a guess with its reasons, to be confirmed by naming columns.

    Parameters
    ----------
    data : data frame, mapping of names to columns, or path of a file
    label : str, optional
        The column with the classes, if it is known; else the most plausible is tried.
    pos_label : optional
        The positive class, if it is known.

    Returns
    -------
    Diagnosis
        One row per column, traps, and lines to type; ``commands("command line")`` has them for the shell.

    Notes
    -----
    Traps: one class, more than two, several columns that could be the label, codes such as -99, words among numbers,
    repeated ids, gaps, few cases, an AUC below one half or without an error, and folds on different scales. O(n log n)
    a column.

    Examples
    --------
    >>> import roclab as rl
    >>> table = {"ill": [1, 0, 1, 0, 1], "crp": [12.5, 3.1, 7.0, 8.2, -99], "seen": ["2024-05-01"] * 5}
    >>> found = rl.doctor(table)
    >>> [(one.name, one.best) for one in found.columns]
    [('ill', 'label'), ('crp', 'score'), ('seen', 'date')]
    >>> [trap.text for trap in found.traps][0]
    '-99 in 1 row looks like a code for a missing value'
    >>> found.commands()[0]
    "rl.auc(data, label='ill', score='crp', na=-99, missing='drop')"
    """
    held = held_table(data, **reading)
    seen = held.overview
    if label is not None:
        check_columns([label], [column.name for column in seen.columns], seen.called)
    elif pos_label is not None:
        raise InputError("pos_label", f"needs {named('label')}", Words("none"), f"write {named('label', 'outcome')}")
    values: dict[str, Array] = dict(held.table.data) if isinstance(held.table, MappingTable) else {}
    columns = tuple(finding_of(column, values.get(column.name)) for column in seen.columns)
    by_print = isinstance(held.table, MappingTable) and held.table.printed_labels
    positive = None if pos_label is None else str(pos_label)
    followed = followed_try(columns, seen.columns, values)
    if followed is not None:
        columns = tuple(with_role(column, followed) for column in columns)
    tried = first_try(columns, seen.columns, label=label, positive=positive, followed=followed)
    if positive is not None and tried.classes and positive not in tried.classes:
        raise InputError("pos_label", f"must be a value of {label}", pos_label, f"it has {', '.join(tried.classes)}")
    notes = seen.notes
    if seen.elsewhere:
        notes = (*notes, "The rows stay where they are: only the columns are named here.")
        traps: list[Trap] = []
    else:
        traps = traps_of(columns, tried, values)
    return Diagnosis(
        called=seen.called,
        cases=seen.rows_read,
        columns=columns,
        tried=tried,
        traps=tuple(traps),
        steps=tuple(_steps(tried, traps, values, columns, {**reading}, by_print)),
        data=_place(data),
        notes=notes,
    )


def _place(data: Any) -> str:
    """How a line to type names the table."""
    place = data.shown or data.path if isinstance(data, FileTable) else data
    return shown_address(os.fspath(place)) if isinstance(place, str | os.PathLike) else "data"


def _steps(
    tried: FirstTry,
    traps: list[Trap],
    values: dict[str, Array],
    columns: tuple[ColumnFinding, ...],
    reading: dict[str, Any],
    by_print: bool,
) -> list[Step]:
    """Questions in the order in which they are usually asked; the first three are the lines to type."""
    ready = [score for score in tried.scores if score in values and values[score].dtype.kind in "iuf"]
    if tried.followed is not None and tried.label in (None, tried.followed.event) and ready:
        return _of_followed(tried.followed, ready, values, columns, reading, by_print)
    if tried.label is None or not ready or len(tried.classes) < 2:
        return []
    several = len(tried.classes) > 2
    common: dict[str, Any] = {"label": tried.label}
    if not several and not needs_no_mention(tried.classes, tried.positive):
        common["pos_label"] = _as_it_stands(tried.positive, values[tried.label], by_print)
    asked = [trap for trap in traps if trap.column in {tried.label, ready[0]}]
    settled = {trap.keyword: trap.value for trap in asked if trap.keyword in ("na", "missing")}
    if "na" in settled:
        settled["missing"] = "drop"
    repeated = {"ids": tried.id} if any(trap.keyword == "ids" for trap in traps) else {}
    folded = {"folds": tried.fold} if tried.fold is not None else {}
    own = {**settled, **reading}
    if several:
        first = _as_it_stands(tried.classes[0], values[tried.label], by_print)
        return _of_classes(tried, first, ready, common, own)
    one: dict[str, Any] = {**common, "score": ready[0], **repeated}
    found = [Step(verb="auc", keywords={**one, **folded, **own}, answers="how well a score tells the classes apart")]
    if len(ready) > 1:
        pair = {**common, "score": ready[:2], **repeated, **folded, **reading}
        gaps = any(column.missing for column in columns if column.name in {tried.label, *ready[:2]})
        pair |= {"missing": "drop"} if gaps or "missing" in own else {}
        pair |= {"na": own["na"]} if "na" in own else {}
        found.append(Step(verb="compare", keywords=pair, answers="whether two scores differ"))
    pooled = {"fold_average": "pooled"} if folded else {}
    found.append(Step(verb="cutoff", keywords={**one, **folded, **pooled, **own}, answers="where to cut a score"))
    found.append(
        Step(verb="write_report", keywords={**one, **folded, **own}, answers="everything on one page, as a report")
    )
    likely = [name for name in ready if are_probabilities(values[name])]
    if likely:
        question = (
            f"whether {likely[0]}, which lies between 0 and 1, is calibrated, if it is a probability (in the report)"
        )
        found.append(Step(verb="write_report", keywords={**common, "score": likely[0], **own}, answers=question))
    if tried.group is not None:
        question = f"the same in every group of {tried.group}"
        found.append(Step(verb="auc", keywords={**one, "by": tried.group, **own}, answers=question))
    return found


def _of_followed(
    followed: FollowedTry, ready: list[str], values: dict[str, Array], columns: tuple[ColumnFinding, ...],
    reading: dict[str, Any], by_print: bool,
) -> list[Step]:  # fmt: skip
    """Questions about who has the event by a horizon; 1 and 0 need no mention."""
    codes = values[followed.event]

    def stand(words: tuple[str, ...]) -> Any:
        found = [_as_it_stands(word, codes, by_print) for word in words]
        return found[0] if len(found) == 1 else found

    about: dict[str, Any] = {"time": followed.time, "event": followed.event}
    if followed.cause not in ("1", "True"):
        about["cause"] = stand((followed.cause,))
    if followed.competing:
        about["competing"] = stand(followed.competing)
    if followed.censored not in (("0",), ("False",)):
        about["censored"] = stand(followed.censored)
    gaps = any(column.missing for column in columns if column.name in {followed.time, followed.event, *ready[:2]})
    own = {"at": followed.at, **({"missing": "drop"} if gaps else {}), **reading}
    one = {**about, "score": ready[0], **own}
    found = [Step(verb="auc", keywords=one, answers="how well a score tells who has the event by a horizon")]
    if len(ready) > 1:
        found.append(Step(verb="compare", keywords={**about, "score": ready[:2], **own},
                          answers="whether two scores differ there"))  # fmt: skip
    found.append(Step(verb="cutoff", keywords=one, answers="where to cut a score for it"))
    found.append(Step(verb="write_report", keywords=one, answers="everything on one page, as a report"))
    return found


def _of_classes(
    tried: FirstTry, first: Any, ready: list[str], common: dict[str, Any], own: dict[str, Any]
) -> list[Step]:
    """Questions about more than two classes: one against the rest, and all where every class has a score."""
    against = {**common, "pos_label": first, "score": ready[0], **own}
    found = [Step(verb="auc", keywords=against, answers=f"how well a score tells {first} from the rest")]
    if len(ready) == len(tried.classes):
        keywords = {**common, "score": ready, **own}
        found.insert(0, Step(verb="multiclass", keywords=keywords, answers="how well all classes are told apart"))
    return found


def _as_it_stands(label: str | None, values: Array, by_print: bool) -> Any:
    """A label as a call must name it: files match by how labels are printed, data in memory by what they are."""
    if by_print:
        return label
    return next((value for value in values.tolist() if printed(value) == label), label)
