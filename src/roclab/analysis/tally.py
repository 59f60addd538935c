"""Counts that travel: made where the rows are, merged where the curve is wanted."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Unpack

from roclab._core.checks import check_count
from roclab.analysis.support import prepared
from roclab.data.read import read_cases
from roclab.data.remote import RemoteCases
from roclab.data.verbs import verb
from roclab.engines.portable import PortableTally, cells_of_tally, coarser, gathered
from roclab.engines.portable_file import read_portable, write_portable
from roclab.errors import InputError, Words
from roclab.options.data import DataKeywords

__all__ = ["PortableTally", "merge", "read_portable", "tally", "write_portable"]


@verb(splits=False)
def tally(
    y_true: Any,
    y_score: Any = None,
    *,
    step: float | None = None,
    minimum: int = 1,
    path: str | Path | None = None,
    **data: Unpack[DataKeywords],
) -> PortableTally:
    """Counts of every score by class, without rows: they merge exactly, and every verb of one score takes them.

    Parameters
    ----------
    y_true, y_score : arrays, or a table, as in :func:`auc`
    step : float, optional
        Width of the cells in which scores are counted, rounded down to a power of two; by default every score is
        counted apart, or, where an engine counted in cells, those are kept.
    minimum : int
        Privacy: a cell that holds cases of a class holds at least so many of it. Neighbouring cells are joined for
        that, and their ends are those of the grid, so that no case's score is told. ``bound`` says what it costs.
    path : str, optional
        Write the counts to this file, which :func:`merge` and the verbs read.

    Examples
    --------
    Two sites, pooled without a row of either:

    >>> import roclab as rl
    >>> north = rl.tally([1, 0, 1, 0], {"marker": [4, 1, 3, 2]})
    >>> south = rl.tally([1, 0, 0, 1], {"marker": [2, 1, 3, 4]})
    >>> both = rl.merge(north, south)
    >>> rl.auc(both, score="marker").area == rl.auc([1, 0, 1, 0, 1, 0, 0, 1], [4, 1, 3, 2, 2, 1, 3, 4]).area
    True
    """
    check_count(minimum, "minimum", least=1, way_out="write 5 for at least five cases")
    cases = prepared("tally", read_cases(y_true, y_score, **data))
    if cases.weight is not None or cases.groups is not None:
        raise InputError("", "counts that travel are of whole cases", Words("weights or groups"), "leave them out")
    scores = {}
    for name in cases.names:
        cells = cases.grid_cells(name, step) if isinstance(cases, RemoteCases) else cells_of_tally(cases.tally(name))
        scores[name] = coarser(cells, step=step, minimum=minimum)
    found = PortableTally(
        label=str(data.get("label") or "y_true"), positive=cases.positive, negative=cases.negative, scores=scores,
        direction=dict(cases.direction), dropped=cases.dropped, outcome=cases.outcome, minimum=minimum,
    )  # fmt: skip
    if path is not None:
        if not isinstance(path, str | os.PathLike):
            raise InputError("path", "must be the name of a file", path, "write 'north.tally' for instance")
        write_portable(found, path)
    return found


def merge(*tallies: PortableTally | str | os.PathLike[str]) -> PortableTally:
    """All cases of several tallies, or of their files, together.

    Exact, and the same in any order; tallies of another outcome, other classes, scores or directions are refused.

    >>> import roclab as rl
    >>> parts = [rl.tally([1, 0], [2.0, at]) for at in (1.0, 3.0)]
    >>> rl.merge(*parts).rows()[0]["n+"]
    2
    """
    for one in tallies:
        if not isinstance(one, PortableTally | str | os.PathLike):
            raise InputError(
                "tallies", "must be tallies or names of their files, one after the other", Words(type(one).__name__),
                "write rl.merge(*tallies) for those in a list",
            )  # fmt: skip
    return gathered([one if isinstance(one, PortableTally) else read_portable(os.fspath(one)) for one in tallies])
