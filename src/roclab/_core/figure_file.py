"""The file of a figure: which formats there are, and whether its place can be written to.

Apart from the code that draws, so that an impossible name is refused before anything is imported or computed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from roclab._core.whole_file import check_place
from roclab.errors import FileError, Words

__all__ = ["FORMATS", "check_figure_place", "ending_of", "is_figure_file"]

FORMATS = ("svg", "pdf", "png")


def ending_of(path: str | Path) -> str:
    """What follows the last full stop of a name, in small letters.

    >>> ending_of("figures/ROC.PNG")
    'png'
    """
    return Path(path).suffix.lower().removeprefix(".")


def is_figure_file(value: Any) -> bool:
    """Whether a value names a file rather than a kind of figure: a path, or a text with an ending.

    >>> is_figure_file("roc.png"), is_figure_file("roc"), is_figure_file(None)
    (True, False, False)
    """
    return isinstance(value, Path) or (isinstance(value, str) and ending_of(value) != "")


def check_figure_place(path: str | Path, *, name: str) -> None:
    """Refuse an ending that is no figure's, and a place that cannot be written to."""
    if ending_of(path) not in FORMATS:
        raise FileError(name, "must end in .svg, .pdf or .png", Words(path), ".svg suits most uses")
    check_place(path, name=name)
