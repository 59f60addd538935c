"""The headline: what the reader came for in one or two sentences, claiming no more than the tests allow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from roclab._core.text import format_number

if TYPE_CHECKING:
    from roclab.analysis.reporting.content import CutoffLine, Report, ScoreReport
    from roclab.results import Interval

__all__ = ["answer", "headline", "p_words"]


def headline(report: Report) -> str:
    """The title of the page: the best score and its area in the digits that people say."""
    if report.time is not None:
        part = report.time
        said = f"AUC {short_range(part.best_area, part.best_interval)} by {part.at[-1]:g}"
        return f"{part.best} separates best: {said}" if len(part.names) > 1 else f"{part.best}: {said}"
    best = report.best
    area = short_range(best.area.area, best.area.interval)
    if len(report.scores) > 1 and not best.area.interval.high < 0.5:
        return f"{best.name} separates best: AUC {area}"
    return f"{best.name} has an AUC of {area}"


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


def answer(report: Report) -> str:
    """The largest area with its interval, and whether it differs from the next, or what its cut-off does."""
    if report.time is not None:
        return report.time.answer
    best = report.best
    sentence = _area(best, report)
    if report.comparison is None:
        return f"{sentence}. {_cutoff(best, report)}"
    many = len(report.scores)
    sentence += f", the largest of {many} in these data" if many > 2 else ""
    if best.area.interval.high < 0.5:
        return (
            f"{sentence}. All areas lie below 0.5: lower scores may mean {report.sample.positive}; check the direction."
        )
    return f"{sentence}. {_next(best, report)}"


def _area(one: ScoreReport, report: Report) -> str:
    interval = one.area.interval
    sentence = f"{one.name} has an AUC of {format_number(one.area.area)}"
    if math.isnan(interval.low) or math.isnan(interval.high):
        return sentence
    return f"{sentence} ({100 * report.level:g}% interval {interval})"


def _cutoff(one: ScoreReport, report: Report) -> str:
    """What Youden's cut-off does on the cases it was chosen on."""
    line = one.cutoffs[0]
    cut = line.result.best
    if cut.matrix.tp + cut.matrix.fp == 0:
        return f"No cut-off does better than calling every case {report.sample.negative}."
    return (
        f"Youden's cut-off {line.rule} finds {_percent(cut.tpr, line.sensitivity)} of the positive and clears "
        f"{_percent(cut.specificity, line.specificity)} of the negative cases; it was chosen on these same cases, "
        f"{_outside(line)}."
    )


def _outside(line: CutoffLine) -> str:
    """What such a cut-off does on cases left out of the choice, where that is known."""
    found = line.left_out
    if found is None or not found.known:
        return "so expect somewhat less on new ones"
    return (
        f"and on cases left out of the choice such cut-offs find {100 * found.sensitivity:.1f}% and clear "
        f"{100 * found.specificity:.1f}%"
    )


def _percent(value: float, interval: Interval | None) -> str:
    text = f"{100 * value:.1f}%"
    if interval is None or math.isnan(interval.low):
        return text
    return f"{text} ({100 * interval.low:.1f} to {100 * interval.high:.1f}%)"


def _next(best: ScoreReport, report: Report) -> str:
    """The largest area against the second: they differ only if the adjusted p and the interval both say so."""
    assert report.comparison is not None
    second = sorted(report.scores, key=lambda one: -one.area.area)[1]
    pair = report.comparison.pair(best.name, second.name)
    if pair.difference == 0:
        return f"{second.name} has exactly the same."
    gap = format_number(pair.difference)
    low, high = pair.interval
    if math.isnan(low) or math.isnan(high):
        return f"That is {gap} more than {second.name}; how sure that is cannot be told from these cases."
    sure = f"{100 * report.level:g}% interval {pair.interval}, p {p_words(pair.p_value)}"
    if len(report.scores) > 2:
        sure += (
            f", {p_words(pair.p_adjusted)} after {report.comparison.adjustment.capitalize()}'s adjustment for all pairs"
        )
    if low <= 0 <= high:
        return f"The difference of {gap} from {second.name} may be chance ({sure})."
    if not pair.p_adjusted < 1 - report.level:
        return f"The difference of {gap} from {second.name} may be chance once all pairs are allowed for ({sure})."
    return f"It differs from that of {second.name} by {gap} ({sure})."


def p_words(value: float) -> str:
    """A p-value; one that underflows is told as what it is below."""
    return format_number(value) if value > 0 or math.isnan(value) else "below 1e-300"
