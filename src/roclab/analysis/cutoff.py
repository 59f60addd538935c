"""Where to cut a score? The best cut-offs, their table, their uncertainty, and two cut-offs with a grey zone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack

from roclab._core.checks import check_choice
from roclab.analysis.cutoff_results import BestCutoff, CutoffTable
from roclab.analysis.roc import CriterionAsked, Roc, curve_of, rocs
from roclab.analysis.support import prepared
from roclab.data.keywords import DataKeywords, data_door
from roclab.data.read import read_cases
from roclab.decisions.coordinates import CoordinateTable
from roclab.decisions.criteria import CRITERIA
from roclab.decisions.cutoff_bootstrap import CutoffBootstrap
from roclab.decisions.grey_zone import GreyZone
from roclab.decisions.intervals import metric_intervals
from roclab.decisions.requirements import Bounds
from roclab.decisions.smooth_cutoffs import SmoothCutoff, kernel_cutoff, normal_cutoff
from roclab.decisions.smoothed_criteria import bootstrap_mean_cutoff, local_cutoff, penalised_cutoff, spline_cutoff
from roclab.errors import InputError, named
from roclab.inference.one_area.bootstrap import Resampling, resampling_of
from roclab.names import CUTOFF_SMOOTHERS, CutoffSmoother, FoldAverage, Goal, ProportionInterval, ThresholdRule

__all__ = [
    "cutoff",
    "cutoff_stability",
    "cutoff_table",
    "cutoffs",
    "grey_zone",
    "smooth_cutoff",
]


def _takes_prevalence(criterion: CriterionAsked) -> bool:
    return isinstance(criterion, str) and criterion in CRITERIA and "prevalence" in CRITERIA[criterion].takes


def _one_curve(verb: str, y_true: Any, y_score: Any, data: Any, fold_average: FoldAverage | None) -> Roc:
    cases = prepared(verb, read_cases(y_true, y_score, **data), fold_average)
    return curve_of(cases, cases.only_name())


@data_door()
def cutoff(
    y_true: Any,
    y_score: Any = None,
    *,
    criterion: CriterionAsked = None,
    require: Bounds | None = None,
    prevalence: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    beta: float | None = None,
    alpha: float | None = None,
    target: Mapping[str, float] | None = None,
    trim: float | None = None,
    goal: Goal | None = None,
    rule: ThresholdRule = "observed",
    level: float = 0.95,
    interval: ProportionInterval = "wilson",
    fold_average: FoldAverage | None = None,
    **data: Unpack[DataKeywords],
) -> BestCutoff:
    """The best cut-off of one score, all that are tied with it, and what it does to the cases.

    Parameters
    ----------
    y_true, y_score : arrays, or a table, as in :func:`auc`
    criterion : str or function, optional
        What to do best: "youden" (default), "closest_to_corner", "cost", "min_p", "neyman_pearson" and the rest of
        ``roclab.names.CRITERIA``, any metric by name ("accuracy", "f1", "mcc" …), "required" for the rate that the
        requirements leave open, or a function of the four counts.
    require : mapping of metrics to bounds, or texts, optional
        What must hold, such as ``{"sensitivity": 0.9}``, where a rate is bounded below and an error rate above, or
        ``["fpr <= 0.1", "detection_rate >= 0.2"]``.
    prevalence, cost_fp, cost_fn : float, optional
        Where decisions will be made, and what both errors cost. A prevalence also adds the predictive values there.
    beta, alpha, target, trim : optional
        Conditions of "f_beta", "neyman_pearson" (largest false positive rate) or "f_alpha" (weight of the precision),
        "target" and "min_p".
    goal : "max" or "min", optional
        Which end is better, where that is not the criterion's own: of functions ("max" by default), and of metrics that
        only describe.
    rule : str
        Which of the thresholds that decide alike is shown: "observed" (default), "midpoints" or "spss".
    level, interval
        Confidence level and kind of interval of the metrics: "wilson" (default), "exact", "jeffreys" … Where ``ids``
        give subjects several cases, on effective counts with t.
    fold_average : "pooled", optional
        Needed with ``folds``, whose scores come from different models: rank all cases together all the same.

    See Also
    --------
    cutoffs : several scores. cutoff_stability : interval and optimism by the bootstrap.
    smooth_cutoff : of smoothed data. cutoff_table : every cut-off. grey_zone : two cut-offs.

    Examples
    --------
    Fawcett's twenty cases: Youden's index is largest, .4, at 0.54.

    >>> import roclab as rl
    >>> y = [1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0]
    >>> s = [0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505,
    ...      0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.3, 0.1]
    >>> best = rl.cutoff(y, s)
    >>> best.threshold, round(best.best.value, 4)
    (0.54, 0.4)
    """
    found = _one_curve("cutoff", y_true, y_score, data, fold_average).cutoff(
        criterion,
        require=require,
        prevalence=prevalence if _takes_prevalence(criterion) else None,
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        beta=beta,
        alpha=alpha,
        target=target,
        trim=trim,
        goal=goal,
        rule=rule,
    )
    metrics = metric_intervals(found.best.matrix, level=level, interval=interval, prevalence=prevalence)
    return BestCutoff(cutoff=found, metrics=metrics)


@data_door()
def cutoffs(
    y_true: Any,
    y_score: Any = None,
    *,
    criterion: CriterionAsked = None,
    require: Bounds | None = None,
    prevalence: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    beta: float | None = None,
    alpha: float | None = None,
    target: Mapping[str, float] | None = None,
    trim: float | None = None,
    goal: Goal | None = None,
    rule: ThresholdRule = "observed",
    fold_average: FoldAverage | None = None,
    **data: Unpack[DataKeywords],
) -> CutoffTable:
    """The best cut-off of every score, one row each, or of every fold of one score; options as in :func:`cutoff`.

    >>> import roclab as rl
    >>> found = rl.cutoffs([1, 1, 0, 0], {"good": [4, 3, 2, 1], "fair": [4, 2, 3, 1]})
    >>> [one.threshold for one in found.cutoffs]
    [3.0, 4.0]
    """
    cases = prepared("cutoffs", read_cases(y_true, y_score, **data), fold_average)
    found = rocs(cases)
    return CutoffTable(
        cutoffs=tuple(
            one.cutoff(
                criterion,
                require=require,
                prevalence=prevalence,
                cost_fp=cost_fp,
                cost_fn=cost_fn,
                beta=beta,
                alpha=alpha,
                target=target,
                trim=trim,
                goal=goal,
                rule=rule,
            )
            for one in found.values()
        )
    )


@data_door()
def cutoff_stability(
    y_true: Any,
    y_score: Any = None,
    *,
    criterion: CriterionAsked = None,
    require: Bounds | None = None,
    prevalence: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    beta: float | None = None,
    alpha: float | None = None,
    target: Mapping[str, float] | None = None,
    trim: float | None = None,
    goal: Goal | None = None,
    rule: ThresholdRule = "observed",
    metrics: Sequence[str] = (),
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    fold_average: FoldAverage | None = None,
    **data: Unpack[DataKeywords],
) -> CutoffBootstrap:
    """How stable the best cut-off of one score is, and how much of its quality is luck: interval and optimism.

    Options as in :func:`cutoff`; ``resampling`` and ``rng`` as in :func:`auc`; where ``ids`` give subjects several
    cases, whole subjects are drawn. Beside the criterion, sensitivity,
    specificity, accuracy, kappa and the AUC any ``metrics`` are followed. Each has three intervals that mean different
    things: ``fixed``, at the cut-off as it was found; ``chosen_anew``, at the cut-off that every sample chooses for
    itself; and ``left_out``, of such cut-offs on cases that did not choose them.

    >>> import roclab as rl
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]
    >>> found = rl.cutoff_stability(y, s, resampling=rl.Resampling(replicates=50), rng=1)
    >>> found.cutoff.threshold
    0.8
    """
    return _one_curve("cutoff_stability", y_true, y_score, data, fold_average).cutoff_stability(
        criterion,
        require=require,
        prevalence=prevalence if _takes_prevalence(criterion) else None,
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        beta=beta,
        alpha=alpha,
        target=target,
        trim=trim,
        goal=goal,
        rule=rule,
        metrics=metrics,
        level=level,
        resampling=resampling,
        rng=rng,
    )


@data_door()
def smooth_cutoff(
    y_true: Any,
    y_score: Any = None,
    *,
    smoother: CutoffSmoother = "kernel",
    criterion: CriterionAsked = None,
    span: float = 0.5,
    degree: Literal[1, 2] = 1,
    goal: Goal | None = None,
    prevalence: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    beta: float | None = None,
    alpha: float | None = None,
    trim: float | None = None,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    fold_average: FoldAverage | None = None,
    **data: Unpack[DataKeywords],
) -> SmoothCutoff:
    """A cut-off of smoothed data, which jumps less from sample to sample.

    Parameters
    ----------
    y_true, y_score : arrays, or a table, as in :func:`auc`
    smoother : str
        "kernel" and "normal" smooth both classes and find the largest Youden index. The others smooth any criterion
        over the thresholds: "loess" by local regression, "spline" by a cubic smoothing spline, "gam" by a penalised
        regression spline, "bootstrap" by the mean of the cut-offs of resampled cases.
    criterion, goal, prevalence, cost_fp, cost_fn, beta, alpha, trim
        For those: as in :func:`cutoff`.
    span, degree
        For "loess": share of the thresholds in each window, and line or parabola.
    resampling, rng
        For "bootstrap".
    fold_average : as in :func:`cutoff`

    Examples
    --------
    >>> import roclab as rl
    >>> round(rl.smooth_cutoff([1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1], smoother="normal").threshold, 4)
    3.5
    """
    check_choice(smoother, "smoother", CUTOFF_SMOOTHERS)
    drawn = resampling_of(resampling)
    tally = _one_curve("smooth_cutoff", y_true, y_score, data, fold_average)._counted("a smooth cut-off")
    if smoother not in ("kernel", "normal"):
        conditions = {"prevalence": prevalence, "cost_fp": cost_fp, "cost_fn": cost_fn, "beta": beta, "trim": trim}
        every = {**conditions, "alpha": alpha, "goal": goal}
        given: dict[str, Any] = {name: value for name, value in every.items() if value is not None}
        rule = criterion or "youden"
        if smoother == "loess":
            return local_cutoff(tally, rule, span=span, degree=degree, **given)
        if smoother == "bootstrap":
            return bootstrap_mean_cutoff(tally, rule, resampling=drawn, rng=rng, **given)
        return (spline_cutoff if smoother == "spline" else penalised_cutoff)(tally, rule, **given)
    if criterion not in (None, "youden"):
        raise InputError(
            "criterion",
            f"must be 'youden' for {named('smoother', smoother)}, which finds its largest value",
            criterion,
            f"use {named('smoother', 'loess')}",
        )
    return kernel_cutoff(tally) if smoother == "kernel" else normal_cutoff(tally)


@data_door()
def grey_zone(
    y_true: Any,
    y_score: Any = None,
    *,
    rule_out: Bounds | None = None,
    rule_in: Bounds | None = None,
    rule: ThresholdRule = "observed",
    fold_average: FoldAverage | None = None,
    **data: Unpack[DataKeywords],
) -> GreyZone:
    """Two cut-offs: below one the condition is ruled out, above the other ruled in, between them unknown.

    ``rule_out`` and ``rule_in`` are bounds such as ``{"sensitivity": 0.95}`` and ``{"specificity": 0.95}``;
    ``fold_average`` as in :func:`cutoff`.

    >>> import roclab as rl
    >>> zone = rl.grey_zone([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2])
    >>> zone.share
    0.3333333333333333
    """
    return _one_curve("grey_zone", y_true, y_score, data, fold_average).grey_zone(
        rule_out=rule_out, rule_in=rule_in, rule=rule
    )


@data_door()
def cutoff_table(
    y_true: Any,
    y_score: Any = None,
    *,
    rule: ThresholdRule = "spss",
    columns: Sequence[str] | None = None,
    sort_by: str | None = None,
    descending: bool = True,
    head: int | None = None,
    peaks: str | None = None,
    prevalence: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    beta: float | None = None,
    alpha: float | None = None,
    fold_average: FoldAverage | None = None,
    **data: Unpack[DataKeywords],
) -> CoordinateTable:
    """Every cut-off of one score with its rates, as SPSS lists them; any metric as a column, sorted by any of them.

    ``columns`` are metrics, criteria of :func:`cutoff` such as "cost" (with ``prevalence``, ``cost_fp``, ``cost_fn``,
    ``beta``, ``alpha`` as they take them), counts or "sum"; ``peaks`` keeps the rows where one of them is better than
    at their neighbours: for "youden" the corners of the curve.

    >>> import roclab as rl
    >>> table = rl.cutoff_table([1, 1, 0, 0], [4, 2, 3, 1], sort_by="sum", head=1)
    >>> table.rows()[0]["cut-off"]
    3.5
    """
    which = {} if columns is None else {"columns": list(columns)}
    found = _one_curve("cutoff_table", y_true, y_score, data, fold_average).coordinates(rule)
    every = {"prevalence": prevalence, "cost_fp": cost_fp, "cost_fn": cost_fn, "beta": beta, "alpha": alpha}
    given = {name: value for name, value in every.items() if value is not None}
    return found.table(**which, sort_by=sort_by, descending=descending, head=head, peaks=peaks, conditions=given)
