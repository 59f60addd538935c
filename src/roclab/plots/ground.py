"""What a figure is drawn on: paper that is white, or a dark ground on which ink must be pale.

Drawing functions name the colours of the theme, which suit white paper. On a dark ground each of them has a
counterpart, those of the dark pages of the report; colours that are not the theme's stay as the caller chose them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from cycler import cycler
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.colors import to_hex, to_rgb, to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

__all__ = ["is_dark", "on_dark", "suit_ground"]

_COUNTERPARTS = {
    "#1a1a1a": "#e6e9ec",  # ink
    "#6f6f6f": "#9aa4ae",  # grey
    "#9a9a9a": "#8a949e",
    "#b5b5b5": "#5a636d",  # pale
    "#000000": "#f2f2f2",
    "#0072b2": "#56b4e9",
    "#e69f00": "#f5bd3d",
    "#d55e00": "#ff8c42",
    "#56b4e9": "#a9d8f5",
    "#009e73": "#2fc79a",
    "#cc79a7": "#e19cc3",
}


def is_dark(colour: Any) -> bool:
    """Whether a colour is nearer to black than to white, by its relative luminance.

    >>> is_dark("white"), is_dark("#15191e")
    (False, True)
    """
    red, green, blue = to_rgb(colour) if to_rgba(colour)[3] > 0 else (1.0, 1.0, 1.0)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.4


def on_dark(settings: Mapping[str, Any], ground: str) -> dict[str, Any]:
    """The settings that a dark ground changes: colours become their counterparts, white the ground itself."""
    changed = {
        name: _counterpart(value, ground)
        for name, value in settings.items()
        if isinstance(value, str) and name.endswith("color")
    }
    cycle = settings["axes.prop_cycle"].by_key()
    colours = [_counterpart(one, ground) for one in cycle["color"]]
    text = to_hex(_counterpart("#1A1A1A", ground))
    return {**changed, "text.color": text, "axes.prop_cycle": cycler(color=colours, linestyle=cycle["linestyle"])}


def suit_ground(ax: Axes) -> None:
    """On a dark ground, give all that is drawn on these axes the counterparts of the theme's colours; once each."""
    if not is_dark(ax.get_facecolor()):
        return
    ground = to_hex(ax.get_facecolor())
    legend = ax.get_legend()
    found: list[Artist] = [*ax.findobj(), *(legend.findobj() if legend is not None else ())]
    for one in found:
        boxes = [one, one.get_bbox_patch()] if isinstance(one, Text) else [one]
        for artist in boxes:
            if artist is not None and artist is not ax.patch and not getattr(artist, "_roclab_suited", False):
                _recolour(artist, ground)
                artist._roclab_suited = True  # type: ignore[attr-defined]


def _recolour(artist: Artist, ground: str) -> None:
    if isinstance(artist, Line2D):
        artist.set_color(_counterpart(artist.get_color(), ground))
        artist.set_markerfacecolor(_counterpart(artist.get_markerfacecolor(), ground))
        artist.set_markeredgecolor(_counterpart(artist.get_markeredgecolor(), ground))
    elif isinstance(artist, Patch):
        fill, edge = artist.get_facecolor(), artist.get_edgecolor()
        artist.set_facecolor(_counterpart(fill, ground))
        artist.set_edgecolor(_counterpart(edge, ground))
    elif isinstance(artist, Text):
        artist.set_color(_counterpart(artist.get_color(), ground))
    elif isinstance(artist, Collection) and artist.get_array() is None:
        faces, edges = np.asarray(artist.get_facecolor()), np.asarray(artist.get_edgecolor())
        artist.set_facecolor([_counterpart(tuple(one), ground) for one in faces.reshape(-1, 4)])
        artist.set_edgecolor([_counterpart(tuple(one), ground) for one in edges.reshape(-1, 4)])


def _counterpart(colour: Any, ground: str) -> Any:
    """The colour for a dark ground with the same opacity; what is not of the theme stays."""
    if isinstance(colour, str) and colour in ("none", "auto", "inherit"):
        return colour
    *_, opacity = to_rgba(colour)
    key = to_hex(colour).lower()
    found = ground if key == "#ffffff" else _COUNTERPARTS.get(key)
    return colour if found is None else (found if opacity == 1 else to_rgba(found, opacity))
