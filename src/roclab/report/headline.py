"""The headline: what the reader came for in one or two sentences, claiming no more than the tests allow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from roclab._core.text import format_number
from roclab.report.language import Say, in_english

if TYPE_CHECKING:
    from roclab.analysis.reporting.content import Report, ScoreReport
    from roclab.results import Interval

__all__ = ["answer", "headline", "p_words"]


def headline(report: Report, say: Say = in_english) -> str:
    """The title of the page: the best score and its area in the digits that people say."""
    if report.time is not None:
        part = report.time
        area = short_range(part.best_area, part.best_interval)
        sentence = "{name} separates best: AUC {area} by {at}" if len(part.names) > 1 else "{name}: AUC {area} by {at}"
        return say(sentence).format(name=part.best, area=area, at=f"{part.at[-1]:g}")
    best = report.best
    area = short_range(best.area.area, best.area.interval)
    if len(report.scores) > 1 and not best.area.interval.high < 0.5:
        return say("{name} separates best: AUC {area}").format(name=best.name, area=area)
    return say("{name} has an AUC of {area}").format(name=best.name, area=area)


def short_range(value: float, interval: Interval) -> str:
    """A value and its limits in two digits; three where two would show 1.00 for less, or hide a small value.

    >>> from roclab.results import Interval
    >>> short_range(0.8753, Interval(low=0.8252, high=0.91, level=0.95, method="logit"))
    '0.88 (0.83–0.91)'
    """
    known = [one for one in (value, interval.low, interval.high) if not math.isnan(one)]
    close = any(0.995 <= one < 1 or 0 < abs(one) < 0.095 for one in known)
    digits = 3 if close else 2
    if math.isnan(interval.low) or math.isnan(interval.high):
        return f"{value:.{digits}f}"
    between = " to " if interval.low < 0 else "–"
    return f"{value:.{digits}f} ({interval.low:.{digits}f}{between}{interval.high:.{digits}f})".replace("-", "−")


def answer(report: Report, say: Say = in_english) -> str:
    """The largest area with its interval, and whether it differs from the next, or what its cut-off does."""
    if report.time is not None:
        return say(report.time.answer)
    best = report.best
    sentence = _area(best, report, say)
    if report.comparison is None:
        return f"{sentence}. {_cutoff(best, report, say)}"
    many = len(report.scores)
    if many > 2:
        sentence += say(", the largest of {n} in these data").format(n=many)
    if best.area.interval.high < 0.5:
        below = say("All areas lie below 0.5: lower scores may mean {positive}; check the direction.")
        return f"{sentence}. {below.format(positive=report.sample.positive)}"
    return f"{sentence}. {_next(best, report, say)}"


def _area(one: ScoreReport, report: Report, say: Say) -> str:
    interval = one.area.interval
    sentence = say("{name} has an AUC of {area}").format(name=one.name, area=format_number(one.area.area))
    if math.isnan(interval.low) or math.isnan(interval.high):
        return sentence
    return f"{sentence} ({_limits(interval, report, say)})"


def _limits(interval: Interval, report: Report, say: Say) -> str:
    """The limits as they are said: 95% interval 0.82 to 0.91."""
    low, high = map(format_number, interval)
    return say("{level} interval {low} to {high}").format(level=f"{100 * report.level:g}%", low=low, high=high)


def _cutoff(one: ScoreReport, report: Report, say: Say) -> str:
    """What Youden's cut-off does on the cases it was chosen on."""
    line = one.cutoffs[0]
    cut = line.result.best
    if cut.matrix.tp + cut.matrix.fp == 0:
        none = say("No cut-off does better than calling every case {negative}.")
        return none.format(negative=report.sample.negative)
    rates = {
        "rule": line.rule, "found": _percent(cut.tpr, line.sensitivity, say),
        "cleared": _percent(cut.specificity, line.specificity, say),
    }  # fmt: skip
    left = line.left_out
    if left is None or not left.known:
        return say(
            "Youden's cut-off {rule} finds {found} of the positive and clears {cleared} of the negative cases; it was "
            "chosen on these same cases, so expect somewhat less on new ones."
        ).format(**rates)
    return say(
        "Youden's cut-off {rule} finds {found} of the positive and clears {cleared} of the negative cases; it was "
        "chosen on these same cases, and on cases left out of the choice such cut-offs find {left_found} and clear "
        "{left_cleared}."
    ).format(**rates, left_found=f"{100 * left.sensitivity:.1f}%", left_cleared=f"{100 * left.specificity:.1f}%")


def _percent(value: float, interval: Interval | None, say: Say) -> str:
    text = f"{100 * value:.1f}%"
    if interval is None or math.isnan(interval.low):
        return text
    ends = say("{low} to {high}").format(low=f"{100 * interval.low:.1f}", high=f"{100 * interval.high:.1f}%")
    return f"{text} ({ends})"


def _next(best: ScoreReport, report: Report, say: Say) -> str:
    """The largest area against the second: they differ only if the adjusted p and the interval both say so."""
    assert report.comparison is not None
    second = sorted(report.scores, key=lambda one: -one.area.area)[1]
    pair = report.comparison.pair(best.name, second.name)
    if pair.difference == 0:
        return say("{name} has exactly the same.").format(name=second.name)
    known = {"name": second.name, "gap": format_number(pair.difference)}
    low, high = pair.interval
    if math.isnan(low) or math.isnan(high):
        return say("That is {gap} more than {name}; how sure that is cannot be told from these cases.").format(**known)
    sure = f"{_limits(pair.interval, report, say)}, p {p_words(pair.p_value)}"
    if len(report.scores) > 2:
        sure = say("{limits}, {p} after {method}'s adjustment for all pairs").format(
            limits=sure, p=p_words(pair.p_adjusted), method=report.comparison.adjustment.capitalize()
        )
    if low <= 0 <= high:
        sentence = "The difference of {gap} from {name} may be chance ({sure})."
    elif not pair.p_adjusted < 1 - report.level:
        sentence = "The difference of {gap} from {name} may be chance once all pairs are allowed for ({sure})."
    else:
        sentence = "It differs from that of {name} by {gap} ({sure})."
    return say(sentence).format(**known, sure=sure)


def p_words(value: float) -> str:
    """A p-value; one that underflows is told as what it is below."""
    return format_number(value) if value > 0 or math.isnan(value) else "below 1e-300"
