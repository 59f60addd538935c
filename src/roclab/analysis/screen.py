"""Screening many markers, from the user's side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.analysis.table import columns_of, outcome_of
from roclab.data.columns import score_column
from roclab.errors import InputError
from roclab.screening import Screening, screen_markers

__all__ = ["screen"]


def screen(
    data: Any,
    *,
    label: str,
    markers: Sequence[str] | None = None,
    pos_label: Any = None,
    **options: Any,
) -> Screening:
    """Screen every numeric column of a table as a marker of one outcome.

    Parameters
    ----------
    data : data frame, mapping of name to column, or path of a file
    label : str
        The outcome column.
    markers : sequence of str, optional
        Columns to screen; default all others. Columns that are not numeric are skipped and listed.
    pos_label : optional
        The positive outcome; 1 or True by default.
    options
        direction, standard_error, interval, level, adjust, workers, progress: see ``screening.screen_markers``.

    Examples
    --------
    >>> import roclab as rl
    >>> table = {"ill": [1, 1, 0, 0], "a": [4, 3, 2, 1], "b": [4, 2, 3, 1], "name": ["w", "x", "y", "z"]}
    >>> result = rl.screen(table, label="ill")
    >>> [(one.name, one.area) for one in result.markers], dict(result.skipped)
    ([('a', 1.0), ('b', 0.75)], {'name': 'it is not numeric'})
    """
    columns = columns_of(data)
    for name in (label, *(markers or ())):
        if name not in columns:
            raise InputError(
                "", f"the table has no column {name!r}", way_out=f"its columns are {', '.join(map(str, columns))}"
            )
    truth = outcome_of(data, columns[label], label, pos_label)
    chosen = [name for name in columns if name != label] if markers is None else list(markers)
    numeric: dict[str, Array] = {}
    skipped: dict[str, str] = {}
    for name in chosen:
        values = np.asarray(columns[name])
        if values.dtype.kind in "USM" or (values.dtype.kind == "O" and _holds_words(values)):
            skipped[str(name)] = "it is not numeric"
            continue
        numeric[str(name)] = score_column(columns[name], str(name)).values
    if not numeric:
        raise InputError("", "no numeric column is left to screen", way_out=f"skipped {', '.join(skipped)}")
    return screen_markers(
        truth.is_positive, numeric, positive=truth.positive, negative=truth.negative, skipped=skipped, **options
    )


def _holds_words(values: Array) -> bool:
    return any(isinstance(value, str | bytes) for value in values.tolist())
