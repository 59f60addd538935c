"""The tables and sentences of a report, the same for the page and for Markdown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from roclab._core.text import format_number
from roclab.analysis.reporting.content import with_interval
from roclab.report.headline import p_words
from roclab.report.language import Say, in_english

if TYPE_CHECKING:
    from roclab.analysis.reporting.content import Report
    from roclab.inference.comparison.contrasts import Difference

__all__ = [
    "bench_tables",
    "reader_tables",
    "calibration_rows",
    "conditions_words",
    "count_rows",
    "cutoff_rows",
    "data_rows",
    "distribution_rows",
    "fixed_rows",
    "fold_rows",
    "group_rows",
    "group_words",
    "left_out_rows",
    "left_out_words",
    "outline_words",
    "model_tables",
    "pair_rows",
    "promise_words",
    "rate_tables",
    "section_names",
    "shown_pairs",
    "stage_tables",
    "time_tables",
]

_ALL_PAIRS = 6  # up to so many scores all pairs are shown, beyond them those with the best
_NAMES = {
    "time": "Over time",
    "curves": "Curves and operating point",
    "stage": "Stage",
    "model": "Model",
    "areas": "Areas",
    "comparison": "Comparison",
    "cutoffs": "Cut-offs",
    "promise": "Promised cut-offs",
    "rates": "Rates at fixed thresholds",
    "calibration": "Calibration",
    "distributions": "Distributions",
    "subgroups": "Subgroups",
    "folds": "Folds",
    "bench": "Training and testing",
    "readers": "Readers and modalities",
    "data": "Data",
    "methods": "Methods",
}


def section_names(report: Report) -> list[tuple[str, str]]:
    """Anchors and headings of the sections there are."""
    return [(section, name) for section, name in _NAMES.items() if report.shows(section)]


def conditions_words(report: Report, say: Say = in_english) -> str:
    """Where the cost cut-offs are meant for."""
    given = report.conditions
    whose = "" if given.assumed else say(" (that of these data)")
    sentence = say("Cost cut-offs: prevalence {prevalence}{whose}, a false positive costs {fp}, a false negative {fn}.")
    return sentence.format(
        prevalence=f"{given.prevalence:.10g}", whose=whose, fp=f"{given.cost_fp:g}", fn=f"{given.cost_fn:g}"
    )


def data_rows(report: Report) -> list[dict[str, Any]]:
    """What was analysed."""
    if report.time is not None:
        first = {"what": "source", "value": report.source or "data in memory"}
        return [first, *({"what": row["what"], "value": format_number(row["value"])} for row in report.time.facts)]
    sample = report.sample
    counted = "total weight, " if sample.weights == "importance" else ""
    sides: dict[str, list[str]] = {}
    for score in report.scores:
        sides.setdefault(score.area.sample.direction, []).append(score.name)
    rows = [
        ("source", report.source or "data in memory"),
        ("cases read", report.rows_read),
        ("left out for missing values", sample.dropped),
        (f"{counted}positive: {sample.positive}", sample.n_pos),
        (f"{counted}negative: {sample.negative}", sample.n_neg),
        ("prevalence in these data", format_number(sample.n_pos / (sample.n_pos + sample.n_neg))),
        *((f"a {side} score means {sample.positive}", ", ".join(names)) for side, names in sides.items()),
    ]
    if sample.direction_chosen:
        rows.append(("direction", "chosen from these data"))
    if sample.weights != "none":
        rows.append(("weights", sample.weights))
    if report.clusters is not None:
        rows.append(("subjects, each a cluster of cases", report.clusters))
    return [{"what": what, "value": format_number(value)} for what, value in rows]


def pair_rows(report: Report) -> list[dict[str, Any]]:
    """Differences of areas, one row per pair that is shown."""
    return [row for pair in shown_pairs(report) for row in pair.rows()]


def shown_pairs(report: Report) -> Sequence[Difference]:
    """All pairs, or those with the best score when there are many scores."""
    if report.comparison is None:
        return ()
    pairs = report.comparison.pairs
    if len(report.scores) > _ALL_PAIRS:
        pairs = tuple(pair for pair in pairs if report.best.name in (pair.first, pair.second))
    return pairs


def cutoff_rows(report: Report) -> list[dict[str, Any]]:
    """The best cut-offs of every score."""
    return [line.row() for score in report.scores for line in score.cutoffs]


def left_out_rows(report: Report) -> list[dict[str, Any]]:
    """Rates of cut-offs chosen the same way, on cases left out of the choice."""
    return [
        {
            "score": score.name,
            "criterion": line.criterion.replace("_", " "),
            "sensitivity": line.left_out.sensitivity,
            "specificity": line.left_out.specificity,
            "Youden's J": line.left_out.youden_j,
        }
        for score in report.scores
        for line in score.cutoffs
        if line.left_out is not None and line.left_out.known
    ]


def left_out_words(report: Report) -> str:
    """How these rates were found, by the first that is known."""
    found = (line.left_out for score in report.scores for line in score.cutoffs)
    return next((one.method for one in found if one is not None and one.known), "")


def fixed_rows(report: Report) -> list[dict[str, Any]]:
    """Sensitivity at fixed specificities and the reverse: one row per score, one column per rate."""
    return [
        {"score": score.name, **{rate.quantity: with_interval(rate.rate, rate.interval) for rate in score.fixed}}
        for score in report.scores
        if score.fixed
    ]


def calibration_rows(report: Report) -> list[dict[str, Any]]:
    """Brier score, intercept and slope of every score that may be a probability."""
    rows = []
    for score in report.scores:
        found = score.calibration
        if found is None:
            continue
        line, loss, counted = found.line, found.losses, report.counted
        rows.append(
            {
                "score": score.name,
                "Brier score": with_interval(loss.brier, loss.brier_interval if counted else None),
                "Brier skill": found.skill,
                "mean prediction": found.predicted,
                "prevalence": found.observed,
                "intercept": with_interval(line.intercept, line.intercept_interval if counted else None),
                "slope": with_interval(line.slope, line.slope_interval if counted else None),
                "ICI": with_interval(found.errors.ici, found.errors.ici_interval if counted else None),
            }
        )
    return rows


def count_rows(report: Report) -> list[dict[str, Any]]:
    """The four counts at Youden's cut-off of every score."""
    rows = []
    for score in report.scores:
        matrix = score.cutoffs[0].result.best.matrix
        counts = {"true positives": matrix.tp, "false positives": matrix.fp}
        rows.append({"score": score.name, **counts, "false negatives": matrix.fn, "true negatives": matrix.tn})
    return rows


