"""Data as the verbs take them, for faces that read before they ask."""

from __future__ import annotations

from roclab.areas.partial import Range
from roclab.data.cases import Cases
from roclab.data.classes import ClassScores
from roclab.data.keywords import DataKeywords, data_door
from roclab.data.read import Columns, read_cases, read_classes, read_columns
from roclab.data.roles import columns_not_named
from roclab.data.table import FileTable, named_table

__all__ = [
    "Cases",
    "ClassScores",
    "Columns",
    "DataKeywords",
    "FileTable",
    "Range",
    "columns_not_named",
    "data_door",
    "named_table",
    "read_cases",
    "read_classes",
    "read_columns",
]
