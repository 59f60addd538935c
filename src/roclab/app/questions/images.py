"""What in a scan may be a nodule: marks of a lung CAD, and the lungs it searched; classes of its pixels."""

from __future__ import annotations

from typing import Any

from roclab.analysis.viewing.layers import text_of_layer
from roclab.analysis.viewing.overlays import classes_of_file
from roclab.analysis.viewing.scans import cad_of_scan
from roclab.app.asking import Asked, table_of_rows
from roclab.errors import InputError, Words

__all__ = ["cad", "classes"]


def cad(asked: Asked) -> dict[str, Any]:
    """Marks with their probabilities, the highest first; with a table of nodules, which are hits."""
    path, truth = _path(asked), asked.option("truth")
    model = asked.option("model", "phantoms")
    with asked.listening():
        found = cad_of_scan(path, model, truth)
    for layer in found.pop("layers"):
        asked.made[layer.name] = text_of_layer(layer)
    rows = found.pop("rows")
    annotations = f" --annotations {truth}" if truth else ""
    asked.write(f"rl.imaging.cad_apply({model!r}, {path!r})", f"roclab cad apply {model} {path}{annotations}")
    return asked.answer(table=table_of_rows(rows), **found)


def classes(asked: Asked) -> dict[str, Any]:
    """Classes of the pixels by robust fuzzy c-means, and the membership of each."""
    path, many = _path(asked), asked.option("classes", 3)
    with asked.listening():
        rows, layers = classes_of_file(path, many)
    for layer in layers:
        asked.made[layer.name] = text_of_layer(layer)
    asked.write(f"rl.imaging.segment({path!r}, classes={many})", f"roclab segment {path} --classes {many}")
    return asked.answer(table=table_of_rows(rows), layers=[layer.name for layer in layers])


def _path(asked: Asked) -> str:
    path: str | None = asked.option("path")
    if not path:
        raise InputError("", "a scan must be open", Words("none"), "open one first")
    asked.item = None
    return path
