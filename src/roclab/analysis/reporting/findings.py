"""What a careful colleague would point out, in plain language, each with a way on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from roclab._core.checks import plural
from roclab._core.text import format_number
from roclab._core.undefined import Undefined
from roclab.analysis.reporting.content import Finding, FoldArea, PlaceOfUse, ScoreReport
from roclab.inference.comparison.compare import Comparison

__all__ = ["findings_of"]

_FEW = 10  # cases of a class below which no interval can be trusted far
_TIED = 0.05  # share of tied pairs worth mentioning
_APART = 3  # scores that share a finding are told one by one up to here
_MANY = 8  # scores beyond which choosing the best one flatters it noticeably


def findings_of(
    scores: Sequence[ScoreReport],
    comparison: Comparison | None,
    folds: Sequence[FoldArea],
    conditions: PlaceOfUse,
    *,
    level: float,
) -> tuple[Finding, ...]:
    """Everything worth saying, warnings first."""
    found = [
        *_about_the_data(scores[0], conditions),
        *_about_scores(scores, level),
        *_about_choosing(scores, comparison, level),
        *_about_folds(folds),
    ]
    return tuple(sorted(found, key=lambda one: one.weight != "warning"))


def _about_the_data(first: ScoreReport, conditions: PlaceOfUse) -> Iterator[Finding]:
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
                text=f"Only {plural(count, 'case')} of “{name}”: intervals are wide, and rest on little.",
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
            text=f"Costs and predictive values assume a prevalence of {conditions.prevalence:.10g}; in these data it "
            f"is {format_number(share)}, to which accuracy and the four counts refer.",
        )


def _about_scores(scores: Sequence[ScoreReport], level: float) -> Iterator[Finding]:
    """What holds for a score, or, if it holds for many, one sentence for all of them."""
    for weight, apart, together in _CHECKS:
        findings = [(score.name, text) for score in scores if (text := apart(score, level))]
        if len(findings) <= _APART:
            yield from (Finding(weight=weight, text=text) for _, text in findings)
        else:
            yield Finding(
                weight=weight, text=f"{len(findings)} scores {together}: {', '.join(name for name, _ in findings)}."
            )


def _wrong_way(one: ScoreReport, level: float) -> str:
    area, sample = one.area.area, one.area.sample
    if not (area == 0 or one.area.interval.high < 0.5):
        return ""
    other = "lower" if sample.direction == "higher" else "higher"
    return (
        f"{one.name} ranks the wrong way round (AUC {format_number(area)}): a {other} value may mean "
        f"“{sample.positive}”. If that is so, repeat with --direction {one.name}={other}."
    )


def _chance(one: ScoreReport, level: float) -> str:
    if not one.area.interval.low <= 0.5 <= one.area.interval.high:
        return ""
    return f"{one.name} may do no better than chance: the {100 * level:g}% interval of its AUC holds 0.5."


def _separates(one: ScoreReport, level: float) -> str:
    if one.area.area not in (0.0, 1.0):
        return ""
    return (
        f"{one.name} separates these cases completely; check that it does not contain the outcome. "
        "The interval is the exact one-sided kind."
    )


def _ties(one: ScoreReport, level: float) -> str:
    tied = _tied_share(one)
    if tied <= _TIED:
        return ""
    return (
        f"{one.name} takes few distinct values: about {100 * tied:.0f}% of all pairs of a positive and a negative "
        "case share a value. Each such pair counts one half, and the curve has slanted pieces."
    )


def _accuracy(one: ScoreReport, level: float) -> str:
    metrics = one.cutoffs[0].result.best.matrix.metrics()
    if isinstance(metrics["accuracy"], Undefined) or metrics["accuracy"] >= metrics["majority_rate"]:
        return ""
    return (
        f"At Youden's cut-off {one.name} is right in {100 * metrics['accuracy']:.1f}% of cases, less often than always "
        f"naming the larger class ({100 * metrics['majority_rate']:.1f}%): accuracy is the wrong yardstick here; weigh "
        "both errors by their costs."
    )


def _infinite(one: ScoreReport, level: float) -> str:
    outside = one.distribution.outside
    values = "value" if outside == 1 else "values"
    return f"{one.name} has {outside:g} infinite {values}; ranks use them, histograms cannot." if outside else ""


_CHECKS: tuple[tuple[Literal["warning", "note"], Callable[[ScoreReport, float], str], str], ...] = (
    ("warning", _wrong_way, "rank the wrong way round; a turned direction may be meant"),
    ("warning", _chance, "may do no better than chance, because the interval of their AUC holds 0.5"),
    ("warning", _separates, "separate these cases completely; check that they do not contain the outcome"),
    ("note", _ties, "take few distinct values, so that many pairs of cases are tied and count one half"),
    ("note", _accuracy, "are right less often at Youden's cut-off than always naming the larger class is"),
    ("note", _infinite, "have infinite values; ranks use them, histograms cannot"),
)


def _tied_share(one: ScoreReport) -> float:
    """Share of pairs tied, from the vertices shown: exact when the whole curve is shown."""
    tp, fp = one.outline.tp, one.outline.fp
    if len(one.outline) < one.outline.vertices:
        return 0.0  # so many vertices leave few ties
    steps = (tp[1:] - tp[:-1]) * (fp[1:] - fp[:-1])
    return float(steps.sum() / (tp[-1] * fp[-1]))


def _about_choosing(scores: Sequence[ScoreReport], comparison: Comparison | None, level: float) -> Iterator[Finding]:
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
    if pair.difference == 0:
        yield Finding(weight="note", text=f"{first.name} and {second.name} have exactly the same area.")
    elif not pair.p_adjusted < 1 - level or pair.interval.low <= 0 <= pair.interval.high:
        yield Finding(
            weight="note",
            text=f"{first.name} has the largest area, but these cases do not tell it from {second.name}: the "
            f"difference of {format_number(abs(pair.difference))} may be chance.",
        )


def _about_folds(folds: Sequence[FoldArea]) -> Iterator[Finding]:
    empty = list(dict.fromkeys(fold.fold for fold in folds if isinstance(fold.area, Undefined)))
    if empty:
        yield Finding(
            weight="warning",
            text=f"Fold {', '.join(empty)} holds one class only and has no area; stratify the folds.",
        )
