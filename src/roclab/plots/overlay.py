"""Slices of a volume side by side, with the outlines of regions on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from roclab._core.checks import check_count
from roclab._core.figure_file import check_figure_place
from roclab._core.whole_file import write_whole
from roclab.errors import InputError, Words
from roclab.plots.canvas import new_figure
from roclab.plots.saving import figure_bytes

if TYPE_CHECKING:
    from roclab.imaging.volumes import Volume

__all__ = ["draw_montage", "mark_edges", "save_montage"]

_COLOURS = ("#e8590c", "#22b8cf", "#ffd43b", "#a9e34b")
_WINDOW = (-1050.0, 250.0)  # HU
_LEGEND = 4.0  # inches that names of outlines need


def draw_montage(
    volume: Volume, outlines: Mapping[str, Any] | None = None, *, slices: int | Sequence[int] = 6,
    window: tuple[float, float] = _WINDOW, heat: Any = None,
) -> Figure:  # fmt: skip
    """Slices with the outlines of masks by name; ``slices`` is how many, evenly spread, or which, from 0.

    ``heat`` lies over the image in colours, from 0, which is not seen, to 1.
    """
    chosen = _chosen(slices, volume.shape[0])
    across = min(3, len(chosen))
    down = -(-len(chosen) // across)
    tall = volume.shape[1] * volume.spacing[1] / (volume.shape[2] * volume.spacing[2])
    named = dict(outlines or {})
    foot = 0.35 if named else 0.0
    side = 2.4
    figure = new_figure(max(side * across, _LEGEND if named else 0), side * tall * down + foot, layout=None)
    grid = figure.subplots(down, across, squeeze=False)
    bottom = foot / (side * tall * down + foot)
    figure.subplots_adjust(left=0.005, right=0.995, top=0.995, bottom=bottom + 0.005, wspace=0.02, hspace=0.02)
    for ax in grid.ravel():
        ax.set_axis_off()
    for ax, at in zip(grid.ravel(), chosen, strict=False):
        ax.imshow(volume.array[at], cmap="gray", vmin=window[0], vmax=window[1], aspect=_aspect(volume))
        if heat is not None:
            over = np.asarray(heat)[at]
            ax.imshow(over, cmap="inferno", vmin=0, vmax=1, alpha=0.7 * np.clip(over, 0, 1), aspect=_aspect(volume))
        for (_, mask), colour in zip(named.items(), _COLOURS, strict=False):
            plane = np.asarray(mask)[at]
            if plane.any() and not plane.all():
                ax.contour(plane, [0.5], colors=[colour], linewidths=0.9)
        ax.text(0.02, 0.98, f"slice {at}", transform=ax.transAxes, color="white", va="top", fontsize=7)
        mark_edges(ax, volume.edges)
    if named:
        lines = [Line2D([], [], color=colour, label=name) for name, colour in zip(named, _COLOURS, strict=False)]
        figure.legend(handles=lines, loc="lower center", ncols=len(lines), frameon=False, fontsize=8)
    return figure


def mark_edges(ax: Axes, edges: tuple[str, str, str, str], *, size: float = 7) -> None:
    """Letters of the patient's sides on a slice: R and L, or A and P, at its left and right edge and below."""
    left, right, _, below = edges
    for x, y, letter, across, up in (
        (0.02, 0.5, left, "left", "center"),
        (0.98, 0.5, right, "right", "center"),
        (0.5, 0.02, below, "center", "bottom"),
    ):
        ax.text(x, y, letter, transform=ax.transAxes, color="#ffd43b", ha=across, va=up, fontsize=size)


def save_montage(figure: Figure, path: str | Path, *, name: str = "path") -> None:
    """Write a montage, whole or not at all."""
    check_figure_place(path, name=name)
    write_whole(path, figure_bytes(figure, Path(path).suffix.lower().removeprefix("."), dpi=150), name=name)


def _aspect(volume: Volume) -> float:
    return volume.spacing[1] / volume.spacing[2]


def _chosen(slices: Any, many: int) -> list[int]:
    if np.ndim(slices) == 0:
        wanted = check_count(slices, "slices", least=1, most=30, way_out="6 is usual")
        return sorted({int(one) for one in np.linspace(0, many - 1, min(wanted, many) + 2)[1:-1].round()})
    chosen = [int(slice_) for slice_ in slices]
    if not chosen or min(chosen) < 0 or max(chosen) >= many:
        raise InputError(
            "slices", f"must be numbers from 0 to {many - 1}", Words(", ".join(map(str, chosen)) or "none")
        )
    return chosen
