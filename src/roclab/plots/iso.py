"""Lines of equal performance over a curve, in ROC or in tROC space."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

import numpy as np
from matplotlib.axes import Axes

from roclab._core.checks import check_choice
from roclab.analysis.iso import troc_curve
from roclab.errors import InputError, Words
from roclab.plots.axes import BACKING
from roclab.plots.legend import add_legend
from roclab.plots.roc import draw_roc, roc_axes
from roclab.plots.theme import GREY, INK, NEW_AXES, Look, text_size, themed
from roclab.plots.troc import draw_troc, troc_axes

if TYPE_CHECKING:
    from roclab._core.types import Floats
    from roclab.curves.roc import RocCurve
    from roclab.decisions.iso_performance import IsoLine, Tangent

__all__ = ["draw_iso"]

Space = Literal["roc", "troc"]
_TITLES = {
    "accuracy": "accuracy",
    "precision": "precision",
    "f_measure": "F",
    "cost": "cost",
    "youden": "Youden J",
    "lr_plus": "LR+",
    "lr_minus": "LR−",
    "neyman_pearson": "false positive rate",
}


@themed
def draw_iso(
    lines: Iterable[IsoLine],
    ax: Axes = NEW_AXES,
    *,
    curve: RocCurve | None = None,
    tangent: Tangent | None = None,
    space: Space = "roc",
    percent: bool = False,
    label: str | None = None,
) -> Axes:
    """A family of lines of equal performance, straight in ROC space and parabolas in tROC space.

    Parameters
    ----------
    lines : IsoLine, several
        From ``decisions.iso_performance.iso_line``; each carries its value as a label.
    curve : RocCurve, optional
        Drawn over the lines.
    tangent : Tangent, optional
        The points where the best line touches the curve, marked.
    space : "roc" or "troc"
    """
    check_choice(space, "space", ("roc", "troc"))
    family = list(lines)
    if not family:
        raise InputError(
            "lines", "must hold at least one line of equal performance", Words("none"), "make some by iso_line()"
        )
    if space == "roc":
        roc_axes(ax, percent=percent)
    else:
        troc_axes(ax, percent=percent, references=False)
    for line in family:
        _draw_line(line, ax, space, curve)
    if curve is not None:
        if space == "roc":
            draw_roc(curve, ax, label=label, percent=percent)
        else:
            draw_troc(troc_curve(curve), ax, label=label, percent=percent, references=False)
    if tangent is not None:
        _draw_tangent(tangent, ax, space)
    add_legend(ax, corner="lower right" if space == "roc" else "upper right")
    return ax


def _draw_line(line: IsoLine, ax: Axes, space: Space, curve: RocCurve | None) -> None:
    words = f"{line.value:.4g}"
    if line.intercept is None:
        assert line.fpr is not None
        x, y = np.full(2, line.fpr), np.array([0.0, 1.0 if space == "roc" else 1 - line.fpr])
    else:
        x = np.linspace(0, 1, 201)
        y = line.at(x) if space == "roc" else line.troc_at(x)
        tpr = line.at(x)
        inside = (tpr >= -1e-9) & (tpr <= 1 + 1e-9)
        if np.count_nonzero(inside) < 2:
            return
        x, y = x[inside], y[inside]
    title = _TITLES[line.metric]
    ax.plot(x, y, color=GREY, linewidth=0.6, linestyle="-", label=f"_{title} {words}", zorder=2)
    at = _free_place(x, y, curve, space)
    small: Look = {"fontsize": text_size(ax) - 0.5, "color": GREY, "bbox": BACKING, "zorder": 2.5}
    ax.annotate(words, (float(x[at]), float(y[at])), ha="center", va="center", **small)
    if not any(one.get_label() == f"equal {title}" for one in ax.get_lines()):
        ax.get_lines()[-1].set_label(f"equal {title}")


def _draw_tangent(tangent: Tangent, ax: Axes, space: Space) -> None:
    """The best line of its slope, and where it touches the curve."""
    if tangent.intercept is not None:
        fpr = np.linspace(0, 1, 201)
        tpr = tangent.slope * fpr + tangent.intercept
        inside = (tpr >= 0) & (tpr <= 1)
        fpr, tpr = fpr[inside], tpr[inside]
        height = tpr if space == "roc" else tpr * (1 - fpr)
        ax.plot(fpr, height, color=INK, linewidth=0.8, linestyle="-", label="_tangent", zorder=2.2)
    height = tangent.tpr if space == "roc" else tangent.tpr * (1 - tangent.fpr)
    face: Look = {"markerfacecolor": "white", "markeredgecolor": INK, "markersize": 5}
    ax.plot(tangent.fpr, height, "o", label=f"touched by slope {tangent.slope:.4g}", zorder=4, **face)


def _free_place(x: Floats, y: Floats, curve: RocCurve | None, space: Space) -> int:
    """Where the label of a line stands: far from the curve, from the edges and from the legend's corner."""
    clear = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y))
    if curve is not None:
        height = curve.at(x) if space == "roc" else curve.at(x) * (1 - x)
        clear = np.minimum(clear, np.abs(y - height))
    corner = (x > 0.45) & ((y < 0.22) if space == "roc" else (y > 0.8))
    return int(np.argmax(np.where(corner, -1.0, np.minimum(clear, 0.12))))
