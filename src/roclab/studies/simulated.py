"""The printed simulation tables beside our own simulations, within the Monte-Carlo error of both."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from roclab.studies.catalogue.samples import printed_table
from roclab.studies.designs import TABLES, Design, Scenario
from roclab.studies.results import CellResult, StudyResult
from roclab.studies.runner import run_study
from roclab.studies.verdicts import MONTE_CARLO, NOT_RUN, UNDOCUMENTED, UNEXPLAINED, ReproductionRow

__all__ = ["compare_tables", "tables_not_run"]

SOURCE = "greek"
PRINTED_REPLICATES = 1000
ROUNDING = 0.0005  # of three printed decimals
FARTHEST = 3.0  # standard errors of the difference
REPEAT = 10  # times the replicates for a cell that lies farther off


class _Exception(NamedTuple):
    """A cell beyond Monte-Carlo error: what must come out instead, and what is to be thought of it."""

    bias: float
    rmse: float
    verdict: str
    reason: str


# Investigated with 10000 replicates and more; the biases and errors are those of an independent implementation (III)
# and of twenty thousand of our own samples.
EXCEPTIONS = {
    ("III", 20, "AUC=0.7", "N"): _Exception(
        -0.072,
        0.124,
        UNDOCUMENTED,
        "the printed RMSE .109 is the only one of 364 beyond Monte-Carlo error (.124, bias -.072); the other six "
        "estimators "
        "of the same samples, and N at every other size and area of the table, agree, and no reading of the text gives "
        "the printed pair, so that what was run there stays unknown",
    ),
    ("X", 100, "TableV AUC=0.9 lambda_Y=1", "RC"): _Exception(
        0.0018,
        0.0216,
        UNDOCUMENTED,
        "printed by ROCKIT, which joins scores into categories the text does not describe; maximum likelihood on all "
        "runs of scores lies .0018 above MW on the same samples, on 10 categories .0006, and the printed RC equals the "
        "printed MW",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Printed:
    table: str
    n: int
    condition: str
    estimator: str
    bias: float
    rmse: float

    @property
    def key(self) -> tuple[str, int, str, str]:
        return self.table, self.n, self.condition, self.estimator


def _printed_cells() -> list[_Printed]:
    return [
        _Printed(
            table=row["table"],
            n=int(row["n_per_group"]),
            condition=row["condition"],
            estimator=row["estimator"],
            bias=float(row["bias"]),
            rmse=float(row["rmse"]),
        )
        for row in printed_table("auc_estimator_study.csv")
    ]


def tables_not_run() -> list[ReproductionRow]:
    """One row for each simulation table."""
    return [
        ReproductionRow(
            source=SOURCE,
            kind="text",
            where=f"table {name}",
            quantity=f"bias and RMSE of {', '.join(design.estimators)}",
            compared_with=f"{sum(cell.table == name for cell in _printed_cells())} cells",
            ours="",
            difference=None,
            verdict=NOT_RUN,
            reason="a simulation of some minutes: --all (simulations=True) runs it",
        )
        for name, design in TABLES.items()
    ]


def compare_tables(
    *,
    replicates: int,
    rng: int,
    workers: int,
    progress: Callable[[int, int], None] | None,
    resume: str | None = None,
) -> tuple[list[ReproductionRow], StudyResult]:
    """Every printed cell of tables I to X.

    A cell is within Monte-Carlo error when bias and RMSE both lie within three standard errors of the difference,
    rounding apart, the printed values having the error of their 1000 replicates. Among 736 such comparisons one or two
    fall outside by chance; those cells are simulated once more with ten times the replicates and another seed, and
    that run decides.
    """
    study = run_study(
        list(TABLES.values()), replicates=replicates, rng=rng, workers=workers, progress=progress, resume=resume
    )
    found = {(cell.table, cell.n_pos, cell.condition, cell.estimator): cell for cell in study.cells}
    printed = _printed_cells()
    far = [one for one in printed if _distance(one, found[one.key]) > FARTHEST]
    again: dict[Any, CellResult] = {}
    for design in _designs_of(far):
        result = run_study(design, replicates=REPEAT * replicates, rng=rng + 1, workers=workers, progress=progress)
        again |= {(cell.table, cell.n_pos, cell.condition, cell.estimator): cell for cell in result.cells}
    return [_judged(one, again.get(one.key) if one in far else found[one.key], one in far) for one in printed], study


def _distance(printed: _Printed, ours: CellResult) -> float:
    """The larger distance of bias and RMSE, in standard errors of the difference."""
    share = math.sqrt(1 + ours.replicates / PRINTED_REPLICATES)
    gaps = abs(ours.bias - printed.bias), abs(ours.rmse - printed.rmse)
    return max(
        max(gap - ROUNDING, 0.0) / (share * error)
        for gap, error in zip(gaps, (ours.bias_se, ours.rmse_se), strict=True)
    )


def _designs_of(far: Sequence[_Printed]) -> list[Design]:
    """The cells to simulate again: for each of them the samples of its condition, and the estimators in doubt."""
    out = []
    for table, n, condition in dict.fromkeys((one.table, one.n, one.condition) for one in far):
        names = tuple(one.estimator for one in far if (one.table, one.n, one.condition) == (table, n, condition))
        cell = next(c for c in TABLES[table].cells() if (c.n_pos, c.condition.label) == (n, condition))
        fixed = Scenario(positive=cell.condition.positive, negative=cell.condition.negative, free=None, label=condition)
        out.append(replace(TABLES[table], scenarios=(fixed,), sizes=((n, n),), estimators=names))
    return out


def _judged(printed: _Printed, ours: CellResult | None, repeated: bool) -> ReproductionRow:
    assert ours is not None
    reasons = [f"repeated with {ours.replicates} replicates"] if repeated else []
    verdict = MONTE_CARLO if _distance(printed, ours) <= FARTHEST else UNEXPLAINED
    if verdict == UNEXPLAINED and printed.key in EXCEPTIONS:
        known = EXCEPTIONS[printed.key]
        if _distance(replace(printed, bias=known.bias, rmse=known.rmse), ours) <= FARTHEST:
            verdict = known.verdict
            reasons.append(known.reason)
    if printed.table in ("III", "VII"):
        reasons.append("the caption is in error and read as E35 says")
    return ReproductionRow(
        source=SOURCE,
        kind="text",
        where=f"table {printed.table}, n = {printed.n}, {printed.condition}",
        quantity=f"bias (RMSE) of {printed.estimator}",
        compared_with=f"{printed.bias:z.3f} ({printed.rmse:.3f})",
        ours=f"{ours.bias:z.4f} ± {ours.bias_se:.4f} ({ours.rmse:.4f} ± {ours.rmse_se:.4f})",
        difference=float(np.round(ours.bias - printed.bias, 12)),
        verdict=verdict,
        reason="; ".join(reasons),
    )
