"""Groups that were counted on an engine: what the areas of all of them rest on, from counts instead of rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from roclab._core.text import format_number
from roclab._core.undefined import Undefined
from roclab.areas.cells import joined_cells
from roclab.areas.empirical import auc
from roclab.data.cases import Cases
from roclab.data.groups import has_both_classes
from roclab.inference.comparison.covariance import AreaCovariance, covariance_of_tallies
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.delong import delong_parts
from roclab.inference.one_area.grouped import GroupedAreas
from roclab.results import AreaEstimate

__all__ = ["covariance_of_counts", "how_counted", "areas_of_counts"]


def areas_of_counts(parts: Mapping[str, Cases]) -> GroupedAreas:
    """The AUC and DeLong's two spreads of every group, from its counts."""
    n_pos, n_neg = (np.zeros(len(parts), np.int64) for _ in range(2))
    area, spread10, spread01 = (np.full(len(parts), np.nan) for _ in range(3))
    for at, part in enumerate(parts.values()):
        sample = part.sample()
        n_pos[at], n_neg[at] = sample.n_pos, sample.n_neg
        if has_both_classes(part):
            tally = part.tally()
            area[at] = auc(tally)
            found = delong_parts(tally, float(area[at]))
            spread10[at], spread01[at] = found.pos * sample.n_pos, found.neg * sample.n_neg
    return GroupedAreas(n_pos, n_neg, area, spread10, spread01)


def covariance_of_counts(parts: Mapping[str, Cases], area: Area) -> AreaCovariance | None:
    """Covariance of the areas of groups; None where scores were joined in cells and the area is not the AUC."""
    tallies = {name: part.tally() for name, part in parts.items()}
    if not area.of_auc and any(joined_cells(tally).any() for tally in tallies.values()):
        return None
    return covariance_of_tallies(tallies, area, single=True)


def how_counted(estimates: Mapping[str, AreaEstimate]) -> str:
    """How areas of groups were counted, and the largest numerical error among them; nothing for rows in memory."""
    errors: dict[str, Any] = {name: getattr(one, "numerical_error", None) for name, one in estimates.items()}
    if not errors or any(error is None for error in errors.values()):
        return ""
    ways = ", ".join(
        dict.fromkeys(str(getattr(estimate, "counted", "")).split(", ", 1)[0] for estimate in estimates.values())
    )
    unknown = next((error.area for error in errors.values() if isinstance(error.area, Undefined)), None)
    if unknown is not None:
        return f"Numerical error of areas unknown, as {unknown.reason} ({ways})."
    worst = max(errors, key=lambda name: float(errors[name].area))
    if errors[worst].area == 0:
        what = "Counted" if all(error.exact for error in errors.values()) else "Areas counted"
        return f"{what} exactly ({ways})."
    return (
        f"Numerical error of areas at most {format_number(errors[worst].area)}, in {worst} ({ways}); tests and "
        "differences rest on these areas."
    )
