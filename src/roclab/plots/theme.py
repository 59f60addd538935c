"""One theme: colours that the colour-blind tell apart, dashes that a grey print does, sizes of printed columns.

The theme is never switched on for the whole program. Figures made by :func:`~roclab.plots.canvas.new_axes` carry it; on
axes of the caller the caller's own fonts and colours are used.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, ParamSpec
from weakref import WeakKeyDictionary

from cycler import cycler
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from roclab.errors import InputError
from roclab.names import FigureSize
from roclab.plots.colours import take_colours
from roclab.plots.ground import on_dark, suit_ground

__all__ = [
    "COLOURS",
    "DASHES",
    "GREY",
    "INK",
    "MARKS",
    "NEW_AXES",
    "PALE",
    "THEME",
    "Look",
    "carry_theme",
    "grow_below",
    "grows",
    "plain_text",
    "quiet_line",
    "rows_ratio",
    "text_size",
    "width_in_points",
    "theme",
    "theme_of",
    "theme_to_save",
    "themed",
    "themed_with",
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
P = ParamSpec("P")
NEW_AXES: Any = None  # the axes of a drawing function that is given none
Ratio = float | Callable[[Any], float]  # height per width of new axes, or that of a result


@contextmanager
def theme(ground: str | None = None) -> Iterator[None]:
    """The theme's settings while a figure is made or saved; those of the caller come back afterwards.

    ``ground`` is the dark colour that a figure is to have instead of white.
    """
    with _ONE_AT_A_TIME, rc_context(THEME if ground is None else THEME | on_dark(THEME, ground)):
        yield


@dataclass(frozen=True, slots=True)
class _Carried:
    """What is remembered of a figure with the theme: heights in inches, whole and kept for a legend; a dark ground."""

    height: float
    kept: float
    ground: str | None


_THEMED: WeakKeyDictionary[Figure, _Carried] = WeakKeyDictionary()


def carry_theme(figure: Figure, *, kept: float = 0.0, ground: str | None = None) -> None:
    """From now on everything drawn on this figure has the theme; ``kept`` inches of its height are for a legend."""
    _THEMED[figure] = _Carried(float(figure.get_size_inches()[1]), kept, ground)


def theme_of(drawn: Axes | Figure) -> AbstractContextManager[None]:
    """The theme for a figure that carries it, or axes of one; nothing for others."""
    figure = drawn.get_figure(root=True)
    carried = None if figure is None else _THEMED.get(figure)
    return nullcontext() if carried is None else theme(carried.ground)


def theme_to_save(figure: Figure) -> AbstractContextManager[None]:
    """The theme while a figure becomes a file, whoever made it: the same figure is then the same bytes."""
    carried = _THEMED.get(figure)
    return theme(None if carried is None else carried.ground)


def grows(figure: Figure) -> bool:
    """Whether a figure may be made higher for a legend: those that carry the theme may, those of the caller not."""
    return figure in _THEMED


def grow_below(figure: Figure, points: float) -> None:
    """Make a figure that carries the theme high enough for a legend of so many points below its axes."""
    if figure in _THEMED:
        known = _THEMED[figure]
        figure.set_figheight(known.height + max(points / 72 - known.kept, 0.0))


def themed(draw: Callable[P, Axes], *, ratio: Ratio = 1.0, size: FigureSize = "single") -> Callable[P, Axes]:
    """A drawing function that makes its own axes where it is given none, and uses the theme on figures that carry it.

    On axes of the caller the caller's settings are used; a :class:`~roclab.plots.picture.Picture` stands for its axes.
    """
    place = list(inspect.signature(draw).parameters).index("ax")

    @functools.wraps(draw)
    def run(*args: Any, **options: Any) -> Axes:
        given = list(args)
        ax = options.pop("ax", None) if len(given) <= place else given.pop(place)
        ax = getattr(ax, "ax", ax)  # a picture's
        if ax is None:
            from roclab.plots.canvas import new_axes  # which draws with this theme

            ax = new_axes(size, ratio=ratio(given[0]) if callable(ratio) else ratio)
        if not isinstance(ax, Axes):
            raise InputError("ax", "must be matplotlib axes", ax, "leave it out for new ones")
        with theme_of(ax):
            take_colours(ax)
            drawn: Any = draw
            drawn(*given[:place], ax, *given[place:], **options)
            suit_ground(ax)
        return ax

    return run


def themed_with(*, ratio: Ratio, size: FigureSize = "single") -> Callable[[Callable[P, Axes]], Callable[P, Axes]]:
    """As :func:`themed`, for figures whose new axes are not square or need two columns."""
    return functools.partial(themed, ratio=ratio, size=size)


def rows_ratio(rows: int, width: float = 180.0) -> float:
    """Height per width of a figure with so many rows of text, ``width`` in millimetres."""
    return (18 + 6 * rows) / width


def text_size(ax: Axes) -> float:
    """Size of small text on these axes, in points: that of their tick labels."""
    return float(ax.xaxis.get_ticklabels()[0].get_fontsize())


def width_in_points(ax: Axes) -> float:
    """How wide these axes are on paper, in points."""
    return float(ax.bbox.width / ax.figure.dpi * 72)


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
