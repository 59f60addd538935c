"""Threshold averaging: the mean of both rates at common thresholds."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from roclab._core.checks import check_points
from roclab._core.types import Floats
from roclab.areas.empirical import trapezoid
from roclab.averaging.result import AverageCurve, mean_and_spread, summary_of_areas
from roclab.curves.roc import RocCurve
from roclab.errors import InputError, RoclabWarning
from roclab.names import SpreadKind

__all__ = ["threshold_average"]


def threshold_average(
    curves: Sequence[RocCurve],
    *,
    names: Sequence[str],
    points: int = 100,
    level: float = 0.95,
    spread: SpreadKind = "t",
    as_published: bool = False,
) -> AverageCurve:
    """Mean false and true positive rates at about ``points`` thresholds, O(k n log n) [1]_.

    All vertex thresholds of all curves are sorted, +inf of (0, 0) included, and every ``len / points``-th is taken;
    each curve contributes the rates it has at that threshold, those of its last vertex that reaches it. Scores must
    mean the same in all curves: folds of one model, not different models.

    ``as_published`` takes the first vertex whose threshold does not exceed the chosen one, as the algorithm is printed.
    Where that is no score of the curve, the next lower score is then called positive too, and the point is not the one
    at the threshold beside it.

    References
    ----------
    .. [1] Fawcett T. Pattern Recognition Letters 2006;27:861-874, algorithm 4 (threshold averaging).

    Examples
    --------
    >>> from roclab.curves.roc import roc_curve
    >>> from roclab.data.tally import Tally
    >>> curves = [roc_curve(Tally.from_samples(np.array([high]), np.array([1.0]))) for high in (3.0, 2.0)]
    >>> for as_published in (False, True):
    ...     found = threshold_average(curves, names=["a", "b"], as_published=as_published)
    ...     print(*zip(found.thresholds.tolist(), found.fpr.tolist(), found.tpr.tolist()))
    (inf, 0.0, 0.0) (inf, 0.0, 0.0) (3.0, 0.0, 0.5) (2.0, 0.0, 1.0) (1.0, 1.0, 1.0) (1.0, 1.0, 1.0)
    (inf, 0.0, 0.0) (inf, 0.0, 0.0) (3.0, 0.0, 1.0) (2.0, 0.5, 1.0) (1.0, 1.0, 1.0) (1.0, 1.0, 1.0)
    """
    check_points(points, least=1, way_out="10 to 100 are usual")
    lacking = [name for name, curve in zip(names, curves, strict=True) if curve.thresholds is None]
    if lacking:
        raise InputError(
            "",
            f"threshold averaging needs the thresholds of every curve, and {lacking[0]!r} has none",
            way_out="average vertically instead",
        )
    _warn_about_different_models(curves)
    lower = curves[0].sample is not None and curves[0].sample.direction == "lower"
    sign = -1.0 if lower else 1.0
    # A score of +inf leaves no number for its curve's first vertex; +inf keeps the order.
    oriented: list[Floats] = [
        np.nan_to_num(sign * np.asarray(curve.thresholds), nan=np.inf, posinf=np.inf, neginf=-np.inf)
        for curve in curves
    ]
    every = np.sort(np.concatenate(oriented))[::-1]
    chosen = every[:: max(1, every.size // points)]
    fpr = np.empty((len(curves), chosen.size))
    tpr = np.empty_like(fpr)
    for at, (curve, thresholds) in enumerate(zip(curves, oriented, strict=True)):
        # thresholds descend from +inf: negated they ascend, and the last that reaches t stands before where -t would go
        if as_published:
            vertex = np.minimum(np.searchsorted(-thresholds, -chosen, side="left"), thresholds.size - 1)
        else:
            vertex = np.searchsorted(-thresholds, -chosen, side="right") - 1
        fpr[at], tpr[at] = curve.fpr[vertex], curve.tpr[vertex]
    across, up = (mean_and_spread(one, level=level, kind=spread) for one in (fpr, tpr))
    areas, mean, sd = summary_of_areas(curves)
    ends = [np.concatenate([[0.0], side.mean, [1.0]]) for side in (across, up)]
    return AverageCurve(
        how="threshold_as_published" if as_published else "threshold",
        fpr=across.mean,
        tpr=up.mean,
        tpr_spread=up,
        fpr_spread=across,
        thresholds=sign * chosen,
        areas=areas,
        names=tuple(names),
        area_of_average=trapezoid(RocCurve(fpr=ends[0], tpr=ends[1], thresholds=None)),
        mean_of_areas=mean,
        sd_of_areas=sd,
        level=level,
        spread=spread,
    )


def _warn_about_different_models(curves: Sequence[RocCurve]) -> None:
    scores = {curve.sample.score for curve in curves if curve.sample is not None}
    if len(scores) > 1:
        listed = ", ".join(sorted(str(name) for name in scores))
        warnings.warn(
            f"threshold averaging compares scores of different models ({listed}), whose thresholds need not mean the "
            "same; average vertically unless they do.",
            RoclabWarning,
            stacklevel=4,
        )
