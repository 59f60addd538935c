"""Smooth curves over the empirical one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from scipy.special import ndtr

from roclab.plots.legend import add_legend
from roclab.plots.roc import roc_axes
from roclab.plots.theme import NEW_AXES, Look, plain_text, themed
from roclab.plots.words import number

if TYPE_CHECKING:
    from roclab.smooth.model import SmoothRoc

__all__ = ["draw_smooth"]

# Rates that lie densely near both ends, where smooth curves are steep and flat.
_RATES = np.concatenate([[0.0], ndtr(np.linspace(-4, 4, 399)), [1.0]])


@themed
def draw_smooth(
    fit: SmoothRoc,
    ax: Axes = NEW_AXES,
    *,
    label: str | None = None,
    percent: bool = False,
    chance: bool = True,
    **line: Any,
) -> Axes:
    """A fitted curve with its area; draw the empirical one on the same axes with :func:`draw_roc`.

    A fit that did not converge says so in the legend.
    """
    roc_axes(ax, percent=percent, chance=chance)
    name = label if label is not None else str(getattr(fit, "method", "smooth curve")).replace("_", " ")
    doubt = "" if fit.converged else ", did not converge"
    words = f"{plain_text(name)}, AUC {number(fit.area)}{doubt}"
    ax.plot(_RATES, fit.tpr(_RATES), label=words, **Look(zorder=3.2) | line)
    add_legend(ax)
    return ax
