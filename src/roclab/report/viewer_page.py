"""A page of one file that shows a scan or a series in time, with layers over it, and works offline."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from roclab._core.whole_file import check_place, write_whole
from roclab.analysis.viewing.page import ViewerPage
from roclab.errors import InputError, Words
from roclab.report.page import environment, json_in_html, script_of

__all__ = ["VIEWER_MODULES", "viewer_page", "write_viewer_page"]

VIEWER_MODULES = (
    "numbers.js", "words.js", "decimal.js", "elements.js", "chart.js", "colours.js", "planes.js", "kinetics.js",
    "embedded.js", "viewer.js",
)  # fmt: skip


def write_viewer_page(content: ViewerPage, path: str | Path, *, name: str = "path") -> Path:
    """Write the page, whole or not at all."""
    place = Path(path)
    if place.suffix.lower() not in (".html", ".htm"):
        raise InputError(name, "must end in .html", Words(str(path)), "name a page")
    check_place(place, name=name)
    write_whole(place, viewer_page(content), name=name)
    return place


def viewer_page(content: ViewerPage) -> str:
    """The whole page as HTML."""
    names = list(dict.fromkeys(name for row in content.rows for name in row))
    return (
        environment()
        .get_template("viewer.html")
        .render(
            title=content.title,
            page=content,
            names=names,
            blocks=content.viewer["blocks"],
            page_data=Markup(json_in_html(content.viewer["facts"])),
            script=Markup(script_of((*VIEWER_MODULES, "viewer_page.js"))),
        )
    )
