"""A picture: a figure that was drawn, the results that it shows, and its file if it was saved."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roclab._core.figure_file import check_figure_place, ending_of
from roclab._core.text import text_table, without_shared
from roclab._core.whole_file import write_whole
from roclab.plots.saving import figure_bytes
from roclab.plots.shown import mime_bundle
from roclab.results import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Picture", "picture_of"]

_SHORT = 20  # rows of a table that is printed beside the figure


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture(Result):
    """A figure that was drawn, and the results that it shows.

    A notebook shows it as a picture. What a picture does not have itself is asked of its axes, so that
    ``r.plot().set_title("Lactate")`` works as on axes.
    """

    figure: str
    width_mm: float
    height_mm: float
    numbers: tuple[Result, ...]
    file: str | None = None
    _ax: Any = None

    @property
    def ax(self) -> Axes:
        """The axes, to be changed further."""
        found: Axes = self._ax
        return found

    @property
    def fig(self) -> Figure:
        """The matplotlib figure that holds the axes."""
        found: Figure = self._ax.get_figure(root=True)
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # what notebooks and copy ask every object for
            raise AttributeError(name)
        return getattr(self.ax, name)

    def save(self, path: str | os.PathLike[str], *, name: str = "path") -> Path:
        """Write the figure as .svg, .pdf or .png, whole or not at all."""
        place = Path(path)
        check_figure_place(place, name=name)
        write_whole(place, figure_bytes(self.ax, ending_of(place)), name=name)
        return place

    def saved(self, path: str | os.PathLike[str] | None, *, name: str = "path") -> Picture:
        """The same after writing it to a file, which it then names; without a path it is not written."""
        return self if path is None else replace(self, file=str(self.save(path, name=name)))

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the results."""
        return [row for one in self.numbers for row in one.rows()]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return mime_bundle(self.ax, str(self), include)

    def _repr_html_(self) -> str:
        return None  # type: ignore[return-value]  # notebooks prefer HTML to pictures

    def __str__(self) -> str:
        tables: dict[tuple[str, ...], list[Any]] = {}
        for row in self.rows():
            tables.setdefault(tuple(row), []).append(row)
        parts = []
        for rows in tables.values():
            if len(rows) <= _SHORT:
                shown, below = without_shared(rows, ["method", "interval"])
                parts += [text_table(shown), *below, ""]
            else:
                parts += [f"{len(rows)} rows of numbers, which to_csv() and --csv give", ""]
        place = f"wrote {self.file}" if self.file else self.figure
        return "\n".join([*parts, f"{place}, {self.width_mm:g} x {self.height_mm:g} mm"])


def picture_of(name: str, ax: Axes, numbers: tuple[Result, ...]) -> Picture:
    """What was drawn on some axes."""
    drawn: Any = ax.get_figure(root=True)
    width, height = (round(25.4 * float(side), 1) for side in drawn.get_size_inches())
    return Picture(figure=name, width_mm=width, height_mm=height, numbers=numbers, _ax=ax)
