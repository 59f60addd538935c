"""Figures of the library by name, as they are printed: drawn on the server, shown and saved by the page."""

from __future__ import annotations

import base64
import threading
from collections.abc import Mapping
from typing import Any

from roclab.app.asking import Asked, table_of_rows
from roclab.errors import InputError
from roclab.names import FigureName
from roclab.plots.saving import figure_bytes

__all__ = ["drawn", "drawn_result", "figure", "offered"]

# What one label and scores can draw without further questions, in the words of the page.
_WORDS: Mapping[FigureName, str] = {
    "roc": "ROC curves", "troc": "tROC curves", "pr": "Precision and recall", "det": "Detection error trade-off",
    "cost": "Cost curves", "gain": "Gain", "lift": "Lift", "hull": "Convex hull", "pareto": "Pareto front",
    "crossings": "Crossings", "lc": "LC index", "iso": "Lines of equal performance", "smooth": "Smooth curves",
    "distribution": "Values of both classes", "box_cox": "Box-Cox transformation", "likelihood": "Likelihood ratios",
    "predictive": "Predictive values by prevalence", "fagan": "Fagan's nomogram", "walk": "The curve as a walk",
    "metrics": "Metrics by threshold", "calibration": "Calibration", "decision": "Decision curves",
    "comparison": "Areas and differences", "differences": "Differences of areas", "average": "Average over folds",
}  # fmt: skip
_ONE_SCORE = (
    "smooth", "distribution", "box_cox", "likelihood", "predictive", "fagan", "walk", "metrics", "iso",
    "average",
)  # fmt: skip
_OF_A_TEST = ("predictive", "fagan")  # which is a score and its threshold
_BEYOND = {
    "iso": ("iso", "troc_space"),
    "lc": ("shares",),
    "average": ("how", "spread_as"),
}  # what only one figure asks
_DRAWING = threading.Lock()  # matplotlib draws one figure at a time


def offered() -> list[dict[str, Any]]:
    """The figures that the page offers, and whether one shows a single score."""
    return [{"name": name, "words": words, "one": name in _ONE_SCORE} for name, words in _WORDS.items()]


def drawn(name: FigureName, *data: Any, **options: Any) -> dict[str, Any]:
    """A figure as the page shows and saves it, and the numbers that it draws."""
    from roclab.plots import figure as draw

    with _DRAWING:
        picture = draw(name, *data, **options)
        files = _files(picture)
    rows = picture.rows()
    return {**files, "table": table_of_rows(rows) if rows else None}


def drawn_result(result: Any) -> dict[str, Any]:
    """The figure of a result."""
    with _DRAWING:
        picture = result.plot()
        return _files(picture)


def _files(picture: Any) -> dict[str, str]:
    return {kind: base64.b64encode(figure_bytes(picture.ax, kind)).decode("ascii") for kind in ("svg", "png")}


def figure(asked: Asked) -> dict[str, Any]:
    """A figure of the library by its name."""
    name: Any = asked.option("kind", "roc")
    if name not in _WORDS:
        raise InputError("kind", f"must be one of {', '.join(_WORDS)}", name)
    options: dict[str, Any] = {"size": asked.option("size", "double")}
    flags: list[str] = ["--figure", name]
    options |= asked.chosen(*_BEYOND.get(name, ()))
    if name in _OF_A_TEST and asked.option("threshold") is not None:
        options["at_threshold"] = [asked.option("threshold")]
    if name in ("fagan", "cost", "lc"):
        options |= asked.chosen("prevalence")
    parts = ("folds",) if name == "average" else ()
    keywords, cases = asked.keywords(*parts), asked.cases(*parts)
    if name == "average" and "folds" not in keywords:
        raise InputError("fold", "must name the column of folds", way_out="choose it among the columns")
    if name in _ONE_SCORE:
        score = asked.option("score") or cases.names[0]
        cases, keywords["score"] = cases.select([score]), score
    asked.note("plots.figure", keywords, options, command="plot", flags=flags, first=(name,))
    with asked.listening():
        found = drawn(name, cases, **options)
    return asked.answer(**found)
