"""Bins of a score, as many as it takes for a wanted accuracy."""

from __future__ import annotations

from dataclasses import replace

from roclab.engines.backends import Backend
from roclab.engines.overview import Overview
from roclab.engines.quantising import binnings_of, half_width, is_monotone
from roclab.engines.scan import Cells

__all__ = ["BINS", "bounded_cells"]

BINS = (1 << 16, 1 << 20, 1 << 22)
_TRY = 1 << 12


def bounded_cells(
    backend: Backend, overview: Overview, name: str, accuracy: float, first: Cells | None
) -> tuple[Cells, str] | None:
    """Bins, as many as it takes for the wanted accuracy, or None where no number of them would do.

    ``first`` are the coarsest bins of the score itself, where they were counted with others.
    """
    seen = overview.ranges[name]
    ways = binnings_of(seen, BINS[0])
    if not ways:
        return None
    way = ways[0]
    for bins in BINS:
        for _ in range(2):
            cells = first or backend.cells(overview, name, replace(way, bins=bins))
            first = None
            if not is_monotone(cells):
                return None
            if half_width(cells) <= accuracy:
                return cells, f"{way.transform} bins, certified monotone"
            if bins != BINS[0] or len(ways) == 1 or way is not ways[0]:
                break
            tried = [(half_width(backend.cells(overview, name, replace(one, bins=_TRY))), at)
                     for at, one in enumerate(ways)]  # fmt: skip
            better = ways[min(tried)[1]]
            if better is way:
                break
            way = better
    return None
