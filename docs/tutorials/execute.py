"""Run the tutorials and keep what they show: ``python docs/tutorials/execute.py`` after a change of words or numbers.

Outputs are kept small: printed text, and pictures with the few colours that they need. What a widget shows lives only
while its kernel does and is left out.
"""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from PIL import Image

__all__ = ["HERE", "executed", "tutorials"]

HERE = Path(__file__).parent


def tutorials() -> list[Path]:
    """Every notebook."""
    return sorted(HERE.glob("*.ipynb"))


def executed(path: Path) -> Any:
    """A notebook with the outputs of a new kernel."""
    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(HERE)}}).execute()
    for cell in book.cells:
        cell.metadata = {}
        cell.outputs = [_small(one) for one in cell.get("outputs", []) if _kept(one)]
    book.cells = [_plain(cell) for cell in book.cells]
    book.metadata.pop("widgets", None)
    book.metadata["language_info"] = {"name": "python"}
    return book


def _plain(cell: Any) -> Any:
    if cell.cell_type != "code":
        cell.pop("outputs", None)
    return cell


def _kept(output: Any) -> bool:
    return (output.output_type == "stream" and output.name == "stdout") or "image/png" in output.get("data", {})


def _small(output: Any) -> Any:
    output.pop("execution_count", None)
    if output.output_type != "stream":
        image = Image.open(io.BytesIO(base64.b64decode(output.data["image/png"]))).convert("RGB")
        out = io.BytesIO()
        image.quantize(32).save(out, "PNG", optimize=True)
        output.data = {"image/png": base64.b64encode(out.getvalue()).decode()}
        output.output_type = "display_data"
    return output


if __name__ == "__main__":
    for place in tutorials():
        nbformat.write(executed(place), place)
