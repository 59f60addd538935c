"""Where to cut a score? The best cut-offs, their table, their uncertainty, and two cut-offs with a grey zone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack, overload

from roclab._core.checks import check_choice
from roclab.analysis.cutoff_results import BestCutoff, CutoffTable, PromisedCutoff
from roclab.analysis.roc import Roc, curve_of
from roclab.analysis.support import cases_for, data_of_follow_up
from roclab.data.tally import Tally
from roclab.data.verbs import verb
from roclab.decisions.coordinates import CoordinateTable
from roclab.decisions.criteria import CRITERIA
from roclab.decisions.cutoff_bootstrap import CutoffBootstrap, bootstrap_cutoff
from roclab.decisions.cutoffs import find_cutoff
from roclab.decisions.grey_zone import GreyZone
from roclab.decisions.intervals import metric_intervals
from roclab.decisions.kept_bounds import notes_of_bounds
from roclab.decisions.left_out import cutoff_left_out, smooth_left_out
from roclab.decisions.promise import promised_cutoff, with_promises
from roclab.decisions.promised_rates import promised_rates, promised_words
from roclab.decisions.smooth_cutoffs import SmoothCutoff, kernel_cutoff, normal_cutoff
from roclab.errors import InputError, named
from roclab.names import CUTOFF_SMOOTHERS, CutoffSmoother, ThresholdRule
from roclab.options.conventions import ConventionKeywords
from roclab.options.criterion import (
    Bounds,
    ConditionKeywords,
    Conditions,
    CriterionKeywords,
    CriterionOptions,
    PromiseKeywords,
    PromiseOptions,
)
from roclab.options.data import CaseKeywords
from roclab.options.folds import FoldedKeywords, FoldKeywords
from roclab.options.follow_up import FollowUpKeywords, FollowUpOptions, is_survival
from roclab.options.group import given_of, options_of
from roclab.options.uncertainty import (
    Draws,
    DrawsKeywords,
    Level,
    LevelKeywords,
    ProportionKeywords,
    ProportionUncertainty,
)
from roclab.results import ByGroup

__all__ = [
    "cutoff",
    "cutoff_stability",
    "cutoff_table",
    "grey_zone",
    "smooth_cutoff",
]


class CutoffKeywords(
    CriterionKeywords,
    PromiseKeywords,
    ProportionKeywords,
    ConventionKeywords,
    FollowUpKeywords,
    FoldedKeywords,
    total=False,
):
    """One cut-off and its metrics."""


class CutoffStabilityKeywords(
    CriterionKeywords, LevelKeywords, DrawsKeywords, ConventionKeywords, FoldedKeywords, total=False
):
    """A cut-off whose stability is asked for."""


class SmoothCutoffKeywords(CriterionKeywords, DrawsKeywords, FoldedKeywords, total=False):
    """A cut-off of smoothed data."""


class CutoffTableKeywords(ConditionKeywords, PromiseKeywords, ConventionKeywords, FoldedKeywords, total=False):
    """Every cut-off."""


def _one_curve(verb: str, y_true: Any, y_score: Any, asked: Any) -> Roc:
    cases = cases_for(verb, y_true, y_score, asked)
    return curve_of(cases, cases.only_name())


def _criterion(asked: Any) -> CriterionOptions:
    """The criterion; a prevalence that it has no use for is where predictive values are wanted."""
    found = CriterionOptions.of(asked)
    row = CRITERIA.get(found.criterion) if isinstance(found.criterion, str) else None
    return found if row is not None and "prevalence" in row.takes else replace(found, prevalence=None)


class _OneCutoffKeywords(
    CriterionKeywords, PromiseKeywords, ProportionKeywords, ConventionKeywords, FoldKeywords, CaseKeywords, total=False
):
    """The same, but for scores and groups."""


@overload
def cutoff(y_true: Any, y_score: Any = ..., *, by: Any, **asked: Unpack[_OneCutoffKeywords]) -> ByGroup: ...
@overload
def cutoff(y_true: Any, y_score: Mapping[str, Any], **asked: Unpack[_OneCutoffKeywords]) -> CutoffTable: ...
@overload
def cutoff(
    y_true: Any, y_score: Any = ..., *, score: str | None = ..., **asked: Unpack[_OneCutoffKeywords]
) -> BestCutoff: ...
@overload
def cutoff(
    y_true: Any, y_score: Any = ..., *, score: list[str], **asked: Unpack[_OneCutoffKeywords]
) -> CutoffTable: ...
@overload  # at a horizon, or of a survival array
def cutoff(y_true: Any, y_score: Any = ..., **asked: Unpack[CutoffKeywords]) -> Any: ...
@verb(CutoffKeywords)
def cutoff(y_true: Any, y_score: Any = None, **asked: Unpack[CutoffKeywords]) -> BestCutoff | CutoffTable | ByGroup:
    """The best cut-off, all that are tied with it, and what it does to the cases; of several scores a row each.

    A ``prevalence`` that the criterion has no use for adds the predictive values there. With ``time``, ``event`` and
    ``at`` the cut-off is sought, and its rates are estimated, at a horizon.

    Parameters
    ----------
    y_true, y_score : arrays, or a table, as in :func:`auc`

    See Also
    --------
    cutoff_stability : interval and optimism by the bootstrap.
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

    With ``confidence`` a bound is promised for new cases, where enough cases can promise it:

    >>> many = rl.cutoff([1] * 60 + [0] * 60, list(range(40, 100)) + list(range(60)), require={"sensitivity": 0.9},
    ...                  confidence=0.95)
    >>> many.threshold, many.misses_allowed, round(many.kept, 4)
    (41.0, 1, 0.9862)
    """
    if FollowUpOptions.of(asked).given or is_survival(y_true):
        return _at_horizon(y_true, y_score, asked)  # type: ignore[no-any-return]
    uncertainty = ProportionUncertainty.of(asked)
    confidence = PromiseOptions.of(asked).confidence
    cases = cases_for("cutoff", y_true, y_score, asked)
    if len(cases.names) > 1:
        for name in given_of(asked, ProportionKeywords):
            raise InputError(name, "has no part in a row for each of several scores", way_out="ask for one score")
        rule = CriterionOptions.of(asked)
        if confidence is not None:
            return CutoffTable(
                cutoffs=tuple(
                    with_promises(*promised_cutoff(cases.tally(name), rule, confidence)[:2]) for name in cases.names
                )
            )
        tallies = [cases.tally(name) for name in cases.names]
        return CutoffTable(
            cutoffs=tuple(find_cutoff(tally, rule) for tally in tallies),
            left_out=tuple(cutoff_left_out(tally, rule) for tally in tallies),
        )
    counted = cases.tally(cases.only_name())
    if confidence is not None:
        return _promised(counted, asked, confidence, uncertainty)
    criterion = _criterion(asked)
    best = find_cutoff(counted, criterion)
    best = best._noting(*notes_of_bounds(counted, best.best.matrix, asked.get("require")))
    metrics = metric_intervals(
        best.best.matrix,
        level=uncertainty.level,
        interval=uncertainty.interval,
        prevalence=asked.get("prevalence"),
    )
    return BestCutoff(cutoff=best, metrics=metrics, _tally=counted, _asked=criterion)


def _at_horizon(y_true: Any, y_score: Any, asked: Any) -> Any:
    """The best cut-off of one score at a horizon."""
    from roclab.analysis.follow_up.curves import cutoff_over_time

    for name, why in (
        ("confidence", "promises binomial counts, and at a horizon numbers are sums of weights"),
        ("interval", "is Wilson's on effective numbers at a horizon"),
    ):
        if asked.get(name) is not None and not (name == "interval" and asked[name] == "wilson"):
            raise InputError(name, why, asked[name], "leave it out")
    criterion = CriterionOptions.of(asked)
    known = {*CriterionKeywords.__annotations__, *options_of(CriterionKeywords), "level", "interval", "confidence"}
    data = data_of_follow_up("cutoff", {name: one for name, one in asked.items() if name not in known})
    level = Level.of({name: one for name, one in asked.items() if name == "level"}).level
    return cutoff_over_time(y_true, y_score, data, criterion, level=level)


def _promised(counted: Tally, asked: Any, confidence: float, uncertainty: ProportionUncertainty) -> PromisedCutoff:
    """The cut-off that keeps its bounds in new cases."""
    found, promises, (low, high) = promised_cutoff(counted, _criterion(asked), confidence)
    metrics = metric_intervals(
        found.best.matrix, level=uncertainty.level, interval=uncertainty.interval, prevalence=asked.get("prevalence")
    )
    return PromisedCutoff(
        cutoff=found, metrics=metrics, promises=promises, confidence=confidence, low=low, high=high, _tally=counted
    )


@verb(CutoffStabilityKeywords)
def cutoff_stability(
    y_true: Any, y_score: Any = None, *, metrics: Sequence[str] = (), **asked: Unpack[CutoffStabilityKeywords]
) -> CutoffBootstrap:
    """How stable the best cut-off of one score is, and how much of its quality is luck: interval and optimism.

    Beside the criterion, sensitivity, specificity, accuracy, kappa and the AUC any ``metrics`` are followed. Each has
    three intervals that mean different things: ``fixed``, at the cut-off as it was found; ``chosen_anew``, at the
    cut-off that every sample chooses for itself; and ``left_out``, of such cut-offs on cases that did not choose them.

    >>> import roclab as rl
    >>> y, s = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2]
    >>> found = rl.cutoff_stability(y, s, resampling=rl.Resampling(replicates=50), rng=1)
    >>> found.cutoff.threshold
    0.8
    """
    curve = _one_curve("cutoff_stability", y_true, y_score, asked)
    drawn, level = Draws.of(asked), Level.of(asked).level
    return bootstrap_cutoff(
        curve._counted("a bootstrap"), CriterionOptions.of(asked), metrics=metrics, level=level, drawn=drawn
    )


@verb(SmoothCutoffKeywords)
def smooth_cutoff(
    y_true: Any,
    y_score: Any = None,
    *,
    smoother: CutoffSmoother = "kernel",
    span: float = 0.5,
    degree: Literal[1, 2] = 1,
    **asked: Unpack[SmoothCutoffKeywords],
) -> SmoothCutoff:
    """A cut-off of smoothed data, which jumps less from sample to sample.

    Parameters
    ----------
    y_true, y_score : arrays, or a table, as in :func:`auc`
    smoother : str
        What is smoothed.

        - "kernel" (default), "normal": both classes, for the largest Youden index
        - "loess": any criterion over the thresholds, by local regression
        - "spline": by a cubic smoothing spline
        - "gam": by a penalised regression spline
        - "bootstrap": the mean of the cut-offs of resampled cases
    span, degree
        For "loess": share of the thresholds in each window, and line or parabola.

    Notes
    -----
    ``resampling=200`` smooths so many bootstrap samples anew and judges their cut-offs on the cases left out of each:
    the rates on the cases that chose a cut-off look too good. "bootstrap" is the mean over samples itself, and has no
    case left out.

    Examples
    --------
    >>> import roclab as rl
    >>> round(rl.smooth_cutoff([1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1], smoother="normal").threshold, 4)
    3.5
    """
    check_choice(smoother, "smoother", CUTOFF_SMOOTHERS)
    criterion, drawn = CriterionOptions.of(asked), Draws.of(asked)
    if criterion.require is not None or criterion.rule != "observed":
        name = "rule" if criterion.require is None else "require"
        raise InputError(
            name, "has no part in a smooth cut-off, which looks at every threshold", way_out="leave it out"
        )
    for name, value, usual in (("span", span, 0.5), ("degree", degree, 1)):
        if value != usual and smoother != "loess":
            raise InputError(name, f"belongs to {named('smoother', 'loess')}", value, "leave it out")
    tally = _one_curve("smooth_cutoff", y_true, y_score, asked)._counted("a smooth cut-off")
    if smoother in ("kernel", "normal"):
        if criterion.criterion not in (None, "youden"):
            raise InputError(
                "criterion",
                f"must be 'youden' for {named('smoother', smoother)}, which finds its largest value",
                criterion.criterion,
                f"use {named('smoother', 'loess')}",
            )
        for name in [*criterion.given(), *(["goal"] if criterion.goal is not None else [])]:
            raise InputError(name, f"has no part in {named('smoother', smoother)}", way_out="leave it out")
        smoothed = kernel_cutoff if smoother == "kernel" else normal_cutoff
        return _judged_outside(smoothed, tally, drawn)
    from roclab.decisions import smoothed_criteria  # SciPy's splines, which nobody else needs

    if smoother == "bootstrap":
        return smoothed_criteria.bootstrap_mean_cutoff(tally, criterion, drawn=drawn)
    if smoother == "loess":
        return _judged_outside(
            lambda one: smoothed_criteria.local_cutoff(one, criterion, span=span, degree=degree), tally, drawn
        )
    spline = smoothed_criteria.spline_cutoff if smoother == "spline" else smoothed_criteria.penalised_cutoff
    return _judged_outside(lambda one: spline(one, criterion), tally, drawn)


def _judged_outside(smoothed: Callable[[Tally], SmoothCutoff], tally: Tally, drawn: Draws) -> SmoothCutoff:
    """The cut-off, and its rates on cases left out where samples of them were asked for."""
    found = smoothed(tally)
    if not drawn.asked:
        return found
    return replace(found, left_out=smooth_left_out(tally, lambda one: smoothed(one).threshold, drawn.how, drawn.rng))


class GreyZoneKeywords(PromiseKeywords, FoldedKeywords, total=False):
    """Two cut-offs."""


@verb(GreyZoneKeywords)
def grey_zone(
    y_true: Any,
    y_score: Any = None,
    *,
    rule_out: Bounds | None = None,
    rule_in: Bounds | None = None,
    rule: ThresholdRule = "observed",
    **asked: Unpack[GreyZoneKeywords],
) -> GreyZone:
    """Two cut-offs: below one the condition is ruled out, above the other ruled in, between them unknown.

    ``rule_out`` and ``rule_in`` are bounds such as ``{"sensitivity": 0.95}`` and ``{"specificity": 0.95}``;

    >>> import roclab as rl
    >>> zone = rl.grey_zone([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2])
    >>> zone.share
    0.3333333333333333
    """
    curve = _one_curve("grey_zone", y_true, y_score, asked)
    confidence = PromiseOptions.of(asked).confidence
    return curve.grey_zone(rule_out=rule_out, rule_in=rule_in, rule=rule, confidence=confidence)


@verb(CutoffTableKeywords)
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
    **asked: Unpack[CutoffTableKeywords],
) -> CoordinateTable:
    """Every cut-off of one score with its rates, as SPSS lists them; any metric as a column, sorted by any of them.

    ``columns`` are metrics, criteria of :func:`cutoff` such as "cost" with the conditions they take, counts or
    "sum"; ``peaks`` keeps the rows where one of them is better than at their neighbours: for "youden" the corners of
    the curve. ``confidence`` adds the sensitivity and the specificity that every cut-off promises for new cases.

    >>> import roclab as rl
    >>> table = rl.cutoff_table([1, 1, 0, 0], [4, 2, 3, 1], sort_by="sum", head=1)
    >>> table.rows()[0]["cut-off"]
    3.5
    """
    if not descending and sort_by is None:
        raise InputError("descending", f"belongs to {named('sort_by')}", descending, "name the column to sort by")
    which: dict[str, Any] = {} if columns is None else {"columns": list(columns)}
    given, confidence = Conditions.of(asked).given(), PromiseOptions.of(asked).confidence
    curve = _one_curve("cutoff_table", y_true, y_score, asked)
    found = curve.coordinates(rule)
    more: dict[str, Any] = {}
    if confidence is not None:
        more = {"more": promised_rates(curve._counted("a promise"), found, confidence),
                "note": promised_words(confidence)}  # fmt: skip
    return found.table(
        **which, sort_by=sort_by, descending=descending, head=head, peaks=peaks, conditions=given, **more
    )
