"""Marks of a free-response study: readers mark places in cases and rate each mark; lesions are where they are.

A mark is on a lesion or beside all of them. Every cell (one reader in one modality) has a rating of every lesion and of
every case the highest mark beside its lesions; a figure of merit compares the two (``areas/free_response``). A reader
has read every case, for a case without a mark is what a reader found nothing in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Array, Bools, Floats, Ints, frozen
from roclab.areas.empirical import auc
from roclab.areas.free_response import MarkedCases, area_of_marks, areas_without_cases, marked_cases
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.area import Area
from roclab.names import Direction, FrocFigure, ReaderDesign
from roclab.reading_studies.readings import Readings, readings_of
from roclab.results import Sample

__all__ = ["Lesions", "MarkRows", "ReaderMarks", "area_of_figure", "readings_of_marks"]

_RATING = "highest rating"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MarkRows:
    """One row per mark."""

    reader: Array
    modality: Array
    case: Array
    lesion: Array  # the name of the lesion that was hit; "" beside all of them
    rating: Floats
    direction: Direction = "higher"
    dropped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lesions:
    """The truth: every lesion with its case, and cases without any."""

    case: Array
    lesion: Array  # "" in the row of a case that has none
    weight: Floats | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReaderMarks:
    """Ratings of all cells: of lesions, and of the highest mark beside them; -inf where nothing was marked."""

    figure: FrocFigure
    lesion_case: Ints
    lesion_weight: Floats | None
    lesion_rating: Floats  # cells x lesions
    rival: Floats  # cells x cases

    def __post_init__(self) -> None:
        for one in (self.lesion_case, self.lesion_rating, self.rival):
            frozen(one)

    def _cell(self, at: int) -> MarkedCases:
        return marked_cases(
            self.figure, lesion_case=self.lesion_case, lesion_score=self.lesion_rating[at], rival=self.rival[at],
            weight=self.lesion_weight,
        )  # fmt: skip

    def area(self, at: int, times: Floats | None = None) -> float:
        """The figure of merit of a cell; with ``times``, of a sample that holds every case so often."""
        return area_of_marks(self._cell(at), times)

    def without_cases(self, at: int) -> Floats:
        """The figure of merit of a cell with each case left out."""
        out = areas_without_cases(self._cell(at))
        if np.isnan(out).any():
            raise InputError(
                "lesions",
                f"must leave {self.figure} defined when one case is left out",
                Words("all lesions in one case, or one case without lesions"),
                "collect more cases",
            )
        return out

    def tally(self, at: int, sample: Sample) -> Tally:
        """Lesions as positives, rivals as negatives: the figure of merit is the area under its curve."""
        cell = self._cell(at)
        rivals = cell.rival[cell.rivalling]
        return Tally.from_labels(
            np.repeat([True, False], [cell.lesion_score.size, rivals.size]),
            np.concatenate([cell.lesion_score, rivals]),
            weight=np.concatenate([cell.lesion_weight, np.ones(rivals.size)]),
            sample=sample,
        )


def area_of_figure(figure: FrocFigure) -> Area:
    """A figure of merit as an area: of a tally of lesions and rivals it is the AUC."""
    return Area(quantity=figure, method=f"empirical {figure}", estimate=auc, bounds=(0.0, 1.0), influence=None)


def readings_of_marks(
    marks: MarkRows,
    lesions: Lesions,
    *,
    figure: FrocFigure | None,
    modalities: Sequence[str] | None = None,
    design: ReaderDesign | None = None,
) -> Readings:
    """Readings whose rating is the highest of each case, with the marks behind them where ``figure`` asks for those.

    A case that a reader left unmarked has a rating below all. O(n log n) for marks and O(cells x cases) for ratings.
    """
    if design not in (None, "factorial", "nested_readers"):
        raise InputError(
            "design", "of marks must be 'factorial' or 'nested_readers'", design,
            "every reader is taken to have searched every case",
        )  # fmt: skip
    names, ill, place = _truth(lesions)
    _check_marks(marks, names, place)
    sign = 1.0 if marks.direction == "higher" else -1.0
    rating = sign * marks.rating
    cells = sorted({*zip(marks.modality.tolist(), marks.reader.tolist(), strict=True)})
    number = {cell: at for at, cell in enumerate(cells)}
    line = np.array(
        [number[one] for one in zip(marks.modality.tolist(), marks.reader.tolist(), strict=True)], dtype=np.int64
    )
    column = np.array([names[one] for one in marks.case.tolist()], dtype=np.int64)
    highest = np.full((len(cells), len(names)), -np.inf)
    np.maximum.at(highest, (line, column), rating)
    unmarked = np.isneginf(highest)
    shown = np.where(unmarked, rating.min() - 1.0, highest)
    modality, reader = (np.repeat([cell[at] for cell in cells], len(names)) for at in (0, 1))
    cases = Cases(
        label=np.tile(ill, len(cells)),
        scores={_RATING: (sign * shown).ravel()},
        ids=np.tile(np.array(list(names)), len(cells)),
        folds=reader,
        groups=modality,
        positive="lesions",
        negative="none",
        direction={_RATING: marks.direction},
        dropped=marks.dropped,
    )
    readings = readings_of(cases, modalities=modalities, design=design, both_classes=_needs_normal(figure))
    notes = []
    count = int(unmarked.sum())
    if count:
        notes.append(f"{count} of {unmarked.size} readings have no mark and count below every rating.")
    if figure is None:
        return replace(readings, notes=tuple(notes))
    # Readings have an order of their own, of cases and of cells.
    order = np.array([names[one] for one in readings.cases], dtype=np.int64)
    back = np.argsort(order, kind="stable")
    rows = [number[readings.modalities[one], readings.readers[two]] for one, two in readings.cells]
    on = marks.lesion != ""
    lesion_rating = np.full((len(cells), len(place)), -np.inf)
    hit = np.array(
        [place[one] for one in zip(marks.case[on].tolist(), marks.lesion[on].tolist(), strict=True)], dtype=np.int64
    )
    np.maximum.at(lesion_rating, (line[on], hit), rating[on])
    rival = np.full(highest.shape, -np.inf)
    np.maximum.at(rival, (line[~on], column[~on]), rating[~on])
    real = lesions.lesion != ""
    found = ReaderMarks(
        figure=figure,
        lesion_case=back[[names[case] for case, _ in place]],
        lesion_weight=None if lesions.weight is None else lesions.weight[real],
        lesion_rating=lesion_rating[rows],
        rival=rival[rows][:, order],
    )
    return replace(readings, marks=found, notes=tuple(notes))


def _needs_normal(figure: FrocFigure | None) -> bool:
    """True where the rivals of lesions are cases without any."""
    return figure is None or not figure.endswith("1")


def _truth(lesions: Lesions) -> tuple[dict[str, int], Bools, dict[tuple[str, str], int]]:
    """Number of every case, which have lesions, and the number of every lesion."""
    names: dict[str, int] = {}
    place: dict[tuple[str, str], int] = {}
    empty: set[str] = set()
    for case, lesion in zip(lesions.case.tolist(), lesions.lesion.tolist(), strict=True):
        names.setdefault(case, len(names))
        if lesion == "":
            empty.add(case)
        elif (case, lesion) in place:
            raise InputError("lesions", "must hold a lesion once", Words(f"{lesion!r} of case {case!r} twice"),
                             "give lesions of a case names of their own")  # fmt: skip
        else:
            place[case, lesion] = len(place)
    ill = np.zeros(len(names), np.bool_)
    ill[[names[case] for case, _ in place]] = True
    both = [case for case in empty if ill[names[case]]]
    if both:
        raise InputError("lesions", "must say of a case that it has lesions or none", Words(f"both of {both[0]!r}"),
                         "drop the row without a lesion")  # fmt: skip
    if not place:
        raise InputError("lesions", "must hold lesions", Words(f"none in {plural(len(names), 'case')}"),
                         "number them from 1; 0 says that a case has none")  # fmt: skip
    if lesions.weight is not None:
        _check_weights(lesions)
    return names, ill, place


def _check_weights(lesions: Lesions) -> None:
    """Weights of the lesions of a case sum to one, so that every case counts the same."""
    assert lesions.weight is not None
    real = lesions.lesion != ""
    case, weight = lesions.case[real], lesions.weight[real]
    _, of_case = np.unique(case, return_inverse=True)
    wrong = np.abs(np.bincount(of_case, weights=weight) - 1) > 1e-3  # weights such as .33 are written rounded
    if (weight <= 0).any() or wrong.any():
        at = int(np.argmax((weight <= 0) | wrong[of_case]))
        raise InputError(
            "lesion_weight", "must be above 0 and sum to 1 over the lesions of a case",
            Words(f"{weight[at]:g} in case {str(case[at])!r}"), f"correct it, or leave out {named('lesion_weight')}",
        )  # fmt: skip


def _check_marks(marks: MarkRows, names: dict[str, int], place: dict[tuple[str, str], int]) -> None:
    if not marks.rating.size:
        raise InputError("data", "must hold marks", Words("none"), "give one row per mark")
    for case, lesion in zip(marks.case.tolist(), marks.lesion.tolist(), strict=True):
        if case not in names:
            raise InputError("lesions", "must hold every case that was marked", Words(f"no case {case!r}"),
                             "add it, with lesion 0 if it has none")  # fmt: skip
        if lesion != "" and (case, lesion) not in place:
            raise InputError("lesions", "must hold every lesion that was hit",
                             Words(f"no lesion {lesion!r} of case {case!r}"), "add it")  # fmt: skip
