"""Many markers against one outcome: one row per marker, as the menus of statistics programs print it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy.special import ndtr

from roclab._core.checks import check_choice, check_count, check_level, plural
from roclab._core.text import text_table, without_shared
from roclab._core.types import Array, Bools
from roclab._core.undefined import Undefined
from roclab.areas.empirical import auc
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.one_area.delong import delong_variance
from roclab.inference.one_area.estimate import area_of_method, estimate_from_error
from roclab.inference.one_area.hanley_mcneil import empirical_q_se, null_se
from roclab.names import Adjustment, Scale
from roclab.results import Interval, Result, Sample

__all__ = ["ScreenedMarker", "Screening", "screen_markers"]

Progress = Callable[[int, int], None]


_TITLES = {"delong": "DeLong", "empirical_q": "Hanley-McNeil with empirical Q"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenedMarker:
    """One marker: its area, whether it is real, and its best cut-off by Youden's index."""

    name: str
    n_pos: int
    n_neg: int
    dropped: int
    direction: str
    area: float
    standard_error: float
    p_value: float  # of the test that the area is one half
    p_adjusted: float
    interval: Interval
    cutoff: float
    sensitivity: float
    specificity: float
    accuracy: float
    tied: bool  # some positive and some negative case share a value
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screening(Result):
    """All markers, best first, and the columns that could not be screened, with the reason of each."""

    markers: tuple[ScreenedMarker, ...]
    skipped: Mapping[str, str]
    level: float
    adjustment: str
    method: str
    positive: str
    negative: str

    def rows(self) -> list[dict[str, Any]]:
        """One row per marker."""
        percent = f"{100 * self.level:g}%"
        return [
            {
                "marker": one.name,
                "n+": one.n_pos,
                "n-": one.n_neg,
                "area": one.area,
                "std. error": one.standard_error,
                "p": one.p_value,
                "adjusted p": one.p_adjusted,
                f"{percent} low": one.interval.low,
                f"{percent} high": one.interval.high,
                "direction": one.direction,
                "cut-off": one.cutoff,
                "Se": one.sensitivity,
                "Sp": one.specificity,
                "accuracy": one.accuracy,
                "ties": one.tied,
            }
            for one in self.markers
        ]

    def spss(self) -> str:
        """The table "Area Under the Curve" as SPSS lays it out, with its footnotes."""
        rows = [
            {
                "Test Result Variable(s)": one.name,
                "Area": f"{one.area:.3f}",
                "Std. Error": f"{one.standard_error:.3f}",
                "Asymptotic Sig.": f"{one.p_value:.3f}",
                "Lower Bound": f"{one.interval.low:.3f}",
                "Upper Bound": f"{one.interval.high:.3f}",
            }
            for one in self.markers
        ]
        tied = [one.name for one in self.markers if one.tied]
        foot = f"Has at least one tie between the positive and the negative group: {', '.join(tied)}." if tied else ""
        return "\n".join(line for line in (text_table(rows), foot) if line)

    def __str__(self) -> str:
        classes = f"positive is {self.positive}, negative is {self.negative}"
        rows, below = without_shared(self.rows(), ["n+", "n-", "direction", "ties"])
        lines = [text_table(rows), *below, "", f"{classes}; {self.method}; p-values adjusted by {self.adjustment}"]
        lines += [f"{one.name}: {one.note}" for one in self.markers if one.note]
        lines += [
            f"{one.name}: {plural(one.dropped, 'case')} without a value left out" for one in self.markers if one.dropped
        ]
        lines += [f"skipped {name}: {reason}" for name, reason in self.skipped.items()]
        return "\n".join(lines)


