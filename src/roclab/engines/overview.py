"""What a first look at a source tells: its classes, its gaps, and the range of every score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from roclab._core.checks import plural
from roclab.data.files.cells import typed
from roclab.data.labels import binary_labels, match_labels
from roclab.data.outcome_rule import OutcomeRule, rule_of
from roclab.data.roles import Roles
from roclab.data.sources import SourceTable
from roclab.engines.weights import CutWeights
from roclab.errors import InputError, MissingValuesError, OneClassError, Words, named

__all__ = [
    "EXACT",
    "Asked",
    "Classes",
    "Look",
    "Overview",
    "check_counts",
    "ScoreRange",
    "asked_rule",
    "check_gaps",
    "check_integer",
    "classes_of",
    "overview_of",
    "ranges_of",
]

# Label, whether a value is missing, cases; gaps, low, high, infinite and about how many values of every score; ids, and
# cases without one.
Look = tuple[Any, ...]

MOST_LABELS = 1000
EXACT = 1 << 53  # integers up to this are apart in float64


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRange:
    """Where the values of one score lie: ends of the finite ones, and about how many there are."""

    low: float
    high: float
    distinct: float
    infinite: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Classes:
    """The two classes: which labels make each, and what they are called."""

    positives: tuple[Any, ...]
    negatives: tuple[Any, ...]
    positive: str
    negative: str
    n_pos: int
    n_neg: int
    left_out: int = 0  # cases of other classes
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The first look: who is in the data, and where scores lie."""

    classes: Classes
    dropped: int
    ranges: Mapping[str, ScoreRange]
    clusters: int | None = None  # subjects, where an id was named
    weights: CutWeights | None = None  # what cases count, where a weight was named

    @property
    def cases(self) -> int:
        """Cases that are counted."""
        return self.classes.n_pos + self.classes.n_neg

    @property
    def totals(self) -> tuple[float, float]:
        """Positives and negatives, or their weights."""
        if self.weights is not None:
            return self.weights.pos, self.weights.neg
        return self.classes.n_pos, self.classes.n_neg


def asked_rule(pos_label: Any) -> OutcomeRule | None:
    """The rule that makes the classes, such as ">6.5"."""
    return rule_of(pos_label) if isinstance(pos_label, str) else None


def classes_of(counts: Mapping[Any, int], *, pos_label: Any, neg_label: Any, name: str, printed: bool) -> Classes:
    """The two classes of labels that were counted; which is positive is said by the user, as for data in memory."""
    rule = asked_rule(pos_label)
    if rule is not None and set(counts) <= {True, False}:
        return _made_by_rule(counts, rule, name)
    if len(counts) > MOST_LABELS:
        raise InputError(
            name,
            "must hold classes",
            Words(f"more than {MOST_LABELS} different values"),
            f"if these are measurements, make the outcome by a rule such as {named('pos_label', '>6.5')}",
        )
    raw = list(counts)
    values = typed(raw, decimal=".") if raw and all(isinstance(one, str) for one in raw) and printed else np.array(raw)
    if printed and pos_label is not None:
        pos_label = match_labels(values, pos_label)
        neg_label = None if neg_label is None else match_labels(values, neg_label)
    total = sum(counts.values())
    try:
        labels = binary_labels(values, pos_label=pos_label, neg_label=neg_label, name=name)
    except OneClassError as error:  # what it counted are labels here, not cases
        got = error.received.replace("in 1 case", f"in {plural(total, 'case')}")
        raise OneClassError(error.argument, error.rule, Words(got), error.way_out) from None
    kept = np.ones(len(raw), bool) if labels.keep is None else labels.keep
    side = np.zeros(len(raw), bool)
    side[kept] = labels.is_positive
    positives = tuple(one for one, yes in zip(raw, side, strict=True) if yes)
    negatives = tuple(one for one, yes, held in zip(raw, side, kept, strict=True) if held and not yes)
    left_out = sum(counts[one] for one, held in zip(raw, kept, strict=True) if not held)
    remark = labels.remark.split(" (")[0]  # what it counts are labels here, not cases
    if left_out:
        remark = f"{plural(left_out, 'case')} of other classes left out"
    return Classes(
        positives=positives, negatives=negatives, positive=labels.positive, negative=labels.negative,
        n_pos=sum(counts[positive] for positive in positives), n_neg=sum(counts[one] for one in negatives),
        left_out=left_out, remark=remark,
    )  # fmt: skip


