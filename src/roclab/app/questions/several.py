"""Many classes, many markers, several classifiers together, and rank tests."""

from __future__ import annotations

from typing import Any

import roclab as rl
from roclab.app.asking import Asked, table_of_rows
from roclab.errors import InputError
from roclab.names import RANK_TESTS

__all__ = ["combine", "multiclass", "rank_test", "screen"]


def multiclass(asked: Asked) -> dict[str, Any]:
    """Areas of every class against the rest and of every pair, and their averages."""
    roles = {name: value for name, value in asked.keywords().items() if name in ("label", "score", "missing")}
    given = asked.chosen("labels", "level")  # the classes in the order of their columns
    asked.note("multiclass", roles, given)
    with asked.listening():
        areas = rl.multiclass(asked.data(), **roles, **given)
    return asked.answer(table=table_of_rows(areas.rows()), words=str(areas).split("\n\n")[-1].splitlines())


def screen(asked: Asked) -> dict[str, Any]:
    """One row per marker: area, interval, p and adjusted p."""
    roles = {name: value for name, value in asked.keywords().items() if name != "score"}
    given: dict[str, Any] = asked.chosen("level", "adjust", "order")
    if asked.option("markers"):
        roles["score"] = list(asked.option("markers"))
    if asked.option("exclude"):
        given["exclude"] = list(asked.option("exclude"))
    if isinstance(roles.get("direction"), dict):
        roles["direction"] = "auto"
    asked.note("screen", roles, given)
    with asked.listening():
        screening = rl.screen(asked.data(), **roles, **given, progress=asked.progress)
    return asked.answer(table=table_of_rows(screening.rows()), words=str(screening).split("\n\n")[-1].splitlines()[-6:])


def combine(asked: Asked) -> dict[str, Any]:
    """Two or more scores as one classifier: AND, OR, or along their common hull."""
    how = asked.option("how", "hybrid")
    given: dict[str, Any] = asked.chosen("prevalence", "cost_fp", "cost_fn")
    if how == "hybrid":
        if asked.option("fpr") is not None:
            given = asked.chosen("fpr")
        found = asked.ask("classifiers.hybrid", command="combine", flags=("--hybrid",), **given)
        return asked.answer(table=table_of_rows(found.rows()), words=str(found).splitlines())
    thresholds = asked.option("thresholds", [])
    asked.note("classifiers.combine", asked.keywords(), {"operation": how, "thresholds": thresholds, **given})
    with asked.listening():
        chosen: dict[str, Any] = {"operation": how, "thresholds": thresholds, **given}
        calls: Any = rl.classifiers.combine(asked.data(), **asked.keywords(), **chosen)
    return asked.answer(table=table_of_rows(calls.rows()), words=str(calls).splitlines())


def rank_test(asked: Asked) -> dict[str, Any]:
    """Do samples come from one distribution?"""
    test = asked.option("test", "mann-whitney")
    score = asked.option("score")
    if test == "kruskal-wallis":
        given = {"score": score, "group": asked.option("group") or asked.keywords().get("label")}
        asked.note("ranks.kruskal_wallis", {}, given, command="rank-test", flags=("--test", test))
        with asked.listening():
            found: Any = rl.ranks.kruskal_wallis(asked.data(), **given, missing="drop")
    elif test in ("mann-whitney", "smirnov"):
        verb = f"ranks.{test.replace('-', '_')}"
        found = asked.ask(
            verb, command="rank-test", flags=("--test", test), scores=[score], **asked.chosen("alternative")
        )
    else:
        raise InputError("test", f"must be one of {', '.join(RANK_TESTS)}", test)
    return asked.answer(table=table_of_rows(found.rows()), words=str(found).splitlines())
