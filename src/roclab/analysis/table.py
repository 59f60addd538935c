"""Columns of a data frame, a mapping or a file, and the outcome among them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from roclab._core.checks import close_names
from roclab.data.columns import label_column
from roclab.data.labels import Labels, binary_labels, match_label
from roclab.errors import InputError, MissingValuesError, Words

__all__ = ["columns_of", "outcome_of"]


def columns_of(data: Any, *wanted: str) -> dict[str, Any]:
    """Named columns of any table, all of them when none is wanted by name."""
    if isinstance(data, str | os.PathLike):
        from roclab.data.files.read import read_columns

        return dict(read_columns(data, list(wanted) or None))
    if isinstance(data, Mapping):
        columns = {str(name): values for name, values in data.items()}
    else:
        import narwhals as nw

        frame = nw.from_native(data)
        if isinstance(frame, nw.LazyFrame):
            frame = frame.select(*wanted).collect() if wanted else frame.collect()
        columns = {name: frame[name].to_native() for name in frame.columns}
    for name in wanted:
        if name not in columns:
            raise InputError(
                "",
                f"the table has no column {name!r}{close_names(name, columns)}",
                way_out=f"its columns are {', '.join(map(str, columns))}",
            )
    return columns


def outcome_of(data: Any, values: Any, name: str, pos_label: Any) -> Labels:
    """The outcome column as positives and negatives; text labels of files match by their printed form."""
    outcome = label_column(values, name)
    if outcome.missing is not None:
        raise MissingValuesError(
            name, "must not be missing", Words(f"{int(outcome.missing.sum())} gaps"), "drop those cases first"
        )
    if isinstance(pos_label, str) and isinstance(data, str | os.PathLike):
        pos_label = match_label(outcome.values, pos_label)
    return binary_labels(outcome.values, pos_label=pos_label, name=name)
