"""Studies in which several readers read the same cases: areas of readers, means of modalities, and mean curves."""

from __future__ import annotations

from typing import Any

import roclab as rl
from roclab.app.asking import Asked, table_of_rows
from roclab.app.spelling import spelled

__all__ = ["reader_plan", "readers"]

_PARTS = {"label": "label", "pos_label": "pos_label", "neg_label": "neg_label", "missing": "missing"}
_COLUMNS = ("rating", "reader", "modality", "case")


def readers(asked: Asked) -> dict[str, Any]:
    """Does the modality matter, for other readers and other cases too?"""
    found = _study(asked)
    curves = found.curves()
    return asked.answer(
        areas=[
            {"reader": one.reader, "modality": one.modality, "area": one.estimate.area,
             "low": one.estimate.interval.low, "high": one.estimate.interval.high} for one in found.areas
        ],
        means=[
            {"modality": one.sample.score, "area": one.area, "low": one.interval.low, "high": one.interval.high}
            for one in found.means
        ],
        modalities=list(found.modalities), readers=list(found.readers), quantity=found.quantity,
        pairs=table_of_rows([row for one in found.pairs for row in one.rows()]),
        equality=table_of_rows([] if found.equality is None else found.equality.rows()),
        components=table_of_rows(found.components.rows()),
        curves=[{"name": name, "x": one.fpr, "y": one.tpr} for name, one in curves.averages.items()],
        each=[
            {"modality": name, "reader": reader, "x": one.fpr, "y": one.tpr}
            for name, every in curves.curves.items() for reader, one in every.items()
        ],
        n_pos=found.sample.n_pos, n_neg=found.sample.n_neg, words=str(found).rstrip().split("\n\n")[-1].splitlines(),
        notes=[*map(str, found.notes)],
    )  # fmt: skip


def reader_plan(asked: Asked) -> dict[str, Any]:
    """Power by readers and cases, and the fewest cases that reach it: as this study varies, or as typical ones do."""
    typical: Any = asked.option("kind")
    plan = asked.chosen("difference", "readers", "cases", "prevalence", "power", "level", "random", "margin")
    pilot: Any = typical
    if typical is None:
        pilot = _study(asked)
        asked.calls.clear()
        asked.note("readers.mrmc", {}, _given(asked), command="readers-size", into=("readers.sample_size", plan),
                   flags=[*spelled("readers-size", plan)])  # fmt: skip
    else:
        asked.item = None  # typical variances need no data
        plan["auc"] = asked.option("area", 0.85)
        asked.note("readers.sample_size", {}, plan, command="readers-size", first=(typical,),
                   flags=("--typical", typical))  # fmt: skip
    with asked.listening():
        found = rl.readers.sample_size(pilot, **plan)
    smallest = [
        {"readers": one.readers, "positive": one.n_pos, "negative": one.n_neg, "power": one.power}
        for one in found.smallest
    ]
    return asked.answer(
        table=table_of_rows(found.rows()), smallest=table_of_rows(smallest), words=str(found).splitlines(),
        notes=[*map(str, found.notes)],
    )  # fmt: skip


def _study(asked: Asked) -> Any:
    given = _given(asked)
    asked.note("readers.mrmc", {}, given, command="readers")
    with asked.listening():
        return rl.readers.mrmc(asked.data(), **given)


def _given(asked: Asked) -> dict[str, Any]:
    """The columns of a study and how it is analysed."""
    roles = asked.keywords()
    given: dict[str, Any] = {name: roles[name] for name in _PARTS if name in roles}
    given |= asked.chosen(*_COLUMNS, "level", "method", "random")
    if asked.option("labelled_by"):
        given["label"] = asked.option("labelled_by")
    return given
