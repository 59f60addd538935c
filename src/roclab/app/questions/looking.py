"""Before the first question and after the last: what the columns could be, and the rows of the table themselves."""

from __future__ import annotations

from functools import cache
from typing import Any

import roclab as rl
from roclab._core.plain import plain
from roclab.analysis.column_bars import bars_of_columns
from roclab.analysis.table_rows import rows_as_text, rows_of_table
from roclab.app.asking import Asked, table_of_rows
from roclab.errors import InputError

__all__ = ["doctor", "examples", "rows"]

_SHOWN = 500  # rows that the page lists


def doctor(asked: Asked) -> dict[str, Any]:
    """One guess of all parts together, and what to beware of; nothing of it is used before it is confirmed."""
    given: dict[str, Any] = {}
    parts = asked.keywords()
    if parts.get("label"):
        given["label"] = parts["label"]
        if parts.get("pos_label") is not None and not isinstance(parts["pos_label"], list):
            given["pos_label"] = str(parts["pos_label"])
    with asked.listening():
        try:
            found = rl.doctor(asked.data(), **given)
        except InputError:  # a rule such as "> 6.5" is no value of the label
            found = rl.doctor(asked.data(), **{name: one for name, one in given.items() if name == "label"})
    asked.note("doctor", {}, given)
    tried = found.tried
    here = not asked.held().table().overview.elsewhere
    return asked.answer(
        bars=bars_of_columns(asked.data(), label=tried.label, positive=tried.positive) if here else {},
        guess={
            "label": tried.label, "classes": list(tried.classes), "positive": tried.positive,
            "score": list(tried.scores), "id": tried.id, "fold": tried.fold, "group": tried.group,
            "rivals": list(tried.rivals), "followed": plain(tried.followed),
        },
        traps=[
            {"column": one.column, "text": one.text, "keyword": one.keyword, "value": plain(one.value)}
            for one in found.traps
        ],
    )  # fmt: skip


def rows(asked: Asked) -> dict[str, Any]:
    """Rows of the table by their numbers: to look at or, with ``text``, to be saved and analysed on."""
    numbers = asked.option("rows", [])
    if asked.option("text"):
        return asked.answer(text=rows_as_text(asked.data(), numbers))
    found = rows_of_table(asked.data(), numbers[:_SHOWN])
    return asked.answer(table=table_of_rows(found), count=len(numbers), shown=len(found))


@cache
def examples() -> tuple[dict[str, Any], ...]:
    """The data sets that come with roclab, each with a few points of its curves for a small picture."""
    markers = ("procalcitonin", "lactate", "concern")
    patients = [rl.roc("example", label="outcome", pos_label="deteriorated", score=name) for name in markers]
    grapes = [rl.roc("wines", label="grape", pos_label=name, score=name) for name in ("barbera", "barolo", "gamay")]
    readings = rl.readers.mrmc("readings").curves().averages.values()
    course: dict[str, Any] = {
        "time": "days",
        "event": "ended",
        "cause": "relapse",
        "competing": "death",
        "censored": "lost",
    }
    over_time = rl.roc("followed", **course, score=["marker", "grade"], at=730)
    relapses = [one.curve for one in over_time.curves]
    return (
        {"name": "example", "curves": [_few(curve.fpr, curve.tpr) for curve in patients]},
        {"name": "wines", "curves": [_few(curve.fpr, curve.tpr) for curve in grapes]},
        {"name": "readings", "curves": [_few(curve.fpr, curve.tpr) for curve in readings]},
        {"name": "followed", "curves": [_few(curve.fpr, curve.tpr) for curve in relapses]},
    )


def _few(x: Any, y: Any, most: int = 40) -> list[list[float]]:
    step = max(1, len(x) // most)
    at = [*range(0, len(x) - 1, step), len(x) - 1]
    return [[round(float(x[k]), 3), round(float(y[k]), 3)] for k in at]
