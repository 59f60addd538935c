"""One question of a page: its data, its parts, its options, and the same question in Python and on the command line."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import roclab as rl
from roclab._core.collected_warnings import collected_warnings
from roclab._core.plain import plain
from roclab.app.forms import Form, draws
from roclab.app.kinds import checked_fields, checked_option, checked_roles
from roclab.app.shelf import Item
from roclab.app.spelling import spelled
from roclab.errors import InputError
from roclab.options.spelling import word_of_page

__all__ = ["Asked", "Progress", "table_of_rows"]

Progress = Callable[[int, int], None]

_DEFAULTS = {"missing": "error", "direction": "higher", "level": 0.95, "cost_fp": 1, "cost_fn": 1}
_SAMPLE_PARTS = ("folds", "by", "time", "event")  # asked only of those questions that are about them


@dataclass(frozen=True, slots=True)
class _Call:
    python: str
    command: str


@dataclass(slots=True, kw_only=True)
class Asked:
    """A question. ``options`` are what the user chose beyond the data; ``progress`` hears how far long work is."""

    item: Item | None
    roles: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    progress: Progress | None = None
    beside: Item | None = None  # a second data set, of questions about two
    said: list[str] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)
    made: dict[str, str] = field(default_factory=dict)  # new tables that came of it, as text

    # -- what was asked ---------------------------------------------------------------------------------

    def option(self, name: str, default: Any = None) -> Any:
        """A choice of the user, or the default."""
        value = self.options.get(name)
        return default if value is None or value == "" else checked_option(name, value)

    def chosen(self, *names: str) -> dict[str, Any]:
        """Those of these options that were given, for a verb."""
        return {name: self.option(name) for name in names if self.option(name) is not None}

    def given(self, form: Form) -> dict[str, Any]:
        """What was given of the options of a form, for a verb; resampling is given a seed, and tells how far it is."""
        found = checked_fields(form, self.options)
        if draws(found):
            found |= {
                "resampling": self.resampling(),
                "rng": found.get("rng", 1),
            }  # a page that is reloaded says the same
        return found

    def resampling(self) -> Any:
        """Replicates that tell how far they are."""
        return rl.Resampling(replicates=self.option("resampling", 2000), progress=self.progress)

    def keywords(self, *more: str) -> dict[str, Any]:
        """The parts of the data by the names of the library; folds and groups only where a question is about them."""
        given = {word_of_page(name): value for name, value in checked_roles(self.roles).items()}
        return {name: value for name, value in given.items() if name not in _SAMPLE_PARTS or name in more}

    def held(self) -> Item:
        """The data set, which most questions need."""
        if self.item is None:
            raise InputError("", "this question needs data", way_out="open a file first")
        return self.item

    # -- asking -----------------------------------------------------------------------------------------

    def data(self) -> Any:
        """What verbs are given: the table in memory, or the place where rows stay."""
        return self.held().table().table

    def cases(self, *more: str) -> Any:
        """The cases, read once for the same parts; ``more`` may be "folds" and "by"."""
        keywords = self.keywords(*more)
        item = self.held()
        with self.listening():
            return item.kept_cases(
                json.dumps(keywords, sort_keys=True), lambda: rl.read_cases(self.data(), **keywords).remembering()
            )

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Warnings of the library become notes on the page."""
        with collected_warnings() as notes:
            yield
        self.said += notes

    def ask(
        self,
        verb: str,
        *,
        command: str | None = None,
        flags: Sequence[str] = (),
        more: Sequence[str] = (),
        scores: Sequence[str] | None = None,
        each: bool = False,
        **options: Any,
    ) -> Any:
        """Ask a verb of the library, and write down how to ask it elsewhere.

        ``scores`` are some of the scores; with ``each`` the command line asks for one after the other.
        """
        keywords = self.keywords(*more)
        if scores is not None:
            keywords["score"] = list(scores)
        self.note(verb, keywords, options, command=command, flags=flags, each=each)
        run = attrgetter(verb)(rl)
        cases = self.cases(*more)
        with self.listening():
            return run(cases if scores is None else cases.select(list(scores)), **options)

    def curves(self, **asked: Any) -> dict[str, Any]:
        """The curves of all scores by name; one score has one too."""
        found = self.ask("roc", **asked)
        return found if isinstance(found, dict) else {self.cases().only_name(): found}

    def note(
        self,
        verb: str,
        keywords: Mapping[str, Any],
        options: Mapping[str, Any],
        *,
        command: str | None = None,
        flags: Sequence[str] = (),
        first: Sequence[str] = (),
        each: bool = False,
        then: str = "",
        into: tuple[str, Mapping[str, Any]] | None = None,
    ) -> None:
        """Write down a call in Python and on the command line.

        In Python ``first`` stands before the data and ``then`` behind the call; ``into`` is a verb that takes the
        answer, and its options.
        """
        shown = {**keywords, **(self.item.reading if self.item is not None else {}), **options}
        shown = _not_default(shown)
        place = [] if self.item is None else [self.item.called]
        called = command or verb.rpartition(".")[2].replace("_", "-")
        scores = shown.get("score")
        alone = [{**shown, "score": score} for score in scores] if each and isinstance(scores, list) else [shown]
        words, verb_there = called.split(), called.split()[-1]
        lines = [shlex.join(["roclab", *words, *place, *spelled(verb_there, one), *flags]) for one in alone]
        python = f"rl.{verb}({self.arguments(keywords, options, first=first)}){then}"
        if into is not None:
            python = f"rl.{into[0]}({', '.join([python, *_keywords(into[1])])})"
        self.write(python, "\n".join(lines))

    def write(self, python: str, command: str) -> None:
        """Write down a call as it stands in both languages."""
        self.calls.append(_Call(python, command))

    def arguments(self, keywords: Mapping[str, Any], options: Mapping[str, Any], *, first: Sequence[str] = ()) -> str:
        """What stands between the brackets of a call in Python."""
        reading = {} if self.item is None else self.item.reading
        place = [] if self.item is None else [self.item.called]
        return ", ".join([*map(repr, [*first, *place]), *_keywords({**keywords, **reading, **options})])

    def code(self) -> dict[str, str]:
        """The calls that were written down, in Python and on the command line."""
        calls = list(dict.fromkeys(self.calls))
        return {
            "python": "\n".join(["import roclab as rl", "", *(call.python for call in calls)]) if calls else "",
            "command": "\n".join(call.command for call in calls),
        }

    def answer(self, **parts: Any) -> dict[str, Any]:
        """What the page gets: plain values, notes, and the question in both languages."""
        code = self.code()
        found: dict[str, Any] = plain({**parts, "notes": [*dict.fromkeys([*parts.get("notes", ()), *self.said])]})
        return {**found, "code": code}


def table_of_rows(rows: Sequence[Mapping[str, Any]], title: str = "") -> dict[str, Any]:
    """Rows as the page shows them: columns in their order, cells as plain values, and which columns are counts.

    JavaScript has one kind of number; without being told it would print the rate 1.0000 as the count 1.
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    counts = [not any(isinstance(row.get(name), float) for row in rows) for name in names]
    cells = [[plain(row.get(name)) for name in names] for row in rows]
    return {"title": title, "columns": names, "counts": counts, "rows": cells}


def _not_default(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is to be written of keywords: those that say something, as people write them."""
    shown = {name: _as_written(value) for name, value in given.items() if _DEFAULTS.get(name) != value}
    return {name: value for name, value in shown.items() if value is not None}


def _keywords(given: Mapping[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in _not_default(given).items()]


def _as_written(value: Any) -> Any:
    """An option as people write it; what only this run needs is left out."""
    if type(value).__name__ == "Resampling":
        return None if value.replicates == 2000 else value.replicates
    return value
