"""What is known of a table before its first question: the answer of ``doctor``, in the syntax of either face."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from roclab._core.text import text_table
from roclab.analysis.doctor.column_roles import ColumnFinding
from roclab.analysis.doctor.first_try import FirstTry
from roclab.analysis.doctor.traps import Trap
from roclab.errors import in_python, named
from roclab.options.spelling import option_of
from roclab.results import Result

__all__ = ["Diagnosis", "Step"]

Syntax = Literal["python", "command line"]
_COMMANDS = {"write_report": "report"}  # verbs that the command line calls differently


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A question that can be asked now: the verb, its keywords, and what it answers."""

    verb: str
    keywords: Mapping[str, Any]
    answers: str

    def written(self, syntax: Syntax, data: str) -> str:
        """The line to type."""
        if syntax == "python":
            words = ", ".join(f"{name}={value!r}" for name, value in self.keywords.items())
            first = '"report.html", ' if self.verb == "write_report" else ""
            return f"rl.{self.verb}({first}{data}, {words})"
        command = _COMMANDS.get(self.verb, self.verb)
        parts = ["roclab", command, shlex.quote(data)]
        for name, value in self.keywords.items():
            for one in value if isinstance(value, list | tuple) else [value]:
                parts += [option_of(name, command), shlex.quote(str(one))]
        return " ".join([*parts, *(["-o", "report.html"] if self.verb == "write_report" else [])])


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis(Result):
    """A table before its first question: columns, one guess of their parts, traps, and what to type next.

    Nothing in it is used by any other question: parts are those that a call names.
    """

    called: str
    cases: int
    columns: tuple[ColumnFinding, ...]
    tried: FirstTry
    traps: tuple[Trap, ...]
    steps: tuple[Step, ...]
    data: str  # how a line to type names the table
    notes: tuple[str, ...] = field(default=())

    def rows(self) -> list[dict[str, Any]]:
        """One row per column: what it holds, what it could be, and why."""
        return [
            {
                "column": column.name,
                "holds": column.kind,
                "missing": column.missing,
                "distinct": column.distinct,
                "values": column.values,
                "could be": ", ".join(role.name for role in column.could_be),
                "because": column.could_be[0].reason if column.could_be else column.remark,
            }
            for column in self.columns
        ]

    def commands(self, syntax: Syntax = "python") -> tuple[str, ...]:
        """The lines to type next, as Python or as the command line writes them."""
        data = repr(self.data) if syntax == "python" and self.data != "data" else self.data
        return tuple(step.written(syntax, data) for step in self.steps)

    def to_dict(self) -> dict[str, Any]:
        """Every field, and the lines to type in both syntaxes."""
        out = Result.to_dict(self)
        return out | {"python": list(self.commands()), "command_line": list(self.commands("command line"))}

    def headline(self) -> str:
        """The answer first: which columns a first question would name, and how many traps there are."""
        tried = self.tried
        label = f"{tried.label} may be the label" if tried.label else "no column looks like a label"
        if tried.followed is not None:
            followed = f"{tried.followed.time} and {tried.followed.event} look like a follow-up"
            label = followed if tried.label in (None, tried.followed.event) else f"{label}, {followed}"
        shown = ", ".join(tried.scores[:3]) + (f" and {len(tried.scores) - 3} more" if len(tried.scores) > 3 else "")
        scores = f"{shown} the score{'s' * (len(tried.scores) > 1)}" if tried.scores else "no column looks like a score"
        traps = f"{len(self.traps) or 'no'} trap{'s' * (len(self.traps) != 1)}"
        return f"{self.called}: {self.cases} rows; {label}, {scores}; {traps}."

    def text(self, syntax: Syntax) -> str:
        """All of it for people; arguments are marked, for the face to write."""
        lines = [self.headline(), "", text_table(self.rows())]
        if self.tried.reasons:
            lines += ["", "First guess (nothing of it is used unless you type it)", *_listed(self.tried.reasons)]
        if self.traps:
            lines += ["", "Beware", *_listed(map(_trap_text, self.traps))]
        if self.steps:
            lines += ["", "Can be asked now", *_listed(dict.fromkeys(step.answers for step in self.steps))]
            lines += ["", "Type next", *(f"  {command}" for command in self.commands(syntax)[:3])]
        return "\n".join([*lines, *([""] if self.notes else []), *self.notes])

    def __str__(self) -> str:
        return in_python(self.text("python"))


def _listed(sentences: Any) -> list[str]:
    return [f"- {one}" for one in sentences]


def _trap_text(trap: Trap) -> str:
    way_out = f" ({named(trap.keyword, trap.value)})" if trap.keyword else ""
    return f"{trap.column}: {trap.text}{way_out}" if trap.column else f"{trap.text}{way_out}"
