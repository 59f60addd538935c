"""The data options of a command, and reading the cases they ask for."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from roclab.errors import FileError, InputError

if TYPE_CHECKING:
    from roclab.cases import Cases

__all__ = ["EXAMPLE", "Data", "place_of"]

EXAMPLE = "example"  # instead of a file: the data set that comes with roclab
_FEW = 40  # columns up to here are all listed
_SIDES = ("higher", "lower", "auto")


def place_of(file: str) -> str:
    """Where the data of a FILE argument lie."""
    if file != EXAMPLE:
        return file
    from roclab.datasets import example_path

    return str(example_path())


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """Which columns play which part, and how to read them."""

    label: str | None
    positive: str | None
    score: tuple[str, ...]
    weight: str | None
    weights: str | None
    direction: tuple[str, ...]
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
                f"--score must name one column for this command, got {' and '.join(self.score)}; "
                "run it once for each of them."
            )
        return self._read(file, self.score if score is None else (score,))

    def columns(self, file: str, *wanted: str, numeric: tuple[str, ...] = ()) -> dict[str, Any]:
        """Columns as they are, for what is no score."""
        from roclab.sources.files import read_columns

        reading: dict[str, Any] = {name: value for name, value in self._reading().items() if value is not None}
        return dict(read_columns(place_of(file), list(wanted) or None, numeric=numeric, **reading))

    def named(self, file: str, **parts: Any) -> None:
        """Check that every part has a column; the error lists the columns to choose from."""
        lacking = " and ".join(f"--{part}" for part, column in parts.items() if not column)
        if not lacking:
            return
        columns = list(self.columns(file))
        shown = ", ".join(columns[:_FEW]) + (f" and {len(columns) - _FEW} more" if len(columns) > _FEW else "")
        raise InputError(f"{lacking} must name columns of {file}, got none; its columns are {shown}.")

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
            direction=self._directions(scores),
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

    def _directions(self, scores: tuple[str, ...]) -> Any:
        """One side for all scores, or the side of each."""
        single: dict[str, str] = {}
        common: list[str] = []
        for given in self.direction:
            name, equals, side = given.rpartition("=")
            if side not in (_SIDES[:2] if equals else _SIDES):
                raise InputError(
                    f"--direction must be higher, lower, auto, or NAME=higher or NAME=lower, got {given!r}."
                )
            if equals:
                single[name] = side
            else:
                common.append(side)
        if len(set(common)) > 1:
            raise InputError(
                f"--direction must be one side for all scores, got {' and '.join(common)}; "
                "write NAME=SIDE for single ones."
            )
        side = common[0] if common else "higher"
        if not single:
            return side
        if side == "auto":
            raise InputError("--direction auto chooses for all scores, got sides of single ones too; leave out auto.")
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
    raise FileError(f"files must differ, got {files[0]} more than once; name each file once.")
