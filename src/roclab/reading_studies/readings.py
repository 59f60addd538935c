"""Readings: every rating that a reader gave to a case in a modality, and who read what.

A cell is one reader in one modality. Ratings stand in a table of cells x cases with gaps where a reader did not read a
case; names are sorted, so that nothing depends on the order of the rows. Which cells share readers and which share
cases is the design of the study, and the design decides which covariances and which mean squares exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from roclab._core.checks import check_choice, plural
from roclab._core.types import Array, Bools, Floats, Ints, frozen
from roclab.data.cases import Cases
from roclab.errors import InputError, OneClassError, PairingError, Words, named
from roclab.names import READER_DESIGNS, ReaderDesign
from roclab.results import Sample

if TYPE_CHECKING:
    from roclab.reading_studies.marks import ReaderMarks

__all__ = ["Readings", "readings_of"]

_ONLY = "all"  # the name of the modality of a study that has one


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Readings:
    """Validated ratings of a reader study.

    Attributes
    ----------
    modalities, readers, cases : tuple of str
        Their names, in a fixed order.
    label : array of bool
        True for positive cases.
    cells : tuple of (modality, reader)
        Positions of the modality and the reader of every row of ``rating``.
    rating : array, cells x cases
        Higher means positive; NaN where the reader did not read the case.
    subject : array or None
        Number of the subject (cluster) of every case, where subjects have several.
    group : array
        Number of the group of every reader: readers of different groups share no case (split plot).
    marks : ReaderMarks or None
        Marks of a free-response study, whose highest in each case are the ratings.
    """

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    cases: tuple[str, ...]
    label: Bools
    cells: tuple[tuple[int, int], ...]
    rating: Floats
    sample: Sample
    design: ReaderDesign
    group: Ints
    subject: Ints | None = None
    notes: tuple[str, ...] = ()
    marks: ReaderMarks | None = None

    def __post_init__(self) -> None:
        for array in (self.label, self.rating, self.group):
            frozen(array)

    @property
    def read(self) -> Bools:
        """Which cell holds a rating of which case."""
        return ~np.isnan(self.rating)

    @property
    def complete(self) -> bool:
        """True when every cell holds every case."""
        return bool(self.read.all())

    def name(self, cell: int) -> str:
        """Reader and modality of a cell in words."""
        modality, reader = self.cells[cell]
        return f"{self.readers[reader]}, {self.modalities[modality]}" if self.several else self.readers[reader]

    @property
    def several(self) -> bool:
        """True when there are modalities to compare."""
        return len(self.modalities) > 1

    def cells_of(self, modality: int) -> list[int]:
        """Cells of one modality."""
        return [at for at, (one, _) in enumerate(self.cells) if one == modality]

    def cases_of(self, cell: int) -> Cases:
        """The cases that one cell holds, with its ratings as their score."""
        held = np.flatnonzero(self.read[cell])
        return Cases(
            label=self.label[held],
            scores={self.name(cell): self.rating[cell, held]},
            positive=self.sample.positive,
            negative=self.sample.negative,
            direction={self.name(cell): "higher"},
            rows=held,
        )

    def without(self, reader: str) -> Readings:
        """The same study without one reader."""
        gone = self.readers.index(reader)
        kept = [at for at, (_, one) in enumerate(self.cells) if one != gone]
        return replace(
            self,
            readers=tuple(one for one in self.readers if one != reader),
            cells=tuple((self.cells[at][0], self.cells[at][1] - (self.cells[at][1] > gone)) for at in kept),
            rating=self.rating[kept].copy(),
            group=np.delete(self.group, gone),
        )


def readings_of(
    cases: Cases,
    *,
    subject: Array | None = None,
    modalities: Sequence[str] | None = None,
    design: ReaderDesign | None = None,
    alone: str | None = None,
    both_classes: bool = True,
) -> Readings:
    """Readings from one row per rating: ids are cases, folds readers, groups modalities; O(n log n).

    ``alone`` names a reader that takes no part in the design: an algorithm, which stands against all readers.
    Marks can be analysed without negative cases; what else there is needs both classes.
    """
    if design is not None:
        check_choice(design, "design", READER_DESIGNS)
    case, reader = _text(cases.ids, "case"), _text(cases.folds, "reader")
    modality = np.full(case.size, _ONLY) if cases.groups is None else cases.groups.astype(np.str_)
    score = cases.oriented(cases.only_name()).astype(np.float64)
    label = cases.label
    human = np.ones(case.size, bool) if alone is None else reader != alone
    if human.all() and alone is not None:
        raise InputError("algorithm", f"must be one of {', '.join(map(repr, _in_order(reader)))}", alone)
    offered = _in_order(modality[human])
    chosen = offered if modalities is None else [str(one) for one in modalities]
    if not chosen or not set(chosen) <= set(offered) or len(set(chosen)) < len(chosen):
        raise InputError("modalities", f"must name different ones of {', '.join(map(repr, offered))}", list(chosen))
    kept = np.isin(modality, chosen) | ~human
    modality = np.where(human, modality, chosen[0])  # an algorithm has one score, whatever its row says of modalities
    case, reader, modality, score, label = (one[kept] for one in (case, reader, modality, score, label))
    subject = None if subject is None else subject[kept]
    if design == "nested_cases":
        if alone is not None:
            raise InputError("algorithm", "must read the cases of its readers, and modalities have cases of their own",
                             way_out=f"leave out {named('algorithm')}")  # fmt: skip
        # The same number in two modalities is two cases, because the user says that each modality has its own.
        case = np.array([f"{one} ({two})" for one, two in zip(case, modality, strict=True)])
    readers, names = _in_order(reader), _in_order(case)
    at = {name: place for place, name in enumerate(names)}
    column = np.array([at[one] for one in case.tolist()], dtype=np.int64)
    known = {name: number for number, name in enumerate(readers)}
    which = {name: number for number, name in enumerate(chosen)}
    both = [(which[one], known[two]) for one, two in zip(modality.tolist(), reader.tolist(), strict=True)]
    cells = tuple(sorted(set(both)))
    place = {cell: number for number, cell in enumerate(cells)}
    line = np.array([place[cell] for cell in both], dtype=np.int64)
    _refuse_twice(line, column, cells, readers, chosen, names)
    rating = np.full((len(cells), len(names)), np.nan)
    rating[line, column] = score
    outcome = _one_outcome(column, label, names)
    sample = replace(
        cases.sample(),
        n_pos=int(outcome.sum()),
        n_neg=int((~outcome).sum()),
        score=None,
        dropped=cases.dropped,
        subjects=0,  # several readings of a case are what such a study is about
    )
    found = Readings(
        modalities=tuple(chosen),
        readers=tuple(readers),
        cases=tuple(names),
        label=outcome,
        cells=cells,
        rating=rating,
        sample=sample,
        design="factorial",
        group=np.zeros(len(readers), np.int64),
        subject=None if subject is None else _subjects(column, subject, len(names)),
    )
    _check_classes(found, both_classes)
    return found


def _text(values: Array | None, role: str) -> Array:
    if values is None:
        raise InputError(role, "must say which column holds it", Words("none"), f"write {named(role, role)}")
    return values.astype(np.str_)


def _in_order(values: Array) -> list[str]:
    """Names in an order of their own: numbers by size, words by the alphabet."""
    names = sorted(set(values.tolist()))
    try:
        return sorted(names, key=lambda name: (float(name), name))
    except ValueError:
        return names


def _refuse_twice(
    line: Ints,
    column: Ints,
    cells: Sequence[tuple[int, int]],
    readers: Sequence[str],
    modalities: Sequence[str],
    names: Sequence[str],
) -> None:
    key = line * len(names) + column
    found, count = np.unique(key, return_counts=True)
    if found.size == key.size:
        return
    worst = int(found[count.argmax()])
    modality, reader = cells[worst // len(names)]
    raise InputError(
        "",
        "a reader rates a case once in a modality",
        Words(
            f"{count.max()} ratings of case {names[worst % len(names)]!r} by reader {readers[reader]!r} "
            f"in {modalities[modality]!r} ({plural(int(np.sum(count > 1)), 'case')} like that)"
        ),
        f"keep one, or number lesions as cases of their own and name their patient with {named('subject', 'patient')}",
    )


def _one_outcome(column: Ints, label: Bools, names: Sequence[str]) -> Bools:
    outcome = np.full(len(names), -1)
    outcome[column] = label
    clash = np.flatnonzero(outcome[column] != label)
    if clash.size:
        raise PairingError(
            "",
            "a case must have one outcome",
            Words(f"both classes for case {names[column[clash[0]]]!r}"),
            f"correct the labels; if modalities have cases of their own, say {named('design', 'nested_cases')}",
        )
    return outcome.astype(bool)


def _subjects(column: Ints, subject: Array, count: int) -> Ints | None:
    """Number of every case's subject; None when every subject has one case, which is no clustering."""
    _, number = np.unique(subject.astype(np.str_), return_inverse=True)
    out = np.zeros(count, np.int64)
    out[column] = number
    if (out[column] != number).any():
        raise PairingError(
            "subject", "must be the same in all readings of a case", Words("a case of two"), "correct it"
        )
    return None if np.unique(out).size == count else out


def _check_classes(found: Readings, both_classes: bool) -> None:
    for at in range(len(found.cells)):
        held = found.label[found.read[at]]
        for side, word in ((held, "positive"), (~held, "negative"))[: 2 if both_classes else 1]:
            if not side.any():
                raise OneClassError(
                    "",
                    f"every reader needs cases of both classes, and {found.name(at)} has no {word} ones",
                    way_out="collect them, or leave the reader out",
                )
            if side.sum() < 2:
                raise InputError(
                    "",
                    f"every reader needs two {word} cases, because one has no spread",
                    Words(f"1 for {found.name(at)}"),
                    "collect more",
                )
