"""The observed ROC curve beside the one that the probabilities would give if they were right."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes

from roclab.plots.axes import reference_line, square_axes
from roclab.plots.legend import add_legend
from roclab.plots.roc import FPR, TPR
from roclab.plots.theme import COLOURS, NEW_AXES, Look, themed
from roclab.plots.words import number

if TYPE_CHECKING:
    from roclab.decisions.model_based import ModelBasedCurve

__all__ = ["draw_model_based"]


@themed
def draw_model_based(found: ModelBasedCurve, ax: Axes = NEW_AXES, *, percent: bool = False, **line: Any) -> Axes:
    """Both curves with their areas, what lies between them shaded, and the p-value of the joint test.

    Parameters
    ----------
    found : ModelBasedCurve
    percent, line
        As in :func:`~roclab.plots.roc.draw_roc`; ``line`` is about the observed curve.
    """
    square_axes(ax, FPR, TPR, percent=percent)
    reference_line(ax, [0, 1], [0, 1], tag="chance")
    observed, model = found.observed, found.curve
    style: Look = {"color": COLOURS[0], "zorder": 3} | line
    ax.plot(observed.fpr, observed.tpr, label=f"observed, AUC {number(found.auc)}", **style)
    ax.plot(model.fpr, model.tpr, color=COLOURS[3], linestyle=(0, (4, 2)), zorder=2.8,
            label=f"if the probabilities were right, {number(found.concordance)}")  # fmt: skip
    ax.fill(
        [*observed.fpr, *model.fpr[::-1]], [*observed.tpr, *model.tpr[::-1]], color=COLOURS[3], alpha=0.15,
        linewidth=0, zorder=1.5, label=_test_words(found.joint_test.p_value),
    )  # fmt: skip
    add_legend(ax, corner="below")
    return ax


def _test_words(p: float) -> str:
    if math.isnan(p):
        return "no joint test"
    return f"joint test of mean and curve: p {p:.4f}" if p >= 0.0001 else "joint test of mean and curve: p < 0.0001"
