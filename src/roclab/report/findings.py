"""What a careful colleague would point out, in plain language, each with a way on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roclab._core.checks import plural
from roclab._core.text import format_number
from roclab._core.undefined import Undefined
from roclab.inference.compare import Comparison
from roclab.report.content import Conditions, Finding, FoldArea, ScoreReport

__all__ = ["findings_of"]

_FEW = 10  # cases of a class below which no interval can be trusted far
_TIED = 0.05  # share of tied pairs worth mentioning
_MANY = 8  # scores beyond which choosing the best one flatters it noticeably


def findings_of(
    scores: Sequence[ScoreReport],
    comparison: Comparison | None,
    folds: Sequence[FoldArea],
    conditions: Conditions,
    *,
    level: float,
) -> tuple[Finding, ...]:
    """Everything worth saying, warnings first."""
    found = [
        *_about_the_data(scores[0], conditions),
        *(finding for one in scores for finding in _about_a_score(one, level)),
        *_about_choosing(scores, comparison),
        *_about_folds(folds),
    ]
    return tuple(sorted(found, key=lambda one: one.weight != "warning"))


def _about_the_data(first: ScoreReport, conditions: Conditions) -> Iterator[Finding]:
    sample = first.area.sample
    if sample.dropped:
        yield Finding(
            weight="warning",
            text=f"{plural(sample.dropped, 'case')} with a missing value left out; if values are missing for a "
            "reason that has to do with the outcome, every number here is off.",
        )
    for count, name in ((sample.n_pos, sample.positive), (sample.n_neg, sample.negative)):
        if count < _FEW:
            yield Finding(
                weight="warning",
                text=f"Only {count:g} of the cases are “{name}”: intervals are wide, and rest on few cases.",
            )
    if sample.direction_chosen:
        yield Finding(
            weight="warning",
            text="The direction of each score was chosen from these data, so areas below 0.5 cannot occur and "
            "weak scores look better than they are; fix the direction beforehand.",
        )
    if sample.weights == "importance":
        yield Finding(
            weight="note",
            text="Cases carry importance weights: rates are weighted, bands and binomial intervals are left out.",
        )
    share = sample.n_pos / (sample.n_pos + sample.n_neg)
    if conditions.assumed and abs(conditions.prevalence - share) > 1e-12:
        yield Finding(
            weight="note",
            text=f"Costs and the explorer's predictive values assume a prevalence of {conditions.prevalence:g}; in "
            f"these data it is {format_number(share)}, which the predictive values in the tables refer to.",
        )


def _about_a_score(one: ScoreReport, level: float) -> Iterator[Finding]:
    area, interval, sample = one.area.area, one.area.interval, one.area.sample
    percent = f"{100 * level:g}%"
    if area < 0.5:
        other = "lower" if sample.direction == "higher" else "higher"
        yield Finding(
            weight="warning",
            text=f"{one.name} ranks the wrong way round (AUC {format_number(area)}): a {other} value may mean "
            f"“{sample.positive}”. If that is so, repeat with --direction {one.name}={other}.",
        )
    elif interval.low <= 0.5:
        yield Finding(
            weight="warning",
            text=f"{one.name} may do no better than chance: the {percent} interval of its AUC reaches 0.5.",
        )
    if area in (0.0, 1.0):
        yield Finding(
            weight="warning",
            text=f"{one.name} separates these cases completely; check that it does not contain the outcome. "
            "The interval is the exact one-sided kind.",
        )
    tied = _tied_share(one)
    if tied > _TIED:
        yield Finding(
            weight="note",
            text=f"{one.name} takes few distinct values: about {100 * tied:.0f}% of all pairs of a positive and a "
            "negative case share a value. Each such pair counts one half, and the curve has slanted pieces.",
        )
    best = one.cutoffs[0].result.best
    metrics = best.matrix.metrics()
    if not isinstance(metrics["accuracy"], Undefined) and metrics["accuracy"] < metrics["majority_rate"]:
        yield Finding(
            weight="note",
            text=f"At Youden's cut-off {one.name} is right in {100 * metrics['accuracy']:.1f}% of cases, less often "
            f"than always naming the larger class ({100 * metrics['majority_rate']:.1f}%): accuracy is the wrong "
            "yardstick here; weigh both errors by their costs.",
        )
    if one.distribution.outside:
        yield Finding(
            weight="note",
            text=f"{one.name} has {one.distribution.outside:g} infinite values; ranks use them, histograms cannot.",
        )


def _tied_share(one: ScoreReport) -> float:
    """Share of pairs tied, from the vertices shown: exact when the whole curve is shown."""
    tp, fp = one.outline.tp, one.outline.fp
    if len(one.outline) < one.outline.vertices:
        return 0.0  # so many vertices leave few ties
    steps = (tp[1:] - tp[:-1]) * (fp[1:] - fp[:-1])
    return float(steps.sum() / (tp[-1] * fp[-1]))


def _about_choosing(scores: Sequence[ScoreReport], comparison: Comparison | None) -> Iterator[Finding]:
    if comparison is None:
        return
    if len(scores) > _MANY:
        yield Finding(
            weight="warning",
            text=f"The best of {len(scores)} scores looks better than it is, because it was chosen on these data; "
            "confirm it on new cases.",
        )
    first, second = sorted(scores, key=lambda one: -one.area.area)[:2]
    pair = next(one for one in comparison.pairs if {one.first, one.second} == {first.name, second.name})
    if pair.interval.low <= 0 <= pair.interval.high:
        yield Finding(
            weight="note",
            text=f"{first.name} has the largest area, but these cases do not tell it from {second.name}: the "
            f"difference of {format_number(abs(pair.difference))} may be chance.",
        )


def _about_folds(folds: Sequence[FoldArea]) -> Iterator[Finding]:
    empty = list(dict.fromkeys(one.fold for one in folds if isinstance(one.area, Undefined)))
    if empty:
        yield Finding(
            weight="warning",
            text=f"Fold {', '.join(empty)} holds one class only and has no area; stratify the folds.",
        )
