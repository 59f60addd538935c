"""The data options of a command, and reading the cases they ask for."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from roclab.errors import FileError, InputError, MissingValuesError, Words

if TYPE_CHECKING:
    from roclab.data.cases import Cases
    from roclab.data.tally import Tally

__all__ = ["EXAMPLE", "Data", "place_of"]

EXAMPLE, WINES = "example", "wines"  # instead of a file: the data sets that come with roclab
_FEW = 40  # columns up to here are all listed
_SIDES = ("higher", "lower", "auto")


def place_of(file: str) -> str:
    """Where the data of a FILE argument lie."""
    if file not in (EXAMPLE, WINES):
        return file
    from roclab.datasets import example_path, wines_path

    return str(example_path() if file == EXAMPLE else wines_path())


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """Which columns play which part, and how to read them."""

    label: str | None = None
    positive: str | None = None
    score: tuple[str, ...] = ()
    weight: str | None = None
    weights: str | None = None
    direction: tuple[str, ...] = ()
    missing: str
    delimiter: str | None
    decimal: str | None
    sheet: str | None
    id: str | None = None
    fold: str | None = None

    def read(self, file: str) -> Cases:
        """All scores of a file."""
        return self._read(file, self.score)

    def read_one(self, file: str, score: str | None = None) -> Cases:
        """One score of a file: the one named, or the only one asked for."""
        if score is None and len(self.score) > 1:
            raise InputError(
                "--score",
                "must name one column for this command",
                Words(f"{' and '.join(self.score)}"),
                "run it once for each of them",
            )
        return self._read(file, self.score if score is None else (score,))

    def column_of_each(self, files: tuple[str, ...]) -> tuple[str, ...]:
        """The score to read from each of several files: the same in all, or one for each."""
        if len(self.score) not in (0, 1, len(files)):
            raise InputError(
                "--score",
                "must be given once, or once per file in their order",
                Words(f"{len(self.score)} of them for {len(files)} files"),
            )
        if not self.score:
            self.named(files[0], label=self.label, score=self.score)  # says which columns there are
        return self.score if len(self.score) == len(files) else self.score * len(files)

    def tallies(self, files: tuple[str, ...]) -> dict[str, Tally]:
        """Every score of one file, or one score of each of several, by a name of its own."""
        if len(files) == 1:
            cases = self.read(files[0])
            return {name: cases.tally(name) for name in cases.names}
        columns = self.column_of_each(files)
        out = {}
        for file, column, name in zip(files, columns, distinct_names(files, columns), strict=True):
            tally = self.read_one(file, column).tally()
            out[name] = replace(tally, sample=replace(tally.sample, score=name))
        return out

    def columns(self, file: str, *wanted: str, numeric: tuple[str, ...] = ()) -> dict[str, Any]:
        """Columns as they are, for what is no score."""
        from roclab.data.files.read import read_columns

        reading: dict[str, Any] = {name: value for name, value in self._reading().items() if value is not None}
        return dict(read_columns(place_of(file), list(wanted) or None, numeric=numeric, **reading))

    def complete(self, columns: dict[str, Any], *needed: str) -> tuple[dict[str, Any], int]:
        """Columns without the cases that lack a value, and how many those are; an error unless they may be dropped.

        A value must be there in the columns that are needed, in all of them if none is named.
        """
        import numpy as np

        from roclab._core.checks import plural
        from roclab.data.columns import label_column

        checked = {name: label_column(values, name) for name, values in columns.items()}
        judged = {name: checked[name] for name in needed or checked}
        gaps = {name: column.missing for name, column in judged.items() if column.missing is not None}
        if not gaps:
            return {name: column.values for name, column in checked.items()}, 0
        lacking = np.logical_or.reduce(list(gaps.values()))
        if self.missing == "error":
            counts = ", ".join(f"{name} lacks {np.count_nonzero(gap)}" for name, gap in gaps.items())
            raise MissingValuesError(
                "",
                "values must not be missing",
                Words(
                    f"gaps in {np.count_nonzero(lacking)} of {plural(lacking.size, 'case')}: {counts} "
                    f"(first at position {int(np.argmax(lacking))})"
                ),
                "write --missing drop to leave those cases out",
            )
        if lacking.all():
            raise MissingValuesError("", "every case has a missing value, so none is left", way_out="check the columns")
        kept = {name: column.values[~lacking] for name, column in checked.items()}
        return kept, int(np.count_nonzero(lacking))

    def outcome(self, file: str, label: str, *others: str, numeric: tuple[str, ...] = ()) -> dict[str, Any]:
        """The outcome and other columns, all of the file if none is named; the outcome is none of the others."""
        if label in others:
            raise InputError(
                "", "--label and what is to predict it must be different columns", Words(f"{label!r} for both")
            )
        if others:
            return self.columns(file, *dict.fromkeys((label, *others)), numeric=numeric)
        from roclab.data.roles import check_columns

        columns = self.columns(file)
        check_columns([label], list(columns), file, FileError)
        return columns

    def positive_among(self, values: Any) -> Any:
        """The label that is printed as --positive says; None if that was not given."""
        from roclab.data.labels import match_label

        return None if self.positive is None else match_label(values, self.positive)

    def named(self, file: str, **parts: Any) -> None:
        """Check that every part has a column; the error lists the columns to choose from."""
        lacking = " and ".join(f"--{part}" for part, column in parts.items() if not column)
        if not lacking:
            return
        columns = list(self.columns(file))
        shown = ", ".join(columns[:_FEW]) + (f" and {len(columns) - _FEW} more" if len(columns) > _FEW else "")
        raise InputError(lacking, f"must name columns of {file}", Words("none"), f"its columns are {shown}")

    def _read(self, file: str, scores: tuple[str, ...]) -> Cases:
        from roclab.analysis import read_cases

        begun = time.perf_counter()
        self.named(file, label=self.label, score=scores)
        cases = read_cases(
            place_of(file),
            label=self.label,
            score=list(scores),
            pos_label=self.positive,
            sample_weight=self.weight,
            weights=self.weights,  # type: ignore[arg-type]
            ids=self.id,
            folds=self.fold,
            direction=self.directions(scores),
            missing=self.missing,  # type: ignore[arg-type]
            **self._reading(),
        )
        settings = click.get_current_context().obj
        if getattr(settings, "verbose", False):
            spent = time.perf_counter() - begun
            click.echo(f"{place_of(file)}: {len(cases)} cases, {', '.join(cases.names)}, {spent:.2f} s", err=True)
        return cases

    def _reading(self) -> dict[str, str | None]:
        delimiter = {r"\t": "\t", "tab": "\t"}.get(self.delimiter or "", self.delimiter)
        return {"sheet": self.sheet, "delimiter": delimiter, "decimal": self.decimal}

    def directions(self, scores: tuple[str, ...]) -> Any:
        """One side for all scores, or the side of each."""
        single: dict[str, str] = {}
        common: list[str] = []
        for given in self.direction:
            name, equals, side = given.rpartition("=")
            if side not in (_SIDES[:2] if equals else _SIDES):
                raise InputError("--direction", "must be higher, lower, auto, or NAME=higher or NAME=lower", given)
            if equals:
                single[name] = side
            else:
                common.append(side)
        if len(set(common)) > 1:
            raise InputError(
                "--direction",
                "must be one side for all scores",
                Words(f"{' and '.join(common)}"),
                "write NAME=SIDE for single ones",
            )
        side = common[0] if common else "higher"
        if not single:
            return side
        if side == "auto":
            raise InputError(
                "", "--direction auto chooses for all scores", Words("sides of single ones too"), "leave out auto"
            )
        return {**dict.fromkeys(scores, side), **single}


def stem_of(file: str) -> str:
    """A file's name without folder and endings, to call its data by."""
    if file == "-":
        return "standard input"
    name = os.path.basename(file).removesuffix(".gz")
    return os.path.splitext(name)[0]


def distinct_names(files: tuple[str, ...], scores: tuple[str, ...]) -> list[str]:
    """What to call the data of several files: by their scores if those differ, else by the files."""
    for names in (list(scores), [stem_of(file) for file in files], list(files)):
        if len(names) == len(files) == len(set(names)):
            return names
    raise FileError("files", "must differ", Words(f"{files[0]} more than once"), "name each file once")
