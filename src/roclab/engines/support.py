"""What every engine does with every question: counts it exactly, within a bound, or refuses it and names a way.

Written down once. The guide shows it (``docs/engines_table.py`` makes the table of ``docs/guide/engines.md``), and
``tests/engines/test_support.py`` asks every engine every question and compares what happens with what stands here.

There are four roads: rows in memory; rows that DuckDB reads (files, databases, Arrow, lazy frames that are written out
for it); rows on an engine of the user's, of which only aggregates leave (``engine="native"``, as Spark and Ibis always
are); and tallies, which are counts without rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

__all__ = ["ENGINES", "QUESTIONS", "Answer", "Question", "engines_table"]

Road = Literal["memory", "embedded", "native", "counts"]
Does = Literal["exact", "bounded", "refused"]

ENGINES: Mapping[str, Road] = {
    "memory": "memory", "DuckDB": "embedded", "Arrow": "embedded", "Polars lazy": "native", "Ibis": "native",
    "Spark": "native", "Spark Connect": "native", "tallies": "counts",
}  # fmt: skip


class Answer(NamedTuple):
    """What one road does, and what it says where it refuses; ``instead`` is the nearest call that works."""

    does: Does
    instead: str = ""


class Question(NamedTuple):
    """A question, as the guide writes it, and its answer by road; rows in memory answer all of them exactly."""

    call: str
    embedded: Answer
    native: Answer
    counts: Answer

    def answer(self, engine: str) -> Answer:
        """What an engine does with it."""
        road = ENGINES[engine]
        return Answer("exact") if road == "memory" else {
            "embedded": self.embedded, "native": self.native, "counts": self.counts,
        }[road]  # fmt: skip


_EXACT, _BOUNDED = Answer("exact"), Answer("bounded")
_FETCH = Answer("refused", "engine='memory'")
_ROWS = Answer("refused", "where the rows are")
_DELONG = Answer("refused", "variance='delong'")
_LEAVE_OUT = Answer("refused", "leave it out")
_NO_TABLE = Answer("refused", "a table with label='outcome'")


def _every(call: str, counts: Answer = _EXACT) -> Question:
    return Question(call, _EXACT, _EXACT, counts)


def _in_cells(call: str) -> Question:
    return Question(call, _BOUNDED, _BOUNDED, _EXACT)


def _in_memory(call: str, counts: Answer = _ROWS) -> Question:
    return Question(call, _FETCH, _FETCH, counts)


QUESTIONS: Mapping[str, Question] = {
    "auc": _every("`auc`"),
    "roc": _every("`roc`"),
    "rate_at": _in_cells("`roc(…).rate_at(…)`"),
    "partial": _in_cells("`auc(fpr=…)`, `auc(tpr=…)`: the area exact, its standard error"),
    "tauc": _in_cells('`auc(estimator="tauc")`: likewise'),
    "average_precision": _in_cells('`auc(estimator="average_precision")`'),
    "bootstrap": _in_cells('`auc(variance="bootstrap")`'),
    "compare": _every("`compare`", _ROWS),
    "compare_rates": _every("`compare(threshold=…)`", _ROWS),
    "compare_at_rate": _every("`compare(at_specificity=…)`", _ROWS),
    "compare_partial": _every("`compare(fpr=…)`", _ROWS),
    "compare_bootstrap": Question('`compare(variance="bootstrap")`', _DELONG, _DELONG, _ROWS),
    "compare_by_id": _every('`compare(variance="bootstrap")` by ids: `Resampling(scheme="poisson")`', _LEAVE_OUT),
    "cutoff": _every("`cutoff`"),
    "confusion": _every("`confusion`"),
    "screen": _every("`screen`", _NO_TABLE),
    "by": _every("`by=`", _LEAVE_OUT),
    "many_groups": _every("`auc(by=…)` of more than a thousand groups", _LEAVE_OUT),
    "ids": _every("`ids=`: areas and comparisons", _LEAVE_OUT),
    "frequency": _every("`sample_weight=` of whole numbers: `auc`, `confusion`", _LEAVE_OUT),
    "importance": _every("`sample_weight=` of real numbers: `auc`, `confusion`", _LEAVE_OUT),
    "compare_weighted": _in_memory("`compare(sample_weight=…)`", _LEAVE_OUT),
    "net_benefit": _in_cells("`net_benefit`, decision curves"),
    "calibration": _in_cells("`roc(…).calibration()`: bins, intercept, slope"),
    "multiclass": _in_memory("`multiclass`", _NO_TABLE),
    "report": _every("`build_report`, `write_report`", _ROWS),
    "recalibrate": _in_cells("`recalibrate`"),
    "logistic": _every("`logistic`", _ROWS),
    "ranks": _in_memory("`ranks.mann_whitney`, `ranks.smirnov`"),
    "selective": _in_memory("`selective`"),
}


def _shown(instead: str) -> str:
    """A call in the letters of calls."""
    return instead if " " in instead else f"`{instead}`"


def engines_table() -> str:
    """The table in Markdown: one row a question, one column an engine, and what is named where one refuses."""
    lines = ["| question | " + " | ".join(ENGINES) + " | instead |", "|---|" + "---|" * (len(ENGINES) + 1)]
    for question in QUESTIONS.values():
        answers = [question.answer(engine) for engine in ENGINES]
        instead = list(dict.fromkeys(_shown(one.instead)
                                     for one in answers if one.instead))  # fmt: skip
        lines.append(f"| {question.call} | {' | '.join(one.does for one in answers)} | {'; '.join(instead)} |")
    return "\n".join(lines)
