"""One pass instead of two: where the first rows promise it, a source is looked at and counted at the same time.

Reading is most of the work: of text because it must be parsed, of scores that repeat because grouping them is cheap. A
small sample tells which way to try. A score that repeats is grouped with its label, and the groups say everything a
first look asks. Scores of text files that do not repeat are kept in memory while labels, gaps and ranges are looked
at, or put into bins at once (``growing_bins.py``) where an accuracy was asked for. Text that is plain enough is read by
pyarrow, before a database is opened, unless DuckDB was asked for. Whatever is odd about the rows (gaps in text, a third
label, numbers beyond 2**53) ends the attempt, and the backend goes on as if there had been none: an attempt can cost
time, never another answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.types import Array, Bools, Floats
from roclab._core.work import leave_if_stopped
from roclab.data.files.cells import MISSING
from roclab.data.files.duckdb import Handle, literal, quoted
from roclab.data.files.plain_text import UnplainError, plain_text
from roclab.data.sources import check_accuracy
from roclab.engines.growing_bins import BYTES, BinRule, GrowingBins, rule_for
from roclab.engines.overview import EXACT, Classes, Look, asked_rule, classes_of
from roclab.engines.quantising import is_monotone
from roclab.engines.scan import Cells
from roclab.engines.sorting import CASE, ClassSort
from roclab.engines.sums import Sums
from roclab.engines.watching import tell
from roclab.errors import RoclabError

if TYPE_CHECKING:
    from roclab.engines.duckdb_backend import DuckdbBackend

__all__ = ["FirstPass", "first_pass", "plain_pass"]

_SAMPLE = 1 << 17  # rows that tell whether scores repeat
_NEW = 0.2  # share of a sample that occurs once in it, above which most scores are new ones
_MOST_GROUPS = 2_000_000
_TRIED = 1 << 15  # of them, that tell how wide bins may be
_BATCH = 1 << 18  # rows at a time: scores that are still in the cache when they are looked at
_SPREAD = 500  # rows of every batch that tell it at the end


@dataclass(slots=True)
class FirstPass:
    """What a first look asks, and the counts or scores that came with it."""

    reader: str  # who has read the rows
    found: list[Look]
    groups: tuple[list[Any], Floats, Array] | None = None  # label, score and cases of every group
    sorts: dict[str, ClassSort] = field(default_factory=dict)
    summed: dict[str, Sums] = field(default_factory=dict)  # of scores in sorts, once they were asked for
    bins: dict[str, tuple[Cells, str]] = field(default_factory=dict)  # cells within the accuracy, and what they are

    def cells(self, classes: Classes) -> Cells:
        """The groups as cells of one score each."""
        assert self.groups is not None
        labels, score, cases = self.groups
        side = dict.fromkeys(classes.positives, 1) | dict.fromkeys(classes.negatives, 0)
        sides = np.array([side.get(label, -1) for label in labels])
        kept = (sides >= 0) & ~np.isnan(score)
        values, at = np.unique(score[kept] + 0.0, return_inverse=True)  # no -0
        pos, neg = (np.zeros(values.size, np.int64) for _ in range(2))
        for to, flag in ((neg, 0), (pos, 1)):
            np.add.at(to, at[sides[kept] == flag], cases[kept][sides[kept] == flag])
        return Cells(values, values, pos, neg)


def first_pass(backend: DuckdbBackend, handle: Handle) -> FirstPass | None:
    """The look and the count in one, or None where two passes are the better or the only way."""
    scores = backend.roles.scores
    if backend.roles.id is not None or backend.table.computed is not None or (len(scores) > 1 and not handle.text):
        return None
    try:
        return _tried(backend, handle)
    except RoclabError:  # the backend meets the same, and its checks say which cells are meant
        return None


def _tried(backend: DuckdbBackend, handle: Handle) -> FirstPass | None:
    scores = backend.roles.scores
    columns = [_label(backend, handle), *(_score(backend, handle, name) for name in scores)]
    wanted = ", ".join(f"{one} AS x{at}" for at, one in enumerate(columns))
    source = "plain" if handle.text else "source"
    sample = handle.head(wanted, source, _SAMPLE) or [np.empty(0)]
    if sample[0].size < _SAMPLE:  # two passes over so little are as good
        return None
    if len(scores) == 1 and repeats(sample[1]):
        return _grouped(backend, handle, f"SELECT {wanted} FROM {source}")

    def batches(negative: str, positive: str) -> Iterable[list[Array]]:
        sides = f"WHEN {literal(positive)} THEN 1 WHEN {literal(negative)} THEN 0 ELSE 2"
        asked = [*columns[1:], f"(CASE {columns[0]} {sides} END)::TINYINT"]
        return handle.batches(f"SELECT {', '.join(asked)} FROM plain", _BATCH)

    return _read(backend, backend.name, sample, batches) if handle.text else None


def plain_pass(backend: DuckdbBackend) -> FirstPass | None:
    """The same without an engine, for a large text file that pyarrow reads; None where DuckDB was asked for or must."""
    if backend.table.computed is not None:
        return None
    if backend.roles.id is not None or backend.table.reading.engine not in (None, "auto"):
        return None
    try:
        text = plain_text(backend.table, backend.roles.label, backend.roles.scores)
        if text is None:
            return None
        with closing(text):
            sample = text.head(_SAMPLE)
            if sample[0].size < _SAMPLE or (len(sample) == 2 and repeats(sample[1])):  # DuckDB groups them in passing
                return None
            return _read(backend, "Arrow", sample, text.batches)
    except (RoclabError, UnplainError):
        return None


def _label(backend: DuckdbBackend, handle: Handle) -> str:
    """The label as it stands: trimming every cell of a text costs as much as reading it."""
    plain = handle.text and asked_rule(backend.pos_label) is None and not backend.table.na
    return quoted(backend.roles.label) if plain else backend.label(handle)


def _score(backend: DuckdbBackend, handle: Handle, name: str) -> str:
    return (
        backend.codes(f"TRY_CAST({quoted(name)} AS DOUBLE)", number=True)
        if handle.text
        else backend.score(handle, name)
    )


def repeats(sample: Array) -> bool:
    """Whether few values of a sample occur in it once, so that rows beyond it will mostly repeat them.

    The share of a sample that occurs once estimates how much of the rest is new (Good 1953).

    >>> repeats(np.arange(100) % 20), repeats(np.arange(100))
    (True, False)
    """
    _, count = np.unique(sample, return_counts=True)
    return bool(np.count_nonzero(count == 1) < _NEW * sample.size)


def _grouped(backend: DuckdbBackend, handle: Handle, cases_of: str) -> FirstPass | None:
    """All groups of label and score, or None where they are too many, or a text has gaps that must be looked at."""
    query = f"SELECT x0, x1, count(*) AS x2 FROM ({cases_of}) GROUP BY x0, x1 LIMIT {_MOST_GROUPS}"
    columns = handle.grouped(query)
    if not columns:
        return None
    labels, score, cases = columns
    score = score.astype(np.float64)
    if labels.size == _MOST_GROUPS or (handle.text and (np.isnan(score).any() or not _plain(set(labels.tolist())))):
        return None
    keys = [None if _lacking(one) else one for one in labels.tolist()]
    found: list[Look] = []
    for label in dict.fromkeys(keys):
        own = np.array([key == label if label is not None else key is None for key in keys])
        no_score = np.isnan(score)
        for gap in (False, True):
            rows = own & ((label is None) | no_score) if gap else own & ~no_score & (label is not None)
            if rows.any():
                found.append((label, gap, int(cases[rows].sum()), *_look(score[rows], cases[rows], gap), 0, 0))
    return FirstPass(backend.name, found, (keys, score, cases.astype(np.int64)))


def _lacking(label: Any) -> bool:
    return label is None or label != label


def _plain(labels: set[Any]) -> bool:
    """Words without blanks around them, and none that stands for a missing value."""
    return all(isinstance(label, str) and label == label.strip() and label not in MISSING for label in labels)


def _look(score: Floats, cases: Array, gap: bool) -> tuple[Any, ...]:
    finite = score[np.isfinite(score)] if not gap else score[:0]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (None, None)
    return int(cases[np.isnan(score)].sum()), low, high, bool(np.isinf(score).any()), score.size


Taker = GrowingBins | ClassSort | None  # who takes the values of a score as they come


def _bins(backend: DuckdbBackend, sample: Sequence[Array], positive: Bools) -> list[Taker] | None:
    """Bins that a sample promises to be fine enough; None for exact counts, or where no score has such bins."""
    accuracy, scores = check_accuracy(backend.table.reading.accuracy), backend.roles.scores
    if not accuracy or len(scores) > backend.bins_at_once or len(scores) * BYTES > CASE * backend.capacity():
        return None
    some = slice(None, None, max(_SAMPLE // _TRIED, 1))
    rules = [_rule(one[some], positive[some], accuracy) for one in sample]
    return [None if rule is None else GrowingBins(rule) for rule in rules] if any(rules) else None


def _rule(score: Array, positive: Bools, accuracy: float) -> BinRule | None:
    odd = not np.isfinite(score).all() or positive.all() or not positive.any()
    return None if odd else rule_for(score, positive, accuracy)


def _sorts(backend: DuckdbBackend) -> list[Taker] | None:
    """Room for all scores; None where they would not fit into memory.

    With an accuracy too: sorting one score that is in memory anyway takes less than a second pass for its bins.
    """
    scores, expected = backend.roles.scores, backend.table.about_rows()
    room = backend.capacity() // len(scores)
    if expected is None or 1.2 * expected > room or len(scores) > backend.together:
        return None
    if len(scores) > 1 and check_accuracy(backend.table.reading.accuracy):
        return None
    return [ClassSort(2 * room, Path(os.devnull), workers=2) for _ in scores]


def _read(
    backend: DuckdbBackend, reader: str, sample: Sequence[Array], batches: Callable[[str, str], Iterable[list[Array]]]
) -> FirstPass | None:
    """All scores of a text file with their classes; None where they do not fit, or something is odd.

    ``sample`` has labels and scores of some rows, ``batches`` gives scores and sides of all of them for two labels.
    """
    labels, *values = sample
    scores = backend.roles.scores
    sides = _two_sides(backend, labels) if asked_rule(backend.pos_label) is None else None
    takers = None if sides is None else _bins(backend, values, labels == sides[1]) or _sorts(backend)
    if sides is None or takers is None:
        return None
    room = min([backend.capacity() // len(scores) for one in takers if isinstance(one, ClassSort)], default=None)
    expected = backend.table.about_rows() or 0
    ends, sizes = np.array([[np.inf, -np.inf]] * len(scores)), np.zeros(2, np.int64)
    spread: list[list[Array]] = [[] for _ in scores]
    for *values, side in batches(*sides):
        leave_if_stopped()
        counts = [int(np.count_nonzero(side == one)) for one in (0, 1)]
        sizes += counts
        if sum(counts) < side.size or (room is not None and sizes.sum() > room):
            return None
        for at, one in enumerate(values):
            low, high = one.min(), one.max()
            # Where not, one is missing, no number, infinite, or more than float64 tells apart.
            if not -EXACT < low <= high < EXACT:
                return None
            ends[at] = min(ends[at, 0], low), max(ends[at, 1], high)
            spread[at].append(one[:_SPREAD].copy())  # all of it need not be kept
            taker = takers[at]
            if taker is not None:
                taker.add(one, side)
        tell(f"{reader}: reading {backend.table.called}", int(sizes.sum()), max(expected, int(sizes.sum())))
    distinct = [_distinct_in(np.concatenate(parts)) for parts in spread]
    found = []
    for label, size in zip(sides, sizes.tolist(), strict=True):
        look: list[Any] = [label, False, size]
        for (low, high), few in zip(ends.tolist(), distinct, strict=True):
            look += [0, low, high, False, size if few is None else few]
        found.append((*look, 0, 0))
    return _taken(backend, FirstPass(reader, found), takers)


def _distinct_in(sample: Array) -> int | None:
    """How many values a sample has, where they repeat; None where most others will be new."""
    return np.unique(sample).size if repeats(sample) else None


def _taken(backend: DuckdbBackend, found: FirstPass, takers: Sequence[Taker]) -> FirstPass:
    """What was made of the scores; bins that turned out too wide are left out, and the backend goes on without them."""
    for name, taker in zip(backend.roles.scores, takers, strict=True):
        if isinstance(taker, ClassSort):
            found.sorts[name] = taker
        elif taker is not None:
            cells = taker.cells(check_accuracy(backend.table.reading.accuracy))
            if cells is not None and is_monotone(cells):
                found.bins[name] = cells, f"{taker.words}, certified monotone"
    return found


def _two_sides(backend: DuckdbBackend, labels: Array) -> tuple[str, str] | None:
    """The only negative and the only positive label, if a sample has both and the user's words tell them apart."""
    words = dict.fromkeys(labels.tolist())
    if len(words) != 2 or not _plain(set(words)):
        return None
    try:
        classes = classes_of(
            dict.fromkeys(words, 1), pos_label=backend.pos_label, neg_label=backend.neg_label, name=backend.roles.label,
            printed=backend.table.printed_labels,
        )  # fmt: skip
    except RoclabError:  # which the look of all rows words better
        return None
    if classes.left_out or len(classes.positives) != 1 or len(classes.negatives) != 1:
        return None
    return classes.negatives[0], classes.positives[0]
