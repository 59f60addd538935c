"""Reading the tables of examples (``rows/*.csv``): a line is a value of a text, and the call that gives ours.

A call is a runner and its arguments, separated by blanks: ``auc @fawcett20``, ``partial_area curve@fawcett20
fpr=0,0.1 .area``. ``@name`` is a sample, ``curve@name`` its ROC curve, ``a,b`` a pair, ``key=value`` a keyword; what
begins with a full stop is an attribute of the answer, ``.low,high`` are two. A value that begins with ``=`` is such a
call too: a formula as it is printed. A line of kind "erratum" names a mistake in words, which no number shows.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from operator import attrgetter
from pathlib import Path
from typing import Any

from roclab.curves.roc import roc_curve
from roclab.studies.catalogue.runners import RUNNERS
from roclab.studies.catalogue.samples import sample_of
from roclab.studies.errata import ERRATA
from roclab.studies.verdicts import Example, example

__all__ = ["Remark", "examples_in", "remarks_in", "run"]


@dataclass(frozen=True, slots=True)
class Remark:
    """A mistake in words or formulas of a text that no number shows."""

    where: str
    quantity: str
    erratum: str
    says: str


def _lines(source: str) -> list[dict[str, str]]:
    text = files("roclab.studies.catalogue").joinpath("rows", f"{source}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def remarks_in(source: str) -> list[Remark]:
    """The mistakes in words that a table of examples names."""
    lines = (line for line in _lines(source) if line["kind"] == "erratum")
    return [
        Remark(line["where"], line["quantity"], number := line["erratum"], f"{number}: {ERRATA[number].says()}")
        for line in lines
    ]


def examples_in(source: str, folder: Path | None) -> list[Example]:
    """All examples of a table; those that need outside data look for it in the given folder."""
    return [_example(line, folder) for line in _lines(source) if line["kind"] != "erratum"]


def _example(line: dict[str, Any], folder: Path | None) -> Example:
    value, call = line["value"], line["ours"]
    return example(
        line["kind"],
        line["where"],
        line["quantity"],
        partial(run, value[1:], folder) if value.startswith("=") else value,
        partial(run, call, folder) if call else None,
        erratum=line["erratum"],
        correct=line["correct"],
        verdict=line["verdict"],
        reason=line["reason"],
    )


def run(call: str, folder: Path | None = None) -> Any:
    """What a call of a table gives.

    >>> run("auc @slovenian10"), run("hull_of_curve curve@fawcett20 .fpr.size")
    (0.86, 6)
    """
    name, *words = call.split()
    arguments, keywords, attributes = [], {}, []
    for word in words:
        key, sign, rest = word.partition("=")
        if word.startswith("."):
            attributes.append(word[1:])
        elif sign:
            keywords[key] = _argument(rest, folder)
        else:
            arguments.append(_argument(word, folder))
    runner: Callable[..., Any] = RUNNERS[name]
    answer = runner(*arguments, **keywords)
    for one in attributes:
        answer = attrgetter(*one.split(","))(answer)
    return answer


def _argument(word: str, folder: Path | None) -> Any:
    if "," in word:
        return tuple(_argument(part, folder) for part in word.split(","))
    kind, sign, name = word.partition("@")
    if sign:
        sample = sample_of(name, folder)
        return roc_curve(sample) if kind == "curve" else sample
    for number in (int, float):
        try:
            return number(word)
        except ValueError:
            continue
    return word
