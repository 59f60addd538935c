"""How a figure shows itself in a notebook: as a picture, once, whether or not pyplot knows it too.

A kernel shows the last value of a cell by the bundle made here. With Jupyter's inline backend pyplot shows all its
figures at the end of a cell and forgets them; a figure that was just shown is therefore taken from pyplot, or it would
appear twice.
"""

from __future__ import annotations

import sys
from typing import Any
from weakref import ref

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from roclab.plots.saving import figure_bytes

__all__ = ["ShownAxes", "known_to_pyplot", "mime_bundle"]

Bundle = tuple[dict[str, Any], dict[str, Any]]
_SHARP = 2  # dots per dot of the screen: fine screens have more than they say
_SILENT = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")  # backends that show nothing
_LATEST: ref[Figure] | None = None  # what pyplot was given last
_LIVE = ("ipympl", "nbagg", "widget")  # backends that put a live canvas into the page


class ShownAxes(Axes):
    """Axes that a notebook shows as the figure they belong to."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        return mime_bundle(self, repr(self), include)


def mime_bundle(drawn: Figure | Axes, text: str, include: Any = None) -> Bundle:
    """The picture for a notebook, with its width and height on the page; as SVG where that is what is asked for."""
    figure = drawn.get_figure(root=True)
    if figure is None or _shows_itself(figure):
        return {"text/plain": text}, {}
    if include is not None and "image/svg+xml" in include and "image/png" not in include:
        return {"image/svg+xml": figure_bytes(figure, "svg").decode(), "text/plain": text}, {}
    image = figure_bytes(figure, "png", dpi=round(_SHARP * figure.dpi))
    wide, high = (round(float(side) * figure.dpi) for side in figure.get_size_inches())
    return {"image/png": image, "text/plain": text}, {"image/png": {"width": wide, "height": high}}


def known_to_pyplot(pyplot: Any, made: dict[str, Any]) -> Figure:
    """A new figure of pyplot's.

    Pyplot keeps its figures until they are closed. Where it can show none, only the current one matters, and a loop
    over many figures must not keep them all: the one before is taken back, which its owner can go on using.
    """
    global _LATEST
    before = None if _LATEST is None else _LATEST()
    if before is not None and str(pyplot.get_backend()).lower() in _SILENT:
        pyplot.close(before)
    figure: Figure = pyplot.figure(**made)
    _LATEST = ref(figure)
    return figure


def _shows_itself(figure: Figure) -> bool:
    """Whether pyplot has put a live canvas of it into the page; of other figures pyplot's own copy is taken back."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or getattr(figure, "number", None) not in pyplot.get_fignums():
        return False
    backend = str(pyplot.get_backend()).lower()
    if "inline" in backend:
        pyplot.close(figure)
    return any(name in backend for name in _LIVE)
