"""Recipes of reader studies: from a study, or a table whose columns are named as in one of the known layouts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from roclab.analysis.readers import ReaderStudy, mrmc
from roclab.errors import InputError, Words, named
from roclab.names import READER_FIGURES
from roclab.plots.readers import drawn_by_name
from roclab.plots.recipes.source import Drawn, Source

__all__ = ["RECIPES"]

_READING = ("pos_label", "neg_label", "direction", "missing", "sheet", "delimiter", "decimal", "header_row", "na")


def _draw(figure: Any, source: Source, *, level: float = 0.95) -> Drawn:
    study = source.data
    if not isinstance(study, ReaderStudy):
        given = {name: value for name, value in source.keywords.items() if value is not None}
        other = [name for name in given if name not in _READING and name != "scores"]
        if other or given.get("scores") is not None:
            raise InputError(
                other[0] if other else "y_score",
                f"has no part in {named('figure', source.figure)}, which takes a table with columns reader, modality, "
                "case, truth and rating",
                Words("it"),
                "analyse other tables by rl.readers.mrmc(…) or roclab readers, and draw what that returns",
            )
        study = mrmc(study, level=level, **{name: given[name] for name in _READING if name in given})
    return drawn_by_name(study, figure, source.size)


RECIPES: dict[str, Callable[..., Drawn]] = {name: partial(_draw, name) for name in READER_FIGURES}
