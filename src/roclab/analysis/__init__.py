"""What the user touches: questions in, finished answers out.

Every function here takes data in any accepted shape (two arrays, a data frame with column names, or a file) and
hands the work to the room that owns it. Nothing is computed here.
"""

from __future__ import annotations

from roclab.analysis.auc import AreaTable, area_table, auc
from roclab.analysis.average import average
from roclab.analysis.compare import compare, compare_groups
from roclab.analysis.confusion import confusion
from roclab.analysis.data import read_cases
from roclab.analysis.logistic import LogisticAnalysis, logistic
from roclab.analysis.many import hull, ties
from roclab.analysis.multiclass import compare_multiclass, multiclass
from roclab.analysis.roc import Roc, roc
from roclab.analysis.screen import screen

__all__ = [
    "AreaTable",
    "LogisticAnalysis",
    "Roc",
    "area_table",
    "auc",
    "average",
    "compare",
    "compare_groups",
    "compare_multiclass",
    "confusion",
    "hull",
    "logistic",
    "multiclass",
    "read_cases",
    "roc",
    "screen",
    "ties",
]
