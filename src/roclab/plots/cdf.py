"""The distribution function of a sample, its confidence band, and a distribution it is tested against."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from roclab.analysis.rank_test import CdfBand, DiscreteKolmogorov, Kolmogorov
from roclab.errors import InputError, Words
from roclab.plots.axes import rate_axis
from roclab.plots.legend import add_legend
from roclab.plots.theme import COLOURS, GREY, INK, NEW_AXES, Look, plain_text, themed_with
from roclab.plots.words import number

__all__ = ["draw_cdf"]


@themed_with(ratio=0.8)
def draw_cdf(
    band: CdfBand,
    ax: Axes = NEW_AXES,
    *,
    cdf: Callable[[Any], Any] | None = None,
    test: Kolmogorov | DiscreteKolmogorov | None = None,
    label: str | None = None,
) -> Axes:
    """The empirical distribution function as steps, with the band that holds the whole true one.

    Parameters
    ----------
    band : CdfBand
        From ``rl.ranks.cdf_band``.
    cdf : function, optional
        The distribution function F* that the sample is compared with.
    test : Kolmogorov or DiscreteKolmogorov, optional
        From ``rl.ranks.kolmogorov`` with the same F*: the largest gap T is marked where it is. One against a discrete
        distribution brings its F*, which is drawn as steps.
    label : str, optional
        Name of the score.
    """
    discrete = test if isinstance(test, DiscreteKolmogorov) else None
    if discrete is not None and cdf is None:
        cdf = _step_function(discrete)
    if test is not None and cdf is None:
        raise InputError("cdf", "must be given to draw the gap to it", Words("the test alone"), "pass both")
    spread = float(band.x[-1] - band.x[0]) or 1.0
    ends = [float(band.x[0]), float(band.x[-1]), *(() if discrete is None else discrete.support)]
    left, right = min(ends) - 0.06 * spread, max(ends) + 0.06 * spread
    x = np.concatenate([[left], band.x, [right]])
    low, s, high = (
        np.concatenate([[start], side, [side[-1]]])
        for start, side in ((0.0, band.low), (0.0, band.s), (band.width, band.high))
    )
    step: Look = {"step": "post", "color": COLOURS[0], "alpha": 0.16, "linewidth": 0, "zorder": 1.5}
    ax.fill_between(x, low, np.minimum(high, 1.0), label=f"{100 * band.level:g}% band of the whole function", **step)
    edge: Look = {"color": COLOURS[0], "linewidth": 0.4, "linestyle": "-", "drawstyle": "steps-post", "zorder": 1.6}
    for side in (low, np.minimum(high, 1.0)):
        ax.plot(x, side, label="_edge", **edge)
    line: Look = {"color": COLOURS[0], "linestyle": "-", "linewidth": 1.3, "drawstyle": "steps-post", "zorder": 3}
    name = "sample" if label is None else plain_text(label)
    ax.plot(x, s, label=f"{name}, {band.x.size} distinct values", **line)
    if cdf is not None:
        grid = np.linspace(left, right, 400) if discrete is None else np.array([left, *discrete.support, right])
        style: Look = {"drawstyle": "default" if discrete is None else "steps-post", "linewidth": 1.0, "zorder": 2.8}
        ax.plot(grid, np.asarray(cdf(grid), float), color=INK, linestyle="--", label="F*", **style)
    if test is not None and cdf is not None:
        height = float(np.asarray(cdf(np.array([test.location])), float)[0])
        gap_ends = [height, height - test.t if test.above else height + test.t]
        gap: Look = {"color": COLOURS[3], "linewidth": 1.8, "linestyle": "-", "zorder": 4, "solid_capstyle": "butt"}
        p = test.p_value if isinstance(test, Kolmogorov) else test.p_exact
        words = f"T = {number(test.t)} at {test.location:.4g}, p {number(p)}"
        ax.plot([test.location] * 2, gap_ends, label=words, **gap)
    rate_axis(ax, "y", "Share of values up to x")
    ax.set_xlim(left, right)
    ax.set_xlabel("x" if label is None else plain_text(label))
    ax.axhline(1.0, color=GREY, linewidth=0.3, zorder=1, gid="one")
    add_legend(ax)
    return ax


def _step_function(test: DiscreteKolmogorov) -> Callable[[Any], Any]:
    """The distribution function that a sample was tested against, from the levels that the test holds."""
    heights = np.array([0.0, *test.levels])
    return lambda x: heights[np.searchsorted(np.array(test.support), x, side="right")]
