"""Where a result is drawn, in which colours and under which names: on new axes, on the caller's, or into a file."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from roclab._core.figure_file import check_figure_place
from roclab.errors import InputError, Words
from roclab.plots.canvas import set_words
from roclab.plots.colours import colours_for, with_colours
from roclab.plots.picture import Picture, picture_of
from roclab.plots.recipes.source import new_names
from roclab.plots.roc import draw_roc

__all__ = ["Draw", "check_looks", "place_of", "plotted"]

Draw = Callable[..., Axes]
_ANY = ("ax", "colors", "names", "title")  # options of every figure
_LIKE_ROC = ("draw_rocs", "draw_multiclass", "draw_crossings")  # whose further options are those of draw_roc


def plotted(draw: Draw, kind: str, drawn: Any, to: Any, numbers: Any, options: dict[str, Any]) -> Picture:
    """Draw, in the colours and under the names that are among the options, and write the file if there is one."""
    colors, names, title = (options.pop(word, None) for word in ("colors", "names", "title"))
    beside = options.pop("ax", None)
    if to is not None and beside is not None:
        raise InputError("ax", "is a second place to draw on", Words("both"), "give one of them")
    ax, path = place_of(beside if to is None else to)
    own = list(drawn) if isinstance(drawn, Mapping) else [str(options["label"])] if options.get("label") else []
    chosen = colours_for(colors, own, kind)  # by the names of the result itself
    if names is not None:
        drawn, options = _renamed(draw, kind, drawn, options, names)
    with with_colours(chosen):
        shown = draw(drawn, ax, **options)
    set_words(shown, title=title)
    return picture_of(kind, shown, numbers).saved(path)


def place_of(to: Any) -> tuple[Any, Path | None]:
    """The axes to draw on, if there are some, and the file to write, if it is one."""
    if isinstance(to, str | os.PathLike):
        path = Path(to)
        check_figure_place(path, name="plot")
        return None, path
    return to, None


def _renamed(draw: Draw, kind: str, drawn: Any, options: dict[str, Any], names: Any) -> tuple[Any, dict[str, Any]]:
    """The curves under other names; of one curve its name in the legend."""
    parameters = inspect.signature(draw).parameters
    if "names" in parameters:
        return drawn, {**options, "names": names}
    if "label" in parameters:
        only = names if isinstance(names, str) else next(iter(names), None) if len(names) == 1 else None
        if isinstance(names, Mapping) and len(names) == 1:
            only = next(iter(names.values()))
        if only is None:
            raise InputError("names", "must be one name for one curve", names, "write names='Lactate'")
        return drawn, {**options, "label": str(only)}
    if isinstance(drawn, Mapping):
        new = new_names(list(drawn), names)
        moved = {
            key: {new[name]: one for name, one in value.items()} if key in ("areas", "bands", "each") else value
            for key, value in options.items()
        }
        return {new[name]: one for name, one in drawn.items()}, moved
    raise InputError(
        "names", f"has no part in the figure {kind!r}, whose names are the result's", names, "leave it out"
    )


def check_looks(draw: Draw, kind: str, looks: Mapping[str, Any]) -> None:
    """Refuse what neither the drawing function nor a line of matplotlib takes."""
    parameters = inspect.signature(draw).parameters
    known = [name for name, one in parameters.items() if one.kind is one.KEYWORD_ONLY]
    if getattr(draw, "__name__", "") in _LIKE_ROC:
        known += [name for name, one in inspect.signature(draw_roc).parameters.items() if one.kind is one.KEYWORD_ONLY]
    takes_line = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    for name in looks:
        if name in (*known, *_ANY) or (takes_line and hasattr(Line2D, f"set_{name}")):
            continue
        line = " and properties of matplotlib's lines" if takes_line else ""
        usual = [*_ANY[1:], *known]
        raise InputError(name, f"is no part of the figure {kind!r}", way_out=f"it takes {', '.join(usual)}{line}")
