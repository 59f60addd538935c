"""Data as the verbs take them, for faces that read before they ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roclab.data.cases import Cases
from roclab.data.classes import ClassScores
from roclab.data.files.postgres import shown_address
from roclab.data.read import Columns, are_counts, read_cases, read_classes, read_columns
from roclab.data.remote import RemoteCases
from roclab.data.roles import columns_not_named
from roclab.data.table import FileTable, SourceTable, named_table, reading_of, table_of
from roclab.data.verbs import verb
from roclab.datasets import BUNDLED, bundled_path
from roclab.engines.watching import watched
from roclab.options.data import DataKeywords
from roclab.options.region import Range

__all__ = [
    "BUNDLED",
    "Cases",
    "ClassScores",
    "Columns",
    "DataKeywords",
    "FileTable",
    "Range",
    "bundled_path",
    "columns_not_named",
    "verb",
    "named_table",
    "plan_of",
    "read_cases",
    "read_classes",
    "read_columns",
    "shown_address",
    "watched",
]


def plan_of(
    data: Any, *, paired: bool = False, screened: bool = False, exclude: Sequence[str] = (), **keywords: Any
) -> list[str]:
    """What will be done to count data, in lines: engine, mode, passes, memory and disk.

    Scores are ``paired`` where they are compared; ``screened`` are all numeric columns if no score is named.
    """
    if not are_counts(data):
        table = table_of(data, **reading_of(keywords))
        if isinstance(table, SourceTable) and not table.remote:
            return [
                f"engine: memory; {table.count():,} rows of {table.called} are fetched and answered by NumPy, exact"
            ]
        if not isinstance(table, SourceTable):
            called = "the data" if table is None else table.called
            return [f"engine: memory; {called} is read as a whole and answered by NumPy, exact"]
    markers = None
    if screened:
        from roclab.analysis.markers import markers_elsewhere

        markers = markers_elsewhere(data, None, exclude, keywords)
    cases = read_cases(data, **keywords) if markers is None else markers.whole
    assert isinstance(cases, RemoteCases)
    return cases.plan(paired=paired)
