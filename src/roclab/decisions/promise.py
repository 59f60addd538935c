r"""Cut-offs whose bounds hold in new cases with a given confidence, not only in the cases that chose them.

- Sensitivity and specificity (and FNR, FPR) by an order statistic, exact for any distribution of the scores
  (``inference/rates/tolerance.py``). Several promises share the confidence c: of both classes each is made at
  :math:`\sqrt c`, because the classes are independent.
- Predictive values, which do not rise with the threshold, by a fixed sequence of tests (Learn then Test): over a grid,
  from few calls to many, :math:`p(t) = P(\mathrm{Bin}(m, v) \ge TP)` of m calls, ending at the first that does not
  reject. Three sequences share the error 1 - c; they begin where m is 2, 4 and 8 times the number that could show
  anything, so that an unlucky first test does not end all. Every threshold that one of them passed is promised. In
  seven binormal designs of 150 to 1000 cases false promises were made in 2% of samples or fewer at c = .95.
- Error rate and accuracy over the same grid with Bonferroni's correction, because they have no order.

The grid is .01 to .99 where scores are probabilities. Else it is 99 quantiles of all scores without their classes,
which stand for a grid that was fixed beforehand.

References
----------
Wilks SS. Determination of sample sizes for setting tolerance limits. Ann Math Stat 1941;12:91-96.
Angelopoulos AN, Bates S, Candès EJ, Jordan MI, Lei L. Learn then Test: calibrating predictive algorithms to achieve
risk control. arXiv:2110.01052.
Korn EL, Graubard BI. Surv Methodol 1998;24:193-201.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import check_level
from roclab._core.types import Bools, Floats, Ints
from roclab._core.undefined import Undefined
from roclab.data.tally import Tally, subjects_at_hand
from roclab.decisions.coordinates import Coordinates, coordinates, criterion_values
from roclab.decisions.cutoffs import CutoffResult, choose_criterion, cutoff_at_row, optimal_rows
from roclab.decisions.promise_sequence import grid_of, thresholds_shown
from roclab.decisions.requirements import Requirement, requirements
from roclab.errors import InputError, NoPromiseError, Words, named
from roclab.inference.rates.tolerance import (
    bound_kept,
    cases_needed,
    clustered_size,
    misses_allowed,
    misses_chance,
)
from roclab.options.criterion import CriterionOptions
from roclab.results import Result

__all__ = ["KNOWN", "Promise", "promised_cutoff", "promised_rows", "size_by_cluster", "with_promises"]

# What is promised of a metric: the metric in which more is better, and whether the bound is turned for it.
KNOWN: dict[str, tuple[str, bool]] = {
    "tpr": ("tpr", False), "fnr": ("tpr", True), "tnr": ("tnr", False), "fpr": ("tnr", True), "ppv": ("ppv", False),
    "fdr": ("ppv", True), "npv": ("npv", False), "for": ("npv", True), "accuracy": ("accuracy", False),
    "error_rate": ("accuracy", True),
}  # fmt: skip
_OF_ONE_CLASS = ("tpr", "tnr")
_STARTS = (2, 4, 8)  # sequences of tests begin at so many times the fewest calls that could show anything


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise(Result):
    """One bound that a cut-off keeps in new cases with ``confidence``.

    ``cases`` of which ``misses_allowed`` may lie on the wrong side, and ``misses_made`` do; ``kept`` is the exact
    probability that the bound holds for continuous scores, at least so much with ties; ``needed`` the fewest cases that
    could promise it. Undefined numbers belong to promises of predictive values.
    """

    bound: str
    metric: str
    confidence: float
    cases: float
    misses_allowed: float
    misses_made: float
    kept: float
    needed: float
    method: str

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "bound": self.bound,
                "confidence": self.confidence,
                "cases": self.cases,
                "misses allowed": self.misses_allowed,
                "misses made": self.misses_made,
                "kept": self.kept,
                "cases needed": self.needed,
                "method": self.method,
            }
        ]


def promised_cutoff(
    tally: Tally, asked: CriterionOptions, confidence: float
) -> tuple[CutoffResult, tuple[Promise, ...], tuple[float, float]]:
    """The best cut-off among those that keep all bounds, the promises, and the range of thresholds that keep them."""
    if asked.require is None:
        raise InputError("confidence", "belongs to a bound", way_out=f"write {named('require', {'sensitivity': 0.9})}")
    check_level(confidence, "confidence")
    bounds = requirements(asked.require)
    chosen = choose_criterion(asked.criterion, bounds, asked.goal)
    chosen.check(asked)
    table = coordinates(tally, rule=asked.rule)
    promised, promises, grid, notes = promised_rows(tally, table, bounds, confidence)
    values = np.where(promised, criterion_values(table, chosen, asked), np.nan)
    rows = optimal_rows(table, chosen, values, [])
    words = ", ".join(map(str, bounds))
    optima = tuple(cutoff_at_row(table, row, value) for row, value in zip(rows.tolist(), values[rows], strict=True))
    if grid is not None:  # what was promised is the threshold of the grid, which decides like that row
        optima = tuple(
            replace(one, threshold=grid[row]) for one, row in zip(optima, rows.tolist(), strict=True)
        )  # fmt: skip
    best = optima[0].matrix
    made = {"tpr": best.fn, "tnr": best.fp}
    promises = tuple(
        replace(one, misses_made=made[metric]) if (metric := _wanted(bound)[0]) in made else one
        for one, bound in zip(promises, bounds, strict=True)
    )
    inside = table.thresholds[promised]
    if grid is not None:
        inside = np.array([grid[row] for row in np.flatnonzero(promised).tolist()])
    found = CutoffResult(
        criterion=chosen.name,
        looked_for=f"{chosen.describe()} where {words} is promised",
        value=float(values[rows[0]]),
        rule=asked.rule,
        sample=tally.sample,
        details={},
        notes=tuple(notes),
        _optima=optima,
    )
    return found, promises, (float(inside.min()), float(inside.max()))


def with_promises(found: CutoffResult, promises: Sequence[Promise]) -> CutoffResult:
    """The cut-off with its promises in words."""
    return found._noting(*(f"promised with {100 * one.confidence:.4g}% confidence: {one.bound}" for one in promises))


def promised_rows(
    tally: Tally, table: Coordinates, bounds: Sequence[Requirement], confidence: float
) -> tuple[Bools, tuple[Promise, ...], dict[int, float] | None, list[str]]:
    """Rows of the table that keep all bounds with the confidence together, and what is promised of them."""
    wanted = [_wanted(one) for one in bounds]
    single = all(metric in _OF_ONE_CLASS for metric, _ in wanted) and len({metric for metric, _ in wanted}) == len(
        wanted
    )
    many = len(wanted)
    each = confidence ** (1 / many) if single else 1 - (1 - confidence) / many
    masks, promises, notes = [], [], []
    grid: dict[int, float] | None = None
    sequence = None
    if any(metric not in _OF_ONE_CLASS for metric, _ in wanted):
        sequence, words = grid_of(tally)
        notes.append(words)
    for one, (metric, rate) in zip(bounds, wanted, strict=True):
        if metric in _OF_ONE_CLASS:
            mask, promise = _of_one_class(tally, table, one, metric, rate, each, confidence, many)
        else:
            assert sequence is not None
            mask, promise = _of_calls(tally, table, one, metric, rate, each, sequence)
        masks.append(mask)
        promises.append(promise)
    together: Bools = np.logical_and.reduce(masks) & table.reachable
    if sequence is not None:
        grid = thresholds_shown(tally, table, sequence, low=any(metric == "npv" for metric, _ in wanted))
        together &= np.isin(np.arange(len(table)), list(grid))
    if not together.any():
        raise _impossible(table, bounds, masks, confidence)
    if many > 1:
        kind = "independent classes" if single else "Bonferroni"
        notes.append(f"{many} promises together: each with {_percent(each)} confidence ({kind}).")
    if tally.weighted:
        notes.append("Importance weights: promised with Kish's effective number of cases, which is approximate.")
    return together, tuple(promises), grid, notes


def _wanted(one: Requirement) -> tuple[str, float]:
    """The metric in which more is better, and the least of it that is wanted."""
    known = KNOWN.get(one.metric.name)
    if known is None:
        raise InputError(
            "confidence", "is known for sensitivity, specificity, fpr, fnr, ppv, npv and error_rate",
            one.title, "leave it out for the best guess",
        )  # fmt: skip
    metric, turned = known
    if one.at_least == turned:
        raise InputError("confidence", "promises a bound on the good side", Words(str(one)), "turn its sign")
    rate = 1 - one.bound if turned else one.bound
    if rate >= 1:
        raise InputError("confidence", "can promise no bound that allows no exception", Words(str(one)),
                         "relax the bound")  # fmt: skip
    return metric, rate


def _of_one_class(
    tally: Tally,
    table: Coordinates,
    one: Requirement,
    metric: str,
    rate: float,
    each: float,
    confidence: float,
    many: int,
) -> tuple[Bools, Promise]:
    """Rows that miss few enough cases of one class."""
    missed = np.asarray(table.fn if metric == "tpr" else table.fp, dtype=np.float64)
    total = float(tally.n_pos if metric == "tpr" else tally.n_neg)
    squares = tally.pos_squares if metric == "tpr" else tally.neg_squares
    subjects = subjects_at_hand(tally)
    method = "order statistic (Wilks 1941)"
    needed: float = cases_needed(rate, each) if rate > 0 else 0
    if subjects is not None:
        size = size_by_cluster(tally, metric, each)
        method = "Korn and Graubard 1998, effective cases of subjects"
    else:
        count = total if squares is None else total * total / float(squares.sum())
        method = method if squares is None else f"{method}, Kish's effective {count:.1f} cases"

        def size(row: int) -> float:
            return count

    def holds(row: int) -> bool:
        cases = size(row)
        share = missed[row] / total
        return misses_chance(share * cases, cases, rate) <= 1 - each + 1e-12

    last = _last_that_holds(missed, holds, table)
    if last is None:
        raise _too_few(one, metric, rate, total if squares is None and subjects is None else size(
            _fewest(missed, table)), each, confidence, many)  # fmt: skip
    allowed = float(missed[last])
    kept = missed <= allowed
    exact = subjects is None and squares is None
    promise = Promise(
        bound=str(one), metric=one.title, confidence=each, cases=total,
        misses_allowed=misses_allowed(int(total), rate, each) if exact else allowed, misses_made=allowed,
        kept=bound_kept(int(allowed), int(total), rate) if exact else each, needed=needed, method=method,
    )  # fmt: skip
    return kept, promise


def _fewest(missed: Floats, table: Coordinates) -> int:
    order = np.where(table.reachable, missed, np.inf)
    return int(np.argmin(order))


def _last_that_holds(missed: Floats, holds: Callable[[int], bool], table: Coordinates) -> int | None:
    """The row that misses most among those that hold, by bisection from the row that misses least."""
    rows = np.flatnonzero(table.reachable)
    rows = rows[np.argsort(missed[rows], kind="stable")]
    if not holds(int(rows[0])):
        return None
    low, high = 0, rows.size  # the first holds
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(int(rows[middle])) else (low, middle)
    return int(rows[low])


def size_by_cluster(tally: Tally, metric: str, each: float) -> Callable[[int], float]:
    """Effective number of cases of one class at a row, from what every subject's cases are called there."""
    subjects = tally.subjects
    assert subjects is not None
    own = subjects.label if metric == "tpr" else ~subjects.label
    score, number = subjects.score[own], subjects.number[own]
    if subjects.weight is not None:
        repeats = np.asarray(subjects.weight[own])
        if repeats.dtype.kind == "f":
            raise InputError("sample_weight", "of importance and subjects together have no form in a promise",
                             way_out="leave one of them out")  # fmt: skip
        score, number = np.repeat(score, repeats), np.repeat(number, repeats)
    edges = np.r_[np.inf, tally.score]

    def size(row: int) -> float:
        called = score >= edges[row]
        missed = ~called if metric == "tpr" else called
        return clustered_size(missed.astype(np.float64), number, len(subjects), each)

    return size


