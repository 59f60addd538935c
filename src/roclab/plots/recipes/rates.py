"""Recipes of rates at fixed thresholds, of their gaps between groups, and of predicted risks against what came true."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from roclab.analysis.compare import compare
from roclab.analysis.confusion import confusion
from roclab.analysis.selective import selective
from roclab.errors import InputError, Words, named
from roclab.options.uncertainty import Resampling
from roclab.plots.canvas import WIDTHS
from roclab.plots.model_based import draw_model_based
from roclab.plots.rates import draw_gaps, draw_rate_differences
from roclab.plots.recipes.source import Drawn, Source, axes_for, one_roc
from roclab.plots.risk_coverage import draw_risk_coverage
from roclab.plots.theme import rows_ratio

__all__ = ["RECIPES"]


def _draw_rates(
    source: Source, *, at_threshold: Sequence[float] = (), metric: Sequence[str] = (), level: float = 0.95
) -> Drawn:
    if source.data.groups is not None:
        raise InputError("by", f"has no part in {named('figure', 'rates')}, which compares scores",
                         way_out=f"{named('figure', 'gaps')} compares groups")  # fmt: skip
    if not at_threshold:
        raise _no_threshold("one for every score")
    wanted: dict[str, Any] = {"metrics": list(metric)} if metric else {}
    cuts = list(at_threshold) if len(at_threshold) > 1 else float(at_threshold[0])
    found: Any = compare(source.data, threshold=cuts, level=level, **wanted)
    rows = len([one for one in found.pairs if one.difference == one.difference])
    return draw_rate_differences(found, axes_for(source, ratio=rows_ratio(rows, WIDTHS[source.size]))), (found,)


def _draw_gaps(source: Source, *, at_threshold: Sequence[float] = (), level: float = 0.95) -> Drawn:
    if source.data.groups is None:
        raise InputError("by", f"must name the groups of {named('figure', 'gaps')}", Words("none"),
                         f"write {named('by', 'site')}")  # fmt: skip
    if len(at_threshold) != 1:
        raise _no_threshold(f"one, got {len(at_threshold)}" if at_threshold else "one")
    matrices: Any = confusion(source.data, threshold=float(at_threshold[0]))
    found = matrices.gaps(level=level)
    return draw_gaps(found, axes_for(source, ratio=rows_ratio(len(found.gaps), WIDTHS[source.size]))), (found,)


def _draw_risk_coverage(source: Source, *, at_threshold: Sequence[float] = (), level: float = 0.95) -> Drawn:
    one_roc(source)
    if len(at_threshold) > 1:
        raise _no_threshold(f"one at most, got {len(at_threshold)}")
    cut = float(at_threshold[0]) if at_threshold else None
    found: Any = selective(source.data, level=level, threshold=cut)
    return draw_risk_coverage(found, axes_for(source, ratio=0.75)), (found,)


def _draw_model_based(
    source: Source, *, resampling: Resampling | int | None = None, rng: Any = None, percent: bool = False
) -> Drawn:
    _, one = one_roc(source)
    found = one.model_based(resampling=resampling, rng=rng)
    return draw_model_based(found, axes_for(source), percent=percent), (found,)


def _no_threshold(rule: str) -> InputError:
    return InputError(
        "at_threshold", f"must be fixed beforehand, {rule}", way_out=f"write {named('at_threshold', 0.5)}"
    )


RECIPES: dict[str, Callable[..., Drawn]] = {
    "rates": _draw_rates,
    "gaps": _draw_gaps,
    "risk_coverage": _draw_risk_coverage,
    "model_based": _draw_model_based,
}
