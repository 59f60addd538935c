"""A curve as a table of points, whole or thinned out for drawing."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from roclab._core.checks import check_count
from roclab._core.polyline import thin_out
from roclab._core.text import text_table
from roclab._core.types import Floats, frozen
from roclab.results import Result
from roclab.results.pictured import Pictured

_SEEN = 500  # points of a picture in a notebook
_PRINTED = 21  # points of a curve that is printed whole


class Curve(Protocol):
    """What every curve offers."""

    def at(self, x: Any) -> Floats:
        """Height at each x, interpolated by the curve's own rule."""
        ...

    def points(self) -> CurvePoints:
        """All vertices with their thresholds."""
        ...

    def simplified(self, count: int) -> CurvePoints:
        """At most ``count`` of the vertices, with the error this makes."""
        ...


class Drawable(Pictured):
    """What curves can do once they have points: be tables, be thinned out, and be seen in a notebook."""

    __slots__ = ()

    def points(self) -> CurvePoints:
        """All vertices with their thresholds."""
        raise NotImplementedError  # pragma: no cover - every curve has points

    def rows(self) -> list[dict[str, Any]]:
        """One row per vertex."""
        return self.points().rows()

    def to_dict(self) -> dict[str, Any]:
        """All vertices as plain values."""
        return self.points().to_dict()

    def simplified(self, count: int) -> CurvePoints:
        """At most ``count`` vertices, with the largest distance between both lines."""
        return self.points().simplified(count)

    def __str__(self) -> str:
        every = self.points()
        some = every.simplified(min(len(every), _PRINTED))
        return f"{text_table(some.rows())}\n\n{len(some)} of {len(every)} points"

    def _repr_html_(self) -> str:
        return self.points()._repr_html_()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurvePoints(Result):
    """Vertices of a curve; ``max_error`` is the largest distance of a left-out vertex from the drawn line."""

    x: Floats
    y: Floats
    thresholds: Floats | None
    x_name: str
    y_name: str
    max_error: float = 0.0

    def __post_init__(self) -> None:
        for array in (self.x, self.y, self.thresholds):
            if array is not None:
                frozen(array)

    def simplified(self, count: int) -> CurvePoints:
        """At most ``count`` of these points; end points are always kept."""
        check_count(count, "count", least=2, way_out="keep at least the two end points")
        kept, error = thin_out(self.x, self.y, count)
        return CurvePoints(
            x=self.x[kept],
            y=self.y[kept],
            thresholds=None if self.thresholds is None else self.thresholds[kept],
            x_name=self.x_name,
            y_name=self.y_name,
            max_error=error,
        )

    def __len__(self) -> int:
        return int(self.x.size)

    def __str__(self) -> str:
        table = text_table(self.rows())
        if self.max_error == 0:
            return table
        return f"{table}\n\n{len(self)} points; no vertex left out is farther than {self.max_error:.2g} from the line"

    def _repr_html_(self) -> str:
        finite = np.isfinite(self.x) & np.isfinite(self.y)
        if not finite.any():
            return f"<p>{html.escape(str(self))}</p>"
        kept, _ = thin_out(self.x[finite], self.y[finite], _SEEN)
        x, y = self.x[finite][kept], self.y[finite][kept]
        from roclab._core.svg import Line, frame_svg  # loaded for notebooks only

        picture = frame_svg(
            [Line(x=x, y=y, place=0)],
            x=(min(0.0, float(x.min())), max(1.0, float(x.max()))),
            y=(min(0.0, float(y.min())), max(1.0, float(y.max()))),
            x_label=self.x_name,
            y_label=self.y_name,
            title=f"{self.y_name} against {self.x_name}",
            width=360,
            height=360,
        )
        return f'<div style="max-width: 380px">{picture}</div>'  # not as wide as a notebook

    def rows(self) -> list[dict[str, Any]]:
        """One row per point."""
        columns: dict[str, list[Any]] = {}
        if self.thresholds is not None:
            columns["threshold"] = self.thresholds.tolist()
        columns[self.x_name] = self.x.tolist()
        columns[self.y_name] = self.y.tolist()
        return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