def _made_by_rule(counts: Mapping[Any, int], rule: OutcomeRule, name: str) -> Classes:
    n_pos, n_neg = counts.get(True, 0), counts.get(False, 0)
    if not n_pos or not n_neg:
        raise OneClassError(
            "pos_label", f"must leave cases of {name} on both sides", Words(rule.positive), "choose a cut between them"
        )
    return Classes(
        positives=(True,), negatives=(False,), positive=rule.positive, negative=rule.negative, n_pos=n_pos,
        n_neg=n_neg, remark=f"positive by {name} {rule.positive}",
    )  # fmt: skip


def check_gaps(gaps: Mapping[str, int], lacking: int, total: int, missing: str) -> None:
    """Refuse gaps unless they are to be dropped; the counts are in the error."""
    if total == 0:
        raise InputError("", "the source must hold cases", Words("no rows"), "check how it was written")
    if not lacking:
        return
    if missing == "error":
        counts = ", ".join(f"{name} lacks {count}" for name, count in gaps.items() if count)
        raise MissingValuesError(
            "",
            "values must not be missing",
            Words(f"gaps in {lacking} of {plural(total, 'case')}: {counts}"),
            f"write {named('missing', 'drop')} to leave those cases out",
        )
    if lacking == total:
        raise MissingValuesError("", "every case has a missing value, so none is left", way_out="check the columns")


def check_counts(called: str, seen: Overview, pos: float, neg: float) -> None:
    """Refuse rows that were changed between the first look and the count."""
    close = 1e-9 if seen.weights is not None and seen.weights.real else 0.0
    known = seen.totals
    if abs(pos - known[0]) > close * known[0] or abs(neg - known[1]) > close * known[1]:
        raise InputError(
            called, "must not change while it is counted",
            Words(f"{sum(known):,.12g} cases at the first look and {pos + neg:,.12g} later"),
            "ask again when nobody writes to it, or of a snapshot",
        )  # fmt: skip


def check_integer(name: str, largest: int) -> None:
    """Refuse integers that float64 would join."""
    if abs(largest) > EXACT:
        raise InputError(
            name, "must hold integers of at most 2**53 in size, which float64 keeps apart", Words(str(largest)),
            "divide or rank them first",
        )  # fmt: skip


class Asked(Protocol):
    """What a look is judged by."""

    table: SourceTable
    roles: Roles
    missing: str
    pos_label: Any
    neg_label: Any


def overview_of(backend: Asked, found: Sequence[Look], clusters: int | None = None, *, unweighted: int = 0) -> Overview:
    """What rows of a look say together: gaps are refused or dropped, and labels make two classes.

    So many cases have no weight.
    """
    scores = backend.roles.scores
    gaps = {backend.roles.label: sum(row[2] for row in found if row[0] is None)}
    gaps |= {name: sum(row[3 + 5 * at] for row in found) for at, name in enumerate(scores)}
    if backend.roles.id is not None:
        gaps[backend.roles.id] = sum(row[-1] for row in found)
    if backend.roles.weight is not None:
        gaps[backend.roles.weight] = unweighted
    lacking = sum(row[2] for row in found if row[1])
    check_gaps(gaps, lacking, sum(row[2] for row in found), backend.missing)
    counts: dict[Any, int] = {}
    for row in found:
        if not row[1]:
            counts[row[0]] = counts.get(row[0], 0) + row[2]
    classes = classes_of(
        counts, pos_label=backend.pos_label, neg_label=backend.neg_label, name=backend.roles.label,
        printed=backend.table.printed_labels,
    )  # fmt: skip
    return Overview(classes=classes, dropped=lacking, ranges=ranges_of(scores, found), clusters=clusters)


def ranges_of(scores: Sequence[str], found: Sequence[Look]) -> dict[str, ScoreRange]:
    """Where each score lies, by the rows of a look that lack nothing."""
    whole = [row for row in found if not row[1]]
    return {name: joined_ranges([row[4 + 5 * at : 8 + 5 * at] for row in whole]) for at, name in enumerate(scores)}


def joined_ranges(rows: Sequence[Sequence[Any]]) -> ScoreRange:
    """One range of several groups: low, high, infinite and distinct of each."""
    lows = [row[0] for row in rows if row[0] is not None]
    highs = [row[1] for row in rows if row[1] is not None]
    return ScoreRange(
        low=float(min(lows)) if lows else 0.0,
        high=float(max(highs)) if highs else 0.0,
        infinite=any(row[2] for row in rows),
        distinct=float(sum(row[3] for row in rows)),
    )
