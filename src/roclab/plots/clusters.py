"""Fuzzy classes of an image: the penalty, the objective step by step, matched classes of two runs, and class maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.ticker import MaxNLocator

from roclab.errors import InputError, Words
from roclab.plots.legend import add_legend
from roclab.plots.theme import GREY, INK, NEW_AXES, Look, plain_text, text_size, themed

if TYPE_CHECKING:
    from roclab.fuzzy.matching import MatchedClusters, PenaltySurface
    from roclab.fuzzy.robust import RobustClusters

__all__ = ["draw_classes", "draw_matched", "draw_objective", "draw_penalty"]

_LEVELS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_GAP = 0.06  # of a panel, between panels
# From dark to light, so that classes sorted by their centres keep their order in a grey print.
_SHADES = ("#1A1A1A", "#0072B2", "#D55E00", "#56B4E9", "#E69F00", "#F0E442", "#CC79A7", "#FFFFFF")


@themed
def draw_penalty(surface: PenaltySurface, ax: Axes = NEW_AXES) -> Axes:
    """The penalty of two neighbours by the memberships of both: no fine in two corners, the full one in the others."""
    x, y = surface.neighbour, surface.own
    box = (x[0], x[-1], y[0], y[-1])
    ax.imshow(surface.penalty, origin="lower", extent=box, cmap="Blues", vmin=0, vmax=1, interpolation="none")
    saddle = 2 * 0.25**surface.fuzziness  # height in the middle, where a line of this level would cross itself
    levels = [level for level in _LEVELS if abs(level - saddle) > 1e-9]
    lines = ax.contour(x, y, surface.penalty, levels=levels, colors=INK, linewidths=0.5, zorder=2)
    ax.clabel(lines, fontsize=text_size(ax) - 1, fmt="%g")
    ax.set_aspect("equal")
    ax.set_xlabel("Membership of the neighbour in class 1")
    ax.set_ylabel("Membership of the pixel in class 1")
    ax.set_title(f"Penalty of two neighbours, q = {surface.fuzziness:g}", loc="left")
    return ax


@themed
def draw_objective(runs: Mapping[str, RobustClusters], ax: Axes = NEW_AXES) -> Axes:
    """The objective before every step of one run or several; steps after which it was higher are ringed."""
    for name, one in runs.items():
        steps = np.arange(1, one.objective.size + 1)
        end = "" if one.converged else ", not converged"
        kind = "" if one.update in str(name) else f"{one.update}, "
        words = f"{plain_text(name)}: {kind}{one.iterations} steps{end}"
        (line,) = ax.plot(steps, one.objective, label=words, zorder=3)
        rises = np.flatnonzero(np.diff(one.objective) > 1e-9 * np.abs(one.objective[:-1])) + 1
        if one.rises and rises.size:
            ring: Look = {"marker": "o", "markersize": 4.5, "markerfacecolor": "none", "linestyle": "none"}
            ax.plot(steps[rises], one.objective[rises], color=line.get_color(), label="_rises", zorder=4, **ring)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("Step")
    ax.set_ylabel("Objective J")
    add_legend(ax)
    return ax


@themed
def draw_matched(
    matched: MatchedClusters,
    ax: Axes = NEW_AXES,
    *,
    image: Any = None,
    plane: int | None = None,
    classes: Sequence[int] | None = None,
) -> Axes:
    """Matched classes of two runs, one row a class: pixels of the first and the second run, then their memberships.

    Pixels are those that belong most to the class, with their grey values where ``image`` is given; memberships run
    from white (0) to black (1). ``plane`` chooses a slice of a volume, ``classes`` some of the pairs.
    """
    shape = matched.first.memberships.shape[1:]
    at = _plane(shape, plane)
    grey = None if image is None else _scaled(np.asarray(image)[at])
    chosen = range(len(matched.pairs)) if classes is None else list(classes)
    rows, names = [], []
    for one in chosen:
        pair = matched.pairs[one]
        runs = list(zip((matched.first, matched.second), pair, strict=True))
        pixels = [_pixels(run.labels[at] == number, grey) for run, number in runs]
        degrees = [1 - run.memberships[number][at].astype(float) for run, number in runs]
        rows.append([*pixels, *degrees])
        names.append(f"class {one + 1}")
    columns = [f"{what},\n{plain_text(name)}" for what in ("pixels", "membership") for name in matched.names]
    return _mosaic(rows, ax, names, columns, cmap="gray", limits=(0.0, 1.0))


@themed
def draw_classes(
    runs: Mapping[str, Any],
    ax: Axes = NEW_AXES,
    *,
    image: Any = None,
    plane: int | None = None,
    across: int | None = None,
) -> Axes:
    """Class maps side by side: results of ``robust_cmeans`` or arrays of classes, by name, the image first if given.

    Classes of a result are shaded by the order of their centres; what lies outside a mask is white.
    """
    panels: list[Any] = []
    names = []
    first = next(iter(runs.values()))
    shape = getattr(first, "labels", first).shape
    at = _plane(shape, plane)
    colours = ListedColormap(_SHADES)
    if image is not None:
        grey = _scaled(np.asarray(image)[at])
        panels.append(np.repeat(grey[..., None], 3, axis=2))
        names.append("image")
    for name, one in runs.items():
        shown = one.labels[at] if hasattr(one, "centres") else np.asarray(one)[at]
        if hasattr(one, "centres"):
            place = np.argsort(np.argsort(one.centres[:, 0], kind="stable"))
            shown = np.where(shown < 0, len(_SHADES) - 1, place[shown])
        if shown.max(initial=0) >= len(_SHADES):
            raise InputError("runs", f"must have at most {len(_SHADES)} classes to be told apart", Words(name))
        panels.append(colours(shown)[..., :3])
        names.append(plain_text(name))
    wide = across or len(panels)
    rows = [panels[start : start + wide] for start in range(0, len(panels), wide)]
    columns = names if len(rows) == 1 else [""] * wide
    _mosaic(rows, ax, [""] * len(rows), columns)
    if len(rows) > 1:
        tall, broad = panels[0].shape[:2]
        for number, name in enumerate(names):
            y, x = (number // wide) * tall * (1 + _GAP), (number % wide) * broad * (1 + _GAP)
            ax.text(x + broad / 2, y - 0.01 * tall, name, ha="center", va="bottom", fontsize=text_size(ax), color=INK)
    return ax


def _plane(shape: tuple[int, ...], plane: int | None) -> Any:
    """An index of what is drawn: all of an image, a slice of a volume."""
    if len(shape) == 2:
        return ...
    at = shape[0] // 2 if plane is None else int(plane)
    if not 0 <= at < shape[0]:
        raise InputError("plane", f"must be a number from 0 to {shape[0] - 1}", plane)
    return at


def _scaled(plane: Any) -> Any:
    low, high = (float(one) for one in np.percentile(plane, [0.5, 99.5]))
    return np.clip((plane.astype(float) - low) / max(high - low, 1e-12), 0, 1)


def _pixels(mine: Any, grey: Any) -> Any:
    """Pixels of a class on white: black, or by their grey values, the lightest still darker than the ground."""
    return np.where(mine, 0.0 if grey is None else 0.75 * grey, 1.0)


def _mosaic(
    rows: list[list[Any]], ax: Axes, names: Sequence[str], columns: Sequence[str], *, cmap: str | None = None,
    limits: tuple[float, float] | None = None,
) -> Axes:  # fmt: skip
    """Panels of one size on one pair of axes, whose ticks name rows and columns."""
    tall, wide = rows[0][0].shape[:2]
    low, high = limits or (None, None)
    for i, row in enumerate(rows):
        for j, panel in enumerate(row):
            x, y = j * wide * (1 + _GAP), i * tall * (1 + _GAP)
            box = (x, x + wide, y + tall, y)
            ax.imshow(panel, cmap=cmap, vmin=low, vmax=high, extent=box, interpolation="none", zorder=2)
            frame: Look = {"color": GREY, "linewidth": 0.4, "linestyle": "-", "zorder": 3, "clip_on": False}
            ax.plot([x, x + wide, x + wide, x, x], [y, y, y + tall, y + tall, y], **frame)
    many = max(map(len, rows))
    ax.set_xlim(0, many * wide * (1 + _GAP) - wide * _GAP)
    ax.set_ylim(len(rows) * tall * (1 + _GAP) - tall * _GAP, 0)
    ax.set_xticks([(j * (1 + _GAP) + 0.5) * wide for j in range(many)], list(columns))
    ax.set_yticks([(i * (1 + _GAP) + 0.5) * tall for i in range(len(rows))], list(names))
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    for side in ax.spines.values():
        side.set_visible(False)
    ax.set_aspect("equal")
    return ax
