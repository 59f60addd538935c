"""The design of a reader study: told from who read what, and held against what the user says.

====================  ===========================================================================
"factorial"           every reader reads every case in every modality
"nested_readers"      every modality has readers of its own, who read the same cases
"nested_cases"        every modality has cases of its own, read by the same readers
"split_plot"          groups of readers have cases of their own, read in every modality
====================  ===========================================================================

A study that looks nested may be a mistake, such as readers numbered anew in every modality, and the two answers differ.
So only the factorial design is taken without a word.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Ints
from roclab.errors import InputError, Words, named
from roclab.names import ReaderDesign
from roclab.reading_studies.readings import Readings

__all__ = ["whole_readers", "with_design"]


def with_design(readings: Readings, asked: ReaderDesign | None) -> Readings:
    """The readings with their design; an error says which design they have where the user named another or none."""
    shape, group = _shape(readings)
    if asked is None and shape != "factorial":
        raise InputError("design", *_QUESTIONS[shape](readings))
    if asked is not None and asked != shape and not (asked == "factorial" and shape == "factorial"):
        raise InputError(
            "design", "must be the one that the readings have", Words(f"{asked!r}, while they are {_WORDS[shape]}"),
            f"write {named('design', shape)} or correct the names of readers and cases",
        )  # fmt: skip
    notes = list(readings.notes)
    gaps = _gaps(readings, group)
    if gaps:
        total = int(readings.read.sum())
        notes.append(
            f"{gaps} of {total + gaps} readings {'is' if gaps == 1 else 'are'} missing: every area rests on the cases "
            "its reader read, and covariances on those that both readers read."
        )
    return replace(readings, design=shape, group=group, notes=tuple(notes))


def whole_readers(readings: Readings) -> Readings:
    """The study of those readers who read every modality, and of the cases that they read; a note names the others.

    A reader who lacks a modality says nothing about the difference within a reader, which is what the factorial design
    rests on. Studies in which every reader has one modality are another design and stay as they are.
    """
    held = {one: {modality for modality, reader in readings.cells if reader == one} for _, one in readings.cells}
    partly = [readings.readers[one] for one, own in sorted(held.items()) if len(own) < len(readings.modalities)]
    if not partly or all(len(own) == 1 for own in held.values()) or readings.marks is not None:
        return readings
    left = readings
    for reader in partly:
        left = left.without(reader)
    if len(left.readers) < 2:
        raise InputError(
            "", "at least two readers must read every modality", Words(f"{len(left.readers)}"),
            f"compare fewer modalities with {named('modalities')}",
        )  # fmt: skip
    some = left.read.any(axis=0)
    note = f"{plural(len(partly), 'reader')} who read only some of the modalities left out: {', '.join(partly)}."
    return replace(
        left, label=left.label[some].copy(), cases=tuple(np.array(left.cases)[some].tolist()),
        rating=left.rating[:, some].copy(), subject=None if left.subject is None else left.subject[some],
        notes=(*left.notes, note),
    )  # fmt: skip


def _shape(readings: Readings) -> tuple[ReaderDesign, Ints]:
    one_group = np.zeros(len(readings.readers), np.int64)
    per_reader = {reader: {one for one, two in readings.cells if two == reader} for _, reader in readings.cells}
    t = len(readings.modalities)
    if t > 1 and all(len(held) == 1 for held in per_reader.values()):
        return "nested_readers", one_group
    lacking = [
        (reader, sorted(set(range(t)) - held)[0]) for reader, held in sorted(per_reader.items()) if len(held) < t
    ]
    if lacking:
        reader, modality = lacking[0]
        raise InputError(
            "",
            "readers must read every modality, or each only one",
            Words(f"reader {readings.readers[reader]!r} without {readings.modalities[modality]!r}"),
            f"write {named('missing', 'drop')} to leave such readers out, or add the readings",
        )
    read = readings.read
    held_by = np.array([read[readings.cells_of(one)].any(axis=0) for one in range(t)])
    if t > 1 and not (held_by.sum(axis=0) > 1).any():
        return "nested_cases", one_group
    group = _groups(readings)
    return ("split_plot", group) if group.max() > 0 else ("factorial", group)


def _groups(readings: Readings) -> Ints:
    """Readers who share a case, directly or by way of others, are one group; O(r² n)."""
    r = len(readings.readers)
    reads = np.zeros((r, len(readings.cases)), bool)
    for at, (_, reader) in enumerate(readings.cells):
        reads[reader] |= readings.read[at]
    group = np.arange(r)
    for one in range(r):
        for two in range(one):
            if group[one] != group[two] and (reads[one] & reads[two]).any():
                group[group == group[one]] = group[two]
    return np.unique(group, return_inverse=True)[1].astype(np.int64)


def _gaps(readings: Readings, group: Ints) -> int:
    """Readings that the design has and the data have not."""
    read = readings.read
    missing = 0
    for number in range(int(group.max()) + 1):
        cells = [at for at, (_, reader) in enumerate(readings.cells) if group[reader] == number]
        for modality in range(len(readings.modalities)):
            mine = [at for at in cells if readings.cells[at][0] == modality]
            pool = mine if readings.design == "nested_cases" or _apart(read, cells, mine) else cells
            held = read[pool].any(axis=0)
            missing += int(sum(np.sum(held & ~read[at]) for at in mine))
    return missing


def _apart(read: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], cells: list[int], mine: list[int]) -> bool:
    """True when the cells of one modality share no case with those of the others."""
    others = [at for at in cells if at not in mine]
    return bool(others) and not (read[mine].any(axis=0) & read[others].any(axis=0)).any()


def _nested_readers(readings: Readings) -> tuple[str, Words, str]:
    return (
        "must be said when every reader reads one modality only",
        Words(f"{plural(len(readings.readers), 'reader')} in {len(readings.modalities)} modalities, none in two"),
        f"write {named('design', 'nested_readers')} if they are different people; give the same people the same names",
    )


def _nested_cases(readings: Readings) -> tuple[str, Words, str]:
    return (
        "must be said when no case is read in two modalities",
        Words(f"{plural(len(readings.cases), 'case')}, each in one modality"),
        f"write {named('design', 'nested_cases')} if they are different cases; give the same cases the same names",
    )


def _split_plot(readings: Readings) -> tuple[str, Words, str]:
    return (
        "must be said when groups of readers have cases of their own",
        Words("readers without a case in common"),
        f"write {named('design', 'split_plot')} if that was planned; give the same cases the same names",
    )


_QUESTIONS = {"nested_readers": _nested_readers, "nested_cases": _nested_cases, "split_plot": _split_plot}
_WORDS = {
    "factorial": "factorial",
    "nested_readers": "nested (each reader in one modality)",
    "nested_cases": "nested (each case in one modality)",
    "split_plot": "a split plot (groups of readers with cases of their own)",
}
