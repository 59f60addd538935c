"""Several answers as one: about several scores, or about groups of cases."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from roclab._core.text import format_number, text_table, without_shared
from roclab.errors import InputError, Words
from roclab.results.base import Result, Sample, TestResult
from roclab.results.pictured import Pictured
from roclab.results.restoring import made_of_kind

__all__ = ["ByGroup", "Several"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Several(Result):
    """Answers to one question about several scores, by name, or several answers about one."""

    results: Mapping[str, Result] | tuple[Result, ...]

    def to_dict(self) -> dict[str, Any]:
        """The dictionary of each answer."""
        if isinstance(self.results, Mapping):
            return {"results": {name: one.to_dict() for name, one in self.results.items()}, "kind": _kind(self.results)}
        return {
            "results": [result.to_dict() for result in self.results],
            "kind": [type(result).__name__ for result in self.results],
        }

    @classmethod
    def _fields_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """Answers of the types that the dictionary names."""
        answers, kinds = data["results"], data["kind"]
        if isinstance(answers, dict):
            return {"results": {name: made_of_kind(kinds[name], one) for name, one in answers.items()}}
        return {"results": [made_of_kind(kind, one) for kind, one in zip(kinds, answers, strict=True)]}

    def rows(self) -> list[dict[str, Any]]:
        """The rows of each answer."""
        if isinstance(self.results, Mapping):
            return [{"variable": name, **row} for name, one in self.results.items() for row in one.rows()]
        return [row for result in self.results for row in result.rows()]

    def __str__(self) -> str:
        if isinstance(self.results, Mapping):
            return "\n\n\n".join(f"{name}\n{'-' * len(name)}\n{one}" for name, one in self.results.items())
        rows, below = without_shared(self.rows(), ["method", "interval"])
        samples = [sample for result in self.results if isinstance(sample := getattr(result, "sample", None), Sample)]
        circumstances = dict.fromkeys(sample.without_name().describe() for sample in samples)
        return "\n".join([text_table(rows), *below, *([""] if circumstances else []), *circumstances])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ByGroup(Pictured):
    """The answers to one question, asked of every group of cases apart; ``found["north"]`` is that of one group."""

    by: str  # what makes the groups: the name of a column
    results: Mapping[str, Result]
    skipped: Mapping[str, str] = field(default_factory=dict)  # groups that could not be answered, and why
    tests: tuple[TestResult, ...] = ()  # do the answers differ between groups? where the question has such a test

    def __getitem__(self, group: str) -> Any:
        for name, one in self.results.items():
            if name == str(group):
                return one
        if str(group) in self.skipped:
            raise InputError("group", f"{group} was passed over, because {self.skipped[str(group)]}")
        raise InputError("group", f"must be one of {', '.join(map(repr, self.results))}", group)

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def items(self) -> Iterator[tuple[str, Any]]:
        """Groups and their answers."""
        return iter(self.results.items())

    def gaps(self, *, level: float = 0.95) -> Any:
        """How far the rates of the groups lie apart, where the answers are confusion matrices: see ``RateGaps``."""
        between = getattr(type(next(iter(self.results.values()))), "_gaps_between", None)
        if between is None:
            kinds = dict.fromkeys(type(one).__name__ for one in self.results.values())
            raise InputError(
                "", "gaps are those of confusion matrices", Words(", ".join(kinds)), "ask confusion() with by="
            )
        return between(self.by, self.results, level=level)

    def calibration(self, *, level: float = 0.95, **asked: Any) -> Any:
        """Calibration of predicted risks in every group, and tests between groups, where the answers are curves.

        ``bins``, ``binning``, ``band``, ``resampling`` and ``rng`` as in the calibration of one curve.
        """
        between = getattr(type(next(iter(self.results.values()))), "_calibrations_between", None)
        if between is None:
            kinds = dict.fromkeys(type(one).__name__ for one in self.results.values())
            raise InputError(
                "", "calibration is that of curves of predicted risks", Words(", ".join(kinds)), "ask roc() with by="
            )
        return between(self.by, self.results, level=level, **asked)

    def each(self, question: Callable[[Any], Result]) -> ByGroup:
        """A further question to the answer of every group."""
        return dataclasses.replace(self, results={name: question(one) for name, one in self.results.items()}, tests=())

    def _following(self, program: str, note: str) -> ByGroup:
        """Every group as the conventions of a program have it."""
        return self.each(lambda one: one._following(program, note))

    def to_dict(self) -> dict[str, Any]:
        """The dictionary of each answer, by group."""
        answers = {name: one.to_dict() for name, one in self.results.items()}
        tests = {"tests": [test.to_dict() for test in self.tests]} if self.tests else {}
        return {"by": self.by, "groups": answers, "skipped": dict(self.skipped), **tests, "kind": _kind(self.results)}

    @classmethod
    def _fields_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """Answers of the types that the dictionary names."""
        answers = {name: made_of_kind(data["kind"][name], one) for name, one in data["groups"].items()}
        tests = {"tests": data["tests"]} if "tests" in data else {}
        return {"by": data["by"], "results": answers, "skipped": data["skipped"], **tests}

    def _between(self) -> Iterator[str]:
        """What the tests between groups say, in words first."""
        for test in self.tests:
            outcome = f"{test.distribution}, statistic {format_number(test.statistic)}, p {format_number(test.p_value)}"
            yield f"Is {test.hypothesis.replace(' is the same', ' the same')}? {outcome}"
            yield from (f"  {note}" for note in test.notes)

    def rows(self) -> list[dict[str, Any]]:
        """The rows of each answer, after the group."""
        return [{self.by: name, **row} for name, one in self.results.items() for row in one.rows()]

    def __str__(self) -> str:
        below = [f"{self.by} {name} passed over: {reason}" for name, reason in self.skipped.items()]
        parts = ["\n".join(self._between())] if self.tests else []
        brief = [result.summary_row() for result in self.results.values()]
        if len(brief) > 1 and all(brief):
            shown = [{self.by: name, **(row or {})} for name, row in zip(self.results, brief, strict=True)]
            rest = f"CSV, JSON and data frames have every number of every {self.by}."
            return "\n".join([text_table(shown), "", rest, *below])
        for name, one in self.results.items():
            heading = f"{self.by} {name}"
            parts.append(f"{heading}\n{'-' * len(heading)}\n{one}")
        return "\n\n\n".join([*parts, *(["\n".join(below)] if below else [])])


def _kind(results: Mapping[str, Result]) -> dict[str, str]:
    """The type of every answer by its name, so that JSON can be made answers again."""
    return {name: type(one).__name__ for name, one in results.items()}