def _of_calls(
    tally: Tally, table: Coordinates, one: Requirement, metric: str, rate: float, each: float, grid: Ints
) -> tuple[Bools, Promise]:
    """Rows of the grid at which tests show a predictive value, or an accuracy, to reach its bound."""
    alpha = 1 - each
    tp, fp, fn, tn = (np.asarray(part, dtype=np.float64) for part in (table.tp, table.fp, table.fn, table.tn))
    right, calls, order = {
        "ppv": (tp, tp + fp, grid),
        "npv": (tn, tn + fn, grid[::-1]),
        "accuracy": (tp + tn, tp + fp + fn + tn, grid),
    }[metric]
    worth = _worth_of_calls(tally, metric, each)
    rows = [row for row in order.tolist() if calls[row] > 0]
    p = {row: _p_of_calls(float(right[row]), float(calls[row]), worth(row, float(calls[row])), rate) for row in rows}
    kept = np.zeros(len(table), bool)
    if metric == "accuracy":
        method = "Bonferroni over the grid"
        for row in rows:
            kept[row] = p[row] * len(rows) <= alpha
    else:
        method = "fixed sequences of tests (Learn then Test)"
        least = cases_needed(rate, each) if rate > 0 else 1
        for start in _STARTS:
            for row in (one for one in rows if calls[one] >= start * least):
                if p[row] * len(_STARTS) > alpha:
                    break
                kept[row] = True
    none = Undefined("a promise of calls counts no misses")
    promise = Promise(
        bound=str(one), metric=one.title, confidence=each, cases=float(tally.n_pos + tally.n_neg),
        misses_allowed=none, misses_made=none, kept=each, needed=none, method=method,
    )  # fmt: skip
    return kept, promise


