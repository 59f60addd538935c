"""FROC curves: sensitivity against false positives per scan, on a scale that doubles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from roclab._core.checks import check_choice
from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words
from roclab.plots.axes import square_axes
from roclab.plots.legend import add_legend
from roclab.plots.picture import Picture
from roclab.plots.placed import check_looks, plotted
from roclab.plots.theme import NEW_AXES, Look, plain_text, themed

if TYPE_CHECKING:
    from roclab.analysis.froc_results import Froc
    from roclab.results import Interval

__all__ = ["draw_afroc", "draw_froc", "plot_froc"]

_FRACTIONS = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}


def plot_froc(found: Froc | Mapping[str, Froc], to: Any = None, /, *, kind: str = "froc", **looks: Any) -> Picture:
    """Draw one detector, or several by name: their FROC curves, or with ``kind="afroc"`` their AFROC curves."""
    check_choice(kind, "kind", ("froc", "afroc"))
    every = found if isinstance(found, Mapping) else {found.detector: found}
    draw = draw_froc if kind == "froc" else draw_afroc
    check_looks(draw, kind, looks)
    return plotted(draw, kind, every, to, tuple(every.values()), looks)


@themed
def draw_froc(detectors: Mapping[str, Froc], ax: Axes = NEW_AXES, *, intervals: bool = True) -> Axes:
    """The curve of every detector between 1/8 and 8 false positives per scan, with the interval at each rate."""
    rates = [point.rate for point in next(iter(detectors.values())).points]
    grid = np.geomspace(rates[0], rates[-1], 400)
    ax.set_xscale("log", base=2)
    ax.set_xlim(rates[0] / 1.12, rates[-1] * 1.12)
    ax.set_ylim(0, 1.02)
    ax.xaxis.set_major_locator(FixedLocator(rates))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _FRACTIONS.get(value, f"{value:g}")))
    ax.set_xlabel("False positives per scan")
    ax.set_ylabel("Sensitivity (share of lesions found)")
    for at, (name, one) in enumerate(detectors.items()):
        words = f"{plain_text(name)}, CPM {one.cpm:.4f} ({_limits(one.cpm_interval)})"
        (line,) = ax.plot(grid, one.curve.at(grid), label=words, zorder=3)
        if intervals:
            # Detectors side by side: bars at the same rates would hide each other.
            shift = 2 ** (0.06 * (at - (len(detectors) - 1) / 2))
            x = np.array(rates) * shift
            y = np.array([point.sensitivity for point in one.points])
            ends = np.array([[point.interval.low, point.interval.high] for point in one.points], dtype=float).T
            look: Look = {"color": line.get_color(), "linewidth": 0.8, "zorder": 2.5}
            ax.vlines(x, ends[0], ends[1], **look)
            ax.plot(x, y, linestyle="none", marker="o", markersize=2.6, color=line.get_color(), zorder=3.2)
    add_legend(ax)
    return ax


@themed
def draw_afroc(detectors: Mapping[str, Froc], ax: Axes = NEW_AXES) -> Axes:
    """The AFROC curve of every detector: lesions found by the share of lesion-free scans with a false positive."""
    square_axes(ax, "Scans without lesions that have a false positive", "Sensitivity (share of lesions found)")
    for name, one in detectors.items():
        curve = one.afroc_curve()
        if curve is None:
            raise InputError("detectors", "must have scans without lesions", Words(f"none for {name!r}"))
        words = f"{plain_text(name)}, area {one.afroc:.4f} ({_limits(one.afroc_interval)})"
        (line,) = ax.plot(curve.share[:-1], curve.sensitivity[:-1], label=words, zorder=3)
        # Beyond the last mark there is nothing to cut: the straight line to (1, 1) stands for guessing.
        look: Look = {"color": line.get_color(), "linewidth": 0.7, "linestyle": (0, (1, 2)), "zorder": 2.5}
        ax.plot(curve.share[-2:], curve.sensitivity[-2:], label="_guessing", **look)
    add_legend(ax)
    return ax


def _limits(interval: Interval) -> str:
    """Both limits, or why there are none."""
    if isinstance(interval.low, Undefined):
        return "no interval: one scan" if "one scan" in interval.low.reason else "no interval"
    return f"{interval.low:.4f} to {interval.high:.4f}"
