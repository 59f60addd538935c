"""Averaging curves over folds, repeats or readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roclab._core.checks import check_choice
from roclab.analysis.roc import Roc
from roclab.averaging.by_threshold import threshold_average
from roclab.averaging.pooled import pooled_average
from roclab.averaging.result import AverageCurve
from roclab.averaging.vertical import vertical_average
from roclab.curves.roc import roc_curve
from roclab.data.cases import Cases
from roclab.errors import InputError, OneClassError, Words
from roclab.names import AverageKind, SpreadKind

__all__ = ["average"]


def average(
    curves: Sequence[Roc] | Mapping[str, Roc] | Cases,
    *,
    how: AverageKind = "vertical",
    points: int = 100,
    level: float = 0.95,
    spread: SpreadKind = "normal",
    score: str | None = None,
) -> AverageCurve:
    """Average several ROC curves.

    Parameters
    ----------
    curves : sequence or mapping of Roc, or Cases with folds
        Curves of the folds, or ``read_cases(frame, label=…, score=…, folds="fold")``.
    how : "vertical", "threshold" or "pooled"
        Mean TPR at fixed FPR, mean of both rates at fixed thresholds, or one curve from all cases together.
    points : int
        Points of the averaged curve.
    spread : "normal" or "binomial"
        Confidence limits of the vertical average: from the spread between curves, or binomial.

    Examples
    --------
    >>> import roclab as rl
    >>> folds = [rl.roc([1, 0, 1, 0], [4, 3, 2, 1]), rl.roc([1, 0, 1, 0], [4, 2, 3, 1])]
    >>> result = rl.average(folds, points=4)
    >>> result.tpr.tolist(), result.mean_of_areas
    ([0.75, 0.75, 1.0, 1.0, 1.0], 0.875)
    """
    check_choice(how, "how", ("vertical", "threshold", "pooled"))
    named = _named(curves, score)
    if how == "pooled":
        tallies = [roc.tally for roc in named.values()]
        if any(tally is None for tally in tallies):
            raise InputError("pooling", "needs the cases of every curve, and ready-made points have none")
        return pooled_average([t for t in tallies if t is not None], names=list(named), level=level)
    options: dict[str, Any] = {"names": list(named), "points": points, "level": level}
    plain = [roc.curve for roc in named.values()]
    if how == "threshold":
        return threshold_average(plain, **options)
    return vertical_average(plain, spread=spread, **options)


def _named(curves: Any, score: str | None) -> dict[str, Roc]:
    if isinstance(curves, Cases):
        return _of_folds(curves, score)
    named = dict(curves) if isinstance(curves, Mapping) else {str(at + 1): one for at, one in enumerate(curves)}
    if not named:
        raise InputError("curves", "must hold at least one curve", Words("none"))
    for name, one in named.items():
        if not isinstance(one, Roc):
            raise InputError("curves", "must be made by roc()", Words(f"{type(one).__name__} for {name!r}"))
    return {str(name): one for name, one in named.items()}


def _of_folds(cases: Cases, score: str | None) -> dict[str, Roc]:
    out = {}
    for name, part in cases.by_fold().items():
        try:
            tally = part.tally(score)
        except OneClassError as error:
            raise error.inside(f"fold {name!r} holds one class only") from None
        out[name] = Roc(curve=roc_curve(tally), tally=tally)
    return out
