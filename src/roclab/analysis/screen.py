"""Which of many markers tell the classes apart? One row per marker, as the menus of statistics programs print it."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Unpack, cast

import numpy as np

from roclab._core.checks import check_choice, check_level, check_workers, in_full, plural
from roclab._core.text import text_table, without_shared
from roclab._core.work import Progress, in_order, spawn_seeds
from roclab.analysis.markers import Markers, markers_elsewhere, markers_of
from roclab.analysis.support import data_of_follow_up
from roclab.data.remote import RemoteCases
from roclab.data.verbs import verb
from roclab.decisions.cutoffs import find_cutoff
from roclab.errors import InputError, Words
from roclab.inference.areas_of_cases import areas_of
from roclab.inference.clustered_area import clustered_area_test
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.one_area.area import area_of_method
from roclab.inference.one_area.area_tests import significance_beside
from roclab.inference.one_area.estimate import estimate_area
from roclab.inference.one_area.spss import SpssArea, SpssTable, spss_area
from roclab.names import (
    AREA_INTERVALS,
    BOOTSTRAP_INTERVALS,
    MARKER_ORDERS,
    Adjustment,
    AreaInterval,
    AreaTest,
    MarkerOrder,
    Variance,
)
from roclab.options.conventions import ConventionKeywords
from roclab.options.criterion import CriterionOptions
from roclab.options.data import DataKeywords
from roclab.options.follow_up import FollowUpKeywords, FollowUpOptions, is_survival
from roclab.options.uncertainty import AreaUncertainty, Resampling, check_draws, resampling_of
from roclab.results import Interval, Result
from roclab.results.pictured import Pictured

__all__ = ["ScreenedMarker", "Screening", "screen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenedMarker:
    """One marker: its area, whether it is real, and its best cut-off by Youden's index."""

    name: str
    n_pos: float
    n_neg: float
    dropped: int
    direction: str
    area: float
    standard_error: float
    p_value: float  # of the test that the area is one half
    p_adjusted: float
    interval: Interval
    cutoff: float
    tp: float  # the four counts at the cut-off
    fp: float
    fn: float
    tn: float
    tied: bool  # some positive and some negative case share a value
    spss: SpssArea | None  # what SPSS prints, which knows no importance weights
    note: str = ""

    @property
    def sensitivity(self) -> float:
        """At the cut-off."""
        return self.tp / self.n_pos

    @property
    def specificity(self) -> float:
        """At the cut-off."""
        return self.tn / self.n_neg

    @property
    def accuracy(self) -> float:
        """At the cut-off; compare it with the majority rate."""
        return (self.tp + self.tn) / (self.n_pos + self.n_neg)

    @property
    def majority_rate(self) -> float:
        """The accuracy of calling every case by the larger class."""
        return max(self.n_pos, self.n_neg) / (self.n_pos + self.n_neg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Screening(Pictured):
    """All markers, best first unless asked otherwise, and the columns that could not be screened, with reasons."""

    markers: tuple[ScreenedMarker, ...]
    skipped: Mapping[str, str]
    level: float
    adjustment: str
    method: str
    positive: str
    negative: str
    outcome: str = ""  # how the classes were made
    dropped: int = 0  # cases without an outcome

    def __getitem__(self, marker: str) -> ScreenedMarker:
        for one in self.markers:
            if one.name == marker:
                return one
        names = ", ".join(repr(one.name) for one in self.markers)
        raise InputError("marker", f"must be one of {names}", marker)

    def rows(self) -> list[dict[str, Any]]:
        """One row per marker."""
        percent = f"{100 * self.level:g}%"
        return [
            {
                "marker": marker.name,
                "n+": marker.n_pos,
                "n-": marker.n_neg,
                "area": marker.area,
                "std. error": marker.standard_error,
                "p": marker.p_value,
                "adjusted p": marker.p_adjusted,
                f"{percent} low": marker.interval.low,
                f"{percent} high": marker.interval.high,
                "direction": marker.direction,
                "cut-off": marker.cutoff,
                "Se": marker.sensitivity,
                "Sp": marker.specificity,
                "TP": marker.tp,
                "FP": marker.fp,
                "FN": marker.fn,
                "TN": marker.tn,
                "accuracy": marker.accuracy,
                "majority": marker.majority_rate,
                "ties": marker.tied,
            }
            for marker in self.markers
        ]

    def to_dict(self) -> dict[str, Any]:
        """Every field, and of each marker also the rates at its cut-off."""
        found = Result.to_dict(self)
        for fields, one in zip(found["markers"], self.markers, strict=True):
            rates = ("sensitivity", "specificity", "accuracy", "majority_rate")
            fields |= {name: getattr(one, name) for name in rates}
        return found

    def spss(self) -> SpssTable:
        """The table "Area Under the Curve" with the numbers and the layout of SPSS, whatever was asked for above."""
        known = [(marker.name, marker.spss) for marker in self.markers if marker.spss is not None]
        if not known:
            raise InputError("spss", "counts whole cases and has no form for importance weights")
        dropped = self.dropped + sum(marker.dropped for marker in self.markers)
        return SpssTable(
            areas=dict(known), positive=self.positive, negative=self.negative, level=self.markers[0].interval.level,
            dropped=dropped, skipped=self.skipped,
        )  # fmt: skip

    def __str__(self) -> str:
        classes = f"positive is {self.positive}, negative is {self.negative}"
        shown = self.rows()
        for row in shown:  # one column for four, to fit on a screen
            counts = [row.pop(name) for name in ("TP", "FP", "FN", "TN")]
            row["TP/FP/FN/TN"] = "/".join(map(in_full, counts))
        rows, below = without_shared(shown, ["n+", "n-", "direction", "majority", "ties"])
        lines = [text_table(rows), *below, "", f"{classes}; {self.method}; p-values adjusted by {self.adjustment}"]
        lines += [self.outcome] if self.outcome else []
        if any(marker.accuracy < marker.majority_rate for marker in self.markers):
            lines.append(
                "accuracy below the majority rate is less often right than calling every case by the larger class"
            )
        lines += [f"{marker.name}: {marker.note}" for marker in self.markers if marker.note]
        lines += [
            f"{marker.name}: {plural(marker.dropped, 'case')} without a value left out"
            for marker in self.markers
            if marker.dropped
        ]
        lines += [f"skipped {name}: {reason}" for name, reason in self.skipped.items()]
        if self.dropped:
            lines.append(f"{self.dropped} dropped for a missing outcome")
        return "\n".join(lines)


class ScreenKeywords(ConventionKeywords, FollowUpKeywords, DataKeywords, total=False):
    """Many markers of one outcome."""


@verb(ScreenKeywords, columns="score")
def screen(
    y_true: Any,
    markers: Any = None,
    *,
    exclude: str | Sequence[str] = (),
    test: AreaTest | None = None,
    variance: Variance | None = None,
    interval: AreaInterval = "auto",
    level: float = 0.95,
    adjust: Adjustment = "holm",
    order: MarkerOrder = "area",
    listwise: bool = False,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    workers: int | None = None,
    progress: Progress | None = None,
    **data: Unpack[ScreenKeywords],
) -> Screening:
    """Screen every numeric column of a table as a marker of one outcome, O(k n log n) for k markers.

    Parameters
    ----------
    y_true, markers : arrays, or a table
        Labels and a mapping of names to columns (or a data frame of them); or a data frame, mapping or file with
        ``label=``; or cases. ``score=[…]`` names the columns to screen; by default all others are screened, and those
        that are not numeric are skipped and listed.
    exclude : sequence of str
        Columns that are no markers, such as identifiers.
    test : str, optional
        Test of AUC = 0.5; by default the one that agrees with the interval. "null" is what SPSS prints.
    variance : str, optional
        Where standard errors come from, as in :func:`auc`: "delong" (default), "empirical_q" (as SPSS),
        "hanley_mcneil", "bamber", "bootstrap"; "clustered" (default) or "clustered_bootstrap" where ``ids`` join
        several cases.
    interval, level : as in :func:`auc`
    adjust : str
        Adjustment of p-values for many markers: "holm" (default), "bonferroni", "fdr" or "none".
    order : str
        "area" (default, largest first) or "file", the order of the columns.
    listwise : bool
        Leave a case out for all markers if it lacks one of them, as SPSS does; by default for that marker only.
    resampling, rng : optional
        Replicates and seed of the bootstrap.
    workers : int, optional
        Threads, as many as there are processors if not given; the result does not depend on them.
    progress : callable(done, total), optional
        Called after every marker.

    Returns
    -------
    Screening
        ``.markers`` and ``.skipped`` with the reason of each. A case that lacks a marker is left out for that marker
        only; ``missing`` is about outcome, weights and ids. ``direction="auto"`` turns markers whose area is below one
        half; their rows say so, and their p-values do not know that the direction was chosen.

    Examples
    --------
    >>> import roclab as rl
    >>> table = {"ill": [1, 1, 0, 0], "a": [4, 3, 2, 1], "b": [4, 2, 3, 1], "name": ["w", "x", "y", "z"]}
    >>> result = rl.screen(table, label="ill")
    >>> [(one.name, one.area) for one in result.markers], dict(result.skipped)
    ([('a', 1.0), ('b', 0.75)], {'name': 'it is not numeric'})
    """
    check_choice(interval, "interval", AREA_INTERVALS)
    check_choice(order, "order", MARKER_ORDERS)
    check_level(level)
    check_draws(
        {"resampling": resampling, "rng": rng}, drawn="bootstrap" in (variance or "") or interval in BOOTSTRAP_INTERVALS
    )
    workers = check_workers(os.cpu_count() or 1 if workers is None else workers)
    if FollowUpOptions.of(data).given or is_survival(y_true):
        refused: dict[str, Any] = {
            "test": test, "variance": variance, "resampling": resampling, "rng": rng, "listwise": listwise or None
        }  # fmt: skip
        for name, value in refused.items():
            if value is not None:
                shown = value if isinstance(value, str | int) else Words("a value")
                raise InputError(name, "has no part in screen() at a horizon", shown, "leave it out")
        from roclab.analysis.follow_up.screen import screen_over_time

        return screen_over_time(
            y_true, markers, data_of_follow_up("screen", data), exclude=exclude, interval=interval, level=level,
            adjust=adjust, order=order,
        )  # fmt: skip
    data = cast(ScreenKeywords, {
        name: one for name, one in data.items() if name not in FollowUpOptions.__dataclass_fields__
    })  # fmt: skip
    elsewhere = markers_elsewhere(y_true, markers, exclude, data)
    read = markers_of(y_true, markers, exclude, data) if elsewhere is None else elsewhere
    read = read.listwise() if listwise else read
    workers = workers if elsewhere is None else 1  # an engine has threads of its own
    passed_over = dict(read.skipped)
    names = list(read.columns)
    outcome, dropped = read.whole.outcome, read.whole.dropped
    if isinstance(read.whole, RemoteCases):
        if not read.whole.clustered:
            read.whole.count_together(names)
        if dropped:
            left_out = f"{plural(dropped, 'case')} that lack the outcome or a marker left out for all markers"
            outcome, dropped = "; ".join([*([outcome] if outcome else []), left_out]), 0
    seeds, _ = spawn_seeds(rng, len(names))
    asked = _Asked(test, variance, interval, level, resampling_of(resampling))

    def one(at: int) -> ScreenedMarker | str:
        return _screened(names[at], read, asked, seeds[at])

    found: list[ScreenedMarker] = []
    screened = in_order(one, range(len(names)), workers=workers, progress=progress)
    for name, result in zip(names, screened, strict=True):
        if isinstance(result, str):
            passed_over[name] = result
        else:
            found.append(result)
    if not found:
        reason = next(iter(passed_over.values()))
        raise InputError(
            "", f"no marker could be screened, and the first was passed over because {reason}", way_out="name others"
        )
    fixed = adjusted([marker.p_value for marker in found], adjust)
    ranked = [replace(marker, p_adjusted=p) for marker, p in zip(found, fixed, strict=True)]
    if order == "area":
        ranked.sort(key=lambda marker: -marker.area)
    return Screening(
        markers=tuple(ranked),
        skipped=passed_over,
        level=level,
        adjustment=adjust,
        method=found[0].interval.method,
        positive=read.whole.positive,
        negative=read.whole.negative,
        outcome=outcome,
        dropped=dropped,
    )


class _Asked(NamedTuple):
    """The question to every marker."""

    test: AreaTest | None
    variance: Variance | None
    interval: AreaInterval
    level: float
    resampling: Resampling | None


def _screened(name: str, read: Markers, asked: _Asked, seed: Any) -> ScreenedMarker | str:
    """One marker, or the reason why it cannot be screened."""
    cases = read.cases_of(name)
    if not isinstance(cases, RemoteCases) and not 0 < np.count_nonzero(cases.label) < len(cases):
        return "it has values in one class only"
    tally = cases.tally()
    note = ""
    if read.direction[name] == "auto" and tally.leans_lower:
        cases = (
            cases.facing({name: "lower"})
            if isinstance(cases, RemoteCases)
            else replace(cases, direction={name: "lower"})
        )
        tally = tally.reversed()
        note = "lower values mean positive (chosen from the data)"
    area = area_of_method("empirical")
    uncertainty = AreaUncertainty(
        level=asked.level, interval=asked.interval, variance=asked.variance, resampling=asked.resampling, rng=seed
    )
    if cases.clustered:
        estimate = areas_of(cases, area, uncertainty)[name]
    else:
        estimate = estimate_area(tally, area, uncertainty)
    how = asked.variance or ("clustered" if cases.clustered else None)
    if how == "clustered":
        p_value = clustered_area_test(cases, area, test=asked.test).p_value
    else:
        p_value = significance_beside(estimate, tally, area, variance=how, test=asked.test).p_value
    if tally.score.size == 1:
        note = "the marker is constant"
    elif estimate.area < 0.5:
        note = f"the area is below 0.5; turned round it would be {1 - estimate.area:.4f}"
    best = find_cutoff(tally, CriterionOptions(criterion="youden")).best
    return ScreenedMarker(
        name=name,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        dropped=0 if isinstance(cases, RemoteCases) else len(read.whole) - len(cases),
        direction=tally.sample.direction,
        area=estimate.area,
        standard_error=estimate.standard_error,
        p_value=p_value,
        p_adjusted=math.nan,
        interval=estimate.interval,
        cutoff=best.threshold,
        tp=best.matrix.tp,
        fp=best.matrix.fp,
        fn=best.matrix.fn,
        tn=best.matrix.tn,
        tied=bool(((tally.pos > 0) & (tally.neg > 0)).any()),
        spss=None if tally.weighted else spss_area(tally, level=asked.level),
        note=note,
    )
