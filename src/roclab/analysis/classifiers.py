"""Classifiers of any shape: scores of data, curves that were made before, and points of discrete classifiers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from roclab.analysis.roc import Roc, rocs
from roclab.curves.roc import RocCurve, curve_from_points
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.options.data import DataKeywords

__all__ = ["classifiers_of", "tallies_of"]


def classifiers_of(classifiers: Any, y_score: Any = None, **data: Unpack[DataKeywords]) -> dict[str, RocCurve]:
    """Curves by name: of the scores of data, of curves made by ``roc()``, and of points of discrete classifiers.

    A mapping of names to curves or (fpr, tpr) points is taken as it is; anything else is read as data.
    """
    if isinstance(classifiers, Mapping) and y_score is None and not data.get("label"):
        if not classifiers:
            raise InputError("classifiers", "must hold at least one curve or point", Words("none"))
        return {str(name): _curve(name, one) for name, one in classifiers.items()}
    if isinstance(classifiers, Cases | Mapping) or y_score is not None or data:
        return {name: one.curve for name, one in rocs(classifiers, y_score, **data).items()}
    raise InputError(
        "classifiers", "must map names to curves or points, or be data with scores", Words(type(classifiers).__name__)
    )


def _curve(name: Any, one: Any) -> RocCurve:
    if isinstance(one, Roc):
        return one.curve
    if isinstance(one, RocCurve):
        return one
    if isinstance(one, Tally):
        raise InputError(str(name), "must be a curve or points", Words("a tally"), "make a curve of it with roc()")
    try:
        pairs = [one] if len(one) == 2 and not hasattr(one[0], "__len__") else list(one)
        fpr, tpr = zip(*pairs, strict=True)
    except (TypeError, ValueError):
        raise InputError(
            str(name), "must be a curve made by roc(), or (fpr, tpr) points", Words(type(one).__name__)
        ) from None
    return curve_from_points(list(fpr), list(tpr))


def tallies_of(classifiers: Any, y_score: Any, data: Any, what: str) -> dict[str, Tally]:
    """Counts by name: of the scores of data, or of curves made by ``roc()``, for what points do not have."""
    if isinstance(classifiers, Mapping) and y_score is None and not data.get("label"):
        found: Mapping[str, Any] = classifiers
    else:
        found = rocs(classifiers, y_score, **data)
    out: dict[str, Tally] = {}
    for name, one in found.items():
        if not isinstance(one, Roc) or one.tally is None:
            raise InputError(str(name), f"must be a curve with its cases for {what}", Words("points"), "use roc()")
        out[str(name)] = one.tally
    return out
