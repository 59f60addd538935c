"""Decision curves: net benefit against the threshold probability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes

from roclab.plots.axes import reference_line
from roclab.plots.legend import add_legend
from roclab.plots.theme import NEW_AXES, Look, plain_text, themed_with

if TYPE_CHECKING:
    from roclab.decisions.net_benefit import DecisionCurve

__all__ = ["draw_decision"]


@themed_with(ratio=0.75)
def draw_decision(
    curve: DecisionCurve, ax: Axes = NEW_AXES, *, standardised: bool = False, percent: bool = False, **line: Any
) -> Axes:
    """Net benefit of each model, of treating all and of treating none.

    Parameters
    ----------
    curve : DecisionCurve
    standardised : bool
        As a share of the prevalence, the largest net benefit there can be.
    percent : bool
        Threshold probabilities in percent.
    """
    scale = curve.prevalence if standardised else 1.0
    reference_line(ax, curve.probabilities, curve.treat_all / scale, tag="all", label="treat all", linestyle="-")
    reference_line(ax, curve.probabilities, curve.treat_none, tag="none", label="treat none")
    for name, benefit in curve.net_benefit.items():
        height = curve.standardised(name) if standardised else benefit
        (drawn,) = ax.plot(curve.probabilities, height, label=plain_text(name), **Look(zorder=3) | line)
        if curve.level is not None:
            ends = (curve.low[name] / scale, curve.high[name] / scale)
            ax.fill_between(curve.probabilities, *ends, color=drawn.get_color(), alpha=0.15, linewidth=0, zorder=1,
                            label=f"_limits of {name}")  # fmt: skip
    top = curve.prevalence / scale
    ax.set_ylim(-0.25 * top, 1.08 * top)  # treating all falls without end; below this nobody would act on it
    ax.set_xlim(float(curve.probabilities[0]), float(curve.probabilities[-1]))
    if percent:
        from matplotlib.ticker import PercentFormatter

        ax.xaxis.set_major_formatter(PercentFormatter(1.0, symbol=""))
    ax.set_xlabel("Threshold probability, %" if percent else "Threshold probability")
    ax.set_ylabel("Net benefit, share of the prevalence" if standardised else "Net benefit")
    add_legend(ax, corner="upper right")
    return ax