def screen_markers(
    label: Bools,
    markers: Mapping[str, Array],
    *,
    positive: str = "1",
    negative: str = "0",
    direction: Literal["higher", "lower", "auto"] = "higher",
    standard_error: Literal["delong", "empirical_q"] = "delong",
    interval: Scale = "logit",
    level: float = 0.95,
    adjust: Adjustment = "holm",
    skipped: Mapping[str, str] | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Screening:
    """Screen numeric markers, O(k n log n) for k markers; results do not depend on the number of workers.

    ``workers`` are threads, as many as there are processors if not given.

    Gaps (NaN) are left out marker by marker and counted. The p-value is that of the Mann-Whitney z against an area of
    one half, as SPSS prints it. ``direction="auto"`` turns markers whose area is below one half; their rows say so, and
    their p-values do not know that the direction was chosen.
    """
    check_choice(direction, "direction", ("higher", "lower", "auto"))
    check_choice(standard_error, "standard_error", ("delong", "empirical_q"))
    check_level(level)
    workers = workers if workers is not None else os.cpu_count() or 1
    check_count(workers, "workers", least=1, way_out="use 1 for no parallel work")
    if not markers:
        raise InputError("markers", "must hold at least one numeric column", Words("none"))
    passed_over = dict(skipped or {})
    names = list(markers)

    def one(name: str) -> ScreenedMarker | str:
        return _screened(name, label, markers[name], direction, standard_error, interval, level)

    found: list[ScreenedMarker] = []
    with ThreadPoolExecutor(workers) as pool:
        try:
            for done, (name, result) in enumerate(zip(names, pool.map(one, names), strict=True), start=1):
                if isinstance(result, str):
                    passed_over[name] = result
                else:
                    found.append(result)
                if progress is not None:
                    progress(done, len(names))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    if not found:
        reason = next(iter(passed_over.values()))
        raise InputError("", "no marker could be screened", way_out=f"the first was passed over because {reason}")
    fixed = adjusted([marker.p_value for marker in found], adjust)
    ranked = [replace(marker, p_adjusted=p) for marker, p in zip(found, fixed, strict=True)]
    ranked.sort(key=lambda marker: -marker.area)
    return Screening(
        markers=tuple(ranked),
        skipped=passed_over,
        level=level,
        adjustment=adjust,
        method=f"{_TITLES[standard_error]}, {interval}",
        positive=positive,
        negative=negative,
    )


def _screened(
    name: str,
    label: Bools,
    values: Array,
    direction: str,
    standard_error: str,
    interval: Scale,
    level: float,
) -> ScreenedMarker | str:
    """One marker, or the reason why it cannot be screened."""
    present = ~np.isnan(values) if values.dtype.kind == "f" else None
    if present is not None and not present.all():
        label, values = label[present], values[present]
    dropped = 0 if present is None else int(present.size - values.size)
    n_pos = int(np.count_nonzero(label))
    n_neg = label.size - n_pos
    if n_pos == 0 or n_neg == 0:
        return "it has values in one class only"
    side: Any = "lower" if direction == "lower" else "higher"
    sample = Sample(n_pos=n_pos, n_neg=n_neg, direction=side, score=name)
    tally = Tally.from_labels(label, -values.astype(np.float64) if side == "lower" else values, sample=sample)
    area = auc(tally)
    note = ""
    if direction == "auto" and area < 0.5:
        tally = tally.reversed()
        area = auc(tally)
        note = "lower values mean positive (chosen from the data)"
    if tally.score.size == 1:
        note = "the marker is constant"
    elif area < 0.5:
        note = f"the area is below 0.5; turned round it would be {1 - area:.4f}"
    estimate = estimate_from_error(
        area_of_method("empirical"),
        area,
        _standard_error(tally, area, standard_error),
        _TITLES[standard_error],
        sample=sample,
        level=level,
        interval=interval,
        side="two-sided",
    )
    z = (area - 0.5) / null_se(n_pos, n_neg)
    cutoff, tpr, fpr = _youden(tally)
    return ScreenedMarker(
        name=name,
        n_pos=n_pos,
        n_neg=n_neg,
        dropped=dropped,
        direction=tally.sample.direction,
        area=area,
        standard_error=estimate.standard_error,
        p_value=2 * float(ndtr(-abs(z))),
        p_adjusted=math.nan,
        interval=estimate.interval,
        cutoff=cutoff,
        sensitivity=tpr,
        specificity=1 - fpr,
        accuracy=(tpr * n_pos + (1 - fpr) * n_neg) / (n_pos + n_neg),
        tied=bool(np.any((tally.pos > 0) & (tally.neg > 0))),
        note=note,
    )


def _standard_error(tally: Tally, area: float, kind: str) -> float:
    if kind == "empirical_q":
        return empirical_q_se(tally)
    variance = delong_variance(tally, area)
    return variance if isinstance(variance, Undefined) else math.sqrt(variance)


def _youden(tally: Tally) -> tuple[float, float, float]:
    """Threshold, tpr and fpr with the largest tpr - fpr; the highest threshold among equal ones."""
    n_pos, n_neg = int(tally.n_pos), int(tally.n_neg)
    # TP·N - FP·P in whole numbers: equal gains are equal. Beyond 2**62 the sum would overflow.
    kind = np.int64 if n_pos * n_neg < 2**62 else np.float64
    steps = np.multiply(tally.pos, n_neg, dtype=kind) - np.multiply(tally.neg, n_pos, dtype=kind)
    gain = np.cumsum(steps, out=steps)
    at = int(np.argmax(gain))
    if gain[at] <= 0:
        return float(tally.shown(np.array([np.inf]))[0]), 0.0, 0.0
    tp, fp = int(tally.pos[: at + 1].sum()), int(tally.neg[: at + 1].sum())
    return float(tally.shown(tally.score[at : at + 1])[0]), tp / n_pos, fp / n_neg