def _p_of_calls(right: float, calls: float, worth: float, rate: float) -> float:
    """P(Bin(m, rate) >= right ones), with m what the calls are worth."""
    return 1 - misses_chance(right / calls * worth - 1, worth, 1 - rate)


def _worth_of_calls(tally: Tally, metric: str, each: float) -> Callable[[int, float], float]:
    """What the calls at a row are worth: all of them, Kish's number, or that of subjects."""
    subjects = subjects_at_hand(tally)
    if subjects is not None:
        edges = np.r_[np.inf, tally.score]

        def by_subject(row: int, calls: float) -> float:
            called = subjects.score >= edges[row]
            inside = {"ppv": called, "npv": ~called}.get(metric, np.ones(called.size, bool))
            wrong = (called != subjects.label)[inside].astype(np.float64)
            return min(clustered_size(wrong, subjects.number[inside], len(subjects), each), calls)

        return by_subject
    if tally.pos_squares is not None and tally.neg_squares is not None:
        squares = tally.pos_squares + tally.neg_squares
        reached = np.r_[0.0, np.cumsum(squares)]
        of = {"ppv": reached, "npv": reached[-1] - reached}.get(metric, np.full(reached.size, reached[-1]))
        return lambda row, calls: calls * calls / float(of[row]) if of[row] > 0 else 0.0
    return lambda row, calls: calls


