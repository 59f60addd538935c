"""One theme: colours that the colour-blind tell apart, dashes that a grey print does, sizes of printed columns.

The theme is never switched on for the whole program. Figures made by :func:`~roclab.plots.canvas.new_axes` carry it; on
axes of the caller the caller's own fonts and colours are used.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, ParamSpec
from weakref import WeakKeyDictionary

from cycler import cycler
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from roclab.errors import InputError, Words

__all__ = [
    "COLOURS",
    "DASHES",
    "GREY",
    "INK",
    "MARKS",
    "PALE",
    "THEME",
    "Look",
    "carry_theme",
    "grow_below",
    "plain_text",
    "quiet_line",
    "text_size",
    "theme",
    "theme_of",
    "themed",
]

# Okabe and Ito's colours, in an order in which neighbours differ in lightness too; their yellow is too pale on white.
COLOURS = ("#0072B2", "#E69F00", "#000000", "#D55E00", "#56B4E9", "#009E73", "#CC79A7")
# Nine patterns beside seven colours: 63 curves before a pair repeats.
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1.2, 1.2)),
    (0, (7, 1.5, 1.2, 1.5)),
    (0, (9, 2)),
    (0, (3, 1.2, 1.2, 1.2, 1.2, 1.2)),
    (0, (2.5, 1)),
    (0, (9, 1.5, 3, 1.5)),
    (0, (1.2, 2.4)),
)
Look = dict[str, Any]  # options of an artist
MARKS = "osD^vP*X"
INK, GREY, PALE = "#1A1A1A", "#6F6F6F", "#B5B5B5"
LONGEST_NAME = 40  # characters of a name in a legend

THEME: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 7.0,
    "axes.labelsize": 7.5,
    "axes.titlesize": 8.0,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "axes.linewidth": 0.6,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.labelpad": 3.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "axes.prop_cycle": cycler(
        color=[COLOURS[at % 7] for at in range(63)], linestyle=[DASHES[at % 9] for at in range(63)]
    ),
    "lines.linewidth": 1.2,
    "lines.dash_capstyle": "butt",
    "lines.solid_joinstyle": "miter",
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "hatch.linewidth": 0.4,
    "figure.constrained_layout.h_pad": 0.03,
    "figure.constrained_layout.w_pad": 0.03,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "text.usetex": False,
    "svg.fonttype": "none",  # text stays text: searchable, and editable for a journal
    "svg.hashsalt": "roclab",  # the same figure is the same file
    "pdf.fonttype": 42,
}

# rc_context changes settings of the whole process for a moment; two threads must not do so at once.
_ONE_AT_A_TIME = threading.RLock()
_THEMED: WeakKeyDictionary[Figure, tuple[float, float]] = WeakKeyDictionary()  # heights: whole, kept for a legend
P = ParamSpec("P")


@contextmanager
def theme() -> Iterator[None]:
    """The theme's settings while a figure is made or saved; those of the caller come back afterwards."""
    with _ONE_AT_A_TIME, rc_context(THEME):
        yield


def carry_theme(figure: Figure, *, kept: float = 0.0) -> None:
    """From now on everything drawn on this figure has the theme; ``kept`` inches of its height are for a legend."""
    _THEMED[figure] = (float(figure.get_size_inches()[1]), kept)


def theme_of(ax: Axes) -> AbstractContextManager[None]:
    """The theme for axes of a figure that carries it, nothing for others."""
    return theme() if ax.get_figure(root=True) in _THEMED else nullcontext()


def grow_below(figure: Figure, points: float) -> None:
    """Make a figure that carries the theme high enough for a legend of so many points below its axes."""
    if figure in _THEMED:
        height, kept = _THEMED[figure]
        figure.set_figheight(height + max(points / 72 - kept, 0.0))


def themed(draw: Callable[P, Axes]) -> Callable[P, Axes]:
    """A drawing function that uses the theme on figures that carry it, and the caller's settings on others."""

    @functools.wraps(draw)
    def run(*args: P.args, **options: P.kwargs) -> Axes:
        ax = next((one for one in (*args, *options.values()) if isinstance(one, Axes)), None)
        if ax is None:
            raise InputError(
                "",
                f"{draw.__name__} draws on matplotlib axes",
                Words("none"),
                "make some by roclab.plots.new_axes() or pyplot.subplots()",
            )
        with theme_of(ax):
            return draw(*args, **options)

    return run


def text_size(ax: Axes) -> float:
    """Size of small text on these axes, in points: that of their tick labels."""
    return float(ax.xaxis.get_ticklabels()[0].get_fontsize())


def quiet_line(**changes: Any) -> dict[str, Any]:
    """How lines of reference look: chance, prevalence, treat all."""
    return {"color": GREY, "linewidth": 0.8, "linestyle": (0, (4, 3)), "zorder": 1.5} | changes


def plain_text(name: object, longest: int = LONGEST_NAME) -> str:
    r"""A user's name as a label: one line, not too long, and never taken for a formula.

    >>> plain_text("cost $US$\nper day"), len(plain_text("x" * 99))
    ('cost \\$US\\$ per day', 40)
    """
    text = " ".join(str(name).split())
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    text = text.replace("$", r"\$")
    return f"\u200a{text}" if text.startswith("_") else text  # a legend leaves out labels that start with _
