"""A plan: the power of a study by its number of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes

from roclab.errors import InputError
from roclab.plots.axes import reference_line
from roclab.plots.legend import add_legend
from roclab.plots.theme import COLOURS, NEW_AXES, Look, plain_text, themed_with

if TYPE_CHECKING:
    from roclab.analysis.power import Plan

__all__ = ["draw_plan"]


@themed_with(ratio=0.75)
def draw_plan(plan: Plan, ax: Axes = NEW_AXES, **line: Any) -> Axes:
    """Power against the number of positive cases, from a fifth of those planned to twice as many.

    Parameters
    ----------
    plan : Plan
        From ``rl.planning.plan_one_area`` and its neighbours; negatives grow in the same proportion.
    line
        Further options of the line, as ``Axes.plot`` takes them.
    """
    if not plan._powers:
        raise InputError("plan", "must know its power at other sizes", way_out="draw one that the library made")
    sizes, power = zip(*plan._powers, strict=True)
    ax.plot(sizes, power, label=plain_text(plan.question, 60), **Look(zorder=3) | line)
    low = min(ax.get_xlim()[0], sizes[0])
    reference_line(ax, [low, plan.n_pos, plan.n_pos], [plan.power, plan.power, 0], tag=f"plan {plan.n_pos:g}")
    words = f"{plan.cases_pos} positive, {plan.cases_neg} negative: power {plan.power:.3g}"
    ax.plot([plan.n_pos], [plan.power], "D", markersize=4, color=COLOURS[3], label=words, zorder=4)
    ax.set_xlim(low, sizes[-1])
    ax.set_ylim(0, 1.02)
    negatives = f", each with {plan.ratio:.3g} negatives" if abs(plan.ratio - 1) > 1e-9 else ", and as many negatives"
    ax.set_xlabel(f"Positive cases{negatives}")
    ax.set_ylabel("Power")
    add_legend(ax)
    return ax
