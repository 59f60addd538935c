"""True lesions of scans, from a mapping or from a table in the columns of LUNA16."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab.analysis.froc_reading import Columns
from roclab.data.table import table_of
from roclab.errors import InputError, Words

__all__ = ["lesions_by_scan"]


@dataclass(frozen=True, slots=True)
class _Lesion:
    """A row of a table of lesions."""

    position: tuple[float, float, float]
    diameter: float
    malignant: bool | None  # None where it is not known


def lesions_by_scan(given: Any) -> Mapping[str, Sequence[Any]]:
    """Nodules by scan, from a mapping of them or from a table."""
    if isinstance(given, Mapping) and all(hasattr(one, "position") for every in given.values() for one in every):
        return given
    columns = Columns("seriesuid", "probability", ("coordX", "coordY", "coordZ"), "diameter_mm", {})
    source = table_of(given)
    given_truth = ["malignant"] if source is not None and "malignant" in source.names() else []
    read = columns.read(given, "lesions", ["diameter_mm"], gaps=given_truth)
    if given_truth and not np.isin(read["malignant"][~np.isnan(read["malignant"])], (0, 1)).all():
        raise InputError("malignant", "of lesions must be 1, 0 or empty", Words("other numbers"))
    out: dict[str, list[_Lesion]] = {}
    for at, scan in enumerate(read["scan"]):
        x, y, z = read["place"][at].tolist()
        rated = float(read["malignant"][at]) if given_truth else math.nan
        known = None if math.isnan(rated) else bool(rated)
        out.setdefault(scan, []).append(_Lesion((x, y, z), float(read["diameter_mm"][at]), known))
    return out
