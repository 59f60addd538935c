"""One bootstrap sample of a cut-off: chosen in the bag, kept as it was, and judged on the cases left out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from roclab._core.types import Floats, Ints
from roclab.data.tally import Tally
from roclab.decisions.coordinates import Coordinates, criterion_values, threshold_values
from roclab.decisions.criteria import Criterion
from roclab.decisions.cutoffs import optimal_rows
from roclab.decisions.metrics import METRICS
from roclab.decisions.requirements import Requirement
from roclab.errors import InputError
from roclab.inference.one_area.bootstrap import TallyDraws
from roclab.inference.one_area.subject_draws import SubjectDraws
from roclab.names import ThresholdRule
from roclab.options.criterion import Conditions

__all__ = ["AREA", "Replicate", "fixed_prevalence", "judged"]

AREA = "auc"  # beside metrics of the matrix: the whole curve of the same cases


@dataclass(frozen=True, slots=True, kw_only=True)
class Replicate:
    """One bootstrap sample: the cut-off it chooses, then every quantity three times.

    In the bag at the cut-off chosen anew, in the bag at the cut-off of the whole data (``kept``), and outside the bag
    at the cut-off chosen anew.
    """

    draws: TallyDraws | SubjectDraws
    criterion: Criterion
    conditions: Conditions
    bounds: list[Requirement]
    rule: ThresholdRule
    quantities: tuple[str, ...]  # metrics and the area, beside the criterion, which comes first
    kept: float

    def __call__(self, rng: np.random.Generator) -> Floats:
        """Draw the cases, choose, and judge; O(n)."""
        inside, left = self.draws.bags(rng)
        table = self._table(*inside)
        width = 1 + len(self.quantities)
        out = np.full(1 + 3 * width, np.nan)
        out[1 + width : 1 + 2 * width] = self._judged(table, self.kept)
        try:
            values = criterion_values(table, self.criterion, self.conditions)
            row = int(optimal_rows(table, self.criterion, values, self.bounds)[0])
        except InputError:
            return out  # no threshold of this sample meets the bounds
        threshold = out[0] = float(table.thresholds[row])
        out[1 : 1 + width] = self._judged(table, threshold)
        if left is not None:
            out[1 + 2 * width :] = self._judged(self._table(*left), threshold)
        return out

    def _judged(self, table: Coordinates, threshold: float) -> Floats:
        return judged(table, threshold, self.criterion, self.conditions, self.quantities)

    def _table(self, pos: Ints, neg: Ints) -> Coordinates:
        """The coordinates table of counts at each distinct score; scores that nobody has leave no row."""
        tally = self.draws.tally
        held = np.flatnonzero(pos + neg)
        scores = tally.score[held]
        return Coordinates(
            thresholds=tally.shown(threshold_values(scores, self.rule)),
            tp=np.concatenate([[0.0], np.cumsum(pos[held])]),
            fp=np.concatenate([[0.0], np.cumsum(neg[held])]),
            scores=scores,
            rule=self.rule,
            sample=tally.sample,
        )


def judged(
    table: Coordinates, threshold: float, criterion: Criterion, conditions: Conditions, quantities: tuple[str, ...]
) -> Floats:
    """The criterion and all quantities of the cases of a table at any threshold."""
    row = table.row_of(threshold)
    counts = table.counts(slice(row, row + 1))
    with np.errstate(invalid="ignore"):
        values = [float(criterion.compute(counts, conditions)[0])]
    for name in quantities:
        if name == AREA:
            rises = np.diff(table.fp) * (table.tp[:-1] + table.tp[1:]) / 2
            values.append(float(rises.sum()) / (table.n_pos * table.n_neg))
        else:
            values.append(float(METRICS[name].compute(counts)[0]))
    return np.array(values)


def fixed_prevalence(tally: Tally, conditions: Conditions) -> Conditions:
    """A prevalence left open is that of the whole data, in every replicate and outside it."""
    if conditions.prevalence is not None:
        return conditions
    return replace(conditions, prevalence=tally.n_pos / (tally.n_pos + tally.n_neg))
