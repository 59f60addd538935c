r"""Covariance matrix of the areas of all cells, by five methods.

Every method gives each case a value for each cell; cells that did not read a case have 0 there, so gaps and designs
need no formulas of their own: cells without a case in common have covariance 0.

- "delong": influence of the case on the area, centred within its class [1]_; with subjects Obuchowski's sums.
- "jackknife": :math:`\sqrt{(n-1)/n}\,(A_{(k)} - \bar A_{(\cdot)})` with one case (or subject) left out at a time, of
  those that the area rests on: for a sensitivity n counts the positives, whatever number of negatives was read.
- "jackknife_all": the same with n all cases of the study, also those that the cell did not read, whose absence leaves
  its area as it is: the number of MRMCaov.
- "bootstrap": covariance over resampled cases (or subjects), the same draws for all cells.
- "unbiased": U-statistics [2]_. With :math:`\psi_a(p, n)` the comparison of positive p and negative n in cell a,

  .. math:: \operatorname{Cov}(A_a, A_b) = A_a A_b - \operatorname{mean}_{p \ne p',\, n \ne n'} \psi_a(p, n)\,
            \psi_b(p', n'),

  whose second term is the product of expectations, from pairs that share no case.

References
----------
.. [1] DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics 1988;44:837-845. doi:10.2307/2531595
.. [2] Gallas BD. One-shot estimate of MRMC variance: AUC. Acad Radiol 2006;13:353-362. doi:10.1016/j.acra.2005.11.030
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Bools, Floats, Ints, frozen
from roclab._core.work import in_order
from roclab.areas.empirical import auc, doubled_wins
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.clustered import covariance_of_clusters
from roclab.inference.comparison.covariance import class_rows, influence_of_cases, scaled_influence
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.bootstrap import run_bootstrap
from roclab.inference.one_area.estimate import variance_title
from roclab.names import READER_COVARIANCES, ReaderCovariance
from roclab.options.uncertainty import Resampling, refuse_keyed, resampling_of
from roclab.reading_studies.decision import is_rate, rests_on
from roclab.reading_studies.readings import Readings

__all__ = ["CellAreas", "areas_of_cells", "influence_columns", "left_out"]

_BLOCK = 2**22  # numbers of a block of comparisons


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellAreas:
    """The area of every cell and their covariance matrix."""

    values: Floats
    matrix: Floats
    method: str

    def __post_init__(self) -> None:
        frozen(self.values)
        frozen(self.matrix)


def areas_of_cells(
    readings: Readings,
    area: Area,
    covariance: ReaderCovariance | None = None,
    *,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> CellAreas:
    """Areas of all cells with their covariances; by influence where it is known, else by the jackknife.

    O(k n log n + k² n) for k cells and n cases by influence or jackknife of the AUC, O(k² P N) unbiased.
    """
    drawn = resampling_of(resampling)
    if covariance is None:
        covariance = "jackknife" if area.influence is None else "delong"
    check_choice(covariance, "covariance", READER_COVARIANCES)
    values = np.array([_value(readings, area, at) for at in range(len(readings.cells))])
    if covariance == "bootstrap":
        matrix, method = _by_bootstrap(readings, area, drawn, rng)
    elif covariance == "jackknife":
        matrix, method = _products(_jackknife_columns(readings, area, values, drawn)), "jackknife"
    elif covariance == "jackknife_all":
        matrix = _products(_jackknife_columns(readings, area, values, drawn, absent=True))
        method = "jackknife over all cases of the study"
    elif covariance == "unbiased":
        matrix, method = _by_u_statistics(readings, area, values), "unbiased"
    else:
        matrix, method = _by_influence(readings, area)
    return CellAreas(values=values, matrix=matrix, method=method)


def _value(readings: Readings, area: Area, at: int) -> float:
    return area.estimate(readings.cases_of(at).tally()) if readings.marks is None else readings.marks.area(at)


# -- influence -----------------------------------------------------------------------------------------


def _by_influence(readings: Readings, area: Area) -> tuple[Floats, str]:
    if area.influence is None:
        raise InputError(
            "covariance",
            f"'delong' needs a known influence function, and {area.method!r} has none",
            way_out=f"use {named('covariance', 'jackknife')} or 'bootstrap'",
        )
    if readings.subject is not None:
        if not readings.complete:
            raise InputError(
                "covariance",
                "'delong' with several cases per subject needs every reading",
                Words("gaps"),
                f"use {named('covariance', 'jackknife')} or 'bootstrap'",
            )
        covariance = covariance_of_clusters(_all_cells(readings), area)
        return covariance.matrix, covariance.method
    return _products(influence_columns(readings, area)), variance_title(area)


def influence_columns(readings: Readings, area: Area) -> Floats:
    """Influence of every case on every cell, scaled so that sums of products are covariances."""
    columns = np.zeros(readings.rating.shape)
    for at in range(len(readings.cells)):
        cases = readings.cases_of(at)
        _, _, influence = influence_of_cases(cases, cases.only_name(), area)
        columns[at, cases.rows] = scaled_influence(influence, class_rows(cases.label), None, False)
    return columns


def _all_cells(readings: Readings) -> Cases:
    names = [str(at) for at in range(len(readings.cells))]
    return Cases(
        label=readings.label,
        scores=dict(zip(names, readings.rating, strict=True)),
        ids=readings.subject,
        direction=dict.fromkeys(names, "higher"),
    )


def _products(columns: Floats) -> Floats:
    """Sums of products of all pairs of rows, by plain sums: BLAS may split them over threads."""
    k = len(columns)
    out = np.empty((k, k))
    for at in range(k):
        out[at, at:] = out[at:, at] = np.sum(columns[at] * columns[at:], axis=1)
    return out


# -- jackknife -----------------------------------------------------------------------------------------


def _jackknife_columns(
    readings: Readings, area: Area, values: Floats, drawn: Resampling, *, absent: bool = False
) -> Floats:
    """Scaled deviations of the areas with one unit left out: one row per cell, one column per case or subject.

    ``absent`` counts units that a cell does not hold as well, as MRMCaov does: leaving them out leaves its area as it
    was.
    """
    rows = left_out(readings, area, values, drawn)
    if absent:
        rows = np.where(np.isnan(rows), values[:, None], rows)
    out = np.zeros(rows.shape)
    for at, row in enumerate(rows):
        held = ~np.isnan(row)
        n = int(held.sum())
        out[at, held] = math.sqrt((n - 1) / n) * (row[held] - row[held].mean())
    return out


def left_out(readings: Readings, area: Area, values: Floats, drawn: Resampling | None = None) -> Floats:
    """The area of every cell with each unit (case, or subject) left out.

    NaN where the cell does not hold it, or where it has no case that the area rests on: negatives say nothing about a
    sensitivity, and counted as units that leave it where it is they would make its variance larger.

    By placements for the AUC; for other areas every distinct pair of class and rating is left out once.
    """
    drawn = Resampling() if drawn is None else drawn
    units = np.arange(len(readings.cases)) if readings.subject is None else readings.subject
    of_cell: Callable[[int], Floats]
    if readings.marks is not None:
        of_cell = readings.marks.without_cases
    elif readings.subject is not None:
        of_cell = lambda at: _without_subjects(readings, at, area, units)  # noqa: E731
    elif area.is_auc:
        of_cell = lambda at: _without_cases_of_auc(readings, at, area, float(values[at]))  # noqa: E731
    else:
        of_cell = lambda at: _without_cases(readings, at, area)  # noqa: E731
    held = rests_on(area, readings.label)
    apart = np.setdiff1d(units[~held], units[held])
    found = []
    cells = range(len(readings.cells))
    for row in in_order(of_cell, cells, workers=drawn.workers):
        row[apart] = np.nan
        found.append(row)
        if drawn.progress is not None:
            drawn.progress(len(found), len(cells))
    return np.array(found)


def _without_cases_of_auc(readings: Readings, at: int, area: Area, value: float) -> Floats:
    cases = readings.cases_of(at)
    _, _, placement = influence_of_cases(cases, cases.only_name(), area)
    size = np.where(cases.label, np.sum(cases.label), np.sum(~cases.label))
    out = np.full(len(readings.cases), np.nan)
    out[cases.rows] = (size * value - placement) / (size - 1)
    return out


def _without_cases(readings: Readings, at: int, area: Area) -> Floats:
    cases = readings.cases_of(at)
    out = np.full(len(readings.cases), np.nan)
    score = cases.oriented()
    known: dict[tuple[bool, float], float] = {}
    for row, (label, rating) in enumerate(zip(cases.label.tolist(), score.tolist(), strict=True)):
        if (label, rating) not in known:
            rest = np.delete(np.arange(len(cases)), row)
            known[label, rating] = area.estimate(cases.only(rest).tally())
        out[cases.rows[row]] = known[label, rating]  # type: ignore[index]
    return out


def _without_subjects(readings: Readings, at: int, area: Area, units: Ints) -> Floats:
    cases = readings.cases_of(at)
    mine = units[cases.rows]
    out = np.full(int(units.max()) + 1, np.nan)
    for unit in np.unique(mine):
        rest = np.flatnonzero(mine != unit)
        for side, word in ((cases.label[rest], "positive"), (~cases.label[rest], "negative")):
            if not side.any():
                raise InputError(
                    "subject", f"must leave {word} cases when one is left out", Words("all of them in one subject")
                )
        out[unit] = area.estimate(cases.only(rest).tally())
    return out


# -- bootstrap -----------------------------------------------------------------------------------------


def _by_bootstrap(readings: Readings, area: Area, drawn: Resampling, rng: Any) -> tuple[Floats, str]:
    refuse_keyed(drawn.scheme)
    draws = _Draws(readings, drawn.scheme)
    sampled = run_bootstrap(lambda one: draws.areas(one, area), len(readings.cells), resampling=drawn, rng=rng)
    centred = sampled.replicates - sampled.replicates.mean(axis=0)
    matrix = _products(np.ascontiguousarray(centred.T)) / (len(centred) - 1)
    # Cells without a case in common are independent; what resampling shows between them is its own noise.
    read = readings.read.astype(np.int64)
    matrix[(read @ read.T) == 0] = 0.0
    return matrix, sampled.describe()


class _Draws:
    """Cases resampled within their stratum: class and block of cells that read them, or whole subjects."""

    def __init__(self, readings: Readings, scheme: str) -> None:
        self.label = readings.label
        self.subject = readings.subject
        self.cells = len(readings.cells)
        rankings = [] if readings.marks else [readings.cases_of(at).ranking() for at in range(self.cells)]
        self.tallies = [ranking.tally for ranking in rankings]
        self.places = [ranking.places for ranking in rankings]
        self.held = [np.flatnonzero(row) for row in readings.read]
        self.marks = readings.marks
        self.strata = _strata(readings, scheme)

    def times(self, rng: np.random.Generator) -> Ints:
        """How often every case is drawn."""
        out = np.zeros(self.label.size, np.int64)
        if self.subject is not None:
            count = int(self.subject.max()) + 1
            return np.bincount(rng.integers(0, count, count), minlength=count)[self.subject]
        for rows in self.strata:
            out += np.bincount(rows[rng.integers(0, rows.size, rows.size)], minlength=out.size)
        return out

    def areas(self, rng: np.random.Generator, area: Area) -> Floats:
        """The area of every cell on one set of resampled cases."""
        for _ in range(1000):
            times = self.times(rng)
            if all(_both_classes(self.label[held], times[held]) for held in self.held):
                break
        else:
            raise InputError("", "resampling keeps drawing one class only", way_out="use another covariance")
        if self.marks is not None:
            held_times = times.astype(np.float64)
            return np.array([self.marks.area(at, held_times) for at in range(self.cells)])
        out = np.empty(len(self.tallies))
        for at, (tally, place, held) in enumerate(zip(self.tallies, self.places, self.held, strict=True)):
            mine, label = times[held], self.label[held]
            pos, neg = (_counts(place[side], mine[side], tally.score.size) for side in (label, ~label))
            n_pos, n_neg = int(pos.sum()), int(neg.sum())
            if area.estimate is auc:
                out[at] = doubled_wins(pos, neg) / (2 * n_pos * n_neg)
            else:
                kept = np.flatnonzero(pos + neg)
                out[at] = area.estimate(
                    Tally(score=tally.score[kept], pos=pos[kept], neg=neg[kept], sample=tally.sample)
                )
        return out


def _strata(readings: Readings, scheme: str) -> list[Ints]:
    """Cases that are drawn in place of each other."""
    block = np.zeros(len(readings.cases), np.int64)
    if readings.design == "nested_cases":
        for modality in range(len(readings.modalities)):
            block[readings.read[readings.cells_of(modality)].any(axis=0)] = modality
    elif readings.design == "split_plot":
        for at, (_, reader) in enumerate(readings.cells):
            block[readings.read[at]] = readings.group[reader]
    key = 2 * block + (readings.label if scheme == "stratified" else 0)
    return [np.flatnonzero(key == one) for one in np.unique(key)]


def _both_classes(label: Bools, times: Ints) -> bool:
    """True unless a class that the study has was not drawn; marks may come without negative cases."""
    return bool(times[label].any() and (label.all() or times[~label].any()))


def _counts(place: Ints, times: Ints, size: int) -> Ints:
    return np.bincount(place, weights=times, minlength=size).astype(np.int64)


# -- U-statistics --------------------------------------------------------------------------------------


def _by_u_statistics(readings: Readings, area: Area, values: Floats) -> Floats:
    if is_rate(area) and readings.subject is None:
        return _by_influence(readings, area)[0]  # the covariance of two means is unbiased as it is
    if not area.is_auc or readings.subject is not None:
        raise InputError(
            "covariance",
            "'unbiased' exists for the AUC, sensitivity and specificity of cases that stand for themselves",
            Words(area.quantity if readings.subject is None else "several cases per subject"),
            f"use {named('covariance', 'jackknife')} or 'bootstrap'",
        )
    pos, neg = readings.rating[:, readings.label], readings.rating[:, ~readings.label]
    k, n_neg = len(pos), neg.shape[1]
    both = np.zeros((k, k))
    by_pos, by_neg = np.zeros(pos.shape), np.zeros(neg.shape)
    step = max(_BLOCK // (k * n_neg), 1)
    for start in range(0, pos.shape[1], step):
        part = pos[:, start : start + step, None]
        # Gaps compare as False on both sides: they win nothing and tie with nothing.
        wins = (part > neg[:, None, :]) + 0.5 * (part == neg[:, None, :])
        flat = wins.reshape(k, -1)
        both += flat @ flat.T  # quarters of whole numbers: exact in any order of summation
        by_pos[:, start : start + step] = wins.sum(axis=2)
        by_neg += wins.sum(axis=1)
    total = by_pos.sum(axis=1)
    read_pos, read_neg = (~np.isnan(pos)).astype(np.float64), (~np.isnan(neg)).astype(np.float64)
    p, n = read_pos.sum(axis=1), read_neg.sum(axis=1)
    pairs_pos = np.outer(p, p) - read_pos @ read_pos.T
    pairs_neg = np.outer(n, n) - read_neg @ read_neg.T
    apart = np.outer(total, total) - by_pos @ by_pos.T - by_neg @ by_neg.T + both
    found: Floats = np.outer(values, values) - apart / (pairs_pos * pairs_neg)
    shared = (read_pos @ read_pos.T + read_neg @ read_neg.T) > 0
    return np.where(shared, (found + found.T) / 2, 0.0)
