"""How well does a score tell the classes apart? The area of one score."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

from roclab._core.checks import check_choice
from roclab.areas.partial import Range
from roclab.data.cases import Cases
from roclab.data.groups import has_both_classes
from roclab.data.keywords import DataKeywords, data_door
from roclab.data.read import read_cases
from roclab.errors import InputError, OneClassError, Words, named
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.one_area.area import Area, area_of_method, area_of_region
from roclab.inference.one_area.bootstrap import Resampling, resampling_of
from roclab.names import (
    ERROR_INTERVALS,
    FOLD_AVERAGES,
    SMOOTH_MODELS,
    AreaInterval,
    Estimator,
    FoldAverage,
    Side,
    Standard,
    Variance,
)
from roclab.results import AreaEstimate

__all__ = ["Resampling", "area_asked", "auc", "is_averaged", "parts_by_fold", "refuse_beside_groups"]


def area_asked(
    estimator: Estimator | None = None,
    *,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standard: Standard | None = None,
) -> Area:
    """The area that is meant: of an estimator by name, or the partial area of a region, empirical or smooth."""
    if fpr is None and tpr is None:
        if standard not in (None, "none"):
            raise InputError(
                "standard", "is for partial areas", Words("no range"), f"give {named('fpr')} or {named('tpr')} as well"
            )
        return area_of_method(estimator or "empirical")
    if estimator in SMOOTH_MODELS:
        from roclab.inference.one_area.smooth_region import area_of_smooth_region

        return area_of_smooth_region(str(estimator), fpr=fpr, tpr=tpr, standard=standard or "none")
    if estimator not in (None, "empirical"):
        raise InputError(
            "fpr",
            f"and {named('tpr')} give partial areas of the empirical curve and of smooth ones",
            Words(f"{named('estimator', estimator)} as well"),
            "leave one of them out",
        )
    return area_of_region(fpr=fpr, tpr=tpr, standard=standard or "none")


@data_door(splits=False)
def auc(
    y_true: Any,
    y_score: Any = None,
    *,
    estimator: Estimator | None = None,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standard: Standard | None = None,
    level: float = 0.95,
    interval: AreaInterval | None = "auto",
    variance: Variance | None = None,
    side: Side = "two-sided",
    fold_average: FoldAverage | None = None,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    **data: Unpack[DataKeywords],
) -> AreaEstimate:
    """Area under the ROC curve of one score, with its confidence interval.

    Parameters
    ----------
    y_true, y_score : arrays, or a table
        Labels and scores; or a data frame, mapping or file with ``label=`` and ``score=``; or cases.
    estimator : str
        Which area: "empirical" (default, Mann-Whitney, a tie counts one half), "gini", "tauc" (rewards curves that rise
        early), "average_precision" and other areas under the precision-recall curve, "hull", or a smooth curve such as
        "binormal", "box_cox" and "kernel_k1". ``roclab.names.ESTIMATORS`` has all of them.
    fpr, tpr : pair of floats, optional
        A partial area: only this range of false, of true positive rates, or of both.
    standard : str, optional
        Scale of a partial area: "none" (default), "width" and "jiang" (share of the largest possible), "mcclish" (½ for
        chance, 1 for perfect).
    level : float
        Confidence level.
    interval : str
        "auto" (default): "score" for the AUC, which keeps its level in small samples and near 1, and has a test that
        never contradicts it; for other areas t on the logit scale, with caution where few cases count. "logit",
        "plain" and "clipped" (symmetric, as most programs print them), "exact" (Clopper-Pearson on an effective number
        of cases), "percentile" and "bca" (bootstrap), or None for the bare area, when speed is all that counts.
    variance : str, optional
        "delong" (default, for every area whose influence function is known), "hanley_mcneil" (from the area and class
        sizes alone), "empirical_q" (as SPSS), "bamber", "bootstrap"; with ``ids`` also "clustered" and
        "clustered_bootstrap", for several cases per subject.
    side : str
        "two-sided", or "lower" / "upper" for a one-sided bound.
    fold_average : str, optional
        With ``folds``: "mean" (default) averages the areas of the folds, as cross-validation needs it, with an
        influence-function interval; "pooled" ranks all cases together and takes the folds for comparable.
    resampling : Resampling, optional
        Number of bootstrap replicates, scheme, workers, progress.
    rng : int or numpy Generator, optional
        Seed of the bootstrap (also: ``seed``).

    Returns
    -------
    AreaEstimate
        ``.area``, ``.standard_error``, ``.interval`` (``.low``, ``.high``), the methods that really ran, and the
        circumstances of the data. It behaves like a number: ``round(e, 3)``, ``f"{e:.3f}"``, ``e > 0.8``. With ``by``
        a :class:`GroupAreas`: areas, intervals and counts of every group, whether they differ, and which pairs do.

    See Also
    --------
    area_table : several scores, and tests against a null value.
    compare : do areas differ?
    roc : the curve and everything else that can be asked of one score.

    References
    ----------
    DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics 1988;44:837-845. doi:10.2307/2531595

    Examples
    --------
    Fawcett's twenty cases (2006, table 1), whose area is 0.68:

    >>> import roclab as rl
    >>> y = [1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0]
    >>> s = [0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505,
    ...      0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.3, 0.1]
    >>> estimate = rl.auc(y, s)
    >>> print(estimate)
    AUC 0.6800, 95% interval 0.4124 to 0.8611 (DeLong, score)
    standard error 0.1270; empirical
    10 positive (1), 10 negative (0); a higher score means positive
    >>> f"{estimate:.2f}", estimate > 0.5
    ('0.68', True)
    """
    resampling = resampling_of(resampling)
    cases = read_cases(y_true, y_score, **data)
    name = cases.only_name()
    what = area_asked(estimator, fpr=fpr, tpr=tpr, standard=standard)
    if cases.groups is not None:
        from roclab.analysis.group_areas import group_areas

        refuse_beside_groups(folds=cases.folds, fold_average=fold_average)
        return group_areas(  # type: ignore[return-value]
            cases, what, level=level, interval=interval, variance=variance, side=side, resampling=resampling, rng=rng
        )
    if is_averaged(cases, fold_average):
        _check_averaging(cases, interval, variance)
        asked: dict[str, Any] = {"level": level, "interval": interval, "side": side}
        from roclab.inference.fold_areas import mean_fold_area

        return mean_fold_area(cases, parts_by_fold(cases), what, **asked)
    one = areas_of(
        cases, what, level=level, interval=interval, variance=variance, side=side, resampling=resampling, rng=rng
    )[name]
    if cases.folds is None:
        return one
    note = f"{len(cases.by_fold())} folds pooled: all cases are ranked together."
    return replace(one, notes=(*one.notes, note))


def is_averaged(cases: Cases, fold_average: FoldAverage | None) -> bool:
    """Whether the areas of folds are averaged."""
    if fold_average is None:
        return cases.folds is not None
    check_choice(fold_average, "fold_average", FOLD_AVERAGES)
    if cases.folds is None:
        raise InputError("fold_average", "needs folds", Words("none"), f"give {named('folds')}")
    return fold_average == "mean"


def _check_averaging(cases: Cases, interval: str | None, variance: str | None) -> None:
    """Refuse what the mean of fold areas has no formula for."""
    way_out = f"leave it out, or use {named('fold_average', 'pooled')}"
    if interval not in ERROR_INTERVALS:
        raise InputError("interval", "of a mean of fold areas comes from a standard error", interval, way_out)
    known = (None, "clustered") if cases.clustered else (None, "delong")
    if variance not in known:
        raise InputError("variance", f"of a mean of fold areas is {known[1]!r}", variance, way_out)


def refuse_beside_groups(**asked: Any) -> None:
    """Refuse what has no part where every group is answered apart."""
    for name, given in asked.items():
        if given is not None:
            raise InputError(name, f"has no part beside {named('by')}", way_out="leave one of them out")


def parts_by_fold(cases: Cases) -> dict[str | None, Cases]:
    """The cases of each fold, or all of them under None when there are no folds; every part holds both classes."""
    if cases.folds is None:
        return {None: cases}
    parts = cases.by_fold()
    for fold, part in parts.items():
        if not has_both_classes(part):
            only = part.positive if part.sample(part.names[0]).n_pos else part.negative
            raise OneClassError(
                "folds",
                "must hold both classes each",
                Words(f"fold {fold} with {only} only"),
                "join it with another",
            )
    return dict(parts.items())
