"""What the search for cut-offs returns: the best one of a score, those of several, and the calls of other cases."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from roclab._core.plain import plain
from roclab._core.text import text_table
from roclab._core.types import Array, Bools
from roclab.data.columns import score_column
from roclab.decisions.cutoffs import Cutoff, CutoffResult
from roclab.decisions.intervals import MetricIntervals
from roclab.decisions.left_out import LeftOut, cutoff_left_out
from roclab.decisions.promise import Promise
from roclab.results import Result, Sample
from roclab.results.pictured import Pictured

__all__ = ["BestCutoff", "CutoffTable", "PredictedCalls", "PromisedCutoff"]

SAME_CASES = (
    "The intervals ignore that the cut-off was chosen on these cases; the bootstrap (cutoff_stability,\n"
    "roclab cutoff --bootstrap) shows how much better it looks than it is."
)

OF_THESE_CASES = (
    "The rates and intervals above are those of the cases that chose the cut-off; the promise is for new ones."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestCutoff(Pictured):
    """All tied optima of one score, and what the best of them does to the cases."""

    cutoff: CutoffResult
    metrics: MetricIntervals
    # The counts, whose curve a figure shows.
    _tally: Any = field(default=None, repr=False, metadata={"not_in_json": True})
    _asked: Any = field(default=None, repr=False, metadata={"not_in_json": True})  # how the cut-off was sought
    _left_out: LeftOut | None = field(default=None, repr=False, metadata={"not_in_json": True})

    @classmethod
    def _fields_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """The metrics are those of the first of the optima."""
        best = {"matrix": data["optima"][0]["matrix"]}
        own = ("metrics", "intervals", "level", "left_out")
        cutoff = {name: data[name] for name in data if name not in own}
        outside = {"_left_out": data["left_out"]} if "left_out" in data else {}
        metrics = best | {name: data[name] for name in ("metrics", "intervals", "level")}
        return {"cutoff": cutoff, "metrics": metrics, **outside}

    @property
    def left_out(self) -> LeftOut | None:
        """Rates that cut-offs chosen so have on cases left out of the choice; computed when asked for.

        From 200 bootstrap samples with one seed, so that the same cases have the same answer; ``cutoff_stability`` has
        any number of samples, and intervals. None where nothing is known of the cases any more.
        """
        if self._left_out is not None or self._asked is None:
            return self._left_out
        return cutoff_left_out(self._tally, self._asked)

    def _noting(self, *notes: str) -> BestCutoff:
        """The same with further notes."""
        return replace(self, cutoff=self.cutoff._noting(*notes))

    @property
    def threshold(self) -> float:
        """The best cut-off; of equals the one with the fewest false positives."""
        return self.cutoff.threshold

    @property
    def best(self) -> Cutoff:
        """The best cut-off with its rates and its matrix."""
        return self.cutoff.best

    @property
    def optima(self) -> tuple[Cutoff, ...]:
        """All cut-offs that do equally well."""
        return self.cutoff.optima

    @property
    def tied(self) -> int:
        """How many do equally well."""
        return self.cutoff.tied

    def predict(self, scores: Any) -> Bools:
        """The calls of other cases by the best cut-off: True where a score reaches it."""
        return self.best.predict(scores)

    def call(self, scores: Any) -> PredictedCalls:
        """The same as a table: score, call, and the words for both classes."""
        values = score_column(scores, "scores").values
        called = self.predict(scores)
        sample = self.cutoff.sample
        return PredictedCalls(scores=values, called=called, rule=self.best.rule(), sample=sample)

    def to_dict(self) -> dict[str, Any]:
        """The cut-off's own dictionary, with the metrics of the best one and their intervals."""
        best, outside = self.metrics.to_dict(), self.left_out
        own = {name: best[name] for name in ("metrics", "intervals", "level")}
        return {**self.cutoff.to_dict(), **own, **({} if outside is None else {"left_out": outside.to_dict()})}

    def rows(self) -> list[dict[str, Any]]:
        """One row per tied optimum."""
        return self.cutoff.rows()

    def __str__(self) -> str:
        outside = self.left_out
        said = [] if outside is None or not outside.known else [
            f"On cases left out of the choice, cut-offs chosen so have {outside.rates()}", f"({outside.method})."
        ]  # fmt: skip
        return "\n".join([str(self.cutoff), "", self.metrics.tables(), "", *said, SAME_CASES])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PromisedCutoff(BestCutoff):
    """A cut-off whose bounds hold in new cases with ``confidence``, for all thresholds from ``low`` to ``high``.

    ``promises`` says of every bound how many cases may lie on the wrong side, and how often it is kept.
    """

    promises: tuple[Promise, ...]
    confidence: float
    low: float
    high: float

    @classmethod
    def _fields_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """The promises stand beside what every cut-off has."""
        own = {name: data[name] for name in ("promises", "confidence", "low", "high")}
        return {**BestCutoff._fields_of({name: data[name] for name in data if name not in own}), **own}

    @property
    def misses_allowed(self) -> float:
        """Of the first bound: how many cases may lie on the wrong side."""
        return self.promises[0].misses_allowed

    @property
    def kept(self) -> float:
        """How often all bounds hold in new cases: the product of independent promises, at least the confidence."""
        counted = all(one.misses_allowed == one.misses_allowed for one in self.promises)
        product = math.prod(one.kept for one in self.promises)
        return max(product, self.confidence) if counted else self.confidence

    @property
    def needed(self) -> float:
        """Of the first bound: the fewest cases that could promise it."""
        return self.promises[0].needed

    def to_dict(self) -> dict[str, Any]:
        """The cut-off's dictionary, and the promises."""
        own = plain({"promises": self.promises, "confidence": self.confidence, "low": self.low, "high": self.high})
        return {**BestCutoff.to_dict(self), **own}

    def __str__(self) -> str:
        percent = f"{100 * self.confidence:g}%"
        lines = [str(self.cutoff), "", f"Promised for new cases like these, with {percent} confidence:"]
        for one in self.promises:
            said = f"  {one.bound}: {one.method}"
            if one.misses_allowed == one.misses_allowed:
                said += (
                    f"; {one.misses_allowed:g} of {one.cases:g} cases may lie on the wrong side, {one.misses_made:g} "
                    f"do; kept in {100 * one.kept:.1f}% of such studies"
                )
            lines.append(said)
        lines.append(f"  the same holds for every threshold from {self.low:.6g} to {self.high:.6g}")
        return "\n".join([*lines, "", self.metrics.tables(), "", OF_THESE_CASES])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutoffTable(Result):
    """The best cut-off of each of several scores."""

    cutoffs: tuple[CutoffResult, ...]
    left_out: tuple[LeftOut, ...] = ()  # rates on cases left out of the choice, where no promise stands for them

    def to_dict(self) -> dict[str, Any]:
        """The dictionary of each score."""
        outside = {"left_out": [one.to_dict() for one in self.left_out]} if self.left_out else {}
        return {"cutoffs": [cutoff.to_dict() for cutoff in self.cutoffs], **outside}

    def rows(self) -> list[dict[str, Any]]:
        """One row per score: the best of its tied optima, how many there are, and rates on cases left out."""
        rows = [
            {"variable": cutoff.sample.score, **cutoff.best.rows()[0], "tied": cutoff.tied} for cutoff in self.cutoffs
        ]
        for row, one in zip(rows, self.left_out, strict=False):
            row |= {"left-out sensitivity": one.sensitivity, "left-out specificity": one.specificity}
        return rows

    def __str__(self) -> str:
        shown = [{"majority" if name == "majority rate" else name: row[name] for name in row} for row in self.rows()]
        for row in shown:
            for name in ("tied", "left-out sensitivity", "left-out specificity"):
                row.pop(name, None)
        first = self.cutoffs[0]
        lines = [text_table(shown), "", first.sought]
        lines += [
            f"{cutoff.sample.score}: {cutoff.tied:,} cut-offs are equally good; shown is the one with the fewest "
            "false positives"
            for cutoff in self.cutoffs
            if cutoff.tied > 1
        ]
        lines += [f"{cutoff.sample.score}: {note}" for cutoff in self.cutoffs for note in cutoff.notes]
        known = [
            (cutoff.sample.score, one) for cutoff, one in zip(self.cutoffs, self.left_out, strict=False) if one.known
        ]
        if known:
            lines.append(f"on cases left out of the choice ({known[0][1].method}):")
            lines += [f"  {name}: {one.rates()}" for name, one in known]
        lines.append("accuracy compares with the majority rate, that of calling every case by the larger class")
        samples = {cutoff.sample.score: cutoff.sample.without_name().describe() for cutoff in self.cutoffs}
        if len(set(samples.values())) > 1:
            return "\n".join([*lines, *(f"{name}: {text}" for name, text in samples.items())])
        return "\n".join([*lines, next(iter(samples.values()))])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PredictedCalls(Result):
    """Other cases, called by a cut-off that was found before."""

    scores: Array
    called: Bools  # True: positive
    rule: str
    sample: Sample  # of the cases in which the cut-off was found

    def rows(self) -> list[dict[str, Any]]:
        """One row per case."""
        words = np.where(self.called, self.sample.positive, self.sample.negative).tolist()
        return [{"score": score, "called": word} for score, word in zip(self.scores.tolist(), words, strict=True)]

    def __str__(self) -> str:
        positive = int(np.count_nonzero(self.called))
        summary = f"{positive} of {self.called.size} cases called {self.sample.positive}: {self.rule}"
        return "\n".join([text_table(self.rows()), "", summary, f"found in {self.sample.describe()}"])
