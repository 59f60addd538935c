"""roclab: ROC analysis from the first curve to the final decision.

>>> import roclab as rl
>>> rl.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).area
0.75

Names are imported when first used, so that ``import roclab`` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from roclab.analysis import AreaTable as AreaTable
    from roclab.analysis import Roc as Roc
    from roclab.analysis import area_table as area_table
    from roclab.analysis import auc as auc
    from roclab.analysis import average as average
    from roclab.analysis import compare as compare
    from roclab.analysis import compare_groups as compare_groups
    from roclab.analysis import compare_multiclass as compare_multiclass
    from roclab.analysis import confusion as confusion
    from roclab.analysis import hull as hull
    from roclab.analysis import logistic as logistic
    from roclab.analysis import multiclass as multiclass
    from roclab.analysis import read_cases as read_cases
    from roclab.analysis import roc as roc
    from roclab.analysis import screen as screen
    from roclab.analysis import ties as ties
    from roclab.cases import Cases as Cases
    from roclab.decisions.confusion import ConfusionMatrix as ConfusionMatrix
    from roclab.inference.bootstrap import Resampling as Resampling
    from roclab.inference.margins import margin_test as margin_test
    from roclab.inference.power import plan_one_area as plan_one_area
    from roclab.inference.power import plan_two_areas as plan_two_areas
    from roclab.inference.published import PublishedArea as PublishedArea
    from roclab.inference.published import compare_published as compare_published
    from roclab.report import write_report as write_report
    from roclab.results import AreaEstimate as AreaEstimate
    from roclab.results import Interval as Interval
    from roclab.tally import Tally as Tally

__version__ = "0.1.0"

_HOME = {
    "AreaEstimate": "roclab.results",
    "AreaTable": "roclab.analysis",
    "Cases": "roclab.cases",
    "ConfusionMatrix": "roclab.decisions.confusion",
    "Interval": "roclab.results",
    "PublishedArea": "roclab.inference.published",
    "Resampling": "roclab.inference.bootstrap",
    "Roc": "roclab.analysis",
    "Tally": "roclab.tally",
    "area_table": "roclab.analysis",
    "auc": "roclab.analysis",
    "average": "roclab.analysis",
    "compare": "roclab.analysis",
    "compare_groups": "roclab.analysis",
    "compare_multiclass": "roclab.analysis",
    "compare_published": "roclab.inference.published",
    "confusion": "roclab.analysis",
    "hull": "roclab.analysis",
    "logistic": "roclab.analysis",
    "margin_test": "roclab.inference.margins",
    "multiclass": "roclab.analysis",
    "plan_one_area": "roclab.inference.power",
    "plan_two_areas": "roclab.inference.power",
    "read_cases": "roclab.analysis",
    "roc": "roclab.analysis",
    "screen": "roclab.analysis",
    "ties": "roclab.analysis",
    "write_report": "roclab.report",
}

__all__ = sorted([*_HOME, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'roclab' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
