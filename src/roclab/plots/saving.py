"""Figures as files; the same figure gives the same bytes."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

from roclab._core.checks import check_choice
from roclab._core.figure_file import FORMATS, check_figure_place, ending_of
from roclab._core.whole_file import write_whole
from roclab.errors import InputError, Words
from roclab.plots.theme import theme_to_save

__all__ = ["figure_bytes", "save_figure"]

# Without these dates and version marks the same figure is the same file, byte for byte.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "roclab"},
    "pdf": {"CreationDate": None, "Creator": "roclab", "Producer": None},
    "png": {"Software": "roclab"},
}


def save_figure(figure: Any, path: str | Path, *, dpi: int = 300) -> None:
    """Write a figure, a picture or the figure of some axes, whole or not at all: as .svg, .pdf or .png."""
    check_figure_place(path, name="path")
    write_whole(path, figure_bytes(figure, ending_of(path), dpi=dpi), name="path")


def figure_bytes(figure: Any, ending: str, *, dpi: int = 300) -> bytes:
    """The content of a figure's file; the same figure gives the same bytes."""
    check_choice(ending, "ending", FORMATS)
    drawn = getattr(figure, "ax", figure)  # a picture's
    whole = drawn.get_figure(root=True) if isinstance(drawn, Axes) else drawn
    if whole is None:
        raise InputError("figure", "must hold axes", Words("axes that were removed from theirs"), "draw on new ones")
    out = io.BytesIO()
    with theme_to_save(whole):
        whole.draw_without_rendering()  # the first layout gives long legends too little room, the second is right
        whole.savefig(out, format=ending, dpi=dpi, facecolor=whole.get_facecolor(), metadata=_METADATA[ending])
    return out.getvalue()
