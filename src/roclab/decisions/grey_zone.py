"""Two cut-offs with a grey zone between them: sure below one, sure above the other, undecided in between."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_level
from roclab._core.text import format_number, text_table
from roclab._core.types import Bools
from roclab._core.undefined import Undefined
from roclab.data.tally import Tally
from roclab.decisions.coordinates import Coordinates, coordinates
from roclab.decisions.cutoffs import Cutoff, cutoff_at_row
from roclab.decisions.left_out import LeftOut, rates_left_out
from roclab.decisions.metrics import quotient
from roclab.decisions.promise import KNOWN, promised_rows
from roclab.decisions.requirements import Bounds, Requirement, meets, requirements
from roclab.inference.one_curve.proportions import proportion_interval
from roclab.names import ThresholdRule
from roclab.results import Result, Sample

__all__ = ["GreyZone", "grey_zone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """What happens to the cases of one answer: negative, undecided or positive."""

    answer: str
    pos: float
    neg: float
    share: float  # of all cases
    likelihood_ratio: float  # share of the positives over share of the negatives


@dataclass(frozen=True, slots=True, kw_only=True)
class GreyZone(Result):
    """Two cut-offs: cases that do not reach ``lower`` are ruled out, those that reach ``upper`` are ruled in."""

    lower: Cutoff
    upper: Cutoff
    rule_out: str
    rule_in: str
    zones: tuple[Zone, Zone, Zone]  # negative, undecided, positive
    rule: ThresholdRule
    sample: Sample
    notes: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()  # rates of both cut-offs on cases left out of the choice; none of promised ones

    @property
    def share(self) -> float:
        """Share of all cases that stay undecided."""
        return self.zones[1].share

    def rows(self) -> list[dict[str, Any]]:
        """One row per answer."""
        return [
            {
                "answer": zone.answer,
                f"actual {self.sample.positive}": zone.pos,
                f"actual {self.sample.negative}": zone.neg,
                "share": zone.share,
                "likelihood ratio": zone.likelihood_ratio,
            }
            for zone in self.zones
        ]

    def __str__(self) -> str:
        both = [
            {"": name, "needs": words, **cutoff.rows()[0]}
            for name, words, cutoff in (
                ("rule out below", self.rule_out, self.lower),
                ("rule in from", self.rule_in, self.upper),
            )
        ]
        for row in both:  # what the zones below say better
            for name in ("value", "accuracy", "majority rate"):
                row.pop(name)
        outside = []
        if self.left_out and all(one.known for one in self.left_out):
            lower, upper = self.left_out
            outside = [
                "on cases left out of the choice the lower cut-off has sensitivity "
                f"{format_number(lower.sensitivity)},",
                f"the upper one specificity {format_number(upper.specificity)} ({lower.method})",
            ]
        parts = [text_table(both), "", text_table(self.rows()), "", *outside, self.sample.describe(), *self.notes]
        return "\n".join(parts)


def grey_zone(
    tally: Tally,
    *,
    rule_out: Bounds | None = None,
    rule_in: Bounds | None = None,
    rule: ThresholdRule = "observed",
    confidence: float | None = None,
) -> GreyZone:
    """Two cut-offs, each safe in its own direction, and the share of cases left undecided between them; O(n).

    Parameters
    ----------
    tally : Tally
    rule_out : mapping of metrics to bounds
        What the lower cut-off must keep, by default ``{"sensitivity": 0.95}``; also NPV, LR- and any other metric.
        The highest threshold that keeps it is taken, which rules out the most.
    rule_in : mapping of metrics to bounds
        What the upper cut-off must keep, by default ``{"specificity": 0.95}``; also PPV, LR+ … The lowest threshold
        that keeps it is taken, which rules in the most.
    rule : "observed", "midpoints" or "spss"
    confidence : float, optional
        Promise that both bounds hold in new cases, together with this probability.

    Notes
    -----
    When one threshold keeps both bounds no zone is needed: both cut-offs are then that threshold (of several the one
    with the largest Youden index) and a note says so.

    References
    ----------
    Greiner M, Sohr D, Göbel P. A modified ROC analysis for the selection of cut-off values and the definition of
    intermediate results of serodiagnostic tests. J Immunol Methods 1995;185:123-132.

    Examples
    --------
    >>> tally = Tally.from_samples(np.array([2.0, 4.0, 5.0, 6.0]), np.array([1.0, 2.0, 3.0, 4.0]))
    >>> zone = grey_zone(tally, rule_out={"sensitivity": 1}, rule_in={"specificity": 1})
    >>> zone.lower.threshold, zone.upper.threshold, zone.share
    (2.0, 5.0, 0.625)
    """
    out_bounds = requirements({"sensitivity": 0.95} if rule_out is None else rule_out)
    in_bounds = requirements({"specificity": 0.95} if rule_in is None else rule_in)
    table = coordinates(tally, rule=rule)
    notes: list[str] = []
    if confidence is None:
        safe_out, safe_in = meets(table, out_bounds), meets(table, in_bounds)
    else:
        safe_out, safe_in, notes = _promised(tally, table, out_bounds, in_bounds, confidence)
    low_row, high_row = _rows(table, safe_out, safe_in)
    if high_row == low_row:
        notes.append("One cut-off keeps both bounds, so no case stays undecided.")
    if confidence is not None:
        notes += _decided(table, low_row, high_row)
    youden = table.column("youden_j")
    return GreyZone(
        lower=cutoff_at_row(table, low_row, float(youden[low_row])),
        upper=cutoff_at_row(table, high_row, float(youden[high_row])),
        rule_out=" and ".join(map(str, out_bounds)),
        rule_in=" and ".join(map(str, in_bounds)),
        zones=_zones(table, low_row, high_row),
        rule=rule,
        sample=tally.sample,
        notes=tuple(notes),
        left_out=() if confidence is not None else rates_left_out(
            tally, lambda one: _rows(one, meets(one, out_bounds), meets(one, in_bounds)), rule, many=2
        ),
    )  # fmt: skip


def _rows(table: Coordinates, safe_out: Bools, safe_in: Bools) -> tuple[int, int]:
    """The rows of the lower and of the upper cut-off; one row where it keeps both bounds."""
    low_row, high_row = int(np.flatnonzero(safe_out)[0]), int(np.flatnonzero(safe_in)[-1])
    if high_row < low_row:
        return low_row, high_row
    single = _single(table, safe_out & safe_in, low_row, high_row)
    return single, single


def _promised(
    tally: Tally,
    table: Coordinates,
    out_bounds: list[Requirement],
    in_bounds: list[Requirement],
    confidence: float,
) -> tuple[Bools, Bools, list[str]]:
    """Rows that keep either side in new cases, each with the root of the confidence where the classes part them."""
    check_level(confidence, "confidence")
    of_class = [{KNOWN.get(one.metric.name, ("",))[0] for one in side} for side in (out_bounds, in_bounds)]
    independent = of_class in ([{"tpr"}, {"tnr"}], [{"tnr"}, {"tpr"}])
    each = math.sqrt(confidence) if independent else 1 - (1 - confidence) / 2
    safe_out = promised_rows(tally, table, out_bounds, each)[0]
    safe_in = promised_rows(tally, table, in_bounds, each)[0]
    percent = f"{100 * confidence:.4g}%"
    return safe_out, safe_in, [f"Both sides hold in new cases with {percent} confidence, each with {100 * each:.4g}%."]


def _decided(table: Coordinates, low_row: int, high_row: int) -> list[str]:
    """How many cases are referred, and how good the calls of the others are; limits of 95%."""
    tp, fp = table.tp[high_row].item(), table.fp[high_row].item()
    fn, tn = table.fn[low_row].item(), table.tn[low_row].item()
    total = table.n_pos + table.n_neg
    found = []
    if float(total).is_integer():
        share = proportion_interval(total - tp - fp - fn - tn, total)
        found.append(f"Referred: {(total - tp - fp - fn - tn) / total:.4f} of the cases (95% limits {share}).")
    words = [
        f"{name} {right / of:.4f}" if of else f"{name} undefined"
        for name, right, of in (("sensitivity", tp, tp + fn), ("specificity", tn, tn + fp))
    ]
    return [*found, f"Of the decided cases: {' and '.join(words)}."]


def _single(table: Coordinates, both: Bools, low_row: int, high_row: int) -> int:
    """The best of the rows that keep both bounds; metrics that are not monotone may leave only the ends."""
    rows = np.flatnonzero(both)
    if rows.size == 0:
        return low_row
    youden = table.column("youden_j")[rows]
    return int(rows[np.argmax(youden)])


def _zones(table: Coordinates, low_row: int, high_row: int) -> tuple[Zone, Zone, Zone]:
    """Cases ruled out, undecided and ruled in; rows count from the highest threshold down."""
    total = table.n_pos + table.n_neg
    edges = ((low_row, len(table) - 1, "negative"), (high_row, low_row, "undecided"), (0, high_row, "positive"))
    zones = []
    for start, stop, answer in edges:
        pos = (table.tp[stop] - table.tp[start]).item()
        neg = (table.fp[stop] - table.fp[start]).item()
        ratio: float = float(quotient(pos / table.n_pos, neg / table.n_neg))
        if not pos and not neg:
            ratio = Undefined("no case lies in this zone")
        zones.append(Zone(answer=answer, pos=pos, neg=neg, share=(pos + neg) / total, likelihood_ratio=ratio))
    return zones[0], zones[1], zones[2]
