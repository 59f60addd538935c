"""The directive ``errata``: the table of mistakes in the source texts, from the list that ``roclab reproduce`` uses."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from roclab.studies.errata import ERRATA

_HEADINGS = ("", "where", "printed", "correct", "how it was found")
_WIDTHS = (5, 18, 27, 27, 23)


class ErrataTable(Directive):
    """One row per erratum."""

    def run(self) -> list[nodes.Node]:
        """Build the table; what is in it is text, never markup."""
        group = nodes.tgroup(cols=len(_HEADINGS))
        group += [nodes.colspec(colwidth=width) for width in _WIDTHS]
        head, body = nodes.thead(), nodes.tbody()
        head += _row(_HEADINGS)
        body += [_row((name, one.where, one.printed, one.correct, one.evidence)) for name, one in ERRATA.items()]
        group += [head, body]
        return [nodes.table("", group)]


def _row(cells: tuple[str, ...]) -> nodes.row:
    row = nodes.row()
    row += [nodes.entry("", nodes.paragraph(text=cell)) for cell in cells]
    return row


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("errata", ErrataTable)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
