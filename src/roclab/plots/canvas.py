"""New figures and axes of a printed size."""

from __future__ import annotations

import sys
import threading
from typing import Any

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from roclab._core.checks import check_choice, check_positive
from roclab.names import FigureSize as Size
from roclab.plots.ground import is_dark
from roclab.plots.shown import ShownAxes, known_to_pyplot
from roclab.plots.theme import carry_theme, plain_text, theme, theme_of

__all__ = [
    "WIDTHS",
    "Size",
    "axes_beside",
    "new_axes",
    "new_figure",
    "set_words",
]

WIDTHS = {"single": 85.0, "double": 180.0}  # millimetres: one and two columns of a journal
_INCH = 25.4
SCREEN = 144  # dots per inch on a screen: a figure for one column is then about 480 pixels wide


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
    below = 3.6 * lines_below
    figure = new_figure(width / _INCH, (width * ratio + below) / _INCH, kept=below / _INCH)
    with theme_of(figure):
        return figure.subplots(subplot_kw={"axes_class": ShownAxes})


def new_figure(width: float, height: float, *, kept: float = 0.0, layout: Any = "constrained") -> Figure:
    """An empty figure of so many inches that carries the theme; pyplot knows it if somebody has imported pyplot.

    ``plt.title``, ``plt.savefig`` and ``plt.show`` then act on it, as on figures of pyplot's own. Drawing never imports
    pyplot by itself, and figures made in threads stay apart from it, because windows belong to the main thread.
    """
    ground = str(to_hex(rcParams["figure.facecolor"])) if is_dark(rcParams["figure.facecolor"]) else None
    pyplot = sys.modules.get("matplotlib.pyplot")
    known = pyplot is not None and threading.current_thread() is threading.main_thread()
    # Outside of the theme: the first figure of pyplot may load a backend, whose settings must stay.
    made: Any = {"figsize": (width, height), "dpi": SCREEN, "facecolor": ground or "white", "layout": "none"}
    figure = known_to_pyplot(pyplot, made) if known else Figure(**made)
    with theme(ground):
        figure.set_layout_engine(layout or "none")
    carry_theme(figure, kept=kept, ground=ground)
    return figure


def axes_beside(size: Size = "single", *, ratio: float = 1.0) -> tuple[Axes, Axes]:
    """Two empty axes, side by side in two columns and one above the other in one, in a figure of :func:`new_axes`."""
    figure: Any = new_axes(size, ratio=ratio).get_figure(root=True)
    with theme_of(figure):
        figure.clear()
        left, right = figure.subplots(1, 2) if size == "double" else figure.subplots(2, 1)
    return left, right


def set_words(ax: Axes, *, title: str | None = None, x_label: str | None = None, y_label: str | None = None) -> None:
    """A title and names of the axes in the user's words."""
    with theme_of(ax):
        if title is not None:
            ax.set_title(plain_text(title, 90), loc="left")
        if x_label is not None:
            ax.set_xlabel(plain_text(x_label, 90))
        if y_label is not None:
            ax.set_ylabel(plain_text(y_label, 90))
