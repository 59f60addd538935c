"""What a figure is drawn on: paper that is white, or a dark ground on which ink must be pale.

Drawing functions name the colours of the theme, which suit white paper. On a dark ground each of them has a
counterpart, those of the dark pages of the report; colours that are not the theme's stay as the caller chose them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.colors import to_hex, to_rgb, to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

__all__ = ["is_dark", "on_dark", "suit_ground"]

_NO_COLOURS = ("none", "auto", "inherit")  # words in place of one
_COUNTERPARTS = {
    "#1a1a1a": "#e6e9ec",  # ink
    "#6f6f6f": "#9aa4ae",  # grey
    "#9a9a9a": "#8a949e",
    "#b5b5b5": "#5a636d",  # pale
    "#000000": "#f2f2f2",
    "#0072b2": "#57b4ea",  # not the theme's own light blue: nothing is changed twice
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
    """The settings that a dark ground changes: ink becomes pale, white the ground; curves follow as they are drawn."""
    changed = {
        name: _fill(value, ground) if "face" in name else _ink(value)
        for name, value in settings.items()
        if isinstance(value, str) and name.endswith("color")
    }
    return {**changed, "text.color": _ink("#1a1a1a")}


def suit_ground(ax: Axes) -> None:
    """On a dark ground, give all that is drawn on these axes the counterparts of the theme's colours."""
    if not is_dark(ax.get_facecolor()):
        return
    ground = to_hex(ax.get_facecolor())
    legend = ax.get_legend()
    found: list[Artist] = [*ax.findobj(), *(legend.findobj() if legend is not None else ())]
    for one in found:
        boxes = [one, one.get_bbox_patch()] if isinstance(one, Text) else [one]
        for artist in boxes:
            if artist is not None and artist is not ax.patch:
                _recolour(artist, ground)


def _recolour(artist: Artist, ground: str) -> None:
    if isinstance(artist, Line2D):
        artist.set_color(_ink(artist.get_color()))
        artist.set_markerfacecolor(_fill(artist.get_markerfacecolor(), ground))
        artist.set_markeredgecolor(_ink(artist.get_markeredgecolor()))
    elif isinstance(artist, Patch):
        fill, edge = artist.get_facecolor(), artist.get_edgecolor()
        artist.set_facecolor(_fill(fill, ground))
        artist.set_edgecolor(_ink(edge))
    elif isinstance(artist, Text):
        artist.set_color(_ink(artist.get_color()))
    elif isinstance(artist, Collection) and artist.get_array() is None:
        faces, edges = np.asarray(artist.get_facecolor()), np.asarray(artist.get_edgecolor())
        artist.set_facecolor([_fill(tuple(one), ground) for one in faces.reshape(-1, 4)])
        artist.set_edgecolor([_ink(tuple(one)) for one in edges.reshape(-1, 4)])


def _fill(colour: Any, ground: str) -> Any:
    """A filled colour for a dark ground; white paper is the ground itself, and as opaque as it was."""
    if isinstance(colour, str) and colour in _NO_COLOURS:
        return colour
    return to_rgba(ground, to_rgba(colour)[3]) if to_hex(colour) == "#ffffff" else _ink(colour)


def _ink(colour: Any) -> Any:
    """The colour of lines and letters for a dark ground with the same opacity; what is not of the theme stays."""
    if isinstance(colour, str) and colour in _NO_COLOURS:
        return colour
    opacity = to_rgba(colour)[3]
    found = _COUNTERPARTS.get(to_hex(colour).lower())
    if opacity == 0:
        return "none"
    return colour if found is None else to_hex(to_rgba(found, opacity), keep_alpha=opacity < 1)
