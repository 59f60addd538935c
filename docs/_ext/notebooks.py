"""Notebooks as pages: their words, code, printed text and pictures, read by MyST as any other page.

The outputs are those that stand in the file, which ``docs/tutorials/execute.py`` writes and a test compares with a new
run; nothing is executed while the documentation is built.
"""

from __future__ import annotations

import json
from typing import Any

from myst_parser.parsers.sphinx_ import MystParser

__all__ = ["NotebookParser", "as_markdown", "setup"]


class NotebookParser(MystParser):
    """Turns a notebook into Markdown, and has that parsed."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: Any) -> None:
        """Parse a notebook."""
        super().parse(as_markdown(json.loads(inputstring)), document)


def as_markdown(book: dict[str, Any]) -> str:
    """Cells in their order, each followed by what it showed.

    >>> cell = {"cell_type": "code", "source": ["1 + 1"], "outputs": []}
    >>> as_markdown({"cells": [cell]}).splitlines()
    ['```python', '1 + 1', '```']
    """
    parts = []
    for cell in book["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        parts += [_output(one) for one in cell["outputs"]]
    return "\n\n".join(parts) + "\n"


def _output(output: dict[str, Any]) -> str:
    if "text" in output:
        return f"```text\n{''.join(output['text']).rstrip()}\n```"
    image = "".join(output["data"]["image/png"]).replace("\n", "")
    wide = output.get("metadata", {}).get("image/png", {}).get("width", 480)
    picture = f'<img alt="What the cell above draws" width="{wide}" src="data:image/png;base64,{image}">'
    return f"```{{raw}} html\n{picture}\n```"


def setup(app: Any) -> dict[str, bool]:
    """Register the parser."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
