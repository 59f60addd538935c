"""Counts that travel as cases: what verbs ask of them."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from roclab.data.remote import RemoteCases
from roclab.data.tally import Tally
from roclab.decisions.confusion import confusion_at
from roclab.engines.estimates import area_of_counts
from roclab.engines.portable import PortableTally, gathered
from roclab.engines.portable_file import read_portable
from roclab.engines.scan import Cells
from roclab.errors import FileError, InputError, Words
from roclab.inference.one_area.area import Area
from roclab.names import Direction
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import AreaEstimate

__all__ = ["PortableCases", "cases_of_counts"]


def cases_of_counts(data: Any, *, score: Any, **others: Any) -> PortableCases:
    """Cases of a tally, of its file, or of all files of a pattern; what was settled when it was counted is refused."""
    if not isinstance(data, PortableTally):
        place = os.fspath(data)
        files = [place] if os.path.exists(place) else sorted(glob.glob(place))
        if not files:
            raise FileError("", f"{place} does not exist", way_out="check the path")
        data = gathered([read_portable(file) for file in files])
    label, direction = others.pop("label", None), others.pop("direction", "higher")
    if label not in (None, data.label):
        raise InputError("label", f"of these counts is {data.label!r}", label, "leave it out")
    for name in ("pos_label", "neg_label"):
        asked, known = others.pop(name, None), data.positive if name == "pos_label" else data.negative
        if asked is not None and str(asked) != known:
            raise InputError(name, f"of these counts is {known!r}", asked, "leave it out")
    given = [name for name, value in others.items() if value not in (None, "error")]
    if given:
        raise InputError(given[0], "has no part in counts without rows", way_out="leave it out")
    names = list(data.scores) if score is None else [score] if isinstance(score, str) else list(score)
    sides: dict[str, Direction] = dict(data.direction)
    whole = PortableCases(data, list(data.scores), sides, chosen=False).select(names)
    if direction == "auto":
        turned: dict[str, Direction] = {
            name: "lower" if data.tally(name).leans_lower != (sides[name] == "lower") else "higher" for name in names
        }
        return PortableCases(data, names, turned, chosen=True)
    asked_sides = direction if isinstance(direction, Mapping) else dict.fromkeys(names, direction)
    if direction != "higher":
        whole = whole.facing({name: asked_sides.get(name, sides[name]) for name in names})
    assert isinstance(whole, PortableCases)
    return whole


class PortableCases(RemoteCases):
    """Cases of which only counts came."""

    __slots__ = ("_counts",)

    _counts: PortableTally

    def __init__(
        self, counts: PortableTally, names: Sequence[str], direction: Mapping[str, Direction], *, chosen: bool
    ) -> None:
        first = counts.scores[names[0]]
        super().__init__(
            names, direction, positive=counts.positive, negative=counts.negative, dropped=counts.dropped,
            outcome=counts.outcome, n_pos=int(first.pos.sum()), n_neg=int(first.neg.sum()), chosen=chosen,
            called="a tally", clusters=None,
        )  # fmt: skip
        object.__setattr__(self, "_counts", counts)

    def _refuse(self) -> NoReturn:
        raise InputError(
            "", "this question needs rows, which counts do not tell", Words(f"a tally of {len(self):,} cases"),
            "ask it where the rows are, or ask for areas, curves, cut-offs or matrices of the tally",
        )  # fmt: skip

    def _like(self, names: Sequence[str], direction: Mapping[str, Direction], *, chosen: bool) -> PortableCases:
        return PortableCases(self._counts, names, direction, chosen=chosen)

    def tally(self, name: str | None = None) -> Tally:
        """Counts of one score."""
        name = self._name(name)
        found = self._counts.tally(name)
        if found.sample.direction != self.direction[name]:
            found = found.reversed()
        return replace(found, sample=self.sample(name))

    def areas(self, area: Area, asked: AreaUncertainty) -> dict[str, AreaEstimate]:
        """The area of every score."""
        return {name: area_of_counts(self.tally(name), area, asked) for name in self.names}

    def counts_at(self, threshold: float, name: str | None = None) -> tuple[int, int]:
        """Positives and negatives that reach a threshold, which must be an end of a cell."""
        matrix = confusion_at(self.tally(name), threshold)
        return int(matrix.tp), int(matrix.fp)

    def covariance(self, area: Area, *, clustered: bool, score: bool = False) -> Any:
        """Not here: which case has which scores is not told by counts."""
        self.check_paired()

    def check_paired(self) -> None:
        """Counts of each score do not tell which case has which scores."""
        raise InputError(
            "", "scores of the same cases are compared by their rows, which counts do not tell",
            Words("a tally"), "compare where the rows are, or compare groups of different cases",
        )  # fmt: skip

    def grid_cells(self, name: str, step: float | None) -> Cells:
        """The cells as they came."""
        return self._counts.scores[name]

    def plan(self, *, paired: bool = False) -> list[str]:
        """What will be done to count these cases."""
        return [f"engine: none; {len(self):,} cases were counted before ({self._counts.parts} parts)"]
