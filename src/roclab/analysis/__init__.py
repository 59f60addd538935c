"""What the user touches: questions in, finished answers out.

Every function here takes data in any accepted shape (two arrays, a data frame with column names, or a file) and
hands the work to the room that owns it. Nothing is computed here.
"""

from __future__ import annotations

from roclab.analysis.areas import AreaTable, area_table, auc
from roclab.analysis.averages import average
from roclab.analysis.classes import compare_multiclass, multiclass
from roclab.analysis.comparisons import compare, compare_groups
from roclab.analysis.data import read_cases
from roclab.analysis.many import hull, ties
from roclab.analysis.predictions import confusion
from roclab.analysis.roc import Roc, roc
from roclab.analysis.screen import screen

__all__ = [
    "AreaTable",
    "Roc",
    "area_table",
    "auc",
    "average",
    "compare",
    "compare_groups",
    "compare_multiclass",
    "confusion",
    "hull",
    "multiclass",
    "read_cases",
    "roc",
    "screen",
    "ties",
]