def _too_few(
    one: Requirement, metric: str, rate: float, cases: float, each: float, confidence: float, many: int
) -> NoPromiseError:
    kind = "positives" if metric == "tpr" else "negatives"
    least = math.floor(100 * (1 - each) ** (1 / max(cases, 1e-9))) / 100
    possible = math.floor(100 * (1 - rate**cases)) / 100
    shown = least if KNOWN[one.metric.name][1] is False else round(1 - least, 2)
    shared = "" if many == 1 else f" ({_percent(each)} for each of {many} promises)"
    if many > 1:
        possible = math.floor(100 * possible**many) / 100
    verb = "lower" if one.at_least else "raise"
    ways = [f"{verb} the bound to {shown:g}"] if 0 < least < rate else []
    ways += [f"the confidence to {possible:g}"] if possible > 0 else []
    return NoPromiseError(
        f"no threshold can promise {one} with {_percent(confidence)} confidence{shared} from {cases:.4g} {kind}: "
        f"{cases_needed(rate, each)} are needed", way_out=", or ".join(ways) or "collect more cases",
    )  # fmt: skip


def _impossible(
    table: Coordinates, bounds: Sequence[Requirement], masks: Sequence[Bools], confidence: float
) -> NoPromiseError:
    for one, mask in zip(bounds, masks, strict=True):
        if not (mask & table.reachable).any():
            return NoPromiseError(
                f"no threshold can be promised to keep {one} with {_percent(confidence)} confidence",
                way_out="lower the bound or the confidence, or collect more cases",
            )  # fmt: skip
    words = []
    higher = table.sample.direction == "higher"
    for one, mask in zip(bounds, masks, strict=True):
        inside = table.thresholds[mask & table.reachable]
        from_below = KNOWN[one.metric.name][0] in ("tpr", "npv")
        up_to = from_below == higher
        words.append(f"{one} holds {'up to' if up_to else 'from'} {inside.max() if up_to else inside.min():.4g}")
    return NoPromiseError(
        f"{', '.join(words)}; no threshold keeps {'both' if len(bounds) == 2 else 'all'} with "
        f"{_percent(confidence)} confidence", way_out="relax one of them, or collect more cases",
    )  # fmt: skip


def _percent(share: float) -> str:
    return f"{100 * share:.4g}%"
