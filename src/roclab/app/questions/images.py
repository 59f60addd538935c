"""What in a scan may be a nodule: marks of a lung CAD, and the lungs it searched."""

from __future__ import annotations

from typing import Any

from roclab.analysis.viewing import cad_of_scan
from roclab.app.asking import Asked, table_of_rows
from roclab.errors import InputError, Words

__all__ = ["cad"]


def cad(asked: Asked) -> dict[str, Any]:
    """Marks with their probabilities, the highest first."""
    path, model = asked.option("path"), asked.option("model", "phantoms")
    if not path:
        raise InputError("", "a scan must be open", Words("none"), "open one first")
    asked.item = None
    with asked.listening():
        found = cad_of_scan(path, model)
    asked.made["lungs"] = found.pop("lungs")
    rows = found.pop("rows")
    asked.write(f"rl.imaging.cad_apply({model!r}, {path!r})", f"roclab cad apply {model} {path}")
    return asked.answer(table=table_of_rows(rows), **found)
