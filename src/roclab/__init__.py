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
    from roclab.data.cases import Cases as Cases
    from roclab.data.tally import Tally as Tally
    from roclab.decisions.confusion import ConfusionMatrix as ConfusionMatrix
    from roclab.inference.comparison.margins import margin_test as margin_test
    from roclab.inference.comparison.published import PublishedArea as PublishedArea
    from roclab.inference.comparison.published import compare_published as compare_published
    from roclab.inference.one_area.bootstrap import Resampling as Resampling
    from roclab.inference.planning.power import plan_one_area as plan_one_area
    from roclab.inference.planning.power import plan_two_areas as plan_two_areas
    from roclab.report import write_report as write_report
    from roclab.results import AreaEstimate as AreaEstimate
    from roclab.results import Interval as Interval

__version__ = "0.1.0"

_HOME = {
    "AreaEstimate": "roclab.results",
    "AreaTable": "roclab.analysis",
    "Cases": "roclab.data.cases",
    "ConfusionMatrix": "roclab.decisions.confusion",
    "Interval": "roclab.results",
    "PublishedArea": "roclab.inference.comparison.published",
    "Resampling": "roclab.inference.one_area.bootstrap",
    "Roc": "roclab.analysis",
    "Tally": "roclab.data.tally",
    "area_table": "roclab.analysis",
    "auc": "roclab.analysis",
    "average": "roclab.analysis",
    "compare": "roclab.analysis",
    "compare_groups": "roclab.analysis",
    "compare_multiclass": "roclab.analysis",
    "compare_published": "roclab.inference.comparison.published",
    "confusion": "roclab.analysis",
    "hull": "roclab.analysis",
    "logistic": "roclab.analysis",
    "margin_test": "roclab.inference.comparison.margins",
    "multiclass": "roclab.analysis",
    "plan_one_area": "roclab.inference.planning.power",
    "plan_two_areas": "roclab.inference.planning.power",
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
