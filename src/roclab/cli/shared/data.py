"""The data options of a command, and reading the cases they ask for."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from roclab.errors import FileError, InputError, Words, named
from roclab.options.data import ReadingKeywords, RoleKeywords
from roclab.options.group import options_of
from roclab.options.spelling import option_of

if TYPE_CHECKING:
    from roclab.results import Cases

__all__ = [
    "BUNDLED", "EXAMPLE", "READINGS", "WINES", "Data", "distinct_names", "place_of", "table_of_file", "watch_engines",
]  # fmt: skip

# Instead of a file: the data sets that come with roclab.
EXAMPLE, WINES, READINGS = "example", "wines", "readings"
BUNDLED = (EXAMPLE, WINES, READINGS, "lesions", "marks_a", "marks_b", "followed")
_SIDES = ("higher", "lower", "auto")


def place_of(file: str) -> str:
    """Where the data of a FILE argument lie."""
    if file not in BUNDLED:
        return file
    from roclab.analysis.data import bundled_path

    return str(bundled_path(file))


def table_of_file(file: str) -> Any:
    """The table of a FILE argument, which messages call as the user did."""
    from roclab.analysis.data import FileTable

    return FileTable(place_of(file), shown=file if file in BUNDLED else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """Which columns play which part, and how to read them, by the library's words."""

    label: str | None = None
    score: tuple[str, ...] = ()
    pos_label: tuple[str, ...] = ()
    neg_label: str | None = None
    sample_weight: str | None = None
    weights: str | None = None
    ids: str | None = None
    folds: str | None = None
    by: tuple[str, ...] = ()
    direction: tuple[str, ...] = ()
    missing: str | None = None
    sheet: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    header_row: int | None = None
    na: tuple[str, ...] = ()
    engine: str | None = None
    memory_limit: str | None = None
    accuracy: str | None = None
    explain: bool = False
    fold_average: str | None = None
    samples: tuple[str, str] | None = None  # columns with the scores of the positives and of the negatives
    negative_file: str | None = None  # the negatives, where the file holds the positives

    def as_program(self, theirs: Mapping[str, Any]) -> Data:
        """The same, where cases that lack a value are left out if the program does that whose conventions are asked."""
        program = theirs.get("conventions")
        if program is None or self.missing is not None:
            return self
        from roclab.options.conventions import options_of_program

        return replace(self, missing=options_of_program(program, "auc", {}).get("missing"))

    @property
    def folding(self) -> dict[str, Any]:
        """What is to become of folds, for a verb that reads the file itself."""
        return {} if self.fold_average is None else {"fold_average": self.fold_average}

    def keywords(self, scores: tuple[str, ...] | None = None) -> dict[str, Any]:
        """What was given, for a verb."""
        self._refuse_samples()
        chosen = self.score if scores is None else scores
        every = {name: getattr(self, name) for name in options_of(RoleKeywords)}
        every |= {"score": chosen, "direction": self.directions(chosen) if self.direction else None}
        for name in ("pos_label", "by"):
            every[name] = every[name][0] if len(every[name]) == 1 else list(every[name])
        every["score"] = list(chosen)
        return {name: value for name, value in every.items() if value not in (None, [], ())} | self.reading()

    def reading(self, *, missing: bool = False) -> dict[str, Any]:
        """How to read a file, what was given; with ``missing`` also what becomes of cases that lack a value."""
        every = {name: getattr(self, name) for name in options_of(ReadingKeywords)}
        every |= {
            "delimiter": {r"\t": "\t", "tab": "\t"}.get(self.delimiter or "", self.delimiter),
            "na": list(self.na) or None,
            "accuracy": _number_or_word(self.accuracy),
            "missing": self.missing if missing else None,
        }
        return {name: value for name, value in every.items() if value is not None}

    @property
    def columns(self) -> dict[str, object]:
        """The columns that were named, by their options: what has no part where no cases are read."""
        roles = ("label", "score", "sample_weight", "ids", "folds", "by")
        own = {"--samples": self.samples, "--negative-file": self.negative_file}
        return {option_of(name): getattr(self, name) for name in roles} | own

    def _refuse_samples(self) -> None:
        """Two samples are read as such or not at all."""
        for name, value in (("--samples", self.samples), ("--negative-file", self.negative_file)):
            if value is not None:
                rule = "has no part in this question, which reads the columns of one file"
                raise InputError(name, rule, way_out="give a file with --label")

    def _read_samples(self, file: str) -> Cases:
        """Cases of two samples: two columns of a file, or a file for each class."""
        import roclab as rl

        roles = ("label", "pos_label", "neg_label", "sample_weight", "weights", "ids", "folds", "by", "engine",
                 "memory_limit", "accuracy", "explain")  # fmt: skip
        name = "--samples" if self.samples is not None else "--negative-file"
        given = [option_of(role) for role in roles if getattr(self, role) not in (None, (), False)]
        if self.samples is not None and self.negative_file is not None:
            given.append("--negative-file")
        if self.samples is not None and self.score:
            given.append("--score")
        if given:
            raise InputError(given[0], f"has no part beside {name}, which says whose scores are where",
                             way_out="leave it out")  # fmt: skip
        asked: dict[str, Any] = self.reading(missing=True)
        if self.samples is not None:
            asked |= {"direction": self.directions(("score",))} if self.direction else {}
            return rl.read_samples(table_of_file(file), columns=self.samples, **asked)
        if not self.score:
            raise InputError("--score", "must name the column of scores of both files", Words("none"))
        asked |= {"direction": self.directions(self.score)} if self.direction else {}
        other = table_of_file(str(self.negative_file))
        return rl.read_samples(table_of_file(file), other, score=list(self.score), **asked)

    def read(self, file: str, scores: tuple[str, ...] | None = None) -> Cases:
        """All scores of a file."""
        import roclab as rl

        if self.samples is not None or self.negative_file is not None:
            return self._read_samples(file)
        self.say_plan(file, scores)
        begun = time.perf_counter()
        watch_engines()
        cases = rl.read_cases(table_of_file(file), **self.keywords(scores))
        if self.fold_average is not None and cases.folds is None:
            raise InputError("fold_average", "needs folds", Words("none"), f"give {named('folds')}")
        if self.fold_average == "pooled":
            cases = cases.pooled()
        settings = click.get_current_context().obj
        if getattr(settings, "verbose", False):
            spent = time.perf_counter() - begun
            click.echo(f"{place_of(file)}: {len(cases)} cases, {', '.join(cases.names)}, {spent:.2f} s", err=True)
        return cases

    def say_plan(self, file: str, scores: tuple[str, ...] | None = None, **asked: Any) -> None:
        """With --explain: print what would be done, and leave it at that; ``asked`` is the kind of question."""
        if self.explain:
            from roclab.analysis.data import plan_of

            click.echo("\n".join(plan_of(table_of_file(file), **asked, **self.keywords(scores))))
            click.get_current_context().exit()

    def read_one(self, file: str, score: str | None = None) -> Cases:
        """One score of a file: the one named, or the only one asked for."""
        if score is None and len(self.score) > 1:
            raise InputError(
                "score",
                "must name one column for this command",
                Words(" and ".join(self.score)),
                "run it once for each of them",
            )
        return self.read(file, self.score if score is None else (score,))

    def read_each(self, files: tuple[str, ...], *, by_file: bool = False) -> dict[str, Cases]:
        """One score of each of several files, by a name of its own: the score's, or the file's."""
        columns = self._column_of_each(files)
        names = distinct_names(files, () if by_file else columns)
        out = {}
        for file, column, name in zip(files, columns, names, strict=True):
            try:
                out[name] = self.read_one(file, column).renamed(name)
            except InputError as error:
                raise error.inside(file) from None
        return out

    def _column_of_each(self, files: tuple[str, ...]) -> tuple[str, ...]:
        """The score to read from each of several files: the same in all, or one for each."""
        if len(self.score) not in (0, 1, len(files)):
            raise InputError(
                "score",
                "must be given once, or once per file in their order",
                Words(f"{len(self.score)} of them for {len(files)} files"),
            )
        if not self.score:
            self.read(files[0])  # says which columns there are
        return self.score if len(self.score) == len(files) else self.score * len(files)

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


def _number_or_word(text: str | None) -> Any:
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def watch_engines() -> None:
    """A bar on the terminal for work on engines, until the command ends."""
    from roclab.analysis.data import watched
    from roclab.cli.shared.progress import bar_unless_quiet

    context = click.get_current_context()
    bar = context.with_resource(bar_unless_quiet("counting"))

    def show(doing: str, done: int, total: int) -> None:
        bar.doing = doing
        if total:
            bar(done, total)

    context.with_resource(watched(show))


def stem_of(file: str) -> str:
    """A file's name without folder and endings, to call its data by."""
    if file == "-":
        return "standard input"
    from roclab.analysis.data import shown_address

    name = os.path.basename(shown_address(file)).removesuffix(".gz")
    return os.path.splitext(name)[0]


def distinct_names(files: tuple[str, ...], scores: tuple[str, ...]) -> list[str]:
    """What to call the data of several files: by their scores if those differ, else by the files."""
    for names in (list(scores), [stem_of(file) for file in files], list(files)):
        if len(names) == len(files) == len(set(names)):
            return names
    raise FileError("files", "must differ", Words(f"{files[0]} more than once"), "name each file once")
