"""The page of a scan: every mark with three slices, in one file that works offline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from roclab._core.whole_file import check_place, write_whole
from roclab.analysis.lung_cad.page import PIXELS, ScanPage, scan_page_of
from roclab.analysis.viewing.scans import viewer_of_marks
from roclab.errors import InputError, Words
from roclab.report.page import environment, json_in_html, script_of
from roclab.report.viewer_page import VIEWER_MODULES

if TYPE_CHECKING:
    from roclab.analysis.lung_cad.marks import CadMarks

__all__ = ["scan_page", "write_scan_page"]

_MODULES = (*VIEWER_MODULES, "froc.js", "scan.js")
# What a row shows beside its probabilities, and what its details hold, by their names in the table.
_SHOWN = (("diameter_mm", "mm", 1), ("solid_mm", "mm solid", 1), ("mean", "HU", 0))
_DETAILS = (
    "x", "y", "z", "voxels", "response", "scale_mm", "sphericity", "roundness", "flatness", "thickness_mm", "sd",
    "contrast", "margin", "depth_mm",
)  # fmt: skip


def write_scan_page(
    marks: CadMarks,
    path: str | Path,
    *,
    lesions: Any = None,
    viewer: bool = True,
    layers: Any = None,
    name: str = "path",
) -> Path:
    """Write the page, whole or not at all."""
    place = Path(path)
    if place.suffix.lower() not in (".html", ".htm"):
        raise InputError(name, "must end in .html", Words(str(path)), "name a page")
    check_place(place, name=name)
    write_whole(
        place, scan_page(scan_page_of(marks, lesions, viewer_of_marks(marks, layers) if viewer else None)), name=name
    )
    return place


def scan_page(content: ScanPage) -> str:
    """The whole page as HTML."""
    marks = {
        "threshold": content.threshold,
        "curve": content.curve,
        "marks": [
            {**{name: row[name] for name in ("mark", "probability", "hit", "region", "diameter_mm")}, "place": place}
            for row, place in zip(content.rows, _places(content), strict=True)
        ],
        "viewer": None if content.viewer is None else content.viewer["facts"],
        "evaluated": content.evaluated,
        "nodules": len({row["hit"] for row in content.rows} - {0}) + len(content.missed),
    }
    return (
        environment()
        .get_template("scan.html")
        .render(
            title=f"Lung CAD: {content.scan}",
            page=content,
            pixels=PIXELS,
            shown=_SHOWN,
            details=_DETAILS,
            blocks={} if content.viewer is None else content.viewer["blocks"],
            page_data=Markup(json_in_html(marks)),
            script=Markup(script_of(_MODULES)),
        )
    )


def _places(content: ScanPage) -> list[Any]:
    """Where the marks lie in the viewer, as indices (z, y, x)."""
    return [None] * len(content.rows) if content.viewer is None else content.viewer["places"]