def distribution_rows(report: Report) -> list[dict[str, Any]]:
    """Both classes of every score in a few numbers."""
    return [row for score in report.scores for row in score.distribution.rows()]


def fold_rows(report: Report) -> list[dict[str, Any]]:
    """One row per fold, one column per score, and the means below."""
    rows: dict[str, dict[str, Any]] = {}
    for fold in report.folds:
        row = rows.setdefault(fold.fold, {"fold": fold.fold, "positive": fold.n_pos, "negative": fold.n_neg})
        row[fold.score] = fold.area
    return list(rows.values())


def bench_tables(report: Report) -> list[Sequence[Mapping[str, Any]]]:
    """The tables of a bench: areas, calls, balances and the hull."""
    part = report.bench
    if part is None:
        return []
    return [part.areas, part.calls, part.experiments, part.hull, *part.matrices.values()]


def reader_tables(report: Report) -> list[Sequence[Mapping[str, Any]]]:
    """The tables of a reader study: means, differences, claims, cells and components."""
    part = report.readers
    if part is None:
        return []
    return [part.means, part.differences, part.claims, part.cells, part.components]


def stage_tables(report: Report) -> list[Sequence[Mapping[str, Any]]]:
    """The tables of a stage: areas, differences from its baseline, FROC and hulls."""
    part = report.stage
    if part is None:
        return []
    return [part.areas, part.against, part.froc, *part.hulls.values()]


def model_tables(report: Report) -> list[Sequence[Mapping[str, Any]]]:
    """The tables of fitted models: coefficients of each, and their areas."""
    part = report.model
    if part is None:
        return []
    return [*part.coefficients.values(), part.areas]


def rate_tables(report: Report) -> list[Sequence[Mapping[str, Any]]]:
    """The tables of rates at fixed thresholds: of every score, differences, gaps between groups and their rates."""
    part = report.rates
    if part is None:
        return []
    return [part.rates, part.differences, part.equality, *part.gaps.values(), *part.groups.values()]


def time_tables(report: Report) -> list[Sequence[Mapping[str, Any]]]:
    """The tables of time to event."""
    part = report.time
    if part is None:
        return []
    return [
        part.areas,
        part.known,
        part.differences,
        part.tests,
        part.groups,
        part.rates,
        part.calibration,
        part.losses,
    ]


def promise_words(report: Report) -> str:
    """What a promised cut-off is."""
    assert report.promise is not None
    return (
        f"These cut-offs keep their bound in new cases with {100 * report.promise.confidence:g}% confidence, if those "
        "are like these; the other cut-offs of this report make no such promise."
    )


def group_rows(report: Report) -> list[dict[str, Any]]:
    """One row per score and group."""
    return [row for group in report.groups for row in group.rows()]


def group_words(report: Report) -> list[str]:
    """Whether the groups differ, and which of them are too small to tell."""
    sentences = []
    for one in report.groups:
        test = one.heterogeneity
        if not math.isnan(test.p_value):
            verdict = "differ" if test.p_value < 1 - report.level else "are compatible with one common area"
            sentences.append(
                f"{one.sample.score}: the groups {verdict} (Cochran's Q {format_number(test.statistic)}, "
                f"{test.distribution.split(', ')[1]}, p {p_words(test.p_value)}; "
                f"common area {format_number(test.estimate)})."
            )
    small = list(dict.fromkeys(name for group in report.groups for name in group.small))
    if small:
        sentences.append(f"Fewer than ten cases of a class, so that areas say little: {', '.join(small)}.")
    return sentences


def outline_words(report: Report) -> str:
    """How much of the curves is drawn, and what that costs."""
    thinned = [score.outline for score in report.scores if len(score.outline) < score.outline.vertices]
    if not thinned:
        return "The curves are drawn with all their vertices; every number is exact."
    worst = max(one.area_error for one in thinned)
    return (
        f"For drawing, curves keep at most {max(len(one) for one in thinned)} of up to "
        f"{max(one.vertices for one in thinned)} vertices, among them both ends, every vertex of the convex hull and "
        f"the cut-offs below; counts there are exact, and the area under a drawn curve is off by at most {worst:.1g}."
    )
