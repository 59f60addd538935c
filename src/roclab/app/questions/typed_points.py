"""Operating points that were typed in, as of radar operators or published tests: their hull and the best of them."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Mapping
from typing import Any

import roclab as rl
from roclab.app.asking import Asked, table_of_rows
from roclab.app.questions.figures import drawn
from roclab.errors import InputError, Words

__all__ = ["points"]

_HEADS = {
    "sensitivity": "tpr", "recall": "tpr", "tp rate": "tpr", "true positive rate": "tpr", "fp rate": "fpr",
    "false positive rate": "fpr", "1-specificity": "fpr", "1 - specificity": "fpr", "classifier": "name",
    "test": "name",
}  # fmt: skip
_EXAMPLE = "write name; false positive rate; true positive rate, as A; 0.1; 0.6"


def points(asked: Asked) -> dict[str, Any]:
    """The hull of typed points, the points that none beats, who is best for which slopes, and a figure."""
    table = points_of_text(asked.option("typed", ""))
    rates = "specificity" if "specificity" in table else "fpr"
    names = {"name": "name"} if "name" in table else {}
    given: dict[str, Any] = {"tpr": "tpr", rates: rates, **names, **asked.chosen("n_pos", "n_neg")}
    with asked.listening():
        curves = rl.read_points(table, **given)
        hull, front = rl.hull(curves), rl.classifiers.pareto_front(curves)
        shown = drawn("hull", curves, size="double")
    _write_down(asked, table, given)
    return asked.answer(
        svg=shown["svg"], png=shown["png"],
        table=table_of_rows([
            {"name": name, "points": one.fpr.size - 2, "area under the joined points": one.area()}
            for name, one in curves.items()
        ]),
        hull=table_of_rows(hull.rows()), vertices=table_of_rows(hull.vertex_table().rows()),
        front=table_of_rows(front.rows()), notes=list(front.notes),
    )  # fmt: skip


def _write_down(asked: Asked, table: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """What was typed stands in the call itself; the command line has a point a classifier."""
    keywords = ", ".join(f"{name}={value!r}" for name, value in given.items())
    false = table.get("fpr") or [1 - one for one in table["specificity"]]
    names = table.get("name") or [str(at) for at in range(1, len(false) + 1)]
    words = [f"{name}:{x:g},{y:g}" for name, x, y in zip(names, false, table["tpr"], strict=True)]
    command = shlex.join(["roclab", "hull", *(word for one in words for word in ("--point", one))])
    asked.write(f"rl.hull(rl.read_points({dict(table)!r}, {keywords}))", command if len({*names}) == len(names) else "")


def points_of_text(text: str) -> Mapping[str, Any]:
    """Columns of a text: "A; 0.1; 0.6" or "0.1 0.6" in a line, or with a first line of names.

    >>> points_of_text("A; 0,1; 60 %")
    {'name': ['A'], 'fpr': [0.1], 'tpr': [0.6]}
    """
    lines = [line for line in text.strip().splitlines() if line.strip()]
    if not lines:
        raise InputError("", "a line must hold a point", Words("no line"), _EXAMPLE)
    rows = _cells(lines)
    if any(_is_rate(cell) for cell in rows[0]):
        heads = ["name", "fpr", "tpr"] if len(rows[0]) == 3 else ["fpr", "tpr"]
    else:
        heads, rows = [_HEADS.get(cell.lower(), cell.lower()) for cell in rows[0]], rows[1:]
    odd = [line for line, row in zip(reversed(lines), reversed(rows), strict=False) if len(row) != len(heads)]
    if not rows or odd or "tpr" not in heads or not {"fpr", "specificity"} & set(heads):
        raise InputError("", "a line must hold two rates", Words(repr([lines[0], *odd][-1][:60])), _EXAMPLE)
    return {
        head: [row[at] if head == "name" else _rate(row[at]) for row in rows]
        for at, head in enumerate(heads) if head in ("name", "fpr", "tpr", "specificity")
    }  # fmt: skip


def _cells(lines: list[str]) -> list[list[str]]:
    """The cells of each line; a comma separates them only where nothing else does, since it may be a decimal one."""
    sign = next((one for one in (";", "\t") if one in lines[0]), None)
    if sign is None and any(len(line.split()) == 1 and "," in line for line in lines):
        sign = ","
    if sign is None:
        return [line.split() for line in lines]
    return [[cell.strip() for cell in row] for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=sign)]


def _is_rate(cell: str) -> bool:
    try:
        _rate(cell)
    except InputError:
        return False
    return True


def _rate(cell: str) -> float:
    """A rate as people write it: 0.1, 0,1 or 10 %."""
    text = cell.strip().replace(",", ".")
    try:
        return float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise InputError("", "a rate must be a number", cell[:40], "write 0.1 or 10%") from None
