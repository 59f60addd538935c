"""What is the curve over folds, runs or readers? Averages of curves and their spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack, overload

from roclab._core.checks import check_choice
from roclab.analysis.roc import Roc, curve_of, rocs
from roclab.averaging.by_threshold import threshold_average
from roclab.averaging.diagonal import diagonal_average
from roclab.averaging.horizontal import horizontal_average
from roclab.averaging.pooled import pooled_average
from roclab.averaging.precision_recall import AveragePrecisionRecall, average_precision_recall
from roclab.averaging.result import AverageCurve
from roclab.averaging.vertical import vertical_average
from roclab.data.cases import Cases
from roclab.data.read import read_cases
from roclab.data.verbs import verb
from roclab.errors import InputError, OneClassError, Words, named
from roclab.names import AVERAGES, SPREADS, AverageKind, SpreadKind
from roclab.options.data import DataKeywords

__all__ = ["average"]


@overload
def average(
    curves_or_data: Sequence[Roc] | Mapping[str, Roc] | Any,
    y_score: Any = None,
    *,
    how: Literal["vertical", "horizontal", "diagonal", "threshold", "threshold_as_published", "pooled"] = "vertical",
    points: int | None = None,
    level: float = 0.95,
    spread: SpreadKind | None = None,
    **data: Unpack[DataKeywords],
) -> AverageCurve: ...


@overload
def average(
    curves_or_data: Sequence[Roc] | Mapping[str, Roc] | Any,
    y_score: Any = None,
    *,
    how: Literal["precision_recall"],
    points: int | None = None,
    level: float = 0.95,
    spread: SpreadKind | None = None,
    **data: Unpack[DataKeywords],
) -> AveragePrecisionRecall: ...


@verb()
def average(
    curves_or_data: Sequence[Roc] | Mapping[str, Roc] | Any,
    y_score: Any = None,
    *,
    how: AverageKind = "vertical",
    points: int | None = None,
    level: float = 0.95,
    spread: SpreadKind | None = None,
    **data: Unpack[DataKeywords],
) -> AverageCurve | AveragePrecisionRecall:
    """Average several ROC curves, or precision-recall curves: of folds, runs, readers or scores.

    Parameters
    ----------
    curves_or_data, y_score : curves, or data
        A sequence or mapping of curves made by ``roc()``; or data of any shape, with ``folds`` (one curve per fold of
        one score) or with several scores (one curve each).
    how : str
        "vertical" (default): mean TPR at fixed FPR; "horizontal": mean FPR at fixed TPR; "diagonal": mean distance
        from the chance line, whose area is the mean of the areas; "threshold": mean of both rates at fixed thresholds;
        "threshold_as_published": Fawcett's algorithm for that as it is printed, whose rates may be those of a lower
        threshold; "pooled": one curve from all cases together. The last three need scores that mean the same in all
        curves. "precision_recall": mean precision at fixed recall.
    points : int, optional
        Points of the averaged curve (default 100, for "diagonal" every vertex); not for "pooled", which has one point
        per score.
    level : float
        Confidence level of the limits.
    spread : str, optional
        What the limits rest on. "t" (default for curves, readers, runs and scores): the spread between curves, t with
        k - 1 degrees of freedom. "corrected" (default for ``folds``): the same with Nadeau and Bengio's correction,
        because folds of a cross-validation share training cases. "normal": 1.96 standard errors, as Fawcett has it,
        which hold 81% for three curves. "binomial", of the vertical average: a proportion of all positives.

    Examples
    --------
    >>> import roclab as rl
    >>> folds = [rl.roc([1, 0, 1, 0], [4, 3, 2, 1]), rl.roc([1, 0, 1, 0], [4, 2, 3, 1])]
    >>> result = rl.average(folds, points=4)
    >>> result.tpr.tolist(), result.mean_of_areas
    ([0.75, 0.75, 1.0, 1.0, 1.0], 0.875)
    """
    check_choice(how, "how", AVERAGES)
    if spread is not None:
        check_choice(spread, "spread", SPREADS)
    if how == "pooled" and spread is not None:
        raise InputError("spread", f"has no meaning for {named('how', 'pooled')}, which has no limits", spread,
                         "leave it out")  # fmt: skip
    if how != "vertical" and spread == "binomial":
        raise InputError("spread", f"must not be 'binomial' for a {how} average, which is no share", spread,
                         "use 't'")  # fmt: skip
    if how == "pooled" and points is not None:
        raise InputError("points", f"has no meaning for {named('how', 'pooled')}, which has one point per score",
                         points, "leave it out")  # fmt: skip
    found, of_folds = _named(curves_or_data, y_score, data)
    subjects = max((roc.tally.sample.subjects for roc in found.values() if roc.tally is not None), default=0)
    if subjects and spread == "binomial":
        raise InputError(
            "spread", "must not be 'binomial' for subjects with several cases, which it takes one by one", spread,
            "use 't', the spread between curves",
        )  # fmt: skip
    result = _averaged(found, how, points, level, spread or ("corrected" if of_folds else "t"))
    sentences = [f"Cases of {subjects:,} subjects"] if subjects else []
    if any(roc.tally is not None and roc.tally.weighted for roc in found.values()):
        sentences.append("Importance weights")
    notes = [
        f"{words}; limits, where there are some, come from the spread between curves, not from cases."
        for words in sentences
    ]
    return replace(result, notes=(*result.notes, *notes)) if notes else result


def _averaged(
    found: Mapping[str, Roc], how: AverageKind, points: int | None, level: float, spread: SpreadKind
) -> AverageCurve | AveragePrecisionRecall:
    if how == "pooled":
        tallies = [roc.tally for roc in found.values()]
        if any(tally is None for tally in tallies):
            raise InputError("", "pooling needs the cases of every curve, and ready-made points have none",
                             way_out=f"use {named('how', 'vertical')}")  # fmt: skip
        return pooled_average([t for t in tallies if t is not None], names=list(found), level=level)
    plain = [roc.curve for roc in found.values()]
    if how == "diagonal":
        return diagonal_average(plain, names=list(found), points=points, level=level, spread=spread)
    options: dict[str, Any] = {"names": list(found), "points": 100 if points is None else points,
                               "level": level, "spread": spread}  # fmt: skip
    if how == "precision_recall":
        return average_precision_recall([roc.precision_recall() for roc in found.values()], **options)
    if how == "horizontal":
        return horizontal_average(plain, **options)
    if how in ("threshold", "threshold_as_published"):
        return threshold_average(plain, **options, as_published=how == "threshold_as_published")
    return vertical_average(plain, **options)


def _named(given: Any, y_score: Any, data: Any) -> tuple[dict[str, Roc], bool]:
    """Curves by name, and whether they are those of folds."""
    if y_score is not None or data.get("label") is not None or isinstance(given, Cases):
        cases = read_cases(given, y_score, **data)
        if cases.folds is not None:
            return _of_folds(cases), True
        if len(cases.names) < 2:
            raise InputError(
                "",
                "an average needs several curves",
                Words(f"one, of {cases.names[0]}"),
                f"split it with {named('folds')}, or name several scores",
            )
        return rocs(cases), False
    try:
        found = dict(given) if isinstance(given, Mapping) else {str(at + 1): one for at, one in enumerate(given)}
    except TypeError:
        found = {}
    if not found:
        raise InputError("curves", "must hold at least one curve", Words("none"), "make them with roc(), or pass data")
    for name, one in found.items():
        if not isinstance(one, Roc):
            raise InputError(
                "curves", "must be made by roc()", Words(f"{type(one).__name__} for {name!r}"),
                f"or pass data with {named('label')} and {named('folds')}",
            )  # fmt: skip
    return {str(name): one for name, one in found.items()}, False


def _of_folds(cases: Cases) -> dict[str, Roc]:
    out = {}
    name = cases.only_name()
    for fold, part in cases.by_fold().items():
        try:
            out[fold] = curve_of(part, name)
        except OneClassError as error:
            raise error.inside(f"fold {fold!r} holds one class only") from None
    return out
