"""The error of the answered cases against their share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab.plots.axes import reference_line
from roclab.plots.legend import add_legend
from roclab.plots.theme import COLOURS, NEW_AXES, Look, themed_with
from roclab.plots.words import number_with_interval

if TYPE_CHECKING:
    from roclab.decisions.selective import RiskCoverage

__all__ = ["draw_risk_coverage"]

_BAND = 60  # places at which limits are drawn
_SETTLED = 0.12  # coverage below which the limits of few cases may leave the figure


@themed_with(ratio=0.75)
def draw_risk_coverage(found: RiskCoverage, ax: Axes = NEW_AXES, **line: Any) -> Axes:
    """Error against coverage with pointwise Wilson limits, the error of answering all, and the best order possible."""
    style: Look = {"color": COLOURS[0], "linewidth": 1.6, "zorder": 3} | line
    places = np.linspace(found.coverage[0], 1.0, _BAND)
    at = [found.at(float(share)) for share in places]
    low, high = (np.array([getattr(one.interval, end) for one in at]) for end in ("low", "high"))
    ax.fill_between(places, low, high, color=style["color"], alpha=0.15, linewidth=0, zorder=1,
                    label=f"{100 * found.level:g}% limits, pointwise")  # fmt: skip
    words = f"AURC {number_with_interval(found.aurc.rate, found.aurc.interval)}"
    ax.plot(found.coverage, found.risk, label=words, **style)
    rate = found.error_rate.rate
    reference_line(ax, [0, 1], [rate, rate], tag="all answered")
    share = np.linspace(1e-3, 1, 200)
    ax.plot(share, np.maximum(0.0, 1 - (1 - rate) / share), color=COLOURS[3], linewidth=1.0, linestyle=(0, (2, 2)),
            label="best order of these calls", zorder=2)  # fmt: skip
    ax.set_xlim(0, 1)
    ax.set_ylim(0, min(1.0, max(float(high[places >= _SETTLED].max()), rate) * 1.2))
    ax.set_xlabel("Coverage: share of the cases answered")
    ax.set_ylabel("Error of the answered cases")
    add_legend(ax, corner="below")
    return ax
