"""New axes of a printed size, and figures as files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from roclab._core.checks import check_choice, check_positive
from roclab._core.whole_file import check_place, write_whole
from roclab.errors import FileError, InputError, Words
from roclab.names import FigureSize as Size
from roclab.plots.theme import carry_theme, plain_text, theme

__all__ = [
    "FORMATS",
    "WIDTHS",
    "Size",
    "axes_beside",
    "check_figure_place",
    "figure_bytes",
    "new_axes",
    "save_figure",
    "set_words",
]

WIDTHS = {"single": 85.0, "double": 180.0}  # millimetres: one and two columns of a journal
FORMATS = ("svg", "pdf", "png")
_INCH = 25.4
# Without these dates and version marks the same figure is the same file, byte for byte.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "roclab"},
    "pdf": {"CreationDate": None, "Creator": "roclab", "Producer": None},
    "png": {"Software": "roclab"},
}


def new_axes(size: Size = "single", *, ratio: float = 1.0, lines_below: int = 0) -> Axes:
    """Empty axes with the theme, in a figure one or two columns wide; ``.figure`` is the figure.

    Parameters
    ----------
    size : "single" (85 mm) or "double" (180 mm)
    ratio : float
        Height per width of the figure.
    lines_below : int
        Lines of a legend below the axes that the figure should grow by.

    >>> ax = new_axes("double", ratio=0.5)
    >>> [round(float(side) * 25.4) for side in ax.get_figure().get_size_inches()]
    [180, 90]
    """
    check_choice(size, "size", WIDTHS)
    check_positive(ratio, "ratio", way_out="1 makes a square figure")
    width = WIDTHS[size]
    with theme():
        figure = Figure(figsize=(width / _INCH, (width * ratio + 3.6 * lines_below) / _INCH), layout="constrained")
        carry_theme(figure, kept=3.6 * lines_below / _INCH)
        return figure.subplots()


def axes_beside(size: Size = "single", *, ratio: float = 1.0) -> tuple[Axes, Axes]:
    """Two empty axes, side by side in two columns and one above the other in one, in a figure of :func:`new_axes`."""
    figure: Any = new_axes(size, ratio=ratio).get_figure(root=True)
    with theme():
        figure.clear()
        left, right = figure.subplots(1, 2) if size == "double" else figure.subplots(2, 1)
    return left, right


def set_words(ax: Axes, *, title: str | None = None, x_label: str | None = None, y_label: str | None = None) -> None:
    """A title and names of the axes in the user's words."""
    with theme():
        if title is not None:
            ax.set_title(plain_text(title, 90), loc="left")
        if x_label is not None:
            ax.set_xlabel(plain_text(x_label, 90))
        if y_label is not None:
            ax.set_ylabel(plain_text(y_label, 90))


def save_figure(figure: Figure | Axes, path: str | Path, *, dpi: int = 300) -> None:
    """Write a figure, whole or not at all; the ending says how: .svg, .pdf or .png."""
    check_figure_place(path, name="path")
    write_whole(path, figure_bytes(figure, _ending(path), dpi=dpi), name="path")


def check_figure_place(path: str | Path, *, name: str) -> None:
    """Refuse an ending that is no figure's, and a place that cannot be written to."""
    if _ending(path) not in FORMATS:
        raise FileError(name, "must end in .svg, .pdf or .png", Words(path), ".svg suits most uses")
    check_place(path, name=name)


def figure_bytes(figure: Figure | Axes, ending: str, *, dpi: int = 300) -> bytes:
    """The content of a figure's file; the same figure gives the same bytes."""
    check_choice(ending, "ending", FORMATS)
    whole = figure.get_figure(root=True) if isinstance(figure, Axes) else figure
    if whole is None:
        raise InputError("figure", "must hold axes", Words("axes that were removed from theirs"), "draw on new ones")
    out = io.BytesIO()
    with theme():
        whole.draw_without_rendering()  # the first layout gives long legends too little room, the second is right
        whole.savefig(out, format=ending, dpi=dpi, metadata=_METADATA[ending])
    return out.getvalue()


def _ending(path: str | Path) -> str:
    return Path(path).suffix.lower().removeprefix(".")
